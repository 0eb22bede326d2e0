//! Reads a scenario from its text, or lists everything that is wrong with it.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

use super::{
    Scenario,
    cards::Cards,
    characters, fates,
    findings::{AT_LEAST_1, Finding, Findings, Object},
    goal,
    json::{self, Json, Value},
    locations::Locations,
    problem::{ProblemKind, ScenarioProblem, spell},
};

/// The longest text of a scenario in bytes: enough for thousands of cards, and short enough to read quickly.
pub const LONGEST_TEXT: usize = 256 * 1024;

const KEYS: [&str; 6] = ["maxPlayers", "cards", "characters", "crises", "goal", "locations"];

/// Reads the scenario that a text describes.
///
/// # Errors
/// If the scenario is faulty: all its problems in the order of the text.
pub fn read(text: &str) -> Result<Scenario, Vec<ScenarioProblem>> {
    Reading::new(text).finish()
}

/// A text that has been read: its tree and the faults found so far.
#[derive(Debug)]
pub struct Reading {
    json: Option<Json>,
    scenario: Option<Scenario>,
    findings: Vec<Finding>,
}

impl Reading {
    /// Reads a text.
    pub fn new(text: &str) -> Self {
        if text.len() > LONGEST_TEXT {
            let message = format!("a scenario has at most {LONGEST_TEXT} bytes");
            return Self::refused(0, format!("{} bytes", text.len()), message);
        }
        match json::parse(text) {
            Ok(parsed) => {
                let mut findings = Findings::new(&parsed.root);
                for duplicate in &parsed.duplicates {
                    findings.duplicate(duplicate);
                }
                let scenario = read_root(&mut findings, &parsed.root);
                let findings = findings.into_found();
                Self { json: Some(parsed.root), scenario, findings }
            }
            Err(error) => {
                let found = text[error.at..].chars().next();
                let found = found.map_or("end of text".to_owned(), |found| spell(found.encode_utf8(&mut [0; 4])));
                let (line, column) = json::line_and_column(text, error.at);
                Self::refused(error.at, found, format!("line {line}, column {column}: {}", error.message))
            }
        }
    }

    fn refused(at: usize, value: String, message: String) -> Self {
        let problem = ScenarioProblem { kind: ProblemKind::Text, path: "$".to_owned(), value, message };
        Self { json: None, scenario: None, findings: [Finding { at, problem }].into() }
    }

    /// The tree; `None` if the text is not JSON.
    pub fn json(&self) -> Option<&Json> {
        self.json.as_ref()
    }

    /// Finishes reading.
    ///
    /// # Errors
    /// If anything is wrong: all problems in the order of the text.
    pub fn finish(mut self) -> Result<Scenario, Vec<ScenarioProblem>> {
        if self.findings.is_empty() {
            return Ok(self.scenario.expect("a text without findings was read completely"));
        }
        self.findings.sort_by_key(|finding| finding.at);
        Err(self.findings.into_iter().map(|finding| finding.problem).collect())
    }
}

/// Reads the locations first, because other values refer to them. `Reading::finish` sorts the problems.
fn read_root<'a>(findings: &mut Findings<'a>, root: &'a Json) -> Option<Scenario> {
    let object = findings.object(Some(root), &KEYS, &["crossroads"]);
    let max_players = findings.amount(object.get("maxPlayers"), AT_LEAST_1);
    let locations = Locations::read(findings, object.get("locations"));
    let mut cards = Cards::read(findings, &locations, object.get("cards"));
    let stacks = locations.deal(findings, &mut cards);
    let characters = characters::read(findings, &locations, object.get("characters"));
    let crises = goal::read_crises(findings, object.get("crises"));
    let (goal, rounds) = goal::read(findings, &locations, object.get("goal"));
    let (fates, consequences) = fates::read(findings, &locations, object.get("crossroads"));

    check_lengths(findings, object, &locations, max_players, rounds);

    Some(Scenario {
        max_players: max_players?.try_into().ok()?,
        colony: locations.colony()?,
        cards: cards.finish(&locations)?,
        characters: characters?,
        crises: crises?,
        goal: goal?,
        locations: locations.finish(stacks)?,
        fates,
        consequences,
    })
}

/// Checks that the lists are long enough for the players and the rounds.
fn check_lengths<'a>(
    findings: &mut Findings<'a>,
    root: Object<'a>,
    locations: &Locations<'a>,
    max_players: Option<i32>,
    rounds: Option<i32>,
) {
    let mut need = |node: Option<&Json>, needed: i64, what: &str| {
        if let Some(node) = node
            && let Value::List(entries) = &node.value
            && i64::try_from(entries.len()).is_ok_and(|given| given < needed)
        {
            findings.rule(node, format!("at least {needed} {what}, here are {}", entries.len()));
        }
    };
    if let Some(players) = max_players.map(i64::from) {
        need(root.get("characters"), 2 * players + 2, &format!("characters are needed for {players} players"));
        for entry in locations.entries() {
            let what = if entry.is_colony { "start cards are needed" } else { "cards are needed at a location" };
            need(entry.stack.map(|(node, _)| node), 5 * players, &format!("{what} for {players} players"));
        }
    }
    if let Some(rounds) = rounds.map(i64::from) {
        need(root.get("crises"), rounds, &format!("crises are needed for {rounds} rounds"));
    }
    if let (Some(players), Some(rounds)) = (max_players.map(i64::from), rounds.map(i64::from)) {
        let what = format!("fate cards are needed for {players} players and {rounds} rounds");
        need(root.get("crossroads"), players * rounds, &what);
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::{
        ids::{CardId, CardIx, ConsequenceIx, FateId, LocationId, LocationIx},
        scenario::{Ability, Aim, CardKind, Consequence, Fate, Injury, Trigger},
    };

    /// The smallest scenario for one player with a reference of each kind.
    const SMALL: &str = r#"{
        "maxPlayers": 1,
        "goal": {"rounds": 1, "moral": 1, "zombiesColony": 0, "zombiesLocations": 0, "childrenInColony": 0, "barricades": 9},
        "locations": [
            {"colony": {"identifier": 7, "entrances": 2, "startCards": [5, 4, 3, 2, 1]}},
            {"identifier": -3, "name": "Pier", "entrances": 1, "survivorSpaces": 2, "cards": [16, 17, 18, 19, 20]}
        ],
        "characters": [
            {"name": "A", "identifier": 1, "status": 1, "attack": 1, "search": 6, "ability": {"kill": {"locationId": 7, "dieValue": 2, "numZombies": 3, "maxActivations": 4}}},
            {"name": "B", "identifier": 2, "status": 2, "attack": 2, "search": 5, "ability": {"search": {"location": -3, "numCards": 1, "maxActivations": 2}}},
            {"name": "C", "identifier": 3, "status": 3, "attack": 3, "search": 4, "ability": {"wound": {"before": "frostBite", "after": "bite"}}},
            {"name": "D", "identifier": 4, "status": 4, "attack": 4, "search": 3, "ability": {"heal": {}}}
        ],
        "crises": [{"food": {"identifier": 1, "requiredCards": 2, "moralChange": 3}}],
        "cards": [
            {"fuel": {"identifier": 1}}, {"fuel": {"identifier": 2}}, {"fuel": {"identifier": 3}},
            {"fuel": {"identifier": 4}}, {"fuel": {"identifier": 5}}, {"fuel": {"identifier": 6}},
            {"lock": {"identifier": 16}}, {"lock": {"identifier": 17}}, {"lock": {"identifier": 18}},
            {"lock": {"identifier": 19}}, {"blueprint": {"identifier": 20, "location": 7}}
        ],
        "crossroads": [
            {"moved": {"identifier": 9, "locationId": 7, "consequence": {"choice": {
                "consequence1": {"spawnZombies": {"amount": 1, "locationId": -3}},
                "consequence2": {"changeFood": {"amount": -1}}
            }}}}
        ]
    }"#;

    #[test]
    fn references_become_indices() {
        let scenario = read(SMALL).unwrap();
        let (pier, colony) = (LocationIx(0), LocationIx(1));
        assert_eq!(
            scenario.locations.iter().map(|location| location.id).collect::<Vec<_>>(),
            [LocationId(-3), LocationId(7)]
        );
        assert_eq!(scenario.colony, colony);
        assert_eq!(scenario.location(colony).survivor_spaces, None);
        assert_eq!(scenario.location(pier).survivor_spaces, Some(2));
        assert_eq!(scenario.location(colony).cards, [4, 3, 2, 1, 0].map(CardIx));
        assert_eq!(scenario.location(pier).cards, [6, 7, 8, 9, 10].map(CardIx));
        let homes: Vec<_> = scenario.cards.iter().map(|card| card.home).collect();
        assert_eq!(homes, [&[Some(colony); 5][..], &[None], &[Some(pier); 5]].concat());
        assert_eq!(scenario.card(CardIx(10)).id, CardId(20));
        assert_eq!(scenario.card(CardIx(10)).kind, CardKind::Blueprint { location: colony });
    }

    #[test]
    fn abilities_goal_and_fate_cards() {
        let scenario = read(SMALL).unwrap();
        let abilities: Vec<_> = scenario.characters.iter().map(|character| character.ability).collect();
        let (pier, colony) = (LocationIx(0), LocationIx(1));
        assert_eq!(
            abilities,
            [
                Ability::Kill {
                    location: colony,
                    die_value: 2,
                    num_zombies: 3,
                    max_activations: 4,
                    infection_die: false,
                    children: false
                },
                Ability::Search { location: pier, num_cards: 1, max_activations: 2 },
                Ability::Wound { before: Injury::Frostbite, after: Injury::Bite },
                Ability::Heal,
            ]
        );
        assert_eq!(scenario.goal.aim, Aim::Barricades(9));
        let choice = ConsequenceIx(2);
        let fate = Fate { id: FateId(9), trigger: Trigger::Moved(Some(colony)), consequence: choice };
        assert_eq!(scenario.fates, Some([fate].into()));
        let Consequence::Choice { first, second } = scenario.consequence(choice) else { panic!("no choice") };
        assert_eq!(scenario.consequence(first), Consequence::SpawnZombies { amount: 1, location: Some(pier) });
        assert_eq!(scenario.consequence(second), Consequence::ChangeFood(-1));
    }

    #[test]
    fn fate_cards_may_be_absent_but_not_too_few() {
        let (before, _) = SMALL.split_once("\"crossroads\"").unwrap();
        let without = before.trim_end().trim_end_matches(',').to_owned() + "}";
        assert_eq!(read(&without).unwrap().fates, None);
        let problems = read(&(before.to_owned() + "\"crossroads\": []}")).unwrap_err();
        let expected = "$.crossroads: []: at least 1 fate cards are needed for 1 players and 1 rounds, here are 0";
        assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
    }

    /// Tests one fault of each kind; `tests/scenarios` covers all faults.
    #[test]
    fn faults_show_the_value() {
        for (sound, faulty, expected) in [
            (
                r#""heal": {}"#,
                r#""heal": {"x": 1}"#,
                "$.characters[3].ability.heal.x: 1: the key is unknown; none are allowed here",
            ),
            (
                r#"{"identifier": 6}"#,
                r#"{"identifier": 6, "x": []}"#,
                "$.cards[5].fuel.x: []: the key is unknown; allowed here: `identifier`",
            ),
            (
                r#""maxPlayers": 1"#,
                r#""maxPlayers": 1, "maxPlayers": 2"#,
                "$.maxPlayers: 2: the key is given twice; only its first value was looked at",
            ),
            (
                r#"{"identifier": 6}"#,
                r#"{"identifier": 5}"#,
                "$.cards[5].fuel.identifier: 5: the card identifier is already used by $.cards[4]",
            ),
            ("3, 2, 1]", "3, 2, 5]", "$.locations[0].colony.startCards[4]: 5: the card is already in this stack"),
            ("19, 20]", "19, 1]", "$.locations[1].cards[4]: 1: the card is already in the start cards"),
            (
                r#""dieValue": 2"#,
                r#""dieValue": 7"#,
                "$.characters[0].ability.kill.dieValue: 7: no die shows more than 6",
            ),
        ] {
            assert_eq!(SMALL.matches(sound).count(), 1, "{sound}");
            let problems = read(&SMALL.replace(sound, faulty)).unwrap_err();
            assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
        }
    }

    /// Spellings and zeros that configurations of courses have.
    #[test]
    fn leniencies() {
        let marked = "\u{feff}".to_owned() + SMALL;
        assert_eq!(read(&marked).unwrap(), read(SMALL).unwrap());
        assert_eq!(read(&SMALL.replace("\"moral\": 1,", "\"moral\": 1.0,")).unwrap(), read(SMALL).unwrap());
        for zero in ["\"dieValue\": 2", "\"maxActivations\": 4", "\"maxActivations\": 2"] {
            assert_eq!(SMALL.matches(zero).count(), 1, "{zero}");
            let (key, _) = zero.split_once(' ').unwrap();
            assert!(read(&SMALL.replace(zero, &format!("{key} 0"))).is_ok(), "{zero}");
            assert!(read(&SMALL.replace(zero, &format!("{key} -1"))).is_err(), "{zero}");
        }
        let feed = |food: i32| SMALL.replace(r#"{"heal": {}}"#, &format!(r#"{{"feed": {{"numFood": {food}}}}}"#));
        assert!(read(&feed(0)).is_ok() && read(&feed(-1)).is_err());
        assert!(read(&SMALL.replace("\"numZombies\": 3", "\"numZombies\": 0")).is_err());
        assert!(read(&SMALL.replace("\"attack\": 1,", "\"attack\": 0,")).is_err());
    }

    #[test]
    fn goals_that_can_be_reached() {
        // There are two locations, with four entrances in total and three places at each entrance.
        let wide = SMALL.replace("\"entrances\": 2", "\"entrances\": 3");
        for (key, most, fault) in [
            ("barricades", 12, "all locations together have 12 places for barricades"),
            ("locationWithZombies", 2, "there are 2 locations, the colony included"),
        ] {
            let with = |number: i32| wide.replace("\"barricades\": 9", &format!("\"{key}\": {number}"));
            assert!(read(&with(most)).is_ok(), "{key}");
            let problems = read(&with(most + 1)).unwrap_err();
            let expected = format!("$.goal.{key}: {}: {fault}", most + 1);
            assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
        }
    }

    #[test]
    fn the_longest_text() {
        let padded = |length: usize| SMALL.to_owned() + &" ".repeat(length - SMALL.len());
        assert!(read(&padded(LONGEST_TEXT)).is_ok());
        let problems = read(&padded(LONGEST_TEXT + 1)).unwrap_err();
        let expected = "$: 262145 bytes: a scenario has at most 262144 bytes";
        assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
    }

    #[test]
    fn zombies_at_the_start_need_places() {
        // The colony has two entrances and the pier has one. Each entrance has three places.
        for (key, most) in [("zombiesColony", 6), ("zombiesLocations", 3)] {
            let with = |zombies: i32| SMALL.replace(&format!("\"{key}\": 0"), &format!("\"{key}\": {zombies}"));
            assert!(read(&with(most)).is_ok(), "{key}");
            let problems = read(&with(most + 1)).unwrap_err();
            let expected = format!("has places for {most} zombies, 3 at each entrance");
            assert!(matches!(&problems[..], [one] if one.to_string().ends_with(&expected)), "{problems:?}");
        }
    }
}
