//! A player as the Game Master knows it: its pawn, its piece, and what it has asked for.

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

/// So many answers of a player are kept for requests that come again: more than can wait and be on their way at a time.
pub const ANSWERS_KEPT: usize = 256;
/// So many requests of a player wait at most behind the one that is carried out: a whole batch of 100, and some.
pub const MOST_WAITING: usize = 128;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// Its number on the wire, from 1. No two players of a game ever have the same.
    pub id: u32,
    pub client: CommId,
    /// By which it is known when it comes back.
    pub hash: Arc<str>,
    pub team: Option<Team>,
    /// Where its pawn stands, from the start of the game until it leaves.
    pub position: Option<Position>,
    pub load: Option<Load>,
    pub connection: Connection,
    pub counts: Counts,
    pub responses: Responses,
    /// Where it has each tile from that it knows.
    pub(crate) told: BTreeMap<Position, Told>,
    /// The game began while it was away: it is told when it is back.
    pub(crate) missed_start: bool,
    /// The request that takes its time now.
    pub(crate) current: Option<Request>,
    pub(crate) waiting: VecDeque<Request>,
    /// The last answers, the newest at the end.
    pub(crate) answers: VecDeque<(Arc<str>, Answer)>,
}

/// Where a player has its knowledge of a tile from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// When the tile was seen, by the game's own clock.
    pub(crate) at: u64,
    /// Which other player told of it, if not the Game Master.
    pub(crate) from: Option<u32>,
}

/// The piece that a player carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    pub piece: Piece,
    /// Whether the player has tested it.
    pub tested: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    Here,
    /// Awaited.
    Lost,
    /// It did not come back in time.
    Gone,
}

/// What a player has done: requests carried out by kind, goals completed, shams found or placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub moves: u32,
    pub discovers: u32,
    pub pick_ups: u32,
    pub tests: u32,
    pub places: u32,
    pub goals: u32,
    pub shams: u32,
}

/// How long a player's requests took from when they came to their answer, in milliseconds of the game's own clock: what the
/// action costs, and what it waited for others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Responses {
    pub count: u64,
    pub total: u64,
    pub last: u64,
    pub longest: u64,
}

/// Something that a player has asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) id: Arc<str>,
    pub(crate) action: Action,
    /// When it came, by the game's own clock.
    pub(crate) asked: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Move(Direction),
    Discover,
    PickUp,
    Test,
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

    pub fn is_gone(&self) -> bool {
        self.connection == Connection::Gone
    }

    /// What the player's request with this id was answered, if that is not too long ago.
    pub fn answered(&self, id: &str) -> Option<&Answer> {
        self.answers.iter().rev().find(|(known, _)| same_id(known, id)).map(|(_, answer)| answer)
    }

    /// What is being carried out.
    pub fn doing(&self) -> Option<Action> {
        self.current.as_ref().map(|request| request.action)
    }

    /// How many requests wait behind that.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Whether a request with this id is carried out now, or will be.
    pub(crate) fn is_pending(&self, id: &str) -> bool {
        self.current.iter().chain(&self.waiting).any(|request| same_id(&request.id, id))
    }

    /// Which tiles the player is told of, and when.
    pub(crate) fn notice(&mut self, event: &Event, now: u64) {
        if let Event::Learnt { from, tiles } = event {
            let at = |age: u64| Told { at: now.saturating_sub(age), from: Some(*from) };
            let tiles = tiles.iter().map(|told| (told.tile.position, at(told.age)));
            return self.told.extend(tiles);
        }
        let Event::Answered { answer, .. } = event else { return };
        let now = Told { at: now, from: None };
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

/// Ids are UUIDs, which are the same in either case.
pub(crate) fn same_id(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

impl Action {
    /// What it takes, in milliseconds.
    pub fn cost(self, costs: &Costs) -> u64 {
        match self {
            Self::Move(_) => costs.r#move,
            Self::Discover => costs.discover,
            Self::PickUp => costs.pick_up,
            Self::Test => costs.test,
            Self::Place => costs.place,
        }
    }

    /// For people.
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

    /// On average; nothing before the first.
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
