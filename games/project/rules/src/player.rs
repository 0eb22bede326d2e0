//! The state of a player: its position, its piece, and its requests.

use alloc::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use engine::CommId;

use crate::{
    answer::Answer,
    event::Event,
    ground::Piece,
    setup::Costs,
    team::Team,
    words::{Direction, Placed, Position},
};

/// The number of answers that are kept for repeated requests. It is larger than the number of requests that can be open.
pub const ANSWERS_KEPT: usize = 256;
/// The maximum number of waiting requests of a player: a whole batch of 100, and some more.
pub const MOST_WAITING: usize = 128;

/// A player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The number of the player on the wire, from 1. It is unique in a game.
    pub id: u32,
    /// The client of the player.
    pub client: CommId,
    /// The hash that identifies the player when it comes back.
    pub hash: Arc<str>,
    /// The team of the player, once it has one.
    pub team: Option<Team>,
    /// The position of the player, from the start of the game until the player leaves.
    pub position: Option<Position>,
    /// The piece that the player carries.
    pub load: Option<Load>,
    /// Whether the player is connected.
    pub connection: Connection,
    /// The counters of the player.
    pub counts: Counts,
    /// The response times of the player.
    pub responses: Responses,
    /// The source of each tile that the player knows.
    pub(crate) told: BTreeMap<Position, Source>,
    /// The game began while the player was away. The player gets the start message when it comes back.
    pub(crate) missed_start: bool,
    /// The request that is being carried out.
    pub(crate) current: Option<Request>,
    pub(crate) waiting: VecDeque<Request>,
    /// The last answers, the newest last.
    pub(crate) answers: VecDeque<(Arc<str>, Answer)>,
}

/// The source of a player's knowledge of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// When the tile was seen, on the game's own clock.
    pub(crate) at: u64,
    /// The player that shared the tile; `None` if the Game Master sent it.
    pub(crate) from: Option<u32>,
}

/// The piece that a player carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// The piece.
    pub piece: Piece,
    /// Whether the player has tested it.
    pub tested: bool,
}

/// The connection of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// The player is connected.
    Here,
    /// The connection is lost. The game keeps the player's seat.
    Lost,
    /// The player did not come back in time.
    Gone,
}

/// Counters of a player: requests by kind, completed goals, and shams that it found or placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Steps.
    pub moves: u32,
    /// Discoveries.
    pub discovers: u32,
    /// Attempts to pick up a piece.
    pub pick_ups: u32,
    /// Tests.
    pub tests: u32,
    /// Attempts to place a piece.
    pub places: u32,
    /// Completed goals.
    pub goals: u32,
    /// Shams that it found or placed.
    pub shams: u32,
}

/// The response times of a player's requests, in milliseconds of the game's own clock. A response time is the cost of the
/// action plus the time that the request waited for other requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Responses {
    /// The number of requests.
    pub count: u64,
    /// The sum of the response times.
    pub total: u64,
    /// The response time of the last request.
    pub last: u64,
    /// The longest response time.
    pub longest: u64,
}

/// A request of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) id: Arc<str>,
    pub(crate) action: Action,
    /// When the request arrived, on the game's own clock.
    pub(crate) asked: u64,
}

/// An action of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A step.
    Move(Direction),
    /// Discovers the tiles around the player.
    Discover,
    /// Picks up a piece.
    PickUp,
    /// Tests the piece that the player carries.
    Test,
    /// Places the piece that the player carries.
    Place,
}

impl Player {
    pub(crate) fn new(id: u32, client: CommId, hash: &Arc<str>) -> Self {
        Self {
            id,
            client,
            hash: hash.clone(),
            team: None,
            position: None,
            load: None,
            connection: Connection::Here,
            counts: Counts::default(),
            responses: Responses::default(),
            told: BTreeMap::new(),
            missed_start: false,
            current: None,
            waiting: VecDeque::new(),
            answers: VecDeque::new(),
        }
    }

    /// Whether the player has left for good.
    pub fn is_gone(&self) -> bool {
        self.connection == Connection::Gone
    }

    /// The answer to an earlier request, if it is still kept.
    pub fn answered(&self, id: &str) -> Option<&Answer> {
        self.answers.iter().rev().find(|(known, _)| same_id(known, id)).map(|(_, answer)| answer)
    }

    /// The answer to the last request that was carried out.
    pub fn last_answer(&self) -> Option<&Answer> {
        self.answers.back().map(|(_, answer)| answer)
    }

    /// The action that is being carried out.
    pub fn doing(&self) -> Option<Action> {
        self.current.as_ref().map(|request| request.action)
    }

    /// The number of waiting requests.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Whether a request with this id is being carried out, or waits.
    pub(crate) fn is_pending(&self, id: &str) -> bool {
        self.current.iter().chain(&self.waiting).any(|request| same_id(&request.id, id))
    }

    /// Stores the sources of the tiles in an event.
    pub(crate) fn notice(&mut self, event: &Event, now: u64) {
        if let Event::Learnt { from, tiles } = event {
            let at = |age: u64| Source { at: now.saturating_sub(age), from: Some(*from) };
            let tiles = tiles.iter().map(|told| (told.tile.position, at(told.age)));
            return self.told.extend(tiles);
        }
        let Event::Answered { answer, .. } = event else { return };
        let now = Source { at: now, from: None };
        match answer {
            Answer::Discovered { tiles } => self.told.extend(tiles.iter().map(|tile| (tile.position, now))),
            Answer::Moved { success: true, .. }
            | Answer::PickedUp { .. }
            | Answer::Placed { result: Placed::Completed | Placed::Meaningless } => {
                self.told.extend(self.position.map(|at| (at, now)));
            }
            Answer::Moved { .. } | Answer::Tested { .. } | Answer::Placed { .. } | Answer::Silence => {}
        }
    }

    pub(crate) fn remember(&mut self, id: Arc<str>, answer: Answer) {
        if self.answers.len() >= ANSWERS_KEPT {
            self.answers.pop_front();
        }
        self.answers.push_back((id, answer));
    }
}

/// Compares ids without regard to case, because they are UUIDs.
pub(crate) fn same_id(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

impl Action {
    /// How long the action takes, in milliseconds.
    pub fn cost_ms(self, costs: &Costs) -> u64 {
        match self {
            Self::Move(_) => costs.r#move,
            Self::Discover => costs.discover,
            Self::PickUp => costs.pick_up,
            Self::Test => costs.test,
            Self::Place => costs.place,
        }
    }

    /// The name of the action, for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Move(_) => "move",
            Self::Discover => "discover",
            Self::PickUp => "pick up",
            Self::Test => "test",
            Self::Place => "place",
        }
    }
}

impl Responses {
    pub(crate) fn count(&mut self, took: u64) {
        self.count += 1;
        self.total += took;
        self.last = took;
        self.longest = self.longest.max(took);
    }

    /// The mean response time; `None` before the first answer.
    pub fn mean(&self) -> Option<u64> {
        self.total.checked_div(self.count)
    }
}

impl Counts {
    pub(crate) fn count(&mut self, action: Action) {
        let counter = match action {
            Action::Move(_) => &mut self.moves,
            Action::Discover => &mut self.discovers,
            Action::PickUp => &mut self.pick_ups,
            Action::Test => &mut self.tests,
            Action::Place => &mut self.places,
        };
        *counter += 1;
    }
}
