//! The state of a game for one of its players, as a document of 2022, and the fields of a half.

use engine::{CommId, JavaRandom};
use treasure_rules::{Field, Game, Position};

use crate::documents::y2022::{
    request::HalfNode,
    state::{GameState, Node, Player},
};

/// Converts a node of a half for the rules. Positions outside of any map are clamped.
pub(crate) fn field(node: &HalfNode) -> Field {
    Field { at: Position::clamped(node.x.into(), node.y.into()), terrain: node.terrain, fort: node.fort }
}

/// The answer to a status request, with its nodes row by row, or shuffled.
pub(crate) fn state(game: &Game, client: CommId, shuffle: bool) -> GameState {
    let view = game.view_ref(client);
    let mut players: Vec<Player> = view
        .players()
        .into_iter()
        .map(|player| Player {
            id: player.id,
            first_name: player.first_name.to_string(),
            last_name: player.last_name.to_string(),
            account: player.account.to_string(),
            standing: player.standing,
            collected_treasure: player.collected,
        })
        .collect();
    // Clients must not rely on the order, so the client itself comes last.
    players.reverse();
    let nodes = view.nodes().map(|node| Node {
        x: node.at.x.into(),
        y: node.at.y.into(),
        terrain: node.terrain,
        players: node.players,
        treasure: node.treasure,
        fort: node.fort,
    });
    let (id, mut nodes) = (view.game_state_id().unwrap_or_default(), nodes.collect::<Vec<Node>>());
    if shuffle {
        // The order tells nothing: it comes from the id of the state, which the client is told, too.
        let seed = id.bytes().fold(0_i64, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
        JavaRandom::new(seed).shuffle(&mut nodes);
    }
    GameState { id, players, nodes }
}
