//! The ends of all games at one moment, to keep elsewhere: a log that was rewritten with new digests differs from them.

use std::{collections::HashMap, error::Error, fmt, str::FromStr};

use engine::Digest;

use crate::log::{GameKey, GameRecord, Tail, Tombstone, WhyRemoved};

/// The first line of the text.
const FIRST: &str = "holdfast heads 1";

/// The end of each game of a log. As text, it has a line for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heads {
    /// The games in the order of their keys.
    pub games: Vec<Head>,
    /// The games that were removed, in the order of their keys.
    pub removed: Vec<Tombstone>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The name of the game.
    pub name: String,
    /// The key of the game in its store.
    pub key: GameKey,
    /// The number of entries, and the digest of the last one.
    pub tail: Tail,
}

impl Heads {
    /// The heads of these games, and of games that were removed.
    pub fn of(records: &[GameRecord], removed: Vec<Tombstone>) -> Self {
        let head =
            |GameRecord { key, name, tail, .. }: &GameRecord| Head { name: name.clone(), key: *key, tail: *tail };
        let removed = removed.into_iter().map(|stone| Tombstone { rows: None, ..stone }).collect();
        Self { games: records.iter().map(head).collect(), removed }
    }

    /// The ends by the names of the games.
    pub(super) fn by_name(&self) -> HashMap<&str, Tail> {
        self.games.iter().map(|head| (head.name.as_str(), head.tail)).collect()
    }
}

/// `game KEY ENTRIES DIGEST "NAME"` for each game, after a first line with the version, then `removed KEY ENTRIES DIGEST TIME WHY
/// "NAME"` for each removed game. Other words at the beginning of a line
/// are for later versions.
impl fmt::Display for Heads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST}")?;
        for Head { name, key, tail } in &self.games {
            let name = serde_json::Value::from(name.as_str());
            writeln!(f, "game {key} {} {} {name}", tail.entries, tail.digest)?;
        }
        for Tombstone { key, name, tail, at, why, rows: _ } in &self.removed {
            let name = serde_json::Value::from(name.as_str());
            writeln!(f, "removed {key} {} {} {at} {why} {name}", tail.entries, tail.digest)?;
        }
        Ok(())
    }
}

impl FromStr for Heads {
    type Err = HeadsError;

    fn from_str(text: &str) -> Result<Self, HeadsError> {
        let mut lines = text.lines().zip(1..);
        match lines.next() {
            Some((FIRST, _)) => {}
            Some((line, _)) if line.starts_with("holdfast heads ") => {
                return Err(HeadsError { line: 1, fault: HeadsFault::Newer { found: line.into() } });
            }
            Some(_) | None => return Err(HeadsError { line: 1, fault: HeadsFault::NoHeads }),
        }
        let mut names = HashMap::new();
        let mut heads = Self::default();
        for (text, line) in lines.filter(|(text, _)| !text.trim().is_empty()) {
            let name = heads.parse(text).map_err(|fault| HeadsError { line, fault })?;
            if let Some(first) = names.insert(name.clone(), line) {
                return Err(HeadsError { line, fault: HeadsFault::Twice { name, first } });
            }
        }
        Ok(heads)
    }
}

impl Heads {
    /// Adds what a line says. Returns the name of its game.
    fn parse(&mut self, text: &str) -> Result<String, HeadsFault> {
        let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
        let is_removed = match kind {
            "game" => false,
            "removed" => true,
            kind => return Err(HeadsFault::OtherKind { kind: kind.into() }),
        };
        let mut words = rest.splitn(if is_removed { 6 } else { 4 }, ' ').filter(|word| !word.is_empty());
        let mut word = |part| words.next().ok_or(HeadsFault::Missing { part });
        let bad = |part, word: &str| HeadsFault::Bad { part, word: word.into() };
        let (key, entries, digest) = (word("key")?, word("entries")?, word("digest")?);
        let removed = if is_removed { Some((word("time")?, word("reason")?)) } else { None };
        let name = word("name")?;
        let key = GameKey(key.parse().map_err(|_| bad("key", key))?);
        let tail = Tail {
            entries: entries.parse().map_err(|_| bad("number of entries", entries))?,
            digest: parse_digest(digest).ok_or_else(|| bad("digest", digest))?,
        };
        let name: String = serde_json::from_str(name).map_err(|_| bad("name in quotes", name))?;
        match removed {
            None => self.games.push(Head { name: name.clone(), key, tail }),
            Some((at, why)) => {
                let at = at.parse().map_err(|_| bad("time", at))?;
                let why = WhyRemoved::named(why);
                self.removed.push(Tombstone { key, name: name.clone(), tail, rows: None, at, why });
            }
        }
        Ok(name)
    }
}

fn parse_digest(word: &str) -> Option<Digest> {
    let mut bytes = [0; 32];
    if word.len() != 64 || !word.is_ascii() {
        return None;
    }
    for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&word[at..at + 2], 16).ok()?;
    }
    Some(Digest(bytes))
}

/// A line of the text that is not one of [`Heads`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadsError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: HeadsFault,
}

/// What is wrong with a line of heads.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the line of a variant explains its fields")]
pub enum HeadsFault {
    /// The text does not begin as heads do.
    NoHeads,
    /// A later version of the format.
    Newer { found: String },
    /// A line of another kind, perhaps of a later program.
    OtherKind { kind: String },
    /// The line is too short.
    Missing { part: &'static str },
    /// A part of the line cannot be read.
    Bad { part: &'static str, word: String },
    /// The game was in an earlier line.
    Twice { name: String, first: usize },
}

impl fmt::Display for HeadsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.fault {
            HeadsFault::NoHeads => {
                write!(f, "the first line must be `{FIRST}`; `holdfast log heads` prints such a file")
            }
            HeadsFault::Newer { found } => write!(f, "`{found}` is of a later program; this one knows `{FIRST}`"),
            HeadsFault::OtherKind { kind } => {
                write!(f, "this program knows lines that begin with `game` or `removed`, not with `{kind}`")
            }
            HeadsFault::Missing { part } => write!(f, "no {part}: `game KEY ENTRIES DIGEST \"NAME\"`"),
            HeadsFault::Bad { part, word } => write!(f, "`{word}` is no {part}"),
            HeadsFault::Twice { name, first } => write!(f, "game {name} is in line {first} already"),
        }
    }
}

impl Error for HeadsError {}

/// How a game differs from its kept head.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the line of a variant explains its fields")]
pub enum HeadDifference {
    /// The game is not in the log, and was not removed by a host or a tool.
    Missing { name: String },
    /// The game was removed, and what that left is missing.
    NoTombstone { name: String },
    /// The game has fewer entries than it had.
    Shorter { name: String, kept: u64, found: u64 },
    /// The digest at the entry that was the last one is another: the log up to it was rewritten.
    Rewritten { name: String, sequence: u64 },
}

impl HeadDifference {
    /// The name of the game.
    pub fn game(&self) -> &str {
        match self {
            Self::Missing { name }
            | Self::NoTombstone { name }
            | Self::Shorter { name, .. }
            | Self::Rewritten { name, .. } => name,
        }
    }
}

impl fmt::Display for HeadDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { .. } => f.write_str("it was there and is missing"),
            Self::NoTombstone { .. } => f.write_str("it was removed, and its tombstone is missing"),
            Self::Shorter { kept, found, .. } => write!(f, "it had {kept} entries and has {found}"),
            Self::Rewritten { sequence: 0, .. } => f.write_str("its header is not the one that it had"),
            Self::Rewritten { sequence, .. } => {
                write!(f, "its log up to entry {sequence} is not the one that it had")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(byte: u8) -> String {
        format!("{byte:02x}").repeat(32)
    }

    #[test]
    fn text_and_back() {
        let head = |name: &str, key, entries| Head {
            name: name.into(),
            key: GameKey(key),
            tail: Tail { entries, digest: Digest([key as u8; 32]) },
        };
        let games = vec![head("winter", 1, 37), head("a \"b\" \n c", 7, 0), head("", 8, u64::MAX)];
        let Head { name, key, tail } = head("go ne", 9, 3);
        let stone = Tombstone { key, name, tail, rows: None, at: -5, why: WhyRemoved::Archived };
        let heads = Heads { games, removed: vec![stone] };
        let text = heads.to_string();
        assert!(text.starts_with(&format!("holdfast heads 1\ngame 1 37 {} \"winter\"\n", digest(1))), "{text}");
        assert!(text.ends_with(&format!("removed 9 3 {} -5 archived \"go ne\"\n", digest(9))), "{text}");
        assert_eq!((text.lines().count(), text.parse()), (5, Ok(heads)));
        assert_eq!("holdfast heads 1".parse(), Ok(Heads::default()));
        assert_eq!("holdfast heads 1\r\n\r\n".parse(), Ok(Heads::default()));
    }

    #[test]
    fn bad_lines() {
        let check = |lines: &str, expected: &str| {
            let error = lines.parse::<Heads>().expect_err(lines).to_string();
            assert_eq!(error, expected, "{lines}");
        };
        let no_heads = "line 1: the first line must be `holdfast heads 1`; `holdfast log heads` prints such a file";
        check("", no_heads);
        check("game 1 2 3", no_heads);
        let newer = "line 1: `holdfast heads 2` is of a later program; this one knows `holdfast heads 1`";
        check("holdfast heads 2\n", newer);
        let check = |line: &str, expected: &str| {
            let good = format!("game 1 37 {} \"winter\"", digest(1));
            check(&format!("holdfast heads 1\n{good}\n{line}\n"), &format!("line 3: {expected}"));
        };
        check("gone 1", "this program knows lines that begin with `game` or `removed`, not with `gone`");
        check("removed 1", "no entries: `game KEY ENTRIES DIGEST \"NAME\"`");
        check(&format!("removed 1 2 {} x deleted \"a\"", digest(2)), "`x` is no time");
        check("game 2", "no entries: `game KEY ENTRIES DIGEST \"NAME\"`");
        check("game x 1 2 3", "`x` is no key");
        check("game 2 -1 2 3", "`-1` is no number of entries");
        check("game 2 1 ff \"a\"", "`ff` is no digest");
        check(&format!("game 2 1 {} \"a\"", "zz".repeat(32)), &format!("`{}` is no digest", "zz".repeat(32)));
        check(&format!("game 2 1 {} a", digest(2)), "`a` is no name in quotes");
        check(&format!("game 2 1 {} \"winter\"", digest(2)), "game winter is in line 2 already");
    }
}
