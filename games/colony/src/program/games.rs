//! Games among bots in this process: what is played, and by whom.

use std::time::Duration;

use crate::{STRATEGIES, Strategy};
use colony_rules::{EditionChoice, Outcome, Setup};

/// A checked scenario, and what to call it.
pub(crate) fn setup(scenario: &str, edition: EditionChoice) -> Result<(String, Setup), String> {
    let (label, text) = crate::load(scenario).map_err(|error| format!("{error}\n"))?;
    let problems = crate::check(&text);
    if !problems.is_empty() {
        return Err(problems.iter().map(|problem| format!("{label}: {problem}\n")).collect());
    }
    let setup = Setup::new(&text, edition.0, None).map_err(|error| format!("{label}: {error}\n"))?;
    Ok((label, setup))
}

/// So many players; all that the scenario has room for when nobody says.
pub(crate) fn players(label: &str, setup: &Setup, wanted: Option<u16>) -> Result<u16, String> {
    let most = setup.scenario.max_players;
    let players = wanted.unwrap_or(most);
    if players == 0 || players > most {
        return Err(format!("{label} is for 1 to {most} players, not for {players}\n"));
    }
    Ok(players)
}

pub(crate) fn strategy(name: &str) -> Result<Strategy, String> {
    let known = || STRATEGIES.iter().map(|strategy| strategy.name).collect::<Vec<_>>().join(", ");
    crate::strategy(name).ok_or_else(|| format!("no strategy {name}; there are {}\n", known()))
}

/// Gives those that look ahead so many milliseconds for a command. Without a number all stay as they are.
pub(crate) fn let_think(strategies: &mut [Strategy], milliseconds: Option<u64>) -> Result<(), String> {
    let Some(limit) = milliseconds.map(Duration::from_millis) else { return Ok(()) };
    let mut any = false;
    for strategy in strategies.iter_mut() {
        if let Some(timed) = strategy.bot.timed(limit) {
            (strategy.bot, any) = (timed, true);
        }
    }
    let names: Vec<_> = strategies.iter().map(|strategy| strategy.name).collect();
    if any { Ok(()) } else { Err(format!("{}: only planner can --think\n", names.join(", "))) }
}

/// For the help of a command.
pub(crate) fn strategies() -> String {
    let lines = STRATEGIES.iter().map(|strategy| format!("  {:<10} {}", strategy.name, strategy.about));
    format!("Strategies:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

/// A word for each outcome that fits a table.
pub(crate) fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won => "won",
        Outcome::LostMorale => "no morale",
        Outcome::LostGoal => "no goal",
        Outcome::Abandoned => "abandoned",
        Outcome::Aborted => "aborted",
    }
}
