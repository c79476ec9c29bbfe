//! One proposal under review: its changes as pieces that are chosen or not, and what a decision on them would say.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::layout::{Kind, Layout, NONE, Row};
use super::split::split;
use super::story::{Ground, Spans};
use super::words::Changed;
use crate::model::{Author, Decision, Hunk, Proposal, apply_hunks, hunks, parse_program};
use crate::tui::lines::Lines;

/// A changed file.
pub(super) struct File {
    /// Its path.
    pub(super) path: String,
    /// The text it was made from; empty where there was none.
    pub(super) before: Lines,
    /// The text proposed, or what the user made of it.
    pub(super) after: Lines,
    /// Whether there was no such file.
    pub(super) is_new: bool,
    /// Whether it is to be removed.
    pub(super) is_gone: bool,
    /// Whether the user edited the text.
    pub(super) edited: bool,
    /// Number of the first of its hunks as they were proposed, from 1, and these hunks.
    first: usize,
    proposed: Vec<Hunk>,
}

/// What can be chosen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    /// Index of the file.
    pub(super) file: usize,
    /// The lines.
    pub(super) hunk: Hunk,
    /// Number of the proposed hunk that it is, or is a part of; none in an edited text.
    pub(super) of: Option<usize>,
    /// Whether it is chosen.
    pub(super) chosen: bool,
}

/// What a file's program asks for beyond what it may do now; empty where that is nothing.
pub(super) type Asks = Vec<String>;

/// A proposal under review.
pub(super) struct Review {
    /// The proposal.
    pub(super) proposal: Arc<Proposal>,
    /// Its files.
    pub(super) files: Vec<File>,
    /// What can be chosen, in order.
    pub(super) pieces: Vec<Piece>,
    /// The piece at the cursor.
    pub(super) at: usize,
    /// Lines added and removed.
    pub(super) lines: (usize, usize),
    /// What it asks for beyond what its programs may do now.
    pub(super) asks: Asks,
    /// The first row shown, counted from where the diff begins, so that what comes in above moves nothing; none for the
    /// beginning of the page.
    pub(super) top: Option<isize>,
    layout: Option<Rc<Layout>>,
    tail: Option<(Ground, Rc<Vec<Spans>>)>,
    /// Words that changed, by file, old and new line.
    pub(super) words: HashMap<(u32, u32, u32), Rc<Changed>>,
}

impl Review {
    /// Begins with nothing chosen.
    pub(super) fn new(proposal: Arc<Proposal>) -> Self {
        let (mut files, mut pieces, mut first) = (Vec::new(), Vec::new(), 1);
        let (mut lines, mut asks) = ((0, 0), Vec::new());
        let nothing: Arc<str> = Arc::from("");
        for (index, change) in proposal.changes.iter().enumerate() {
            let proposed = change.hunks();
            for (hunk, number) in proposed.iter().zip(first..) {
                lines = (lines.0 + hunk.new.len(), lines.1 + hunk.old.len());
                pieces.push(Piece { file: index, hunk: hunk.clone(), of: Some(number), chosen: false });
            }
            let count = proposed.len();
            asks.extend(asked(&change.path, change.before.as_deref(), change.after.as_deref()));
            files.push(File {
                path: change.path.clone(),
                before: Lines::new(change.before.as_ref().unwrap_or(&nothing)),
                after: Lines::new(change.after.as_ref().unwrap_or(&nothing)),
                is_new: change.before.is_none(),
                is_gone: change.after.is_none(),
                edited: false,
                first,
                proposed,
            });
            first += count;
        }
        let (layout, tail, words) = (None, None, HashMap::new());
        Self { proposal, files, pieces, at: 0, lines, asks, top: None, layout, tail, words }
    }

    /// Whether it is a review of this proposal's content. A proposal that comes in again is the same.
    pub(super) fn is_of(&self, proposal: &Arc<Proposal>) -> bool {
        Arc::ptr_eq(&self.proposal, proposal)
            || (self.proposal.id == proposal.id && self.proposal.changes == proposal.changes)
    }

    /// The rows of its diff.
    pub(super) fn layout(&mut self, sides: bool, columns: usize, wrap: bool) -> Rc<Layout> {
        match &self.layout {
            Some(layout) if layout.is_for(sides, columns, wrap) => layout.clone(),
            Some(_) | None => {
                let layout = Rc::new(Layout::new(&self.files, &self.pieces, sides, columns, wrap));
                self.layout = Some(layout.clone());
                layout
            }
        }
    }

    /// What stands below its diff.
    pub(super) fn tail(&mut self, ground: Ground, make: impl FnOnce(&Self) -> Vec<Spans>) -> Rc<Vec<Spans>> {
        match &self.tail {
            Some((known, tail)) if *known == ground => tail.clone(),
            Some(_) | None => {
                let tail = Rc::new(make(self));
                self.tail = Some((ground, tail.clone()));
                tail
            }
        }
    }

    /// Takes the same proposal in again, which may have got word from a gate.
    pub(super) fn renew(&mut self, proposal: &Arc<Proposal>) {
        if !Arc::ptr_eq(&self.proposal, proposal) {
            self.proposal = proposal.clone();
            self.tail = None;
        }
    }

    /// How many pieces are chosen.
    pub(super) fn chosen(&self) -> usize {
        self.pieces.iter().filter(|piece| piece.chosen).count()
    }

    /// Takes the piece at the cursor apart. False where it is a single line.
    pub(super) fn split(&mut self) -> bool {
        let Some(piece) = self.pieces.get(self.at) else { return false };
        let Some(file) = self.files.get(piece.file) else { return false };
        let finer = split(&file.before, &file.after, &piece.hunk);
        if finer.len() < 2 {
            return false;
        }
        let piece = piece.clone();
        let finer = finer.into_iter().map(|hunk| Piece { hunk, ..piece.clone() });
        self.pieces.splice(self.at..=self.at, finer);
        self.changed();
        true
    }

    /// The text of the file at the cursor as it would become; none where it would be removed.
    pub(super) fn text(&self) -> Option<(&File, &Arc<str>)> {
        let file = self.files.get(self.pieces.get(self.at).map_or(0, |piece| piece.file))?;
        (!file.is_gone || file.edited).then_some((file, file.after.text()))
    }

    /// The text of a file as it would become.
    pub(super) fn text_of(&self, path: &str) -> Option<Arc<str>> {
        let file = self.files.iter().find(|file| file.path == path)?;
        (!file.is_gone || file.edited).then(|| file.after.text().clone())
    }

    /// Whether a row of the diff has some words, which are in lower case.
    pub(super) fn says(&self, row: &Row, needle: &str) -> bool {
        let Some(file) = self.files.get(row.file as usize) else { return false };
        let has = |lines: &Lines, line: u32| line != NONE && lines.get(line as usize).to_lowercase().contains(needle);
        match row.kind {
            Kind::File => file.path.to_lowercase().contains(needle),
            Kind::Gap => false,
            Kind::Same | Kind::Old => has(&file.before, row.old),
            Kind::New => has(&file.after, row.new),
            Kind::Both => has(&file.before, row.old) || has(&file.after, row.new),
        }
    }

    /// Puts a text of the user's own in the place of the proposed one. What the user chose in that file begins anew.
    pub(super) fn edit(&mut self, path: &str, text: &str) {
        let Some(index) = self.files.iter().position(|file| file.path == path) else { return };
        let Some(change) = self.proposal.changes.get(index) else { return };
        let Some(file) = self.files.get_mut(index) else { return };
        file.edited = change.after.as_deref() != Some(text);
        let fresh: Vec<Piece> = if file.edited {
            file.after = Lines::new(&Arc::from(text));
            let found = if file.is_new {
                vec![Hunk { old: 0..0, new: 0..file.after.len() }]
            } else {
                hunks(file.before.text(), text, 1)
            };
            found.into_iter().map(|hunk| Piece { file: index, hunk, of: None, chosen: false }).collect()
        } else {
            file.after = Lines::new(change.after.as_ref().unwrap_or(&Arc::from("")));
            let numbered = file.proposed.iter().zip(file.first..);
            numbered.map(|(hunk, n)| Piece { file: index, hunk: hunk.clone(), of: Some(n), chosen: false }).collect()
        };
        let from = self.pieces.partition_point(|piece| piece.file < index);
        let upto = self.pieces.partition_point(|piece| piece.file <= index);
        self.pieces.splice(from..upto, fresh);
        self.at = from.min(self.pieces.len().saturating_sub(1));
        self.lines =
            self.pieces.iter().fold((0, 0), |sum, piece| (sum.0 + piece.hunk.new.len(), sum.1 + piece.hunk.old.len()));
        self.asks = self
            .files
            .iter()
            .flat_map(|file| {
                let after = (!file.is_gone || file.edited).then(|| &**file.after.text());
                asked(&file.path, (!file.is_new).then(|| &**file.before.text()), after)
            })
            .collect();
        self.changed();
    }

    /// What the pieces that are chosen come to; none where none is.
    ///
    /// Whole hunks as they were proposed go by their numbers. Where one is taken in part, or the text was edited, the exact
    /// text of the file goes along.
    pub(super) fn decision(&self) -> Option<Decision> {
        let mut decision =
            Decision { accept: Vec::new(), reason: String::new(), edited: Vec::new(), by: Author::Human };
        for (index, file) in self.files.iter().enumerate() {
            let pieces = || self.pieces.iter().filter(move |piece| piece.file == index);
            let taken: Vec<Hunk> = pieces().filter(|piece| piece.chosen).map(|piece| piece.hunk.clone()).collect();
            if taken.is_empty() {
                continue;
            }
            let exact = if file.edited {
                let touches = |hunk: &Hunk| {
                    taken.iter().any(|one| one.old.start <= hunk.old.end && hunk.old.start <= one.old.end)
                };
                let numbered = file.proposed.iter().zip(file.first..);
                decision.accept.extend(numbered.filter(|(hunk, _)| touches(hunk)).map(|(_, number)| number));
                true
            } else {
                let touched: Vec<_> =
                    self.by_number(index).into_iter().filter(|(_, (chosen, _))| *chosen > 0).collect();
                decision.accept.extend(touched.iter().map(|(number, _)| number));
                touched.iter().any(|(_, (chosen, all))| chosen < all)
            };
            if exact {
                let text = apply_hunks(file.before.text(), file.after.text(), &taken);
                decision.edited.push((file.path.clone(), Arc::from(text)));
            }
        }
        (!decision.takes_nothing()).then_some(decision)
    }

    /// For each proposed hunk of a file, how many of its pieces are chosen and how many there are.
    fn by_number(&self, file: usize) -> Vec<(usize, (usize, usize))> {
        let mut counted: Vec<(usize, (usize, usize))> = Vec::new();
        for piece in self.pieces.iter().filter(|piece| piece.file == file) {
            let Some(number) = piece.of else { continue };
            if counted.last().is_none_or(|(last, _)| *last != number) {
                counted.push((number, (0, 0)));
            }
            if let Some((_, (chosen, all))) = counted.last_mut() {
                *chosen += usize::from(piece.chosen);
                *all += 1;
            }
        }
        counted
    }

    fn changed(&mut self) {
        (self.layout, self.tail) = (None, None);
        self.words.clear();
    }
}

/// What a program asks for that its present text does not: tools, and sections that it would read or write.
fn asked(path: &str, before: Option<&str>, after: Option<&str>) -> Asks {
    let read = |text: Option<&str>| text.and_then(|text| parse_program(path, text).ok());
    let Some(new) = read(after) else { return Vec::new() };
    let was = read(before).map(|program| program.manifest);
    let mut asks = Vec::new();
    for tool in &new.manifest.tools {
        if was.as_ref().is_none_or(|was| !was.tools.contains(tool)) {
            asks.push(format!("the tool {tool}"));
        }
    }
    for (verb, is, had) in [
        ("to read", &new.manifest.reads, was.as_ref().map(|was| &was.reads)),
        ("to write", &new.manifest.writes, was.as_ref().map(|was| &was.writes)),
    ] {
        for section in is.iter().filter(|section| had.is_none_or(|had| !had.contains(section))) {
            asks.push(format!("{verb} {section}"));
        }
    }
    asks
}
