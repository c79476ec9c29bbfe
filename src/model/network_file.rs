//! Reads `network.toml` and puts a network together from it and its program files.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    Contract, Diagnostic, Edge, Limits, Network, Program, ProgramName, Rule, Target, did_you_mean, parse_program,
};

/// When a run stops (section 5.3, Algorithm 5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Halting {
    /// A gain below this is none. In units of J, 0 to 1.
    pub epsilon: f64,
    /// Drafting cycles without a gain before a run has stalled.
    pub k: u32,
    /// `standard`, or `goal-check-alone`: stop as soon as goal-check passes.
    pub policy: StopPolicy,
    /// Cycles that an episode may take whose gap is a missing capability.
    pub unanswerable_cycles: u32,
}

/// Who decides that a run is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopPolicy {
    /// Goal-check and the progress metric together.
    #[default]
    Standard,
    /// Goal-check alone.
    GoalCheckAlone,
}

impl Default for Halting {
    fn default() -> Self {
        Self { epsilon: 0.001, k: 3, policy: StopPolicy::Standard, unanswerable_cycles: 4 }
    }
}

/// `network.toml`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct NetworkFile {
    /// The network whose programs and settings this one starts from.
    pub extends: Option<String>,
    /// One sentence: what the network is for.
    pub about: Option<String>,
    /// Who reads the query first.
    pub entry: Option<ProgramName>,
    /// Rules; those of the network that extends come before those of the one extended.
    pub rules: Vec<Rule>,
    /// Weights of the scorer's channels.
    pub scorer: BTreeMap<String, f64>,
    /// Limits.
    pub limits: Option<Limits>,
    /// Halting.
    pub halting: Option<Halting>,
    /// Programs of the extended network that are left out.
    pub without: Vec<ProgramName>,
    /// Other names for programs of the extended network, so that one of this network can take the old name and both stand
    /// side by side. Their files are renamed before networks are put together; what they declare stays as it is, so an edge
    /// to a name leads to whoever has it now.
    pub rename: BTreeMap<ProgramName, ProgramName>,
}

impl NetworkFile {
    /// Reads the file.
    ///
    /// # Errors
    /// The first mistake, placed.
    pub fn parse(path: &str, text: &str) -> Result<Self, Diagnostic> {
        toml::from_str(text).map_err(|error| Diagnostic::from_toml(path, text, 0, &error))
    }

    fn over(self, base: Self) -> Self {
        let mut scorer = base.scorer;
        scorer.extend(self.scorer);
        Self {
            extends: self.extends,
            about: self.about.or(base.about),
            entry: self.entry.or(base.entry),
            rules: self.rules.into_iter().chain(base.rules).collect(),
            scorer,
            limits: self.limits.or(base.limits),
            halting: self.halting.or(base.halting),
            without: base.without.into_iter().chain(self.without).collect(),
            rename: self.rename,
        }
    }
}

/// The file of a network that is no program.
const FILE: &str = "network.toml";

/// Puts a network together from layers of files, the extended network's first.
///
/// Each layer maps a path in its folder to text; a later layer's file replaces an earlier one's of the same name. A broken
/// program is left out with its diagnostics and never spoils the rest.
///
/// # Errors
/// When no layer has a usable `network.toml`, or nothing can be the entry.
pub fn assemble(
    name: &str,
    layers: &[BTreeMap<String, String>],
) -> Result<(Network, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let mut file: Option<NetworkFile> = None;
    let mut files: BTreeMap<&str, &str> = BTreeMap::new();
    for layer in layers {
        if let Some(text) = layer.get(FILE) {
            match NetworkFile::parse(&format!("{name}/{FILE}"), text) {
                Ok(found) => {
                    file = Some(match file.take() {
                        Some(base) => found.over(base),
                        None => found,
                    });
                }
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
        }
        files.extend(layer.iter().filter(|(path, _)| *path != FILE).map(|(path, text)| (path.as_str(), text.as_str())));
    }
    let Some(file) = file else {
        diagnostics.push(Diagnostic::at(&format!("{name}/network.toml"), "", 0, "there is no usable network.toml"));
        return Err(diagnostics);
    };
    let revision = Network::revision_of(layers.iter().flatten().map(|(path, text)| (path.as_str(), text.as_str())));
    let mut programs: BTreeMap<ProgramName, Arc<Program>> = BTreeMap::new();
    for (path, text) in files.iter().filter(|(path, _)| is_program(path)) {
        match parse_program(path, text) {
            Ok(program) if file.without.contains(&program.name) => {}
            Ok(program) => {
                programs.insert(program.name.clone(), Arc::new(program));
            }
            Err(mut problems) => {
                for problem in &mut problems {
                    problem.path = format!("{name}/{}", problem.path);
                }
                diagnostics.extend(problems);
            }
        }
    }
    let order: Vec<ProgramName> = programs.keys().cloned().collect();
    let edges = edges(name, &programs, &mut diagnostics);
    let entry = file.entry.clone().filter(|entry| programs.contains_key(entry)).or_else(|| {
        programs.values().find(|program| program.contract() == Contract::Router).map(|program| program.name.clone())
    });
    let Some(entry) = entry else {
        let at = format!("{name}/network.toml");
        diagnostics.push(
            Diagnostic::at(&at, "", 0, "no program can be the entry")
                .hint(Some("name one with `entry = \"…\"`, or add a program of contract router".into())),
        );
        return Err(diagnostics);
    };
    let text = toml::to_string(&file).unwrap_or_default();
    let network = Network {
        name: name.to_owned(),
        revision,
        programs,
        order,
        edges,
        rules: file.rules,
        entry,
        limits: file.limits.unwrap_or_default(),
        halting: file.halting.unwrap_or_default(),
        scorer: file.scorer,
        file: Arc::from(text),
    };
    Ok((network, diagnostics))
}

impl Network {
    /// The network with one program put in place of the one of its name, or added; edges are drawn anew.
    #[must_use]
    pub fn with_program(&self, program: Program) -> Self {
        let mut network = self.clone();
        network.programs.insert(program.name.clone(), Arc::new(program));
        network.order = network.programs.keys().cloned().collect();
        network.edges = edges(&self.name, &network.programs, &mut Vec::new());
        network
    }

    /// The network without the program that stands in a file; edges are drawn anew.
    #[must_use]
    pub fn without_path(&self, path: &str) -> Self {
        let mut network = self.clone();
        network.programs.retain(|_, program| program.path != path);
        network.order = network.programs.keys().cloned().collect();
        network.edges = edges(&self.name, &network.programs, &mut Vec::new());
        network
    }

    /// The network after a revision of its programs.
    #[must_use]
    pub fn revised(&self, revision: &super::Revision) -> Self {
        let mut next = self.clone();
        for change in &revision.changes {
            match change.after.as_deref().map(|text| parse_program(&change.path, text)) {
                Some(Ok(program)) => next = next.with_program(program),
                Some(Err(_)) => {}
                None => next = next.without_path(&change.path),
            }
        }
        next.revision = revision.id.clone();
        next
    }
}

/// Whether a path in the folder of a network is that of a program.
#[must_use]
pub fn is_program(path: &str) -> bool {
    path != FILE
        && !path.contains('/')
        && [".md", ".py", ".toml"].iter().any(|ending| path.ends_with(ending))
        && path != "README.md"
}

/// Edges that the programs declare, from `next` and `after`, sorted by `from`.
fn edges(
    network: &str,
    programs: &BTreeMap<ProgramName, Arc<Program>>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Edge> {
    let mut found: BTreeMap<(ProgramName, ProgramName), f64> = BTreeMap::new();
    let active = |program: &&Arc<Program>| program.manifest.active;
    for program in programs.values().filter(active) {
        for target in &program.manifest.after {
            warn_of_nobody(network, program, target, programs, diagnostics);
            for from in programs.values().filter(active) {
                if target.matches(from, None) && from.name != program.name {
                    found.entry((from.name.clone(), program.name.clone())).or_insert(program.manifest.prior);
                }
            }
        }
    }
    for program in programs.values().filter(active) {
        for (target, prior) in &program.manifest.next {
            warn_of_nobody(network, program, target, programs, diagnostics);
            for to in programs.values().filter(active) {
                if target.matches(to, None) && (to.name != program.name || matches!(target, Target::Name(_))) {
                    found.insert((program.name.clone(), to.name.clone()), *prior);
                }
            }
        }
    }
    found.into_iter().map(|((from, to), prior)| Edge { from, to, prior }).collect()
}

fn warn_of_nobody(
    network: &str,
    program: &Program,
    target: &Target,
    programs: &BTreeMap<ProgramName, Arc<Program>>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if programs.values().any(|other| target.matches(other, None)) {
        return;
    }
    let Target::Name(name) = target else { return };
    let at = program.source.find(name.as_str()).unwrap_or(0);
    let hint = did_you_mean(name.as_str(), programs.keys().map(ProgramName::as_str));
    let path = format!("{network}/{}", program.path);
    diagnostics.push(
        Diagnostic::at(&path, &program.source, at, format!("no program is called `{name}`")).hint(hint).warning(),
    );
}
