//! What can be wrong with a setup.

use alloc::vec::Vec;

use super::Setup;
use crate::{
    area::Zone,
    problem::{LONGEST_SIDE, Problem},
    team::Team,
    words::Position,
};

impl Setup {
    /// Everything that is wrong; nothing when a game can be played.
    pub fn check(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        self.check_size(&mut problems);
        self.check_players(&mut problems);
        self.check_pieces(&mut problems);
        self.check_goals(&mut problems);
        if self.server().is_none() {
            problems.push(Problem::NotIpv4 { address: self.address.chars().take(60).collect() });
        }
        problems
    }

    fn check_size(&self, problems: &mut Vec<Problem>) {
        let Self { width, height, .. } = *self;
        if width < 2 {
            problems.push(Problem::TooNarrow { width });
        }
        if height < 4 {
            problems.push(Problem::TooLow { height });
        }
        if width > LONGEST_SIDE || height > LONGEST_SIDE {
            problems.push(Problem::TooLarge { width, height });
        }
    }

    fn check_players(&self, problems: &mut Vec<Problem>) {
        let (players, tiles) = (self.players_per_team, self.area().size(Zone::Goal(Team::Blue)));
        if players < 1 {
            problems.push(Problem::NoPlayers { players });
        }
        if i64::from(players) > tiles {
            problems.push(Problem::TooManyPlayers { players, tiles });
        }
    }

    fn check_pieces(&self, problems: &mut Vec<Problem>) {
        let (pieces, percentage) = (self.pieces, self.shams_percentage);
        if !(0..=100).contains(&percentage) {
            problems.push(Problem::ShamsPercentage { percentage });
        }
        if i64::from(pieces) > self.task_tiles() {
            problems.push(Problem::TooManyPieces { pieces, tiles: self.task_tiles() });
        }
        let (valid, goals) = (i64::from(pieces) - self.shams(), self.goals.len());
        if valid < goals as i64 {
            problems.push(Problem::TooFewPieces { valid, goals });
        }
    }

    fn check_goals(&self, problems: &mut Vec<Problem>) {
        if self.goals.is_empty() {
            problems.push(Problem::NoGoal);
        }
        let mut sorted = self.goals.clone();
        sorted.sort_unstable();
        let mut twice: Vec<Position> =
            sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        twice.dedup();
        problems.extend(twice.into_iter().map(|goal| Problem::GoalTwice { goal }));
        sorted.dedup();
        let outside = sorted.into_iter().filter(|goal| self.area().zone(*goal) != Some(Zone::Goal(Team::Blue)));
        problems.extend(outside.map(|goal| Problem::GoalOutside { goal }));
    }
}
