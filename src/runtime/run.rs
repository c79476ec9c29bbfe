//! One run of a compiled script inside a worker: steps from tool call to tool call until it ends.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use monty::{FunctionCall, RunProgress};
use monty_types::{
    ExcType, ExtFunctionResult, MontyException, MontyObject, NameLookupResult, PrintWriter, ResourceLimits,
    ResourceTracker,
};
use serde_json::Value;

use super::compile::{Compiled, one_line};
use super::job::{Call, Decision, ScriptError};
use super::record::{Printed, Record, clip, clip_to};
use super::values;
use crate::tools::Tool;

/// The most tool calls of one run.
const MAX_CALLS: u32 = 10_000;

/// How deep a script's calls may nest.
const MAX_RECURSION: usize = 400;

/// What bounds a run and what it may call.
pub(super) struct Limits<'a> {
    pub(super) deadline: Duration,
    pub(super) memory: u64,
    pub(super) tools: &'a [String],
    pub(super) local: &'a [String],
}

/// How a run went.
pub(super) struct Ran {
    pub(super) result: Result<Value, ScriptError>,
    pub(super) calls: Vec<(u32, Call)>,
    pub(super) printed: String,
    pub(super) micros: u64,
}

/// Asks the pool what to do about a call: its number, the tool, the arguments.
pub(super) type Ask<'a> = dyn FnMut(u32, String, Vec<Value>) -> io::Result<Decision> + 'a;

/// Runs a compiled script.
///
/// # Errors
/// Only when `ask` fails, which means that the pool is gone. The script's own errors are in [`Ran::result`].
pub(super) fn run(
    script: &Compiled,
    args: Vec<Value>,
    limits: &Limits<'_>,
    registry: &'static [&'static [Tool]],
    ask: &mut Ask<'_>,
) -> io::Result<Ran> {
    let mut printed = Printed::default();
    let mut desk = Desk {
        script,
        limits,
        registry,
        ask,
        started: Instant::now(),
        waited: Duration::ZERO,
        count: 0,
        record: Record::default(),
        denied: None,
    };
    let result = desk.steps(args, &mut printed)?;
    let micros = u64::try_from(desk.ran().as_micros()).unwrap_or(u64::MAX);
    Ok(Ran { result, calls: desk.record.into_calls(), printed: printed.finish(), micros })
}

/// Serves the calls of one run.
struct Desk<'a, 'b> {
    script: &'a Compiled,
    limits: &'a Limits<'a>,
    registry: &'static [&'static [Tool]],
    ask: &'a mut Ask<'b>,
    started: Instant,
    /// Time spent on waiting for the pool's answers.
    waited: Duration,
    count: u32,
    record: Record,
    /// The last call that was denied, to tell its error from others.
    denied: Option<(String, String)>,
}

impl Desk<'_, '_> {
    fn steps(&mut self, args: Vec<Value>, printed: &mut Printed) -> io::Result<Result<Value, ScriptError>> {
        let args = MontyObject::List(args.into_iter().map(values::to_script).collect());
        let tracker = ResourceTracker::new(ResourceLimits {
            max_duration: Some(self.limits.deadline),
            max_memory: usize::try_from(self.limits.memory).ok(),
            max_recursion_depth: MAX_RECURSION,
            ..ResourceLimits::default()
        });
        let runner = self.script.runner.clone();
        let mut progress = runner.start(vec![args], tracker, PrintWriter::Callback(printed));
        loop {
            let writer = PrintWriter::Callback(printed);
            progress = match progress {
                Err(error) => return Ok(Err(self.explain(error))),
                Ok(RunProgress::Complete(value)) => {
                    return Ok(values::from_script(&value, "the result").map_err(ScriptError::BadValue));
                }
                Ok(RunProgress::FunctionCall(mut call)) => {
                    if call.function_name == self.script.function && call.object_id.is_none() {
                        return Ok(Err(ScriptError::NoFunction { function: call.function_name }));
                    }
                    let answer = self.call(&mut call)?;
                    let Some(left) = self.limits.deadline.checked_sub(self.ran()) else {
                        return Ok(Err(self.too_long()));
                    };
                    call.tracker_mut().set_max_duration(left);
                    call.resume(answer, writer)
                }
                Ok(RunProgress::NameLookup(lookup)) => {
                    let found = if self.limits.tools.contains(&lookup.name) {
                        NameLookupResult::Value(MontyObject::Function { name: lookup.name.clone(), docstring: None })
                    } else if self.tool(&lookup.name).is_some() {
                        NameLookupResult::Error(self.not_granted(&lookup.name))
                    } else {
                        NameLookupResult::Undefined
                    };
                    lookup.resume(found, writer)
                }
                Ok(RunProgress::OsCall(call)) => {
                    let what: &'static str = (&call.function_call).into();
                    let message = format!("{what} is not available: scripts have no files, clock or environment");
                    call.resume(raise(ExcType::PermissionError, message), writer)
                }
                Ok(RunProgress::ResolveFutures(waiting)) => waiting.abort(
                    MontyException::new(ExcType::RuntimeError, Some("nothing is left to wait for".to_owned())),
                    writer,
                ),
            };
        }
    }

    /// Time that the script itself has run.
    fn ran(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.waited)
    }

    fn too_long(&self) -> ScriptError {
        ScriptError::Deadline { millis: u64::try_from(self.limits.deadline.as_millis()).unwrap_or(u64::MAX) }
    }

    fn tool(&self, name: &str) -> Option<&'static Tool> {
        self.registry.iter().flat_map(|family| family.iter()).find(|tool| tool.name == name)
    }

    fn not_granted(&mut self, name: &str) -> MontyException {
        let reason = "it is not among the tools of this program".to_owned();
        let error = MontyException::new(ExcType::NameError, Some(denial(name, &reason)));
        self.denied = Some((name.to_owned(), reason));
        error
    }

    /// Answers one call, by the tool itself or by asking.
    fn call(&mut self, call: &mut FunctionCall) -> io::Result<ExtFunctionResult> {
        let name = std::mem::take(&mut call.function_name);
        if !self.limits.tools.contains(&name) {
            return Ok(match self.tool(&name) {
                Some(_) => ExtFunctionResult::Error(self.not_granted(&name)),
                None => ExtFunctionResult::NotFound(name),
            });
        }
        let args = match self.arguments(&name, call) {
            Ok(args) => args,
            Err(message) => return Ok(raise(ExcType::TypeError, message)),
        };
        if self.count >= MAX_CALLS {
            return Ok(raise(ExcType::RuntimeError, format!("more than {MAX_CALLS} tool calls in one run")));
        }
        let at = self.count;
        self.count += 1;
        let decision = if self.limits.local.contains(&name) {
            Decision::Local
        } else {
            let asked = Instant::now();
            let decision = (self.ask)(at, name.clone(), args.clone())?;
            self.waited += asked.elapsed();
            decision
        };
        Ok(match decision {
            Decision::Local => self.run_tool(at, name, args),
            Decision::Value(value) => ExtFunctionResult::Return(values::to_script(value)),
            Decision::Error(message) => raise(ExcType::ValueError, message),
            Decision::Refuse(reason) => {
                let message = denial(&name, &reason);
                self.denied = Some((name, reason));
                raise(ExcType::PermissionError, message)
            }
        })
    }

    /// Turns the arguments into JSON; named ones go to the place of their parameter.
    fn arguments(&self, name: &str, call: &FunctionCall) -> Result<Vec<Value>, String> {
        let mut args = Vec::with_capacity(call.args.len() + call.kwargs.len());
        for (at, arg) in call.args.iter().enumerate() {
            args.push(values::from_script(arg, &format!("argument {} of {name}", at + 1))?);
        }
        if call.kwargs.is_empty() {
            return Ok(args);
        }
        let Some(tool) = self.tool(name) else {
            return Err(format!("{name} takes its arguments by position only"));
        };
        let mut named = vec![None; tool.takes.len()];
        for (key, arg) in &call.kwargs {
            let key = key.to_string();
            let Some(at) = tool.takes.iter().position(|(parameter, _)| *parameter == key) else {
                return Err(format!("{name} has no parameter '{}'", clip(key)));
            };
            if at < args.len() {
                return Err(format!("{name} got two values for '{key}'"));
            }
            named[at] = Some(values::from_script(arg, &format!("argument {key} of {name}"))?);
        }
        let last = named.iter().rposition(Option::is_some).unwrap_or(0);
        for (at, value) in named.into_iter().enumerate().take(last + 1).skip(args.len()) {
            args.push(value.ok_or_else(|| format!("{name} lacks its argument '{}'", tool.takes[at].0))?);
        }
        Ok(args)
    }

    fn run_tool(&mut self, at: u32, name: String, args: Vec<Value>) -> ExtFunctionResult {
        let Some(tool) = self.tool(&name) else {
            return ExtFunctionResult::NotFound(name);
        };
        let began = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| (tool.run)(&args)))
            .unwrap_or_else(|_| Err(format!("{name} failed inside")));
        let answer = match &result {
            Ok(value) => match values::check(value, &format!("the result of {name}")) {
                Ok(()) => ExtFunctionResult::Return(values::to_script(value.clone())),
                Err(message) => raise(ExcType::ValueError, message),
            },
            Err(message) => raise(ExcType::ValueError, message.clone()),
        };
        let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.record.push(at, Call { name, args, result, micros });
        answer
    }

    /// Tells why a run raised.
    fn explain(&self, error: MontyException) -> ScriptError {
        let message = error.message().unwrap_or_default();
        match error.exc_type() {
            ExcType::TimeoutError if message.starts_with("time limit exceeded") => {
                return self.too_long();
            }
            ExcType::MemoryError => {
                return ScriptError::Memory { bytes: self.limits.memory };
            }
            _ => {}
        }
        let kind = error.exc_type();
        let denied = self.denied.clone().filter(|(tool, reason)| {
            matches!(kind, ExcType::NameError | ExcType::PermissionError) && message == denial(tool, reason)
        });
        let frames = self.script.frames(error.traceback());
        let line = self.script.line(&frames);
        let mut summary = clip_to(one_line(&error), 400);
        if let Some(line) = line {
            summary.push_str(&format!(" (line {line})"));
        }
        let message = error.into_message().map(clip);
        let traceback = clip(MontyException::with_traceback(kind, message, frames).to_string());
        match (denied, kind) {
            (Some((tool, reason)), _) => ScriptError::Denied { tool, reason, traceback },
            (None, ExcType::RecursionError) => ScriptError::Recursion { traceback },
            (None, _) => ScriptError::Raised { message: summary, traceback },
        }
    }
}

/// What a script sees of a call that is denied.
fn denial(tool: &str, reason: &str) -> String {
    format!("tool '{tool}' may not be called: {reason}")
}

fn raise(kind: ExcType, message: String) -> ExtFunctionResult {
    ExtFunctionResult::Error(MontyException::new(kind, Some(message)))
}
