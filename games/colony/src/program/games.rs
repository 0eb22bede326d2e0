//! Scenarios, players and strategies for the options of several commands.

use std::time::Duration;

use super::error::CommandError;
use crate::{STRATEGIES, Strategy};
use cli::Failure;
use colony_rules::{EditionChoice, Outcome, Setup};

/// Loads and checks a scenario. Returns its label for messages and its setup.
pub(crate) fn setup(scenario: &str, edition: EditionChoice) -> Result<(String, Setup), Failure> {
    let (label, text) = crate::load(scenario)?;
    let problems = crate::check(&text);
    if !problems.is_empty() {
        return Err(CommandError::Scenario { label, problems }.into());
    }
    match Setup::new(&text, edition.0, None) {
        Ok(setup) => Ok((label, setup)),
        Err(error) => Err(CommandError::Setup { label, error }.into()),
    }
}

/// The number of players. Without a number, the most that the scenario allows.
pub(crate) fn players(label: &str, setup: &Setup, asked: Option<u16>) -> Result<u16, CommandError> {
    let most = setup.scenario.max_players;
    let asked = asked.unwrap_or(most);
    if asked == 0 || asked > most {
        return Err(CommandError::Players { label: label.into(), most, asked });
    }
    Ok(asked)
}

pub(crate) fn strategy(name: &str) -> Result<Strategy, CommandError> {
    crate::strategy(name).ok_or_else(|| CommandError::UnknownStrategy { name: name.into() })
}

/// Sets a time limit for the strategies that look ahead. Without a limit, nothing changes.
pub(crate) fn let_think(strategies: &mut [Strategy], limit: Option<Duration>) -> Result<(), CommandError> {
    let Some(limit) = limit else { return Ok(()) };
    let mut any = false;
    for strategy in strategies.iter_mut() {
        if let Some(timed) = strategy.bot.timed(limit) {
            (strategy.bot, any) = (timed, true);
        }
    }
    let names = strategies.iter().map(|strategy| strategy.name);
    if any { Ok(()) } else { Err(CommandError::NoneThinks { strategies: names.collect() }) }
}

/// The list of strategies for the help of a command.
pub(crate) fn strategies() -> String {
    let lines = STRATEGIES.iter().map(|strategy| format!("  {:<10} {}", strategy.name, strategy.about));
    format!("Strategies:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

/// A short word for an outcome in tables.
pub(crate) fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won => "won",
        Outcome::LostMorale => "no morale",
        Outcome::LostGoal => "no goal",
        Outcome::Abandoned => "abandoned",
        Outcome::Aborted => "aborted",
    }
}
