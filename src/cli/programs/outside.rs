//! `mop programs export` and `trust`: networks as folders outside of the library.

use std::path::Path;

use crate::engine::ports::Library;
use crate::setup::{App, Works};

use super::super::failure::Failure;
use super::super::text::{count, plain};
use super::super::{exit, out};

/// Writes the network with all accepted changes into a folder.
pub(super) fn export(works: &Works, dir: &Path) -> Result<u8, Failure> {
    works.library.export(dir)?;
    let network = works.library.network()?;
    out::line(format!(
        "wrote {} of {} {} to {}",
        count(network.programs.len(), "program"),
        plain(&network.name),
        network.revision.short(),
        plain(&dir.display().to_string())
    ));
    out::say(format!("to use it: mop run --network {} \"…\"", dir.join("").display()));
    Ok(exit::DONE)
}

/// Accepts what a project's network holds now.
pub(super) fn trust(app: &App, path: &Path) -> Result<u8, Failure> {
    let named = Path::new(".mop").join("networks").join(path);
    let folder = if path.is_dir() || !named.is_dir() { path } else { &named };
    if !folder.join("network.toml").is_file() {
        return Err(Failure::usage(
            format!("{} holds no network.toml", folder.display()),
            "give the folder of a network, such as ./.mop/networks/NAME",
        ));
    }
    app.networks.trust(folder)?;
    out::line(format!(
        "accepted {} as it is now; any later change of it asks anew",
        plain(&folder.display().to_string())
    ));
    Ok(exit::DONE)
}
