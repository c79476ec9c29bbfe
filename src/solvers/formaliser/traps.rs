//! Notations that a reader of ordinary English would take for something else: better unread than misread.

/// Functions that the notation of algebra knows.
const KNOWN: [&str; 13] = ["sqrt", "cbrt", "abs", "log", "ln", "exp", "sin", "cos", "tan", "gcd", "lcm", "root", "pi"];

/// Words for the greatest common divisor, and for the least common multiple.
const DIVISOR: [&str; 5] = ["gcd", "hcf", "gcf", "greatest common", "highest common"];
const MULTIPLE: [&str; 3] = ["lcm", "least common", "lowest common"];

/// Why a text must not be read by a grammar that knows no better; none where nothing is wrong with it.
#[must_use]
pub(super) fn trap(text: &str) -> Option<String> {
    unknown_function(&text.to_lowercase()).map(|name| format!("it calls `{name}`, which has no meaning here"))
}

/// Whether one clause asks for a divisor and a multiple, each of numbers of its own, which cannot be told apart then.
/// ("The gcd and lcm of 12 and 18" names both before any number.)
#[must_use]
pub(super) fn mixes(text: &str) -> bool {
    let text = text.to_lowercase();
    let first = |words: &[&str]| words.iter().filter_map(|word| text.find(word)).min();
    let (Some(a), Some(b)) = (first(&DIVISOR), first(&MULTIPLE)) else { return false };
    text.get(a.min(b)..a.max(b)).is_some_and(|between| between.contains(|c: char| c.is_ascii_digit()))
}

/// A word, with or without digits at its end, that stands right before a bracket and is no function or unknown.
fn unknown_function(text: &str) -> Option<String> {
    text.match_indices('(').find_map(|(at, _)| {
        let word: String = text[..at].chars().rev().take_while(|c| c.is_alphanumeric()).collect();
        let word: String = word.chars().rev().collect();
        let letters: String = word.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned();
        let plain = letters.trim_end_matches(|c: char| c.is_ascii_digit());
        let unknowns = plain.len() == 1 || plain.len() <= 3 && plain.chars().all(|c| "abcxyz".contains(c));
        let known = KNOWN.contains(&letters.as_str()) || letters.is_empty() || (unknowns && letters == plain);
        (!known).then_some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_misread_is_named() {
        for text in ["log10(1000)", "What is round(2.5)?", "max(3, 4)", "log2(8) + 1"] {
            assert!(trap(text).is_some(), "{text}");
        }
        for text in ["3(x+1) = 9", "x(x-1) = 2", "2sqrt(9)", "log(100)", "ab(c+1)", "5 (half) of it"] {
            assert!(trap(text).is_none(), "{text}");
        }
        assert!(mixes("gcd of 48 and 180 and lcm of 4 and 6") && !mixes("gcd and lcm of 12 and 18"));
    }
}
