//! A determinized game has the same view as the real game, and accepts the same commands.

use alloc::{format, vec::Vec};
use core::mem::discriminant;

use engine::{Cause, CommId, Input, JavaRandom, Outbox, Rulebook};

use super::opening::SCENARIOS;
use crate::{
    Asked, CardIx, CharacterId, CharacterIx, Command, CrisisIx, Entrance, Event, Game, Life, PlayerId, Refusal, Setup,
    View,
    game::{Stage, Timer},
};

#[test]
fn has_the_same_view_and_accepts_the_same_commands() {
    for text in SCENARIOS {
        let setup = Setup::new(text, None, None).expect("what is built in is sound");
        let mut votes = 0;
        for seed in 0..60 {
            let (mut random, mut outbox) = (JavaRandom::new(seed), Outbox::new());
            let mut game = Game::start(&setup, seed, &mut outbox);
            let players = 1 + seed as u32 % u32::from(setup.scenario.max_players);
            for client in (1..=players).map(CommId) {
                check_determinized(&game, client, &mut random);
                fold(&mut game, client, Command::Register { name: format!("{client}").into() });
            }
            if players < setup.scenario.max_players.into() {
                fold(&mut game, CommId(1), Command::StartGame {});
            }
            while let Some((awaited, asked)) = game.asked() {
                votes += u32::from(asked == Asked::Vote);
                let client = Game::determinized_client(awaited);
                check_determinized(&game, CommId(1 + random.next_below(players as i32) as u32), &mut random);
                let mut determinized = check_determinized(&game, client, &mut random);
                let command = attempt(game.public(), awaited, asked, &mut random);
                let expected = fold(&mut game, client, command.clone());
                let said = fold(&mut determinized, client, command.clone());
                check_said(&command, &said, &expected);
            }
        }
        assert_eq!(votes > 0, setup.switches.fate, "{votes} votes in the {} edition", setup.edition);
    }
}

/// A faulty server can send events that contradict each other.
#[test]
fn impossible_views_are_determinized_too() {
    let setup = Setup::new(SCENARIOS[0], None, None).expect("what is built in is sound");
    let ids: Vec<CharacterId> = setup.scenario.characters.iter().map(|character| character.id).collect();
    let (player, mut view) = (PlayerId(0), View::new(&setup));
    let says = |view: &View| {
        let imagined = Game::imagine(view, &mut JavaRandom::new(0))?;
        Some(imagined.refusal(&Command::StartGame {}))
    };
    let late = Some(Some(Event::CommandFailed { refusal: Refusal::AlreadyStarted {} }));
    view.apply(&Event::ActNow {});
    assert_eq!(says(&view), None, "before it is a player");
    view.apply(&Event::Registered { player, name: "Ana".into() });
    view.apply(&Event::Config {});
    view.apply(&Event::ActNow {});
    assert_eq!(says(&view), None, "before the game starts");
    ids.iter().for_each(|&character| view.apply(&Event::CharacterSpawned { player, character }));
    view.apply(&Event::ChoiceOffered { player });
    view.apply(&Event::Characters { c0: ids[0], c1: ids[0], c2: CharacterId(-1), c3: CharacterId(-2) });
    assert_eq!(says(&view), late, "one character twice, and unknown ones");
    (0..100).for_each(|round| view.apply(&Event::NextRound { round }));
    view.apply(&Event::Crisis { crisis: setup.scenario.crises[0].id });
    view.apply(&Event::ActNow {});
    assert_eq!(says(&view), None, "between two turns");
    view.apply(&Event::TurnBegan { player });
    assert_eq!(says(&view), late, "in a round that never comes");
    view.apply(&Event::VoteAsked { player: PlayerId(7) });
    view.apply(&Event::VoteNow {});
    assert_eq!(says(&view), late, "a vote about nothing");
}

/// Checks that neither the first event nor a refusal depends on chance.
#[track_caller]
fn check_said(command: &Command, said: &[Event], expected: &[Event]) {
    let (first, wanted) = (&said[0], &expected[0]);
    if let Event::VoteResult { .. } = wanted {
        assert_eq!(discriminant(first), discriminant(wanted), "{command:?}: the votes of others are hidden");
    } else {
        assert_eq!(first, wanted, "{command:?}");
    }
}

/// Determinizes the view of a client, and checks that the game has the same view.
#[track_caller]
fn check_determinized(game: &Game, client: CommId, random: &mut JavaRandom) -> Game {
    let view = game.view(client);
    let mut again = random.clone();
    let determinized = Game::determinize(&view, random);
    assert_eq!(determinized, Game::determinize(&view, &mut again), "the same generator gives the same game");
    assert_eq!(determinized.board(), view.board);
    if view.player.is_some() {
        assert_eq!(determinized.view(client), view);
    }
    let who = |game: &Game| game.asked().map(|(player, asked)| (player, discriminant(&asked)));
    assert_eq!(who(&determinized), who(game));
    check_piles(&determinized, &view);
    determinized
}

/// Checks that each card, crisis and character is in exactly one place.
#[track_caller]
fn check_piles(game: &Game, view: &View) {
    let setup = &game.setup;
    let characters = || (0..setup.scenario.characters.len()).map(CharacterIx::from);
    let mut cards: Vec<CardIx> = view.board.players.iter().flat_map(|player| player.hand.clone()).collect();
    characters().for_each(|one| cards.extend(view.board.survivor(one).worn.iter().map(|worn| worn.card)));
    for (at, location) in setup.scenario.locations.iter().enumerate() {
        let stack = &game.stacks[setup.first_card[at]..setup.first_card[at + 1]];
        let (gone, left) = stack.split_at(stack.len() - view.board.stack(at.into()));
        cards.extend(left);
        // The other cards were drawn: they are held, worn, or used up.
        cards.extend(gone.iter().filter(|card| !cards.contains(card)).collect::<Vec<_>>());
        check_same(stack.to_vec(), location.cards.clone());
    }
    check_same(cards, (0..setup.scenario.cards.len()).map(CardIx::from).collect());
    check_same(game.crises.clone(), (0..setup.scenario.crises.len()).map(CrisisIx::from).collect());
    assert_eq!(view.board.crisis, view.board.round.checked_sub(1).map(|now| game.crises[now as usize]));

    let mut people: Vec<CharacterIx> =
        characters().filter(|&one| view.board.survivor(one).life != Life::Unused).collect();
    people.extend(&game.unused);
    if let Stage::Preparation { offered, .. } = game.stage {
        people.extend(offered);
    }
    check_same(people, characters().collect());
}

#[track_caller]
fn check_same<T: Ord + core::fmt::Debug>(mut one: Vec<T>, mut other: Vec<T>) {
    one.sort();
    other.sort();
    assert_eq!(one, other);
}

/// Folds a command and returns its events.
fn fold(game: &mut Game, client: CommId, command: Command) -> Vec<Event> {
    let mut outbox: Outbox<Event, Timer> = Outbox::new();
    game.fold(&Input { elapsed_ms: 0, cause: Cause::Command { client, command } }, &mut outbox);
    outbox.events().map(|(_, event)| event.clone()).collect()
}

/// A random command that a player could try.
fn attempt(board: &crate::Board, player: PlayerId, asked: Asked, random: &mut JavaRandom) -> Command {
    let scenario = &board.setup().scenario;
    let mut below = |bound: usize| random.next_below(bound.max(1) as i32) as usize;
    let own = &board.player(player);
    match asked {
        Asked::Characters(offered) => Command::SelectCharacters { first: offered[below(4)], second: offered[below(4)] },
        Asked::Vote => Command::Vote { answer: below(2) == 0 },
        Asked::Nothing => Command::EndTurn {},
        Asked::Act => {
            let character = scenario.character(own.survivors[below(own.survivors.len())]).id;
            let location = scenario.locations[below(scenario.locations.len())].id;
            let entrance = Entrance(below(3) as i32);
            let card = own.hand.get(below(own.hand.len())).map(|&card| scenario.card(card));
            match (below(9), card) {
                (0 | 1, _) => Command::Move { character, location, fuel: Some(below(6) == 0) },
                (2, _) => Command::Search { character },
                (3, _) => Command::Barricade { character, entrance },
                (4, _) => Command::Attack { character, entrance },
                (5, _) => Command::UseAbility { character, target: Some(entrance.0).filter(|_| below(2) == 0) },
                (6, Some(card)) => Command::ContributeCard { card: card.id },
                (7, Some(card)) => {
                    let target = [character.0, entrance.0, location.0][below(3)];
                    let on = below(2) == 0;
                    Command::UseCard {
                        card: card.id,
                        character: Some(character).filter(|_| on),
                        target: Some(target).filter(|_| on),
                    }
                }
                _ => Command::EndTurn {},
            }
        }
    }
}
