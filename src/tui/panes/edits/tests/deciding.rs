use proptest::prelude::*;

use super::*;
use crate::engine::chosen;
use crate::model::Decision;
use crate::tui::live::Queue;

const BEFORE: &str = "one\ntwo\nthree\nfour\nfive\nsix\n";
const AFTER: &str = "ONE\ntwo\nthree\nFOUR\nFIVE\nsix\nseven\n";

fn decided(effects: &[Effect]) -> Decision {
    match effects {
        [Effect::Proposal(one), Effect::Decide(two, decision)] if one == two => decision.clone(),
        other => panic!("{other:?} decides nothing"),
    }
}

/// What the engine makes of the decision that the pane sends.
fn outcome(bench: &mut Bench) -> Vec<(String, Option<String>)> {
    let decision = decided(&bench.act(Action::HunkApply));
    let proposal = bench.pane.selected(&bench.scene()).unwrap().0.clone();
    let chosen = chosen(&proposal, &decision).unwrap();
    chosen.changes.iter().map(|one| (one.path.clone(), one.after.as_ref().map(ToString::to_string))).collect()
}

#[test]
fn nothing_is_chosen_at_first_and_nothing_is_applied_then() {
    let mut bench = open_one(vec![change("a.txt", Some(BEFORE), Some(AFTER))]);
    assert_eq!(bench.heading(), ("1 waits".into(), "hunk 1/3 · 0 chosen".into()));
    assert_eq!(
        said(&bench.act(Action::HunkApply)),
        "no hunk is chosen: a chooses the one at the cursor, A chooses all"
    );
    // Opening decides nothing either.
    for key in [Action::EditOpen, Action::Open] {
        assert_eq!(bench.act(key), []);
    }
}

#[test]
fn whole_hunks_go_by_their_numbers_over_all_files() {
    let two = vec![change("a.txt", Some(BEFORE), Some(AFTER)), change("b.txt", Some("x\n"), Some("y\n"))];
    let mut bench = open_one(two);
    for _ in 0..2 {
        bench.act(Action::HunkNext);
    }
    bench.act(Action::HunkToggle);
    bench.act(Action::HunkNext);
    bench.act(Action::HunkToggle);
    assert_eq!(bench.heading().1, "hunk 4/4 · 2 chosen");
    let decision = decided(&bench.act(Action::HunkApply));
    assert_eq!(decision, Decision { accept: vec![3, 4], reason: String::new(), edited: vec![], by: Author::Human });
    bench.act(Action::HunkAll);
    assert_eq!(decided(&bench.act(Action::HunkApply)).accept, [1, 2, 3, 4]);
    bench.act(Action::HunkAll);
    assert!(said(&bench.act(Action::HunkApply)).contains("no hunk is chosen"));
}

#[test]
fn a_part_of_a_hunk_goes_with_the_exact_text() {
    let mut bench = open_one(vec![change("a.txt", Some(BEFORE), Some(AFTER))]);
    bench.act(Action::HunkNext);
    bench.act(Action::HunkSplit);
    assert_eq!(bench.heading().1, "hunk 2/4 · 0 chosen");
    bench.act(Action::HunkNext);
    bench.act(Action::HunkToggle);
    let decision = decided(&bench.act(Action::HunkApply));
    assert_eq!(decision.accept, [2]);
    assert_eq!(&*decision.edited[0].1, "one\ntwo\nthree\nfour\nFIVE\nsix\n");
    assert_eq!(outcome(&mut bench)[0].1.as_deref(), Some("one\ntwo\nthree\nfour\nFIVE\nsix\n"));
    // When all of its parts are chosen, it is whole again.
    bench.act(Action::HunkBack);
    bench.act(Action::HunkToggle);
    assert_eq!(decided(&bench.act(Action::HunkApply)).edited, []);
    // Down to single lines: the new one can be had beside the old one.
    bench.act(Action::HunkAll);
    bench.act(Action::HunkAll);
    bench.act(Action::HunkSplit);
    bench.act(Action::HunkNext);
    bench.act(Action::HunkToggle);
    assert_eq!(outcome(&mut bench)[0].1.as_deref(), Some("one\ntwo\nthree\nfour\nFOUR\nfive\nsix\n"));
    assert_eq!(said(&bench.act(Action::HunkSplit)), "this is a single line already");
}

#[test]
fn files_that_come_or_go_can_be_taken_in_part() {
    let both = vec![change("new.txt", None, Some("a\nb\n")), change("old.txt", Some("c\nd\n"), None)];
    let mut bench = open_one(both);
    bench.act(Action::HunkAll);
    assert_eq!(outcome(&mut bench), [("new.txt".into(), Some("a\nb\n".into())), ("old.txt".into(), None)]);
    bench.act(Action::HunkAll);
    bench.act(Action::HunkSplit);
    bench.act(Action::HunkToggle);
    assert_eq!(outcome(&mut bench), [("new.txt".into(), Some("a\n".into()))]);
    bench.act(Action::HunkToggle);
    for _ in 0..2 {
        bench.act(Action::HunkNext);
    }
    assert_eq!(said(&bench.act(Action::EditText)), "this file would be removed; there is no text to edit");
    bench.act(Action::HunkSplit);
    bench.act(Action::HunkToggle);
    assert_eq!(outcome(&mut bench), [("old.txt".into(), Some("d\n".into()))]);
}

#[test]
fn an_edited_text_is_chosen_anew_and_sent_as_it_is() {
    let mut bench = open_one(vec![change("a.txt", Some(BEFORE), Some(AFTER))]);
    bench.act(Action::HunkAll);
    let effects = bench.act(Action::EditText);
    let [Effect::Proposal(_), Effect::Edit { purpose, text, .. }] = &*effects else { panic!("{effects:?}") };
    assert_eq!((purpose, text.as_str()), (&Purpose::Proposed("p1".into(), "a.txt".into()), AFTER));
    assert_eq!(said(&bench.told(purpose, AFTER)), "the text is as it was");
    assert_eq!(bench.heading().1, "hunk 1/3 · 3 chosen");
    let mine = BEFORE.replace("two", "mine").replace("six", "end");
    assert!(said(&bench.told(purpose, &mine)).starts_with("edited: choose"));
    assert_eq!(bench.heading().1, "hunk 1/2 · 0 chosen");
    assert!(bench.see().contains("a.txt  edited by you"));
    bench.act(Action::HunkNext);
    bench.act(Action::HunkToggle);
    assert_eq!(outcome(&mut bench), [("a.txt".into(), Some(BEFORE.replace("six", "end")))]);
    // The editor opens what the user made of it; the proposed text can come back.
    let effects = bench.act(Action::EditText);
    assert!(matches!(&effects[1], Effect::Edit { text, .. } if *text == mine), "{effects:?}");
    assert_eq!(said(&bench.told(purpose, AFTER)), "the text is again as it was proposed");
    assert_eq!(bench.heading().1, "hunk 1/3 · 0 chosen");
    assert_eq!(said(&bench.told(purpose, BEFORE)), "edited: now nothing would change");
    assert!(said(&bench.act(Action::HunkApply)).contains("no hunk is chosen"));
    bench.see();
}

#[test]
fn a_rejection_asks_for_a_reason() {
    let mut bench = open_one(vec![change("a.txt", Some(BEFORE), Some(AFTER))]);
    let effects = bench.act(Action::EditReject);
    let [Effect::Proposal(_), Effect::Ask { purpose, .. }] = &*effects else { panic!("{effects:?}") };
    let effects = bench.told(purpose, " too clever \n");
    let [Effect::Decide(id, decision)] = &*effects else { panic!("{effects:?}") };
    assert_eq!((id.as_str(), decision.reason.as_str()), ("p1", "too clever"));
    assert!(decision.takes_nothing() && decision.by == Author::Human);
    assert_eq!(bench.act(Action::EditUndo), [Effect::Undo]);
}

#[test]
fn keys_that_decide_sleep_when_something_else_has_come_up() {
    let changes = || vec![change("a.txt", Some(BEFORE), Some(AFTER))];
    let one = || (proposal("p1", changes()), ProposalStatus::Open);
    let two = || (proposal("p2", vec![change("b.txt", Some("x\n"), Some("y\n"))]), ProposalStatus::Open);
    let mut bench = Bench::of(vec![one(), two()]);
    let asleep = |bench: &mut Bench| {
        let before = bench.clock;
        for key in [Action::HunkApply, Action::EditReject] {
            assert!(said(&bench.act(key)).contains("wake up 0.3 s after"), "{key:?}");
        }
        bench.clock += 299;
        assert!(said(&bench.act(Action::HunkApply)).contains("wake up"));
        bench.clock = before + 300;
        decided(&bench.act(Action::HunkApply))
    };
    bench.act(Action::HunkAll);
    decided(&bench.act(Action::HunkApply));
    // The pane got the focus.
    bench.pane.focused(bench.clock);
    asleep(&mut bench);
    // Another proposal was selected.
    bench.act(Action::EditNext);
    bench.act(Action::HunkAll);
    assert_eq!(asleep(&mut bench).accept, [1]);
    bench.act(Action::EditBack);
    assert_eq!(asleep(&mut bench).accept, [1, 2, 3]);
    // It was decided elsewhere and then waits again.
    let state = crate::model::State::default();
    bench.stage.queue.load(vec![(one().0, ProposalStatus::Rejected("no".into())), two()], &state);
    assert!(said(&bench.act(Action::HunkApply)).starts_with("it was decided before; u takes"));
    bench.stage.queue.load(vec![one(), two()], &state);
    asleep(&mut bench);
    // A clock that was set back holds nothing up.
    bench.clock -= 100_000;
    decided(&bench.act(Action::HunkApply));
}

#[test]
fn another_proposal_that_comes_in_changes_nothing_that_is_looked_at() {
    let mut bench = Bench::recorded();
    bench.act(Action::HunkNext);
    bench.act(Action::HunkToggle);
    bench.act(Action::PageDown);
    let (before, heading) = (bench.see(), bench.heading().1);
    let mut queue = Queue::default();
    let late = (proposal("p-late", vec![change("z.txt", None, Some("z\n"))]), ProposalStatus::Open);
    queue.load(vec![late], &crate::model::State::default());
    let late = queue.all()[0].0.as_ref().clone();
    // The library comes in again too, with the same proposal under another address.
    let here = bench.stage.queue.all()[0].0.as_ref().clone();
    let both = vec![(here, ProposalStatus::Open), (late, ProposalStatus::Open)];
    bench.stage.queue.load(both, &crate::model::State::default());
    assert_eq!(bench.heading(), ("2 wait".into(), heading));
    let diff = |text: &str| text.lines().filter(|line| line.contains("kept = ")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(diff(&bench.see()), diff(&before));
    assert_eq!(decided(&bench.act(Action::HunkApply)).accept, [2]);
}

#[test]
fn what_was_made_from_an_older_text_can_be_rejected_only() {
    // The proposal was made from the text before the revision.
    let mut bench = Bench::recorded();
    let stale = bench.stage.queue.all()[0].0.as_ref().clone();
    bench.act(Action::HunkAll);
    bench.stage.live = Stage::of(IMPROVED, 231).live;
    bench.stage.queue.load(vec![(stale, ProposalStatus::Open)], &crate::model::State::default());
    let text = bench.see();
    assert!(text.contains("✗ algebra.py has changed since this was made."), "{text}");
    bench.clock += 301;
    for key in [Action::HunkApply, Action::EditText] {
        let words = bench.act(key);
        assert!(said(&words).starts_with("algebra.py has changed since this was made; X rejects it"), "{words:?}");
    }
    assert!(matches!(&*bench.act(Action::EditReject), [_, Effect::Ask { .. }]));
    assert!(!bench.pane.hints(&bench.scene()).contains(&Action::HunkApply));
}

#[test]
fn hints_name_what_is_possible_now() {
    let mut bench = Bench::recorded();
    assert_eq!(bench.pane.hints(&bench.scene())[..2], [Action::HunkToggle, Action::HunkNext]);
    bench.act(Action::HunkToggle);
    assert_eq!(bench.pane.hints(&bench.scene())[0], Action::HunkApply);
    let done = Stage::of(IMPROVED, 231);
    assert_eq!(Edits::default().hints(&done.scene()), [Action::EditHistory, Action::EditUndo]);
    assert_eq!(Edits::default().hints(&Stage::empty().scene()), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is split, edited and chosen: the engine makes of the decision exactly what the screen shows as chosen.
    #[test]
    fn the_engine_takes_exactly_what_is_chosen(
        before in "([abc]{0,2}\n){0,9}[ab]?", after in "([abc]{0,2}\n){0,9}[ab]?",
        mine in proptest::option::of("([abc]{0,2}\n){0,9}"), keys in prop::collection::vec(0..5u8, 0..40),
    ) {
        prop_assume!(before != after);
        let mut bench = open_one(vec![change("a.txt", Some(&before), Some(&after))]);
        for (index, key) in keys.iter().enumerate() {
            bench.act([Action::HunkNext, Action::HunkToggle, Action::HunkSplit, Action::HunkBack, Action::HunkToggle][usize::from(*key)]);
            if index == 10 && let Some(mine) = &mine {
                bench.told(&Purpose::Proposed("p1".into(), "a.txt".into()), mine);
            }
        }
        bench.see();
        let expected = bench.pane.with(&bench.scene(), |review, _| {
            let taken: Vec<_> = review.pieces.iter().filter(|one| one.chosen).map(|one| one.hunk.clone()).collect();
            (!taken.is_empty()).then(|| crate::model::apply_hunks(&before, review.files[0].after.text(), &taken))
        }).unwrap();
        match expected {
            None => prop_assert!(said(&bench.act(Action::HunkApply)).contains("no hunk is chosen")),
            Some(text) if text == before => {}
            Some(text) => prop_assert_eq!(outcome(&mut bench), [("a.txt".to_owned(), Some(text))]),
        }
    }
}
