//! No player learns a secret: goals, shams, pieces that it did not see, and other players' answers.

use std::collections::{BTreeMap, BTreeSet};

use engine::{Audience, CommId, Rulebook, Shown};
use project_rules::{Answer, Carried, Event, Game, Goal, Placed, Position, Setup, Tested, Tile, TileObject, View};

use crate::{
    laws::{CLIENTS, Play, SETUPS},
    table::{ONE, Table, with},
};

/// A player's knowledge, computed from its events without the rulebook's own views.
#[derive(Default)]
struct Told {
    player: Option<u32>,
    at: Option<Position>,
    /// All tiles that the player knows.
    tiles: BTreeSet<Position>,
    /// Tiles on which a player has completed a goal, or found that there is no goal.
    placed: BTreeMap<Position, Goal>,
    carries: Option<Carried>,
}

impl Told {
    fn hear(&mut self, event: &Event) {
        if let Event::Confirmed { player } = event
            && self.player != Some(*player)
        {
            *self = Self { player: Some(*player), ..Self::default() };
        }
        if let Event::Started { position, .. } = event {
            self.at = Some(*position);
        }
        if let Event::Answered { answer, .. } = event {
            self.learn(answer);
        }
        if let Event::Learnt { tiles, .. } = event {
            tiles.iter().for_each(|told| self.believe(&told.tile));
        }
    }

    fn learn(&mut self, answer: &Answer) {
        let at = self.at.expect("it stands somewhere");
        match answer {
            Answer::Moved { position, success, .. } => {
                self.at = Some(*position);
                self.tiles.extend(success.then_some(*position));
            }
            Answer::Discovered { tiles } => self.tiles.extend(tiles.iter().map(|tile| tile.position)),
            Answer::PickedUp { success } => {
                self.tiles.insert(at);
                self.carries = if *success { Some(Carried::Untested) } else { self.carries };
            }
            Answer::Tested { result: Tested::Piece } => self.carries = Some(Carried::Piece),
            Answer::Tested { result: Tested::Sham } => self.carries = None,
            Answer::Placed { result: Placed::Disallowed } => {}
            Answer::Placed { result } => {
                self.carries = None;
                self.tiles.insert(at);
                self.placed.insert(at, if *result == Placed::Completed { Goal::Completed } else { Goal::Absent });
            }
            Answer::Silence => panic!("silence is never sent"),
        }
    }

    /// Adds a tile that another player shared.
    fn believe(&mut self, tile: &Tile) {
        self.tiles.insert(tile.position);
        match tile.object {
            TileObject::CompletedGoal => _ = self.placed.insert(tile.position, Goal::Completed),
            TileObject::NonGoal => _ = self.placed.insert(tile.position, Goal::Absent),
            TileObject::Nothing | TileObject::Piece => {}
        }
    }

    fn check(&self, view: &View) {
        let known: BTreeSet<Position> = view.tiles.keys().copied().collect();
        assert_eq!(known, self.tiles, "only tiles that it was told of");
        let placed: BTreeMap<Position, Goal> =
            view.tiles.iter().filter_map(|(tile, seen)| Some((*tile, seen.goal?))).collect();
        assert_eq!(
            placed, self.placed,
            "it knows goals only where it placed a piece, or another player shared that one was placed"
        );
        assert_eq!(view.carries, self.carries, "a sham in hand looks like a piece");
        assert_eq!(view.position, self.at);
    }
}

#[test]
fn views_contain_only_received_events() {
    for seed in 0..400 {
        let setup = Setup::new(SETUPS[seed as usize % SETUPS.len()]).expect("a setup");
        let mut play = Play::new(&setup, seed);
        let mut told: BTreeMap<CommId, Told> = BTreeMap::new();
        let mut goes_on = true;
        while goes_on {
            goes_on = play.step();
            for (audience, event) in play.trial.outbox().events() {
                check_audience(audience, event);
            }
            for (client, event) in play.trial.outbox().events().filter_map(directed) {
                told.entry(client).or_default().hear(event);
            }
            for client in (1..CLIENTS).map(CommId) {
                told.entry(client).or_default().check(&play.trial.game().view(client));
            }
        }
    }
}

/// The event and its client, if only one client receives it.
fn directed((audience, event): (Audience, &Event)) -> Option<(CommId, &Event)> {
    match audience {
        Audience::Only(client) => Some((client, event)),
        Audience::All | Audience::Board => None,
    }
}

/// Events with positions go to one player only, and events with secrets to the Game Master only.
fn check_audience(audience: Audience, event: &Event) {
    let master = Audience::Only(project_rules::GAME_MASTER);
    match event {
        Event::Noted { .. } => assert_eq!(audience, master),
        Event::Started { .. } | Event::Answered { .. } | Event::Repeated { .. } | Event::Learnt { .. } => {
            assert!(matches!(audience, Audience::Only(_)) && audience != master);
        }
        Event::Confirmed { .. } | Event::TeamGiven { .. } | Event::Refused { .. } => {
            assert!(matches!(audience, Audience::Only(_)));
        }
        Event::Ended { .. } => assert_eq!(audience, Audience::All),
        Event::Joined { .. }
        | Event::TeamJoined { .. }
        | Event::Began {}
        | Event::Acted { .. }
        | Event::Scored { .. }
        | Event::Lost { .. }
        | Event::Returned { .. }
        | Event::Left { .. }
        | Event::Told { .. } => assert_eq!(audience, Audience::Board),
    }
}

/// Games that differ only in secrets (the goals, and which pieces are shams) look the same to all players.
#[test]
fn goals_and_shams_change_nothing_before_they_are_used() {
    let setup = |goals: &str, shams: u32| {
        let changes = format!(r#"{{"pieces": 6, "shams_percentage": {shams}, "goals": {goals}}}"#);
        with(ONE, &changes)
    };
    let texts =
        [setup(r#"[{"x": 1, "y": 0}]"#, 0), setup(r#"[{"x": 3, "y": 1}]"#, 0), setup(r#"[{"x": 1, "y": 0}]"#, 50)];
    let looks = texts.map(|text| {
        let mut table = Table::begun_seeded(&text, 3);
        let told: Vec<String> = ["Up", "Right", "Discover", "Up", "PickUp", "Discover", "Down", "Left", "Discover"]
            .map(|what| table.asks(1, what))
            .into();
        let seen = (table.game.view(CommId(1)), table.game.board(), Game::stage(table.game.setup()));
        (told, seen)
    });
    assert_eq!(looks[0].0, looks[1].0);
    assert_eq!(looks[0].1, looks[1].1, "other goals");
    assert_eq!(looks[0].0, looks[2].0);
    assert_eq!(looks[0].1, looks[2].1, "other shams");
}
