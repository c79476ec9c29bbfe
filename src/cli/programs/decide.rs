//! Decisions on a proposal, hunk by hunk.

use std::collections::BTreeSet;

use serde_json::json;

use crate::engine::ports::Library;
use crate::model::{Author, Decision, Proposal};
use crate::setup::Works;
use crate::store::StoreError;

use super::super::failure::Failure;
use super::super::text::{count, plain};
use super::super::{block_on, exit, out};
use super::review::Review;

/// Takes the hunks that were named and turns down the rest.
pub(super) fn run(works: &Works, args: &Review, proposal: &Proposal) -> Result<u8, Failure> {
    let accept = chosen(args.accept.as_deref(), args.reject.as_deref(), proposal.hunk_count())?;
    if !accept.is_empty() {
        unmoved(works, proposal)?;
    }
    let taken = accept.len();
    let reason = args.reason.clone().unwrap_or_default();
    let decision = Decision { accept, reason, edited: Vec::new(), by: Author::Human };
    let network = works.library.network()?;
    let gates = works.gates(&network);
    let decided = crate::engine::decide(&gates, &*works.library, &proposal.id, &decision);
    let (status, revision) = block_on(decided)??;
    if args.json {
        out::line(
            json!({ "proposal": proposal.id, "status": status, "accepted": decision.accept, "revision": revision }),
        );
        return Ok(exit::DONE);
    }
    let all = proposal.hunk_count();
    match revision {
        Some(revision) => {
            out::line(format!("revision {} {}: {}", revision.number, revision.id.short(), plain(&revision.title)));
            out::say(format!(
                "took {taken} of {} of {}; running sessions go on with it from their next cycle, and `mop programs revert {}` undoes it",
                count(all, "hunk"),
                proposal.id,
                revision.number - 1
            ));
        }
        None => out::line(format!("rejected {}: {}", proposal.id, plain(&proposal.title))),
    }
    Ok(exit::DONE)
}

/// The hunks to take, in order.
fn chosen(accept: Option<&str>, reject: Option<&str>, all: usize) -> Result<Vec<usize>, Failure> {
    let (take, drop) = (numbers("--accept", accept, all)?, numbers("--reject", reject, all)?);
    if let Some(both) = take.intersection(&drop).next() {
        return Err(Failure::usage(format!("hunk {both} is both accepted and rejected"), "name it once"));
    }
    let left: Vec<String> =
        (1..=all).filter(|n| !take.contains(n) && !drop.contains(n)).map(|n| n.to_string()).collect();
    if accept.is_none() && !left.is_empty() {
        let left = left.join(",");
        return Err(Failure::usage(
            format!("nothing is said about hunk {left}"),
            format!("add --accept {left} to take the rest, or say --reject all"),
        ));
    }
    Ok(take.into_iter().collect())
}

fn numbers(flag: &str, text: Option<&str>, all: usize) -> Result<BTreeSet<usize>, Failure> {
    let Some(text) = text else { return Ok(BTreeSet::new()) };
    if text == "all" {
        return Ok((1..=all).collect());
    }
    let one = |part: &str| {
        let number = part.trim().parse::<usize>().ok().filter(|number| (1..=all).contains(number));
        number.ok_or_else(|| {
            let hint = match all {
                1 => "the proposal has one hunk: give 1 or `all`".to_owned(),
                _ => format!("give numbers from 1 to {all}, such as 1,{all}, or `all`"),
            };
            Failure::usage(format!("{flag}: there is no hunk `{}`", part.trim()), hint)
        })
    };
    text.split(',').map(one).collect()
}

/// Says so first where the base has moved: the gates would only find fault with something else.
fn unmoved(works: &Works, proposal: &Proposal) -> Result<(), Failure> {
    for change in &proposal.changes {
        let decided = works
            .library
            .proposal(&proposal.id)?
            .is_some_and(|(_, status)| status != crate::model::ProposalStatus::Open);
        if !decided && works.library.file(&change.path)? != change.before {
            return Err(StoreError::Moved { id: proposal.id.to_string(), path: change.path.clone() }.into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_are_named_once_and_all_of_them() {
        let check = |accept: Option<&str>, reject: Option<&str>, expected: Result<&[usize], &str>| {
            let found = chosen(accept, reject, 3).map_err(|failure| failure.message);
            match (found, expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected),
                (Err(found), Err(expected)) => assert!(found.contains(expected), "{found}"),
                (found, expected) => panic!("{accept:?} {reject:?}: {found:?}, not {expected:?}"),
            }
        };
        check(Some("all"), None, Ok(&[1, 2, 3]));
        check(Some("3, 1"), None, Ok(&[1, 3]));
        check(Some("1,2"), Some("3"), Ok(&[1, 2]));
        check(None, Some("all"), Ok(&[]));
        check(None, Some("1,2,3"), Ok(&[]));
        check(None, Some("3"), Err("hunk 1,2"));
        check(Some("1"), Some("all"), Err("both"));
        check(Some("4"), None, Err("no hunk `4`"));
        check(Some("0"), None, Err("no hunk `0`"));
        check(Some(""), None, Err("no hunk ``"));
        check(Some("1;2"), None, Err("no hunk `1;2`"));
    }
}
