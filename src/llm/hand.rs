//! A person plays the model in front of the interface: prompts wait on a table until their answers are handed in.

use std::sync::{Mutex, MutexGuard, PoisonError};

use futures::future::BoxFuture;
use tokio::sync::{Notify, oneshot};

use crate::engine::ports::{Ask, Fault, Offers, Piece, Provider, ProviderError, Reply, Seen, Tokens, Wanted};
use crate::model::Hash;

use super::count::roughly;
use super::manual::written;

/// A prompt that waits for its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Its number, from 1; no two are the same.
    pub id: u64,
    /// The hash of the program that asks.
    pub program: Hash,
    /// The prompt as a person reads it, in Markdown.
    pub text: String,
}

/// The table: programs lay prompts on it, one person answers them in any order.
#[derive(Debug, Default)]
pub struct Hand {
    table: Mutex<Table>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Table {
    attended: bool,
    last: u64,
    waiting: Vec<(Card, oneshot::Sender<String>)>,
}

impl Hand {
    /// Somebody is here who answers. Before that every ask fails.
    pub fn attend(&self) {
        self.lock().attended = true;
    }

    /// Whether somebody is here who answers.
    #[must_use]
    pub fn is_attended(&self) -> bool {
        self.lock().attended
    }

    /// The prompts that wait, oldest first.
    #[must_use]
    pub fn waiting(&self) -> Vec<Card> {
        self.lock().waiting.iter().map(|(card, _)| card.clone()).collect()
    }

    /// Hands an answer in; false where nobody waits for it any more.
    pub fn answer(&self, id: u64, text: String) -> bool {
        let mut table = self.lock();
        let Some(at) = table.waiting.iter().position(|(card, _)| card.id == id) else { return false };
        let (_, sender) = table.waiting.remove(at);
        drop(table);
        self.changed.notify_one();
        sender.send(text).is_ok()
    }

    /// Waits until the table has changed since the last time. One may wait at a time.
    pub async fn changed(&self) {
        self.changed.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn ask(&self, ask: &Ask, seen: &Seen<'_>) -> Result<Reply, ProviderError> {
        if !self.is_attended() {
            let told = "nobody is here to play the model";
            return Err(ProviderError::new(Fault::Missing, told)
                .hint("set `provider` to manual:FOLDER to answer through files, or use the terminal interface"));
        }
        let text = written(ask);
        let input = roughly(text.len());
        let (sender, answer) = oneshot::channel();
        let id = {
            let mut table = self.lock();
            table.last += 1;
            let card = Card { id: table.last, program: ask.program.clone(), text };
            table.waiting.push((card, sender));
            table.last
        };
        let _taken = Taken { hand: self, id };
        self.changed.notify_one();
        seen(Piece::Sent { endpoint: "you", model: "manual", input, context: None });
        let text = answer.await.map_err(|_| ProviderError::new(Fault::Cancelled, "nobody plays the model any more"))?;
        seen(Piece::Text(&text));
        let tokens = Tokens { input, output: roughly(text.len()), estimated: true, ..Tokens::default() };
        let (model, endpoint) = ("manual".to_owned(), "you".to_owned());
        Ok(Reply { text, tokens, dollars: Some(0.0), model, endpoint, ..Reply::default() })
    }
}

/// Takes a prompt off the table when nobody needs its answer any more.
struct Taken<'a> {
    hand: &'a Hand,
    id: u64,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let mut table = self.hand.lock();
        let before = table.waiting.len();
        table.waiting.retain(|(card, _)| card.id != self.id);
        let gone = table.waiting.len() < before;
        drop(table);
        if gone {
            self.hand.changed.notify_one();
        }
    }
}

impl Provider for Hand {
    fn ask<'a>(&'a self, ask: &'a Ask, seen: &'a Seen<'a>) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(self.ask(ask, seen))
    }

    fn offers(&self, _: &Wanted) -> Offers {
        Offers::default()
    }
}

#[cfg(test)]
mod tests {
    use futures::poll;

    use super::*;
    use crate::model::Tier;

    fn question(words: &str) -> Ask {
        Ask::new(Wanted::Tier(Tier::Fast), "Be brief.", words)
    }

    #[tokio::test]
    async fn prompts_wait_in_a_queue_and_are_answered_in_any_order() {
        let hand = Hand::default();
        let (one, two) = (question("one?"), question("two?"));
        let error = Provider::ask(&hand, &one, &|_| {}).await.unwrap_err();
        assert!(error.told().contains("manual:FOLDER"), "{error:?}");
        hand.attend();
        let (mut first, mut second) = (Provider::ask(&hand, &one, &|_| {}), Provider::ask(&hand, &two, &|_| {}));
        assert!(poll!(first.as_mut()).is_pending() && poll!(second.as_mut()).is_pending());
        hand.changed().await;
        let cards = hand.waiting();
        assert_eq!((cards.len(), cards[0].id < cards[1].id), (2, true));
        assert!(cards[1].text.contains("Be brief.") && cards[1].text.contains("two?"), "{}", cards[1].text);
        assert!(hand.answer(cards[1].id, "2".to_owned()));
        assert_eq!(second.await.unwrap().text, "2");
        assert!(!hand.answer(cards[1].id, "again".to_owned()), "it is answered");
        assert!(poll!(first.as_mut()).is_pending());
    }

    #[tokio::test]
    async fn a_prompt_whose_answer_nobody_needs_is_taken_away() {
        let hand = Hand::default();
        hand.attend();
        let ask = question("?");
        let mut waits = Provider::ask(&hand, &ask, &|_| {});
        assert!(poll!(waits.as_mut()).is_pending());
        hand.changed().await;
        drop(waits);
        hand.changed().await;
        assert_eq!(hand.waiting(), []);
    }
}
