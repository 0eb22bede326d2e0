//! Games for spectators: pictures, patches between them, and words. `docs/chronicle.md` describes the lines.
//!
//! `builder` folds the log of a game through its [`Adapter`](crate::Adapter). Everything else in this module is the same for
//! all rulebooks.

mod builder;
mod cache;
mod feed;
mod index;
mod patch;
mod viewer;

use engine::{Missing, SeatResult};
use serde::Serialize;
use serde_json::Value;

pub(crate) use builder::ChronicleBuilder;
pub(crate) use cache::{CachedChronicle, ChronicleCache};
pub(crate) use feed::{Feeds, Followed, farewell};
pub use index::{Index, Point};
pub use patch::Change;
pub(crate) use viewer::{Turn, Viewer, unreadable};

use crate::log::{End, GameHead, GameRecord, ReplayError, Row};

/// How much of a game may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sight {
    /// Only facts that every player may know. This is the limit for a running game.
    Public,
    /// Also events for single players, commands, refusals, the seed and hidden facts. Shown after the end.
    Everything,
}

impl Sight {
    /// How much of a game any client may see.
    pub fn of(record: &GameRecord) -> Self {
        if record.end.is_some() { Self::Everything } else { Self::Public }
    }
}

/// How much of each entry to include.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Only descriptions in words.
    Words,
    /// Also the changes of the picture.
    Patches,
}

/// Opens chronicles of games of any rulebook.
pub trait Chronicler: Send + Sync {
    /// The chronicle of a game before its first entry, or why the game cannot be read; `None` if the rulebook is unknown.
    fn chronicle(&self, head: &GameHead, sight: Sight) -> Option<Result<Box<dyn Chronicle>, ReplayError>>;
}

/// The chronicle of one game, up to some entry.
pub trait Chronicle: Send + Sync {
    /// Adds entries.
    ///
    /// # Errors
    /// If an entry cannot be decoded. The entries before it are added.
    fn extend(&mut self, rows: Vec<Row>) -> Result<(), ReplayError>;

    /// Adds entries and passes each to `visit`.
    ///
    /// # Errors
    /// See [`extend`](Self::extend).
    fn tell(&mut self, rows: Vec<Row>, visit: &mut dyn FnMut(&EntryLine)) -> Result<(), ReplayError>;

    /// The number of entries.
    fn entries(&self) -> u64;

    /// The approximate size in memory.
    fn bytes(&self) -> usize;

    /// The line about the game itself.
    fn game(&self, record: &GameRecord) -> GameLine;

    /// The index of steps, rounds and figures.
    fn index(&self) -> &Index;

    /// The picture after the last entry.
    fn picture(&self) -> Value;

    /// Visits a checkpoint at or before the step `from`, then entries until `steps` steps are covered. Stops if `visit` returns
    /// false.
    fn lines(&self, from: u64, steps: u64, detail: Detail, visit: &mut dyn FnMut(Line<'_>) -> bool);

    /// The first difference between rules and log, if the log was replayed.
    fn difference(&self) -> Option<&str>;

    /// The outcome by the rules, if the log was replayed and agrees with them.
    fn outcome(&self) -> Option<String>;
}

/// A line of a chronicle.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Line<'l> {
    /// The game itself.
    Game(&'l GameLine),
    /// The index.
    Index(&'l Index),
    /// The picture at a step.
    Checkpoint {
        /// The step.
        step: u64,
        /// The picture after it.
        picture: &'l Value,
    },
    /// An entry of the log.
    Entry(&'l EntryLine),
}

/// The facts about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GameLine {
    /// The name of the game.
    pub name: String,
    /// The name of its rulebook.
    pub rulebook: String,
    /// The edition of the game.
    pub edition: String,
    /// The version of the rules.
    pub rules_version: u32,
    /// The title of its scenario.
    pub scenario: String,
    /// When it was created, in milliseconds since 1970, like all moments here.
    pub created: i64,
    /// The names of its players.
    pub players: Vec<String>,
    /// The players that it waits for before it begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Missing>,
    /// Whether it still runs.
    pub status: Status,
    /// When it ended.
    pub ended: Option<i64>,
    /// How it ended, in words.
    pub outcome: Option<String>,
    /// How it ended for each seat, if the log has that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<Vec<SeatResult>>,
    /// The seed, as text: it has 64 bits, which many languages cannot represent as a number.
    pub seed: Option<String>,
    /// The parent of a fork.
    pub parent: Option<ParentLine>,
    /// A note for people if something cannot be shown.
    pub note: Option<String>,
    /// The fixed parts of the drawing.
    pub stage: Value,
}

/// The origin of a fork.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParentLine {
    /// The name of the parent.
    pub game: String,
    /// The last entry that the fork shares with it.
    pub entry: u64,
}

/// Whether a game still runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It still runs.
    Running,
    /// It ended by its rules.
    Finished,
    /// Its rules panicked; the host does not continue it.
    Broken,
}

impl Status {
    /// The status of a stored game.
    pub fn of(record: &GameRecord) -> Self {
        match &record.end {
            None => Self::Running,
            Some(end) if end.outcome == End::BROKEN => Self::Broken,
            Some(_) => Self::Finished,
        }
    }

    /// The word for this status in the API.
    pub fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Broken => "broken",
        }
    }
}

/// One input and its events. Fields that are still secret are `None`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntryLine {
    /// The number of the entry.
    pub number: Option<u64>,
    /// When it happened.
    pub at: i64,
    /// Milliseconds of the game's own clock.
    pub elapsed: Option<u64>,
    /// The player who sent the command; `None` for a timer.
    pub by: Option<String>,
    /// The command as a message.
    pub command: Option<Value>,
    /// The command in words.
    pub text: Option<String>,
    /// The events that it caused.
    pub events: Vec<EventLine>,
}

/// An event of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EventLine {
    /// The number of a public event; `None` for other events.
    pub step: Option<u64>,
    /// `all`, `board`, or the name of the only player who received it.
    pub to: String,
    /// Whether it is a refusal.
    pub refused: bool,
    /// The event as a message.
    pub event: Value,
    /// The event in words.
    pub text: String,
    /// How the picture changes.
    pub patch: Vec<Change>,
}

impl Line<'_> {
    /// The line as it is sent and stored.
    pub fn write(&self, out: &mut Vec<u8>) {
        serde_json::to_writer(&mut *out, self).expect("a line of a chronicle always has a form in JSON");
        out.push(b'\n');
    }
}

/// Steps between two checkpoints of a whole chronicle.
const CHECKPOINTS: u64 = 256;

/// Writes the whole chronicle as JSON lines in pieces: the game and the index, then all entries with checkpoints between them.
/// The caller may release its lock on the chronicle between two pieces.
#[derive(Debug, Default)]
pub struct Export {
    /// The last step that was written, and the last step of the index; `None` before the first piece.
    written: Option<(u64, u64)>,
    done: bool,
}

impl Export {
    /// The next piece; `None` after the last.
    pub fn piece(&mut self, chronicle: &dyn Chronicle, record: &GameRecord) -> Option<Vec<u8>> {
        if self.done {
            return None;
        }
        let mut bytes = Vec::new();
        let Some((from, last)) = self.written else {
            Line::Game(&chronicle.game(record)).write(&mut bytes);
            Line::Index(chronicle.index()).write(&mut bytes);
            self.written = Some((0, chronicle.index().steps));
            return Some(bytes);
        };
        let mut reached = from;
        chronicle.lines(from, CHECKPOINTS, Detail::Patches, &mut |line| {
            if let Line::Entry(entry) = line {
                // A running game may have grown since the index was written.
                if reached >= last && entry.events.iter().any(|event| event.step.is_some()) {
                    return false;
                }
                reached += entry.events.iter().filter(|event| event.step.is_some()).count() as u64;
            }
            line.write(&mut bytes);
            true
        });
        self.written = Some((reached, last));
        self.done = reached >= last;
        Some(bytes)
    }
}

/// Writes the whole chronicle as JSON lines. Stops if `write` returns false.
pub fn export(chronicle: &dyn Chronicle, head: &GameHead, write: &mut dyn FnMut(&[u8]) -> bool) {
    let mut export = Export::default();
    while let Some(piece) = export.piece(chronicle, &head.record)
        && write(&piece)
    {}
}

/// The figures of each round as comma-separated values.
pub fn csv(index: &Index) -> String {
    let row = |point: &Point| {
        let values: String = point.values.iter().map(|value| format!(",{value}")).collect();
        format!("{},{}{values}\n", point.round, point.step)
    };
    let head = format!("round,step,{}\n", index.figures.join(","));
    head + &index.points.iter().map(row).collect::<String>()
}
