//! The treasure game in scripts, in the protocol of 2022: what clients post, and what a server answers.
//!
//! A script sends `Register`, `SendHalf`, `Move`, `Status` and, for malformed documents, `Post`. In this process every request goes
//! through the documents of [`documents`](crate::documents), like on a server.

mod half_text;
mod messages;
mod seen;
mod wire;

use engine::{CommId, Emission, Rulebook};
use script::{GameError, Protocol, RecordingError, ScriptAdapter, Spoken, StoredOf, Table, Wanted, Wire};
use treasure_rules::{Command, Game, Refusal, SCENARIOS, Setup, Year};

use self::{
    messages::{Answer, Request},
    seen::Seen,
};
use crate::{
    Treasure,
    documents::y2022::request::{HalfMap, Move, Registration},
    gateway::status,
};

/// The protocol of 2022.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Y2022;

impl Protocol for Y2022 {
    type Rules = Game;
    type Request = Request;
    type Answer = Answer;

    fn request(table: &mut Table<'_, Self>, client: CommId, request: &Request) {
        let id = id_of(table.game(), client);
        let answer = match request.posted(&id) {
            Some((place, body)) => post(table, client, &place, body.as_bytes()),
            None => status(table.game(), client, &id),
        };
        table.tell(client, answer.unwrap_or_else(|name| Answer::Refused { name: name.into() }));
    }

    fn requests(game: &Game, client: CommId, command: &Command) -> Vec<(CommId, Request)> {
        let Some(request) = Request::of_command(command) else { return Vec::new() };
        let looks = game.players().into_iter().map(|player| (player.client, Request::Status {}));
        std::iter::once((client, request)).chain(looks).collect()
    }
}

/// The id of a client. A real one is random, and no script can name it.
fn id_of(game: &Game, client: CommId) -> String {
    let registered = game.players().into_iter().find(|player| player.client == client);
    registered.map_or_else(|| messages::UNREGISTERED.to_owned(), |player| player.id.to_string())
}

/// The answer to a posted document, or the name of the refusal.
fn post(table: &mut Table<'_, Y2022>, client: CommId, place: &str, body: &[u8]) -> Result<Answer, &'static str> {
    match place {
        "players" => {
            let Registration { first_name, last_name, account } = Registration::read(body).map_err(unreadable)?;
            table.game().vacancy().map_err(|refusal| refusal.name())?;
            let id = format!("id-of-{client}").into();
            let names = [first_name, last_name, account].map(Into::into);
            let [first_name, last_name, account] = names;
            submit(table, client, Command::Register { id, first_name, last_name, account })?;
            Ok(Answer::Registered {})
        }
        "halfmaps" => {
            let half = HalfMap::read(body).map_err(unreadable)?;
            let fields = half.nodes.iter().map(status::field).collect();
            act(table, &half.player, Command::SendHalf { fields, coding: None })
        }
        _ => {
            let Move { player, direction } = Move::read(body).map_err(unreadable)?;
            act(table, &player, Command::Move { direction })
        }
    }
}

fn act(table: &mut Table<'_, Y2022>, player: &str, command: Command) -> Result<Answer, &'static str> {
    let client = table.game().client_with(player).ok_or(UNKNOWN_PLAYER)?;
    if table.game().outcome().is_some() {
        return Err("GameOver");
    }
    submit(table, client, command)?;
    Ok(Answer::Okay {})
}

fn submit(table: &mut Table<'_, Y2022>, client: CommId, command: Command) -> Result<(), &'static str> {
    let said = table.submit(client, command);
    let refusal = said.iter().find_map(|emission| match emission {
        Emission::Event { event, .. } => event.problem(),
        Emission::Seated { .. } | Emission::Unseated { .. } => None,
    });
    refusal.map_or(Ok(()), |refusal: &Refusal| Err(refusal.name()))
}

const UNKNOWN_PLAYER: &str = "UnknownPlayer";

fn status(game: &Game, client: CommId, id: &str) -> Result<Answer, &'static str> {
    if game.player_of(client).is_none() {
        return Err(UNKNOWN_PLAYER);
    }
    let state = status::state(game, client, false);
    Ok(Answer::State { state: Seen::of(&state, id), id: state.id.into() })
}

fn unreadable(_: xml::Problem) -> &'static str {
    "Unreadable"
}

/// Why a scenario cannot be played by a script.
#[derive(Debug)]
enum NotScripted {
    Year(Year),
    Timeout { think_ms: Option<u64> },
}

impl std::fmt::Display for NotScripted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Year(year) => {
                write!(f, "scripts are written in the protocol of 2022, and the scenario is for {year}")
            }
            Self::Timeout { think_ms: Some(think_ms) } => {
                write!(f, "the timeout of a script is the time to think, which is {think_ms} ms here")
            }
            Self::Timeout { think_ms: None } => f.write_str("a debug game has no time to think, and so no timeout"),
        }
    }
}

impl std::error::Error for NotScripted {}

impl ScriptAdapter for Treasure {
    type Rules = Spoken<Y2022>;

    const NAMING: Option<&'static str> = Some("Register");

    fn setup(wanted: &Wanted<'_>) -> Result<Setup, GameError> {
        let setup = Setup::new(wanted.scenario)?;
        if setup.year != Year::Y2022 {
            return Err(NotScripted::Year(setup.year).into());
        }
        match (wanted.timeout_ms, setup.think_ms()) {
            (Some(timeout_ms), think_ms) if think_ms != Some(timeout_ms) => {
                Err(NotScripted::Timeout { think_ms }.into())
            }
            (Some(_) | None, _) => Ok(setup),
        }
    }

    fn scenario(setup: &Setup) -> String {
        (*setup.text).into()
    }

    fn timeout_ms(setup: &Setup) -> Option<u64> {
        setup.think_ms()
    }

    fn built_in(name: &str) -> Option<&'static str> {
        SCENARIOS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    fn scenario_names() -> Vec<&'static str> {
        SCENARIOS.iter().map(|(name, _)| *name).collect()
    }

    fn wire() -> Option<&'static dyn Wire> {
        Some(&wire::Http)
    }

    fn stored(
        header: &[u8],
        entries: &mut dyn Iterator<Item = &[u8]>,
    ) -> Result<Option<StoredOf<Self>>, RecordingError> {
        script::stored_game::<Y2022>(header, entries).map(Some)
    }
}
