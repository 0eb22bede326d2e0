//! The games that are played: for each rulebook a bot, which lives in the folder of its game.

use std::pin::Pin;

use server::{Adapter, Erased, GameTable, HostedGame, log::GameHead};

use crate::{
    bot::Bot,
    gateway_player,
    ledger::{self, Book, Finding},
    observer::Check,
    player::{self, Player},
};

#[cfg(feature = "colony")]
#[path = "../../games/colony/tests/simulation/mod.rs"]
mod colony;
#[cfg(feature = "crazyhouse")]
#[path = "../../games/crazyhouse/tests/simulation/mod.rs"]
mod crazyhouse;
#[cfg(feature = "project")]
#[path = "../../games/project/tests/simulation/mod.rs"]
mod project;
#[cfg(feature = "treasure")]
#[path = "../../games/treasure/tests/simulation/mod.rs"]
mod treasure;

/// A rulebook of the simulation.
pub(crate) struct Kind {
    pub(crate) hosted: &'static dyn HostedGame,
    pub(crate) most_players: u64,
    /// Whether spectators come over the wire; those of a gateway do not.
    pub(crate) has_spectators: bool,
    /// Plays one seat until the simulation ends.
    pub(crate) play: fn(Player) -> Playing,
    book: fn(&GameHead) -> Result<Box<dyn Book>, Finding>,
}

/// A player at work.
pub(crate) type Playing = Pin<Box<dyn Future<Output = ()> + Send>>;

impl Kind {
    const fn of<B: Bot>(hosted: &'static Erased<B::Game>) -> Self {
        Self {
            hosted,
            most_players: B::MOST_PLAYERS,
            has_spectators: !<B::Game as Adapter>::HANDLE,
            play: if <B::Game as Adapter>::HANDLE { at_gateway::<B> } else { over_wire::<B> },
            book: ledger::open_book::<<B::Game as Adapter>::Rules>,
        }
    }
}

fn over_wire<B: Bot>(player: Player) -> Playing {
    Box::pin(player::play::<B>(player))
}

fn at_gateway<B: Bot>(player: Player) -> Playing {
    Box::pin(gateway_player::play::<B>(player))
}

/// All rulebooks.
pub(crate) const KINDS: &[Kind] = &[
    #[cfg(feature = "colony")]
    Kind::of::<colony::Settler>(&Erased::NEW),
    #[cfg(feature = "crazyhouse")]
    Kind::of::<crazyhouse::Mover>(&Erased::NEW),
    #[cfg(feature = "treasure")]
    Kind::of::<treasure::Seeker>(&Erased::NEW),
    #[cfg(feature = "project")]
    Kind::of::<project::Agent>(&Erased::NEW),
];

/// All rulebooks, for a host.
pub(crate) fn table() -> GameTable {
    GameTable::new(KINDS.iter().map(|kind| kind.hosted).collect())
}

/// Whether the clients of a rulebook come over the wire.
pub(crate) fn is_of_wire(rulebook: &str) -> bool {
    KINDS.iter().any(|kind| kind.has_spectators && kind.hosted.name() == rulebook)
}

/// The truth of a stored game before its first entry.
pub(crate) fn open_book(head: &GameHead) -> Result<Box<dyn Book>, Finding> {
    let rulebook = &head.record.about.rulebook;
    let kind = KINDS.iter().find(|kind| kind.hosted.name() == rulebook);
    let kind = kind.ok_or_else(|| Finding::new(Check::Replay, format!("the rulebook {rulebook} is unknown")))?;
    (kind.book)(head)
}
