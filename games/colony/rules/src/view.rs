//! The view of one client: the board, and the events for this client alone.

use crate::{
    board::{Board, Player},
    event::Event,
    ids::{CharacterId, PlayerId},
    setup::Setup,
};

/// The facts that one client knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The facts that all players may know.
    pub board: Board,
    /// The player of this client; `None` before it registers.
    pub player: Option<PlayerId>,
    /// The action that the game expects from the client.
    pub asked: Asked,
}

/// An action that the game expects from a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Wait for other players.
    Nothing,
    /// Choose two of these characters.
    Characters([CharacterId; 4]),
    /// Take the turn: send a command.
    Act,
    /// Vote.
    Vote,
}

impl View {
    /// The player of this client; `None` before it registers.
    pub fn me(&self) -> Option<&Player> {
        self.player.map(|player| self.board.player(player))
    }
}

impl View {
    /// The view before the first event.
    pub(crate) fn new(setup: &Setup) -> Self {
        Self { board: Board::new(setup), player: None, asked: Asked::Nothing }
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        self.board.apply(event);
        let mine = |player: PlayerId| self.player == Some(player);
        match *event {
            // `Config` comes right after the client's own registration, so the last player on the board is this client.
            Event::Config {} => {
                let last = self.board.players.len().checked_sub(1).and_then(|last| last.try_into().ok());
                self.player = last.map(PlayerId);
            }
            Event::Characters { c0, c1, c2, c3 } => self.asked = Asked::Characters([c0, c1, c2, c3]),
            Event::ActNow {} => self.asked = Asked::Act,
            Event::VoteNow {} => self.asked = Asked::Vote,

            Event::CharacterSpawned { player, .. } if matches!(self.asked, Asked::Characters(_)) && mine(player) => {
                self.asked = Asked::Nothing;
            }
            Event::TurnEnded { player } | Event::Left { player } if mine(player) => self.asked = Asked::Nothing,
            Event::VoteAsked { .. } | Event::VoteResult { .. } => self.asked = Asked::Nothing,
            Event::GameEnd { .. } | Event::RegistrationAborted {} => self.asked = Asked::Nothing,

            Event::CommandFailed { .. }
            | Event::GameStarted {}
            | Event::Player { .. }
            | Event::CharacterSpawned { .. }
            | Event::ChildSpawned {}
            | Event::CardDrawn { .. }
            | Event::NextRound { .. }
            | Event::Crisis { .. }
            | Event::DieRolled { .. }
            | Event::Moved { .. }
            | Event::ZombieKilled { .. }
            | Event::Barricaded { .. }
            | Event::Searched { .. }
            | Event::WasteChanged { .. }
            | Event::Contributed { .. }
            | Event::CardUsed { .. }
            | Event::AbilityUsed { .. }
            | Event::FoodChanged { .. }
            | Event::MoralChanged { .. }
            | Event::Wounded { .. }
            | Event::Frostbitten { .. }
            | Event::Bitten { .. }
            | Event::SurvivorKilled { .. }
            | Event::ChildKilled {}
            | Event::ColonyPhaseStarted {}
            | Event::StarvationTokenAdded {}
            | Event::ZombieSpawned { .. }
            | Event::BarricadeDestroyed { .. }
            | Event::Left { .. }
            | Event::Crossroad { .. }
            | Event::Registered { .. }
            | Event::ChoiceOffered { .. }
            | Event::TurnBegan { .. }
            | Event::TurnEnded { .. }
            | Event::DieSpent { .. }
            | Event::EffectUsed { .. } => {}
        }
    }
}
