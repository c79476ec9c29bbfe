//! Which kind of value stands where, as far as calls of primitives tell.
//!
//! A light inference without control flow: a place (`x`, `goal["equations"]`, `task.get("text")`) has the kind of the
//! parameter that it is passed for, or of the primitive that it is assigned from; kinds flow through assignments,
//! through calls of the script's own functions in both directions, and among functions that stand in one list.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::{Expr, Operator, Stmt};

use super::sites::{Role, Site, Sites, called, name_of, root_of};
use super::{Kind, Primitive};

/// Rounds of inference; facts travel one call further in each.
const ROUNDS: usize = 5;

/// What is known.
pub(super) struct Kinds<'s> {
    /// Kind by function and text of the place.
    places: BTreeMap<(Option<usize>, &'s str), Kind>,
    /// Kind of the result by function.
    gives: BTreeMap<usize, Kind>,
    /// Names of lists of functions, and the functions in them.
    groups: Vec<Vec<usize>>,
    /// Signatures by name.
    primitives: BTreeMap<String, Primitive>,
    /// Kinds that any primitive takes.
    taken: BTreeSet<Kind>,
}

impl<'s> Kinds<'s> {
    /// Infers kinds.
    pub(super) fn infer(sites: &Sites<'s>, primitives: &[Primitive]) -> Self {
        let taken = primitives.iter().flat_map(|primitive| &primitive.takes).filter(|kind| !kind.is_any());
        let mut kinds = Self {
            places: BTreeMap::new(),
            gives: BTreeMap::new(),
            groups: groups(sites),
            primitives: primitives.iter().map(|one| (one.name.clone(), one.clone())).collect(),
            taken: taken.cloned().collect(),
        };
        for round in 0..ROUNDS {
            for site in &sites.exprs {
                kinds.learn(sites, site);
            }
            kinds.share(sites);
            if round == 1 {
                // Names are a last hint, so that what is known by use wins.
                kinds.guess_by_name(sites);
            }
        }
        kinds
    }

    /// Returns the kind of an expression in a function.
    pub(super) fn of(&self, sites: &Sites<'s>, expr: &'s Expr, function: Option<usize>) -> Option<Kind> {
        if let Some(known) = self.places.get(&(function, sites.of_node(expr))) {
            return Some(known.clone());
        }
        match expr {
            Expr::Name(name) => self.places.get(&(None, name.id.as_str())).cloned(),
            Expr::Call(call) => {
                let name = name_of(&call.func)?;
                if let Some(primitive) = self.primitives.get(name) {
                    return Some(primitive.gives.clone()).filter(|kind| !kind.is_any());
                }
                if let Some(index) = sites.function_named(name) {
                    return self.gives.get(&index).cloned();
                }
                if matches!(name, "list" | "sorted" | "tuple" | "reversed") {
                    return self.of(sites, call.arguments.args.first()?, function);
                }
                // A name that is no function is a method taken from a list of functions.
                let arity = call.arguments.args.len();
                let group = self.groups.iter().find(|group| {
                    group
                        .iter()
                        .any(|index| sites.functions.get(*index).is_some_and(|one| one.parameters.len() == arity))
                })?;
                group.iter().find_map(|index| self.gives.get(index).cloned())
            }
            Expr::BinOp(binary) if binary.op == Operator::Add => {
                let left = self.of(sites, &binary.left, function)?;
                (self.of(sites, &binary.right, function)? == left).then_some(left)
            }
            Expr::ListComp(comp) => {
                let [generator] = comp.generators.as_slice() else {
                    return None;
                };
                let kept = sites.of_node(&*comp.elt) == sites.of_node(&generator.target);
                if kept { self.of(sites, &generator.iter, function) } else { None }
            }
            Expr::List(list) => {
                let one = self.of(sites, list.elts.first()?, function)?;
                self.taken.iter().find(|kind| one.listed_is(kind)).cloned()
            }
            Expr::If(ternary) => self.of(sites, &ternary.body, function),
            Expr::BoolOp(logic) => self.of(sites, logic.values.first()?, function),
            _ => None,
        }
    }

    /// Lists the places of a function (and of the top) with their kinds, in the order of their text.
    pub(super) fn places(&self, function: Option<usize>) -> impl Iterator<Item = (&'s str, &Kind)> {
        self.places
            .iter()
            .filter(move |((scope, _), _)| *scope == function || scope.is_none())
            .map(|((_, text), kind)| (*text, kind))
    }

    /// Makes a primitive of a function of the script whose signature is known.
    pub(super) fn signature(&self, sites: &Sites<'s>, index: usize) -> Option<Primitive> {
        let function = sites.functions.get(index)?;
        let takes: Option<Vec<Kind>> =
            function.parameters.iter().map(|parameter| self.places.get(&(Some(index), parameter)).cloned()).collect();
        let gives = self.gives.get(&index)?.clone();
        Some(Primitive { name: function.name.to_owned(), takes: takes?, gives, fields: Vec::new() })
    }

    /// Returns the kind of the elements of a list, when some primitive takes it.
    fn element_of(&self, sites: &Sites<'s>, list: &'s Expr, function: Option<usize>) -> Option<Kind> {
        let many = self.of(sites, list, function)?;
        self.taken.iter().find(|one| one.listed_is(&many)).cloned()
    }

    fn set(&mut self, sites: &Sites<'s>, expr: &'s Expr, function: Option<usize>, kind: &Kind) {
        if is_place(expr) && !kind.is_any() {
            let text = sites.of_node(expr);
            let scope = match root_of(expr) {
                Some(root) if !sites.bindings.contains_key(&(function, root)) => None,
                _ => function,
            };
            self.places.entry((scope, text)).or_insert_with(|| kind.clone());
        }
    }

    /// Learns what one expression tells.
    fn learn(&mut self, sites: &Sites<'s>, site: &Site<'s>) {
        match (site.role, site.stmt) {
            (Role::Returned, _) => {
                let Some(index) = site.function else { return };
                match (self.of(sites, site.expr, site.function), self.gives.get(&index).cloned()) {
                    (Some(kind), None) => {
                        self.gives.insert(index, kind);
                    }
                    (None, Some(kind)) => self.set(sites, site.expr, site.function, &kind),
                    _ => {}
                }
            }
            (Role::Assigned, Stmt::Assign(assign)) => {
                let [target] = assign.targets.as_slice() else {
                    return;
                };
                if let Expr::Tuple(tuple) = target {
                    if let Some(one) = self.element_of(sites, site.expr, site.function) {
                        for target in &tuple.elts {
                            self.set(sites, target, site.function, &one);
                        }
                    }
                    return;
                }
                match (self.of(sites, site.expr, site.function), self.of(sites, target, site.function)) {
                    (Some(kind), None) => self.set(sites, target, site.function, &kind),
                    (None, Some(kind)) => self.set(sites, site.expr, site.function, &kind),
                    _ => {}
                }
            }
            (Role::Iterated, Stmt::For(each)) if site.parent.is_none() => {
                if let Some(one) = self.element_of(sites, site.expr, site.function) {
                    self.set(sites, &each.target, site.function, &one);
                }
            }
            _ => {}
        }
        if let Expr::Call(call) = site.expr {
            self.learn_call(sites, call, site.function);
        }
    }

    fn learn_call(&mut self, sites: &Sites<'s>, call: &'s ruff_python_ast::ExprCall, function: Option<usize>) {
        let arguments = &call.arguments.args;
        if let Expr::Attribute(method) = call.func.as_ref() {
            if method.attr.as_str() == "extend"
                && let Some(added) = arguments.first()
                && let Some(kind) = self.of(sites, added, function)
            {
                self.set(sites, &method.value, function, &kind);
            }
            return;
        }
        let Some(name) = name_of(&call.func) else {
            return;
        };
        if let Some(takes) = self.primitives.get(name).map(|primitive| primitive.takes.clone()) {
            for (argument, kind) in arguments.iter().zip(&takes) {
                match argument {
                    Expr::UnaryOp(unary) if kind.name() == Kind::NUMBER => {
                        self.set(sites, &unary.operand, function, kind);
                    }
                    _ => self.set(sites, argument, function, kind),
                }
            }
            return;
        }
        let callees: Vec<usize> = match sites.function_named(name) {
            Some(index) => vec![index],
            None => self
                .groups
                .iter()
                .flatten()
                .copied()
                .filter(|index| sites.functions.get(*index).is_some_and(|one| one.parameters.len() == arguments.len()))
                .take(64)
                .collect(),
        };
        for index in callees {
            let Some(callee) = sites.functions.get(index) else {
                continue;
            };
            for (argument, parameter) in arguments.iter().zip(&callee.parameters) {
                let inside = self.places.get(&(Some(index), parameter)).cloned();
                match (self.of(sites, argument, function), inside) {
                    (Some(kind), None) => {
                        self.places.insert((Some(index), parameter), kind);
                    }
                    (None, Some(kind)) => self.set(sites, argument, function, &kind),
                    _ => {}
                }
            }
        }
    }

    /// Lets functions that stand in one list share what is known of their parameters and results.
    fn share(&mut self, sites: &Sites<'s>) {
        for group in self.groups.clone() {
            if let Some(kind) = group.iter().find_map(|index| self.gives.get(index).cloned()) {
                for index in &group {
                    self.gives.entry(*index).or_insert_with(|| kind.clone());
                }
            }
            let longest = group
                .iter()
                .filter_map(|index| sites.functions.get(*index))
                .map(|function| function.parameters.len())
                .max()
                .unwrap_or(0);
            for position in 0..longest.min(8) {
                let names: Vec<(usize, &'s str)> = group
                    .iter()
                    .filter_map(|index| Some((*index, *sites.functions.get(*index)?.parameters.get(position)?)))
                    .collect();
                let known = names.iter().find_map(|(index, name)| self.places.get(&(Some(*index), *name)));
                if let Some(kind) = known.cloned() {
                    for (index, name) in names {
                        self.places.entry((Some(index), name)).or_insert_with(|| kind.clone());
                    }
                }
            }
        }
    }

    /// Takes a name that is the name of a kind for that kind, and the value under such a key of a dictionary too.
    fn guess_by_name(&mut self, sites: &Sites<'s>) {
        let by_name: BTreeMap<String, Kind> =
            self.taken.iter().map(|kind| (kind.name().replace('-', "_"), kind.clone())).collect();
        for (index, function) in sites.functions.iter().enumerate() {
            for parameter in &function.parameters {
                if let Some(kind) = by_name.get(*parameter) {
                    let place = (Some(index), *parameter);
                    self.places.entry(place).or_insert_with(|| kind.clone());
                }
            }
        }
        for site in &sites.exprs {
            let hint = match (site.role, site.parent) {
                (Role::DictValue, Some(Expr::Dict(dict))) => dict
                    .items
                    .iter()
                    .find(|item| std::ptr::eq(&raw const item.value, site.expr))
                    .and_then(|item| text_of(item.key.as_ref()?)),
                _ => last_of(site.expr),
            };
            if let Some(kind) = hint.and_then(|name| by_name.get(name)).cloned() {
                self.set(sites, site.expr, site.function, &kind);
            }
        }
    }
}

/// Says whether an expression is a place: a name, or a constant way into one.
pub(super) fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Name(_) => true,
        Expr::Attribute(attribute) => is_place(&attribute.value),
        Expr::Subscript(subscript) => {
            let constant = matches!(subscript.slice.as_ref(), Expr::StringLiteral(_) | Expr::NumberLiteral(_));
            constant && is_place(&subscript.value)
        }
        Expr::Call(call) => match call.func.as_ref() {
            Expr::Attribute(method) => {
                let key = call.arguments.args.first();
                method.attr.as_str() == "get" && key.and_then(text_of).is_some() && is_place(&method.value)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Returns the last word of a place: `equations` of `goal["equations"]`.
fn last_of(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => Some(attribute.attr.as_str()),
        Expr::Subscript(subscript) => text_of(&subscript.slice),
        Expr::Call(call) if is_place(expr) => call.arguments.args.first().and_then(text_of),
        _ => None,
    }
}

fn text_of(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::StringLiteral(text) => Some(text.value.to_str()),
        _ => None,
    }
}

/// Gathers the functions that stand together in lists, tables or chains of `or`.
fn groups(sites: &Sites<'_>) -> Vec<Vec<usize>> {
    let mut groups = Vec::new();
    for site in &sites.exprs {
        let names: Vec<Option<&str>> = match site.expr {
            Expr::List(list) => list.elts.iter().map(name_of).collect(),
            Expr::Tuple(tuple) => tuple.elts.iter().map(name_of).collect(),
            Expr::Dict(dict) => dict.items.iter().map(|item| name_of(&item.value)).collect(),
            Expr::BoolOp(logic) => logic.values.iter().map(called).collect(),
            _ => continue,
        };
        let group: Vec<usize> =
            names.into_iter().flatten().take(64).filter_map(|name| sites.function_named(name)).collect();
        if group.len() > 1 {
            groups.push(group);
        }
    }
    groups
}
