//! Bots of others: an executable that is started for each move, with the position as its last argument, and prints a move.
//!
//! It runs in a process group of its own. Whatever it does, [`Bot::choose`] returns soon after the time limit, with as much
//! of its output as is of use, and nothing of the group is left.

mod process;

use std::{fmt, process::ExitStatus, time::Duration};

use clients::words::{Unreadable, split};
use crazyhouse_rules::{Move, MoveList, Position};

use super::Bot;
use process::{Output, Stop};

/// Somebody else's bot.
#[derive(Clone, Debug)]
pub struct Foreign {
    words: Vec<String>,
    limit: Duration,
}

/// Why a bot has no answer, and the end of what it said on standard error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub problem: Problem,
    /// At most [`SAID`] bytes, with anything that is no text replaced.
    pub said: String,
}

/// What a bot did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    NotStarted {
        program: String,
        cause: String,
    },
    /// It was killed.
    Hung {
        limit: Duration,
    },
    /// Also when it printed a move before.
    Crashed {
        status: ExitStatus,
    },
    /// It printed something that is no move.
    Nonsense {
        printed: String,
    },
    /// It printed a move that is not possible there.
    Illegal {
        tried: Move,
        position: Position,
    },
    /// It printed more than any answer needs, and was killed.
    Flooded {
        most: usize,
    },
    /// It could not be waited for, or its output could not be read.
    Lost {
        cause: String,
    },
}

/// How much of standard error is kept, in bytes.
pub const SAID: usize = 4096;

/// How much standard output may hold, in bytes.
pub const PRINTED: usize = 1024;

impl Foreign {
    /// The words of a command line, read as a shell reads plain words and quotes, and the time for a move.
    pub fn new(command: &str, limit: Duration) -> Result<Self, Unreadable> {
        Ok(Self { words: split(command)?, limit })
    }
}

impl Bot for Foreign {
    fn choose(&mut self, position: &Position) -> Result<Option<Move>, Failure> {
        let Output { end, printed, said } = process::run(&self.words, &position.to_string(), self.limit);
        let said = String::from_utf8_lossy(&said).into_owned();
        let answer = match end {
            Ok(status) if status.success() => read(&printed, position),
            Ok(status) => Err(Problem::Crashed { status }),
            Err(Stop::NotStarted(cause)) => {
                Err(Problem::NotStarted { program: self.words[0].clone(), cause: cause.to_string() })
            }
            Err(Stop::TooLate) => Err(Problem::Hung { limit: self.limit }),
            Err(Stop::TooMuch) => Err(Problem::Flooded { most: PRINTED }),
            Err(Stop::Lost(cause)) => Err(Problem::Lost { cause: cause.to_string() }),
        };
        answer.map_err(|problem| Failure { problem, said })
    }
}

/// A move with nothing but white space around it, or nothing but white space.
fn read(printed: &[u8], position: &Position) -> Result<Option<Move>, Problem> {
    const SHOWN: usize = 80;
    let text = String::from_utf8_lossy(printed);
    let word = text.trim();
    if word.is_empty() {
        return Ok(None);
    }
    let Some(tried) = Move::read(word) else {
        return Err(Problem::Nonsense { printed: word.chars().take(SHOWN).collect() });
    };
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    if moves.as_slice().contains(&tried) {
        Ok(Some(tried))
    } else {
        Err(Problem::Illegal { tried, position: *position })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted { program, cause } => write!(f, "{program} could not be started: {cause}"),
            Self::Hung { limit } => write!(f, "no answer within {} s, killed", limit.as_secs_f64()),
            Self::Crashed { status } => write!(f, "crashed ({status})"),
            Self::Nonsense { printed } => write!(f, "printed {printed:?}, which is no move"),
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
