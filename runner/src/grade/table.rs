//! The points of all teams.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    Tests,
    journal::Row,
    plan::{Group, Plan},
};
use crate::target::Outcome;

/// The marks of all teams, in the order of the plan.
#[derive(Debug)]
pub struct Table<'p> {
    /// The plan.
    pub plan: &'p Plan,
    /// The tests of each group.
    pub groups: Vec<Vec<Test>>,
    /// A row for each team.
    pub teams: Vec<TeamMark>,
}

/// A test of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The name of the script.
    pub name: String,
    /// Its file.
    pub place: String,
}

/// The marks of a team.
#[derive(Debug)]
pub struct TeamMark {
    /// The team.
    pub name: String,
    /// The marks of each group.
    pub groups: Vec<GroupMark>,
    /// The sum of all points.
    pub points: f64,
    /// Whether it has enough points, and has passed all mandatory groups.
    pub passed: bool,
    /// The results of each group's tests.
    pub results: Vec<Vec<Row>>,
    /// How long its tests took.
    pub seconds: f64,
    /// The most memory that its servers used, in bytes.
    pub memory: u64,
    /// What changed since the last run, if there was one.
    pub change: Option<Change>,
}

/// The marks of a team in a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupMark {
    /// How many tests passed.
    pub passed: usize,
    /// How many tests there are.
    pub all: usize,
    /// The points for them.
    pub points: f64,
    /// Whether the pass mark is reached.
    pub reached: bool,
}

/// What changed since the last run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// The difference of the points.
    pub points: f64,
    /// Tests that pass now and did not before, by their places.
    pub mended: Vec<String>,
    /// Tests that passed before and do not now.
    pub broken: Vec<String>,
}

impl GroupMark {
    /// The marks for so many passed tests.
    pub fn new(group: &Group, passed: usize, all: usize) -> Self {
        let reached = passed * 100 >= all * group.pass_percent as usize;
        let points = if group.all_or_nothing && passed < all { 0.0 } else { group.points * passed as f64 / all as f64 };
        Self { passed, all, points, reached }
    }
}

impl<'p> Table<'p> {
    /// Computes all marks; `last` is the JSON report of the last run.
    pub fn new(plan: &'p Plan, tests: &Tests, rows: &BTreeMap<(String, String), Row>, last: Option<&Value>) -> Self {
        let test = |&at: &usize| {
            let found = &tests.scripts[at];
            let name = found.script.as_ref().map_or_else(|_| String::new(), |script| script.transcript.name.clone());
            Test { name, place: found.place.clone() }
        };
        let groups: Vec<Vec<Test>> = tests.groups.iter().map(|members| members.iter().map(test).collect()).collect();
        let teams = plan.teams.iter().map(|team| {
            let of = |test: &Test| rows.get(&(team.name.clone(), test.place.clone())).cloned();
            let results: Vec<Vec<Row>> = groups.iter().map(|tests| tests.iter().filter_map(of).collect()).collect();
            let own: Vec<&Row> = rows.values().filter(|row| row.team == team.name).collect();
            let marks: Vec<GroupMark> = plan
                .groups
                .iter()
                .zip(&groups)
                .zip(&results)
                .map(|((group, tests), results)| {
                    let passed = results.iter().filter(|row| row.verdict == Outcome::Ok).count();
                    GroupMark::new(group, passed, tests.len())
                })
                .collect();
            let points: f64 = marks.iter().map(|mark| mark.points).sum();
            let mandatory = plan.groups.iter().zip(&marks).all(|(group, mark)| !group.mandatory || mark.reached);
            let before = last.and_then(|last| last["teams"].as_array()?.iter().find(|row| row["name"] == team.name));
            TeamMark {
                name: team.name.clone(),
                // A sum of shares may be a hair below the mark.
                passed: mandatory && points + 1e-9 >= plan.pass_points,
                change: before.map(|before| change(before, points, &own)),
                seconds: own.iter().map(|row| row.seconds).sum(),
                memory: own.iter().map(|row| row.memory).max().unwrap_or(0),
                groups: marks,
                points,
                results,
            }
        });
        let teams = teams.collect();
        Self { plan, groups, teams }
    }

    /// All points that there are.
    pub fn all_points(&self) -> f64 {
        self.plan.groups.iter().map(|group| group.points).sum()
    }
}

fn change(before: &Value, points: f64, rows: &[&Row]) -> Change {
    let earlier: BTreeMap<&str, bool> = before["tests"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|test| Some((test["place"].as_str()?, test["verdict"] == Outcome::Ok.name())))
        .collect();
    let mut change = Change { points: points - before["points"].as_f64().unwrap_or_default(), ..Change::default() };
    for row in rows {
        match (earlier.get(row.test.as_str()), row.verdict == Outcome::Ok) {
            (Some(false), true) => change.mended.push(row.test.clone()),
            (Some(true), false) => change.broken.push(row.test.clone()),
            (Some(true), true) | (Some(false), false) | (None, _) => {}
        }
    }
    change
}

/// Points as text, with at most two decimals.
pub fn points(points: f64) -> String {
    // `-0.00` would look like a loss.
    let text = format!("{:.2}", if points.abs() < 0.005 { 0.0 } else { points });
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A difference of points as text.
pub fn signed(difference: f64) -> String {
    match points(difference) {
        zero if zero == "0" => "=".into(),
        less if less.starts_with('-') => less,
        more => format!("+{more}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (number, text) in
            [(10.0, "10"), (2.5, "2.5"), (1.0 / 3.0, "0.33"), (-0.001, "0"), (100.0, "100"), (0.0, "0")]
        {
            assert_eq!(points(number), text);
        }
        assert_eq!((signed(1.5), signed(-2.0), signed(0.0)), ("+1.5".into(), "-2".into(), "=".into()));
    }

    #[test]
    fn marks() {
        let text = "name = 'g'\npaths = []\npoints = 10\npass_percent = 60";
        let mut group: Group = toml::from_str(text).expect("a group");
        let check = |group: &Group, passed, points, reached| {
            assert_eq!(GroupMark::new(group, passed, 5), GroupMark { passed, all: 5, points, reached });
        };
        check(&group, 5, 10.0, true);
        check(&group, 3, 6.0, true);
        check(&group, 2, 4.0, false);
        check(&group, 0, 0.0, false);
        group.all_or_nothing = true;
        check(&group, 5, 10.0, true);
        check(&group, 4, 0.0, true);
    }
}
