//! Who takes part in a scripted game, and whom `all` means.

use serde_json::Value;

use crate::transcript::{Expected, Step};

/// A client, under the name that a script calls it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    pub number: u32,
    pub name: String,
}

/// Words that begin a line and so cannot be a client's name.
pub(crate) const RESERVED: &[&str] =
    &["all", "server", "include", "fragment", "name", "tags", "edition", "scenario", "seed", "timeout", "players"];

/// Names for the clients of a transcript that has none: what each first registers as, where that can be one.
pub fn default_names(clients: &[u32], steps: &[Step]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for &number in clients {
        let registers = steps.iter().find_map(|step| match step {
            Step::Send { client, call } if *client == number && call.name == "Register" => {
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
/// A client is in from the `Config` that it must be told until somebody must be told that its player has `Left`. Players
/// have numbers from 0 in the order of their `Config`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seating {
    /// The client of each player.
    players: Vec<u32>,
    seated: Vec<u32>,
}

impl Seating {
    /// Where all are in the game, in the order of their numbers as players.
    pub(crate) fn of(players: Vec<u32>) -> Self {
        Self { seated: players.clone(), players }
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
        let Step::Expect { client, expected: Expected::Event(call) | Expected::Until(call) } = step else { return };
        if call.name == "Config" && self.player_of(*client).is_none() {
            self.players.push(*client);
            self.seated.push(*client);
        }
        if call.name == "Left" {
            let player = call.arguments.first().and_then(Value::as_u64).and_then(|player| player.try_into().ok());
            let gone = player.and_then(|player| self.client_of(player));
            self.seated.retain(|&client| Some(client) != gone);
        }
    }
}
