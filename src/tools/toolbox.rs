//! The toolbox: which tools there are, and the answers to those that need more than computing.

use std::sync::{Arc, Weak};
use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::{Value, json};

use crate::engine::ports::{Activation, Library, Runner, Scorer, ToolAnswer, Toolbox};
use crate::engine::trial;
use crate::model::{Network, ProgramName, ProgramTest, Task, TaskId, parse_program};

/// Names of the tools that the parent answers.
const TRIAL: &str = "trial";
const ASK: &str = "ask_program";

/// The toolbox of a process.
pub struct Tools {
    computing: Vec<&'static str>,
    runner: Weak<dyn Runner>,
    scorer: Arc<dyn Scorer>,
    library: Arc<dyn Library>,
}

impl Tools {
    /// Puts the toolbox together. It holds the runner weakly, since the runner holds it.
    #[must_use]
    pub fn new(runner: Weak<dyn Runner>, scorer: Arc<dyn Scorer>, library: Arc<dyn Library>) -> Self {
        let computing = super::TOOLS.iter().flat_map(|family| family.iter()).map(|tool| tool.name).collect();
        Self { computing, runner, scorer, library }
    }

    /// Runs a program text on tests: `trial(path, text, tests)` gives `{"passed": n, "failed": note or None}`, stopping at
    /// the first that fails.
    async fn trial(&self, by: &Activation, args: &[Value]) -> Result<Value, String> {
        let [Value::String(path), Value::String(text), tests] = args else {
            return Err("it takes a path, a program's text and a list of tests".into());
        };
        let (runner, network) = self.deeper(by)?;
        let program = parse_program(path, text)
            .map_err(|errors| errors.first().map_or_else(String::new, |error| error.message.clone()))?;
        let tests: Vec<ProgramTest> = serde_json::from_value(tests.clone()).map_err(|error| error.to_string())?;
        let program = Arc::new(program);
        let limit = Duration::from_millis(network.limits.trial_ms);
        let mut passed = 0;
        for test in &tests {
            let result = trial::run(&*runner, &*self.scorer, &program, test, limit, by.depth + 1).await;
            if !result.passed {
                return Ok(json!({ "passed": passed, "failed": result.note }));
            }
            passed += 1;
        }
        Ok(json!({ "passed": passed, "failed": null }))
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
            view: Arc::new(json!({})),
            depth: by.depth + 1,
            recorded: None,
            ..by.clone()
        };
        let output = runner.run(activation).await.map_err(|error| error.message)?;
        let offers = output.offers.iter().map(|offer| json!({ "section": offer.section, "text": offer.text, "data": offer.data }));
        Ok(Value::Array(offers.collect()))
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

impl Toolbox for Tools {
    fn call<'a>(&'a self, by: &'a Activation, tool: &'a str, args: &'a [Value]) -> BoxFuture<'a, ToolAnswer> {
        Box::pin(async move {
            let answer = match tool {
                TRIAL => self.trial(by, args).await,
                ASK => self.ask(by, args).await,
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
    computing.chain([TRIAL, ASK]).collect()
}
