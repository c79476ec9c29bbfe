//! Gemini of Google.

use serde_json::{Value, json};

use crate::engine::ports::{Ask, Finish, Logprob, Message, ProviderError};

use super::{Draft, Outgoing, To, count, object, text};

pub(super) fn outgoing(ask: &Ask, to: &To<'_>) -> Outgoing {
    let mut contents: Vec<Value> = Vec::new();
    for message in &ask.messages {
        let (role, parts) = parts(message);
        match contents.last_mut().filter(|last| last["role"] == role).and_then(|last| last["parts"].as_array_mut()) {
            Some(before) => before.extend(parts),
            None => contents.push(json!({ "role": role, "parts": parts })),
        }
    }
    if let Some(parts) =
        contents.iter_mut().find(|it| it["role"] == "user").and_then(|first| first["parts"].as_array_mut())
    {
        let images =
            ask.images.iter().map(|image| json!({ "inlineData": { "mimeType": image.media, "data": image.base64 } }));
        parts.splice(0..0, images);
    }
    let mut config = json!({ "maxOutputTokens": to.max_tokens });
    if let Some(temperature) = ask.temperature {
        config["temperature"] = json!(temperature);
    }
    if let Some(seed) = ask.seed {
        config["seed"] = json!((seed.wrapping_add(u64::from(ask.sample))) & 0x7fff_ffff);
    }
    if let Some(schema) = &ask.schema {
        config["responseMimeType"] = json!("application/json");
        config["responseJsonSchema"] = schema.clone();
    }
    if ask.logprobs {
        config["responseLogprobs"] = json!(true);
    }
    let mut body = json!({ "contents": contents, "generationConfig": config });
    if !ask.system.is_empty() {
        body["systemInstruction"] = json!({ "parts": [{ "text": ask.system }] });
    }
    if !ask.tools.is_empty() {
        let tools = ask
            .tools
            .iter()
            .map(|tool| json!({ "name": tool.name, "description": tool.doc, "parametersJsonSchema": tool.takes }));
        body["tools"] = json!([{ "functionDeclarations": tools.collect::<Vec<_>>() }]);
    }
    let path = format!("/models/{}:streamGenerateContent?alt=sse", to.model);
    Outgoing { path, headers: Vec::new(), body }
}

fn parts(message: &Message) -> (&'static str, Vec<Value>) {
    match message {
        Message::User(text) => ("user", vec![json!({ "text": text })]),
        Message::Model { text, calls } => {
            let said = (!text.is_empty()).then(|| json!({ "text": text }));
            let calls = calls.iter().map(|call| {
                let mut part = json!({ "functionCall": { "name": call.name, "args": object(&call.args) } });
                if let Some(mark) = &call.mark {
                    part["thoughtSignature"] = json!(mark);
                }
                part
            });
            ("model", said.into_iter().chain(calls).collect())
        }
        Message::Tool { name, text, .. } => {
            ("user", vec![json!({ "functionResponse": { "name": name, "response": { "result": text } } })])
        }
    }
}

pub(super) fn read(draft: &mut Draft, value: &Value) -> Result<(), ProviderError> {
    if let Some(usage) = value.get("usageMetadata") {
        let took = draft.took();
        took.input = count(usage, "/promptTokenCount");
        took.cached = count(usage, "/cachedContentTokenCount");
        took.output = count(usage, "/candidatesTokenCount") + count(usage, "/thoughtsTokenCount");
    }
    if let Some(reason) = text(value, "/promptFeedback/blockReason") {
        return Err(draft.refused(reason));
    }
    let Some(candidate) = value.pointer("/candidates/0") else { return Ok(()) };
    for part in candidate.pointer("/content/parts").and_then(Value::as_array).into_iter().flatten() {
        if let Some(words) = text(part, "/text") {
            let thought = part.get("thought").and_then(Value::as_bool).unwrap_or_default();
            if thought { draft.reply.reasoning.push_str(words) } else { draft.reply.text.push_str(words) }
        }
        if let Some(name) = text(part, "/functionCall/name") {
            let empty = json!({});
            let args = part.pointer("/functionCall/args").unwrap_or(&empty);
            let mark = text(part, "/thoughtSignature").map(ToOwned::to_owned);
            draft.whole_call(text(part, "/functionCall/id"), name, args).mark = mark;
        }
    }
    for token in candidate.pointer("/logprobsResult/chosenCandidates").and_then(Value::as_array).into_iter().flatten() {
        let Some(logprob) = token.get("logProbability").and_then(Value::as_f64) else { continue };
        let token = text(token, "/token").unwrap_or_default().to_owned();
        draft.reply.logprobs.push(Logprob { token, logprob });
    }
    match text(candidate, "/finishReason") {
        None => {}
        Some("MAX_TOKENS") => draft.finish = Some(Finish::Length),
        Some(reason @ ("SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE")) => {
            return Err(draft.refused(reason));
        }
        Some(_) if !draft.reply.calls.is_empty() => draft.finish = Some(Finish::Tools),
        Some(_) => draft.finish = Some(Finish::Stop),
    }
    Ok(())
}
