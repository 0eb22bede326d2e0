//! What somebody wants to see in a game: `first Moved causes Bitten and not GameEnd true in round 1`.
//!
//! [`Wish::read`] turns the text into a [`Wish`]; whether a game grants it is found out by whoever plays.

mod read;
mod token;

use script::Call;

/// Something that a game shows or does not.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    All(Vec<Wish>),
    Any(Vec<Wish>),
    Not(Box<Wish>),
    /// The first dice of the game; `None`: any.
    Dice(Vec<Option<u8>>),
    /// The stack of a location before anybody draws from it, the top card first.
    Cards {
        location: i32,
        cards: Vec<CardWish>,
    },
    /// What a player chooses its characters from; `None`: any.
    Offered {
        player: usize,
        characters: Vec<Option<i32>>,
        in_order: bool,
    },
    Happens(Happening),
    /// Both happen, in this order.
    Before(Happening, Happening),
    /// The event comes after the other one because of the same command.
    Causes(Happening, Call),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardWish {
    Any,
    /// By its identifier.
    Card(i32),
    /// As a scenario calls it: `snow_boots`.
    Kind(String),
}

/// An event, and which one of its kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Happening {
    /// With [`ANY_VALUE`](script::ANY_VALUE) where the wish says nothing.
    pub event: Call,
    pub which: Which,
    /// Rounds count up from 1 in every edition.
    pub round: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The first one of this kind, whatever its arguments, must be this one.
    First,
    /// At least so many.
    Times(u32),
}
