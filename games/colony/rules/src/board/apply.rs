//! Applies events to the board.

use alloc::{vec, vec::Vec};

use super::{Board, EntranceState, Life, Outcome, Phase, Player, Survivor, Worn};
use crate::{
    dice::Dice,
    event::{Effect, Event},
    ids::{CardIx, CharacterId, CharacterIx, ConsequenceIx, LocationId, LocationIx, PlayerId},
    scenario::{Ability, CardEffect, Consequence, PLACES},
    setup::Setup,
};

impl Board {
    /// The board before the first event.
    pub(crate) fn new(setup: &Setup) -> Self {
        let scenario = &setup.scenario;
        let goal = &scenario.goal;
        let mut entrances = vec![EntranceState::default(); setup.first_entrance[scenario.locations.len()]];
        for (at, location) in scenario.locations.iter().enumerate() {
            let zombies = if scenario.colony.at() == at { goal.zombies_colony } else { goal.zombies_locations };
            for zombie in 0..zombies as usize {
                entrances[setup.first_entrance[at] + zombie % usize::from(location.entrances)].zombies += 1;
            }
        }
        let unused = Survivor {
            life: Life::Unused,
            owner: PlayerId(0),
            location: scenario.colony,
            wounds: 0,
            frostbites: 0,
            moved: false,
            uses: 0,
            worn: Vec::new(),
        };
        Self {
            phase: Phase::Registration,
            round: 0,
            morale: goal.moral.into(),
            food: 0,
            starvation_tokens: 0,
            waste: 0,
            children: goal.children_in_colony,
            crisis: None,
            contributed: 0,
            entrances,
            stacks: scenario.locations.iter().map(|location| location.cards.len() as u16).collect(),
            crowds: vec![0; scenario.locations.len()],
            survivors: vec![unused; scenario.characters.len()],
            players: Vec::new(),
            vote: None,
            crossroad: None,
            choice: None,
            setup: setup.clone(),
        }
    }

    /// Applies an event. It never fails: the impossible parts of an event from a faulty server have no effect.
    #[expect(clippy::too_many_lines, reason = "a table: one arm for each event")]
    pub(crate) fn apply(&mut self, event: &Event) {
        match *event {
            Event::Registered { ref name, .. } => self.players.push(Player {
                name: name.clone(),
                present: true,
                survivors: Vec::new(),
                hand: Vec::new(),
                dice: Dice::default(),
                disposed: false,
            }),
            Event::RegistrationAborted {} => self.end(Outcome::Aborted),
            Event::GameStarted {} => self.phase = Phase::Preparation { player: None },
            Event::ChoiceOffered { player } => self.phase = Phase::Preparation { player: Some(player) },
            Event::CharacterSpawned { player, character } => self.spawn(player, character),
            Event::CardDrawn { player, card } => {
                let Some(card) = self.setup.card_ix(card) else { return };
                if let Some(home) = self.setup.scenario.card(card).home {
                    let stack = &mut self.stacks[home.at()];
                    *stack = stack.saturating_sub(1);
                }
                if let Some(player) = self.players.get_mut(player.at()) {
                    player.hand.push(card);
                }
            }

            Event::NextRound { .. } => {
                self.round = self.round.saturating_add(1);
                self.phase = Phase::Turns { player: None };
                // The remaining start cards can no longer be drawn.
                self.stacks[self.setup.scenario.colony.at()] = 0;
            }
            Event::Crisis { crisis } => {
                self.crisis = self.setup.crisis_ix(crisis);
                self.contributed = 0;
            }
            Event::DieRolled { player, value } => {
                if let Some(player) = self.players.get_mut(player.at()) {
                    player.dice.add(value);
                }
            }
            Event::DieSpent { player, value } => {
                if let Some(player) = self.players.get_mut(player.at()) {
                    player.dice.remove(value);
                }
            }
            Event::TurnBegan { player } => self.phase = Phase::Turns { player: Some(player) },
            Event::TurnEnded { player } => self.end_turn(player),
            Event::ColonyPhaseStarted {} => self.phase = Phase::Colony,

            Event::Moved { character, location, fuel } => {
                if fuel == Some(true)
                    && let Some(character) = self.setup.character_ix(character)
                {
                    let owner = self.survivor(character).owner;
                    if owner.at() < self.players.len()
                        && let Some(fuel) = self.fuel(owner)
                    {
                        self.players[owner.at()].hand.retain(|&card| card != fuel);
                    }
                }
                self.relocate(character, location);
            }
            Event::ZombieKilled { location, entrance, .. } => {
                self.at_entrance(location, entrance.0, |place| place.zombies = place.zombies.saturating_sub(1));
            }
            Event::ZombieSpawned { location, entrance } => {
                self.at_entrance(location, entrance.0, |place| place.zombies += place.free().min(1));
            }
            Event::Barricaded { location, entrance, .. } => {
                self.at_entrance(location, entrance.0, |place| place.barricades += place.free().min(1));
            }
            Event::BarricadeDestroyed { location, entrance } => {
                self.at_entrance(location, entrance.0, |place| place.barricades = place.barricades.saturating_sub(1));
            }
            Event::WasteChanged { amount } => {
                let before = if self.setup.switches.waste_as_total { 0 } else { i64::from(self.waste) };
                self.waste = u32::try_from(before + i64::from(amount)).unwrap_or_default();
            }
            Event::Contributed { player, card } => {
                self.contributed = self.contributed.saturating_add(1);
                if let Some(card) = self.setup.card_ix(card)
                    && let Some(player) = self.players.get_mut(player.at())
                {
                    player.hand.retain(|&held| held != card);
                }
            }
            Event::CardUsed { card, character, target } => {
                if let Some(card) = self.setup.card_ix(card) {
                    self.use_card(card, character, target);
                }
            }
            Event::AbilityUsed { character, target } => {
                if let Some(character) = self.setup.character_ix(character) {
                    self.use_ability(character, target);
                }
            }
            Event::EffectUsed { character, effect } => {
                if let Some(character) = self.setup.character_ix(character) {
                    self.use_effect(character, effect);
                }
            }

            Event::FoodChanged { amount, .. } => self.food = self.food.saturating_add(amount.into()),
            Event::MoralChanged { amount, .. } => self.morale = self.morale.saturating_add(amount.into()),
            Event::StarvationTokenAdded {} => self.starvation_tokens = self.starvation_tokens.saturating_add(1),
            Event::ChildSpawned {} => self.children = self.children.saturating_add(1),
            Event::ChildKilled {} | Event::Bitten { character: None } => {
                self.children = self.children.saturating_sub(1)
            }
            Event::Wounded { character } => {
                self.at_survivor(character, |survivor| survivor.wounds = survivor.wounds.saturating_add(1));
            }
            Event::Frostbitten { character } => {
                self.at_survivor(character, |survivor| survivor.frostbites = survivor.frostbites.saturating_add(1));
            }
            Event::SurvivorKilled { character } | Event::Bitten { character: Some(character) } => self.bury(character),

            Event::Crossroad { fate } => {
                self.crossroad = self.setup.fate_ix(fate);
                self.choose(self.crossroad.map(|fate| self.setup.scenario.fate(fate).consequence));
            }
            Event::VoteAsked { player } => self.vote = Some(player),
            Event::VoteResult { answer } => {
                self.vote = None;
                let decided = self.choice.map(|choice| self.setup.scenario.consequence(choice));
                if let Some(Consequence::Choice { first, second }) = decided {
                    self.choose(Some(if answer { first } else { second }));
                }
            }
            Event::Left { player } => {
                if let Some(player) = self.players.get_mut(player.at()) {
                    player.present = false;
                    player.hand.clear();
                    player.dice = Dice::default();
                }
                if self.first_present().is_none() {
                    self.end(Outcome::Abandoned);
                }
            }
            Event::GameEnd { win: true } => self.end(Outcome::Won),
            Event::GameEnd { win: false } => {
                self.end(if self.morale <= 0 { Outcome::LostMorale } else { Outcome::LostGoal });
            }

            // These events are for one client only, or change nothing on the board.
            Event::Config {}
            | Event::ActNow {}
            | Event::Characters { .. }
            | Event::CommandFailed { .. }
            | Event::VoteNow {}
            | Event::Player { .. }
            | Event::Searched { .. } => {}
        }
    }
}

/// Helpers for the arms of `apply`.
impl Board {
    fn end(&mut self, outcome: Outcome) {
        self.phase = Phase::Over { outcome };
        self.vote = None;
        self.choice = None;
    }

    /// Stores the consequence if it is a choice.
    fn choose(&mut self, consequence: Option<ConsequenceIx>) {
        let is_choice = |&at: &ConsequenceIx| matches!(self.setup.scenario.consequence(at), Consequence::Choice { .. });
        self.choice = consequence.filter(is_choice);
    }

    fn spawn(&mut self, player: PlayerId, character: CharacterId) {
        let Some(character) = self.setup.character_ix(character) else { return };
        let survivor = &mut self.survivors[character.at()];
        let Some(owner) = self.players.get_mut(player.at()) else { return };
        if survivor.life != Life::Unused {
            return;
        }
        survivor.life = Life::Alive;
        survivor.owner = player;
        survivor.location = self.setup.scenario.colony;
        owner.survivors.push(character);
        self.crowds[survivor.location.at()] += 1;
    }

    fn bury(&mut self, character: CharacterId) {
        let Some(character) = self.setup.character_ix(character) else { return };
        let survivor = &mut self.survivors[character.at()];
        if survivor.life != Life::Alive {
            return;
        }
        survivor.life = Life::Dead;
        survivor.worn.clear();
        self.crowds[survivor.location.at()] -= 1;
        let owner = &mut self.players[survivor.owner.at()];
        owner.survivors.retain(|&own| own != character);
        if owner.survivors.is_empty() {
            owner.hand.clear();
        }
    }

    fn end_turn(&mut self, player: PlayerId) {
        self.phase = Phase::Turns { player: None };
        let Some(player) = self.players.get_mut(player.at()) else { return };
        player.dice = Dice::default();
        player.disposed = false;
        for own in &player.survivors {
            let survivor = &mut self.survivors[own.at()];
            survivor.moved = false;
            survivor.uses = 0;
            survivor.worn.iter_mut().for_each(|worn| worn.used = false);
        }
    }

    fn relocate(&mut self, character: CharacterId, location: LocationId) {
        let Some(location) = self.setup.location_ix(location) else { return };
        let Some(character) = self.setup.character_ix(character) else { return };
        let survivor = &mut self.survivors[character.at()];
        if survivor.life != Life::Alive {
            return;
        }
        self.crowds[survivor.location.at()] -= 1;
        self.crowds[location.at()] += 1;
        survivor.location = location;
        survivor.moved = true;
    }

    fn use_card(&mut self, card: CardIx, character: Option<CharacterId>, target: Option<i32>) {
        let effect = self.card_kind(card).properties().effect;
        if let Some(player) = self.players.iter_mut().find(|player| player.hand.contains(&card)) {
            player.hand.retain(|&held| held != card);
            // The new roll arrives as `DieRolled`, so only the old die is removed here.
            if effect == CardEffect::Reroll
                && let Some(lowest) = player.dice.lowest()
            {
                player.dice.remove(lowest);
            }
        }
        let (Some(character), Some(target)) = (character, target) else { return };
        match effect {
            CardEffect::Heal => self.heal(CharacterId(target)),
            CardEffect::Barricade => {
                self.at_own_entrance(character, target, |place| place.barricades += place.free().min(1))
            }
            CardEffect::Travel => self.relocate(character, LocationId(target)),
            CardEffect::Equip => {
                self.at_survivor(CharacterId(target), |wearer| wearer.worn.push(Worn { card, used: false }));
            }
            CardEffect::AddFood { .. } | CardEffect::Reroll | CardEffect::Kill => {}
        }
    }

    fn use_ability(&mut self, character: CharacterIx, target: Option<i32>) {
        self.count_use(character);
        let id = self.setup.scenario.character(character).id;
        match (self.setup.scenario.character(character).ability, target) {
            (Ability::Feed { num_food }, _) => self.food = self.food.saturating_add(num_food.into()),
            (Ability::Heal, Some(target)) => self.heal(CharacterId(target)),
            (Ability::Barricade { num_barricades, .. }, Some(target)) => {
                self.at_own_entrance(id, target, |place| {
                    place.barricades += place.free().min(num_barricades.try_into().unwrap_or(PLACES));
                });
            }
            (Ability::Heal | Ability::Barricade { .. } | Ability::Kill { .. }, _) => {}
            (Ability::Wound { .. } | Ability::NoInfection | Ability::Search { .. } | Ability::Trash { .. }, _) => {}
        }
    }

    fn use_effect(&mut self, character: CharacterIx, effect: Effect) {
        match effect {
            Effect::Ability => self.count_use(character),
            Effect::Equipment(card) => {
                let card = self.setup.card_ix(card);
                let worn = self.survivors[character.at()].worn.iter_mut().find(|worn| Some(worn.card) == card);
                worn.into_iter().for_each(|worn| worn.used = true);
            }
            Effect::Disposal => {
                let owner = self.survivor(character).owner;
                self.players.get_mut(owner.at()).into_iter().for_each(|player| player.disposed = true);
            }
        }
    }

    fn count_use(&mut self, character: CharacterIx) {
        let uses = &mut self.survivors[character.at()].uses;
        *uses = uses.saturating_add(1);
    }

    /// Heals one injury. A frostbite is healed before a wound.
    fn heal(&mut self, character: CharacterId) {
        self.at_survivor(character, |survivor| {
            let injury = if survivor.frostbites > 0 { &mut survivor.frostbites } else { &mut survivor.wounds };
            *injury = injury.saturating_sub(1);
        });
    }

    fn at_survivor(&mut self, character: CharacterId, change: impl FnOnce(&mut Survivor)) {
        if let Some(character) = self.setup.character_ix(character) {
            change(&mut self.survivors[character.at()]);
        }
    }

    fn at_own_entrance(&mut self, character: CharacterId, entrance: i32, change: impl FnOnce(&mut EntranceState)) {
        if let Some(character) = self.setup.character_ix(character) {
            self.change_entrance(self.survivor(character).location, entrance, change);
        }
    }

    fn at_entrance(&mut self, location: LocationId, entrance: i32, change: impl FnOnce(&mut EntranceState)) {
        if let Some(location) = self.setup.location_ix(location) {
            self.change_entrance(location, entrance, change);
        }
    }

    fn change_entrance(&mut self, location: LocationIx, entrance: i32, change: impl FnOnce(&mut EntranceState)) {
        let range = self.setup.first_entrance[location.at()]..self.setup.first_entrance[location.at() + 1];
        if let Ok(entrance) = usize::try_from(entrance)
            && let Some(place) = self.entrances[range].get_mut(entrance)
        {
            change(place);
        }
    }
}
