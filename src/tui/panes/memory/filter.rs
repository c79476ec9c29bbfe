//! The filter of the list: which entries hold some words. It looks at a bounded number of entries at a time and goes on from
//! there, newest first, so that a large memory never holds up the screen.

use crate::model::{Contribution, ContributionId, WorkingMemory};

/// Entries looked at in one go.
const ENTRIES: u32 = 4_000;
/// Bytes of text looked at in one go.
const BYTES: usize = 2 << 20;
/// Bytes of one entry that are looked at.
const OF_ONE: usize = 64 << 10;

/// Words, and the entries that were found to hold them.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    said: String,
    words: Vec<String>,
    /// Oldest first.
    found: Vec<ContributionId>,
    /// What was looked at: from here …
    low: u32,
    /// … up to here.
    high: u32,
}

impl Filter {
    /// A filter by words; none where there are no words.
    pub(super) fn new(said: &str) -> Option<Self> {
        let words: Vec<String> = said.split_whitespace().map(str::to_lowercase).collect();
        let filter = Self { said: said.trim().to_owned(), words, found: Vec::new(), low: 0, high: 0 };
        (!filter.words.is_empty()).then_some(filter)
    }

    /// The words as they were given.
    pub(super) fn said(&self) -> &str {
        &self.said
    }

    /// Goes on looking. Entries that came since are looked at first, then older ones.
    pub(super) fn go_on(&mut self, memory: &WorkingMemory) {
        let next = memory.next_id().0;
        if next < self.high {
            // A step was taken back: its entries are others now.
            self.high = next;
            self.low = self.low.min(next);
            self.found.retain(|id| id.0 < next);
        }
        if self.high == self.low {
            (self.low, self.high) = (next, next);
        }
        let (mut entries, mut bytes) = (ENTRIES, BYTES);
        let mut newer = Vec::new();
        while self.high < next && entries > 0 && bytes > 0 {
            if self.holds(memory, self.high, &mut bytes) {
                newer.push(ContributionId(self.high));
            }
            self.high += 1;
            entries -= 1;
        }
        self.found.append(&mut newer);
        let mut older = Vec::new();
        while self.low > 0 && entries > 0 && bytes > 0 {
            self.low -= 1;
            entries -= 1;
            if self.holds(memory, self.low, &mut bytes) {
                older.push(ContributionId(self.low));
            }
        }
        if !older.is_empty() {
            older.reverse();
            older.append(&mut self.found);
            self.found = older;
        }
    }

    /// The entries found that were there when the next was to get this id, oldest first.
    pub(super) fn found(&self, next: ContributionId) -> &[ContributionId] {
        &self.found[..self.found.partition_point(|id| *id < next)]
    }

    /// How much of what is there was looked at, in hundredths; none when it is all.
    pub(super) fn progress(&self, memory: &WorkingMemory) -> Option<u32> {
        let next = memory.next_id().0;
        let seen = self.high.min(next).saturating_sub(self.low);
        (seen < next).then(|| u32::try_from(u64::from(seen) * 100 / u64::from(next.max(1))).unwrap_or(0))
    }

    fn holds(&self, memory: &WorkingMemory, id: u32, bytes: &mut usize) -> bool {
        let Some(entry) = memory.get(ContributionId(id)) else { return false };
        *bytes = bytes.saturating_sub(entry.text.len().min(OF_ONE) + 32);
        self.matches(entry)
    }

    /// Whether an entry holds every word: in its text, section, author or number (`#3`).
    pub(super) fn matches(&self, entry: &Contribution) -> bool {
        let text = crate::tui::brief::head(&entry.text, OF_ONE);
        let author = match &entry.author {
            crate::model::Author::Human => "human",
            crate::model::Author::Engine => "engine",
            crate::model::Author::Program(name) => name.as_str(),
        };
        self.words.iter().all(|word| {
            holds(text, word)
                || holds(entry.section.as_str(), word)
                || holds(author, word)
                || word.strip_prefix('#').is_some_and(|id| id.parse() == Ok(entry.id.0))
        })
    }
}

/// Whether a text holds a word in lower case, in any case.
pub(in crate::tui) fn holds(text: &str, word: &str) -> bool {
    if !word.is_ascii() {
        return text.to_lowercase().contains(word);
    }
    let (word, text) = (word.as_bytes(), text.as_bytes());
    let Some((first, rest)) = word.split_first() else { return true };
    let fits = |at: usize| text.get(at + 1..at + word.len()).is_some_and(|found| found.eq_ignore_ascii_case(rest));
    text.iter().enumerate().any(|(at, byte)| byte.eq_ignore_ascii_case(first) && fits(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Author, Cycle, Section};
    use std::sync::Arc;

    fn entry(id: u32, text: String) -> Arc<Contribution> {
        Arc::new(Contribution {
            id: ContributionId(id),
            section: Section::new("draft"),
            part: None,
            text,
            data: serde_json::Value::Null,
            author: Author::Human,
            cycle: Cycle(0),
            activation: None,
            about: None,
            supersedes: Vec::new(),
            informed: false,
        })
    }

    #[test]
    fn a_large_memory_is_looked_at_bit_by_bit_and_newest_first() {
        let mut memory = WorkingMemory::default();
        for id in 0..10_000 {
            memory.push(entry(id, format!("value {}", if id % 1000 == 0 { "Rare" } else { "plain" })));
        }
        let mut filter = Filter::new("RARE value").unwrap();
        filter.go_on(&memory);
        assert_eq!(filter.found(ContributionId(10_000)).first(), Some(&ContributionId(6000)));
        assert_eq!(filter.progress(&memory), Some(40));
        memory.push(entry(10_000, "rare value".to_owned()));
        filter.go_on(&memory);
        assert_eq!(filter.found(ContributionId(10_001)).last(), Some(&ContributionId(10_000)));
        filter.go_on(&memory);
        assert_eq!(filter.progress(&memory), None);
        let found: Vec<u32> = filter.found(ContributionId(10_001)).iter().map(|id| id.0).collect();
        assert_eq!(found, (0..11).map(|n| n * 1000).collect::<Vec<_>>());
        assert_eq!(filter.found(ContributionId(5000)).len(), 5, "the past has not seen later ones");
    }

    #[test]
    fn words_are_found_in_any_case_and_place() {
        let check = |words: &str, expected: bool| {
            let found = Filter::new(words).unwrap().matches(&entry(7, "Kein Äpfel-Rest".to_owned()));
            assert_eq!(found, expected, "{words}");
        };
        check("äpfel", true);
        check("REST kein", true);
        check("draft #7", true);
        check("human", true);
        check("#8", false);
        check("kein birnen", false);
        assert!(Filter::new("  ").is_none());
    }
}
