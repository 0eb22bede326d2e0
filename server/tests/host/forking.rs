//! A fork starts at an entry of another game, and players can claim its seats.

use std::{sync::Arc, time::Duration};

use commlib::{ClientError, Form, Hello, Reason, Refused, Want};
use engine::{Chain, Entry, EntryOf, Header};
use server::{
    Erased, GameTable, HostedGame, Limits, Options, RealWorld, fork,
    log::{Durability, EventLog, FaultyLog, GameHead, LogReader, MemoryLog, Row, SqliteLog, open_reader},
};
use tokio::time::sleep;

use crate::{
    clock::Clock,
    counter::{Command, Counter, Setup},
    support::{
        COUNTER, Player, Rejection, Scratch, Served, create, create_with_timeout, hello, join, options, resume,
        verified, watch,
    },
};

/// Plays a game: Ana and Bo count to 3 in five entries, and client 3 only connects. [`ANA`] and [`BO`] have the events that
/// each player is told.
async fn finished(served: &Served) -> String {
    let (mut ana, mut bo) = two(served, create("3")).await;
    let mut zoe = served.enter(Form::Json, join(ana.game())).await.expect("a place");
    ana.add(1).await;
    ana.hears().await;
    zoe.add(0).await;
    zoe.hears().await;
    bo.add(2).await;
    assert_eq!(ana.rest().await, "5 Counted 3; 6 Done; closing GameOver");
    ana.game().into()
}

const ANA: &str = "1 Greeted; 2 Joined Ana; 3 Joined Bo; 4 Counted 1";
const BO: &str = "1 Greeted; 2 Joined Bo; 3 Counted 1";

/// Creates a game with two registered players, in entries 1 and 2.
async fn two(served: &Served, create: Hello) -> (Player, Player) {
    let mut ana = served.enter(Form::Binary, create).await.expect("a game");
    ana.send(Command::Join { name: "Ana".into() }).await;
    ana.hears().await;
    let mut bo = served.enter(Form::Json, join(ana.game())).await.expect("a place");
    bo.send(Command::Join { name: "Bo".into() }).await;
    bo.hears().await;
    ana.hears().await;
    (ana, bo)
}

async fn try_fork(served: &Served, game: &str, sequence: u64) -> Result<String, Refused> {
    served.host.fork(game, sequence).await
}

async fn forked(served: &Served, game: &str, sequence: u64) -> String {
    try_fork(served, game, sequence).await.expect("a fork")
}

fn claim(game: &str, seat: u16) -> Hello {
    hello(Want::Join { seat: Some(seat) }, Some(game))
}

/// The refusal of a hello.
async fn refusal(served: &Served, wish: Hello) -> String {
    match served.connect(Form::Json).await.hello(wish).await {
        Err(ClientError::Refused(Refused { reason, message })) => format!("{reason:?}: {message}"),
        other => panic!("no refusal: {other:?}"),
    }
}

async fn stored(log: &dyn LogReader, game: &str) -> (GameHead, Vec<Row>) {
    let head = log.find(game).await.expect("a search").expect("a game");
    let rows = log.rows(head.record.key, 1).await.expect("entries");
    (head, rows)
}

#[tokio::test]
async fn a_fork_is_a_game_of_its_own_with_entries_of_its_parent() {
    let scratch = Scratch::new();
    let log = scratch.log();
    let served = Served::on(log.clone()).await;
    let game = finished(&served).await;
    let (parent, parents_rows) = stored(&*log, &game).await;
    assert_eq!(parents_rows.len(), 5);
    let parents_header: Header<Setup> = Header::decode(&parent.header).expect("a header");
    for sequence in 0..=4 {
        let name = forked(&served, &game, sequence).await;
        let (head, rows) = stored(&*log, &name).await;
        let header: Header<Setup> = Header::decode(&head.header).expect("a header");
        let named = header.parent.clone().expect("a parent");
        assert_eq!((named.game.as_str(), named.sequence), (game.as_str(), sequence));
        let before = Chain::new(&parent.header).digest();
        assert_eq!(named.digest, parents_rows[..sequence as usize].last().map_or(before, |row| row.digest));
        assert!(header.created >= parents_header.created && head.record.created == header.created);
        let (created, game) = (parents_header.created, game.clone());
        assert_eq!(header.game, name);
        assert_eq!(Header { game, created, parent: None, ..header }, parents_header, "the rest is the same");
        assert_eq!((head.record.parent, head.scenario), (Some(parent.record.name.clone()), parent.scenario.clone()));

        assert_eq!((rows.len() as u64, head.record.tail.entries), (sequence, sequence));
        for (ours, theirs) in rows.iter().zip(&parents_rows) {
            assert_eq!((ours.sequence, &ours.bytes), (theirs.sequence, &theirs.bytes));
            assert_ne!(ours.digest, theirs.digest, "chained to the new header");
        }
        let players: Vec<String> = ["Ana", "Bo"].iter().take(sequence as usize).map(ToString::to_string).collect();
        let listed = served.host.list();
        let listed = listed.iter().find(|listed| listed.game == name).expect("it is open");
        assert_eq!(listed.players, players);
        let mut eve = served.enter(Form::Json, watch(&name, 0)).await.expect("a place to watch");
        let public = ["1 Joined Ana", "2 Joined Bo", "3 Moved 1; 4 Counted 1"];
        assert_eq!(eve.hears().await, public[..public.len().min(sequence as usize)].join("; "));
    }
    assert_eq!(log.clients(parent.record.key).await.expect("clients").len(), 3);
    served.stop().await;
    assert!(verified(&scratch.path("games.db")).await.expect("a report").is_sound());
}

#[tokio::test]
async fn what_cannot_be_forked() {
    let served = Served::new().await;
    let game = finished(&served).await;
    let running = forked(&served, &game, 3).await;
    for (game, sequence, expected) in [
        (game.as_str(), 5, "GameOver: No fork: the game is over after entry 5, take an earlier one."),
        (&game, 6, "BadMessage: No fork: there is no entry 6, the game has 5."),
        (&game, u64::MAX, &format!("BadMessage: No fork: there is no entry {}, the game has 5.", u64::MAX)),
        ("nowhere", 0, "UnknownGame: No fork: there is no game nowhere."),
        (&running, 0, &format!("BadMessage: No fork: game {running} is not over yet.")),
    ] {
        let Refused { reason, message } = try_fork(&served, game, sequence).await.expect_err("a refusal");
        assert_eq!(format!("{reason:?}: {message}"), expected);
    }
    assert_eq!(served.host.list().len(), 1);
}

/// A fork that is stored late gets its room before the host has stopped, and the room ends with the others.
#[tokio::test]
async fn a_host_that_stops_waits_for_a_fork() {
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let game = finished(&served).await;
    let before = log.writes();
    log.hold();
    let (host, parent) = (served.host.clone(), game.clone());
    let forking = tokio::spawn(async move { host.fork(&parent, 3).await });
    for _ in 0..1000 {
        if log.writes() > before {
            break;
        }
        sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(log.writes(), before + 1, "the fork waits for the store");
    let host = served.host.clone();
    let stopping = tokio::spawn(async move { host.stop().await.map(|()| host.list().len()) });
    sleep(Duration::from_millis(50)).await;
    assert!(!stopping.is_finished());
    log.release();
    assert_eq!(stopping.await.expect("no panic").expect("stopped"), 0, "rooms that are left");
    let fork = forking.await.expect("no panic").expect("a fork");
    assert!(log.find(&fork).await.expect("a log").is_some());
    assert!(served.host.list().is_empty(), "a room after the stop");
}

#[tokio::test]
async fn forks_obey_the_limits_of_the_host() {
    let log = Arc::new(MemoryLog::new());
    let one = Limits { games: 1, ..Limits::default() };
    let served = Served::open(options(log.clone(), one)).await;
    let game = finished(&served).await;
    forked(&served, &game, 3).await;
    let reason = |refused: Refused| format!("{:?}", refused.reason);
    assert_eq!(try_fork(&served, &game, 3).await.map_err(reason), Err("TooMany".into()));
    served.host.stop().await.expect("stopped");
    assert_eq!(try_fork(&served, &game, 3).await.map_err(reason), Err("ShuttingDown".into()));

    let log = Arc::new(MemoryLog::new());
    let served = Served::on(log.clone()).await;
    let game = finished(&served).await;
    let served = Served::open(Options { one_game: true, ..options(log.clone(), one) }).await;
    assert_eq!(try_fork(&served, &game, 3).await.map_err(reason), Err("TooMany".into()));
    const OTHER_RULES: &[&[&dyn HostedGame]] = &[&[&Erased::<Counter<2>>::NEW], &[&Erased::<Counter<1, 2>>::NEW], &[]];
    for rulebooks in OTHER_RULES {
        let served = Served::open(Options {
            games: GameTable::new(rulebooks.to_vec()),
            ..options(log.clone(), Limits::default())
        })
        .await;
        assert_eq!(try_fork(&served, &game, 3).await.map_err(reason), Err("Internal".into()));
    }
    assert_eq!(log.list().await.expect("a list").len(), 1, "nothing of a refused fork is stored");
}

#[tokio::test]
async fn seats_wait_to_be_claimed() {
    let log = Arc::new(MemoryLog::new());
    let served = Served::on(log.clone()).await;
    let game = finished(&served).await;
    let name = forked(&served, &game, 4).await;
    let key = stored(&*log, &name).await.0.record.key;
    assert_eq!(log.clients(key).await.expect("clients"), [], "no client has a token");
    let none = "There is no seat 2; these wait to be claimed: 0, 1.";
    assert_eq!(refusal(&served, claim(&name, 2)).await, format!("BadMessage: {none}"));

    let mut bo = served.enter(Form::Json, claim(&name, 1)).await.expect("a seat");
    assert_eq!((bo.welcome.client, bo.welcome.next), (Some(2), 1));
    assert_eq!(bo.hears().await, BO, "from the first event on");
    let taken = "Full: Seat 1 is taken; these wait to be claimed: 0.";
    assert_eq!(refusal(&served, claim(&name, 1)).await, taken);
    let mut new = served.enter(Form::Json, join(&name)).await.expect("a place");
    assert_eq!((new.welcome.client, new.welcome.next), (Some(4), 1), "above everybody in the log");
    assert_eq!(new.hears().await, "");

    let mut ana = served.enter(Form::Binary, claim(&name, 0)).await.expect("a seat");
    assert_eq!(ana.welcome.client, Some(1));
    assert_eq!(ana.hears().await, ANA);
    let all = "Full: Seat 0 is taken; none waits to be claimed, so join without one.";
    assert_eq!(refusal(&served, claim(&name, 0)).await, all);

    ana.add(1).await;
    assert_eq!(ana.hears().await, "5 Counted 2");
    assert_eq!(bo.hears().await, "4 Counted 2");
    let token = ana.token();
    drop(ana);
    let mut ana = served.enter(Form::Json, resume(&name, token, 4)).await.expect("the place again");
    assert_eq!(ana.hears().await, "5 Counted 2");
    bo.add(5).await;
    assert_eq!(ana.rest().await, "6 Counted 7; 7 Done; closing GameOver");
    assert_eq!(refusal(&served, claim(&name, 0)).await, "GameOver: This game is over; you can watch it.");
    let mut again = served.enter(Form::Json, resume(&name, token, 6)).await.expect("the game again");
    assert_eq!(again.rest().await, "7 Done; closing GameOver");
    let clients: Vec<u32> = log.clients(key).await.expect("clients").iter().map(|client| client.client.0).collect();
    assert_eq!(clients, [1, 2, 4]);

    let second = forked(&served, &name, 5).await;
    let mut ana = served.enter(Form::Json, claim(&second, 0)).await.expect("a seat in the fork of a fork");
    assert_eq!(ana.hears().await, format!("{ANA}; 5 Counted 2"));
    let refused = served.enter(Form::Json, resume(&second, token, 0)).await.err();
    assert_eq!(refused, Some(Rejection::Refused(Reason::UnknownToken)), "tokens of the parent open nothing");
}

#[tokio::test]
async fn a_player_who_left_keeps_the_seat_number() {
    let served = Served::new().await;
    let (mut ana, mut bo) = two(&served, create("3")).await;
    ana.send(Command::Leave {}).await;
    ana.hears().await;
    bo.add(3).await;
    bo.rest().await;
    let name = forked(&served, bo.game(), 3).await;
    let left = "Full: The player of seat 0 has left; these wait to be claimed: 1.";
    assert_eq!(refusal(&served, claim(&name, 0)).await, left);
    let bo = served.enter(Form::Json, claim(&name, 1)).await.expect("a seat");
    assert_eq!(bo.welcome.client, Some(2));
    let name = forked(&served, ana.game(), 2).await;
    served.enter(Form::Json, claim(&name, 0)).await.expect("a seat that was not given back yet");
}

#[tokio::test]
async fn a_game_that_is_no_fork_has_no_seats_to_claim() {
    let served = Served::new().await;
    let ana = served.creator("10").await;
    let none = "BadMessage: There is no seat 1; none waits to be claimed, so join without one.";
    assert_eq!(refusal(&served, claim(ana.game(), 1)).await, none);
    let taken = "Full: Seat 0 is taken; none waits to be claimed, so join without one.";
    assert_eq!(refusal(&served, claim(ana.game(), 0)).await, taken);
}

#[tokio::test]
async fn a_claim_is_told_once_it_is_stored() {
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let game = finished(&served).await;
    let name = forked(&served, &game, 4).await;
    log.hold();
    let (entered, ()) = tokio::join!(served.enter(Form::Json, claim(&name, 1)), async {
        sleep(Duration::from_millis(80)).await;
        let key = stored(&log, &name).await.0.record.key;
        assert_eq!(log.clients(key).await.expect("clients"), []);
        log.release();
    });
    assert_eq!(entered.expect("a seat").hears().await, BO);
}

#[tokio::test]
async fn seats_and_tokens_survive_a_restart() {
    let scratch = Scratch::new();
    let served = Served::on(scratch.log()).await;
    let game = finished(&served).await;
    let name = forked(&served, &game, 4).await;
    // The first host is cut off before a client has claimed a seat, the second stops after one has.
    let crashed = scratch.copy();
    let served = Served::on(crashed.log()).await;
    let bo = served.enter(Form::Json, claim(&name, 1)).await.expect("a seat");
    served.stop().await;
    let served = Served::on(crashed.log()).await;
    let taken = "Full: Seat 1 is taken; these wait to be claimed: 0.";
    assert_eq!(refusal(&served, claim(&name, 1)).await, taken);
    let mut bo = served.enter(Form::Json, resume(&name, bo.token(), 2)).await.expect("the place again");
    assert_eq!((bo.welcome.client, bo.hears().await.as_str()), (Some(2), "3 Counted 1"));
    let new = served.enter(Form::Json, join(&name)).await.expect("a place");
    assert_eq!(new.welcome.client, Some(4));
    let mut ana = served.enter(Form::Json, claim(&name, 0)).await.expect("a seat");
    assert_eq!(ana.hears().await, ANA);
    ana.add(1).await;
    assert_eq!(bo.hears().await, "4 Counted 2");
}

#[tokio::test]
async fn the_clock_goes_on_and_timers_start_anew() {
    let clock = Clock::stop();
    let log = Arc::new(MemoryLog::new());
    let served = Served::on(log.clone()).await;
    let (mut ana, _bo) = two(&served, create_with_timeout("3", 300)).await;
    clock.pass(Duration::from_millis(150)).await;
    ana.add(3).await;
    ana.rest().await;
    let since = tokio::time::Instant::now();
    let name = forked(&served, ana.game(), 2).await;
    let mut again = served.enter(Form::Json, claim(&name, 0)).await.expect("a seat");
    assert_eq!(again.hears().await, "1 Greeted; 2 Joined Ana; 3 Joined Bo");
    assert_eq!(clock.until(again.next()).await, "4 Rang 0");
    assert!(since.elapsed() >= Duration::from_millis(290), "the full length: {:?}", since.elapsed());
    let rows = stored(&*log, &name).await.1;
    let elapsed = |at: usize| {
        let entry: EntryOf<Counter> = Entry::decode(&rows[at].bytes).expect("an entry");
        entry.input.elapsed_ms
    };
    assert!(elapsed(2) >= elapsed(1) + 300, "from where it stood: {} after {}", elapsed(2), elapsed(1));
}

#[tokio::test]
async fn a_broken_game_is_forked_before_it_broke() {
    let log = Arc::new(MemoryLog::new());
    let served = Served::on(log.clone()).await;
    let mut ana = served.creator("10").await;
    ana.add(1).await;
    ana.send(Command::Panic {}).await;
    assert_eq!(ana.rest().await, "3 Counted 1; closing Internal");
    let name = forked(&served, ana.game(), 2).await;
    let mut again = served.enter(Form::Json, claim(&name, 0)).await.expect("a seat");
    again.add(1).await;
    assert_eq!(again.hears().await, "1 Greeted; 2 Joined Ana; 3 Counted 1; 4 Counted 2");
}

#[tokio::test]
async fn a_fork_is_stored_whole_or_not_at_all() {
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let game = finished(&served).await;
    log.fail_at(log.writes() + 1);
    let refused = try_fork(&served, &game, 4).await.expect_err("a refusal");
    assert_eq!(format!("{:?}", refused.reason), "StoreFailed");
    assert_eq!(log.list().await.expect("a list").len(), 1);
    assert_eq!(served.host.list(), []);
    forked(&served, &game, 4).await;
    served.stop().await;

    let (parent, child) = (Scratch::new(), Scratch::new());
    let served = Served::on(parent.log()).await;
    let mut ana = served.creator("10").await;
    ana.send(Command::Shout { length: 100_000 }).await;
    ana.hears().await;
    let file = open_reader(&parent.path("games.db")).await.expect("a file");
    let small = server::log::Options { max_pages: Some(20), ..Default::default() };
    let full = SqliteLog::open(&child.path("games.db"), small).expect("a log");
    let error =
        fork(&RealWorld, &GameTable::new(COUNTER.to_vec()), &*file, ana.game(), 2, &full).await.expect_err("no fork");
    let expected =
        "the log fails: the store cannot be written now: storing what a game begins with: database or disk is full";
    assert_eq!(error.to_string(), expected);
    assert_eq!(full.list().await.expect("a list"), []);
    fork(&RealWorld, &GameTable::new(COUNTER.to_vec()), &*file, ana.game(), 1, &full)
        .await
        .expect("a fork for which there is room");
}

#[tokio::test]
async fn a_running_game_is_forked_from_its_file() {
    let scratch = Scratch::new();
    let served = Served::on(scratch.log()).await;
    let (mut ana, _bo) = two(&served, create("10")).await;
    ana.add(1).await;
    ana.hears().await;
    let file = open_reader(&scratch.path("games.db")).await.expect("a file");
    let elsewhere = Scratch::new();
    let into = elsewhere.log();
    let name = fork(&RealWorld, &GameTable::new(COUNTER.to_vec()), &*file, ana.game(), 3, &*into)
        .await
        .expect("a fork into another log");
    for (game, sequence, expected) in
        [(ana.game(), 4, "there is no entry 4, the game has 3"), ("nowhere", 1, "there is no game nowhere")]
    {
        let error = fork(&RealWorld, &GameTable::new(COUNTER.to_vec()), &*file, game, sequence, &*into)
            .await
            .expect_err("no fork");
        assert_eq!(error.to_string(), expected);
    }
    let error = fork(&RealWorld, &GameTable::default(), &*file, ana.game(), 3, &*into).await.expect_err("no fork");
    assert_eq!(error.to_string(), "the game cannot go on here: no rulebook counter here");
    into.close().expect("a clean end");
    drop(into);
    let other = Served::on(elsewhere.log()).await;
    let mut again = other.enter(Form::Binary, claim(&name, 0)).await.expect("a seat");
    assert_eq!(again.hears().await, ANA);
    other.stop().await;

    served.stop().await;
    let eager = server::log::Options { durability: Durability::None, max_pages: None };
    let same = Arc::new(SqliteLog::open(&scratch.path("games.db"), eager).expect("a log"));
    let name = fork(&RealWorld, &GameTable::new(COUNTER.to_vec()), &*file, ana.game(), 1, &*same)
        .await
        .expect("a fork into the same log");
    let served = Served::on(same).await;
    assert_eq!(served.host.list().len(), 2);
    let mut again = served.enter(Form::Binary, claim(&name, 0)).await.expect("a seat");
    assert_eq!(again.hears().await, "1 Greeted; 2 Joined Ana");
    served.stop().await;
}
