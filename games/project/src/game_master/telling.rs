//! What the players are told.

use std::time::Duration;

use engine::{Audience, Emission};
use project_rules::{Connection, Event, GAME_MASTER, Game, Outcome, Player};
use server::Durable;
use tokio::time::Instant;

use super::{
    mail::{end_of, failure_of},
    master::{GameMaster, Over},
};
use crate::documents::game_state::End;

impl GameMaster {
    /// Tells what has become durable, and what else has meanwhile.
    pub(super) fn tell_all(&mut self, first: Durable<Game>) {
        let mut next = Some(first);
        while let Some(durable) = next {
            self.tell(&durable);
            next = self.durable.as_mut().and_then(|more| more.try_recv().ok());
        }
    }

    fn tell(&mut self, durable: &Durable<Game>) {
        let game = &durable.game;
        let mut confirmed = None;
        for emission in durable.emissions.iter() {
            let Emission::Event { audience, event } = emission else { continue };
            match (audience, event) {
                (Audience::Only(GAME_MASTER), Event::Noted { note }) => {
                    self.options.journal.line(format_args!("{note}"));
                }
                (Audience::Only(client), Event::Refused { refusal }) => {
                    self.options.journal.line(format_args!("client {client}: {refusal}"));
                }
                // Whoever is back is told everything below, from how the game stands.
                (Audience::Only(client), Event::Started { .. }) if confirmed == Some(*client) => {}
                (Audience::Only(client), event) => {
                    if matches!(event, Event::Confirmed { .. }) {
                        confirmed = Some(*client);
                    }
                    if let Some(player) = game.player_of(*client) {
                        self.tell_player(game, player, event);
                    }
                }
                (Audience::All, Event::Ended { outcome }) => {
                    self.end(game, end_of(outcome), Ok(outcome.clone()));
                }
                (Audience::All | Audience::Board, _) => self.note(event),
            }
        }
    }

    fn tell_player(&mut self, game: &Game, player: &Player, event: &Event) {
        if player.connection != Connection::Here {
            return;
        }
        match event {
            Event::Confirmed { .. } => {
                self.mail.confirm(player);
                self.mail.catch_up(game, player);
            }
            Event::TeamGiven { context, team, leader } => {
                self.mail.team(player.id, context.as_deref(), *team, *leader);
            }
            Event::Started { position, .. } => self.mail.start(game, player.id, *position),
            Event::Answered { context, answer } => {
                self.delays.answered(player.client, context, Instant::now());
                self.mail.answer(player.id, context, answer);
            }
            Event::Repeated { context, answer } => self.mail.answer(player.id, context, answer),
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
            | Event::Ended { .. } => {}
        }
    }

    /// What everybody may know, for the journal.
    fn note(&self, event: &Event) {
        let line = match event {
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
            | Event::Ended { .. } => return,
        };
        self.options.journal.line(format_args!("{line}"));
    }

    /// The game is over: whoever is here is told, and whoever is lost may come back to hear it.
    fn end(&mut self, game: &Game, end: End, result: Result<Outcome, String>) {
        match &result {
            Ok(outcome) => self.options.journal.line(format_args!("the game is over: {outcome}")),
            Err(why) => self.options.journal.line(format_args!("the game is over: {why}")),
        }
        let lost = |player: &&Player| player.connection == Connection::Lost;
        let owed = game.all_players().iter().filter(lost).map(|player| player.id).collect();
        here(game).for_each(|player| self.mail.end(player.id, end));
        let until = Instant::now() + Duration::from_millis(game.setup().patience());
        self.over = Some(Over { owed, until, ..Over::new(end, result) });
    }

    /// Nothing more becomes durable: the game is over, or it cannot go on.
    pub(super) fn room_is_gone(&mut self) {
        self.durable = None;
        if self.over.is_some() {
            return;
        }
        let game = self.handle.last().game;
        let why = "the game cannot go on: its log failed, or its rules did".to_owned();
        self.end(&game, failure_of(&game), Err(why));
    }
}

/// The players that are here.
pub(super) fn here(game: &Game) -> impl Iterator<Item = &Player> {
    game.all_players().iter().filter(|player| player.connection == Connection::Here)
}
