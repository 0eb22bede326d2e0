//! Recorded games, and the scripts that replay them.

mod steps;

use engine::{Cause, CommId, Emission, Entry, EntryOf, Header, Input, Outbox, Replay, Rulebook, Seats, Waiting};

use crate::{
    adapter::{CommandOf, EventOf, ScriptAdapter, SetupOf, TimerOf},
    client::{Client, default_names},
    local::Timers,
    stored::RecordingError,
    transcript::{AUTO, Ending, ScenarioText, Transcript},
};

/// A command or a timer of a game.
pub type Act<A> = Cause<CommandOf<A>, TimerOf<A>>;

/// A recorded game.
#[derive(Clone, Debug)]
pub struct Recording<A: ScriptAdapter> {
    /// The name of the game.
    pub name: String,
    /// The setup of the game.
    pub setup: SetupOf<A>,
    /// The seed of the game.
    pub seed: i64,
    /// The entries of the game.
    pub entries: Vec<Recorded<A>>,
    /// Whether the last entry ended the game.
    pub over: bool,
}

/// An entry of a game.
#[derive(Clone, Debug)]
pub struct Recorded<A: ScriptAdapter> {
    /// The command or the timer.
    pub cause: Act<A>,
    /// The client whose move it was; `None` if it was not the move of a single client.
    pub awaited: Option<CommId>,
    /// The emissions.
    pub emissions: Vec<Emission<EventOf<A>>>,
}

impl<A: ScriptAdapter> Recording<A> {
    /// Replays the stored header and entries of a game. A log that differs from the rules cannot be used as a test.
    ///
    /// # Errors
    ///
    /// If the log cannot be read, or its replay differs.
    pub fn of_log<'l>(header: &[u8], entries: impl IntoIterator<Item = &'l [u8]>) -> Result<Self, RecordingError> {
        let header: Header<SetupOf<A>> = Header::decode(header)?;
        let mut replay = Replay::<A::Rules>::new(&header)?;
        let mut recorded = Vec::new();
        for bytes in entries {
            let entry: EntryOf<A::Rules> = Entry::decode(bytes)?;
            let awaited = awaited(replay.game());
            replay.step(&entry)?;
            recorded.push(Recorded { cause: entry.input.cause, awaited, emissions: entry.emissions });
        }
        let over = replay.game().outcome().is_some();
        Ok(Self { name: header.game, setup: header.setup, seed: header.seed, entries: recorded, over })
    }

    /// Plays a game with these commands and timers.
    pub fn play<'c>(name: &str, setup: &SetupOf<A>, seed: i64, causes: impl IntoIterator<Item = &'c Act<A>>) -> Self {
        let mut outbox = Outbox::new();
        let mut game = A::Rules::start(setup, seed, &mut outbox);
        let mut timers = Timers::default();
        timers.follow(outbox.timers());
        let mut entries = Vec::new();
        for cause in causes {
            if let Cause::Timer { timer } = cause {
                timers.run_until(timer);
            }
            let awaited = awaited(&game);
            outbox.clear();
            game.fold(&Input { elapsed_ms: timers.elapsed_ms, cause: cause.clone() }, &mut outbox);
            timers.follow(outbox.timers());
            entries.push(Recorded { cause: cause.clone(), awaited, emissions: outbox.emissions().to_vec() });
        }
        let over = game.outcome().is_some();
        Self { name: name.into(), setup: setup.clone(), seed, entries, over }
    }

    /// The players, in the order of their numbers, with their names in the script.
    pub fn players(&self) -> Vec<Client> {
        let transcript = self.transcript(1, ScenarioText::File(String::new()));
        let seated = self.entries.iter().flat_map(|entry| &entry.emissions).filter_map(|emission| match emission {
            Emission::Seated { client } => Some(client.0),
            Emission::Unseated { .. } | Emission::Event { .. } => None,
        });
        seated.map(|number| Client { number, name: transcript.client_name(number) }).collect()
    }

    /// The transcript of the game. Before entry `from`, counted from 1, it has only the commands.
    pub fn transcript(&self, from: usize, scenario: ScenarioText) -> Transcript {
        let steps = steps::steps(&self.entries, from);
        let numbers = self.clients();
        let names = default_names(A::NAMING, &numbers, &steps);
        let clients = numbers.into_iter().zip(names).map(|(number, name)| Client { number, name }).collect();
        let waits = self.entries.iter().any(|entry| matches!(entry.cause, Cause::Timer { .. }));
        let edition = Some(A::Rules::edition(&self.setup)).filter(|edition| A::EDITIONS.contains(edition));
        let seconds = |milliseconds: u64| u32::try_from(milliseconds.div_ceil(1000)).unwrap_or(u32::MAX).max(1);
        Transcript {
            name: self.name.clone(),
            tags: Vec::new(),
            rulebook: A::NAMED.then(|| A::Rules::NAME.into()),
            edition: edition.unwrap_or(AUTO).into(),
            seed: self.seed,
            timeout: A::timeout_ms(&self.setup).filter(|_| waits).map(seconds),
            clients,
            scenario,
            steps,
            end: if self.over { Ending::Ended } else { Ending::Any },
        }
    }

    /// The commands and timers, in order.
    pub fn causes(&self) -> impl Iterator<Item = &Act<A>> {
        self.entries.iter().map(|entry| &entry.cause)
    }

    /// The clients that send or receive something.
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

fn awaited(game: &impl Rulebook) -> Option<CommId> {
    match game.waiting_for() {
        Waiting::One(client) => Some(client),
        Waiting::Anyone | Waiting::GameOver => None,
    }
}
