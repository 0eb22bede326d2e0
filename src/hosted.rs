//! A game of an author that has an adapter and nothing else.

use std::{error::Error, fmt, marker::PhantomData};

use cli::{Game, HostBots, any_game::RandomBots};
use engine::Rulebook;
use script::{ScriptedGame, scripted};
use server::{Adapter, Erased, HostedGame, WebSources};

use crate::scripts::AdapterScripts;

/// An adapter as a game of the program, without commands of its own. Its bot is the one that takes any offer.
pub(crate) struct Hosted<A>(PhantomData<fn() -> A>);

impl<A> Hosted<A> {
    pub(crate) const NEW: Self = Self(PhantomData);
}

impl<A: Adapter> Game for Hosted<A> {
    fn hosted(&self) -> &'static dyn HostedGame {
        &Erased::<A>::NEW
    }

    fn scripted(&self) -> Option<&'static dyn ScriptedGame> {
        Some(scripted::<AdapterScripts<A>>())
    }

    fn host_bots(&self) -> Option<Box<dyn HostBots>> {
        Some(Box::new(RandomBots { rulebook: A::Rules::NAME }))
    }
}

/// The first parts of addresses that are not rulebooks.
const RESERVED: &[&str] = &["api", "games", "health", "metrics", "open", "web"];
/// The longest name of a game, in bytes.
const LONGEST: usize = 64;

/// A mistake in the name of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GameNameError {
    /// The name has other characters than lower-case letters, digits and hyphens, begins with none, or is too long.
    Form { name: String },
    /// The name is the beginning of an address of the host.
    Reserved { name: String },
    /// Two games have the same name.
    Twice { name: String },
}

/// Files of pages are given for a game that the program does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WebForNoGame {
    name: String,
}

impl fmt::Display for WebForNoGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`App::web` names the game {}, which this program does not have", self.name)
    }
}

impl Error for WebForNoGame {}

/// Checks that files of pages belong to games of the program.
pub(crate) fn check_web(web: &WebSources, games: &[&'static dyn Game]) -> Result<(), WebForNoGame> {
    let is_game = |name: &str| games.iter().any(|game| game.hosted().name() == name);
    match web.files.iter().find(|(name, _)| !is_game(name)) {
        Some((name, _)) => Err(WebForNoGame { name: name.clone() }),
        None => Ok(()),
    }
}

impl fmt::Display for GameNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form { name } => write!(
                f,
                "{name:?} is not the name of a game: it has 1 to {LONGEST} lower-case letters, digits and hyphens, and begins with a letter"
            ),
            Self::Reserved { name } => write!(f, "a game cannot be called {name}: a host has pages of this name"),
            Self::Twice { name } => write!(f, "two games are called {name}"),
        }
    }
}

impl Error for GameNameError {}

/// Checks the name of one game.
pub(crate) fn check_name(name: &str) -> Result<(), GameNameError> {
    let is_allowed = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let begins = name.chars().next().is_some_and(|first| first.is_ascii_lowercase());
    if !begins || name.len() > LONGEST || !name.chars().all(is_allowed) {
        return Err(GameNameError::Form { name: name.into() });
    }
    if RESERVED.contains(&name) {
        return Err(GameNameError::Reserved { name: name.into() });
    }
    Ok(())
}

/// Checks the names of all games of a program.
pub(crate) fn check_names<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), GameNameError> {
    let mut seen = Vec::new();
    for name in names {
        check_name(name)?;
        if seen.contains(&name) {
            return Err(GameNameError::Twice { name: name.into() });
        }
        seen.push(name);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check_names;

    #[test]
    fn names_of_games() {
        let check = |names: &[&str], expected: &str| {
            let came = check_names(names.iter().copied()).map_or_else(|error| error.to_string(), |()| "fine".into());
            assert!(came.contains(expected), "{names:?}: {came}");
        };
        check(&["colony", "connect-four", "g2"], "fine");
        check(&["go", "go"], "two games are called go");
        check(&["web"], "a host has pages of this name");
        for bad in ["", "Go", "2go", "-go", "g o", "g\u{f6}", "a/b", &"g".repeat(65)] {
            check(&[bad], "is not the name of a game");
        }
        check(&[&"g".repeat(64)], "fine");
    }
}
