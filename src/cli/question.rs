//! Reads a question and what comes with it, within bounds.

use std::io::{Read, stdin};

use crate::model::{Attachment, Given, Image, Query};
use crate::store;

use super::failure::Failure;
use super::run::Run;

/// Most bytes of a question. Whole books are attachments.
const QUESTION: u64 = 1 << 20;
/// Most bytes of all images together; servers take no larger requests.
const IMAGES: usize = 20 << 20;
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
    let attachments: Vec<Attachment> =
        args.attach.iter().map(|path| store::attachment(path)).collect::<Result<_, _>>()?;
    let images: usize = attachments.iter().filter_map(|file| file.image.as_ref()).map(Image::size).sum();
    if images > IMAGES {
        return Err(Failure::usage(
            format!("the images together are longer than {} MiB", IMAGES >> 20),
            "attach fewer of them, or smaller ones",
        ));
    }
    let given = Given { reference: args.reference.clone(), tests: None, rubric: None };
    Ok(Query { text, attachments, given, parts: Vec::new() })
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
            store::TEXT >> 20
        ),
    )
}
