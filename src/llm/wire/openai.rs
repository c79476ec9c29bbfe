//! Chat completions, as OpenAI and most other servers have them.

use serde_json::{Value, json};

use crate::engine::ports::{Ask, Finish, Logprob, Message, ProviderError, Tokens};

use super::{Draft, Outgoing, To, count, text};

pub(super) fn outgoing(ask: &Ask, to: &To<'_>) -> Outgoing {
    let mut messages = Vec::new();
    if !ask.system.is_empty() {
        messages.push(json!({ "role": "system", "content": ask.system }));
    }
    messages.extend(ask.messages.iter().map(message));
    if let Some(first) =
        messages.iter_mut().find(|message| message["role"] == "user").filter(|_| !ask.images.is_empty())
    {
        let images = ask.images.iter().map(|image| {
            json!({ "type": "image_url", "image_url": { "url": format!("data:{};base64,{}", image.media, image.base64) } })
        });
        let text = json!({ "type": "text", "text": first["content"] });
        first["content"] = images.chain([text]).collect();
    }
    let cap = if to.newest { "max_completion_tokens" } else { "max_tokens" };
    let mut body = json!({
        "model": to.model, "messages": messages, "stream": true, "stream_options": { "include_usage": true },
        cap: to.max_tokens,
    });
    if let Some(temperature) = ask.temperature {
        body["temperature"] = json!(temperature);
    }
    if let Some(seed) = ask.seed {
        // Some servers keep it in 32 bits.
        body["seed"] = json!((seed.wrapping_add(u64::from(ask.sample))) & 0x7fff_ffff);
    }
    if let Some(schema) = &ask.schema {
        let named = json!({ "name": "output", "schema": schema });
        body["response_format"] = json!({ "type": "json_schema", "json_schema": named });
    }
    if ask.logprobs {
        body["logprobs"] = json!(true);
    }
    if !ask.tools.is_empty() {
        body["tools"] = tools(ask);
    }
    Outgoing { path: "/chat/completions".to_owned(), headers: Vec::new(), body }
}

/// The tools of an ask; Ollama writes them the same way.
pub(super) fn tools(ask: &Ask) -> Value {
    let tools = ask.tools.iter().map(|tool| {
        let function = json!({ "name": tool.name, "description": tool.doc, "parameters": tool.takes });
        json!({ "type": "function", "function": function })
    });
    tools.collect()
}

fn message(message: &Message) -> Value {
    match message {
        Message::User(text) => json!({ "role": "user", "content": text }),
        Message::Model { text, calls } if calls.is_empty() => json!({ "role": "assistant", "content": text }),
        Message::Model { text, calls } => {
            let calls = calls.iter().map(|call| {
                let args = if call.args.is_empty() { "{}" } else { &call.args };
                let function = json!({ "name": call.name, "arguments": args });
                json!({ "id": call.id, "type": "function", "function": function })
            });
            let content = if text.is_empty() { Value::Null } else { json!(text) };
            json!({ "role": "assistant", "content": content, "tool_calls": calls.collect::<Vec<_>>() })
        }
        Message::Tool { id, text, .. } => json!({ "role": "tool", "tool_call_id": id, "content": text }),
    }
}

pub(super) fn read(draft: &mut Draft, value: &Value) -> Result<(), ProviderError> {
    if let Some(usage) = value.get("usage").filter(|usage| usage.is_object()) {
        *draft.took() = Tokens {
            input: count(usage, "/prompt_tokens"),
            cached: count(usage, "/prompt_tokens_details/cached_tokens"),
            output: count(usage, "/completion_tokens"),
            estimated: false,
        };
    }
    let Some(choice) = value.pointer("/choices/0") else { return Ok(()) };
    // A server that does not stream answers with the whole message in one frame.
    let whole = choice.get("message").is_some();
    let Some(delta) = choice.get("delta").or_else(|| choice.get("message")) else { return Ok(()) };
    draft.reply.text.push_str(text(delta, "/content").unwrap_or_default());
    let reasoning = text(delta, "/reasoning_content").or_else(|| text(delta, "/reasoning"));
    draft.reply.reasoning.push_str(reasoning.unwrap_or_default());
    if let Some(words) = text(delta, "/refusal") {
        draft.refusal.get_or_insert_default().push_str(words);
    }
    for (at, piece) in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let number = piece.get("index").and_then(Value::as_u64).unwrap_or(at as u64);
        let call = draft.call(number);
        if let Some(id) = text(piece, "/id") {
            id.clone_into(&mut call.id);
        }
        if let Some(name) = text(piece, "/function/name") {
            name.clone_into(&mut call.name);
        }
        match piece.pointer("/function/arguments") {
            Some(Value::String(args)) => call.args.push_str(args),
            Some(args @ Value::Object(_)) => call.args = args.to_string(),
            Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_)) | None => {}
        }
    }
    for token in choice.pointer("/logprobs/content").and_then(Value::as_array).into_iter().flatten() {
        let Some(logprob) = token.get("logprob").and_then(Value::as_f64) else { continue };
        let token = text(token, "/token").unwrap_or_default().to_owned();
        draft.reply.logprobs.push(Logprob { token, logprob });
    }
    match text(choice, "/finish_reason") {
        None => {}
        Some("length") => draft.finish = Some(Finish::Length),
        Some("tool_calls" | "function_call") => draft.finish = Some(Finish::Tools),
        Some("content_filter") => return Err(draft.refused("content filter")),
        Some(_) => draft.finish = Some(Finish::Stop),
    }
    if draft.finish.is_some() && draft.refusal.is_some() && draft.reply.text.is_empty() {
        return Err(draft.refused("refusal"));
    }
    draft.over |= whole;
    Ok(())
}
