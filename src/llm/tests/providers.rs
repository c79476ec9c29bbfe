//! Providers without a server: records, scripts, a person.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;

use crate::engine::ports::{Ask, Fault, Finish, Offers, Provider};
use crate::llm::{Manual, Recorder, Replayer, Scripted};
use crate::model::Hash;

use super::{Act, CANARY, Memory, Watch, fleet, question};

#[tokio::test(start_paused = true)]
async fn a_record_gives_back_the_same_and_needs_no_server() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/record.jsonl");
    let refused = Act::status(400, &[], &json!({ "error": { "code": "content_filter", "message": "no" } }).to_string());
    let says = Act::says(&format!("four {CANARY}"));
    let memory = Memory::of("a", vec![says, Act::says("five"), refused]);
    let live: Arc<dyn Provider> = Arc::new(fleet(&memory, &["a"]));
    let asks = [question(), Ask { sample: 1, ..question() }, Ask { seed: Some(3), ..question() }];
    let mut given = Vec::new();
    let recorder = Recorder::new(live, &path).unwrap();
    for ask in &asks {
        given.push(recorder.ask(ask, &|_| {}).await);
    }
    assert!(given[0].is_ok() && given[1].is_ok());
    assert_eq!(given[2].as_ref().unwrap_err().fault, Fault::Refused);

    let text = fs::read_to_string(&path).unwrap();
    assert!(text.lines().count() == 3 && !text.contains("canary"), "{text}");
    // A crash in the middle of a line.
    fs::write(&path, format!("{text}{{\"v\":1,\"ke")).unwrap();
    let replayer = Replayer::new(&path).unwrap();
    for (ask, given) in asks.iter().zip(&given) {
        let again = replayer.ask(ask, &|_| {}).await;
        match (again, given) {
            (Ok(again), Ok(given)) => assert_eq!(again, *given),
            (Err(again), Err(given)) => assert_eq!((again.fault, again.message), (given.fault, given.message.clone())),
            (again, given) => panic!("{again:?}, not {given:?}"),
        }
    }
    assert_eq!(memory.times().len(), 3);
    assert_eq!(replayer.offers(&question().model), Offers { schema: true, tools: true });
    let others = [
        Ask { program: Hash::of("other"), ..question() },
        Ask { temperature: Some(0.1), ..question() },
        Ask { sample: 2, ..question() },
        Ask { system: "other".into(), ..question() },
    ];
    for ask in others {
        assert_eq!(replayer.ask(&ask, &|_| {}).await.unwrap_err().fault, Fault::Missing, "{ask:?}");
    }
    // What was cut off does not swallow the next line.
    let memory = Memory::of("a", vec![Act::says("six")]);
    let recorder = Recorder::new(Arc::new(fleet(&memory, &["a"])), &path).unwrap();
    recorder.ask(&Ask { sample: 7, ..question() }, &|_| {}).await.unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 5);
}

#[tokio::test]
async fn a_script_says_the_first_line_that_fits_and_is_not_used_up() {
    let script = Scripted::new(
        r#"
# a comment
{"when": "2 + 2", "say": "five", "times": 1}
{"when": ["2 + 2", "brief"], "say": {"answer": 4}, "reasoning": "hm"}
{"when": "tool", "calls": [["calc", {"expression": "2"}]]}
{"when": "bad", "fail": "overloaded"}
"#,
    )
    .unwrap();
    let watch = Watch::default();
    let say = async |text: &str| {
        let ask = Ask::new(question().model, "be brief", text);
        script.ask(&ask, &|piece| watch.see(piece)).await
    };
    assert_eq!(say("2 + 2").await.unwrap().text, "five");
    assert_eq!(say("2 + 2").await.unwrap().text, r#"{"answer":4}"#);
    let called = say("tool").await.unwrap();
    assert_eq!((called.finish, called.calls[0].args.as_str()), (Finish::Tools, r#"{"expression":"2"}"#));
    assert_eq!(say("bad").await.unwrap_err().fault, Fault::Overloaded);
    assert_eq!(say("else").await.unwrap_err().fault, Fault::Missing);
    assert_eq!(watch.words(), ["text five", "reasoning hm", "text {\"answer\":4}", "call calc"]);
    assert!(Scripted::new("{\"wehn\": \"x\"}").is_err());
}

#[tokio::test(start_paused = true)]
async fn a_person_answers_through_files() {
    let folder = tempfile::tempdir().unwrap();
    let manual = Manual::new(folder.path()).unwrap();
    let find = |ending: &str| {
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        names.filter(|path| path.to_string_lossy().ends_with(ending)).collect::<Vec<_>>()
    };
    let ask = question();
    let asking = manual.ask(&ask, &|_| {});
    let answering = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let prompt = find(".prompt.md").remove(0);
        assert!(fs::read_to_string(&prompt).unwrap().contains("what is 2 + 2?"));
        let answer = prompt.to_string_lossy().replace(".prompt.", ".answer.");
        fs::write(answer, "4").unwrap();
    };
    let (reply, ()) = tokio::join!(asking, answering);
    assert_eq!(reply.unwrap().text, "4");
    assert!(find(".prompt.md").is_empty(), "a prompt that is answered waits no more");
    assert_eq!(manual.ask(&ask, &|_| {}).await.unwrap().text, "4");
    let other = Ask { sample: 1, ..question() };
    assert!(timeout(Duration::from_secs(5), manual.ask(&other, &|_| {})).await.is_err());
    assert!(find(".prompt.md").is_empty(), "nor does one that was called off");
}
