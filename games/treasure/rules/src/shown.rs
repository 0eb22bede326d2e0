//! The treasure game for people: pictures, words and figures.

mod why;
mod words;

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use engine::{CommId, Emission, Moment, Shown};
use serde_json::{Value, json};

use crate::{
    board::Board,
    chart::Chart,
    command::Command,
    event::Event,
    fields::Fields,
    game::Game,
    map::{Position, Terrain},
    player::Player,
    setup::Setup,
};

impl Shown for Game {
    const FIGURES: &'static [&'static str] = &["actions", "1st sees", "2nd sees", "treasures"];

    fn stage(setup: &Setup) -> Value {
        let profile = setup.profile();
        json!({
            "year": setup.year.number(),
            "profile": &*profile.name,
            "debug": setup.debug,
            "dummy": setup.dummy,
            "half": {"width": profile.width, "height": profile.height},
            "least": {
                "grass": profile.least_grass,
                "mountain": profile.least_mountain,
                "water": profile.least_water,
            },
            "most_water": {"across": profile.most_water_across, "down": profile.most_water_down},
            "least_water": {"across": profile.least_water_across, "down": profile.least_water_down},
            "most_forts": profile.most_forts,
            "least_crossable_percent": profile.least_crossable_percent,
            "action_limit": profile.action_limit,
            "disguised": profile.disguised,
            "think": setup.think_ms(),
            "game": profile.game_ms,
        })
    }

    fn picture(board: &Board) -> Value {
        let chart = board.chart();
        json!({
            "width": chart.map(Chart::width),
            "height": chart.map(Chart::height),
            // A letter for each field: grass, mountain, water, or not known yet.
            "map": chart.map(|chart| rows(chart, |at| letter(chart.terrain(at)))),
            "begun": board.has_begun(),
            "turn": board.turn().map(|player| player as usize),
            "actions": board.actions(),
            "limit": board.profile().action_limit,
            "players": Player::BOTH.map(|player| picture_of(board, player)),
            "last": board.last().map(|last| json!({"player": last.player as usize, "step": last.step})),
            "outcome": board.outcome().map(|outcome| words::outcome(board, &outcome)),
            "winner": board.outcome().and_then(|outcome| outcome.winner()).map(|player| player as usize),
        })
    }

    fn hidden(&self) -> Value {
        json!({"players": Player::BOTH.map(|player| self.secrets_of(player))})
    }

    fn moment(board: &Board) -> Moment {
        let turn = board.turn().map(|player| name(board, player));
        // Each action is a round.
        let round = if board.has_begun() { board.actions() + 1 } else { 0 };
        Moment { round, turn }
    }

    fn figures(board: &Board) -> Vec<i64> {
        let seen = |player| i64::from(board.seen(player).count());
        let treasures = Player::BOTH.iter().filter_map(|player| board.entrant(*player)).filter(|one| one.collected);
        Vec::from([i64::from(board.actions()), seen(Player::First), seen(Player::Second), treasures.count() as i64])
    }

    fn tell_event(board: &Board, event: &Event) -> String {
        words::tell_event(board, event)
    }

    fn tell_whole_event(
        _: Option<&Self>,
        board: &Board,
        emissions: &[Emission<Event>],
        place: usize,
    ) -> Option<String> {
        words::tell_whole_event(board, emissions, place)
    }

    fn tell_command(_: &Board, command: &Command) -> String {
        words::tell_command(command)
    }

    fn name_of(&self, client: CommId) -> Option<String> {
        self.player_of(client).map(|player| name(self.public(), player))
    }

    fn players(board: &Board) -> Vec<String> {
        Player::BOTH.into_iter().filter(|one| board.entrant(*one).is_some()).map(|one| name(board, one)).collect()
    }
}

impl Game {
    /// The secrets of a player: its places, and its knowledge.
    fn secrets_of(&self, player: Player) -> Value {
        let private = self.private(player);
        let seen = private.zip(self.public().chart()).map(|(private, chart)| fog(chart, &private.seen));
        json!({
            "at": place(private.and_then(|private| private.at)),
            "fort": place(private.and_then(|private| private.fort)),
            "treasure": place(self.treasure(player)),
            "collected": private.is_some_and(|private| private.collected),
            "treasure_seen": private.is_some_and(|private| private.collected || private.treasure.is_some()),
            "enemy_fort_seen": private.is_some_and(|private| private.enemy_fort.is_some()),
            // How the game ended for this player, and how far it had come.
            "why": why::tell(self, player),
            // A letter for each field: seen or not.
            "seen": seen,
            "progress": private.and_then(|private| private.progress).map(|progress| {
                json!({"direction": progress.direction, "left": progress.left})
            }),
            "shown_enemy": place(self.clients[player as usize].and_then(|client| self.view_ref(client).enemy_position())),
        })
    }
}

/// A player in a picture. Before it registers, the keys have no values.
fn picture_of(board: &Board, player: Player) -> Value {
    let entrant = board.entrant(player);
    json!({
        "name": entrant.map(|_| name(board, player)),
        "account": entrant.and_then(|entrant| entrant.account.as_deref()),
        "half": entrant.is_some_and(|entrant| entrant.half),
        "collected": entrant.is_some_and(|entrant| entrant.collected),
        "standing": entrant.map(|_| board.standing(player).to_string()),
        "at": place(board.position(player)),
    })
}

/// The name of a player for people. Two players with the same name have their numbers.
fn name(board: &Board, player: Player) -> String {
    let [own, other] = [player, player.other()].map(|player| board.entrant(player).map(|entrant| entrant.name()));
    match own {
        Some(name) if other.as_ref() == Some(&name) => format!("{name} ({})", player as usize + 1),
        Some(name) => name,
        None => player.to_string(),
    }
}

fn place(at: Option<Position>) -> Value {
    at.map_or(Value::Null, |at| json!([at.x, at.y]))
}

fn letter(terrain: Option<Terrain>) -> char {
    match terrain {
        Some(Terrain::Grass) => 'g',
        Some(Terrain::Mountain) => 'm',
        Some(Terrain::Water) => 'w',
        None => '?',
    }
}

fn fog(chart: &Chart, seen: &Fields) -> Vec<String> {
    rows(chart, |at| if seen.contains(at) { 's' } else { '.' })
}

fn rows(chart: &Chart, letter: impl Fn(Position) -> char) -> Vec<String> {
    (0..chart.height()).map(|y| (0..chart.width()).map(|x| letter(Position::new(x, y))).collect()).collect()
}
