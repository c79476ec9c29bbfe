//! Notices a model that repeats itself without end.

/// The end of a text that is looked at.
const WINDOW: usize = 6 << 10;

/// The longest piece that may be what repeats: it would stand six times in the window.
const LONGEST: usize = 1 << 10;

/// Bytes of growth between two looks.
const STEP: usize = 512;

/// Looks at a text that grows.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    looked: usize,
}

impl Repeats {
    /// Whether the text ends in nothing but one piece, over and over.
    pub(super) fn seen(&mut self, text: &str) -> bool {
        if text.len() < self.looked + STEP || text.len() < WINDOW {
            return false;
        }
        self.looked = text.len();
        let tail = &text.as_bytes()[text.len() - WINDOW..];
        // Most lengths are ruled out by the last few bytes, so this costs about as much as reading the window.
        (1..=LONGEST).any(|period| tail.iter().rev().zip(tail.iter().rev().skip(period)).all(|(a, b)| a == b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stops_at(pieces: impl Iterator<Item = String>) -> Option<usize> {
        let (mut text, mut repeats) = (String::new(), Repeats::default());
        for piece in pieces {
            text.push_str(&piece);
            if repeats.seen(&text) {
                return Some(text.len());
            }
        }
        None
    }

    #[test]
    fn a_loop_is_seen_within_two_thousand_tokens_and_other_text_never() {
        let same = |piece: &'static str| std::iter::repeat_n(piece.to_owned(), 20_000);
        for piece in ["a", "the same thing. ", "I will now solve it.\nLet me think again about the question.\n", "\n"] {
            let at = stops_at(same(piece)).unwrap();
            assert!(at <= 8_000, "{piece:?}: {at}");
        }
        assert_eq!(stops_at((0..20_000).map(|n| format!("{n}, "))), None);
        assert_eq!(stops_at((0..20_000).map(|n| format!("| {} | {} |\n", n, n * n % 7919))), None);
    }
}
