//! Treasure in the simulation: players who register, send a half, mostly a bad one, and go anywhere.

use commlib::Create;
use treasure_rules::{Command, Direction, Event};

use crate::{bot::Bot, random::Random};

/// A player.
pub(crate) struct Seeker {
    number: usize,
    is_registered: bool,
}

impl Bot for Seeker {
    type Game = treasure::Treasure;

    const MOST_PLAYERS: u64 = 2;

    fn create(random: &mut Random) -> Create {
        let scenario = if random.chance(50) { "2022" } else { "2022-debug" };
        Create {
            rulebook: Some("treasure".into()),
            scenario: scenario.into(),
            edition: None,
            seed: None,
            timeout: None,
        }
    }

    fn new(number: usize) -> Self {
        Self { number, is_registered: false }
    }

    fn hear(&mut self, _: &str, event: &Event, _: Option<&str>) {
        self.is_registered |= matches!(event, Event::Registered { .. });
    }

    fn act(&mut self, random: &mut Random) -> Option<Command> {
        let number = self.number;
        if !self.is_registered {
            return Some(Command::Register {
                id: format!("id-{number}-{}", random.below(1000)).into(),
                first_name: "Ana".into(),
                last_name: format!("Seeker {number}").into(),
                account: format!("account{number}").into(),
            });
        }
        Some(match random.below(100) {
            0..=1 => Command::SendHalf { fields: Vec::new(), coding: None },
            2 => Command::Move { direction: Direction::Up },
            3..=30 => Command::Garbled { problem: "no document".into() },
            _ => return None,
        })
    }
}
