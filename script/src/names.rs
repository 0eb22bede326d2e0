//! What the people, places and cards of a scenario are called in a script.

use std::collections::BTreeMap;

use colony::{
    Scenario,
    scenario::{Ability, CardKind},
};

use crate::problem::suggest;

/// The names of a scenario and the identifiers they stand for.
///
/// A character or a location has its full name, in quotation marks, and every word of it that no other one has. A card, a
/// crisis and a fate card are called by kind and identifier: `food101`, `moved7`.
#[derive(Clone, Debug, Default)]
pub struct Names {
    characters: Table,
    locations: Table,
    cards: Table,
    crises: Table,
    fates: Table,
    /// What the target of a card or of a character's ability is; no entry: a number.
    card_targets: BTreeMap<i32, Kind>,
    ability_targets: BTreeMap<i32, Kind>,
}

/// What an argument names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Character,
    Location,
    Card,
    Crisis,
    Fate,
}

impl Names {
    pub fn of(scenario: &Scenario) -> Self {
        let mut card_targets = BTreeMap::new();
        for card in &scenario.cards {
            let target = match card.kind {
                CardKind::Fuel => Kind::Location,
                CardKind::Medicine
                | CardKind::Hammer
                | CardKind::Colt
                | CardKind::SnowBoots
                | CardKind::Swab
                | CardKind::Blueprint { .. } => Kind::Character,
                CardKind::Food { .. } | CardKind::Stuff | CardKind::Lock | CardKind::Scissors => continue,
            };
            card_targets.insert(card.id.0, target);
        }
        let healers = scenario.characters.iter().filter(|character| character.ability == Ability::Heal);
        let fates = scenario.fates.iter().flatten();
        Self {
            characters: Table::of_names(scenario.characters.iter().map(|each| (each.id.0, &*each.name))),
            locations: Table::of_names(scenario.locations.iter().map(|each| (each.id.0, &*each.name))),
            cards: Table::of_kinds(scenario.cards.iter().map(|card| (card.id.0, card.kind.key()))),
            crises: Table::of_kinds(scenario.crises.iter().map(|crisis| (crisis.id.0, crisis.kind.key()))),
            fates: Table::of_kinds(fates.map(|fate| (fate.id.0, fate.trigger.key()))),
            card_targets,
            ability_targets: healers.map(|character| (character.id.0, Kind::Character)).collect(),
        }
    }

    /// The identifier that a word stands for, or what is wrong with it and what would work.
    pub(crate) fn id(&self, kind: Kind, word: &str) -> Result<i32, (String, String)> {
        let table = self.table(kind);
        match table.ids.get(word) {
            Some(Some(id)) => Ok(*id),
            Some(None) => Err((
                format!("{word} is part of the name of more than one {}", kind.noun()),
                "its full name in quotation marks, or its identifier, is clear".into(),
            )),
            None => Err((
                format!("there is no {} {word} in the scenario", kind.noun()),
                suggest(word, table.ids.iter().filter(|(_, id)| id.is_some()).map(|(name, _)| name.as_str())),
            )),
        }
    }

    /// How a script calls it.
    pub(crate) fn name(&self, kind: Kind, id: i32) -> Option<&str> {
        self.table(kind).names.get(&id).map(String::as_str)
    }

    /// What the target is when a card is played.
    pub(crate) fn card_target(&self, card: i32) -> Option<Kind> {
        self.card_targets.get(&card).copied()
    }

    /// What the target is when a character uses an ability.
    pub(crate) fn ability_target(&self, character: i32) -> Option<Kind> {
        self.ability_targets.get(&character).copied()
    }

    fn table(&self, kind: Kind) -> &Table {
        match kind {
            Kind::Character => &self.characters,
            Kind::Location => &self.locations,
            Kind::Card => &self.cards,
            Kind::Crisis => &self.crises,
            Kind::Fate => &self.fates,
        }
    }
}

impl Kind {
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Character => "character",
            Self::Location => "location",
            Self::Card => "card",
            Self::Crisis => "crisis",
            Self::Fate => "fate card",
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Table {
    /// `None`: more than one has this name.
    ids: BTreeMap<String, Option<i32>>,
    /// As a token of a line: a word, or in quotation marks.
    names: BTreeMap<i32, String>,
}

impl Table {
    fn of_kinds<'a>(rows: impl Iterator<Item = (i32, &'a str)>) -> Self {
        let mut table = Self::default();
        for (id, kind) in rows {
            table.ids.insert(format!("{kind}{id}"), Some(id));
            table.names.insert(id, format!("{kind}{id}"));
        }
        table
    }

    fn of_names<'a>(rows: impl Iterator<Item = (i32, &'a str)> + Clone) -> Self {
        let mut table = Self::default();
        let put = |table: &mut Self, name: &str, id: i32| {
            let known = table.ids.entry(name.to_owned()).or_insert(Some(id));
            if *known != Some(id) {
                *known = None;
            }
        };
        for (id, name) in rows.clone() {
            words(name).for_each(|word| put(&mut table, word, id));
        }
        // A full name goes before a word of another one.
        for (_, name) in rows.clone() {
            table.ids.remove(name);
        }
        for (id, name) in rows.clone() {
            put(&mut table, name, id);
        }
        for (id, name) in rows {
            let is_clear = |word: &&str| table.ids.get(*word) == Some(&Some(id));
            // Not `The`, `Old` or `Dr` of somebody who has a longer one.
            let spoken = |word: &&str| word.len() >= 4 && word.starts_with(char::is_uppercase);
            let whole = Some(name).filter(is_clear);
            let word = whole.filter(|name| is_bare(name)).or_else(|| words(name).filter(spoken).find(is_clear));
            let quoted = whole.and_then(|name| serde_json::to_string(name).ok());
            if let Some(token) = word.map(str::to_owned).or(quoted) {
                table.names.insert(id, token);
            }
        }
        table
    }
}

/// The words of a name, without what is around them.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).filter(|word| is_bare(word))
}

/// Whether a text can stand in a script without quotation marks.
pub(crate) fn is_bare(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(char::is_alphabetic)
        && letters.all(|c| c.is_alphanumeric() || c == '_' || c == '-' || c == '\'')
        && !["true", "false", "null"].contains(&text)
}
