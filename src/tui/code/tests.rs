use std::sync::mpsc;
use std::time::Duration;

use super::*;

const SCRIPT: &str = "# /// program\n# role = \"Solves\" # so\n# [[tests]]\n# n = 3\n# ///\n\ndef run(task):\n    return \"x\" + str(1)  # why\n";

fn arc(text: &str) -> Arc<str> {
    Arc::from(text)
}

fn shown(lines: &[CodeLine]) -> Vec<String> {
    let piece = |(role, text): &(Role, String)| match role {
        Role::Text => text.clone(),
        role => format!("<{} {text}>", role.name().trim_start_matches("code-")),
    };
    lines.iter().map(|line| line.iter().map(piece).collect()).collect()
}

fn plain(lines: &[CodeLine]) -> Vec<String> {
    lines.iter().map(|line| line.iter().map(|(_, text)| text.as_str()).collect()).collect()
}

#[test]
fn a_script_its_front_matter_a_prompt_and_a_network_have_colours() {
    let check = |path: &str, text: &str, expected: &[&str]| {
        let code = Code::immediate();
        let text = arc(text);
        assert_eq!(shown(&code.lines(path, &text, 0..99)), expected, "{path}");
    };
    check(
        "a.py",
        SCRIPT,
        &[
            "<comment # /// program>",
            "<comment # ><function role> = <string \"Solves\"> <comment # so>",
            "<comment # ><keyword [[tests]]>",
            "<comment # ><function n> = <number 3>",
            "<comment # ///>",
            "",
            "<keyword def> <function run>(<name task>):",
            "    <keyword return> <string \"x\"> + <name str>(<number 1>)  <comment # why>",
        ],
    );
    check(
        "a.md",
        "+++\nrole = \"r\"\n+++\n# Title\nWrite `x` now.\n",
        &[
            "<comment +++>",
            "<function role> = <string \"r\">",
            "<comment +++>",
            "<keyword # Title>",
            "Write <string `x`> now.",
        ],
    );
    check(
        "network.toml",
        "a.b = [1, \"c\\\"d\"]\ntext = \"\"\"one\ntwo\"\"\" # end\non = true",
        &[
            "<function a.b> = [<number 1>, <string \"c\\\"d\">]",
            "<function text> = <string \"\"\"one>",
            "<string two\"\"\"> <comment # end>",
            "<function on> = <number true>",
        ],
    );
    check("a.unknown", "def x", &["def x"]);
    check("none", "def x", &["def x"]);
    check("a.py", "", &[]);
}

#[test]
fn pieces_together_are_the_clean_line_whatever_it_holds() {
    let code = Code::immediate();
    let hostile = "x = '\x1b[2J'\t# \u{202e}👨\u{200d}👩 漢 e\u{301}\u{301}\u{301}\n\u{301}\r\n\"\"\"\r\nopen";
    for path in ["a.py", "a.md", "a.toml", "a.json", "a"] {
        let text = arc(hostile);
        let expected: Vec<String> = hostile.lines().map(|line| clean(line).into_owned()).collect();
        assert_eq!(plain(&code.lines(path, &text, 0..9)), expected, "{path}");
    }
    let long = format!("x = \"{}\"\ny = 1\n", "a".repeat(100_000));
    let text = arc(&long);
    let lines = code.lines("a.py", &text, 0..2);
    assert_eq!((lines[0].len(), lines[0][0].0, lines[0][0].1.len()), (1, Role::Text, 100_006));
    assert_eq!(shown(&lines[1..]), ["y = <number 1>"]);
}

#[test]
fn the_thread_wakes_who_draws_when_what_was_asked_for_is_ready_and_ends_with_it() {
    let (sender, woken) = mpsc::channel();
    let code = Code::new(Box::new(move || {
        let _ = sender.send(());
    }));
    let text = arc(&SCRIPT.repeat(20));
    assert_eq!(code.lines("a.py", &text, 6..8)[0].len(), 1, "plain at first");
    woken.recv_timeout(Duration::from_secs(20)).unwrap();
    assert_eq!(shown(&code.lines("a.py", &text, 6..7)), ["<keyword def> <function run>(<name task>):"]);
    // One chunk was enough; nothing is done beyond it, and nothing twice.
    assert_eq!(code.coloured("a.py", &text), CHUNK);
    assert!(woken.try_recv().is_err());
    // The same content under another address is known already.
    assert_eq!(code.coloured("b.py", &arc(&text)), CHUNK);
    drop(code);
    // The thread owns the other end of the wire.
    assert_eq!(woken.recv_timeout(Duration::from_secs(20)), Err(mpsc::RecvTimeoutError::Disconnected));
}

#[test]
fn what_is_too_large_stays_plain_and_starts_nothing() {
    let code = Code::default();
    let text = arc(&"x = 1\n".repeat(LARGEST / 4));
    assert_eq!(plain(&code.lines("a.py", &text, 70_000..70_001)), ["x = 1"]);
    assert!(matches!(&*code.work.borrow(), Work::Idle(_)));
    assert!(code.desk.lock().wanted.is_empty());
}

#[test]
fn the_one_asked_for_last_comes_first_and_old_wishes_are_dropped() {
    let code = Code::default();
    // As if there were a thread that never comes to anything.
    *code.work.borrow_mut() = Work::Thread;
    let texts: Vec<Arc<str>> = (0..9).map(|n| arc(&format!("x = {n}"))).collect();
    for text in texts.iter().chain([&texts[4]]) {
        code.lines("a.py", text, 0..1);
    }
    let wanted: Vec<String> =
        code.desk.lock().wanted.iter().map(|wanted| wanted.known.lines.text().to_string()).collect();
    assert_eq!(wanted, ["x = 4", "x = 8", "x = 7", "x = 6", "x = 5", "x = 3"]);
}

#[test]
fn what_was_not_looked_at_for_longest_is_forgotten_first() {
    let key = |n: usize| Key { language: Language::Toml, content: Hash::of(n.to_string()) };
    let done = |used: u64| Done { lines: vec![Pieces::default(); MOST_LINES / 2], used };
    let mut board = Board::default();
    board.done.extend([(key(1), done(3)), (key(2), done(1)), (key(3), done(2))]);
    board.make_room(&key(2));
    assert!(board.done.contains_key(&key(1)) && board.done.contains_key(&key(2)));
    assert!(!board.done.contains_key(&key(3)));
}
