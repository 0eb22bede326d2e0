//! Offers: what players can do, in words, and games that are played by offers alone.

use alloc::vec::Vec;

use engine::{
    CommId, JavaRandom, Rulebook,
    laws::{Coverage, explore},
};

use super::opening::SCENARIOS;
use crate::{Command, Game, Setup};

/// In whole games of every edition, the rules take what is possible, and refuse the rest for the reason that the offer tells.
#[test]
fn games_by_offers_obey_the_laws() {
    let mut coverage = Coverage::default();
    for text in SCENARIOS {
        let setup = Setup::new(text, None, Some(30_000)).expect("what is built in is sound");
        for seed in 0..12 {
            let clients = (1..=1 + seed as u32 % 5).map(CommId);
            explore::<Game>(&setup, seed, clients, 400, &mut coverage);
        }
    }
    assert_eq!(coverage.missing::<Command>("command"), ["WrongArguments"], "{coverage}");
    for kind in ["Move", "Attack", "Barricade", "Search", "CleanWaste", "ContributeCard", "UseCard", "UseAbility"] {
        let (possible, impossible) = (coverage.times("possible", kind), coverage.times("impossible", kind));
        assert!(possible > 20 && impossible > 20, "{kind}: {possible} possible, {impossible} impossible");
    }
    assert_eq!(coverage.times("uncertain", "Move"), 0, "hidden facts never decide in colony");
}

#[test]
fn offers_of_clients_without_a_turn() {
    let setup = Setup::new(SCENARIOS[0], None, None).expect("what is built in is sound");
    let mut trial = engine::laws::Trial::<Game>::new(&setup, 1, [1, 2, 3].map(CommId));
    let mut random = JavaRandom::new(1);
    let mut listed = |trial: &engine::laws::Trial<Game>, client: u32| {
        let offers = trial.check_offers(CommId(client), &mut random);
        let mut words = Vec::from([offers.title.clone()]);
        words.extend(offers.offers.iter().map(|offer| offer.label.clone()));
        words.join(" | ")
    };
    assert_eq!(listed(&trial, 1), "You are not in the game yet. | Take part");
    let register = |trial: &mut engine::laws::Trial<Game>, client: u32| {
        let command = Command::Register { name: alloc::format!("P{client}").into() };
        trial.step(0, engine::Cause::Command { client: CommId(client), command });
    };
    register(&mut trial, 1);
    assert_eq!(listed(&trial, 1), "1 of at most 2 players are here. Start? | Start the game");
    // The game is full, so it starts.
    register(&mut trial, 2);
    assert_eq!(listed(&trial, 2), "P1 is choosing characters.");
    assert_eq!(listed(&trial, 3), "You are not in the game.");
    assert!(Game::sample(trial.view(CommId(3)), &mut JavaRandom::new(1)).is_none());
}
