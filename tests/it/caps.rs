//! What a runner hears of caps: at the beginning of a session, when they change, and when it is taken up again.

use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use mop::engine::ports::{Activation, Output, RunError, Runner};
use mop::engine::{CHANNEL, Ports, Session, Settings};
use mop::model::{Budget, Command, Query, State, Usage};
use tokio::sync::mpsc;

use crate::native::{ByData, Fixed, List, Still, network, pins, program};

/// Every activation takes ten tokens; caps on tokens with what was used before are noted.
#[derive(Default)]
struct Paid(Mutex<Vec<(Option<u64>, Option<u64>)>>);

impl Runner for Paid {
    fn run(&self, _: Activation) -> BoxFuture<'_, Result<Output, RunError>> {
        let usage = Usage { tokens: 10, calls: 1, ..Usage::default() };
        Box::pin(std::future::ready(Ok(Output { usage, ..Output::default() })))
    }

    fn budget(&self, caps: &Budget, used: Option<&Usage>) {
        self.0.lock().unwrap().push((caps.tokens, used.map(|used| used.tokens)));
    }
}

#[tokio::test]
async fn caps_follow_the_session_and_what_it_used_before_counts() {
    let network = network(&[
        ("network.toml", "about = \"a\"\nentry = \"router\"\n"),
        ("router.md", &program("contract = \"router\"\nnext = { work = 1.0 }")),
        ("work.md", &program("contract = \"solver\"\nwrites = [\"draft\"]")),
    ]);
    let paid = Arc::new(Paid::default());
    let ports = || Ports {
        runner: paid.clone(),
        scorer: Arc::new(ByData),
        library: Arc::new(Fixed(network.clone())),
        clock: Arc::new(Still::default()),
        recall: Arc::new(mop::engine::ports::NoRecall),
        journal: Box::new(List::default()),
    };
    let mut pins = pins(&network);
    pins.budget.tokens = Some(1_000);
    let settings = Settings { backward: false, ..Settings::default() };
    let (commands, receiver) = mpsc::channel(CHANNEL);
    let (sender, _events) = mpsc::channel(10_000);
    commands.send(Command::SetBudget(Budget { tokens: Some(500), ..Budget::default() })).await.unwrap();
    drop(commands);
    let query = Some(Query::new("one"));
    let session = Session::open(ports(), settings.clone(), pins, query, receiver, sender).await.unwrap();
    let mut state: State = session.run().await.unwrap();
    let used = state.usage.tokens;
    assert!(used >= 10, "{used}");
    assert_eq!(*paid.0.lock().unwrap(), [(Some(1_000), Some(0)), (Some(500), None)]);

    state.ended = false;
    let (_, receiver) = mpsc::channel(1);
    let (sender, _events) = mpsc::channel(10_000);
    Session::resume(ports(), settings, state, receiver, sender).await.unwrap();
    assert_eq!(paid.0.lock().unwrap().last(), Some(&(Some(500), Some(used))));
}
