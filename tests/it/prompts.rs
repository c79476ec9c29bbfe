//! A network of prompts, run by the binary with replies from a script; recorded sessions are replayed without any.

use serde_json::{Value, json};

use crate::cli::User;

pub(crate) const NETWORK: &str = r#"
about = "Prompts alone"
entry = "start"

[[rules]]
when = "draft and draft.verified"
go = "@goal-check"
why = "the draft is verified"

[[rules]]
when = "draft"
go = "@critic"
why = "there is a draft"
"#;

pub(crate) const FILES: [(&str, &str); 5] = [
    (
        "start.md",
        "+++\nrole = \"Sends the question on\"\ncontract = \"router\"\nwrites = [\"plan\"]\nnext = { work = 1.0 }\n+++\nSay who works: START\n",
    ),
    (
        "work.md",
        "+++\nrole = \"Solves\"\ncontract = \"solver\"\nreads = [\"draft\"]\nwrites = [\"draft\"]\ntools = [\"calculate\"]\nnext = { check = 1.0 }\nmodel = { tier = \"strong\" }\n+++\nSolve it, and compute with tools: WORK\n",
    ),
    (
        "check.md",
        "+++\nrole = \"Checks\"\ncontract = \"critic\"\nreads = [\"draft\"]\nrequires = [\"draft\"]\nwrites = [\"verdict\"]\nnext = { done = 1.0 }\n+++\nCheck the draft: CHECK\n",
    ),
    (
        "done.md",
        "+++\nrole = \"Says whether it is done\"\ncontract = \"goal-check\"\nreads = [\"draft\"]\nwrites = [\"assessment\", \"gap\"]\n+++\nIs it done? DONE\n",
    ),
    (
        "show.md",
        "+++\nrole = \"Writes the answer\"\ncontract = \"presenter\"\nreads = [\"incumbent\"]\nwrites = [\"answer\"]\n+++\nWrite the answer: SHOW\n",
    ),
];

pub(crate) const SCRIPT: &str = r##"
# The first try of the worker is no JSON; it is told so, calls a tool, and answers.
{"when": "START", "say": {"contributions": [], "next": "work", "why": "one clear task"}}
{"when": ["WORK", "calculate: "], "say": "```json\n{'contributions': [{'section': 'draft', 'text': '391', 'answer': '391'},], 'next': 'check', 'why': 'computed'}\n```"}
{"when": ["WORK", "cannot be used"], "say": "<tool_call>{\"name\": \"calculate\", \"arguments\": {\"expression\": \"17*23\"}}</tool_call>"}
{"when": "WORK", "say": "It is 391."}
{"when": "CHECK", "say": {"contributions": [{"section": "verdict", "text": "pass", "pass": true, "about": 0}], "next": "done"}}
{"when": "DONE", "say": {"contributions": [{"section": "assessment", "text": "done", "data": {"complete": true}}]}}
{"when": "SHOW", "say": {"contributions": [{"section": "answer", "text": "391"}]}}
"##;

/// A user with the network in `./prompts`.
pub(crate) fn with_prompts() -> User {
    let user = User::new();
    user.write("prompts/network.toml", NETWORK);
    for (name, text) in FILES {
        user.write(&format!("prompts/{name}"), text);
    }
    user
}

pub(crate) fn user(script: &str) -> User {
    let user = with_prompts();
    user.write("script.jsonl", script);
    user.write("home/config/config.toml", "provider = \"scripted:script.jsonl\"\n");
    user
}

pub(crate) const RUN: [&str; 5] = ["run", "--json", "--network", "./prompts", "What is 17*23?"];

fn events<'a>(lines: &'a [Value], name: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["event"] == name).map(|line| &line["data"]).collect()
}

#[test]
fn a_network_of_prompts_solves_with_a_tool_and_is_replayed_without_a_model() {
    let user = user(SCRIPT);
    let lines = user.mop(&RUN).json();
    let ran: Vec<&str> =
        events(&lines, "Activated").into_iter().map(|data| data["program"].as_str().unwrap()).collect();
    assert_eq!(ran, ["start", "work", "check", "done", "show"]);
    let last = lines.last().unwrap();
    assert_eq!((&last["answer"], &last["exit"], &last["j"]), (&json!("391"), &json!(0), &json!(1.0)), "{last}");
    assert_eq!(last["usage"]["calls"], json!(7), "{last}");
    assert_eq!(last["usage"]["tool_calls"], json!(1));
    assert!(last["usage"]["tokens"].as_u64().unwrap() > 100);
    let calls: Vec<Value> = events(&lines, "ToolReturned").into_iter().map(|data| data["call"].clone()).collect();
    let tool = calls.iter().find(|call| call["tool"] == "calculate").unwrap();
    assert_eq!(tool["args"], json!(["17*23"]));
    assert!(tool["result"]["Ok"].to_string().contains("391"), "computed in a worker: {tool}");

    // The script is gone; the record is enough.
    user.write("script.jsonl", "");
    let id = lines[0]["data"]["pins"]["session"].as_str().unwrap();
    let replayed = user.expect(0, &["replay", id]);
    assert!(replayed.out.contains("no difference"), "{}", replayed.out);
}

#[test]
fn a_model_that_fails_fails_its_activation_and_not_the_run() {
    let user = user("{\"when\": \"START\", \"say\": {\"next\": \"work\"}}\n{\"fail\": \"overloaded\"}\n");
    let lines = user.mop(&RUN).json();
    let failed = events(&lines, "Failed");
    assert!(!failed.is_empty());
    assert!(failed[0]["error"].as_str().unwrap().starts_with("work.md: the model gave no answer"), "{failed:?}");
    assert_eq!(lines.last().unwrap()["answer"], Value::Null);
    let id = lines[0]["data"]["pins"]["session"].as_str().unwrap();
    user.expect(0, &["replay", id]);
}

#[test]
fn what_models_write_is_printed_where_that_is_asked_for() {
    let user = user(SCRIPT);
    let done = user.expect(0, &["run", "--stream", "--network", "./prompts", "What is 17*23?"]);
    assert!(done.err.contains("      work | It is 391."), "{}", done.err);
    assert_eq!(done.out, "391\n");
    let quiet = user.expect(0, &["run", "--network", "./prompts", "What is 17*23?"]);
    assert!(!quiet.err.contains("It is 391."), "{}", quiet.err);
    let lines = user.mop(&["run", "--json", "--stream", "--network", "./prompts", "What is 17*23?"]).json();
    let deltas = events(&lines, "Delta");
    assert!(deltas.iter().any(|data| data["text"] == "It is 391."), "{deltas:?}");
    assert!(deltas.iter().any(|data| data["what"]["returned"]["call"]["tool"] == "calculate"), "{deltas:?}");
}

#[test]
fn a_provider_that_cannot_be_is_said_at_once() {
    let user = user(SCRIPT);
    user.write("home/config/config.toml", "provider = \"replay:nothing.jsonl\"\n");
    let done = user.mop(&RUN);
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.err.contains("nothing.jsonl") && done.err.contains("record a run first"), "{done:?}");

    user.write("home/config/config.toml", "[models]\nquick = \"m\"\n[[endpoints]]\nname = \"x\"\n");
    let done = user.mop(&["config", "check"]);
    assert!(done.out.contains("config.toml:2") && done.out.contains("`quick` is no tier"), "{done:?}");
    assert!(done.out.contains("config.toml:4") && done.out.contains("has no address"), "{done:?}");
}

#[test]
fn an_image_goes_with_the_question_and_stays_out_of_the_journal() {
    let user = user(SCRIPT);
    let picture = user.project().join("picture.dat");
    std::fs::write(&picture, b"\x89PNG\r\n\x1a\nnot much of a picture").unwrap();
    let args = [&RUN[..], &["--attach", "picture.dat"]].concat();
    let lines = user.mop(&args).json();
    let query = &events(&lines, "EpisodeStarted")[0]["query"]["attachments"][0];
    let hash = query["image"]["hash"].as_str().unwrap();
    assert_eq!((&query["name"], &query["image"]["media"]), (&json!("picture.dat"), &json!("image/png")));
    let id = lines[0]["data"]["pins"]["session"].as_str().unwrap();
    let journal = std::fs::read_to_string(user.journal(id)).unwrap();
    assert!(journal.contains(hash) && !journal.contains("iVBOR"), "its hash stands in the place of its bytes");
    let kept = std::fs::read_to_string(user.journal(id).with_file_name("blobs").join(hash)).unwrap();
    assert!(kept.starts_with("iVBOR"), "{kept}");
    assert!(user.expect(0, &["sessions", "show"]).out.contains("with picture.dat (29 bytes)"));
    assert!(user.expect(0, &["replay", id]).out.contains("no difference"));
}
