//! Which lines of a script run: a copy of it that says so instead of working.
//!
//! An edit of a line that a failing test never reaches cannot mend it. The copy marks every statement that it comes to and
//! returns the marks as its monologue, whether the script ends well or raises.

use std::ops::RangeInclusive;

use ruff_python_ast::{Expr, Stmt};

use super::sites::{Block, Sites, bytes};
use super::{MutationError, facts};

/// A script that tells which of its statements it came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traced {
    /// The text; its `run` takes what the script's own takes.
    pub text: String,
    /// Lines (1-based, of the original) that each mark stands for.
    marks: Vec<Vec<RangeInclusive<usize>>>,
}

impl Traced {
    /// Returns the lines behind the marks that a run of the copy gave as its monologue, ascending, each once.
    #[must_use]
    pub fn lines(&self, monologue: &str) -> Vec<usize> {
        let mut lines: Vec<usize> = monologue
            .split_whitespace()
            .filter_map(|mark| self.marks.get(mark.parse::<usize>().ok()?))
            .flatten()
            .flat_map(Clone::clone)
            .collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}

/// What comes behind the script. Its own names begin with an underscore, as no program's do.
const TAIL: &str = "
_ran_marks = {}
_ran_first = run


def _ran(mark):
    _ran_marks[mark] = True


def run(task, memory, params):
    try:
        _ran_first(task, memory, params)
    except Exception:
        pass
    return {\"monologue\": \" \".join([str(mark) for mark in _ran_marks])}
";

/// Makes the copy of a script that defines `run`.
///
/// # Errors
/// The script does not parse, or is too long to walk safely.
pub fn traced(source: &str) -> Result<Traced, MutationError> {
    let suite = facts::read(source)?;
    let sites = Sites::of(source, &suite);
    let mut places: Vec<(usize, Vec<RangeInclusive<usize>>)> = Vec::new();
    for block in sites.blocks.iter().filter(|block| block.function.is_some()) {
        places.extend(marked(&sites, block));
    }
    places.sort_by_key(|(at, _)| *at);
    let mut text = String::with_capacity(source.len() * 2);
    let mut from = 0;
    let mut marks = Vec::with_capacity(places.len());
    for (at, lines) in places {
        text.push_str(source.get(from..at).unwrap_or_default());
        let indent = sites.indent(at).unwrap_or_default();
        text.push_str(&format!("_ran({})\n{indent}", marks.len()));
        marks.push(lines);
        from = at;
    }
    text.push_str(source.get(from..).unwrap_or_default());
    text.push('\n');
    text.push_str(TAIL);
    Ok(Traced { text, marks })
}

/// Lists the first bytes of a block's statements with the lines that run when they are come to.
fn marked(sites: &Sites<'_>, block: &Block<'_>) -> Vec<(usize, Vec<RangeInclusive<usize>>)> {
    let is_text =
        |stmt: &Stmt| matches!(stmt, Stmt::Expr(expr) if matches!(expr.value.as_ref(), Expr::StringLiteral(_)));
    let mut places = Vec::new();
    for stmt in block.stmts.iter().filter(|stmt| !is_text(stmt)) {
        let range = bytes(stmt);
        if sites.indent(range.start).is_none() {
            continue;
        }
        let head = |from: usize, body: &[Stmt]| {
            let last = body.first().map_or(from, |first| bytes(first).start);
            // A body on a line of its own is no part of the head.
            let own = usize::from(sites.indent(last).is_some_and(|_| last > from));
            sites.line(from)..=(sites.line(last) - own).max(sites.line(from))
        };
        let lines = match stmt {
            Stmt::If(chain) => {
                // Which of the conditions below were asked is not told apart: none is left out.
                let clauses = chain.elif_else_clauses.iter().map(|clause| head(bytes(clause).start, &clause.body));
                std::iter::once(head(range.start, &chain.body)).chain(clauses).collect()
            }
            Stmt::For(each) => vec![head(range.start, &each.body)],
            Stmt::While(each) => vec![head(range.start, &each.body)],
            Stmt::With(with) => vec![head(range.start, &with.body)],
            Stmt::Try(attempt) => vec![head(range.start, &attempt.body)],
            Stmt::FunctionDef(function) => vec![head(range.start, &function.body)],
            _ => vec![sites.line(range.start)..=sites.line(range.end)],
        };
        places.push((range.start, lines));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_statement_of_a_function_has_a_mark() {
        let source = "LIMIT = 4\n\ndef run(task, memory, params):\n    \"\"\"Says.\"\"\"\n    if task:\n        a = 1\n    elif memory:\n        a = [\n            2]\n    return a\n";
        let traced = traced(source).unwrap();
        assert!(traced.text.contains("    _ran(0)\n    if task:\n        _ran(1)\n        a = 1\n    elif memory:\n        _ran(2)\n        a = ["));
        assert_eq!(traced.lines("3 0 2 0"), [5, 7, 8, 9, 10]);
        assert_eq!(traced.lines("x 17"), Vec::<usize>::new());
        assert!(facts::read(&traced.text).is_ok());
    }
}
