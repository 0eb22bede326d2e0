//! What one client knows: the board, and what it alone was told. From it comes every answer of either protocol.

use alloc::{
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};

use crate::{
    board::Board,
    command::Coding,
    event::Event,
    map::{Position, Terrain},
    mine::Mine,
    node::{FortState, Node, PlayersState, Standing, TreasureState},
    player::Player,
    setup::Setup,
};

/// A game as one client knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    pub board: Board,
    /// What it was told, if it plays.
    pub mine: Option<Mine>,
}

/// Somebody who plays, as a client is shown it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerState {
    /// The client's own id; the other's is made up anew with every change.
    pub id: String,
    pub first_name: Arc<str>,
    pub last_name: Arc<str>,
    /// Empty where the other may not know it.
    pub account: Arc<str>,
    pub standing: Standing,
    pub collected: bool,
}

impl View {
    /// Which player this client is.
    pub fn player(&self) -> Option<Player> {
        self.mine.as_ref().map(|mine| mine.player)
    }

    pub fn standing(&self) -> Option<Standing> {
        self.player().map(|player| self.board.standing(player))
    }

    pub fn has_won(&self) -> bool {
        self.standing() == Some(Standing::Won)
    }

    pub fn has_lost(&self) -> bool {
        self.standing() == Some(Standing::Lost)
    }

    /// Changes with every change, and only then.
    pub fn game_state_id(&self) -> Option<String> {
        self.mine.as_ref().map(|mine| mine.key.state_id(self.board.changes()))
    }

    /// The client itself first, then the other, once it has registered.
    pub fn players(&self) -> Vec<PlayerState> {
        let Some(mine) = &self.mine else { return Vec::new() };
        let other = mine.player.other();
        let own = self.player_state(mine.player, mine.id.to_string());
        let mut players: Vec<PlayerState> =
            own.into_iter().chain(self.player_state(other, mine.key.other_id(self.board.changes()))).collect();
        if let Some(own) = players.first_mut() {
            own.account = mine.account.clone();
            own.collected = mine.collected;
        }
        players
    }

    /// The client's own fort, once its half is there.
    pub fn fort(&self) -> Option<Position> {
        self.mine.as_ref()?.fort
    }

    /// How the client's map text spelt its fort.
    pub fn coding(&self) -> Option<Coding> {
        self.mine.as_ref()?.coding
    }

    /// Whether the client has its treasure.
    pub fn has_treasure(&self) -> bool {
        self.mine.as_ref().is_some_and(|mine| mine.collected)
    }

    /// Where the client's own avatar is.
    pub fn position(&self) -> Option<Position> {
        self.mine.as_ref()?.at
    }

    /// Where the other's avatar is shown: where it is, once everybody may see it, and before that at a made-up place, once both
    /// halves are there.
    pub fn enemy_position(&self) -> Option<Position> {
        let mine = self.mine.as_ref()?;
        if let Some(at) = self.board.position(mine.player.other()) {
            return Some(at);
        }
        let chart = self.board.chart().filter(|chart| chart.is_complete())?;
        let dry: Vec<Position> =
            chart.fields().filter(|(_, terrain)| *terrain != Terrain::Water).map(|(at, _)| at).collect();
        mine.key.other_position(self.board.changes(), &dry)
    }

    /// The fields that are known, row by row: none, those of one half, or all.
    pub fn nodes(&self) -> impl Iterator<Item = Node> {
        let (own, enemy) = (self.position(), self.enemy_position());
        let fields = self.board.chart().into_iter().flat_map(|chart| chart.fields());
        fields.map(move |(at, terrain)| Node {
            at,
            terrain,
            fort: self.fort_state(at),
            treasure: self.treasure_state(at),
            players: match (own == Some(at), enemy == Some(at)) {
                (false, false) => PlayersState::NoPlayerPresent,
                (false, true) => PlayersState::EnemyPlayerPosition,
                (true, false) => PlayersState::MyPlayerPosition,
                (true, true) => PlayersState::BothPlayerPosition,
            },
        })
    }

    fn fort_state(&self, at: Position) -> FortState {
        match &self.mine {
            Some(mine) if mine.fort == Some(at) => FortState::MyFortPresent,
            Some(mine) if mine.enemy_fort == Some(at) => FortState::EnemyFortPresent,
            Some(_) | None => FortState::NoOrUnknownFortState,
        }
    }

    fn treasure_state(&self, at: Position) -> TreasureState {
        match &self.mine {
            Some(mine) if mine.treasure == Some(at) => TreasureState::MyTreasureIsPresent,
            Some(_) | None => TreasureState::NoOrUnknownTreasureState,
        }
    }

    fn player_state(&self, player: Player, id: String) -> Option<PlayerState> {
        self.board.entrant(player).map(|entrant| PlayerState {
            id,
            first_name: entrant.first_name.clone(),
            last_name: entrant.last_name.clone(),
            account: entrant.account.clone().unwrap_or_else(|| "".into()),
            standing: self.board.standing(player),
            collected: entrant.collected,
        })
    }
}

impl View {
    /// Before the first event.
    pub(crate) fn new(setup: &Setup) -> Self {
        Self { board: Board::new(setup), mine: None }
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        self.board.apply(event);
        match &mut self.mine {
            Some(mine) => mine.learn(event, &self.board),
            None => self.mine = Mine::seated(event),
        }
    }
}
