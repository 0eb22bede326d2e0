//! Project in the simulation: agents who walk about, and pick up and place what they find.

use commlib::Create;
use project_rules::{Command, Direction, Event, Team};

use crate::{bot::Bot, random::Random};

/// One against one: actions take time, and pieces keep appearing.
const TIMED: &str = r#"{"width": 4, "height": 8, "players_per_team": 1, "pieces": 5, "shams_percentage": 20,
    "goals": [{"x": 0, "y": 1}, {"x": 3, "y": 0}],
    "costs": {"move": 100, "discover": 450, "test": 300, "pick_up": 100, "place": 100},
    "respawn_interval": 4000, "no_progress": 20000}"#;

/// An agent.
pub(crate) struct Agent {
    number: usize,
    requests: u64,
    is_in_team: bool,
    has_joined: bool,
}

impl Bot for Agent {
    type Game = project::Project;

    const MOST_PLAYERS: u64 = 2;

    fn create(random: &mut Random) -> Create {
        let scenario = if random.chance(30) { "small" } else { TIMED };
        Create { rulebook: Some("project".into()), scenario: scenario.into(), edition: None, seed: None, timeout: None }
    }

    fn new(number: usize) -> Self {
        Self { number, requests: 0, is_in_team: false, has_joined: false }
    }

    fn hear(&mut self, _: &str, event: &Event, _: Option<&str>) {
        self.has_joined |= matches!(event, Event::Confirmed { .. });
        self.is_in_team |= matches!(event, Event::TeamGiven { .. });
    }

    fn act(&mut self, random: &mut Random) -> Option<Command> {
        self.requests += 1;
        // The rules compare ids with those of all earlier requests, so different ones differ early.
        let id = format!("{}-{}", self.requests, self.number).into();
        if !self.has_joined {
            return Some(Command::Join { hash: format!("agent {}", self.number).into() });
        }
        if !self.is_in_team {
            let team = if self.number == 0 { Team::Blue } else { Team::Red };
            return Some(Command::ChooseTeam { id, team });
        }
        let direction = *random.pick(&[Direction::Left, Direction::Up, Direction::Right, Direction::Down])?;
        Some(match random.below(8) {
            0..=3 => Command::Move { id, direction },
            4 => Command::Discover { id },
            5 => Command::PickUp { id },
            6 => Command::Test { id },
            _ => Command::Place { id },
        })
    }
}
