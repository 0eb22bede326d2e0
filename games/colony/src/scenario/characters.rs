//! Reads `characters` and their abilities.

use alloc::vec::Vec;

use super::{
    Ability, Character, Injury,
    findings::{ANY, AT_LEAST_1, Claims, Findings, listing},
    json::Json,
    locations::Locations,
};
use crate::ids::CharacterId;

const KEYS: [&str; 6] = ["name", "identifier", "status", "attack", "search", "ability"];
const ABILITIES: [&str; 8] = ["wound", "no_infection", "search", "trash", "heal", "feed", "barricade", "kill"];
const INJURIES: [(&str, Injury); 3] =
    [("wound", Injury::Wound), ("frostBite", Injury::Frostbite), ("bite", Injury::Bite)];

pub(super) fn read<'a>(
    findings: &mut Findings<'a>,
    locations: &Locations<'a>,
    node: Option<&'a Json>,
) -> Option<Vec<Character>> {
    let mut ids = Claims::new("character identifier");
    let mut statuses = Claims::new("status");
    let mut characters = Vec::new();
    // Every one is read before the first that is faulty makes the whole `None`.
    for node in findings.list(node)? {
        let object = findings.object(Some(node), &KEYS, &[]);
        let name = findings.text(object.get("name"));
        let id = findings.number(object.get("identifier"), ANY);
        let status = findings.number(object.get("status"), ANY);
        for (claims, number) in [(&mut ids, id), (&mut statuses, status)] {
            if let Some(number) = number {
                claims.claim(findings, number, node);
            }
        }
        let attack = findings.die(object.get("attack"));
        let search = findings.die(object.get("search"));
        let ability = object.get("ability").and_then(|node| read_ability(findings, locations, node));
        characters.push((|| {
            Some(Character {
                id: CharacterId(id?.value),
                name: name?.into(),
                status: status?.value,
                attack: attack?,
                search: search?,
                ability: ability?,
            })
        })());
    }
    characters.into_iter().collect()
}

fn read_ability<'a>(findings: &mut Findings<'a>, locations: &Locations<'a>, node: &'a Json) -> Option<Ability> {
    let mut ability = None;
    for (key, body) in findings.variants(node, &ABILITIES) {
        ability = read_variant(findings, locations, key, body);
    }
    ability
}

fn read_variant<'a>(
    findings: &mut Findings<'a>,
    locations: &Locations<'a>,
    key: &str,
    body: &'a Json,
) -> Option<Ability> {
    let (required, optional): (&[&str], &[&str]) = match key {
        "wound" => (&["before", "after"], &[]),
        "search" => (&["location", "numCards", "maxActivations"], &[]),
        "trash" => (&["numCards"], &[]),
        "feed" => (&["numFood"], &[]),
        "barricade" => (&["numBarricades", "maxActivations"], &[]),
        "kill" => (&["locationId", "dieValue", "numZombies", "maxActivations"], &["infectionDie", "children"]),
        _ => (&[], &[]),
    };
    let body = findings.object(Some(body), required, optional);
    let mut count = |key| findings.count(body.get(key), AT_LEAST_1);
    match key {
        "wound" => {
            let (before, after) = (read_injury(findings, body.get("before")), read_injury(findings, body.get("after")));
            Some(Ability::Wound { before: before?, after: after? })
        }
        "no_infection" => Some(Ability::NoInfection),
        "search" => {
            let (num_cards, max_activations) = (count("numCards"), count("maxActivations"));
            let location = locations.resolve(findings, body.get("location"))?;
            Some(Ability::Search { location, num_cards: num_cards?, max_activations: max_activations? })
        }
        "trash" => Some(Ability::Trash { num_cards: count("numCards")? }),
        "heal" => Some(Ability::Heal),
        "feed" => Some(Ability::Feed { num_food: findings.amount(body.get("numFood"), AT_LEAST_1)? }),
        "barricade" => {
            let (num_barricades, max_activations) = (count("numBarricades"), count("maxActivations"));
            Some(Ability::Barricade { num_barricades: num_barricades?, max_activations: max_activations? })
        }
        "kill" => {
            let (num_zombies, max_activations) = (count("numZombies"), count("maxActivations"));
            let die_value = findings.die(body.get("dieValue"));
            let (infection_die, children) =
                (findings.flag(body.get("infectionDie")), findings.flag(body.get("children")));
            Some(Ability::Kill {
                location: locations.resolve(findings, body.get("locationId"))?,
                die_value: die_value?,
                num_zombies: num_zombies?,
                max_activations: max_activations?,
                infection_die: infection_die?,
                children: children?,
            })
        }
        _ => unreachable!("{key} is not in the list of abilities"),
    }
}

fn read_injury<'a>(findings: &mut Findings<'a>, node: Option<&'a Json>) -> Option<Injury> {
    let text = findings.text(node)?;
    let injury = INJURIES.iter().find(|(name, _)| *name == text).map(|(_, injury)| *injury);
    if let (None, Some(node)) = (injury, node) {
        let names: Vec<_> = INJURIES.iter().map(|(name, _)| *name).collect();
        findings.shape(node, alloc::format!("must be {}", listing(&names)));
    }
    injury
}
