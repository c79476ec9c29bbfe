//! `mop programs test`: the programs' own tests, each in the sandbox.

use std::sync::Arc;

use crate::engine::ports::Library;
use crate::model::{Network, Program};
use crate::setup::Works;

use super::super::failure::Failure;
use super::super::out::{Tone, paint};
use super::super::text::{brief, count, plain};
use super::super::{block_on, exit, out};
use super::show::find;

/// Runs the tests of the named programs, or of all; one that fails gives exit code 1.
pub(super) fn run(works: &Works, names: &[String]) -> Result<u8, Failure> {
    let network = works.library.network()?;
    let programs: Vec<&Arc<Program>> = match names {
        [] => network.order.iter().filter_map(|name| network.program(name)).collect(),
        names => names.iter().map(|name| find(&network, name)).collect::<Result<_, _>>()?,
    };
    let (passed, failed) = block_on(all(works, &network, &programs))?;
    let bare = programs.iter().filter(|program| program.manifest.tests.is_empty()).count();
    let mut summary = format!("{}: {passed} ok, {failed} failed", count(passed + failed, "test"));
    if bare > 0 {
        summary += &format!("; {} without tests", count(bare, "program"));
    }
    out::line(summary);
    Ok(if failed == 0 { exit::DONE } else { exit::INTERNAL })
}

async fn all(works: &Works, network: &Network, programs: &[&Arc<Program>]) -> (usize, usize) {
    let gates = works.gates(network);
    let width = programs.iter().map(|program| program.name.as_str().chars().count()).max().unwrap_or_default();
    let (mut passed, mut failed) = (0, 0);
    for program in programs {
        for test in &program.manifest.tests {
            let result = gates.trial(program, test).await;
            let (tone, word) = match result.passed {
                true => (Tone::Good, "ok    "),
                false => (Tone::Bad, "FAILED"),
            };
            let (name, query) = (program.name.as_str(), brief(&test.query, 60));
            let note = if result.passed { brief(&result.note, 80) } else { plain(&result.note) };
            out::line(format!("{}  {name:<width$}  {query} — {note}", paint(tone, word)));
            if result.passed {
                passed += 1;
            } else {
                failed += 1;
            }
        }
    }
    (passed, failed)
}
