//! The bytes of a log: a header, then entries, chained by digests. `docs/log-format.md` describes them for others.

use alloc::{string::String, vec::Vec};
use core::fmt;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Emission, Input, Rulebook};

/// The format of header and entries. A released format is never changed, only followed by another.
pub const FORMAT: u16 = 1;

/// What a game is, before anything happened in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header<S> {
    pub format: u16,
    /// The game's own name, so that the chain of digests belongs to this game and no other.
    pub game: String,
    /// Milliseconds since 1970.
    pub created: i64,
    pub rulebook: String,
    pub edition: String,
    pub rules_version: u32,
    pub seed: i64,
    pub parent: Option<Parent>,
    /// The last field, so that a reader who lacks the rulebook can still read all the others.
    pub setup: S,
}

/// Where a forked game comes from. Its own log begins with the parent's entries up to that one, so that it can be replayed
/// alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    pub game: String,
    pub sequence: u64,
    pub digest: Digest,
}

impl<S: Serialize + DeserializeOwned> Header<S> {
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

    pub fn encode(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("a header always has a form in bytes")
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, Undecodable> {
        check_format(bytes)?;
        decode(bytes)
    }
}

impl Header<()> {
    /// Everything but the setup, for a reader who may lack the rulebook.
    pub fn decode_without_setup(bytes: &[u8]) -> Result<Self, Undecodable> {
        Self::split(bytes).map(|(header, _setup)| header)
    }

    /// Everything but the setup, and the setup's bytes, for a reader who may know it already.
    pub fn split(bytes: &[u8]) -> Result<(Self, &[u8]), Undecodable> {
        check_format(bytes)?;
        postcard::take_from_bytes(bytes).map_err(Undecodable::Malformed)
    }

    pub fn with_setup<S>(self, setup: S) -> Header<S> {
        let Self { format, game, created, rulebook, edition, rules_version, seed, parent, setup: () } = self;
        Header { format, game, created, rulebook, edition, rules_version, seed, parent, setup }
    }
}

/// The setup of a header that was [split](Header::split).
pub fn decode_setup<S: DeserializeOwned>(bytes: &[u8]) -> Result<S, Undecodable> {
    decode(bytes)
}

/// Another format may have other fields: it is refused before any of them is read.
fn check_format(bytes: &[u8]) -> Result<(), Undecodable> {
    match postcard::take_from_bytes::<u16>(bytes) {
        Ok((FORMAT, _)) => Ok(()),
        Ok((format, _)) => Err(Undecodable::OtherFormat { format }),
        Err(error) => Err(Undecodable::Malformed(error)),
    }
}

/// One input and what it caused. Entries are numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<C, T, E> {
    pub sequence: u64,
    /// Milliseconds since 1970 when the input was taken: for people, not for the rules.
    pub at: i64,
    pub input: Input<C, T>,
    pub emissions: Vec<Emission<E>>,
}

impl<C: DeserializeOwned, T: DeserializeOwned, E: DeserializeOwned> Entry<C, T, E> {
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

/// Bytes that are no header or entry of this rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecodable {
    OtherFormat { format: u16 },
    TooLong { extra: usize },
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

/// The end of a log, to which entries are added: in order, each bound to everything before it.
#[derive(Clone, Debug)]
pub struct Chain {
    sequence: u64,
    digest: Digest,
    /// The last digest, then the bytes of the entry in hand: what the next digest is made of.
    buffer: Vec<u8>,
}

/// An entry that was just added to a chain.
#[derive(Clone, Copy, Debug)]
pub struct Link<'c> {
    pub sequence: u64,
    pub bytes: &'c [u8],
    pub digest: Digest,
}

impl Chain {
    /// The chain of a game without entries. It begins with the digest of the header, so that a log fits no other header.
    pub fn new(header: &[u8]) -> Self {
        Self { sequence: 0, digest: Digest(*blake3::hash(header).as_bytes()), buffer: Vec::new() }
    }

    /// The chain behind an entry that was verified elsewhere.
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

    /// Adds an entry. Its bytes are those of [`Entry`], without the need to own one.
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

    /// Adds an entry of another chain, in its own bytes, and gives the digest that it has in this one.
    pub fn copy(&mut self, bytes: &[u8]) -> Digest {
        self.begin_link();
        self.buffer.extend_from_slice(bytes);
        self.end_link();
        self.digest
    }

    /// Goes on over an entry that is stored with its digest.
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

/// Writes behind what is in a buffer, whose room is used again from entry to entry.
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

/// An entry whose digest does not follow from what stands before it: it was changed, or something before it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenChain {
    pub sequence: u64,
}

impl fmt::Display for BrokenChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the digest of entry {} does not follow from the log before it", self.sequence)
    }
}

impl core::error::Error for BrokenChain {}
