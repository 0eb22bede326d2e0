//! Who has won a game, for programs that run many games. No protocol has this.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use engine::Rulebook;
use serde::{Deserialize, Serialize};
use treasure_rules::{Game, Outcome, Player};

use super::Treasure;

/// The state of a game, without any secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// The number of registered players.
    pub players: usize,
    /// Whether the game is over.
    pub over: bool,
    /// The winner: 1 registered first, 2 second. Without one, both have lost, or the game was removed.
    pub winner: Option<usize>,
    /// The number of actions of both players.
    pub actions: u32,
    /// The reason of the end, for people.
    pub reason: Option<String>,
}

impl GameResult {
    fn of(game: &Game) -> Self {
        let outcome = game.outcome();
        let winner = outcome.as_ref().and_then(Outcome::winner).map(|player| match player {
            Player::First => 1,
            Player::Second => 2,
        });
        Self {
            players: game.players().len(),
            over: outcome.is_some(),
            winner,
            actions: game.public().actions(),
            reason: outcome.map(|outcome| outcome.to_string()),
        }
    }
}

/// Tells the result of a game.
pub(super) async fn tell(State(treasure): State<Arc<Treasure>>, Path(game): Path<String>) -> Response {
    let Some(table) = treasure.games.find(&game).await else { return StatusCode::NOT_FOUND.into_response() };
    let result = table.handle.look(|last| GameResult::of(&last.game));
    let body = serde_json::to_string(&result).expect("a result has a form in JSON");
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], body).into_response()
}
