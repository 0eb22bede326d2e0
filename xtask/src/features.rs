//! Checks the features of the program's package with clippy: without games, with each game alone, and with all games.

use crate::{failure::Failure, project::Project, run};

/// Checks that none of these builds has a warning.
pub(crate) fn check(project: &Project) -> Result<(), Failure> {
    for features in sets(&project.games()?) {
        let library = ["clippy", "--locked", "-p", "holdfast-app", "--lib", "--no-default-features", "--features"];
        run::cargo(project, library.into_iter().chain([features.as_str(), "--", "-D", "warnings"]))?;
    }
    let program =
        ["clippy", "--locked", "-p", "holdfast-app", "--bins", "--no-default-features", "--features", "games"];
    run::cargo(project, program.into_iter().chain(["--", "-D", "warnings"]))
}

/// The feature sets: no game, each game alone, and each game with the terminal.
fn sets(games: &[String]) -> Vec<String> {
    let alone = games.iter().flat_map(|game| [game.clone(), format!("{game},terminal")]);
    [String::new()].into_iter().chain(alone).collect()
}

#[cfg(test)]
mod tests {
    use super::sets;

    #[test]
    fn what_is_built() {
        assert_eq!(sets(&[]), [""]);
        let games = ["chess", "go"].map(str::to_owned);
        assert_eq!(sets(&games), ["", "chess", "chess,terminal", "go", "go,terminal"]);
    }
}
