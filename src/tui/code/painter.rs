//! Grammars at work: each text with the state in which its last coloured line left it.

use std::collections::HashMap;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

use super::toml::Toml;
use super::{Key, LONGEST, Pieces};
use crate::tui::text::clean;
use crate::tui::theme::Role;

/// What a text is written in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Language {
    /// A script; its front matter is TOML in comments.
    Python,
    /// A prompt; its front matter is TOML between lines of `+++`.
    Markdown,
    /// A network or a setting.
    Toml,
    /// Whatever has this ending.
    Other(String),
    /// Nothing that is known.
    Plain,
}

impl Language {
    /// What a file's name says.
    pub(super) fn of(path: &str) -> Self {
        match path.rsplit_once('.').map(|(_, ending)| ending) {
            Some("py") => Self::Python,
            Some("md") => Self::Markdown,
            Some("toml") => Self::Toml,
            Some(ending) if ending.len() <= 8 => Self::Other(ending.to_owned()),
            Some(_) | None => Self::Plain,
        }
    }
}

/// Colours lines in order.
#[derive(Default)]
pub(super) struct Painter {
    grammars: Option<Grammars>,
    states: HashMap<Key, State>,
}

struct Grammars {
    set: SyntaxSet,
    roles: Vec<(Scope, Option<Role>)>,
}

/// Where a text stands after so many lines.
struct State {
    lines: usize,
    part: Part,
    toml: Toml,
    grammar: Option<(ParseState, ScopeStack)>,
}

/// Which part of a program's file a line belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Nothing was read yet.
    Beginning,
    /// The front matter.
    Front,
    /// What comes after.
    Body,
}

impl Painter {
    /// Colours the next lines of a text, of which `from` are done.
    pub(super) fn paint<'t>(&mut self, key: &Key, from: usize, lines: impl Iterator<Item = &'t str>) -> Vec<Pieces> {
        let grammars = self.grammars.get_or_insert_with(Grammars::load);
        let state = self.states.remove(key).filter(|state| state.lines == from);
        let mut state = state.unwrap_or_else(|| State::new(grammars, &key.language));
        // A state that was lost means that everything before is lost, too; the caller begins anew then.
        let painted: Vec<Pieces> = lines.map(|line| state.paint(grammars, &key.language, line)).collect();
        state.lines = from + painted.len();
        self.states.insert(key.clone(), state);
        painted
    }

    /// Forgets texts.
    pub(super) fn keep(&mut self, kept: impl Fn(&Key) -> bool) {
        self.states.retain(|key, _| kept(key));
    }
}

impl State {
    fn new(grammars: &Grammars, language: &Language) -> Self {
        let ending = match language {
            Language::Python => "py",
            Language::Markdown => "md",
            Language::Other(ending) => ending,
            Language::Toml | Language::Plain => "",
        };
        let syntax = grammars.set.find_syntax_by_extension(ending).filter(|_| !ending.is_empty());
        let grammar = syntax.map(|syntax| (ParseState::new(syntax), ScopeStack::new()));
        Self { lines: 0, part: Part::Beginning, toml: Toml::default(), grammar }
    }

    fn paint(&mut self, grammars: &Grammars, language: &Language, line: &str) -> Pieces {
        if line.len() > LONGEST {
            return Box::default();
        }
        let line = clean(line);
        let before = self.part;
        match language {
            Language::Toml => return self.toml.paint(&line).into(),
            Language::Python => {
                self.part = match before {
                    Part::Beginning if line.starts_with("# /// ") => Part::Front,
                    Part::Front if line.starts_with("# ///") => Part::Body,
                    Part::Beginning if line.is_empty() => Part::Beginning,
                    Part::Beginning | Part::Body => Part::Body,
                    Part::Front => Part::Front,
                };
                if before == Part::Front && self.part == Part::Front {
                    return commented(&mut self.toml, &line);
                }
            }
            Language::Markdown => {
                self.part = match before {
                    Part::Beginning if line.trim_end() == "+++" => Part::Front,
                    Part::Front if line.trim_end() == "+++" => Part::Body,
                    Part::Beginning | Part::Body => Part::Body,
                    Part::Front => Part::Front,
                };
                match (before, self.part) {
                    (Part::Front, Part::Front) => return self.toml.paint(&line).into(),
                    (Part::Beginning, Part::Front) | (Part::Front, _) => return whole(&line, Role::CodeComment),
                    (Part::Beginning | Part::Body, _) => {}
                }
            }
            Language::Other(_) | Language::Plain => {}
        }
        match &mut self.grammar {
            Some((state, stack)) => grammars.paint(state, stack, &line),
            None => Box::default(),
        }
    }
}

/// A line of TOML in a comment of Python.
fn commented(toml: &mut Toml, line: &str) -> Pieces {
    let Some(rest) = line.strip_prefix('#') else { return whole(line, Role::CodeComment) };
    let inner = rest.strip_prefix(' ').unwrap_or(rest);
    let mut pieces = vec![(length(line.len() - inner.len()), Role::CodeComment)];
    pieces.extend(toml.paint(inner));
    pieces.into()
}

fn whole(line: &str, role: Role) -> Pieces {
    Box::new([(length(line.len()), role)])
}

/// A length in bytes, of a line that is not long.
pub(super) fn length(bytes: usize) -> u16 {
    u16::try_from(bytes).unwrap_or(u16::MAX)
}

impl Grammars {
    fn load() -> Self {
        // The first that fits decides, from the innermost scope outwards; none means that the next scope is asked.
        let table: [(&str, Option<Role>); 23] = [
            ("comment", Some(Role::CodeComment)),
            ("constant.character.escape", Some(Role::CodeNumber)),
            ("constant", Some(Role::CodeNumber)),
            ("keyword.operator.word", Some(Role::CodeKeyword)),
            ("keyword.operator.logical", Some(Role::CodeKeyword)),
            ("keyword.operator", Some(Role::Text)),
            ("keyword", Some(Role::CodeKeyword)),
            ("storage", Some(Role::CodeKeyword)),
            ("entity.name.function", Some(Role::CodeFunction)),
            ("support.function", Some(Role::CodeFunction)),
            ("variable.function", Some(Role::CodeFunction)),
            ("entity.name.section", Some(Role::CodeKeyword)),
            ("entity.name.tag", Some(Role::CodeKeyword)),
            ("entity", Some(Role::CodeName)),
            ("variable.parameter", Some(Role::CodeName)),
            ("support", Some(Role::CodeName)),
            ("markup.heading", Some(Role::CodeKeyword)),
            ("markup.raw", Some(Role::CodeString)),
            ("markup.quote", Some(Role::CodeComment)),
            ("markup.underline.link", Some(Role::CodeFunction)),
            ("string", Some(Role::CodeString)),
            ("meta.string", Some(Role::CodeString)),
            ("punctuation", None),
        ];
        let roles = table.iter().filter_map(|(name, role)| Some((Scope::new(name).ok()?, *role))).collect();
        Self { set: SyntaxSet::load_defaults_newlines(), roles }
    }

    fn paint(&self, state: &mut ParseState, stack: &mut ScopeStack, line: &str) -> Pieces {
        let Ok(ops) = state.parse_line(&format!("{line}\n"), &self.set) else { return Box::default() };
        let mut pieces: Vec<(u16, Role)> = Vec::new();
        let (mut at, mut role) = (0, self.role(stack));
        let mut push = |upto: usize, role: Role, at: &mut usize| {
            let upto = upto.min(line.len());
            if upto > *at {
                match pieces.last_mut() {
                    Some((length, last)) if *last == role => *length += self::length(upto - *at),
                    Some(_) | None => pieces.push((self::length(upto - *at), role)),
                }
                *at = upto;
            }
        };
        for (place, op) in &ops {
            push(*place, role, &mut at);
            if stack.apply(op).is_err() {
                break;
            }
            role = self.role(stack);
        }
        push(line.len(), role, &mut at);
        pieces.into()
    }

    fn role(&self, stack: &ScopeStack) -> Role {
        for scope in stack.as_slice().iter().rev() {
            let found = self.roles.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope));
            if let Some(role) = found.and_then(|(_, role)| *role) {
                return role;
            }
        }
        Role::Text
    }
}
