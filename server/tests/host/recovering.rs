//! A host that stopped or was cut off continues its games.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use commlib::{Form, Hello, Reason, Want};
use engine::{Cause, Entry, EntryOf};
use server::{
    Erased, GameTable, HostedGame, Limits, Options,
    chronicle::Sight,
    log::{FaultyLog, GameKey, LogReader},
};

use crate::{
    clock::Clock,
    counter::{Command, Counter},
    support::{
        COUNTER, Player, Port, Rejection, Scratch, Served, create, create_with_timeout, greet, join, options, resume,
        watch,
    },
};

/// Creates a game with two players and plays its first moves.
async fn two(served: &Served) -> (Player, Player) {
    let mut ana = served.creator("100").await;
    let mut bo = served.enter(Form::Json, join(ana.game())).await.expect("a place");
    bo.send(Command::Join { name: "Bo".into() }).await;
    bo.add(2).await;
    assert_eq!(bo.hears().await, "1 Greeted; 2 Joined Bo; 3 Counted 2");
    ana.hears().await;
    (ana, bo)
}

/// Checks that all players keep their identity, and that the numbers of events and clients continue.
async fn goes_on(served: &Served, ana: &Player, bo: &Player) {
    let games = served.host.list();
    assert_eq!(games.len(), 1);
    assert_eq!((games[0].game.as_str(), games[0].players.join(" ")), (ana.game(), "Ana Bo".into()));
    let mut ana = served.enter(Form::Binary, resume(ana.game(), ana.token(), 3)).await.expect("the place");
    let mut bo = served.enter(Form::Json, resume(ana.game(), bo.token(), 3)).await.expect("the place");
    assert_eq!((ana.welcome.client, bo.welcome.client), (Some(1), Some(2)));
    assert_eq!(ana.hears().await, "4 Counted 2", "what was missed");
    ana.add(3).await;
    assert_eq!(ana.hears().await, "5 Counted 5");
    assert_eq!(bo.hears().await, "4 Counted 5");
    let third = served.enter(Form::Json, join(ana.game())).await.expect("a place");
    assert_eq!(third.welcome.client, Some(3), "numbers of clients go on, too");
    let mut eve = served.enter(Form::Json, watch(ana.game(), 2)).await.expect("a place to watch");
    assert_eq!(eve.hears().await, "3 Moved 2; 4 Counted 2; 5 Moved 1; 6 Counted 5");
}

#[tokio::test]
async fn a_host_that_stopped_goes_on() {
    let scratch = Scratch::new();
    let served = Served::on(scratch.log()).await;
    let (mut ana, mut bo) = two(&served).await;
    let mut eve = served.enter(Form::Json, watch(ana.game(), 4)).await.expect("a place to watch");
    served.stop().await;
    for player in [&mut ana, &mut bo, &mut eve] {
        assert_eq!(player.rest().await, "closing ShuttingDown");
    }
    let served = Served::on(scratch.log()).await;
    goes_on(&served, &ana, &bo).await;
}

/// Entries that are not yet durable when the host stops are stored, and their events are sent.
#[tokio::test]
async fn a_host_that_stops_tells_what_it_has_taken() {
    let scratch = Scratch::new();
    let log = FaultyLog::new(scratch.log());
    let served = Served::on(Arc::new(log.clone())).await;
    let mut ana = served.creator("100").await;
    log.hold();
    ana.add(1).await;
    ana.add(1).await;
    ana.hears_nothing().await;
    tokio::join!(served.stop(), async {
        ana.hears_nothing().await;
        log.release();
        assert_eq!(ana.rest().await, "3 Counted 1; 4 Counted 2; closing ShuttingDown");
    });
    let served = Served::on(scratch.log()).await;
    let mut ana = served.enter(Form::Json, resume(ana.game(), ana.token(), 4)).await.expect("the place");
    ana.add(1).await;
    assert_eq!(ana.hears().await, "5 Counted 3");
}

#[tokio::test]
async fn a_host_that_was_cut_off_goes_on() {
    let scratch = Scratch::new();
    let served = Served::on(scratch.log()).await;
    let (ana, bo) = two(&served).await;
    for _ in 0..2 {
        let crashed = scratch.copy();
        let again = Served::on(crashed.log()).await;
        goes_on(&again, &ana, &bo).await;
        again.stop().await;
    }
}

#[tokio::test]
async fn a_host_that_stops_takes_no_new_games() {
    let served = Served::new().await;
    let mut visitor = served.connect(Form::Json).await;
    visitor.games().await.expect("a list");
    served.host.stop().await.expect("stopped");
    let answer = greet(&mut visitor, create("1")).await;
    assert_eq!(answer, Err(Rejection::Closing(Reason::ShuttingDown)));
}

#[tokio::test]
async fn time_never_goes_back_and_timers_start_anew() {
    let clock = Clock::stop();
    let scratch = Scratch::new();
    let served = Served::on(scratch.log()).await;
    let mut ana = served.enter(Form::Binary, create_with_timeout("100", 500)).await.expect("a game");
    ana.send(Command::Join { name: "Ana".into() }).await;
    assert_eq!(ana.hears().await, "1 Greeted; 2 Joined Ana");
    assert_eq!(clock.until(ana.next()).await, "3 Rang 0");
    ana.send(Command::Wait { timer: 1, after: 1500 }).await;
    ana.hears().await;
    clock.pass(Duration::from_millis(250)).await;
    clock.until(served.stop()).await;

    let served = Served::on(scratch.log()).await;
    let back = tokio::time::Instant::now();
    let mut ana = served.enter(Form::Json, resume(ana.game(), ana.token(), 3)).await.expect("the place");
    assert_eq!(clock.until(ana.next()).await, "4 Rang 1", "what was due before is not due again");
    assert!(back.elapsed() >= Duration::from_millis(1490), "the full length: {:?}", back.elapsed());
    clock.until(ana.hears_nothing()).await;
    clock.until(served.stop()).await;

    let log = scratch.log();
    let rows = log.rows(GameKey(1), 1).await.expect("the entries");
    let entries: Vec<EntryOf<Counter>> = rows.iter().map(|row| Entry::decode(&row.bytes).expect("an entry")).collect();
    let times: Vec<u64> = entries.iter().map(|entry| entry.input.elapsed_ms).collect();
    assert!(times.is_sorted(), "{times:?}");
    let rang = entries.iter().filter(|entry| matches!(entry.input.cause, Cause::Timer { .. })).count();
    assert_eq!((entries.len(), rang), (4, 2));
    assert!(times[3] >= times[2] + 1490, "the clock goes on from where it stood: {times:?}");
}

#[tokio::test]
async fn a_game_of_other_rules_stays_as_it_is() {
    let scratch = Scratch::new();
    let served = Served::on(scratch.log()).await;
    let (ana, bo) = two(&served).await;
    served.stop().await;

    const NEWER: &[&dyn HostedGame] = &[&Erased::<Counter<2>>::NEW];
    for rulebooks in [NEWER, &[]] {
        let served = Served::open(Options {
            games: GameTable::new(rulebooks.to_vec()),
            ..options(scratch.log(), Limits::default())
        })
        .await;
        assert_eq!(served.host.list(), []);
        let refused = served.enter(Form::Json, resume(ana.game(), ana.token(), 0)).await.err();
        assert_eq!(refused, Some(Rejection::Refused(Reason::StoreFailed)));
        served.stop().await;
    }
    let served = Served::on(scratch.log()).await;
    goes_on(&served, &ana, &bo).await;
}

/// A newer program continues games of older rules with those rules: the older program, which supports only those, accepts the
/// whole log.
#[tokio::test]
async fn a_game_of_older_rules_goes_on() {
    const NEWER: &[&dyn HostedGame] = &[&Erased::<Counter<3>>::NEW];
    let newer = |log| Options { games: GameTable::new(NEWER.to_vec()), ..options(log, Limits::default()) };
    let scratch = Scratch::new();
    let served = Served::on(scratch.log()).await;
    let (ana, bo) = two(&served).await;
    let mut done = served.creator("3").await;
    done.add(1).await;
    done.add(2).await;
    assert_eq!(done.rest().await, "3 Counted 1; 4 Counted 3; 5 Done; closing GameOver");
    served.stop().await;

    let log = scratch.log();
    let served = Served::open(newer(log.clone())).await;
    goes_on(&served, &ana, &bo).await;
    let mut new = served.creator("100").await;
    new.add(1).await;
    assert_eq!(new.hears().await, "3 Counted 2", "by the newest rules");
    let fork = served.host.fork(done.game(), 2).await.expect("a fork");
    let mut eve = served.enter(Form::Json, join(&fork)).await.expect("a place");
    eve.send(Command::Join { name: "Eve".into() }).await;
    eve.add(1).await;
    assert_eq!(eve.hears().await, "1 Greeted; 2 Joined Eve; 3 Counted 2", "a fork is of its parent's version");
    for (game, version) in [(ana.game(), 1), (&fork, 1), (new.game(), 3)] {
        let head = log.find(game).await.expect("a search").expect("a game");
        assert_eq!(head.record.about.rules_version, version);
        let mut chronicle = NEWER[0].chronicle(&head, Sight::Everything).expect("a story");
        chronicle.extend(log.rows(head.record.key, 1).await.expect("entries")).expect("they fit");
        assert_eq!(chronicle.difference(), None);
        let recovered = COUNTER[0].rebuild(game, &head.header, &Mutex::default());
        let refused = "the log is not of counter with rules version 1; its version is 3";
        assert_eq!(recovered.err().map(|error| error.to_string()).as_deref(), (version == 3).then_some(refused));
    }
    served.stop().await;
    drop(log);

    let served = Served::on(scratch.log()).await;
    let mut games: Vec<String> = served.host.list().into_iter().map(|game| game.game).collect();
    games.sort();
    let mut expected = [ana.game().to_owned(), fork];
    expected.sort();
    assert_eq!(games, expected, "not the one of newer rules");
    let mut ana = served.enter(Form::Json, resume(ana.game(), ana.token(), 4)).await.expect("the place");
    ana.add(1).await;
    assert_eq!(ana.hears().await, "5 Counted 5; 6 Counted 6");
}

#[tokio::test]
async fn a_game_that_differs_from_its_log_stays_as_it_is() {
    const OTHERWISE: &[&dyn HostedGame] = &[&Erased::<Counter<1, 1>>::NEW];
    const PANICS: &[&dyn HostedGame] = &[&Erased::<Counter<1, 2>>::NEW];
    let scratch = Scratch::new();
    let served = Served::on(scratch.log()).await;
    let (ana, bo) = two(&served).await;
    let mut other = served.creator("1").await;
    let done = served.creator("100").await;
    served.stop().await;
    for rulebooks in [OTHERWISE, PANICS] {
        let served = Served::open(Options {
            games: GameTable::new(rulebooks.to_vec()),
            ..options(scratch.log(), Limits::default())
        })
        .await;
        let games: Vec<String> = served.host.list().into_iter().map(|game| game.game).collect();
        let mut expected = [other.game().to_owned(), done.game().to_owned()];
        expected.sort();
        assert_eq!(games, expected, "nothing was counted in these");
        let refused = served.enter(Form::Json, resume(ana.game(), ana.token(), 0)).await.err();
        assert_eq!(refused, Some(Rejection::Refused(Reason::Damaged)));
        let old = Hello { protocol: 2, ..resume(ana.game(), ana.token(), 0) };
        assert_eq!(served.enter(Form::Json, old).await.err(), Some(Rejection::Refused(Reason::StoreFailed)));
        let health = Port::of(&served).await.get("/health").await;
        assert_eq!((health.status, &health.json()["damaged"]), (200, &serde_json::json!([ana.game()])));
        served.stop().await;
    }
    assert_eq!(other.rest().await, "closing ShuttingDown");
    let served = Served::on(scratch.log()).await;
    for (game, token) in [(other.game(), other.token()), (done.game(), done.token())] {
        served.enter(Form::Json, resume(game, token, 2)).await.expect("the place");
    }
    let mut ana = served.enter(Form::Binary, resume(ana.game(), ana.token(), 4)).await.expect("the place");
    let mut bo = served.enter(Form::Binary, resume(ana.game(), bo.token(), 3)).await.expect("the place");
    ana.add(1).await;
    assert_eq!(ana.hears().await, "5 Counted 3");
    assert_eq!(bo.hears().await, "4 Counted 3");
}

/// A timer is due by the game's own clock and never earlier, which a replay checks.
#[tokio::test]
async fn games_with_timers_come_back() {
    const GAMES: u64 = 100;
    let scratch = Scratch::new();
    let served = Served::on(scratch.log()).await;
    for game in 0..GAMES {
        let Want::Create(create) = create_with_timeout("100", 100 + game).want else { panic!("to create") };
        served.host.create(&create, Some(&format!("game-{game}"))).await.expect("a game");
    }
    for game in 0..GAMES {
        let mut eve = served.enter(Form::Binary, watch(&format!("game-{game}"), 0)).await.expect("a place to watch");
        assert_eq!(eve.next().await, "1 Rang 0");
    }
    served.stop().await;
    let served = Served::on(scratch.log()).await;
    assert_eq!(served.host.list().len(), GAMES as usize);
}
