//! Arguments for a call that is going to be inserted.

use super::kinds::Kinds;
use super::sites::{Site, Sites, called, root_of};
use super::{Kind, Primitive};
use ruff_python_ast::Expr;

/// Most values tried for one argument.
const MOST_OPTIONS: usize = 3;

/// Most ways to fill all arguments of one call.
const MOST_FILLINGS: usize = 6;

/// Longest argument that is copied from another call, in bytes.
const LONGEST: usize = 80;

/// Where a call is inserted.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Enclosing function.
    pub(super) function: Option<usize>,
    /// First byte of the statement; names must be bound before it.
    pub(super) at: usize,
}

/// The calls that a script has, to copy arguments from.
pub(super) struct Filler<'a, 's> {
    sites: &'a Sites<'s>,
    kinds: &'a Kinds<'s>,
    calls: Vec<(&'s str, Option<usize>, &'s [Expr])>,
}

impl<'a, 's> Filler<'a, 's> {
    /// Gathers the calls.
    pub(super) fn of(sites: &'a Sites<'s>, kinds: &'a Kinds<'s>) -> Self {
        let call = |site: &Site<'s>| match site.expr {
            Expr::Call(call) => Some((called(site.expr)?, site.function, call.arguments.args.as_ref())),
            _ => None,
        };
        Self { sites, kinds, calls: sites.exprs.iter().filter_map(call).collect() }
    }

    /// Says how a primitive is used: how often anywhere, and whether in this function.
    pub(super) fn use_of(&self, name: &str, function: Option<usize>) -> (usize, bool) {
        let calls = self.calls.iter().filter(|(callee, _, _)| *callee == name);
        calls.fold((0, false), |(count, here), (_, at, _)| (count + 1, here || *at == function))
    }

    /// Lists texts of calls of `primitive` with `given` for the argument `position`, likeliest first.
    pub(super) fn fillings(&self, primitive: &Primitive, position: usize, given: &str, place: Place) -> Vec<String> {
        let mut rows: Vec<Vec<String>> = vec![Vec::new()];
        for (index, kind) in primitive.takes.iter().enumerate() {
            let options = if index == position {
                vec![given.to_owned()]
            } else {
                self.options(primitive, index, kind, given, place)
            };
            // The first options of all arguments come first, then one argument at a time differs.
            rows = options
                .iter()
                .flat_map(|option| {
                    rows.iter().map(move |row| {
                        let mut row = row.clone();
                        row.push(option.clone());
                        row
                    })
                })
                .take(MOST_FILLINGS)
                .collect();
        }
        rows.into_iter().map(|row| format!("{}({})", primitive.name, row.join(", "))).collect()
    }

    /// Lists values for one argument.
    fn options(&self, primitive: &Primitive, index: usize, kind: &Kind, given: &str, place: Place) -> Vec<String> {
        let mut options: Vec<String> = Vec::new();
        let mut add = |text: &str| {
            if text != given && !options.iter().any(|option| option == text) {
                options.push(text.to_owned());
            }
        };
        // What other calls of the same primitive pass, those of the same function first.
        for same in [true, false] {
            for (name, function, arguments) in &self.calls {
                if *name != primitive.name || (*function == place.function) != same {
                    continue;
                }
                if let Some(argument) = arguments.get(index)
                    && self.readable(argument, place)
                {
                    add(self.sites.of_node(argument));
                }
            }
        }
        let places: Vec<(&str, &Kind)> =
            self.kinds.places(place.function).filter(|(text, _)| self.root_visible(text, place)).collect();
        let parameters = place
            .function
            .and_then(|function| self.sites.functions.get(function))
            .map_or(&[][..], |function| function.parameters.as_slice());
        let is_parameter = |text: &str| parameters.contains(&text);
        for wanted in [true, false] {
            for (text, known) in &places {
                if *known == kind && is_parameter(text) == wanted {
                    add(text);
                }
            }
        }
        for (text, known) in &places {
            if known.listed_is(kind) {
                add(&format!("[{text}]"));
            }
        }
        options.truncate(MOST_OPTIONS);
        options
    }

    /// Says whether an argument of another call can be read here.
    fn readable(&self, argument: &Expr, place: Place) -> bool {
        if self.sites.of_node(argument).len() > LONGEST {
            return false;
        }
        let visible =
            |expr: &Expr| root_of(expr).is_some_and(|root| self.sites.visible(root, place.function, place.at));
        match argument {
            Expr::List(list) => list.elts.iter().all(visible),
            Expr::StringLiteral(_) | Expr::NumberLiteral(_) | Expr::BooleanLiteral(_) => true,
            Expr::Name(_) | Expr::Subscript(_) | Expr::Attribute(_) => visible(argument),
            _ => false,
        }
    }

    fn root_visible(&self, text: &str, place: Place) -> bool {
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
        text.get(..end).is_some_and(|root| self.sites.visible(root, place.function, place.at))
    }
}
