//! The interface between the kernel and the rules of a game, and the inputs of the rules.

mod asking;
mod players;

use alloc::{string::String, vec::Vec};
use core::fmt::{Debug, Display};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

pub use asking::{Imagined, sample as sample_candidates};
pub use players::{random_command, with_name};

use crate::{CommId, JavaRandom, Message, Offer, Offers, Outbox, SeatResult};

/// The offers of a rulebook.
pub type OffersOf<R> = Offers<<R as Rulebook>::Command, <R as Rulebook>::Event>;
/// One offer of a rulebook.
pub type OfferOf<R> = Offer<<R as Rulebook>::Command, <R as Rulebook>::Event>;

/// One input of a game: a command or a timer, and its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input<C, T> {
    /// Milliseconds on the game's own clock. The clock never goes back, and stands still while the process is down. Rules get
    /// the time in no other way.
    #[serde(rename = "elapsed")]
    pub elapsed_ms: u64,
    /// The command or the timer.
    pub cause: Cause<C, T>,
}

/// The cause of a change in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause<C, T> {
    /// A client sent a command.
    Command {
        /// The sender.
        client: CommId,
        /// The command.
        command: C,
    },
    /// A timer that the game has set is due.
    Timer {
        /// The timer.
        timer: T,
    },
}

/// The rules of a game and its state: a pure fold over inputs.
///
/// The same setup, seed and inputs give the same state and the same emissions, on every machine. All randomness comes from a
/// generator in the state, which is created from the seed. [`laws`](crate::laws) checks these promises in tests.
///
/// The example is a whole game: the first player who adds up to ten wins.
///
/// ```
/// use engine::{Cause, CommId, Input, Outbox, Projection, Rulebook, Waiting, messages};
///
/// messages! {
///     pub enum Command {
///         /// Adds 1 to 3.
///         Add { amount: u32 },
///     }
/// }
///
/// messages! {
///     pub enum Event {
///         /// The sum has changed.
///         Summed { sum: u32 },
///         /// The amount is not 1 to 3.
///         Refused { amount: u32 },
///     }
/// }
///
/// #[derive(Clone, Debug, PartialEq, Eq)]
/// struct Game { sum: u32 }
///
/// impl Rulebook for Game {
///     const NAME: &'static str = "ten";
///     const RULES_VERSION: u32 = 1;
///     type Setup = ();
///     type Command = Command;
///     type Event = Event;
///     type Timer = ();
///     type Outcome = u32;
///     type Board = Board;
///     type View = Board;
///
///     fn edition(_: &()) -> &'static str { "standard" }
///
///     fn start(_: &(), _seed: i64, _: &mut Outbox<Event, ()>) -> Self { Self { sum: 0 } }
///
///     fn fold(&mut self, input: &Input<Command, ()>, outbox: &mut Outbox<Event, ()>) {
///         match &input.cause {
///             _ if self.outcome().is_some() => {}
///             Cause::Command { command: Command::Add { amount: amount @ 1..=3 }, .. } => {
///                 self.sum += amount;
///                 outbox.board(Event::Summed { sum: self.sum });
///             }
///             Cause::Command { client, command: Command::Add { amount } } => {
///                 outbox.only(*client, Event::Refused { amount: *amount });
///             }
///             Cause::Timer { timer: () } => {}
///         }
///     }
///
///     fn waiting_for(&self) -> Waiting {
///         if self.sum < 10 { Waiting::Anyone } else { Waiting::GameOver }
///     }
///
///     fn outcome(&self) -> Option<u32> { (self.sum >= 10).then_some(self.sum) }
///
///     fn board(&self) -> Board { Board { sum: self.sum } }
///
///     fn view(&self, _: CommId) -> Board { self.board() }
///
///     fn is_refusal(event: &Event) -> bool { matches!(event, Event::Refused { .. }) }
/// }
///
/// /// Clients and spectators know the game from its events alone.
/// #[derive(Clone, Debug, PartialEq, Eq)]
/// struct Board { sum: u32 }
///
/// impl Projection<Game> for Board {
///     fn new(_: &()) -> Self { Self { sum: 0 } }
///
///     fn apply(&mut self, event: &Event) {
///         if let Event::Summed { sum } = event {
///             self.sum = *sum;
///         }
///     }
/// }
///
/// // The kit checks all promises at every step, and replays the log at the end.
/// let mut trial = engine::laws::Trial::<Game>::new(&(), 42, [CommId(1)]);
/// for amount in [3, 7, 3, 3, 1] {
///     trial.step(0, Cause::Command { client: CommId(1), command: Command::Add { amount } });
/// }
/// assert_eq!(trial.game().outcome(), Some(10));
/// assert_eq!(trial.finish(), 5);
/// ```
pub trait Rulebook: Clone + Debug + Eq {
    /// The rulebook's name in headers and on the wire.
    const NAME: &'static str;
    /// The version of the rules for new games. Raise it when the same inputs would give other emissions than before.
    const RULES_VERSION: u32;
    /// All versions that this code can fold, in ascending order; the last one is [`Self::RULES_VERSION`]. A game keeps its
    /// first version. Rules that do not list this version cannot continue the game.
    ///
    /// Implement the difference between versions as a switch in the state, which [`Self::start_version`] chooses. The form of
    /// the setup must stay the same, and an event must mean the same in all versions, because boards and views do not have the
    /// version. So add a new kind of event for something new.
    const VERSIONS: &'static [u32] = &[Self::RULES_VERSION];

    /// The parameters of a game. The header of every log holds its serde form. A clone must be cheap.
    type Setup: Clone + Debug + Eq + Serialize + DeserializeOwned;
    /// The commands that clients send.
    type Command: Message;
    /// The events that clients and spectators receive.
    type Event: Message;
    /// The name of a timer.
    type Timer: Clone + Debug + Eq + Serialize + DeserializeOwned;
    /// How a game ended.
    type Outcome: Clone + Debug + Display + Eq + Serialize + DeserializeOwned;
    /// The public facts, folded from the events for all and for the board.
    type Board: Projection<Self>;
    /// The board, and the facts that only this client knows, folded from all events that the client received.
    type View: Projection<Self>;

    /// The edition that a setup is for. A rulebook without editions returns one name for all setups.
    fn edition(setup: &Self::Setup) -> &'static str;

    /// Creates a game with the newest rules. It may set timers and must not emit anything.
    fn start(setup: &Self::Setup, seed: i64, outbox: &mut Outbox<Self::Event, Self::Timer>) -> Self;

    /// Creates a game with one of [`Self::VERSIONS`], to replay a log. Rules with a single version do not implement it.
    fn start_version(
        version: u32,
        setup: &Self::Setup,
        seed: i64,
        outbox: &mut Outbox<Self::Event, Self::Timer>,
    ) -> Self {
        const { assert!(Self::VERSIONS.len() == 1, "rules with several versions implement `start_version`") };
        assert_eq!(version, Self::RULES_VERSION, "only listed versions are started");
        Self::start(setup, seed, outbox)
    }

    /// Applies one input. It never fails: a refused command is an event to its sender and changes nothing. After the end of the
    /// game, it does nothing.
    fn fold(&mut self, input: &Input<Self::Command, Self::Timer>, outbox: &mut Outbox<Self::Event, Self::Timer>);

    /// The client whose move it is, to show it to people.
    fn waiting_for(&self) -> Waiting;

    /// How the game ended; `None` while it runs.
    fn outcome(&self) -> Option<Self::Outcome>;

    /// The result of each seat, in the order of the seats, after the end of the game. The list is empty while the game runs, if
    /// the game ended before any player could win or lose, and for rulebooks without results.
    fn results(&self) -> Vec<SeatResult> {
        Vec::new()
    }

    /// The board, computed from the state. It must equal the board that is folded from the events.
    fn board(&self) -> Self::Board;

    /// The view of one client, computed from the state. It must equal the view that is folded from the events.
    fn view(&self, client: CommId) -> Self::View;

    /// Whether an event is the refusal of a command.
    fn is_refusal(event: &Self::Event) -> bool;

    /// A refusal in words for its client.
    fn tell_refusal(view: &Self::View, refusal: &Self::Event) -> String {
        let _not_needed = view;
        refusal.kind().about.trim().into()
    }

    /// Makes a whole game with exactly this view, by drawing everything that is hidden from it. Without secrets, it is the game
    /// itself. The default cannot: `None`. It is also the answer to a view that no game has, which a faulty server may cause.
    fn imagine(view: &Self::View, random: &mut JavaRandom) -> Option<Imagined<Self>> {
        let _cannot = (view, random);
        None
    }

    /// The commands that a client may think of now, in words, whether the rules take them or not. [`Self::offers`] asks the
    /// rules about each one that has no [answer](crate::Answer) yet. A command whose acceptance depends on facts that the
    /// client does not know has the answer [`Uncertain`](crate::Answer::Uncertain).
    ///
    /// The list is empty after the end of the game. The default has no offers.
    fn candidates(view: &Self::View) -> OffersOf<Self> {
        let _unknown = view;
        Offers::none("")
    }

    /// The commands that a client can send now, with the answers of the rules: a pure function of the view. The default asks
    /// [`Self::fold`] of an [imagined](Self::imagine) game about each [candidate](Self::candidates). Without an imagined game,
    /// they are uncertain.
    fn offers(view: &Self::View) -> OffersOf<Self> {
        asking::ask::<Self>(view)
    }

    /// A random command that the rules take, without a list of all. It is never one [beside the play](crate::Offer::aside).
    /// `None` if the client has nothing to do. The default asks the rules about [candidates](Self::candidates) in random order.
    fn sample(view: &Self::View, random: &mut JavaRandom) -> Option<Self::Command> {
        asking::sample::<Self>(view, random)
    }

    /// Draws the [free](crate::ArgumentForm::Free) arguments of a command. The default keeps the examples.
    fn fill_free(view: &Self::View, command: &Self::Command, random: &mut JavaRandom) -> Self::Command {
        let _no_free_arguments = (view, random);
        command.clone()
    }
}

/// A state that is folded from events alone, as clients and spectators do.
pub trait Projection<R: Rulebook>: Clone + Debug + Eq {
    /// The state before the first event.
    fn new(setup: &R::Setup) -> Self;

    /// Applies one event.
    fn apply(&mut self, event: &R::Event);
}

/// The client whose move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// The game is over and waits for no client.
    GameOver,
    /// Any client may move, for example while players register.
    Anyone,
    /// It is the move of this client.
    One(CommId),
}
