//! Shows a game to people: the pictures of a board and the plotted figures. `story` has the texts, `stage` the constant parts.

mod stage;
mod story;

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use engine::{CommId, Missing, Moment, Shown};
use serde_json::{Value, json};

use crate::{
    Game, Life, Setup,
    board::{Board, Phase, Player, Survivor},
    command::Command,
    event::Event,
    game::{Omen, Stage, Turn},
    ids::{CardIx, CharacterIx, LocationIx, PlayerId},
    refusal::Refusal,
    scenario::Consequence,
    setup::Prepared,
};

impl Shown for Game {
    const FIGURES: &'static [&'static str] =
        &["morale", "food", "waste", "zombies", "barricades", "survivors", "children"];

    fn stage(setup: &Setup) -> Value {
        stage::stage(setup)
    }

    fn picture(board: &Board) -> Value {
        picture(board)
    }

    fn hidden(&self) -> Value {
        let (offered, omen) = match self.stage {
            Stage::Registration => (None, None),
            Stage::Preparation { offered, .. } => (Some(offered.map(|character| character.0)), None),
            Stage::Playing(Turn { omen, .. }) => (None, omen.map(|Omen { fate, .. }| fate.0)),
        };
        let cards: Vec<Vec<u16>> = locations(&self.setup).map(|location| self.cards_left(location)).collect();
        json!({
            "cards": cards,
            "crises": self.crises.iter().skip(self.board.round as usize).map(|crisis| crisis.0).collect::<Vec<_>>(),
            "fates": self.fates.iter().rev().map(|fate| fate.0).collect::<Vec<_>>(),
            "unused": self.unused.iter().map(|character| character.0).collect::<Vec<_>>(),
            "offered": offered,
            "omen": omen,
        })
    }

    fn moment(board: &Board) -> Moment {
        let player = match board.phase {
            Phase::Turns { player } | Phase::Preparation { player } => player,
            Phase::Registration | Phase::Colony | Phase::Over { .. } => None,
        };
        Moment { round: board.round, turn: player.map(|player| board.player(player).name.to_string()) }
    }

    fn figures(board: &Board) -> Vec<i64> {
        let zombies = locations(board.setup()).flat_map(|location| board.entrances(location));
        let alive = characters(board).filter(|(_, survivor)| survivor.life == Life::Alive);
        Vec::from([
            board.morale,
            board.food,
            board.waste.into(),
            zombies.map(|entrance| i64::from(entrance.zombies)).sum(),
            board.barricades().into(),
            alive.count() as i64,
            board.children.into(),
        ])
    }

    fn tell_event(board: &Board, event: &Event) -> String {
        story::event(board, event)
    }

    fn tell_command(board: &Board, command: &Command) -> String {
        story::command(board, command)
    }

    fn name_of(&self, client: CommId) -> Option<String> {
        self.player_of(client).map(|player| self.board.player(player).name.to_string())
    }

    fn seat_index(&self, client: CommId) -> Option<usize> {
        self.player_of(client).map(|PlayerId(player)| player as usize)
    }

    fn players(board: &Board) -> Vec<String> {
        board.players.iter().map(|player| player.name.to_string()).collect()
    }

    fn missing(board: &Board) -> Option<Missing> {
        let here = board.players.len() as u32;
        let most = u32::from(board.setup().scenario.max_players).saturating_sub(here);
        (board.phase == Phase::Registration).then_some(Missing { least: 1_u32.saturating_sub(here), most })
    }
}

/// Describes cards, abilities and goals, for pages and terminals.
impl Prepared {
    /// The name of a card, followed by its effect if that has a short text.
    pub fn tell_card(&self, card: CardIx) -> String {
        stage::card(&self.scenario, self.scenario.card(card).kind)
    }

    /// The name of a card.
    pub fn card_name(&self, card: CardIx) -> String {
        stage::card_name(&self.scenario, self.scenario.card(card).kind)
    }

    /// The effect of a character's ability.
    pub fn tell_ability(&self, character: CharacterIx) -> String {
        stage::ability(&self.scenario, self.scenario.character(character).ability)
    }

    /// How the game is won.
    pub fn tell_goal(&self) -> String {
        stage::goal(&self.scenario)
    }
}

impl Board {
    /// The text of a refusal, with the names of the scenario.
    pub fn tell_refusal(&self, refusal: &Refusal) -> String {
        story::refusal(self, refusal)
    }

    /// The consequences of the two answers to the current vote: yes, then no.
    pub fn tell_choice(&self) -> Option<[String; 2]> {
        let Consequence::Choice { first, second } = self.setup().scenario.consequence(self.choice?) else {
            return None;
        };
        Some([first, second].map(|answer| story::consequence(self.setup(), answer)))
    }
}

fn picture(board: &Board) -> Value {
    let (phase, player) = match board.phase {
        Phase::Registration => ("registration", None),
        Phase::Preparation { player } => ("preparation", player),
        Phase::Turns { player } => ("turns", player),
        Phase::Colony => ("colony", None),
        Phase::Over { .. } => ("over", None),
    };
    json!({
        "phase": phase,
        "round": board.round,
        "player": player.map(|PlayerId(player)| player),
        "outcome": board.outcome().map(|outcome| outcome.to_string()),
        "morale": board.morale,
        "food": board.food,
        "starvation": board.starvation_tokens,
        "waste": board.waste,
        "children": board.children,
        "crisis": board.crisis.map(|crisis| crisis.0),
        "contributed": board.contributed,
        "places": locations(board.setup()).map(|location| place(board, location)).collect::<Vec<_>>(),
        "characters": characters(board).map(|(_, survivor)| character(survivor)).collect::<Vec<_>>(),
        "players": board.players.iter().map(seat).collect::<Vec<_>>(),
        "vote": board.vote.map(|PlayerId(player)| player),
        "crossroad": board.crossroad.map(|fate| fate.0),
        "choice": board.choice.map(|choice| story::consequence(board.setup(), choice)),
    })
}

fn place(board: &Board, location: LocationIx) -> Value {
    let entrances = board.entrances(location).iter();
    let entrances = entrances.map(|entrance| json!({"zombies": entrance.zombies, "barricades": entrance.barricades}));
    json!({"cards": board.stack(location), "entrances": entrances.collect::<Vec<_>>()})
}

fn character(survivor: &Survivor) -> Value {
    let life = match survivor.life {
        Life::Unused => "unused",
        Life::Alive => "alive",
        Life::Dead => "dead",
    };
    let worn = survivor.worn.iter().map(|worn| json!({"card": worn.card.0, "used": worn.used}));
    json!({
        "life": life,
        "owner": (survivor.life != Life::Unused).then_some(survivor.owner.0),
        "place": survivor.location.0,
        "wounds": survivor.wounds,
        "frostbites": survivor.frostbites,
        "moved": survivor.moved,
        "uses": survivor.uses,
        "worn": worn.collect::<Vec<_>>(),
    })
}

fn seat(player: &Player) -> Value {
    json!({
        "name": &*player.name,
        "present": player.present,
        "characters": player.survivors.iter().map(|character| character.0).collect::<Vec<_>>(),
        "hand": player.hand.iter().map(|card| card.0).collect::<Vec<_>>(),
        "dice": player.dice.iter().collect::<Vec<_>>(),
    })
}

fn locations(setup: &Setup) -> impl Iterator<Item = LocationIx> + use<> {
    (0..setup.scenario.locations.len()).map(LocationIx::from)
}

fn characters(board: &Board) -> impl Iterator<Item = (CharacterIx, &Survivor)> {
    let all = (0..board.setup().scenario.characters.len()).map(CharacterIx::from);
    all.map(|character| (character, board.survivor(character)))
}

impl Game {
    /// The remaining cards of a location, the next card first.
    fn cards_left(&self, location: LocationIx) -> Vec<u16> {
        let end = self.setup.first_card[location.at() + 1];
        self.stacks[end - self.board.stack(location)..end].iter().map(|CardIx(card)| *card).collect()
    }
}
