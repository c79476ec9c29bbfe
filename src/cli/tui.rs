//! `mop`: the terminal interface.

use crate::store::Key;

use super::failure::Failure;

/// How the terminal interface opens.
#[derive(Debug, clap::Args)]
pub(super) struct Tui {
    /// A question that is asked at once
    query: Vec<String>,
    /// Network: a name, or the path of a folder with a network.toml
    #[arg(long, value_name = "NAME|PATH")]
    network: Option<String>,
    /// Model of all tiers: a name that a configured server has, or ENDPOINT/MODEL
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Where replies of models come from: live, manual (you type them), record:FILE, replay:FILE or scripted:FILE
    #[arg(long, value_name = "SOURCE")]
    provider: Option<String>,
    /// Open a session: an id, the beginning of one, or `last`
    #[arg(long, value_name = "SESSION", num_args = 0..=1, default_missing_value = "last", conflicts_with = "query")]
    open: Option<String>,
    /// Stand still before the first program of a question
    #[arg(long)]
    step: bool,
    /// Colours: `terminal`, `dusk`, `paper`, or a file of your own
    #[arg(long, value_name = "NAME")]
    theme: Option<String>,
    /// Draw in ASCII only
    #[arg(long)]
    ascii: bool,
}

impl Tui {
    /// Flags that override settings.
    pub(super) fn flags(&self) -> Vec<(Key, String)> {
        let on = |set: bool| set.then(|| "on".to_owned());
        [
            (Key::Network, self.network.clone()),
            (Key::Model, self.model.clone()),
            (Key::Provider, self.provider.clone()),
            (Key::Step, on(self.step)),
            (Key::Theme, self.theme.clone()),
            (Key::Ascii, on(self.ascii)),
        ]
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)))
        .collect()
    }
}

/// Without the interface there is only the advice.
#[cfg(not(feature = "tui"))]
pub(super) fn run(args: &Tui, _: &[(Key, String)]) -> Result<u8, Failure> {
    // The arguments are read all the same, so that a misspelt subcommand is named.
    args.misspelt()?;
    Err(Failure::usage("this build has no terminal interface", "use `mop run \"…\"`"))
}

/// Opens the interface and prints what stays when it is left.
#[cfg(feature = "tui")]
pub(super) fn run(args: &Tui, flags: &[(Key, String)]) -> Result<u8, Failure> {
    use std::io::{IsTerminal, Write, stdin, stdout};

    use super::{block_on, find, out};
    use crate::model::Severity;
    use crate::tui::{Opening, main};

    args.misspelt()?;
    if !stdin().is_terminal() || !stdout().is_terminal() {
        let hint = "use `mop run \"…\"` for a question, or `mop run -` to read it from standard input";
        return Err(Failure::usage("the terminal interface needs a terminal", hint));
    }
    let mut app = find(flags)?;
    app.models.hand.attend();
    let wrong =
        app.problems.iter().find(|problem| problem.severity == Severity::Error && problem.path.starts_with("--"));
    if let Some(problem) = wrong {
        return Err(Failure::usage(problem.to_string(), "`mop --help` lists the flags"));
    }
    if args.model.is_some() {
        block_on(app.settle_model())??;
    }
    let session = match &args.open {
        Some(name) => Some(app.sessions.resolve(name)?),
        None => None,
    };
    let works = super::run::works(&app, app.config.network())?;
    let opening = Opening { query: Some(args.query.join(" ")).filter(|query| !query.trim().is_empty()), session };
    let farewell = block_on(main(app, works, opening, &|name| std::env::var(name).ok()))??;
    for line in &farewell.lines {
        if farewell.code == 0 {
            out::line(line);
        } else {
            // A signal ended it, perhaps because the terminal went away; then nobody reads this, and the code stays.
            let _ = writeln!(stdout().lock(), "{line}");
        }
    }
    Ok(farewell.code)
}

impl Tui {
    /// A first word that is nearly a subcommand is taken for that, not for a question.
    fn misspelt(&self) -> Result<(), Failure> {
        use clap::CommandFactory;
        let Some(word) = self.query.first().filter(|word| !word.contains(char::is_whitespace)) else { return Ok(()) };
        let command = super::Args::command();
        match crate::model::did_you_mean(word, command.get_subcommands().map(clap::Command::get_name)) {
            Some(hint) => Err(Failure::usage(format!("no subcommand is called `{word}`"), hint)),
            None => Ok(()),
        }
    }
}
