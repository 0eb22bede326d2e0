//! Why a subcommand fails.

use std::{fmt, io, path::PathBuf};

use script::{GameError, NoScripts, SourceError, WishError};

use crate::{
    files::FileError,
    grade::{JournalError, PlanError},
    recording::LogError,
};

#[derive(Debug)]
pub(super) enum CommandError {
    /// A path on the command line does not exist.
    NoSuchPath(PathBuf),
    /// A file cannot be read or written.
    File(PathBuf, io::Error),
    /// Standard output cannot be written.
    Output(io::Error),
    /// A file or scenario that the command line names cannot be read.
    Source(SourceError),
    /// A file on the command line is not a script.
    Script(FileError),
    /// A file that was found in a folder is not a script.
    ScriptAt(String, FileError),
    Log(LogError),
    /// A rulebook has no scripts.
    NoScripts(NoScripts),
    NothingToConvert(PathBuf),
    ScriptsAndTranscripts(PathBuf),
    NeedsJsonlFile(PathBuf),
    NeedsFolder(PathBuf),
    /// The file already exists, and does not contain the scenario of the script.
    ScenarioExists {
        file: PathBuf,
        script: String,
    },
    /// The game has no entries.
    EmptyGame(String),
    NoSuchEntries {
        from: usize,
        to: usize,
        game: String,
        entries: usize,
    },
    /// This game does not support wishes; `None` means that no game supports them.
    NoWishes(Option<&'static str>),
    Wish(WishError),
    /// A game's own error.
    Game(GameError),
    /// The game does not fulfil the wish.
    NotFulfilled {
        game: String,
        wish: String,
    },
    /// The plan of a grading has a mistake.
    Plan(PlanError),
    /// The plan has no such team.
    NoTeam(String),
    /// The results of a grading cannot be written.
    Journal(JournalError),
    /// The port of a server cannot be opened.
    Port(u16, io::Error),
    /// The program has no mutants.
    #[cfg(not(feature = "mutants"))]
    NoInstrumentation,
    /// There is no such mutant.
    #[cfg(feature = "mutants")]
    UnknownMutant(String, String),
    /// There is no table of mutants, or no crate beside it.
    #[cfg(not(feature = "mutants"))]
    NoTable(PathBuf),
    /// The table of mutants cannot be read.
    Table(PathBuf, ::mutants::TableError),
    /// Mutants that cannot be planted.
    #[cfg(not(feature = "mutants"))]
    Findings(Vec<String>),
    #[cfg(feature = "mutants")]
    NoMutants(Option<String>),
    #[cfg(feature = "mutants")]
    NothingToPlay,
    #[cfg(feature = "mutants")]
    Unreadable(Vec<crate::mutants::scripts::Unreadable>),
    #[cfg(feature = "mutants")]
    FailedByTheRules(Vec<crate::mutants::matrix::Failed>),
}

impl CommandError {
    /// Whether the command line itself is wrong.
    pub(super) fn is_usage(&self) -> bool {
        let missing = |error: &SourceError| match error {
            SourceError::NotFound(_) | SourceError::UnknownScenario { .. } => true,
            SourceError::Io(..) => false,
        };
        match self {
            Self::NoSuchPath(_) | Self::NoScripts(_) | Self::Plan(_) | Self::NoTeam(_) => true,
            Self::Source(error) | Self::Log(LogError::Source(error)) => missing(error),
            Self::File(..)
            | Self::Output(_)
            | Self::Journal(_)
            | Self::Port(..)
            | Self::Script(_)
            | Self::ScriptAt(..)
            | Self::Log(_)
            | Self::NothingToConvert(_)
            | Self::ScriptsAndTranscripts(_)
            | Self::NeedsJsonlFile(_)
            | Self::NeedsFolder(_)
            | Self::ScenarioExists { .. }
            | Self::EmptyGame(_)
            | Self::NoSuchEntries { .. }
            | Self::NoWishes(_)
            | Self::Wish(_)
            | Self::Game(_)
            | Self::Table(..)
            | Self::NotFulfilled { .. } => false,
            #[cfg(not(feature = "mutants"))]
            Self::NoInstrumentation => true,
            #[cfg(feature = "mutants")]
            Self::UnknownMutant(..) => true,
            #[cfg(not(feature = "mutants"))]
            Self::NoTable(_) | Self::Findings(_) => false,
            #[cfg(feature = "mutants")]
            Self::NoMutants(_) | Self::NothingToPlay | Self::Unreadable(_) | Self::FailedByTheRules(_) => false,
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchPath(path) => write!(f, "there is no file or folder {}", path.display()),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Output(error) => write!(f, "standard output: {error}"),
            Self::Source(error) => error.fmt(f),
            Self::Script(error) => error.fmt(f),
            Self::ScriptAt(place, error) => write!(f, "{place}:\n{error}"),
            Self::Log(error) => error.fmt(f),
            Self::NoScripts(error) => write!(f, "{error}; {}", error.help),
            Self::NothingToConvert(path) => write!(f, "{}: there is nothing to convert", path.display()),
            Self::ScriptsAndTranscripts(path) => {
                write!(f, "{} has scripts and transcripts: convert one kind at a time", path.display())
            }
            Self::NeedsJsonlFile(path) => {
                write!(f, "{}: name a .jsonl file, which will contain all transcripts", path.display())
            }
            Self::NeedsFolder(path) => {
                write!(f, "{}: name a folder, which will contain a file for each script", path.display())
            }
            Self::ScenarioExists { file, script } => {
                write!(f, "{} exists and is not the scenario of {script}; it is not overwritten", file.display())
            }
            Self::EmptyGame(game) => write!(f, "game {game} has no entries"),
            Self::NoSuchEntries { from, to, game, entries } => {
                write!(f, "entries {from} to {to}: game {game} has the entries 1 to {entries}")
            }
            Self::NoWishes(Some(game)) => write!(f, "{game} does not support --want"),
            Self::NoWishes(None) => f.write_str("no game supports --want"),
            Self::Wish(error) => error.fmt(f),
            Self::Game(error) => error.fmt(f),
            Self::Table(file, error) => write!(f, "{}: {error}", file.display()),
            #[cfg(not(feature = "mutants"))]
            Self::NoTable(file) => {
                let help = "it has the faults to plant, and belongs beside the Cargo.toml of the game";
                write!(f, "{}: there is no such file; {help}", file.display())
            }
            #[cfg(not(feature = "mutants"))]
            Self::Findings(findings) => f.write_str(&findings.join("\n")),
            Self::Plan(error) => error.fmt(f),
            Self::NoTeam(name) => write!(f, "the plan has no team {name:?}"),
            Self::Journal(error) => error.fmt(f),
            Self::Port(port, error) => write!(f, "port {port}: {error}"),
            #[cfg(not(feature = "mutants"))]
            Self::NoInstrumentation => f.write_str(
                "this program has no mutants, only `none`; `cargo xtask mutants --build` builds one that has",
            ),
            #[cfg(feature = "mutants")]
            Self::UnknownMutant(name, help) => write!(f, "there is no mutant {name}; {help}; --list shows all"),
            Self::NotFulfilled { game, wish } => write!(f, "game {game} does not show {wish}"),
            #[cfg(feature = "mutants")]
            Self::NoMutants(Some(game)) => write!(f, "{game} has no mutants"),
            #[cfg(feature = "mutants")]
            Self::NoMutants(None) => f.write_str("no game has mutants; `cargo xtask mutants` builds them"),
            #[cfg(feature = "mutants")]
            Self::NothingToPlay => f.write_str("there are no scripts"),
            #[cfg(feature = "mutants")]
            Self::Unreadable(scripts) => {
                f.write_str("these scripts cannot be read:")?;
                scripts.iter().try_for_each(|script| write!(f, "\n{script}"))
            }
            #[cfg(feature = "mutants")]
            Self::FailedByTheRules(scripts) => {
                f.write_str("these scripts fail without any mutant:")?;
                scripts.iter().try_for_each(|script| write!(f, "\n{script}"))
            }
        }
    }
}

impl std::error::Error for CommandError {}
