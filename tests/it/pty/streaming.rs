//! A model streams slowly: what it writes is on the screen before it is done, and it can be stopped at any time.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use serde_json::{Value, json};

use super::*;
use crate::cli::User;
use crate::prompts::with_prompts;

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
const KEY: &str = "sk-canary-0123456789";

/// A model that answers at once, but for the worker's first call: that one streams a little and then keeps the line open.
struct Model {
    url: String,
    /// Each message lets the worker's reply go on.
    go_on: Sender<()>,
    /// Gets a word when a connection of the worker is closed from the other side.
    closed: Receiver<()>,
}

fn event(delta: &Value, finish: Option<&str>) -> String {
    format!("data: {}\n\n", json!({ "choices": [{ "delta": delta, "finish_reason": finish }] }))
}

fn text(text: &str) -> String {
    event(&json!({ "content": text }), None)
}

/// Reads a request to its end; none where there is none.
fn request(socket: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let mut block = [0; 4096];
        let read = socket.read(&mut block).ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&block[..read]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0) {
            return Some(text.into_owned());
        }
    }
}

fn model() -> Model {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (go_on, going) = mpsc::channel();
    let (closing, closed) = mpsc::channel();
    thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            socket.set_nodelay(true).unwrap();
            let Some(request) = request(&mut socket) else { continue };
            if request.contains("WORK") {
                work(socket, &going, &closing);
            } else {
                let said = answer(&request);
                let _ = socket.write_all(format!("{HEAD}{}{}", text(&said), end()).as_bytes());
            }
        }
    });
    Model { url, go_on, closed }
}

fn end() -> String {
    format!("{}data: [DONE]\n\n", event(&json!({}), Some("stop")))
}

fn answer(request: &str) -> String {
    let said = if request.contains("START") {
        json!({ "contributions": [], "next": "work", "why": "one clear task" })
    } else if request.contains("DONE") {
        json!({ "contributions": [{ "section": "assessment", "text": "done", "data": { "complete": true } }] })
    } else if request.contains("SHOW") {
        json!({ "contributions": [{ "section": "answer", "text": "391" }] })
    } else {
        json!({ "contributions": [{ "section": "verdict", "text": "pass", "pass": true, "about": 0 }], "next": "done" })
    };
    said.to_string()
}

/// Streams thoughts and the beginning of an answer with half a key, waits, then gives the rest.
fn work(mut socket: TcpStream, going: &Receiver<()>, closing: &Sender<()>) {
    let thinks = event(&json!({ "reasoning_content": "seventeen times twenty\nis 340 \u{1b}[2J" }), None);
    let begins = text("{\"contributions\": [{\"section\": \"draft\", \"text\": \"391 sk-canary-0123");
    if socket.write_all(format!("{HEAD}{thinks}{begins}").as_bytes()).is_err() {
        return;
    }
    let mut watched = socket.try_clone().unwrap();
    let closing = closing.clone();
    thread::spawn(move || {
        while watched.read(&mut [0; 64]).is_ok_and(|read| read > 0) {}
        let _ = closing.send(());
    });
    if going.recv().is_ok() {
        let rest = text("456789\", \"answer\": \"391\"}], \"next\": \"check\", \"why\": \"computed\"}");
        let _ = socket.write_all(format!("{rest}{}", end()).as_bytes());
    }
}

fn user(model: &Model) -> User {
    let user = with_prompts();
    let config = format!(
        "[models]\nstandard = \"slow/m\"\n[[endpoints]]\nname = \"slow\"\nurl = \"{}\"\nkey = \"SLOW_KEY\"\ncontext = 8192\nprice = {{ in = 1, out = 2 }}\n",
        model.url
    );
    user.write("home/config/config.toml", &config);
    user
}

const ARGS: [&str; 3] = ["--network", "./prompts", "What is 17*23?"];

fn open(user: &User, size: (u16, u16)) -> Terminal {
    Terminal::mop(user, &Setup { args: &ARGS, size, env: &[("SLOW_KEY", KEY)] })
}

#[test]
fn what_a_model_writes_is_seen_before_it_is_done_and_then_gives_way() {
    let model = model();
    let user = user(&model);
    let mut terminal = open(&user, (120, 40));
    terminal.see("m at slow");
    terminal.keys("5");
    let seen = terminal.see("\"text\": \"391");
    assert!(
        seen.has("work  m at slow") && seen.has("of 8.2k tokens"),
        "which model, and how much of its context: {seen:?}"
    );
    assert!(seen.has("thinks, ~"), "{seen:?}");
    assert!(seen.top().contains("2 calls") && seen.top().contains("tokens") && seen.top().contains('$'), "{seen:?}");
    terminal.keys("v");
    let seen = terminal.see("seventeen times twenty");
    assert!(seen.has("is 340"), "{seen:?}");
    model.go_on.send(()).unwrap();
    let end = terminal.wait_for("the end", |seen| seen.top().contains("ENDED"));
    assert!(!end.has("\"text\": \"391"), "the stream gave way to what counts: {end:?}");
    assert!(end.has("391"), "{end:?}");
    let written = terminal.written();
    assert!(!written.contains("canary"), "a key in two pieces is on no screen");
    let folder = user.home();
    assert!(!holds(&folder, "sk-canary"), "and in no file");
}

/// Whether a file below a folder holds these words.
fn holds(folder: &std::path::Path, words: &str) -> bool {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).any(|path| {
        if path.is_dir() {
            holds(&path, words)
        } else {
            String::from_utf8_lossy(&std::fs::read(&path).unwrap()).contains(words)
        }
    })
}

#[test]
fn escape_stops_a_stream_that_would_not_end_and_the_run_goes_on_after_it() {
    let model = model();
    let user = user(&model);
    let mut terminal = open(&user, (80, 24));
    terminal.see("m at slow");
    terminal.keys("5");
    terminal.see("\"text\": \"391");
    terminal.keys(ESC);
    let seen = terminal.wait_for("the stop", |seen| seen.top().contains("PAUSED"));
    assert!(!seen.has("\"text\": \"391") && seen.message().contains("stopped; c goes on"), "{seen:?}");
    model.closed.recv_timeout(std::time::Duration::from_secs(40)).unwrap();
    // Once for the call that was given up, which the server notices late, and once for the next.
    model.go_on.send(()).unwrap();
    model.go_on.send(()).unwrap();
    terminal.keys("c");
    let end = terminal.wait_for("the end", |seen| seen.top().contains("ENDED"));
    assert!(end.has("391"), "{end:?}");
}
