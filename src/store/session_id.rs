//! Names of sessions: the time in UTC, then a few letters that keep two of one millisecond apart.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::model::{Hash, SessionId};

/// Digits and letters in the order of their bytes, without those that are easily mistaken.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Makes an id such as `20260131-154500-f7q2k`, from milliseconds since 1970.
///
/// Ids sort by time, to the millisecond: the first two letters of the last group say which of a second's 1000.
pub(crate) fn make(now: u64) -> SessionId {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let salt = Hash::of(format!("{now} {} {count}", std::process::id()));
    let salt = u64::from_str_radix(salt.as_str().get(..8).unwrap_or_default(), 16).unwrap_or(count);
    let digit = |number: u64| char::from(DIGITS[(number % 32) as usize]);
    let milli = now % 1000;
    let tail = [digit(milli / 32), digit(milli), digit(salt), digit(salt / 32), digit(salt / 1024)];
    SessionId::new(format!("{}-{}", moment(now), tail.iter().collect::<String>()))
}

fn moment(now: u64) -> String {
    let stamp = i64::try_from(now).ok().and_then(|now| jiff::Timestamp::from_millisecond(now).ok());
    stamp.unwrap_or(jiff::Timestamp::MAX).strftime("%Y%m%d-%H%M%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_time_and_differ() {
        let id = make(1_769_874_300_007);
        assert!(id.as_str().starts_with("20260131-154500-07"), "{id}");
        assert_ne!(make(5), make(5));
        let times = [0, 1, 31, 32, 999, 1000, 59_999, 86_400_000, 1_769_874_300_007];
        let ids: Vec<SessionId> = times.iter().map(|time| make(*time)).collect();
        assert!(ids.is_sorted(), "{ids:?}");
        let _ = make(u64::MAX);
    }
}
