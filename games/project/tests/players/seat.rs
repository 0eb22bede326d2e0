//! A player for tests. The test is the Game Master.

use std::{collections::VecDeque, sync::Arc};

use project::players::{Agent, AgentInput, Costs, ExchangeStep, Ids, Nature, Say, Strategy};
use project_rules::{
    Action, Answer, Placed, Position, Team, Tested, Tile, TileObject,
    knowledge::{self, Shared},
};

/// The board is 4 x 8. The goal areas are the rows 0 and 1, and the rows 6 and 7.
pub(crate) const WIDTH: i32 = 4;
pub(crate) const HEIGHT: i32 = 8;
pub(crate) const BEGINNING: u64 = 1_700_000_000_000;

pub(crate) struct Seat {
    pub(crate) agent: Agent,
    pub(crate) now: u64,
    /// The requests that are not answered yet.
    pub(crate) open: VecDeque<(Arc<str>, Action)>,
    pub(crate) setups: Vec<Arc<str>>,
    /// Messages to other players that the test has not read yet.
    pub(crate) tells: Vec<knowledge::Say>,
    pub(crate) at: Position,
    /// The only piece in the task area.
    pub(crate) piece: Option<Position>,
}

pub(crate) fn at(x: i32, y: i32) -> Position {
    Position { x, y }
}

pub(crate) fn nature(strategy: Strategy) -> Nature {
    Nature { strategy, team: Team::Blue, costs: Costs::SENSIBLE, seed: 7, ids: Ids::new([1; 10]), returns: false }
}

/// Players 1 (leader), 2 and 3 are Blue, 4 (leader) and 5 Red.
pub(crate) fn players() -> Arc<[(u32, Team)]> {
    [(1, Team::Blue), (2, Team::Blue), (3, Team::Blue), (4, Team::Red), (5, Team::Red)].into()
}

impl Seat {
    pub(crate) fn new(nature: Nature) -> Self {
        let (open, setups, tells) = (VecDeque::new(), Vec::new(), Vec::new());
        Self { agent: Agent::new(nature), now: BEGINNING, open, setups, tells, at: at(0, 0), piece: None }
    }

    /// A running game with this player at this tile.
    pub(crate) fn playing(nature: Nature, player: u32, position: Position) -> Self {
        let mut seat = Self::new(nature);
        seat.join(player, position);
        seat
    }

    pub(crate) fn join(&mut self, player: u32, position: Position) {
        self.input(AgentInput::Confirmed { player });
        self.input(AgentInput::TeamGiven { team: Team::Blue, leader: player == 1 });
        self.start(position);
    }

    pub(crate) fn start(&mut self, position: Position) {
        self.at = position;
        self.input(AgentInput::Started { players: players(), width: WIDTH, height: HEIGHT, position });
    }

    pub(crate) fn input(&mut self, input: AgentInput) {
        for say in self.agent.handle(self.now, input) {
            match say {
                Say::Setup { id, .. } => self.setups.push(id),
                Say::Request { id, action } => self.open.push_back((id, action)),
                Say::Tell(say) => self.tells.push(say),
            }
        }
    }

    /// Lets this many milliseconds pass, and wakes the player whenever it is due.
    pub(crate) fn pass(&mut self, time: u64) {
        let until = self.now + time;
        while let Some(wake) = self.agent.wakes_at().filter(|wake| *wake <= until) {
            self.now = wake.max(self.now);
            self.input(AgentInput::TimePassed);
            assert!(self.agent.wakes_at().is_none_or(|next| next > self.now), "it keeps waking at {wake}");
        }
        self.now = until;
    }

    /// The player's requests to the Game Master, in order.
    pub(crate) fn asks(&self) -> Vec<Action> {
        self.open.iter().map(|(_, action)| *action).collect()
    }

    /// Answers the first request that fits.
    #[track_caller]
    pub(crate) fn answer(&mut self, answer: Answer) {
        let fits = |action: &Action| {
            matches!(
                (action, &answer),
                (Action::Move(_), Answer::Moved { .. })
                    | (Action::Discover, Answer::Discovered { .. })
                    | (Action::PickUp, Answer::PickedUp { .. })
                    | (Action::Test, Answer::Tested { .. })
                    | (Action::Place, Answer::Placed { .. })
            )
        };
        let index = self.open.iter().position(|(_, action)| fits(action)).expect("it asked for that");
        let (context, _) = self.open.remove(index).expect("it is there");
        if let Answer::Moved { position, .. } = &answer {
            self.at = *position;
        }
        self.now += 100;
        self.input(AgentInput::Answered { context, answer });
    }

    /// The player places a piece that it has not tested, and the piece is a sham.
    #[track_caller]
    pub(crate) fn silent_place(&mut self) {
        assert_eq!(self.asks(), [Action::Place, Action::PickUp], "the second tells when the first is silent");
        self.open.pop_front();
        self.answer(Answer::PickedUp { success: false });
    }

    /// Answers a request to move with success and a distance.
    #[track_caller]
    pub(crate) fn moves(&mut self) {
        let [Action::Move(direction)] = self.asks()[..] else { panic!("{:?} at {}", self.asks(), self.at) };
        let to = self.at.toward(direction);
        self.answer(moved(to, self.piece.map_or(-1, |piece| piece.distance(to))));
    }

    /// Lets the player walk to the piece and pick it up, and returns the number of steps. Then `next` is the only piece.
    #[track_caller]
    pub(crate) fn fetches(&mut self, next: Option<Position>) -> usize {
        let mut steps = 0;
        while self.asks() != [Action::PickUp] {
            self.moves();
            steps += 1;
            assert!(steps < 50, "it does not find the piece at {:?}", self.piece);
        }
        assert_eq!(Some(self.at), self.piece);
        self.piece = next;
        self.answer(Answer::PickedUp { success: true });
        steps
    }

    /// Lets the player move, and returns its new position.
    #[track_caller]
    pub(crate) fn goes(&mut self) -> Position {
        let mut steps = 0;
        while matches!(self.asks()[..], [Action::Move(_)]) {
            self.moves();
            steps += 1;
            assert!(steps < 50, "it does not know where to go");
        }
        self.at
    }

    pub(crate) fn exchange(&mut self, from: u32, id: &str, step: ExchangeStep) -> Option<knowledge::Say> {
        self.input(AgentInput::Exchange { from, id: id.into(), step });
        self.tells.pop()
    }
}

pub(crate) fn moved(position: Position, distance: i32) -> Answer {
    Answer::Moved { success: true, position, distance: Some(distance) }
}

pub(crate) fn stays(position: Position) -> Answer {
    Answer::Moved { success: false, position, distance: None }
}

pub(crate) fn placed(result: Placed) -> Answer {
    Answer::Placed { result }
}

pub(crate) fn tested(result: Tested) -> Answer {
    Answer::Tested { result }
}

pub(crate) fn shared(position: Position, object: TileObject, timestamp: u64) -> Shared {
    Shared { tile: Tile { position, distance: 4, player: None, object }, timestamp, pursued: false }
}
