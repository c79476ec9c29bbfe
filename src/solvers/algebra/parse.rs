//! Tokens into a tree.
//!
//! A product may be written without sign (`2x`, `3(x + 1)`, `x(x - 1)`, `2 sqrt(3)`) and binds like one with. A word
//! that is no function is one unknown, but for two or three of the letters a, b, c, x, y, z, which are a product (`xy`).

use std::rc::Rc;

use super::equation::Equation;
use super::error::{AlgebraError, Outcome};
use super::expr::{Constant, Expr, Func};
use super::lexer::{Token, tokens};

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 60;
/// Most tokens that are read.
const MAX_TOKENS: usize = 4_000;

/// Reads an expression; errors name the place.
pub fn parse(text: &str) -> Outcome<Expr> {
    let mut p = Parser::new(text)?;
    let e = p.sum()?;
    p.finish()?;
    Ok(e)
}

/// Reads `lhs = rhs`; errors name the place.
pub fn parse_equation(text: &str) -> Outcome<Equation> {
    let mut p = Parser::new(text)?;
    let left = p.sum()?;
    if p.peek() != Some(&Token::Sign('=')) {
        return Err(p.error("expected ="));
    }
    p.at += 1;
    let right = p.sum()?;
    p.finish()?;
    Ok(Equation { left, right })
}

struct Parser {
    tokens: Rc<[(usize, Token)]>,
    at: usize,
    end: usize,
    depth: usize,
    /// How many `|` are open since the last bracket.
    bars: usize,
}

impl Parser {
    fn new(text: &str) -> Outcome<Self> {
        let tokens: Rc<[_]> = tokens(text)?.into();
        if tokens.len() > MAX_TOKENS {
            return Err(AlgebraError::too_large(format!("expression of more than {MAX_TOKENS} tokens")));
        }
        Ok(Self { tokens, at: 0, end: text.chars().count() + 1, depth: 0, bars: 0 })
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|t| &t.1)
    }

    fn error(&self, message: impl Into<String>) -> AlgebraError {
        let at = self.tokens.get(self.at).map_or(self.end, |t| t.0);
        AlgebraError::Parse { at, message: message.into() }
    }

    fn finish(&self) -> Outcome<()> {
        match self.peek() {
            None => Ok(()),
            Some(t) => Err(self.error(format!("{} is too much", shown(t)))),
        }
    }

    fn take(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(&Token::Sign(sign));
        self.at += usize::from(found);
        found
    }

    fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(format!("nested deeper than {MAX_DEPTH}")));
        }
        self.depth += 1;
        let out = f(self);
        self.depth -= 1;
        out
    }

    fn sum(&mut self) -> Outcome<Expr> {
        self.deeper(|p| {
            let mut parts = vec![p.product()?];
            loop {
                if p.take('+') {
                    parts.push(p.product()?);
                } else if p.take('-') {
                    parts.push(Expr::negate(p.product()?));
                } else {
                    break;
                }
            }
            // A sum in brackets inside a sum is flattened; nothing but grouping is lost.
            Ok(Expr::add(parts))
        })
    }

    fn product(&mut self) -> Outcome<Expr> {
        let mut parts = vec![self.signed()?];
        loop {
            if self.take('*') {
                parts.push(self.signed()?);
            } else if self.take('/') {
                let d = self.signed()?;
                parts.push(Expr::recip(d));
            } else if self.starts_primary() {
                let both_numbers = matches!(self.peek(), Some(Token::Num(_)))
                    && self.at > 0
                    && matches!(self.tokens.get(self.at - 1), Some((_, Token::Num(_))));
                if both_numbers {
                    return Err(self.error("two numbers stand side by side"));
                }
                parts.push(self.power()?);
            } else {
                break;
            }
        }
        Ok(Expr::mul(parts))
    }

    fn starts_primary(&self) -> bool {
        match self.peek() {
            Some(Token::Num(_) | Token::Name(_)) => true,
            Some(Token::Sign(c)) => matches!(c, '(' | '√') || (*c == '|' && self.bars == 0),
            None => false,
        }
    }

    fn signed(&mut self) -> Outcome<Expr> {
        if self.take('-') {
            return self.deeper(|p| Ok(Expr::negate(p.signed()?)));
        }
        if self.take('+') {
            return self.deeper(Self::signed);
        }
        self.power()
    }

    fn power(&mut self) -> Outcome<Expr> {
        let base = self.primary()?;
        if self.take('^') {
            let exponent = self.deeper(Self::exponent)?;
            // A fraction in the exponent is one number: x^(2/3) is a root.
            let folded = super::canon::canon(&exponent);
            let exponent = if folded.as_num().is_some() { folded } else { exponent };
            return Ok(Expr::pow(base, exponent));
        }
        Ok(base)
    }

    fn exponent(&mut self) -> Outcome<Expr> {
        if self.take('-') {
            return self.deeper(|p| Ok(Expr::negate(p.exponent()?)));
        }
        self.power()
    }

    fn primary(&mut self) -> Outcome<Expr> {
        let token = self.peek().cloned().ok_or_else(|| self.error("the expression ends too early"))?;
        match token {
            Token::Num(q) => {
                self.at += 1;
                Ok(Expr::Num(q))
            }
            Token::Name(name) => {
                self.at += 1;
                self.named(&name)
            }
            Token::Sign('(') => self.bracketed(),
            Token::Sign('|') => {
                self.at += 1;
                self.bars += 1;
                let inner = self.sum()?;
                self.bars -= 1;
                if !self.take('|') {
                    return Err(self.error("expected |"));
                }
                Ok(Expr::call(Func::Abs, inner))
            }
            Token::Sign('√') => {
                self.at += 1;
                Ok(Expr::sqrt(self.deeper(Self::primary)?))
            }
            Token::Sign(c) => Err(self.error(format!("'{c}' cannot stand here"))),
        }
    }

    fn bracketed(&mut self) -> Outcome<Expr> {
        let mut args = self.arguments()?;
        match args.len() {
            1 => Ok(args.swap_remove(0)),
            _ => Err(self.error("a comma separates arguments of a function only")),
        }
    }

    /// Reads `( e, … )`.
    fn arguments(&mut self) -> Outcome<Vec<Expr>> {
        if !self.take('(') {
            return Err(self.error("expected ("));
        }
        let bars = std::mem::take(&mut self.bars);
        let mut args = vec![self.sum()?];
        while self.take(',') {
            args.push(self.sum()?);
        }
        self.bars = bars;
        if !self.take(')') {
            return Err(self.error("expected )"));
        }
        Ok(args)
    }

    fn named(&mut self, name: &str) -> Outcome<Expr> {
        let lower = name.to_lowercase();
        match lower.as_str() {
            "pi" => return Ok(Expr::Const(Constant::Pi)),
            "e" if name == "e" => return Ok(Expr::Const(Constant::E)),
            "sqrt" | "cbrt" | "root" | "abs" | "ln" | "log" | "log2" | "log10" | "exp" | "sin" | "cos" | "tan" => {}
            _ => return Ok(Expr::sym(name)),
        }
        let mut args = match self.peek() {
            Some(Token::Sign('(')) => self.arguments()?,
            Some(Token::Num(_) | Token::Name(_) | Token::Sign('√')) => {
                vec![self.deeper(Self::primary)?]
            }
            Some(Token::Sign('|')) if self.bars == 0 => vec![self.deeper(Self::primary)?],
            _ => return Err(self.error(format!("{lower} needs an argument in brackets"))),
        };
        let second = if args.len() == 2 { args.pop() } else { None };
        if args.len() != 1 || (second.is_some() && !matches!(lower.as_str(), "log" | "root")) {
            return Err(self.error(format!("wrong number of arguments for {lower}")));
        }
        let a = args.swap_remove(0);
        let logarithm =
            |a: Expr, base: Expr| Expr::mul(vec![Expr::call(Func::Ln, a), Expr::recip(Expr::call(Func::Ln, base))]);
        Ok(match lower.as_str() {
            "sqrt" => Expr::sqrt(a),
            "cbrt" => Expr::pow_q(a, 1, 3),
            "root" => match second {
                Some(n) => Expr::pow(a, super::canon::canon(&Expr::recip(n))),
                None => Expr::sqrt(a),
            },
            "abs" => Expr::call(Func::Abs, a),
            "ln" => Expr::call(Func::Ln, a),
            "log" => logarithm(a, second.unwrap_or_else(|| Expr::int(10))),
            "log2" => logarithm(a, Expr::int(2)),
            "log10" => logarithm(a, Expr::int(10)),
            "exp" => Expr::pow(Expr::Const(Constant::E), a),
            "sin" => Expr::call(Func::Sin, a),
            "cos" => Expr::call(Func::Cos, a),
            "tan" => Expr::call(Func::Tan, a),
            _ => Expr::sym(name),
        })
    }
}

fn shown(t: &Token) -> String {
    match t {
        Token::Num(q) => format!("'{q}'"),
        Token::Name(n) => format!("'{n}'"),
        Token::Sign(c) => format!("'{c}'"),
    }
}
