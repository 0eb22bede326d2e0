//! The documents that the Game Master sends.

use std::sync::Arc;

use project_rules::{Answer, Board, Game, Outcome, Player, Position, Team};

use crate::documents::{
    Connection, Content, Guid, MAX_MESSAGES, Message, Messages, Role,
    action::Action,
    game_state::{End, GameState, Start},
};

/// The Game Master's id on the wire.
const GAME_MASTER: i32 = 0;

/// A list of this many players counts as one more message.
const PLAYERS_PER_MESSAGE: usize = 10;

/// The confirmation of a player: its number, and its team and position if it has them.
#[derive(Clone, Debug)]
pub(super) struct Confirmed {
    pub(super) player: u32,
    hash: Arc<str>,
    team: Option<TeamGiven>,
}

/// The team of a player.
#[derive(Clone, Debug)]
pub(super) struct TeamGiven {
    pub(super) team: Team,
    pub(super) leader: bool,
    /// Set while the game runs.
    pub(super) start: Option<Start>,
}

impl Confirmed {
    pub(super) fn new(game: &Game, player: &Player) -> Self {
        Self { player: player.id, hash: player.hash.clone(), team: TeamGiven::new(game, player) }
    }
}

impl TeamGiven {
    /// Returns `None` if the player has no team.
    pub(super) fn new(game: &Game, player: &Player) -> Option<Self> {
        let standing = game.standing(player)?;
        let start = standing.position.map(|position| start(game.public(), position));
        Some(Self { team: standing.team, leader: standing.leader, start })
    }
}

/// The start message of a player: the players, the size of the board, and the player's position.
pub(super) fn start(board: &Board, position: Position) -> Start {
    let of_team = |team: Team| board.team(team).map(move |seat| (seat.player, team));
    let players: Vec<(u32, Team)> = Team::BOTH.into_iter().flat_map(of_team).collect();
    let area = board.area();
    Start { players, width: area.width, height: area.height, position }
}

/// The documents to send, in order.
#[derive(Debug)]
pub(super) struct Mail {
    ids: Ids,
    documents: Vec<String>,
    /// The messages of the document that is being filled.
    batch: Vec<Message>,
    /// The size of the batch, in messages of typical size.
    weight: usize,
    /// Lines for the trace, one for each message.
    pub(super) lines: Vec<String>,
}

impl Mail {
    pub(super) fn new(ids: Ids) -> Self {
        Self { ids, documents: Vec::new(), batch: Vec::new(), weight: 0, lines: Vec::new() }
    }

    /// Takes all documents out of the mail.
    pub(super) fn take(&mut self) -> Vec<String> {
        self.seal();
        std::mem::take(&mut self.documents)
    }

    pub(super) fn connection(&mut self, connection: &Connection) {
        self.seal();
        self.lines.push(match connection {
            Connection::Request { hash, .. } => format!("Connection/Request {hash}"),
            Connection::Confirmation { hash, id } => format!("Connection/Confirmation {hash}: player {id}"),
            Connection::Refusal { hash, description } => format!("Connection/Refusal {hash}: {description}"),
        });
        self.documents.push(connection.write());
    }

    pub(super) fn confirm(&mut self, confirmed: &Confirmed) {
        let (hash, id) = (confirmed.hash.to_string(), wire_id(confirmed.player));
        self.connection(&Connection::Confirmation { hash, id });
    }

    /// Sends a returning player its team and its position.
    pub(super) fn catch_up(&mut self, confirmed: Confirmed) {
        if let Some(given) = confirmed.team {
            self.team(confirmed.player, None, given);
        }
    }

    /// Sends the answer to a request, unless it is silence.
    pub(super) fn answer(&mut self, player: u32, context: &str, answer: &Answer) {
        let (kind, action) = match answer {
            Answer::Moved { success, position, distance } => {
                ("Move", Action::Moved { success: *success, position: Some(*position), distance: *distance })
            }
            Answer::Discovered { tiles } => ("Discover", Action::Discovered(tiles.to_vec())),
            Answer::PickedUp { success } => ("Pickup", Action::PickedUp { success: *success }),
            Answer::Tested { result } => ("Test", Action::Tested(*result)),
            Answer::Placed { result } => ("Place", Action::Placed(*result)),
            Answer::Silence => return,
        };
        self.message(player, Some(context), kind, Content::Action(action), 1);
    }

    pub(super) fn team(&mut self, player: u32, context: Option<&str>, given: TeamGiven) {
        let TeamGiven { team, leader, start } = given;
        let role = if leader { Role::TeamLeader } else { Role::Player };
        let content = Content::GameState(GameState::SetupConfirmation { role, team });
        self.message(player, context, "Setup", content, 1);
        if let Some(start) = start {
            self.start(player, start);
        }
    }

    pub(super) fn start(&mut self, player: u32, start: Start) {
        let weight = 1 + start.players.len() / PLAYERS_PER_MESSAGE;
        self.message(player, None, "Start", Content::GameState(GameState::Start(start)), weight);
    }

    pub(super) fn end(&mut self, player: u32, end: End) {
        self.message(player, None, "End", Content::GameState(GameState::End(end)), 1);
    }

    fn message(&mut self, player: u32, context: Option<&str>, kind: &str, content: Content, weight: usize) {
        let id = self.ids.give(player, context, kind);
        self.lines.push(match context {
            Some(context) => format!("0 -> {player} {kind}/Response {id} to {context}"),
            None => format!("0 -> {player} {kind} {id}"),
        });
        if self.weight + weight > MAX_MESSAGES {
            self.seal();
        }
        self.weight += weight;
        let context = context.and_then(Guid::parse);
        self.batch.push(Message { id, context, sender: GAME_MASTER, receiver: wire_id(player), content });
    }

    fn seal(&mut self) {
        if !self.batch.is_empty() {
            let messages = std::mem::take(&mut self.batch);
            self.documents.push(Messages { sender_hash: None, messages }.write());
            self.weight = 0;
        }
    }
}

/// The end of a game, as sent to the players.
pub(super) fn end_of(outcome: &Outcome) -> End {
    let Outcome { reason, winner, goals: [blue, red], .. } = *outcome;
    End { reason, winner, goals: [(Team::Blue, wire_id(blue)), (Team::Red, wire_id(red))] }
}

fn wire_id(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Generates the ids of messages. The answer to a request always has the same id, so that a repeated answer has the same bytes.
#[derive(Debug)]
pub(super) struct Ids {
    key: [u8; 32],
    /// The start time of the process. Together with the counter it makes the ids of all other messages unique.
    begun: i64,
    given: u64,
}

impl Ids {
    pub(super) fn new(key: [u8; 32], begun: i64) -> Self {
        Self { key, begun, given: 0 }
    }

    fn give(&mut self, player: u32, context: Option<&str>, kind: &str) -> Guid {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(&player.to_le_bytes()).update(kind.as_bytes());
        match context {
            Some(context) => hasher.update(context.to_ascii_lowercase().as_bytes()),
            None => {
                self.given += 1;
                hasher.update(&self.begun.to_le_bytes()).update(&self.given.to_le_bytes())
            }
        };
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Guid::of_random(bytes)
    }
}
