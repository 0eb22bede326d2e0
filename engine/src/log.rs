//! The bytes of a log: a header, then entries, chained by digests. `docs/log-format.md` specifies the format.

use alloc::{string::String, vec::Vec};
use core::fmt;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Emission, Input, Rulebook};

/// The version of the log format. A released format never changes; a new one gets the next number.
pub const FORMAT: u16 = 1;

/// The start of a log. It contains everything that defines a game before its first input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header<S> {
    /// The [`FORMAT`] of the program that wrote the log.
    pub format: u16,
    /// The name of the game. It is part of the chain of digests, so that the log fits no other game.
    pub game: String,
    /// When the game was created, in milliseconds since 1970.
    pub created: i64,
    /// [`Rulebook::NAME`].
    pub rulebook: String,
    /// [`Rulebook::edition`] of the setup.
    pub edition: String,
    /// The version of the game's rules.
    pub rules_version: u32,
    /// The seed of the game's random numbers.
    pub seed: i64,
    /// The game that this one was forked from.
    pub parent: Option<Parent>,
    /// The parameters of the game. This is the last field, so that a reader without the rulebook can read all others.
    pub setup: S,
}

/// The origin of a forked game. The fork's log begins with a copy of the parent's entries up to `sequence`, so that it can be
/// replayed alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    /// The name of the parent.
    pub game: String,
    /// The last entry that both games share.
    pub sequence: u64,
    /// The digest of this entry in the parent's log.
    pub digest: Digest,
}

impl<S: Serialize + DeserializeOwned> Header<S> {
    /// The header of a new game.
    pub fn new<R: Rulebook<Setup = S>>(game: &str, created: i64, setup: S, seed: i64) -> Self {
        Self {
            format: FORMAT,
            game: game.into(),
            created,
            rulebook: R::NAME.into(),
            edition: R::edition(&setup).into(),
            rules_version: R::RULES_VERSION,
            seed,
            parent: None,
            setup,
        }
    }

    /// The header's bytes.
    pub fn encode(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("a header always has a form in bytes")
    }

    /// Reads a header.
    ///
    /// # Errors
    /// If the bytes are not a header with a setup of this type.
    pub fn decode(bytes: &[u8]) -> Result<Self, Undecodable> {
        check_format(bytes)?;
        decode(bytes)
    }
}

impl Header<()> {
    /// Reads everything but the setup, for a reader without the rulebook.
    ///
    /// # Errors
    /// If the bytes are not a header.
    pub fn decode_without_setup(bytes: &[u8]) -> Result<Self, Undecodable> {
        Self::split(bytes).map(|(header, _setup)| header)
    }

    /// Reads everything but the setup, and returns the setup's bytes. [`decode_setup`] reads them.
    ///
    /// # Errors
    /// If the bytes are not a header.
    pub fn split(bytes: &[u8]) -> Result<(Self, &[u8]), Undecodable> {
        check_format(bytes)?;
        postcard::take_from_bytes(bytes).map_err(Undecodable::Malformed)
    }

    /// The same header with a setup.
    pub fn with_setup<S>(self, setup: S) -> Header<S> {
        let Self { format, game, created, rulebook, edition, rules_version, seed, parent, setup: () } = self;
        Header { format, game, created, rulebook, edition, rules_version, seed, parent, setup }
    }
}

/// Reads the setup of a header that was [split](Header::split).
///
/// # Errors
/// If the bytes are not a setup of this type.
pub fn decode_setup<S: DeserializeOwned>(bytes: &[u8]) -> Result<S, Undecodable> {
    decode(bytes)
}

/// Another format may have other fields, so the format is checked before any other field is read.
fn check_format(bytes: &[u8]) -> Result<(), Undecodable> {
    match postcard::take_from_bytes::<u16>(bytes) {
        Ok((FORMAT, _)) => Ok(()),
        Ok((format, _)) => Err(Undecodable::OtherFormat { format }),
        Err(error) => Err(Undecodable::Malformed(error)),
    }
}

/// One input and its emissions. Entries are numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<C, T, E> {
    /// The number of the entry.
    pub sequence: u64,
    /// When the host received the input, in milliseconds since 1970. It is for people only; the rules do not see it.
    pub at: i64,
    /// The input.
    pub input: Input<C, T>,
    /// The emissions of the fold.
    pub emissions: Vec<Emission<E>>,
}

impl<C: DeserializeOwned, T: DeserializeOwned, E: DeserializeOwned> Entry<C, T, E> {
    /// Reads an entry.
    ///
    /// # Errors
    /// If the bytes are not an entry of this rulebook.
    pub fn decode(bytes: &[u8]) -> Result<Self, Undecodable> {
        decode(bytes)
    }
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Undecodable> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok((_, rest)) => Err(Undecodable::TooLong { extra: rest.len() }),
        Err(error) => Err(Undecodable::Malformed(error)),
    }
}

/// Why bytes are not a header or an entry of this rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecodable {
    /// The log has a format other than [`FORMAT`].
    OtherFormat {
        /// The format of the log.
        format: u16,
    },
    /// Bytes follow the value.
    TooLong {
        /// The number of extra bytes.
        extra: usize,
    },
    /// The bytes do not have the expected form.
    Malformed(postcard::Error),
}

impl fmt::Display for Undecodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherFormat { format } => write!(f, "in format {format}, and this program reads format {FORMAT}"),
            Self::TooLong { extra } => write!(f, "{extra} bytes too many"),
            Self::Malformed(error) => write!(f, "not in the format of the log: {error}"),
        }
    }
}

impl core::error::Error for Undecodable {}

/// BLAKE3 over the previous digest and an entry's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The end of a log. It numbers the entries, and links each entry to all earlier ones.
///
/// ```
/// use engine::{Cause, Chain, CommId, Emission, Input};
///
/// let header = b"the bytes of a header";
/// let mut chain = Chain::new(header);
/// let input: Input<&str, ()> =
///     Input { elapsed_ms: 0, cause: Cause::Command { client: CommId(1), command: "join" } };
/// let link = chain.append(1_700_000_000_000, &input, &[Emission::<()>::Seated { client: CommId(1) }]);
/// let (bytes, digest) = (link.bytes.to_vec(), link.digest);
///
/// // A reader follows the same chain.
/// let mut reader = Chain::new(header);
/// assert_eq!(reader.verify(&bytes, &digest), Ok(()));
/// assert_eq!(reader.digest(), chain.digest());
///
/// // A changed byte, or another header, breaks it.
/// assert!(Chain::new(b"another header").verify(&bytes, &digest).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Chain {
    sequence: u64,
    digest: Digest,
    /// The last digest, followed by the bytes of the current entry. Together they are the input of the next digest.
    buffer: Vec<u8>,
}

/// An entry that was just added to a chain.
#[derive(Clone, Copy, Debug)]
pub struct Link<'c> {
    /// The number of the entry.
    pub sequence: u64,
    /// The bytes of the entry.
    pub bytes: &'c [u8],
    /// The digest of the entry.
    pub digest: Digest,
}

impl Chain {
    /// The chain of a game without entries. It begins with the digest of the header, so that the log fits no other header.
    pub fn new(header: &[u8]) -> Self {
        Self { sequence: 0, digest: Digest(*blake3::hash(header).as_bytes()), buffer: Vec::new() }
    }

    /// The chain after an entry that is already verified.
    pub fn after(sequence: u64, digest: Digest) -> Self {
        Self { sequence, digest, buffer: Vec::new() }
    }

    /// The number of entries so far.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The digest of all entries so far.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Adds an entry. Its bytes encode an [`Entry`] with these fields; `at` is in milliseconds since 1970.
    pub fn append<C: Serialize, T: Serialize, E: Serialize>(
        &mut self,
        at: i64,
        input: &Input<C, T>,
        emissions: &[Emission<E>],
    ) -> Link<'_> {
        self.begin_link();
        let entry = (self.sequence + 1, at, input, emissions);
        postcard::serialize_with_flavor(&entry, Appending(&mut self.buffer))
            .expect("an entry always has a form in bytes");
        self.end_link();
        Link { sequence: self.sequence, bytes: &self.buffer[32..], digest: self.digest }
    }

    /// Adds the bytes of another chain's entry, and returns the entry's digest in this chain.
    pub fn copy(&mut self, bytes: &[u8]) -> Digest {
        self.begin_link();
        self.buffer.extend_from_slice(bytes);
        self.end_link();
        self.digest
    }

    /// Adds a stored entry and compares its digest. A broken entry does not change the chain.
    ///
    /// # Errors
    /// If the digest does not follow from the earlier entries and these bytes.
    pub fn verify(&mut self, bytes: &[u8], digest: &Digest) -> Result<(), BrokenChain> {
        let before = self.digest;
        if self.copy(bytes) == *digest {
            return Ok(());
        }
        self.digest = before;
        self.sequence -= 1;
        Err(BrokenChain { sequence: self.sequence + 1 })
    }

    fn begin_link(&mut self) {
        self.buffer.clear();
        self.buffer.extend_from_slice(&self.digest.0);
    }

    fn end_link(&mut self) {
        self.digest = Digest(*blake3::hash(&self.buffer).as_bytes());
        self.sequence += 1;
    }
}

/// Appends to a buffer that is reused for every entry.
struct Appending<'b>(&'b mut Vec<u8>);

impl postcard::ser_flavors::Flavor for Appending<'_> {
    type Output = ();

    #[inline]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    #[inline]
    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

/// The digest of an entry does not follow from the log before it: this entry or an earlier one was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenChain {
    /// The number of the entry.
    pub sequence: u64,
}

impl fmt::Display for BrokenChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the digest of entry {} does not follow from the log before it", self.sequence)
    }
}

impl core::error::Error for BrokenChain {}
