//! The forms in which a key may come back: as it is, percent-encoded, in base64, in the quotes of JSON.

use std::fmt::Write as _;

/// A text that is shorter is no secret: servers that want no key get `none` or `lm-studio`, and words of answers must not be
/// taken for those.
const SHORTEST: usize = 12;

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// All forms of a key, the longest first; none of what is too short to be one.
pub(super) fn forms(key: &str) -> Vec<String> {
    if key.len() < SHORTEST {
        return Vec::new();
    }
    let mut all = vec![key.to_owned(), percent(key, false), percent(key, true)];
    let quoted = serde_json::to_string(key).unwrap_or_default();
    all.push(quoted.trim_matches('"').to_owned());
    for before in 0..3 {
        let plain = base64(key, before);
        all.push(plain.replace('+', "-").replace('/', "_"));
        all.push(plain.replace('+', "%2B").replace('/', "%2F"));
        all.push(plain);
    }
    all.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    all.dedup();
    all
}

fn percent(key: &str, lower: bool) -> String {
    let mut out = String::new();
    for byte in key.bytes() {
        let plain = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
        // Writing to a string cannot fail.
        let _ = match (plain, lower) {
            (true, _) => write!(out, "{}", char::from(byte)),
            (false, true) => write!(out, "%{byte:02x}"),
            (false, false) => write!(out, "%{byte:02X}"),
        };
    }
    out
}

/// The characters that stand for a key alone, with so many bytes before it in its group of three (as in `Bearer KEY` or
/// `user:KEY`).
fn base64(key: &str, before: usize) -> String {
    let mut bytes = vec![0; before];
    bytes.extend(key.bytes());
    let whole = bytes.len() * 8 / 6;
    let sextet = |at: usize| {
        let (byte, bit) = (at * 6 / 8, at * 6 % 8);
        let two = u16::from(bytes[byte]) << 8 | u16::from(bytes.get(byte + 1).copied().unwrap_or_default());
        char::from(BASE64[usize::from((two >> (10 - bit)) & 63)])
    };
    let first = (before * 8).div_ceil(6);
    (first..whole).map(sextet).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_known() {
        let known = forms("key+with/odd=signs");
        // `key+with/odd=signs` in base64 alone, behind `a:`, and behind `u`; then in URLs and in JSON.
        for form in [
            "a2V5K3dpdGgvb2RkPXNpZ25z",
            "prZXkrd2l0aC9vZGQ9c2lnbn",
            "rZXkrd2l0aC9vZGQ9c2lnbn",
            "key%2Bwith%2Fodd%3Dsigns",
        ] {
            assert!(known.iter().any(|known| form.contains(known.as_str())), "{form}: {known:?}");
        }
        assert!(forms("quote\"and\\slash").contains(&"quote\\\"and\\\\slash".to_owned()));
    }

    #[test]
    fn a_word_that_serves_as_a_key_is_no_secret() {
        assert!(forms("none").is_empty() && forms("lm-studio").is_empty());
    }
}
