//! Games as people look at them: pictures, patches between them, and words. `docs/chronicle.md` describes the lines.
//!
//! A chronicle knows no rulebook: `builder` folds the log of one that is [`Adapter`](crate::Adapter), and everything here is the same for all.

mod builder;
mod cache;
mod feed;
mod index;
mod patch;
mod viewer;

use engine::SeatResult;
use serde::Serialize;
use serde_json::Value;

pub(crate) use builder::ChronicleBuilder;
pub(crate) use cache::ChronicleCache;
pub(crate) use feed::{Feeds, Followed, farewell};
pub use index::{Index, Point};
pub use patch::Change;
pub(crate) use viewer::{Turn, Viewer, unreadable};

use crate::log::{End, GameHead, GameRecord, ReplayError, Row};

/// How much of a game may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sight {
    /// What every player may know: all there is to see of a game that is played.
    Public,
    /// Also what single players were told, commands, refusals, the seed, and what nobody knew: after the end.
    Everything,
}

impl Sight {
    /// What strangers may see of a game.
    pub fn of(record: &GameRecord) -> Self {
        if record.end.is_some() { Self::Everything } else { Self::Public }
    }
}

/// How much of each entry is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What happened, in words.
    Words,
    /// Also how the picture changes.
    Patches,
}

/// What begins the story of a game, of whichever rulebook.
pub trait Chronicler: Send + Sync {
    /// The chronicle of a game before its first entry, or why the game cannot be read; `None` if its rulebook is not here.
    fn chronicle(&self, head: &GameHead, sight: Sight) -> Option<Result<Box<dyn Chronicle>, ReplayError>>;
}

/// The story of one game, up to some entry.
pub trait Chronicle: Send + Sync {
    /// Adds entries.
    ///
    /// # Errors
    /// If an entry cannot be decoded. The entries before it are added.
    fn extend(&mut self, rows: Vec<Row>) -> Result<(), ReplayError>;

    /// Adds entries and passes each to `visit`.
    ///
    /// # Errors
    /// As for [`extend`](Self::extend).
    fn tell(&mut self, rows: Vec<Row>, visit: &mut dyn FnMut(&EntryLine)) -> Result<(), ReplayError>;

    /// How many entries it knows.
    fn entries(&self) -> u64;

    /// How many bytes these have.
    fn bytes(&self) -> usize;

    /// What the game is.
    fn game(&self, record: &GameRecord) -> GameLine;

    fn index(&self) -> &Index;

    /// The picture after the last entry.
    fn picture(&self) -> Value;

    /// A checkpoint at or before the step `from`, and then entries until so many steps are covered. False from `visit` ends it.
    fn lines(&self, from: u64, steps: u64, detail: Detail, visit: &mut dyn FnMut(Line<'_>) -> bool);

    /// Why the rules do not give what the log says, where they were asked.
    fn difference(&self) -> Option<&str>;

    /// How the game ended as the rules see it, where they were asked and have no difference.
    fn outcome(&self) -> Option<String>;
}

/// A line of a chronicle.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Line<'l> {
    Game(&'l GameLine),
    Index(&'l Index),
    Checkpoint { step: u64, picture: &'l Value },
    Entry(&'l EntryLine),
}

/// What a game is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GameLine {
    pub name: String,
    pub rulebook: String,
    pub edition: String,
    pub rules_version: u32,
    pub scenario: String,
    /// Milliseconds since 1970, like all moments here.
    pub created: i64,
    pub players: Vec<String>,
    pub status: Status,
    pub ended: Option<i64>,
    pub outcome: Option<String>,
    /// How it ended for each seat, where the log has that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<Vec<SeatResult>>,
    /// In words: it has 64 bits, and many languages have no number for that.
    pub seed: Option<String>,
    pub parent: Option<ParentLine>,
    pub note: Option<String>,
    pub stage: Value,
}

/// Where a fork comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParentLine {
    pub game: String,
    pub entry: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Running,
    Finished,
    /// The rules broke a promise; it is not continued.
    Broken,
}

impl Status {
    pub fn of(record: &GameRecord) -> Self {
        match &record.end {
            None => Self::Running,
            Some(end) if end.outcome == End::BROKEN => Self::Broken,
            Some(_) => Self::Finished,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Broken => "broken",
        }
    }
}

/// One input and what it caused. What is `None` is not to be known yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntryLine {
    pub number: Option<u64>,
    pub at: i64,
    pub elapsed: Option<u64>,
    /// Who sent the command; nobody for a timer.
    pub by: Option<String>,
    pub command: Option<Value>,
    /// The command in words.
    pub text: Option<String>,
    pub events: Vec<EventLine>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EventLine {
    /// Only public events have a number.
    pub step: Option<u64>,
    /// `all`, `board`, or the name of the one who was told.
    pub to: String,
    pub refused: bool,
    pub event: Value,
    pub text: String,
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

/// The whole chronicle as JSON lines, piece by piece: the game and the index, then all entries with checkpoints between them.
/// Whoever sends it need not hold the chronicle meanwhile.
#[derive(Debug, Default)]
pub struct Export {
    /// The step up to which it is written, and the last one of the index; nothing is yet.
    written: Option<(u64, u64)>,
    done: bool,
}

impl Export {
    /// The next piece, until there is none.
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

/// The whole chronicle as JSON lines. False from `write` ends it.
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
