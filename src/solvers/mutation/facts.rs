//! Plain facts about a script: whether it parses, what it defines, what it calls.

use std::collections::BTreeSet;

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ExceptHandler, Expr, ExprContext, Stmt, Suite};
use ruff_python_parser::{Mode, lexer, parse_module};

use super::MutationError;

/// Longest script, in bytes. Programs are pages, not libraries.
const LONGEST: usize = 64 * 1024;

/// Longest chain of tokens without a comma or line end between them.
///
/// The parser bounds nesting, but builds `1 + 1 + 1 + …` and `a.b.c…` in a loop: the tree is as deep as the chain is
/// long, and walking or dropping it would overflow the stack.
const LONGEST_CHAIN: usize = 600;

/// Says whether a script parses.
///
/// # Errors
/// Where and why it does not, or that it is too long.
pub fn parses(source: &str) -> Result<(), MutationError> {
    read(source).map(drop)
}

/// Says whether a script defines `run(task, memory, params)`, by the number of its parameters.
#[must_use]
pub fn defines_run(source: &str) -> bool {
    read(source).is_ok_and(|suite| {
        suite.iter().any(|stmt| match stmt {
            Stmt::FunctionDef(function) => {
                function.name.as_str() == "run" && !function.is_async && function.parameters.len() == 3
            }
            _ => false,
        })
    })
}

/// Lists the names that a script calls as plain functions, sorted, each once; empty when it does not parse.
///
/// Methods (`text.split()`) are left out: they belong to values, not to the permissions of a program.
#[must_use]
pub fn calls(source: &str) -> Vec<String> {
    gather(source).map_or_else(Vec::new, |names| names.called.into_iter().collect())
}

/// Lists names that are read but neither bound anywhere in the script nor in `known`, sorted.
///
/// `known` holds builtins and tools. Scopes are not told apart, so a name bound in one function counts as known in
/// all: the list is short of false alarms rather than complete.
#[must_use]
pub fn unknown_names(source: &str, known: &[&str]) -> Vec<String> {
    gather(source).map_or_else(Vec::new, |names| {
        names.read.into_iter().filter(|name| !names.bound.contains(name) && !known.contains(&name.as_str())).collect()
    })
}

/// Reads a script into its tree, within bounds.
pub(super) fn read(source: &str) -> Result<Suite, MutationError> {
    if source.len() > LONGEST {
        return Err(at(source, 0, format!("the script is longer than {LONGEST} bytes")));
    }
    if let Some(line) = too_long_a_chain(source) {
        let message = "an expression that ends after this line is too long".to_owned();
        return Err(MutationError { line, column: 1, message });
    }
    parse_module(source).map(|parsed| parsed.into_suite()).map_err(|error| {
        let offset = error.location.start().to_usize();
        at(source, offset, error.error.to_string().trim_end_matches('.').to_owned())
    })
}

/// Makes an error of a byte offset.
fn at(source: &str, offset: usize, message: String) -> MutationError {
    let before = source.get(..offset.min(source.len())).unwrap_or(source);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    MutationError { line, column, message }
}

/// Finds the line from which on a chain of tokens is longer than the bound.
fn too_long_a_chain(source: &str) -> Option<usize> {
    let mut lexer = lexer::lex(source, Mode::Module);
    let mut open: Vec<usize> = vec![0];
    let mut total = 0;
    let mut line = 1;
    loop {
        match lexer.next_token() {
            TokenKind::EndOfFile => return None,
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace | TokenKind::FStringStart => {
                open.push(1);
                total += 1;
            }
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace | TokenKind::FStringEnd => {
                // The closed bracket counts as one link of the chain that it stands in.
                if open.len() > 1 {
                    total -= open.pop().unwrap_or(0);
                    if let Some(top) = open.last_mut() {
                        *top += 1;
                        total += 1;
                    }
                }
            }
            TokenKind::Comma => {
                if let Some(top) = open.last_mut() {
                    total -= *top;
                    *top = 0;
                }
            }
            TokenKind::NonLogicalNewline => line += 1,
            TokenKind::Newline => {
                line += 1;
                open.clear();
                open.push(0);
                total = 0;
            }
            _ => {
                if let Some(top) = open.last_mut() {
                    *top += 1;
                    total += 1;
                }
            }
        }
        if total > LONGEST_CHAIN {
            return Some(line);
        }
    }
}

/// Names of a script by what is done with them.
#[derive(Default)]
struct Names {
    called: BTreeSet<String>,
    read: BTreeSet<String>,
    bound: BTreeSet<String>,
}

fn gather(source: &str) -> Option<Names> {
    let suite = read(source).ok()?;
    let mut names = Names::default();
    names.visit_body(&suite);
    Some(names)
}

impl<'a> Visitor<'a> for Names {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(function) => {
                self.bound.insert(function.name.to_string());
            }
            Stmt::ClassDef(class) => {
                self.bound.insert(class.name.to_string());
            }
            Stmt::Import(import) => {
                for alias in &import.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name);
                    let root = name.as_str().split('.').next().unwrap_or("");
                    self.bound.insert(root.to_owned());
                }
            }
            Stmt::ImportFrom(import) => {
                for alias in &import.names {
                    self.bound.insert(alias.asname.as_ref().unwrap_or(&alias.name).to_string());
                }
            }
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_parameter(&mut self, parameter: &'a ruff_python_ast::Parameter) {
        self.bound.insert(parameter.name.to_string());
        visitor::walk_parameter(self, parameter);
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        if let Some(name) = &inner.name {
            self.bound.insert(name.to_string());
        }
        visitor::walk_except_handler(self, handler);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => {
                match name.ctx {
                    ExprContext::Store | ExprContext::Del => self.bound.insert(name.id.to_string()),
                    ExprContext::Load | ExprContext::Invalid => self.read.insert(name.id.to_string()),
                };
            }
            Expr::Call(call) => {
                if let Expr::Name(name) = call.func.as_ref() {
                    self.called.insert(name.id.to_string());
                }
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}
