//! Quantities and units among the tokens: `5 ft 7 in`, `$4.20`, "a fortnight", "square metres", `5'7"`.

use super::lex::{Kind, Token, words_from};
use super::words::WORDS;
use crate::solvers::quantity::units::Dimension;
use crate::solvers::quantity::{parse_unit, rational, units};

/// A unit as it stands in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct UnitWord {
    /// As `parse_unit` reads it, or the word to look up.
    pub(super) text: String,
    /// What it measures; `None` for a word to look up.
    pub(super) dimension: Option<Dimension>,
    /// The word to look up, in the singular.
    pub(super) unclear: Option<String>,
    pub(super) used: usize,
}

/// A number with a unit as it stands in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QuantityWord {
    /// Number and unit text, compound allowed.
    pub(super) text: String,
    /// The number of the first part.
    pub(super) number: String,
    /// The unit of the first part.
    pub(super) unit: String,
    pub(super) dimension: Option<Dimension>,
    pub(super) unclear: Vec<String>,
    pub(super) used: usize,
}

fn word(tokens: &[Token], i: usize) -> &str {
    tokens.get(i).and_then(Token::word).unwrap_or("")
}

/// The unit that starts at `i`. Short symbols and everyday words ("in", "m", "second") count only where `certain`:
/// after a number, or where the question has room for nothing but a unit.
pub(super) fn unit_at(tokens: &[Token], i: usize, certain: bool) -> Option<UnitWord> {
    if let Some((singular, used)) = WORDS.unclear(&words_from(tokens, i)) {
        let text = words_from(tokens, i).get(..used).unwrap_or_default().join(" ");
        return Some(UnitWord { text, dimension: None, unclear: Some(singular.to_owned()), used });
    }
    let first = factor(tokens, i, certain)?;
    let (mut text, mut used) = first;
    // Quotients and products: `km/h`, "miles per hour", `N*m`.
    loop {
        let next = i + used;
        let (sign, skip) = match tokens.get(next).map(|t| &t.kind) {
            Some(Kind::Sym('/')) => ("/", 1),
            Some(Kind::Sym('*')) => ("*", 1),
            Some(Kind::Word(w)) if w == "per" => ("/", 1),
            Some(Kind::Word(w))
                if matches!(w.as_str(), "a" | "an")
                    && matches!(word(tokens, next + 1), "hour" | "second")
                    && used == 1 =>
            {
                ("/", 1)
            }
            Some(Kind::Word(_) | Kind::Sym(_) | Kind::Number(_) | Kind::Ordinal(_) | Kind::Date(_)) | None => break,
        };
        let Some((more, n)) = factor(tokens, next + skip, true) else {
            break;
        };
        text = format!("{text}{sign}{more}");
        used += skip + n;
    }
    let unit = parse_unit(&text).ok()?;
    Some(UnitWord { text, dimension: Some(unit.dimension), unclear: None, used })
}

fn factor(tokens: &[Token], i: usize, certain: bool) -> Option<(String, usize)> {
    if let Some(Kind::Sym(c @ ('$' | '€' | '£' | '¥' | '₹'))) = tokens.get(i).map(|t| &t.kind) {
        return certain.then(|| (units::find(&c.to_string()).map_or_else(String::new, |u| u.text), 1));
    }
    if tokens.get(i).is_some_and(|t| t.is('°')) {
        let scale = word(tokens, i + 1);
        let name = match scale {
            "c" | "celsius" | "centigrade" => "°C",
            "f" | "fahrenheit" => "°F",
            _ => return Some(("°".into(), 1)),
        };
        return Some((name.into(), 2));
    }
    if tokens.get(i).is_some_and(|t| t.is('¢')) {
        return Some(("¢".into(), 1));
    }
    let lead = match word(tokens, i) {
        "square" | "sq" => 1,
        "cubic" | "cu" => 1,
        _ => 0,
    };
    let at = i + lead;
    for length in (1..=3usize).rev() {
        let Some(part) = tokens.get(at..at + length).filter(|p| p.iter().all(|t| t.word().is_some())) else {
            continue;
        };
        let raw = part.iter().map(|t| t.raw.as_str()).collect::<Vec<_>>().join(" ");
        let Some(unit) =
            units::find(&raw).or_else(|| units::find(&raw.to_lowercase()).filter(|_| raw.chars().count() > 2))
        else {
            continue;
        };
        let plain = length == 1 && lead == 0;
        // Attoseconds, attometres, picometres, microseconds and ares are never written so beside these words.
        if plain && matches!(raw.as_str(), "as" | "am" | "pm" | "us" | "are") {
            return None;
        }
        let everyday = matches!(
            raw.to_lowercase().as_str(),
            "in" | "second"
                | "a"
                | "grain"
                | "turn"
                | "turns"
                | "cup"
                | "bar"
                | "min"
                | "are"
                | "ares"
                | "mole"
                | "foot"
                | "yard"
                | "point"
                | "bit"
                | "grad"
                | "t"
                | "au"
                | "gal"
                | "pt"
                | "as"
                | "am"
                | "ha"
                | "cal"
                | "us"
                | "pa"
        );
        if plain && !certain && (everyday && raw != "second" || raw.chars().count() <= 2) {
            return None;
        }
        let mut text = if plain && raw.chars().count() <= 3 { unit.text } else { raw };
        let mut used = lead + length;
        if lead == 1 {
            text = format!("{} {text}", word(tokens, i));
        }
        match tokens.get(i + used) {
            Some(t) if t.is('²') || word(tokens, i + used) == "squared" => {
                text.push_str("^2");
                used += 1;
            }
            Some(t) if t.is('³') || word(tokens, i + used) == "cubed" => {
                text.push_str("^3");
                used += 1;
            }
            Some(t) if t.is('^') => {
                let power = tokens.get(i + used + 1).and_then(Token::number)?;
                text.push_str(&format!("^{power}"));
                used += 2;
            }
            // `cm2`, `m3` without a space.
            Some(t) if !t.spaced && matches!(t.number(), Some("2" | "3")) => {
                text.push_str(&format!("^{}", t.number().unwrap_or("2")));
                used += 1;
            }
            Some(_) | None => {}
        }
        return Some((text, used));
    }
    None
}

/// The quantity that starts at `i`.
pub(super) fn quantity_at(tokens: &[Token], i: usize) -> Option<QuantityWord> {
    let first = single(tokens, i)?;
    let mut out = first;
    while let Some(next) = continuation(tokens, i + out.used, &out) {
        out.text = format!("{} {}", out.text, next.text);
        out.used = next.used;
    }
    Some(out)
}

/// "7 in" after "5 ft", "and 7 inches", a bare "7" after "5 foot". `used` counts from the start of the whole.
fn continuation(tokens: &[Token], at: usize, so_far: &QuantityWord) -> Option<QuantityWord> {
    if so_far.dimension.as_ref().is_some_and(Dimension::is_money) {
        return None;
    }
    let mut k = at;
    if tokens.get(k).is_some_and(|t| t.is(',')) {
        k += 1;
    }
    if word(tokens, k) == "and" {
        k += 1;
    }
    let feet = matches!(so_far.unit.as_str(), "ft" | "foot" | "feet");
    let Some(mut next) = single(tokens, k) else {
        let inches = tokens.get(k).and_then(Token::number).filter(|n| {
            feet && k == at && rational::parse(n).is_ok_and(|v| v < rational::Rational::from_integer(12.into()))
        });
        let alone = inches
            .filter(|_| !tokens.get(k + 1).is_some_and(|t| matches!(t.kind, Kind::Sym('/' | '*' | '+' | '^'))))?;
        return Some(QuantityWord {
            text: format!("{alone} in"),
            used: so_far.used + 1,
            number: alone.to_owned(),
            ..so_far.clone()
        });
    };
    // "a" stands for one only in front of a unit that begins a quantity, not in the middle of one.
    tokens.get(k).and_then(Token::number)?;
    let smaller = match (last_unit(so_far).and_then(|u| parse_unit(&u).ok()), parse_unit(&next.unit).ok()) {
        (Some(a), Some(b)) => a.dimension == b.dimension && b.size < a.size,
        // A looked-up word has no size yet: "10 stone 4 lb" is trusted without a connecting word only.
        (None, Some(_)) => k == at && !so_far.unclear.is_empty(),
        (_, None) => false,
    };
    next.used += k - at + so_far.used;
    smaller.then_some(next)
}

fn last_unit(q: &QuantityWord) -> Option<String> {
    // The text is `number unit number unit`; the last number splits off the last unit.
    let words: Vec<&str> = q.text.split(' ').collect();
    let at = words.iter().rposition(|w| rational::parse(w).is_ok())?;
    Some(words.get(at + 1..)?.join(" "))
}

fn single(tokens: &[Token], i: usize) -> Option<QuantityWord> {
    if let Some(Kind::Sym('$' | '€' | '£' | '¥' | '₹')) = tokens.get(i).map(|t| &t.kind) {
        let (unit, _) = factor(tokens, i, true)?;
        let number = tokens.get(i + 1)?.number()?.to_owned();
        let dimension = units::find(&unit).map(|u| u.dimension);
        // `$5 USD`, `$5 dollars`.
        let same = unit_at(tokens, i + 2, true)
            .filter(|u| u.dimension == dimension && tokens.get(i + 2).is_some_and(|t| t.word().is_some()))
            .map_or(0, |u| u.used);
        return Some(QuantityWord {
            text: format!("{number} {unit}"),
            number,
            unit,
            dimension,
            unclear: Vec::new(),
            used: 2 + same,
        });
    }
    let (number, lead) = match tokens.get(i).map(|t| &t.kind)? {
        Kind::Number(n) => (n.clone(), 1),
        Kind::Word(w) if matches!(w.as_str(), "a" | "an") => ("1".to_owned(), 1),
        Kind::Word(_) | Kind::Sym(_) | Kind::Ordinal(_) | Kind::Date(_) => return None,
    };
    let article = tokens.get(i)?.number().is_none();
    let mut at = i + lead;
    // "half of a mile", "1/2 a mile".
    if !article && matches!(word(tokens, at), "a" | "an") {
        at += 1;
    }
    let mark = match tokens.get(at) {
        Some(t) if t.is('\'') && !t.spaced && !article => Some("ft"),
        Some(t) if t.is('"') && !t.spaced && !article => Some("in"),
        Some(_) | None => None,
    };
    if let Some(unit) = mark {
        let dimension = units::find(unit).map(|u| u.dimension);
        return Some(QuantityWord {
            text: format!("{number} {unit}"),
            number,
            unit: unit.into(),
            dimension,
            unclear: Vec::new(),
            used: at + 1 - i,
        });
    }
    if word(tokens, at) == "in" && !inch(tokens, at + 1) {
        return None;
    }
    let unit = unit_at(tokens, at, !article || word(tokens, at).chars().count() > 2)?;
    // "a US gallon", "a metre": a money word after an article is rare but the same.
    let number = if rational::parse(&number).is_ok() {
        number
    } else {
        return None;
    };
    // Money is written by its code: "6 euros" is `6 EUR`.
    let money = unit.dimension.as_ref().is_some_and(Dimension::is_money);
    let name = if money { parse_unit(&unit.text).map_or(unit.text, |u| u.text) } else { unit.text };
    Some(QuantityWord {
        text: format!("{number} {name}"),
        number,
        unit: name,
        dimension: unit.dimension,
        unclear: unit.unclear.into_iter().collect(),
        used: at + unit.used - i,
    })
}

/// Whether "in" after a number is the inch: what follows cannot be what the number is expressed in.
fn inch(tokens: &[Token], next: usize) -> bool {
    match tokens.get(next).map(|t| &t.kind) {
        None | Some(Kind::Sym(_) | Kind::Number(_)) => true,
        Some(Kind::Word(w)) => matches!(
            w.as_str(),
            "to" | "in" | "into" | "as" | "is" | "equals" | "equal" | "and" | "plus" | "minus" | "times"
        ),
        Some(Kind::Ordinal(_) | Kind::Date(_)) => false,
    }
}
