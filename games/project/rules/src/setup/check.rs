//! Checks a setup.

use alloc::vec::Vec;

use super::Setup;
use crate::{
    area::Zone,
    problem::{LONGEST_SIDE, SetupProblem},
    team::Team,
    words::Position,
};

impl Setup {
    /// All problems of the setup. The list is empty if a game can be played with it.
    pub fn check(&self) -> Vec<SetupProblem> {
        let mut problems = Vec::new();
        self.check_size(&mut problems);
        self.check_players(&mut problems);
        self.check_pieces(&mut problems);
        self.check_goals(&mut problems);
        if self.server().is_none() {
            problems.push(SetupProblem::NotIpv4 { address: self.address.chars().take(60).collect() });
        }
        problems
    }

    fn check_size(&self, problems: &mut Vec<SetupProblem>) {
        let Self { width, height, .. } = *self;
        if width < 2 {
            problems.push(SetupProblem::TooNarrow { width });
        }
        if height < 4 {
            problems.push(SetupProblem::TooLow { height });
        }
        if width > LONGEST_SIDE || height > LONGEST_SIDE {
            problems.push(SetupProblem::TooLarge { width, height });
        }
    }

    fn check_players(&self, problems: &mut Vec<SetupProblem>) {
        let (players, tiles) = (self.players_per_team, self.area().size(Zone::Goal(Team::Blue)));
        if players < 1 {
            problems.push(SetupProblem::NoPlayers { players });
        }
        if i64::from(players) > tiles {
            problems.push(SetupProblem::TooManyPlayers { players, tiles });
        }
    }

    fn check_pieces(&self, problems: &mut Vec<SetupProblem>) {
        let (pieces, percentage) = (self.pieces, self.shams_percentage);
        if !(0..=100).contains(&percentage) {
            problems.push(SetupProblem::ShamsPercentage { percentage });
        }
        if i64::from(pieces) > self.task_tiles() {
            problems.push(SetupProblem::TooManyPieces { pieces, tiles: self.task_tiles() });
        }
        let (valid, goals) = (i64::from(pieces) - self.shams(), self.goals.len());
        if valid < goals as i64 {
            problems.push(SetupProblem::TooFewPieces { valid, goals });
        }
    }

    fn check_goals(&self, problems: &mut Vec<SetupProblem>) {
        if self.goals.is_empty() {
            problems.push(SetupProblem::NoGoal);
        }
        let mut sorted = self.goals.clone();
        sorted.sort_unstable();
        let mut twice: Vec<Position> =
            sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        twice.dedup();
        problems.extend(twice.into_iter().map(|goal| SetupProblem::GoalTwice { goal }));
        sorted.dedup();
        let outside = sorted.into_iter().filter(|goal| self.area().zone(*goal) != Some(Zone::Goal(Team::Blue)));
        problems.extend(outside.map(|goal| SetupProblem::GoalOutside { goal }));
    }
}
