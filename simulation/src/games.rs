//! The games that are played: for each rulebook a bot, which lives in the folder of its game.

use std::{pin::Pin, sync::Arc};

use server::{Adapter, Erased, GameTable, HostedGame, log::GameHead};

use crate::{
    bot::Bot,
    ledger::{self, Book, Finding},
    network::Network,
    observer::Check,
    player::{self, Player},
    port::{OpenPort, Opened, Port, Ports, Work},
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
    /// Whether clients come over the wire, and not to a port of the game.
    pub(crate) is_of_wire: bool,
    /// Whether a host has at most one game of it at a time.
    pub(crate) is_single: bool,
    /// Whether the next client opens a game again that the store gave up.
    opens_again: bool,
    /// Plays one seat until the simulation ends.
    pub(crate) play: fn(Player) -> Playing,
    keeps_states: bool,
    book: fn(&GameHead, bool) -> Result<Box<dyn Book>, Finding>,
    open: Option<OpenPort>,
    /// A program beside the host, if the seed has one.
    pub(crate) run_beside: fn(u64, Arc<Network>) -> Option<Playing>,
}

/// A player at work.
pub(crate) type Playing = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What a game with a protocol of its own brings: a port, and players who speak its protocol.
pub(crate) trait OwnProtocol: 'static {
    /// The game.
    type Game: Adapter;

    /// The most players of a game; two are the fewest.
    const MOST_PLAYERS: u64;
    /// Whether a host has at most one game of it at a time.
    const IS_SINGLE: bool;
    /// Whether the next client opens a game again that the store gave up.
    const OPENS_AGAIN: bool;
    /// Whether the ledger keeps all states of its games.
    const KEEPS_STATES: bool;

    /// Opens the port, as a host process does when it starts. `None` if it cannot be opened.
    fn open(opened: Opened) -> Work<Option<Arc<dyn Port>>>;

    /// A program beside the host that the game needs, if the seed has one.
    fn run_beside(_seed: u64, _network: Arc<Network>) -> Option<Playing> {
        None
    }

    /// Plays one seat until the simulation ends.
    fn play(player: Player) -> Playing;
}

impl Kind {
    /// A game over the wire.
    const fn of_wire<B: Bot>(hosted: &'static Erased<B::Game>) -> Self {
        Self {
            hosted,
            most_players: B::MOST_PLAYERS,
            is_of_wire: true,
            is_single: false,
            opens_again: true,
            play: |player| Box::pin(player::play::<B>(player)),
            keeps_states: false,
            book: ledger::open_book::<<B::Game as Adapter>::Rules>,
            open: None,
            run_beside: |_, _| None,
        }
    }

    /// A game on a port of its own.
    const fn of_port<P: OwnProtocol>(hosted: &'static Erased<P::Game>) -> Self {
        Self {
            hosted,
            most_players: P::MOST_PLAYERS,
            is_of_wire: false,
            is_single: P::IS_SINGLE,
            opens_again: P::OPENS_AGAIN,
            play: P::play,
            keeps_states: P::KEEPS_STATES,
            book: ledger::open_book::<<P::Game as Adapter>::Rules>,
            open: Some(P::open),
            run_beside: P::run_beside,
        }
    }
}

/// All rulebooks.
pub(crate) const KINDS: &[Kind] = &[
    #[cfg(feature = "colony")]
    Kind::of_wire::<colony::Settler>(&Erased::NEW),
    #[cfg(feature = "crazyhouse")]
    Kind::of_wire::<crazyhouse::Mover>(&Erased::NEW),
    #[cfg(feature = "treasure")]
    Kind::of_port::<treasure::Treasure>(&Erased::NEW),
    #[cfg(feature = "project")]
    Kind::of_port::<project::Project>(&Erased::NEW),
];

/// All rulebooks, for a host.
pub(crate) fn table() -> GameTable {
    GameTable::new(KINDS.iter().map(|kind| kind.hosted).collect())
}

/// Whether the next client opens a game of a rulebook again that the store gave up.
pub(crate) fn opens_again(rulebook: &str) -> bool {
    KINDS.iter().any(|kind| kind.opens_again && kind.hosted.name() == rulebook)
}

/// Opens the ports of all games that have one.
pub(crate) fn open_ports(opened: Opened) -> Work<Ports> {
    Box::pin(async move {
        let mut ports = Ports::new();
        for kind in KINDS {
            if let Some(open) = kind.open
                && let Some(port) = open(opened.clone()).await
            {
                ports.push((kind.hosted.name(), port));
            }
        }
        ports
    })
}

/// The truth of a stored game before its first entry.
pub(crate) fn open_book(head: &GameHead) -> Result<Box<dyn Book>, Finding> {
    let rulebook = &head.record.about.rulebook;
    let kind = KINDS.iter().find(|kind| kind.hosted.name() == rulebook);
    let kind = kind.ok_or_else(|| Finding::new(Check::Replay, format!("the rulebook {rulebook} is unknown")))?;
    (kind.book)(head, kind.keeps_states)
}
