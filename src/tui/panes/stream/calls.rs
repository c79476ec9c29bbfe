//! Calls of tools.

use std::sync::Arc;

use super::entries::{Calls, Out, Show, cut, times};
use crate::model::{ActivationId, CallRecord, Envelope, Event};
use crate::tui::brief;
use crate::tui::text;
use crate::tui::theme::Role;

/// Bytes of a call's arguments, and of its result.
const CALL: usize = 600;
/// Calls that are folded into one line at most.
const FOLD: usize = 1_000;
/// Events between a call and its answer, or the next call, at most.
const NEAR: usize = 16;

impl Out<'_, '_> {
    /// A call that has no answer yet.
    pub(super) fn call(&mut self, tool: &str, args: &serde_json::Value, result: &str) {
        let name = text::clean(brief::head(tool, 80)).into_owned();
        let args = text::clean(&brief::arguments(args, CALL)).into_owned();
        let line = vec![(Role::Quiet, format!("    {name}({args}){result}"))];
        self.lines.push(cut(line, self.width));
    }

    /// A call with its result, in one line; those of one tool in a row are told once, with their number.
    pub(super) fn returned(
        &mut self,
        events: &[Arc<Envelope>],
        at: usize,
        by: ActivationId,
        call: &CallRecord,
        show: Show,
    ) {
        let mut count = 1;
        if show.calls == Calls::Folded {
            if next(events, at, by, &call.tool).is_some() {
                return;
            }
            let mut first = at;
            while let Some(before) = before(events, first, by, &call.tool).filter(|_| count < FOLD) {
                first = before;
                count += 1;
            }
        }
        let to = self.scene.glyphs.to;
        let (role, result) = match &call.result {
            Ok(value) => (Role::Text, text::clean(&brief::inline(value, CALL)).into_owned()),
            Err(error) => (Role::Bad, format!("error: {}", text::clean(brief::head(error, CALL)))),
        };
        let times = if count == 1 { String::new() } else { format!(" {}{count}", times(self.scene)) };
        let name = text::clean(brief::head(&call.tool, 80)).into_owned();
        let args = text::clean(&brief::arguments(&call.args, CALL)).into_owned();
        // A long list of arguments must not hide the result.
        let room = self.width.saturating_sub(text::width(&name) + times.len() + 12).max(8);
        let args = text::fit(&args, (room * 3 / 5).max(room.saturating_sub(text::width(&result)))).into_owned();
        let line = vec![(Role::Quiet, format!("    {name}({args}){times} {to} ")), (role, result)];
        self.lines.push(cut(line, self.width));
    }
}

/// Whether a call was answered.
pub(super) fn answered(events: &[Arc<Envelope>], at: usize, by: ActivationId) -> bool {
    let later = events.get(at + 1..).unwrap_or_default();
    later.len() >= NEAR
        || later.iter().any(|envelope| match &envelope.event {
            Event::ToolReturned { activation, .. } => *activation == by,
            Event::Scored { .. } | Event::Failed { .. } | Event::Resumed { .. } => true,
            _ => false,
        })
}

/// The answer after one, where it is of the same tool and activation and nothing lies between.
fn next(events: &[Arc<Envelope>], at: usize, by: ActivationId, tool: &str) -> Option<usize> {
    let later = events.get(at + 1..events.len().min(at + 1 + NEAR)).unwrap_or_default();
    let step = later.iter().position(|envelope| !is_call(&envelope.event, by))?;
    is_answer(&later[step].event, by, tool).then_some(at + 1 + step)
}

/// The answer before one, likewise.
fn before(events: &[Arc<Envelope>], at: usize, by: ActivationId, tool: &str) -> Option<usize> {
    let earlier = events.get(at.saturating_sub(NEAR)..at).unwrap_or_default();
    let step = earlier.iter().rev().position(|envelope| !is_call(&envelope.event, by))?;
    let found = at - 1 - step;
    is_answer(&events[found].event, by, tool).then_some(found)
}

fn is_call(event: &Event, by: ActivationId) -> bool {
    matches!(event, Event::ToolCalled { activation, .. } if *activation == by)
}

fn is_answer(event: &Event, by: ActivationId, name: &str) -> bool {
    matches!(event, Event::ToolReturned { activation, call } if *activation == by && call.tool == name)
}
