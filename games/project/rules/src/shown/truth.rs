//! The whole state, for the Game Master's own page, and for all viewers after the end.

use alloc::{string::ToString, vec::Vec};

use serde_json::{Value, json};

use super::{connection, known, phase};
use crate::{
    area::Zone,
    game::Game,
    ground::Piece,
    player::{Action, Counts, Player},
    setup::{Costs, Setup},
    team::Team,
    words::Position,
};

pub(super) fn picture(game: &Game) -> Value {
    let area = game.ground.area();
    let team_at = |at: Position| match area.zone(at) {
        Some(Zone::Goal(team)) => Some(team),
        Some(Zone::Task) | None => None,
    };
    let goal = |(at, done): (Position, bool)| json!({"x": at.x, "y": at.y, "team": team_at(at), "done": done});
    let lying = |(at, piece): (Position, Piece)| json!({"x": at.x, "y": at.y, "sham": piece.sham});
    json!({
        "clock": game.clock,
        "phase": phase(game.board.phase()),
        "width": area.width,
        "height": area.height,
        "goal_rows": area.goal_rows(),
        "goals": game.ground.goals().map(goal).collect::<Vec<_>>(),
        "pieces": game.ground.pieces().map(lying).collect::<Vec<_>>(),
        "players": game.players.iter().map(|known| player(game, known)).collect::<Vec<_>>(),
        "score": {"blue": game.board.goals(Team::Blue), "red": game.board.goals(Team::Red)},
        "goals_per_team": game.setup.goals.len(),
        "left": left(game),
        "configuration": configuration(&game.setup),
    })
}

/// The settings of the game that people compare, besides the goals.
fn configuration(setup: &Setup) -> Value {
    let Costs { r#move, discover, test, pick_up, place } = setup.costs;
    json!({
        "pieces": setup.pieces,
        "shams_percentage": setup.shams_percentage,
        "costs": {"move": r#move, "discover": discover, "test": test, "pick_up": pick_up, "place": place},
        "respawn": setup.respawn_interval,
        "no_progress": setup.no_progress,
        "patience": setup.patience_ms(),
    })
}

fn player(game: &Game, player: &Player) -> Value {
    let load = player.load.map(|load| if load.piece.sham { "sham" } else { "piece" });
    let Counts { moves, discovers, pick_ups, tests, places, goals, shams } = player.counts;
    json!({
        "id": player.id,
        "team": player.team,
        "leader": game.board.leads(player.id),
        "connection": connection(player.connection),
        "x": player.position.map(|position| position.x),
        "y": player.position.map(|position| position.y),
        "load": load,
        "tested": player.load.is_some_and(|load| load.tested),
        "doing": player.doing().map(Action::name),
        "waiting": player.waiting(),
        "last": player.last_answer().map(|answer| answer.to_string()),
        "response": {
            "last": (player.responses.count > 0).then_some(player.responses.last),
            "mean": player.responses.mean(),
            "longest": (player.responses.count > 0).then_some(player.responses.longest),
        },
        "knows": known::picture(game, player),
        "counts": {
            "moves": moves, "discovers": discovers, "pick_ups": pick_ups, "tests": tests, "places": places,
            "goals": goals, "shams": shams,
        },
    })
}

/// The number of pieces on the board, of carried pieces, and of shams among them.
fn left(game: &Game) -> Value {
    let lying = || game.ground.pieces().map(|(_, piece)| piece);
    let carried = || game.players.iter().filter_map(|player| player.load).map(|load| load.piece);
    let shams = lying().chain(carried()).filter(|piece| piece.sham).count();
    json!({"lying": lying().count(), "carried": carried().count(), "shams": shams})
}
