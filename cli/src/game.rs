//! What a game brings to the program besides its rules.

use std::{error::Error, pin::Pin, process::ExitCode};

use clap::{ArgMatches, Args};
use script::ScriptedGame;
use server::{GameTable, HostedGame};
use slog::Logger;

use crate::{bots::HostBots, output, serving::Serving};

/// A game in the program's registry. Everything but the game itself has a default.
pub trait Game: Sync {
    /// The game as a host plays it.
    fn hosted(&self) -> &'static dyn HostedGame;

    /// The game as scripts have it; `None`: no scripts can be written for it.
    fn scripted(&self) -> Option<&'static dyn ScriptedGame> {
        None
    }

    /// Commands that it adds to the command line.
    fn commands(&self) -> Vec<Command> {
        Vec::new()
    }

    /// What runs without a command, where the first word is an option: one game, as a course serves it.
    fn course(&self) -> Option<Command> {
        None
    }

    /// Options that it adds to `holdfast host`.
    fn host_options(&self) -> Option<Box<dyn HostOptions>> {
        None
    }

    /// Bots for games that seat bots by their setup, where no [`HostOptions`] choose them.
    fn host_bots(&self) -> Option<Box<dyn HostBots>> {
        None
    }
}

/// What a game does in `holdfast host`.
pub trait HostOptions: Send + Sync {
    /// Adds its options.
    fn augment(&self, command: clap::Command) -> clap::Command;

    /// The bots of the game, as the options ask for them.
    ///
    /// # Errors
    ///
    /// The options do not fit each other, or name something that is missing.
    fn bots(&self, matches: &ArgMatches) -> Result<Option<Box<dyn HostBots>>, Failure> {
        let _no_bots = matches;
        Ok(None)
    }

    /// Opens what the options ask for, such as a port of the game's own.
    fn open<'s>(&'s self, matches: &'s ArgMatches, serving: &'s mut Serving, logger: &'s Logger) -> Opening<'s> {
        let _nothing = (matches, serving, logger);
        Box::pin(async { Ok(()) })
    }
}

/// Opens the ports of a game.
pub type Opening<'s> = Pin<Box<dyn Future<Output = Result<(), Failure>> + Send + 's>>;

/// The error of a command or of a game's options: a typed error of any crate, to be printed.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Everything that a command may need of the program it is part of.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "a table of games has nothing to show")]
pub struct Program {
    /// All games, the first of which is meant where nobody names one.
    pub games: &'static [&'static dyn Game],
}

impl Program {
    /// All games as a host plays them.
    pub fn hosted(&self) -> GameTable {
        GameTable::new(self.games.iter().map(|game| game.hosted()).collect())
    }

    /// The bots of all games.
    pub fn host_bots(&self) -> Vec<Box<dyn HostBots>> {
        self.games.iter().filter_map(|game| game.host_bots()).collect()
    }
}

/// A command of the command line.
#[expect(missing_debug_implementations, reason = "a function has nothing to show")]
pub struct Command {
    /// How it is called, with its options.
    pub clap: clap::Command,
    run: Box<Run>,
}

type Run = dyn Fn(&Program, &ArgMatches) -> ExitCode + Send + Sync;

impl Command {
    /// A command that reads its options itself.
    pub fn new(clap: clap::Command, run: impl Fn(&Program, &ArgMatches) -> ExitCode + Send + Sync + 'static) -> Self {
        Self { clap, run: Box::new(run) }
    }

    /// A command whose options are a struct that derives [`clap::Args`], and that needs more than the program.
    pub fn with<A: Args>(name: &'static str, run: impl Fn(&Program, &A) -> ExitCode + Send + Sync + 'static) -> Self {
        Self::new(A::augment_args(clap::Command::new(name)), move |program, matches| {
            match A::from_arg_matches(matches) {
                Ok(arguments) => run(program, &arguments),
                Err(usage) => output::usage(&usage),
            }
        })
    }

    /// The word that calls it.
    pub fn name(&self) -> &str {
        self.clap.get_name()
    }

    /// Does what the options say, and gives the exit code.
    pub fn run(&self, program: &Program, matches: &ArgMatches) -> ExitCode {
        (self.run)(program, matches)
    }
}

/// A command whose options are a struct that derives [`clap::Args`].
pub fn command<A: Args + 'static>(name: &'static str, run: fn(&Program, &A) -> ExitCode) -> Command {
    Command::with(name, run)
}
