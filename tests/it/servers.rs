//! The binary against servers of models on this machine: what they may cost, what they may see, how they are reached.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::cli::{Done, User};
use crate::prompts::{FILES, NETWORK};
use crate::server::{Asked, Server, says, status, stream};

fn user(config: &str) -> User {
    let user = User::new();
    user.write("prompts/network.toml", NETWORK);
    for (name, text) in FILES {
        user.write(&format!("prompts/{name}"), text);
    }
    user.write("home/config/config.toml", config);
    user
}

fn endpoint(name: &str, at: &str, more: &str) -> String {
    format!("[[endpoints]]\nname = \"{name}\"\nurl = \"http://{at}/v1\"\nmodels = [\"m\"]\n{more}\n")
}

fn run(user: &User, more: &[&str], env: &[(&str, &str)]) -> Done {
    let question = "What is 17*23? What is 5+8? What is 12*12?";
    let mut command = user.command(&[&["run", "--json", "--network", "./prompts", question], more].concat());
    command.envs(env.iter().copied());
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Done { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
}

/// Tokens of a text in a vocabulary that knows pairs of letters and nothing else.
fn tokens(text: &str) -> u64 {
    let letters = text.chars().filter(char::is_ascii_lowercase).count() as u64;
    let rest: usize = text.chars().filter(|c| !c.is_ascii_lowercase() && *c != ' ').map(char::len_utf8).sum();
    letters.div_ceil(2) + rest as u64
}

/// A server that counts what it gave out, writes in Chinese and digits, breaks off, limits, fails, and seldom says what it took.
#[derive(Default)]
struct Counting {
    read: AtomicU64,
    written: AtomicU64,
    at_once: Mutex<(usize, usize)>,
    more: Condvar,
}

impl Counting {
    fn answer(&self, asked: &Asked) -> Vec<u8> {
        {
            let mut at_once = self.at_once.lock().unwrap();
            at_once.0 += 1;
            at_once.1 = at_once.1.max(at_once.0);
            self.more.notify_all();
            // Whoever comes alone waits a moment for others.
            let _ = self.more.wait_timeout_while(at_once, Duration::from_millis(100), |it| it.1 < 2).unwrap();
        }
        let answer = self.counted(asked);
        self.at_once.lock().unwrap().0 -= 1;
        answer
    }

    fn counted(&self, asked: &Asked) -> Vec<u8> {
        match asked.number % 7 {
            1 => return status(429, "retry-after: 0\r\n", "slower"),
            4 => return status(503, "", "busy"),
            _ => {}
        }
        let read = asked.body["messages"].as_array().unwrap().iter();
        let read: u64 = read.map(|message| tokens(message["content"].as_str().unwrap_or_default()) + 4).sum();
        let most = asked.body["max_tokens"].as_u64().unwrap();
        let mut text = says(asked);
        // It thinks aloud before its answer, as far as it may.
        let room = most.saturating_sub(tokens(&text)) / 4;
        text = format!("{}{text}", "思7".repeat(usize::try_from(room).unwrap()));
        // What does not fit into the cap is cut off at it.
        while tokens(&text) > most {
            text.pop();
        }
        let written = tokens(&text);
        self.read.fetch_add(read, Ordering::SeqCst);
        self.written.fetch_add(written, Ordering::SeqCst);
        let took = asked.number.is_multiple_of(3).then_some((read, written));
        stream(&text, took, asked.number % 7 != 2)
    }
}

#[test]
fn no_cap_is_passed_by_parallel_prompts_with_retries_in_dense_text() {
    let mut parallel = 0;
    let mut stopped = 0;
    for (tokens, dollars) in
        [(3_000, None), (12_000, None), (60_000, None), (9_999_999, Some(0.05)), (9_999_999, Some(0.3))]
    {
        let counting = Arc::new(Counting::default());
        let server = Server::new({
            let counting = counting.clone();
            move |asked| counting.answer(asked)
        });
        let user = user(&endpoint("a", &server.at, "price = { in = 1.0, out = 10.0 }\n[models]\nstandard = \"m\""));
        user.write("prompts/start.md", &FILES[0].1.replace("\"router\"", "\"planner\"").replace("START", "PLAN"));
        let tokens_text = tokens.to_string();
        let mut more = vec!["--max-tokens", tokens_text.as_str()];
        let dollars_text = dollars.map(|cap: f64| cap.to_string()).unwrap_or_default();
        if dollars.is_some() {
            more.extend(["--max-cost", dollars_text.as_str()]);
        }
        let done = run(&user, &more, &[]);
        let (read, written) = (counting.read.load(Ordering::SeqCst), counting.written.load(Ordering::SeqCst));
        assert!(read + written <= tokens, "{read} + {written} of {tokens}");
        let cost = read as f64 / 1e6 + written as f64 / 1e5;
        assert!(dollars.is_none_or(|cap| cost <= cap), "${cost} of {dollars:?}");
        let lines = done.json();
        let last = lines.last().unwrap();
        assert!(last["usage"]["tokens"].as_u64().unwrap() <= tokens, "{last}");
        assert!(read > 0 || tokens < 10_000, "something was asked: {done:?}");
        parallel = parallel.max(counting.at_once.lock().unwrap().1);
        stopped += usize::from(done.out.contains("the budget does not allow the call"));
    }
    assert!(parallel >= 2, "prompts did run at once: {parallel}");
    assert!(stopped >= 2, "caps were reached: {stopped}");
}

const KEYS: [&str; 3] = ["sk-canary+env/0a1b2c3d4e5f", "sk-canary+file/9f8e7d6c5b4a", "sk-canary-pasted-1234567890"];

/// Every form of a key that a server could give back.
fn forms(key: &str) -> Vec<String> {
    let percent = key.replace('+', "%2B").replace('/', "%2F");
    let mut all = vec![key.to_owned(), percent.clone(), percent.to_lowercase()];
    // Without the characters at both ends, which depend on their neighbours.
    all.extend(["", "x", "xy"].map(|before| {
        let whole = base64(&format!("{before}{key}"));
        whole[4..whole.len() - 4].to_owned()
    }));
    all
}

fn base64(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |bytes: &[u8]| {
        let number = bytes.iter().chain([&0, &0]).take(3).fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte));
        [18, 12, 6, 0]
            .map(|shift| char::from(LETTERS[number >> shift & 63]))
            .iter()
            .take(bytes.len() + 1)
            .collect::<String>()
    };
    text.as_bytes().chunks(3).map(group).collect()
}

fn all_files(folder: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all_files(&path, found);
        } else if !matches!(path.file_name().and_then(|name| name.to_str()), Some("secrets.toml" | "config.toml")) {
            found.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
}

#[test]
fn no_key_is_anywhere_but_in_its_requests() {
    // What a server says of the key that it got, in every form and place.
    let echoes = |asked: &Asked| {
        let key = asked.head.lines().find_map(|line| {
            line.strip_prefix("authorization: Bearer ").or_else(|| line.strip_prefix("x-goog-api-key: "))
        });
        let key = key.unwrap_or_default();
        let (percent, basic) = (key.replace('+', "%2B").replace('/', "%2F"), base64(&format!("user:{key}")));
        let told = format!("no: {key} {percent} {} {basic} https://x/v1beta?key={percent}&a", base64(key));
        (asked.number, told)
    };
    let other = Server::new(|_| status(500, "", "not for you"));
    let elsewhere = format!("location: http://{}/v1/chat/completions\r\n", other.at);
    let first = Server::new(move |asked| match echoes(asked) {
        (0, told) => status(400, "", &told),
        (1, told) => status(401, "", &json!({ "error": { "message": told, "code": told } }).to_string()),
        (2, _) => status(302, &elsewhere, ""),
        (3, told) => stream(&told, None, false),
        (4, told) => format!("HTTP/1.1 200 {told}\r\n{told}: {told}\r\n\r\n{told}").into_bytes(),
        (_, told) => stream(&format!("{told} {}", says(asked)), None, true),
    });
    let gemini = Server::new(move |asked| status(403, "", &echoes(asked).1));
    let config = format!(
        "provider = \"record:record.jsonl\"\n[models]\nstandard = \"m\"\nfast = \"g/m\"\n{}{}{}",
        endpoint("a", &first.at, "key = \"IN_ENV\"\nidle-seconds = 5"),
        endpoint("g", &gemini.at, "key = \"IN_FILE\"\nformat = \"gemini\""),
        endpoint("pasted", &first.at, &format!("key = \"{}\"", KEYS[2])).replace("\"m\"", "\"other\""),
    );
    let user = user(&config);
    let secrets = user.write("home/config/secrets.toml", &format!("IN_FILE = \"{}\"\n", KEYS[1]));
    #[cfg(unix)]
    fs::set_permissions(&secrets, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    user.write("prompts/done.md", &FILES[3].1.replace("+++\nIs", "model = { tier = \"fast\" }\n+++\nIs"));
    let env = [("IN_ENV", KEYS[0]), ("RUST_BACKTRACE", "full"), ("RUST_LOG", "trace")];
    let mut said = Vec::new();
    let mut ran = Vec::new();
    for _ in 0..3 {
        let done = run(&user, &[], &env);
        ran.push(done.json()[0]["data"]["pins"]["session"].as_str().unwrap().to_owned());
        said.push(done);
    }
    assert!(first.asked().len() > 6 && !gemini.asked().is_empty(), "the servers were asked");
    let got = |server: &Server, key: &str| server.asked().iter().all(|asked| asked.head.contains(key));
    assert!(got(&first, KEYS[0]) && got(&gemini, KEYS[1]), "with their keys");
    assert!(other.asked().is_empty(), "a redirect leads nowhere");
    assert!(gemini.asked().iter().all(|asked| !asked.head.lines().next().unwrap().contains("key=")));

    user.write("home/config/config.toml", &config.replace("record:", "replay:"));
    said.push(run(&user, &[], &env));
    for id in &ran {
        said.push(user.mop(&["replay", id]));
        said.push(user.mop(&["sessions", "show", id]));
        said.push(user.mop(&["sessions", "export", id]));
    }
    for args in
        [&["config", "check"][..], &["config", "show"], &["doctor"], &["doctor", "--json"], &["sessions", "list"]]
    {
        said.push(user.mop(args));
    }
    user.write("home/config/config.toml", &config.replace("key = \"sk", "api-key = \"sk"));
    said.push(user.mop(&["config", "check"]));

    let mut found = Vec::new();
    all_files(user.home().parent().unwrap(), &mut found);
    assert!(found.iter().any(|(path, bytes)| path.ends_with("record.jsonl") && !bytes.is_empty()));
    for done in said {
        found.push(("standard output".to_owned(), done.out.into_bytes()));
        found.push(("standard error".to_owned(), done.err.into_bytes()));
    }
    for (place, bytes) in found {
        let text = String::from_utf8_lossy(&bytes);
        for form in KEYS.iter().flat_map(|key| forms(key)) {
            let at = text.find(&form).map(|at| text.get(at.saturating_sub(100)..at + 60));
            assert!(at.is_none(), "{form} in {place}: {at:?}");
        }
    }
}

#[test]
fn a_proxy_is_used_for_others_and_never_for_this_machine() {
    let proxy = Server::new(|asked| stream(&says(asked), Some((1, 1)), true));
    let near = Server::new(|asked| stream(&says(asked), Some((1, 1)), true));
    let variables = |no: &'static str| [("HTTP_PROXY", format!("http://{}", proxy.at)), ("NO_PROXY", no.to_owned())];
    let check = |at: &str, no: &'static str| {
        let user = user(&endpoint("a", at, "[models]\nstandard = \"m\""));
        let env = variables(no);
        let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
        run(&user, &["--max-cycles", "1"], &env)
    };
    check("models.invalid", "");
    let asked = proxy.asked();
    assert!(!asked.is_empty());
    assert!(asked[0].head.starts_with("POST http://models.invalid/v1/chat/completions "), "{}", asked[0].head);
    let before = asked.len();
    check(&near.at, "");
    assert!(!near.asked().is_empty() && proxy.asked().len() == before, "this machine needs no proxy");
}

#[test]
fn what_a_user_sees_of_a_fault_is_one_line_that_says_what_and_what_next() {
    let cases: [(&str, Vec<u8>, usize, &str); 6] = [
        (
            "context",
            status(400, "", "{\"error\":{\"message\":\"maximum context length is 10\"}}"),
            1,
            "let the program read less",
        ),
        (
            "filter",
            status(400, "", "{\"error\":{\"code\":\"content_filter\",\"message\":\"no\"}}"),
            1,
            "in other words",
        ),
        ("key", status(401, "", "{\"error\":{\"message\":\"bad key\"}}"), 1, "key of the endpoint"),
        ("cut", stream("half", None, false), 3, "ended in the middle"),
        (
            "broken",
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: {\"ch\n\n".to_vec(),
            3,
            "unreadable",
        ),
        ("page", status(200, "content-type: text/html\r\n", "<html>"), 3, "web page"),
    ];
    for (name, answer, requests, words) in cases {
        // Only the first program meets the fault.
        let server = Server::new(move |asked| {
            let system = asked.body["messages"][0]["content"].as_str().unwrap_or_default();
            if system.contains("START") { answer.clone() } else { stream(&says(asked), Some((1, 1)), true) }
        });
        let user = user(&endpoint("a", &server.at, "[models]\nstandard = \"m\""));
        let done = run(&user, &[], &[]);
        let lines = done.json();
        let failed: Vec<&Value> = lines.iter().filter(|line| line["event"] == "Failed").collect();
        assert_eq!(failed.len(), 1, "{name}: {failed:?}");
        let error = failed[0]["data"]["error"].as_str().unwrap();
        assert!(error.contains(words) && error.starts_with("start.md: the model gave no answer: "), "{name}: {error}");
        let begun = |asked: &Asked| asked.body["messages"][0]["content"].as_str().unwrap_or_default().contains("START");
        assert_eq!(server.asked().iter().filter(|asked| begun(asked)).count(), requests, "{name}");
        assert!(server.asked().len() > requests, "{name}: the loop goes on");
        let id = lines[0]["data"]["pins"]["session"].as_str().unwrap();
        user.expect(0, &["replay", id]);
    }
}
