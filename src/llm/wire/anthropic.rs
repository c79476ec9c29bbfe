//! Messages of Anthropic.

use serde_json::{Value, json};

use crate::engine::ports::{Ask, Finish, Message, ProviderError};

use super::{Draft, Outgoing, To, count, object, text};

pub(super) fn outgoing(ask: &Ask, to: &To<'_>) -> Outgoing {
    let mut messages: Vec<Value> = Vec::new();
    for message in &ask.messages {
        let (role, blocks) = blocks(message);
        // Answers to calls that were made together belong into one message; roles must take turns.
        match messages.last_mut().filter(|last| last["role"] == role).and_then(|last| last["content"].as_array_mut()) {
            Some(before) => before.extend(blocks),
            None => messages.push(json!({ "role": role, "content": blocks })),
        }
    }
    // Images are read best before the text that asks about them.
    if let Some(blocks) =
        messages.iter_mut().find(|it| it["role"] == "user").and_then(|first| first["content"].as_array_mut())
    {
        let images = ask.images.iter().map(|image| {
            let source = json!({ "type": "base64", "media_type": image.media, "data": image.base64 });
            json!({ "type": "image", "source": source })
        });
        blocks.splice(0..0, images);
    }
    let mut body = json!({ "model": to.model, "messages": messages, "stream": true, "max_tokens": to.max_tokens });
    if !ask.system.is_empty() {
        body["system"] = json!(ask.system);
    }
    if let Some(temperature) = ask.temperature {
        body["temperature"] = json!(temperature.min(1.0));
    }
    if let Some(schema) = &ask.schema {
        body["output_config"] = json!({ "format": { "type": "json_schema", "schema": schema } });
    }
    if !ask.tools.is_empty() {
        let tools = ask
            .tools
            .iter()
            .map(|tool| json!({ "name": tool.name, "description": tool.doc, "input_schema": tool.takes }));
        body["tools"] = tools.collect();
    }
    Outgoing { path: "/messages".to_owned(), headers: vec![("anthropic-version", "2023-06-01")], body }
}

fn blocks(message: &Message) -> (&'static str, Vec<Value>) {
    match message {
        Message::User(text) => ("user", vec![json!({ "type": "text", "text": text })]),
        Message::Model { text, calls } => {
            let said = (!text.is_empty()).then(|| json!({ "type": "text", "text": text }));
            let calls = calls.iter().map(
                |call| json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": object(&call.args) }),
            );
            ("assistant", said.into_iter().chain(calls).collect())
        }
        Message::Tool { id, text, .. } => {
            ("user", vec![json!({ "type": "tool_result", "tool_use_id": id, "content": text })])
        }
    }
}

pub(super) fn read(draft: &mut Draft, value: &Value) -> Result<(), ProviderError> {
    let index = count(value, "/index");
    match value.get("type").and_then(Value::as_str).unwrap_or_default() {
        "message_start" => {
            let usage = &value["message"]["usage"];
            let cached = count(usage, "/cache_read_input_tokens");
            let took = draft.took();
            took.input = count(usage, "/input_tokens") + count(usage, "/cache_creation_input_tokens") + cached;
            took.cached = cached;
            took.output = count(usage, "/output_tokens");
        }
        "content_block_start" => {
            let block = &value["content_block"];
            draft.reply.text.push_str(text(block, "/text").unwrap_or_default());
            if let Some(name) = text(block, "/name").filter(|_| block["type"] == "tool_use") {
                let call = draft.call(index);
                name.clone_into(&mut call.name);
                text(block, "/id").unwrap_or_default().clone_into(&mut call.id);
            }
        }
        "content_block_delta" => {
            let delta = &value["delta"];
            draft.reply.text.push_str(text(delta, "/text").unwrap_or_default());
            draft.reply.reasoning.push_str(text(delta, "/thinking").unwrap_or_default());
            if let Some(piece) = text(delta, "/partial_json") {
                draft.call(index).args.push_str(piece);
            }
        }
        "message_delta" => {
            if value.pointer("/usage/output_tokens").is_some() {
                draft.took().output = count(value, "/usage/output_tokens");
            }
            match text(value, "/delta/stop_reason") {
                None => {}
                Some("max_tokens" | "model_context_window_exceeded") => draft.finish = Some(Finish::Length),
                Some("tool_use") => draft.finish = Some(Finish::Tools),
                Some("refusal") => return Err(draft.refused("refusal")),
                Some(_) => draft.finish = Some(Finish::Stop),
            }
        }
        "message_stop" => draft.over = true,
        // `ping`, `content_block_stop`, and what is yet to come: servers may send new events.
        _ => {}
    }
    Ok(())
}
