//! Text to tokens: numbers, words, symbols; number words, ordinals, mixed fractions are already merged.

use super::words::WORDS;

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A number, as `rational::parse` reads it (`1000`, `4.20`, `7/2`).
    Number(String),
    /// `3rd`, `third`.
    Ordinal(u32),
    /// A word in lower case.
    Word(String),
    /// One character that is neither.
    Sym(char),
    /// A date `YYYY-MM-DD`.
    Date(String),
}

/// A token and where it stands in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// As written, case kept.
    pub(super) raw: String,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether white space stands before it.
    pub(super) spaced: bool,
}

impl Token {
    pub(super) fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(w) => Some(w),
            Kind::Number(_) | Kind::Ordinal(_) | Kind::Sym(_) | Kind::Date(_) => None,
        }
    }

    pub(super) fn number(&self) -> Option<&str> {
        match &self.kind {
            Kind::Number(n) => Some(n),
            Kind::Word(_) | Kind::Ordinal(_) | Kind::Sym(_) | Kind::Date(_) => None,
        }
    }

    pub(super) fn is(&self, c: char) -> bool {
        self.kind == Kind::Sym(c)
    }
}

/// The words from `at` on, as far as words follow one another.
pub(super) fn words_from(tokens: &[Token], at: usize) -> Vec<&str> {
    tokens.iter().skip(at).take(8).map_while(Token::word).collect()
}

/// Splits the text.
pub(super) fn lex(text: &str) -> Vec<Token> {
    let chars: Vec<(usize, char)> = text.char_indices().map(|(i, c)| (i, plain(c))).collect();
    let mut out: Vec<Token> = Vec::new();
    let (mut i, mut spaced) = (0, true);
    while let Some(&(start, c)) = chars.get(i) {
        if c == '\n' {
            spaced = true;
            i += 1;
            // A new line ends a sentence when nothing else did.
            if out.last().is_some_and(|t| !matches!(t.kind, Kind::Sym(',' | ';' | '.' | '?' | '!' | ':'))) {
                out.push(Token { kind: Kind::Sym(';'), raw: ";".into(), start, end: start + 1, spaced: true });
            }
            continue;
        }
        if c.is_whitespace() {
            spaced = true;
            i += 1;
            continue;
        }
        let (kind, next) = one(&chars, i, out.last(), spaced);
        let end = chars.get(next).map_or(text.len(), |(e, _)| *e);
        if let Some(kind) = kind {
            let raw = text.get(start..end).unwrap_or_default().replace(['’', '‘'], "'");
            out.push(Token { kind, raw, start, end, spaced });
            spaced = false;
        } else {
            spaced = true;
        }
        i = next;
    }
    super::numbers::merge(out)
}

fn plain(c: char) -> char {
    match c {
        '’' | '‘' | '′' => '\'',
        '“' | '”' | '″' => '"',
        '−' | '–' | '—' => '-',
        '×' | '⋅' | '·' | '∗' => '*',
        '÷' | '∕' => '/',
        '\u{a0}' | '\u{202f}' | '\u{2009}' => ' ',
        other => other,
    }
}

fn one(chars: &[(usize, char)], i: usize, last: Option<&Token>, spaced: bool) -> (Option<Kind>, usize) {
    let at = |k: usize| chars.get(k).map_or(' ', |(_, c)| *c);
    let digit = |k: usize| at(k).is_ascii_digit();
    let c = at(i);
    if c.is_ascii_digit() || (c == '.' && digit(i + 1) && !at(i.wrapping_sub(1)).is_ascii_digit()) {
        return number(chars, i);
    }
    if let Some(part) = vulgar(c) {
        return (Some(Kind::Number(part.into())), i + 1);
    }
    if c.is_alphabetic() && !matches!(c, '²' | '³' | 'º') {
        let mut end = i;
        let inner = |k: usize| at(k) == '\'' && at(k.wrapping_sub(1)).is_alphabetic() && at(k + 1).is_alphabetic();
        while at(end).is_alphabetic() || inner(end) {
            end += 1;
        }
        let word: String = chars.get(i..end).unwrap_or_default().iter().map(|(_, c)| *c).collect();
        return (Some(Kind::Word(word.to_lowercase())), end);
    }
    if c == '-' && i > 0 && !spaced && at(i + 1).is_alphabetic() && joins(chars, i, last) {
        return (None, i + 1);
    }
    if c == '*' && at(i + 1) == '*' {
        return (Some(Kind::Sym('^')), i + 2);
    }
    (Some(Kind::Sym(c)), i + 1)
}

/// Whether the hyphen at `i` joins two words ("twenty-one", "90-day") and is not a minus.
fn joins(chars: &[(usize, char)], i: usize, last: Option<&Token>) -> bool {
    let right: String =
        chars.iter().skip(i + 1).map(|(_, c)| *c).take_while(|c| c.is_alphabetic()).collect::<String>().to_lowercase();
    let long = right.chars().count() > 1 && !WORDS.lists("functions", &right);
    match last.map(|t| &t.kind) {
        Some(Kind::Word(w)) => long && w.chars().count() > 1 && w != "pi",
        Some(Kind::Number(_) | Kind::Ordinal(_)) => long,
        Some(Kind::Sym(_) | Kind::Date(_)) | None => false,
    }
}

fn vulgar(c: char) -> Option<&'static str> {
    Some(match c {
        '½' => "1/2",
        '⅓' => "1/3",
        '⅔' => "2/3",
        '¼' => "1/4",
        '¾' => "3/4",
        '⅕' => "1/5",
        '⅛' => "1/8",
        _ => return None,
    })
}

fn number(chars: &[(usize, char)], start: usize) -> (Option<Kind>, usize) {
    let at = |k: usize| chars.get(k).map_or(' ', |(_, c)| *c);
    let digit = |k: usize| at(k).is_ascii_digit();
    let mut i = start;
    let mut text = String::new();
    while digit(i) {
        text.push(at(i));
        i += 1;
    }
    // Thousands: groups of exactly three digits after one to three.
    let mut grouped = text.len() <= 3 && !text.is_empty();
    while grouped {
        let group = at(i) == ',' && digit(i + 1) && digit(i + 2) && digit(i + 3) && !digit(i + 4);
        if group {
            text.extend([at(i + 1), at(i + 2), at(i + 3)]);
            i += 4;
        }
        grouped = group;
    }
    if at(i) == '.' && digit(i + 1) {
        text.push('.');
        i += 1;
        while digit(i) {
            text.push(at(i));
            i += 1;
        }
    }
    let suffix: String = [at(i), at(i + 1)].iter().collect::<String>().to_lowercase();
    if matches!(suffix.as_str(), "st" | "nd" | "rd" | "th")
        && !at(i + 2).is_alphanumeric()
        && let Ok(n) = text.parse::<u32>()
    {
        return (Some(Kind::Ordinal(n)), i + 2);
    }
    let mark = if matches!(at(i + 1), '+' | '-') { 2 } else { 1 };
    if matches!(at(i), 'e' | 'E') && digit(i + mark) {
        let mut end = i + mark;
        while digit(end) {
            end += 1;
        }
        if !at(end).is_alphabetic() {
            text.extend(chars.get(i..end).unwrap_or_default().iter().map(|(_, c)| *c).filter(|c| *c != '+'));
            i = end;
        }
    }
    if text.starts_with('.') {
        text.insert(0, '0');
    }
    (Some(Kind::Number(text)), i)
}
