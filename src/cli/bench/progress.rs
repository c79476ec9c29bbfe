//! How far a bench is, on standard error.

use std::time::{Duration, Instant};

use crate::bench::Item;
use crate::cli::out;

/// How often a line is printed where none can be replaced.
const SELDOM: Duration = Duration::from_secs(30);

/// Finished questions against all of them, and how long the rest will take at this rate.
pub(super) struct Progress {
    before: usize,
    total: usize,
    began: Instant,
    printed: Instant,
    replaced: bool,
}

impl Progress {
    /// `before` are finished already.
    pub(super) fn new(before: usize, total: usize) -> Self {
        let now = Instant::now();
        Self { before, total, began: now, printed: now, replaced: false }
    }

    /// Shows how far it is.
    pub(super) fn show(&mut self, items: &[Item]) {
        let done = items.len();
        let fresh = done.saturating_sub(self.before);
        let line = line(done, self.total, fresh, self.began.elapsed(), items.last());
        self.replaced = out::replace(&line);
        if !self.replaced && self.printed.elapsed() >= SELDOM {
            self.printed = Instant::now();
            out::say(line);
        }
    }

    /// Leaves the last line as it is.
    pub(super) fn end(&self) {
        if self.replaced {
            out::say("");
        }
    }
}

fn line(done: usize, total: usize, fresh: usize, spent: Duration, last: Option<&Item>) -> String {
    let each = spent.as_secs_f64() / fresh.max(1) as f64;
    let left = each * total.saturating_sub(done) as f64;
    let rate = if each > 0.0 { 60.0 / each } else { 0.0 };
    let what = last.map(|item| format!(" · {} {} {}", item.arm, item.id, if item.right { "right" } else { "wrong" }));
    format!("{done}/{total} · {rate:.1}/min · {} left{}", words(left), what.unwrap_or_default())
}

fn words(seconds: f64) -> String {
    let whole = seconds.round().max(0.0) as u64;
    match whole {
        0..=59 => format!("{whole} s"),
        60..=3599 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_counts_what_was_asked_now() {
        let shown = line(30, 100, 10, Duration::from_secs(20), None);
        assert_eq!(shown, "30/100 · 30.0/min · 2 min 20 s left");
        assert_eq!(line(5, 5, 5, Duration::from_secs(1), None), "5/5 · 300.0/min · 0 s left");
        assert_eq!(words(7300.0), "2 h 01 min");
    }
}
