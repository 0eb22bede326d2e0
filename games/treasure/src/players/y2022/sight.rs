//! Reads a status for a player.

use treasure_rules::{FortState, PlayersState, Position, Standing, Terrain, TreasureState};

use super::PROFILE;
use crate::{
    documents::y2022::state::{GameState, Node},
    players::{Failure, land::Land, scene::Scene},
};

/// A status, with the entry of the player itself.
pub(super) struct Sight<'s> {
    state: &'s GameState,
    pub(super) standing: Standing,
    collected: bool,
    enemy_collected: Option<bool>,
}

impl<'s> Sight<'s> {
    pub(super) fn new(state: &'s GameState, player: &str) -> Result<Self, Failure> {
        let own = state.players.iter().find(|other| other.id == player);
        let own = own.ok_or_else(|| Failure::Odd("the status does not have the player itself".into()))?;
        let other = state.players.iter().find(|other| other.id != player);
        Ok(Self {
            state,
            standing: own.standing,
            collected: own.collected_treasure,
            enemy_collected: other.map(|other| other.collected_treasure),
        })
    }

    /// The scene, without the numbers that only the player itself can count.
    pub(super) fn scene(&self) -> Scene {
        let fields = self.state.nodes.iter().map(|node| (at(node), node.terrain)).collect();
        let find = |is_it: fn(&Node) -> bool| self.state.nodes.iter().find(|node| is_it(node)).map(at);
        let is_me =
            |node: &Node| matches!(node.players, PlayersState::MyPlayerPosition | PlayersState::BothPlayerPosition);
        let is_enemy =
            |node: &Node| matches!(node.players, PlayersState::EnemyPlayerPosition | PlayersState::BothPlayerPosition);
        Scene {
            fields,
            me: find(is_me),
            enemy: find(is_enemy),
            fort: find(|node| node.fort == FortState::MyFortPresent),
            enemy_fort: find(|node| node.fort == FortState::EnemyFortPresent),
            treasure: find(|node| node.treasure == TreasureState::MyTreasureIsPresent),
            collected: self.collected,
            enemy_collected: self.enemy_collected,
            must_act: self.standing == Standing::MustAct,
            ..Scene::default()
        }
    }

    /// The map, if all of its fields are known.
    pub(super) fn land(&self) -> Option<Land> {
        let mut fields: Vec<(Position, Terrain)> =
            self.state.nodes.iter().map(|node| (at(node), node.terrain)).collect();
        fields.sort_by_key(|(at, _)| (at.y, at.x));
        let width = 1 + usize::from(fields.iter().map(|(at, _)| at.x).max()?);
        let in_order = |(place, (at, _)): (usize, &(Position, Terrain))| {
            (usize::from(at.x), usize::from(at.y)) == (place % width, place / width)
        };
        let is_whole = fields.len() == 2 * PROFILE.size() && fields.iter().enumerate().all(in_order);
        is_whole.then(|| Land::new(width, fields.into_iter().map(|(_, terrain)| terrain).collect()))
    }
}

fn at(node: &Node) -> Position {
    Position::clamped(node.x.into(), node.y.into())
}
