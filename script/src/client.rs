//! The clients of a scripted game, and the meaning of `all`.

use serde_json::Value;

use crate::step::{Call, Expected, Step};

/// A client of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// The number of the client in the game.
    pub number: u32,
    /// The name of the client in the script.
    pub name: String,
}

/// The events that decide which clients are in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatEvents {
    /// The event that a client receives when it becomes a player. Players are numbered from 0 in this order.
    pub joined: &'static str,
    /// The event whose first argument is the number of a player that is no longer in the game.
    pub left: &'static str,
    /// The type of fields that hold the number of a player, as written in the source.
    pub player: &'static str,
}

/// Words that begin a line. A client cannot have them as its name.
pub(crate) const RESERVED: &[&str] = &[
    "all", "server", "include", "fragment", "name", "tags", "rulebook", "edition", "scenario", "seed", "timeout",
    "players",
];

/// Names for the clients of a transcript without names: the first argument of each client's command `naming`, if it is a valid
/// name.
pub(crate) fn default_names(naming: Option<&str>, clients: &[u32], steps: &[Step]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for &number in clients {
        let registered = steps.iter().find_map(|step| match step {
            Step::Send { client, call } if *client == number && Some(call.name.as_str()) == naming => {
                call.arguments.first().and_then(Value::as_str)
            }
            Step::Send { .. } | Step::Expect { .. } | Step::Silence { .. } => None,
        });
        let name: String = registered.unwrap_or_default().chars().filter(|c| c.is_alphanumeric()).collect();
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

/// The clients that are in the game after the steps so far, according to the steps alone.
///
/// With [`SeatEvents`], a client is in the game from its `joined` event until any client must receive the `left` event of its
/// player. Without them, every client is in the game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seating {
    events: Option<SeatEvents>,
    /// The client of each player.
    players: Vec<u32>,
    seated: Vec<u32>,
}

impl Seating {
    /// The state before the first step.
    pub(crate) fn new(events: Option<SeatEvents>, clients: &[Client]) -> Self {
        let all = if events.is_none() { clients.iter().map(|client| client.number).collect() } else { Vec::new() };
        Self { events, players: Vec::new(), seated: all }
    }

    /// The state in which all of these clients are in the game, in the order of their player numbers.
    pub(crate) fn of_players(events: Option<SeatEvents>, players: Vec<u32>) -> Self {
        Self { events, seated: players.clone(), players }
    }

    /// The clients that `all` means now, in the order in which they joined.
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
        let Step::Expect { client, expected } = step else { return };
        let calls = match expected {
            Expected::Event(call) | Expected::Until(call) | Expected::Never { until: call, .. } => vec![call],
            Expected::AnyOrder(calls) => calls.iter().collect(),
            Expected::Any | Expected::Nothing => Vec::new(),
        };
        calls.into_iter().for_each(|call| self.follow_call(*client, call, joined, left));
    }

    fn follow_call(&mut self, client: u32, call: &Call, joined: &str, left: &str) {
        if call.name == joined && self.player_of(client).is_none() {
            self.players.push(client);
            self.seated.push(client);
        }
        if call.name == left {
            let player = call.arguments.first().and_then(Value::as_u64).and_then(|player| player.try_into().ok());
            let gone = player.and_then(|player| self.client_of(player));
            self.seated.retain(|&client| Some(client) != gone);
        }
    }
}
