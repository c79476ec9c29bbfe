//! Reads a question and what comes with it, within bounds.

use std::fs::File;
use std::io::{Read, stdin};
use std::path::Path;

use crate::model::{Attachment, Given, Query};

use super::failure::Failure;
use super::run::Run;

/// Most bytes of a question. Whole books are attachments.
const QUESTION: u64 = 1 << 20;
/// Most bytes of one attachment.
const ATTACHMENT: u64 = 8 << 20;
/// Most attachments.
const ATTACHMENTS: usize = 32;

/// The question that the arguments ask.
pub(super) fn query(args: &Run) -> Result<Query, Failure> {
    let text = match args.query.as_str() {
        "-" => read("standard input", &mut stdin(), QUESTION)?,
        text => text.to_owned(),
    };
    let text = text.trim().to_owned();
    if text.is_empty() {
        return Err(Failure::usage("the question is empty", "for example: mop run \"Solve 3x + 5 = 14\""));
    }
    if text.len() as u64 > QUESTION {
        return Err(too_long("the question", QUESTION));
    }
    if args.attach.len() > ATTACHMENTS {
        return Err(Failure::usage(
            format!("{} attachments are too many", args.attach.len()),
            format!("attach at most {ATTACHMENTS} files"),
        ));
    }
    let attachments = args.attach.iter().map(|path| attachment(path)).collect::<Result<_, Failure>>()?;
    let given = Given { reference: args.reference.clone(), tests: None, rubric: None };
    Ok(Query { text, attachments, given, parts: Vec::new() })
}

fn attachment(path: &Path) -> Result<Attachment, Failure> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let shown = path.display().to_string();
    let mut file = File::open(path).map_err(|error| unreadable(&shown, &error))?;
    Ok(Attachment { name, text: read(&shown, &mut file, ATTACHMENT)? })
}

/// Reads text up to a bound; never more than one byte beyond it.
fn read(what: &str, from: &mut dyn Read, most: u64) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes).map_err(|error| unreadable(what, &error))?;
    if bytes.len() as u64 > most {
        return Err(too_long(what, most));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::usage(format!("{what} is not UTF-8 text, from byte {at} on"), "give it as UTF-8 text")
    })
}

fn unreadable(what: &str, error: &std::io::Error) -> Failure {
    Failure::usage(format!("{what} cannot be read: {error}"), "give a text file that you may read")
}

fn too_long(what: &str, most: u64) -> Failure {
    Failure::usage(
        format!("{what} is longer than {} MiB", most >> 20),
        format!(
            "questions may have {} MiB and files {} MiB; attach the rest with --attach",
            QUESTION >> 20,
            ATTACHMENT >> 20
        ),
    )
}
