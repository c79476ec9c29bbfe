//! Stub until merged.
use super::answer::{Answer, Judgement};
use super::goal::{Form, Goal};
/// j
pub fn judge(_g: &Goal, _f: &Form, _a: &Answer) -> Judgement { Judgement::Unproved("x".into()) }
/// c
pub fn canonical(a: &Answer) -> Answer { a.clone() }
/// f
pub fn form_met(_f: &Form, _a: &Answer) -> Result<(), String> { Ok(()) }
