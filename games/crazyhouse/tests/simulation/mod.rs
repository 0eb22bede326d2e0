//! Crazyhouse in the simulation: players who move at random, and sometimes where they must not.

use commlib::Create;
use crazyhouse_rules::{Command, Event, MoveList, Position, Side};

use crate::{bot::Bot, random::Random};

/// A player of one side.
pub(crate) struct Mover {
    number: usize,
    side: Option<Side>,
    position: Option<Position>,
    offered: Option<Side>,
    /// The side that asks to take a move back.
    asked: Option<Side>,
}

impl Bot for Mover {
    type Game = crazyhouse::Crazyhouse;

    const MOST_PLAYERS: u64 = 2;

    fn create(random: &mut Random) -> Create {
        let scenario = match random.below(3) {
            0 => "{}".into(),
            1 => format!(r#"{{"clock":{{"initial":{},"increment":1}}}}"#, random.within(5..=60)),
            _ => format!(r#"{{"most_moves":{}}}"#, random.within(4..=60)),
        };
        let timeout = random.chance(50).then(|| random.within(2000..=9000));
        Create { rulebook: Some("crazyhouse".into()), scenario, edition: None, seed: None, timeout }
    }

    fn new(number: usize) -> Self {
        Self { number, side: None, position: None, offered: None, asked: None }
    }

    fn hear(&mut self, _: &str, event: &Event, _: Option<&str>) {
        match event {
            Event::Seated { side } => self.side = Some(*side),
            Event::Began { position, .. } => self.position = Some(*position),
            Event::Moved { position, .. } => (self.position, self.offered, self.asked) = (Some(*position), None, None),
            Event::DrawOffered { side } => self.offered = Some(*side),
            Event::DrawDeclined { .. } => self.offered = None,
            Event::Finished { .. } => self.position = None,
            Event::TakebackAsked { side } => self.asked = Some(*side),
            Event::TakebackRefused { .. } => self.asked = None,
            Event::TakenBack { position, .. } => (self.position, self.asked) = (Some(*position), None),
            Event::Joined { .. } | Event::Refused { .. } => {}
        }
    }

    fn act(&mut self, random: &mut Random) -> Option<Command> {
        let Some(side) = self.side else {
            return Some(Command::Join { name: format!("mover {}", self.number).into(), side: None });
        };
        let position = self.position?;
        match random.below(100) {
            0 => return Some(Command::Resign { because: random.chance(50).then(|| "it is late".into()) }),
            1..=2 => return Some(Command::OfferDraw {}),
            3..=5 => return Some(Command::Move { text: "a1-h8".into() }),
            6..=7 => return Some(Command::AskTakeback {}),
            _ => {}
        }
        if self.offered == Some(side.other()) {
            return Some(if random.chance(20) { Command::AcceptDraw {} } else { Command::DeclineDraw {} });
        }
        if self.asked == Some(side.other()) {
            return Some(if random.chance(50) { Command::AllowTakeback {} } else { Command::RefuseTakeback {} });
        }
        if position.turn() != side {
            return None;
        }
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        random.pick(moves.as_slice()).map(|chosen| Command::Move { text: chosen.to_string().into() })
    }
}
