//! Exact arithmetic over numbers with units: `+ - * / ^ ( )`, percentages, money signs, compound quantities.

use num_traits::{Signed, Zero};

use super::rational::{self, Rational};
use super::unit_text::parse_unit;
use super::{Quantity, percent, units};

/// Longest expression that is read, in bytes.
const MAX_TEXT: usize = 10_000;
/// Deepest nesting of parentheses and signs.
const MAX_DEPTH: usize = 100;

/// Evaluates an expression exactly.
///
/// A number may carry a unit (`5 ft 7 in`, `60 km/h`, `$4.20`, `15%`); neighbours of one dimension add up.
///
/// # Errors
/// One clause: what cannot be read, added or divided.
pub fn calculate(text: &str) -> Result<Quantity, String> {
    if text.len() > MAX_TEXT {
        return Err("an expression of more than 10000 characters".into());
    }
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0 };
    let value = parser.sum()?;
    match parser.peek() {
        None => Ok(value),
        Some(token) => Err(format!("\"{}\" is not expected here", token.text().chars().take(40).collect::<String>())),
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(Rational),
    Word(String),
    Op(char),
}

impl Token {
    fn text(&self) -> String {
        match self {
            Self::Number(n) => rational::natural(n),
            Self::Word(w) => w.clone(),
            Self::Op(c) => c.to_string(),
        }
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut i = 0;
    while let Some(&c) = chars.get(i) {
        if c.is_whitespace() {
            i += 1;
        } else if c.is_ascii_digit() || c == '.' {
            let start = i;
            let digit = |k: usize| chars.get(k).is_some_and(char::is_ascii_digit);
            while digit(i) || (matches!(chars.get(i), Some('.' | ',')) && digit(i + 1)) {
                i += 1;
            }
            let exponent = matches!(chars.get(i), Some('e' | 'E'))
                && (digit(i + 1) || (matches!(chars.get(i + 1), Some('-' | '+')) && digit(i + 2)));
            if exponent {
                i += 2;
                while digit(i) {
                    i += 1;
                }
            }
            let word: String = chars.get(start..i.max(start + 1)).unwrap_or_default().iter().collect();
            i = i.max(start + 1);
            out.push(Token::Number(rational::parse(&word)?));
        } else if c.is_alphabetic() || matches!(c, '°' | '¢' | '_') {
            let start = i;
            while chars.get(i).is_some_and(|c| c.is_alphabetic() || matches!(c, '°' | '¢' | '_')) {
                i += 1;
            }
            out.push(Token::Word(chars.get(start..i).unwrap_or_default().iter().collect::<String>().replace('_', " ")));
            // `m2` and `cm3` are powers.
            let digit_after = chars.get(i + 1).is_some_and(|c| c.is_ascii_digit() || *c == '.');
            if matches!(chars.get(i), Some('2' | '3')) && !digit_after {
                out.push(Token::Op('^'));
            }
        } else {
            match c {
                '+' | '-' | '*' | '/' | '^' | '(' | ')' | '%' | '$' | '€' | '£' | '¥' | '₹' => {
                    out.push(Token::Op(c))
                }
                '−' | '–' => out.push(Token::Op('-')),
                '×' | '·' => out.push(Token::Op('*')),
                '÷' => out.push(Token::Op('/')),
                '²' => out.extend([Token::Op('^'), Token::Number(Rational::from_integer(2.into()))]),
                '³' => out.extend([Token::Op('^'), Token::Number(Rational::from_integer(3.into()))]),
                '\'' => out.push(Token::Word("ft".into())),
                '"' => out.push(Token::Word("in".into())),
                other => return Err(format!("\"{other}\" is not part of a quantity")),
            }
            i += 1;
        }
    }
    Ok(out)
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn take(&mut self, op: char) -> bool {
        let yes = self.peek() == Some(&Token::Op(op));
        if yes {
            self.at += 1;
        }
        yes
    }

    fn sum(&mut self) -> Result<Quantity, String> {
        let mut left = self.product()?;
        loop {
            if self.take('+') {
                left = left.plus(&self.product()?)?;
            } else if self.take('-') {
                let mut right = self.product()?;
                right.value = -right.value;
                left = left.plus(&right)?;
            } else {
                return Ok(left);
            }
        }
    }

    fn product(&mut self) -> Result<Quantity, String> {
        let mut left = self.signed()?;
        loop {
            if self.take('*') {
                left = left.times(&self.signed()?)?;
            } else if self.take('/') {
                left = left.times(&self.signed()?.inverse()?)?;
            } else if self.peek() == Some(&Token::Op('(')) {
                left = left.times(&self.power()?)?;
            } else {
                return Ok(left);
            }
        }
    }

    fn signed(&mut self) -> Result<Quantity, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("an expression nested too deeply".into());
        }
        let value = if self.take('-') {
            let mut value = self.signed()?;
            value.value = -value.value;
            value
        } else if self.take('+') {
            self.signed()?
        } else {
            self.power()?
        };
        self.depth -= 1;
        Ok(value)
    }

    fn power(&mut self) -> Result<Quantity, String> {
        let base = self.atom()?;
        if !self.take('^') {
            return Ok(base);
        }
        let exponent = self.signed()?;
        if !exponent.unit.dimension.is_none() {
            return Err("a power that has a unit".into());
        }
        base.raised(&exponent.base())
    }

    fn atom(&mut self) -> Result<Quantity, String> {
        match self.peek().cloned() {
            Some(Token::Op('(')) => {
                self.at += 1;
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err("an expression nested too deeply".into());
                }
                let value = self.sum()?;
                self.depth -= 1;
                if self.take(')') { Ok(value) } else { Err("a parenthesis is not closed".into()) }
            }
            Some(Token::Op(c @ ('$' | '€' | '£' | '¥' | '₹'))) => {
                self.at += 1;
                let Some(Token::Number(value)) = self.peek().cloned() else {
                    return Err(format!("a number must follow {c}"));
                };
                self.at += 1;
                Ok(Quantity { value, unit: parse_unit(&c.to_string())? })
            }
            Some(Token::Number(_)) => self.compound(),
            Some(Token::Word(word)) => {
                let unit = self
                    .unit()
                    .ok_or_else(|| format!("\"{}\" is not a unit I know", word.chars().take(40).collect::<String>()))?;
                Ok(Quantity { value: Rational::from_integer(1.into()), unit })
            }
            Some(Token::Op(c)) => Err(format!("\"{c}\" is not expected here")),
            None => Err("nothing to evaluate".into()),
        }
    }

    /// `5 ft 7 in`: number and unit, again and again, of one dimension.
    fn compound(&mut self) -> Result<Quantity, String> {
        let mut sum = self.single()?;
        while !sum.unit.dimension.is_none() && matches!(self.peek(), Some(Token::Number(_))) {
            let next = self.single()?;
            if next.value.is_negative() || next.unit.dimension != sum.unit.dimension {
                return Err(format!(
                    "{} {} does not continue the quantity",
                    rational::natural(&next.value),
                    next.unit.text
                ));
            }
            sum = sum.plus(&next)?;
        }
        Ok(sum)
    }

    fn single(&mut self) -> Result<Quantity, String> {
        let Some(Token::Number(mut value)) = self.peek().cloned() else {
            return Err("a number is missing".into());
        };
        self.at += 1;
        // `3 1/2`: a whole number followed by a fraction below one.
        if let (Some(Token::Number(top)), Some(Token::Op('/')), Some(Token::Number(bottom))) =
            (self.tokens.get(self.at), self.tokens.get(self.at + 1), self.tokens.get(self.at + 2))
            && value.is_integer()
            && top.is_integer()
            && bottom.is_integer()
            && top < bottom
        {
            value += top / bottom;
            self.at += 3;
        }
        if self.take('%') {
            return Ok(Quantity { value: value / Rational::from_integer(100.into()), unit: percent_free() });
        }
        if let Some(fraction) = self.fraction_of_unit(&value) {
            return Ok(fraction);
        }
        match self.unit() {
            Some(unit) => Ok(Quantity { value, unit }),
            None => Ok(Quantity::plain(value)),
        }
    }

    /// `7/2 hours`: a fraction in front of a unit counts that unit; nobody means seven per two hours.
    fn fraction_of_unit(&mut self, top: &Rational) -> Option<Quantity> {
        let start = self.at;
        let bottom = match (self.tokens.get(start), self.tokens.get(start + 1), self.tokens.get(start + 2)) {
            (Some(Token::Op('/')), Some(Token::Number(bottom)), Some(Token::Word(_))) if !bottom.is_zero() => bottom,
            _ => return None,
        };
        self.at = start + 2;
        let unit = self.unit();
        if unit.is_none() {
            self.at = start;
        }
        unit.map(|unit| Quantity { value: top / bottom, unit })
    }

    /// The longest run of tokens that is a unit expression.
    fn unit(&mut self) -> Option<super::Unit> {
        let mut best = None;
        let mut text = String::new();
        let mut end = self.at;
        while end < self.tokens.len() && end - self.at < 12 {
            match self.tokens.get(end) {
                Some(Token::Word(w)) if matches!(w.as_str(), "percent") => {
                    if end == self.at {
                        self.at += 1;
                        return Some(percent());
                    }
                    break;
                }
                Some(Token::Word(w)) => text.push_str(&format!(" {w}")),
                Some(Token::Op(c @ ('/' | '*' | '^'))) if end > self.at => {
                    // An operator belongs to the unit only when a unit or a power follows it.
                    let follows = match (self.tokens.get(end + 1), c) {
                        (Some(Token::Word(w)), '/' | '*') => {
                            units::find(w).is_some() || matches!(w.as_str(), "square" | "cubic")
                        }
                        (Some(Token::Number(n)), '^') => n.is_integer(),
                        (Some(Token::Op('-')), '^') => true,
                        _ => false,
                    };
                    if !follows {
                        break;
                    }
                    text.push_str(&format!(" {c}"));
                }
                Some(Token::Op('-')) if text.ends_with('^') => text.push_str(" -"),
                Some(Token::Number(n)) if text.ends_with('^') => text.push_str(&rational::exact(n)),
                Some(Token::Number(n)) if text.ends_with("^ -") => {
                    text = format!("{}{}", text.replace("^ -", "^-"), rational::exact(n))
                }
                Some(Token::Op(_) | Token::Number(_)) | None => break,
            }
            end += 1;
            if let Ok(unit) = parse_unit(&text) {
                best = Some((unit, end));
            }
        }
        let (unit, end) = best?;
        self.at = end;
        Some(unit)
    }
}

fn percent_free() -> super::Unit {
    super::Unit::one()
}
