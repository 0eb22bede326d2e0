//! `holdfast check`: whether scenarios are sound, and everything that is wrong with those that are not.

use std::fmt::Write;

use colony_rules::{Edition, Scenario};

use cli::Answer;

/// Checks scenarios: files, or the names of built-in ones.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[arg(required = true, value_name = "FILE|NAME")]
    scenarios: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Answer {
    let mut text = String::new();
    let mut problems = 0;
    for scenario in &arguments.scenarios {
        let lines = check(scenario);
        problems += lines.as_ref().err().map_or(0, Vec::len);
        for line in lines.map_or_else(|lines| lines, |line| vec![line]) {
            writeln!(text, "{line}").expect("a string takes everything");
        }
    }
    if problems > 0 {
        writeln!(text, "{}", counted(problems, "problem")).expect("a string takes everything");
    }
    Answer { text, ok: problems == 0 }
}

/// One line for a sound scenario, or one for each problem.
fn check(file_or_name: &str) -> Result<String, Vec<String>> {
    let (label, text) = crate::load(file_or_name).map_err(|error| vec![error.to_string()])?;
    let problems = crate::check(&text);
    match colony_rules::scenario::read(&text) {
        Ok(scenario) if problems.is_empty() => Ok(format!("{label}: ok ({})", summary(&scenario))),
        Ok(_) | Err(_) => Err(problems.iter().map(|problem| format!("{label}: {problem}")).collect()),
    }
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

pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
