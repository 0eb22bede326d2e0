//! Foreign bots: a program that is started for each move, with the position as its last argument, and prints a move.
//!
//! The program runs in its own process group. [`Bot::choose`] always returns soon after the time limit, and leaves no process
//! of the group behind.

use std::{
    fmt, io,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use clients::{
    process::{self, Keep, Pipe, Stop},
    words::{Unreadable, split},
};
use crazyhouse_rules::{Move, MoveList, Position};

use tokio::runtime;

use super::Bot;

/// A bot that is a foreign program.
#[derive(Clone, Debug)]
pub struct Foreign {
    words: Vec<String>,
    limit: Duration,
}

/// The reason why a bot gave no valid answer, and the end of its standard error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The reason.
    pub problem: BotProblem,
    /// The end of standard error: at most [`SAID`] bytes, in which bytes that are not text are replaced.
    pub said: String,
}

/// The reasons why a foreign bot gave no valid answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotProblem {
    /// The program cannot be started.
    NotStarted {
        /// The program.
        program: String,
        /// The system's error.
        cause: String,
    },
    /// It did not answer in time, and was killed.
    Hung {
        /// The time limit.
        limit: Duration,
    },
    /// It ended with an error, perhaps after it printed a move.
    Crashed {
        /// The exit status.
        status: ExitStatus,
    },
    /// It printed something that is not a move.
    Nonsense {
        /// The beginning of its output.
        printed: String,
    },
    /// It printed an illegal move.
    Illegal {
        /// The move.
        tried: Move,
        /// The position.
        position: Position,
    },
    /// It printed more than any answer needs, and was killed.
    Flooded {
        /// The limit in bytes.
        most: usize,
    },
    /// The system could not wait for it or read its output.
    Lost {
        /// The system's error.
        cause: String,
    },
}

/// The most bytes of standard error that are kept.
pub const SAID: usize = 4096;

/// The most bytes of standard output.
pub const PRINTED: usize = 1024;

impl Foreign {
    /// Creates a bot with this time limit per move. The command line is split as a shell splits plain words and quotes.
    ///
    /// # Errors
    ///
    /// The command line is empty, or has an unclosed quote.
    pub fn new(command: &str, limit: Duration) -> Result<Self, Unreadable> {
        Ok(Self { words: split(command)?, limit })
    }

    /// Runs the program with the position as one more argument. Blocks, so it must not be called from asynchronous code.
    fn run(&self, position: &Position, printed: &mut Pipe, said: &mut Pipe) -> Result<ExitStatus, Stop> {
        let mut command = process::foreign(&self.words);
        command.arg(position.to_string()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let runtime: io::Result<_> = runtime::Builder::new_current_thread().enable_all().build();
        runtime.map_err(Stop::Lost)?.block_on(process::wait(&mut command, Some(self.limit), printed, said))
    }
}

impl Bot for Foreign {
    fn choose(&mut self, position: &Position) -> Result<Option<Move>, Failure> {
        let (mut printed, mut said) = (Pipe::new(Keep::First(PRINTED)), Pipe::new(Keep::Last(SAID)));
        let end = self.run(position, &mut printed, &mut said);
        let said = String::from_utf8_lossy(said.kept()).into_owned();
        let answer = match end {
            Ok(status) if status.success() => read(printed.kept(), position),
            Ok(status) => Err(BotProblem::Crashed { status }),
            Err(Stop::NotStarted(cause)) => {
                Err(BotProblem::NotStarted { program: self.words[0].clone(), cause: cause.to_string() })
            }
            Err(Stop::TooLate) => Err(BotProblem::Hung { limit: self.limit }),
            Err(Stop::TooMuch) => Err(BotProblem::Flooded { most: PRINTED }),
            Err(Stop::Lost(cause)) => Err(BotProblem::Lost { cause: cause.to_string() }),
        };
        answer.map_err(|problem| Failure { problem, said })
    }
}

/// Parses a move with white space around it. Only white space means that the bot resigns.
fn read(printed: &[u8], position: &Position) -> Result<Option<Move>, BotProblem> {
    const SHOWN: usize = 80;
    let text = String::from_utf8_lossy(printed);
    let word = text.trim();
    if word.is_empty() {
        return Ok(None);
    }
    let Some(tried) = Move::read(word) else {
        return Err(BotProblem::Nonsense { printed: word.chars().take(SHOWN).collect() });
    };
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    if moves.as_slice().contains(&tried) {
        Ok(Some(tried))
    } else {
        Err(BotProblem::Illegal { tried, position: *position })
    }
}

impl fmt::Display for BotProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted { program, cause } => write!(f, "{program} could not be started: {cause}"),
            Self::Hung { limit } => write!(f, "no answer within {} s, killed", limit.as_secs_f64()),
            Self::Crashed { status } => write!(f, "crashed ({status})"),
            Self::Nonsense { printed } => write!(f, "printed {printed:?}, which is not a move"),
            Self::Illegal { tried, position } => write!(f, "printed {tried}, which is illegal in {position}"),
            Self::Flooded { most } => write!(f, "printed more than {most} bytes, killed"),
            Self::Lost { cause } => write!(f, "could not be waited for: {cause}"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.said.trim() {
            "" => write!(f, "{}", self.problem),
            said => write!(f, "{}; on standard error:\n{said}", self.problem),
        }
    }
}

impl std::error::Error for Failure {}
