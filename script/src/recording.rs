//! A game that was played, and the script that plays it again.

mod steps;

use colony::{Command, Event, Game, Setup, Timer};
use engine::{Cause, CommId, Emission, Entry, Header, Input, Outbox, Replay, Rulebook, Seats, Waiting};

use crate::{
    client::{Client, default_names},
    names::Names,
    print::print,
    transcript::{Ending, ScenarioText, Transcript},
};

/// Whatever moves a game on.
pub type Act = Cause<Command, Timer>;

/// A game, entry by entry.
#[derive(Clone, Debug)]
pub struct Recording {
    /// What the game is called.
    pub name: String,
    pub setup: Setup,
    pub seed: i64,
    pub entries: Vec<Recorded>,
    /// The last entry ended the game.
    pub over: bool,
}

/// An entry of a game.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub cause: Act,
    /// Who was expected to send something, if somebody in particular was.
    pub awaited: Option<CommId>,
    pub emissions: Vec<Emission<Event>>,
}

impl Recording {
    /// Folds the log of a game again, its header and its entries as they are stored: what a log says and our rules do not
    /// is no use as a test.
    pub fn of_log<'l>(header: &[u8], entries: impl IntoIterator<Item = &'l [u8]>) -> Result<Self, String> {
        let header: Header<Setup> = Header::decode(header).map_err(|error| error.to_string())?;
        let mut replay = Replay::<Game>::new(&header).map_err(|difference| difference.to_string())?;
        let mut recorded = Vec::new();
        for bytes in entries {
            let entry: Entry<Command, Timer, Event> = Entry::decode(bytes).map_err(|error| error.to_string())?;
            let awaited = awaited(replay.game());
            replay.step(&entry).map_err(|difference| difference.to_string())?;
            recorded.push(Recorded { cause: entry.input.cause, awaited, emissions: entry.emissions });
        }
        let over = replay.game().outcome().is_some();
        Ok(Self { name: header.game, setup: header.setup, seed: header.seed, entries: recorded, over })
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
            entries.push(Recorded { cause: cause.clone(), awaited, emissions: outbox.emissions().to_vec() });
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

    /// The script as text; see [`transcript`](Self::transcript).
    pub fn print(&self, from: usize, scenario: ScenarioText) -> String {
        print(&self.transcript(from, scenario), &Names::of(&self.setup.scenario))
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

fn awaited(game: &Game) -> Option<CommId> {
    match game.waiting_for() {
        Waiting::One(client) => Some(client),
        Waiting::Anybody | Waiting::Nobody => None,
    }
}
