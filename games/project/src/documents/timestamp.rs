//! Times in the form of XML Schema.

use std::fmt;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// A time, as text and as a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timestamp {
    text: Box<str>,
    millis: i64,
}

impl Timestamp {
    /// Creates a time from milliseconds since 1970, in UTC.
    pub fn from_millis(millis: i64) -> Self {
        let (days, rest) = (millis.div_euclid(DAY_MS), millis.rem_euclid(DAY_MS));
        let (year, month, day) = date_of(days);
        let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
        let (second, thousandth) = (rest / 1000 % 60, rest % 1000);
        let sign = if year < 0 { "-" } else { "" };
        let year = year.unsigned_abs();
        let text = format!("{sign}{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{thousandth:03}Z");
        Self { text: text.into(), millis }
    }

    /// Parses an `xs:dateTime`. A time without a time zone is UTC.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let millis = parse(text)?;
        Some(Self { text: text.into(), millis })
    }

    /// Milliseconds since 1970, in UTC.
    pub fn millis(&self) -> i64 {
        self.millis
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn parse(text: &str) -> Option<i64> {
    let (date, time) = text.split_once('T')?;
    let (sign, date) = date.strip_prefix('-').map_or((1, date), |date| (-1, date));
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    // The year has at most six digits, so that no sum overflows.
    if parts.next().is_some() || !(4..=6).contains(&year.len()) || (year.len() > 4 && year.starts_with('0')) {
        return None;
    }
    let year = sign * digits(year, year.len())?;
    if year == 0 || !(1..=12).contains(&month) || !(1..=days_in(year, month)).contains(&day) {
        return None;
    }

    let (time, zone) = match time.find(['Z', '+', '-']) {
        Some(at) => time.split_at(at),
        None => (time, "Z"),
    };
    let mut parts = time.split(':');
    let (hour, minute) = (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let (second, fraction) = split_fraction(parts.next()?)?;
    let is_midnight = hour == 24 && minute == 0 && second == 0 && fraction == 0;
    if parts.next().is_some() || (hour > 23 && !is_midnight) || minute > 59 || second > 59 {
        return None;
    }
    let time = ((hour * 60 + minute) * 60 + second) * 1000 + fraction;
    Some(days_until(year, month, day) * DAY_MS + time - zone_millis(zone)?)
}

/// Seconds and thousandths.
fn split_fraction(text: &str) -> Option<(i64, i64)> {
    let Some((second, fraction)) = text.split_once('.') else {
        return Some((digits(text, 2)?, 0));
    };
    if fraction.is_empty() || !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
    Some((digits(second, 2)?, digits(&thousandths, 3)?))
}

fn zone_millis(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let (sign, zone) =
        zone.strip_prefix('+').map(|zone| (1, zone)).or_else(|| zone.strip_prefix('-').map(|zone| (-1, zone)))?;
    let (hours, minutes) = zone.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    (minutes <= 59 && hours * 60 + minutes <= 14 * 60).then_some(sign * (hours * 60 + minutes) * 60_000)
}

fn digits(text: &str, length: usize) -> Option<i64> {
    let is_number = text.len() == length && text.bytes().all(|digit| digit.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

fn days_in(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from the beginning of 1970 to a date. In this computation years begin in March, so that a leap day is the last day of
/// its year.
fn days_until(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The date this many days after the beginning of 1970.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let (day, month) =
        (day_of_year - (153 * shifted + 2) / 5 + 1, if shifted < 10 { shifted + 3 } else { shifted - 9 });
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day)
}
