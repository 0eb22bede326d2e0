//! Colony in scripts: its names, its positional messages, and its editions.

use colony_rules::{
    Command, EditionChoice, Event, Game, Scenario, Setup,
    scenario::{self, Ability, CardKind, CardTarget},
};
use engine::{ArgumentError, Kind, Message, arguments};
use script::{Call, EventWords, GameError, Names, ScriptAdapter, SeatEvents, Wanted, Wishes};
use serde_json::Value;

use crate::Colony;

/// The kind of a command with a wrong number of arguments. Scripts cannot send it by its name.
const WRONG_ARGUMENTS: &str = "WrongArguments";

/// The first event that only boards receive. The published protocol does not have it or any later event.
const FIRST_OF_BOARD: &str = "Registered";

pub(crate) const CHARACTER: &str = "character";
pub(crate) const LOCATION: &str = "location";
pub(crate) const CARD: &str = "card";

impl ScriptAdapter for Colony {
    type Rules = Game;

    const NAMED: bool = false;
    const EDITIONS: &'static [&'static str] = &["group", "equipment", "fate"];
    const NAMING: Option<&'static str> = Some("Register");
    const SEATS: Option<SeatEvents> = Some(SeatEvents { joined: "Config", left: "Left", player: "PlayerId" });
    const WORDED: &'static [(&'static str, EventWords)] =
        &[("Config", EventWords::Scenario), ("CommandFailed", EventWords::Own)];
    const WORD_TYPES: Option<&'static [&'static str]> = Some(&["FoodChange", "MoralChange"]);

    fn commands() -> &'static [Kind] {
        before(Command::KINDS, WRONG_ARGUMENTS)
    }

    fn events() -> &'static [Kind] {
        before(Event::KINDS, FIRST_OF_BOARD)
    }

    fn setup(wanted: &Wanted<'_>) -> Result<Setup, GameError> {
        let EditionChoice(edition) = match wanted.edition {
            Some(edition) => edition.parse().map_err(|error| format!("edition {edition:?}: {error}"))?,
            None => EditionChoice::default(),
        };
        Ok(Setup::new(wanted.scenario, edition, wanted.timeout_ms)?)
    }

    fn scenario(setup: &Setup) -> String {
        (*setup.text).into()
    }

    fn timeout_ms(setup: &Setup) -> Option<u64> {
        setup.timeout_ms
    }

    fn built_in(name: &str) -> Option<&'static str> {
        crate::scenario(name)
    }

    fn scenario_names() -> Vec<&'static str> {
        crate::scenario_names().collect()
    }

    fn names(text: &str) -> Names {
        scenario::read(text).map_or_else(|_| Names::default(), |scenario| names(&scenario))
    }

    fn command(name: &str, arguments: &[Value]) -> Result<Command, ArgumentError> {
        Command::from_arguments(name, arguments)
    }

    fn call(command: &Command) -> Call {
        if let Command::WrongArguments { command, given } = command
            && let Some(kind) = Command::KINDS.get(usize::from(*command))
        {
            // The log does not have the arguments, and only their number matters.
            return Call { name: kind.name.into(), arguments: vec![Value::Null; usize::from(*given)] };
        }
        Call { name: command.kind().name.into(), arguments: arguments(command) }
    }

    fn words(event: &Event) -> String {
        if let Event::CommandFailed { refusal } = event { refusal.to_string() } else { String::new() }
    }

    fn wishes() -> Option<&'static dyn Wishes> {
        super::wishes()
    }
}

fn before(kinds: &'static [Kind], beyond: &str) -> &'static [Kind] {
    let end = kinds.iter().position(|kind| kind.name == beyond).unwrap_or(kinds.len());
    &kinds[..end]
}

/// The names of a scenario's items in scripts. Characters and locations have their own names. Cards, crises and fate cards are
/// named by kind and identifier: `food101`, `moved7`.
pub(crate) fn names(scenario: &Scenario) -> Names {
    let names = Names::default()
        .named(CHARACTER, "CharacterId", scenario.characters.iter().map(|each| (each.id.0, &*each.name)))
        .named(LOCATION, "LocationId", scenario.locations.iter().map(|each| (each.id.0, &*each.name)))
        .numbered(CARD, "CardId", scenario.cards.iter().map(|card| (card.id.0, card.kind.key())))
        .numbered("crisis", "CrisisId", scenario.crises.iter().map(|crisis| (crisis.id.0, crisis.kind.key())))
        .numbered("fate card", "FateId", scenario.fates.iter().flatten().map(|fate| (fate.id.0, fate.trigger.key())));
    let cards = scenario.cards.iter().filter_map(|card| Some((CARD, card.id.0, card_target(card.kind)?)));
    let healers = scenario.characters.iter().filter(|character| character.ability == Ability::Heal);
    let healers = healers.map(|character| (CHARACTER, character.id.0, CHARACTER));
    cards.chain(healers).fold(names, |names, (of, thing, noun)| names.target("target", of, thing, noun))
}

/// The noun for the target of a card; `None` if the card has no target or its target is a plain number.
fn card_target(card: CardKind) -> Option<&'static str> {
    match card.target()? {
        CardTarget::Location => Some(LOCATION),
        CardTarget::Character => Some(CHARACTER),
        CardTarget::Entrance => None,
    }
}
