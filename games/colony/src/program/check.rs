//! `holdfast check`: checks scenarios, and lists all their faults.

use std::fmt::Write;

use colony_rules::{Edition, Scenario, scenario::ScenarioProblem};
use serde_json::{Value, json};

use crate::LoadError;
use cli::{Answer, output::ReportArgs};

/// Checks scenarios and lists everything that is wrong with them.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The scenarios: files, or the names of built-in ones.
    #[arg(required = true, value_name = "FILE|NAME")]
    scenarios: Vec<String>,
    #[command(flatten)]
    report: ReportArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Answer {
    let checked: Vec<Checked<'_>> = arguments.scenarios.iter().map(|scenario| check(scenario)).collect();
    let problems = checked.iter().map(Checked::problems).sum();
    arguments.report.answer(
        problems == 0,
        || text(&checked, problems),
        || json!({ "problems": problems, "scenarios": checked.iter().map(Checked::json).collect::<Vec<_>>() }),
    )
}

/// The label of a scenario, and the result of checking it.
struct Checked<'l> {
    label: &'l str,
    verdict: Result<Box<Scenario>, Fault>,
}

enum Fault {
    NotLoaded(LoadError),
    Faulty(Vec<ScenarioProblem>),
}

fn check(file_or_name: &str) -> Checked<'_> {
    let verdict = match crate::load(file_or_name) {
        Err(error) => Err(Fault::NotLoaded(error)),
        Ok((_, text)) => match (colony_rules::scenario::read(&text), crate::check(&text)) {
            (Ok(scenario), problems) if problems.is_empty() => Ok(scenario.into()),
            (_, problems) => Err(Fault::Faulty(problems)),
        },
    };
    Checked { label: file_or_name, verdict }
}

impl Checked<'_> {
    fn problems(&self) -> usize {
        match &self.verdict {
            Ok(_) => 0,
            Err(Fault::NotLoaded(_)) => 1,
            Err(Fault::Faulty(problems)) => problems.len(),
        }
    }

    /// One line for a valid scenario, or one line for each problem.
    fn lines(&self) -> Vec<String> {
        let label = self.label;
        match &self.verdict {
            Ok(scenario) => vec![format!("{label}: ok ({})", summary(scenario))],
            Err(Fault::NotLoaded(error)) => vec![error.to_string()],
            Err(Fault::Faulty(problems)) => problems.iter().map(|problem| format!("{label}: {problem}")).collect(),
        }
    }

    fn json(&self) -> Value {
        let problems = match &self.verdict {
            Ok(scenario) => {
                return json!({
                    "scenario": self.label,
                    "ok": true,
                    "edition": Edition::guess(scenario).name(),
                    "players": scenario.max_players,
                    "rounds": scenario.goal.rounds,
                    "locations": scenario.locations.len(),
                    "characters": scenario.characters.len(),
                    "cards": scenario.cards.len(),
                    "fate_cards": scenario.fates.as_ref().map(Vec::len),
                });
            }
            Err(Fault::NotLoaded(error)) => vec![json!({ "message": error.to_string() })],
            Err(Fault::Faulty(problems)) => problems
                .iter()
                .map(|problem| json!({ "path": problem.path, "value": problem.value, "message": problem.message }))
                .collect(),
        };
        json!({ "scenario": self.label, "ok": false, "problems": problems })
    }
}

fn text(checked: &[Checked<'_>], problems: usize) -> String {
    let mut text = String::new();
    for line in checked.iter().flat_map(Checked::lines) {
        writeln!(text, "{line}").expect("a string takes everything");
    }
    if problems > 0 {
        writeln!(text, "{}", counted(problems, "problem")).expect("a string takes everything");
    }
    text
}

fn summary(scenario: &Scenario) -> String {
    let edition = match Edition::guess(scenario) {
        Edition::Fate => "fate edition by its crossroads",
        Edition::Equipment => "equipment edition by its cards",
        Edition::Group => "group edition",
    };
    let mut counts = vec![
        counted(usize::from(scenario.max_players), "player"),
        counted(scenario.goal.rounds as usize, "round"),
        counted(scenario.locations.len(), "location"),
        counted(scenario.characters.len(), "character"),
        counted(scenario.cards.len(), "card"),
    ];
    counts.extend(scenario.fates.as_ref().map(|fates| counted(fates.len(), "fate card")));
    format!("{edition}; {}", counts.join(", "))
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
