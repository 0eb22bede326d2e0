//! Several hosts on one store: which hosts live, and which host owns which game.
//!
//! A store that several hosts share implements [`Membership`] beside [`EventLog`](crate::log::EventLog), with one value of both
//! for each host. A host registers and gets an [`Incarnation`]. From then on everything that it writes is fenced by it: a write
//! of an incarnation that is not alive is not stored, and its game fails with
//! [`StoreError::Fenced`](crate::log::StoreError::Fenced). Safety comes from this fence alone. Beats only decide when a host
//! counts as dead, and no wall clock is compared.
//!
//! `PostgresLog` is such a store, [`MemoryCluster`] is one for hosts of one process. [`MemberTable`] has the rules of membership
//! as plain data, for stores in memory. `docs/cluster.md` describes what follows for users.

mod certainty;
mod error;
pub(crate) mod link;
mod memory;
mod open;
#[cfg(feature = "postgres")]
mod postgres;
mod table;
#[cfg(feature = "tls")]
mod tls;
mod watch;
#[cfg(not(feature = "tls"))]
mod without_tls;

use std::{fmt, pin::Pin};

use serde::{Deserialize, Serialize};

pub(crate) use certainty::Certainty;
pub use error::MembershipError;
pub use link::{ClusterSecret, SecretTooShort};
pub use memory::{MemoryCluster, MemoryMember};
pub use open::{SharedStore, open_shared};
pub use table::MemberTable;
pub use tls::{ClusterTls, ClusterTlsError};
use watch::CERTAIN;
pub(crate) use watch::{BEAT_EVERY, PeerWatch};

#[cfg(not(feature = "tls"))]
use self::without_tls as tls;
use crate::log::GameKey;

/// The pending result of a membership operation.
pub type Answering<'a, T> = Pin<Box<dyn Future<Output = Result<T, MembershipError>> + Send + 'a>>;

/// One host's access to the table of hosts, and to the owners of games.
///
/// An operation whose outcome is unknown fails with [`MembershipError::Store`]. Each one can be repeated: the caller gets the
/// state that it asked for, whether or not the first attempt was stored.
pub trait Membership: fmt::Debug + Send + Sync {
    /// Registers this host with a new incarnation, which is alive and has no game. Earlier incarnations of the same name are
    /// dead from then on. Games that this value has open for writing fail with [`StoreError::Fenced`](crate::log::StoreError).
    fn register(&self, host: HostInfo) -> Answering<'_, Incarnation>;

    /// Raises the beat of this host, stores its state, and returns the table of hosts as it is then, in the order of their
    /// incarnations. Fails with [`MembershipError::Buried`] or [`MembershipError::Replaced`] if this incarnation is dead.
    fn beat(&self, state: HostState) -> Answering<'_, Vec<Member>>;

    /// The table of hosts. It needs no registration. A dead incarnation may be missing as soon as it owns no unfinished game.
    fn members(&self) -> Answering<'_, Vec<Member>>;

    /// Declares an incarnation dead, if its beat is still the one that the caller saw. Returns whether it is dead because of this
    /// call. Waits for a write of this incarnation that is under way: afterwards, no write of it is stored.
    fn bury(&self, seen: Sighting) -> Answering<'_, bool>;

    /// Makes this host the owner of unfinished games that no living host owns, at most `limit` of them, and only of rules that it
    /// folds. A draining host gets none. No game is given to two hosts. The caller may open the games when this returns.
    fn claim(&self, which: Claim, limit: usize) -> Answering<'_, Vec<Claimed>>;

    /// The unfinished games of this host. After a claim with an unknown outcome, some of them may have no room.
    fn owned(&self) -> Answering<'_, Vec<Claimed>>;

    /// Gives up games, so that any host can claim them. Their rooms have ended. Games of other hosts are left out. From then on
    /// this host cannot write to these games before it claims them.
    fn hand_over(&self, games: Vec<HandOver>) -> Answering<'_, ()>;

    /// Stores the names of the players in running games of this host. Readers find them in
    /// [`GameRecord::players`](crate::log::GameRecord). Games of other hosts are left out.
    fn publish(&self, players: Vec<(GameKey, Vec<String>)>) -> Answering<'_, ()>;

    /// The owner of an unfinished game; `None` if there is no such game, or it is over.
    fn owner<'a>(&'a self, game: &'a str) -> Answering<'a, Option<Owner>>;

    /// The unfinished games of all hosts, at most `limit`, in the order of their names.
    fn open_games(&self, limit: usize) -> Answering<'_, Vec<ListedGame>>;

    /// A small text that all hosts share under a name.
    fn shared_text(&self, name: String) -> Answering<'_, SharedText>;

    /// Replaces a shared text, if its version is still this one. Returns whether it was replaced. A dead host replaces none.
    fn replace_text(&self, name: String, version: u64, text: String) -> Answering<'_, bool>;

    /// Ends the membership of this host. Its remaining games can be claimed, and fail with
    /// [`StoreError::Fenced`](crate::log::StoreError) if they are open for writing. That happens in any case, even if this
    /// incarnation is dead already.
    fn leave(&self) -> Answering<'_, ()>;
}

/// A small text that all hosts share under a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedText {
    /// How often it was written.
    pub version: u64,
    /// What was written last; nothing before that.
    pub text: String,
}

/// The number of a registration. It is unique in a store, and later registrations have higher numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Incarnation(pub i64);

impl fmt::Display for Incarnation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The facts of a host that do not change while it is registered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostInfo {
    /// The name of the host. No two living hosts have the same.
    pub name: String,
    /// Where it can be reached.
    pub addresses: Addresses,
    /// The version of its program.
    pub version: String,
    /// The rules that it folds.
    pub rules: Vec<FoldedRules>,
}

/// Where a host can be reached, as `name:port`. A port that is not open has no address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Addresses {
    /// For clients.
    pub client: Option<String>,
    /// For browsers and operators.
    pub http: Option<String>,
    /// For other hosts, which forward clients to it.
    pub cluster: Option<String>,
}

/// A rulebook and the versions of it that a host folds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoldedRules {
    /// The name of the rulebook.
    pub rulebook: String,
    /// The versions.
    pub versions: Vec<u32>,
}

/// What a host says with a beat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostState {
    /// Whether it is stopping: it claims no games and hands over its own.
    pub draining: bool,
    /// The number of its running games.
    pub games: u64,
}

/// A row of the table of hosts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The number of its registration.
    pub incarnation: Incarnation,
    /// What it said when it registered.
    #[serde(flatten)]
    pub info: HostInfo,
    /// How often it has beaten.
    pub beat: u64,
    /// Whether it may write.
    pub alive: bool,
    /// What it said with its last beat. For a dead one, `games` is the number of unfinished games that it still owns.
    #[serde(flatten)]
    pub state: HostState,
}

impl Member {
    /// What a peer sees of this host's life.
    pub fn sighting(&self) -> Sighting {
        Sighting { incarnation: self.incarnation, beat: self.beat }
    }

    /// Whether it folds games of these rules.
    pub fn folds(&self, rulebook: &str, version: u32) -> bool {
        self.info.folds(rulebook, version)
    }
}

impl HostInfo {
    /// Whether it folds games of these rules.
    pub fn folds(&self, rulebook: &str, version: u32) -> bool {
        self.rules.iter().any(|rules| rules.rulebook == rulebook && rules.versions.contains(&version))
    }
}

/// A beat that was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// Whose beat.
    pub incarnation: Incarnation,
    /// Its number.
    pub beat: u64,
}

/// The games that a host wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Any games.
    Any,
    /// The games with these names: clients ask for them.
    Named(Vec<String>),
}

/// A game that this host owns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// Its key.
    pub key: GameKey,
    /// Its name.
    pub name: String,
    /// The time of its clock when it was handed over last. It may be later than the time of the last entry.
    pub elapsed_ms: Option<u64>,
}

/// A game that its owner gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandOver {
    /// Its key.
    pub key: GameKey,
    /// The time of its clock, so that a hand-over gives no time back to players.
    pub elapsed_ms: u64,
}

/// The host that plays a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// This host.
    ThisHost(Claimed),
    /// Another host, which is alive as far as the store knows.
    Host(PeerHost),
    /// No living host. The first one that claims it gets it.
    Free,
}

/// Another host, as a forwarder needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerHost {
    /// Its name.
    pub name: String,
    /// The number of its registration.
    pub incarnation: Incarnation,
    /// Where it can be reached.
    pub addresses: Addresses,
}

/// An unfinished game in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedGame {
    /// Its name.
    pub name: String,
    /// Its rulebook.
    pub rulebook: String,
    /// Its edition.
    pub edition: String,
    /// The names of its players, as they were published last.
    pub players: Vec<String>,
}
