//! Models by flag, servers that refuse, a person as the model, and `mop doctor`.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::User;
use crate::prompts::{RUN, SCRIPT, user};

const CANARY: &str = "sk-canary-5f0c2a";

/// A server that lists one model and refuses every question. It lives as long as the test.
fn refusing() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    thread::spawn(move || {
        for socket in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || answer(socket));
        }
    });
    url
}

fn answer(mut socket: TcpStream) {
    let mut bytes = Vec::new();
    let mut block = [0; 4096];
    while let Ok(read) = socket.read(&mut block) {
        bytes.extend_from_slice(&block[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            if read == 0 {
                return;
            }
            continue;
        };
        let length = head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        if read > 0 && body.len() < length.unwrap_or(0) {
            continue;
        }
        let (status, body) = match head.starts_with("GET") {
            true => ("200 OK", "{\"data\":[{\"id\":\"qwen\"}]}".to_owned()),
            false => ("401 Unauthorized", "{\"error\":{\"message\":\"no such key\"}}".to_owned()),
        };
        let _ =
            write!(socket, "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
        return;
    }
}

/// An address where nobody listens.
fn closed() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}/v1", listener.local_addr().unwrap())
}

#[test]
fn a_model_is_found_by_its_name_and_an_unknown_one_names_those_that_there_are() {
    let user = user(SCRIPT);
    let config = format!(
        "[[endpoints]]\nname = \"here\"\nurl = \"{}\"\n[[endpoints]]\nname = \"listed\"\nurl = \"{}\"\nmodels = [\"m\"]\n",
        refusing(),
        closed()
    );
    user.write("home/config/config.toml", &config);
    let args = |model| ["run", "--network", "./prompts", "--model", model, "What is 17*23?"];
    for unknown in ["qwne", "here-not/qwen", "listed/n"] {
        let done = user.expect(2, &args(unknown));
        assert!(done.err.contains(&format!("no server has a model `{unknown}`")), "{done:?}");
        assert!(done.err.contains("here/qwen, listed/m"), "{done:?}");
    }
    assert!(user.sessions().is_empty());
    for known in ["qwen", "here/qwen", "here/anything"] {
        let done = user.expect(5, &args(known));
        assert!(done.out.is_empty() && done.err.contains("no such key") && done.err.contains("mop doctor"), "{done:?}");
    }
}

#[test]
fn a_run_that_fails_because_models_do_ends_with_5_and_says_so_again() {
    let user = user(SCRIPT);
    let config =
        format!("[models]\nstrong = \"here/qwen\"\n[[endpoints]]\nname = \"here\"\nurl = \"{}\"\n", refusing());
    user.write("home/config/config.toml", &config);
    let done = user.expect(5, &RUN);
    let last = done.json().pop().unwrap();
    assert_eq!((&last["exit"], &last["answer"]), (&5.into(), &Value::Null), "{last}");
    assert!(last["error"].as_str().unwrap().contains("401"), "{last}");
    let again = user.expect(5, &["resume", "last"]);
    assert!(again.err.contains("the run failed because a model did"), "{again:?}");
}

#[test]
fn what_nobody_would_answer_does_not_begin() {
    let user = user(SCRIPT);
    user.write("home/config/config.toml", "");
    let done = user.expect(2, &RUN);
    assert!(done.err.contains("asks language models, and none is configured"), "{done:?}");
    let mut args = RUN.to_vec();
    args.splice(1..1, ["--provider", "manual"]);
    let done = user.expect(2, &args);
    assert!(done.err.contains("nobody is here to play the model") && done.err.contains("manual:FOLDER"), "{done:?}");
    args[2] = "nothing:x";
    assert!(user.expect(2, &args).err.contains("names no source of replies"));
    assert!(user.sessions().is_empty());
}

#[test]
fn with_a_model_the_network_that_is_made_for_models_runs_where_nobody_names_one() {
    let user = user(SCRIPT);
    let network = |config: &str| {
        user.write("home/config/config.toml", config);
        let shown = user.expect(0, &["config", "show"]).out;
        let row = shown.lines().find(|line| line.starts_with("network")).unwrap().to_owned();
        row.split_whitespace().skip(1).take(2).collect::<Vec<_>>().join(" ")
    };
    let server = "[[endpoints]]\nname = \"here\"\nurl = \"http://127.0.0.1:9/v1\"\n";
    let small = user.small_network("home/config/networks/mop");
    assert!(small.ends_with("mop"));
    assert_eq!(network(""), "symbolic default");
    assert_eq!(network(server), "symbolic default", "no tier has a model");
    assert_eq!(network(&format!("[models]\nfast = \"here/m\"\n{server}")), "mop default");
    assert_eq!(network(&format!("model = \"here/m\"\n{server}")), "mop default");
    assert_eq!(network("provider = \"scripted:script.jsonl\"\n").split(' ').next(), Some("mop"));
    assert!(network(&format!("network = \"symbolic\"\nmodel = \"m\"\n{server}")).starts_with("symbolic "));
}

/// Whoever plays the model answers each prompt by what it asks for.
fn play(user: &User, until: Instant) -> usize {
    let folder = user.project().join("hands");
    let replies = [
        ("START", r#"{"contributions": [], "next": "work", "why": "one task"}"#),
        ("WORK", r#"{"contributions": [{"section": "draft", "text": "391", "answer": "391"}], "next": "check"}"#),
        (
            "CHECK",
            r#"{"contributions": [{"section": "verdict", "text": "pass", "pass": true, "about": 0}], "next": "done"}"#,
        ),
        ("DONE", r#"{"contributions": [{"section": "assessment", "text": "done", "data": {"complete": true}}]}"#),
        ("SHOW", r#"{"contributions": [{"section": "answer", "text": "391"}]}"#),
    ];
    let mut answered = Vec::new();
    while Instant::now() < until && answered.len() < replies.len() {
        for entry in fs::read_dir(&folder).into_iter().flatten().map_while(Result::ok) {
            let path = entry.path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let Some(id) = name.strip_suffix(".prompt.md").filter(|id| !answered.contains(&(*id).to_owned())) else {
                continue;
            };
            let Ok(prompt) = fs::read_to_string(&path) else { continue };
            let (_, reply) = replies.iter().find(|(mark, _)| prompt.contains(mark)).unwrap();
            fs::write(folder.join(format!("{id}.answer.md")), reply).unwrap();
            answered.push(id.to_owned());
        }
        // The folder says nothing by itself; this only keeps the loop from taking a core.
        thread::park_timeout(Duration::from_millis(10));
    }
    answered.len()
}

#[test]
fn a_run_played_by_hand_is_recorded_and_given_back_without_anybody() {
    let user = user(SCRIPT);
    user.write("home/config/config.toml", "");
    let args =
        |source| ["run", "--json", "--seed", "7", "--provider", source, "--network", "./prompts", "What is 17*23?"];
    let done = thread::scope(|scope| {
        let player = scope.spawn(|| play(&user, Instant::now() + Duration::from_secs(60)));
        let done = user.mop(&args("manual:hands,record:kept.jsonl"));
        assert_eq!(player.join().unwrap(), 5);
        done
    });
    assert_eq!(done.code, 0, "{done:?}");
    let played = done.json().pop().unwrap();
    assert_eq!((&played["answer"], &played["usage"]["calls"]), (&"391".into(), &5.into()), "{played}");
    fs::remove_dir_all(user.project().join("hands")).unwrap();
    let given = user.expect(0, &args("replay:kept.jsonl")).json().pop().unwrap();
    assert_eq!((&given["answer"], &given["usage"]["calls"]), (&"391".into(), &5.into()), "{given}");
    // A record of a record is the same one again.
    user.expect(0, &args("replay:kept.jsonl,record:copy.jsonl"));
    let text = |name: &str| fs::read_to_string(user.project().join(name)).unwrap();
    assert_eq!(text("kept.jsonl"), text("copy.jsonl"));
}

#[cfg(unix)]
#[test]
fn the_doctor_names_what_is_wrong_and_no_key() {
    use std::os::unix::fs::PermissionsExt;
    let user = User::new();
    let done = user.expect(0, &["doctor"]);
    assert!(done.out.contains("mop can work") && done.out.contains("sandbox"), "{}", done.out);
    let secrets = user.write("home/config/secrets.toml", &format!("MINE = \"{CANARY}\"\n"));
    fs::set_permissions(&secrets, fs::Permissions::from_mode(0o600)).unwrap();
    let dead = closed();
    let config = |strong: &str| {
        format!(
            "sed = 4\n[models]\nstrong = \"{strong}\"\n[[endpoints]]\nname = \"here\"\nurl = \"{}\"\nkey = \"MINE\"\n\
             [[endpoints]]\nname = \"gone\"\nurl = \"{dead}\"\n",
            refusing()
        )
    };
    user.write("home/config/config.toml", &config("here/qwen"));
    let output = user
        .command(&["doctor", "--json"])
        .env("HTTPS_PROXY", format!("http://me:{CANARY}@127.0.0.1:9"))
        .env("NO_PROXY", "127.0.0.1")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr);
    assert!(!text.contains("canary"), "{text}");
    let seen: Value = serde_json::from_str(&text).unwrap();
    let find = |words: &str| {
        let all = seen["checks"].as_array().unwrap();
        let found = all.iter().find(|check| check["what"].as_str().unwrap().contains(words));
        found.map(|check| (check["state"].as_str().unwrap(), check["next"].as_str().unwrap_or_default()))
    };
    assert_eq!((seen["ok"].as_bool(), output.status.code()), (Some(true), Some(0)), "{text}");
    assert_eq!(find("no setting is called `sed`"), Some(("warning", "did you mean `seed`?")));
    assert_eq!(find("MINE"), Some(("ok", "")), "{text}");
    assert_eq!(find("http://[credentials]@127.0.0.1:9"), Some(("ok", "")));
    assert_eq!(find("answers: qwen"), Some(("ok", "")));
    assert!(find("gone at").is_some_and(|(state, next)| state == "warning" && !next.is_empty()), "{text}");
    assert_eq!(find("strong = here/qwen, by here"), Some(("ok", "")));

    user.write("home/config/config.toml", &config("gone/qwen"));
    let done = user.expect(1, &["doctor"]);
    assert!(done.out.contains("strong = gone/qwen: no server that answered has it"), "{}", done.out);
}
