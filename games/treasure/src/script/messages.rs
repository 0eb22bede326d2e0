//! The requests and answers of a script.

use std::sync::Arc;

use engine::messages;
use treasure_rules::{Command, Direction};

use super::{half_text::HalfText, seen::Seen};
use crate::documents::y2022::request::{HalfMap, Move, Registration};

/// The id that a client uses before it is registered.
pub(super) const UNREGISTERED: &str = "unregistered";

/// Stands for the client's own id in a posted document.
const OWN_ID: &str = "{id}";

messages! {
    /// What a client sends.
    #[allow(missing_docs, reason = "the fields are named after the elements of the documents")]
    pub enum Request {
        /// Registers with these names.
        Register { first_name: Arc<str>, last_name: Arc<str>, account: Arc<str> },
        /// Sends a half: its rows, such as `FGGW GGMM`.
        SendHalf { half: HalfText },
        /// Sends a move.
        Move { direction: Direction },
        /// Asks for the state of the game.
        Status {},
        /// Posts any body to `players`, `halfmaps` or `moves`. `{id}` stands for the client's own id.
        Post { place: Arc<str>, body: Arc<str> },
    }
}

messages! {
    /// What a client receives.
    #[allow(missing_docs, reason = "the fields are named after the elements of the documents")]
    pub enum Answer {
        /// The client is registered, and has an id.
        Registered {},
        /// A half or a move is taken.
        Okay {},
        /// The name of an error.
        Refused { name: Arc<str> },
        /// The state of the game for this client, and the id of the state.
        State { state: Seen, id: Arc<str> },
    }
}

impl Request {
    /// Where the request is posted, and its document; `None` if it is not posted. `id` is the client's own id.
    pub(super) fn posted(&self, id: &str) -> Option<(String, String)> {
        let player = || id.to_owned();
        match self {
            Self::Register { first_name, last_name, account } => {
                let [first_name, last_name, account] = [first_name, last_name, account].map(ToString::to_string);
                Some(("players".into(), Registration { first_name, last_name, account }.write()))
            }
            Self::SendHalf { half } => {
                Some(("halfmaps".into(), HalfMap { player: player(), nodes: half.nodes() }.write()))
            }
            Self::Move { direction } => {
                Some(("moves".into(), Move { player: player(), direction: *direction }.write()))
            }
            Self::Post { place, body } => Some((place.to_string(), body.replace(OWN_ID, id))),
            Self::Status {} => None,
        }
    }

    /// The request that makes a command of a log; `None` if no request of this protocol does.
    pub(super) fn of_command(command: &Command) -> Option<Self> {
        match command {
            Command::Register { first_name, last_name, account, .. } => Some(Self::Register {
                first_name: first_name.clone(),
                last_name: last_name.clone(),
                account: account.clone(),
            }),
            Command::SendHalf { fields, .. } => Some(Self::SendHalf { half: HalfText::of(fields) }),
            Command::Move { direction } => Some(Self::Move { direction: *direction }),
            Command::Update { .. } | Command::Garbled { .. } | Command::Remove {} => None,
        }
    }
}
