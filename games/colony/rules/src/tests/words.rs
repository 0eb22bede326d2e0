//! Converts between words and commands, events and states, with names instead of identifiers.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use engine::{ArgumentError, Cause, CommId, Message, Rulebook, Waiting, arguments, from_arguments};
use serde_json::Value;

use super::{
    scene::{character_ix, place_ix},
    world,
};
use crate::{
    Game,
    command::Command,
    event::Event,
    game::Timer,
    ids::{CardId, CharacterId},
    scenario::{Ability, CardKind, CardTarget, Consequence},
};

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Parses a line of a test into an input and its sender. A timeout has no sender.
pub(super) fn cause(game: &Game, line: &str) -> (Option<CommId>, Cause<Command, Timer>) {
    if line == "TimeOut" {
        return (None, Cause::Timer { timer: Timer::Deadline });
    }
    let (client, words) = match (line.split_once(": "), game.waiting_for()) {
        (Some((client, words)), _) => (CommId(world::number(client)), words),
        (None, Waiting::One(client)) => (client, line),
        (None, Waiting::GameOver | Waiting::Anyone) => panic!("who says {line:?}?"),
    };
    (Some(client), Cause::Command { client, command: command(words) })
}

fn command(words: &str) -> Command {
    let mut words = words.split(' ');
    let name = words.next().expect("a command");
    let number = Command::KINDS.iter().position(|kind| kind.name == name).unwrap_or_else(|| panic!("no {name}"));
    let forms = Command::KINDS[number].fields.iter().map(|field| field.form).chain(core::iter::repeat("i32"));
    let values: Vec<Value> = words.zip(forms).map(|(word, form)| argument(word, form)).collect();
    match from_arguments(name, &values) {
        Ok(command) => command,
        Err(ArgumentError::WrongNumber { .. }) => {
            Command::WrongArguments { command: number as u8, given: values.len() as u8 }
        }
        Err(error) => panic!("{name}: {error}"),
    }
}

fn argument(word: &str, form: &str) -> Value {
    if let Ok(number) = word.parse::<i32>() {
        return number.into();
    }
    match form {
        "Arc<str>" => word.into(),
        "bool" | "Option<bool>" => (word == "true").into(),
        "CardId" => world::card(word).into(),
        _ => world::find_character(word).or(world::find_location(word)).unwrap_or_else(|| panic!("no {word}")).into(),
    }
}

pub(super) fn event(game: &Game, event: &Event) -> String {
    let mut words = event.kind().name.to_string();
    for (value, field) in arguments(event).iter().zip(event.kind().fields) {
        let form = field.form.trim_start_matches("Option<").trim_end_matches('>');
        let form = if field.name == "target" { target_form(game, event) } else { form };
        words += &match (value.as_i64().map(|number| number as i32), form) {
            (Some(id), "CharacterId") => format!(" {}", character_name(game, id)),
            (Some(id), "LocationId") => format!(" {}", location_name(game, id)),
            (Some(id), "CardId") => format!(" {}", world::card_name(id)),
            (Some(id), "CrisisId") => format!(" {}", world::crisis_name(id)),
            (Some(id), "FateId") => format!(" {}", world::fate_name(id)),
            (Some(number), _) => format!(" {number}"),
            (None, "Effect") => match value.get("Equipment").and_then(Value::as_i64) {
                Some(id) => format!(" {}", world::card_name(id as i32)),
                None => format!(" {}", value.as_str().unwrap_or_default()),
            },
            (None, _) => format!(" {}", value.to_string().trim_matches('"')),
        };
    }
    words
}

/// The type of the target of a card or an ability.
fn target_form(game: &Game, event: &Event) -> &'static str {
    let kind = |card: CardId| game.setup.card_ix(card).map(|card| game.board.card_kind(card));
    let ability = |id: CharacterId| game.setup.character_ix(id).map(|ix| game.setup.scenario.character(ix).ability);
    if let Event::CardUsed { card, .. } = event {
        return match kind(*card).and_then(CardKind::target) {
            Some(CardTarget::Location) => "LocationId",
            Some(CardTarget::Entrance) => "Entrance",
            Some(CardTarget::Character) | None => "CharacterId",
        };
    }
    if let Event::AbilityUsed { character, .. } = event
        && ability(*character) == Some(Ability::Heal)
    {
        return "CharacterId";
    }
    "Entrance"
}

fn character_name(game: &Game, id: i32) -> String {
    let character = game.setup.character_ix(CharacterId(id)).expect("a character");
    game.setup.scenario.character(character).name.to_string()
}

fn location_name(game: &Game, id: i32) -> String {
    let location = game.setup.location_ix(crate::LocationId(id)).expect("a location");
    game.setup.scenario.location(location).name.to_string()
}

/// Describes the state of one thing in words, such as a place, a character or the `stock`.
pub(super) fn state(game: &Game, what: &str) -> String {
    let board = &game.board;
    let list = |numbers: Vec<u8>| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    if what == "stock" {
        let (food, waste, tokens) = (board.food, board.waste, board.starvation_tokens);
        return format!(
            "food {food}, waste {waste}, children {}, morale {}, tokens {tokens}",
            board.children, board.morale
        );
    }
    if what == "choice" {
        let of = |at| game.setup.scenario.consequence(at);
        return match board.choice.map(of) {
            Some(Consequence::Choice { first, second }) => format!("{:?} or {:?}", of(first), of(second)),
            Some(other) => format!("no choice, but {other:?}"),
            None => "none".into(),
        };
    }
    if what == "unused" {
        let names = game.unused.iter().map(|&character| game.setup.scenario.character(character).name.to_string());
        return names.collect::<Vec<_>>().join(" ");
    }
    if let Ok(player) = what.parse::<usize>() {
        let player = &board.players[player];
        let hand: Vec<String> =
            player.hand.iter().map(|&card| world::card_name(game.setup.scenario.card(card).id.0)).collect();
        return format!("dice {}; hand {}", player.dice, if hand.is_empty() { "none".into() } else { hand.join(" ") });
    }
    if world::find_location(what).is_some() {
        let entrances = board.entrances(place_ix(game, what));
        let zombies = entrances.iter().map(|entrance| entrance.zombies).collect();
        let barricades = entrances.iter().map(|entrance| entrance.barricades).collect();
        return format!("zombies {} barricades {}", list(zombies), list(barricades));
    }
    let survivor = board.survivor(character_ix(game, what));
    let place = &game.setup.scenario.location(survivor.location).name;
    let worn =
        survivor.worn.iter().map(|worn| format!(", {}", world::card_name(game.setup.scenario.card(worn.card).id.0)));
    let worn = worn.collect::<String>();
    format!("{:?} at {place}, wounds {}, frostbites {}{worn}", survivor.life, survivor.wounds, survivor.frostbites)
}
