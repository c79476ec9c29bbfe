//! Civil dates: reading every common spelling, adding, counting, naming the day. Uses the calendar library `jiff`.

use std::str::FromStr;

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan, Unit};

/// A unit of calendar time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One day.
    Days,
    /// Seven days.
    Weeks,
    /// A calendar month.
    Months,
    /// Twelve calendar months.
    Years,
}

impl FromStr for Step {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim().to_lowercase().as_str() {
            "day" | "days" => Ok(Self::Days),
            "week" | "weeks" => Ok(Self::Weeks),
            "month" | "months" => Ok(Self::Months),
            "year" | "years" => Ok(Self::Years),
            other => {
                Err(format!("\"{}\" is not days, weeks, months or years", other.chars().take(40).collect::<String>()))
            }
        }
    }
}

/// Reads `YYYY-MM-DD`.
///
/// # Errors
/// The text has another form, or no such day exists.
pub fn parse_iso(text: &str) -> Result<Date, String> {
    let text = text.trim();
    if text.len() != 10
        || !text.bytes().enumerate().all(|(i, b)| if i == 4 || i == 7 { b == b'-' } else { b.is_ascii_digit() })
    {
        return Err(format!("\"{}\" is not a date YYYY-MM-DD", text.chars().take(40).collect::<String>()));
    }
    Date::strptime("%Y-%m-%d", text).map_err(|_| format!("{text} does not exist"))
}

/// The date so many units later; the last day of a month stands in where the day does not exist.
///
/// # Errors
/// Dates outside the years 1 to 9999, amounts beyond the calendar.
pub fn add(date: &str, by: i64, unit: &str) -> Result<String, String> {
    let start = parse_iso(date)?;
    let out_of_range = |_| "a date outside the years 0 to 9999".to_owned();
    let span = match unit.parse::<Step>()? {
        Step::Days => Span::new().try_days(by),
        Step::Weeks => Span::new().try_weeks(by),
        Step::Months => Span::new().try_months(by),
        Step::Years => Span::new().try_years(by),
    }
    .map_err(out_of_range)?;
    let end = start.checked_add(span).map_err(out_of_range)?;
    iso(end)
}

fn iso(date: Date) -> Result<String, String> {
    if date.year() < 0 { Err("a date outside the years 0 to 9999".into()) } else { Ok(date.to_string()) }
}

/// Whole days from one date to another; negative when the second is earlier.
///
/// # Errors
/// As [`parse_iso`].
pub fn days_between(from: &str, to: &str) -> Result<i64, String> {
    let span = parse_iso(from)?.until((Unit::Day, parse_iso(to)?)).map_err(|_| "dates too far apart")?;
    Ok(i64::from(span.get_days()))
}

/// Whole months from one date to another, the days beyond them, negative when the second is earlier.
///
/// # Errors
/// As [`parse_iso`].
pub fn months_and_days(from: &str, to: &str) -> Result<(i64, i64), String> {
    let span = parse_iso(from)?.until((Unit::Month, parse_iso(to)?)).map_err(|_| "dates too far apart")?;
    Ok((i64::from(span.get_months()), i64::from(span.get_days())))
}

/// The day of the week, in English, capitalised.
///
/// # Errors
/// As [`parse_iso`].
pub fn weekday(date: &str) -> Result<&'static str, String> {
    Ok(match parse_iso(date)?.weekday() {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    })
}

/// Whether the year has a 29 February.
///
/// # Errors
/// Years outside 0 to 9999.
pub fn is_leap_year(year: i64) -> Result<bool, String> {
    let year = i16::try_from(year).map_err(|_| "a year outside 0 to 9999")?;
    Date::new(year, 1, 1).map(|d| d.in_leap_year()).map_err(|_| "a year outside 0 to 9999".into())
}

/// The day before or after.
///
/// # Errors
/// As [`add`].
pub fn next_day(date: &str) -> Result<String, String> {
    iso(parse_iso(date)?.checked_add(1.day()).map_err(|_| "a date outside the years 0 to 9999")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_adds() {
        assert_eq!(days_between("2023-09-08", "2023-11-17"), Ok(70));
        assert_eq!(days_between("2024-03-01", "2024-02-01"), Ok(-29));
        assert_eq!(add("2024-03-03", 90, "days").as_deref(), Ok("2024-06-01"));
        assert_eq!(add("2024-01-31", 1, "month").as_deref(), Ok("2024-02-29"));
        assert_eq!(add("2024-02-29", -1, "years").as_deref(), Ok("2023-02-28"));
        assert_eq!(add("2024-01-01", -2, "weeks").as_deref(), Ok("2023-12-18"));
        assert_eq!(weekday("1999-07-04"), Ok("Sunday"));
        assert_eq!(months_and_days("2024-01-15", "2024-03-20"), Ok((2, 5)));
        assert_eq!(is_leap_year(1900), Ok(false));
        assert_eq!(next_day("2023-12-31").as_deref(), Ok("2024-01-01"));
    }

    #[test]
    fn refuses() {
        assert!(parse_iso("2023-02-29").is_err());
        assert!(parse_iso("8 September").is_err());
        assert!(add("2024-01-01", i64::MAX, "days").is_err());
        assert!(add("2024-01-01", 9_000_000, "days").is_err());
        assert!(add("2024-01-01", 1, "fortnights").is_err());
        assert!(is_leap_year(100_000).is_err());
    }
}
