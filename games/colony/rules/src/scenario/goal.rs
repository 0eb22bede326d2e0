//! Reads `goal` and `crises`.

use alloc::{format, vec::Vec};
use core::ops::RangeInclusive;

use super::{
    Aim, Crisis, CrisisKind, Goal, PLACES,
    findings::{ANY, AT_LEAST_0, AT_LEAST_1, Claims, Findings, Number, Object, listing},
    json::{Json, Value},
    locations::Locations,
};
use crate::ids::CrisisId;

const KEYS: [&str; 5] = ["rounds", "moral", "zombiesColony", "zombiesLocations", "childrenInColony"];
const AIMS: [&str; 3] = ["survive", "barricades", "locationWithZombies"];
const CRISES: [(&str, CrisisKind); 4] = [
    ("food", CrisisKind::Food),
    ("stuff", CrisisKind::Stuff),
    ("medicine", CrisisKind::Medicine),
    ("fuel", CrisisKind::Fuel),
];

/// Our own limit: a small file must not create a huge game.
const CHILDREN: RangeInclusive<i32> = 0..=1000;

/// Reads the goal; `None` if any part is faulty. Also returns the number of rounds, for checks of the lengths of other lists.
pub(super) fn read<'a>(
    findings: &mut Findings<'a>,
    locations: &Locations<'a>,
    node: Option<&'a Json>,
) -> (Option<Goal>, Option<i32>) {
    let object = findings.object(node, &KEYS, &AIMS);
    let rounds = findings.amount(object.get("rounds"), AT_LEAST_1);
    let moral = findings.amount(object.get("moral"), AT_LEAST_1);
    let zombies_colony = findings.number(object.get("zombiesColony"), AT_LEAST_0);
    let zombies_locations = findings.number(object.get("zombiesLocations"), AT_LEAST_0);
    let children = findings.count(object.get("childrenInColony"), CHILDREN);
    let aim = read_aim(findings, locations, node, object);
    for (zombies, at_colony) in [(zombies_colony, true), (zombies_locations, false)] {
        if let Some(zombies) = zombies {
            check_places(findings, locations, zombies, at_colony);
        }
    }
    let goal = || {
        Some(Goal {
            rounds: rounds?.unsigned_abs(),
            moral: moral?,
            zombies_colony: zombies_colony?.value.unsigned_abs(),
            zombies_locations: zombies_locations?.value.unsigned_abs(),
            children_in_colony: children?,
            aim: aim?,
        })
    };
    (goal(), rounds)
}

fn read_aim<'a>(
    findings: &mut Findings<'a>,
    locations: &Locations<'a>,
    node: Option<&'a Json>,
    goal: Object<'a>,
) -> Option<Aim> {
    let given = AIMS.iter().filter(|key| goal.get(key).is_some()).count();
    if let Some(node) = node
        && matches!(node.value, Value::Object(_))
        && given != 1
    {
        findings.shape(node, format!("exactly one key of {} is needed, here are {given}", listing(&AIMS)));
    }
    if let Some(survive) = goal.get("survive")
        && survive.value != Value::Bool(true)
    {
        findings.shape(survive, "must be true; another goal has its own key");
    }
    let barricades = findings.number(goal.get("barricades"), AT_LEAST_0);
    let haunted = findings.number(goal.get("locationWithZombies"), AT_LEAST_0);
    if let Some(number) = barricades
        && let Some(places) = all_places(locations)
        && i64::from(number.value) > places
    {
        findings.rule(number.node, format!("all locations together have {places} places for barricades"));
    }
    if let Some(number) = haunted
        && let Some(count) = locations.count()
        && usize::try_from(number.value).is_ok_and(|value| value > count)
    {
        findings.rule(number.node, format!("there are {count} locations, the colony included"));
    }
    let survive = goal.get("survive").map(|_| Aim::Survive);
    let barricades = barricades.map(|number| Aim::Barricades(number.value.unsigned_abs()));
    let haunted = haunted.map(|number| Aim::LocationsWithZombies(number.value.unsigned_abs()));
    survive.or(barricades).or(haunted)
}

/// The total number of places at all entrances; `None` if the number of entrances of any location is unknown.
fn all_places(locations: &Locations<'_>) -> Option<i64> {
    locations.count()?;
    locations.entries().iter().map(|entry| Some(i64::from(PLACES) * i64::from(entry.entrances?))).sum()
}

fn check_places<'a>(findings: &mut Findings<'a>, locations: &Locations<'a>, zombies: Number<'a>, at_colony: bool) {
    for entry in locations.entries() {
        let Some(entrances) = entry.entrances.filter(|_| entry.is_colony == at_colony) else { continue };
        let places = i64::from(PLACES) * i64::from(entrances);
        if i64::from(zombies.value) > places {
            let path = findings.path(entry.node);
            let message = format!("{path} has places for {places} zombies, {PLACES} at each entrance");
            findings.rule(zombies.node, message);
        }
    }
}

pub(super) fn read_crises<'a>(findings: &mut Findings<'a>, node: Option<&'a Json>) -> Option<Vec<Crisis>> {
    let mut ids = Claims::new("crisis identifier");
    let mut crises = Vec::new();
    for node in findings.list(node)? {
        let mut crisis = None;
        for (kind, body) in findings.variants(node, &CRISES) {
            let body = findings.object(Some(body), &["identifier", "requiredCards", "moralChange"], &[]);
            let id = findings.number(body.get("identifier"), ANY);
            if let Some(id) = id {
                ids.claim(findings, id, node);
            }
            let required_cards = findings.count(body.get("requiredCards"), AT_LEAST_1);
            let moral_change = findings.amount(body.get("moralChange"), AT_LEAST_1);
            crisis = (|| {
                Some(Crisis {
                    id: CrisisId(id?.value),
                    kind,
                    required_cards: required_cards?,
                    moral_change: moral_change?,
                })
            })();
        }
        crises.push(crisis);
    }
    crises.into_iter().collect()
}
