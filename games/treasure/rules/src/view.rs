//! All facts that one client may know: the public ones, and its own. Gateways write every answer from them.

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
    node::{FortState, Node, PlayersState, Standing, TreasureState},
    player::Player,
    private::Private,
    setup::Setup,
};

/// A game as one client knows it, folded from the events that the client receives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The public facts.
    pub board: Board,
    /// The client's own facts, if it plays.
    pub private: Option<Private>,
}

/// A game as one client knows it, borrowed from a [`Game`](crate::Game) or a [`View`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewRef<'a> {
    /// The public facts.
    pub board: &'a Board,
    /// The client's own facts, if it plays.
    pub private: Option<&'a Private>,
}

/// A player, as shown to a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerState {
    /// The client's own id. The opponent's id is a made-up one that differs after every change.
    pub id: String,
    /// The registered first name.
    pub first_name: Arc<str>,
    /// The registered last name.
    pub last_name: Arc<str>,
    /// The account. Empty if the client may not know it.
    pub account: Arc<str>,
    /// Whether it must act, must wait, has won or has lost.
    pub standing: Standing,
    /// Whether it has collected its treasure, as far as the client may know.
    pub collected: bool,
}

impl<'a> ViewRef<'a> {
    /// Which player this client is.
    pub fn player(&self) -> Option<Player> {
        self.private.map(|private| private.player)
    }

    /// Whether the client must act, must wait, has won or has lost. None if it does not play.
    pub fn standing(&self) -> Option<Standing> {
        self.player().map(|player| self.board.standing(player))
    }

    /// Whether the client has won.
    pub fn has_won(&self) -> bool {
        self.standing() == Some(Standing::Won)
    }

    /// Whether the client has lost.
    pub fn has_lost(&self) -> bool {
        self.standing() == Some(Standing::Lost)
    }

    /// An id of the game's state: differs after every change that the client may know of, and only then.
    pub fn game_state_id(&self) -> Option<String> {
        self.private.map(|private| private.key.state_id(self.board.changes()))
    }

    /// The client itself first, then its opponent, once that has registered.
    pub fn players(&self) -> Vec<PlayerState> {
        let Some(private) = self.private else { return Vec::new() };
        let other = private.player.other();
        let own = self.player_state(private.player, private.id.to_string());
        let mut players: Vec<PlayerState> =
            own.into_iter().chain(self.player_state(other, private.key.other_id(self.board.changes()))).collect();
        if let Some(own) = players.first_mut() {
            own.account = private.account.clone();
            own.collected = private.collected;
        }
        players
    }

    /// The client's own fort, once its half is there.
    pub fn fort(&self) -> Option<Position> {
        self.private?.fort
    }

    /// The coding of the client's own half.
    pub fn coding(&self) -> Option<Coding> {
        self.private?.coding
    }

    /// Whether the client has its treasure.
    pub fn has_treasure(&self) -> bool {
        self.private.is_some_and(|private| private.collected)
    }

    /// The position of the client's own avatar.
    pub fn position(&self) -> Option<Position> {
        self.private?.at
    }

    /// The position at which the client sees the opponent's avatar. `None` before both halves are known. Then it is made up,
    /// until the real position is public.
    pub fn enemy_position(&self) -> Option<Position> {
        let private = self.private?;
        if let Some(at) = self.board.position(private.player.other()) {
            return Some(at);
        }
        let chart = self.board.chart().filter(|chart| chart.is_complete())?;
        let dry: Vec<Position> =
            chart.fields().filter(|(_, terrain)| *terrain != Terrain::Water).map(|(at, _)| at).collect();
        private.key.other_position(self.board.changes(), &dry)
    }

    /// The known fields, row by row: none, those of one half, or all.
    pub fn nodes(self) -> impl Iterator<Item = Node> + use<'a> {
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
        match self.private {
            Some(private) if private.fort == Some(at) => FortState::MyFortPresent,
            Some(private) if private.enemy_fort == Some(at) => FortState::EnemyFortPresent,
            Some(_) | None => FortState::NoOrUnknownFortState,
        }
    }

    fn treasure_state(&self, at: Position) -> TreasureState {
        match self.private {
            Some(private) if private.treasure == Some(at) => TreasureState::MyTreasureIsPresent,
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
    /// Borrows the view as a [`ViewRef`].
    pub fn as_view_ref(&self) -> ViewRef<'_> {
        ViewRef { board: &self.board, private: self.private.as_ref() }
    }

    /// The view before the first event.
    pub(crate) fn new(setup: &Setup) -> Self {
        Self { board: Board::new(setup), private: None }
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        self.board.apply(event);
        match &mut self.private {
            Some(private) => private.learn(event, &self.board),
            None => self.private = Private::seated(event),
        }
    }
}
