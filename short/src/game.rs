//! What an author writes.

use alloc::{format, string::String, sync::Arc, vec::Vec};
use core::{fmt::Debug, ops::RangeInclusive};

use engine::Message;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    chance::Chance,
    clock::Clock,
    event::move_words,
    outcome::Outcome,
    refusal::Refusal,
    seat::{Seat, Turn},
};

/// A game whose state is one type. [`Short`](crate::Short) is its rulebook.
///
/// The functions are pure: they see no clock, no environment, no order of a hash table and no randomness but [`Chance`].
/// [`laws`](crate::laws) finds most mistakes.
///
/// The example is a whole game: the player who takes the last of ten stones wins.
///
/// ```
/// use std::ops::RangeInclusive;
///
/// use engine::messages;
/// use serde::{Deserialize, Serialize};
/// use short::{Chance, Outcome, Refusal, Seat, ShortGame, Turn};
///
/// #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
/// struct Stones { taken: u8, turns: usize }
///
/// messages! {
///     enum Move {
///         /// Takes one to three stones.
///         Take { stones: u8 },
///     }
/// }
///
/// impl ShortGame for Stones {
///     const NAME: &'static str = "stones";
///     const SEATS: RangeInclusive<usize> = 2..=2;
///     type Move = Move;
///
///     fn turn(&self) -> Turn { Turn::Of(Seat(self.turns % 2)) }
///
///     fn play(&mut self, _: Seat, Move::Take { stones }: &Move, _: &mut Chance) -> Result<(), Refusal> {
///         if !(1..=3).contains(stones) || self.taken + stones > 10 {
///             return Err("take 1 to 3 stones that are there".into());
///         }
///         self.taken += stones;
///         self.turns += 1;
///         Ok(())
///     }
///
///     fn outcome(&self) -> Option<Outcome> {
///         (self.taken == 10).then(|| Outcome::won(Seat((self.turns + 1) % 2)))
///     }
///
///     fn moves(&self, _: Seat) -> impl Iterator<Item = Move> {
///         (1..=3.min(10 - self.taken)).map(|stones| Move::Take { stones })
///     }
/// }
///
/// println!("{}", short::laws::random_games::<Stones>(100));
/// ```
pub trait ShortGame: Clone + Debug + Default + Eq + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The name in logs, on the wire and in addresses: lower-case letters, digits and hyphens.
    const NAME: &'static str;
    /// The game in a sentence, for people who choose one.
    const ABOUT: &'static str = "";
    /// How many players a game has.
    const SEATS: RangeInclusive<usize>;
    /// All versions of the rules that this code can play, in ascending order. New games have the last one; running games keep
    /// theirs. [`Start::version`] tells it, and the state keeps what depends on it.
    const VERSIONS: &'static [u32] = &[1];
    /// The time of each player for the whole game, unless a scenario says otherwise.
    const CLOCK: Option<Clock> = None;
    /// The time for one move in milliseconds, unless the creator of a game says otherwise. A clock replaces it.
    const TIMEOUT_MS: Option<u64> = None;
    /// Named scenarios: each is a text as [`Setup`](crate::Setup) describes it. There is always `standard`, the empty one.
    const SCENARIOS: &'static [(&'static str, &'static str)] = &[];
    /// What a scenario is, in a sentence, for people who choose one: `("blitz", "Three minutes for each player.")`. `standard` may have
    /// one, too.
    const SCENARIO_WORDS: &'static [(&'static str, &'static str)] = &[];
    /// The names of the [`figures`](Self::figures).
    const FIGURES: &'static [&'static str] = &[];

    /// The bots of the game, besides `random`, which every game has.
    const BOTS: &'static [Bot<Self>] = &[];

    /// The moves, declared by [`messages!`](engine::messages).
    type Move: Message + Send + Sync;

    /// The game before its first move.
    ///
    /// # Errors
    /// If the scenario has options that the game does not take. Chance must not matter for that.
    fn start(start: &Start<'_>, chance: &mut Chance) -> Result<Self, Refusal> {
        let _no_chance = chance;
        start.without_options()?;
        Ok(Self::default())
    }

    /// The seats that may move now.
    fn turn(&self) -> Turn;

    /// Makes a move. Only seats of [`turn`](Self::turn) move, and only while the game runs. After an error the state is as it
    /// was before, whatever was changed.
    ///
    /// # Errors
    /// If the rules forbid the move.
    fn play(&mut self, seat: Seat, play: &Self::Move, chance: &mut Chance) -> Result<(), Refusal>;

    /// The result, once the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// The moves that a seat can make now. In a game with secrets this is asked of the seat's [`view`](Self::view).
    fn moves(&self, seat: Seat) -> impl Iterator<Item = Self::Move>;

    /// In a game with secrets: a copy without everything that this seat, or a spectator (`None`), must not know. A game without
    /// secrets has no view, so it does not implement this.
    fn view(&self, seat: Option<Seat>) -> Option<Self> {
        let _no_secrets = seat;
        None
    }

    /// In a game with secrets: who is told a move, asked before it is made. If only its sender, then no other seat may see which
    /// of its secret moves it was. Everyone is told that the seat has moved.
    fn tells(&self, seat: Seat, play: &Self::Move) -> Tells {
        let _secret = (seat, play);
        Tells::Sender
    }

    /// In a game with secrets: what everyone may know after the end of a game that ended without a move, because a seat gave up or had no
    /// time left. By default everything, as the log of a finished game shows it.
    fn revealed(&self) -> Self {
        self.clone()
    }

    /// In a game with secrets, for bots that search: asked of a view, a whole game with exactly this view, in which chance has
    /// drawn everything that is hidden.
    fn imagine(&self, seat: Option<Seat>, chance: &mut Chance) -> Option<Self> {
        let _cannot = (seat, chance);
        None
    }

    /// What happens if a seat has no time left.
    fn late(&self, seat: Seat) -> Late<Self::Move> {
        let _every_seat = seat;
        Late::Loses
    }

    /// What happens if a seat gives up, at any time. In a game with secrets this is also asked of the seat's
    /// [`view`](Self::view).
    fn resign(&self, seat: Seat) -> Resign<Self::Move> {
        let _every_seat = seat;
        Resign::Loses
    }

    /// The points of each seat so far, for the result of a game that ends because a seat gives up or has no time left. A game that counts
    /// points gives the same ones to [`Outcome::score`]. Without points, a result has 2 for a win, 1 for a draw and 0 for a loss.
    fn points(&self) -> Vec<i64> {
        Vec::new()
    }

    /// A move that can be chosen, for menus: `Roll the dice`. The state is the one before the move; in a game with secrets, as the
    /// chooser sees it.
    fn label(&self, play: &Self::Move) -> String {
        self.words(play)
    }

    /// A move that was made, for stories: `mark 4`. The state is the one before it; in a game with secrets it is the one after it, as
    /// the reader sees it.
    fn words(&self, play: &Self::Move) -> String {
        move_words(play)
    }

    /// A line of the story, with the mover: `Ana: mark 4`. The state is that of [`words`](Self::words). A game with secrets may have
    /// more to say of a secret move, and of the one that uncovers others.
    fn story(&self, told: &Told<'_, Self::Move>) -> String {
        match told.play {
            Some(play) => format!("{}: {}", told.mover(), self.words(play)),
            None => format!("{} moves.", told.mover()),
        }
    }

    /// The round, from 1, for the story and for plots. Without one, a round has as many moves as players.
    fn round(&self) -> Option<u32> {
        None
    }

    /// The state as data for pages. Its keys are always the same.
    fn picture(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Numbers to plot, one for each of [`Self::FIGURES`].
    fn figures(&self) -> Vec<i64> {
        Vec::new()
    }
}

/// A move that is told, with the names of the players.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Told<'a, M> {
    /// The seat that has moved.
    pub seat: Seat,
    /// The move, if the reader may know it.
    pub play: Option<&'a M>,
    names: &'a [Option<Arc<str>>],
}

impl<'a, M> Told<'a, M> {
    pub(crate) fn new(seat: Seat, play: Option<&'a M>, names: &'a [Option<Arc<str>>]) -> Self {
        Self { seat, play, names }
    }

    /// The name of the player who has moved.
    pub fn mover(&self) -> &'a str {
        self.name(self.seat)
    }

    /// The name of the player on a seat.
    pub fn name(&self, seat: Seat) -> &'a str {
        self.names.get(seat.0).and_then(Option::as_deref).unwrap_or("?")
    }
}

/// A bot of a game.
#[derive(Clone, Copy, Debug)]
pub struct Bot<G: ShortGame> {
    /// The name in scenarios: `{"bots": ["greedy"]}`.
    pub name: &'static str,
    /// What a person reads who chooses an opponent.
    pub about: &'static str,
    /// Chooses a move for a seat that may move. In a game with secrets it sees the seat's view. Without a choice, a random move is
    /// made.
    pub choose: fn(&G, Seat, &mut Chance) -> Option<G::Move>,
}

/// Who is told a move of a game with secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tells {
    /// All players and spectators.
    All,
    /// Only the client that sent it.
    Sender,
}

/// What happens to a seat that has no time left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Late<M> {
    /// The seat loses, and the game is over.
    Loses,
    /// This move is made for the seat. If the rules refuse it, the seat loses.
    Plays(M),
}

/// What happens if a seat gives up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resign<M> {
    /// The seat loses, all others win, and the game is over.
    Loses,
    /// This move is made for the seat, even if it has no turn, and the game goes on. The rules must take it.
    Plays(M),
    /// The seat cannot give up, for example because it is out of the game.
    Refused(Refusal),
}

/// The facts with which a game starts.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Start<'a> {
    /// The number of players.
    pub seats: usize,
    /// The version of the rules.
    pub version: u32,
    /// The field `game` of the scenario.
    options: &'a Value,
}

impl<'a> Start<'a> {
    pub(crate) fn new(seats: usize, version: u32, options: &'a Value) -> Self {
        Self { seats, version, options }
    }

    /// The game's own options: the field `game` of the scenario, or the default without one.
    ///
    /// # Errors
    /// If they have the wrong form.
    pub fn options<T: DeserializeOwned + Default>(&self) -> Result<T, Refusal> {
        if self.options.is_null() {
            return Ok(T::default());
        }
        T::deserialize(self.options).map_err(|error| format!("the field game: {error}").into())
    }

    /// # Errors
    /// If the scenario has options.
    fn without_options(&self) -> Result<(), Refusal> {
        if self.options.is_null() {
            Ok(())
        } else {
            Err("this game has no options, so a scenario has no field game".into())
        }
    }
}
