//! Connections between hosts. A host passes a client on to the host that plays its game.
//!
//! The dialling side names itself, the client and the game in a [`LinkRequest`]. Both sides prove that they know the secret of the
//! cluster before anything else is sent. Each proof covers random bytes of both sides, so a recorded one is worth nothing, and
//! the secret itself never travels. The listening side speaks last: it accepts the request, or says that it does not play the game.
//!
//! ```text
//! listener:  MAGIC, 32 random bytes
//! dialler:   32 random bytes, length and bytes of the request, proof
//! listener:  verdict, proof
//! ```
//!
//! The bytes after that are neither encrypted nor signed. So the network between hosts must be private, unless the hosts have
//! certificates: then both sides open TLS first (`tls`). [`dial`] and [`accept`] take any stream.

mod secret;

use std::{fmt, io, net::SocketAddr, time::Duration};

use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::timeout,
};

pub use secret::{ClusterSecret, SecretTooShort};
use secret::{PROOF, Side};

use super::{Incarnation, tls::fault_of_tls};
use crate::world::Stream;

/// The first bytes of the listening side.
const MAGIC: &[u8; 16] = b"holdfast link 1\n";

/// The number of random bytes of each side.
pub(crate) const NONCE: usize = 32;

/// The maximum size of a request. The names in it are short.
const LONGEST_REQUEST: usize = 1024;

/// The time limit for the listening side until it has a proven request, and for the dialling side until it can send one.
pub(crate) const HANDSHAKE: Duration = Duration::from_secs(3);

/// How long the dialling side waits for the verdict. The listening side may have to open the game first.
const VERDICT: Duration = Duration::from_secs(20);

/// What a host passes on to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LinkRequest {
    /// The name of the dialling host, for the log lines of the other.
    pub(crate) from: String,
    /// The incarnation that plays the game, as far as the dialling host knows.
    pub(crate) to: Incarnation,
    /// The address of the client.
    pub(crate) client: SocketAddr,
    /// The game of the client.
    pub(crate) game: String,
    /// What follows.
    pub(crate) passed: Passed,
}

/// What follows a request. Variants are only appended, because hosts of two versions work together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Passed {
    /// A client of the wire protocol that uses frames.
    Frames,
    /// A client of the wire protocol that uses JSON.
    Lines,
    /// An HTTP request for the pages and the API.
    Pages,
    /// An HTTP request for the port of a rulebook.
    Port {
        /// The name of the rulebook.
        rulebook: String,
    },
}

/// The answer to a proven request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Accepted,
    /// Another host plays the game, or this one has another incarnation.
    NotHere,
    /// There are too many connections.
    TooMany,
}

impl Verdict {
    const ALL: [Self; 3] = [Self::Accepted, Self::NotHere, Self::TooMany];
}

/// Why two hosts have no connection.
#[derive(Debug)]
pub(crate) enum LinkError {
    /// The connection failed.
    Io(io::Error),
    /// The other side is too slow.
    TimedOut,
    /// The other side sends nothing at all.
    Silent,
    /// Both sides do not agree on an encrypted connection.
    Tls(String),
    /// The other side does not speak this protocol.
    Foreign,
    /// The other side does not know the secret.
    WrongSecret,
    /// The request is longer than [`LONGEST_REQUEST`], or is not a request.
    BadRequest,
    /// The other side does not play the game.
    NotHere,
    /// The other side has too many connections.
    TooMany,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::TimedOut => f.write_str("the other side did not answer in time"),
            Self::Silent => f.write_str("the other side sends nothing: it is frozen, or expects TLS"),
            Self::Tls(fault) => f.write_str(fault),
            Self::Foreign => f.write_str("the other side is not a host of a cluster"),
            Self::WrongSecret => f.write_str("the other side has another secret"),
            Self::BadRequest => f.write_str("the request is not valid"),
            Self::NotHere => f.write_str("the other side does not play this game"),
            Self::TooMany => f.write_str("the other side has too many connections"),
        }
    }
}

impl std::error::Error for LinkError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::TimedOut
            | Self::Silent
            | Self::Tls(_)
            | Self::Foreign
            | Self::WrongSecret
            | Self::BadRequest
            | Self::NotHere
            | Self::TooMany => None,
        }
    }
}

impl From<io::Error> for LinkError {
    fn from(error: io::Error) -> Self {
        // A side that refuses a certificate says so only after the other side has sent its first bytes.
        match fault_of_tls(&error) {
            Some(fault) => Self::Tls(fault),
            None => Self::Io(error),
        }
    }
}

/// The dialling side of a new connection: sends the request and waits until it is accepted.
pub(crate) async fn dial(
    stream: &mut (impl Stream + ?Sized),
    secret: &ClusterSecret,
    nonce: [u8; NONCE],
    request: &LinkRequest,
) -> Result<(), LinkError> {
    let request = postcard::to_stdvec(request).map_err(|_| LinkError::BadRequest)?;
    let length = u16::try_from(request.len()).ok().filter(|length| usize::from(*length) <= LONGEST_REQUEST);
    let length = length.ok_or(LinkError::BadRequest)?;
    let sent = async {
        let mut magic = [0; MAGIC.len()];
        stream.read_exact(&mut magic).await?;
        if magic != *MAGIC {
            return Err(LinkError::Foreign);
        }
        let mut other = [0; NONCE];
        stream.read_exact(&mut other).await?;
        let nonces = [other, nonce];
        let proof = secret.proof(Side::Dialler, &nonces, &request);
        let parts = [&nonce[..], &length.to_be_bytes(), &request, proof.as_bytes()];
        stream.write_all(&parts.concat()).await?;
        stream.flush().await?;
        Ok(nonces)
    };
    let nonces = timeout(HANDSHAKE, sent).await.map_err(|_| LinkError::Silent)??;

    let mut answer = [0; 1 + PROOF];
    match timeout(VERDICT, stream.read_exact(&mut answer)).await.map_err(|_| LinkError::TimedOut)? {
        Ok(_) => {}
        // The other side does not answer a wrong proof.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(LinkError::WrongSecret),
        Err(error) => return Err(error.into()),
    }
    let [verdict, proof @ ..] = answer;
    if secret.proof(Side::Listener, &nonces, &[verdict]) != blake3::Hash::from_bytes(proof) {
        return Err(LinkError::WrongSecret);
    }
    match Verdict::ALL.get(usize::from(verdict)) {
        Some(Verdict::Accepted) => Ok(()),
        Some(Verdict::NotHere) => Err(LinkError::NotHere),
        Some(Verdict::TooMany) => Err(LinkError::TooMany),
        None => Err(LinkError::Foreign),
    }
}

/// A proven request that waits for its verdict.
#[derive(Debug)]
pub(crate) struct Proven {
    pub(crate) request: LinkRequest,
    nonces: [[u8; NONCE]; 2],
}

/// The listening side of a new connection: receives the request. A side that does not prove the secret in time learns nothing.
pub(crate) async fn accept(
    stream: &mut (impl Stream + ?Sized),
    secret: &ClusterSecret,
    nonce: [u8; NONCE],
) -> Result<Proven, LinkError> {
    let received = async {
        stream.write_all(&[&MAGIC[..], &nonce].concat()).await?;
        stream.flush().await?;
        let mut other = [0; NONCE];
        stream.read_exact(&mut other).await?;
        let length = usize::from(stream.read_u16().await?);
        if length > LONGEST_REQUEST {
            return Err(LinkError::BadRequest);
        }
        let mut request = vec![0; length];
        stream.read_exact(&mut request).await?;
        let mut proof = [0; PROOF];
        stream.read_exact(&mut proof).await?;
        let nonces = [nonce, other];
        if secret.proof(Side::Dialler, &nonces, &request) != blake3::Hash::from_bytes(proof) {
            return Err(LinkError::WrongSecret);
        }
        let request = postcard::from_bytes(&request).map_err(|_| LinkError::BadRequest)?;
        Ok(Proven { request, nonces })
    };
    timeout(HANDSHAKE, received).await.map_err(|_| LinkError::TimedOut)?
}

impl Proven {
    /// Sends the verdict.
    pub(crate) async fn answer(
        &self,
        stream: &mut (impl Stream + ?Sized),
        secret: &ClusterSecret,
        verdict: Verdict,
    ) -> Result<(), LinkError> {
        let verdict = verdict as u8;
        let proof = secret.proof(Side::Listener, &self.nonces, &[verdict]);
        let answered = async {
            stream.write_all(&[&[verdict], &proof.as_bytes()[..]].concat()).await?;
            stream.flush().await
        };
        Ok(timeout(HANDSHAKE, answered).await.map_err(|_| LinkError::TimedOut)??)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use tokio::io::{DuplexStream, duplex};

    use super::*;

    fn secret(words: &str) -> ClusterSecret {
        ClusterSecret::new(words.as_bytes()).expect("long enough")
    }

    fn request(game: &str) -> LinkRequest {
        let client = (Ipv4Addr::new(192, 0, 2, 7), 4000).into();
        LinkRequest { from: "a".into(), to: Incarnation(7), client, game: game.into(), passed: Passed::Lines }
    }

    /// Both sides of a handshake, and what each of them says about it.
    async fn check(dialling: &str, listening: &str, verdict: Verdict) -> (String, String) {
        let (mut one, mut other) = duplex(4096);
        let dialled = async { dial(&mut one, &secret(dialling), [1; NONCE], &request("g1")).await };
        let accepted = async move {
            let secret = secret(listening);
            let proven = accept(&mut other, &secret, [2; NONCE]).await?;
            proven.answer(&mut other, &secret, verdict).await?;
            Ok::<_, LinkError>(proven.request)
        };
        let (dialled, accepted) = tokio::join!(dialled, accepted);
        let word = |failed: LinkError| failed.to_string();
        let accepted = accepted.map(|accepted| assert_eq!(accepted, request("g1")));
        (dialled.map_or_else(word, |()| "ok".into()), accepted.map_or_else(word, |()| "ok".into()))
    }

    #[tokio::test]
    async fn both_sides_prove_the_secret() {
        let (right, wrong) = ("correct horse battery", "correct horse batterz");
        let pair = |dialler: &str, listener: &str| (dialler.to_owned(), listener.to_owned());
        assert_eq!(check(right, right, Verdict::Accepted).await, pair("ok", "ok"));
        assert_eq!(check(right, right, Verdict::NotHere).await, pair("the other side does not play this game", "ok"));
        assert_eq!(check(right, right, Verdict::TooMany).await, pair("the other side has too many connections", "ok"));
        let other = "the other side has another secret";
        assert_eq!(check(wrong, right, Verdict::Accepted).await, pair(other, other));
    }

    /// What a listener says to these bytes of a dialler. A dialler without bytes is silent; the others leave.
    async fn listener_hears(bytes: &[u8]) -> String {
        let (mut one, mut other) = duplex(1 << 16);
        one.write_all(bytes).await.expect("a buffer");
        if !bytes.is_empty() {
            one.shutdown().await.expect("a buffer");
        }
        let accepted = accept(&mut other, &secret("correct horse battery"), [2; NONCE]).await;
        accepted.map_or_else(|error| error.to_string(), |_| "ok".into())
    }

    #[tokio::test(start_paused = true)]
    async fn garbage_and_silence_are_refused() {
        assert_eq!(listener_hears(&[]).await, "the other side did not answer in time");
        assert_eq!(listener_hears(b"GET / HTTP/1.1\r\n\r\n").await, "early eof");
        assert_eq!(listener_hears(&[b'x'; 200]).await, "the request is not valid", "a length of 30840");
        let mut zeros = [0; NONCE + 2 + PROOF];
        zeros[0] = 1;
        assert_eq!(listener_hears(&zeros).await, "the other side has another secret");
    }

    #[tokio::test]
    async fn a_recorded_proof_is_worth_nothing() {
        let secret = secret("correct horse battery");
        let (mut one, mut other) = duplex(4096);
        let request = request("g1");
        let (dialled, recorded) = tokio::join!(dial(&mut one, &secret, [1; NONCE], &request), async {
            other.write_all(&[&MAGIC[..], &[2; NONCE]].concat()).await.expect("a buffer");
            let mut recorded = vec![0; 4096];
            let count = other.read(&mut recorded).await.expect("a request");
            recorded.truncate(count);
            drop(other);
            recorded
        });
        assert!(matches!(dialled, Err(LinkError::WrongSecret)), "a listener that proves nothing");
        let replay = async |nonce, recorded: &[u8]| {
            let (mut one, mut other): (DuplexStream, DuplexStream) = duplex(4096);
            one.write_all(recorded).await.expect("a buffer");
            accept(&mut other, &secret, nonce).await.map(|proven| proven.request.game)
        };
        assert_eq!(replay([2; NONCE], &recorded).await.expect("the same connection"), "g1");
        assert!(matches!(replay([3; NONCE], &recorded).await, Err(LinkError::WrongSecret)));
        let mut changed = recorded.clone();
        let at = changed.windows(2).position(|pair| pair == b"g1").expect("the game");
        changed[at + 1] = b'2';
        assert!(matches!(replay([2; NONCE], &changed).await, Err(LinkError::WrongSecret)), "the request is proven too");
    }

    #[tokio::test]
    async fn a_listener_that_only_repeats_proves_nothing() {
        let secret = secret("correct horse battery");
        let (mut one, mut other) = duplex(4096);
        let request = request("g1");
        let (dialled, ()) = tokio::join!(dial(&mut one, &secret, [1; NONCE], &request), async {
            other.write_all(&[&MAGIC[..], &[1; NONCE]].concat()).await.expect("a buffer");
            let mut recorded = vec![0; 4096];
            let count = other.read(&mut recorded).await.expect("a request");
            let proof = &recorded[count - PROOF..count];
            other.write_all(&[&[0], proof].concat()).await.expect("a buffer");
        });
        assert!(matches!(dialled, Err(LinkError::WrongSecret)));
    }
}
