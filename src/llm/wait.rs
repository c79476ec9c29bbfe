//! How long a server says to wait, in all the forms in which servers say it.

use std::time::Duration;

/// The wait that the headers of a response ask for, else its body; none where neither says anything. `now` is in milliseconds
/// since 1970.
pub(super) fn asked(headers: &[(String, String)], body: &str, now: u64) -> Option<Duration> {
    let header = |name: &str| headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.trim());
    let exact = header("retry-after-ms").and_then(|text| text.parse::<f64>().ok()).and_then(|ms| seconds(ms / 1e3));
    let after = || header("retry-after").and_then(|text| plain(text).or_else(|| date(text, now)));
    exact.or_else(after).or_else(|| reset(headers, now)).or_else(|| told(body))
}

/// `x-ratelimit-reset*` and `anthropic-ratelimit-*-reset`: of those whose `remaining` is spent, or else of all, the last.
fn reset(headers: &[(String, String)], now: u64) -> Option<Duration> {
    let mut spent = None;
    let mut any = None;
    for (name, value) in headers.iter().filter(|(name, _)| name.contains("ratelimit") && name.contains("reset")) {
        let Some(wait) = span(value.trim()).or_else(|| moment(value.trim(), now)).or_else(|| date(value, now)) else {
            continue;
        };
        let sibling = name.replace("reset", "remaining");
        let left = headers.iter().find(|(known, _)| *known == sibling).map(|(_, value)| value.trim());
        let most = if left == Some("0") { &mut spent } else { &mut any };
        *most = (*most).max(Some(wait));
    }
    spent.or(any)
}

/// Seconds as a plain number.
fn plain(text: &str) -> Option<Duration> {
    text.parse::<f64>().ok().and_then(seconds)
}

/// A number that is either seconds from now, or a moment in seconds or milliseconds since 1970.
fn moment(text: &str, now: u64) -> Option<Duration> {
    let number = text.parse::<f64>().ok()?;
    let now = now as f64 / 1e3;
    match number {
        n if n >= 1e11 => seconds((n / 1e3 - now).max(0.0)),
        n if n >= 1e8 => seconds((n - now).max(0.0)),
        n => seconds(n),
    }
}

/// `6m0s`, `1.15s`, `20ms`, `1h2m`.
fn span(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut sum = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest.get(..digits)?.parse().ok()?;
        rest = rest.get(digits..)?;
        let unit = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        sum += number
            * match rest.get(..unit)? {
                "ms" => 1e-3,
                "s" => 1.0,
                "m" => 60.0,
                "h" => 3600.0,
                "d" => 86400.0,
                _ => return None,
            };
        rest = rest.get(unit..)?;
    }
    (!text.is_empty()).then(|| seconds(sum)).flatten()
}

/// An HTTP date, or a moment as in RFC 3339.
fn date(text: &str, now: u64) -> Option<Duration> {
    let text = text.trim();
    let at = match text.parse::<jiff::Timestamp>() {
        Ok(at) => at,
        Err(_) => jiff::fmt::rfc2822::parse(text).ok()?.timestamp(),
    };
    let wait = at.as_millisecond().saturating_sub(i64::try_from(now).ok()?);
    Some(Duration::from_millis(u64::try_from(wait).unwrap_or(0)))
}

/// `"retryDelay": "34s"`, `try again in 1.15s`, `retry in 34.07s`.
fn told(body: &str) -> Option<Duration> {
    let plain = body.to_lowercase();
    ["\"retrydelay\":", "again in ", "retry in ", "retry after "].iter().find_map(|mark| {
        let rest = plain.split_once(mark)?.1.trim_start_matches([' ', '"']);
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len());
        let word = rest.get(..end)?.trim_end_matches('.');
        span(word).or_else(|| {
            let unit = rest.get(end..)?.trim_start();
            let unit = if unit.starts_with("ms") || unit.starts_with("milli") { 1e-3 } else { 1.0 };
            word.parse::<f64>().ok().and_then(|number| seconds(number * unit))
        })
    })
}

fn seconds(number: f64) -> Option<Duration> {
    (number.is_finite() && number >= 0.0).then(|| Duration::from_secs_f64(number.min(86_400.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1994-11-06T08:49:37Z.
    const NOW: u64 = 784_111_777_000;

    #[test]
    fn every_form_is_read() {
        let check = |headers: &[(&str, &str)], body: &str, expected: Option<f64>| {
            let headers: Vec<_> = headers.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
            let got = asked(&headers, body, NOW).map(|wait| wait.as_secs_f64());
            assert_eq!(got, expected, "{headers:?} {body}");
        };
        check(&[("retry-after", "7")], "", Some(7.0));
        check(&[("retry-after", "1.5")], "", Some(1.5));
        check(&[("retry-after", "Sun, 06 Nov 1994 08:49:47 GMT")], "", Some(10.0));
        check(&[("retry-after", "Sun, 06 Nov 1994 08:49:30 GMT")], "", Some(0.0));
        check(&[("retry-after-ms", "250"), ("retry-after", "7")], "", Some(0.25));
        check(&[("x-ratelimit-reset-requests", "1m30s")], "", Some(90.0));
        let two = [
            ("x-ratelimit-reset-requests", "6m0s"),
            ("x-ratelimit-remaining-requests", "99"),
            ("x-ratelimit-reset-tokens", "20ms"),
            ("x-ratelimit-remaining-tokens", "0"),
        ];
        check(&two, "", Some(0.02));
        check(&[("x-ratelimit-reset", "784111780000")], "", Some(3.0));
        check(&[("x-ratelimit-reset", "784111779")], "", Some(2.0));
        check(&[("anthropic-ratelimit-tokens-reset", "1994-11-06T08:49:42Z")], "", Some(5.0));
        check(&[], "Rate limit reached. Please try again in 1.15s. Visit …", Some(1.15));
        check(&[], "try again in 20 seconds", Some(20.0));
        check(&[], r#"{"error":{"details":[{"retryDelay": "34s"}]}}"#, Some(34.0));
        check(&[("retry-after", "soon")], "later", None);
        check(&[("retry-after", "-3")], "", None);
    }
}
