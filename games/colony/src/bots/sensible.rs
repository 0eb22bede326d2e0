//! The strategy `sensible`: feeds, heals, barricades, contributes to the crisis, and searches where it is worthwhile.
//!
//! The bot tries a list of ideas in the order of a good player's priorities, and takes the first one that is possible now. Each
//! idea checks the rules itself: a refused command changes nothing, so the bot would repeat it endlessly.

use colony_rules::{
    Asked, Board, CardIx, CharacterId, CharacterIx, Command, Entrance, EntranceState, LocationIx, PlayerId, Survivor,
    View,
    scenario::{Ability, CardKind, Consequence, Crisis, Injury, Scenario},
};
use engine::JavaRandom;

/// A command for a turn, if it is possible and makes sense now.
type Idea = fn(&SeatView<'_>) -> Option<Command>;

/// All ideas, the most urgent first.
const IDEAS: &[Idea] = &[
    |seat| seat.feed(),
    |seat| seat.play_food(),
    |seat| seat.heal(),
    |seat| seat.answer_crisis(),
    |seat| seat.put_on(),
    |seat| seat.kill_safely(),
    |seat| seat.clean(),
    |seat| seat.search(),
    |seat| seat.fortify(),
    |seat| seat.fight(),
    |seat| seat.go_out(),
    |seat| seat.take_medicine(),
    |seat| seat.reroll(),
];

pub(crate) fn decide(view: &View, _: &mut JavaRandom) -> Command {
    let Some(player) = view.player else { return Command::EndTurn {} };
    answer(&view.board, player, view.asked)
}

/// The answer of a player.
pub(crate) fn answer(board: &Board, player: PlayerId, asked: Asked) -> Command {
    let seat = SeatView::new(board, player);
    match asked {
        Asked::Characters(offered) => seat.choose(offered),
        Asked::Vote => Command::Vote { answer: seat.vote() },
        Asked::Act => seat.ideas().next().unwrap_or(Command::EndTurn {}),
        Asked::Nothing => Command::EndTurn {},
    }
}

/// All commands that make sense in a turn, the most urgent first.
pub(crate) fn ideas(board: &Board, player: PlayerId) -> Vec<Command> {
    SeatView::new(board, player).ideas().collect()
}

/// The board from the seat of one player.
struct SeatView<'v> {
    board: &'v Board,
    scenario: &'v Scenario,
    player: PlayerId,
    me: &'v colony_rules::Player,
}

impl<'v> SeatView<'v> {
    fn new(board: &'v Board, player: PlayerId) -> Self {
        Self { board, scenario: &board.setup().scenario, player, me: board.player(player) }
    }

    fn ideas(&self) -> impl Iterator<Item = Command> {
        IDEAS.iter().filter_map(|idea| idea(self))
    }

    /// Takes the two characters that help most.
    fn choose(&self, offered: [CharacterId; 4]) -> Command {
        let worth = |id: &CharacterId| {
            let Some(character) = self.board.setup().character_ix(*id) else { return 0 };
            let character = self.scenario.character(character);
            let ability = match character.ability {
                Ability::Feed { num_food } => 10 + num_food.min(10),
                Ability::Barricade { .. } => 10,
                Ability::Kill { .. } => 8,
                Ability::NoInfection => 7,
                Ability::Heal | Ability::Search { .. } => 6,
                Ability::Wound { before, after } => {
                    if before == Injury::Bite && after != Injury::Bite {
                        7
                    } else {
                        2
                    }
                }
                Ability::Trash { .. } => 3,
            };
            ability * 2 - i32::from(character.attack) - i32::from(character.search)
        };
        let mut best = offered;
        best.sort_by_key(|id| core::cmp::Reverse(worth(id)));
        Command::SelectCharacters { first: best[0], second: best[1] }
    }

    /// Votes for the consequence that looks better.
    fn vote(&self) -> bool {
        let choice = self.board.choice.map(|choice| self.scenario.consequence(choice));
        let Some(Consequence::Choice { first, second }) = choice else { return true };
        self.harm(self.scenario.consequence(first)) <= self.harm(self.scenario.consequence(second))
    }

    fn harm(&self, consequence: Consequence) -> i64 {
        match consequence {
            Consequence::ChangeFood(amount) if self.board.food + i64::from(amount) < 0 => 6,
            Consequence::ChangeFood(amount) => -i64::from(amount),
            Consequence::ChangeMoral(amount) => -3 * i64::from(amount),
            Consequence::SpawnSurvivors { amount, children: true } => 2 * i64::from(amount),
            Consequence::SpawnSurvivors { children: false, .. } => -2,
            Consequence::SpawnZombies { amount, location: Some(_) } => amount.into(),
            Consequence::SpawnZombies { amount, location: None } => 3 * i64::from(amount),
            Consequence::Choice { first, second } => {
                self.harm(self.scenario.consequence(first)).min(self.harm(self.scenario.consequence(second)))
            }
        }
    }

    fn feed(&self) -> Option<Command> {
        let cook = self
            .me
            .survivors
            .iter()
            .copied()
            .find(|&own| matches!(self.ability(own), Ability::Feed { .. }) && self.survivor(own).uses == 0)?;
        Some(Command::UseAbility { character: self.id(cook), target: None })
    }

    /// Plays food while the stock is smaller than the colony's need.
    fn play_food(&self) -> Option<Command> {
        if self.board.food >= i64::from(self.board.mouths()) {
            return None;
        }
        let food = self.held(|kind| matches!(kind, CardKind::Food { .. }))?;
        Some(self.play(food, None))
    }

    fn heal(&self) -> Option<Command> {
        let (healer, patient) = self.me.survivors.iter().copied().find_map(|own| {
            let able = self.ability(own) == Ability::Heal && self.survivor(own).uses == 0;
            able.then(|| Some((own, self.worst_injured(own)?)))?
        })?;
        Some(Command::UseAbility { character: self.id(healer), target: Some(self.id(patient).0) })
    }

    /// Gives medicine to a character that is close to death or has a frostbite.
    fn take_medicine(&self) -> Option<Command> {
        let medicine = self.spare(|kind| kind == CardKind::Medicine)?;
        let (nurse, patient) = self.me.survivors.iter().copied().find_map(|own| {
            let patient = self.worst_injured(own)?;
            let bad = self.survivor(patient).injuries() >= 2 || self.survivor(patient).frostbites > 0;
            bad.then_some((own, patient))
        })?;
        Some(self.play(medicine, Some((nurse, self.id(patient).0))))
    }

    /// Gives a card to the crisis if the other players can add the rest, but never more cards than necessary.
    fn answer_crisis(&self) -> Option<Command> {
        let crisis = self.crisis()?;
        if self.board.contributed >= crisis.required_cards || !self.crisis_in_reach(crisis) {
            return None;
        }
        let card = self.held(|kind| kind.counts_as() == crisis.kind && !kind.is_equipment());
        let card = card.or_else(|| self.held(|kind| kind.counts_as() == crisis.kind))?;
        Some(Command::ContributeCard { card: self.scenario.card(card).id })
    }

    fn crisis_in_reach(&self, crisis: &Crisis) -> bool {
        let to_come = self.board.present().filter(|&player| player >= self.player);
        let helpful = |card: &&CardIx| self.board.card_kind(**card).counts_as() == crisis.kind;
        let held: usize = to_come.map(|player| self.board.player(player).hand.iter().filter(helpful).count()).sum();
        self.board.contributed as usize + held >= crisis.required_cards as usize
    }

    /// Gives equipment to one of the player's own characters.
    fn put_on(&self) -> Option<Command> {
        if !self.board.setup().switches.equipment {
            return None;
        }
        let card = self.spare(CardKind::is_equipment)?;
        let drawn = |place| matches!(self.board.card_kind(card), CardKind::Blueprint { location } if location == place);
        let wearer = self.me.survivors.iter().copied().min_by_key(|&own| {
            let survivor = self.survivor(own);
            (!drawn(survivor.location), survivor.worn.len())
        })?;
        Some(self.play(card, Some((wearer, self.id(wearer).0))))
    }

    /// Kills zombies in cases without an infection die.
    fn kill_safely(&self) -> Option<Command> {
        self.me.survivors.iter().copied().find_map(|own| {
            let place = self.survivor(own).location;
            let crowded = self.entrance(place, |entrance| entrance.zombies >= 2)?;
            let character = self.id(own);
            if let Ability::Kill { location, die_value, max_activations, infection_die, children, .. } =
                self.ability(own)
                && location == place
                && !infection_die
                && self.survivor(own).uses < max_activations
                && (!children || self.board.children > 0)
                && self.me.dice.smallest_from(die_value).is_some()
            {
                return Some(Command::UseAbility { character, target: Some(crowded.0) });
            }
            if let Some(scissors) = self.spare(|kind| kind == CardKind::Scissors) {
                return Some(self.play(scissors, Some((own, crowded.0))));
            }
            let attack = self.scenario.character(own).attack;
            let safe =
                self.ability(own) == Ability::NoInfection || self.wears_unused(own, |kind| kind == CardKind::Colt);
            let able = safe && self.me.dice.smallest_from(attack).is_some();
            able.then_some(Command::Attack { character, entrance: crowded })
        })
    }

    /// Disposes of waste before it costs morale.
    fn clean(&self) -> Option<Command> {
        self.me.dice.lowest()?;
        let limited = self.board.setup().switches.disposal_limited;
        let cleaner = self.me.survivors.iter().copied().find(|&own| {
            let survivor = self.survivor(own);
            let trash = matches!(self.ability(own), Ability::Trash { .. });
            let used = if trash { survivor.uses > 0 } else { self.me.disposed };
            let free = !limited && (trash || self.wears_unused(own, |kind| kind == CardKind::Swab));
            survivor.location == self.scenario.colony
                && !(limited && used)
                && self.board.waste >= if free { 3 } else { 9 }
        })?;
        Some(Command::CleanWaste { character: self.id(cleaner) })
    }

    /// Searches with every character whose location has cards left.
    fn search(&self) -> Option<Command> {
        let searcher = self.me.survivors.iter().copied().find(|&own| {
            let place = self.survivor(own).location;
            place != self.scenario.colony
                && self.board.stack(place) > 0
                && self.threat(place) < self.room(place)
                && self.me.dice.smallest_from(self.scenario.character(own).search).is_some()
        })?;
        Some(Command::Search { character: self.id(searcher) })
    }

    /// Builds barricades where the next zombies would find no free place.
    fn fortify(&self) -> Option<Command> {
        self.me.survivors.iter().copied().find_map(|own| {
            let place = self.survivor(own).location;
            if self.threat(place) + 2 < self.room(place) {
                return None;
            }
            let entrance = self.entrance(place, |entrance| entrance.free() > 0)?;
            let character = self.id(own);
            if let Ability::Barricade { max_activations, .. } = self.ability(own)
                && self.survivor(own).uses < max_activations
            {
                return Some(Command::UseAbility { character, target: Some(entrance.0) });
            }
            if self.me.dice.lowest().is_some() || self.wears_unused(own, |kind| kind == CardKind::Hammer) {
                return Some(Command::Barricade { character, entrance });
            }
            let lock = self.spare(|kind| kind == CardKind::Lock)?;
            Some(self.play(lock, Some((own, entrance.0))))
        })
    }

    /// Attacks despite the risk where the next zombies would kill a survivor.
    fn fight(&self) -> Option<Command> {
        self.me.survivors.iter().copied().find_map(|own| {
            let place = self.survivor(own).location;
            if self.threat(place) <= self.room(place) || self.survivor(own).injuries() >= 2 {
                return None;
            }
            let entrance = self.entrance(place, |entrance| entrance.zombies > 0)?;
            let attack = self.scenario.character(own).attack;
            self.me.dice.smallest_from(attack)?;
            Some(Command::Attack { character: self.id(own), entrance })
        })
    }

    /// Sends one character at a time to search a promising place, with fuel if possible.
    fn go_out(&self) -> Option<Command> {
        if self.me.dice.lowest().is_none() || self.board.last_round() {
            return None;
        }
        let walker = self.me.survivors.iter().copied().find(|&own| {
            let survivor = self.survivor(own);
            let able = self.me.dice.smallest_from(self.scenario.character(own).search).is_some();
            survivor.location == self.scenario.colony && !survivor.moved && survivor.injuries() == 0 && able
        })?;
        let out = self.me.survivors.iter().filter(|&&own| self.survivor(own).location != self.scenario.colony);
        if out.count() >= 2 {
            return None;
        }
        let place = (0..self.scenario.locations.len())
            .map(LocationIx::from)
            .filter(|&place| {
                place != self.scenario.colony && self.board.stack(place) > 0 && self.board.crowd(place) < 1
            })
            .filter(|&place| self.threat(place) + 1 < self.room(place))
            .max_by_key(|&place| self.room(place) as usize * 10 + self.board.stack(place))?;
        let location = self.scenario.location(place);
        location.survivor_spaces.is_none_or(|spaces| self.board.crowd(place) < spaces).then_some(())?;
        if self.board.setup().switches.fuel_by_move {
            let fuel = self.spare(|kind| kind == CardKind::Fuel).is_some();
            return Some(Command::Move { character: self.id(walker), location: location.id, fuel: Some(fuel) });
        }
        match self.spare(|kind| kind == CardKind::Fuel) {
            Some(fuel) => Some(self.play(fuel, Some((walker, location.id.0)))),
            None => Some(Command::Move { character: self.id(walker), location: location.id, fuel: None }),
        }
    }

    /// Rerolls a useless die.
    fn reroll(&self) -> Option<Command> {
        let lowest = self.me.dice.lowest()?;
        if lowest > 2 || self.board.waste > 15 {
            return None;
        }
        let stuff = self.spare(|kind| kind == CardKind::Stuff)?;
        Some(self.play(stuff, None))
    }
}

/// Queries that several ideas share.
impl SeatView<'_> {
    fn id(&self, character: CharacterIx) -> CharacterId {
        self.scenario.character(character).id
    }

    fn ability(&self, character: CharacterIx) -> Ability {
        self.scenario.character(character).ability
    }

    fn survivor(&self, character: CharacterIx) -> &Survivor {
        self.board.survivor(character)
    }

    fn crisis(&self) -> Option<&Crisis> {
        self.board.crisis.map(|crisis| self.scenario.crisis(crisis))
    }

    /// A wanted card in the hand.
    fn held(&self, wanted: impl Fn(CardKind) -> bool) -> Option<CardIx> {
        self.me.hand.iter().copied().find(|&card| wanted(self.board.card_kind(card)))
    }

    /// A wanted card in the hand that the crisis does not need.
    fn spare(&self, wanted: impl Fn(CardKind) -> bool) -> Option<CardIx> {
        self.held(|kind| wanted(kind) && !self.needed_for_crisis(kind))
    }

    fn needed_for_crisis(&self, kind: CardKind) -> bool {
        self.crisis().is_some_and(|crisis| {
            kind.counts_as() == crisis.kind
                && self.board.contributed < crisis.required_cards
                && self.crisis_in_reach(crisis)
        })
    }

    fn play(&self, card: CardIx, on: Option<(CharacterIx, i32)>) -> Command {
        Command::UseCard {
            card: self.scenario.card(card).id,
            character: on.map(|(user, _)| self.id(user)),
            target: on.map(|(_, target)| target),
        }
    }

    /// The character at the same location that is closest to death.
    fn worst_injured(&self, beside: CharacterIx) -> Option<CharacterIx> {
        let here = self.board.survivors_at(self.survivor(beside).location);
        let injured = here.filter(|&other| self.survivor(other).injuries() > 0);
        injured.max_by_key(|&other| (self.survivor(other).injuries(), self.survivor(other).frostbites))
    }

    fn wears_unused(&self, character: CharacterIx, wanted: impl Fn(CardKind) -> bool) -> bool {
        self.survivor(character).worn.iter().any(|worn| !worn.used && wanted(self.board.card_kind(worn.card)))
    }

    /// The entrance of a location with the most zombies among the wanted ones.
    fn entrance(&self, place: LocationIx, wanted: impl Fn(EntranceState) -> bool) -> Option<Entrance> {
        let entrances = self.board.entrances(place).iter().enumerate();
        let like = entrances.filter(|(_, entrance)| wanted(**entrance));
        let (at, _) = like.max_by_key(|(_, entrance)| entrance.zombies)?;
        i32::try_from(at).ok().map(Entrance)
    }

    /// The number of zombies that will come to a location at the end of the round.
    fn threat(&self, place: LocationIx) -> u32 {
        if place == self.scenario.colony { self.board.mouths() } else { self.board.crowd(place) }
    }

    /// The number of zombies that can come to a location before a survivor dies. A barricade stops one zombie and leaves a
    /// place for another.
    fn room(&self, place: LocationIx) -> u32 {
        let takes = |entrance: &EntranceState| u32::from(entrance.free() + 2 * entrance.barricades);
        self.board.entrances(place).iter().map(takes).sum()
    }
}
