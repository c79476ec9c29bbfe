//! Each fault of a server with its right value, on a clock that the tests move.

use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, timeout};

use crate::engine::ports::{Fault, Finish, Provider};

use super::{Act, Do, Memory, Watch, asked, end, event, fleet, question};

#[tokio::test(start_paused = true)]
async fn every_form_of_a_rate_limit_is_waited_for_and_nothing_is_sent_before() {
    type Form = (&'static [(&'static str, &'static str)], &'static str, u128);
    let forms: [Form; 6] = [
        (&[("retry-after", "7")], "", 7_000),
        (&[("retry-after", "Sun, 06 Nov 1994 08:49:47 GMT")], "", 10_000),
        (&[("retry-after-ms", "1500")], "", 1_500),
        (&[("x-ratelimit-reset-tokens", "1m2s"), ("x-ratelimit-remaining-tokens", "0")], "", 62_000),
        (&[("anthropic-ratelimit-requests-reset", "1994-11-06T08:49:42Z")], "", 5_000),
        (&[], "Please try again in 3s.", 3_000),
    ];
    for (headers, body, least) in forms {
        let memory = Memory::of("a", vec![Act::status(429, headers, body), Act::says("4")]);
        let reply = asked(&fleet(&memory, &["a"])).await.unwrap();
        assert_eq!(reply.text, "4");
        let times = memory.times();
        assert!(times.len() == 2 && times[1] >= least && times[1] <= least + 600, "{headers:?} {body}: {times:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn one_gate_holds_all_who_ask_and_the_wait_is_counted_down() {
    let memory = Memory::of("a", vec![Act::status(429, &[("retry-after", "5")], ""), Act::says("4")]);
    let fleet = fleet(&memory, &["a"]);
    let watch = Watch::default();
    let (ask, see) = (question(), |piece: crate::engine::ports::Piece<'_>| watch.see(piece));
    let first = fleet.ask(&ask, &see);
    let later = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        futures::future::join_all((0..8).map(|_| asked(&fleet))).await
    };
    let (first, others) = tokio::join!(first, later);
    assert!(first.is_ok() && others.iter().all(Result::is_ok));
    let times = memory.times();
    assert!(times.len() == 10 && times[1..].iter().all(|at| *at >= 5_000), "{times:?}");
    let waits: Vec<String> = watch.words().into_iter().filter(|word| word.starts_with("waiting")).collect();
    let expected = ["5", "4", "3", "2", "1"].map(|left| format!("waiting {left} rate-limited by a"));
    assert_eq!(waits, expected);
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_is_too_long_is_an_error_that_says_how_long() {
    let memory = Memory::of("a", vec![Act::status(429, &[("retry-after", "7200")], "")]);
    let fleet = fleet(&memory, &["a"]);
    let error = asked(&fleet).await.unwrap_err();
    assert_eq!(error.fault, Fault::RateLimited { wait: Duration::from_secs(7200) });
    let again = asked(&fleet).await.unwrap_err();
    assert!(matches!(again.fault, Fault::RateLimited { .. }) && memory.times().len() == 1, "{again:?}");
}

#[tokio::test(start_paused = true)]
async fn failures_are_tried_again_with_growing_jittered_waits_and_not_for_ever() {
    for act in [Act::status(503, &[], "busy"), Act::status(500, &[], ""), Act::refuses(), Act::status(529, &[], "")] {
        let fault = if act.refuse { Fault::Unreachable } else { Fault::Overloaded };
        let memory = Memory::of("a", vec![act.clone(), act.clone(), Act::says("4")]);
        assert_eq!(asked(&fleet(&memory, &["a"])).await.unwrap().text, "4");
        let memory = Memory::of("a", vec![act]);
        let error = asked(&fleet(&memory, &["a"])).await.unwrap_err();
        assert_eq!(error.fault, fault);
        let times = memory.times();
        let gaps: Vec<u128> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(times.len(), 6);
        for (at, gap) in gaps.iter().enumerate() {
            let whole = 500 << at;
            assert!(*gap >= whole / 2 && *gap <= whole + 1, "{gaps:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_stall_is_cut_and_what_came_is_kept_and_marked() {
    let memory = Memory::of("a", vec![Act::steps(vec![Do::Send(event("half of it")), Do::Hang])]);
    let fleet = fleet(&memory, &["a"]);
    let began = Instant::now();
    let error = asked(&fleet).await.unwrap_err();
    assert_eq!((error.fault, memory.times().len()), (Fault::Stalled, 3));
    assert_eq!(error.partial.unwrap().text, "half of it");
    assert!(
        error.tokens.output > 0 && error.tokens.estimated,
        "three tries that a server may bill: {:?}",
        error.tokens
    );
    assert!(began.elapsed() < Duration::from_secs(3 * 120 + 5), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn comments_keep_a_connection_alive_but_not_for_ever() {
    let pings = (0..1_000).flat_map(|_| [Do::Send(": ping\n\n".into()), Do::Wait(10_000)]).collect();
    let memory = Memory::of("a", vec![Act::steps(pings)]);
    let began = Instant::now();
    assert_eq!(asked(&fleet(&memory, &["a"])).await.unwrap_err().fault, Fault::Stalled);
    assert!(began.elapsed() < Duration::from_secs(3 * 310), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_long_healthy_stream_is_not_cut() {
    let slow = (0..600).flat_map(|n| [Do::Send(event(&format!("{n} "))), Do::Wait(60_000)]);
    let memory = Memory::of("a", vec![Act::steps(slow.chain([Do::Send(end())]).collect())]);
    let reply = asked(&fleet(&memory, &["a"])).await.unwrap();
    assert!(reply.text.ends_with("599 ") && memory.times().len() == 1);
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_breaks_off_is_no_answer() {
    let whole = format!("{}{}", event("one"), event("two"));
    let cut = |bytes: usize| whole[..bytes].to_owned();
    for last in [Do::Reset, Do::Send(String::new())] {
        for bytes in 1..whole.len() {
            let memory = Memory::of("a", vec![Act::steps(vec![Do::Send(cut(bytes)), last.clone()])]);
            let error = asked(&fleet(&memory, &["a"])).await.unwrap_err();
            assert_eq!((error.fault, memory.times().len()), (Fault::CutOff, 3), "after {bytes} bytes");
        }
    }
    let memory = Memory::of("a", vec![Act::steps(vec![Do::Send(whole), Do::Reset]), Act::says("4")]);
    let watch = Watch::default();
    let reply = fleet(&memory, &["a"]).ask(&question(), &|piece| watch.see(piece)).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.tokens.input > 10), ("4", true), "the broken try counts too");
    let words = watch.words();
    assert!(words.contains(&"text two".to_owned()) && words.iter().any(|word| word.starts_with("again")), "{words:?}");
}

#[tokio::test(start_paused = true)]
async fn a_stream_is_whole_once_the_model_said_why_it_ends() {
    let finish = json!({ "choices": [{ "delta": {}, "finish_reason": "length" }] });
    let steps = [Do::Send(event("4")), Do::Send(format!("data: {finish}\n\n"))];
    for last in [None, Some(Do::Reset), Some(Do::Hang)] {
        let memory = Memory::of("a", vec![Act::steps(steps.iter().cloned().chain(last).collect())]);
        let reply = asked(&fleet(&memory, &["a"])).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.finish, memory.times().len()), ("4", Finish::Length, 1));
        assert!(reply.tokens.estimated && reply.tokens.total() > 0, "no usage was sent: {:?}", reply.tokens);
    }
}

#[tokio::test(start_paused = true)]
async fn what_no_second_try_mends_is_not_tried_again() {
    let filter = json!({ "choices": [{ "delta": {}, "finish_reason": "content_filter" }] });
    let context =
        json!({ "error": { "message": "maximum context length is 8192", "code": "context_length_exceeded" } });
    let filtered = json!({ "error": { "message": "no", "code": "content_filter" } });
    let spent = json!({ "error": { "message": "You exceeded your quota", "code": "insufficient_quota" } });
    let cases = [
        (Act::steps(vec![Do::Send(format!("data: {filter}\n\n"))]), Fault::Refused),
        (Act::status(400, &[], &context.to_string()), Fault::TooLong),
        (Act::status(500, &[], "the request exceeds the available context size"), Fault::TooLong),
        (Act::status(400, &[], &filtered.to_string()), Fault::Refused),
        (Act::status(401, &[], "no"), Fault::Auth),
        (Act::status(404, &[], "no such model"), Fault::Missing),
        (Act::status(400, &[], "bad"), Fault::Rejected),
        (Act::status(429, &[], &spent.to_string()), Fault::Rejected),
        (Act::status(302, &[("location", "http://b")], ""), Fault::Rejected),
        (Act::steps(vec![Do::Send(event("same again. ")); 2_000]), Fault::Repeating),
    ];
    for (act, fault) in cases {
        let memory = Memory::of("a", vec![act]);
        let error = asked(&fleet(&memory, &["a"])).await.unwrap_err();
        assert_eq!((error.fault, memory.times().len()), (fault, 1), "{error:?}");
        assert!(error.hint.is_some(), "{error:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn nonsense_is_named_with_its_beginning() {
    let page = Act::status(200, &[("content-type", "text/html")], "<html>");
    let empty = Act::steps(Vec::new());
    let broken = Act::steps(vec![Do::Send("data: {\"choices\": [}\n\n".into())]);
    for (act, words) in [(page, "web page"), (empty, "nothing at all"), (broken, "{\"choices\": [}")] {
        let memory = Memory::of("a", vec![act]);
        let error = asked(&fleet(&memory, &["a"])).await.unwrap_err();
        assert_eq!((error.fault, memory.times().len()), (Fault::Malformed, 3));
        assert!(error.message.contains(words), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_reply_is_bounded_in_time_that_is_linear_in_its_size() {
    let block = "x".repeat(1 << 20);
    let line = std::iter::once(Do::Send("data: ".into())).chain(std::iter::repeat_n(Do::Send(block), 60)).collect();
    let memory = Memory::of("a", vec![Act::steps(line)]);
    let began = std::time::Instant::now();
    let error = asked(&fleet(&memory, &["a"])).await.unwrap_err();
    assert_eq!((error.fault, memory.times().len()), (Fault::TooLarge, 1));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    let endless = Act { steps: vec![Do::Send("error ".repeat(1_000)); 10_000], ..Act::status(400, &[], "") };
    let error = asked(&fleet(&Memory::of("a", vec![endless]), &["a"])).await.unwrap_err();
    assert!(error.message.len() < 400, "{}", error.message.len());
}

#[tokio::test(start_paused = true)]
async fn a_parameter_that_a_server_does_not_take_is_left_out() {
    let refuses = Act::status(400, &[], "Unsupported value: 'temperature' does not support 0.2");
    let renames = Act::status(400, &[], "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.");
    let memory = Memory::of("a", vec![refuses, renames, Act::says("4")]);
    let ask = crate::engine::ports::Ask { temperature: Some(0.2), ..question() };
    fleet(&memory, &["a"]).ask(&ask, &|_| {}).await.unwrap();
    let log = memory.log.lock().unwrap();
    assert_eq!(log[0].2["temperature"], json!(0.2));
    assert!(log[2].2.get("temperature").is_none() && log[2].2.get("max_tokens").is_none());
    assert_eq!(log[2].2["max_completion_tokens"], json!(4096));
}

#[tokio::test(start_paused = true)]
async fn an_error_in_the_middle_of_a_stream_is_an_error() {
    let error = json!({ "error": { "type": "overloaded_error", "message": "Overloaded" } });
    let act = Act::steps(vec![Do::Send(event("so")), Do::Send(format!("data: {error}\n\n"))]);
    let memory = Memory::of("a", vec![act, Act::says("4")]);
    assert_eq!(asked(&fleet(&memory, &["a"])).await.unwrap().text, "4");
}

#[tokio::test(start_paused = true)]
async fn dropping_an_ask_leaves_nothing_behind() {
    let memory = Memory::of("a", vec![Act::steps(vec![Do::Send(event("so")), Do::Hang])]);
    let fleet = fleet(&memory, &["a"]);
    assert!(timeout(Duration::from_secs(1), asked(&fleet)).await.is_err());
    let took = fleet.used();
    assert!(took.calls == 1 && took.tokens > 0, "what was under way counts: {took:?}");
    let told = Provider::used(&fleet);
    assert_eq!((told.calls, told.tokens), (1, took.tokens), "and the session hears of it");
    assert_eq!(fleet.busy(), 0);
}
