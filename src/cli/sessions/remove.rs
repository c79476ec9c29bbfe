//! `mop sessions rm`.

use crate::model::SessionId;
use crate::setup::App;

use super::super::failure::Failure;
use super::super::text::brief;
use super::super::{exit, out};

/// Fewest characters of an id's beginning: what is gone is gone, and `2` is sooner a slip than a name.
const FEWEST: usize = 8;

/// Removes the named sessions. All names are looked up first, so that a mistyped one removes nothing.
pub(super) fn run(app: &App, names: &[String]) -> Result<u8, Failure> {
    if let Some(short) = names.iter().find(|name| name.len() < FEWEST && *name != "last") {
        let message = format!("`{short}` is too short to remove a session by");
        return Err(Failure::usage(message, format!("give its id, or at least the first {FEWEST} characters")));
    }
    let mut ids: Vec<SessionId> = names.iter().map(|name| app.sessions.resolve(name)).collect::<Result<_, _>>()?;
    ids.sort();
    ids.dedup();
    for id in ids {
        let query = app.sessions.show(&id)?.query;
        app.sessions.remove(&id)?;
        out::line(format!("removed {id}  {}", brief(query.as_deref().unwrap_or("-"), 60)));
    }
    Ok(exit::DONE)
}
