//! A process that is killed: the session goes on, and at most the open step is done again.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::cli::User;

const QUESTION: &str = "Solve x/(x-1) = 1/(x-1)";

fn activations(journal: &str) -> usize {
    journal.lines().filter(|line| line.contains("\"event\":\"Activated\"")).count()
}

#[test]
fn a_journal_that_ends_after_any_of_its_first_events_is_taken_up_again() {
    let user = User::new();
    let whole = user.mop(&["run", "--approve", "reject", QUESTION]);
    assert_eq!((whole.code, whole.out.as_str()), (0, "no solution\n"), "{whole:?}");
    let id = user.sessions()[0].clone();
    let path = user.journal(&id);
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let ran = activations(&text);
    for cut in (1..=20).chain([40, 60, lines.len() - 1]) {
        for torn in ["", &lines[cut][..lines[cut].len() / 2]] {
            fs::write(&path, format!("{}{torn}", lines[..cut].concat())).unwrap();
            let done = user.mop(&["resume", &id]);
            assert_eq!((done.code, done.out.as_str()), (0, "no solution\n"), "after event {cut}: {done:?}");
            let again = activations(&fs::read_to_string(&path).unwrap());
            assert!(again <= ran + 1, "after event {cut}: {again} activations instead of {ran}");
        }
    }
}

/// A solver that takes its time the first time round, so that there is something to kill.
const SLOW: &str = "# /// program\n# role = \"Dawdles\"\n# contract = \"solver\"\n# group = \"experts\"\n# reads = [\"fact\"]\n# writes = [\"draft\"]\n# accepts = \"'please wait' in query.text\"\n# after = [\"@solver/core\"]\n# deadline-ms = 60000\n# params = { rounds = 400000 }\n# ///\n\n\ndef run(task, memory, params):\n    total = 0\n    for number in range(params[\"rounds\"]):\n        total += number % 7\n    answer = {\"is\": \"number\", \"value\": str(total)}\n    return {\"contributions\": [{\"section\": \"draft\", \"text\": str(total), \"data\": {\"answer\": answer, \"method\": \"counting\"}}]}\n";

#[cfg(unix)]
#[test]
fn a_killed_process_loses_at_most_the_open_step() {
    let user = User::new();
    user.write("slow/network.toml", "extends = \"symbolic\"\n");
    user.write("slow/dawdler.py", SLOW);
    let args = ["run", "--json", "--network", "./slow", "please wait for it"];
    let expected = user.mop(&args).json().pop().unwrap();
    assert!(expected["answer"].is_string(), "{expected}");
    for event in ["EpisodeStarted", "Scored", "Routed", "Activated", "CycleBegan"] {
        let mut child = user.command(&args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let seen = lines.by_ref().map_while(Result::ok).any(|line| line.contains(&format!("\"event\":\"{event}\"")));
        assert!(seen, "{event} was seen");
        child.kill().unwrap();
        child.wait().unwrap();
        let last = user.mop(&["resume", "last", "--json"]).json().pop().unwrap();
        assert_eq!((&last["answer"], &last["exit"]), (&expected["answer"], &expected["exit"]), "killed after {event}");
    }
}
