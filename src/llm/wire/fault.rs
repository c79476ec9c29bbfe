//! Tells what kind of fault a server reports.

use std::time::Duration;

use serde_json::Value;

use crate::engine::ports::{Fault, ProviderError};

use super::clip;

/// Words by which servers say that the conversation is too long.
const TOO_LONG: [&str; 9] = [
    "context length",
    "context_length",
    "context size",
    "context window",
    "maximum context",
    "prompt is too long",
    "input token count",
    "too many tokens",
    "exceed_context",
];

/// Words by which they say that a filter spoke.
const FILTERED: [&str; 4] = ["content_filter", "content filter", "content_policy", "responsibleaipolicy"];

/// Words by which they say that nothing is left to pay with, which no waiting mends.
const SPENT: [&str; 4] = ["insufficient_quota", "credit balance", "billing", "payment required"];

/// The words of an error body or an error object, with its type and code.
pub(in crate::llm) fn said(error: &Value) -> String {
    let inner = error.get("error").unwrap_or(error);
    let inner = inner.get("error").unwrap_or(inner);
    let field = |name: &str| inner.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let words = inner.as_str().or_else(|| field("message")).or_else(|| field("detail"));
    let marks: Vec<&str> = ["type", "code", "status"].into_iter().filter_map(field).collect();
    match (words, marks.is_empty()) {
        (Some(words), true) => words.to_owned(),
        (Some(words), false) => format!("{words} ({})", marks.join(", ")),
        (None, _) => inner.to_string(),
    }
}

/// The fault that a status and the words with it mean; without a status, the words came in the middle of a stream.
pub(in crate::llm) fn classify(status: Option<u16>, words: &str) -> ProviderError {
    let plain = words.to_lowercase();
    let any = |list: &[&str]| list.iter().any(|mark| plain.contains(mark));
    let told = match status {
        Some(status) => format!("the server answered {status}: {}", clip(words)),
        None => format!("the server reported an error: {}", clip(words)),
    };
    let fault = |fault: Fault, hint: &str| ProviderError::new(fault, told.clone()).hint(hint);
    let limited = Fault::RateLimited { wait: Duration::ZERO };
    if any(&TOO_LONG) || status == Some(413) {
        return fault(Fault::TooLong, "let the program read less, or give it a model with a larger context");
    }
    if any(&FILTERED) {
        return fault(Fault::Refused, "say it in other words, or give the program another model");
    }
    if any(&SPENT) || status == Some(402) {
        return fault(Fault::Rejected, "the account has nothing left; see the provider's billing page");
    }
    match status {
        Some(429) => fault(limited, "wait, or add another endpoint for this model"),
        Some(401 | 403) => fault(Fault::Auth, "see that the key of the endpoint is set and may use this model"),
        Some(404) => fault(Fault::Missing, "see that the address and the name of the model are right"),
        Some(300..=399) => fault(Fault::Rejected, "give the endpoint the address that it redirects to"),
        Some(408 | 409 | 425 | 500..=599) => fault(Fault::Overloaded, "try again later, or add another endpoint"),
        Some(_) => fault(Fault::Rejected, "see whether the model takes what the program asks for"),
        None if any(&["rate_limit", "rate limit", "resource_exhausted"]) => fault(limited, "wait and try again"),
        None if any(&["authentication", "permission"]) => fault(Fault::Auth, "see that the key is right"),
        None if any(&["invalid_request"]) => {
            fault(Fault::Rejected, "see whether the model takes what the program asks for")
        }
        None => fault(Fault::Overloaded, "try again later, or add another endpoint"),
    }
}
