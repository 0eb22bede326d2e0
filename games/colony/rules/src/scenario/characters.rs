//! Reads `characters` and their abilities.

use alloc::vec::Vec;

use super::{
    Ability, Character, Injury,
    findings::{ANY, AT_LEAST_0, AT_LEAST_1, Claims, Findings, listing},
    json::Json,
    locations::Locations,
};
use crate::ids::CharacterId;

const KEYS: [&str; 6] = ["name", "identifier", "status", "attack", "search", "ability"];
const INJURIES: [(&str, Injury); 3] =
    [("wound", Injury::Wound), ("frostBite", Injury::Frostbite), ("bite", Injury::Bite)];

/// Reads the body of an ability.
type Reader = for<'a> fn(&mut Findings<'a>, &Locations<'a>, &'a Json) -> Option<Ability>;

const ABILITIES: [(&str, Reader); 8] = [
    ("wound", wound),
    ("no_infection", no_infection),
    ("search", search),
    ("trash", trash),
    ("heal", heal),
    ("feed", feed),
    ("barricade", barricade),
    ("kill", kill),
];

pub(super) fn read<'a>(
    findings: &mut Findings<'a>,
    locations: &Locations<'a>,
    node: Option<&'a Json>,
) -> Option<Vec<Character>> {
    let mut ids = Claims::new("character identifier");
    let mut statuses = Claims::new("status");
    let mut characters = Vec::new();
    // The loop reads all characters, so that it reports every fault. Only then does a faulty character make the result `None`.
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
        let attack = findings.die(object.get("attack"), AT_LEAST_1);
        let search = findings.die(object.get("search"), AT_LEAST_1);
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
    for (read, body) in findings.variants(node, &ABILITIES) {
        ability = read(findings, locations, body);
    }
    ability
}

fn wound<'a>(findings: &mut Findings<'a>, _: &Locations<'a>, node: &'a Json) -> Option<Ability> {
    let body = findings.object(Some(node), &["before", "after"], &[]);
    let (before, after) = (read_injury(findings, body.get("before")), read_injury(findings, body.get("after")));
    Some(Ability::Wound { before: before?, after: after? })
}

fn no_infection<'a>(findings: &mut Findings<'a>, _: &Locations<'a>, node: &'a Json) -> Option<Ability> {
    findings.object(Some(node), &[], &[]);
    Some(Ability::NoInfection)
}

fn search<'a>(findings: &mut Findings<'a>, locations: &Locations<'a>, node: &'a Json) -> Option<Ability> {
    let body = findings.object(Some(node), &["location", "numCards", "maxActivations"], &[]);
    let location = locations.resolve(findings, body.get("location"));
    let num_cards = findings.count(body.get("numCards"), AT_LEAST_1);
    let max_activations = findings.count(body.get("maxActivations"), AT_LEAST_0);
    Some(Ability::Search { location: location?, num_cards: num_cards?, max_activations: max_activations? })
}

fn trash<'a>(findings: &mut Findings<'a>, _: &Locations<'a>, node: &'a Json) -> Option<Ability> {
    let body = findings.object(Some(node), &["numCards"], &[]);
    Some(Ability::Trash { num_cards: findings.count(body.get("numCards"), AT_LEAST_1)? })
}

fn heal<'a>(findings: &mut Findings<'a>, _: &Locations<'a>, node: &'a Json) -> Option<Ability> {
    findings.object(Some(node), &[], &[]);
    Some(Ability::Heal)
}

fn feed<'a>(findings: &mut Findings<'a>, _: &Locations<'a>, node: &'a Json) -> Option<Ability> {
    let body = findings.object(Some(node), &["numFood"], &[]);
    Some(Ability::Feed { num_food: findings.amount(body.get("numFood"), AT_LEAST_0)? })
}

fn barricade<'a>(findings: &mut Findings<'a>, _: &Locations<'a>, node: &'a Json) -> Option<Ability> {
    let body = findings.object(Some(node), &["numBarricades", "maxActivations"], &[]);
    let num_barricades = findings.count(body.get("numBarricades"), AT_LEAST_1);
    let max_activations = findings.count(body.get("maxActivations"), AT_LEAST_0);
    Some(Ability::Barricade { num_barricades: num_barricades?, max_activations: max_activations? })
}

fn kill<'a>(findings: &mut Findings<'a>, locations: &Locations<'a>, node: &'a Json) -> Option<Ability> {
    let required = ["locationId", "dieValue", "numZombies", "maxActivations"];
    let body = findings.object(Some(node), &required, &["infectionDie", "children"]);
    let location = locations.resolve(findings, body.get("locationId"));
    let die_value = findings.die(body.get("dieValue"), AT_LEAST_0);
    let num_zombies = findings.count(body.get("numZombies"), AT_LEAST_1);
    let max_activations = findings.count(body.get("maxActivations"), AT_LEAST_0);
    let infection_die = findings.flag(body.get("infectionDie"));
    let children = findings.flag(body.get("children"));
    Some(Ability::Kill {
        location: location?,
        die_value: die_value?,
        num_zombies: num_zombies?,
        max_activations: max_activations?,
        infection_die: infection_die?,
        children: children?,
    })
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
