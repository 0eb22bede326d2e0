//! Commands for random games: mostly plausible ones, and sometimes arbitrary ones.

#![allow(clippy::wildcard_enum_match_arm, reason = "most commands are left as they are")]

use colony::strategy;
use colony_rules::{
    Asked, CardId, CharacterId, Command, Entrance, Game, LocationId, Setup, Timer, View,
    scenario::{Ability, CardEffect},
};
use engine::{Cause, CommId, JavaRandom, Rulebook, Waiting, laws::Trial};

/// A client that sends commands but registers only by chance.
pub(crate) const STRANGER: CommId = CommId(99);

pub(crate) struct Chaos {
    random: JavaRandom,
    players: u32,
    setup: Setup,
}

impl Chaos {
    pub(crate) fn new(setup: &Setup, seed: i64) -> Self {
        let mut random = JavaRandom::new(!seed);
        let most = i32::from(setup.scenario.max_players);
        let players = 1 + random.next_below(most).max(random.next_below(most)) as u32;
        Self { random, players, setup: setup.clone() }
    }

    pub(crate) fn clients(&self) -> impl Iterator<Item = CommId> {
        (1..=self.players).map(CommId).chain([STRANGER])
    }

    /// The next input. After the end of the game, it is one that must have no effect.
    pub(crate) fn next(&mut self, trial: &Trial<Game>) -> Cause<Command, Timer> {
        let game = trial.game();
        // Votes are rare, so timers are more frequent during a vote.
        if self.one_in(if game.board().vote.is_some() { 30 } else { 400 }) {
            return Cause::Timer { timer: Timer::Deadline };
        }
        let anybody = self.anybody();
        let client = match game.waiting_for() {
            Waiting::One(awaited) if !self.one_in(12) => awaited,
            Waiting::One(_) | Waiting::Anyone | Waiting::GameOver => anybody,
        };
        let view = trial.view(client);
        let command = match game.waiting_for() {
            Waiting::Anyone if !self.one_in(60) => self.registration(game.board().players.len()),
            Waiting::One(awaited) if awaited == client && self.one_in(200) => Command::Leave {},
            Waiting::One(awaited) if awaited == client && !self.one_in(8) => {
                let command = self.plausible(view);
                if self.one_in(15) { self.slip(command) } else { command }
            }
            Waiting::One(_) | Waiting::Anyone | Waiting::GameOver => self.wild(),
        };
        Cause::Command { client, command }
    }

    fn registration(&mut self, registered: usize) -> Command {
        if registered > 0 && self.one_in(4) {
            return Command::StartGame {};
        }
        if self.one_in(20) { Command::StartGame {} } else { Command::Register { name: "Ana".into() } }
    }

    /// The command of a bot, or one that the bot rarely sends.
    fn plausible(&mut self, view: &View) -> Command {
        if view.asked == Asked::Act
            && self.one_in(3)
            && let Some(command) = self.eager(view)
        {
            return command;
        }
        let bot = strategy("random").expect("there is a random bot").bot;
        bot.decide(view, &mut self.random)
    }

    /// Uses abilities and cards whenever the location and the target are right.
    fn eager(&mut self, view: &View) -> Option<Command> {
        let board = &view.board;
        let scenario = &self.setup.scenario;
        let own = &view.me()?.survivors;
        let actor = *own.get(self.random.next_below(own.len().max(1) as i32) as usize)?;
        let character = scenario.character(actor).id;
        let place = board.survivor(actor).location;
        if place != scenario.colony && board.stack(place) < 3 {
            return Some(Command::Search { character });
        }
        let entrance = |wanted: fn(&colony_rules::EntranceState) -> bool| {
            board.entrances(place).iter().position(wanted).map(|at| at as i32)
        };
        let injured = board.survivors_at(place).find(|&other| board.survivor(other).injuries() > 0);
        let injured = injured.map(|other| scenario.character(other).id.0);
        if self.random.next_boolean() {
            return match scenario.character(actor).ability {
                Ability::Heal => Some(Command::UseAbility { character, target: Some(injured?) }),
                Ability::Feed { .. } => Some(Command::UseAbility { character, target: None }),
                Ability::Barricade { .. } => {
                    Some(Command::UseAbility { character, target: Some(entrance(|place| place.free() > 0)?) })
                }
                Ability::Kill { location, .. } | Ability::Search { location, .. } if location != place => {
                    Some(Command::Move { character, location: scenario.location(location).id, fuel: None })
                }
                Ability::Kill { .. } => {
                    Some(Command::UseAbility { character, target: Some(entrance(|place| place.zombies > 0)?) })
                }
                Ability::Search { .. } => Some(Command::Search { character }),
                Ability::NoInfection => {
                    Some(Command::Attack { character, entrance: Entrance(entrance(|place| place.zombies > 0)?) })
                }
                Ability::Trash { .. } => Some(Command::CleanWaste { character }),
                Ability::Wound { .. } => {
                    let location =
                        scenario.locations[self.random.next_below(scenario.locations.len() as i32) as usize].id;
                    Some(Command::Move { character, location, fuel: None })
                }
            };
        }
        let hand = &view.me()?.hand;
        let card = *hand.get(self.random.next_below(hand.len().max(1) as i32) as usize)?;
        let target = match board.card_kind(card).properties().effect {
            CardEffect::AddFood { .. } | CardEffect::Reroll => None,
            CardEffect::Heal => Some(injured?),
            CardEffect::Barricade => Some(entrance(|place| place.free() > 0)?),
            CardEffect::Kill => Some(entrance(|place| place.zombies > 0)?),
            CardEffect::Travel if self.setup.switches.fuel_by_move => {
                let location = scenario.locations[self.random.next_below(scenario.locations.len() as i32) as usize].id;
                return Some(Command::Move { character, location, fuel: Some(true) });
            }
            CardEffect::Travel => Some(scenario.locations[0].id.0),
            CardEffect::Equip => Some(character.0),
        };
        let card = scenario.card(card).id;
        Some(Command::UseCard { card, character: target.map(|_| character), target })
    }

    /// The same command with one mistake, as a beginner's bot might send it.
    fn slip(&mut self, command: Command) -> Command {
        let number = self.number();
        match command {
            Command::SelectCharacters { first, .. } => Command::SelectCharacters { first, second: first },
            Command::UseCard { card, character: Some(_), target: Some(_) } if self.one_in(2) => {
                Command::UseCard { card, character: None, target: None }
            }
            Command::UseCard { card, character: Some(character), target: Some(_) } => {
                Command::UseCard { card, character: Some(character), target: Some(number) }
            }
            Command::UseCard { card, .. } => {
                Command::UseCard { card, character: Some(CharacterId(number)), target: Some(0) }
            }
            Command::UseAbility { character, target: Some(_) } => Command::UseAbility { character, target: None },
            Command::UseAbility { character, target: None } => Command::UseAbility { character, target: Some(number) },
            other => other,
        }
    }

    /// Any command with any arguments.
    fn wild(&mut self) -> Command {
        let character = CharacterId(self.number());
        let card = CardId(self.number());
        let entrance = Entrance(self.number());
        let location = LocationId(self.number());
        let flag = self.random.next_boolean();
        let target = flag.then(|| self.number());
        match self.random.next_below(15) {
            0 => Command::Register { name: "\u{0}\u{1F9DF}".into() },
            1 => Command::StartGame {},
            2 => Command::SelectCharacters { first: character, second: CharacterId(self.number()) },
            3 => Command::Move { character, location, fuel: flag.then_some(true) },
            4 => Command::Attack { character, entrance },
            5 => Command::Barricade { character, entrance },
            6 => Command::Search { character },
            7 => Command::CleanWaste { character },
            8 => Command::ContributeCard { card },
            9 => Command::UseCard { card, character: self.random.next_boolean().then_some(character), target },
            10 => Command::UseAbility { character, target },
            11 => Command::EndTurn {},
            12 => Command::Leave {},
            13 => Command::Vote { answer: flag },
            _ => Command::WrongArguments { command: self.number() as u8, given: self.number() as u8 },
        }
    }

    /// A number that has a meaning in the scenario, or one that never has.
    fn number(&mut self) -> i32 {
        let scenario = &self.setup.scenario;
        let mut at = |count: usize| self.random.next_below(count as i32) as usize;
        match at(7) {
            0 => scenario.locations[at(scenario.locations.len())].id.0,
            1 => scenario.cards[at(scenario.cards.len())].id.0,
            2 => scenario.characters[at(scenario.characters.len())].id.0,
            3 => [i32::MIN, i32::MAX, -1, 255, 65_536][at(5)],
            _ => at(4) as i32,
        }
    }

    fn anybody(&mut self) -> CommId {
        let at = self.random.next_below(self.players.cast_signed() + 1).cast_unsigned();
        if at == self.players { STRANGER } else { CommId(at + 1) }
    }

    fn one_in(&mut self, count: i32) -> bool {
        self.random.next_below(count) == 0
    }
}
