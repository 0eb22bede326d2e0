//! Offers: games of both years that are played by them, and what is offered at each stage.

use engine::{
    CommId, JavaRandom, Rulebook,
    laws::{Coverage, Trial, explore},
};
use treasure_rules::{Command, Event, Game, Setup};

/// Players that take offers at random make no mistakes: they lose by limits, or because the opponent was faster.
#[test]
fn games_by_offers_obey_the_laws() {
    for (name, never) in [("2022", ["Update", "Garbled", "Remove"]), ("2017", ["Move", "Garbled", "Remove"])] {
        let (setup, mut coverage) = (Setup::new(name).expect("a setup"), Coverage::default());
        for seed in 0..40 {
            explore::<Game>(&setup, seed, (1..=3).map(CommId), 400, &mut coverage);
        }
        assert_eq!(coverage.missing::<Command>("command"), never, "{name}: {coverage}");
        for event in ["HalfRejected", "Failed", "Refused"] {
            assert_eq!(coverage.times("event", event), 0, "{name}: {coverage}");
        }
        assert!(coverage.times("event", "TreasureTaken") > 0, "{name}: {coverage}");
    }
}

#[test]
fn stages() {
    let mut trial = Trial::<Game>::new(&Setup::new("2022").expect("a setup"), 5, (1..=3).map(CommId));
    let mut random = JavaRandom::new(5);
    let title = |trial: &Trial<Game>, client: u32| Game::offers(trial.view(CommId(client))).title;
    let mut play = |trial: &mut Trial<Game>, client: u32| {
        let command = Game::sample(trial.view(CommId(client)), &mut random).expect("there is something to do");
        trial.step(0, engine::Cause::Command { client: CommId(client), command });
    };
    assert_eq!(title(&trial, 1), "You are not in the game yet.");
    play(&mut trial, 1);
    assert_eq!(title(&trial, 1), "The game begins when the second player registers.");
    play(&mut trial, 2);
    assert_eq!(title(&trial, 3), "Two players are registered already.");
    let first = trial.game().turn().expect("a player is to act").0;
    assert_eq!(title(&trial, first), "Send your half of the map.");
    assert_eq!(title(&trial, 3 - first), "It is the opponent's turn.");
    play(&mut trial, first);
    play(&mut trial, 3 - first);
    assert_eq!(title(&trial, first), "Your turn. Where to?");
    assert!(!trial.outbox().events().any(|(_, event)| matches!(event, Event::HalfRejected { .. })));
}
