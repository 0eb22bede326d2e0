//! Wishes: conditions for a game, written by an author, such as `first Moved causes Bitten and not GameEnd true in round 1`.
//!
//! [`Wish::read`] turns the text into a [`Wish`]. `watch` decides whether a game grants it.

mod read;
mod token;

use script::Call;

/// A condition that a game fulfils or not.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// All of these wishes are granted.
    All(Vec<Wish>),
    /// At least one of these wishes is granted.
    Any(Vec<Wish>),
    /// This wish is not granted.
    Not(Box<Wish>),
    /// The first dice of the game; `None`: any value.
    Dice(Vec<Option<u8>>),
    /// The stack of a location at the start, the top card first.
    Cards {
        /// The identifier of the location.
        location: i32,
        /// The first cards of its stack.
        cards: Vec<CardWish>,
    },
    /// The characters that a player is offered.
    Offered {
        /// The number of the player.
        player: usize,
        /// The identifiers of the characters; `None`: any.
        characters: Vec<Option<i32>>,
        /// Whether they must be offered in this order.
        in_order: bool,
    },
    /// An event happens.
    Happens(Happening),
    /// Both happen, in this order.
    Before(Happening, Happening),
    /// The second event follows the first one in the same command.
    Causes(Happening, Call),
}

/// The wanted card at a position of a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardWish {
    /// Any card.
    Any,
    /// The card with this identifier.
    Card(i32),
    /// A card of this kind, by its key in the scenario: `snow_boots`.
    Kind(String),
}

/// An event, and which occurrence of its kind is meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Happening {
    /// The event, with [`ANY_VALUE`](script::ANY_VALUE) for arguments that the wish leaves open.
    pub event: Call,
    /// Which occurrence of its kind is meant.
    pub which: Which,
    /// The round in which it happens, counted from 1 in every edition; `None`: any round.
    pub round: Option<u32>,
}

/// Which occurrences of an event are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The first event of this kind, with any arguments, must match.
    First,
    /// At least this many events must match.
    Times(u32),
}
