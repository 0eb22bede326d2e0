//! Sends the events of the game to the players.
//!
//! [`notices`] runs in the game's task right after an entry and copies the data that the players need. So the game does not
//! wait while its players are informed.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use engine::{Audience, CommId, Emission};
use project_rules::{Answer, Connection, Event, GAME_MASTER, Game, Outcome, Player};
use server::Durable;
use tokio::time::Instant;

use super::{
    error::MasterError,
    mail::{Confirmed, TeamGiven, end_of, start},
    master::{GameMaster, Over},
};
use crate::documents::game_state::Start;

/// A notice for a player, for all of them, or for the trace.
pub(super) enum Notice {
    /// A line for the trace.
    Line(String),
    /// For a player that takes part or is back.
    Confirmed(Confirmed),
    Team {
        player: u32,
        context: Option<Arc<str>>,
        given: TeamGiven,
    },
    Start {
        player: u32,
        start: Start,
    },
    Answer {
        player: u32,
        context: Arc<str>,
        answer: Answer,
        measured: Option<CommId>,
    },
    /// For all players.
    Ended(Ended),
}

/// The end of a game, and its players at that moment.
pub(super) struct Ended {
    outcome: Outcome,
    here: Vec<u32>,
    /// Players without a connection, who may come back.
    lost: BTreeSet<u32>,
    /// How long the Game Master waits for the lost players.
    patience: Duration,
}

impl Ended {
    fn new(game: &Game, outcome: Outcome) -> Self {
        let lost = |player: &&Player| player.connection == Connection::Lost;
        Self {
            outcome,
            here: here(game).map(|player| player.id).collect(),
            lost: game.all_players().iter().filter(lost).map(|player| player.id).collect(),
            patience: Duration::from_millis(game.setup().patience_ms()),
        }
    }
}

/// The notices of an entry.
pub(super) fn notices(durable: &Durable<Game>) -> Vec<Notice> {
    let game = &durable.game;
    let (mut confirmed, mut notices) = (None, Vec::new());
    for emission in durable.emissions.iter() {
        let Emission::Event { audience, event } = emission else { continue };
        notices.extend(match (audience, event) {
            (Audience::Only(GAME_MASTER), Event::Noted { note }) => Some(Notice::Line(note.to_string())),
            (Audience::Only(client), Event::Refused { refusal }) => {
                Some(Notice::Line(format!("client {client}: {refusal}")))
            }
            // The confirmation of a returning player already contains its position.
            (Audience::Only(client), Event::Started { .. }) if confirmed == Some(*client) => None,
            (Audience::Only(client), event) => {
                if matches!(event, Event::Confirmed { .. }) {
                    confirmed = Some(*client);
                }
                game.player_of(*client).and_then(|player| player_notice(game, player, event))
            }
            (Audience::All, Event::Ended { outcome }) => Some(Notice::Ended(Ended::new(game, outcome.clone()))),
            (Audience::All | Audience::Board, _) => trace_line(event).map(Notice::Line),
        });
    }
    notices
}

fn player_notice(game: &Game, player: &Player, event: &Event) -> Option<Notice> {
    if player.connection != Connection::Here {
        return None;
    }
    let answered = |context: &Arc<str>, answer: &Answer, measured| {
        Some(Notice::Answer { player: player.id, context: context.clone(), answer: answer.clone(), measured })
    };
    match event {
        Event::Confirmed { .. } => Some(Notice::Confirmed(Confirmed::new(game, player))),
        Event::TeamGiven { context, team, leader } => {
            let given = TeamGiven { team: *team, leader: *leader, start: None };
            Some(Notice::Team { player: player.id, context: context.clone(), given })
        }
        Event::Started { position, .. } => {
            Some(Notice::Start { player: player.id, start: start(game.public(), *position) })
        }
        Event::Answered { context, answer } => answered(context, answer, Some(player.client)),
        Event::Repeated { context, answer } => answered(context, answer, None),
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
        | Event::Told { .. }
        | Event::Ended { .. } => None,
    }
}

/// The line of the trace for a public event.
fn trace_line(event: &Event) -> Option<String> {
    Some(match event {
        Event::Began {} => "the game begins".to_owned(),
        Event::Scored { team } => format!("{team} has completed a goal"),
        Event::Lost { player } => format!("player {player} is lost; waiting for it"),
        Event::Returned { player } => format!("player {player} is back"),
        Event::Left { player } => format!("player {player} did not come back, and has left"),
        Event::TeamJoined { player, team } => format!("player {player} is in team {team}"),
        Event::Confirmed { .. }
        | Event::Refused { .. }
        | Event::TeamGiven { .. }
        | Event::Started { .. }
        | Event::Answered { .. }
        | Event::Repeated { .. }
        | Event::Noted { .. }
        | Event::Joined { .. }
        | Event::Acted { .. }
        | Event::Learnt { .. }
        | Event::Told { .. }
        | Event::Ended { .. } => return None,
    })
}

impl GameMaster {
    /// Sends the notices of a durable entry, and of the entries that became durable meanwhile.
    pub(super) fn send_notices(&mut self, first: Vec<Notice>) {
        let mut next = Some(first);
        while let Some(notices) = next {
            notices.into_iter().for_each(|notice| self.send_notice(notice));
            next = self.durable.as_mut().and_then(|more| more.try_recv().ok());
        }
    }

    fn send_notice(&mut self, notice: Notice) {
        match notice {
            Notice::Line(line) => self.options.trace.line(format_args!("{line}")),
            Notice::Confirmed(confirmed) => {
                self.mail.confirm(&confirmed);
                self.mail.catch_up(confirmed);
            }
            Notice::Team { player, context, given } => self.mail.team(player, context.as_deref(), given),
            Notice::Start { player, start } => self.mail.start(player, start),
            Notice::Answer { player, context, answer, measured } => {
                if let Some(client) = measured {
                    self.delays.answered(client, &context, Instant::now());
                }
                self.mail.answer(player, &context, &answer);
            }
            Notice::Ended(ended) => {
                let outcome = ended.outcome.clone();
                self.end(ended, Ok(outcome));
            }
        }
    }

    /// Sends the end of the game to the connected players. The other players may come back for it.
    fn end(&mut self, ended: Ended, result: Result<Outcome, MasterError>) {
        match &result {
            Ok(outcome) => self.options.trace.line(format_args!("the game is over: {outcome}")),
            Err(why) => self.options.trace.line(format_args!("the game is over: {why}")),
        }
        let Ended { outcome, here, lost, patience } = ended;
        let end = end_of(&outcome);
        here.into_iter().for_each(|player| self.mail.end(player, end));
        self.over = Some(Over { owed: lost, until: Instant::now() + patience, ..Over::new(end, result) });
    }

    /// Handles the end of the room: the game is over, or it cannot continue.
    pub(super) fn room_is_gone(&mut self) {
        self.durable = None;
        if self.over.is_some() {
            return;
        }
        let error = MasterError::GameFailed;
        let ended = self.handle.look(|last| Ended::new(&last.game, last.game.failed(&error.to_string())));
        self.end(ended, Err(error));
    }
}

/// The connected players.
pub(super) fn here(game: &Game) -> impl Iterator<Item = &Player> {
    game.all_players().iter().filter(|player| player.connection == Connection::Here)
}
