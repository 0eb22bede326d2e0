//! The hosted game: the board, what each player was told, and what nobody knows. What a command does is in `rules`.

use alloc::{sync::Arc, vec::Vec};

use engine::{CommId, Input, JavaRandom, Outbox, Projection, Rulebook, SeatResult, Verdict, Waiting};
use serde::{Deserialize, Serialize};

use crate::{
    board::Board,
    chart::Placement,
    command::Command,
    event::Event,
    half::Report,
    map::{Position, Terrain},
    mine::Mine,
    outcome::Outcome,
    player::Player,
    rules,
    setup::Setup,
    view::View,
};

/// The host itself, which can remove a game and never plays.
pub const HOST: CommId = CommId(0);

/// A game and its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub(crate) board: Board,
    pub(crate) clients: [Option<CommId>; 2],
    pub(crate) mine: [Option<Mine>; 2],
    pub(crate) treasures: [Option<Position>; 2],
    /// Where each half belongs, drawn with the first one.
    pub(crate) placements: [Option<Placement>; 2],
    /// A half that nobody may know before the other is there.
    pub(crate) kept: Option<Kept>,
    /// How often each player sent something unreadable.
    pub(crate) noted: [u8; 2],
    pub(crate) random: JavaRandom,
    pub(crate) seed: i64,
}

/// A half that waits for the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) player: Player,
    pub(crate) placement: Placement,
    pub(crate) report: Report,
    pub(crate) terrain: Vec<Terrain>,
}

/// What a game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Timer {
    /// Who must act has thought too long.
    Think,
    /// The game has taken too long.
    Game,
    /// Two players should be there.
    Lobby,
}

/// Somebody who plays, as the host knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub player: Player,
    pub client: CommId,
    pub id: Arc<str>,
    pub first_name: Arc<str>,
    pub last_name: Arc<str>,
    pub account: Arc<str>,
    /// Where its avatar starts, once its half is there.
    pub start: Option<Position>,
}

impl Game {
    /// What everybody may know, without a copy.
    pub fn public(&self) -> &Board {
        &self.board
    }

    /// Who plays, in the order in which they registered.
    pub fn players(&self) -> Vec<Member> {
        Player::BOTH.into_iter().filter_map(|player| self.member(player)).collect()
    }

    pub fn member(&self, player: Player) -> Option<Member> {
        let (mine, entrant) = (self.mine[player as usize].as_ref()?, self.board.entrant(player)?);
        Some(Member {
            player,
            client: self.clients[player as usize]?,
            id: mine.id.clone(),
            first_name: entrant.first_name.clone(),
            last_name: entrant.last_name.clone(),
            account: mine.account.clone(),
            start: mine.fort,
        })
    }

    /// Which player a client is.
    pub fn player_of(&self, client: CommId) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.clients[*player as usize] == Some(client))
    }

    /// Whether something unreadable of a player would still be noted.
    pub fn takes_notes_of(&self, client: CommId) -> bool {
        self.player_of(client).is_some_and(|player| self.noted[player as usize] < rules::MOST_NOTED)
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Option<CommId> {
        self.board.turn().and_then(|player| self.clients[player as usize])
    }

    /// Where a player's treasure is hidden or was found.
    pub fn treasure(&self, player: Player) -> Option<Position> {
        self.treasures[player as usize]
    }

    /// What a player alone was told, without a copy.
    pub fn mine(&self, player: Player) -> Option<&Mine> {
        self.mine[player as usize].as_ref()
    }
}

impl Rulebook for Game {
    const NAME: &'static str = "treasure";
    const RULES_VERSION: u32 = 1;

    type Setup = Setup;
    type Command = Command;
    type Event = Event;
    type Timer = Timer;
    type Outcome = Outcome;
    type Board = Board;
    type View = View;

    fn edition(setup: &Setup) -> &'static str {
        setup.year.name()
    }

    fn start(setup: &Setup, seed: i64, outbox: &mut Outbox<Event, Timer>) -> Self {
        if let Some(game) = setup.profile().game {
            outbox.set_timer(Timer::Game, game);
        }
        if let Some(lobby) = setup.lobby() {
            outbox.set_timer(Timer::Lobby, lobby);
        }
        Self {
            board: Board::new(setup),
            clients: [None; 2],
            mine: [None, None],
            treasures: [None; 2],
            placements: [None; 2],
            kept: None,
            noted: [0; 2],
            random: JavaRandom::new(seed),
            seed,
        }
    }

    fn fold(&mut self, input: &Input<Command, Timer>, outbox: &mut Outbox<Event, Timer>) {
        rules::fold(self, input, outbox);
    }

    fn waiting_for(&self) -> Waiting {
        match self.turn() {
            _ if self.board.outcome().is_some() => Waiting::Nobody,
            Some(client) => Waiting::One(client),
            None => Waiting::Anybody,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.board.outcome()
    }

    /// The first player first. Points: 2 for a win, 0 for a loss; there are no draws, but both can lose. A game that began and was
    /// then removed has no results, and neither has one that never had two players.
    fn results(&self) -> Vec<SeatResult> {
        let outcome = match self.outcome().filter(|_| self.board.has_begun()) {
            Some(outcome @ (Outcome::Won { .. } | Outcome::NobodyWon { .. })) => outcome,
            Some(Outcome::Removed { .. }) | None => return Vec::new(),
        };
        let result = |player: Player| {
            let (verdict, points) = if outcome.has_lost(player) { (Verdict::Lost, 0) } else { (Verdict::Won, 2) };
            Some(SeatResult {
                client: self.clients[player as usize]?,
                name: self.board.entrant(player)?.name(),
                side: None,
                verdict,
                points,
            })
        };
        Player::BOTH.into_iter().filter_map(result).collect()
    }

    fn board(&self) -> Board {
        self.board.clone()
    }

    fn view(&self, client: CommId) -> View {
        let mine = self.player_of(client).and_then(|player| self.mine[player as usize].clone());
        View { board: self.board.clone(), mine }
    }

    fn is_refusal(event: &Event) -> bool {
        matches!(event, Event::Refused { .. })
    }
}
