//! Ids of messages.

use std::sync::Arc;

use crate::documents::Guid;

/// Generates unique ids: ten bytes identify the source, and six bytes are a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ids {
    source: [u8; 10],
    given: u64,
}

impl Ids {
    /// Creates a generator. The source should be random, or otherwise unique.
    pub fn new(source: [u8; 10]) -> Self {
        Self { source, given: 0 }
    }

    /// A generator whose ids differ from all ids of this one.
    #[must_use]
    pub fn other(&self) -> Self {
        let mut source = self.source;
        source[0] ^= 0xff;
        Self::new(source)
    }

    /// The next id.
    pub fn next_guid(&mut self) -> Guid {
        self.given += 1;
        let mut bytes = [0; 16];
        bytes[..10].copy_from_slice(&self.source);
        bytes[10..].copy_from_slice(&self.given.to_be_bytes()[2..]);
        Guid::of_random(bytes)
    }

    /// The next id as text.
    pub fn next_id(&mut self) -> Arc<str> {
        self.next_guid().as_str().into()
    }
}

#[cfg(test)]
mod tests {
    use super::Ids;

    #[test]
    fn ids_are_unique() {
        let mut ids = Ids::new([0xff; 10]);
        let given: std::collections::BTreeSet<_> = (0..1000).map(|_| ids.next_id()).collect();
        assert_eq!(given.len(), 1000);
        assert_eq!(Ids::new([0xff; 10]).next_id().as_ref(), "ffffffff-ffff-4fff-bfff-000000000001");
    }
}
