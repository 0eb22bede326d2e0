//! What the Game Master says, in documents.

use project_rules::{Answer, EndReason, Game, Outcome, Phase, Player, Position, Team};

use crate::documents::{
    Connection, Content, Guid, MOST_MESSAGES, Message, Messages, Role,
    action::Action,
    game_state::{End, GameState, Start},
};

/// The Game Master on the wire.
const GAME_MASTER: i32 = 0;

/// So many players in a list weigh as much as a usual message.
const LISTED: usize = 10;

/// Documents in the order in which they are to be sent.
#[derive(Debug)]
pub(super) struct Mail {
    ids: Ids,
    documents: Vec<String>,
    /// The messages of the next document, and how long they are, in usual messages.
    batch: Vec<Message>,
    weight: usize,
    /// What was put, for people.
    pub(super) lines: Vec<String>,
}

impl Mail {
    pub(super) fn new(ids: Ids) -> Self {
        Self { ids, documents: Vec::new(), batch: Vec::new(), weight: 0, lines: Vec::new() }
    }

    /// Everything that was put; nothing is left.
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

    pub(super) fn confirm(&mut self, player: &Player) {
        self.connection(&Connection::Confirmation { hash: player.hash.to_string(), id: wire_id(player.id) });
    }

    /// What a request came to. Silence is nothing.
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

    pub(super) fn team(&mut self, player: u32, context: Option<&str>, team: Team, leader: bool) {
        let role = if leader { Role::TeamLeader } else { Role::Player };
        let content = Content::GameState(GameState::SetupConfirmation { role, team });
        self.message(player, context, "Setup", content, 1);
    }

    pub(super) fn start(&mut self, game: &Game, player: u32, position: Position) {
        let board = game.public();
        let of_team = |team: Team| board.team(team).map(move |seat| (seat.player, team));
        let players: Vec<(u32, Team)> = Team::BOTH.into_iter().flat_map(of_team).collect();
        let area = board.area();
        let weight = 1 + players.len() / LISTED;
        let start = Start { players, width: area.width, height: area.height, position };
        self.message(player, None, "Start", Content::GameState(GameState::Start(start)), weight);
    }

    pub(super) fn end(&mut self, player: u32, end: End) {
        self.message(player, None, "End", Content::GameState(GameState::End(end)), 1);
    }

    /// What a player that is back needs to go on: its team, and where it stands.
    pub(super) fn catch_up(&mut self, game: &Game, player: &Player) {
        let Some(team) = player.team else { return };
        self.team(player.id, None, team, game.public().leads(player.id));
        if let (Phase::Running, Some(position)) = (game.public().phase(), player.position) {
            self.start(game, player.id, position);
        }
    }

    fn message(&mut self, player: u32, context: Option<&str>, kind: &str, content: Content, weight: usize) {
        let id = self.ids.give(player, context, kind);
        self.lines.push(match context {
            Some(context) => format!("0 -> {player} {kind}/Response {id} to {context}"),
            None => format!("0 -> {player} {kind} {id}"),
        });
        if self.weight + weight > MOST_MESSAGES {
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

/// The end of a game as players are told of it.
pub(super) fn end_of(outcome: &Outcome) -> End {
    end(outcome.reason, outcome.winner, outcome.goals)
}

/// The end of a game that cannot go on.
pub(super) fn failure_of(game: &Game) -> End {
    let goals = Team::BOTH.map(|team| game.public().goals(team));
    let [blue, red] = goals;
    end(EndReason::Failure, if red > blue { Team::Red } else { Team::Blue }, goals)
}

fn end(reason: EndReason, winner: Team, [blue, red]: [u32; 2]) -> End {
    End { reason, winner, goals: [(Team::Blue, wire_id(blue)), (Team::Red, wire_id(red))] }
}

fn wire_id(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Ids of messages. The answer to a request always has the same, so that a repeated one is the same to the last letter.
#[derive(Debug)]
pub(super) struct Ids {
    key: [u8; 32],
    /// Other messages are told apart by when the process began, and their number.
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
