//! Compares the start of a game that [`Opening`] computes with the start of a game that is played.

use alloc::{format, vec::Vec};

use engine::{Cause, CommId, Input, JavaRandom, Outbox, Rulebook};

use crate::{CharacterId, Command, Event, Game, LocationIx, Opening, Setup, Wanted};

/// One scenario for each edition.
pub(super) const SCENARIOS: [&str; 3] = [
    include_str!("../../../scenarios/first-night.json"),
    include_str!("../../../scenarios/winter.json"),
    include_str!("../../../scenarios/crossroads.json"),
];

#[test]
fn equals_the_game() {
    for text in SCENARIOS {
        let setup = Setup::new(text, None, None).expect("what is built in is sound");
        for players in 1..=usize::from(setup.scenario.max_players) {
            let locations: Vec<LocationIx> = (0..setup.scenario.locations.len()).map(LocationIx::from).collect();
            let all = Wanted { stacks: locations.clone(), offered: true, dice: Opening::dice_of(players) };
            let mut everything = Opening::new(&setup, players, all);
            let only = |wanted| Opening::new(&setup, players, wanted);
            let mut stacks: Vec<Opening> =
                locations.iter().map(|&one| only(Wanted { stacks: [one].into(), ..Wanted::default() })).collect();
            let mut offered = only(Wanted { offered: true, ..Wanted::default() });
            let mut dice = only(Wanted { dice: Opening::dice_of(players), ..Wanted::default() });
            for seed in -500..500 {
                let seed = if seed % 2 == 0 { seed } else { JavaRandom::new(seed).next_long() };
                let played = play(&setup, players, seed);
                for (&location, part) in locations.iter().zip(&mut stacks) {
                    everything.deal(seed);
                    part.deal(seed);
                    let first = setup.first_card[location.at()];
                    let stack = &played.game.stacks[first..setup.first_card[location.at() + 1]];
                    assert_eq!(everything.stack(location), stack, "seed {seed}");
                    assert_eq!(part.stack(location), stack, "seed {seed}");
                }
                offered.deal(seed);
                dice.deal(seed);
                for came in [everything.offered(), offered.offered()] {
                    assert_eq!(came.map(|ix| setup.scenario.character(ix).id), played.offered, "seed {seed}");
                }
                assert_eq!(everything.dice(), played.dice, "seed {seed}");
                assert_eq!(dice.dice(), played.dice, "seed {seed}");
            }
        }
    }
}

struct Played {
    game: Game,
    /// The characters that the first player is offered.
    offered: [CharacterId; 4],
    dice: Vec<u8>,
}

/// Plays a game up to its first turn.
fn play(setup: &Setup, players: usize, seed: i64) -> Played {
    let mut outbox = Outbox::new();
    let mut game = Game::start(setup, seed, &mut outbox);
    let (mut offered, mut dice) = (None, Vec::new());
    let clients = (1..=players as u32).map(CommId);
    let register = clients.clone().map(|client| (client, Command::Register { name: format!("{client}").into() }));
    let mut inputs: Vec<(CommId, Command)> = register.collect();
    if players < usize::from(setup.scenario.max_players) {
        inputs.push((CommId(1), Command::StartGame {}));
    }
    let mut inputs = inputs.into_iter();
    let mut choosing = clients;
    let mut choice = None;
    while let Some((client, command)) = inputs.next().or_else(|| {
        let Some(Event::Characters { c1, c3, .. }) = choice.take() else { return None };
        Some((choosing.next()?, Command::SelectCharacters { first: c1, second: c3 }))
    }) {
        outbox.clear();
        game.fold(&Input { elapsed_ms: 0, cause: Cause::Command { client, command } }, &mut outbox);
        for (_, event) in outbox.events() {
            if let Event::Characters { c0, c1, c2, c3 } = *event {
                offered = offered.or(Some([c0, c1, c2, c3]));
                choice = Some(event.clone());
            }
            if let Event::DieRolled { value, .. } = *event {
                dice.push(value);
            }
        }
    }
    Played { game, offered: offered.expect("the first player is offered characters"), dice }
}
