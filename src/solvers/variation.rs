//! Questions like a given one: with other numbers, or with the same solutions seen from elsewhere.
//!
//! One failing question says little about what is wrong with a program. [`near`] changes its numbers, signs and coefficients;
//! what comes of that may be easy, hard or without a solution. [`same`] puts other expressions for the unknowns, or does the
//! same to both sides; whoever solves the one question can solve the others. Nothing is drawn by chance, and every question
//! is read back: what is not of the same class and shape is dropped. The answers are nobody's: a check must judge them.

use std::collections::BTreeMap;

use super::algebra::{Expr, parse_equation, simplify};
use super::formaliser;
use super::goal::{Goal, PartReading};

/// Most changes that are tried for one question.
const MOST_TRIES: usize = 240;

/// Longest question that is varied, in bytes.
const LONGEST: usize = 400;

/// Returns up to `count` questions that differ from `text` in a number, a sign or a coefficient.
#[must_use]
pub fn near(text: &str, count: usize) -> Vec<PartReading> {
    let Some(original) = single(text).filter(|_| text.len() <= LONGEST) else { return Vec::new() };
    let places = places(text, matches!(original.goal, Goal::Solve { .. }));
    let changes = (0..CHANGES)
        .flat_map(|round| places.iter().filter_map(move |place| Some((place.at.clone(), place.changed(text, round)?))));
    let texts = changes.take(MOST_TRIES).map(|(at, new)| {
        format!("{}{new}{}", text.get(..at.start).unwrap_or_default(), text.get(at.end..).unwrap_or_default())
    });
    gather(&original, texts, count)
}

/// Returns up to `count` questions whose solutions are those of `part`, moved, mirrored or stretched; none for a class where
/// that has no meaning.
#[must_use]
pub fn same(part: &PartReading, count: usize) -> Vec<PartReading> {
    let Goal::Solve { equations, unknowns } = &part.goal else { return Vec::new() };
    let parsed: Option<Vec<_>> = equations.iter().map(|equation| parse_equation(equation).ok()).collect();
    let Some(parsed) = parsed else { return Vec::new() };
    let asked = |sides: Vec<(Expr, Expr)>| {
        let list: Vec<String> = sides.iter().map(|(left, right)| format!("{left} = {right}")).collect();
        format!("Solve {}", list.join(" and "))
    };
    let moved = MOVES.iter().enumerate().map(|(number, (factor, shift))| {
        // Unknowns move apart, so that no two of them can be mistaken for each other.
        let with: BTreeMap<String, Expr> = (0_i64..)
            .zip(unknowns)
            .map(|(index, x)| {
                let stretched = Expr::mul(vec![Expr::int(*factor), Expr::sym(x)]);
                (x.clone(), Expr::add(vec![stretched, Expr::int(shift + index)]))
            })
            .collect();
        let sides = parsed.iter().map(|equation| {
            let there = equation.substitute(&with);
            let (left, right) = (tidy(&there.left), tidy(&there.right));
            if number % 3 == 2 { (right, left) } else { (left, right) }
        });
        asked(sides.collect())
    });
    let scaled = SCALES.iter().map(|by| {
        let times = |side: &Expr| tidy(&Expr::mul(vec![Expr::int(*by), side.clone()]));
        asked(parsed.iter().map(|equation| (times(&equation.left), times(&equation.right))).collect())
    });
    let more = parsed.first().filter(|_| parsed.len() == 1).into_iter().flat_map(|equation| {
        // One more factor without a zero, and one with: where a product is solved, factors of every sort come up.
        let factors = unknowns.first().into_iter().flat_map(|x| {
            let square = Expr::pow(Expr::sym(x), Expr::int(2));
            [Expr::add(vec![square, Expr::int(1)]), Expr::add(vec![Expr::sym(x), Expr::int(-3)])]
        });
        let difference = equation.difference();
        let product = is_cubic_or_more(&difference);
        factors
            .filter(move |_| product)
            .map(move |factor| asked(vec![(tidy(&Expr::mul(vec![factor, difference.clone()])), Expr::int(0))]))
    });
    gather(part, more.chain(moved).chain(scaled), count)
}

/// What an unknown x is replaced by in turn: a·x + b.
const MOVES: [(i64, i64); 8] = [(1, 1), (-1, 0), (1, -2), (2, 0), (1, 3), (-1, 1), (1, -5), (3, -1)];
/// What both sides are multiplied by in turn.
const SCALES: [i64; 2] = [2, -1];

fn single(text: &str) -> Option<PartReading> {
    let mut parts = formaliser::read(text).parts;
    let first = parts.pop()?;
    (parts.is_empty() && !matches!(first.goal, Goal::Unread { .. })).then_some(first)
}

/// Reads questions and keeps those that are new and of the shape of the original.
fn gather(original: &PartReading, texts: impl Iterator<Item = String>, count: usize) -> Vec<PartReading> {
    let mut kept: Vec<PartReading> = Vec::new();
    for text in texts {
        if kept.len() == count {
            break;
        }
        let Some(found) = single(&text) else { continue };
        let new = found.goal != original.goal && kept.iter().all(|other| other.goal != found.goal);
        if new && alike(&found.goal, &original.goal) && found.form == original.form {
            kept.push(found);
        }
    }
    kept
}

fn alike(one: &Goal, two: &Goal) -> bool {
    match (one, two) {
        (Goal::Solve { equations: a, unknowns: x }, Goal::Solve { equations: b, unknowns: y }) => {
            let sorted = |names: &[String]| {
                let mut names = names.to_vec();
                names.sort();
                names
            };
            a.len() == b.len() && sorted(x) == sorted(y)
        }
        (Goal::Integer { op: a, args: x }, Goal::Integer { op: b, args: y }) => a == b && x.len() == y.len(),
        _ => std::mem::discriminant(one) == std::mem::discriminant(two),
    }
}

/// A side as one would write it: polynomials multiplied out, numbers added up.
fn tidy(side: &Expr) -> Expr {
    let outside = |e: &Expr| matches!(e, Expr::Call(..)) || matches!(e, Expr::Pow(_, exponent) if !whole(exponent));
    if side.any(&outside) {
        return inner(side);
    }
    super::algebra::expand(side).unwrap_or_else(|_| side.clone())
}

/// The same within roots and functions.
fn inner(side: &Expr) -> Expr {
    let tidied = side.map_children(&mut |child| tidy(child));
    super::algebra::canon(&tidied)
}

fn whole(exponent: &Expr) -> bool {
    (0..=16).any(|n| exponent.is_int(n))
}

fn is_cubic_or_more(difference: &Expr) -> bool {
    let names = difference.variables();
    let Some(x) = names.first().filter(|_| names.len() == 1) else { return false };
    let simple = simplify(difference).unwrap_or_else(|_| difference.clone());
    super::algebra::polynomial_in(&simple, x).ok().flatten().is_some_and(|coefficients| coefficients.len() > 3)
}

/// A place in a question that can be changed.
struct Place {
    at: std::ops::Range<usize>,
    kind: PlaceKind,
}

#[derive(Clone, Copy, PartialEq)]
enum PlaceKind {
    /// A number.
    Number,
    /// A plus or minus between two terms.
    Sign,
    /// An unknown without a coefficient: nothing stands there yet.
    Coefficient,
}

/// Rounds of changes at each place.
const CHANGES: usize = 8;

impl Place {
    /// What stands at the place in a round of changes; nothing where there is no such change.
    fn changed(&self, text: &str, round: usize) -> Option<String> {
        let old = text.get(self.at.clone())?;
        match self.kind {
            PlaceKind::Number => {
                let (whole, rest) = old.split_at(old.find('.').unwrap_or(old.len()));
                let value: i64 = whole.parse().ok()?;
                let new = match round {
                    0 => value.checked_add(1)?,
                    1 => value.checked_mul(2)?,
                    2 => value.checked_sub(1)?,
                    3 => value.checked_add(2)?,
                    4 => value.checked_add(5)?,
                    5 => value.checked_sub(2)?,
                    6 => value.checked_add(10)?,
                    _ => value.checked_mul(3)?,
                };
                (new > 0 && new != value).then(|| format!("{new}{rest}"))
            }
            PlaceKind::Sign => (round == 0).then(|| if old == "+" { "-".to_owned() } else { "+".to_owned() }),
            PlaceKind::Coefficient => ["2", "-1", "3", "-2"].get(round).map(|factor| format!("{factor}*")),
        }
    }
}

/// Lists the places of a question; coefficients only where letters stand for unknowns.
fn places(text: &str, unknowns: bool) -> Vec<Place> {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(b' ');
    let before = |at: usize| text.get(..at).unwrap_or_default().trim_end().bytes().next_back().unwrap_or(b' ');
    let mut places = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let here = byte(at);
        let start = at;
        at += 1;
        let close = if start == 0 { b' ' } else { byte(start - 1) };
        if here.is_ascii_digit() {
            while byte(at).is_ascii_digit() || (byte(at) == b'.' && byte(at + 1).is_ascii_digit()) {
                at += 1;
            }
            // Exponents make another kind of question; digits within words are names.
            if before(start) != b'^' && !close.is_ascii_alphabetic() {
                places.push(Place { at: start..at, kind: PlaceKind::Number });
            }
        } else if matches!(here, b'+' | b'-') {
            let left = before(start);
            if left.is_ascii_alphanumeric() || left == b')' {
                places.push(Place { at: start..at, kind: PlaceKind::Sign });
            }
        } else if here.is_ascii_alphabetic() {
            while byte(at).is_ascii_alphabetic() {
                at += 1;
            }
            let lone = at == start + 1 && !matches!(here, b'a' | b'A' | b'I' | b'e');
            let alone = !close.is_ascii_digit() && !matches!(before(start), b'*' | b'^' | b'/');
            let after = byte(at);
            if unknowns && lone && alone && matches!(after, b' ' | b'^' | b')' | b'|' | b'+' | b'-' | b'*' | b'/') {
                places.push(Place { at: start..start, kind: PlaceKind::Coefficient });
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(readings: &[PartReading]) -> Vec<&str> {
        readings.iter().map(|part| part.text.as_str()).collect()
    }

    #[test]
    fn numbers_signs_and_coefficients_change() {
        let check = |text: &str, expected: &[&str]| {
            let found = near(text, 12);
            for expected in expected {
                assert!(texts(&found).contains(expected), "{expected} is not in {:?}", texts(&found));
            }
            assert_eq!(near(text, 12), found);
        };
        check(
            "Solve x^2 - 5x + 6 = 0",
            &["Solve x^2 - 6x + 6 = 0", "Solve x^2 + 5x + 6 = 0", "Solve 2*x^2 - 5x + 6 = 0"],
        );
        check("Solve sqrt(x+3) = x - 3", &["Solve sqrt(x+4) = x - 3", "Solve sqrt(2*x+3) = x - 3"]);
        check("What is 15% of 80?", &["What is 16% of 80?", "What is 15% of 81?"]);
        check("Convert 5 ft 7 in to cm", &["Convert 6 ft 7 in to cm"]);
        check("If 3 pens cost $4.20, what do 7 pens cost?", &["If 3 pens cost $5.20, what do 7 pens cost?"]);
        check(
            "How many days are there from 8 September 2023 to 17 November 2023?",
            &["How many days are there from 9 September 2023 to 17 November 2023?"],
        );
    }

    #[test]
    fn what_has_the_same_solutions_elsewhere() {
        let check = |text: &str, least: usize, expected: &str| {
            let found = same(&single(text).unwrap(), 16);
            assert!(found.len() >= least, "{:?}", texts(&found));
            assert!(texts(&found).contains(&expected), "{expected} is not in {:?}", texts(&found));
        };
        check("Solve x^2 - 5x + 6 = 0", 8, "Solve x^2 - 3*x + 2 = 0");
        check("Solve sqrt(x+3) = x - 3", 6, "Solve sqrt(x + 4) = x - 2");
        check("Solve 2x + y = 7 and x - y = 2", 6, "Solve 2*x + y + 4 = 7 and x - y - 1 = 2");
        check("Solve |x - 3| = 4", 5, "Solve abs(x - 2) = 4");
        check("Solve x/(x-1) = 1/(x-1)", 4, "Solve (x + 1)/x = 1/x");
    }

    #[test]
    fn what_cannot_be_varied_gives_nothing() {
        for text in ["", "Who wrote Hamlet?", "What is 2+3, and what is 4+5?", &"1+".repeat(4000)] {
            assert!(near(text, 8).is_empty(), "{text}");
        }
        assert!(same(&single("What is 15% of 80?").unwrap(), 8).is_empty());
    }
}
