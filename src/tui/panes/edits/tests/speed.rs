use std::time::Instant;

use super::*;

/// A change of many lines: every seventh line is another, and every one of them is long.
fn large(lines: usize, tail: &str) -> Bench {
    let line = |n: usize, word: &str| format!("line {n} = {word}({}){tail}\n", n * 31);
    let before: String = (0..lines).map(|n| line(n, "value")).collect();
    let after: String = (0..lines).map(|n| line(n, if n % 7 == 0 { "other" } else { "value" })).collect();
    open_one(vec![change("a.py", Some(&before), Some(&after))])
}

fn timed(work: impl FnOnce()) -> Duration {
    let since = Instant::now();
    work();
    since.elapsed()
}

#[test]
fn a_drawing_looks_only_at_what_is_visible() {
    let words = |lines: usize| {
        let mut bench = large(lines, "");
        bench.act(Action::HunkNext);
        bench.see();
        bench.pane.with(&bench.scene(), |review, _| review.words.len()).unwrap()
    };
    let few = words(140);
    assert!(few > 0 && few == words(14_000), "{few}");
}

#[test]
fn of_a_thousand_proposals_only_the_listed_are_looked_at() {
    let one = |n: usize| proposal(&format!("p{n}"), vec![change("a.txt", Some("a\nb\n"), Some("a\nB\n"))]);
    let mut bench = Bench::of((0..1000).map(|n| (one(n), ProposalStatus::Open)).collect());
    for _ in 0..3 {
        bench.act(Action::EditNext);
        bench.see();
    }
    assert!(bench.see().contains("── 4 of 1000 ──"));
    assert!(bench.pane.counts.borrow().len() < 20);
    assert!(bench.pane.reviews.borrow().len() <= 4);
}

#[test]
#[ignore = "measures; run it alone, with --release for the numbers that count"]
fn speed() {
    for (lines, tail) in [(50_000, String::new()), (10_000, " word".repeat(400))] {
        let mut bench = Bench::on(Stage::empty());
        let mut found = large(lines, &tail);
        bench.pane.patience = Duration::from_millis(5);
        std::mem::swap(&mut bench.stage, &mut found.stage);
        let opened = timed(|| drop(bench.see()));
        let jumps: Vec<Duration> = (0..50)
            .map(|_| {
                timed(|| {
                    for _ in 0..20 {
                        bench.act(Action::HunkNext);
                    }
                    bench.see();
                })
            })
            .collect();
        let end = timed(|| {
            bench.act(Action::Bottom);
            bench.see();
        });
        let again = timed(|| drop(bench.see()));
        let longest = jumps.iter().max().unwrap();
        println!("{lines} lines: open {opened:?}, 20 hunks on at most {longest:?}, end {end:?}, again {again:?}");
    }
}
