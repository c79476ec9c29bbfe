//! Whether the user's folders can be written, and whether there is room.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::store::Paths;

use super::Check;

const AREA: &str = "folders";

/// MiB that should be free where sessions grow.
const LITTLE: u64 = 200;

pub(super) fn checks(paths: &Paths) -> Vec<Check> {
    let named = [("settings", &paths.config), ("library", &paths.data), ("sessions", &paths.state)];
    let mut all: Vec<Check> = named.iter().map(|(what, folder)| writable(what, folder)).collect();
    if let Some(free) = free(&existing(&paths.state)) {
        let what = format!("{free} MiB are free for sessions");
        all.push(match free >= LITTLE {
            true => Check::ok(AREA, what),
            false => Check::warning(AREA, what, "make room, or remove sessions with `mop sessions rm`"),
        });
    }
    all
}

/// Tries it in the folder, or in the nearest above it that exists: no folder is made.
fn writable(what: &str, folder: &Path) -> Check {
    let place = existing(folder);
    let probe = place.join(format!(".mop-doctor-{}", std::process::id()));
    let tried = fs::OpenOptions::new().write(true).create_new(true).open(&probe).and_then(|_| fs::remove_file(&probe));
    match tried {
        Ok(()) if place == folder => Check::ok(AREA, format!("{what}: {}", folder.display())),
        Ok(()) => Check::ok(AREA, format!("{what}: {} (made when it is needed)", folder.display())),
        Err(error) => {
            let next = format!("make {} writable, or set MOP_HOME to a folder that is", place.display());
            Check::wrong(AREA, format!("{what}: {} cannot be written: {error}", folder.display()), next)
        }
    }
}

fn existing(folder: &Path) -> PathBuf {
    folder.ancestors().find(|place| place.exists()).unwrap_or(Path::new(".")).to_owned()
}

/// MiB that are free on the disk of a folder, where the system's own tool says so.
fn free(folder: &Path) -> Option<u64> {
    let output = Command::new("df").arg("-Pk").arg(folder).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    kilobytes(&String::from_utf8_lossy(&output.stdout)).map(|free| free >> 10)
}

/// The fourth column of the second line, as POSIX has it.
fn kilobytes(table: &str) -> Option<u64> {
    table.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_room_is_read_from_the_table_of_posix() {
        let table = "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/sda1 100 40 60000 40% /home\n";
        assert_eq!(kilobytes(table), Some(60_000));
        assert_eq!(kilobytes("df: nothing\n"), None);
    }

    #[test]
    fn a_folder_that_is_not_there_is_tried_above_and_not_made() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("deep/er");
        assert_eq!(writable("x", &folder).state, super::super::State::Ok);
        assert!(!folder.exists() && fs::read_dir(home.path()).unwrap().count() == 0);
        let file = home.path().join("file");
        fs::write(&file, "").unwrap();
        assert_eq!(writable("x", &file.join("below")).state, super::super::State::Wrong);
    }
}
