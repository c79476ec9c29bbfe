//! Whether a script worker answers, and what holds it in.

use crate::runtime::pool::{Pool, Settings};
use crate::runtime::sandbox::Wall;

use super::{Check, PATIENCE};

const AREA: &str = "sandbox";

pub(super) async fn checks() -> Vec<Check> {
    let pool = Pool::new(Settings::this_binary());
    match tokio::time::timeout(PATIENCE, pool.warm(1)).await {
        Err(_) => {
            let what = format!("a script worker did not answer within {} ms", PATIENCE.as_millis());
            return vec![Check::warning(AREA, what, "look again when the machine is less busy")];
        }
        Ok(Err(error)) => {
            let next = "see that this user may start processes, and that the binary of mop may be read";
            return vec![Check::wrong(AREA, format!("no script worker can be started: {error}"), next)];
        }
        Ok(Ok(())) => {}
    }
    let mut all = vec![Check::ok(AREA, "a script worker answers")];
    let Some(report) = pool.report() else { return all };
    let walls = [
        (
            "no files, no network (landlock)",
            report.files,
            "a kernel with landlock (Linux 5.13 or newer) walls files off",
        ),
        ("limits of memory, time and descriptors", report.process, "see `ulimit -a`"),
        ("limit of what a script may allocate", report.allocator, "this is a fault of mop"),
    ];
    for (what, wall, next) in walls {
        all.push(match wall {
            Wall::Full => Check::ok(AREA, what),
            Wall::Partial => {
                let next = format!("{next}; scripts have no way to a file anyway, this is the second wall");
                Check::warning(AREA, format!("{what}: as far as this system can"), next)
            }
            Wall::None => {
                let next = format!("{next}; scripts have no way to a file anyway, this is the second wall");
                Check::warning(AREA, format!("{what}: not on this system"), next)
            }
        });
    }
    all
}
