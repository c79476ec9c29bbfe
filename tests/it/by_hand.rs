//! A run that a person played as the model: a plan, a call of a tool, a draft with a slip, a critic who finds it, the mended draft.

use serde_json::Value;

use crate::cli::User;

const FILES: [(&str, &str); 6] = [
    ("network.toml", include_str!("by-hand/network.toml")),
    ("plan.md", include_str!("by-hand/plan.md")),
    ("solve.md", include_str!("by-hand/solve.md")),
    ("check.md", include_str!("by-hand/check.md")),
    ("done.py", include_str!("by-hand/done.py")),
    ("replies.jsonl", include_str!("by-hand/replies.jsonl")),
];

#[test]
fn a_run_that_a_person_played_is_given_back_without_them() {
    let user = User::new();
    for (name, text) in FILES {
        user.write(&format!("net/{name}"), text);
    }
    let question = "A club of 17 members pays 23 euros each. The hall costs 150 euros. How much is left?";
    let run =
        ["run", "--json", "--network", "./net", "--seed", "5", "--provider", "replay:net/replies.jsonl", question];
    let done = user.expect(0, &run);
    let lines = done.json();
    let programs: Vec<&str> = lines
        .iter()
        .filter(|line| line["event"] == "Activated")
        .map(|line| line["data"]["program"].as_str().unwrap())
        .collect();
    assert_eq!(programs, ["plan", "solve", "check", "solve", "check", "done"]);
    let tools: Vec<&Value> = lines
        .iter()
        .filter(|line| line["event"] == "ToolReturned" && line["data"]["call"]["tool"] == "calculate")
        .map(|line| &line["data"]["call"]["result"])
        .collect();
    assert_eq!(tools.len(), 1);
    assert_eq!(tools[0]["Ok"]["value"], "241", "{tools:?}");
    // The draft that failed and was replaced is not what the user gets, though it scored as high as the one that passed.
    let last = lines.last().unwrap();
    assert_eq!((&last["answer"], &last["usage"]["calls"]), (&"241 euros are left.".into(), &6.into()), "{last}");
    let session = lines[0]["data"]["pins"]["session"].as_str().unwrap();
    user.expect(0, &["replay", session]);
}
