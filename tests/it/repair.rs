//! Self-repair through the binary: a script is broken, a question hits the fault, the repair is reviewed, used and reverted.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mop::engine::ports::Scorer;
use mop::engine::trial;
use mop::model::{Program, ProgramTest, Query, parse_program};
use mop::runtime::Programs;
use mop::runtime::pool::{Pool, Settings};
use mop::scoring::Checks;
use mop::store::{FileLibrary, Networks, Paths, SystemClock};
use mop::tools::Tools;
use serde_json::{Value, json};

use super::cli::User;

/// The longest that a proposal may take to come.
const PATIENCE: Duration = Duration::from_secs(30);

fn script() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/programs/symbolic/algebra.py")).unwrap()
}

/// Counts the questions that a script answers with a value that the scorer proves.
fn proves(user: &User, text: &str, questions: &[Value]) -> usize {
    let program: Arc<Program> = Arc::new(parse_program("algebra.py", text).unwrap());
    let paths = Paths::find(Some(user.home())).unwrap();
    let sourced = Networks::new(&paths, &user.project()).find("symbolic").unwrap();
    let library = Arc::new(FileLibrary::open(&paths.library(), sourced, Arc::new(SystemClock)).unwrap());
    let programs = Arc::new(Programs::new(Pool::new(Settings::new(env!("CARGO_BIN_EXE_mop").into()))));
    let scorer: Arc<dyn Scorer> = Arc::new(Checks::default());
    let runner: Arc<dyn mop::engine::ports::Runner> = programs.clone();
    programs.equip(Arc::new(Tools::new(Arc::downgrade(&runner), scorer.clone(), library)));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let passes = |question: &&Value| {
        let question = question.as_str().unwrap();
        let reading = json!({ "data": scorer.parts(&Query::new(question))[0].reading });
        let test = ProgramTest {
            query: question.to_owned(),
            memory: vec![[(mop::model::Section::new("reading"), reading)].into()],
            expect: [("satisfies".to_owned(), true.into())].into(),
        };
        runtime.block_on(trial::run(&*runner, &*scorer, &program, &test, Duration::from_secs(2), 1)).passed
    };
    questions.iter().filter(passes).count()
}

/// The proposal that a run raises about the script, as its event holds it.
fn proposal(user: &User, question: &str) -> Option<Value> {
    let started = Instant::now();
    let lines = user.mop(&["run", "--json", "--network", "./broken", question]).json();
    assert!(started.elapsed() < PATIENCE, "{question}: {:?}", started.elapsed());
    let raised = |line: &&Value| line["event"] == "ProposalRaised" && line["data"]["proposal"]["program"] == "algebra";
    lines.iter().find(raised).map(|line| line["data"]["proposal"].clone())
}

#[test]
fn broken_scripts_are_mended_and_the_mended_ones_hold_on_unseen_inputs() {
    let cases: Value = serde_json::from_str(include_str!("repairs.json")).unwrap();
    let mut failures: std::collections::BTreeMap<String, Vec<String>> = std::collections::BTreeMap::new();
    let mut mended = 0;
    for case in cases["breakages"].as_array().unwrap() {
        let (kind, question) = (case["kind"].as_str().unwrap(), case["question"].as_str().unwrap());
        let mut text = script();
        for edit in case["edits"].as_array().unwrap() {
            let (old, new) = (edit[0].as_str().unwrap(), edit[1].as_str().unwrap());
            assert_eq!(text.matches(old).count(), 1, "the script still holds {old}");
            text = text.replacen(old, new, 1);
        }
        let user = User::new();
        user.write("broken/network.toml", "extends = \"symbolic\"\n");
        user.write("broken/algebra.py", &text);
        let unseen = cases["unseen"][case["class"].as_str().unwrap()].as_array().unwrap();
        assert!(unseen.len() >= 20);
        let found = proposal(&user, question);
        let held =
            found.as_ref().map_or(0, |found| proves(&user, found["changes"][0]["after"].as_str().unwrap(), unseen));
        if held == unseen.len() {
            mended += 1;
        } else {
            let title = found.as_ref().and_then(|found| found["title"].as_str()).unwrap_or("no proposal");
            failures.entry(kind.to_owned()).or_default().push(format!("{question}: {held}/{} {title}", unseen.len()));
        }
    }
    assert!(failures.values().all(|list| list.len() <= 1), "at most one of each kind is missed: {failures:#?}");
    assert!(mended >= 12, "{mended} of 15 were mended: {failures:#?}");
}

#[test]
fn the_box_mends_itself_once_under_a_humans_hand() {
    let user = User::new();
    let question = "Solve sqrt(x+3) = x - 3";
    let last = user.mop(&["run", "--json", question]).json().pop().unwrap();
    let id = last["proposals"][0].as_str().unwrap().to_owned();
    let shown = user.expect(0, &["programs", "review", &id]).out;
    assert!(shown.contains("satisfying") && shown.contains("hunk 2"), "{shown}");
    // The code alone, without the test that comes with it.
    user.expect(0, &["programs", "review", &id, "--accept", "2"]);
    let again = |question: &str| {
        let lines = user.mop(&["run", "--json", question]).json();
        let scores: Vec<f64> = lines.iter().filter_map(|line| line["data"]["score"]["mean"].as_f64()).collect();
        (lines.last().unwrap()["proposals"].as_array().unwrap().len(), scores.contains(&0.0))
    };
    assert_eq!(again("Solve sqrt(2x+7) = x + 2"), (0, false), "the mended script drafts no false root");
    let cases: Value = serde_json::from_str(include_str!("repairs.json")).unwrap();
    let now = user.expect(0, &["programs", "export", "out"]);
    let text = std::fs::read_to_string(user.project().join("out/algebra.py")).unwrap_or_else(|_| panic!("{now:?}"));
    let unseen = cases["unseen"]["radical_box"].as_array().unwrap();
    assert_eq!(proves(&user, &text, unseen), unseen.len());
    user.expect(0, &["programs", "revert", "0"]);
    assert!(again("Solve sqrt(2x+7) = x + 2").1, "the old behaviour is back");
}
