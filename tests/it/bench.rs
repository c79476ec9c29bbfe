//! `mop bench` by the binary: two arms with a known outcome, a cut-off file, shards, and a replay without a server.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;

use serde_json::Value;

use crate::cli::{SMALL, User};

/// Five questions, each with a word of its own that the script knows it by.
const SUITE: &str = r#"
{"id":"q1","suite":"s","question":"How many apples: 2 + 3?","answer":"5","check":"numeric"}
{"id":"q2","suite":"s","question":"How many pears: 2 + 4?","answer":"6","check":"numeric"}
{"id":"q3","suite":"t","question":"How many plums: 2 + 5?","answer":"7","check":"numeric"}
{"id":"q4","suite":"t","question":"How many figs: 2 + 6?","answer":"8","check":"numeric"}
{"id":"q5","suite":"t","question":"Is a kiwi a bird?\nA) yes\nB) no\nC) both","answer":"C","check":"exact"}
"#;

/// The one call is right on q1, q2 and q5, wrong on q3 and refused on q4; the chain is right on all but q2.
const SCRIPT: &str = r#"
{"when": ["You solve the task.", "apples"], "say": "2 + 3 = 5\nAnswer: 5"}
{"when": ["You solve the task.", "pears"], "say": "Answer: 6 pears"}
{"when": ["You solve the task.", "plums"], "say": "Answer: 8"}
{"when": ["You solve the task.", "figs"], "fail": "refused"}
{"when": ["You solve the task.", "kiwi"], "say": "Both are.\n**Answer:** (C)"}
{"when": "You plan, and solve nothing.", "say": "1. Add."}
{"when": "You carry out the plan", "say": "It is added."}
{"when": "You check the work", "say": "No mistake found."}
{"when": ["You give the final answer", "apples"], "say": "Answer: 5"}
{"when": ["You give the final answer", "pears"], "say": "Answer: 7"}
{"when": ["You give the final answer", "plums"], "say": "Answer: 7"}
{"when": ["You give the final answer", "figs"], "say": "Answer: 8"}
{"when": ["You give the final answer", "kiwi"], "say": "Answer: C"}
"#;

fn user() -> User {
    let user = User::new();
    user.write("s.jsonl", SUITE);
    user.write("script.jsonl", SCRIPT);
    user
}

const BENCH: [&str; 6] = ["bench", "s.jsonl", "--provider", "scripted:script.jsonl", "--arm", "single,pipeline"];

fn bench(more: &[&'static str]) -> Vec<&'static str> {
    BENCH.iter().copied().chain(more.iter().copied()).collect()
}

fn lines(user: &User, path: &str) -> Vec<Value> {
    let text = fs::read_to_string(user.project().join(path)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn report(user: &User, folder: &str) -> Value {
    let text = fs::read_to_string(user.project().join(folder).join("report.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// A report without what differs from run to run: seconds.
fn timeless(mut report: Value) -> Value {
    let clear = |arms: &mut Value| arms.as_array_mut().unwrap().iter_mut().for_each(|arm| arm["seconds"] = Value::Null);
    clear(&mut report["arms"]);
    report["suites"].as_object_mut().unwrap().values_mut().for_each(|both| clear(&mut both[0]));
    report["plan"]["provider"] = Value::Null;
    report
}

#[test]
fn two_arms_are_measured_side_by_side() {
    let user = user();
    let done = user.expect(0, &bench(&["--out", "o", "--jobs", "3"]));
    let row = |name: &str| done.out.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    let cells = |name: &str| {
        row(name).split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let (single, pipeline, pair) = (cells("single "), cells("pipeline "), cells("single −"));
    assert_eq!(single[..6], ["single", "5", "60.0 % [23.1, 88.2]", "3", "1", "1"], "{}", done.out);
    assert_eq!(pipeline[..6], ["pipeline", "5", "80.0 % [37.6, 96.4]", "4", "1", "0"], "{}", done.out);
    // One call a question, and four.
    assert_eq!((single[8].as_str(), pipeline[8].as_str()), ("5 (1)", "20 (4)"), "{}", done.out);
    assert_eq!(single[9], "0.0000", "what the script says is free");
    assert_eq!(pair[1], "5");
    assert!(pair[2].starts_with("-20.0 % ["), "{pair:?}");
    assert_eq!(pair[3..7], ["1.000", "1", "2", "2"], "p, wins, losses, ties");
    assert_eq!(pair[8], "-3.00 [-3.00, -3.00]");

    let report = report(&user, "o");
    assert_eq!(report["arms"][0]["calls"]["sum"], 5.0);
    assert_eq!(report["arms"][0]["j"].as_array().unwrap().len(), 3, "J of cycles 0 to 2");
    assert_eq!(report["suites"]["t"][0][0]["items"], 3, "each suite by itself");
    assert_eq!(report["whole"], true);
    assert_eq!(report["arms"][0]["verified"], serde_json::json!([0, 0]), "nothing verifies a single call");
    let page = fs::read_to_string(user.project().join("o/report.html")).unwrap();
    assert!(page.contains("<polyline") && page.contains("<circle") && !page.contains("http"), "{page}");

    let answers = lines(&user, "o/single/answers.jsonl");
    let q4 = answers.iter().find(|line| line["id"] == "q4").unwrap();
    assert_eq!((&q4["answer"], &q4["right"], &q4["calls"]), (&Value::Null, &Value::Bool(false), &Value::from(1)));
    let q5 = answers.iter().find(|line| line["id"] == "q5").unwrap();
    assert_eq!((&q5["answer"], &q5["right"]), (&Value::from("(C)"), &Value::Bool(true)));
    // The sessions stand beside the answers, and nothing was left with the user's own.
    let journal = user.project().join("o/sessions").join(q5["session"].as_str().unwrap()).join("journal.jsonl");
    assert!(fs::read_to_string(journal).unwrap().contains("kiwi"));
    assert_eq!(user.sessions(), Vec::<String>::new());
    assert!(!user.home().join("data/library/single").exists());
}

#[test]
fn a_bench_that_was_cut_off_goes_on_and_asks_nothing_twice() {
    let user = user();
    user.expect(0, &bench(&["--out", "whole"]));
    user.expect(0, &bench(&["--out", "o"]));
    let done = user.expect(2, &bench(&["--out", "o"]));
    assert!(done.err.contains("--resume"), "{}", done.err);

    // As after a kill: two whole lines of one arm and half a third, nothing of the other.
    let file = user.project().join("o/single/answers.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let second = text.match_indices('\n').nth(1).unwrap().0 + 1;
    fs::write(&file, &text[..second + 40]).unwrap();
    fs::remove_file(user.project().join("o/pipeline/answers.jsonl")).unwrap();
    // What is finished is not asked again: the script has lost its words for it.
    let known: Vec<String> =
        text[..second].lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].to_string()).collect();
    assert_eq!(known, ["\"q1\"", "\"q2\""]);
    let less: String = SCRIPT
        .lines()
        .filter(|line| !(line.contains("solve the task") && (line.contains("apples") || line.contains("pears"))))
        .map(|line| format!("{line}\n"))
        .collect();
    user.write("script.jsonl", &less);
    let done = user.expect(0, &bench(&["--out", "o", "--resume"]));
    assert!(done.err.contains("2 of 10 are finished already"), "{}", done.err);
    assert_eq!(lines(&user, "o/single/answers.jsonl").len(), 5);
    assert_eq!(timeless(report(&user, "o")), timeless(report(&user, "whole")));

    let done = user.expect(
        2,
        &["bench", "s.jsonl", "--provider", "scripted:script.jsonl", "--arm", "single", "--out", "o", "--resume"],
    );
    assert!(done.err.contains("its arms are"), "{}", done.err);
}

#[test]
fn shards_joined_are_the_whole() {
    let user = user();
    user.expect(0, &bench(&["--out", "whole", "--seeds", "1,2"]));
    user.expect(0, &bench(&["--out", "a", "--seeds", "1,2", "--shard", "1/2"]));
    user.expect(0, &bench(&["--out", "b", "--seeds", "1,2", "--shard", "2/2"]));
    assert_eq!((lines(&user, "a/single/answers.jsonl").len(), lines(&user, "b/single/answers.jsonl").len()), (6, 4));
    let done = user.expect(0, &["bench", "merge", "a", "b", "--out", "joined"]);
    assert!(done.out.contains("60.0 %"), "{}", done.out);
    assert_eq!(timeless(report(&user, "joined")), timeless(report(&user, "whole")));
    let done = user.expect(0, &["bench", "merge", "b"]);
    assert!(done.err.contains("shards 1/2 are missing"), "{}", done.err);
    let done = user.expect(2, &["bench", "merge", "a", "b", "a"]);
    assert!(done.err.contains("was asked in a folder before"), "{}", done.err);
    user.expect(0, &bench(&["--out", "other", "--seeds", "3"]));
    let done = user.expect(2, &["bench", "merge", "a", "other"]);
    assert!(done.err.contains("seeds"), "{}", done.err);
    let done = user.expect(2, &["bench", "merge", "nothing"]);
    assert!(done.err.contains("there is no bench in it"), "{}", done.err);
}

/// A server of the OpenAI format that says the same to everything, on loopback.
fn server(text: &str, calls: usize) -> (String, std::thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let say = serde_json::json!({ "choices": [{ "index": 0, "delta": { "content": text }, "finish_reason": "stop" }] });
    let usage = serde_json::json!({ "choices": [], "usage": { "prompt_tokens": 90, "completion_tokens": 10 } });
    let body = format!("data: {say}\n\ndata: {usage}\n\ndata: [DONE]\n\n");
    let serving = std::thread::spawn(move || {
        for stream in listener.incoming().take(calls) {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut length = 0;
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                let lower = line.to_lowercase();
                if let Some(rest) = lower.strip_prefix("content-length:") {
                    length = rest.trim().parse().unwrap();
                }
                if line == "\r\n" {
                    break;
                }
            }
            reader.read_exact(&mut vec![0; length]).unwrap();
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n";
            write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len()).unwrap();
        }
    });
    (format!("http://{address}/v1"), serving)
}

#[test]
fn a_recorded_bench_is_replayed_without_a_server() {
    let user = user();
    let (url, serving) = server("Answer: 6", 5);
    user.write(
        "home/config/config.toml",
        &format!(
            "[models]\nstandard = \"local/m\"\n[[endpoints]]\nname = \"local\"\nurl = \"{url}\"\nmodels = [\"m\"]\n"
        ),
    );
    let run = |provider: &'static str, out: &'static str| {
        user.expect(0, &["bench", "s.jsonl", "--arm", "single", "--provider", provider, "--out", out])
    };
    let live = run("record:replies.jsonl", "live");
    serving.join().unwrap();
    let row = live.out.lines().find(|line| line.starts_with("single ")).unwrap();
    assert!(row.contains("20.0 %") && row.contains("500 (100)") && row.contains(" ? "), "{}", live.out);
    run("replay:replies.jsonl", "again");
    assert_eq!(timeless(report(&user, "again")), timeless(report(&user, "live")));

    // What was never recorded is no wrong answer of the arm: nothing is measured.
    let done = user.expect(
        5,
        &["bench", "s.jsonl", "--arm", "single", "--provider", "replay:replies.jsonl", "--out", "x", "--seeds", "7"],
    );
    assert!(done.err.contains("holds no reply to this") && done.err.contains("5 of 5 are left"), "{}", done.err);
    assert_eq!(lines(&user, "x/single/answers.jsonl").len(), 0);
}

#[test]
fn a_cap_on_the_whole_bench_ends_it_and_can_be_raised() {
    let user = user();
    let done = user.expect(3, &bench(&["--out", "o", "--max-tokens", "1"]));
    assert!(done.err.contains("of at most 1 tokens") && done.err.contains("9 of 10 are left"), "{}", done.err);
    let done = user.expect(3, &bench(&["--out", "o", "--max-tokens", "1", "--resume"]));
    assert!(done.err.contains("9 of 10 are left"), "what was spent before counts: {}", done.err);
    user.expect(0, &bench(&["--out", "o", "--resume"]));
}

#[test]
fn bad_lines_are_told_and_asked_about() {
    let user = user();
    user.write("s.jsonl", &format!("{SUITE}{{\"id\": 7\n"));
    let done = user.expect(2, &bench(&["--out", "o"]));
    assert!(done.err.contains("s.jsonl:7: no JSON") && done.err.contains("--skip-bad"), "{}", done.err);
    assert!(!user.project().join("o").exists(), "nothing was asked");
    let done = user.expect(0, &bench(&["--out", "o", "--skip-bad", "--limit", "1"]));
    assert!(done.out.contains("1 question"), "{}", done.out);
    let done = user.expect(2, &["bench", "s.jsonl", "--skip-bad", "--arm", "single"]);
    assert!(done.err.contains("no model is configured"), "{}", done.err);
    user.expect(2, &["bench"]);
    user.expect(2, &["bench", "nothing.jsonl"]);
    user.expect(2, &["bench", "s.jsonl", "--shard", "0/2"]);
}

#[test]
fn networks_without_a_model_are_arms_too() {
    let user = user();
    for (name, text) in SMALL {
        user.write(&format!("echo-arm/{name}"), text);
    }
    user.write(
        "e.jsonl",
        "{\"id\":\"1\",\"suite\":\"e\",\"question\":\"What is 17*23?\",\"answer\":\"391\",\"check\":\"numeric\"}\n",
    );
    let done =
        user.expect(0, &["bench", "e.jsonl", "--arm", "symbolic,./echo-arm", "--json", "--no-journals", "--out", "o"]);
    let report: Value = serde_json::from_str(&done.out).unwrap();
    let accuracy = |at: usize| report["arms"][at]["accuracy"]["mean"].as_f64().unwrap();
    assert_eq!((accuracy(0), accuracy(1)), (1.0, 0.0), "{}", done.out);
    assert_eq!(report["arms"][0]["verified"], serde_json::json!([1, 1]));
    assert!(!Path::new(&user.project().join("o/sessions")).exists());
}
