//! Finds seeds whose games grant a wish.

use std::fmt;

use crate::{
    Bot,
    table::{MOST_COMMANDS, Table},
};
use colony_rules::{Command, Event, Opening, Setup, Timer};
use engine::{ArgumentError, Cause, CommId};
use script::{Client, RecordedGame, ScriptAdapter, SeedSearch, Step, Transcript};

use super::{Act, Colony, Recording, watch::Watch, wish::Wish};

/// Default names of players.
const NAMES: [&str; 8] = ["Ana", "Bo", "Cleo", "Dov", "Eva", "Finn", "Gil", "Hana"];

/// The games to search: their beginning, and the bots that continue them.
#[derive(Clone, Debug)]
pub struct Games {
    /// The setup of all games.
    pub setup: Setup,
    /// The players, in the order of their numbers.
    pub players: Vec<Client>,
    /// The commands at the beginning.
    beginning: Vec<Act>,
    /// Whether the beginning is the usual one: all players register.
    plain: bool,
    bot: Bot,
}

impl Games {
    /// Games in which this many players register and the bots play.
    ///
    /// # Errors
    ///
    /// If the scenario does not allow this many players.
    pub fn plain(setup: &Setup, players: usize, bot: Bot) -> Result<Self, NoGames> {
        let most = usize::from(setup.scenario.max_players);
        if !(1..=most).contains(&players) {
            return Err(NoGames::Players { players, most });
        }
        let name = |number: u32| match NAMES.get(number as usize - 1) {
            Some(name) => (*name).to_owned(),
            None => format!("Player{number}"),
        };
        let players: Vec<Client> = (1..).take(players).map(|number| Client { number, name: name(number) }).collect();
        let send = |client: u32, command| Cause::Command { client: CommId(client), command };
        let register = |player: &Client| send(player.number, Command::Register { name: player.name.as_str().into() });
        let mut beginning: Vec<Act> = players.iter().map(register).collect();
        if players.len() < most {
            beginning.push(send(1, Command::StartGame {}));
        }
        Ok(Self { setup: setup.clone(), players, beginning, plain: true, bot })
    }

    /// Games that begin with the commands of a script. The events that the script expects are ignored.
    ///
    /// # Errors
    ///
    /// If the script cannot be the beginning of a game.
    pub fn beginning_with(script: &Transcript, setup: &Setup, bot: Bot) -> Result<Self, NoGames> {
        let clients = &script.clients;
        let seat = |number: u32| (1..).zip(clients).find(|(_, client)| client.number == number).map(|(seat, _)| seat);
        let mut beginning = Vec::new();
        let mut players: Vec<Client> = Vec::new();
        let in_order = (1..).zip(clients).map(|(number, client)| Client { number, name: client.name.clone() });
        let in_order: Vec<Client> = in_order.collect();
        for step in &script.steps {
            let number = seat(step.client()).ok_or(NoGames::Stranger { client: step.client() })?;
            match step {
                Step::Expect { .. } => {}
                Step::Silence { .. } => beginning.push(Cause::Timer { timer: Timer::Deadline }),
                Step::Send { call, .. } => {
                    let sent = Colony::command(&call.name, &call.arguments);
                    let sent = sent.map_err(|error| NoGames::Command { name: call.name.clone(), error })?;
                    let new = players.iter().all(|player| player.number != number);
                    if matches!(sent, Command::Register { .. }) && new {
                        players.push(in_order[number as usize - 1].clone());
                    }
                    beginning.push(Cause::Command { client: CommId(number), command: sent });
                }
            }
        }
        for client in in_order {
            if !players.contains(&client) {
                players.push(client);
            }
        }
        if players.is_empty() || players.len() > usize::from(setup.scenario.max_players) {
            return Err(NoGames::ScriptPlayers { players: players.len() });
        }
        Ok(Self { setup: setup.clone(), players, beginning, plain: false, bot })
    }
}

/// Searches for seeds.
#[derive(Clone, Debug)]
pub struct Search {
    games: Games,
    watch: Watch,
    opening: Opening,
}

/// Why there are no games to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoGames {
    /// The scenario does not allow this many players.
    Players {
        /// The requested number of players.
        players: usize,
        /// The number of players that the scenario allows.
        most: usize,
    },
    /// A step of the script belongs to an unknown client.
    Stranger {
        /// The number of the client.
        client: u32,
    },
    /// A step of the script is not a command.
    Command {
        /// The name in the script.
        name: String,
        /// Why it is not a command.
        error: ArgumentError,
    },
    /// The scenario does not allow the players of the script.
    ScriptPlayers {
        /// How many players the script has.
        players: usize,
    },
}

impl fmt::Display for NoGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Players { players, most } => write!(f, "{players} players: this scenario is for 1 to {most}"),
            Self::Stranger { client } => write!(f, "client {client} is unknown"),
            Self::Command { name, error } => write!(f, "no command {name}: {error}"),
            Self::ScriptPlayers { players } => {
                write!(f, "the script has {players} players, and its scenario is for others")
            }
        }
    }
}

impl std::error::Error for NoGames {}

impl Search {
    /// A search for games that grant the wish.
    pub fn new(games: Games, wish: &Wish) -> Self {
        let players = games.players.len();
        let watch = Watch::new(wish, &games.setup, games.plain.then_some(players));
        let opening = Opening::new(&games.setup, players, watch.wanted());
        Self { games, watch, opening }
    }

    /// Whether the game with this seed grants the wish.
    pub fn grants(&mut self, seed: i64) -> bool {
        self.look_at_opening(seed).unwrap_or_else(|| {
            self.play(seed, |_| {});
            self.watch.verdict() == Some(true)
        })
    }

    /// The game with this seed up to the command that decides the wish. If the opening alone decides it, up to the first turn.
    pub fn record(&mut self, name: &str, seed: i64) -> Recording {
        let mut acts = Vec::new();
        if self.look_at_opening(seed).is_some() {
            self.play_opening(seed, &mut acts);
        } else {
            self.play(seed, |act| acts.push(act.clone()));
        }
        Recording::play(name, &self.games.setup, seed, &acts)
    }

    /// Whether the start of a game nearly always decides the wish. Then each seed takes so little time that threads should take
    /// many at once.
    fn is_about_openings(&self) -> bool {
        let mut search = self.clone();
        (0..64).all(|seed| search.look_at_opening(seed).is_some())
    }

    fn look_at_opening(&mut self, seed: i64) -> Option<bool> {
        self.opening.deal(seed);
        self.watch.restart();
        self.watch.look_at(&self.opening, &self.games.setup);
        self.watch.verdict()
    }

    /// Plays until the wish is decided. `then` is called after every command.
    fn play(&mut self, seed: i64, mut then: impl FnMut(&Act)) {
        let mut table = self.table(seed);
        for act in &self.games.beginning {
            then(act);
            table.take(act.clone());
            self.watch.hear(table.outbox().events().map(|(_, event)| event));
            if self.watch.verdict().is_some() {
                return;
            }
        }
        while table.commands < MOST_COMMANDS
            && let Some((client, command)) = table.next_command()
        {
            then(&Cause::Command { client, command: command.clone() });
            table.play(client, command);
            self.watch.hear(table.outbox().events().map(|(_, event)| event));
            if self.watch.verdict().is_some() {
                return;
            }
        }
        self.watch.end();
    }

    /// Plays the beginning, and continues to the first turn.
    fn play_opening(&self, seed: i64, acts: &mut Vec<Act>) {
        let mut table = self.table(seed);
        let mut begun = false;
        let mut given = self.games.beginning.iter();
        loop {
            let act = match given.next() {
                Some(act) => act.clone(),
                None if begun => return,
                None => match table.next_command() {
                    Some((client, command)) => Cause::Command { client, command },
                    None => return,
                },
            };
            table.take(act.clone());
            acts.push(act);
            begun |= table.outbox().events().any(|(_, event)| matches!(event, Event::NextRound { .. }));
        }
    }

    fn table(&self, seed: i64) -> Table {
        Table::new(&self.games.setup, seed, &vec![self.games.bot; self.games.players.len()])
    }
}

impl SeedSearch for Search {
    fn copy(&self) -> Box<dyn SeedSearch> {
        Box::new(self.clone())
    }

    fn is_fast(&self) -> bool {
        self.is_about_openings()
    }

    fn grants(&mut self, seed: i64) -> bool {
        self.grants(seed)
    }

    fn record(&mut self, name: &str, seed: i64) -> Box<dyn RecordedGame> {
        Box::new(self.record(name, seed))
    }
}
