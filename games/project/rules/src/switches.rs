//! The differences between the versions of the rulebook. The rules look at these switches, never at the version.

/// The lines of the rules that changed with a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Switches {
    /// The game begins only when every player is connected. Otherwise it begins with the last seat, and a lost player gets the
    /// start message when it comes back.
    pub(crate) waits_for_lost: bool,
    /// If the leader leaves, the team has another one, also in a running game. Otherwise the leader is the first player of the
    /// team that is in the list of seats.
    pub(crate) leader_follows: bool,
    /// In a tie, a team that has players wins against one that has none.
    pub(crate) tie_needs_players: bool,
}

impl Switches {
    /// The switches of a version of the rulebook.
    pub(crate) fn of_version(version: u32) -> Self {
        let second = version >= 2;
        Self { waits_for_lost: second, leader_follows: second, tie_needs_players: second }
    }
}
