//! The parts of a game that never change, for pages that draw it.

use alloc::{format, string::String, vec::Vec};

use serde_json::{Value, json};

use super::story;
use crate::{
    scenario::{Ability, Aim, CardKind, Injury, Scenario},
    setup::Setup,
};

pub(super) fn stage(setup: &Setup) -> Value {
    let scenario = &setup.scenario;
    let places = scenario.locations.iter().map(|location| {
        json!({
            "id": location.id,
            "name": &*location.name,
            "entrances": location.entrances,
            "spaces": location.survivor_spaces,
        })
    });
    let characters = scenario.characters.iter().map(|character| {
        json!({
            "id": character.id,
            "name": &*character.name,
            "status": character.status,
            "attack": character.attack,
            "search": character.search,
            "ability": ability(scenario, character.ability),
        })
    });
    let cards = scenario
        .cards
        .iter()
        .map(|card| json!({"id": card.id, "kind": card.kind.key(), "text": self::card(scenario, card.kind)}));
    let crises = scenario.crises.iter().map(|crisis| {
        json!({
            "id": crisis.id,
            "kind": crisis.kind.key(),
            "needed": crisis.required_cards,
            "morale": -i64::from(crisis.moral_change),
        })
    });
    let fates = scenario.fates.iter().flatten();
    let fates = fates.map(|fate| json!({"id": fate.id, "text": story::fate(setup, fate)}));
    json!({
        "edition": setup.edition.name(),
        "maxPlayers": scenario.max_players,
        "rounds": scenario.goal.rounds,
        "goal": goal(scenario),
        "colony": scenario.colony.0,
        "places": places.collect::<Vec<_>>(),
        "characters": characters.collect::<Vec<_>>(),
        "cards": cards.collect::<Vec<_>>(),
        "crises": crises.collect::<Vec<_>>(),
        "fates": fates.collect::<Vec<_>>(),
    })
}

pub(super) fn goal(scenario: &Scenario) -> String {
    let rounds = scenario.goal.rounds;
    match scenario.goal.aim {
        Aim::Survive => format!("Survive {rounds} rounds."),
        Aim::Barricades(least) => format!("Have {least} barricades at the end of a round, in {rounds} rounds at most."),
        Aim::LocationsWithZombies(most) => {
            format!("At the end of a round have zombies at {most} locations at most, in {rounds} rounds at most.")
        }
    }
}

/// The name of a card, followed by the effect of playing it if that has a short text.
pub(super) fn card(scenario: &Scenario, kind: CardKind) -> String {
    let name = card_name(scenario, kind);
    match kind.properties().action {
        "" => name,
        action => format!("{name}: {action}"),
    }
}

pub(super) fn card_name(scenario: &Scenario, kind: CardKind) -> String {
    let name = kind.properties().name;
    if let CardKind::Food { amount } = kind {
        format!("{name} for {amount}")
    } else if let CardKind::Blueprint { location } = kind {
        format!("{name} of {}", scenario.location(location).name)
    } else {
        name.into()
    }
}

pub(super) fn ability(scenario: &Scenario, ability: Ability) -> String {
    match ability {
        Ability::Wound { before, after } => format!("takes {} for {}", injury(after), injury(before)),
        Ability::NoInfection => "kills without being infected".into(),
        Ability::Search { location, num_cards, max_activations } => {
            let name = &scenario.location(location).name;
            format!("finds {} more at {name}, {}", cards(num_cards), times(max_activations))
        }
        Ability::Trash { num_cards } => format!("disposes of {} at once", cards(num_cards)),
        Ability::Heal => "heals one injury of a character at the same place".into(),
        Ability::Feed { num_food } => format!("brings {num_food} food"),
        Ability::Barricade { num_barricades, max_activations } => {
            format!("builds {}, {}", counted(num_barricades, "barricade"), times(max_activations))
        }
        Ability::Kill { location, die_value, num_zombies, max_activations, infection_die, children } => {
            let name = &scenario.location(location).name;
            let danger = if infection_die { "" } else { ", without being infected" };
            let condition = if children { ", while there are children" } else { "" };
            let (zombies, often) = (counted(num_zombies, "zombie"), times(max_activations));
            format!("kills {zombies} at {name} for a die of {die_value} or more, {often}{danger}{condition}")
        }
    }
}

fn cards(count: u32) -> String {
    counted(count, "card")
}

fn counted(count: u32, what: &str) -> String {
    if count == 1 { format!("one {what}") } else { format!("{count} {what}s") }
}

fn times(count: u32) -> String {
    match count {
        1 => "once a round".into(),
        2 => "twice a round".into(),
        more => format!("{more} times a round"),
    }
}

fn injury(injury: Injury) -> &'static str {
    match injury {
        Injury::Wound => "a wound",
        Injury::Frostbite => "a frostbite",
        Injury::Bite => "a bite",
    }
}
