//! A game that was played, and the script that plays it again.

mod steps;

use std::{fs::File, io::Read as _, path::Path};

use colony::{Command, Event, Game, Setup, Timer};
use engine::{Cause, CommId, Emission, Entry, Header, Input, Outbox, Replay, Rulebook, Seats, Waiting};
use script::{Client, Ending, ScenarioText, Transcript, default_names};
use server::log::LogFile;

use crate::files::unreadable;

/// Whatever moves a game on.
pub type Act = Cause<Command, Timer>;

/// A game, entry by entry.
#[derive(Clone, Debug)]
pub struct Recording {
    /// What the game is called.
    pub name: String,
    pub setup: Setup,
    pub seed: i64,
    pub entries: Vec<Moment>,
    /// The last entry ended the game.
    pub over: bool,
}

/// An entry of a game.
#[derive(Clone, Debug)]
pub struct Moment {
    pub cause: Act,
    /// Who was expected to send something, if somebody in particular was.
    pub awaited: Option<CommId>,
    pub emissions: Vec<Emission<Event>>,
}

impl Recording {
    /// Reads a game from a log file, the only one if it is not named, and folds it again: what a log says and our rules
    /// do not is no use as a test.
    pub fn of_log(file: &Path, game: Option<&str>) -> Result<Self, String> {
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
        if !is_log(file)? {
            return Err(failed(&"this is no log of a host; `holdfast host --log games.log` writes one"));
        }
        let log = LogFile::open(file).map_err(|error| failed(&error))?;
        let name = match game {
            Some(name) => name.to_owned(),
            None => only_game(&log).map_err(|error| failed(&error))?,
        };
        let head = log.find(&name).map_err(|error| failed(&error))?;
        let head = head.ok_or_else(|| failed(&format!("there is no game {name}; {}", games(&log))))?;
        let of_game = |error: &dyn std::fmt::Display| failed(&format!("game {name}: {error}"));
        let header: Header<Setup> = Header::decode(&head.header).map_err(|error| of_game(&error))?;
        let mut replay = Replay::<Game>::new(&header).map_err(|error| of_game(&error))?;
        let mut entries = Vec::new();
        for row in log.read(head.record.key, 1).map_err(|error| of_game(&error))? {
            let entry: Entry<Command, Timer, Event> = Entry::decode(&row.bytes).map_err(|error| of_game(&error))?;
            let awaited = awaited(replay.game());
            replay.step(&entry).map_err(|difference| of_game(&difference))?;
            entries.push(Moment { cause: entry.input.cause, awaited, emissions: entry.emissions });
        }
        let over = replay.game().outcome().is_some();
        Ok(Self { name, setup: header.setup, seed: header.seed, entries, over })
    }

    /// Plays a game.
    pub fn play<'c>(name: &str, setup: &Setup, seed: i64, causes: impl IntoIterator<Item = &'c Act>) -> Self {
        let mut outbox = Outbox::new();
        let mut game = Game::start(setup, seed, &mut outbox);
        let mut elapsed = 0;
        let mut entries = Vec::new();
        for cause in causes {
            if let Cause::Timer { .. } = cause {
                elapsed += setup.timeout.unwrap_or_default();
            }
            let awaited = awaited(&game);
            outbox.clear();
            game.fold(&Input { elapsed, cause: cause.clone() }, &mut outbox);
            entries.push(Moment { cause: cause.clone(), awaited, emissions: outbox.emissions().to_vec() });
        }
        let over = game.outcome().is_some();
        Self { name: name.into(), setup: setup.clone(), seed, entries, over }
    }

    /// Forgets what comes after so many entries.
    pub fn cut(&mut self, entries: usize) {
        if entries < self.entries.len() {
            self.entries.truncate(entries);
            self.over = false;
        }
    }

    /// The script of the game. Of what comes before entry `from`, counted from 1, it has only the commands.
    pub fn transcript(&self, from: usize, scenario: ScenarioText) -> Transcript {
        let steps = steps::steps(&self.entries, from);
        let numbers = self.clients();
        let names = default_names(&numbers, &steps);
        let clients = numbers.into_iter().zip(names).map(|(number, name)| Client { number, name }).collect();
        let waits = self.entries.iter().any(|entry| matches!(entry.cause, Cause::Timer { .. }));
        let seconds = |milliseconds: u64| u32::try_from(milliseconds.div_ceil(1000)).unwrap_or(u32::MAX).max(1);
        Transcript {
            name: self.name.clone(),
            tags: Vec::new(),
            edition: self.setup.edition.name().into(),
            seed: self.seed,
            timeout: self.setup.timeout.filter(|_| waits).map(seconds),
            clients,
            scenario,
            steps,
            end: if self.over { Ending::Ended } else { Ending::Any },
        }
    }

    /// Those who play, in the order of their numbers as players, under the names that the script gives them.
    pub fn players(&self) -> Vec<Client> {
        let transcript = self.transcript(1, ScenarioText::File(String::new()));
        let seated = self.entries.iter().flat_map(|entry| &entry.emissions).filter_map(|emission| match emission {
            Emission::Seated { client } => Some(client.0),
            Emission::Unseated { .. } | Emission::Event { .. } => None,
        });
        seated.map(|number| Client { number, name: transcript.client_name(number) }).collect()
    }

    pub fn causes(&self) -> impl Iterator<Item = &Act> {
        self.entries.iter().map(|entry| &entry.cause)
    }

    /// Everybody who says or is told something.
    fn clients(&self) -> Vec<u32> {
        let mut seats = Seats::default();
        let mut clients = Vec::new();
        for entry in &self.entries {
            if let Cause::Command { client, .. } = &entry.cause {
                clients.push(client.0);
            }
            entry.emissions.iter().for_each(|emission| seats.follow(emission, |client, _| clients.push(client.0)));
        }
        clients.sort_unstable();
        clients.dedup();
        clients
    }
}

/// How a script names the scenario: as a built-in one, or by its text.
pub fn scenario_text(setup: &Setup) -> ScenarioText {
    let built_in = resources::scenario_names().find(|name| resources::scenario(name) == Some(&*setup.text));
    built_in.map_or_else(|| ScenarioText::Text((*setup.text).into()), |name| ScenarioText::File(name.into()))
}

fn awaited(game: &Game) -> Option<CommId> {
    match game.waiting_for() {
        Waiting::One(client) => Some(client),
        Waiting::Anybody | Waiting::Nobody => None,
    }
}

/// Whether the file could be a log, which is one of SQLite's.
fn is_log(file: &Path) -> Result<bool, String> {
    const FIRST: &[u8] = b"SQLite format 3\0";
    let mut start = Vec::new();
    let read = File::open(file).and_then(|file| file.take(FIRST.len() as u64).read_to_end(&mut start));
    read.map_err(|error| unreadable(file, &error))?;
    Ok(start == FIRST)
}

fn only_game(log: &LogFile) -> Result<String, String> {
    match log.list().map_err(|error| error.to_string())?.as_slice() {
        [only] => Ok(only.name.clone()),
        [] => Err("there are no games in it".into()),
        [_, _, ..] => Err(format!("name one of its games with --game; {}", games(log))),
    }
}

/// The games to choose from.
fn games(log: &LogFile) -> String {
    const MOST: usize = 20;
    let games = log.list().unwrap_or_default();
    let shown: Vec<String> =
        games.iter().take(MOST).map(|game| format!("{} ({} entries)", game.name, game.tail.entries)).collect();
    let more = if games.len() > MOST { format!(" and {} more", games.len() - MOST) } else { String::new() };
    format!("there are {}{more}", shown.join(", "))
}
