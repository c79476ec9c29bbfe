//! A server of models on this machine that does what a test tells it, one thread a connection.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// What is sent back, byte for byte; then the connection is closed.
pub(crate) type Answers = dyn Fn(&Asked) -> Vec<u8> + Send + Sync;

/// One request.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Which request to this server it is, from 0.
    pub(crate) number: usize,
    /// Its first line and its headers.
    pub(crate) head: String,
    pub(crate) body: Value,
}

/// The server; it stops taking connections with the test.
pub(crate) struct Server {
    pub(crate) at: String,
    log: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    pub(crate) fn new(answer: impl Fn(&Asked) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = listener.local_addr().unwrap().to_string();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (answer, kept): (Arc<Answers>, _) = (Arc::new(answer), log.clone());
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let (answer, log) = (answer.clone(), kept.clone());
                std::thread::spawn(move || serve(socket, &*answer, &log));
            }
        });
        Self { at, log }
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.log.lock().unwrap().clone()
    }
}

fn serve(mut socket: TcpStream, answer: &Answers, log: &Mutex<Vec<Asked>>) {
    let mut bytes = Vec::new();
    let (head, body) = loop {
        let mut block = [0; 8192];
        match socket.read(&mut block) {
            Ok(0) | Err(_) => return,
            Ok(read) => bytes.extend_from_slice(&block[..read]),
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let lower = head.to_lowercase();
        let length = lower.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
        if body.len() >= length.unwrap_or(0) {
            break (head.to_owned(), serde_json::from_str(body).unwrap_or_default());
        }
    };
    let asked = {
        let mut log = log.lock().unwrap();
        let number = log.len();
        log.push(Asked { number, head, body });
        log.last().unwrap().clone()
    };
    let _ = socket.write_all(&answer(&asked));
}

/// A whole answer.
pub(crate) fn status(code: u16, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {code} X\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}").into_bytes()
}

/// A stream of this text, with what it took where that is said; cut off before its end where `whole` is false.
pub(crate) fn stream(text: &str, took: Option<(u64, u64)>, whole: bool) -> Vec<u8> {
    let delta = json!({ "choices": [{ "delta": { "content": text } }] });
    let mut last = json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] });
    if let Some((read, written)) = took {
        last["usage"] = json!({ "prompt_tokens": read, "completion_tokens": written });
    }
    let end = if whole { format!("data: {last}\n\ndata: [DONE]\n\n") } else { String::new() };
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    format!("{head}data: {delta}\n\n{end}").into_bytes()
}

/// What the programs of the small network of prompts are to say, by their marks.
pub(crate) fn says(asked: &Asked) -> String {
    let system = asked.body["messages"][0]["content"].as_str().unwrap_or_default().to_owned();
    let is = |mark: &str| system.contains(mark);
    let value = if is("START") {
        json!({ "contributions": [], "next": "work", "why": "one task" })
    } else if is("PLAN") {
        let tasks = [1, 2, 3].map(|part| json!({ "text": "compute", "parts": [part] }));
        json!({ "contributions": [{ "section": "plan", "text": "three", "data": { "tasks": tasks } }], "next": "work" })
    } else if is("WORK") {
        json!({ "contributions": [{ "section": "draft", "text": "391", "answer": "391" }], "next": "check" })
    } else if is("CHECK") {
        json!({ "contributions": [{ "section": "verdict", "text": "pass", "pass": true, "about": 0 }], "next": "done" })
    } else if is("DONE") {
        json!({ "contributions": [{ "section": "assessment", "text": "done", "data": { "complete": true } }] })
    } else {
        json!({ "contributions": [{ "section": "answer", "text": "391" }] })
    };
    value.to_string()
}
