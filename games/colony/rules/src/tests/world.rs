//! The scenario of a scene: three places, cards of every kind, and the characters that the scene names.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::{Map, Value, json};

use crate::{Edition, Setup};

/// The time limit for a command, in milliseconds.
pub(super) const TIMEOUT: u64 = 7000;

/// Name, identifier, number of entrances, and places for survivors (not used for the colony). The colony's identifier is
/// neither the lowest nor the highest.
const PLACES: [(&str, i32, u32, u32); 3] = [("harbour", 40, 1, 2), ("colony", 50, 2, 0), ("mill", 60, 2, 3)];

/// Cards that are in no stack. Scenes put them into hands, or let characters wear them.
const CARDS: [(&str, i32, &str); 25] = [
    ("food1", 101, "food"),
    ("food2", 102, "food"),
    ("food3", 103, "food"),
    ("fuel1", 111, "fuel"),
    ("fuel2", 112, "fuel"),
    ("stuff1", 121, "stuff"),
    ("stuff2", 122, "stuff"),
    ("medicine1", 131, "medicine"),
    ("medicine2", 132, "medicine"),
    ("lock1", 141, "lock"),
    ("lock2", 142, "lock"),
    ("scissors1", 151, "scissors"),
    ("scissors2", 152, "scissors"),
    ("hammer1", 161, "hammer"),
    ("hammer2", 162, "hammer"),
    ("colt1", 171, "colt"),
    ("colt2", 172, "colt"),
    ("boots1", 181, "snow_boots"),
    ("boots2", 182, "snow_boots"),
    ("swab1", 191, "swab"),
    ("swab2", 192, "swab"),
    // The first two are blueprints of the mill, the third one of the harbour.
    ("drawing1", 201, "blueprint"),
    ("drawing2", 202, "blueprint"),
    ("drawing3", 203, "blueprint"),
    ("stuff3", 123, "stuff"),
];

/// The highest number of players in every scene.
const MAX_PLAYERS: usize = 3;
const STACK: i32 = 5 * MAX_PLAYERS as i32;
/// The identifiers of crises and fate cards start after these numbers: crisis1 is 301, fate1 is 501.
const CRISES: i32 = 300;
const FATES: i32 = 500;

#[derive(Debug)]
pub(super) struct World {
    pub(super) edition: Edition,
    pub(super) rounds: u32,
    aim: (String, Value),
    crisis: (String, u32, u32),
    /// At the start of a game: zombies in the colony, zombies at each other location, and children.
    start: [u32; 3],
    fates: Vec<Value>,
    pub(super) cast: Vec<Value>,
}

impl World {
    pub(super) fn new() -> Self {
        Self {
            edition: Edition::Equipment,
            rounds: 5,
            aim: ("survive".into(), true.into()),
            crisis: ("stuff".into(), 1, 1),
            start: [0; 3],
            fates: Vec::new(),
            cast: Vec::new(),
        }
    }

    /// Reads a clause about the scenario. Returns `false` if the clause is not about the scenario.
    pub(super) fn read(&mut self, clause: &str) -> bool {
        let (word, rest) = clause.split_once(' ').unwrap_or((clause, ""));
        match word {
            "group" | "equipment" | "fate" => self.edition = word.parse().expect("an edition"),
            "rounds" => self.rounds = number(rest),
            "goal" => {
                let (aim, amount) = rest.split_once(' ').expect("a goal with its number");
                self.aim = (aim.into(), number(amount).into());
            }
            "crisis" => {
                let words: Vec<&str> = rest.split(' ').collect();
                self.crisis = (words[0].into(), number(words[1]), number(words[2]));
            }
            "start" => self.start = rest.split(' ').map(number).collect::<Vec<_>>().try_into().expect("three numbers"),
            "card" => {
                let (trigger, outcome) = rest.split_once(": ").expect("a card is `trigger: consequence`");
                let identifier = FATES + 1 + self.fates.len() as i32;
                self.fates.push(fate(identifier, trigger, outcome));
            }
            _ => return false,
        }
        true
    }

    /// Adds a character, unless the scenario already has one with this name.
    pub(super) fn add(&mut self, name: &str, traits: &Map<String, Value>) {
        if self.cast.iter().any(|other| other["name"] == name) {
            return;
        }
        let identifier = character(name);
        let mut member = Map::new();
        member.insert("name".into(), name.into());
        member.insert("identifier".into(), identifier.into());
        member.insert("status".into(), (identifier * 10).into());
        member.insert("attack".into(), 1.into());
        member.insert("search".into(), 1.into());
        member.insert("ability".into(), json!({"wound": {"before": "wound", "after": "wound"}}));
        member.extend(traits.clone());
        self.cast.push(member.into());
    }

    /// Builds the setup. Adds the characters and fate cards that a valid scenario still needs.
    pub(super) fn setup(mut self) -> Setup {
        for extra in self.cast.len()..2 * MAX_PLAYERS + 2 {
            let (name, id) = (format!("Z{extra}"), 10_000 + extra);
            let values = json!({"name": name, "identifier": id, "status": id, "attack": 1, "search": 1});
            self.cast.push(values);
            self.cast[extra]["ability"] = json!({"heal": {}});
        }
        let (kind, required, change) = &self.crisis;
        let crises: Vec<Value> = (1..=self.rounds as i32)
            .map(|round| {
                tagged(kind, json!({"identifier": CRISES + round, "requiredCards": required, "moralChange": change}))
            })
            .collect();
        let [zombies_colony, zombies_locations, children] = self.start;
        let mut goal = json!({"rounds": self.rounds, "moral": 9, "zombiesColony": zombies_colony,
            "zombiesLocations": zombies_locations, "childrenInColony": children});
        goal[&self.aim.0] = self.aim.1.clone();
        let mut scenario = json!({"maxPlayers": MAX_PLAYERS, "cards": cards(), "characters": self.cast,
            "crises": crises, "goal": goal, "locations": PLACES.map(place)});
        if self.edition == Edition::Fate || !self.fates.is_empty() {
            for at in self.fates.len()..MAX_PLAYERS * self.rounds as usize {
                self.fates.push(fate(FATES + 1 + at as i32, "equip", "changeMoral 0"));
            }
            scenario["crossroads"] = self.fates.into();
        }
        Setup::new(&scenario.to_string(), Some(self.edition), Some(TIMEOUT)).expect("a scene's scenario is well-formed")
    }
}

fn place((name, identifier, entrances, spaces): (&str, i32, u32, u32)) -> Value {
    let cards: Vec<i32> = (1..=STACK).map(|card| identifier * 100 + card).collect();
    if name == "colony" {
        return json!({"colony": {"identifier": identifier, "entrances": entrances, "startCards": cards}});
    }
    json!({"identifier": identifier, "name": name, "entrances": entrances, "survivorSpaces": spaces, "cards": cards})
}

fn cards() -> Vec<Value> {
    let mut cards: Vec<Value> = CARDS
        .iter()
        .map(|(name, identifier, kind)| {
            let mut card = json!({"identifier": identifier});
            if *kind == "food" {
                card["amount"] = (identifier - 100).into();
            }
            if *kind == "blueprint" {
                card["location"] = location(if *name == "drawing3" { "harbour" } else { "mill" }).into();
            }
            tagged(kind, card)
        })
        .collect();
    for (_, place, ..) in PLACES {
        cards.extend((1..=STACK).map(|card| json!({"stuff": {"identifier": place * 100 + card}})));
    }
    cards
}

/// A fate card such as `moved mill: spawnZombies 2 colony` or `equip: choice {changeFood 1} {changeMoral -1}`.
fn fate(identifier: i32, trigger: &str, outcome: &str) -> Value {
    let (word, rest) = trigger.split_once(' ').unwrap_or((trigger, ""));
    let mut card = json!({"identifier": identifier, "consequence": consequence(outcome)});
    match word {
        "wasteChanged" => card["amount"] = signed(rest).into(),
        _ if !rest.is_empty() => card["locationId"] = location(rest).into(),
        _ => {}
    }
    tagged(word, card)
}

fn consequence(text: &str) -> Value {
    let (word, rest) = text.split_once(' ').expect("a consequence with its amount");
    if word == "choice" {
        let (first, second) = rest.split_at(closing(rest) + 1);
        let [first, second] = [first, second.trim()].map(|part| consequence(&part[1..part.len() - 1]));
        return tagged(word, json!({"consequence1": first, "consequence2": second}));
    }
    let (amount, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut inner = json!({"amount": signed(amount)});
    match (word, rest) {
        (_, "") => {}
        ("spawnSurvivors", "children") => inner["children"] = true.into(),
        _ => inner["locationId"] = location(rest).into(),
    }
    tagged(word, inner)
}

/// The position of the brace that closes the first one of the text.
fn closing(text: &str) -> usize {
    let mut open = 0;
    let closes = |(_, letter): &(usize, char)| {
        open += match letter {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        open == 0
    };
    text.char_indices().find(closes).expect("a closing brace").0
}

pub(super) fn tagged(key: &str, value: Value) -> Value {
    Value::Object([(key.to_string(), value)].into_iter().collect())
}

pub(super) fn number(text: &str) -> u32 {
    text.parse().unwrap_or_else(|_| panic!("no number: {text:?}"))
}

pub(super) fn signed(text: &str) -> i32 {
    text.parse().unwrap_or_else(|_| panic!("no number: {text:?}"))
}

/// The identifier of a character follows from the first letter of its name: Ana is 1, Bo is 2 and so on.
pub(super) fn character(name: &str) -> i32 {
    find_character(name).unwrap_or_else(|| panic!("no character: {name:?}"))
}

pub(super) fn find_character(name: &str) -> Option<i32> {
    let first = name.chars().next()?;
    (first.is_ascii_uppercase() && first != 'Z').then(|| first as i32 - 'A' as i32 + 1)
}

pub(super) fn location(name: &str) -> i32 {
    find_location(name).unwrap_or_else(|| panic!("no place: {name:?}"))
}

pub(super) fn find_location(name: &str) -> Option<i32> {
    PLACES.iter().find(|place| place.0 == name).map(|place| place.1)
}

/// The identifier of a card. `mill1` is the top card of the mill at the start, `colony1` is the top start card.
pub(super) fn card(name: &str) -> i32 {
    let digits = name.find(|letter: char| letter.is_ascii_digit()).unwrap_or_else(|| panic!("no card: {name:?}"));
    let in_stack = || location(&name[..digits]) * 100 + signed(&name[digits..]);
    CARDS.iter().find(|card| card.0 == name).map_or_else(in_stack, |card| card.1)
}

pub(super) fn card_name(identifier: i32) -> String {
    if let Some(card) = CARDS.iter().find(|card| card.1 == identifier) {
        return card.0.into();
    }
    let place = PLACES.iter().find(|place| place.1 == identifier / 100).expect("a card of some stack");
    format!("{}{}", place.0, identifier % 100)
}

pub(super) fn crisis_name(identifier: i32) -> String {
    format!("crisis{}", identifier - CRISES)
}

pub(super) fn fate_name(identifier: i32) -> String {
    format!("fate{}", identifier - FATES)
}
