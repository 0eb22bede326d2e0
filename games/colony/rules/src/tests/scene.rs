//! Builds scenes: games in the middle of a turn, from a line of text.
//!
//! `fate; food 2; colony: zombies 1,0; next 11,0; unused Eva | Ana(attack 4, at mill) Bo; dice 3,5; hand food1 | Carla`
//! is an example. The part before the first bar is the table, and each further part is a player. It is the turn of player 0,
//! unless the table has a clause such as `turn 1`.
//!
//! `next` lists the next random numbers: `11` is an infection die, `d5` an action die that shows 5, `s0/15` a 0 out of 15
//! numbers (for a search), `c2` two children, and `shuffle8` a shuffle of eight items that keeps their order.

use alloc::{format, string::String, vec::Vec};

use engine::{CommId, JavaRandom, Outbox, Rulebook};
use serde_json::{Map, Value, json};

use super::world::{self, World, character, location, number, tagged};
use crate::{
    Game,
    dice::Dice,
    event::{Effect, Event},
    game::{Omen, Stage, Turn},
    ids::{CardId, CharacterId, CharacterIx, CrisisIx, Entrance, FateIx, LocationId, LocationIx, PlayerId},
};

/// Builds a game in its first round, in the turn of one of the players. Without players, the game is in registration.
pub(super) fn scene(text: &str) -> Game {
    let mut segments = text.split('|').map(clauses);
    let table = segments.next().expect("a table");
    let seats: Vec<Seat> = segments.map(|clauses| Seat::read(&clauses)).collect();

    let mut world = World::new();
    let table: Vec<&str> = table.into_iter().filter(|clause| !world.read(clause)).collect();
    let named = seats.iter().flat_map(|seat| &seat.members);
    named.for_each(|member| world.add(&member.name, &member.traits));
    for clause in &table {
        if let Some(names) = clause.strip_prefix("unused ") {
            members(names).iter().for_each(|member| world.add(&member.name, &member.traits));
        }
    }
    let mut game = Game::start(&world.setup(), 0, &mut Outbox::new());
    unshuffle(&mut game);
    if !seats.is_empty() {
        begin(&mut game, &seats);
    }
    table.iter().for_each(|clause| set(&mut game, clause));
    game
}

/// A copy of the scene to which these clauses of the table are applied.
pub(super) fn with(game: &Game, text: &str) -> Game {
    let mut game = game.clone();
    clauses(text).into_iter().for_each(|clause| set(&mut game, clause));
    game
}

fn clauses(text: &str) -> Vec<&str> {
    text.split(';').map(str::trim).filter(|clause| !clause.is_empty()).collect()
}

/// A player with its characters, dice and hand.
struct Seat {
    members: Vec<Member>,
    dice: Vec<u8>,
    hand: Vec<i32>,
    out: bool,
}

/// A character: its traits in the scenario, and its state in the game.
struct Member {
    name: String,
    traits: Map<String, Value>,
    state: Vec<String>,
}

impl Seat {
    fn read(clauses: &[&str]) -> Self {
        let mut seat = Self { members: Vec::new(), dice: Vec::new(), hand: Vec::new(), out: false };
        for clause in clauses {
            match clause.split_once(' ') {
                Some(("dice", dice)) => seat.dice = dice.split(',').map(|die| number(die) as u8).collect(),
                Some(("hand", cards)) => seat.hand = cards.split(' ').map(world::card).collect(),
                None if *clause == "out" => seat.out = true,
                _ => seat.members = members(clause),
            }
        }
        seat
    }
}

fn members(text: &str) -> Vec<Member> {
    let mut members = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find([' ', '(']).unwrap_or(rest.len());
        let name = &rest[..end];
        rest = &rest[end..];
        let mut details = "";
        if let Some(inner) = rest.strip_prefix('(') {
            let close = inner.find(')').expect("a closing parenthesis");
            (details, rest) = (&inner[..close], &inner[close + 1..]);
        }
        rest = rest.trim();
        members.push(member(name, details));
    }
    members
}

fn member(name: &str, details: &str) -> Member {
    let (mut traits, mut state) = (Map::new(), Vec::new());
    for detail in details.split(',').map(str::trim).filter(|detail| !detail.is_empty()) {
        let words: Vec<&str> = detail.split(' ').collect();
        let ability = match words[..] {
            [value @ ("attack" | "search" | "status"), amount] => {
                traits.insert(value.into(), world::signed(amount).into());
                continue;
            }
            ["wound", before, after] => tagged("wound", json!({"before": before, "after": after})),
            ["no_infection"] => tagged("no_infection", json!({})),
            ["finds", place, cards, times] => tagged(
                "search",
                json!({"location": location(place), "numCards": number(cards), "maxActivations": number(times)}),
            ),
            ["trash", cards] => tagged("trash", json!({"numCards": number(cards)})),
            ["heal"] => tagged("heal", json!({})),
            ["feed", food] => tagged("feed", json!({"numFood": number(food)})),
            ["builds", barricades, times] => {
                tagged("barricade", json!({"numBarricades": number(barricades), "maxActivations": number(times)}))
            }
            ["kills", place, die, zombies, times, ref asks @ ..] => tagged(
                "kill",
                json!({"locationId": location(place), "dieValue": number(die), "numZombies": number(zombies),
                    "maxActivations": number(times), "infectionDie": asks.contains(&"infection"),
                    "children": asks.contains(&"children")}),
            ),
            _ => {
                state.push(detail.into());
                continue;
            }
        };
        traits.insert("ability".into(), ability);
    }
    Member { name: name.into(), traits, state }
}

/// Puts the stacks, crises and fate cards back into the order of the file.
fn unshuffle(game: &mut Game) {
    let scenario = &game.setup.scenario;
    game.stacks = scenario.locations.iter().flat_map(|location| location.cards.iter().copied()).collect();
    game.crises = (0..scenario.crises.len()).map(CrisisIx::from).collect();
    game.fates = (0..scenario.fates.as_deref().unwrap_or_default().len()).map(FateIx::from).rev().collect();
    if !game.setup.switches.fate {
        game.fates.clear();
    }
}

/// Registers all players and begins the first round. No characters are unused.
fn begin(game: &mut Game, seats: &[Seat]) {
    game.unused.clear();
    for (at, _) in seats.iter().enumerate() {
        game.clients.push(CommId(at as u32));
        game.board.apply(&Event::Registered { player: PlayerId(at as u16), name: format!("player {at}").into() });
    }
    game.board.apply(&Event::GameStarted {});
    for (at, seat) in seats.iter().enumerate() {
        let player = PlayerId(at as u16);
        for member in &seat.members {
            let character = CharacterId(character(&member.name));
            game.board.apply(&Event::CharacterSpawned { player, character });
            member.state.iter().for_each(|state| befall(game, character, state));
        }
    }
    game.board.apply(&Event::NextRound { round: 1 });
    game.board.apply(&Event::Crisis { crisis: game.setup.scenario.crises[0].id });
    game.board.contributed = 1;
    for (at, seat) in seats.iter().enumerate() {
        let player = PlayerId(at as u16);
        // Resets the moves: a character outside the colony went there in an earlier round.
        game.board.apply(&Event::TurnEnded { player });
        for member in &seat.members {
            let character = CharacterId(character(&member.name));
            member.state.iter().for_each(|state| spend(game, character, state));
        }
        for &die in &seat.dice {
            game.board.players[at].dice.add(die);
        }
        let held = seat.hand.iter().map(|&card| game.setup.card_ix(CardId(card)).expect("a card"));
        game.board.players[at].hand = held.collect();
        if seat.out {
            game.board.apply(&Event::Left { player });
            for member in &seat.members {
                game.board.apply(&Event::SurvivorKilled { character: CharacterId(character(&member.name)) });
            }
        }
    }
    give_turn(game, PlayerId(0));
}

fn give_turn(game: &mut Game, player: PlayerId) {
    game.board.apply(&Event::TurnBegan { player });
    let fate = game.fates.pop();
    let omen = fate.map(|fate| Omen { fate, player, waste: game.board.waste });
    game.stage = Stage::Playing(Turn { player: Some(player), begun: true, omen, vote: None });
}

/// Applies the state that a character has from earlier rounds.
fn befall(game: &mut Game, character: CharacterId, state: &str) {
    let (word, rest) = state.split_once(' ').unwrap_or((state, ""));
    let mut times = |event: Event, count: u32| (0..count).for_each(|_| game.board.apply(&event));
    match word {
        "at" => times(Event::Moved { character, location: LocationId(location(rest)), fuel: None }, 1),
        "wounds" => times(Event::Wounded { character }, number(rest)),
        "frostbites" => times(Event::Frostbitten { character }, number(rest)),
        "wears" => {
            for card in rest.split(' ') {
                let card = CardId(world::card(card.trim_end_matches('*')));
                times(Event::CardUsed { card, character: Some(character), target: Some(character.0) }, 1);
            }
        }
        "moved" | "used" => {}
        _ => panic!("no trait: {state:?}"),
    }
}

/// Applies the moves and uses of a character in this round.
fn spend(game: &mut Game, character: CharacterId, state: &str) {
    let (word, rest) = state.split_once(' ').unwrap_or((state, ""));
    let own = game.setup.character_ix(character).expect("a character");
    let location = game.setup.scenario.location(game.board.survivor(own).location).id;
    let mut used = |effect: Effect| game.board.apply(&Event::EffectUsed { character, effect });
    match word {
        "moved" => game.board.apply(&Event::Moved { character, location, fuel: None }),
        "used" => (0..number(rest)).for_each(|_| used(Effect::Ability)),
        "wears" => {
            let worn = rest.split(' ').filter_map(|card| card.strip_suffix('*'));
            worn.for_each(|card| used(Effect::Equipment(CardId(world::card(card)))));
        }
        _ => {}
    }
}

/// Applies a clause to the table.
fn set(game: &mut Game, clause: &str) {
    if let Some((place, state)) = clause.split_once(": ") {
        return furnish(game, place, state);
    }
    let (word, rest) = clause.split_once(' ').unwrap_or((clause, ""));
    let board = &mut game.board;
    match word {
        "round" => board.round = number(rest),
        "food" => board.food = number(rest).into(),
        "morale" => board.morale = number(rest).into(),
        "waste" => {
            board.waste = number(rest);
            if let Stage::Playing(Turn { omen: Some(omen), .. }) = &mut game.stage {
                omen.waste = number(rest);
            }
        }
        "children" => board.children = number(rest),
        "tokens" => board.starvation_tokens = number(rest),
        "contributed" => board.contributed = number(rest),
        "dice" => {
            let Stage::Playing(Turn { player: Some(player), .. }) = game.stage else {
                panic!("dice need a player who has the turn")
            };
            let dice = &mut game.board.players[player.at()].dice;
            *dice = Dice::default();
            rest.split(',').filter(|die| *die != "none").for_each(|die| dice.add(number(die) as u8));
        }
        "stack" => {
            let (place, left) = rest.split_once(' ').expect("a place and a number of cards");
            while game.board.stack(place_ix(game, place)) > number(left) as usize {
                let card = game.top_card(place_ix(game, place)).expect("a card");
                let card = game.setup.scenario.card(card).id;
                game.board.apply(&Event::CardDrawn { player: PlayerId(0), card });
                game.board.players[0].hand.pop();
            }
        }
        "turn" => give_turn(game, PlayerId(number(rest) as u16)),
        "unused" => game.unused = members(rest).iter().map(|member| character_ix(game, &member.name)).collect(),
        "next" => game.random = generator(rest),
        _ => panic!("no clause: {clause:?}"),
    }
}

/// Sets the zombies and barricades at each entrance of a place, such as `zombies 1,0 barricades 0,3`.
fn furnish(game: &mut Game, place: &str, state: &str) {
    let (id, anybody) = (LocationId(location(place)), CharacterId(0));
    let words: Vec<&str> = state.split(' ').collect();
    for pair in words.chunks(2) {
        for (entrance, count) in (0..).map(Entrance).zip(pair[1].split(',')) {
            let (gone, come) = match pair[0] {
                "zombies" => (
                    Event::ZombieKilled { character: anybody, location: id, entrance },
                    Event::ZombieSpawned { location: id, entrance },
                ),
                _ => (
                    Event::BarricadeDestroyed { location: id, entrance },
                    Event::Barricaded { character: anybody, location: id, entrance },
                ),
            };
            (0..3).for_each(|_| game.board.apply(&gone));
            (0..number(count)).for_each(|_| game.board.apply(&come));
        }
    }
}

/// Finds a generator that draws the wanted numbers next.
fn generator(text: &str) -> JavaRandom {
    let mut wanted: Vec<(i32, i32)> = Vec::new();
    for word in text.split(',').map(str::trim) {
        if let Some(left) = word.strip_prefix("shuffle") {
            wanted.extend((2..=world::signed(left)).rev().map(|left| (left, left - 1)));
        } else if let Some(die) = word.strip_prefix('d') {
            wanted.push((6, world::signed(die) - 1));
        } else if let Some(children) = word.strip_prefix('c') {
            wanted.push((4, world::signed(children)));
        } else if let Some((drawn, bound)) = word.strip_prefix('s').and_then(|word| word.split_once('/')) {
            wanted.push((world::signed(bound), world::signed(drawn)));
        } else {
            wanted.push((12, world::signed(word)));
        }
    }
    let fits = |seed: &i64| {
        let mut random = JavaRandom::new(*seed);
        wanted.iter().all(|&(bound, drawn)| random.next_below(bound) == drawn)
    };
    JavaRandom::new((0..1_000_000_000).find(fits).expect("a seed for these numbers"))
}

pub(super) fn character_ix(game: &Game, name: &str) -> CharacterIx {
    game.setup.character_ix(CharacterId(character(name))).expect("a character of the scene")
}

pub(super) fn place_ix(game: &Game, name: &str) -> LocationIx {
    game.setup.location_ix(LocationId(location(name))).expect("a place")
}
