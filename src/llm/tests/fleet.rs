//! Several servers of one model, and which model is meant.

use std::time::Duration;

use crate::engine::ports::{Ask, Fault, Offers, Provider, Wanted};
use crate::llm::budget::{Caps, Guard, Used};
use crate::model::{Image, Tier};

use super::{Act, CANARY, Do, Memory, Watch, asked, end, event, fleet, free, question, settings};
use super::{Fleet, Then};

fn slow(text: &str) -> Act {
    Act::steps(vec![Do::Wait(1_000), Do::Send(event(text)), Do::Send(end())])
}

fn count(memory: &Memory, host: &str) -> usize {
    memory.hosts().iter().filter(|it| *it == host).count()
}

#[tokio::test(start_paused = true)]
async fn four_servers_share_the_work_and_two_may_be_lost() {
    let names = ["a", "b", "c", "d"];
    let memory = names.iter().fold(Memory::default(), |memory, name| memory.and(name, vec![slow("4")]));
    let fleet = fleet(&memory, &names);
    let all = futures::future::join_all((0..16).map(|_| asked(&fleet))).await;
    assert!(all.iter().all(Result::is_ok));
    assert_eq!(names.map(|name| count(&memory, name)), [4; 4]);

    memory.acts.lock().unwrap().insert("a".into(), vec![Act::refuses()].into());
    memory.acts.lock().unwrap().insert("b".into(), vec![Act::status(503, &[], "")].into());
    let began = tokio::time::Instant::now();
    let all = futures::future::join_all((0..16).map(|_| asked(&fleet))).await;
    assert!(all.iter().all(Result::is_ok), "{all:?}");
    assert!(began.elapsed() < Duration::from_secs(10), "nobody waits for a dead server: {:?}", began.elapsed());
    let (c, d) = (count(&memory, "c"), count(&memory, "d"));
    assert_eq!(c + d, 4 + 4 + 16);

    memory.acts.lock().unwrap().insert("a".into(), vec![slow("4")].into());
    tokio::time::sleep(Duration::from_secs(90)).await;
    let before = count(&memory, "a");
    futures::future::join_all((0..16).map(|_| asked(&fleet))).await;
    assert!(count(&memory, "a") > before, "a server that came back is used again");
}

#[tokio::test(start_paused = true)]
async fn a_rate_limit_of_one_server_sends_work_to_another() {
    let limited = Act::status(429, &[("retry-after", "60")], "");
    let memory = Memory::of("a", vec![limited]).and("b", vec![Act::says("4")]);
    let fleet = fleet(&memory, &["a", "b"]);
    for _ in 0..6 {
        asked(&fleet).await.unwrap();
    }
    assert_eq!(count(&memory, "a"), 1);
    assert!(memory.times().last().unwrap() < &5_000, "{:?}", memory.times());
}

#[tokio::test(start_paused = true)]
async fn no_more_calls_run_at_once_than_a_server_takes() {
    let memory = Memory::of("a", vec![slow("4")]);
    let mut settings = settings(&["a"]);
    settings.endpoints[0].parallel = 2;
    let fleet = Fleet::over(Box::new(memory.clone()), settings, free(), std::sync::Arc::new(Then));
    futures::future::join_all((0..6).map(|_| asked(&fleet))).await;
    let times = memory.times();
    assert!(times[1] == 0 && times[2] >= 1_000 && times[4] >= 2_000, "{times:?}");
}

#[tokio::test]
async fn a_model_is_found_by_tier_by_name_and_by_place() {
    let memory = Memory::of("a", vec![Act::says("4")]);
    let fleet = fleet(&memory, &["a"]);
    let check = |wanted: Wanted, model: Result<&'static str, &'static str>| {
        let fleet = &fleet;
        async move {
            let reply = fleet.ask(&Ask { model: wanted, ..question() }, &|_| {}).await;
            let reply = reply.map(|reply| reply.model).map_err(|error| {
                assert_eq!(error.fault, Fault::Missing);
                error.told()
            });
            match (reply, model) {
                (Ok(got), Ok(model)) => assert_eq!(got, model),
                (Err(told), Err(part)) => assert!(told.contains(part), "{told}"),
                (got, expected) => panic!("{got:?}, not {expected:?}"),
            }
        }
    };
    check(Wanted::Tier(Tier::Strong), Ok("m")).await;
    check(Wanted::Named("m".into()), Ok("m")).await;
    check(Wanted::Named("a/other/model".into()), Ok("other/model")).await;
    check(Wanted::Named("z/m".into()), Err("the endpoints are a")).await;
    assert_eq!(fleet.offers(&Wanted::Named("m".into())), Offers { schema: true, tools: true });
    assert_eq!(fleet.offers(&Wanted::Named("none".into())), Offers::default());
}

#[tokio::test(start_paused = true)]
async fn a_key_that_a_server_quotes_is_shown_nowhere() {
    let quoted = format!("Incorrect API key provided: {CANARY}.");
    let says = Act::says(&format!("your key is {CANARY}"));
    let stream_error = format!("data: {}\n\n", serde_json::json!({ "error": { "message": quoted } }));
    let acts = [
        Act::status(401, &[], &quoted),
        Act::status(400, &[], &quoted),
        Act::status(429, &[("retry-after", "9999")], &quoted),
        Act::steps(vec![Do::Send(stream_error)]),
        Act::steps(vec![Do::Send(format!("data: {quoted}\n\n"))]),
        Act::steps(vec![Do::Send(event(&quoted)), Do::Reset]),
        says,
    ];
    for act in acts {
        let memory = Memory::of("a", vec![act]);
        let fleet = fleet(&memory, &["a"]);
        let watch = Watch::default();
        let result = fleet.ask(&question(), &|piece| watch.see(piece)).await;
        let shown = format!("{result:?} {:?}", result.as_ref().map_err(|error| error.told()));
        assert!(!shown.contains("canary"), "{shown}");
        let seen = format!("{:?}", watch.words());
        assert!(!seen.contains("canary"), "{seen}");
    }
}

fn about_an_image() -> Ask {
    let base64 = "A".repeat(3 << 20);
    Ask { images: vec![Image { media: "image/png".into(), base64: base64.into() }], ..question() }
}

#[tokio::test]
async fn an_image_goes_to_models_that_look_at_it_and_others_are_told_of_it() {
    for (looks, path) in [(true, "/messages/1/content/1/text"), (false, "/messages/1/content")] {
        let memory = Memory::of("a", vec![Act::says("4")]);
        let mut settings = settings(&["a"]);
        settings.endpoints[0].images = looks;
        let guard = Guard::new(Caps { tokens: Some(20_000), ..Caps::default() }, Used::default());
        let fleet = Fleet::over(Box::new(memory.clone()), settings, guard, std::sync::Arc::new(Then));
        fleet.ask(&about_an_image(), &|_| {}).await.unwrap();
        let body = memory.log.lock().unwrap()[0].2.clone();
        let text = body.pointer(path).and_then(|text| text.as_str()).unwrap_or_default();
        assert!(text.starts_with("what is 2 + 2?"), "{text}");
        assert_eq!(text.contains("cannot be shown to you"), !looks);
        assert_eq!(body.to_string().contains("AAAA"), looks);
    }
}

#[tokio::test(start_paused = true)]
async fn an_image_that_a_server_does_not_take_is_one_clear_sentence() {
    let refusals = [
        (
            400,
            "{\"error\":{\"message\":\"This model does not support image input\",\"type\":\"invalid_request_error\"}}",
        ),
        (500, "{\"error\":{\"message\":\"image input is not supported - hint: you may need to provide the mmproj\"}}"),
    ];
    for (status, body) in refusals {
        let memory = Memory::of("a", vec![Act::status(status, &[], body)]);
        let fleet = fleet(&memory, &["a"]);
        let error = fleet.ask(&about_an_image(), &|_| {}).await.unwrap_err();
        assert_eq!((error.fault, memory.times().len()), (Fault::Rejected, 1), "it is not tried again");
        let told = error.told();
        assert!(told.starts_with("a does not take the image") && told.contains("; set `images = false`"), "{told}");
        assert!(!told.contains("AAAA"));
    }
    let memory = Memory::of("a", vec![Act::status(400, &[], "no such image in the registry")]);
    let told = asked(&fleet(&memory, &["a"])).await.unwrap_err().told();
    assert!(!told.contains("does not take the image"), "a question without images: {told}");
}
