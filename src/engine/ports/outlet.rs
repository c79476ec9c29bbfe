//! Where a running program puts what may be seen of it, on its way to whoever watches.
//!
//! The program never waits for those who watch: pieces are joined while they lie here, and where nobody takes them for long the
//! oldest are left out and counted. The whole of what was written comes with the contribution anyway.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::model::{ActivationId, Streamed};

/// Most bytes of text that lie here for one activation.
const BYTES: usize = 64 << 10;
/// Most pieces that lie here for one activation.
const PIECES: usize = 256;

/// A piece with its text.
type Piece = (Streamed, String);

/// One outlet; copies of it are the same one.
#[derive(Clone, Default)]
pub struct Outlet(Arc<Shared>);

#[derive(Default)]
struct Shared {
    lying: Mutex<BTreeMap<ActivationId, Lying>>,
    filled: Notify,
}

/// What lies here for one activation, oldest first.
#[derive(Default)]
struct Lying {
    pieces: VecDeque<Piece>,
    bytes: usize,
    skipped: u64,
}

impl Outlet {
    /// Puts a piece there, and returns at once.
    pub fn put(&self, activation: ActivationId, what: Streamed, text: &str) {
        let mut lying = self.lock();
        let first = lying.is_empty();
        lying.entry(activation).or_default().put(what, text);
        drop(lying);
        if first {
            self.0.filled.notify_one();
        }
    }

    /// Takes the oldest piece of the activation that began first.
    pub fn take(&self) -> Option<(ActivationId, (Streamed, String))> {
        let mut lying = self.lock();
        let mut entry = lying.first_entry()?;
        let activation = *entry.key();
        let piece = entry.get_mut().take();
        if entry.get().pieces.is_empty() {
            entry.remove();
        }
        piece.map(|piece| (activation, piece))
    }

    /// Throws away what lies here.
    pub fn clear(&self) {
        self.lock().clear();
    }

    /// Waits until something lies here.
    pub async fn filled(&self) {
        while self.lock().is_empty() {
            self.0.filled.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<ActivationId, Lying>> {
        self.0.lying.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lying {
    fn put(&mut self, what: Streamed, text: &str) {
        self.bytes += text.len();
        let last = self.pieces.back_mut();
        match (last, &what) {
            (Some((Streamed::Text, kept)), Streamed::Text)
            | (Some((Streamed::Reasoning, kept)), Streamed::Reasoning) => kept.push_str(text),
            // Of a wait only what is left now counts.
            (Some((Streamed::Waiting { left }, why)), Streamed::Waiting { left: now }) => {
                self.bytes -= why.len();
                *left = *now;
                text.clone_into(why);
            }
            (Some(_) | None, _) => self.pieces.push_back((what, text.to_owned())),
        }
        while self.pieces.len() > PIECES {
            if let Some((_, text)) = self.pieces.pop_front() {
                self.bytes -= text.len();
                self.skipped += text.len() as u64;
            }
        }
        // Half is left out at once, so that a reader who is slow costs no more than one that is not.
        while self.bytes > BYTES {
            let Some((_, text)) = self.pieces.front_mut() else { return };
            let cut = text.ceil_char_boundary(text.len().min(self.bytes - BYTES / 2));
            let whole = cut == text.len();
            text.drain(..cut);
            self.bytes -= cut;
            self.skipped += cut as u64;
            if whole {
                self.pieces.pop_front();
            }
        }
    }

    fn take(&mut self) -> Option<Piece> {
        if self.skipped > 0 {
            let bytes = std::mem::take(&mut self.skipped);
            return Some((Streamed::Skipped { bytes }, String::new()));
        }
        let piece = self.pieces.pop_front();
        self.bytes -= piece.as_ref().map_or(0, |(_, text)| text.len());
        piece
    }
}

impl fmt::Debug for Outlet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Outlet")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: ActivationId = ActivationId(1);
    const B: ActivationId = ActivationId(2);

    fn all(outlet: &Outlet) -> Vec<(ActivationId, Piece)> {
        std::iter::from_fn(|| outlet.take()).collect()
    }

    #[test]
    fn pieces_of_one_kind_are_joined_and_stay_in_order() {
        let outlet = Outlet::default();
        for n in 0..3 {
            outlet.put(B, Streamed::Reasoning, &format!("r{n}"));
            outlet.put(A, Streamed::Text, &format!("t{n}"));
        }
        outlet.put(B, Streamed::Text, "x");
        outlet.put(B, Streamed::Waiting { left: Some(2_000) }, "busy");
        outlet.put(B, Streamed::Waiting { left: Some(1_000) }, "busy");
        let expected = [
            (A, (Streamed::Text, "t0t1t2".to_owned())),
            (B, (Streamed::Reasoning, "r0r1r2".to_owned())),
            (B, (Streamed::Text, "x".to_owned())),
            (B, (Streamed::Waiting { left: Some(1_000) }, "busy".to_owned())),
        ];
        assert_eq!(all(&outlet), expected);
        assert_eq!(all(&outlet), []);
    }

    #[test]
    fn what_nobody_takes_is_bounded_and_what_is_left_out_is_counted() {
        let outlet = Outlet::default();
        let mut put = 0;
        for n in 0..100_000 {
            let text = format!("é{n} ");
            put += text.len() as u64;
            outlet.put(A, if n % 1000 < 990 { Streamed::Text } else { Streamed::Reasoning }, &text);
            if n % 10 == 0 {
                outlet.put(A, Streamed::Call, "t");
                put += 1;
            }
        }
        let (mut skipped, mut kept, mut last) = (0, 0, String::new());
        for (_, (what, text)) in all(&outlet) {
            kept += text.len() as u64;
            match what {
                Streamed::Skipped { bytes } => skipped += bytes,
                _ => last = text,
            }
        }
        assert!(kept <= BYTES as u64, "{kept}");
        assert_eq!(skipped + kept, put);
        assert!(last.ends_with("é99999 "), "the newest stays: {last}");
    }

    #[tokio::test]
    async fn whoever_waits_is_woken_by_the_first_piece() {
        let outlet = Outlet::default();
        let (_, ()) = tokio::join!(outlet.filled(), async { outlet.put(A, Streamed::Text, "x") });
        assert_eq!(all(&outlet).len(), 1);
        outlet.put(A, Streamed::Text, "x");
        outlet.filled().await;
    }
}
