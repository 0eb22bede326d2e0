//! Shares equal setups between games, which saves memory and decoding time.

use std::{any::Any, fmt};

/// The maximum number of cached setups, more than a host usually plays at a time. An evicted setup is decoded again.
const MOST: usize = 64;

/// The most recently used setups, by their bytes in the header.
#[derive(Default)]
pub struct SetupInterner {
    known: Vec<(Vec<u8>, Box<dyn Any + Send>)>,
}

impl SetupInterner {
    /// Returns the setup with these bytes. Decodes it if it is not cached.
    pub(crate) fn share<S: Clone + Send + 'static, E>(
        &mut self,
        bytes: &[u8],
        read: impl FnOnce() -> Result<S, E>,
    ) -> Result<S, E> {
        let known = self.known.iter().filter(|(known, _)| known == bytes);
        if let Some(setup) = known.filter_map(|(_, setup)| setup.downcast_ref::<S>()).next() {
            return Ok(setup.clone());
        }
        let setup = read()?;
        if self.known.len() == MOST {
            self.known.remove(0);
        }
        self.known.push((bytes.to_vec(), Box::new(setup.clone())));
        Ok(setup)
    }
}

impl fmt::Debug for SetupInterner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SetupInterner").field("known", &self.known.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn equal_bytes_are_read_once() {
        let mut setups = SetupInterner::default();
        let mut share = |bytes: &[u8], read: Result<&str, ()>| setups.share(bytes, || read.map(Arc::<str>::from));
        let first = share(b"winter", Ok("winter")).expect("it can be read");
        let second = share(b"winter", Err(())).expect("it need not be read");
        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!(share(b"summer", Err(())), Err(()));
        (0..MOST as u8).for_each(|other| drop(share(&[other], Ok("other"))));
        assert_eq!(share(b"winter", Err(())), Err(()), "it was forgotten for others");
    }

    #[test]
    fn equal_bytes_of_other_rules_are_something_else() {
        let mut setups = SetupInterner::default();
        let read = |setups: &mut SetupInterner| setups.share::<u8, ()>(b"1", || Ok(1));
        assert_eq!(read(&mut setups), Ok(1));
        assert_eq!(setups.share::<u16, ()>(b"1", || Ok(2)), Ok(2));
        assert_eq!(read(&mut setups), Ok(1));
    }
}
