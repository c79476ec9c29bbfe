//! `mop sessions list`.

use serde_json::{Value, json};

use crate::setup::App;
use crate::store::{Standing, Summary};

use super::super::failure::Failure;
use super::super::text::{brief, table, when};
use super::super::{exit, out};

/// Characters of a query in the list.
const QUERY: usize = 60;

/// Prints all sessions.
pub(super) fn run(app: &App, json: bool) -> Result<u8, Failure> {
    let all = app.sessions.list()?;
    if json {
        out::line(Value::Array(all.iter().map(as_json).collect()));
        return Ok(exit::DONE);
    }
    if all.is_empty() {
        out::say("there are no sessions yet; `mop run \"…\"` starts one");
        return Ok(exit::DONE);
    }
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    out::write(&table(&["ID", "WHEN (UTC)", "STATE", "J", "CYCLES", "QUERY"], &rows));
    Ok(exit::DONE)
}

fn row(session: &Summary) -> Vec<String> {
    let damaged = matches!(session.standing, Standing::Damaged { .. });
    let query = match &session.standing {
        Standing::Damaged { why } => brief(why, QUERY),
        Standing::Open { .. } | Standing::Empty | Standing::Unfinished | Standing::Finished => {
            session.query.as_deref().map_or_else(|| "-".to_owned(), |query| brief(query, QUERY))
        }
    };
    vec![
        session.id.to_string(),
        if session.began == 0 { "-".to_owned() } else { when(session.began) },
        state(session),
        session.j.filter(|_| !damaged).map_or_else(|| "-".to_owned(), |j| format!("{j:.2}")),
        session.cycles.to_string(),
        query,
    ]
}

/// How a session stands, in a word or two.
pub(super) fn state(session: &Summary) -> String {
    match &session.standing {
        Standing::Open { pid: Some(pid) } => format!("open in {pid}"),
        Standing::Open { pid: None } => "open".to_owned(),
        Standing::Empty => "empty".to_owned(),
        Standing::Unfinished => "unfinished".to_owned(),
        Standing::Finished => match session.halted {
            Some(reason) => reason.words().split(':').next().unwrap_or_default().to_owned(),
            None => "finished".to_owned(),
        },
        Standing::Damaged { .. } => "damaged".to_owned(),
    }
}

/// A session as an object of JSON.
pub(super) fn as_json(session: &Summary) -> Value {
    let (state, pid, damage) = match &session.standing {
        Standing::Open { pid } => ("open", *pid, None),
        Standing::Empty => ("empty", None, None),
        Standing::Unfinished => ("unfinished", None, None),
        Standing::Finished => ("finished", None, None),
        Standing::Damaged { why } => ("damaged", None, Some(why)),
    };
    let parent = session.parent.as_ref().map(|(id, cycle)| json!({ "session": id, "cycle": cycle }));
    json!({
        "id": session.id, "state": state, "pid": pid, "damage": damage, "query": session.query,
        "network": session.network, "began": session.began, "touched": session.touched, "halted": session.halted,
        "j": session.j, "cycles": session.cycles, "parent": parent,
    })
}
