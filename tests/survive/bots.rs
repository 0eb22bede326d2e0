//! `holdfast bot` on a host that is killed: the bots come back by themselves and play the game to its end.

use std::{
    io::Read,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use clients::{
    guest::{Guest, Place},
    remote::Player,
    strategy,
};
use commlib::{Create, Want};
use server::log::{GameRecord, LogFile, verify};

use crate::process::{HostProcess, Scratch};

const KILLS: u64 = 3;
/// How many entries a game must have grown by between two kills.
const APART: u64 = 15;
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn bots_come_back_by_themselves() {
    let scratch = Scratch::new("bots");
    let log = scratch.path("games.log");
    let mut host = HostProcess::start(&log, 20_000);
    let mut bots = Bots::start(&host.address().to_string());

    let mut entries = 0;
    for kill in 1..=KILLS {
        entries = grown(&log, entries + APART).tail.entries;
        host.kill();
        let left = game(&log).expect("the log has the game");
        assert!(left.end.is_none(), "kill {kill} comes in the middle of the game");
        host.restart();
    }
    let said = bots.end();
    assert!(said.ends_with("won\n") || said.contains("\nlost"), "{said}");
    assert!(said.starts_with("in game "), "{said}");

    host.wait_until_all_games_ended(Instant::now() + PATIENCE);
    let played = game(&log).expect("the log has the game");
    assert!(played.tail.entries > entries, "it went on after the last kill");
    assert_eq!(played.players.as_deref(), Some(&["bot 1".to_owned(), "bot 2".to_owned()][..]));
    assert!(played.end.is_some_and(|end| said.contains(&end.outcome)), "{said}");
    host.stop();
    assert!(verify(&log, |_| ()).expect("the log can be read").is_sound());
}

/// The host is killed before it hears that the game starts: nobody is asked anything, so the word has to be said again.
#[tokio::test]
async fn a_start_that_is_lost_is_said_again() {
    let scratch = Scratch::new("start");
    let log = scratch.path("games.log");
    let mut host = HostProcess::start(&log, 22_600);
    let bot = strategy("sensible").expect("a strategy").bot;
    let create = Create { rulebook: None, scenario: "winter".into(), edition: None, seed: Some(5), timeout: None };
    let mut place = Place { address: host.address(), want: Want::Create(create), game: None };
    let mut guests = Vec::new();
    for name in ["Ana", "Bo"] {
        let player = Player { name: name.into(), bot };
        let guest = Guest::enter(place.clone(), player, Duration::ZERO, 1).await.expect("a place");
        place = Place { want: Want::Join { seat: None }, game: Some(guest.game().into()), ..place };
        guests.push(guest);
    }
    host.kill();
    guests[0].start().await.expect("nothing that matters goes wrong");
    host.restart();
    let entries = game(&log).expect("the log has the game").tail.entries;
    assert_eq!(entries, 2, "nobody has heard of the start");
    for guest in guests.into_iter().map(|guest| tokio::spawn(guest.play())).collect::<Vec<_>>() {
        let played = tokio::time::timeout(PATIENCE, guest).await.expect("the game ends");
        played.expect("no panic").expect("the bot plays to the end");
    }
    host.wait_until_all_games_ended(Instant::now() + PATIENCE);
}

/// The only game of a log, if it is there yet.
fn game(log: &Path) -> Option<GameRecord> {
    let file = LogFile::open(log).expect("a log can be read while a host writes it");
    file.list().expect("its games can be listed").pop()
}

/// The game, once it has so many entries.
fn grown(log: &Path, entries: u64) -> GameRecord {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match game(log) {
            Some(game) if game.tail.entries >= entries => return game,
            found => assert!(Instant::now() < deadline, "the game does not go on: {found:?}"),
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Two bots in one process, which is gone with its value.
struct Bots(Child);

impl Bots {
    fn start(address: &str) -> Self {
        // Slow enough to be met in the middle of a game.
        let new = ["--new", "winter", "--count", "2", "--start", "--seed", "11", "--pace", "15"];
        let bots = Command::new(env!("CARGO_BIN_EXE_holdfast"))
            .args(["bot", "--connect", address])
            .args(new)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn();
        Self(bots.expect("the program starts"))
    }

    /// What they said, once they have ended well.
    fn end(&mut self) -> String {
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.0.try_wait().expect("it can be asked for") {
                break status;
            }
            assert!(Instant::now() < deadline, "the bots do not end");
            std::thread::sleep(Duration::from_millis(20));
        };
        let mut said = String::new();
        self.0.stdout.take().expect("it is piped").read_to_string(&mut said).expect("text");
        assert!(status.success(), "{status}: {said}");
        said
    }
}

impl Drop for Bots {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _ended = self.0.wait();
    }
}
