//! The secret that all hosts of a cluster share.

use std::{error::Error, fmt};

use super::NONCE;

/// The number of bytes of a proof.
pub(super) const PROOF: usize = 32;

/// The key is derived, so that the secret is not used for anything else by accident.
const CONTEXT: &str = "holdfast cluster link 2026 secret";

/// The secret that all hosts of a cluster share. `Debug` does not show it.
#[derive(Clone)]
pub struct ClusterSecret([u8; 32]);

/// The secret is too short: it could be guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecretTooShort {
    /// Its length in bytes.
    pub length: usize,
}

impl fmt::Display for SecretTooShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (length, least) = (self.length, ClusterSecret::SHORTEST);
        write!(f, "the secret has {length} bytes; it needs at least {least}")
    }
}

impl Error for SecretTooShort {}

/// The side that proves the secret. A proof of one side is not valid for the other.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Dialler,
    Listener,
}

impl ClusterSecret {
    /// The minimum number of bytes of a secret.
    pub const SHORTEST: usize = 16;

    /// A secret of at least [`Self::SHORTEST`] bytes. White space around it does not count.
    ///
    /// # Errors
    /// If it is shorter.
    pub fn new(secret: &[u8]) -> Result<Self, SecretTooShort> {
        let secret = secret.trim_ascii();
        let length = secret.len();
        if length < Self::SHORTEST {
            return Err(SecretTooShort { length });
        }
        Ok(Self(blake3::derive_key(CONTEXT, secret)))
    }

    /// Proves the secret for a connection, and `content` with it. Comparing two proofs takes the same time for all bytes.
    pub(super) fn proof(&self, side: Side, nonces: &[[u8; NONCE]; 2], content: &[u8]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        // All parts but the last have a fixed length.
        hasher.update(&[side as u8]);
        for nonce in nonces {
            hasher.update(nonce);
        }
        hasher.update(content);
        hasher.finalize()
    }
}

impl fmt::Debug for ClusterSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClusterSecret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_a_minimum_length() {
        for (text, expected) in [
            ("0123456789abcdef", None),
            ("  0123456789abcdef\n", None),
            ("0123456789abcde", Some(15)),
            ("0123456789abcde         ", Some(15)),
            ("", Some(0)),
        ] {
            let error = ClusterSecret::new(text.as_bytes()).err();
            assert_eq!(error, expected.map(|length| SecretTooShort { length }), "{text:?}");
        }
        let same = |one: &str, other: &str| {
            let key = |text: &str| ClusterSecret::new(text.as_bytes()).expect("long enough").0;
            key(one) == key(other)
        };
        assert!(same("0123456789abcdef", "0123456789abcdef\n"));
        assert!(!same("0123456789abcdef", "0123456789abcdeF"));
    }
}
