//! Everything about one program, a page at a time.

mod changes;
mod group;
mod last_run;
mod program;
mod source;
mod why;

use std::cell::RefCell;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::marks::Marks;
use super::memo::Memo;
use crate::model::ProgramName;
use crate::tui::paint;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;

pub(super) use changes::{Changed, changed};

/// Columns of the labels of a page.
const LABEL: usize = 9;

/// A page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Page {
    /// What it is.
    #[default]
    Program,
    /// Who runs next and why, and why it ran.
    Why,
    /// Its prompt or code.
    Text,
    /// What it did when it last ran.
    LastRun,
    /// How it changed since the session began.
    Changes,
}

impl Page {
    /// All pages, in order.
    pub(super) const ALL: [Self; 5] = [Self::Program, Self::Why, Self::Text, Self::LastRun, Self::Changes];

    /// Its title.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Why => "why",
            Self::Text => "text",
            Self::LastRun => "last run",
            Self::Changes => "changes",
        }
    }

    /// The page after it; after the last comes the first.
    pub(super) fn next(self) -> Self {
        let at = Self::ALL.iter().position(|page| *page == self).unwrap_or(0);
        Self::ALL.get(at + 1).copied().unwrap_or_default()
    }
}

/// What is inspected.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Subject {
    /// One program.
    Program(ProgramName),
    /// A group: its name, clean, and its members.
    Group(String, Vec<ProgramName>),
    /// Nothing: the network has no programs.
    Nothing,
}

/// An open inspector.
pub(super) struct Inspector<'a> {
    /// What is inspected.
    pub(super) subject: &'a Subject,
    /// Which page.
    pub(super) page: Page,
    /// The first line shown.
    pub(super) scroll: usize,
    /// What is known about programs.
    pub(super) marks: &'a Marks,
    /// What was worked out before.
    pub(super) memo: &'a RefCell<Memo>,
}

/// The lines of a page: all of them, or a text of which rows are made when they are shown.
enum Rows {
    Lines(Vec<Line<'static>>),
    Text(usize),
}

impl Inspector<'_> {
    /// Draws title and page.
    pub(super) fn draw(&self, scene: &Scene<'_>, buf: &mut Buffer, area: Rect) {
        self.draw_title(scene, buf, area);
        let body = Rect { y: area.y.saturating_add(1), height: area.height.saturating_sub(1), ..area };
        if body.is_empty() {
            return;
        }
        let wide = usize::from(body.width.saturating_sub(1));
        let rows = self.rows(scene, wide);
        let len = match &rows {
            Rows::Lines(lines) => lines.len(),
            Rows::Text(len) => *len,
        };
        let top = self.scroll.min(len.saturating_sub(usize::from(body.height)));
        let shown = top..len.min(top + usize::from(body.height));
        let lines = match rows {
            Rows::Lines(lines) => lines.into_iter().skip(top).take(shown.len()).collect(),
            Rows::Text(_) => {
                self.program(scene).map(|one| source::lines(scene, one, shown.clone(), wide)).unwrap_or_default()
            }
        };
        for (row, line) in (0..body.height).zip(lines) {
            paint::line(buf, body, row, line);
        }
        paint::scroll_mark(scene, buf, body, &shown, len);
    }

    /// Lines of the page in so many columns.
    pub(super) fn len(&self, scene: &Scene<'_>, width: u16) -> usize {
        match self.rows(scene, usize::from(width.saturating_sub(1))) {
            Rows::Lines(lines) => lines.len(),
            Rows::Text(len) => len,
        }
    }

    fn program<'s>(&self, scene: &Scene<'s>) -> Option<&'s crate::model::Program> {
        match self.subject {
            Subject::Program(name) => {
                scene.network.program(name).or_else(|| scene.first_network.program(name)).map(AsRef::as_ref)
            }
            Subject::Group(..) | Subject::Nothing => None,
        }
    }

    fn rows(&self, scene: &Scene<'_>, width: usize) -> Rows {
        let note = |words: &str| Rows::Lines(wrapped(scene, Role::Quiet, words, width));
        let name = match self.subject {
            Subject::Program(name) => name,
            Subject::Group(_, members) => return Rows::Lines(group::lines(scene, members, self.marks, width)),
            Subject::Nothing => return note("this network has no programs"),
        };
        let Some(program) = self.program(scene) else {
            return note("it came and was removed while this session ran; nothing else is known of it");
        };
        match self.page {
            Page::Program => Rows::Lines(program::lines(scene, program, self.marks, width)),
            Page::Why => Rows::Lines(why::lines(scene, name, width)),
            Page::Text => Rows::Text(program.source.lines().count()),
            Page::LastRun => Rows::Lines(last_run::lines(scene, name, width)),
            Page::Changes => Rows::Lines(changes::lines(scene, name, self.memo, width)),
        }
    }

    fn draw_title(&self, scene: &Scene<'_>, buf: &mut Buffer, area: Rect) {
        let bar = scene.glyphs.lines[0];
        let name = match self.subject {
            Subject::Program(name) => text::clean(name.as_str()).into_owned(),
            Subject::Group(name, _) => name.clone(),
            Subject::Nothing => String::new(),
        };
        let wide = usize::from(area.width);
        let name = text::fit(&name, wide.saturating_sub(18).max(6)).into_owned();
        let mut spans = vec![Span::styled(format!("{bar} "), scene.style(Role::Border))];
        spans.push(scene.span(Role::Accent, name));
        spans.push(Span::styled(format!(" {bar}"), scene.style(Role::Border)));
        let used: usize = spans.iter().map(|span| text::width(&span.content)).sum();
        let tabs: usize = Page::ALL.iter().map(|page| page.title().len() + 2).sum();
        if matches!(self.subject, Subject::Program(_)) {
            if used + tabs + 3 <= wide {
                for page in Page::ALL {
                    spans.push(Span::raw(" "));
                    spans.push(if page == self.page {
                        Span::styled(
                            page.title(),
                            scene.style(Role::Strong).add_modifier(ratatui::style::Modifier::UNDERLINED),
                        )
                    } else {
                        scene.span(Role::Quiet, page.title())
                    });
                    spans.push(Span::raw(" "));
                }
            } else {
                let at = Page::ALL.iter().position(|page| *page == self.page).unwrap_or(0) + 1;
                let words = format!(" {} {at}/{} ", self.page.title(), Page::ALL.len());
                spans.push(scene.span(Role::Strong, words));
            }
        } else {
            spans.push(scene.span(Role::Quiet, " group "));
        }
        let used: usize = spans.iter().map(|span| text::width(&span.content)).sum();
        spans.push(Span::styled(bar.repeat(wide.saturating_sub(used)), scene.style(Role::Border)));
        paint::line(buf, area, 0, Line::from(spans));
    }
}

/// Clean text in lines of so many columns, broken at spaces only; what is wider than a line is broken anywhere.
fn broken(words: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if text::width(line) + 1 + text::width(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None if text::width(word) <= width => lines.push(word.to_owned()),
            Some(_) | None => lines.extend(text::wrap(word, width)),
        }
    }
    lines
}

/// The first lines of them; more are left out with a sign.
fn capped(scene: &Scene<'_>, mut lines: Vec<Line<'static>>, most: usize) -> Vec<Line<'static>> {
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            last.push_span(scene.span(Role::Quiet, format!(" {}", scene.glyphs.more)));
        }
    }
    lines
}

/// Clean text in lines.
fn wrapped(scene: &Scene<'_>, role: Role, words: &str, width: usize) -> Vec<Line<'static>> {
    broken(words, width).into_iter().map(|line| Line::from(scene.span(role, line))).collect()
}

/// A label, and clean text beside it.
fn labelled(scene: &Scene<'_>, label: &str, role: Role, words: &str, width: usize) -> Vec<Line<'static>> {
    let lines = broken(words, width.saturating_sub(LABEL + 1).max(8));
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    lines
        .into_iter()
        .zip(labels)
        .map(|(line, label)| {
            Line::from(vec![scene.span(Role::Quiet, format!("{} ", text::pad(label, LABEL))), scene.span(role, line)])
        })
        .collect()
}

/// A title within a page.
fn title(scene: &Scene<'_>, words: &str) -> Line<'static> {
    Line::from(scene.span(Role::Strong, words.to_owned()))
}
