//! A person plays the model: each prompt is a file in a folder, and its answer is the file that they put beside it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::time::sleep;

use crate::engine::ports::{
    Ask, Fault, Message, Offers, Piece, PortError, Provider, ProviderError, Reply, Seen, Tokens, Wanted,
};

use super::count::roughly;

/// How often it is looked for an answer.
const LOOK: Duration = Duration::from_millis(200);

/// The longest answer.
const LONGEST: u64 = 4 << 20;

/// A provider that waits for a person.
pub struct Manual {
    folder: PathBuf,
}

/// A prompt that waits. Taken back when nobody needs its answer any more.
struct Waiting(PathBuf);

impl Drop for Waiting {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

impl Manual {
    /// Uses a folder, which is made where there is none.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(folder: &Path) -> Result<Self, PortError> {
        fs::create_dir_all(folder)
            .map_err(|error| PortError::new(format!("{}: cannot be made: {error}", folder.display())))?;
        Ok(Self { folder: folder.to_owned() })
    }

    async fn answer(&self, ask: &Ask, seen: &Seen<'_>) -> Result<Reply, ProviderError> {
        let cannot = |path: &Path, error: std::io::Error| {
            ProviderError::new(Fault::Unreachable, format!("{}: {error}", path.display()))
                .hint("see that the folder may be written")
        };
        // The same question has the same name, so that an answer that was given once counts in a later run.
        let whole = crate::model::Hash::of(format!("{} {} {:?} {}", ask.program, ask.input(), ask.seed, ask.sample));
        let prompt = self.folder.join(format!("{}.prompt.md", whole.short()));
        let answer = self.folder.join(format!("{}.answer.md", whole.short()));
        let read = written(ask);
        let new = prompt.with_added_extension("new");
        fs::write(&new, &read).and_then(|()| fs::rename(&new, &prompt)).map_err(|error| cannot(&prompt, error))?;
        let _waiting = Waiting(prompt);
        let why = format!("an answer in {}", answer.display());
        seen(Piece::Waiting { left: Duration::MAX, why: &why });
        let mut before = None;
        let text = loop {
            let now = match fs::metadata(&answer) {
                Ok(meta) if meta.len() > LONGEST => {
                    return Err(ProviderError::new(Fault::TooLarge, format!("{} is too large", answer.display())));
                }
                Ok(meta) if meta.len() > 0 => fs::read_to_string(&answer).ok(),
                Ok(_) | Err(_) => None,
            };
            // An editor may write it in pieces: it counts once it stays the same.
            if let Some(text) = now.clone().filter(|_| now == before) {
                break text;
            }
            before = now;
            sleep(LOOK).await;
        };
        seen(Piece::Text(&text));
        let tokens =
            Tokens { input: roughly(read.len()), output: roughly(text.len()), estimated: true, ..Tokens::default() };
        let (model, endpoint) = ("manual".to_owned(), "folder".to_owned());
        Ok(Reply { text, tokens, dollars: Some(0.0), model, endpoint, ..Reply::default() })
    }
}

/// A prompt as a person reads it.
pub(super) fn written(ask: &Ask) -> String {
    let mut text = String::new();
    if !ask.system.is_empty() {
        let _ = write!(text, "# System\n\n{}\n", ask.system.trim_end());
    }
    for message in &ask.messages {
        let (who, words) = match message {
            Message::User(text) => ("User".to_owned(), text),
            Message::Model { text, .. } => ("You".to_owned(), text),
            Message::Tool { name, text, .. } => (format!("Tool {name}"), text),
        };
        let _ = write!(text, "\n# {who}\n\n{}\n", words.trim_end());
    }
    if !ask.images.is_empty() {
        let _ = write!(text, "\n(Images that go with it: {}.)\n", ask.images.len());
    }
    text
}

impl Provider for Manual {
    fn ask<'a>(&'a self, ask: &'a Ask, seen: &'a Seen<'a>) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(self.answer(ask, seen))
    }

    fn offers(&self, _: &Wanted) -> Offers {
        Offers::default()
    }
}
