//! Calls of tools: who decides, what the script sees, what is recorded.

use std::time::Duration;

use futures::future::BoxFuture;
use mop::runtime::job::{Decision, Host, Job, Outcome, ScriptError};
use serde_json::{Value, json};

use super::{block, fails, function, hasty, job, pool, says};

/// A host that answers by the name of the tool.
#[derive(Default)]
struct Scripted {
    asked: Vec<(String, Vec<Value>)>,
}

impl Host for Scripted {
    fn call<'a>(&'a mut self, name: &'a str, args: &'a [Value]) -> BoxFuture<'a, Decision> {
        self.asked.push((name.to_owned(), args.to_vec()));
        Box::pin(async move {
            match name {
                "slow" => {
                    tokio::time::sleep(Duration::from_millis(250)).await;
                    Decision::Value(json!("slowly"))
                }
                "broken" => Decision::Error("no such thing".to_owned()),
                "forbidden" => Decision::Refuse("the user said no".to_owned()),
                "monster" => Decision::Value(Value::String("x".repeat(9 << 20))),
                "echo" => Decision::Value(json!(args)),
                _ => Decision::Local,
            }
        })
    }
}

fn asking(source: &str) -> Job {
    job(source, vec![]).with_tools(&["slow", "broken", "forbidden", "monster", "echo"])
}

fn with_host(job: &Job) -> (Outcome, Scripted) {
    let mut host = Scripted::default();
    let outcome = block(async {
        let pool = pool(1);
        let outcome = pool.outcome(job, &mut host).await;
        let next = pool.run(&self::job("def run():\n    return 42\n", vec![]), &mut Scripted::default()).await;
        assert_eq!(next.map(|done| done.value), Ok(json!(42)), "the next job after {outcome:?}");
        outcome
    });
    (outcome, host)
}

#[test]
fn the_host_answers_calls_and_they_are_recorded_in_order() {
    let (outcome, host) =
        with_host(&asking(&function("a = echo(1, [2])\nb = echo(x=1) if False else echo()\nreturn [a, b]")));
    assert_eq!(outcome.result, Ok(json!([[1, [2]], []])));
    assert_eq!(host.asked, [("echo".to_owned(), vec![json!(1), json!([2])]), ("echo".to_owned(), vec![])]);
    let recorded: Vec<_> = outcome.calls.into_iter().map(|call| (call.name, call.args, call.result)).collect();
    assert_eq!(recorded[0], ("echo".to_owned(), vec![json!(1), json!([2])], Ok(json!([1, [2]]))));
    assert_eq!(recorded[1], ("echo".to_owned(), vec![], Ok(json!([]))));
}

#[test]
fn time_that_the_host_takes_does_not_count() {
    let (outcome, _) = with_host(&hasty(asking(&function("return slow()"))));
    assert_eq!(outcome.result, Ok(json!("slowly")));
    assert!(outcome.micros < 150_000, "{} µs", outcome.micros);
}

#[test]
fn errors_and_refusals_reach_the_script() {
    let body = "out = []\nfor f in [broken, forbidden, monster]:\n    try:\n        f()\n    except (ValueError, PermissionError) as e:\n        out.append([type(e).__name__, str(e)])\nreturn out";
    let (outcome, _) = with_host(&asking(&function(body)));
    assert_eq!(
        outcome.result,
        Ok(json!([
            ["ValueError", "no such thing"],
            ["PermissionError", "tool 'forbidden' may not be called: the user said no"],
            ["ValueError", "the result of monster is larger than 8 MiB"]
        ]))
    );
    assert_eq!(outcome.calls.len(), 3);
}

#[test]
fn an_uncaught_refusal_names_tool_and_reason() {
    let (outcome, _) = with_host(&asking(&function("return forbidden()")));
    let error = outcome.result.unwrap_err();
    assert!(
        matches!(&error, ScriptError::Denied { tool, reason, .. } if tool == "forbidden" && reason == "the user said no")
    );
    assert_eq!(error.to_string(), "the script may not call `forbidden`: the user said no");
    says(&error, &["trial.py", "line 3", "return forbidden()"]);
}

#[test]
fn an_error_after_a_caught_refusal_is_not_a_refusal() {
    let (outcome, _) =
        with_host(&asking(&function("try:\n    forbidden()\nexcept PermissionError:\n    pass\nreturn 1 / 0")));
    assert!(matches!(outcome.result, Err(ScriptError::Raised { .. })), "{:?}", outcome.result);
}

#[test]
fn a_tool_that_is_not_granted_cannot_be_called() {
    says(&fails("return calc('1+1')"), &["name 'calc' is not defined"]);
    says(&fails("f = calc\nreturn f('1+1')"), &["name 'calc' is not defined"]);
}

#[test]
fn a_script_cannot_call_without_end() {
    let endless = asking(&function("n = 0\nwhile True:\n    echo()\n    n += 1"));
    let (outcome, host) = with_host(&endless);
    says(&outcome.result.unwrap_err(), &["more than 10000 tool calls in one run"]);
    assert_eq!(host.asked.len(), 10_000);
}

#[test]
fn long_arguments_are_cut_in_the_record_only() {
    let (outcome, host) = with_host(&asking(&function("return len(echo('x' * 1000000)[0])")));
    assert_eq!(outcome.result, Ok(json!(1_000_000)));
    assert_eq!(host.asked[0].1[0].as_str().map(str::len), Some(1_000_000));
    let call = &outcome.calls[0];
    let (args, result) = (json!(call.args).to_string(), json!(call.result).to_string());
    assert!(args.len() < 66_000 && args.contains("bytes more"), "{} bytes", args.len());
    assert!(result.len() < 66_000 && result.contains("bytes more"), "{} bytes", result.len());
}

#[test]
fn arguments_that_are_no_json_are_refused_in_the_script() {
    let (outcome, host) = with_host(&asking(&function("return echo({1, 2})")));
    says(&outcome.result.unwrap_err(), &["TypeError: argument 1 of echo is a set"]);
    assert!(host.asked.is_empty());
    let (outcome, _) = with_host(&asking(&function("return echo(x=1)")));
    says(&outcome.result.unwrap_err(), &["echo takes its arguments by position only"]);
}

/// Tools that run inside the worker; the binary has the probes in debug builds.
#[cfg(debug_assertions)]
mod local {
    use super::*;
    use crate::worker::outcome;

    fn probing(body: &str, grant: &[&str]) -> Outcome {
        outcome(&job(&function(body), vec![]).with_local_tools(grant))
    }

    #[test]
    fn pure_tools_run_in_the_worker_and_are_recorded() {
        for asked in [false, true] {
            let mut job = job(&function("return [probe_pair(1, 'a'), probe_pair(right=2, left=3)]"), vec![]);
            job = if asked { job.with_tools(&["probe_pair"]) } else { job.with_local_tools(&["probe_pair"]) };
            let (outcome, host) = with_host(&job);
            assert_eq!(outcome.result, Ok(json!([[1, "a"], [3, 2]])));
            assert_eq!(host.asked.len(), if asked { 2 } else { 0 });
            let results: Vec<_> = outcome.calls.iter().map(|call| call.result.clone()).collect();
            assert_eq!(results, [Ok(json!([1, "a"])), Ok(json!([3, 2]))]);
        }
    }

    #[test]
    fn calls_of_both_sorts_keep_their_order() {
        let job = asking(&function("probe_pair(1, 1)\necho(2)\nprobe_pair(3, 3)")).with_local_tools(&["probe_pair"]);
        let (outcome, _) = with_host(&job);
        let names: Vec<_> = outcome.calls.iter().map(|call| call.name.as_str()).collect();
        assert_eq!(names, ["probe_pair", "echo", "probe_pair"]);
    }

    #[test]
    fn tools_can_be_passed_around() {
        let outcome = probing("f = probe_pair\nreturn [f(x, x) for x in [1, 2]]", &["probe_pair"]);
        assert_eq!(outcome.result, Ok(json!([[1, 1], [2, 2]])));
    }

    #[test]
    fn a_known_tool_that_is_not_granted_is_denied_by_name() {
        for body in ["return probe_pair(1, 2)", "f = probe_pair\nreturn f(1, 2)"] {
            let error = probing(body, &[]).result.unwrap_err();
            assert!(matches!(&error, ScriptError::Denied { tool, .. } if tool == "probe_pair"), "{error:?}");
        }
    }

    #[test]
    fn wrong_calls_and_failures_are_python_errors() {
        for (body, part) in [
            ("return probe_pair(1)", "ValueError: probe_pair takes two arguments, not 1"),
            ("return probe_pair(1, 2, left=3)", "TypeError: probe_pair got two values for 'left'"),
            ("return probe_pair(right=3)", "TypeError: probe_pair lacks its argument 'left'"),
            ("return probe_pair(1, middle=3)", "TypeError: probe_pair has no parameter 'middle'"),
            ("return probe_panic()", "ValueError: probe_panic failed inside"),
        ] {
            says(&probing(body, &["probe_pair", "probe_panic"]).result.unwrap_err(), &[part]);
        }
    }

    #[test]
    fn tools_are_within_the_limits_of_the_worker() {
        let spin = job(&function("return probe_spin()"), vec![]).with_local_tools(&["probe_spin"]);
        assert_eq!(outcome(&hasty(spin)).result, Err(ScriptError::Deadline { millis: 150 }));
        assert!(matches!(probing("return probe_hoard()", &["probe_hoard"]).result, Err(ScriptError::Memory { .. })));
        assert!(matches!(probing("return probe_dive()", &["probe_dive"]).result, Err(ScriptError::Recursion { .. })));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_tool_cannot_open_a_file() {
        let outcome = probing("return probe_file()", &["probe_file"]);
        says(&outcome.result.unwrap_err(), &["ValueError"]);
    }
}
