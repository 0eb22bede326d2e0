//! Offers: sides, moves and drops, draws, and games that are played by them.

use crazyhouse_rules::{Command, Game, MoveList, Setup};
use engine::{
    Answer, Cause, CommId, JavaRandom, OffersOf, Rulebook,
    laws::{Coverage, Trial, explore},
};

const WHITE: CommId = CommId(1);
const BLACK: CommId = CommId(2);
const CLAIM: &str = "Claim the win, if the opponent has left";
const NOTHING_YET: &str = "Ask for a takeback - You have not made a move that could be taken back.";

fn begun(board: &str) -> Trial<Game> {
    let setup = Setup::new(&format!(r#"{{"board": "{board}"}}"#), Some(30_000)).expect("a setup");
    let mut trial = Trial::new(&setup, 1, [WHITE, BLACK, CommId(3)]);
    for (client, name, side) in [(WHITE, "Ana", "white"), (BLACK, "Bo", "black")] {
        let side = serde_json::from_str(&format!("{side:?}")).expect("a side");
        trial.step(0, Cause::Command { client, command: Command::Join { name: name.into(), side: Some(side) } });
    }
    trial
}

/// The first level of offers, and the labels of their choices.
fn listed(offers: &OffersOf<Game>) -> Vec<String> {
    let line = |offer: &engine::OfferOf<Game>| match &offer.then {
        engine::Then::Choose(inner) => {
            let labels: Vec<&str> = inner.offers.iter().map(|inner| &*inner.label).collect();
            format!("{}: {}", offer.label, labels.join("; "))
        }
        engine::Then::Send(template) => match &template.answer {
            Answer::Impossible { words, .. } => format!("{} - {words}", offer.label),
            Answer::Possible | Answer::Untried | Answer::Uncertain => offer.label.clone(),
        },
    };
    offers.offers.iter().map(line).collect()
}

#[test]
fn moves_and_drops() {
    let mut random = JavaRandom::new(1);
    let mut trial = begun("4k3/8/8/8/8/8/3p4/4K3/N");
    let offers = trial.check_offers(WHITE, &mut random);
    assert_eq!(offers.title, "Your move. You are in check.");
    assert_eq!(
        listed(&offers),
        ["King e1: d1; f1; d2, takes pawn; e2; f2", "Offer a draw", NOTHING_YET, "Abort the game", "Resign", CLAIM]
    );

    trial.step(0, Cause::Command { client: WHITE, command: Command::Move { text: "e1-d2".into() } });
    trial.step(0, Cause::Command { client: BLACK, command: Command::Move { text: "e8-d8".into() } });
    trial.step(0, Cause::Command { client: BLACK, command: Command::OfferDraw {} });
    let offers = trial.check_offers(WHITE, &mut random);
    let labels: Vec<&str> = offers.offers.iter().map(|offer| &*offer.label).collect();
    assert_eq!(
        labels,
        [
            "King d2",
            "Drop a pawn",
            "Drop a knight",
            "Accept the draw",
            "Decline the draw",
            "Ask for a takeback",
            "Abort the game",
            "Resign",
            CLAIM
        ]
    );
    let waiting = trial.check_offers(BLACK, &mut random);
    assert_eq!(waiting.title, "White is to move.");
    let offered = "You have offered a draw; wait for the answer.";
    assert_eq!(
        listed(&waiting),
        [&*format!("Offer a draw - {offered}"), "Ask for a takeback", "Abort the game", "Resign", CLAIM]
    );
}

#[test]
fn takebacks() {
    let mut random = JavaRandom::new(1);
    let mut trial = begun("4k3/8/8/8/8/8/8/4K3/");
    for (client, text) in [(WHITE, "e1-e2"), (BLACK, "e8-e7"), (WHITE, "e2-e3")] {
        trial.step(0, Cause::Command { client, command: Command::Move { text: text.into() } });
    }
    trial.step(0, Cause::Command { client: WHITE, command: Command::AskTakeback {} });
    let asked = "Ask for a takeback - You have asked to take a move back; wait for the answer.";
    assert_eq!(listed(&trial.check_offers(WHITE, &mut random)), ["Offer a draw", asked, "Resign", CLAIM]);
    let answers = listed(&trial.check_offers(BLACK, &mut random));
    assert_eq!(answers[1..], ["Offer a draw", "Allow the takeback", "Refuse the takeback", "Resign", CLAIM]);
}

/// The creator of a game that waits for the opponent may cancel it.
#[test]
fn waiting() {
    let setup = Setup::new("{}", None).expect("a setup");
    let mut trial = Trial::<Game>::new(&setup, 1, [WHITE, BLACK]);
    trial.step(0, Cause::Command { client: WHITE, command: Command::Join { name: "Ana".into(), side: None } });
    assert_eq!(listed(&trial.check_offers(WHITE, &mut JavaRandom::new(1))), ["Cancel the game"]);
}

#[test]
fn sides() {
    let check = |setup: &str, expected: &[&str]| {
        let trial = Trial::<Game>::new(&Setup::new(setup, None).expect("a setup"), 1, [WHITE, CommId(3)]);
        assert_eq!(listed(&trial.check_offers(CommId(3), &mut JavaRandom::new(1))), expected, "{setup}");
    };
    check("{}", &["Play either side", "Play White", "Play Black"]);
    check(r#"{"bots": {"black": "greedy"}}"#, &["Play White"]);
    check(r#"{"bots": {"white": "a", "black": "b"}}"#, &[]);
}

#[test]
fn games_by_offers_obey_the_laws() {
    let mut coverage = Coverage::default();
    let setups = ["{}", r#"{"clock": {"initial": 60, "increment": 1}}"#, r#"{"most_moves": 100}"#];
    for seed in 0..300 {
        let setup = Setup::new(setups[seed as usize % setups.len()], Some(30_000)).expect("a setup");
        explore::<Game>(&setup, seed, [WHITE, BLACK, CommId(3)], 300, &mut coverage);
    }
    // Random players send nothing whose answer is uncertain.
    assert_eq!(coverage.missing::<Command>("command"), ["Claim"], "{coverage}");
    assert!(coverage.times("uncertain", "Claim") > 0, "{coverage}");
}

/// A position with hundreds of moves fits into a short message.
#[test]
fn many_moves() {
    let trial = begun("4k3/8/8/8/8/8/8/4K3/BNPQRbnpqr");
    let view = trial.view(WHITE);
    let mut moves = MoveList::new();
    view.board.contest().position().legal_moves(&mut moves);
    assert!(moves.as_slice().len() > 250, "{} moves", moves.as_slice().len());
    let offers = Game::offers(view);
    assert_eq!(offers.leaves().count(), moves.as_slice().len() + 5);
    let json = serde_json::to_string(&offers).expect("offers have a JSON form");
    assert!(json.len() < 32 * 1024, "{} bytes", json.len());
}
