//! Describes a game in words, with the names of its scenario.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
};

use crate::{
    board::Board,
    command::Command,
    edition::Edition,
    event::{Effect, Event, FoodChange, MoralChange},
    ids::{CardId, CharacterId, ConsequenceIx, CrisisId, FateId, LocationId, LocationIx, PlayerId},
    refusal::Refusal,
    scenario::{Ability, CardTarget, Consequence, CrisisKind, Fate, Trigger},
    setup::Setup,
    shown::stage,
};

pub(super) fn event(board: &Board, event: &Event) -> String {
    let names = Names(board);
    match event {
        Event::Config {} => "gets the scenario.".into(),
        Event::ActNow {} => "is asked for a command.".into(),
        Event::Characters { c0, c1, c2, c3 } => {
            let [c0, c1, c2, c3] = [c0, c1, c2, c3].map(|&character| names.character(character));
            format!("may choose two of {c0}, {c1}, {c2} and {c3}.")
        }
        Event::CommandFailed { refusal } => format!("is refused: {refusal}"),
        Event::VoteNow {} => "is asked for a vote.".into(),
        Event::RegistrationAborted {} => "Registration is broken off; there is no game.".into(),
        Event::GameStarted {} => "The game starts.".into(),
        Event::Player { player, name } => format!("{name} plays as player {player}."),
        Event::CharacterSpawned { player, character } => {
            format!("{} joins {} in the colony.", names.character(*character), names.player(*player))
        }
        Event::ChildSpawned {} => "A child comes into the colony.".into(),
        Event::CardDrawn { player, card } => format!("{} gets {}.", names.player(*player), names.card(*card)),
        Event::NextRound { .. } => format!("Round {} begins.", board.round.saturating_add(1)),
        Event::Crisis { crisis } => format!("The crisis of the round: {}.", names.crisis(*crisis)),
        Event::DieRolled { player, value } => format!("{} rolls a {value}.", names.player(*player)),
        Event::Moved { character, location, fuel } => {
            let how = if *fuel == Some(true) { " with fuel" } else { "" };
            format!("{} goes to {}{how}.", names.character(*character), names.location(*location))
        }
        Event::ZombieKilled { character, location, entrance } => {
            let (who, place) = (names.character(*character), names.location(*location));
            format!("{who} kills a zombie at entrance {entrance} of {place}.")
        }
        Event::Barricaded { character, location, entrance } => {
            let (who, place) = (names.character(*character), names.location(*location));
            format!("{who} builds a barricade at entrance {entrance} of {place}.")
        }
        Event::Searched { character, location } => {
            format!("{} searches {}.", names.character(*character), names.location(*location))
        }
        Event::WasteChanged { amount } if board.setup().switches.waste_as_total => format!("Waste: {amount} now."),
        Event::WasteChanged { amount } => format!("Waste: {amount:+}."),
        Event::Contributed { player, card } => {
            format!("{} gives {} to the crisis.", names.player(*player), names.card(*card))
        }
        Event::CardUsed { card, character, target } => card_used(names, *card, *character, *target),
        Event::AbilityUsed { character, target } => {
            let target = target.map(|target| names.ability_target(*character, target)).unwrap_or_default();
            format!("{} uses the ability{target}.", names.character(*character))
        }
        Event::FoodChanged { amount, reason } => {
            let why = match reason {
                FoodChange::FoodAdded => "",
                FoodChange::FoodConsumed => ": the colony eats",
                FoodChange::Crossroad => ": fate",
            };
            format!("Food: {amount:+}{why}.")
        }
        Event::MoralChanged { amount, reason } => {
            let why = match reason {
                MoralChange::CharacterDied => "a death",
                MoralChange::StarvationToken => "starvation",
                MoralChange::Waste => "waste",
                MoralChange::Crisis => "the crisis",
                MoralChange::Crossroad => "fate",
            };
            format!("Morale: {amount:+}: {why}.")
        }
        Event::Wounded { character } => format!("{} is wounded.", names.character(*character)),
        Event::Frostbitten { character } => format!("{} is frostbitten.", names.character(*character)),
        Event::Bitten { character: Some(character) } => format!("{} is bitten and dies.", names.character(*character)),
        Event::Bitten { character: None } => "A child is bitten and dies.".into(),
        Event::SurvivorKilled { character } => format!("{} dies.", names.character(*character)),
        Event::ChildKilled {} => "A child dies.".into(),
        Event::ColonyPhaseStarted {} => "The colony phase begins.".into(),
        Event::StarvationTokenAdded {} => "There is not enough to eat: a starvation token.".into(),
        Event::ZombieSpawned { location, entrance } => {
            format!("A zombie comes to entrance {entrance} of {}.", names.location(*location))
        }
        Event::BarricadeDestroyed { location, entrance } => {
            format!("A zombie tears down a barricade at entrance {entrance} of {}.", names.location(*location))
        }
        Event::Left { player } => format!("{} is out of the game.", names.player(*player)),
        Event::GameEnd { win: true } => "The game is won.".into(),
        Event::GameEnd { win: false } => "The game is lost.".into(),
        Event::Crossroad { fate } => format!("Fate: {}.", names.fate(*fate)),
        Event::VoteResult { answer: true } => "The vote: yes.".into(),
        Event::VoteResult { answer: false } => "The vote: no.".into(),
        Event::Registered { name, .. } => format!("{name} registers."),
        Event::ChoiceOffered { player } => format!("{} is to choose characters.", names.player(*player)),
        Event::TurnBegan { player } => format!("{} has the turn.", names.player(*player)),
        Event::TurnEnded { player } => format!("The turn of {} is over.", names.player(*player)),
        Event::DieSpent { player, value } => format!("{} spends a {value}.", names.player(*player)),
        Event::EffectUsed { character, effect } => {
            let what = match effect {
                Effect::Equipment(card) => names.card(*card),
                Effect::Ability => "the ability".to_owned(),
                Effect::Disposal => "the waste disposal of the round".to_owned(),
            };
            format!("{} uses {what}.", names.character(*character))
        }
        Event::VoteAsked { player } => format!("{} is to vote.", names.player(*player)),
    }
}

fn card_used(names: Names<'_>, card: CardId, character: Option<CharacterId>, target: Option<i32>) -> String {
    let what = names.card(card);
    match (character, target) {
        (Some(character), Some(target)) => {
            format!("{} uses {what}{}.", names.character(character), names.card_target(card, target))
        }
        (_, _) => format!("Played: {what}."),
    }
}

pub(super) fn command(board: &Board, command: &Command) -> String {
    let names = Names(board);
    match command {
        Command::Register { name } => format!("register as {name}"),
        Command::StartGame {} => "start the game".into(),
        Command::SelectCharacters { first, second } => {
            format!("choose {} and {}", names.character(*first), names.character(*second))
        }
        Command::Move { character, location, fuel } => {
            let how = if *fuel == Some(true) { " with fuel" } else { "" };
            format!("move {} to {}{how}", names.character(*character), names.location(*location))
        }
        Command::Attack { character, entrance } => {
            format!("attack with {} at entrance {entrance}", names.character(*character))
        }
        Command::Barricade { character, entrance } => {
            format!("barricade with {} at entrance {entrance}", names.character(*character))
        }
        Command::Search { character } => format!("search with {}", names.character(*character)),
        Command::CleanWaste { character } => format!("dispose of waste with {}", names.character(*character)),
        Command::ContributeCard { card } => format!("give {} to the crisis", names.card(*card)),
        Command::UseCard { card, character, target } => {
            let who = character.map(|character| format!(" with {}", names.character(character))).unwrap_or_default();
            let target = target.map(|target| names.card_target(*card, target)).unwrap_or_default();
            format!("play {}{who}{target}", names.card(*card))
        }
        Command::UseAbility { character, target } => {
            let target = target.map(|target| names.ability_target(*character, target)).unwrap_or_default();
            format!("use the ability of {}{target}", names.character(*character))
        }
        Command::EndTurn {} => "end the turn".into(),
        Command::Leave {} => "leave the game".into(),
        Command::Vote { answer: true } => "vote yes".into(),
        Command::Vote { answer: false } => "vote no".into(),
        Command::WrongArguments { given, .. } => format!("a command with a wrong number of arguments ({given})"),
    }
}

/// A refusal with names instead of numbers, for the refusals that a menu can show.
pub(super) fn refusal(board: &Board, refusal: &Refusal) -> String {
    let names = Names(board);
    #[expect(clippy::wildcard_enum_match_arm, reason = "the others have no names in them, or no menu leads to them")]
    match *refusal {
        Refusal::NotYourTurn { turn } => format!("It is the turn of {}.", names.player(turn)),
        Refusal::VotingNow { asked } => format!("{} is asked for a vote.", names.player(asked)),
        Refusal::StillChoosing { player } => format!("{} is to choose characters.", names.player(player)),
        Refusal::AlreadyThere { location } => format!("That is {}, where the character is.", names.location(location)),
        Refusal::LocationFull { location, places } => {
            format!("There is room for {places} at {}, and all places are taken.", names.location(location))
        }
        Refusal::AlreadyMoved { character } => format!("{} has moved this round.", names.character(character)),
        Refusal::StackEmpty { location } => format!("Nothing is left to find at {}.", names.location(location)),
        Refusal::NotInColony { character } => {
            format!("{} is not in the colony, where the waste is.", names.character(character))
        }
        Refusal::DisposedAlready { character } => {
            format!("Waste was disposed of this round; {} can do so again in the next.", names.character(character))
        }
        Refusal::NotInEdition { edition: Edition::Group } => {
            "The group edition plays fuel with a move, and no equipment.".into()
        }
        Refusal::NotWanted { wanted: CrisisKind::Stuff, .. } => {
            "The crisis asks for stuff; locks, scissors and equipment count.".into()
        }
        Refusal::NotWanted { wanted, .. } => format!("The crisis asks for {}.", wanted.key()),
        Refusal::NotInjured { target } => format!("{} has no injury.", names.character(target)),
        Refusal::AbilityIsPassive { character } => {
            format!("The ability of {} works by itself.", names.character(character))
        }
        Refusal::AbilityUsedUp { character, times } => {
            format!("The ability of {} is used up ({times} per round).", names.character(character))
        }
        Refusal::AbilityElsewhere { character, location } => {
            format!("The ability of {} works at {} only.", names.character(character), names.location(location))
        }
        Refusal::NoChildren { character } => {
            format!("The ability of {} works only while there are children.", names.character(character))
        }
        other => other.to_string(),
    }
}

/// The trigger and the consequence of a fate card, in words.
pub(super) fn fate(setup: &Setup, fate: &Fate) -> String {
    let at = |place: Option<LocationIx>| {
        place.map(|at| format!(" {}", setup.scenario.location(at).name)).unwrap_or_default()
    };
    let when = match fate.trigger {
        Trigger::Barricaded(place) => format!("when a barricade is built{}", prefixed(" at", &at(place))),
        Trigger::Moved(place) => format!("when a character moves{}", prefixed(" to", &at(place))),
        Trigger::Searched(place) => format!("when a character searches{}", at(place)),
        Trigger::WasteChanged(amount) => format!("when the waste of a turn has changed by {amount:+}"),
        Trigger::Equip => "when equipment is played".into(),
    };
    format!("{when}: {}", consequence(setup, fate.consequence))
}

fn prefixed(word: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{word}{text}") }
}

pub(super) fn consequence(setup: &Setup, consequence: ConsequenceIx) -> String {
    match setup.scenario.consequence(consequence) {
        Consequence::ChangeFood(amount) => format!("food {amount:+}"),
        Consequence::ChangeMoral(amount) => format!("morale {amount:+}"),
        Consequence::SpawnSurvivors { amount, children: false } => format!("{amount} new survivors"),
        Consequence::SpawnSurvivors { amount, children: true } => format!("{amount} new survivors and children"),
        Consequence::SpawnZombies { amount, location: Some(location) } => {
            format!("{amount} zombies at {}", setup.scenario.location(location).name)
        }
        Consequence::SpawnZombies { amount, location: None } => format!("{amount} zombies everywhere"),
        Consequence::Choice { first, second } => {
            format!(
                "a vote between yes ({}) and no ({})",
                self::consequence(setup, first),
                self::consequence(setup, second)
            )
        }
    }
}

/// Names for the identifiers in events. An unknown identifier is shown as a number, because a log may come from another server.
#[derive(Clone, Copy)]
struct Names<'b>(&'b Board);

impl Names<'_> {
    fn player(self, player: PlayerId) -> String {
        let known = self.0.players.get(player.at());
        known.map_or_else(|| format!("player {player}"), |player| player.name.to_string())
    }

    fn character(self, id: CharacterId) -> String {
        let setup = self.0.setup();
        setup
            .character_ix(id)
            .map_or_else(|| format!("character {id}"), |at| setup.scenario.character(at).name.to_string())
    }

    fn location(self, id: LocationId) -> String {
        let setup = self.0.setup();
        let known = setup.location_ix(id);
        known.map_or_else(
            || format!("location {id}"),
            |at| {
                if at == setup.scenario.colony {
                    "the colony".to_owned()
                } else {
                    setup.scenario.location(at).name.to_string()
                }
            },
        )
    }

    fn card(self, id: CardId) -> String {
        let setup = self.0.setup();
        let known = setup.card_ix(id).map(|at| setup.scenario.card(at).kind);
        known.map_or_else(|| format!("card {id}"), |kind| stage::card_name(&setup.scenario, kind))
    }

    fn crisis(self, id: CrisisId) -> String {
        let setup = self.0.setup();
        let Some(at) = setup.crisis_ix(id) else { return format!("crisis {id}") };
        let crisis = setup.scenario.crisis(at);
        format!(
            "{} cards of {}, or morale {:+}",
            crisis.required_cards,
            crisis.kind.key(),
            -i64::from(crisis.moral_change)
        )
    }

    fn fate(self, id: FateId) -> String {
        let setup = self.0.setup();
        setup.fate_ix(id).map_or_else(|| format!("fate card {id}"), |at| fate(setup, setup.scenario.fate(at)))
    }

    /// The target of a card, in words.
    fn card_target(self, card: CardId, target: i32) -> String {
        let setup = self.0.setup();
        match setup.card_ix(card).and_then(|at| setup.scenario.card(at).kind.target()) {
            Some(CardTarget::Entrance) => format!(" at entrance {target}"),
            Some(CardTarget::Location) => format!(" to go to {}", self.location(LocationId(target))),
            Some(CardTarget::Character) => format!(" on {}", self.character(CharacterId(target))),
            None => format!(" on {target}"),
        }
    }

    /// The target of an ability, in words.
    fn ability_target(self, character: CharacterId, target: i32) -> String {
        let setup = self.0.setup();
        match setup.character_ix(character).map(|at| setup.scenario.character(at).ability) {
            Some(Ability::Heal) => format!(" on {}", self.character(CharacterId(target))),
            Some(Ability::Barricade { .. } | Ability::Kill { .. }) => format!(" at entrance {target}"),
            Some(
                Ability::Wound { .. }
                | Ability::NoInfection
                | Ability::Search { .. }
                | Ability::Trash { .. }
                | Ability::Feed { .. },
            )
            | None => format!(" on {target}"),
        }
    }
}
