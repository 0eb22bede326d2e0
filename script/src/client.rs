//! Who takes part in a scripted game, and whom `all` means.

use serde_json::Value;

use crate::step::{Expected, Step};

/// A client, under the name that a script calls it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// Its number in the game.
    pub number: u32,
    /// What the script calls it.
    pub name: String,
}

/// The events by which a script knows who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatEvents {
    /// A client is told it when it becomes a player. Players are numbered from 0 in the order in which they are told.
    pub joined: &'static str,
    /// Its first argument is the number of a player who is no longer in the game.
    pub left: &'static str,
    /// The type of fields that hold the number of a player, as the code writes it.
    pub player: &'static str,
}

/// Words that begin a line and so cannot be a client's name.
pub(crate) const RESERVED: &[&str] = &[
    "all", "server", "include", "fragment", "name", "tags", "rulebook", "edition", "scenario", "seed", "timeout",
    "players",
];

/// Names for the clients of a transcript that has none: what each first calls itself by the command `naming`, where that can be
/// one.
pub(crate) fn default_names(naming: Option<&str>, clients: &[u32], steps: &[Step]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for &number in clients {
        let registers = steps.iter().find_map(|step| match step {
            Step::Send { client, call } if *client == number && Some(call.name.as_str()) == naming => {
                call.arguments.first().and_then(Value::as_str)
            }
            Step::Send { .. } | Step::Expect { .. } | Step::Silence { .. } => None,
        });
        let name: String = registers.unwrap_or_default().chars().filter(|c| c.is_alphanumeric()).collect();
        let good = is_client_name(&name) && name.chars().count() <= 20 && !names.contains(&name);
        names.push(if good { name } else { format!("Client{number}") });
    }
    let unique = names.iter().enumerate().all(|(at, name)| !names[..at].contains(name));
    if unique { names } else { clients.iter().map(|number| format!("Client{number}")).collect() }
}

pub(crate) fn is_client_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(char::is_alphabetic)
        && letters.all(|c| c.is_alphanumeric() || c == '_' || c == '-')
        && !RESERVED.contains(&name)
}

/// Who is in the game after the steps so far, as far as the steps say so.
///
/// With [`SeatEvents`], a client is in from the event that it has joined until somebody must be told that its player has left.
/// Without, every client is in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seating {
    events: Option<SeatEvents>,
    /// The client of each player.
    players: Vec<u32>,
    seated: Vec<u32>,
}

impl Seating {
    /// Before the first step.
    pub(crate) fn new(events: Option<SeatEvents>, clients: &[Client]) -> Self {
        let all = if events.is_none() { clients.iter().map(|client| client.number).collect() } else { Vec::new() };
        Self { events, players: Vec::new(), seated: all }
    }

    /// Where all are in the game, in the order of their numbers as players.
    pub(crate) fn of(events: Option<SeatEvents>, players: Vec<u32>) -> Self {
        Self { events, seated: players.clone(), players }
    }

    /// Whom `all` means now, in the order in which they came.
    pub(crate) fn all(&self) -> &[u32] {
        &self.seated
    }

    pub(crate) fn client_of(&self, player: usize) -> Option<u32> {
        self.players.get(player).copied()
    }

    pub(crate) fn player_of(&self, client: u32) -> Option<usize> {
        self.players.iter().position(|&other| other == client)
    }

    pub(crate) fn follow(&mut self, step: &Step) {
        let Some(SeatEvents { joined, left, .. }) = self.events else { return };
        let Step::Expect { client, expected: Expected::Event(call) | Expected::Until(call) } = step else { return };
        if call.name == joined && self.player_of(*client).is_none() {
            self.players.push(*client);
            self.seated.push(*client);
        }
        if call.name == left {
            let player = call.arguments.first().and_then(Value::as_u64).and_then(|player| player.try_into().ok());
            let gone = player.and_then(|player| self.client_of(player));
            self.seated.retain(|&client| Some(client) != gone);
        }
    }
}
