//! Durations on the command line: `500ms`, `5s`, `2m`, `1h`, `30d`.
//!
//! Some options took a number without a unit before units existed, and still do. The parser of the option determines the unit:
//! [`in_seconds`] or [`in_milliseconds`]:
//!
//! ```
//! use std::time::Duration;
//!
//! use cli::duration;
//!
//! #[derive(clap::Args)]
//! struct Arguments {
//!     /// The time to play for; a number without a unit is seconds.
//!     #[arg(long, default_value = "10s", value_name = "TIME",
//!           value_parser = duration::within(duration::in_seconds, Duration::from_secs(1)..=Duration::from_secs(3600)))]
//!     time: Duration,
//! }
//! ```

use std::{error::Error, fmt, ops::RangeInclusive, time::Duration};

const UNITS: [(&str, u64); 5] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", DAY_MS)];

const DAY_MS: u64 = 86_400_000;

/// Parses a duration; a number without a unit is seconds.
///
/// # Errors
///
/// The text is not a whole number with a known unit.
pub fn in_seconds(text: &str) -> Result<Duration, DurationError> {
    parse(text, "s")
}

/// Parses a duration; a number without a unit is milliseconds.
///
/// # Errors
///
/// The text is not a whole number with a known unit.
pub fn in_milliseconds(text: &str) -> Result<Duration, DurationError> {
    parse(text, "ms")
}

/// A parser that accepts only durations within a range.
pub fn within(
    parse: fn(&str) -> Result<Duration, DurationError>,
    range: RangeInclusive<Duration>,
) -> impl Fn(&str) -> Result<Duration, DurationError> + Clone + Send + Sync + 'static {
    move |text| {
        let duration = parse(text)?;
        if range.contains(&duration) {
            return Ok(duration);
        }
        Err(DurationError::OutOfRange { least: *range.start(), most: *range.end() })
    }
}

/// Formats a duration as the parsers accept it, in the largest unit up to hours that gives a whole number: `90s`, `2m`, `48h`.
pub fn format(duration: Duration) -> String {
    let ms = duration.as_millis();
    let largest = UNITS[..4].iter().rev().find(|(_, unit_ms)| ms > 0 && ms.is_multiple_of(u128::from(*unit_ms)));
    let (unit, unit_ms) = largest.unwrap_or(&("s", 1000));
    format!("{}{unit}", ms / u128::from(*unit_ms))
}

fn parse(text: &str, default_unit: &str) -> Result<Duration, DurationError> {
    let end = text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    if number.is_empty() || unit.starts_with(['.', ',']) {
        return Err(DurationError::NoNumber { text: text.into() });
    }
    let unit = unit.trim_start();
    let wanted = if unit.is_empty() { default_unit } else { unit };
    let Some((_, unit_ms)) = UNITS.iter().find(|(name, _)| *name == wanted) else {
        return Err(DurationError::UnknownUnit { unit: unit.into() });
    };
    let ms = number.parse::<u64>().ok().and_then(|number| number.checked_mul(*unit_ms));
    ms.map(Duration::from_millis).ok_or(DurationError::TooLong)
}

/// The reasons why a text is not a duration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DurationError {
    /// The text does not begin with a whole number.
    NoNumber {
        /// The text.
        text: String,
    },
    /// The text after the number is not a unit.
    UnknownUnit {
        /// The text after the number.
        unit: String,
    },
    /// The number of milliseconds has more than 64 bits.
    TooLong,
    /// The duration is outside of the option's range.
    OutOfRange {
        /// The shortest duration in the range.
        least: Duration,
        /// The longest duration in the range.
        most: Duration,
    },
}

impl fmt::Display for DurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNumber { text } => {
                write!(f, "`{text}` is not a duration: write a whole number and a unit, as in 500ms, 5s or 2m")
            }
            Self::UnknownUnit { unit } => write!(f, "`{unit}` is not a unit: the units are ms, s, m, h and d"),
            Self::TooLong => f.write_str("this duration is too long"),
            Self::OutOfRange { least, most } => {
                write!(f, "the duration must be between {} and {}", format(*least), format(*most))
            }
        }
    }
}

impl Error for DurationError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(parsed: Result<Duration, DurationError>) -> String {
        parsed.map_or_else(|error| error.to_string(), format)
    }

    #[test]
    fn durations() {
        let check = |text: &str, seconds: &str, milliseconds: &str| {
            assert_eq!(words(in_seconds(text)), seconds, "{text} in seconds");
            assert_eq!(words(in_milliseconds(text)), milliseconds, "{text} in milliseconds");
        };
        let both = |text: &str, expected: &str| check(text, expected, expected);
        both("5s", "5s");
        both("5 s", "5s");
        both("500ms", "500ms");
        both("1000ms", "1s");
        both("2m", "2m");
        both("90s", "90s");
        both("1h", "1h");
        both("30d", "720h");
        check("90", "90s", "90ms");
        check("120", "2m", "120ms");
        both("0", "0s");
        both("0ms", "0s");
        both("5 sec", "`sec` is not a unit: the units are ms, s, m, h and d");
        both("5S", "`S` is not a unit: the units are ms, s, m, h and d");
        let whole = "write a whole number and a unit, as in 500ms, 5s or 2m";
        both("", &format!("`` is not a duration: {whole}"));
        both("1.5s", &format!("`1.5s` is not a duration: {whole}"));
        both("-5s", &format!("`-5s` is not a duration: {whole}"));
        both("soon", &format!("`soon` is not a duration: {whole}"));
        both("18446744073709551616ms", "this duration is too long");
        both("18446744073709551615s", "this duration is too long");
    }

    #[test]
    fn ranges() {
        let parse = within(in_seconds, Duration::from_millis(500)..=Duration::from_secs(120));
        let check = |text: &str, expected: &str| assert_eq!(words(parse(text)), expected, "{text}");
        check("499ms", "the duration must be between 500ms and 2m");
        check("500ms", "500ms");
        check("120", "2m");
        check("121", "the duration must be between 500ms and 2m");
        check("1x", "`x` is not a unit: the units are ms, s, m, h and d");
    }
}
