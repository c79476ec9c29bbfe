//! Numbers under `params` in the head of a script: the settings that its author chose.

use super::candidate::{Family, Pool};
use super::sites::Sites;

/// Proposes other whole numbers for the parameters that stand on one line: `# params = { tries = 4 }`.
pub(super) fn propose(sites: &Sites<'_>, pool: &mut Pool<'_, '_>) {
    let mut at = sites.header.start;
    for line in sites.text(&sites.header).split_inclusive('\n') {
        if line.starts_with("# params = {") {
            numbers(line, at, pool);
        }
        at += line.len();
    }
}

/// Proposes other values for each `name = number` of a line that starts at a byte.
fn numbers(line: &str, start: usize, pool: &mut Pool<'_, '_>) {
    for (offset, _) in line.match_indices(" = ") {
        let from = offset + " = ".len();
        let digits = line.get(from..).map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
        let rest = line.get(from + digits..).unwrap_or_default();
        let whole = rest.starts_with([' ', ',', '}']);
        let Some(value) = line.get(from..from + digits).and_then(|text| text.parse::<u32>().ok()).filter(|_| whole)
        else {
            continue;
        };
        let name = line.get(..offset).and_then(|text| text.rsplit([' ', ',', '{']).next()).unwrap_or_default();
        let range = start + from..start + from + digits;
        let near = [value.checked_add(1), value.checked_sub(1), value.checked_mul(2), Some(value / 2)];
        let mut tried = vec![value];
        for (rank, option) in (0_u32..).zip(near.into_iter().flatten().chain([2, 4, 8, 16, 0])) {
            if !tried.contains(&option) {
                tried.push(option);
                let what = format!("set the parameter `{name}` to {option} instead of {value}");
                pool.one(Family::Parameter, rank, range.clone(), option.to_string(), what);
            }
        }
    }
}
