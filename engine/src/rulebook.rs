//! What rules are to the kernel, and what reaches them.

use alloc::vec::Vec;
use core::fmt::{Debug, Display};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{CommId, Message, Outbox, SeatResult};

/// One thing that reaches a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input<C, T> {
    /// Milliseconds on the game's own clock, which never goes back and stands while the process is down. Time enters a game
    /// in no other way.
    pub elapsed: u64,
    pub cause: Cause<C, T>,
}

/// Why a game is to change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause<C, T> {
    Command {
        client: CommId,
        command: C,
    },
    /// A timer that the game has set is due.
    Timer {
        timer: T,
    },
}

/// The rules of a game and its state: a pure fold over inputs.
///
/// The same setup, seed and inputs give the same state and the same emissions, on every machine. Anything random comes from
/// a generator inside the state, made from the seed.
pub trait Rulebook: Clone + Debug + Eq {
    /// The rulebook's name in headers and on the wire.
    const NAME: &'static str;
    /// The version of the rules that new games are played by. It goes up when the same inputs would give other emissions than
    /// before.
    const RULES_VERSION: u32;
    /// All versions that are folded, the newest last, which is [`Self::RULES_VERSION`]. A game is continued by the version that it
    /// began with, and not at all by rules that do not list it.
    ///
    /// What changed is a switch in the state, chosen by [`Self::start_version`]. The form of the setup stays, and an event means the
    /// same in all versions, because boards and views do not know of them: what is new is a kind of event of its own.
    const VERSIONS: &'static [u32] = &[Self::RULES_VERSION];

    /// What a game is played with. Its serde form is in the header of every log; a clone must be cheap.
    type Setup: Clone + Debug + Eq + Serialize + DeserializeOwned;
    type Command: Message;
    type Event: Message;
    type Timer: Clone + Debug + Eq + Serialize + DeserializeOwned;
    /// How a game ended.
    type Outcome: Clone + Debug + Display + Eq + Serialize + DeserializeOwned;
    /// What every player may know, as a fold over the events for all and for the board.
    type Board: Projection<Self>;
    /// The board, and what one client was told.
    type View: Projection<Self>;

    /// Which edition of the rules a setup is for; a rulebook without editions has one name for all.
    fn edition(setup: &Self::Setup) -> &'static str;

    /// A game before its first input, by the newest rules. It may set timers and says nothing.
    fn start(setup: &Self::Setup, seed: i64, outbox: &mut Outbox<Self::Event, Self::Timer>) -> Self;

    /// The same by one of [`Self::VERSIONS`]: how a game of a log begins. Rules of one version do not need their own.
    fn start_version(
        version: u32,
        setup: &Self::Setup,
        seed: i64,
        outbox: &mut Outbox<Self::Event, Self::Timer>,
    ) -> Self {
        const { assert!(Self::VERSIONS.len() == 1, "rules of several versions have their own `start_version`") };
        assert_eq!(version, Self::RULES_VERSION, "only listed versions are started");
        Self::start(setup, seed, outbox)
    }

    /// Takes one input. It never fails: a refused command is an event to its sender and changes nothing. Once there is an
    /// outcome nothing happens any more.
    fn fold(&mut self, input: &Input<Self::Command, Self::Timer>, outbox: &mut Outbox<Self::Event, Self::Timer>);

    /// Whose move it is, for people to see.
    fn waiting_for(&self) -> Waiting;

    /// Set once the game is over.
    fn outcome(&self) -> Option<Self::Outcome>;

    /// How the game ended for each seat, in the order of the seats, once there is an outcome. Empty while the game runs, where it
    /// ended before anybody could win or lose, and for rulebooks that do not count.
    fn results(&self) -> Vec<SeatResult> {
        Vec::new()
    }

    fn board(&self) -> Self::Board;

    fn view(&self, client: CommId) -> Self::View;

    /// Whether an event tells its receiver that a command was refused.
    fn is_refusal(event: &Self::Event) -> bool;
}

/// A state that is known from events alone.
pub trait Projection<R: Rulebook>: Clone + Debug + Eq {
    /// Before the first event.
    fn new(setup: &R::Setup) -> Self;

    fn apply(&mut self, event: &R::Event);
}

/// Whose move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// The game is over.
    Nobody,
    /// Any client may move, as when players register.
    Anybody,
    One(CommId),
}
