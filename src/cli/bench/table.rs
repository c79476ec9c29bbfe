//! A report as people read it in a terminal.

use crate::bench::{ArmReport, Interval, PairReport, Report, Spread};
use crate::cli::text::{count, table};

/// Arms, then pairs of arms; then the same by suite where there are several.
pub(super) fn of(report: &Report) -> String {
    let asked = count(report.plan.questions, "question");
    let seeds = count(report.plan.seeds.len(), "seed");
    let whole = if report.whole { String::new() } else { " — not all are asked yet".to_owned() };
    let shard = report.plan.shard.map(|shard| format!(", shard {shard} of them")).unwrap_or_default();
    let mut text = format!("{asked}{shard}, {seeds}{whole}\n\n{}", both(&report.arms, &report.pairs));
    for (suite, (arms, pairs)) in &report.suites {
        text.push_str(&format!("\n{suite}\n\n{}", both(arms, pairs)));
    }
    text.push_str(
        "\nn: questions times seeds. accuracy: 95 % interval by Wilson; no answer counts as wrong. a − b: on questions that both \
         have\nfinished, 95 % interval by a bootstrap over them (10000, seed 1); p: McNemar's exact test. cycles, seconds: sum, \
         median.\n",
    );
    text
}

fn both(arms: &[ArmReport], pairs: &[PairReport]) -> String {
    let heading = [
        "arm",
        "n",
        "accuracy",
        "right",
        "wrong",
        "no answer",
        "verified",
        "tokens",
        "calls",
        "dollars",
        "cycles",
        "seconds",
    ];
    let mut text = table(&heading, &arms.iter().map(arm).collect::<Vec<_>>());
    if !pairs.is_empty() {
        let heading =
            ["a − b", "n", "accuracy", "p", "wins", "losses", "ties", "tokens a question", "calls a question"];
        text.push('\n');
        text.push_str(&table(&heading, &pairs.iter().map(pair).collect::<Vec<_>>()));
    }
    text
}

fn arm(arm: &ArmReport) -> Vec<String> {
    let Interval { mean, low, high } = arm.accuracy;
    let spread = |spread: &Spread, digits: usize| format!("{:.digits$} ({:.digits$})", spread.sum, spread.median);
    let verified = match arm.verified {
        (0, _) => "0".to_owned(),
        (all, right) => format!("{all}, {right} right"),
    };
    vec![
        arm.arm.clone(),
        arm.items.to_string(),
        format!("{:.1} % [{:.1}, {:.1}]", mean * 100.0, low * 100.0, high * 100.0),
        arm.right.to_string(),
        arm.wrong.to_string(),
        arm.unanswered.to_string(),
        verified,
        spread(&arm.tokens, 0),
        spread(&arm.calls, 0),
        arm.dollars.map_or("?".to_owned(), |dollars| format!("{:.4}", dollars.sum)),
        spread(&arm.cycles, 0),
        spread(&arm.seconds, 1),
    ]
}

fn pair(pair: &PairReport) -> Vec<String> {
    let interval = |interval: &Interval, by: f64, digits: usize, unit: &str| {
        let Interval { mean, low, high } = interval;
        format!("{:+.digits$}{unit} [{:+.digits$}, {:+.digits$}]", mean * by, low * by, high * by)
    };
    vec![
        format!("{} − {}", pair.a, pair.b),
        pair.questions.to_string(),
        interval(&pair.accuracy, 100.0, 1, " %"),
        if pair.p < 0.001 { "<0.001".to_owned() } else { format!("{:.3}", pair.p) },
        pair.wins.to_string(),
        pair.losses.to_string(),
        pair.ties.to_string(),
        interval(&pair.tokens, 1.0, 1, ""),
        interval(&pair.calls, 1.0, 2, ""),
    ]
}
