//! Configurations of games: built-in configurations by name, and files.

use project_rules::{SCENARIOS, Setup};

use super::error::ProgramError;
use crate::{ConfigurationError, read_configuration};

/// Loads a built-in configuration, or a file in XML or in the JSON format of a log.
pub(super) fn load(name: &str) -> Result<Setup, ProgramError> {
    let json = |error| ProgramError::Json { name: name.to_owned(), error };
    if SCENARIOS.iter().any(|(known, _)| *known == name) {
        return Setup::new(name).map_err(json);
    }
    let bytes = std::fs::read(name).map_err(|cause| ProgramError::Read { name: name.to_owned(), cause })?;
    match str::from_utf8(&bytes) {
        Ok(text) if text.trim_start().starts_with('{') => Setup::new(text).map_err(json),
        Ok(_) | Err(_) => read_configuration(&bytes).map_err(|error| xml(name, error)),
    }
}

/// Checks a configuration after options have changed it.
pub(super) fn check(name: &str, setup: &Setup) -> Result<(), ProgramError> {
    let problems = setup.check();
    if problems.is_empty() { Ok(()) } else { Err(xml(name, ConfigurationError::Setup(problems))) }
}

fn xml(name: &str, error: ConfigurationError) -> ProgramError {
    ProgramError::Xml { name: name.to_owned(), error }
}

/// The names of the built-in configurations.
pub(super) fn names() -> String {
    SCENARIOS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// The built-in configurations, for the help of a command.
pub(super) fn help() -> String {
    let line = |(name, _): &(&str, &str)| {
        let title = Setup::new(name).map(|setup| setup.title()).unwrap_or_default();
        format!("  {name:<8} {title}")
    };
    format!("Built-in configurations:\n{}", SCENARIOS.iter().map(line).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_configurations_have_names() {
        for (name, _) in SCENARIOS {
            assert!(load(name).is_ok(), "{name}");
            assert!(help().contains(&format!("  {name:<8} ")), "{}", help());
        }
        let error = load("nothing").expect_err("no such file").to_string();
        assert!(error.starts_with("cannot read nothing: "), "{error}");
        assert!(error.ends_with("; built-in configurations: small, duel, team, classic"), "{error}");
    }
}
