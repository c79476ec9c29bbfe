//! The review queue: what was proposed, why, and what becomes of it. Only here is anything decided, hunk by hunk.

mod arming;
mod deciding;
mod diff;
mod empty;
mod layout;
mod list;
mod review;
mod split;
mod story;
#[cfg(test)]
mod tests;
mod words;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use self::arming::Arming;
use self::diff::{Drawing, Geometry};
use self::layout::Layout;
use self::list::{Counts, Entry, listed};
use self::review::Review;
use self::story::{Ground, Spans};
use crate::model::{Proposal, ProposalId, ProposalStatus, hunk_lines};
use crate::tui::action::{Action, Room};
use crate::tui::paint;
use crate::tui::pane::{Effect, Heading, Pane, Purpose, Tone};
use crate::tui::scene::Scene;

/// Columns from which old and new stand beside each other.
const SIDES: u16 = 120;
/// Rows below which only what it does and why stands above the diff.
const SMALL: u16 = 16;
/// What a frame may spend on finding changed words. Tests look at the result and not at the time.
const PATIENCE: Duration = Duration::from_millis(if cfg!(test) { 9_000 } else { 5 });
/// Most reviews whose choices are remembered.
const MOST_REVIEWS: usize = 16;

/// The pane.
pub(in crate::tui) struct Edits {
    /// Reviews begun, the last one last.
    reviews: RefCell<Vec<Review>>,
    counts: RefCell<Counts>,
    arming: RefCell<Arming>,
    /// Whether old and new stand beside each other; none where the width decides.
    sides: Option<bool>,
    wrap: bool,
    /// Whether decided proposals are listed.
    history: bool,
    /// Whether the proposal has the pane for itself.
    whole: bool,
    /// What is looked for, and the line of the diff where it was found.
    needle: String,
    found: Option<usize>,
    /// What a frame may spend on finding changed words.
    patience: Duration,
}

impl Default for Edits {
    fn default() -> Self {
        Self {
            reviews: RefCell::default(),
            counts: RefCell::default(),
            arming: RefCell::default(),
            sides: None,
            wrap: true,
            history: false,
            whole: false,
            needle: String::new(),
            found: None,
            patience: PATIENCE,
        }
    }
}

/// The page of a proposal: the list, what stands above the diff, the diff, what stands below it.
struct Page {
    list: Vec<(Spans, Option<ProposalId>)>,
    head: Vec<Spans>,
    tail: Rc<Vec<Spans>>,
    geometry: Geometry,
    layout: Rc<Layout>,
}

impl Page {
    /// The row at which the diff begins.
    fn diff(&self) -> usize {
        self.list.len() + self.head.len()
    }

    fn height(&self) -> usize {
        self.diff() + self.layout.height() + self.tail.len()
    }

    /// The last row that may be the first one shown.
    fn lowest(&self, area: Rect) -> usize {
        self.height().saturating_sub(usize::from(area.height))
    }

    /// The first row shown.
    fn top(&self, review: &Review, area: Rect) -> usize {
        review.top.map_or(0, |top| self.diff().saturating_add_signed(top)).min(self.lowest(area))
    }

    /// Scrolls to a row; gives the one that is the first shown then.
    fn scroll_to(&self, review: &mut Review, row: usize, area: Rect) -> usize {
        let row = row.min(self.lowest(area));
        review.top = (row > 0).then(|| row.cast_signed() - self.diff().cast_signed());
        row
    }
}

impl Edits {
    /// Says that the pane got the focus: keys that decide sleep for a moment.
    pub(in crate::tui) fn focused(&mut self, now: u64) {
        self.arming.borrow_mut().disturbed(now);
    }

    /// The proposal that is looked at: the one that is selected, or else the first that waits.
    fn selected<'s>(&self, scene: &Scene<'s>) -> Option<&'s Entry> {
        let chosen = scene.chosen.proposal.as_ref().and_then(|id| scene.queue.get(id));
        let all = || scene.queue.all().iter();
        let waits = || all().find(|(_, status)| *status == ProposalStatus::Open);
        chosen.or_else(waits).or_else(|| all().next_back().filter(|_| self.history))
    }

    /// Works on the review of the proposal that is looked at.
    fn with<T>(&self, scene: &Scene<'_>, work: impl FnOnce(&mut Review, &ProposalStatus) -> T) -> Option<T> {
        let (proposal, status) = self.selected(scene)?;
        let mut reviews = self.reviews.borrow_mut();
        Some(work(open(&mut reviews, proposal)?, status))
    }

    fn page(&self, scene: &Scene<'_>, review: &mut Review, status: &ProposalStatus, area: Rect) -> Page {
        // The last column is for the mark that says how far one has scrolled.
        let width = usize::from(area.width.saturating_sub(1));
        let longest = review.files.iter().map(|file| file.before.len().max(file.after.len())).max().unwrap_or(0);
        let sides = self.sides.unwrap_or(area.width >= SIDES);
        let geometry = Geometry::new(width, longest, sides);
        let small = area.height < SMALL;
        let id = &review.proposal.id;
        let list = match self.whole {
            true => Vec::new(),
            false => list::rows(scene, &mut self.counts.borrow_mut(), id, self.history, width, area.height),
        };
        let moved = moved(scene, &review.proposal).filter(|_| *status == ProposalStatus::Open);
        let head = story::head(scene, review, status, moved, width, small);
        let tail = review.tail(Ground::of(scene, width), |review| story::tail(scene, review, width));
        let layout = review.layout(sides, geometry.columns, self.wrap);
        Page { list, head, tail, geometry, layout }
    }

    /// Scrolls; `to` says where to, from the row at the top and how many rows a page has.
    fn scroll(&self, scene: &Scene<'_>, area: Rect, to: impl FnOnce(usize, usize) -> usize) {
        self.with(scene, |review, status| {
            let page = self.page(scene, review, status, area);
            let step = usize::from(area.height.saturating_sub(2)).max(1);
            let top = page.scroll_to(review, to(page.top(review, area), step), area);
            // The cursor stays where one looks.
            let shown = top..top + usize::from(area.height);
            let seen = |piece: usize| {
                let rows = page.layout.piece(piece);
                rows.start + page.diff() < shown.end && rows.end + page.diff() > shown.start
            };
            if !seen(review.at) {
                let first = page.layout.piece_at(top.saturating_sub(page.diff()));
                if first < review.pieces.len() && seen(first) {
                    review.at = first;
                }
            }
        });
    }

    /// Goes to a piece, and shows it with what stands around it.
    fn go(&self, scene: &Scene<'_>, area: Rect, to: impl FnOnce(&Review) -> usize) {
        self.with(scene, |review, status| {
            let page = self.page(scene, review, status, area);
            review.at = to(review).min(review.pieces.len().saturating_sub(1));
            let rows = page.layout.piece(review.at);
            reveal(review, &page, rows, area);
        });
    }

    fn neighbour(&self, scene: &Scene<'_>, on: bool) -> Vec<Effect> {
        let Some((proposal, _)) = self.selected(scene) else { return Vec::new() };
        let is_here = |entry: &&Entry| entry.0.id != proposal.id;
        let all = || listed(scene.queue, Some(&proposal.id), self.history);
        let next = match on {
            true => all().skip_while(is_here).nth(1),
            false => all().rev().skip_while(is_here).nth(1),
        };
        match next {
            Some((next, _)) => vec![Effect::Proposal(next.id.clone())],
            None => vec![Effect::Say(Tone::Plain, "no other proposal there".to_owned())],
        }
    }

    fn find(&mut self, scene: &Scene<'_>, area: Rect, on: bool) -> Vec<Effect> {
        let (needle, from) = (self.needle.to_lowercase(), self.found);
        if needle.is_empty() {
            return vec![Effect::Say(Tone::Plain, "nothing is looked for yet".to_owned())];
        }
        let found = self.with(scene, |review, status| {
            let page = self.page(scene, review, status, area);
            let hit = |line: usize| {
                let row = page.layout.rows_from(line).next().map(|(_, row)| *row);
                row.is_some_and(|row| review.says(&row, &needle))
            };
            let lines = || page.layout.rows().map(|(line, _)| line);
            let found = match (on, from) {
                (true, Some(from)) => {
                    lines().find(|line| *line > from && hit(*line)).or_else(|| lines().find(|l| hit(*l)))
                }
                (false, Some(from)) => {
                    lines().rev().find(|line| *line < from && hit(*line)).or_else(|| lines().rev().find(|l| hit(*l)))
                }
                (_, None) => lines().find(|line| hit(*line)),
            };
            if let Some(line) = found {
                let piece = page.layout.piece_at(line);
                review.at = piece.min(review.pieces.len().saturating_sub(1));
                reveal(review, &page, line..line + 1, area);
            }
            found
        });
        self.found = found.flatten();
        match self.found {
            Some(_) => Vec::new(),
            None => vec![Effect::Say(Tone::Bad, "the change does not say that".to_owned())],
        }
    }

    fn toggle(&mut self, scene: &Scene<'_>, all: bool) -> Vec<Effect> {
        self.with(scene, |review, status| {
            if *status != ProposalStatus::Open {
                return vec![deciding::decided_before()];
            }
            let every = review.chosen() == review.pieces.len();
            if all {
                review.pieces.iter_mut().for_each(|piece| piece.chosen = !every);
            } else if let Some(piece) = review.pieces.get_mut(review.at) {
                piece.chosen = !piece.chosen;
            }
            Vec::new()
        })
        .unwrap_or_default()
    }

    fn split(&mut self, scene: &Scene<'_>, area: Rect) -> Vec<Effect> {
        let done = self.with(scene, |review, _| review.split());
        self.go(scene, area, |review| review.at);
        match done {
            Some(false) => vec![Effect::Say(Tone::Plain, "this is a single line already".to_owned())],
            Some(true) | None => Vec::new(),
        }
    }

    fn sides(&mut self, area: Rect) {
        self.sides = Some(!self.sides.unwrap_or(area.width >= SIDES));
    }
}

impl Pane for Edits {
    fn heading(&self, scene: &Scene<'_>) -> Heading {
        let waiting = scene.queue.waiting();
        let left = match waiting {
            0 => String::new(),
            1 => "1 waits".to_owned(),
            many => format!("{many} wait"),
        };
        let right = self.with(scene, |review, status| match status {
            ProposalStatus::Open => {
                let (at, all) = (review.at + 1, review.pieces.len());
                format!("hunk {}/{all} · {} chosen", at.min(all), review.chosen())
            }
            ProposalStatus::Accepted(_) => "accepted".to_owned(),
            ProposalStatus::Rejected(_) => "rejected".to_owned(),
        });
        Heading { left, right: right.unwrap_or_default() }
    }

    fn draw(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        self.arming.borrow_mut().look(scene, self.selected(scene));
        if area.is_empty() {
            return;
        }
        let drawn = self.with(scene, |review, status| {
            let page = self.page(scene, review, status, area);
            let top = page.top(review, area);
            let list: Vec<Spans> = page.list.iter().map(|(row, _)| row.clone()).collect();
            let text = Rect { width: area.width.saturating_sub(1), ..area };
            let row = story::draw(buf, text, 0, &list, top);
            let row = story::draw(buf, text, row, &page.head, top.saturating_sub(list.len()));
            let from = top.saturating_sub(page.diff());
            let (geometry, wrap, deadline) = (page.geometry, self.wrap, Instant::now() + self.patience);
            let mut drawing = Drawing { scene, geometry, wrap, review, deadline, fresh: true, visible: 0..0 };
            drawing.draw(buf, text, row, from);
            let end = page.diff() + page.layout.height();
            let row = usize::from(row).max(end.saturating_sub(top));
            let row = u16::try_from(row).unwrap_or(u16::MAX);
            story::draw(buf, text, row, &page.tail, top.saturating_sub(end));
            let shown = top..(top + usize::from(area.height)).min(page.height());
            paint::scroll_mark(scene, buf, area, &shown, page.height());
        });
        if drawn.is_none() {
            empty::draw(scene, area, buf);
        }
    }

    fn act(&mut self, action: Action, scene: &Scene<'_>, area: Rect) -> Vec<Effect> {
        self.arming.borrow_mut().look(scene, self.selected(scene));
        match action {
            Action::HunkToggle => return self.toggle(scene, false),
            Action::HunkAll => return self.toggle(scene, true),
            Action::HunkSplit => return self.split(scene, area),
            Action::HunkApply => return self.apply(scene),
            Action::EditReject => return self.reject(scene),
            Action::EditText => return self.edit(scene),
            Action::EditUndo => return vec![Effect::Undo],
            Action::EditNext => return self.neighbour(scene, true),
            Action::EditBack => return self.neighbour(scene, false),
            Action::HunkNext => self.go(scene, area, |review| review.at + 1),
            Action::HunkBack => self.go(scene, area, |review| review.at.saturating_sub(1)),
            Action::EditOpen | Action::Open => self.whole = !self.whole,
            Action::EditSides => self.sides(area),
            Action::EditWrap => self.wrap = !self.wrap,
            Action::EditHistory => self.history = !self.history,
            Action::Find => {
                let purpose = Purpose::Find(Room::Edits);
                return vec![Effect::Ask {
                    purpose,
                    title: "Find in the change".to_owned(),
                    text: self.needle.clone(),
                }];
            }
            Action::FindNext => return self.find(scene, area, true),
            Action::FindBack => return self.find(scene, area, false),
            Action::Up => self.scroll(scene, area, |top, _| top.saturating_sub(1)),
            Action::Down => self.scroll(scene, area, |top, _| top + 1),
            Action::PageUp => self.scroll(scene, area, usize::saturating_sub),
            Action::PageDown => self.scroll(scene, area, |top, step| top + step),
            Action::Top => self.scroll(scene, area, |_, _| 0),
            Action::Bottom => self.scroll(scene, area, |_, _| usize::MAX),
            // All others belong to other panes, or to the app.
            _ => {}
        }
        Vec::new()
    }

    fn told(&mut self, purpose: &Purpose, text: &str, scene: &Scene<'_>) -> Vec<Effect> {
        match purpose {
            Purpose::Find(Room::Edits) => {
                self.needle = text.to_owned();
                self.found = None;
                // How much is visible is not known here; what was found is shown near the top.
                self.find(scene, Rect::new(0, 0, 80, 12), true)
            }
            Purpose::Reject(id) => self.rejected(id, text, scene),
            Purpose::Proposed(id, path) => self.edited(id, path, text, scene),
            Purpose::Find(_)
            | Purpose::Note
            | Purpose::Watch
            | Purpose::Break
            | Purpose::Server
            | Purpose::Entry(_)
            | Purpose::Program(_) => Vec::new(),
        }
    }

    fn click(&mut self, at: Position, scene: &Scene<'_>, area: Rect) -> Vec<Effect> {
        let row = usize::from(at.y.saturating_sub(area.y));
        let in_gutter = |page: &Page| usize::from(at.x.saturating_sub(area.x)) < page.geometry.gutter;
        let effect = self.with(scene, |review, status| {
            let page = self.page(scene, review, status, area);
            let line = row + page.top(review, area);
            if let Some((_, id)) = page.list.get(line) {
                return id.clone().map(Effect::Proposal);
            }
            let line = line.checked_sub(page.diff()).filter(|line| *line < page.layout.height())?;
            let piece = page.layout.piece_at(line);
            if page.layout.piece(piece).contains(&line) {
                let again = review.at == piece;
                review.at = piece;
                let open = *status == ProposalStatus::Open;
                if let Some(piece) = review.pieces.get_mut(piece).filter(|_| again && open && in_gutter(&page)) {
                    piece.chosen = !piece.chosen;
                }
            }
            None
        });
        effect.flatten().into_iter().collect()
    }

    fn hints(&self, scene: &Scene<'_>) -> Vec<Action> {
        use Action::{
            EditHistory, EditNext, EditReject, EditSides, EditText, EditUndo, EditWrap, HunkAll, HunkApply, HunkNext,
            HunkSplit, HunkToggle,
        };
        let others = scene.queue.waiting() > 1;
        let hints = self.with(scene, |review, status| {
            let open = *status == ProposalStatus::Open;
            let can = moved(scene, &review.proposal).is_none();
            let many = review.pieces.len() > 1;
            let wanted = [
                (HunkApply, open && can && review.chosen() > 0),
                (HunkToggle, open && can),
                (HunkNext, many),
                (HunkAll, open && can && many),
                (EditReject, open),
                (EditText, open && can),
                (HunkSplit, open && can),
                (EditUndo, !open),
                (EditNext, others || self.history),
                (EditSides, true),
                (EditWrap, true),
                (EditHistory, true),
            ];
            wanted.into_iter().filter(|(_, possible)| *possible).map(|(action, _)| action).collect()
        });
        let decided = scene.queue.all().iter().any(|(_, status)| *status != ProposalStatus::Open);
        hints.unwrap_or_else(|| if decided { vec![EditHistory, EditUndo] } else { Vec::new() })
    }

    fn copied(&self, scene: &Scene<'_>) -> Option<String> {
        self.with(scene, |review, _| {
            let piece = review.pieces.get(review.at)?;
            let file = review.files.get(piece.file)?;
            let lines = hunk_lines(file.before.text(), file.after.text(), &piece.hunk);
            Some(lines.iter().map(|(tag, line)| format!("{tag}{line}\n")).collect())
        })?
    }
}

/// Scrolls so that some lines of the diff are shown, with a third of the page before them.
fn reveal(review: &mut Review, page: &Page, lines: std::ops::Range<usize>, area: Rect) {
    let height = usize::from(area.height);
    let (start, end) = (page.diff() + lines.start, page.diff() + lines.end);
    let top = page.top(review, area);
    let room = (end - start).min(height);
    if start < top || start + room > top + height || start >= top + height {
        page.scroll_to(review, start.saturating_sub(height / 3), area);
    }
}

/// The review of a proposal; begun where there is none.
fn open<'r>(reviews: &'r mut Vec<Review>, proposal: &Arc<Proposal>) -> Option<&'r mut Review> {
    match reviews.iter().rposition(|review| review.is_of(proposal)) {
        Some(at) if at + 1 == reviews.len() => {}
        Some(at) => {
            let review = reviews.remove(at);
            reviews.push(review);
        }
        None => {
            reviews.retain(|review| review.proposal.id != proposal.id);
            if reviews.len() >= MOST_REVIEWS {
                reviews.remove(0);
            }
            reviews.push(Review::new(proposal.clone()));
        }
    }
    let review = reviews.last_mut()?;
    review.renew(proposal);
    Some(review)
}

/// The file that has changed since a proposal was made, where there is one.
fn moved<'p>(scene: &Scene<'_>, proposal: &'p Proposal) -> Option<&'p str> {
    let network = scene.live.network(scene.now);
    let changed = |path: &str, before: Option<&str>| {
        let now = network.programs.values().find(|program| program.path == *path);
        now.is_some_and(|program| before != Some(&*program.source))
    };
    let moved = proposal.changes.iter().find(|change| changed(&change.path, change.before.as_deref()));
    moved.map(|change| change.path.as_str())
}
