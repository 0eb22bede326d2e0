//! A host that was cut off resumes all games. Clients that retry notice only a delay.

use treasure::documents::y2017::answer::Answer;
use treasure_rules::Direction;

use crate::{
    support::{HALF, HALF_2017, Scratch, Served},
    y2017::{Old, two},
};

#[tokio::test]
async fn games_of_2022_go_on() {
    let scratch = Scratch::new();
    let served = Served::on(scratch.log(), false).await;
    let (first, second) = served.map("?enableDebugMode=true").await;
    assert_eq!(first.go(&served, Direction::Down).await, "");
    let (lost, won) = served.two("").await;
    assert!(lost.go(&served, Direction::Up).await.starts_with("MoveBeforeHalves"));
    let waiting = served.create("?enableDummyCompetition=true").await;
    let ana = served.register(&waiting, "ana").await;
    let before = (first.state(&served).await, second.state(&served).await, won.state(&served).await);
    served.stop().await;

    let served = Served::on(scratch.log(), false).await;
    assert_eq!((first.state(&served).await, second.state(&served).await, won.state(&served).await), before);
    assert_eq!(won.standing(&served).await, "Won", "also of a game that is over");
    assert_eq!(second.go(&served, Direction::Down).await, "");
    assert_eq!(first.go(&served, Direction::Down).await, "");
    let dummies = served.dummies.lock().expect("no thread panicked").clone();
    assert_eq!(dummies, [treasure::Dummy { game: waiting.clone(), player: None }], "a dummy is called again");
    let dummy = served.register(&waiting, treasure::DUMMY_ACCOUNT).await;
    let acts = if ana.must_act(&served).await { &ana } else { &dummy };
    assert_eq!(acts.half(&served, &HALF).await, "");
    served.stop().await;

    let served = Served::on(scratch.log(), false).await;
    ana.state(&served).await;
    let dummies = served.dummies.lock().expect("no thread panicked").clone();
    assert_eq!(dummies, [treasure::Dummy { game: waiting, player: Some(dummy.id) }], "and goes on under its id");
}

#[tokio::test]
async fn games_of_2017_go_on() {
    let scratch = Scratch::new();
    let served = Served::on(scratch.log(), false).await;
    let ana = Old::new(&served, "Ana").await;
    served.stop().await;

    // A player that waits for its opponent still waits.
    let served = Served::on(scratch.log(), false).await;
    let bo = Old::new(&served, "Bo").await;
    let (first, second) = tokio::join!(ana.half(&served, HALF_2017), bo.half(&served, HALF_2017));
    assert!(matches!((&first, &second), (Answer::NewMap { .. }, Answer::NewMap { .. })), "{first:?} {second:?}");
    served.stop().await;

    // A client that missed the map requests it again.
    let served = Served::on(scratch.log(), false).await;
    assert_eq!(ana.half(&served, HALF_2017).await, first);
    let [(ana, from, _), (bo, there, _)] = two(&served).await;
    let to = (from.0, from.1 + 1);
    for turns in [2, 1] {
        assert!(matches!(ana.update(&served, from, to, turns).await, Answer::Update(_)));
        assert!(matches!(bo.update(&served, there, there, 0).await, Answer::Update(_)));
    }
    let moved = ana.update(&served, from, to, 0).await;
    served.stop().await;

    // The answer to the last update was lost, so repeating the update is not a mistake.
    let served = Served::on(scratch.log(), false).await;
    assert_eq!(ana.update(&served, from, to, 0).await, moved);
    assert!(matches!(bo.update(&served, there, there, 0).await, Answer::Update(_)));
    // A second repetition is a mistake.
    assert_eq!(ana.update(&served, from, to, 0).await, Answer::Trouble { loss: true });
    served.stop().await;

    let served = Served::on(scratch.log(), false).await;
    let Answer::Update(end) = bo.update(&served, there, there, 0).await else { panic!("no result") };
    assert!(end.win, "the result is known after a restart");
}

/// A player that has waited long for its opponent still receives the end of the game.
#[tokio::test]
async fn a_game_that_was_made_long_ago_and_ended_lately_is_known() {
    let scratch = Scratch::new();
    let served = Served::on(scratch.log(), false).await;
    let [(ana, from, _), (bo, there, _)] = two(&served).await;
    assert_eq!(ana.update(&served, there, there, 0).await, Answer::Trouble { loss: true });
    served.stop().await;
    let file = rusqlite::Connection::open(scratch.file()).expect("the log");
    file.execute("UPDATE games SET created = created - 3600000", []).expect("an hour earlier");
    drop(file);

    let served = Served::on(scratch.log(), false).await;
    let Answer::Update(end) = bo.update(&served, there, there, 0).await else { panic!("no result") };
    assert!(end.win);
    let Answer::Update(end) = ana.update(&served, from, from, 0).await else { panic!("no result") };
    assert!(end.loss);
}
