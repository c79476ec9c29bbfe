//! Markdown of answers and contributions, as rows that fit a width.
//!
//! What programs write is as often mathematics as it is prose, so emphasis counts only where it stands between words:
//! `3*x + 5*y` keeps its asterisks. A line break stays a line break.

use std::ops::Range;

use super::brief;
use super::code::CodeLine;
use super::page::{Page, wrapped};
use super::text;
use super::theme::Role;
use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Most bytes that are read.
const MOST: usize = 64 << 10;
/// Columns that a cell of a table gets at least.
const CELL: usize = 3;

impl Page {
    /// Adds Markdown.
    pub(super) fn markdown(&mut self, words: &str, width: usize) {
        let kept = brief::head(words, MOST);
        let mut writer = Writer::new(self, kept, width.max(4));
        for (event, range) in Parser::new_ext(kept, Options::ENABLE_TABLES).into_offset_iter() {
            writer.event(event, &range);
        }
        writer.flush();
        if kept.len() < words.len() {
            let left = (words.len() - kept.len()).div_ceil(1024);
            self.row(vec![(Role::Quiet, format!("… +{left} kB"))]);
        }
    }
}

/// A list or a quotation that what follows stands in.
struct Inside {
    first: Option<String>,
    rest: String,
    number: Option<u64>,
}

struct Writer<'a> {
    page: &'a mut Page,
    source: &'a str,
    width: usize,
    inside: Vec<Inside>,
    pieces: CodeLine,
    /// Emphasis that is open: what to write back where it is none, and whether it is.
    marks: Vec<Option<String>>,
    bold: usize,
    heading: Option<Role>,
    link: Option<String>,
    code: Option<(String, String)>,
    table: Option<Table>,
    started: bool,
    tight: bool,
}

#[derive(Default)]
struct Table {
    aligned: Vec<Alignment>,
    rows: Vec<Vec<String>>,
}

impl<'a> Writer<'a> {
    fn new(page: &'a mut Page, source: &'a str, width: usize) -> Self {
        Self {
            page,
            source,
            width,
            inside: Vec::new(),
            pieces: Vec::new(),
            marks: Vec::new(),
            bold: 0,
            heading: None,
            link: None,
            code: None,
            table: None,
            started: false,
            tight: false,
        }
    }

    fn event(&mut self, event: Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(words) | Event::Html(words) | Event::InlineHtml(words) => self.words(&words),
            Event::InlineMath(words) | Event::DisplayMath(words) => self.words(&words),
            Event::FootnoteReference(words) => self.words(&words),
            Event::Code(words) => self.piece(Role::CodeString, &words),
            Event::SoftBreak | Event::HardBreak if self.table.is_some() => self.words(" "),
            Event::SoftBreak | Event::HardBreak => self.pieces.push((Role::Text, "\n".to_owned())),
            Event::Rule => {
                self.gap();
                let wide = self.width.saturating_sub(self.indent());
                self.put(vec![(Role::Border, "─".repeat(wide))]);
            }
            Event::TaskListMarker(done) => self.words(if done { "[x] " } else { "[ ] " }),
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: &Range<usize>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.gap(),
            Tag::Heading { level, .. } => {
                self.gap();
                self.heading = Some(if level <= HeadingLevel::H2 { Role::Accent } else { Role::Strong });
            }
            Tag::BlockQuote(_) => {
                self.gap();
                self.inside.push(Inside { first: None, rest: "│ ".to_owned(), number: None });
            }
            Tag::CodeBlock(kind) => {
                self.gap();
                let language = match kind {
                    CodeBlockKind::Fenced(name) => name.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((path_of(&language), String::new()));
            }
            Tag::List(number) => {
                self.flush();
                if self.inside.is_empty() {
                    self.gap();
                }
                self.tight = true;
                self.inside.push(Inside { first: None, rest: String::new(), number });
            }
            Tag::Item => {
                self.flush();
                if let Some(list) = self.inside.last_mut() {
                    let sign = list.number.map_or_else(|| "• ".to_owned(), |number| format!("{number}. "));
                    list.number = list.number.map(|number| number + 1);
                    list.rest = " ".repeat(text::width(&sign));
                    list.first = Some(sign);
                }
            }
            Tag::Emphasis => self.open(range, 1),
            Tag::Strong => self.open(range, 2),
            Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {}
            Tag::Link { dest_url, .. } => self.link = Some(dest_url.into_string()),
            Tag::Image { dest_url, .. } => {
                self.words("image: ");
                self.link = Some(dest_url.into_string());
            }
            Tag::Table(aligned) => {
                self.gap();
                self.table = Some(Table { aligned, rows: Vec::new() });
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.rows.push(Vec::new());
                }
            }
            Tag::TableCell => self.pieces.clear(),
            Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::MetadataBlock(_) => self.gap(),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.flush(),
            TagEnd::Heading(_) => {
                self.flush();
                self.heading = None;
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.inside.pop();
            }
            TagEnd::List(_) => {
                self.flush();
                self.inside.pop();
                self.tight = !self.inside.is_empty();
            }
            TagEnd::Item => {
                self.flush();
                if let Some(list) = self.inside.last_mut() {
                    list.first = None;
                }
            }
            TagEnd::CodeBlock => {
                if let Some((path, code)) = self.code.take() {
                    self.page.code(&path, &code);
                }
            }
            TagEnd::Emphasis => self.close(),
            TagEnd::Strong => self.close(),
            TagEnd::Strikethrough | TagEnd::Superscript | TagEnd::Subscript => {}
            TagEnd::Link | TagEnd::Image => {
                let target = self.link.take().unwrap_or_default();
                if !target.is_empty() && self.pieces.last().is_none_or(|(_, words)| *words != target) {
                    self.piece(Role::Quiet, &format!(" ({target})"));
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.lay(&table);
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => {}
            TagEnd::TableCell => {
                let cell = self.pieces.drain(..).map(|(_, words)| words).collect();
                if let Some(row) = self.table.as_mut().and_then(|table| table.rows.last_mut()) {
                    row.push(cell);
                }
            }
            TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::MetadataBlock(_) => self.flush(),
        }
    }

    /// Emphasis begins, if it stands between words; else its signs are part of the text.
    fn open(&mut self, range: &Range<usize>, signs: usize) {
        let before = self.source.get(..range.start).and_then(|text| text.chars().next_back());
        let after = self.source.get(range.end..).and_then(|text| text.chars().next());
        let free = before.is_none_or(|c| c.is_whitespace() || "([{\"'*_—>|".contains(c))
            && after.is_none_or(|c| c.is_whitespace() || ")]}\"'*_—.,;:!?|".contains(c));
        if free {
            self.bold += 1;
            self.marks.push(None);
        } else {
            let sign = self.source.get(range.start..range.start + signs).unwrap_or("*").to_owned();
            self.words(&sign);
            self.marks.push(Some(sign));
        }
    }

    fn close(&mut self) {
        match self.marks.pop() {
            Some(Some(sign)) => self.words(&sign),
            Some(None) => self.bold = self.bold.saturating_sub(1),
            None => {}
        }
    }

    fn words(&mut self, words: &str) {
        if let Some((_, code)) = &mut self.code {
            code.push_str(words);
            return;
        }
        let role = match self.heading {
            Some(role) => role,
            None if self.bold > 0 => Role::Strong,
            None => Role::Text,
        };
        for (index, line) in words.split('\n').enumerate() {
            if index > 0 {
                self.pieces.push((role, "\n".to_owned()));
            }
            self.piece(role, line);
        }
    }

    fn piece(&mut self, role: Role, words: &str) {
        if !words.is_empty() {
            self.pieces.push((role, text::clean(words).into_owned()));
        }
    }

    /// Columns that quotations and lists take; deep ones are not followed further than the middle.
    fn indent(&self) -> usize {
        let all: usize = self.inside.iter().map(|inside| text::width(&inside.rest)).sum();
        if all > self.width / 2 { 0 } else { all }
    }

    /// An empty row before the next block, where something stands before it.
    fn gap(&mut self) {
        self.flush();
        let within = self.inside.iter().any(|inside| inside.first.is_some());
        let first = !std::mem::replace(&mut self.started, true);
        if !first && !self.page.is_apart() && !self.tight && !within {
            self.page.blank();
        }
    }

    fn put(&mut self, pieces: CodeLine) {
        let mut line: CodeLine = Vec::new();
        if self.indent() > 0 {
            for inside in &mut self.inside {
                let sign = inside.first.take().unwrap_or_else(|| inside.rest.clone());
                line.push((Role::Quiet, sign));
            }
        }
        line.extend(pieces);
        self.page.row(line);
    }

    /// Writes the pieces that wait, wrapped.
    fn flush(&mut self) {
        let pieces = std::mem::take(&mut self.pieces);
        let columns = self.width.saturating_sub(self.indent()).max(2);
        for line in pieces.split(|(_, words)| words == "\n") {
            if !line.is_empty() {
                for row in wrapped(line, columns) {
                    self.put(row);
                }
            }
        }
    }

    fn lay(&mut self, table: &Table) {
        let count = table.rows.iter().map(Vec::len).max().unwrap_or(0).min(self.width / (CELL + 2) + 1);
        let widest = |column: usize| {
            table.rows.iter().filter_map(|row| row.get(column)).map(|cell| text::width(cell)).max().unwrap_or(0)
        };
        let mut columns: Vec<usize> = (0..count).map(widest).collect();
        let room = self.width.saturating_sub(self.indent() + 2 * count.saturating_sub(1));
        while columns.iter().sum::<usize>() > room {
            let Some(most) = columns.iter_mut().max().filter(|most| **most > CELL) else { break };
            *most -= 1;
        }
        for (index, row) in table.rows.iter().enumerate() {
            let role = if index == 0 { Role::Strong } else { Role::Text };
            let cells = columns.iter().enumerate().map(|(column, wide)| {
                let cell = text::fit(row.get(column).map_or("", String::as_str), *wide);
                let space = wide.saturating_sub(text::width(&cell));
                let left = match table.aligned.get(column) {
                    Some(Alignment::Right) => space,
                    Some(Alignment::Center) => space / 2,
                    Some(Alignment::Left | Alignment::None) | None => 0,
                };
                format!("{}{cell}{}", " ".repeat(left), " ".repeat(space - left))
            });
            let line = cells.collect::<Vec<_>>().join("  ");
            self.put(vec![(role, line)]);
            if index == 0 {
                let line: Vec<String> = columns.iter().map(|wide| "─".repeat(*wide)).collect();
                self.put(vec![(Role::Border, line.join("  "))]);
            }
        }
    }
}

/// A path that says which language a block of code is in.
fn path_of(language: &str) -> String {
    let name: CowStr<'_> = language.split([' ', ',']).next().unwrap_or_default().into();
    let ending = match &*name {
        "python" | "py" | "python3" => "py",
        "rust" => "rs",
        "markdown" => "md",
        "" => "txt",
        other if other.len() < 12 && other.chars().all(|c| c.is_ascii_alphanumeric()) => other,
        _ => "txt",
    };
    format!("block.{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(words: &str, width: usize) -> Vec<String> {
        let mut page = Page::default();
        page.markdown(words, width);
        page.text()
    }

    #[test]
    fn mathematics_keeps_its_signs() {
        for line in
            ["3*x + 5*y = 2*z", "(a)*(b)*(c)", "x_1 + x_2", "2 * 3 * 4", "a**2 + b**2", "x < 3 and y > 2", "|x| = 3"]
        {
            assert_eq!(rows(line, 60), [line]);
        }
        assert_eq!(rows("a *word* and **two** here", 60), ["a word and two here"]);
    }

    #[test]
    fn blocks_are_set_apart() {
        let text = "# Plan\nfirst\nsecond\n\n- one\n- two\n  more\n\n1. a\n2. b\n\n> said\n\n```py\nx = 1\n```\nend";
        let expected = [
            "Plan", "", "first", "second", "", "• one", "• two", "  more", "", "1. a", "2. b", "", "│ said", "",
            "x = 1", "", "end",
        ];
        assert_eq!(rows(text, 40), expected);
    }

    #[test]
    fn lines_break_at_words_and_lists_hang() {
        assert_eq!(rows("- one two three", 9), ["• one two", "  three"]);
        assert_eq!(rows("**bold words** and plain", 10), ["bold words", "and plain"]);
        assert_eq!(rows("[here](http://x.y) it is", 40), ["here (http://x.y) it is"]);
    }

    #[test]
    fn tables_are_aligned_and_fit() {
        let text = "|name|value|\n|:--|--:|\n|x|1|\n|longer|漢字|";
        assert_eq!(rows(text, 40), ["name    value", "──────  ─────", "x           1", "longer   漢字"]);
        assert_eq!(rows(text, 9), ["name  va…", "────  ───", "x       1", "lon…  漢…"]);
    }

    #[test]
    fn text_of_any_sort_and_size_fits_its_width() {
        let hostile = "\x1b[2J *a\u{202e}b* 👨‍👩‍👧 [漢](字)\n> > > - 1. deep\n\n|a|b|\n|-|-|\n|漢字漢字|👍🏽|\n\n```\n\x1b]0;x\x07\n```\n";
        let long = "word ".repeat(20_000);
        for width in 0..40 {
            let mut page = Page::default();
            page.markdown(hostile, width);
            for line in page.text() {
                assert!(!line.contains('\x1b') && !line.contains('\u{202e}'), "{line:?}");
                assert!(width < 16 || text::width(&line) <= width, "{line:?} in {width}");
            }
        }
        assert_eq!(rows(&long, 80).last().map(String::as_str), Some("… +34 kB"));
    }
}
