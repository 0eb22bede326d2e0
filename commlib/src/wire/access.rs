//! Who may come into a game, and how its creator changes that.

use serde::{Deserialize, Serialize};

/// Who may come into a game without a token of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Admission {
    /// Everyone, and the game is in lists.
    #[default]
    Open,
    /// Everyone who knows its name.
    Unlisted,
    /// Everyone who has an invitation, also to watch.
    Invited,
}

/// A change of who may come into a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum AccessChange {
    /// Changes nothing: the answer says who may come in now.
    Look,
    /// Sets who may come in.
    Admit(Admission),
    /// Closes or opens registration.
    Closed(bool),
    /// Makes an invitation, for anyone or for a player of this name; or reserves a seat for an account, which needs no code.
    Invite {
        /// The name of the player.
        #[serde(default)]
        name: Option<String>,
        /// The name of the account.
        #[serde(default)]
        account: Option<String>,
    },
    /// Makes the token of a client void. If it has a seat, another client can claim it.
    Remove {
        /// The number of the client, as in its welcome.
        client: u32,
    },
    /// Ends the game.
    End,
}

/// Who may come into a game, after a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// Who may come in.
    pub admission: Admission,
    /// Whether registration is closed.
    pub closed: bool,
    /// The number of invitations that were made.
    pub invitations: u32,
    /// The names that seats are reserved for.
    pub reserved: Vec<String>,
    /// The code of the invitation that this change has made.
    #[serde(default)]
    pub invitation: Option<String>,
}
