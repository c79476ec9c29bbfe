//! Text into tokens, in the notation of people: unicode signs, superscripts, decimals.

use num_bigint::BigInt;
use num_traits::Pow;

use super::error::{AlgebraError, Outcome};
use super::expr::Q;

/// Longest text that is read, in characters.
pub(crate) const MAX_CHARS: usize = 20_000;
/// Longest number, in digits.
const MAX_DIGITS: usize = 2_000;

/// One token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    /// A number without sign.
    Num(Q),
    /// A word of letters, digits and underscores that starts with a letter.
    Name(String),
    /// `+ - * / ^ ( ) | , = √`
    Sign(char),
}

/// Splits `text` into tokens with their positions, counted in characters from 1.
pub(crate) fn tokens(text: &str) -> Outcome<Vec<(usize, Token)>> {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() > MAX_CHARS {
        return Err(AlgebraError::too_large(format!("text of more than {MAX_CHARS} characters")));
    }
    let mut out = Vec::new();
    let mut i = 0;
    while let Some(&c) = chars.get(i) {
        let at = i + 1;
        if c.is_whitespace() {
            i += 1;
        } else if c.is_ascii_digit() || (c == '.' && chars.get(i + 1).is_some_and(char::is_ascii_digit)) {
            let (n, used) = number(&chars[i..], at)?;
            out.push((at, Token::Num(n)));
            i += used;
        } else if let Some(d) = superscript(c) {
            let (e, used) = exponent(&chars[i..], d, at)?;
            out.push((at, Token::Sign('^')));
            out.extend(e.into_iter().map(|t| (at, t)));
            i += used;
        } else if c.is_alphabetic() && c != 'π' {
            let used = chars[i..]
                .iter()
                .take_while(|c| (c.is_alphanumeric() && superscript(**c).is_none()) || **c == '_')
                .count();
            let name: String = chars[i..i + used].iter().collect();
            if is_product(&name) {
                // One token a letter, so that a power binds to the last letter only.
                out.extend(name.chars().enumerate().map(|(k, c)| (at + k, Token::Name(c.to_string()))));
            } else {
                out.push((at, Token::Name(name)));
            }
            i += used;
        } else {
            let (token, used) = mark(c, chars.get(i + 1).copied(), at)?;
            out.push((at, token));
            i += used;
        }
    }
    Ok(out)
}

/// Tells whether a word stands for a product of its letters: two or three of a, b, c, x, y, z.
fn is_product(name: &str) -> bool {
    (2..=3).contains(&name.len()) && name.chars().all(|c| "abcxyz".contains(c))
}

fn mark(c: char, next: Option<char>, at: usize) -> Outcome<(Token, usize)> {
    let sign = match c {
        '+' | '/' | '^' | '|' | ',' | '√' => c,
        '-' | '−' | '–' | '﹣' => '-',
        '*' if next == Some('*') => return Ok((Token::Sign('^'), 2)),
        '*' | '×' | '·' | '⋅' | '∙' => '*',
        '÷' | '∕' | '⁄' => '/',
        '(' | '[' | '{' => '(',
        ')' | ']' | '}' => ')',
        '=' if next == Some('=') => return Ok((Token::Sign('='), 2)),
        '=' => '=',
        'π' => return Ok((Token::Name("pi".to_owned()), 1)),
        '½' => return Ok((Token::Num(Q::new(1.into(), 2.into())), 1)),
        '¼' => return Ok((Token::Num(Q::new(1.into(), 4.into())), 1)),
        '¾' => return Ok((Token::Num(Q::new(3.into(), 4.into())), 1)),
        _ => {
            return Err(AlgebraError::Parse { at, message: format!("'{c}' has no meaning in an expression") });
        }
    };
    Ok((Token::Sign(sign), 1))
}

/// Reads `12`, `1.50`, `.5`, `1e5`, `1.5e-7`; commas are not read, because they separate arguments.
fn number(chars: &[char], at: usize) -> Outcome<(Q, usize)> {
    let whole = chars.iter().take_while(|c| c.is_ascii_digit()).count();
    let mut digits: String = chars[..whole].iter().collect();
    let mut used = whole;
    let mut places = 0usize;
    if chars.get(used) == Some(&'.') && chars.get(used + 1).is_none_or(|c| c.is_ascii_digit() || !c.is_alphanumeric()) {
        places = chars[used + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
        digits.extend(&chars[used + 1..used + 1 + places]);
        used += 1 + places;
    }
    let mut shift: i64 = 0;
    if matches!(chars.get(used), Some('e' | 'E')) {
        let signed = matches!(chars.get(used + 1), Some('+' | '-'));
        let from = used + 1 + usize::from(signed);
        let len = chars.get(from..).map_or(0, |r| r.iter().take_while(|c| c.is_ascii_digit()).count());
        let ends = !chars.get(from + len).is_some_and(|c| c.is_alphabetic() || *c == '.' || *c == '_');
        if len > 0 && ends {
            let text: String = chars[from..from + len].iter().collect();
            let value: i64 = text.parse().unwrap_or(i64::MAX);
            if value > MAX_DIGITS as i64 {
                return Err(AlgebraError::too_large(format!("power of ten at character {at}")));
            }
            shift = if chars.get(used + 1) == Some(&'-') { -value } else { value };
            used = from + len;
        }
    }
    if digits.len() > MAX_DIGITS {
        return Err(AlgebraError::too_large(format!("number of more than {MAX_DIGITS} digits at character {at}")));
    }
    let n: BigInt = digits.parse().map_err(|_| AlgebraError::Parse { at, message: "no number".to_owned() })?;
    let power = shift - places as i64;
    let ten = Pow::pow(BigInt::from(10), power.unsigned_abs());
    Ok((if power >= 0 { Q::from_integer(n * ten) } else { Q::new(n, ten) }, used))
}

/// What a superscript character stands for: a digit, or `-`.
fn superscript(c: char) -> Option<char> {
    Some(match c {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴' => '4',
        '⁵' => '5',
        '⁶' => '6',
        '⁷' => '7',
        '⁸' => '8',
        '⁹' => '9',
        '⁻' => '-',
        _ => return None,
    })
}

fn exponent(chars: &[char], first: char, at: usize) -> Outcome<(Vec<Token>, usize)> {
    let negative = first == '-';
    let skip = usize::from(negative);
    let digits: String = chars[skip..].iter().map_while(|c| superscript(*c).filter(char::is_ascii_digit)).collect();
    let used = skip + digits.chars().count();
    if digits.is_empty() || used > 20 {
        return Err(AlgebraError::Parse { at, message: "no superscript number".to_owned() });
    }
    let n: BigInt =
        digits.parse().map_err(|_| AlgebraError::Parse { at, message: "no superscript number".to_owned() })?;
    let mut out = Vec::new();
    if negative {
        out.push(Token::Sign('-'));
    }
    out.push(Token::Num(Q::from_integer(n)));
    Ok((out, used))
}
