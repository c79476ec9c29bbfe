//! The files of a network with the accepted revisions on top.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::folder::Files;
use super::history::Overlay;
use crate::model::{Change, Diagnostic, Network, assemble, is_program};

/// The file of a network that layers merge, where every other file replaces its namesake.
pub(crate) const OWN: &str = "network.toml";

/// Effective text of every file, by path. Of `network.toml` it is the network's own text, before it is merged with those of
/// the networks it extends.
pub(crate) type Texts = BTreeMap<String, Arc<str>>;

/// The base files, as their sources hold them now.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    layers: Vec<Files>,
    texts: Texts,
}

impl Base {
    /// Takes the layers, the most basic first, and leaves out what a later one replaces.
    pub(crate) fn new(mut layers: Vec<Files>) -> Self {
        if layers.is_empty() {
            layers.push(Files::new());
        }
        let mut seen = BTreeSet::new();
        for layer in layers.iter_mut().rev() {
            layer.retain(|path, _| path == OWN || !seen.contains(named(path)));
            seen.extend(layer.keys().map(|path| named(path).to_owned()));
        }
        let texts = layers.iter().flatten().map(|(path, text)| (path.clone(), Arc::from(text.as_str()))).collect();
        Self { layers, texts }
    }

    /// Whether several networks' own files are merged into one.
    pub(crate) fn is_merged(&self) -> bool {
        self.layers.iter().filter(|layer| layer.contains_key(OWN)).count() > 1
    }

    /// The layers with an overlay on top.
    pub(crate) fn layers(&self, overlay: &Overlay) -> Vec<Files> {
        let mut layers = self.layers.clone();
        let own = layers.len().saturating_sub(1);
        for (path, piece) in overlay {
            for (index, layer) in layers.iter_mut().enumerate() {
                if index == own || path != OWN {
                    layer.remove(path);
                }
            }
            if let (Some(text), Some(layer)) = (&piece.text, layers.last_mut()) {
                layer.insert(path.clone(), text.to_string());
            }
        }
        layers
    }

    /// Effective texts with an overlay on top.
    pub(crate) fn texts(&self, overlay: &Overlay) -> Texts {
        let mut texts = self.texts.clone();
        for (path, piece) in overlay {
            match &piece.text {
                Some(text) => texts.insert(path.clone(), text.clone()),
                None => texts.remove(path),
            };
        }
        texts
    }

    /// The network with an overlay on top, with everything odd about it.
    ///
    /// # Errors
    /// Everything that is wrong, where no usable network comes out.
    pub(crate) fn network(&self, name: &str, overlay: &Overlay) -> Result<(Network, Vec<Diagnostic>), Vec<Diagnostic>> {
        let (network, mut problems) = assemble(name, &self.layers(overlay))?;
        problems.extend(self.moved(name, overlay));
        Ok((network, problems))
    }

    /// A warning for each file whose base changed under an accepted change.
    fn moved(&self, name: &str, overlay: &Overlay) -> Vec<Diagnostic> {
        let changed = overlay.iter().filter(|(path, piece)| {
            let now = self.texts.get(*path);
            now != piece.origin.as_ref() && now != piece.text.as_ref()
        });
        let warn = |path: &str, text: &str| {
            let hint = "the accepted text is used; compare the two, and propose what should come over from the base";
            let message = "the base of this file changed since your change of it was accepted";
            Diagnostic::at(&format!("{name}/{path}"), text, 0, message).hint(Some(hint.to_owned())).warning()
        };
        changed.map(|(path, piece)| warn(path, piece.text.as_deref().unwrap_or_default())).collect()
    }
}

/// What a file replaces in the networks below: a program the one of its name, also where that is written in another way.
fn named(path: &str) -> &str {
    if is_program(path) { path.rsplit_once('.').map_or(path, |(stem, _)| stem) } else { path }
}

/// The changes that lead from one state of the files to another, by path.
pub(crate) fn changes(from: &Texts, to: &Texts) -> Vec<Change> {
    let paths: BTreeSet<&String> = from.keys().chain(to.keys()).collect();
    let change = |path: &String| {
        let (before, after) = (from.get(path).cloned(), to.get(path).cloned());
        (before != after).then(|| Change { path: path.clone(), before, after })
    };
    paths.into_iter().filter_map(change).collect()
}
