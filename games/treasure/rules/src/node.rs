//! What a player is shown of a field and of who plays, in the words of the protocol of 2022.

use core::fmt;

use crate::map::{Position, Terrain};

/// A field as one player is shown it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub at: Position,
    pub terrain: Terrain,
    pub fort: FortState,
    pub treasure: TreasureState,
    pub players: PlayersState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FortState {
    NoOrUnknownFortState,
    MyFortPresent,
    EnemyFortPresent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreasureState {
    NoOrUnknownTreasureState,
    MyTreasureIsPresent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayersState {
    NoPlayerPresent,
    EnemyPlayerPosition,
    MyPlayerPosition,
    BothPlayerPosition,
}

/// How it stands for somebody who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    MustAct,
    MustWait,
    Won,
    Lost,
}

/// Their names are the protocol's.
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
