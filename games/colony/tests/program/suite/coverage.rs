//! Coverage of random games: how often each command, event, refusal, ability, card and fate occurred.
#![allow(clippy::wildcard_enum_match_arm, reason = "it looks for the few kinds it counts in a special way")]

use std::{collections::BTreeMap, fmt};

use colony_rules::{
    Board, Command, Edition, Effect, Event, Game, Outcome, Phase, Refusal,
    scenario::{Ability, CardKind, Consequence},
};
use engine::{Cause, Message, Outbox, Rulebook};

/// How often each thing happened, by group and name.
#[derive(Default)]
pub(crate) struct Coverage {
    counts: BTreeMap<(&'static str, &'static str), u64>,
    pub(crate) inputs: u64,
}

/// The least number of times that everything must occur.
const LEAST: u64 = 100;

impl Coverage {
    /// Counts one input, with the board before it.
    pub(crate) fn count(
        &mut self,
        before: &Board,
        cause: &Cause<Command, <Game as Rulebook>::Timer>,
        outbox: &Outbox<Event, <Game as Rulebook>::Timer>,
    ) {
        self.inputs += 1;
        let refused = outbox.events().any(|(_, event)| Game::is_refusal(event));
        let aborted = outbox.events().any(|(_, event)| *event == Event::RegistrationAborted {});
        if let Cause::Command { command, .. } = cause
            && !outbox.emissions().is_empty()
        {
            self.add(if refused || aborted { "refused" } else { "accepted" }, command.kind().name);
            if !refused {
                self.count_passive(before, command);
            }
        }
        if let Cause::Timer { .. } = cause {
            let phase = match before.phase {
                Phase::Registration => "registration",
                Phase::Preparation { .. } => "preparation",
                _ if before.vote.is_some() => "vote",
                Phase::Turns { .. } | Phase::Colony => "turn",
                Phase::Over { .. } => "after the end",
            };
            self.add("timed out", phase);
        }
        for (_, event) in outbox.events() {
            self.add("event", event.kind().name);
            self.count_event(before, event);
        }
    }

    fn count_event(&mut self, board: &Board, event: &Event) {
        let setup = board.setup();
        if let Event::CommandFailed { refusal } = event {
            self.add("refusal", refusal.kind().name);
        }
        if let Event::AbilityUsed { character, .. } = event {
            let character = setup.character_ix(*character).expect("a known character");
            self.add("ability", setup.scenario.character(character).ability.key());
        }
        if let Event::CardUsed { card, .. } = event {
            self.add("card", board.card_kind(setup.card_ix(*card).expect("a known card")).key());
        }
        if let Event::Contributed { card, .. } = event {
            self.add("contributed", board.card_kind(setup.card_ix(*card).expect("a known card")).key());
        }
        if let Event::Moved { fuel: Some(true), .. } = event {
            self.add("card", "fuel");
        }
        if let Event::EffectUsed { effect: Effect::Equipment(card), .. } = event {
            self.add("equipment used", board.card_kind(setup.card_ix(*card).expect("a known card")).key());
        }
        if let Event::Crossroad { fate } = event {
            let fate = setup.scenario.fate(setup.fate_ix(*fate).expect("a known fate card"));
            self.add("trigger", fate.trigger.key());
            self.add("consequence", consequence(setup.scenario.consequence(fate.consequence)));
        }
    }

    /// Counts passive abilities and equipment when a character that has them does something that they affect.
    fn count_passive(&mut self, board: &Board, command: &Command) {
        let (character, about) = match *command {
            Command::Move { character, fuel: None | Some(false), .. } => (character, ["wound", "snow_boots"]),
            Command::Attack { character, .. } => (character, ["no_infection", "colt"]),
            Command::CleanWaste { character } => (character, ["trash", "swab"]),
            Command::Search { character } => (character, ["search", "blueprint"]),
            _ => return,
        };
        let Some(character) = board.setup().character_ix(character) else { return };
        let survivor = board.survivor(character);
        let ability = board.setup().scenario.character(character).ability;
        let works = match ability {
            Ability::Search { location, max_activations, .. } => {
                location == survivor.location && survivor.uses < max_activations
            }
            _ => true,
        };
        if ability.key() == about[0] && works {
            self.add("ability", about[0]);
        }
        if survivor.worn.iter().any(|worn| board.card_kind(worn.card) == CardKind::SnowBoots)
            && about[1] == "snow_boots"
        {
            self.add("equipment used", "snow_boots");
        }
    }

    pub(crate) fn count_end(&mut self, outcome: Outcome) {
        let name = match outcome {
            Outcome::Won => "won",
            Outcome::LostMorale => "no morale",
            Outcome::LostGoal => "no goal",
            Outcome::Abandoned => "abandoned",
            Outcome::Aborted => "aborted",
        };
        self.add("end", name);
    }

    fn add(&mut self, group: &'static str, name: &'static str) {
        *self.counts.entry((group, name)).or_default() += 1;
    }

    /// Checks that everything in an edition has occurred often enough, and that nothing else has occurred.
    pub(crate) fn assert_complete(&self, edition: Edition) {
        let group = edition == Edition::Group;
        let fate = edition == Edition::Fate;
        let only_fate = ["VoteNow", "VoteAsked", "VoteResult", "Crossroad", "NoVoteNow", "VoteFirst", "VotingNow"];
        let only_group = ["NoFuel", "DisposedAlready"];
        let in_edition = |name: &&str| (fate || !only_fate.contains(name)) && (group || !only_group.contains(name));

        let mut missing = Vec::new();
        let mut want = |kind: &'static str, names: Vec<&'static str>| {
            for name in names {
                let count = self.counts.get(&(kind, name)).copied().unwrap_or_default();
                if count < LEAST {
                    missing.push(format!("{kind} {name}: {count}"));
                }
            }
        };
        let names = |kinds: &[engine::Kind]| kinds.iter().map(|kind| kind.name).filter(in_edition).collect::<Vec<_>>();
        let commands = names(Command::KINDS);
        want("refused", commands.clone());
        let never = |name: &&str| *name == "WrongArguments" || *name == "Vote" && !fate;
        want("accepted", commands.into_iter().filter(|name| !never(name)).collect());
        want("event", names(Event::KINDS));
        want("refusal", names(Refusal::KINDS));
        want("ability", vec!["wound", "no_infection", "search", "trash", "heal", "feed", "barricade", "kill"]);
        want("end", vec!["won", "no morale", "no goal", "abandoned", "aborted"]);
        want("timed out", vec!["registration", "preparation", "turn"]);
        let mut cards = vec!["food", "stuff", "fuel", "medicine", "lock", "scissors"];
        let equipment = vec!["hammer", "colt", "snow_boots", "swab", "blueprint"];
        want("contributed", [cards.clone(), equipment.clone()].concat());
        if !group {
            cards.extend(&equipment);
            want("equipment used", equipment);
        }
        want("card", cards);
        if fate {
            want("timed out", vec!["vote"]);
            want("trigger", vec!["barricaded", "moved", "searched", "wasteChanged", "equip"]);
            want("consequence", vec!["changeFood", "changeMoral", "spawnSurvivors", "spawnZombies", "choice"]);
        }
        assert!(missing.is_empty(), "{edition}: fewer than {LEAST} of\n  {}", missing.join("\n  "));
        let strange = self.counts.keys().find(|(_, name)| !in_edition(name));
        assert_eq!(strange, None, "{edition} does not have this");
    }
}

fn consequence(consequence: Consequence) -> &'static str {
    match consequence {
        Consequence::ChangeFood(_) => "changeFood",
        Consequence::ChangeMoral(_) => "changeMoral",
        Consequence::SpawnSurvivors { .. } => "spawnSurvivors",
        Consequence::SpawnZombies { .. } => "spawnZombies",
        Consequence::Choice { .. } => "choice",
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut last = "";
        for ((group, name), count) in &self.counts {
            if *group != last {
                write!(f, "\n  {group}:")?;
                last = group;
            }
            write!(f, " {name} {count}")?;
        }
        Ok(())
    }
}
