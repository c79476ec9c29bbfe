//! The spoken half of the grammar: "the square root of", "the sum of … and …", "twice", letters as unknowns.

use super::super::lex::{Kind, Token};
use super::super::words::WORDS;
use super::{Bind, Parser, Piece};

impl Parser<'_> {
    /// "to the power of 4", "to the power minus 2", "to the fourth (power)".
    pub(super) fn spoken_power(&mut self, base: &Piece, at: usize) -> Option<Piece> {
        self.at = at;
        let exponent = match self.tokens.get(at).map(|t| &t.kind) {
            Some(Kind::Ordinal(n)) => {
                self.at += 1 + usize::from(self.word(at + 1) == "power");
                n.to_string()
            }
            Some(Kind::Word(_) | Kind::Sym(_) | Kind::Number(_) | Kind::Date(_)) | None => {
                self.signed()?.at_least(Bind::Atom)
            }
        };
        Some(Piece::new(format!("{}^{exponent}", base.at_least(Bind::Atom)), Bind::Power))
    }

    /// The variables that a word of letters is a product of.
    pub(super) fn letters(&self, i: usize) -> Option<Vec<String>> {
        let token = self.tokens.get(i)?;
        let word = token.word()?;
        let raw: Vec<char> = token.raw.chars().collect();
        match raw.as_slice() {
            [c] if matches!(word, "a" | "i") => {
                let before = i.checked_sub(1).and_then(|k| self.tokens.get(k));
                let sign = |t: &Token| matches!(t.kind, Kind::Sym('+' | '-' | '*' | '/' | '^' | '=' | '²' | '³'));
                let next = self.tokens.get(i + 1);
                let beside = next.is_some_and(sign)
                    || before.is_some_and(|t| sign(t) || (t.number().is_some() && !token.spaced));
                // No article stands before a letter or a bracket: "a x = b", "a (b + c)".
                let factor = next.is_some_and(|t| matches!(t.kind, Kind::Sym('('))) || self.letters(i + 1).is_some();
                (beside || factor || self.phrase(i + 1, &["+", "-", "*", "/", "^", "^2", "^3"]).is_some())
                    .then(|| vec![c.to_string()])
            }
            [c] if c.is_alphabetic() && (*c != 's' || !self.sym(i.wrapping_sub(1), '\'')) => Some(vec![c.to_string()]),
            letters
                if letters.len() <= 3 && ["xyz", "abc"].iter().any(|set| letters.iter().all(|c| set.contains(*c))) =>
            {
                Some(letters.iter().map(char::to_string).collect())
            }
            _ => None,
        }
    }

    pub(super) fn worded(&mut self, word: &str) -> Option<Piece> {
        let i = self.at;
        if WORDS.lists("functions", word) {
            self.at += 1;
            let inner = if self.sym(self.at, '(') { self.atom() } else { self.power() }?;
            let text =
                if word == "cbrt" { format!("({})^(1/3)", inner.text) } else { format!("{word}({})", inner.text) };
            return Some(Piece::new(text, if word == "cbrt" { Bind::Power } else { Bind::Atom }));
        }
        if let Some((op, used)) = self.phrase(
            i,
            &[
                "sqrt",
                "cbrt",
                "abs",
                "square",
                "cube",
                "sum",
                "product",
                "difference",
                "quotient",
                "twice",
                "thrice",
                "half",
                "unknown",
                "multiplyby",
                "divideby",
                "addto",
                "subtractfrom",
            ],
        ) {
            self.at += used;
            return self.named(op);
        }
        if word == "pi" {
            self.at += 1;
            return Some(Piece::new("pi".into(), Bind::Atom));
        }
        let names = self.letters(i)?;
        self.at += 1;
        for name in &names {
            self.variable(name.clone());
        }
        let bind = if names.len() == 1 { Bind::Atom } else { Bind::Product };
        Some(Piece::new(names.join("*"), bind))
    }

    pub(super) fn named(&mut self, op: &str) -> Option<Piece> {
        match op {
            "sqrt" | "cbrt" | "abs" => {
                let inner = self.under_root()?;
                Some(if op == "cbrt" {
                    Piece::new(format!("({})^(1/3)", inner.text), Bind::Power)
                } else {
                    Piece::new(format!("{op}({})", inner.text), Bind::Atom)
                })
            }
            "square" | "cube" => {
                let inner = self.signed()?;
                Some(Piece::new(
                    format!("{}^{}", inner.at_least(Bind::Atom), if op == "square" { 2 } else { 3 }),
                    Bind::Power,
                ))
            }
            "twice" | "thrice" | "half" => {
                if self.word(self.at) == "the"
                    && self.phrase(self.at, &["unknown", "sum", "product", "square"]).is_none()
                {
                    self.at += 1;
                }
                let inner = self.signed()?.at_least(Bind::Power);
                Some(Piece::new(
                    match op {
                        "half" => format!("{inner}/2"),
                        "twice" => format!("2*{inner}"),
                        _ => format!("3*{inner}"),
                    },
                    Bind::Product,
                ))
            }
            "sum" | "product" | "difference" | "quotient" => {
                let left = self.sum()?;
                (self.word(self.at) == "and").then(|| self.at += 1)?;
                let right = self.product()?;
                let mut text = match op {
                    "sum" => format!("{} + {}", left.text, right.at_least(Bind::Product)),
                    "difference" => format!("{} - {}", left.text, right.at_least(Bind::Product)),
                    "product" => format!("{}*{}", left.at_least(Bind::Product), right.at_least(Bind::Power)),
                    _ => format!("{}/{}", left.at_least(Bind::Product), right.at_least(Bind::Power)),
                };
                // "the sum of 2, 3 and 4" is not read; "the sum of 2 and 3 and 4" is.
                while op == "sum" && self.word(self.at) == "and" {
                    let before = self.at;
                    self.at += 1;
                    match self.product() {
                        Some(more) => text = format!("{text} + {}", more.at_least(Bind::Product)),
                        None => {
                            self.at = before;
                            break;
                        }
                    }
                }
                Some(Piece::new(text, if matches!(op, "sum" | "difference") { Bind::Sum } else { Bind::Product }))
            }
            "multiplyby" | "divideby" | "addto" | "subtractfrom" => {
                let left = self.sum()?;
                let link = self.word(self.at).to_owned();
                let fits = match op {
                    "multiplyby" => matches!(link.as_str(), "by" | "with" | "and"),
                    "divideby" => link == "by",
                    "addto" => matches!(link.as_str(), "to" | "and"),
                    _ => link == "from",
                };
                fits.then(|| self.at += 1)?;
                let right = self.sum()?;
                Some(match op {
                    "multiplyby" => Piece::new(
                        format!("{}*{}", left.at_least(Bind::Product), right.at_least(Bind::Power)),
                        Bind::Product,
                    ),
                    "divideby" => Piece::new(
                        format!("{}/{}", left.at_least(Bind::Product), right.at_least(Bind::Power)),
                        Bind::Product,
                    ),
                    "addto" => Piece::new(format!("{} + {}", left.text, right.at_least(Bind::Product)), Bind::Sum),
                    _ => Piece::new(format!("{} - {}", right.text, left.at_least(Bind::Product)), Bind::Sum),
                })
            }
            _ => {
                self.variable("n".into());
                Some(Piece::new("n".into(), Bind::Atom))
            }
        }
    }

    /// What stands under a spoken root. "The square root of x + 3 equals …" reaches up to the equals sign; with a
    /// number under it, only a spoken operator ends it, and a written one leaves it open which is meant.
    pub(super) fn under_root(&mut self) -> Option<Piece> {
        let start = self.at;
        let (variables, seen) = (self.variables.clone(), self.seen.clone());
        let parenthesis = self.sym(start, '(');
        let first = self.power()?;
        if parenthesis {
            return Some(first);
        }
        let numeric = self.variables == variables;
        let written = matches!(self.tokens.get(self.at).map(|t| &t.kind), Some(Kind::Sym('+' | '-' | '*' | '/')));
        if numeric {
            return if written { None } else { Some(first) };
        }
        self.at = start;
        self.variables = variables;
        self.seen = seen;
        self.sum()
    }
}
