//! What comes from the Communication Server.

use std::{collections::BTreeSet, time::Duration};

use engine::Emission;
use project_rules::{Command, Event, Game, MOST_WAITING, Phase, Player};
use tokio::time::Instant;

use super::{hearing, master::GameMaster};
use crate::documents::{CONNECTION_LOST, Connection, Document, Guid, Message, Role};

impl GameMaster {
    pub(super) async fn hear(&mut self, bytes: &[u8]) {
        match Document::read(bytes, &Document::LIMITS) {
            Err(problem) => self.discarded(problem),
            Ok(Document::Messages(messages)) => {
                let at = Instant::now();
                // Once in a document is enough, however often it is asked: an answer is larger than a request.
                let mut before = BTreeSet::new();
                for message in &messages.messages {
                    if before.insert(message.id) {
                        self.request(message, at).await;
                    }
                }
            }
            Ok(Document::Connection(Connection::Request { hash, role: Role::Player | Role::TeamLeader, .. })) => {
                self.options.journal.line(format_args!("Connection/Request {hash}"));
                self.join(hash).await;
            }
            Ok(Document::Connection(Connection::Refusal { hash, description })) if description == CONNECTION_LOST => {
                self.lost(&hash).await;
            }
            Ok(Document::Connection(_)) => self.discarded("a handshake that is not for the Game Master"),
        }
    }

    /// Somebody wants to take part, or is back.
    async fn join(&mut self, hash: Guid) {
        let game = self.handle.last().game;
        let known = game.player_with(hash.as_str());
        if let Some(over) = &mut self.over {
            let end = over.end;
            match known {
                Some(player) => {
                    over.owed.remove(&player.id);
                    self.mail.confirm(player);
                    self.mail.end(player.id, end);
                }
                None => self.refuse(hash, "The game is over."),
            }
            return;
        }
        // Who is here asks again for what it was told: nothing happens by that, so that nothing need be in the log.
        if let Some(player) = known.filter(|player| player.connection == project_rules::Connection::Here) {
            self.mail.confirm(player);
            self.mail.catch_up(&game, player);
            return;
        }
        let client = match (known, game.refuses(hash.as_str())) {
            (Some(player), _) => Ok(player.client),
            (None, Some(refusal)) => return self.refuse(hash, &refusal.to_string()),
            (None, None) => self.handle.join().await,
        };
        let joined = match client {
            Ok(client) => self.handle.submit(client, Command::Join { hash: hash.as_str().into() }).await,
            Err(refused) => Err(refused),
        };
        // Who was confirmed is told by what follows.
        match joined {
            Err(refused) => self.refuse(hash, &refused.message),
            Ok(durable) => {
                for emission in durable.emissions.iter() {
                    if let Emission::Event { event: Event::Refused { refusal }, .. } = emission {
                        self.refuse(hash, &refusal.to_string());
                    }
                }
            }
        }
    }

    fn refuse(&mut self, hash: Guid, why: &str) {
        self.mail.connection(&Connection::Refusal { hash: hash.to_string(), description: why.to_owned() });
    }

    /// A player's connection is lost.
    async fn lost(&mut self, hash: &str) {
        self.options.journal.line(format_args!("the connection of {hash} is lost"));
        let game = self.handle.last().game;
        let Some(player) = game.player_with(hash) else { return };
        match &mut self.over {
            None => drop(self.handle.submit(player.client, Command::Lost {}).await),
            // Whoever was told leaves of course.
            Some(over) if self.probing => drop(over.absent.insert(player.id)),
            Some(_) => {}
        }
    }

    /// A message of a player.
    async fn request(&mut self, message: &Message, at: Instant) {
        let game = self.handle.last().game;
        let sender = u32::try_from(message.sender).unwrap_or(0);
        let player = game.client_of(sender).and_then(|client| game.player_of(client));
        let (Some(player), 0) = (player, message.receiver) else {
            let (sender, receiver) = (message.sender, message.receiver);
            return self.discarded(format_args!("{sender} -> {receiver} {}: no player of this game", message.id));
        };
        let command = match hearing::command(message) {
            Ok(command) => command,
            Err(why) => return self.discarded(format_args!("{sender} -> 0 {}: {why}", message.id)),
        };
        let (kind, id) = (hearing::kind(&command), message.id);
        self.options.journal.line(format_args!("{sender} -> 0 {kind} {id}"));
        if let Err(why) = self.take(&game, player, command, at).await {
            self.discarded(format_args!("{sender} -> 0 {kind} {id}: {why}"));
        }
    }

    /// Takes a request of a player, unless it is known already. What the rules would refuse need not be in the log.
    async fn take(&mut self, game: &Game, player: &Player, command: Command, at: Instant) -> Result<(), String> {
        if self.over.is_some() {
            return Err("the game is over".into());
        }
        if let (Command::ChooseTeam { id, .. }, Some(team)) = (&command, player.team) {
            self.mail.team(player.id, Some(id), team, game.public().leads(player.id));
            if let (Phase::Running, Some(position)) = (game.public().phase(), player.position) {
                self.mail.start(game, player.id, position);
            }
            return Ok(());
        }
        if let Some((id, cost)) = hearing::cost(&command, &game.setup().costs) {
            if game.public().phase() == Phase::Lobby {
                return Err("the game has not started".into());
            }
            if let Some(answer) = player.answered(id) {
                self.mail.answer(player.id, id, answer);
                return Ok(());
            }
            if game.is_pending(player.client, id) {
                return Ok(());
            }
            if player.waiting() >= MOST_WAITING {
                return Err(format!("{MOST_WAITING} requests wait already"));
            }
            self.delays.asked(player.client, id, at, Duration::from_millis(cost));
        }
        self.handle.hand_in(player.client, command).await.map_err(|refused| refused.message)
    }
}
