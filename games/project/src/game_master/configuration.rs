//! Reads the Game Master's configuration file.

use std::fmt;

use project_rules::{Costs, Setup, SetupProblem};

use crate::documents::configuration::{ActionCosts, GameConfiguration};

/// Why a configuration cannot be used.
#[derive(Debug)]
pub enum ConfigurationError {
    /// The file does not match its format.
    Xml(Vec<xml::Problem>),
    /// No game can be played with the configuration.
    Setup(Vec<SetupProblem>),
}

impl fmt::Display for ConfigurationError {
    /// A line for each problem.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = match self {
            Self::Xml(problems) => problems.iter().map(ToString::to_string).collect(),
            Self::Setup(problems) => problems.iter().map(ToString::to_string).collect(),
        };
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for ConfigurationError {}

/// Reads a setup from a configuration in XML.
///
/// # Errors
///
/// All problems of the configuration.
pub fn read_configuration(bytes: &[u8]) -> Result<Setup, ConfigurationError> {
    let setup = setup(GameConfiguration::read(bytes).map_err(ConfigurationError::Xml)?);
    let problems = setup.check();
    if problems.is_empty() { Ok(setup) } else { Err(ConfigurationError::Setup(problems)) }
}

fn setup(configuration: GameConfiguration) -> Setup {
    let hashes = configuration.player_hashes;
    Setup {
        width: bounded(configuration.width),
        height: bounded(configuration.height),
        address: configuration.server_address.into(),
        reconnection_attempts: configuration.reconnection.attempts,
        reconnection_interval: configuration.reconnection.interval_s,
        players_per_team: bounded(configuration.players_per_team),
        pieces: bounded(configuration.pieces),
        shams_percentage: configuration.shams_percentage,
        goals: configuration.goals,
        costs: costs(configuration.costs),
        respawn_interval: configuration.respawn_interval_ms.map(u64::from),
        no_progress: configuration.no_progress_timeout_ms.map(u64::from),
        join_timeout: configuration.join_timeout_ms.map(u64::from),
        player_hashes: hashes.map(|hashes| hashes.iter().map(|hash| hash.as_str().into()).collect()),
    }
}

fn costs(costs: ActionCosts) -> Costs {
    let ActionCosts { move_ms, discover_ms, test_ms, pick_up_ms, place_ms } = costs;
    Costs {
        r#move: move_ms.into(),
        discover: discover_ms.into(),
        test: test_ms.into(),
        pick_up: pick_up_ms.into(),
        place: place_ms.into(),
    }
}

/// Limits a number. A larger number breaks every rule anyway.
fn bounded(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A configuration of one against one, with parts changed.
    fn configuration(changes: &[(&str, &str)]) -> String {
        let mut text = "<GameConfiguration><BoardWidth>4</BoardWidth><BoardHeight>8</BoardHeight>\
            <ServerAddress>127.0.0.1</ServerAddress><PlayersPerTeam>1</PlayersPerTeam><Pieces>5</Pieces>\
            <ShamsPercentage>20</ShamsPercentage>\
            <GoalsPositions><Position><X>0</X><Y>1</Y></Position></GoalsPositions></GameConfiguration>"
            .to_owned();
        for (from, to) in changes {
            assert!(text.contains(from), "{from}");
            text = text.replace(from, to);
        }
        text
    }

    #[track_caller]
    fn check(changes: &[(&str, &str)], expected: &[&str]) {
        let read = read_configuration(configuration(changes).as_bytes());
        let problems = read.err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(problems.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn configurations_become_setups() {
        let more = "<ActionCosts><Move>100</Move><Place>7</Place></ActionCosts><RespawnInterval>5</RespawnInterval>\
            <PlayerHashes><Hash>2707d2ff-e818-4ea9-be4b-fbce3486431e</Hash></PlayerHashes></GameConfiguration>";
        let read = read_configuration(configuration(&[("</GameConfiguration>", more)]).as_bytes()).expect("a setup");
        assert_eq!((read.width, read.height, read.pieces, read.players_per_team), (4, 8, 5, 1));
        assert_eq!((read.reconnection_attempts, read.reconnection_interval), (5, 20), "the defaults");
        assert_eq!(read.server().expect("an address").to_string(), "127.0.0.1:8000");
        assert_eq!(read.costs, Costs { r#move: 100, place: 7, ..Costs::default() });
        assert_eq!((read.respawn_interval, read.no_progress, read.join_timeout), (Some(5), None, None));
        assert_eq!(read.player_hashes.expect("a list").len(), 1);
    }

    #[test]
    fn all_problems_are_reported_at_once() {
        check(&[], &[]);
        check(
            &[("<BoardWidth>4<", "<BoardWidth>four<"), ("<Pieces>5</Pieces>", "")],
            &[
                "line 1, column 1: <Pieces> is missing in <GameConfiguration>",
                "line 1, column 20: <BoardWidth> is \"four\", which is no whole number from 0 to 4294967295",
            ],
        );
        check(
            &[("<BoardWidth>4<", "<BoardWidth>1<"), (">20<", ">101<"), ("127.0.0.1", "localhost"), ("<Y>1<", "<Y>5<")],
            &[
                "The board is 1 wide; it must be at least 2.",
                "The percentage of shams is 101; it must be 0 to 100.",
                "There are 5 pieces, and the task area has only 4 tiles.",
                "There are 0 pieces that are no shams, and a team has 1 goals.",
                "The goal (0, 5) is outside Blue's goal area.",
                "The address \"localhost\" is no IPv4 address.",
            ],
        );
    }
}
