//! Treasure games of both years on a server that is killed: clients that ask again notice nothing but a delay.

use std::{net::SocketAddr, process::Command as Program, time::Duration};

use clients::treasure::{
    End, Failure, Names, Style,
    http::{BaseUrl, Line},
    y2017, y2022,
};
use server::log::LogFile;
use tokio::{
    task::JoinHandle,
    time::{sleep, timeout},
};

use crate::{
    process::{HostProcess, Scratch},
    show,
};

/// More than everything takes, on a machine with other things to do.
const PATIENCE: Duration = Duration::from_secs(240);
/// How often the server is killed.
const KILLS: u32 = 5;
/// Games of each kind.
const GAMES: i64 = 3;

type Playing = JoinHandle<Result<End, Failure>>;

#[test]
fn all_games_go_on() {
    let scratch = Scratch::new("treasure");
    let log = scratch.path("games.log");
    let mut server = HostProcess::treasure(&log, 32_500);
    let address = server.address();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let ends = runtime.block_on(async {
        let mut playing = Vec::new();
        for seed in 0..GAMES {
            let game = create(address, "enableDebugMode=true").await;
            playing.extend([0, 1].map(|player| new_player(address, &game, 2 * seed + player)));
            let game = create(address, "enableDebugMode=true&enableDummyCompetition=true").await;
            playing.push(new_player(address, &game, 100 + seed));
            playing.extend([0, 1].map(|player| old_player(address, 200 + 2 * seed + player)));
        }
        for _ in 0..KILLS {
            sleep(Duration::from_millis(900)).await;
            server.kill();
            sleep(Duration::from_millis(200)).await;
            server.restart();
        }
        let mut ends = Vec::new();
        for one in playing {
            let end = timeout(PATIENCE, one).await.expect("it ends").expect("without a panic");
            ends.push(end.unwrap_or_else(|failure| panic!("{failure}")));
        }
        ends
    });
    server.stop();

    let won = ends.iter().filter(|end| end.won).count();
    show(&format!(
        "  {won} of {} players won; actions: {:?}",
        ends.len(),
        ends.iter().map(|end| end.actions).collect::<Vec<_>>()
    ));
    assert!(
        ends.iter().filter(|end| end.actions > 20).count() as i64 > 2 * GAMES,
        "most games are whole ones: {ends:?}"
    );
    let file = LogFile::open(&log).expect("the log");
    for record in file.list().expect("games") {
        let outcome = record.end.map(|end| end.outcome);
        let decided = outcome.as_deref().is_some_and(|outcome| outcome.contains("wins"));
        assert!(decided, "{}: {outcome:?}", record.name);
        let mistakes = ["out of turn", "second half", "before both halves", "broken", "wrongly", "where it is not"];
        assert!(
            !mistakes.iter().any(|mistake| outcome.as_deref().is_some_and(|outcome| outcome.contains(mistake))),
            "{}: {outcome:?}",
            record.name
        );
    }
    for what in ["verify", "replay"] {
        let checked = Program::new(env!("CARGO_BIN_EXE_holdfast")).args(["log", what]).arg(&log).output();
        let checked = checked.expect("the program starts");
        assert!(checked.status.success(), "{what}: {checked:?}");
    }
}

fn base(address: SocketAddr) -> BaseUrl {
    format!("http://{address}").parse().expect("a base URL")
}

async fn create(address: SocketAddr, query: &str) -> String {
    let mut line = Line::new(base(address), PATIENCE);
    y2022::create(&mut line, query).await.expect("a game")
}

fn names(seed: i64) -> Names {
    Names { first_name: "Ana".into(), last_name: seed.to_string(), account: format!("a{seed}") }
}

fn new_player(address: SocketAddr, game: &str, seed: i64) -> Playing {
    let (base, game, names) = (base(address), game.to_owned(), names(seed));
    let poll = Duration::from_millis(25);
    let seat = y2022::Seat { base, game, player: None, names, patience: PATIENCE, poll };
    tokio::spawn(async move { y2022::play(seat, Style::Mind, seed, &mut |_| {}).await })
}

fn old_player(address: SocketAddr, seed: i64) -> Playing {
    let seat = y2017::Seat { base: base(address), names: names(seed), patience: PATIENCE };
    tokio::spawn(async move { y2017::play(seat, Style::Mind, seed, &mut |_| {}).await })
}
