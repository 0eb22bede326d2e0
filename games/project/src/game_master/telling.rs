//! What the players are told.
//!
//! What an entry has to be told of is taken from the game as it is right after it: [`told`] runs where the game is, and nobody
//! holds the game while its players are told.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use engine::{Audience, CommId, Emission};
use project_rules::{Answer, Connection, Event, GAME_MASTER, Game, Outcome, Player};
use server::Durable;
use tokio::time::Instant;

use super::{
    mail::{Confirmed, TeamGiven, end_of, start},
    master::{GameMaster, Over},
};
use crate::documents::game_state::Start;

/// Something that has to be told.
pub(super) enum Tell {
    /// To the trace.
    Line(String),
    /// To a player, who takes part or is back.
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
    /// To everybody.
    Ended(Ended),
}

/// The end of a game, and who plays then.
pub(super) struct Ended {
    outcome: Outcome,
    here: Vec<u32>,
    /// Who may come back to hear it.
    lost: BTreeSet<u32>,
    /// How long they may take.
    patience: Duration,
}

impl Ended {
    fn new(game: &Game, outcome: Outcome) -> Self {
        let lost = |player: &&Player| player.connection == Connection::Lost;
        Self {
            outcome,
            here: here(game).map(|player| player.id).collect(),
            lost: game.all_players().iter().filter(lost).map(|player| player.id).collect(),
            patience: Duration::from_millis(game.setup().patience()),
        }
    }
}

/// What has to be told of an entry.
pub(super) fn told(durable: &Durable<Game>) -> Vec<Tell> {
    let game = &durable.game;
    let (mut confirmed, mut tells) = (None, Vec::new());
    for emission in durable.emissions.iter() {
        let Emission::Event { audience, event } = emission else { continue };
        tells.extend(match (audience, event) {
            (Audience::Only(GAME_MASTER), Event::Noted { note }) => Some(Tell::Line(note.to_string())),
            (Audience::Only(client), Event::Refused { refusal }) => {
                Some(Tell::Line(format!("client {client}: {refusal}")))
            }
            // Whoever is back is told everything with its confirmation, from how the game stands.
            (Audience::Only(client), Event::Started { .. }) if confirmed == Some(*client) => None,
            (Audience::Only(client), event) => {
                if matches!(event, Event::Confirmed { .. }) {
                    confirmed = Some(*client);
                }
                game.player_of(*client).and_then(|player| told_player(game, player, event))
            }
            (Audience::All, Event::Ended { outcome }) => Some(Tell::Ended(Ended::new(game, outcome.clone()))),
            (Audience::All | Audience::Board, _) => noted(event).map(Tell::Line),
        });
    }
    tells
}

fn told_player(game: &Game, player: &Player, event: &Event) -> Option<Tell> {
    if player.connection != Connection::Here {
        return None;
    }
    let answered = |context: &Arc<str>, answer: &Answer, measured| {
        Some(Tell::Answer { player: player.id, context: context.clone(), answer: answer.clone(), measured })
    };
    match event {
        Event::Confirmed { .. } => Some(Tell::Confirmed(Confirmed::new(game, player))),
        Event::TeamGiven { context, team, leader } => {
            let given = TeamGiven { team: *team, leader: *leader, start: None };
            Some(Tell::Team { player: player.id, context: context.clone(), given })
        }
        Event::Started { position, .. } => {
            Some(Tell::Start { player: player.id, start: start(game.public(), *position) })
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

/// What everybody may know, for the trace.
fn noted(event: &Event) -> Option<String> {
    Some(match event {
        Event::Began {} => "the game begins".to_owned(),
        Event::Scored { team } => format!("{team} has completed a goal"),
        Event::Lost { player } => format!("player {player} is lost, and awaited"),
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
    /// Tells of an entry that has become durable, and of what else has meanwhile.
    pub(super) fn tell_all(&mut self, first: Vec<Tell>) {
        let mut next = Some(first);
        while let Some(tells) = next {
            tells.into_iter().for_each(|tell| self.tell(tell));
            next = self.durable.as_mut().and_then(|more| more.try_recv().ok());
        }
    }

    fn tell(&mut self, tell: Tell) {
        match tell {
            Tell::Line(line) => self.options.trace.line(format_args!("{line}")),
            Tell::Confirmed(confirmed) => {
                self.mail.confirm(&confirmed);
                self.mail.catch_up(confirmed);
            }
            Tell::Team { player, context, given } => self.mail.team(player, context.as_deref(), given),
            Tell::Start { player, start } => self.mail.start(player, start),
            Tell::Answer { player, context, answer, measured } => {
                if let Some(client) = measured {
                    self.delays.answered(client, &context, Instant::now());
                }
                self.mail.answer(player, &context, &answer);
            }
            Tell::Ended(ended) => {
                let outcome = ended.outcome.clone();
                self.end(ended, Ok(outcome));
            }
        }
    }

    /// The game is over: whoever is here is told, and whoever is lost may come back to hear it.
    fn end(&mut self, ended: Ended, result: Result<Outcome, String>) {
        match &result {
            Ok(outcome) => self.options.trace.line(format_args!("the game is over: {outcome}")),
            Err(why) => self.options.trace.line(format_args!("the game is over: {why}")),
        }
        let Ended { outcome, here, lost, patience } = ended;
        let end = end_of(&outcome);
        here.into_iter().for_each(|player| self.mail.end(player, end));
        self.over = Some(Over { owed: lost, until: Instant::now() + patience, ..Over::new(end, result) });
    }

    /// Nothing more becomes durable: the game is over, or it cannot go on.
    pub(super) fn room_is_gone(&mut self) {
        self.durable = None;
        if self.over.is_some() {
            return;
        }
        let why = "the game cannot go on: its log failed, or its rules did";
        let ended = self.handle.look(|last| Ended::new(&last.game, last.game.failed(why)));
        self.end(ended, Err(why.to_owned()));
    }
}

/// The players that are here.
pub(super) fn here(game: &Game) -> impl Iterator<Item = &Player> {
    game.all_players().iter().filter(|player| player.connection == Connection::Here)
}
