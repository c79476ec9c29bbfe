//! One item drawn: as a chip of one line, or as a box.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::marks::{Mark, Sign, Since};
use super::sketch::Item;
use super::words::one_line;
use crate::tui::paint;
use crate::tui::scene::Scene;
use crate::tui::text;
use crate::tui::theme::Role;

/// What is drawn of an item.
pub(super) struct Chip<'a> {
    /// The item.
    pub(super) item: &'a Item,
    /// What is known about it.
    pub(super) mark: Mark,
    /// Whether it is selected.
    pub(super) selected: bool,
    /// The member of a group that is worth naming.
    pub(super) member: Option<String>,
    /// Clean names of items that it leads back to.
    pub(super) back: Vec<String>,
    /// What flows between it and the selected program, where that is shown instead.
    pub(super) flow: Option<Vec<String>>,
    /// Whether it stands apart from what is looked at.
    pub(super) faded: bool,
}

impl Chip<'_> {
    /// Columns before its name, a space included.
    pub(super) fn lead(&self) -> i32 {
        if self.mark.sign == Sign::Idle { 1 } else { 3 }
    }

    /// One line in at most so many columns, with a space before and after.
    pub(super) fn line(&self, scene: &Scene<'_>, room: usize) -> Line<'_> {
        let mut spans = vec![Span::raw(" ")];
        if self.mark.sign != Sign::Idle {
            spans.extend([self.sign(scene), Span::raw(" ")]);
        }
        spans.push(Span::styled(self.item.label.as_str(), self.name_style(scene)));
        let mut left = room.saturating_sub(2 + text::width(&self.item.label));
        for (words, role) in self.extras(scene, left, false) {
            let wide = text::width(&words) + 1;
            if wide <= left {
                left -= wide;
                spans.push(Span::raw(" "));
                spans.push(scene.span(role, words));
            }
        }
        if self.flow.is_none() {
            self.back_names(scene, left, &mut spans);
        }
        spans.push(Span::raw(" "));
        Line::from(spans)
    }

    /// Draws what stands inside a box, and its title on the border.
    pub(super) fn draw_box(&self, scene: &Scene<'_>, buf: &mut Buffer, area: Rect) {
        let title = Rect { x: area.x.saturating_add(1), width: area.width.saturating_sub(2), height: 1, ..area };
        let inner = Rect {
            x: area.x.saturating_add(2),
            y: area.y.saturating_add(1),
            width: area.width.saturating_sub(4),
            height: area.height.saturating_sub(2),
        };
        let mut spans = vec![Span::raw(" ")];
        if self.mark.sign != Sign::Idle {
            spans.extend([self.sign(scene), Span::raw(" ")]);
        }
        let sign = if self.mark.sign == Sign::Idle { 0 } else { 2 };
        let room = usize::from(title.width).saturating_sub(2 + sign);
        spans.push(Span::styled(text::fit(&self.item.label, room), self.name_style(scene)));
        spans.push(Span::raw(" "));
        paint::line(buf, title, 0, Line::from(spans));
        if let Some(flow) = &self.flow {
            for (row, words) in (0..inner.height).zip(flow) {
                paint::text(buf, inner, row, words, scene.style(Role::Accent));
            }
            return;
        }
        let mut first: Vec<Span<'_>> = Vec::new();
        let mut left = usize::from(inner.width);
        for (words, role) in self.extras(scene, left + 1, inner.height > 1) {
            let wide = text::width(&words) + usize::from(!first.is_empty());
            if wide <= left {
                left -= wide;
                if !first.is_empty() {
                    first.push(Span::raw(" "));
                }
                first.push(scene.span(role, words));
            }
        }
        if first.is_empty() {
            first.push(scene.span(Role::Quiet, text::fit(Sign::Idle.words(), left).into_owned()));
        } else {
            self.back_names(scene, left, &mut first);
        }
        paint::line(buf, inner, 0, Line::from(first));
        let words = self.mark.words.as_ref().map(|entry| one_line(&entry.text)).unwrap_or_default();
        let words = match &self.member {
            Some(member) if !self.item.open && self.item.is_group() => format!("{member} {words}"),
            Some(_) | None => words,
        };
        paint::text(buf, inner, 1, &words, scene.style(Role::Quiet));
    }

    /// What follows the name, most wanted first; `spacious` where members and last words have a line of their own.
    fn extras(&self, scene: &Scene<'_>, room: usize, spacious: bool) -> Vec<(String, Role)> {
        let mut extras = Vec::new();
        let chance = self.mark.next.map(paint::share);
        if self.item.is_group() {
            let sign = match (self.item.open, scene.glyphs.ascii) {
                (true, false) => "▾",
                (true, true) => "v",
                (false, _) => scene.glyphs.runs,
            };
            let named =
                self.member.as_ref().filter(|_| !self.item.open && !spacious).map(|member| format!("{sign} {member}"));
            // The member is named where that leaves room for how likely it runs next.
            let other = chance.as_ref().map_or(0, |chance| text::width(chance) + 1);
            let named = named.filter(|words| text::width(words) + 1 + other <= room);
            let (words, role) = match named {
                Some(words) => (words, Role::Strong),
                None => (format!("{sign}{}", self.item.members.len()), Role::Quiet),
            };
            extras.push((words, role));
        }
        if self.mark.stop {
            extras.push((scene.glyphs.stop.to_owned(), Role::Bad));
        }
        if self.mark.open > 0 {
            extras.push((format!("{}{}", scene.glyphs.waits, self.mark.open), Role::Unsure));
        }
        let since = self.mark.since;
        if since != Since::Same {
            let role = match since {
                Since::New => Role::Good,
                Since::Changed => Role::Unsure,
                Since::Gone | Since::Deactivated => Role::Bad,
                Since::Off | Since::Same => Role::Quiet,
            };
            extras.push((since.mark().to_owned(), role));
        }
        if self.flow.is_some() {
            return extras;
        }
        if let Some(chance) = chance {
            extras.push((chance, Role::Accent));
        }
        let tally = &self.mark.tally;
        let credit = (tally.credit.abs() >= 0.005).then(|| paint::signed(tally.credit));
        if tally.activations > 0 {
            // Where nothing else is said, there may be room to say what the number counts.
            let long = if tally.activations == 1 { "1 run".to_owned() } else { format!("{} runs", tally.activations) };
            let wide = text::width(&long) + 2 + credit.as_ref().map_or(0, |credit| text::width(credit) + 1);
            let words =
                if spacious && extras.is_empty() && wide <= room { long } else { tally.activations.to_string() };
            extras.push((words, Role::Quiet));
        }
        extras.extend(credit.map(|credit| (credit, paint::tone(tally.credit))));
        extras
    }

    /// Names what it leads back to, or at least that it does.
    fn back_names(&self, scene: &Scene<'_>, room: usize, spans: &mut Vec<Span<'_>>) {
        let sign = scene.glyphs.back;
        if self.back.is_empty() || room < text::width(sign) + 1 {
            return;
        }
        let (mut words, mut shown) = (String::new(), 0);
        for name in &self.back {
            let wide = text::width(sign) + 2 + text::width(&words) + text::width(name);
            if wide > room {
                break;
            }
            words.push(' ');
            words.push_str(name);
            shown += 1;
        }
        if shown < self.back.len() && text::width(&words) + text::width(sign) + 3 <= room && !words.is_empty() {
            words.push(' ');
            words.push_str(scene.glyphs.more);
        }
        spans.push(Span::raw(" "));
        spans.push(scene.span(Role::Quiet, format!("{sign}{words}")));
    }

    fn sign(&self, scene: &Scene<'_>) -> Span<'static> {
        Span::styled(self.mark.sign.glyph(scene.glyphs), scene.style(self.mark.sign.role()))
    }

    fn name_style(&self, scene: &Scene<'_>) -> Style {
        let gone = matches!(self.mark.since, Since::Gone | Since::Off | Since::Deactivated);
        let role = match self.mark.sign {
            _ if self.faded => Role::Quiet,
            Sign::Runs | Sign::Next => Role::Running,
            _ if self.mark.next.is_some() => Role::Accent,
            _ if gone => Role::Quiet,
            Sign::Ran | Sign::Objects | Sign::Failed | Sign::Idle => Role::Text,
        };
        let style = scene.style(role);
        if self.selected { style.patch(scene.style(Role::Selected)) } else { style }
    }
}
