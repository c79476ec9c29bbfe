//! The engine over native programs: cycles, credit, strands, halting, stepping, breakpoints, interrupts, overrides.

use std::sync::Arc;

use mop::engine::Settings;
use mop::model::{
    Breakpoint, Command, Contract, CreditMethod, Envelope, Event, HaltReason, Network, PartId, ProgramName, State,
    Step, TaskId,
};
use serde_json::json;

use super::native::{Bench, Natives, gives, network, offer, open, program, run, value};

const RULES: &str = r#"
entry = "route"
[[rules]]
when = "draft and draft.data.bad"
go = "@solver"
why = "not good yet"
[[rules]]
when = "last.contract != 'goal-check'"
go = "@goal-check"
why = "check"
"#;

fn small() -> Arc<Network> {
    let route = program("contract = \"router\"\nwrites = [\"plan\"]\nnext = { solve = 0.5, plan = 0.4 }");
    let plan = program("contract = \"planner\"\nwrites = [\"plan\"]\nnext = { solve = 0.5 }");
    let solve = program(
        "contract = \"solver\"\nreads = [\"draft\"]\nwrites = [\"draft\"]\nnext = { solve = 0.2, check = 0.5 }",
    );
    let check = program(
        "contract = \"goal-check\"\nreads = [\"draft\"]\nwrites = [\"assessment\", \"gap\"]\nnext = { solve = 0.5 }",
    );
    let show = program("contract = \"presenter\"\nreads = [\"incumbent\"]\nwrites = [\"answer\"]");
    network(&[
        ("network.toml", RULES),
        ("route.md", &route),
        ("plan.md", &plan),
        ("solve.md", &solve),
        ("check.md", &check),
        ("show.md", &show),
    ])
}

fn natives() -> Natives {
    Natives::default()
        .with("check", |_| gives(vec![offer("assessment", "done", json!({ "complete": true }), None)]))
        .with("show", |run| {
            let view = run.view.json();
            let texts: Vec<String> = view["incumbent"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|entry| entry["text"].as_str().unwrap_or_default().to_owned())
                .collect();
            gives(vec![offer("answer", &texts.join(" "), serde_json::Value::Null, None)])
        })
}

fn names(events: &[Arc<Envelope>]) -> Vec<String> {
    events
        .iter()
        .filter_map(|envelope| match &envelope.event {
            Event::Activated { program, .. } => Some(program.to_string()),
            _ => None,
        })
        .collect()
}

fn scores(state: &State) -> Vec<f64> {
    state.scores.iter().map(|point| point.score.mean).collect()
}

#[test]
fn a_run_goes_from_the_entry_to_the_presenter() {
    let natives = natives().with("solve", |_| gives(vec![value("x", 1.0, Some(PartId(1)))]));
    let (state, events) = run(&small(), natives, "one");
    assert_eq!(names(&events), ["route", "solve", "check", "show"]);
    assert_eq!(scores(&state), [0.1, 0.1, 1.0, 1.0]);
    let outcome = state.outcomes.last().unwrap();
    assert_eq!((outcome.halted, outcome.answer.as_deref(), outcome.verified), (HaltReason::Converged, Some("x"), true));
    let credited: f64 = state.tallies.values().map(|tally| tally.credit).sum();
    assert!((credited - 0.9).abs() < 1e-12, "credit telescopes to the gain: {credited}");
}

#[test]
fn the_whole_distribution_is_recorded() {
    let natives = natives().with("solve", |_| gives(vec![value("x", 1.0, Some(PartId(1)))]));
    let (_, events) = run(&small(), natives, "one");
    let second = events
        .iter()
        .filter_map(|envelope| match &envelope.event {
            Event::Routed { choices, .. } => Some(choices[0].clone()),
            _ => None,
        })
        .nth(1)
        .unwrap();
    let of = |name: &str| second.candidates.iter().find(|c| c.program.as_str() == name).unwrap().probability;
    assert!((of("solve") - 0.5 / 0.9).abs() < 1e-12 && (of("plan") - 0.4 / 0.9).abs() < 1e-12, "{second:?}");
}

#[test]
fn parallel_sub_tasks_share_credit_exactly_and_rejoin() {
    let natives = natives()
        .with("route", |_| Ok(mop::engine::ports::Output { next: Some("plan".into()), ..Default::default() }))
        .with("plan", |_| {
            let tasks = json!({ "tasks": [{ "text": "a", "parts": [1] }, { "text": "b", "parts": [2] }] });
            gives(vec![offer("plan", "two", tasks, None)])
        })
        .with("solve", |run| {
            gives(vec![value(&run.task.text, if run.task.text == "a" { 0.6 } else { 0.0 }, run.focus)])
        });
    let (state, events) = run(&small(), natives, "one two");
    assert_eq!(&names(&events)[..5], ["route", "plan", "solve", "solve", "check"]);
    let credit = state.scores[3].credit.clone().unwrap();
    let phis: Vec<f64> = credit.shares.iter().map(|share| share.phi).collect();
    assert_eq!((credit.method, credit.scorings), (CreditMethod::Shapley, 2));
    assert!((phis[0] - 0.25).abs() < 1e-12 && (phis[1] + 0.05).abs() < 1e-12, "{phis:?}");
    let total: f64 = phis.iter().sum::<f64>() + credit.synergy;
    assert!((total - credit.delta).abs() < 1e-12);
}

#[test]
fn a_failing_program_is_noted_and_the_run_goes_on() {
    let natives = natives().with("solve", |_| Err(mop::engine::ports::RunError::new("boom")));
    let (state, _) = run(&small(), natives, "one");
    assert_eq!(state.failures[0].1.as_str(), "solve");
    assert!(state.outcomes.last().is_some());
}

#[test]
fn what_a_program_may_not_write_is_refused_with_a_warning() {
    let natives = natives().with("solve", |_| gives(vec![offer("verdict", "pass", json!({ "pass": true }), None)]));
    let (state, _) = run(&small(), natives, "one");
    assert!(state.warnings.iter().any(|text| text.contains("may not write a verdict")), "{:?}", state.warnings);
    assert!(!state.memory.has("verdict"));
}

#[test]
fn the_incumbent_is_presented_not_the_last_value() {
    let natives = natives().with("solve", |run| {
        let second = run.view.json().get("draft").is_some();
        let score = if second { 0.3 } else { 0.6 };
        gives(vec![offer(
            "draft",
            if second { "worse" } else { "better" },
            json!({ "score": score, "bad": !second }),
            run.focus,
        )])
    });
    let (state, _) = run(&small(), natives, "one");
    assert_eq!(state.outcomes.last().unwrap().answer.as_deref(), Some("better"));
}

#[test]
fn every_way_to_stop_has_its_reason() {
    let check = |natives: Natives, expected: HaltReason| {
        let (state, _) = run(&small(), natives, "one");
        assert_eq!(state.outcomes.last().unwrap().halted, expected);
    };
    let gap = |sort: &'static str| {
        move |_: &mop::engine::ports::Activation| gives(vec![offer("gap", "g", json!({ "sort": sort }), None)])
    };
    let counting = std::sync::atomic::AtomicU32::new(0);
    let fresh = move |run: &mop::engine::ports::Activation| {
        let n = counting.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        gives(vec![offer("draft", &format!("v{n}"), json!({ "score": 0.6, "bad": true }), run.focus)])
    };
    check(natives().with("check", gap("capability")), HaltReason::Unanswerable);
    check(natives().with("check", gap("solution")), HaltReason::Repeating);
    check(natives().with("solve", fresh), HaltReason::Stalled);
    check(
        natives().with("solve", |_| {
            Ok(mop::engine::ports::Output { next: Some("USER".into()), why: "done".into(), ..Default::default() })
        }),
        HaltReason::Stopped,
    );
}

#[test]
fn what_goal_check_passed_stays_passed_when_nobody_can_better_it() {
    let (state, _) = run(&small(), natives().with("solve", |run| gives(vec![value("x", 0.6, run.focus)])), "one");
    let outcome = state.outcomes.last().unwrap();
    assert_eq!((outcome.halted, outcome.verified), (HaltReason::Converged, true));
}

async fn until_paused(bench: &mut Bench) -> String {
    loop {
        let envelope = bench.events.recv().await.expect("the session runs");
        if let Event::Paused { why } = &envelope.event {
            return why.clone();
        }
    }
}

fn stepping<T>(work: impl AsyncFnOnce(&mut Bench) -> T, natives: Natives) -> (T, State, Vec<Arc<Envelope>>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let settings = Settings { step: true, backward: false, ..Settings::default() };
        let (session, mut bench) = open(&small(), natives, Some("one"), settings).await;
        let client = async {
            let found = work(&mut bench).await;
            let _ = bench.commands.send(Command::Run).await;
            drop(bench.commands);
            (found, bench.journal)
        };
        let (state, (found, journal)) = tokio::join!(session.run(), client);
        let events = journal.0.lock().unwrap().clone();
        (found, state.unwrap(), events)
    })
}

fn solving() -> Natives {
    natives().with("solve", |run| gives(vec![value("x", 1.0, run.focus)]))
}

#[test]
fn stepping_by_cycle_stops_where_who_runs_next_is_known() {
    let (whys, state, _) = stepping(
        async |bench| {
            let mut whys = vec![until_paused(bench).await];
            for _ in 0..2 {
                bench.commands.send(Command::Step { step: Step::Cycle }).await.unwrap();
                whys.push(until_paused(bench).await);
            }
            whys
        },
        solving(),
    );
    assert_eq!(whys, ["step mode is on", "one step was taken", "one step was taken"]);
    assert_eq!(state.outcomes.len(), 1);
}

#[test]
fn breakpoints_stop_before_or_after_what_they_name() {
    let check = |breakpoint: Breakpoint, expected: &str| {
        let (why, ..) = stepping(
            async |bench| {
                until_paused(bench).await;
                bench.commands.send(Command::Breakpoints(vec![breakpoint.clone()])).await.unwrap();
                bench.commands.send(Command::Run).await.unwrap();
                until_paused(bench).await
            },
            solving(),
        );
        assert_eq!(why, expected);
    };
    check(Breakpoint::Program(ProgramName::new("solve")), "breakpoint: solve is next");
    check(Breakpoint::Contract(Contract::GoalCheck), "breakpoint: check (goal-check) is next");
    check(Breakpoint::Cycle(mop::model::Cycle(2)), "breakpoint: cycle 2 is next");
    check(Breakpoint::Wrote("draft".into()), "breakpoint: a draft was written");
    check(Breakpoint::Above(0.9), "breakpoint: J rose to 1.000, above 0.9");
    check(Breakpoint::When(mop::model::Expr::new("j > 0.5").unwrap()), "breakpoint: j > 0.5 holds");
}

#[test]
fn a_human_overrides_the_router_among_the_legal() {
    let (_, state, events) = stepping(
        async |bench| {
            until_paused(bench).await;
            bench.commands.send(Command::Step { step: Step::Cycle }).await.unwrap();
            until_paused(bench).await;
            for name in ["show", "plan"] {
                let program = ProgramName::new(name);
                bench.commands.send(Command::Route { task: TaskId(0), program }).await.unwrap();
            }
        },
        solving(),
    );
    assert_eq!(&names(&events)[..3], ["route", "plan", "solve"]);
    assert!(state.warnings.iter().any(|text| text.contains("show may not run next")), "{:?}", state.warnings);
}

#[test]
fn a_human_edit_of_memory_is_scored_and_routed_anew() {
    let (_, state, events) = stepping(
        async |bench| {
            until_paused(bench).await;
            bench.commands.send(Command::Step { step: Step::Cycle }).await.unwrap();
            until_paused(bench).await;
            let edit = Command::EditMemory {
                supersedes: None,
                section: "draft".into(),
                part: Some(PartId(1)),
                text: "mine".into(),
                data: json!({ "score": 1.0 }),
            };
            bench.commands.send(edit).await.unwrap();
        },
        natives(),
    );
    assert_eq!(state.outcomes.last().unwrap().answer.as_deref(), Some("mine"));
    let after = events.iter().skip_while(|envelope| !matches!(envelope.event, Event::MemoryEdited { .. }));
    assert!(after.clone().any(|envelope| matches!(envelope.event, Event::Scored { .. })));
    assert!(after.clone().any(|envelope| matches!(envelope.event, Event::Routed { .. })));
}

#[test]
fn an_interrupt_takes_the_open_step_back_and_the_loop_can_go_on() {
    use std::sync::atomic::{AtomicBool, Ordering};
    struct Hanging(Natives, AtomicBool);
    impl mop::engine::ports::Runner for Hanging {
        fn run(
            &self,
            activation: mop::engine::ports::Activation,
        ) -> futures::future::BoxFuture<'_, Result<mop::engine::ports::Output, mop::engine::ports::RunError>> {
            if activation.program.name.as_str() == "solve" && !self.1.swap(true, Ordering::Relaxed) {
                return Box::pin(std::future::pending());
            }
            self.0.run(activation)
        }
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let state = runtime.block_on(async {
        let network = small();
        let (commands, receiver) = tokio::sync::mpsc::channel(8);
        let (sender, mut events) = tokio::sync::mpsc::channel(1000);
        let ports = mop::engine::Ports {
            runner: Arc::new(Hanging(solving(), AtomicBool::new(false))),
            scorer: Arc::new(super::native::ByData),
            library: Arc::new(super::native::Fixed(network.clone())),
            clock: Arc::new(super::native::Still::default()),
            journal: Box::new(super::native::List::default()),
            recall: Arc::new(mop::engine::ports::NoRecall),
        };
        let settings = Settings { backward: false, ..Settings::default() };
        let query = Some(mop::model::Query::new("one"));
        let pins = super::native::pins(&network);
        let session = mop::engine::Session::open(ports, settings, pins, query, receiver, sender).await.unwrap();
        let client = async {
            while let Some(envelope) = events.recv().await {
                match &envelope.event {
                    Event::Activated { program, .. } if program.as_str() == "solve" => {
                        let _ = commands.send(Command::Interrupt).await;
                    }
                    Event::Paused { .. } => {
                        let _ = commands.send(Command::Run).await;
                    }
                    Event::EpisodeEnded { .. } => {
                        let _ = commands.send(Command::Shutdown).await;
                    }
                    _ => {}
                }
            }
        };
        tokio::join!(session.run(), client).0.unwrap()
    });
    let outcome = state.outcomes.last().unwrap();
    assert_eq!((outcome.answer.as_deref(), outcome.cycles), (Some("x"), 3));
    assert_eq!(state.memory.iter().filter(|entry| entry.is("draft")).count(), 1);
}

#[test]
fn an_edit_that_leaves_nobody_to_run_ends_the_run() {
    let route = program("contract = \"router\"\nnext = { check = 0.5 }");
    let check = program("contract = \"goal-check\"\nwrites = [\"gap\"]\nnext = { solve = 0.5 }");
    let solve = program("contract = \"solver\"\nwrites = [\"draft\"]\naccepts = \"not wm.fact\"");
    let files =
        [("network.toml", "entry = \"route\"\n"), ("route.md", &route), ("check.md", &check), ("solve.md", &solve)];
    let network = network(&files.map(|(path, text)| (path, text)));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let state = runtime.block_on(async {
        let settings = Settings { step: true, backward: false, ..Settings::default() };
        let natives = Natives::default()
            .with("check", |_| gives(vec![offer("gap", "missing", json!({ "sort": "solution" }), None)]));
        let (session, mut bench) = open(&network, natives, Some("one"), settings).await;
        let client = async {
            until_paused(&mut bench).await;
            for _ in 0..2 {
                bench.commands.send(Command::Step { step: Step::Cycle }).await.unwrap();
                until_paused(&mut bench).await;
            }
            let (text, data) = ("a fact".to_owned(), json!(null));
            let edit = Command::EditMemory { supersedes: None, section: "fact".into(), part: None, text, data };
            bench.commands.send(edit).await.unwrap();
            drop(bench.commands);
        };
        tokio::join!(session.run(), client).0.unwrap()
    });
    assert_eq!(state.outcomes.last().unwrap().halted, HaltReason::Failed);
}

#[test]
fn a_gain_below_epsilon_is_none() {
    let counting = std::sync::atomic::AtomicU32::new(0);
    let creeping = natives().with("solve", move |run| {
        let n = counting.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let data = json!({ "score": 0.5 + f64::from(n) * 1e-4, "bad": true });
        gives(vec![offer("draft", &format!("v{n}"), data, run.focus)])
    });
    let (state, _) = run(&small(), creeping, "one");
    let outcome = state.outcomes.last().unwrap();
    // Cycle 2 drafts and gains; the three after it gain a tenth of epsilon each.
    assert_eq!((outcome.halted, outcome.cycles), (HaltReason::Stalled, 5));
}

/// A program that cannot work, such as one whose model is gone, is not asked for ever, even where it sees something new each time.
#[test]
fn a_program_that_failed_twice_is_left_out_for_the_episode() {
    let route = program("contract = \"router\"\nwrites = [\"plan\"]\nnext = { solve = 0.5 }");
    let solve = program("contract = \"solver\"\nreads = [\"gap\"]\nwrites = [\"draft\"]\nnext = { check = 0.5 }");
    let check = program("contract = \"goal-check\"\nwrites = [\"gap\"]\nnext = { solve = 0.5 }");
    let network = network(&[("network.toml", RULES), ("route.md", &route), ("solve.md", &solve), ("check.md", &check)]);
    let natives =
        natives().with("solve", |_| Err(mop::engine::ports::RunError::new("its model is gone"))).with("check", |run| {
            gives(vec![offer("gap", &format!("nothing in run {}", run.id.0), json!({ "sort": "solution" }), None)])
        });
    let (state, events) = run(&network, natives, "one");
    let asked = names(&events).iter().filter(|name| *name == "solve").count();
    assert_eq!(asked, 2, "{:?}", names(&events));
    assert!(!state.outcomes.last().unwrap().verified);
}
