//! One conversation in all four formats, as it is written and as it is read.

use serde_json::{Value, json};

use crate::engine::ports::{Ask, Fault, Finish, Message, Reply, Tokens, ToolCall, ToolSpec, Wanted};
use crate::model::{Image, Tier};

use super::{Draft, Format, To};

fn conversation() -> Ask {
    let call = |id: &str, args: &str| ToolCall {
        id: id.to_owned(),
        name: "calc".to_owned(),
        args: args.to_owned(),
        mark: Some("sig".to_owned()),
    };
    let answer = |id: &str, text: &str| Message::Tool { id: id.into(), name: "calc".into(), text: text.into() };
    let calls = vec![call("1", r#"{"expression":"2+2"}"#), call("2", "{broken")];
    let takes = json!({ "type": "object", "properties": { "expression": { "type": "string" } } });
    Ask {
        messages: vec![
            Message::User("what is 2 + 2?".into()),
            Message::Model { text: String::new(), calls },
            answer("1", "4"),
            answer("2", "no JSON"),
        ],
        temperature: Some(1.5),
        seed: Some(7),
        tools: vec![ToolSpec { name: "calc".into(), doc: "calculates".into(), takes }],
        ..Ask::new(Wanted::Tier(Tier::Fast), "be brief", "")
    }
}

fn body(format: Format) -> Value {
    let to = To { model: "m", max_tokens: 100, newest: false };
    format.outgoing(&conversation(), &to).body
}

#[test]
fn openai_is_written_as_it_must() {
    let body = body(Format::OpenAi);
    assert_eq!(body["messages"][0], json!({ "role": "system", "content": "be brief" }));
    assert_eq!(body["messages"][2]["content"], Value::Null);
    assert_eq!(body["messages"][2]["tool_calls"][0]["function"]["arguments"], json!(r#"{"expression":"2+2"}"#));
    assert_eq!(body["messages"][3], json!({ "role": "tool", "tool_call_id": "1", "content": "4" }));
    assert_eq!((&body["max_tokens"], &body["seed"], &body["temperature"]), (&json!(100), &json!(7), &json!(1.5)));
}

#[test]
fn anthropic_is_written_as_it_must() {
    let body = body(Format::Anthropic);
    let roles: Vec<&str> = body["messages"].as_array().unwrap().iter().map(|it| it["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "user"], "roles take turns");
    assert_eq!(
        body["messages"][1]["content"][1]["input"],
        json!({}),
        "arguments that are no object become an empty one"
    );
    assert_eq!(body["messages"][2]["content"].as_array().unwrap().len(), 2, "answers stand together");
    assert_eq!((&body["temperature"], body.get("seed")), (&json!(1.0), None));
}

#[test]
fn gemini_is_written_as_it_must() {
    let body = body(Format::Gemini);
    assert_eq!(body["contents"][1]["parts"][0]["thoughtSignature"], json!("sig"), "what came with a call goes back");
    assert_eq!(body["contents"][2]["parts"][0]["functionResponse"]["name"], json!("calc"));
    assert_eq!(body["tools"][0]["functionDeclarations"][0]["name"], json!("calc"));
}

#[test]
fn ollama_is_written_as_it_must() {
    let body = body(Format::Ollama);
    assert_eq!(body["messages"][2]["tool_calls"][0]["function"]["arguments"], json!({ "expression": "2+2" }));
    assert_eq!(body["options"], json!({ "num_predict": 100, "temperature": 1.5, "seed": 7 }));
}

#[test]
fn images_go_with_the_first_message_of_the_user() {
    let image = |media: &str, base64: &str| Image { media: media.into(), base64: base64.into() };
    let ask = Ask {
        messages: vec![
            Message::User("what is on it?".into()),
            Message::Model { text: "a cat".into(), calls: Vec::new() },
            Message::User("are you sure?".into()),
        ],
        images: vec![image("image/png", "iVBO"), image("image/webp", "UklG")],
        ..Ask::new(Wanted::Tier(Tier::Fast), "be brief", "")
    };
    let to = To { model: "m", max_tokens: 1, newest: false };
    let check = |format: Format, list: &str, first: usize, expected: Value, last: Value| {
        let body = format.outgoing(&ask, &to).body;
        assert_eq!(body[list][first], expected, "{format:?}");
        assert_eq!(body[list][first + 2], last, "{format:?}");
    };
    check(
        Format::OpenAi,
        "messages",
        1,
        json!({ "role": "user", "content": [
            { "type": "image_url", "image_url": { "url": "data:image/png;base64,iVBO" } },
            { "type": "image_url", "image_url": { "url": "data:image/webp;base64,UklG" } },
            { "type": "text", "text": "what is on it?" },
        ] }),
        json!({ "role": "user", "content": "are you sure?" }),
    );
    check(
        Format::Anthropic,
        "messages",
        0,
        json!({ "role": "user", "content": [
            { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "iVBO" } },
            { "type": "image", "source": { "type": "base64", "media_type": "image/webp", "data": "UklG" } },
            { "type": "text", "text": "what is on it?" },
        ] }),
        json!({ "role": "user", "content": [{ "type": "text", "text": "are you sure?" }] }),
    );
    check(
        Format::Gemini,
        "contents",
        0,
        json!({ "role": "user", "parts": [
            { "inlineData": { "mimeType": "image/png", "data": "iVBO" } },
            { "inlineData": { "mimeType": "image/webp", "data": "UklG" } },
            { "text": "what is on it?" },
        ] }),
        json!({ "role": "user", "parts": [{ "text": "are you sure?" }] }),
    );
    check(
        Format::Ollama,
        "messages",
        1,
        json!({ "role": "user", "content": "what is on it?", "images": ["iVBO", "UklG"] }),
        json!({ "role": "user", "content": "are you sure?" }),
    );
    assert_ne!(ask.input(), Ask { images: Vec::new(), ..ask.clone() }.input());
}

#[test]
fn a_schema_goes_where_each_format_has_it() {
    let ask = Ask { schema: Some(json!({ "type": "object" })), ..Ask::new(Wanted::Tier(Tier::Fast), "", "x") };
    let to = To { model: "m", max_tokens: 1, newest: true };
    let at = |format: Format, path: &str| format.outgoing(&ask, &to).body.pointer(path).cloned();
    let schema = Some(json!({ "type": "object" }));
    assert_eq!(at(Format::OpenAi, "/response_format/json_schema/schema"), schema);
    assert_eq!(at(Format::OpenAi, "/max_completion_tokens"), Some(json!(1)));
    assert_eq!(at(Format::Anthropic, "/output_config/format/schema"), schema);
    assert_eq!(at(Format::Gemini, "/generationConfig/responseJsonSchema"), schema);
    assert_eq!(at(Format::Ollama, "/format"), schema);
}

fn read(format: Format, frames: &[Value]) -> Result<(Reply, Option<Finish>, bool, Option<Tokens>), Fault> {
    let mut draft = Draft::default();
    for frame in frames {
        format.read(&mut draft, &frame.to_string()).map_err(|error| error.fault)?;
    }
    Ok((draft.reply, draft.finish, draft.over, draft.tokens))
}

fn tokens(input: u64, cached: u64, output: u64) -> Option<Tokens> {
    Some(Tokens { input, cached, output, estimated: false })
}

#[test]
fn openai_is_read() {
    let delta = |delta: Value| json!({ "choices": [{ "delta": delta }] });
    let piece = |index: u32, id: Option<&str>, name: Option<&str>, args: &str| {
        let function = json!({ "name": name, "arguments": args });
        delta(json!({ "tool_calls": [{ "index": index, "id": id, "function": function }] }))
    };
    let logprobs = json!({ "content": [{ "token": "so", "logprob": -0.5 }] });
    let (reply, finish, _, took) = read(
        Format::OpenAi,
        &[
            delta(json!({ "role": "assistant", "content": null, "reasoning_content": "hm" })),
            json!({ "choices": [{ "delta": { "content": "so" }, "logprobs": logprobs }] }),
            piece(0, Some("a"), Some("calc"), ""),
            piece(1, Some("b"), Some("solve"), "{}"),
            piece(0, None, None, r#"{"expr"#),
            piece(0, None, None, r#"ession":"1"}"#),
            json!({ "choices": [{ "delta": {}, "finish_reason": "tool_calls" }], "usage": null }),
            json!({ "choices": [], "usage": {
                "prompt_tokens": 9, "completion_tokens": 3, "prompt_tokens_details": { "cached_tokens": 4 } } }),
        ],
    )
    .unwrap();
    assert_eq!((reply.text.as_str(), reply.reasoning.as_str()), ("so", "hm"));
    let calls: Vec<_> = reply.calls.iter().map(|it| (it.id.as_str(), it.name.as_str(), it.args.as_str())).collect();
    assert_eq!(calls, [("a", "calc", r#"{"expression":"1"}"#), ("b", "solve", "{}")]);
    assert_eq!((finish, took, reply.logprobs.len()), (Some(Finish::Tools), tokens(9, 4, 3), 1));
    let whole = json!({ "choices": [{ "message": { "content": "all" }, "finish_reason": "stop" }] });
    let (reply, _, over, _) = read(Format::OpenAi, &[whole]).unwrap();
    assert_eq!((reply.text.as_str(), over), ("all", true));
    let no = json!({ "choices": [{ "delta": { "refusal": "I cannot" }, "finish_reason": "stop" }] });
    assert_eq!(read(Format::OpenAi, &[no]).unwrap_err(), Fault::Refused);
}

#[test]
fn anthropic_is_read() {
    let usage = json!({ "input_tokens": 5, "cache_read_input_tokens": 3, "output_tokens": 1 });
    let delta = |index: u32, delta: Value| json!({ "type": "content_block_delta", "index": index, "delta": delta });
    let (reply, finish, over, took) = read(
        Format::Anthropic,
        &[
            json!({ "type": "message_start", "message": { "usage": usage } }),
            json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "thinking", "thinking": "" } }),
            delta(0, json!({ "type": "thinking_delta", "thinking": "hm" })),
            delta(1, json!({ "type": "text_delta", "text": "so" })),
            json!({ "type": "ping" }),
            json!({ "type": "content_block_start", "index": 2,
                "content_block": { "type": "tool_use", "id": "t", "name": "calc", "input": {} } }),
            delta(2, json!({ "type": "input_json_delta", "partial_json": "{\"a\"" })),
            delta(2, json!({ "type": "input_json_delta", "partial_json": ":1}" })),
            json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" }, "usage": { "output_tokens": 7 } }),
            json!({ "type": "message_stop" }),
        ],
    )
    .unwrap();
    assert_eq!((reply.text.as_str(), reply.reasoning.as_str(), over), ("so", "hm", true));
    assert_eq!((reply.calls[0].id.as_str(), reply.calls[0].args.as_str()), ("t", "{\"a\":1}"));
    assert_eq!((finish, took), (Some(Finish::Tools), tokens(8, 3, 7)));
    let error = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    assert_eq!(read(Format::Anthropic, &[error]).unwrap_err(), Fault::Overloaded);
    let refusal = json!({ "type": "message_delta", "delta": { "stop_reason": "refusal" } });
    assert_eq!(read(Format::Anthropic, &[refusal]).unwrap_err(), Fault::Refused);
}

#[test]
fn gemini_is_read() {
    let parts = |parts: Value| json!({ "candidates": [{ "content": { "parts": parts } }] });
    let call = json!({ "functionCall": { "name": "calc", "args": { "a": 1 } }, "thoughtSignature": "sig" });
    let usage = json!({ "promptTokenCount": 4, "candidatesTokenCount": 2, "thoughtsTokenCount": 3 });
    let (reply, finish, _, took) = read(
        Format::Gemini,
        &[
            parts(json!([{ "text": "hm", "thought": true }, { "text": "so" }])),
            parts(json!([call])),
            json!({ "candidates": [{ "finishReason": "STOP" }], "usageMetadata": usage }),
        ],
    )
    .unwrap();
    assert_eq!((reply.text.as_str(), reply.reasoning.as_str()), ("so", "hm"));
    assert_eq!((reply.calls[0].mark.as_deref(), reply.calls[0].args.as_str()), (Some("sig"), "{\"a\":1}"));
    assert_eq!((finish, took), (Some(Finish::Tools), tokens(4, 0, 5)));
    for refused in [
        json!({ "promptFeedback": { "blockReason": "SAFETY" } }),
        json!({ "candidates": [{ "finishReason": "RECITATION" }] }),
    ] {
        assert_eq!(read(Format::Gemini, &[refused]).unwrap_err(), Fault::Refused);
    }
}

#[test]
fn ollama_is_read() {
    let call = json!({ "function": { "name": "calc", "arguments": { "a": 1 } } });
    let (reply, finish, over, took) = read(
        Format::Ollama,
        &[
            json!({ "message": { "content": "", "thinking": "hm" }, "done": false }),
            json!({ "message": { "content": "so", "tool_calls": [call] }, "done": false }),
            json!({ "message": { "content": "" }, "done": true, "done_reason": "stop",
                "prompt_eval_count": 4, "eval_count": 2 }),
        ],
    )
    .unwrap();
    assert_eq!((reply.text.as_str(), reply.reasoning.as_str(), over), ("so", "hm", true));
    assert_eq!((reply.calls[0].args.as_str(), finish, took), ("{\"a\":1}", Some(Finish::Tools), tokens(4, 0, 2)));
    assert_eq!(read(Format::Ollama, &[json!({ "error": "model runner crashed" })]).unwrap_err(), Fault::Overloaded);
}
