//! Dates by day numbers of our own: no calendar library takes part.

use super::numbers::given;
use super::refuted;
use crate::solvers::answer::{Answer, Judgement};
use crate::solvers::quantity::rational::{self, Rational};

/// Year, month, day.
type Civil = (i64, i64, i64);

/// Days in a month of the proleptic Gregorian calendar.
fn month_length(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn civil(text: &str) -> Option<Civil> {
    let mut parts = text.trim().split('-').map(|p| p.parse::<i64>().ok());
    let (y, m, d) = (parts.next()??, parts.next()??, parts.next()??);
    (parts.next().is_none()
        && (0..=9999).contains(&y)
        && (1..=12).contains(&m)
        && (1..=month_length(y, m)).contains(&d))
    .then_some((y, m, d))
}

/// Days since 1 January of the year zero.
fn number((year, month, day): Civil) -> i64 {
    let leap_days = if year == 0 { 0 } else { (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1 };
    let months: i64 = (1..month).map(|m| month_length(year, m)).sum();
    365 * year + leap_days + months + day - 1
}

/// Days from one date to another by counting day numbers.
///
/// # Errors
/// A text that is not `YYYY-MM-DD` of an existing day in the years 0 to 9999.
pub fn days_by_counting(from: &str, to: &str) -> Result<i64, String> {
    let read = |t: &str| {
        civil(t).ok_or_else(|| format!("\"{}\" is not a date YYYY-MM-DD", t.chars().take(40).collect::<String>()))
    };
    Ok(number(read(to)?) - number(read(from)?))
}

/// Months (as whole as they go) from one date to another, and whether they go exactly.
fn months(from: Civil, to: Civil) -> (i64, bool) {
    let whole = (to.0 - from.0) * 12 + to.1 - from.1;
    let short = if whole >= 0 { to.2 < from.2 } else { to.2 > from.2 };
    let adjusted = if short && whole != 0 { whole - whole.signum() } else { whole };
    (adjusted, to.2 == from.2)
}

/// Judges `Goal::DateSpan`.
pub(super) fn span(from: &str, to: &str, unit: &str, inclusive: bool, answer: &Answer) -> Judgement {
    let (Some(a), Some(b)) = (civil(from), civil(to)) else {
        return Judgement::Unproved("a date does not exist".into());
    };
    let given = match given(answer) {
        Ok(given) => given,
        Err(judgement) => return judgement,
    };
    let asked = |u: &str| unit.trim_end_matches('s') == u.trim_end_matches('s');
    if let Some(other) = given.unit.filter(|u| !asked(u)) {
        return Judgement::Unproved(format!("{other} where {unit} are asked for"));
    }
    let mut days = number(b) - number(a);
    if inclusive {
        days += if days < 0 { -1 } else { 1 };
    }
    let whole = |n: i64| Rational::from_integer(n.into());
    let proved = || Judgement::Proved("counted by day numbers".into());
    let counted = format!("{from} is day {} and {to} is day {}", number(a), number(b));
    match unit.trim_end_matches('s') {
        "day" if given.value == whole(days) => proved(),
        "day" => refuted(format!("{counted}: {days} days, not {}", given.text)),
        "week" if given.value == whole(days) / whole(7) => proved(),
        "week" if given.value == whole(days / 7) => {
            Judgement::Unproved(format!("{} weeks are whole, {} days are left", days / 7, days % 7))
        }
        "week" => {
            refuted(format!("{counted}: {} weeks, not {}", rational::exact(&(whole(days) / whole(7))), given.text))
        }
        step @ ("month" | "year") => {
            let (whole_months, exact) = months(a, b);
            let size = if step == "year" { 12 } else { 1 };
            let count = whole_months / size;
            match given.value == whole(count) {
                true if exact && whole_months % size == 0 && !inclusive => proved(),
                true => Judgement::Unproved(format!("{count} whole {step}s, and days beyond")),
                false if exact && whole_months % size == 0 => refuted(format!("{count} {step}s, not {}", given.text)),
                false if given.value < whole(count.min(0)) || given.value > whole(count + 1) => {
                    refuted(format!("between {count} and {} {step}s, not {}", count + 1, given.text))
                }
                false => Judgement::Unproved(format!("parts of a {step} have no fixed length")),
            }
        }
        other => Judgement::Unproved(format!("{other} is no unit of the calendar")),
    }
}

/// Judges `Goal::DateShift`.
pub(super) fn shift(date: &str, by: i64, unit: &str, answer: &Answer) -> Judgement {
    let Some(start) = civil(date) else {
        return Judgement::Unproved("the date does not exist".into());
    };
    let value = match answer {
        Answer::Date { value } => value,
        Answer::Number { .. }
        | Answer::Solutions { .. }
        | Answer::Expression { .. }
        | Answer::List { .. }
        | Answer::Truth { .. }
        | Answer::Text { .. } => return refuted("a date is asked for"),
    };
    let Some(end) = civil(value) else {
        return refuted(format!("{} is no date", value.chars().take(40).collect::<String>()));
    };
    let (step, exact) = match unit.trim_end_matches('s') {
        "day" => (by, true),
        "week" => (by.saturating_mul(7), true),
        "month" => (by, false),
        "year" => (by.saturating_mul(12), false),
        other => return Judgement::Unproved(format!("{other} is no unit of the calendar")),
    };
    if exact {
        let days = number(end) - number(start);
        return if days == step {
            Judgement::Proved("counted by day numbers".into())
        } else {
            refuted(format!("{value} lies {days} days from {date}, not {step}"))
        };
    }
    let month = (start.0 * 12 + start.1 - 1).saturating_add(step);
    let (year, month) = (month.div_euclid(12), month.rem_euclid(12) + 1);
    let expected = (year, month, start.2.min(month_length(year, month)));
    match (end == expected, expected.2 == start.2) {
        (true, true) => Judgement::Proved("same day of the month".into()),
        (true, false) => Judgement::Unproved("the day does not exist in that month; its last day stands in".into()),
        (false, _) => {
            refuted(format!("{step} months from {date} is {:04}-{:02}-{:02}", expected.0, expected.1, expected.2))
        }
    }
}

/// Judges `Goal::Weekday`.
pub(super) fn weekday(date: &str, answer: &Answer) -> Judgement {
    const NAMES: [&str; 7] = ["Saturday", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday"];
    let Some(day) = civil(date) else {
        return Judgement::Unproved("the date does not exist".into());
    };
    let value = match answer {
        Answer::Text { value } => value,
        Answer::Number { .. }
        | Answer::Solutions { .. }
        | Answer::Expression { .. }
        | Answer::List { .. }
        | Answer::Truth { .. }
        | Answer::Date { .. } => return refuted("a day of the week is asked for"),
    };
    // 1 January of the year zero is a Saturday.
    let name = usize::try_from(number(day).rem_euclid(7)).ok().and_then(|i| NAMES.get(i).copied()).unwrap_or("");
    if value.trim().eq_ignore_ascii_case(name) {
        Judgement::Proved("counted by day numbers".into())
    } else {
        refuted(format!("{date} is a {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_numbers_agree_with_the_calendar_library() {
        let mut date = "0001-01-01".to_owned();
        for _ in 0..400 {
            let next = crate::solvers::dates::add(&date, 997, "days").unwrap();
            assert_eq!(days_by_counting(&date, &next), Ok(997), "{date}");
            let name = crate::solvers::dates::weekday(&next).unwrap();
            assert!(matches!(weekday(&next, &Answer::Text { value: name.into() }), Judgement::Proved(_)), "{next}");
            date = next;
        }
        assert!(days_by_counting("2023-02-29", "2023-03-01").is_err());
    }
}
