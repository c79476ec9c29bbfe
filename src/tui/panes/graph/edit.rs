//! The user's own edits of programs, which become proposals.

use std::sync::Arc;

use super::inspector::Subject;
use super::{Graph, View, next};
use crate::model::Change;
use crate::tui::action::Action;
use crate::tui::pane::{Effect, Purpose, Tone};
use crate::tui::scene::Scene;
use crate::tui::text;

impl Graph {
    /// Asks for a new text of the program that is inspected.
    pub(super) fn edit(&self, scene: &Scene<'_>, view: &View) -> Vec<Effect> {
        let bad = |words: &str| vec![Effect::Say(Tone::Bad, words.to_owned())];
        let name = match &view.subject {
            Subject::Program(name) => name,
            Subject::Group(..) => return bad("a group has no text; select one of its programs"),
            Subject::Nothing => return bad("this network has no programs"),
        };
        if scene.looking {
            let key = next::key(Action::Live);
            return vec![Effect::Say(
                Tone::Bad,
                format!("this is the past; {key} goes back to now, where it can be edited"),
            )];
        }
        match scene.network.program(name) {
            Some(program) => vec![Effect::Edit {
                purpose: Purpose::Program(program.path.clone()),
                title: format!("edit {}", text::clean(name.as_str())),
                text: program.source.to_string(),
            }],
            None => bad("it was removed from the network"),
        }
    }

    /// Proposes the text that came back.
    pub(super) fn proposed(&self, path: &str, text: &str, scene: &Scene<'_>) -> Vec<Effect> {
        let Some(program) = scene.network.programs.values().find(|program| program.path == path) else {
            return vec![Effect::Say(Tone::Bad, format!("{} is not in the network any more", text::clean(path)))];
        };
        if *program.source == *text {
            return vec![Effect::Say(Tone::Plain, "nothing was changed".to_owned())];
        }
        let change =
            Change { path: path.to_owned(), before: Some(program.source.clone()), after: Some(Arc::from(text)) };
        vec![Effect::Propose(format!("{}: edited by hand", text::clean(program.name.as_str())), vec![change])]
    }
}
