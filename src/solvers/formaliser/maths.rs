//! Written and spoken mathematics to the notation of the algebra: "x squared minus five x" is `x^2 - 5*x`.

mod spoken;

use std::collections::BTreeSet;

use super::lex::{Kind, Token, words_from};
use super::units::quantity_at;
use super::words::WORDS;

/// Deepest nesting that is followed.
const MAX_DEPTH: usize = 60;
/// Longest text that is built.
const MAX_TEXT: usize = 4_000;

/// How tightly a piece of text binds, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bind {
    Sum,
    Product,
    Power,
    Atom,
}

#[derive(Clone, Debug)]
struct Piece {
    text: String,
    bind: Bind,
    /// Whether it is a bare percentage or fraction, after which "of" means times.
    share: bool,
    percent: bool,
}

impl Piece {
    fn new(text: String, bind: Bind) -> Self {
        Self { text, bind, share: false, percent: false }
    }

    fn at_least(&self, bind: Bind) -> String {
        if self.bind < bind || (bind > Bind::Sum && self.text.starts_with('-')) {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

/// A span of tokens read as mathematics.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Span {
    /// In the notation of the algebra; an equation holds one ` = `.
    pub(super) text: String,
    /// Whether it is an equation.
    pub(super) equation: bool,
    /// Unknowns in order of appearance.
    pub(super) variables: Vec<String>,
    /// Whether quantities with units take part.
    pub(super) units: bool,
    /// The unit of the first quantity.
    pub(super) unit: Option<String>,
    /// Words to look up.
    pub(super) unclear: Vec<String>,
    /// Whether a percentage takes part.
    pub(super) percent: bool,
    /// Whether it is a bare number.
    pub(super) literal: bool,
    /// Tokens used.
    pub(super) used: usize,
}

/// Reads the longest expression or equation that starts at `start`; with `units`, numbers may carry units.
pub(super) fn span(tokens: &[Token], start: usize, units: bool) -> Option<Span> {
    let mut p = Parser {
        tokens,
        at: start,
        units,
        depth: 0,
        bars: 0,
        variables: Vec::new(),
        seen: BTreeSet::new(),
        unit: None,
        unclear: Vec::new(),
        percent: false,
    };
    let left = p.sum()?;
    let mut text = left.text.clone();
    let mut equation = false;
    let before = p.at;
    if let Some(used) = p.equals() {
        p.at += used;
        match p.sum() {
            // "For which x is x^2 equal to 9": the first "is" belongs to the question, not to an equation.
            Some(_) if p.equals().is_some() => p.at = before,
            Some(right) => {
                text = format!("{text} = {}", right.text);
                equation = true;
            }
            None => p.at = before,
        }
    }
    if text.len() > MAX_TEXT {
        return None;
    }
    // A number, or a percentage alone, asks nothing.
    let words = p.at - start - usize::from(p.percent);
    let number = tokens.get(start).is_some_and(|t| t.number().is_some());
    let literal = !equation && words == 1 && number;
    Some(Span {
        text,
        equation,
        variables: p.variables,
        units: p.unit.is_some(),
        unit: p.unit,
        unclear: p.unclear,
        percent: p.percent,
        literal,
        used: p.at - start,
    })
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    units: bool,
    depth: usize,
    bars: usize,
    variables: Vec<String>,
    seen: BTreeSet<String>,
    unit: Option<String>,
    unclear: Vec<String>,
    percent: bool,
}

impl Parser<'_> {
    fn sym(&self, i: usize, c: char) -> bool {
        self.tokens.get(i).is_some_and(|t| t.is(c))
    }

    fn word(&self, i: usize) -> &str {
        self.tokens.get(i).and_then(Token::word).unwrap_or("")
    }

    /// The first of `wanted` that a phrase at `i` means, with its length in tokens.
    fn phrase(&self, i: usize, wanted: &[&'static str]) -> Option<(&'static str, usize)> {
        let words = words_from(self.tokens, i);
        WORDS.maths(&words).into_iter().find_map(|(s, n)| wanted.iter().find(|w| **w == s).map(|w| (*w, n)))
    }

    fn equals(&self) -> Option<usize> {
        if self.sym(self.at, '=') {
            return Some(1 + usize::from(self.sym(self.at + 1, '=')));
        }
        self.phrase(self.at, &["="]).map(|(_, n)| n)
    }

    fn sum(&mut self) -> Option<Piece> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let result = self.sum_inner();
        self.depth -= 1;
        result
    }

    fn sum_inner(&mut self) -> Option<Piece> {
        let mut left = self.product()?;
        loop {
            let sign = match self.tokens.get(self.at).map(|t| &t.kind) {
                Some(Kind::Sym('+')) => Some(("+", 1)),
                Some(Kind::Sym('-')) => Some(("-", 1)),
                Some(Kind::Word(_)) => self.phrase(self.at, &["+", "-", "morethan", "lessthan", "subtractedfrom"]),
                Some(Kind::Sym(_) | Kind::Number(_) | Kind::Ordinal(_) | Kind::Date(_)) | None => None,
            };
            let Some((op, used)) = sign else {
                return Some(left);
            };
            let before = self.at;
            self.at += used;
            let Some(right) = self.product() else {
                self.at = before;
                return Some(left);
            };
            let tight = |p: &Piece| p.at_least(Bind::Product);
            left = match op {
                "+" | "-" if right.percent && !left.percent => {
                    Piece::new(format!("{}*(1 {op} {})", left.at_least(Bind::Product), right.text), Bind::Product)
                }
                "+" => Piece::new(format!("{} + {}", left.text, tight(&right)), Bind::Sum),
                "-" => Piece::new(format!("{} - {}", left.text, tight(&right)), Bind::Sum),
                "morethan" => Piece::new(format!("{} + {}", right.text, tight(&left)), Bind::Sum),
                _ => Piece::new(format!("{} - {}", right.text, tight(&left)), Bind::Sum),
            };
            if left.text.len() > MAX_TEXT {
                return None;
            }
        }
    }

    fn product(&mut self) -> Option<Piece> {
        let mut left = self.signed()?;
        loop {
            let op = match self.tokens.get(self.at).map(|t| &t.kind) {
                Some(Kind::Sym('*')) => Some(("*", 1)),
                Some(Kind::Sym('/')) => Some(("/", 1)),
                Some(Kind::Word(w)) if w == "of" && left.share => Some(("*", 1)),
                Some(Kind::Word(w)) if w == "x" && self.cross() => Some(("*", 1)),
                Some(Kind::Word(_)) => self.phrase(self.at, &["*", "/"]),
                Some(Kind::Sym(_) | Kind::Number(_) | Kind::Ordinal(_) | Kind::Date(_)) | None => None,
            };
            let before = self.at;
            let (op, right) = match op {
                Some((op, used)) => {
                    self.at += used;
                    if self.word(self.at) == "the" {
                        self.at += 1;
                    }
                    (op, self.signed())
                }
                None if self.juxtaposed(&left) => ("*", self.power()),
                None => return Some(left),
            };
            let Some(right) = right else {
                self.at = before;
                return Some(left);
            };
            let right = if op == "/" || right.text.starts_with('-') {
                right.at_least(Bind::Power)
            } else {
                right.at_least(Bind::Product)
            };
            let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            let fraction = op == "/" && digits(&left.text) && digits(&right);
            left = Piece::new(format!("{}{op}{right}", left.at_least(Bind::Product)), Bind::Product);
            left.share = fraction;
            if left.text.len() > MAX_TEXT {
                return None;
            }
        }
    }

    /// `3 x 4`: the letter between two numbers, set off by spaces or by none.
    fn cross(&self) -> bool {
        let number = |i: usize| self.tokens.get(i).is_some_and(|t| t.number().is_some());
        self.at > 0 && number(self.at - 1) && number(self.at + 1)
    }

    /// Whether the next token begins another factor without a sign between.
    fn juxtaposed(&self, left: &Piece) -> bool {
        if left.percent {
            return false;
        }
        let Some(next) = self.tokens.get(self.at) else {
            return false;
        };
        match &next.kind {
            Kind::Sym('(') => !next.spaced || left.bind >= Bind::Power,
            Kind::Sym('√') => true,
            Kind::Word(w) => {
                let function = WORDS.lists("functions", w) && self.sym(self.at + 1, '(');
                let worded = self.phrase(self.at, &["sqrt", "cbrt"]).is_some();
                function || self.letters(self.at).is_some() || w == "pi" || (worded && !next.spaced)
            }
            Kind::Sym(_) | Kind::Number(_) | Kind::Ordinal(_) | Kind::Date(_) => false,
        }
    }

    fn signed(&mut self) -> Option<Piece> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let negative = self.sym(self.at, '-') || matches!(self.word(self.at), "minus" | "negative");
        let result = if negative {
            self.at += 1;
            self.signed().map(|p| Piece::new(format!("-{}", p.at_least(Bind::Power)), Bind::Product))
        } else if self.sym(self.at, '+') {
            self.at += 1;
            self.signed()
        } else {
            self.power()
        };
        self.depth -= 1;
        result
    }

    fn power(&mut self) -> Option<Piece> {
        let mut base = self.atom()?;
        loop {
            let i = self.at;
            let raise = |b: &Piece, e: &str| Piece::new(format!("{}^{e}", b.at_least(Bind::Atom)), Bind::Power);
            if self.sym(i, '^') {
                self.at += 1;
                let exponent = self.signed()?;
                let exponent = exponent.at_least(Bind::Atom);
                return Some(raise(&base, &exponent));
            } else if self.sym(i, '²') || self.sym(i, '³') {
                base = raise(&base, if self.sym(i, '²') { "2" } else { "3" });
                self.at += 1;
            } else if let Some((op, used)) = self.phrase(i, &["^2", "^3"]) {
                base = raise(&base, op.trim_start_matches('^'));
                self.at += used;
            } else if self.sym(i, '%') || self.phrase(i, &["%"]).is_some() {
                self.at += self.phrase(i, &["%"]).map_or(1, |(_, n)| n);
                self.percent = true;
                base = Piece {
                    text: format!("{}/100", base.at_least(Bind::Power)),
                    bind: Bind::Product,
                    share: true,
                    percent: true,
                };
            } else if let Some((_, used)) = self.phrase(i, &["^"]) {
                return self.spoken_power(&base, i + used);
            } else if self.word(i) == "to"
                && self.word(i + 1) == "the"
                && matches!(self.tokens.get(i + 2).map(|t| &t.kind), Some(Kind::Ordinal(_)))
            {
                return self.spoken_power(&base, i + 2);
            } else {
                return Some(base);
            }
        }
    }

    fn variable(&mut self, name: String) {
        if self.seen.insert(name.clone()) {
            self.variables.push(name);
        }
    }

    fn atom(&mut self) -> Option<Piece> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let piece = self.atom_inner();
        self.depth -= 1;
        piece
    }

    fn atom_inner(&mut self) -> Option<Piece> {
        let i = self.at;
        if self.units
            && let Some(q) = quantity_at(self.tokens, i)
        {
            self.at += q.used;
            self.unit.get_or_insert(q.unit);
            self.unclear.extend(q.unclear);
            let bind = if q.text.contains(' ') && q.text.split(' ').count() > 2 { Bind::Sum } else { Bind::Power };
            return Some(Piece::new(q.text, bind));
        }
        let kind = self.tokens.get(i).map(|t| t.kind.clone())?;
        match kind {
            Kind::Number(n) => {
                self.at += 1;
                let fraction = n.contains('/') || n.contains('e');
                let n = if n.contains('e') {
                    n.replace('e', "*10^").replace("^-", "^(-") + if n.contains('-') { ")" } else { "" }
                } else {
                    n
                };
                let mut piece = Piece::new(n, if fraction { Bind::Product } else { Bind::Atom });
                piece.share = fraction;
                Some(piece)
            }
            Kind::Sym(open @ ('(' | '[')) => {
                self.at += 1;
                let bars = std::mem::take(&mut self.bars);
                let inner = self.sum()?;
                self.bars = bars;
                self.close(if open == '(' { ')' } else { ']' })?;
                // The parentheses are kept where the surroundings need them.
                Some(Piece {
                    share: inner.bind == Bind::Product && inner.text.contains('/') && self.variables.is_empty(),
                    percent: false,
                    ..inner
                })
            }
            Kind::Sym('|') if self.bars == 0 => {
                self.at += 1;
                self.bars += 1;
                let inner = self.sum()?;
                self.close('|')?;
                self.bars -= 1;
                Some(Piece::new(format!("abs({})", inner.text), Bind::Atom))
            }
            Kind::Sym('√') => {
                self.at += 1;
                let inner = self.atom()?;
                Some(Piece::new(format!("sqrt({})", inner.text), Bind::Atom))
            }
            Kind::Word(w) => self.worded(&w),
            Kind::Sym(_) | Kind::Ordinal(_) | Kind::Date(_) => None,
        }
    }

    fn close(&mut self, c: char) -> Option<()> {
        self.sym(self.at, c).then(|| self.at += 1)
    }
}
