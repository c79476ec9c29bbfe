//! Draws the whole screen. A frame depends on the interface's state alone.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::action::{Action, Room};
use super::app::Interface;
use super::layout::{Breadth, Layout};
use super::pane::{Pane, Tone};
use super::panes::Score;
use super::scene::Scene;
use super::streaming::Streaming;
use super::theme::Role;
use super::{frame, layout, overlay, paint, text, topbar, words};
use crate::model::{Pace, Phase};

impl Interface {
    /// Draws one frame into a buffer of the terminal's size, and gives the place of the caret.
    pub(super) fn draw(&self, buf: &mut Buffer) -> Option<Position> {
        let area = buf.area;
        let layout = Layout::of(area, self.focus, self.zoomed, self.prompt.rows());
        let scene = self.scene(false);
        buf.set_style(area, scene.theme.ground().patch(scene.style(Role::Text)));
        if layout.breadth == Breadth::Line {
            self.draw_line(&scene, layout.top, buf);
            return None;
        }
        topbar::draw(self, &scene, layout.top, buf);
        self.draw_tabs(&scene, layout.tabs, buf);
        for (room, place) in &layout.panes {
            let focused = *room == self.focus && !self.writing && self.overlays.is_empty();
            let scene = self.scene(focused);
            let pane = self.panes.get(*room);
            frame::pane(&scene, buf, *place, *room, &pane.heading(&scene));
            pane.draw(&scene, layout::inside(*place), buf);
        }
        self.draw_strip(&scene, layout.strip, buf);
        self.draw_message(&scene, layout.message, buf);
        let caret = self.draw_prompt(&scene, layout.prompt, buf);
        self.draw_hints(&scene, layout.hints, buf);
        let mut caret = caret.filter(|_| self.writing);
        for overlay in &self.overlays {
            caret = overlay::draw(self, overlay, &scene, area, buf);
        }
        if scene.glyphs.ascii {
            plain_signs(buf);
        }
        caret
    }

    /// A terminal too small for more: how the run stands, in words.
    fn draw_line(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        let now = scene.now;
        let j = now.j().map_or(String::new(), |j| format!(" J {j:.2}"));
        let words = format!("{} cycle {}{j} - enlarge", topbar::word(scene), now.cycle());
        paint::text(buf, area, 0, &words, scene.style(Role::Text));
    }

    fn draw_tabs(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        let mut spans = vec![Span::raw(" ")];
        for room in Room::ALL {
            let mut name = format!("{} {}", room.number(), if room == Room::Memory { "Memory" } else { room.title() });
            if room == Room::Edits && self.queue.waiting() > 0 {
                name.push_str(&format!(" {}{}", scene.glyphs.stop, self.queue.waiting()));
            }
            let role = if room == self.focus { Role::Accent } else { Role::Quiet };
            let (open, close) = if room == self.focus { ("[", "]") } else { (" ", " ") };
            spans.extend([scene.span(role, open), scene.span(role, name), scene.span(role, close), Span::raw(" ")]);
        }
        paint::line(buf, area, 0, Line::from(spans));
    }

    fn draw_strip(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let heading = self.panes.score.heading(scene);
        frame::border(scene, buf, area, false, "J", &heading);
        Score::strip(scene, layout::inside(area), buf);
    }

    /// One line: what just happened, else what waits for the user, else how the run stands.
    fn draw_message(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        let spans = self.message_spans(scene);
        paint::line(buf, area, 0, paint::cut(spans, usize::from(area.width)));
    }

    fn message_spans(&self, scene: &Scene<'_>) -> Vec<Span<'static>> {
        let glyphs = scene.glyphs;
        if let Some(message) = &self.message {
            let (role, sign) = match message.tone {
                Tone::Plain => (Role::Accent, glyphs.dot),
                Tone::Good => (Role::Good, glyphs.done),
                Tone::Bad => (Role::Bad, glyphs.objection),
            };
            return vec![
                Span::raw(" "),
                scene.span(role, sign),
                Span::raw(" "),
                scene.span(Role::Text, text::clean(&message.text).into_owned()),
            ];
        }
        if self.loading {
            let read = format!("reading the record: {} events so far", scene.timeline.events().len());
            return vec![Span::raw(" "), scene.span(Role::Quiet, read)];
        }
        let now = scene.now;
        if let Some(permission) = now.permissions.values().find(|permission| permission.granted.is_none()) {
            let (yes, no) = (self.keymap.key(Action::Permit), self.keymap.key(Action::Refuse));
            return vec![
                Span::raw(" "),
                scene.span(
                    Role::Unsure,
                    format!("{} {} asks leave: ", glyphs.waits, text::clean(permission.program.as_str())),
                ),
                scene.span(Role::Strong, text::clean(&permission.what).into_owned()),
                scene.span(Role::Quiet, format!("   {yes} allows it this once, {no} refuses")),
            ];
        }
        if let Some((program, asks)) = now.questions.values().next() {
            return vec![
                Span::raw(" "),
                scene.span(Role::Unsure, format!("{} {} asks: ", glyphs.waits, text::clean(program.as_str()))),
                scene.span(Role::Strong, text::clean(asks).into_owned()),
            ];
        }
        if self.play.waiting() > 0 {
            let (prompts, wait) = if self.play.waiting() == 1 { ("prompt", "waits") } else { ("prompts", "wait") };
            let text = format!("{} {} {prompts} {wait} for your reply", glyphs.waits, self.play.waiting());
            return vec![
                Span::raw(" "),
                scene.span(Role::Unsure, text),
                scene.span(Role::Quiet, format!("   {} plays the model", self.keymap.key(Action::Play))),
            ];
        }
        if self.look.is_some() {
            return vec![
                Span::raw(" "),
                scene.span(Role::Unsure, "looking at the past: nothing runs, nothing changes"),
                scene.span(
                    Role::Quiet,
                    format!(
                        "   {} and {} go through it, {} is back at the present",
                        self.keymap.key(Action::ScrubBack),
                        self.keymap.key(Action::ScrubOn),
                        self.keymap.key(Action::Live)
                    ),
                ),
            ];
        }
        if now.phase == Phase::Idle
            && let Some(outcome) = now.outcomes.last()
        {
            let (role, sign) = if outcome.verified { (Role::Good, glyphs.done) } else { (Role::Unsure, glyphs.waits) };
            let answer = outcome.answer.as_deref().or(outcome.message.as_deref()).unwrap_or("no answer");
            let answer = answer.lines().collect::<Vec<_>>().join(" · ");
            let verified = outcome.reliance();
            let mut spans = vec![
                Span::raw(" "),
                scene.span(role, sign),
                Span::raw(" "),
                scene.span(Role::Strong, text::clean(&answer).into_owned()),
                scene.span(Role::Quiet, format!("   {verified}, J {:.2}, {}", outcome.j, cycles(outcome.cycles))),
            ];
            spans.extend(self.waiting_spans(scene));
            return spans;
        }
        if now.phase == Phase::Gate && now.pace == Pace::Paused {
            let next = super::topbar::next(scene);
            let mut spans = vec![Span::raw(" ")];
            if let Some(why) = now.paused_for.as_deref().filter(|why| why.starts_with("breakpoint")) {
                spans.push(scene.span(Role::Bad, format!("{} {}   ", glyphs.stop, text::clean(why))));
            }
            spans.push(scene.span(Role::Running, format!("{} next: {next}", glyphs.runs)));
            spans.extend(self.waiting_spans(scene));
            return spans;
        }
        if let (Phase::Running, Pace::Paused, Some(why)) = (now.phase, now.pace, &now.paused_for) {
            return vec![Span::raw(" "), scene.span(Role::Unsure, format!("within the cycle: {}", text::clean(why)))];
        }
        if let Some(spans) = streaming_spans(scene) {
            return spans;
        }
        let mut spans = self.waiting_spans(scene);
        if spans.is_empty()
            && now.episode.is_none()
            && let Some((server, model)) = self.servers.offer()
        {
            let name = self.servers.get(server).map_or("", |it| it.endpoint.name.as_str());
            let (use_it, choose) = (self.keymap.key(Action::UseFound), self.keymap.key(Action::Models));
            return vec![
                Span::raw(" "),
                scene.span(Role::Good, glyphs.done),
                scene.span(Role::Text, format!(" found {} with {}", text::clean(name), text::clean(&model))),
                scene.span(Role::Quiet, format!(": press {use_it} to use it, {choose} to choose")),
            ];
        }
        if spans.is_empty() && now.episode.is_none() && !self.servers.configured {
            spans = vec![
                Span::raw(" "),
                scene.span(Role::Quiet, "no model is needed: type for example  Solve sqrt(x+3) = x - 3"),
            ];
        }
        spans
    }

    fn waiting_spans(&self, scene: &Scene<'_>) -> Vec<Span<'static>> {
        match self.queue.waiting() {
            0 => Vec::new(),
            waiting => {
                let (edits, wait) = if waiting == 1 { ("edit", "waits") } else { ("edits", "wait") };
                let key = self.keymap.key(Action::Pane4);
                vec![
                    Span::raw("   "),
                    scene.span(Role::Unsure, format!("{} {waiting} proposed {edits} {wait}", scene.glyphs.waits)),
                    scene.span(Role::Quiet, format!(" (press {key})")),
                ]
            }
        }
    }

    fn draw_prompt(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) -> Option<Position> {
        if area.is_empty() {
            return None;
        }
        let style = scene.style(if self.writing { Role::Key } else { Role::Quiet });
        paint::text(buf, area, 0, " > ", style);
        let place = Rect { x: area.x + 3.min(area.width), width: area.width.saturating_sub(3), ..area };
        if self.prompt.is_blank() {
            let now = scene.now;
            let says = if !now.questions.is_empty() {
                "type the answer"
            } else if self.is_under_way() {
                "say something to the run; it is taken up at the next question"
            } else if now.episode.is_some() {
                "ask the next question: working memory is kept"
            } else {
                "type a question: Enter runs it, F10 runs it step by step"
            };
            paint::text(buf, place, 0, says, scene.style(Role::Quiet));
        }
        self.prompt.draw(place, buf, scene.style(Role::Text))
    }

    /// The keys that matter now, as many as fit.
    fn draw_hints(&self, scene: &Scene<'_>, area: Rect, buf: &mut Buffer) {
        let mut hints: Vec<(String, &str)> = Vec::new();
        let mut add = |actions: &[Action]| {
            for action in actions {
                let pair = (self.keymap.key(*action).to_owned(), action.entry().short);
                if !hints.contains(&pair) {
                    hints.push(pair);
                }
            }
        };
        let now = scene.now;
        if self.writing {
            let fixed = if self.is_under_way() {
                vec![("Enter", "send")]
            } else {
                vec![("Enter", "run"), ("F10", "step by step")]
            };
            hints.extend(fixed.into_iter().map(|(key, says)| (key.to_owned(), says)));
            hints.extend(
                [("Esc", "leave the line"), ("?", "help"), ("Ctrl+p", "commands"), ("Ctrl+c twice", "quit")]
                    .map(|(key, says)| (key.to_owned(), says)),
            );
        } else {
            let own = self.panes.get(self.focus).hints(scene);
            if self.look.is_some() {
                add(&[Action::ScrubBack, Action::ScrubOn, Action::Live]);
                add(&own);
                add(&[Action::RunOn, Action::RunBack, Action::ForkHere]);
            } else if now.phase == Phase::Idle && now.episode.is_some() {
                add(&own);
                add(&[Action::Again, Action::Prompt, Action::StepBack]);
            } else if now.phase != Phase::Idle && now.pace == Pace::Paused {
                add(&[Action::StepCycle, Action::RunOn]);
                add(&own);
                add(&[Action::StepProgram, Action::StepBack, Action::BreakHere, Action::Breaks]);
            } else if now.phase != Phase::Idle {
                add(&[Action::Stop, Action::Pause]);
                add(&own);
            } else {
                add(&[Action::Prompt]);
                add(&own);
                add(&[Action::Breaks]);
            }
            add(&[Action::Zoom, Action::NextPane, Action::Palette]);
        }
        // The way to help and the way out are always there.
        let last = if self.writing { Vec::new() } else { vec![Action::Help, Action::Quit] };
        let last: Vec<(String, &str)> =
            last.into_iter().map(|action| (self.keymap.key(action).to_owned(), action.entry().short)).collect();
        let wide = |(key, says): &(String, &str)| text::width(key) + text::width(says) + 3;
        let kept: usize = last.iter().map(wide).sum();
        let mut spans = vec![Span::raw(" ")];
        let mut used = 1 + kept;
        hints.retain(|hint| {
            let fits = used + wide(hint) <= usize::from(area.width);
            used += if fits { wide(hint) } else { 0 };
            fits
        });
        for (key, says) in hints.iter().chain(&last) {
            spans.extend([scene.span(Role::Key, key.clone()), scene.span(Role::Quiet, format!(" {says}  "))]);
        }
        paint::line(buf, area, 0, Line::from(spans));
    }
}

/// What the first program that streams waits for, or which model it asks and how much that took so far.
fn streaming_spans(scene: &Scene<'_>) -> Option<Vec<Span<'static>>> {
    let waits = scene.live.streamed().find_map(|one| Some((one, words::waits(one, scene.clock)?)));
    let program = |one: &Streaming| text::clean(one.program.as_str()).into_owned();
    let mut spans = vec![Span::raw(" ")];
    if let Some((one, why)) = waits {
        spans.push(scene.span(Role::Unsure, format!("{} {} {why}", scene.glyphs.waits, program(one))));
        return Some(spans);
    }
    let (one, call) = scene.live.streamed().find_map(|one| Some((one, one.call.as_ref()?)))?;
    spans.push(scene.span(Role::Running, format!("{} {}", scene.glyphs.runs, program(one))));
    spans.push(scene.span(Role::Quiet, format!("  {}", words::meter(call))));
    let others = scene.live.streamed().count() - 1;
    if others > 0 {
        spans.push(scene.span(Role::Quiet, format!("; {others} more beside it")));
    }
    Some(spans)
}

/// Our own words hold a few signs beyond ASCII; each has one within it that is as wide. What is foreign stays as it is.
fn plain_signs(buf: &mut Buffer) {
    for cell in &mut buf.content {
        let plain = match cell.symbol() {
            "…" => "~",
            "×" => "x",
            "—" | "–" => "-",
            "·" | "•" => ".",
            "“" | "”" => "\"",
            "±" => "~",
            "Δ" => "d",
            "ε" => "e",
            "φ" => "f",
            "╎" | "│" => "|",
            "→" => ">",
            "▸" => ">",
            "◂" => "<",
            _ => continue,
        };
        cell.set_symbol(plain);
    }
}

fn cycles(count: u32) -> String {
    if count == 1 { "1 cycle".to_owned() } else { format!("{count} cycles") }
}
