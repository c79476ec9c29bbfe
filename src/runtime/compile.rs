//! Scripts compiled once and run many times, and the way back from compiled lines to the script's own.

use monty::MontyRun;
use monty_types::{CompileOptions, MontyException, StackFrame};

use super::job::ScriptError;
use super::prelude;
use super::record::clip;
use super::wire::Source;

/// The variable that carries the arguments.
const ARGS: &str = "__args";

/// The file name that tracebacks show for the functions that are put before a script.
const LIBRARY: &str = "library";

/// A script that is ready to be run any number of times, each from a fresh state.
pub(super) struct Compiled {
    pub(super) runner: MontyRun,
    pub(super) function: String,
    file_name: String,
    /// Lines before the script.
    before: u32,
    /// Lines of the script.
    lines: u32,
}

impl Compiled {
    /// Parses and compiles a script.
    ///
    /// # Errors
    /// [`ScriptError::Syntax`] for what is no Python or is outside the interpreter's subset.
    pub(super) fn new(source: &Source<'_>) -> Result<Self, ScriptError> {
        let compile =
            |text: String| MontyRun::new(text, &source.file_name, vec![ARGS.to_owned()], CompileOptions::default());
        let with_call = |before: &str, text: &str| compile(format!("{before}{text}\n\n{}(*{ARGS})\n", source.function));
        let adapted = prelude::adapt(&source.text);
        let (runner, before) = match with_call(&adapted.before, &adapted.text) {
            Ok(runner) => (runner, lines(&adapted.before)),
            // Compiled alone, an unclosed bracket is reported where it stands and not in the added lines.
            Err(_) => match compile(source.text.to_string()).and_then(|_| with_call("", &source.text)) {
                Ok(runner) => (runner, 0),
                Err(error) => {
                    let traceback = clip(error.to_string());
                    return Err(ScriptError::Syntax { message: one_line(&error), traceback });
                }
            },
        };
        Ok(Self {
            runner,
            file_name: source.file_name.to_string(),
            function: source.function.to_string(),
            before,
            lines: lines(&source.text),
        })
    }

    /// Turns the frames of a traceback into those of the script as it was written.
    pub(super) fn frames(&self, raised: &[StackFrame]) -> Vec<StackFrame> {
        raised.iter().filter_map(|frame| self.frame(frame)).collect()
    }

    fn frame(&self, frame: &StackFrame) -> Option<StackFrame> {
        let mut frame = frame.clone();
        if frame.filename != self.file_name {
            return Some(frame);
        }
        if frame.start.line <= self.before {
            LIBRARY.clone_into(&mut frame.filename);
            return Some(frame);
        }
        frame.start.line -= self.before;
        frame.end.line = frame.end.line.saturating_sub(self.before);
        // The last lines, which call the function, are not the script's.
        (frame.start.line <= self.lines).then_some(frame)
    }

    /// The line of the script where a traceback ends.
    pub(super) fn line(&self, frames: &[StackFrame]) -> Option<u32> {
        frames.iter().rev().find(|frame| frame.filename == self.file_name).map(|frame| frame.start.line)
    }
}

fn lines(text: &str) -> u32 {
    u32::try_from(text.lines().count()).unwrap_or(u32::MAX)
}

/// Class and message in one line.
pub(super) fn one_line(error: &MontyException) -> String {
    let summary = error.summary();
    summary.lines().next().unwrap_or_default().to_owned()
}
