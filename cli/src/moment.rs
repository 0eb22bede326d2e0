//! Dates and times for people.

use std::{error::Error, fmt};

/// Formats milliseconds since 1970 in UTC: `2026-11-16 10:09:06`.
pub fn moment(unix_ms: i64) -> String {
    let seconds = unix_ms.div_euclid(1000);
    let (year, month, day) = date(seconds.div_euclid(86_400));
    let of_day = seconds.rem_euclid(86_400);
    let (hours, minutes, seconds) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02} {hours:02}:{minutes:02}:{seconds:02}")
}

/// Parses the beginning of a day in UTC, such as `2026-11-16`, or a moment of it, such as `2026-11-16T10:09`, in milliseconds since 1970.
///
/// # Errors
///
/// The text is no date of this form.
pub fn parse_moment(text: &str) -> Result<i64, MomentError> {
    let wrong = || MomentError { text: text.into() };
    let (day, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let numbers = |text: &str, between: char| -> Option<Vec<i64>> {
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        text.split(between).map(|part| if is_number(part) { part.parse().ok() } else { None }).collect()
    };
    let day = numbers(day, '-').ok_or_else(wrong)?;
    let time = numbers(time, ':').ok_or_else(wrong)?;
    let ([year, month, day], [hours, minutes]) = (&day[..], &time[..]) else { return Err(wrong()) };
    if !(1970..=9999).contains(year) || !(1..=12).contains(month) || *hours > 23 || *minutes > 59 {
        return Err(wrong());
    }
    // Years begin in March, as in `date`.
    let (from_march, march_year) = if *month > 2 { (month - 3, *year) } else { (month + 9, year - 1) };
    let (era, of_era) = (march_year.div_euclid(400), march_year.rem_euclid(400));
    let of_year = (153 * from_march + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    if date(days) != (*year, *month, *day) {
        return Err(wrong());
    }
    Ok(((days * 24 + hours) * 60 + minutes) * 60_000)
}

/// A text is no date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MomentError {
    text: String,
}

impl fmt::Display for MomentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a date: write it as 2026-11-16 or 2026-11-16T10:09, in UTC", self.text)
    }
}

impl Error for MomentError {}

/// Year, month and day, from days since 1970. In this calculation years begin in March, so that the leap day is the last day.
fn date(days: i64) -> (i64, i64, i64) {
    const ERA: i64 = 146_097;
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_back() {
        for text in ["1970-01-01", "2000-02-29", "2026-11-16", "2024-12-31", "2100-03-01", "9999-12-31"] {
            assert_eq!(moment(parse_moment(text).expect("a date")), format!("{text} 00:00:00"));
        }
        assert_eq!(moment(parse_moment("2026-11-16T10:09").expect("a moment")), "2026-11-16 10:09:00");
        for bad in [
            "",
            "2026",
            "2026-02-29",
            "2026-13-01",
            "2026-1-0",
            "1969-12-31",
            "2026-11-16T24:00",
            "2026-11-16T1",
            "+2026-11-16",
            "x",
        ] {
            assert!(parse_moment(bad).is_err(), "{bad}");
        }
    }
}
