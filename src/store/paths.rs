//! Where things are kept on each platform.

use std::path::PathBuf;

use directories::ProjectDirs;

use super::StoreError;

/// The three folders that everything is kept in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// What the user writes: configuration, networks, themes.
    pub config: PathBuf,
    /// What the user would miss: the library of revisions.
    pub data: PathBuf,
    /// What grows by itself: sessions and logs.
    pub state: PathBuf,
}

impl Paths {
    /// Finds the folders; makes none of them.
    ///
    /// `home` is the value of `MOP_HOME`, as the caller found it: it puts all three under one folder. Otherwise they are the
    /// platform's own (XDG on Linux, Library on macOS, AppData on Windows).
    ///
    /// # Errors
    /// When no home folder can be found.
    pub fn find(home: Option<PathBuf>) -> Result<Self, StoreError> {
        if let Some(home) = home.filter(|home| !home.as_os_str().is_empty()) {
            return Ok(Self { config: home.join("config"), data: home.join("data"), state: home.join("state") });
        }
        let dirs = ProjectDirs::from("", "", "mop").ok_or_else(|| StoreError::Unknown {
            what: "home folder",
            name: "~".into(),
            hint: "set MOP_HOME to a folder that you may write".into(),
        })?;
        let data = dirs.data_local_dir().to_owned();
        let state = dirs.state_dir().map_or_else(|| data.join("state"), ToOwned::to_owned);
        Ok(Self { config: dirs.config_dir().to_owned(), data, state })
    }

    /// The configuration file.
    #[must_use]
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// The user's own keys of the terminal interface.
    #[must_use]
    pub fn keys_file(&self) -> PathBuf {
        self.config.join("keys.toml")
    }

    /// The user's keys of servers of models, which nobody else may read.
    #[must_use]
    pub fn secrets_file(&self) -> PathBuf {
        self.config.join("secrets.toml")
    }

    /// The user's own prices of models.
    #[must_use]
    pub fn prices_file(&self) -> PathBuf {
        self.config.join("prices.toml")
    }

    /// The user's own themes.
    #[must_use]
    pub fn themes(&self) -> PathBuf {
        self.config.join("themes")
    }

    /// The user's own networks.
    #[must_use]
    pub fn networks(&self) -> PathBuf {
        self.config.join("networks")
    }

    /// Revisions and proposals, one folder a network.
    #[must_use]
    pub fn library(&self) -> PathBuf {
        self.data.join("library")
    }

    /// Solved questions.
    #[must_use]
    pub fn recall(&self) -> PathBuf {
        self.data.join("recall.db")
    }

    /// Hashes of the projects' networks that the user accepted.
    #[must_use]
    pub fn trusted(&self) -> PathBuf {
        self.data.join("trusted")
    }

    /// Sessions, one folder each.
    #[must_use]
    pub fn sessions(&self) -> PathBuf {
        self.state.join("sessions")
    }

    /// Benches, one folder each, where the user names no folder.
    #[must_use]
    pub fn benches(&self) -> PathBuf {
        self.state.join("benches")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_of_its_own_holds_everything() {
        let paths = Paths::find(Some("/somewhere".into())).unwrap();
        assert_eq!(paths.config_file(), PathBuf::from("/somewhere/config/config.toml"));
        assert_eq!(paths.library(), PathBuf::from("/somewhere/data/library"));
        assert_eq!(paths.sessions(), PathBuf::from("/somewhere/state/sessions"));
    }

    #[test]
    fn an_empty_home_counts_as_none() {
        let (given, none) = (Paths::find(Some(PathBuf::new())), Paths::find(None));
        assert_eq!(given.ok(), none.ok());
    }
}
