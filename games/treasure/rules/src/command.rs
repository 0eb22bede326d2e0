//! The commands of clients.

use alloc::{sync::Arc, vec::Vec};

use engine::messages;
use serde::{Deserialize, Serialize};

use crate::map::{Direction, Field};

/// The coding of a map text of 2017. The server answers in the coding of the player's own half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Coding {
    /// `00` is the fort.
    Digits0,
    /// `04` is the fort.
    Digits4,
    /// `0C` is the fort, and the fields are `0G 0M 0W`.
    Letters,
}

messages! {
    /// A command, with its arguments in order.
    #[allow(missing_docs, reason = "the fields are named after their types")]
    pub enum Command {
        /// Takes part. The id is a secret of this player alone, drawn by the gateway; the account is the matriculation number in
        /// 2017.
        Register { id: Arc<str>, first_name: Arc<str>, last_name: Arc<str>, account: Arc<str> },
        /// Sends half a map; in 2017 with the coding of its text.
        SendHalf { fields: Vec<Field>, coding: Option<Coding> },
        /// Goes on towards the next field (2022).
        Move { direction: Direction },
        /// Says where the player is, where it wants to go, and how many more requests that takes (2017). Coordinates are from 0.
        Update { x: i32, y: i32, wanted_x: i32, wanted_y: i32, turns: i32 },
        /// Something came from this player that cannot be read.
        Garbled { problem: Arc<str> },
        /// The game gives way to newer ones. Only the host itself can say this.
        Remove {},
    }
}
