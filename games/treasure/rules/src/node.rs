//! Fields and players as a client sees them, in the words of the protocol of 2022.

use core::fmt;

use crate::map::{Position, Terrain};

/// A field as a client sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The position.
    pub at: Position,
    /// The terrain.
    pub terrain: Terrain,
    /// The fort there.
    pub fort: FortState,
    /// The treasure there.
    pub treasure: TreasureState,
    /// The avatars there.
    pub players: PlayersState,
}

/// The fort on a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FortState {
    /// No fort, as far as the client knows.
    NoOrUnknownFortState,
    /// The client's fort.
    MyFortPresent,
    /// The opponent's fort.
    EnemyFortPresent,
}

/// The treasure on a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreasureState {
    /// No treasure, as far as the client knows.
    NoOrUnknownTreasureState,
    /// The client's treasure.
    MyTreasureIsPresent,
}

/// The avatars on a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayersState {
    /// None.
    NoPlayerPresent,
    /// The opponent's avatar, perhaps at a made-up place.
    EnemyPlayerPosition,
    /// The client's avatar.
    MyPlayerPosition,
    /// Both avatars.
    BothPlayerPosition,
}

/// The state of the game for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is the player's turn.
    MustAct,
    /// It is not the player's turn.
    MustWait,
    /// The player has won.
    Won,
    /// The player has lost.
    Lost,
}

/// Variants have the names of the protocol.
macro_rules! spelt_by_name {
    ($($state:ident),+) => {
        $(impl fmt::Display for $state {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self, f)
            }
        })+
    };
}

spelt_by_name!(FortState, TreasureState, PlayersState, Standing);
