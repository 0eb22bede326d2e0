//! Whole numbers in JSON, as JSON Schema has them: `175.0` is one, too.

use std::fmt;

use serde::{Deserialize, Deserializer, de};

/// A whole number of any form.
struct Whole(i128);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = Whole;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number")
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Whole, E> {
                Ok(Whole(number.into()))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Whole, E> {
                Ok(Whole(number.into()))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Whole, E> {
                if number.fract() == 0.0 {
                    Ok(Whole(number as i128))
                } else {
                    Err(E::invalid_value(de::Unexpected::Float(number), &self))
                }
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

/// Reads a whole number that fits its type.
pub(crate) fn whole<'de, D: Deserializer<'de>, T: TryFrom<i128>>(deserializer: D) -> Result<T, D::Error> {
    let Whole(number) = Whole::deserialize(deserializer)?;
    T::try_from(number).map_err(|_| de::Error::custom(format!("{number} is out of range")))
}

/// The same for a field that may be null.
pub(crate) fn whole_or_null<'de, D: Deserializer<'de>, T: TryFrom<i128>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let Some(Whole(number)) = Option::<Whole>::deserialize(deserializer)? else { return Ok(None) };
    T::try_from(number).map(Some).map_err(|_| de::Error::custom(format!("{number} is out of range")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Numbers {
        #[serde(deserialize_with = "whole")]
        one: u32,
        #[serde(default, deserialize_with = "whole_or_null")]
        other: Option<i64>,
    }

    #[test]
    fn whole_numbers() {
        let check = |json: &str, expected: Option<(u32, Option<i64>)>| {
            let read = serde_json::from_str::<Numbers>(json).ok().map(|numbers| (numbers.one, numbers.other));
            assert_eq!(read, expected, "{json}");
        };
        check(r#"{"one": 7}"#, Some((7, None)));
        check(r#"{"one": 7.0, "other": null}"#, Some((7, None)));
        check(r#"{"one": 1e2, "other": -3.0}"#, Some((100, Some(-3))));
        check(r#"{"one": 4294967295, "other": -9223372036854775808}"#, Some((u32::MAX, Some(i64::MIN))));
        for bad in ["7.5", "-1", "4294967296", "\"7\"", "null", "1e300", "true"] {
            check(&format!(r#"{{"one": {bad}}}"#), None);
        }
        check(r#"{"one": 1, "other": 9223372036854775808}"#, None);
    }
}
