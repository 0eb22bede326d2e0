//! Games that bots play on a host: to their end, or as far as a test advances them.

use std::{
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use colony::{
    remote::{Plan, Player, RemoteError, Tally, keep_playing},
    strategy,
    table::Table,
};
use colony_rules::Setup;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::{driver::Browser, site::Site};

pub(super) const PLAYERS: [(&str, &str); 3] = [("Ana", "sensible"), ("Bo", "sensible"), ("Cyd", "random")];

/// A host with one finished game, and a browser that shows it from its start.
pub(super) fn finished() -> Option<(Browser, Site, String)> {
    let browser = Browser::start()?;
    let site = Site::host();
    let game = site.play(&PLAYERS, 7);
    browser.open(&site.url(&format!("/games/{game}?step=0")));
    browser.shows(0);
    Some((browser, site, game))
}

/// A host without a low message limit, for a test that sends commands as fast as it can.
pub(super) fn driven_host() -> Site {
    Site::host_with(&["--messages-per-second", "1000000"])
}

impl Site {
    /// A game of winter with two players that advances only when the test calls [`DrivenGame::play`].
    pub(super) fn driven(&self, seed: i64) -> DrivenGame {
        DrivenGame::start(self.port(), seed)
    }

    /// Plays a game of winter to its end. Returns its name.
    pub(super) fn play(&self, players: &[(&str, &str)], seed: i64) -> String {
        self.try_to_play(players, seed).unwrap_or_else(|error| panic!("{error}"));
        let game = self.games("finished", 1).swap_remove(0);
        let told = self.lines(&format!("/api/v1/games/{game}")).swap_remove(0);
        let names: Vec<&str> = players.iter().map(|(name, _)| *name).collect();
        assert_eq!(told["game"]["players"], json!(names), "all of them play");
        game
    }

    /// Plays a game of winter. Each player has a name and a strategy.
    pub(super) fn try_to_play(&self, players: &[(&str, &str)], seed: i64) -> Result<(), RemoteError> {
        let player = |&(name, bot): &(&str, &str)| Player {
            name: name.to_owned(),
            bot: strategy(bot).expect("a strategy of this name").bot,
        };
        let scenario = colony::scenario("winter").expect("it is built in");
        let plan = Plan {
            address: self.port().into(),
            scenario: "winter".into(),
            setup: Setup::new(scenario, None, None).expect("it is sound"),
            pace: Duration::ZERO,
            pause: Duration::ZERO,
        };
        let players: Vec<Player> = players.iter().map(player).collect();
        let (doors, tally) = (Semaphore::new(1), Tally::default());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(keep_playing(&plan, [seed].into_iter(), |_| players.clone(), &doors, &tally))
    }
}

/// A game between bots in which the test sends every command. A copy of the game in this process decides the next one.
pub(super) struct DrivenGame {
    pub(super) name: String,
    table: Table,
    seats: [Seat; 2],
}

impl DrivenGame {
    fn start(address: SocketAddr, seed: i64) -> Self {
        let scenario = colony::scenario("winter").expect("it is built in");
        let setup = Setup::new(scenario, None, None).expect("it is sound");
        let bot = strategy("sensible").expect("there is one").bot;
        let table = Table::new(&setup, seed, &[bot; 2]);
        let create = json!({"create": {"scenario": "winter", "seed": seed}});
        let (first, name) = Seat::take(address, &create, None);
        let (second, _) = Seat::take(address, &json!({"join": {}}), Some(&name));
        Self { name, table, seats: [first, second] }
    }

    /// Plays this many commands, or fewer if the game ends. Returns whether the game continues.
    pub(super) fn play(&mut self, commands: usize) -> bool {
        for _ in 0..commands {
            let Some((client, command)) = self.table.next_command() else { return false };
            let seat = &mut self.seats[client.0 as usize - 1];
            seat.do_and_wait(&json!({ "command": command }));
            self.table.play(client, command);
        }
        true
    }

    /// Plays the game to its end.
    pub(super) fn finish(&mut self) {
        while self.play(1) {}
    }
}

/// A player's connection over TCP.
struct Seat {
    lines: std::io::Lines<BufReader<TcpStream>>,
    stream: TcpStream,
}

impl Seat {
    /// Joins or creates a game. Returns the seat and the name of the game.
    fn take(address: SocketAddr, want: &Value, game: Option<&str>) -> (Self, String) {
        let stream = TcpStream::connect(address).expect("a connection");
        let lines = BufReader::new(stream.try_clone().expect("the same")).lines();
        let mut seat = Self { lines, stream };
        seat.say(&json!({"hello": {"protocol": 2, "want": want, "game": game}}));
        let welcome = seat.next().expect("a welcome");
        let game = welcome["welcome"]["game"].as_str().unwrap_or_else(|| panic!("{welcome}")).to_owned();
        (seat, game)
    }

    /// Sends a command and waits until the host has handled it. After the last command of a game, the host closes the
    /// connection.
    fn do_and_wait(&mut self, command: &Value) {
        self.say(command);
        self.say(&json!({"ping": 1}));
        while let Some(message) = self.next() {
            assert!(message.pointer("/event/event/CommandFailed").is_none(), "{message}");
            if message.get("pong").is_some() || message.get("closing").is_some() {
                return;
            }
        }
    }

    fn say(&mut self, message: &Value) {
        writeln!(self.stream, "{message}").expect("sent");
    }

    /// The next message; `None` once the connection is closed.
    fn next(&mut self) -> Option<Value> {
        let line = self.lines.next()?.ok()?;
        Some(serde_json::from_str(&line).expect("JSON"))
    }
}
