//! What a running program has streamed so far, kept beside the state until the program is done.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::model::{CallRecord, ProgramName, Streamed, Usage};

/// Most bytes of text that are kept of one program; twice as many may stand there for a moment.
const KEPT: usize = 32 << 10;
/// Most blocks that are kept of one program.
const BLOCKS: usize = 256;
/// Bytes of a token, as far as nobody has counted.
const BYTES_PER_TOKEN: u64 = 3;

/// A stretch of one kind.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Block {
    /// Answer.
    Text(String),
    /// Reasoning that comes apart from the answer.
    Reasoning(String),
    /// A tool that is being called.
    Call(String),
    /// A tool that answered.
    Returned(Arc<CallRecord>),
    /// Something to know, in plain words.
    Note(String),
}

/// A wait.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Waiting {
    /// Its end in milliseconds since 1970; none where nobody knows.
    pub(super) until: Option<u64>,
    /// Why, in plain words.
    pub(super) why: String,
}

/// The call of a model that goes on, or went on last.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Call {
    /// The model as the server names it.
    pub(super) model: String,
    /// The server.
    pub(super) endpoint: String,
    /// Tokens that the model reads.
    pub(super) input: u64,
    /// Tokens that it has written.
    pub(super) output: u64,
    /// Tokens that its context holds, where that is known.
    pub(super) context: Option<u64>,
    /// Whether the tokens are estimates.
    pub(super) estimated: bool,
    /// Whether it is over, and so counted.
    pub(super) over: bool,
    /// Bytes that came.
    bytes: u64,
    /// The first block that is of this call.
    begins: usize,
}

/// What one program streams.
#[derive(Clone, Debug)]
pub(super) struct Streaming {
    /// The program.
    pub(super) program: ProgramName,
    /// What came, oldest first.
    pub(super) blocks: VecDeque<Block>,
    /// What it waits for now.
    pub(super) waiting: Option<Waiting>,
    /// The call that goes on, or went on last.
    pub(super) call: Option<Call>,
    /// What its calls took that are done. The same comes once more, for good, when the program is done.
    pub(super) took: Usage,
    bytes: usize,
}

impl Streaming {
    /// A program of which nothing has come yet.
    pub(super) fn new(program: ProgramName) -> Self {
        let (blocks, took) = (VecDeque::new(), Usage::default());
        Self { program, blocks, waiting: None, call: None, took, bytes: 0 }
    }

    /// Takes in a piece that came at a moment in milliseconds since 1970.
    pub(super) fn push(&mut self, what: &Streamed, text: &str, at: u64) {
        self.waiting = None;
        match what {
            Streamed::Text | Streamed::Reasoning => self.written(what, text),
            Streamed::Sent { endpoint, input, context } => {
                let begins = self.blocks.len();
                let (model, endpoint, input, context) = (text.to_owned(), endpoint.clone(), *input, *context);
                self.call = Some(Call { model, endpoint, input, context, begins, estimated: true, ..Call::default() });
            }
            Streamed::Call => self.add(Block::Call(text.to_owned())),
            Streamed::Returned { call } => {
                // It stands where its call stood.
                let same = |block: &Block| *block == Block::Call(call.tool.clone());
                match self.blocks.iter_mut().find(|block| same(block)) {
                    Some(block) => *block = Block::Returned(call.clone()),
                    None => self.add(Block::Returned(call.clone())),
                }
            }
            Streamed::Waiting { left } => {
                let until = left.map(|left| at.saturating_add(left));
                self.waiting = Some(Waiting { until, why: text.to_owned() });
            }
            Streamed::Again => {
                let begins = self.call.as_ref().map_or(0, |call| call.begins);
                self.blocks.truncate(begins.min(self.blocks.len()));
                self.bytes = self.blocks.iter().map(size).sum();
                self.add(Block::Note(format!("asked again: {text}")));
            }
            Streamed::Took { input, output, estimated, dollars } => {
                let tokens = input.saturating_add(*output);
                let usage = Usage { tokens, written: *output, dollars: *dollars, calls: 1, ..Usage::default() };
                self.took.add(&usage);
                if let Some(call) = &mut self.call {
                    (call.input, call.output, call.estimated) = (*input, *output, *estimated);
                    (call.bytes, call.over) = (0, true);
                }
            }
            Streamed::Skipped { bytes } => self.add(Block::Note(format!("{bytes} bytes came too fast to be shown"))),
        }
        self.trim();
    }

    fn written(&mut self, what: &Streamed, text: &str) {
        if let Some(call) = &mut self.call {
            call.bytes += text.len() as u64;
            call.output = call.bytes.div_ceil(BYTES_PER_TOKEN);
        }
        match (self.blocks.back_mut(), what) {
            (Some(Block::Text(kept)), Streamed::Text) | (Some(Block::Reasoning(kept)), Streamed::Reasoning) => {
                kept.push_str(text);
                self.bytes += text.len();
            }
            (_, Streamed::Reasoning) => self.add(Block::Reasoning(text.to_owned())),
            (_, _) => self.add(Block::Text(text.to_owned())),
        }
    }

    fn add(&mut self, block: Block) {
        self.bytes += size(&block);
        self.blocks.push_back(block);
    }

    /// Lets go of the oldest.
    fn trim(&mut self) {
        let too_much = self.bytes > 2 * KEPT;
        while self.blocks.len() > BLOCKS || (too_much && self.bytes > KEPT) {
            let over = self.bytes.saturating_sub(KEPT);
            let few = self.blocks.len() <= BLOCKS;
            match self.blocks.front_mut() {
                Some(Block::Text(text) | Block::Reasoning(text)) if few && text.len() > over => {
                    let before = text.len();
                    // From the beginning of a line on, where there is one near, so that what is left looks the same.
                    let cut = text.ceil_char_boundary(over);
                    let line = text[cut..].find('\n').filter(|at| *at < 1024).map_or(cut, |at| cut + at + 1);
                    text.drain(..line);
                    self.bytes -= before - text.len();
                    return;
                }
                Some(block) => {
                    self.bytes -= size(block);
                    self.blocks.pop_front();
                    if let Some(call) = &mut self.call {
                        call.begins = call.begins.saturating_sub(1);
                    }
                }
                None => return,
            }
        }
    }
}

fn size(block: &Block) -> usize {
    match block {
        Block::Text(text) | Block::Reasoning(text) | Block::Call(text) | Block::Note(text) => text.len(),
        // A call is bounded where it is made.
        Block::Returned(_) => 64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn streaming() -> Streaming {
        let mut one = Streaming::new("solver".into());
        let sent = Streamed::Sent { endpoint: "local".into(), input: 100, context: Some(1000) };
        one.push(&sent, "qwen", 5);
        one
    }

    fn text(of: &Streaming) -> usize {
        of.blocks.iter().map(size).sum()
    }

    #[test]
    fn what_counts_for_nothing_goes_and_what_came_before_stays() {
        let mut one = streaming();
        one.push(&Streamed::Text, "first call", 5);
        one.push(&Streamed::Sent { endpoint: "local".into(), input: 120, context: None }, "qwen", 6);
        one.push(&Streamed::Reasoning, "hm", 6);
        one.push(&Streamed::Text, "half an ans", 6);
        one.push(&Streamed::Again, "it was cut off", 7);
        let left: Vec<Block> = one.blocks.iter().cloned().collect();
        assert_eq!(left, [Block::Text("first call".into()), Block::Note("asked again: it was cut off".into())]);
    }

    #[test]
    fn tokens_are_estimated_until_they_are_known() {
        let mut one = streaming();
        one.push(&Streamed::Text, &"x".repeat(300), 5);
        let call = one.call.clone().unwrap();
        assert_eq!((call.input, call.output, call.context, call.estimated), (100, 100, Some(1000), true));
        assert!(!call.over);
        let took = Streamed::Took { input: 90, output: 70, estimated: false, dollars: Some(0.5) };
        one.push(&took, "", 6);
        let call = one.call.clone().unwrap();
        assert_eq!((call.input, call.output, call.estimated, call.over), (90, 70, false, true));
        assert_eq!((one.took.tokens, one.took.written, one.took.calls, one.took.dollars), (160, 70, 1, Some(0.5)));
    }

    #[test]
    fn a_wait_ends_with_whatever_comes_next() {
        let mut one = streaming();
        one.push(&Streamed::Waiting { left: Some(12_000) }, "rate-limited by local", 1_000);
        assert_eq!(one.waiting, Some(Waiting { until: Some(13_000), why: "rate-limited by local".into() }));
        one.push(&Streamed::Text, "x", 14_000);
        assert_eq!(one.waiting, None);
    }

    #[test]
    fn a_million_tokens_take_no_more_room_than_a_thousand() {
        let mut one = streaming();
        for n in 0..100_000 {
            one.push(if n % 7000 == 0 { &Streamed::Reasoning } else { &Streamed::Text }, "é tokens\n", 5);
            assert!(text(&one) <= 2 * KEPT && one.bytes == text(&one));
        }
        for _ in 0..10_000 {
            one.push(&Streamed::Call, "tool", 5);
        }
        assert!(one.blocks.len() <= BLOCKS && one.bytes == text(&one));
    }

    #[test]
    fn a_result_stands_where_its_call_stood() {
        let mut one = streaming();
        one.push(&Streamed::Call, "calculate", 5);
        let call = CallRecord { tool: "calculate".into(), args: "1".into(), result: Ok(2.into()), micros: 1 };
        one.push(&Streamed::Returned { call: Arc::new(call.clone()) }, "", 5);
        assert_eq!(one.blocks, [Block::Returned(Arc::new(call))]);
    }
}
