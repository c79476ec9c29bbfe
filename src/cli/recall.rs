//! `mop recall`: questions that were solved before.

use clap::Subcommand;
use serde_json::{Value, json};

use crate::engine::ports::Solved;
use crate::setup::App;

use super::failure::Failure;
use super::text::{brief, count, plain, table, when};
use super::{exit, out};

/// Characters of a question, and of an answer, in a list.
const SHOWN: usize = 48;

/// List, search or forget questions that were solved before
///
/// A question whose answer passed the goal check is kept, with who solved it and how. Programs that may recall see questions
/// and methods, never answers. The setting `recall` (on, off, frozen) says whether any of this happens.
#[derive(Debug, clap::Args)]
pub(super) struct Recall {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// All solved questions, newest first
    List {
        /// As one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Solved questions that are most like a text, with their likeness from 0 to 1
    Search {
        /// The text
        text: String,
        /// How many
        #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=50))]
        most: u8,
        /// As one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Forget questions
    Forget {
        /// Their numbers, as the list has them
        #[arg(required = true, value_name = "ID")]
        ids: Vec<i64>,
    },
    /// Forget all of them
    Clear,
}

/// Does what was asked.
pub(super) fn run(app: &App, args: &Recall) -> Result<u8, Failure> {
    match &args.command {
        Command::List { json } => {
            let all = app.recall.list()?;
            show(&all.iter().map(|kept| (kept.id, &kept.solved, None)).collect::<Vec<_>>(), *json);
        }
        Command::Search { text, most, json } => {
            let found = app.recall.search(text, usize::from(*most))?;
            let rows: Vec<_> = found.iter().map(|(id, near)| (*id, &near.solved, Some(near.likeness))).collect();
            show(&rows, *json);
        }
        Command::Forget { ids } => {
            let known: Vec<i64> = app.recall.list()?.iter().map(|kept| kept.id).collect();
            // All are looked up first, so that a mistyped one forgets nothing.
            if let Some(id) = ids.iter().find(|id| !known.contains(id)) {
                let hint = "`mop recall list` has the numbers";
                return Err(Failure::usage(format!("there is no solved question {id}"), hint));
            }
            for id in ids {
                app.recall.forget(*id)?;
                out::line(format!("forgot {id}"));
            }
        }
        Command::Clear => {
            let gone = app.recall.clear()?;
            out::line(format!("forgot {}", count(gone, "question")));
        }
    }
    Ok(exit::DONE)
}

type Row<'a> = (i64, &'a Solved, Option<f64>);

fn show(rows: &[Row<'_>], json: bool) {
    if json {
        return out::line(Value::Array(rows.iter().map(as_json).collect()));
    }
    if rows.is_empty() {
        return out::say("no such question is kept; one whose answer is verified will be");
    }
    let lines: Vec<Vec<String>> = rows.iter().map(line).collect();
    let last = if rows.iter().any(|(.., likeness)| likeness.is_some()) { "LIKE" } else { "J" };
    out::write(&table(&["ID", "WHEN (UTC)", last, "QUESTION", "ANSWER", "BY"], &lines));
}

fn line((id, solved, likeness): &Row<'_>) -> Vec<String> {
    let by: Vec<String> = solved.programs.iter().map(|name| plain(name.as_str())).collect();
    vec![
        id.to_string(),
        when(solved.at),
        format!("{:.2}", likeness.unwrap_or(solved.j)),
        brief(&solved.question, SHOWN),
        brief(&solved.answer, SHOWN),
        by.join(", "),
    ]
}

fn as_json((id, solved, likeness): &Row<'_>) -> Value {
    let mut row = json!({ "id": id });
    if let (Some(fields), Value::Object(solved)) = (row.as_object_mut(), json!(solved)) {
        fields.extend(solved);
        fields.extend(likeness.map(|likeness| ("likeness".to_owned(), json!(likeness))));
    }
    row
}
