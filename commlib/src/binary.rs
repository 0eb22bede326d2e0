//! Reads postcard, and reports where a mistake is.

use std::cell::Cell;

use postcard::{Deserializer, Error, de_flavors::Flavor};
use serde::de::DeserializeOwned;

use crate::malformed::{Malformed, Mistake};

/// Reads a value from all of these bytes.
pub(crate) fn read_all<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Malformed> {
    let (value, rest) = read_start(bytes)?;
    check_end(bytes, rest).map(|()| value)
}

/// Reads the value at the start of these bytes, and returns the bytes after it.
pub(crate) fn read_start<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, &[u8]), Malformed> {
    let at = Cell::new(0);
    match T::deserialize(&mut Deserializer::from_flavor(Counted { bytes, at: &at })) {
        Ok(value) => Ok((value, &bytes[at.get()..])),
        Err(error) => Err(Malformed::Binary { byte: at.get(), mistake: Mistake::Value(error) }),
    }
}

/// Checks that no bytes are left.
pub(crate) fn check_end(bytes: &[u8], rest: &[u8]) -> Result<(), Malformed> {
    match rest.len() {
        0 => Ok(()),
        extra => Err(Malformed::Binary { byte: bytes.len() - extra, mistake: Mistake::TooLong { extra } }),
    }
}

/// A slice that counts the bytes that were read, even if reading fails.
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
