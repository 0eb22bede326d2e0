//! Handles documents from the Communication Server.

use std::{collections::BTreeSet, fmt, sync::Arc, time::Duration};

use commlib::Refused;
use engine::{CommId, Emission};
use project_rules::{Admission, Answer, Command, Event, Game, Player, Reception, Refusal};
use tokio::time::Instant;

use super::{
    hearing,
    mail::{Confirmed, TeamGiven},
    master::GameMaster,
};
use crate::documents::{CONNECTION_LOST, Connection, DO_NOT_TRY_AGAIN, Document, Guid, Message, Role};

impl GameMaster {
    pub(super) async fn handle(&mut self, bytes: &[u8]) {
        match Document::read(bytes, &Document::LIMITS) {
            Err(problem) => self.discard(problem),
            Ok(Document::Messages(messages)) => {
                let at = Instant::now();
                // A document that repeats a request gets only one answer to it, because an answer is larger than a request.
                let mut before = BTreeSet::new();
                for message in &messages.messages {
                    if before.insert(message.id) {
                        self.request(message, at).await;
                    }
                }
            }
            Ok(Document::Connection(Connection::Request { hash, role: Role::Player | Role::TeamLeader, .. })) => {
                self.options.trace.line(format_args!("Connection/Request {hash}"));
                self.join(hash).await;
            }
            Ok(Document::Connection(Connection::Refusal { hash, description })) if description == CONNECTION_LOST => {
                self.lost(&hash).await;
            }
            Ok(Document::Connection(_)) => self.discard("a handshake that is not for the Game Master"),
        }
    }

    /// Handles a player that asks to join, or is back.
    async fn join(&mut self, hash: Guid) {
        if let Some(over) = &mut self.over {
            let end = over.end;
            let known = |game: &Game| game.player_with(hash.as_str()).map(|player| Confirmed::new(game, player));
            match self.handle.look(|last| known(&last.game)) {
                Some(confirmed) => {
                    over.owed.remove(&confirmed.player);
                    self.mail.confirm(&confirmed);
                    self.mail.end(confirmed.player, end);
                }
                None => self.refuse(hash, "The game is over."),
            }
            return;
        }
        let client = match self.handle.look(|last| Joining::new(&last.game, hash)) {
            // The game does not change, so nothing is logged.
            Ok(Joining::Again(confirmed, _)) if !self.unsure.contains(&confirmed.player) => {
                self.mail.confirm(&confirmed);
                self.mail.catch_up(confirmed);
                return;
            }
            Ok(Joining::Again(_, client) | Joining::Back(client)) => Ok(client),
            Ok(Joining::New) => self.handle.join().await,
            Err(refusal) => return self.refuse_for_good(hash, &refusal),
        };
        let joined = match client {
            Ok(client) => self.handle.submit(client, Command::Join { hash: hash.as_str().into() }).await,
            Err(refused) => Err(refused),
        };
        // The confirmation is sent when the entry is durable.
        match joined {
            Err(refused) => self.refuse(hash, &refused.message),
            Ok(entry) => {
                let player = self.handle.look(|last| last.game.player_with(hash.as_str()).map(|player| player.id));
                player.map(|player| self.unsure.remove(&player));
                for emission in entry.emissions.iter() {
                    if let Emission::Event { event: Event::Refused { refusal }, .. } = emission {
                        self.refuse_for_good(hash, refusal);
                    }
                }
            }
        }
    }

    /// Refuses a player by the rules.
    fn refuse_for_good(&mut self, hash: Guid, refusal: &Refusal) {
        self.refuse(hash, &format!("{refusal} {DO_NOT_TRY_AGAIN}"));
    }

    fn refuse(&mut self, hash: Guid, why: &str) {
        self.mail.connection(&Connection::Refusal { hash: hash.to_string(), description: why.to_owned() });
    }

    /// Handles the loss of a player's connection.
    async fn lost(&mut self, hash: &str) {
        self.options.trace.line(format_args!("the connection of {hash} is lost"));
        let known = |player: &Player| (player.id, player.client);
        let Some((player, client)) = self.handle.look(|last| last.game.player_with(hash).map(known)) else { return };
        match &mut self.over {
            None => {
                // The log may be silent for so long that the host gives no answer, and still takes the command.
                if self.handle.submit(client, Command::Lost {}).await.is_err() {
                    self.unsure.insert(player);
                }
            }
            Some(over) if self.probing => drop(over.absent.insert(player)),
            // Players that have received the result leave as expected.
            Some(_) => {}
        }
    }

    /// Handles a message of a player.
    async fn request(&mut self, message: &Message, at: Instant) {
        let sender = u32::try_from(message.sender).unwrap_or(0);
        let client = self.handle.look(|last| last.game.client_of(sender));
        let (Some(client), 0) = (client, message.receiver) else {
            let (sender, receiver) = (message.sender, message.receiver);
            return self.discard(format_args!("{sender} -> {receiver} {}: no player of this game", message.id));
        };
        let command = match hearing::command(message) {
            Ok(command) => command,
            Err(no_command) => return self.discard(format_args!("{sender} -> 0 {}: {no_command}", message.id)),
        };
        let (kind, id) = (hearing::kind(&command), message.id);
        self.options.trace.line(format_args!("{sender} -> 0 {kind} {id}"));
        if let Err(error) = self.take(sender, client, command, at).await {
            self.discard(format_args!("{sender} -> 0 {kind} {id}: {error}"));
        }
    }

    /// Hands a new request to the game, or repeats the answer to an earlier one. A request that the rules would refuse is not
    /// logged.
    async fn take(&mut self, player: u32, client: CommId, command: Command, at: Instant) -> Result<(), RequestError> {
        if self.over.is_some() {
            return Err(RequestError::GameOver);
        }
        match self.handle.look(|last| Asking::new(&last.game, client, &command)) {
            Err(refusal) => return Err(RequestError::Rules(refusal)),
            Ok(Asking::Team { id, given }) => self.mail.team(player, Some(&id), given),
            Ok(Asking::Answered { id, answer }) => self.mail.answer(player, &id, &answer),
            Ok(Asking::Pending) => {}
            Ok(Asking::New { measured }) => {
                if let Some((id, cost)) = measured {
                    self.delays.asked(client, &id, at, cost);
                }
                return self.handle.hand_in(client, command).await.map_err(RequestError::Host);
            }
        }
        Ok(())
    }
}

/// Why a request of a player is discarded.
enum RequestError {
    GameOver,
    Rules(Refusal),
    Host(Refused),
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameOver => f.write_str("the game is over"),
            Self::Rules(refusal) => refusal.fmt(f),
            Self::Host(refused) => f.write_str(&refused.message),
        }
    }
}

/// How the Game Master classifies a request to join.
enum Joining {
    /// The player is connected, and asks for its confirmation again.
    Again(Confirmed, CommId),
    Back(CommId),
    New,
}

impl Joining {
    fn new(game: &Game, hash: Guid) -> Result<Self, Refusal> {
        Ok(match game.admits(hash.as_str())? {
            Admission::Here(player) => Self::Again(Confirmed::new(game, player), player.client),
            Admission::Back(player) => Self::Back(player.client),
            Admission::New => Self::New,
        })
    }
}

/// How the Game Master classifies a player's request.
enum Asking {
    /// The request asks for the team that the player already has.
    Team { id: Arc<str>, given: TeamGiven },
    /// The request was answered before.
    Answered { id: Arc<str>, answer: Answer },
    /// The game has not answered the request yet.
    Pending,
    /// The request is new. The delay of an action is measured, with its id and cost.
    New { measured: Option<(Arc<str>, Duration)> },
}

impl Asking {
    fn new(game: &Game, client: CommId, command: &Command) -> Result<Self, Refusal> {
        if let Command::ChooseTeam { id, .. } = command
            && let Some(given) = game.player_of(client).and_then(|player| TeamGiven::new(game, player))
        {
            return Ok(Self::Team { id: id.clone(), given });
        }
        let Some((id, action)) = command.action() else { return Ok(Self::New { measured: None }) };
        Ok(match game.receives(client, id)? {
            Reception::Answered(answer) => Self::Answered { id: id.clone(), answer: answer.clone() },
            Reception::Pending => Self::Pending,
            Reception::New => {
                let cost = Duration::from_millis(action.cost_ms(&game.setup().costs));
                Self::New { measured: Some((id.clone(), cost)) }
            }
        })
    }
}
