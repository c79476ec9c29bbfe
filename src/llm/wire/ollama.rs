//! Ollama's own chat.

use serde_json::{Value, json};

use crate::engine::ports::{Ask, Finish, Message, ProviderError};

use super::{Draft, Outgoing, To, count, object, openai, text};

pub(super) fn outgoing(ask: &Ask, to: &To<'_>) -> Outgoing {
    let mut messages = Vec::new();
    if !ask.system.is_empty() {
        messages.push(json!({ "role": "system", "content": ask.system }));
    }
    messages.extend(ask.messages.iter().map(message));
    if let Some(first) =
        messages.iter_mut().find(|message| message["role"] == "user").filter(|_| !ask.images.is_empty())
    {
        first["images"] = ask.images.iter().map(|image| json!(image.base64)).collect();
    }
    let mut options = json!({ "num_predict": to.max_tokens });
    if let Some(temperature) = ask.temperature {
        options["temperature"] = json!(temperature);
    }
    if let Some(seed) = ask.seed {
        options["seed"] = json!((seed.wrapping_add(u64::from(ask.sample))) & 0x7fff_ffff);
    }
    let mut body = json!({ "model": to.model, "messages": messages, "stream": true, "options": options });
    if let Some(schema) = &ask.schema {
        body["format"] = schema.clone();
    }
    if !ask.tools.is_empty() {
        body["tools"] = openai::tools(ask);
    }
    Outgoing { path: "/api/chat".to_owned(), headers: Vec::new(), body }
}

fn message(message: &Message) -> Value {
    match message {
        Message::User(text) => json!({ "role": "user", "content": text }),
        Message::Model { text, calls } => {
            let calls =
                calls.iter().map(|call| json!({ "function": { "name": call.name, "arguments": object(&call.args) } }));
            json!({ "role": "assistant", "content": text, "tool_calls": calls.collect::<Vec<_>>() })
        }
        Message::Tool { name, text, .. } => json!({ "role": "tool", "tool_name": name, "content": text }),
    }
}

pub(super) fn read(draft: &mut Draft, value: &Value) -> Result<(), ProviderError> {
    draft.reply.text.push_str(text(value, "/message/content").unwrap_or_default());
    draft.reply.reasoning.push_str(text(value, "/message/thinking").unwrap_or_default());
    for call in value.pointer("/message/tool_calls").and_then(Value::as_array).into_iter().flatten() {
        let empty = json!({});
        let args = call.pointer("/function/arguments").unwrap_or(&empty);
        draft.whole_call(text(call, "/id"), text(call, "/function/name").unwrap_or_default(), args);
    }
    if value.get("done").and_then(Value::as_bool).unwrap_or_default() {
        let took = draft.took();
        took.input = count(value, "/prompt_eval_count");
        took.output = count(value, "/eval_count");
        draft.finish = Some(match text(value, "/done_reason") {
            Some("length") => Finish::Length,
            Some(_) | None if !draft.reply.calls.is_empty() => Finish::Tools,
            Some(_) | None => Finish::Stop,
        });
        draft.over = true;
    }
    Ok(())
}
