//! The toolbox: which tools there are, and the answers to those that need more than computing.

use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use serde_json::{Value, json};

use crate::engine::ports::{Activation, Library, NoRecall, Recall, Runner, Scorer, ToolAnswer, Toolbox};
use crate::engine::{View, trial};
use crate::model::{ActivationId, Network, Program, ProgramName, ProgramTest, Task, TaskId, parse_program};
use crate::solvers::mutation::traced;

/// Names of the tools that the parent answers.
const TRIALS: &str = "trials";
const OUTCOMES: &str = "outcomes";
const LINES: &str = "lines_run";
const ASK: &str = "ask_program";
const CODE: &str = "run_code";

/// Front matter and frame of a piece of code that runs as a script of its own, without tools.
const FRAME: (&str, &str) = (
    "# /// program\n# role = \"Code that was written for one question\"\n# contract = \"worker\"\n# writes = [\"fact\"]\n# ///\n",
    "\n\ndef run(task, memory, params):\n    return {\"contributions\": [{\"section\": \"fact\", \"data\": {\"value\": solve()}}]}\n",
);

/// The longest piece of code that is run, bytes.
const CODE_BYTES: usize = 16 << 10;
const RECALL: &str = super::RECALL.name;

/// Solved questions that a program gets at most.
const RECALLED: u64 = 10;

/// Characters of each that it gets to see.
const QUESTION: usize = 500;

/// Characters of a note that a program gets to see.
const NOTE: usize = 120;

/// Texts and tests that are tried at once.
const AT_ONCE: usize = 3;

/// The toolbox of a process.
pub struct Tools {
    computing: Vec<&'static str>,
    runner: Weak<dyn Runner>,
    scorer: Arc<dyn Scorer>,
    library: Arc<dyn Library>,
    recall: Arc<dyn Recall>,
    /// The activation that last ran other programs, and when it began to.
    began: Mutex<Option<(ActivationId, Instant)>>,
}

impl Tools {
    /// Puts the toolbox together. It holds the runner weakly, since the runner holds it.
    #[must_use]
    pub fn new(runner: Weak<dyn Runner>, scorer: Arc<dyn Scorer>, library: Arc<dyn Library>) -> Self {
        let computing = super::TOOLS.iter().flat_map(|family| family.iter()).map(|tool| tool.name).collect();
        Self { computing, runner, scorer, library, recall: Arc::new(NoRecall), began: Mutex::default() }
    }

    /// Lets programs recall questions that were solved before.
    #[must_use]
    pub fn recalling(mut self, recall: Arc<dyn Recall>) -> Self {
        self.recall = recall;
        self
    }

    /// Runs a program with edits on tests: `trials(path, source, edits, tests)` gives for each of a list of edits
    /// `{sorts, note}`: what sort of result each test had, up to the first that was not met, and what came of that. The first
    /// text that meets all is the last that is tried.
    async fn trials(&self, by: &Activation, args: &[Value]) -> Result<Value, String> {
        let [Value::String(path), Value::String(source), Value::Array(edits), tests] = args else {
            return Err("it takes a path, a program's text, a list of edits and a list of tests".into());
        };
        let bench = self.bench(by, tests)?;
        let bench = &bench;
        let mut waiting: Vec<BoxFuture<'_, Vec<trial::Result>>> = Vec::new();
        for edits in edits {
            waiting.push(Box::pin(bench.up_to_the_first(path, super::repair::with_edits(source, edits)?)));
        }
        let mut runs = stream::iter(waiting).buffered(AT_ONCE);
        let mut results = Vec::new();
        while let Some(run) = runs.next().await {
            let all = run.len() == bench.tests.len() && run.iter().all(|result| result.passed);
            let sorts: Vec<&str> = run.iter().map(|result| result.sort.name()).collect();
            let note = run.last().map_or("", |result| result.note.as_str());
            results.push(json!({ "sorts": sorts, "note": note.chars().take(NOTE).collect::<String>() }));
            if all {
                break;
            }
        }
        Ok(json!(results))
    }

    /// Runs a program text on tests: `outcomes(path, text, tests)` gives what sort of result each had.
    async fn outcomes(&self, by: &Activation, args: &[Value]) -> Result<Value, String> {
        let [Value::String(path), Value::String(text), tests] = args else {
            return Err("it takes a path, a program's text and a list of tests".into());
        };
        let bench = self.bench(by, tests)?;
        let program = parsed(path, text)?;
        let mut waiting: Vec<BoxFuture<'_, trial::Result>> = Vec::new();
        for test in &bench.tests {
            waiting.push(Box::pin(bench.run(&program, test)));
        }
        let results: Vec<trial::Result> = stream::iter(waiting).buffered(AT_ONCE).collect().await;
        let sorts: Vec<&str> = results.iter().map(|result| result.sort.name()).collect();
        Ok(json!(sorts))
    }

    /// Tells which lines of a script a test comes to: `lines_run(path, text, test)`; none where that cannot be told.
    async fn lines_run(&self, by: &Activation, args: &[Value]) -> Result<Value, String> {
        let [Value::String(path), Value::String(text), test] = args else {
            return Err("it takes a path, a program's text and a test".into());
        };
        let bench = self.bench(by, &json!([test]))?;
        let copy = traced(text).map_err(|error| error.to_string())?;
        let program = parsed(path, &copy.text)?;
        let Some(test) = bench.tests.first() else { return Ok(json!([])) };
        let (runner, scorer) = (&*bench.runner, &*self.scorer);
        let said = trial::monologue(runner, scorer, &program, test, bench.limit, bench.depth).await;
        Ok(json!(copy.lines(&said.unwrap_or_default())))
    }

    /// How long an activation has been running other programs.
    fn spent(&self, by: &Activation) -> Duration {
        let whose = by.id;
        let Ok(mut began) = self.began.lock() else { return Duration::ZERO };
        match *began {
            Some((known, since)) if known == whose => since.elapsed(),
            Some(_) | None => {
                *began = Some((whose, Instant::now()));
                Duration::ZERO
            }
        }
    }

    fn bench(&self, by: &Activation, tests: &Value) -> Result<Bench<'_>, String> {
        let (runner, network) = self.deeper(by)?;
        // The worker's own deadline does not count what it waits for.
        if self.spent(by) >= by.deadline {
            return Err(format!("its {} ms are used up", by.deadline.as_millis()));
        }
        let tests = serde_json::from_value(tests.clone()).map_err(|error| error.to_string())?;
        let limit = Duration::from_millis(network.limits.trial_ms);
        Ok(Bench { runner, scorer: &*self.scorer, tests, limit, depth: by.depth + 1 })
    }

    /// Runs another program of the network on a text: `ask_program(name, text)` gives its contributions.
    async fn ask(&self, by: &Activation, args: &[Value]) -> Result<Value, String> {
        let [Value::String(name), Value::String(text)] = args else {
            return Err("it takes a program's name and a text".into());
        };
        let (runner, network) = self.deeper(by)?;
        let program = network.program(&ProgramName::new(name)).ok_or(format!("there is no program {name}"))?;
        let task = Task { id: TaskId(0), text: text.clone(), parts: by.task.parts.clone() };
        let activation = Activation {
            program: program.clone(),
            task,
            view: View::Given(Arc::new(json!({}))),
            depth: by.depth + 1,
            recorded: None,
            ..by.clone()
        };
        let output = runner.run(activation).await.map_err(|error| error.message)?;
        let offers = output
            .offers
            .iter()
            .map(|offer| json!({ "section": offer.section, "text": offer.text, "data": offer.data }));
        Ok(Value::Array(offers.collect()))
    }

    /// Runs code that somebody wrote, as a script without tools: `run_code(text)` calls its function `solve` and gives what that
    /// returns.
    async fn code(&self, by: &Activation, args: &[Value]) -> Result<Value, String> {
        let [Value::String(code)] = args else { return Err("it takes one text".into()) };
        if code.len() > CODE_BYTES {
            return Err(format!("the code is longer than {} KiB", CODE_BYTES >> 10));
        }
        let (runner, _) = self.deeper(by)?;
        let program = parsed("code.py", &format!("{}{code}{}", FRAME.0, FRAME.1))?;
        let view = View::Given(Arc::new(json!({})));
        let activation = Activation { program, view, depth: by.depth + 1, recorded: None, ..by.clone() };
        let output = runner.run(activation).await.map_err(|error| last_line(&error.message).to_owned())?;
        let value = output.offers.into_iter().next().and_then(|offer| offer.data.get("value").cloned());
        value.filter(|value| !value.is_null()).ok_or_else(|| "its function returns nothing".to_owned())
    }

    /// Finds solved questions like a text: `recall(question, most)` gives {session, question, class, programs, methods,
    /// likeness}, the likest first. Their answers are not among it: a value that was copied must not pass for one that was
    /// found. A program's tests recall nothing, since they must come out the same on every machine.
    fn recalled(&self, by: &Activation, args: &[Value]) -> Result<Value, String> {
        let (question, most) = match args {
            [Value::String(question)] => (question, 3),
            [Value::String(question), most] => (question, most.as_u64().ok_or("`most` must be a whole number")?),
            _ => return Err("it takes a question and how many like it are wanted".into()),
        };
        if matches!(by.view, View::Given(_)) {
            return Ok(json!([]));
        }
        let most = usize::try_from(most.min(RECALLED)).unwrap_or_default();
        let found = self.recall.nearest(question, most).into_iter().map(|near| {
            let solved = near.solved;
            let question: String = solved.question.chars().take(QUESTION).collect();
            json!({
                "session": solved.session, "question": question, "class": solved.class,
                "programs": solved.programs, "methods": solved.methods,
                // Two digits tell as much as there is to tell.
                "likeness": (near.likeness * 100.0).round() / 100.0,
            })
        });
        Ok(Value::Array(found.collect()))
    }

    fn deeper(&self, by: &Activation) -> Result<(Arc<dyn Runner>, Arc<Network>), String> {
        let network = self.library.network().map_err(|error| error.to_string())?;
        if by.depth >= network.limits.max_depth {
            return Err(format!("programs may nest {} deep", network.limits.max_depth));
        }
        let runner = self.runner.upgrade().ok_or("the runner is gone")?;
        Ok((runner, network))
    }
}

/// Tests, and what runs a program on them.
struct Bench<'a> {
    runner: Arc<dyn Runner>,
    scorer: &'a dyn Scorer,
    tests: Vec<ProgramTest>,
    limit: Duration,
    depth: u8,
}

impl Bench<'_> {
    async fn run(&self, program: &Arc<Program>, test: &ProgramTest) -> trial::Result {
        trial::run(&*self.runner, self.scorer, program, test, self.limit, self.depth).await
    }

    /// The result of each test, up to the first that was not met; nothing for a text that is no program.
    async fn up_to_the_first(&self, path: &str, text: String) -> Vec<trial::Result> {
        let Ok(program) = parsed(path, &text) else { return Vec::new() };
        let mut results = Vec::new();
        for test in &self.tests {
            let result = self.run(&program, test).await;
            let passed = result.passed;
            results.push(result);
            if !passed {
                break;
            }
        }
        results
    }
}

fn last_line(text: &str) -> &str {
    text.trim_end().lines().last().unwrap_or_default()
}

fn parsed(path: &str, text: &str) -> Result<Arc<Program>, String> {
    parse_program(path, text)
        .map(Arc::new)
        .map_err(|errors| errors.first().map_or_else(String::new, |error| error.message.clone()))
}

impl Toolbox for Tools {
    fn call<'a>(&'a self, by: &'a Activation, tool: &'a str, args: &'a [Value]) -> BoxFuture<'a, ToolAnswer> {
        Box::pin(async move {
            let answer = match tool {
                TRIALS => self.trials(by, args).await,
                OUTCOMES => self.outcomes(by, args).await,
                LINES => self.lines_run(by, args).await,
                ASK => self.ask(by, args).await,
                CODE => self.code(by, args).await,
                RECALL => self.recalled(by, args),
                name if self.computing.contains(&name) => return ToolAnswer::Compute,
                other => Err(format!("there is no tool `{other}`")),
            };
            match answer {
                Ok(value) => ToolAnswer::Value(value),
                Err(why) => ToolAnswer::Refuse(why),
            }
        })
    }

    fn computing(&self) -> &[&'static str] {
        &self.computing
    }
}

/// Names of all tools, for checks of manifests.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let computing = super::TOOLS.iter().flat_map(|family| family.iter()).map(|tool| tool.name);
    computing.chain([TRIALS, OUTCOMES, LINES, ASK, CODE, RECALL]).collect()
}
