//! The number that a text gives as its answer.

use super::super::formats::boxed;
use super::announced;

/// Whether two numbers are the same within a part of the second.
pub(super) fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * b.abs() || (b == 0.0 && a.abs() <= 1e-9)
}

/// The number that a text gives: what is boxed or announced as the answer, else what stands behind the last sign of equality,
/// else the last number that does not stand in brackets.
pub(super) fn value(text: &str) -> Option<f64> {
    let plain = simplified(text);
    if let Some(inside) = boxed(&plain) {
        return last(&inside);
    }
    if let Some(first) = announced(&plain).and_then(|rest| of_line(rest, true)) {
        return Some(first);
    }
    let line = plain.lines().rev().find(|line| !numbers(line).is_empty())?;
    of_line(line, false)
}

/// The number, where a text is nothing else.
pub(super) fn alone(text: &str) -> Option<f64> {
    let plain = simplified(text);
    let plain = plain.trim().trim_end_matches(['.', '%']).trim_matches('$');
    match numbers(plain).as_slice() {
        [(value, start, end)] if *start == 0 && *end == plain.len() => Some(*value),
        _ => None,
    }
}

fn of_line(line: &str, first: bool) -> Option<f64> {
    if let Some(found) = line.rsplit_once(['=', '≈']).and_then(|(_, right)| numbers(right).first().map(|one| one.0)) {
        return Some(found);
    }
    let bare = without_brackets(line);
    let found = numbers(if numbers(&bare).is_empty() { line } else { &bare });
    let one = if first { found.first() } else { found.last() };
    one.map(|one| one.0)
}

fn last(text: &str) -> Option<f64> {
    numbers(text).last().map(|one| one.0)
}

/// Text in brackets is a remark: `70 days (10 weeks)`.
fn without_brackets(line: &str) -> String {
    let (mut depth, mut kept) = (0_usize, String::new());
    for c in line.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 => kept.push(c),
            _ => {}
        }
    }
    kept
}

/// The many ways to write a sign, a fraction and a power of ten, made one.
fn simplified(text: &str) -> String {
    let mut plain = text.to_owned();
    let same = [
        ("\u{2212}", "-"),
        ("\u{202f}", "\u{a0}"),
        ("\u{2009}", "\u{a0}"),
        ("\\!", ""),
        ("\\,", ""),
        ("{,}", ","),
        ("\\$", ""),
        ("\\%", "%"),
        ("\\left", ""),
        ("\\right", ""),
        ("\\dfrac", "\\frac"),
        ("\\tfrac", "\\frac"),
        ("\\approx", "≈"),
        ("\\times 10^", "e"),
        ("\\times10^", "e"),
        ("\\cdot 10^", "e"),
        ("× 10^", "e"),
        ("×10^", "e"),
        ("x 10^", "e"),
        ("*10^", "e"),
        (" * 10^", "e"),
    ];
    for (from, to) in same {
        plain = plain.replace(from, to);
    }
    // `\frac{a}{b}` where both are numbers.
    while let Some(at) = plain.find("\\frac{") {
        let rest = &plain[at + 6..];
        let read = rest.split_once("}{").and_then(|(above, rest)| Some((above, rest.split_once('}')?)));
        match read {
            Some((above, (below, rest))) if !above.contains('{') && !below.contains('{') => {
                let (above, below) = (above.trim(), below.trim());
                plain = format!("{}{above}/{below}{rest}", &plain[..at]);
            }
            _ => plain.replace_range(at..at + 6, "\\fraction{"),
        }
    }
    let powers = plain.replace("e{", "e").replace(" e", "e");
    if powers.contains("e-") || powers.chars().zip(powers.chars().skip(1)).any(|(a, b)| a == 'e' && b.is_ascii_digit())
    {
        plain = powers;
    }
    plain
}

/// Numbers of a text with the bytes that they stand in. A digit behind a letter is part of a name; two whole numbers that a
/// space and a slash join (`3 1/2`) are one.
pub(super) fn numbers(text: &str) -> Vec<(f64, usize, usize)> {
    let bytes = text.as_bytes();
    let mut found: Vec<(f64, usize, usize)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let begins =
            bytes[at].is_ascii_digit() || (bytes[at] == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit));
        if !begins {
            at += 1;
            continue;
        }
        let before = text[..at].chars().next_back();
        let (digits, end) = digits(text, at);
        if before.is_some_and(|c| c.is_alphabetic() || c == '_') {
            at = end;
            continue;
        }
        let (sign, start) = sign(text, at);
        let Ok(mut value) = digits.parse::<f64>() else {
            at = end;
            continue;
        };
        let mut end = end;
        if let Some((below, after)) = below(text, end) {
            value /= below;
            end = after;
        } else if digits.bytes().all(|digit| digit.is_ascii_digit())
            && let Some((part, after)) = part(text, end)
        {
            value += part;
            end = after;
        }
        found.push((if sign { -value } else { value }, start, end));
        at = end.max(at + 1);
    }
    found
}

/// Digits from a place on, without what groups them, and where they end.
fn digits(text: &str, from: usize) -> (String, usize) {
    let bytes = text.as_bytes();
    let mut kept = String::new();
    let mut at = from;
    let run = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let first = run(at);
    kept.push_str(&text[at..at + first]);
    at += first;
    // Groups of three, as 1,234,567 or with a narrow space.
    let mut grouped = (1..=3).contains(&first);
    while grouped {
        let gap = match bytes.get(at) {
            Some(b',' | b'_') => 1,
            Some(0xc2) if bytes.get(at + 1) == Some(&0xa0) => 2,
            _ => break,
        };
        grouped = run(at + gap) == 3;
        if grouped {
            kept.push_str(&text[at + gap..at + gap + 3]);
            at += gap + 3;
        }
    }
    if bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
        let count = run(at + 1);
        kept.push_str(&text[at..=at + count]);
        at += 1 + count;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let count = if at + 1 + signed <= bytes.len() { run(at + 1 + signed) } else { 0 };
        if count > 0 {
            kept.push_str(&text[at..at + 1 + signed + count]);
            at += 1 + signed + count;
        }
    }
    (kept, at)
}

/// Whether a number that begins at a place is negative, and where it begins with its signs.
fn sign(text: &str, at: usize) -> (bool, usize) {
    let mut before = text[..at].char_indices().rev().peekable();
    let mut start = at;
    if let Some((place, c)) = before.peek().copied()
        && matches!(c, '$' | '€' | '£' | '+')
    {
        start = place;
        before.next();
    }
    match before.next() {
        // Between two values a stroke is a difference.
        Some((place, '-')) => match before.next() {
            Some((_, c)) if c.is_alphanumeric() || matches!(c, ')' | '}' | '%') => (false, start),
            _ => (true, place),
        },
        _ => (false, start),
    }
}

/// What stands below a fraction's line behind a number.
fn below(text: &str, at: usize) -> Option<(f64, usize)> {
    let rest = text[at..].trim_start_matches(' ');
    let rest = rest.strip_prefix('/')?.trim_start_matches(' ');
    let start = text.len() - rest.len();
    rest.bytes().next().filter(u8::is_ascii_digit)?;
    let (digits, end) = digits(text, start);
    let value = digits.parse::<f64>().ok().filter(|value| *value != 0.0)?;
    Some((value, end))
}

/// A fraction behind a whole number and a space.
fn part(text: &str, at: usize) -> Option<(f64, usize)> {
    let rest = text[at..].strip_prefix(' ')?;
    let count = rest.bytes().take_while(u8::is_ascii_digit).count();
    let above = rest[..count].parse::<f64>().ok()?;
    let after = rest[count..].strip_prefix('/')?;
    let count = after.bytes().take_while(u8::is_ascii_digit).count();
    let below = after[..count].parse::<f64>().ok().filter(|below| *below > above)?;
    Some((above / below, text.len() - after.len() + count))
}
