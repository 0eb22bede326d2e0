//! The project game in scripts: what agents send to the Game Master, and what it answers.
//!
//! Hashes and ids of messages are numbers in a script: `Move 7 Up` is a request whose id is the UUID of the number 7.

mod messages;
mod wire;

use engine::{CommId, Rulebook};
use project_rules::{Command, Event, Game, Refusal, SCENARIOS, Setup};
use script::{GameError, Protocol, RecordingError, ScriptAdapter, Spoken, StoredOf, Table, Wanted, Wire};

use self::messages::{Request, Told, number_of};
use crate::{Project, read_configuration};

/// The messages between agents and the Game Master.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agents;

impl Protocol for Agents {
    type Rules = Game;
    type Request = Request;
    type Answer = Told;

    fn request(table: &mut Table<'_, Self>, client: CommId, request: &Request) {
        if table.game().outcome().is_none() {
            drop(table.submit(client, request.command()));
        }
    }

    fn requests(_: &Game, client: CommId, command: &Command) -> Vec<(CommId, Request)> {
        Request::of_command(command).map(|request| (client, request)).into_iter().collect()
    }

    fn told(_: &Game, _: CommId, event: &Event) -> Option<Told> {
        match event {
            Event::Confirmed { player } => Some(Told::Confirmed { player: *player }),
            // On the wire, only a request to join is refused in words. Everything else that is wrong is dropped.
            Event::Refused { refusal: Refusal::Full { .. } | Refusal::Running {} | Refusal::NotInvited {} } => {
                Some(Told::Refused {})
            }
            Event::TeamGiven { context, team, leader } => {
                Some(Told::TeamGiven { id: context.as_deref().and_then(number_of), team: *team, leader: *leader })
            }
            Event::Started { players, width, height, position } => Some(Told::Started {
                players: players
                    .iter()
                    .map(|(player, team)| messages::Member { player: *player, team: *team })
                    .collect(),
                width: *width,
                height: *height,
                position: *position,
            }),
            // A repeated answer is the same message.
            Event::Answered { context, answer } | Event::Repeated { context, answer } => {
                Told::answer(number_of(context)?, answer)
            }
            Event::Ended { outcome } => {
                let [blue, red] = outcome.goals;
                Some(Told::Ended { reason: outcome.reason, winner: outcome.winner, blue, red })
            }
            Event::Refused { .. }
            | Event::Noted { .. }
            | Event::Joined { .. }
            | Event::TeamJoined { .. }
            | Event::Began {}
            | Event::Acted { .. }
            | Event::Scored { .. }
            | Event::Lost { .. }
            | Event::Returned { .. }
            | Event::Left { .. }
            | Event::Learnt { .. }
            | Event::Told { .. } => None,
        }
    }
}

impl ScriptAdapter for Project {
    type Rules = Spoken<Agents>;

    /// The scenario is a configuration in XML, which any Game Master reads, or the name or JSON of a built-in one.
    fn setup(wanted: &Wanted<'_>) -> Result<Setup, GameError> {
        // A script's timeout is how long it waits for what the Game Master does by itself. The setup has those times.
        if wanted.scenario.trim_start().starts_with('<') {
            return Ok(read_configuration(wanted.scenario.as_bytes())?);
        }
        Ok(Setup::new(wanted.scenario)?)
    }

    fn built_in(name: &str) -> Option<&'static str> {
        SCENARIOS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    fn scenario_names() -> Vec<&'static str> {
        SCENARIOS.iter().map(|(name, _)| *name).collect()
    }

    fn timeout_ms(_: &Setup) -> Option<u64> {
        // Long enough for a deadline of the usual setups.
        Some(60_000)
    }

    fn wire() -> Option<&'static dyn Wire> {
        Some(&wire::Tcp)
    }

    fn stored(
        header: &[u8],
        entries: &mut dyn Iterator<Item = &[u8]>,
    ) -> Result<Option<StoredOf<Self>>, RecordingError> {
        script::stored_game::<Agents>(header, entries).map(Some)
    }
}
