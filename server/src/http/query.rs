//! The query string of a request.

use super::answer::ApiError;

/// The parameters of a request. Handlers take each one once; a remaining parameter is an error of the client.
#[derive(Debug)]
pub(super) struct Query {
    parameters: Vec<(String, String)>,
}

impl Query {
    pub(super) fn parse(query: Option<&str>) -> Result<Self, ApiError> {
        let parts = query.unwrap_or_default().split('&').filter(|part| !part.is_empty());
        let decoded = parts.map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            Some((decode(name)?, decode(value)?))
        });
        let parameters = decoded.collect::<Option<_>>();
        parameters
            .map(|parameters| Self { parameters })
            .ok_or_else(|| ApiError::bad("The query is not UTF-8 in percent signs."))
    }

    /// The text of a parameter; an empty one counts as missing.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        self.value(name).filter(|value| !value.is_empty())
    }

    /// The value of a parameter, even if it is empty.
    pub(super) fn value(&mut self, name: &str) -> Option<String> {
        let at = self.parameters.iter().position(|(known, _)| known == name)?;
        Some(self.parameters.remove(at).1)
    }

    pub(super) fn number(&mut self, name: &str) -> Result<Option<u64>, ApiError> {
        let Some(text) = self.value(name) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| ApiError::bad(format!("{name} is a whole number from 0 on.")))
    }

    /// A day like 2026-11-16 as milliseconds since 1970.
    pub(super) fn day(&mut self, name: &str) -> Result<Option<i64>, ApiError> {
        let Some(text) = self.value(name) else { return Ok(None) };
        day(&text).map(Some).ok_or_else(|| ApiError::bad(format!("{name} is a day like 2026-11-16.")))
    }

    /// Checks that no parameter is left.
    pub(super) fn end(self) -> Result<(), ApiError> {
        match self.parameters.first() {
            None => Ok(()),
            Some((name, _)) => {
                let name: String = name.chars().take(40).collect();
                Err(ApiError::bad(format!("There is no parameter {name:?} here, or not twice.")))
            }
        }
    }
}

/// Decodes percent-encoded text.
pub(super) fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                u8::try_from(digit(rest.next())? * 16 + digit(rest.next())?).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

/// The first millisecond of a day.
fn day(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, '-').map(|part| part.parse::<u32>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let length = *lengths.get(usize::try_from(month).ok()?.checked_sub(1)?)?;
    if !(1..=9999).contains(&year) || !(1..=length).contains(&day) {
        return None;
    }
    let before = i64::from(year - 1);
    let leap_days = before / 4 - before / 100 + before / 400 - 477;
    let months: u32 = lengths[..month as usize - 1].iter().sum();
    let days = (i64::from(year) - 1970) * 365 + leap_days + i64::from(months + day - 1);
    Some(days * 24 * 3600 * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        for (text, expected) in [
            ("1970-01-01", Some(0)),
            ("1970-12-31", Some(364 * 86_400_000)),
            ("1972-03-01", Some(790 * 86_400_000)),
            ("2000-02-29", Some(951_782_400_000)),
            ("2026-11-16", Some(1_794_787_200_000)),
            ("2026-02-29", None),
            ("2026-13-01", None),
            ("2026-00-01", None),
            ("2026-01-00", None),
            ("1969-12-31", Some(-86_400_000)),
            ("0001-01-01", Some(-62_135_596_800_000)),
            ("0000-12-31", None),
            ("10000-01-01", None),
            ("2026-11", None),
            ("soon", None),
        ] {
            assert_eq!(day(text), expected, "{text}");
        }
    }

    #[test]
    fn parameters() {
        let mut query = Query::parse(Some("q=a%20b+c&n=7&empty=&%C3%A4=%F0%9F%A7%9F")).expect("well formed");
        assert_eq!(query.text("q").as_deref(), Some("a b c"));
        assert_eq!(query.text("q"), None, "each is taken once");
        assert_eq!(query.number("n").expect("a number"), Some(7));
        assert_eq!(query.text("empty"), None);
        assert_eq!(query.text("ä").as_deref(), Some("🧟"));
        query.end().expect("nothing is left");
        assert!(Query::parse(Some("q=%F0%9F")).is_err());
        assert!(Query::parse(Some("q=%4")).is_err());
        assert!(Query::parse(Some("n=-1")).expect("well formed").number("n").is_err());
        assert!(Query::parse(Some("n=18446744073709551616")).expect("well formed").number("n").is_err());
        assert!(Query::parse(Some("other=1")).expect("well formed").end().is_err());
    }
}
