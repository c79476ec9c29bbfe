//! The pane over recorded sessions and over networks made for the test.

mod actions;
mod drawing;
mod placing;
mod sizes;

use std::sync::Arc;

use crate::model::{
    Author, Change, Envelope, Event, FORMAT, Network, ProgramName, Revision, RevisionId, Seq, parse_program,
};
use crate::tui::live::Live;
use crate::tui::panes::Graph;
use crate::tui::testing::{Stage, network};

/// Goes on with a session.
fn push(stage: &mut Stage, event: Event) {
    let seq = stage.live.now().seq.next();
    stage.live.push(Arc::new(Envelope { v: FORMAT, seq, at: seq.0, cause: None, event }));
    stage.queue.refresh(stage.live.now());
}

/// A revision that writes files, or removes those without a text.
fn revision(number: u32, parent: &RevisionId, files: &[(&str, Option<&str>)]) -> Revision {
    let changes = files.iter().map(|(path, after)| Change {
        path: (*path).to_owned(),
        before: None,
        after: after.map(Arc::from),
    });
    Revision {
        id: RevisionId::new(format!("r{number}")),
        number,
        parent: parent.clone(),
        author: Author::Human,
        title: format!("revision {number}"),
        proposal: None,
        changes: changes.collect(),
        at: 0,
    }
}

/// Revises the network of a session.
fn revise(stage: &mut Stage, files: &[(&str, Option<&str>)]) {
    let scene = stage.scene();
    let parent = scene.network.revision.clone();
    let number = u32::try_from(stage.live.now().revisions.len()).unwrap() + 100;
    push(stage, Event::Revised { revision: Arc::new(revision(number, &parent, files)) });
}

/// A prompt with a contract.
fn prompt(contract: &str, more: &str) -> String {
    format!("+++\nrole = \"does something\"\ncontract = \"{contract}\"\n{more}\n+++\nDo it.\n")
}

/// A network of these files alone.
fn network_of(files: &[(String, String)]) -> Arc<Network> {
    let mut bare = Network::clone(&network());
    bare.programs.clear();
    bare.order.clear();
    bare.edges.clear();
    let mut programs = files.iter().map(|(path, text)| parse_program(path, text).unwrap());
    let Some(last) = programs.next_back() else { return Arc::new(bare) };
    bare.programs = programs.map(|program| (program.name.clone(), Arc::new(program))).collect();
    Arc::new(bare.with_program(last))
}

/// A stage before any session of a network.
fn stage_of(files: &[(String, String)]) -> Stage {
    let mut stage = Stage::empty();
    stage.live = Live::new(network_of(files));
    stage
}

fn file(name: &str, contract: &str, more: &str) -> (String, String) {
    (format!("{name}.md"), prompt(contract, more))
}

fn choose(stage: &mut Stage, name: &str) {
    stage.chosen.program = Some(ProgramName::new(name));
}

/// The text that a pane draws, with runs of spaces as one.
fn words(stage: &Stage, pane: &Graph, width: u16, height: u16) -> String {
    let drawn = stage.draw(pane, width, height);
    drawn.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The moment after an event.
fn at(seq: u64) -> Seq {
    Seq(seq)
}
