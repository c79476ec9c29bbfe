//! One call to one server, from the request to the last frame of its reply.

use std::time::Duration;

use futures::StreamExt;
use tokio::time::{Instant, timeout, timeout_at};

use crate::engine::ports::{Ask, Fault, Finish, Piece, ProviderError, Reply, Seen, Tokens};

use super::budget::Reservation;
use super::count::Count;
use super::endpoint::Endpoint;
use super::images;
use super::key::{Held, scrubbed};
use super::repeats::Repeats;
use super::transport::{NetError, Request, Response, Transport};
use super::wait;
use super::wire::{self, Draft, Frames, To};

/// The largest reply.
pub(super) const LARGEST: usize = 50 << 20;

/// How much of the body of an error is read.
const ERROR_BODY: usize = 64 << 10;

/// After the model said why it ends, nothing but its bill is still to come.
const TAIL: Duration = Duration::from_secs(5);

/// How often a request is sent again without a parameter that the server does not take.
const ADAPTATIONS: usize = 3;

/// How long nothing may come. There is no limit on the whole of a reply: a long healthy stream is none of anyone's business.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patience {
    /// Until the head of the response, and until a whole frame where only bytes come: a model may read a long prompt slowly.
    pub first: Duration,
    /// Between two pieces of a stream.
    pub idle: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { first: Duration::from_secs(300), idle: Duration::from_secs(120) }
    }
}

/// What one call is about.
pub(super) struct Order<'a> {
    pub(super) endpoint: &'a Endpoint,
    pub(super) ask: &'a Ask,
    pub(super) model: &'a str,
    pub(super) max_tokens: u32,
    /// Tokens that the model reads for it.
    pub(super) input: Count,
    pub(super) patience: Patience,
    /// Milliseconds since 1970.
    pub(super) now: u64,
}

/// Why a call failed, and how long the server wants to be left alone.
pub(super) struct Failed {
    pub(super) error: ProviderError,
    pub(super) wait: Option<Duration>,
}

impl From<ProviderError> for Failed {
    fn from(error: ProviderError) -> Self {
        Self { error, wait: None }
    }
}

/// Makes the call. What it takes is written down as it goes, so that it counts however the call ends.
pub(super) async fn call(
    transport: &dyn Transport,
    order: &Order<'_>,
    reservation: &mut Reservation,
    seen: &Seen<'_>,
) -> Result<Reply, Failed> {
    let settings = &order.endpoint.settings;
    let to = To { model: order.model, max_tokens: order.max_tokens, newest: settings.host() == "api.openai.com" };
    let mut outgoing = settings.format.outgoing(&images::shown(order.ask, settings.images), &to);
    let mut adaptations = 0;
    loop {
        let body = serde_json::to_vec(&outgoing.body)
            .map_err(|error| ProviderError::new(Fault::Rejected, format!("the request cannot be written: {error}")))?;
        // The request counts from the moment that it may have reached a server that bills it.
        let sent = Tokens { input: order.input.usual, estimated: true, ..Tokens::default() };
        let (header, before) = settings.format.auth();
        let request = Request {
            url: format!("{}{}", settings.url, outgoing.path),
            headers: outgoing.headers.clone(),
            key: settings.key.clone().map(|key| (header, before, key)),
            body: Some(body),
        };
        let input = order.input.usual;
        seen(Piece::Sent { endpoint: &settings.name, model: order.model, input, context: settings.context });
        reservation.took(sent);
        let response = match timeout(order.patience.first, transport.send(request)).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => {
                if !error.sent {
                    reservation.over(Tokens::default(), Tokens::default());
                }
                return Err(unreachable(&settings.name, &error).into());
            }
            Err(_) => return Err(stalled(&settings.name, order.patience.first).into()),
        };
        if response.status == 200 {
            return stream(order, response, reservation, seen).await.map_err(Failed::from);
        }
        reservation.over(Tokens::default(), Tokens::default());
        let failed = refusal(order, response).await;
        let fixable = matches!(failed.error.fault, Fault::Rejected) && adaptations < ADAPTATIONS;
        if !fixable || !outgoing.without_what_is_refused(&failed.error.message) {
            return Err(failed);
        }
        adaptations += 1;
    }
}

fn unreachable(name: &str, error: &NetError) -> ProviderError {
    ProviderError::new(Fault::Unreachable, format!("{name} cannot be reached: {}", error.message)).hint(error.hint)
}

fn stalled(name: &str, limit: Duration) -> ProviderError {
    ProviderError::new(Fault::Stalled, format!("nothing came from {name} for {} s", limit.as_secs_f32()))
        .hint("the server may be overloaded; try again, or raise `idle-seconds`")
}

/// Reads the body of an error, as far as it matters.
async fn refusal(order: &Order<'_>, response: Response) -> Failed {
    let Response { status, headers, mut body } = response;
    let mut bytes = Vec::new();
    while bytes.len() < ERROR_BODY {
        match timeout(order.patience.idle, body.next()).await {
            Ok(Some(Ok(more))) => bytes.extend_from_slice(&more),
            Ok(Some(Err(_)) | None) | Err(_) => break,
        }
    }
    bytes.truncate(ERROR_BODY);
    let text = String::from_utf8_lossy(&bytes);
    let words = serde_json::from_str(&text).map_or_else(|_| text.to_string(), |value| wire::said(&value));
    let wait = wait::asked(&headers, &text, order.now);
    let error = images::unwanted(order, status, &words).unwrap_or_else(|| wire::classify(Some(status), &words));
    let error = order.endpoint.scrubbed(error);
    Failed { error, wait: wait.filter(|_| matches!(status, 429 | 503 | 529)) }
}

/// Reads the stream to its end.
async fn stream(
    order: &Order<'_>,
    response: Response,
    reservation: &mut Reservation,
    seen: &Seen<'_>,
) -> Result<Reply, ProviderError> {
    let mut reader = Reader::new(order, &response)?;
    let mut body = response.body;
    let patience = order.patience;
    let mut last_frame = Instant::now();
    let outcome = loop {
        if reader.draft.over {
            break Ok(());
        }
        let idle = if reader.draft.finish.is_some() { patience.idle.min(TAIL) } else { patience.idle };
        let until = (Instant::now() + idle).min(last_frame + patience.first.max(idle));
        match timeout_at(until, body.next()).await {
            Ok(Some(Ok(bytes))) => match reader.take(&bytes, seen) {
                Ok(true) => last_frame = Instant::now(),
                Ok(false) => {}
                Err(error) => break Err(error),
            },
            Ok(Some(Err(error))) => break reader.ended(Some(&error), seen),
            Ok(None) => break reader.ended(None, seen),
            Err(_) if reader.draft.finish.is_some() => break Ok(()),
            Err(_) => break Err(stalled(&order.endpoint.settings.name, until - last_frame)),
        }
        reservation.took(reader.tokens());
    };
    let tokens = reader.tokens();
    match &outcome {
        Ok(()) => reservation.over(tokens, reader.most(tokens)),
        Err(_) => reservation.took(tokens),
    }
    reader.release(seen);
    let reply = reader.reply(tokens);
    match outcome {
        Ok(()) => Ok(reply),
        Err(error) => {
            let mut error = order.endpoint.scrubbed(error);
            let some = !reply.text.is_empty() || !reply.reasoning.is_empty();
            error.partial = some.then(|| Box::new(reply));
            Err(error)
        }
    }
}

/// Puts a reply together.
struct Reader<'a> {
    order: &'a Order<'a>,
    frames: Frames,
    draft: Draft,
    size: usize,
    written: Count,
    text: Repeats,
    reasoning: Repeats,
    held_text: Held,
    held_reasoning: Held,
}

impl<'a> Reader<'a> {
    fn new(order: &'a Order<'a>, response: &Response) -> Result<Self, ProviderError> {
        let format = order.endpoint.settings.format;
        let kind = response.header("content-type").unwrap_or_default().to_lowercase();
        if kind.starts_with("text/html") {
            let told = "the server answered with a web page";
            return Err(ProviderError::new(Fault::Malformed, told)
                .hint("see that the address of the endpoint is that of its API, often ending in /v1"));
        }
        let frames = match format {
            wire::Format::OpenAi if kind.starts_with("application/json") => Frames::whole(),
            wire::Format::OpenAi | wire::Format::Anthropic | wire::Format::Gemini | wire::Format::Ollama => {
                format.frames()
            }
        };
        Ok(Self {
            order,
            frames,
            draft: Draft::default(),
            size: 0,
            written: Count::default(),
            text: Repeats::default(),
            reasoning: Repeats::default(),
            held_text: Held::default(),
            held_reasoning: Held::default(),
        })
    }

    /// Takes bytes; true where a whole frame was among them.
    fn take(&mut self, bytes: &[u8], seen: &Seen<'_>) -> Result<bool, ProviderError> {
        self.size += bytes.len();
        if self.size > LARGEST {
            let told = format!("the reply is larger than {} MiB", LARGEST >> 20);
            return Err(ProviderError::new(Fault::TooLarge, told).hint("see what the server sends"));
        }
        let frames = self.frames.push(bytes);
        let some = !frames.is_empty();
        for frame in frames {
            self.read(&frame, seen)?;
        }
        Ok(some)
    }

    fn read(&mut self, frame: &str, seen: &Seen<'_>) -> Result<(), ProviderError> {
        if self.draft.over {
            return Ok(());
        }
        let reply = &self.draft.reply;
        let (text, reasoning, calls) = (reply.text.len(), reply.reasoning.len(), reply.calls.len());
        let arguments = |reply: &Reply| reply.calls.iter().map(|call| call.args.len() + call.name.len()).sum::<usize>();
        let args = arguments(reply);
        let read = self.order.endpoint.settings.format.read(&mut self.draft, frame);
        let reply = &self.draft.reply;
        let key = self.order.endpoint.settings.key.as_ref();
        self.written.more_args(arguments(reply).saturating_sub(args));
        let more = reply.reasoning.get(reasoning..).unwrap_or_default();
        self.written.add(more);
        let more = self.held_reasoning.more(key, more);
        if !more.is_empty() {
            seen(Piece::Reasoning(&more));
        }
        let more = reply.text.get(text..).unwrap_or_default();
        self.written.add(more);
        let more = self.held_text.more(key, more);
        if !more.is_empty() {
            seen(Piece::Text(&more));
        }
        for call in reply.calls.iter().skip(calls) {
            seen(Piece::Call(&scrubbed(key, &call.name)));
        }
        read?;
        if self.text.seen(&reply.text) || self.reasoning.seen(&reply.reasoning) {
            return Err(ProviderError::new(Fault::Repeating, "the model repeats itself without end")
                .hint("raise the temperature of the program, or give it another model"));
        }
        Ok(())
    }

    /// The stream is at its end, in good order or not.
    fn ended(&mut self, error: Option<&NetError>, seen: &Seen<'_>) -> Result<(), ProviderError> {
        if error.is_none()
            && let Some(rest) = self.frames.rest()
        {
            self.read(&rest, seen)?;
        }
        if self.draft.over || self.draft.finish.is_some() {
            return Ok(());
        }
        let name = &self.order.endpoint.settings.name;
        if error.is_none() && self.size == 0 {
            return Err(ProviderError::new(Fault::Malformed, format!("{name} answered with nothing at all"))
                .hint("see that the address and the format of the endpoint are right"));
        }
        let why = error.map(|error| format!(": {}", error.message)).unwrap_or_default();
        Err(ProviderError::new(Fault::CutOff, format!("{name} ended in the middle of its reply{why}"))
            .hint("try again; what came so far is kept"))
    }

    /// Shows what was held back, as far as it may be seen.
    fn release(&mut self, seen: &Seen<'_>) {
        let reasoning = self.held_reasoning.rest();
        if !reasoning.is_empty() {
            seen(Piece::Reasoning(&reasoning));
        }
        let text = self.held_text.rest();
        if !text.is_empty() {
            seen(Piece::Text(&text));
        }
    }

    /// What the call took: as the server says, else estimated.
    fn tokens(&self) -> Tokens {
        let written = self.written.usual.min(u64::from(self.order.max_tokens));
        match self.draft.tokens.filter(|tokens| tokens.total() > 0) {
            // Before its end a server has not counted what it wrote; some never do and say that it was one token, or none.
            Some(tokens) if self.draft.finish.is_none() || (tokens.output <= 1 && written > 16) => {
                Tokens { output: tokens.output.max(written), estimated: true, ..tokens }
            }
            Some(tokens) => tokens,
            None => Tokens { input: self.order.input.usual, cached: 0, output: written, estimated: true },
        }
    }

    /// The most that a call whose reply is whole can have taken, where these tokens are known.
    fn most(&self, tokens: Tokens) -> Tokens {
        if !tokens.estimated {
            return tokens;
        }
        let written = self.written.most.min(u64::from(self.order.max_tokens));
        let read = self.draft.tokens.map_or(0, |tokens| tokens.input);
        let input = if read > 0 { read } else { self.order.input.most };
        Tokens { input, output: tokens.output.max(written), ..tokens }
    }

    fn reply(self, tokens: Tokens) -> Reply {
        let mut reply = self.draft.reply;
        let settings = &self.order.endpoint.settings;
        if let Some(key) = &settings.key {
            reply.text = key.scrub_cut_off(&reply.text);
            reply.reasoning = key.scrub_cut_off(&reply.reasoning);
            for call in &mut reply.calls {
                for text in [&mut call.id, &mut call.name] {
                    *text = key.scrub(text).into_owned();
                }
                call.args = key.scrub_cut_off(&call.args);
            }
            // Tokens are too short to hold a key each, and all of them together would: where one was quoted, none is kept.
            let tokens: String = reply.logprobs.iter().map(|it| it.token.as_str()).collect();
            if key.scrub(&tokens) != tokens {
                reply.logprobs.clear();
            }
        }
        // Some servers say `stop` where they mean calls.
        let finish = self.draft.finish.unwrap_or_default();
        reply.finish = if finish == Finish::Stop && !reply.calls.is_empty() { Finish::Tools } else { finish };
        reply.tokens = tokens;
        self.order.model.clone_into(&mut reply.model);
        settings.name.clone_into(&mut reply.endpoint);
        reply
    }
}
