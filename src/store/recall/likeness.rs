//! How like two questions are, without any model: vectors of hashed words and pieces of words.
//!
//! Numbers count as one word, so that questions of one shape lie near each other whatever numbers they are about. The hash is
//! written out here, since vectors on disk must mean the same in every later version.

use std::collections::BTreeMap;

/// Places of a vector. Written into every file.
pub(super) const DIMENSIONS: usize = 256;

/// The name of this way to make vectors. Written into every file: vectors of two ways cannot be compared.
pub(super) const WAY: &str = "words-1";

/// What stands for a number.
const NUMBER: char = '#';

/// The vector of a question: whole numbers from -127 to 127, its length about 127; all 0 where the question has no words.
pub(super) fn vector(question: &str) -> [i8; DIMENSIONS] {
    let mut places = [0f64; DIMENSIONS];
    for (feature, (count, weight)) in features(question) {
        // A word that comes ten times does not count for ten.
        let value = (1.0 + f64::from(count).ln()) * weight;
        let place = usize::try_from(feature % DIMENSIONS as u64).unwrap_or_default();
        places[place] += if feature >> 63 == 0 { value } else { -value };
    }
    let length = places.iter().map(|value| value * value).sum::<f64>().sqrt();
    let mut whole = [0i8; DIMENSIONS];
    if length > 0.0 {
        for (to, value) in whole.iter_mut().zip(places) {
            #[expect(clippy::cast_possible_truncation, reason = "it lies between -127 and 127")]
            let value = (value / length * 127.0).round() as i8;
            *to = value;
        }
    }
    whole
}

/// The cosine of two vectors, 0 to 1; 0 where they point away from each other, or one of them is of another size.
pub(super) fn likeness(a: &[i8], b: &[i8]) -> f64 {
    if a.len() != b.len() {
        return 0.0;
    }
    let dot = |a: &[i8], b: &[i8]| -> f64 { a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum() };
    let lengths = (dot(a, a) * dot(b, b)).sqrt();
    if lengths > 0.0 { (dot(a, b) / lengths).clamp(0.0, 1.0) } else { 0.0 }
}

/// Words in lower case, in order; each number is one word of its own.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut number = false;
    for c in text.chars() {
        let digit = c.is_numeric() || (number && matches!(c, '.' | ','));
        if digit != number || !(digit || c.is_alphabetic()) {
            words.push(String::new());
        }
        number = digit;
        if (digit || c.is_alphabetic())
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
    }
    words.iter().map(|word| word.trim_end_matches(['.', ',']).to_owned()).filter(|word| !word.is_empty()).collect()
}

fn features(question: &str) -> BTreeMap<u64, (u32, f64)> {
    let mut features = BTreeMap::new();
    let mut add = |kind: &str, text: &str, weight: f64| {
        features.entry(hash(kind, text)).or_insert((0, weight)).0 += 1;
    };
    let plain = |word: &String| if word.starts_with(char::is_numeric) { NUMBER.to_string() } else { word.clone() };
    let exact = words(question);
    let words: Vec<String> = exact.iter().map(plain).collect();
    for (word, exact) in words.iter().zip(&exact) {
        add("word", word, 1.0);
        if word != exact {
            add("number", exact, 0.25);
            continue;
        }
        let letters: Vec<char> = std::iter::once(' ').chain(word.chars()).chain([' ']).collect();
        for piece in letters.windows(3) {
            add("piece", &piece.iter().collect::<String>(), 0.4);
        }
    }
    for pair in words.windows(2) {
        add("pair", &pair.join(" "), 0.8);
    }
    features
}

/// FNV-1a over 64 bits, and a last stir so that every bit of the result depends on all of the text.
fn hash(kind: &str, text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let bytes = kind.bytes().chain([0]).chain(text.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325, step);
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn like(a: &str, b: &str) -> f64 {
        likeness(&vector(a), &vector(b))
    }

    #[test]
    fn a_number_is_one_word() {
        assert_eq!(words("Solve 3x+5.5=14, now."), ["solve", "3", "x", "5.5", "14", "now"]);
    }

    #[test]
    fn the_shape_counts_more_than_the_numbers() {
        let one = "next number in 2, 4, 8, 16";
        assert!((like(one, one) - 1.0).abs() < 1e-9);
        assert!(like(one, "Next number in 3, 9, 27, 81?") > 0.8);
        assert!(like(one, "convert 3 miles to km") < 0.4);
        assert!(like("what comes next: 1, 2, 3", "which numbers come next in 1, 2, 3") > 0.4);
    }

    #[test]
    fn what_has_no_words_is_like_nothing() {
        assert_eq!((like("", ""), like("?!", "next number")), (0.0, 0.0));
    }

    #[test]
    fn vectors_on_disk_keep_their_meaning() {
        let vector = vector("next number in 2, 4, 8, 16");
        let sum: i64 = vector.iter().zip(1i64..).map(|(value, place)| i64::from(*value) * place).sum();
        assert_eq!(
            sum, KNOWN,
            "files of earlier versions hold vectors that were made the old way: give WAY a new name"
        );
    }

    const KNOWN: i64 = 2880;
}
