//! Reading postcard, with words that say what is wrong and where.

use std::cell::Cell;

use postcard::{Deserializer, Error, de_flavors::Flavor};
use serde::de::DeserializeOwned;

/// The value that these bytes are, with nothing left over.
pub(crate) fn whole<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let (value, rest) = start(bytes)?;
    nothing_left(bytes, rest).map(|()| value)
}

/// The value at the start of these bytes, and the bytes behind it.
pub(crate) fn start<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, &[u8]), String> {
    let at = Cell::new(0);
    match T::deserialize(&mut Deserializer::from_flavor(Counted { bytes, at: &at })) {
        Ok(value) => Ok((value, &bytes[at.get()..])),
        Err(error) => Err(format!("byte {}: {}", at.get(), words(&error))),
    }
}

pub(crate) fn nothing_left(bytes: &[u8], rest: &[u8]) -> Result<(), String> {
    match rest.len() {
        0 => Ok(()),
        left => Err(format!("byte {}: the message is over and {left} more came", bytes.len() - left)),
    }
}

/// A slice whose reader can still be asked how far it came after it failed.
struct Counted<'a> {
    bytes: &'a [u8],
    at: &'a Cell<usize>,
}

impl<'a> Flavor<'a> for Counted<'a> {
    type Remainder = ();
    type Source = &'a [u8];

    fn pop(&mut self) -> Result<u8, Error> {
        let byte = self.bytes.get(self.at.get()).ok_or(Error::DeserializeUnexpectedEnd)?;
        self.at.set(self.at.get() + 1);
        Ok(*byte)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.bytes.len() - self.at.get())
    }

    fn try_take_n(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let taken = self.bytes[self.at.get()..].get(..count).ok_or(Error::DeserializeUnexpectedEnd)?;
        self.at.set(self.at.get() + count);
        Ok(taken)
    }

    fn finalize(self) -> Result<(), Error> {
        Ok(())
    }
}

fn words(error: &Error) -> String {
    const WORDS: &[(Error, &str)] = &[
        (Error::DeserializeUnexpectedEnd, "the message is cut off here"),
        (Error::DeserializeBadVarint, "a number that is too large for its field"),
        (Error::DeserializeBadBool, "a bool that is neither 00 nor 01"),
        (Error::DeserializeBadOption, "an option that is neither 00 nor 01"),
        (Error::DeserializeBadUtf8, "a string that is not UTF-8"),
        (Error::SerdeDeCustom, "a number that no variant has, or a value that is not allowed"),
    ];
    let known = WORDS.iter().find(|(known, _)| known == error);
    known.map_or_else(|| error.to_string(), |(_, words)| (*words).into())
}
