//! The script as flat lists: every expression with its role, every block of statements, every function.
//!
//! One walk over the tree fills the lists, so that each family of edits is a loop and knows nothing of traversal.

use std::collections::BTreeMap;
use std::ops::Range;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprContext, Stmt};
use ruff_text_size::Ranged;

/// What an expression is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Condition of `if`, `while`, a ternary or a comprehension, or an operand of `and`, `or`, `not`.
    Condition,
    /// Value of `return`.
    Returned,
    /// Right side of an assignment.
    Assigned,
    /// Left side of an assignment or another binding.
    Bound,
    /// What a loop runs over.
    Iterated,
    /// Value in a dictionary.
    DictValue,
    /// Key in a dictionary.
    DictKey,
    /// Positional argument with its index.
    Argument(usize),
    /// The function of a call.
    Callee,
    /// Operand of arithmetic.
    Operand,
    /// Operand of a comparison.
    Compared,
    /// Element of a list, tuple, set or comprehension.
    Element,
    /// What is subscripted or asked for an attribute.
    Container,
    /// Inside the brackets of a subscript.
    Index,
    /// A statement of its own; its value is thrown away.
    Discarded,
    /// Anything else: keyword arguments, f-string fields, defaults.
    Other,
}

/// One expression and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Site<'s> {
    /// The expression.
    pub(super) expr: &'s Expr,
    /// The expression around it within the same statement.
    pub(super) parent: Option<&'s Expr>,
    /// The innermost statement.
    pub(super) stmt: &'s Stmt,
    /// Its use.
    pub(super) role: Role,
    /// Index of the enclosing function in [`Sites::functions`].
    pub(super) function: Option<usize>,
}

/// A list of statements at one indentation.
#[derive(Clone, Copy)]
pub(super) struct Block<'s> {
    /// The statements, never empty.
    pub(super) stmts: &'s [Stmt],
    /// Index of the enclosing function.
    pub(super) function: Option<usize>,
    /// Whether `continue` is allowed here.
    pub(super) in_loop: bool,
}

/// One function of the script, nested ones included.
#[derive(Clone)]
pub(super) struct Function<'s> {
    /// Its name.
    pub(super) name: &'s str,
    /// Names of its parameters, in order.
    pub(super) parameters: Vec<&'s str>,
    /// All of its bytes.
    pub(super) range: Range<usize>,
    /// Its body.
    pub(super) body: &'s [Stmt],
    /// Whether it stands at the top of the script.
    pub(super) top: bool,
}

/// The flat lists.
pub(super) struct Sites<'s> {
    /// The text.
    pub(super) source: &'s str,
    /// Statements at the top.
    pub(super) body: &'s [Stmt],
    /// Expressions in the order of the walk: outer before inner.
    pub(super) exprs: Vec<Site<'s>>,
    /// Blocks, outer before inner.
    pub(super) blocks: Vec<Block<'s>>,
    /// Functions, outer before inner.
    pub(super) functions: Vec<Function<'s>>,
    /// Function and first byte by name bound in it (`None`: at the top).
    pub(super) bindings: BTreeMap<(Option<usize>, &'s str), usize>,
    /// Bytes of the `# /// program` block; empty when there is none.
    pub(super) header: Range<usize>,
    starts: Vec<usize>,
}

impl<'s> Sites<'s> {
    /// Walks a script.
    pub(super) fn of(source: &'s str, body: &'s [Stmt]) -> Self {
        let starts = std::iter::once(0)
            .chain(source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1))
            .collect();
        let sites = Self {
            source,
            body,
            exprs: Vec::new(),
            blocks: Vec::new(),
            functions: Vec::new(),
            bindings: BTreeMap::new(),
            header: header(source),
            starts,
        };
        let mut walk = Walk { sites, parents: Vec::new(), stmts: Vec::new(), functions: Vec::new(), loops: 0 };
        walk.visit_body(body);
        walk.sites
    }

    /// Returns the text of a range.
    pub(super) fn text(&self, range: &Range<usize>) -> &'s str {
        self.source.get(range.clone()).unwrap_or("")
    }

    /// Returns the text of a node.
    pub(super) fn of_node(&self, node: &impl Ranged) -> &'s str {
        self.text(&bytes(node))
    }

    /// Returns the line of a byte, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    /// Returns the bytes of the innermost statement around a byte.
    pub(super) fn statement_at(&self, at: usize) -> Option<Range<usize>> {
        let around = |stmt: &Stmt| Some(bytes(stmt)).filter(|range| range.start <= at && at <= range.end);
        // Inner blocks come after outer ones.
        self.blocks.iter().rev().find_map(|block| block.stmts.iter().find_map(around))
    }

    /// Returns the innermost function around a byte.
    pub(super) fn function_at(&self, at: usize) -> Option<&Function<'s>> {
        self.functions.iter().rev().find(|function| function.range.contains(&at))
    }

    /// Returns the index of a function of this script.
    pub(super) fn function_index(&self, function: &Function<'s>) -> Option<usize> {
        self.functions.iter().position(|other| other.range == function.range)
    }

    /// Returns the top-level function of a name.
    pub(super) fn function_named(&self, name: &str) -> Option<usize> {
        self.functions.iter().position(|function| function.top && function.name == name)
    }

    /// Returns the white space before a statement when it begins its line, otherwise nothing.
    pub(super) fn indent(&self, at: usize) -> Option<&'s str> {
        let start = self.line_start(at);
        let before = self.source.get(start..at)?;
        before.chars().all(|c| c == ' ' || c == '\t').then_some(before)
    }

    /// Returns where the line of a byte begins.
    pub(super) fn line_start(&self, at: usize) -> usize {
        self.starts.get(self.line(at).saturating_sub(1)).copied().unwrap_or(0)
    }

    /// Returns the text of a line, counted from 1.
    pub(super) fn line_text(&self, line: usize) -> &'s str {
        let start = line.checked_sub(1).and_then(|index| self.starts.get(index)).copied().unwrap_or(self.source.len());
        let end = self.starts.get(line).copied().unwrap_or(self.source.len());
        self.text(&(start..end))
    }

    /// Returns where the next line begins, or the end of the text.
    pub(super) fn next_line(&self, at: usize) -> usize {
        self.starts.get(self.line(at)).copied().unwrap_or(self.source.len())
    }

    /// Says whether a name can be read at a place: bound at the top, or bound earlier in the same function.
    pub(super) fn visible(&self, name: &str, function: Option<usize>, at: usize) -> bool {
        let bound = |scope| self.bindings.get(&(scope, name)).copied();
        bound(function).is_some_and(|first| first < at) || (function.is_some() && bound(None).is_some())
    }
}

/// Returns the bytes of a node.
pub(super) fn bytes(node: &impl Ranged) -> Range<usize> {
    let range = node.range();
    range.start().to_usize()..range.end().to_usize()
}

/// Returns the plain name that an expression is.
pub(super) fn name_of(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(name) => Some(name.id.as_str()),
        _ => None,
    }
}

/// Returns the name that an expression is read from: `goal` of `goal["equations"].x`.
pub(super) fn root_of(expr: &Expr) -> Option<&str> {
    let mut expr = expr;
    loop {
        match expr {
            Expr::Name(name) => return Some(name.id.as_str()),
            Expr::Attribute(attribute) => expr = &attribute.value,
            Expr::Subscript(subscript) => expr = &subscript.value,
            Expr::Call(call) => expr = &call.func,
            _ => return None,
        }
    }
}

/// Returns the name that a call calls.
pub(super) fn called(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Call(call) => name_of(&call.func),
        _ => None,
    }
}

/// Finds the `# /// program` block: from its first line to the end of its closing line.
fn header(source: &str) -> Range<usize> {
    let mut start = None;
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let text = line.trim_end();
        match start {
            None if text.starts_with("# /// ") => start = Some(at),
            Some(first) if text == "# ///" => return first..at + line.len(),
            None if !text.is_empty() && !text.starts_with('#') => break,
            None | Some(_) => {}
        }
        at += line.len();
    }
    0..0
}

struct Walk<'s> {
    sites: Sites<'s>,
    parents: Vec<&'s Expr>,
    stmts: Vec<&'s Stmt>,
    functions: Vec<usize>,
    loops: usize,
}

impl<'s> Walk<'s> {
    fn bind(&mut self, name: &'s str, at: usize) {
        let scope = self.functions.last().copied();
        self.sites.bindings.entry((scope, name)).or_insert(at);
    }

    fn function(&mut self, stmt: &'s Stmt, function: &'s ruff_python_ast::StmtFunctionDef) {
        let name = function.name.as_str();
        self.bind(name, bytes(stmt).start);
        let index = self.sites.functions.len();
        let parameters: Vec<&'s str> = function.parameters.iter().map(|parameter| parameter.name().as_str()).collect();
        for parameter in &parameters {
            self.sites.bindings.insert((Some(index), parameter), bytes(stmt).start);
        }
        self.sites.functions.push(Function {
            name,
            parameters,
            range: bytes(stmt),
            body: &function.body,
            top: self.functions.is_empty(),
        });
        let loops = std::mem::take(&mut self.loops);
        self.functions.push(index);
        visitor::walk_stmt(self, stmt);
        self.functions.pop();
        self.loops = loops;
    }
}

impl<'s> Visitor<'s> for Walk<'s> {
    fn visit_body(&mut self, body: &'s [Stmt]) {
        if !body.is_empty() {
            self.sites.blocks.push(Block {
                stmts: body,
                function: self.functions.last().copied(),
                in_loop: self.loops > 0,
            });
        }
        visitor::walk_body(self, body);
    }

    fn visit_stmt(&mut self, stmt: &'s Stmt) {
        self.stmts.push(stmt);
        let parents = std::mem::take(&mut self.parents);
        match stmt {
            Stmt::FunctionDef(function) => self.function(stmt, function),
            Stmt::For(_) | Stmt::While(_) => {
                self.loops += 1;
                visitor::walk_stmt(self, stmt);
                self.loops -= 1;
            }
            _ => visitor::walk_stmt(self, stmt),
        }
        self.parents = parents;
        self.stmts.pop();
    }

    fn visit_expr(&mut self, expr: &'s Expr) {
        let Some(stmt) = self.stmts.last().copied() else {
            return;
        };
        let parent = self.parents.last().copied();
        if let Expr::Name(name) = expr
            && name.ctx == ExprContext::Store
        {
            self.bind(name.id.as_str(), bytes(expr).start);
        }
        self.sites.exprs.push(Site {
            expr,
            parent,
            stmt,
            role: role(expr, parent, stmt),
            function: self.functions.last().copied(),
        });
        self.parents.push(expr);
        visitor::walk_expr(self, expr);
        self.parents.pop();
    }
}

/// Decides the role of an expression by comparing it with the parts of what holds it.
fn role(expr: &Expr, parent: Option<&Expr>, stmt: &Stmt) -> Role {
    let is = |part: &Expr| part.range() == expr.range();
    let Some(parent) = parent else {
        return match stmt {
            Stmt::Return(_) => Role::Returned,
            Stmt::Assign(assign) if is(&assign.value) => Role::Assigned,
            Stmt::AugAssign(assign) if is(&assign.value) => Role::Operand,
            Stmt::AnnAssign(assign) if assign.value.as_deref().is_some_and(is) => Role::Assigned,
            Stmt::Assign(_) | Stmt::AugAssign(_) | Stmt::AnnAssign(_) => Role::Bound,
            Stmt::For(each) if is(&each.iter) => Role::Iterated,
            Stmt::For(_) => Role::Bound,
            Stmt::If(_) | Stmt::While(_) => Role::Condition,
            Stmt::Expr(_) => Role::Discarded,
            _ => Role::Other,
        };
    };
    match parent {
        Expr::Call(call) if is(&call.func) => Role::Callee,
        Expr::Call(call) => {
            call.arguments.args.binary_search_by_key(&expr.start(), Ranged::start).map_or(Role::Other, Role::Argument)
        }
        Expr::BinOp(_) => Role::Operand,
        Expr::UnaryOp(unary) if unary.op == ruff_python_ast::UnaryOp::Not => Role::Condition,
        Expr::UnaryOp(_) => Role::Operand,
        Expr::BoolOp(_) => Role::Condition,
        Expr::Compare(_) => Role::Compared,
        Expr::If(ternary) if is(&ternary.test) => Role::Condition,
        Expr::Dict(dict) if dict.items.binary_search_by_key(&expr.start(), |item| item.value.start()).is_ok() => {
            Role::DictValue
        }
        Expr::Dict(_) => Role::DictKey,
        Expr::List(_) | Expr::Tuple(_) | Expr::Set(_) => Role::Element,
        Expr::Subscript(subscript) if is(&subscript.slice) => Role::Index,
        Expr::Slice(_) => Role::Index,
        Expr::Subscript(_) | Expr::Attribute(_) => Role::Container,
        Expr::ListComp(comp) => in_comprehension(&is, &comp.elt, &comp.generators),
        Expr::SetComp(comp) => in_comprehension(&is, &comp.elt, &comp.generators),
        Expr::Generator(comp) => in_comprehension(&is, &comp.elt, &comp.generators),
        Expr::Named(named) if is(&named.target) => Role::Bound,
        _ => Role::Other,
    }
}

fn in_comprehension(is: &dyn Fn(&Expr) -> bool, element: &Expr, generators: &[ruff_python_ast::Comprehension]) -> Role {
    if is(element) {
        return Role::Element;
    }
    for generator in generators {
        if is(&generator.target) {
            return Role::Bound;
        }
        if is(&generator.iter) {
            return Role::Iterated;
        }
        if generator.ifs.iter().any(is) {
            return Role::Condition;
        }
    }
    Role::Other
}
