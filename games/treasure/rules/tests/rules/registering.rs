//! Registrations that are accepted, and those that are refused.

use engine::{CommId, Rulebook, Waiting};
use treasure_rules::{Command, Player, Timer};

use crate::table::{ANA, BO, Table, register, seeds};

#[test]
fn two_play() {
    let mut table = Table::new("2022", 7);
    assert_eq!(table.timers(), [(Timer::Game, Some(600_000)), (Timer::Lobby, Some(120_000))]);
    assert_eq!(table.game.waiting_for(), Waiting::Anyone);
    assert_eq!(table.does(ANA, register("Ana")), "you are the first player; Ana registers");
    assert_eq!(table.does(ANA, register("Ana")), "refused AlreadyRegistered: You are registered already.");
    let twin = Command::Register {
        id: "secret of Ana".into(),
        first_name: "Eve".into(),
        last_name: "Test".into(),
        account: "eve".into(),
    };
    assert_eq!(table.does(BO, twin), "refused UnusableId: This id cannot be used; draw another.");
    let begins = table.does(BO, register("Bo"));
    assert!(begins.starts_with("you are the second player; Bo registers; "), "{begins}");
    assert_eq!(table.timers(), [(Timer::Lobby, None), (Timer::Think, Some(5_000))]);
    let full = "refused GameFull: Two players are registered already, which is the most; take another game.";
    assert_eq!(table.does(3, register("Cleo")), full);
    assert!(table.game.outcome().is_none(), "a third registration changes nothing");

    let [ana, bo] = <[_; 2]>::try_from(table.game.players()).expect("two");
    assert_eq!((ana.player, ana.client, &*ana.id), (Player::First, CommId(ANA), "secret of Ana"));
    assert_eq!((&*bo.first_name, &*bo.last_name, &*bo.account, bo.start), ("Bo", "Test", "bo", None));
}

#[test]
fn strangers() {
    let mut table = Table::begun("2022", 7);
    let stranger = "refused NotRegistered: You do not play in this game; register first, and use your own id.";
    let commands = [
        Command::Move { direction: treasure_rules::Direction::Up },
        Command::SendHalf { fields: Vec::new(), coding: None },
        Command::Garbled { problem: "no XML".into() },
    ];
    for command in commands {
        assert_eq!(table.does(3, command), stranger);
    }
    assert_eq!(table.does(ANA, Command::Remove {}), "refused OnlyTheHost: Only the host itself can do this.");
    assert!(table.does(0, register("Host")).starts_with("refused GameFull"));
    assert_eq!(table.does(0, Command::Remove {}), "over: removed: it gave way to newer games");
    assert_eq!(table.game.waiting_for(), Waiting::GameOver);
    assert_eq!(table.does(ANA, register("Ana")), "", "nothing happens after the end");
    let mut empty = Table::new("2022", 7);
    assert!(empty.does(0, register("Host")).starts_with("refused GameFull"), "the host never plays");
}

#[test]
fn names() {
    let named = |scenario: &str, names: [usize; 3]| {
        let [first_name, last_name, account] = names.map(|length| "ä".repeat(length).into());
        Table::new(scenario, 0).does(ANA, Command::Register { id: "1".into(), first_name, last_name, account })
    };
    assert!(named("2022", [1, 1, 1]).starts_with("you are"));
    assert!(named("2022", [50, 50, 50]).starts_with("you are"));
    let long = "refused WrongLength: The first name has 51 characters; it needs 1 to 50.";
    assert_eq!(named("2022", [51, 1, 1]), long);
    assert_eq!(named("2022", [1, 0, 1]), "refused WrongLength: The last name has 0 characters; it needs 1 to 50.");
    assert_eq!(named("2022", [1, 1, 51]), "refused WrongLength: The account has 51 characters; it needs 1 to 50.");
    assert!(named("2017", [30, 30, 9]).starts_with("you are"));
    assert!(named("2017", [0, 0, 0]).starts_with("you are"));
    assert_eq!(named("2017", [1, 1, 10]), "refused WrongLength: The account has 10 characters; it needs 0 to 9.");
    assert_eq!(named("2017", [31, 1, 1]), "refused WrongLength: The first name has 31 characters; it needs 0 to 30.");
    let id = |id: &str| {
        let name: std::sync::Arc<str> = "x".into();
        let (first_name, last_name, account) = (name.clone(), name.clone(), name);
        Table::new("2022", 0).does(ANA, Command::Register { id: id.into(), first_name, last_name, account })
    };
    assert!(id(&"x".repeat(64)).starts_with("you are"));
    assert!(id(&"x".repeat(65)).starts_with("refused UnusableId"));
    assert!(id("").starts_with("refused UnusableId"));
}

#[test]
fn starters() {
    let starts = |scenario: &str, seed| Table::begun(scenario, seed).game.turn().map(|client| client.0);
    let ana = seeds().take(200).filter(|seed| starts("2022", *seed) == Some(ANA)).count();
    assert!((70..130).contains(&ana), "Ana began {ana} of 200 games");
    for seed in seeds().take(20) {
        let mut table = Table::charted("2017", seed);
        assert_eq!(table.turn(), ANA, "who registered first begins");
        table.idles();
        assert_eq!(table.turn(), BO);
    }
}

#[test]
fn unreadable_messages() {
    let mut table = Table::begun("2022", 7);
    let garbled = |length: usize| Command::Garbled { problem: "x".repeat(length).into() };
    assert_eq!(table.does(BO, garbled(3)), "noted 1: xxx");
    let before = table.game.view(CommId(BO));
    assert_eq!(table.does(BO, garbled(400)), format!("noted 2: {}", "x".repeat(300)));
    assert_eq!(table.game.view(CommId(BO)), before, "nothing else changes");
    assert_eq!(table.timers(), [], "it gives no player more time");
    for number in 3..=100 {
        assert_eq!(table.does(BO, garbled(1)), format!("noted {number}: x"));
    }
    assert_eq!(table.does(BO, garbled(1)), "", "no more is said of it");
    assert_eq!(table.does(ANA, garbled(1)), "noted 1: x", "everybody has their own");
    assert!(table.game.outcome().is_none());
}
