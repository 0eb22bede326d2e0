//! Treasure games of both years on a server that is killed. Clients that retry notice only a delay.

use std::{net::SocketAddr, path::Path, process::Command as Program, sync::Arc, time::Duration};

use tokio::{
    sync::Semaphore,
    task::{JoinHandle, block_in_place},
    time::timeout,
};
use treasure::players::{
    End, Failure, Names, Notice, Style,
    http::{BaseUrl, HttpClient},
    y2017, y2022,
};

use crate::{
    gate::Gate,
    process::{HostProcess, Scratch, check_landed_program_with, landed, today},
    show,
    stored::{self, wait},
};

/// A timeout that is longer than the whole test takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);
/// The number of times that the server is killed.
const KILLS: u32 = 5;
/// The number of actions that a player may make between two kills. It is so small that some games are not over at the last
/// kill.
const APART: u32 = 2;
/// The number of games of each kind, and of all players together.
const GAMES: i64 = 3;
const PLAYERS: u32 = 15;

type Playing = JoinHandle<Result<End, Failure>>;

#[test]
fn all_games_go_on() {
    go_on("treasure", &today());
}

/// The program of the last landed state starts the games, and is killed. Today's program goes on with them.
#[test]
fn upgrade() {
    let Some(landed) = landed() else { return };
    let scratch = go_on("treasure-upgrade", &landed);
    check_landed_program_with(&landed, &scratch.path("games.log"));
}

/// Starts a server with a program, and kills it several times. Returns the folder with the log.
fn go_on(test: &str, program: &Path) -> Scratch {
    let scratch = Scratch::new(test);
    let log = scratch.path("games.log");
    let words = &["treasure", "serve"];
    let mut server = HostProcess::start_program(program, &log, words, &["--no-polling-delay"], "treasure on ");
    let address = server.address();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let ends = runtime.block_on(async {
        let table = Table { address, gate: Arc::new(Gate::closed()), ready: Arc::new(Semaphore::new(0)) };
        let mut playing = Vec::new();
        for seed in 0..GAMES {
            let game = create(address, "enableDebugMode=true").await;
            playing.extend([0, 1].map(|player| table.new_player(&game, 2 * seed + player)));
            let game = create(address, "enableDebugMode=true&enableDummyCompetition=true").await;
            playing.push(table.new_player(&game, 100 + seed));
            playing.extend([0, 1].map(|player| table.old_player(200 + 2 * seed + player)));
        }
        // No kill before all players are registered: a registration without an answer is sent twice, and the seats are limited.
        let ready = timeout(PATIENCE, table.ready.acquire_many(PLAYERS)).await.expect("all come to their games");
        ready.expect("it is never closed").forget();
        for kill in 1..=KILLS {
            table.gate.open_until(kill * APART);
            // Players of 2017 who wait longer than their thinking time lose. The others may wait.
            table.gate.wait_for(kill * APART);
            server.kill();
            let records = stored::open(&log).and_then(|file| wait(file.list())).expect("the log");
            assert!(records.iter().any(|record| record.end.is_none()), "games are in the middle");
            server.restart();
        }
        table.gate.open();
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
    let file = stored::open(&log).expect("the log");
    for record in wait(file.list()).expect("games") {
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
    scratch
}

fn base(address: SocketAddr) -> BaseUrl {
    format!("http://{address}").parse().expect("a base URL")
}

async fn create(address: SocketAddr, query: &str) -> String {
    let mut client = HttpClient::new(base(address), PATIENCE);
    y2022::create(&mut client, query).await.expect("a game")
}

fn names(seed: i64) -> Names {
    Names { first_name: "Ana".into(), last_name: seed.to_string(), account: format!("a{seed}") }
}

/// The server, and the gate that limits the actions of all players.
struct Table {
    address: SocketAddr,
    gate: Arc<Gate>,
    /// Has a permit for each player that is in its game.
    ready: Arc<Semaphore>,
}

impl Table {
    fn new_player(&self, game: &str, seed: i64) -> Playing {
        let (base, game, names) = (base(self.address), game.to_owned(), names(seed));
        let poll = Duration::from_millis(25);
        let options = y2022::Options { base, game, player: None, names, patience: PATIENCE, poll };
        let mut watch = self.watch(|told| matches!(told, Notice::Line(_)));
        tokio::spawn(async move { y2022::play(options, Style::Mind, seed, &mut |told| watch(told)).await })
    }

    fn old_player(&self, seed: i64) -> Playing {
        let options = y2017::Options { base: base(self.address), names: names(seed), patience: PATIENCE };
        // Ready only with a map, because each half waits for the other.
        let mut watch = self.watch(|told| matches!(told, Notice::Scene(_)));
        tokio::spawn(async move { y2017::play(options, Style::Mind, seed, &mut |told| watch(told)).await })
    }

    /// Reports when a player is in its game, and blocks it while the gate is closed.
    fn watch(&self, is_in: fn(&Notice<'_>) -> bool) -> impl FnMut(Notice<'_>) + Send + use<> {
        let (gate, ready) = (self.gate.clone(), self.ready.clone());
        let mut is_ready = false;
        move |told| {
            if !is_ready && is_in(&told) {
                is_ready = true;
                ready.add_permits(1);
            }
            if let Notice::Scene(scene) = told {
                block_in_place(|| gate.pass(scene.actions));
            }
        }
    }
}
