//! The parts of a game in the program: its commands, options and bots, besides its rules.

use std::{error::Error, pin::Pin, process::ExitCode, time::Duration};

use clap::{ArgMatches, Args};
use commlib::Create;
use script::ScriptedGame;
use server::{GameTable, HostedGame, WebSources};
use slog::Logger;

use crate::{bots::HostBots, output, serving::Serving};

/// A game in the program's registry. Only [`hosted`](Self::hosted) has no default.
pub trait Game: Sync {
    /// The game as a host plays it.
    fn hosted(&self) -> &'static dyn HostedGame;

    /// The game for scripts; `None` if the game does not support scripts.
    fn scripted(&self) -> Option<&'static dyn ScriptedGame> {
        None
    }

    /// The commands that the game adds to the command line.
    fn commands(&self) -> Vec<Command> {
        Vec::new()
    }

    /// The command that runs if the command line begins with an option and names no command: the server for one game, as in a
    /// course.
    fn course(&self) -> Option<Command> {
        None
    }

    /// The options that the game adds to `holdfast host`.
    fn host_options(&self) -> Option<Box<dyn HostOptions>> {
        None
    }

    /// The bots for setups that seat bots, if no [`HostOptions`] choose them.
    fn host_bots(&self) -> Option<Box<dyn HostBots>> {
        None
    }

    /// A game that bots of the host play among themselves, for a demonstration.
    fn bot_game(&self) -> Option<Create> {
        None
    }

    /// Keeps games of players without seats on a common host running, for a demonstration: opens the ports that they need, and
    /// starts players that make about one action in this time.
    fn demonstrate<'s>(&'s self, serving: &'s mut Serving, pace: Duration, logger: &'s Logger) -> Opening<'s> {
        let _nothing = (serving, pace, logger);
        Box::pin(async { Ok(()) })
    }

    /// Whether a demonstration shows all of a running game, because no player but those of [`demonstrate`](Self::demonstrate) can
    /// take part in one.
    fn is_demonstrated_whole(&self) -> bool {
        false
    }
}

/// The options of a game in `holdfast host`.
pub trait HostOptions: Send + Sync {
    /// Adds the options to the command.
    fn augment(&self, command: clap::Command) -> clap::Command;

    /// The bots that the options choose.
    ///
    /// # Errors
    ///
    /// The options contradict each other, or name something that does not exist.
    fn bots(&self, matches: &ArgMatches) -> Result<Option<Box<dyn HostBots>>, Failure> {
        let _no_bots = matches;
        Ok(None)
    }

    /// The option that requests a port whose players have no accounts, if it is given.
    ///
    /// # Errors
    ///
    /// The options contradict each other.
    fn guest_port(&self, matches: &ArgMatches) -> Result<Option<&'static str>, Failure> {
        let _no_port = matches;
        Ok(None)
    }

    /// Opens the ports that the options request.
    fn open<'s>(&'s self, matches: &'s ArgMatches, serving: &'s mut Serving, logger: &'s Logger) -> Opening<'s> {
        let _nothing = (matches, serving, logger);
        Box::pin(async { Ok(()) })
    }
}

/// The future that opens the ports of a game.
pub type Opening<'s> = Pin<Box<dyn Future<Output = Result<(), Failure>> + Send + 's>>;

/// The error of a command or of a game's options: an error type of any crate, to be printed.
pub type Failure = Box<dyn Error + Send + Sync>;

/// The program that a command is part of.
#[derive(Clone)]
#[non_exhaustive]
#[expect(missing_debug_implementations, reason = "a table of games has nothing to show")]
pub struct Program {
    /// All games; the first is the default.
    pub games: Vec<&'static dyn Game>,
    /// Files of pages and drawings, besides those of the games.
    pub web: WebSources,
}

impl Program {
    /// The program for these games; the first is the default.
    pub fn new(games: Vec<&'static dyn Game>) -> Self {
        Self { games, web: WebSources::default() }
    }

    /// All games, for a host.
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
    /// The name, help and options of the command.
    pub clap: clap::Command,
    /// The heading under which `holdfast --help` lists the command.
    pub group: Group,
    run: Box<Run>,
}

/// The headings of `holdfast --help`, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Group {
    /// The first commands for a new user.
    Start,
    /// Hosts, and clients of hosts.
    Host,
    /// Tools for log files.
    Logs,
    /// Commands of single games.
    Games,
    /// Everything else.
    Tools,
}

impl Group {
    /// All groups, in the order of the help.
    pub const ALL: [Self; 5] = [Self::Start, Self::Host, Self::Logs, Self::Games, Self::Tools];

    /// The heading.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Start => "Start here",
            Self::Host => "Host",
            Self::Logs => "Logs",
            Self::Games => "Games",
            Self::Tools => "Tools",
        }
    }
}

type Run = dyn Fn(&Program, &ArgMatches) -> ExitCode + Send + Sync;

impl Command {
    /// Creates a command that reads its options itself.
    pub fn new(clap: clap::Command, run: impl Fn(&Program, &ArgMatches) -> ExitCode + Send + Sync + 'static) -> Self {
        Self { clap, group: Group::Games, run: Box::new(run) }
    }

    /// Creates a command whose options are a struct that derives [`clap::Args`]. The function may be a closure.
    pub fn with<A: Args>(name: &'static str, run: impl Fn(&Program, &A) -> ExitCode + Send + Sync + 'static) -> Self {
        Self::new(A::augment_args(clap::Command::new(name)), move |program, matches| {
            match A::from_arg_matches(matches) {
                Ok(arguments) => run(program, &arguments),
                Err(usage) => output::usage(&usage),
            }
        })
    }

    /// Puts the command under another heading than [`Group::Games`].
    #[must_use]
    pub fn in_group(self, group: Group) -> Self {
        Self { group, ..self }
    }

    /// The name on the command line.
    pub fn name(&self) -> &str {
        self.clap.get_name()
    }

    /// Runs the command and returns the exit code.
    pub fn run(&self, program: &Program, matches: &ArgMatches) -> ExitCode {
        (self.run)(program, matches)
    }
}

/// Creates a command whose options are a struct that derives [`clap::Args`].
pub fn command<A: Args + 'static>(name: &'static str, run: fn(&Program, &A) -> ExitCode) -> Command {
    Command::with(name, run)
}
