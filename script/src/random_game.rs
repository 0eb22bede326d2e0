//! Games of random players, for every rulebook whose views offer something.

use engine::{
    Audience, Cause, CommId, Emission, Input, JavaRandom, Outbox, Projection, Rulebook, random_command, with_name,
};

use crate::{
    adapter::{EventOf, ScriptAdapter, SetupOf, TimerOf},
    client::Client,
    local::Timers,
    recording::{Act, Recording},
    step::Step,
    transcript::Transcript,
    wanted::{GameError, Wanted},
};

/// The most entries of a random game.
const MOST_ENTRIES: usize = 100_000;

/// The names of players that have none of their own.
const NAMES: [&str; 5] = ["Ana", "Bo", "Cleo", "Dov", "Eva"];

/// So many clients, with their names.
pub(crate) fn clients(count: usize) -> Vec<Client> {
    let name = |at: usize| NAMES.get(at).map_or_else(|| format!("Player{}", at + 1), |name| (*name).to_owned());
    (0..count).map(|at| Client { number: at as u32 + 1, name: name(at) }).collect()
}

/// A game of random players. The same setup, seed and clients give the same game.
pub(crate) struct RandomGame<A: ScriptAdapter> {
    game: A::Rules,
    outbox: Outbox<EventOf<A>, TimerOf<A>>,
    timers: Timers<TimerOf<A>>,
    views: Vec<(CommId, <A::Rules as Rulebook>::View)>,
    seated: Vec<CommId>,
    clients: Vec<Client>,
    random: JavaRandom,
    entries: usize,
}

impl<A: ScriptAdapter> RandomGame<A> {
    pub(crate) fn new(setup: &SetupOf<A>, seed: i64, clients: &[Client]) -> Self {
        let mut outbox = Outbox::new();
        let game = A::Rules::start(setup, seed, &mut outbox);
        let view = |client: &Client| (CommId(client.number), Projection::<A::Rules>::new(setup));
        let mut timers = Timers::default();
        timers.follow(outbox.timers());
        Self {
            game,
            outbox,
            timers,
            views: clients.iter().map(view).collect(),
            seated: Vec::new(),
            clients: clients.to_vec(),
            random: JavaRandom::new(seed.wrapping_mul(31).wrapping_add(7)),
            entries: 0,
        }
    }

    /// A random command, or the next timer if no player can do anything. `None` if the game is over, stuck or too long.
    pub(crate) fn next(&mut self) -> Option<Act<A>> {
        if self.game.outcome().is_some() || self.entries >= MOST_ENTRIES {
            return None;
        }
        let views: Vec<_> = self.views.iter().map(|(client, view)| (*client, view)).collect();
        let Some((client, command)) = random_command::<A::Rules>(&views, None, &mut self.random) else {
            return self.timers.next().map(|timer| Cause::Timer { timer });
        };
        let view = views.iter().find(|(known, _)| *known == client).map(|(_, view)| *view);
        let name = self.clients.iter().find(|known| known.number == client.0).map(|known| known.name.as_str());
        let command = match (view, name) {
            (Some(view), Some(name)) if !self.seated.contains(&client) => with_name::<A::Rules>(view, command, name),
            (Some(_) | None, _) => command,
        };
        Some(Cause::Command { client, command })
    }

    /// Folds a command or a timer, and returns what was said.
    pub(crate) fn fold(&mut self, cause: Act<A>) -> &[Emission<EventOf<A>>] {
        self.entries += 1;
        if let Cause::Timer { timer } = &cause {
            self.timers.run_until(timer);
        }
        self.outbox.clear();
        self.game.fold(&Input { elapsed_ms: self.timers.elapsed_ms, cause }, &mut self.outbox);
        self.timers.follow(self.outbox.timers());
        for emission in self.outbox.emissions() {
            match emission {
                Emission::Seated { client } => self.seated.push(*client),
                Emission::Unseated { client } => self.seated.retain(|seated| seated != client),
                Emission::Event { audience, event } => {
                    let hears = |client: CommId| match audience {
                        Audience::All | Audience::Board => true,
                        Audience::Only(only) => *only == client,
                    };
                    let views = self.views.iter_mut().filter(|(client, _)| hears(*client));
                    views.for_each(|(_, view)| view.apply(event));
                }
            }
        }
        self.outbox.emissions()
    }

    /// The timer that is due next.
    pub(crate) fn next_timer(&mut self) -> Option<Act<A>> {
        self.timers.next().map(|timer| Cause::Timer { timer })
    }
}

impl<A: ScriptAdapter> Recording<A> {
    /// Plays a game of random players to its end.
    pub fn random(name: &str, setup: &SetupOf<A>, seed: i64, players: usize) -> Self {
        let mut game = RandomGame::<A>::new(setup, seed, &clients(players));
        let mut acts = Vec::new();
        while let Some(act) = game.next() {
            acts.push(act.clone());
            game.fold(act);
        }
        Self::play(name, setup, seed, &acts)
    }

    /// Plays the commands and silences of a script by these rules. What the script expects does not matter.
    ///
    /// # Errors
    ///
    /// If the scenario is refused, or a command cannot be read.
    pub fn of_script(transcript: &Transcript, scenario: &str) -> Result<Self, GameError> {
        let (setup, acts) = acts_of::<A>(transcript, scenario)?;
        Ok(Self::play(&transcript.name, &setup, transcript.seed, &acts))
    }
}

/// The setup of a script, and its commands and silences.
pub(crate) fn acts_of<A: ScriptAdapter>(
    transcript: &Transcript,
    scenario: &str,
) -> Result<(SetupOf<A>, Vec<Act<A>>), GameError> {
    let edition = Some(transcript.edition.as_str()).filter(|edition| *edition != crate::AUTO);
    let timeout_ms = transcript.timeout.map(|seconds| u64::from(seconds) * 1000);
    let setup = A::setup(&Wanted { scenario, edition, timeout_ms })?;
    let mut game = RandomGame::<A>::new(&setup, transcript.seed, &transcript.clients);
    let mut acts = Vec::new();
    for step in &transcript.steps {
        let act = match step {
            Step::Send { client, call } => {
                let command = A::command(&call.name, &call.arguments);
                let command = command.map_err(|error| format!("{} cannot be sent: {error}", call.name))?;
                Some(Cause::Command { client: CommId(*client), command })
            }
            Step::Silence { .. } => game.next_timer(),
            Step::Expect { .. } => None,
        };
        if let Some(act) = act {
            acts.push(act.clone());
            game.fold(act);
        }
    }
    Ok((setup, acts))
}
