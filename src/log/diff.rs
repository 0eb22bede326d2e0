//! `holdfast log diff`: finds where two games differ.

use std::path::{Path, PathBuf};

use engine::Header;
use serde_json::{Value, json};
use server::{
    chronicle::{Chronicle, Detail, EntryLine, EventLine, GameLine, Line, Sight},
    log::GameHead,
};

use super::{
    error::LogError,
    games::Log,
    words::{Align, plain, table},
};
use cli::{
    Program,
    output::{Out, ReportArgs},
    plural::{ENTRIES, counted},
};

/// Compares two games: their setups, the first entry and event in which they differ, and their ends.
///
/// Times, names of games and dates of creation are not compared. The exit code is 1 if the games differ.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The first game: a log file, a colon and the name of the game. The name may be left out if the file has only one game.
    #[arg(value_name = "FILE[:GAME]")]
    first: String,
    /// The second game, in the same form.
    #[arg(value_name = "FILE[:GAME]")]
    second: String,
    #[command(flatten)]
    report: ReportArgs,
}

const EXAMPLES: &str = "\
Examples:
  holdfast log diff games.log:ab3dk29xyz games.log:cd5mn83uvw
  holdfast log diff yesterday.log:ab3dk29xyz today.log";

pub(super) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, LogError> {
    let first = Side::open(program, &arguments.first)?;
    let second = Side::open(program, &arguments.second)?;
    let (common, parting) = parting(&*first.chronicle, &*second.chronicle);
    let comparison = Comparison { facts: facts(&first, &second), first, second, common, parting };
    out.write(arguments.report.report(|| comparison.text(arguments), || comparison.json()));
    Ok(comparison.is_same())
}

/// Two games, and how they differ.
struct Comparison {
    first: Side,
    second: Side,
    facts: Vec<Fact>,
    common: u64,
    parting: Option<Parting>,
}

impl Comparison {
    fn is_same(&self) -> bool {
        self.facts.is_empty() && self.parting.is_none()
    }

    fn text(&self, arguments: &Arguments) -> String {
        let mut text = format!("A is {}\nB is {}\n\n", plain(&arguments.first), plain(&arguments.second));
        for fact in &self.facts {
            text.push_str(&format!("{}\n", plain(&fact.to_string())));
        }
        match &self.parting {
            Some(parting) => text.push_str(&parting.to_string()),
            None => text.push_str(&format!("the same in all {}\n", counted(self.common, ENTRIES))),
        }
        text.push('\n');
        text.push_str(&summary(&self.first, &self.second, self.common));
        text
    }

    fn json(&self) -> Value {
        let fact = |fact: &Fact| json!({ "property": fact.property, "a": fact.first, "b": fact.second });
        json!({
            "same": self.is_same(),
            "a": self.first.json(),
            "b": self.second.json(),
            "setup": self.facts.iter().map(fact).collect::<Value>(),
            "common": self.common,
            "difference": self.parting.as_ref().map(Parting::json),
        })
    }
}

/// One of the two games.
struct Side {
    head: GameHead,
    chronicle: Box<dyn Chronicle>,
    game: GameLine,
}

impl Side {
    fn open(program: &Program, operand: &str) -> Result<Self, LogError> {
        let (file, game) = split(operand, Path::exists);
        let log = Log::open(program, &file)?;
        let head = log.game(game)?;
        let chronicle = log.chronicle(&head, Sight::Everything);
        let chronicle = chronicle.map_err(|error| log.of_game(&head.record.name, error))?;
        let game = chronicle.game(&head.record);
        Ok(Self { head, chronicle, game })
    }

    fn json(&self) -> Value {
        json!({
            "game": self.game.name,
            "players": self.game.players,
            "outcome": self.game.outcome,
            "entries": self.chronicle.entries(),
        })
    }

    /// The properties of a game's setup that are compared.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let GameLine { rulebook, edition, rules_version, scenario, seed, parent, .. } = &self.game;
        let parent = parent.as_ref();
        vec![
            ("rulebook", rulebook.clone()),
            ("edition", edition.clone()),
            ("version of the rules", rules_version.to_string()),
            ("scenario", scenario.clone()),
            ("seed", seed.clone().unwrap_or_default()),
            ("parent", parent.map_or("none".into(), |parent| format!("{} after entry {}", parent.game, parent.entry))),
        ]
    }

    fn setup(&self) -> Option<&[u8]> {
        Header::split(&self.head.header).ok().map(|(_, setup)| setup)
    }
}

/// Splits `FILE:GAME`. If a file has the whole operand as its name, including colons, the operand is that file.
fn split(operand: &str, is_there: impl Fn(&Path) -> bool) -> (PathBuf, Option<&str>) {
    match operand.rsplit_once(':') {
        Some((file, game)) if !game.is_empty() && !is_there(Path::new(operand)) => (file.into(), Some(game)),
        Some(_) | None => (operand.into(), None),
    }
}

/// A property of the setup that differs.
struct Fact {
    property: &'static str,
    first: String,
    second: String,
}

impl std::fmt::Display for Fact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self { property: SETUP, .. } => f.write_str("the scenario or the time for a move differs"),
            Self { property, first, second } => write!(f, "{property}: A has {first}, B has {second}"),
        }
    }
}

/// The name of the rest of the setup, which is compared but not printed.
const SETUP: &str = "setup";

fn facts(first: &Side, second: &Side) -> Vec<Fact> {
    let both = first.facts().into_iter().zip(second.facts());
    let mut facts: Vec<Fact> = both
        .filter(|((_, one), (_, other))| one != other)
        .map(|((property, first), (_, second))| Fact { property, first, second })
        .collect();
    if facts.is_empty() && first.setup() != second.setup() {
        facts.push(Fact { property: SETUP, first: String::new(), second: String::new() });
    }
    facts
}

/// The first entry in which two games differ.
#[derive(Debug, PartialEq)]
enum Parting {
    /// One game continues, and the other has ended.
    Longer {
        whose: char,
        entry: String,
    },
    Command {
        number: u64,
        first: String,
        second: String,
    },
    Event {
        number: u64,
        command: String,
        event: usize,
        first: String,
        second: String,
    },
}

impl Parting {
    fn json(&self) -> Value {
        match self {
            Self::Longer { whose, entry } => {
                json!({ "kind": "longer", "game": whose.to_ascii_lowercase(), "entry": entry })
            }
            Self::Command { number, first, second } => {
                json!({ "kind": "command", "entry": number, "a": first, "b": second })
            }
            Self::Event { number, command, event, first, second } => {
                json!({ "kind": "event", "entry": number, "command": command, "event": event, "a": first, "b": second })
            }
        }
    }
}

impl std::fmt::Display for Parting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Longer { whose, entry } => {
                let other = if *whose == 'A' { 'B' } else { 'A' };
                writeln!(f, "{other} has no more entries; {whose} goes on with {entry}")
            }
            Self::Command { number, first, second } => {
                writeln!(f, "entry {number} differs:\n  A: {first}\n  B: {second}")
            }
            Self::Event { number, command, event, first, second } => {
                writeln!(f, "entry {number} ({command}) differs in event {event}:\n  A: {first}\n  B: {second}")
            }
        }
    }
}

/// The number of entries that two games have in common, and the first difference after them.
fn parting(first: &dyn Chronicle, second: &dyn Chronicle) -> (u64, Option<Parting>) {
    let ours = entries(first);
    let mut ours = ours.iter();
    let mut common = 0;
    let mut parting = None;
    second.lines(0, u64::MAX, Detail::Words, &mut |line| {
        let Line::Entry(theirs) = line else { return true };
        parting = match ours.next() {
            Some(ours) => compare(ours, theirs),
            None => Some(Parting::Longer { whose: 'B', entry: words(theirs) }),
        };
        common += u64::from(parting.is_none());
        parting.is_none()
    });
    let rest = || ours.next().map(|entry| Parting::Longer { whose: 'A', entry: words(entry) });
    (common, parting.or_else(rest))
}

fn entries(chronicle: &dyn Chronicle) -> Vec<EntryLine> {
    let mut entries = Vec::new();
    chronicle.lines(0, u64::MAX, Detail::Words, &mut |line| {
        if let Line::Entry(entry) = line {
            entries.push(entry.clone());
        }
        true
    });
    entries
}

fn compare(first: &EntryLine, second: &EntryLine) -> Option<Parting> {
    let number = first.number.unwrap_or_default();
    if (&first.by, &first.command) != (&second.by, &second.command) {
        // The words can leave out the difference, for example a secret. Then all details are printed.
        let words = if words(first) == words(second) { words_and_all } else { words };
        return Some(Parting::Command { number, first: words(first), second: words(second) });
    }
    let said = |event: &EventLine| (event.to.clone(), event.event.clone());
    let most = first.events.len().max(second.events.len());
    let at = (0..most).find(|&at| first.events.get(at).map(said) != second.events.get(at).map(said))?;
    let told = |entry: &EntryLine| match entry.events.get(at) {
        Some(event) => format!("to {}: {} {}", plain(&event.to), plain(&event.text), event.event),
        None => "nothing more".into(),
    };
    let command = words(first);
    Some(Parting::Event { number, command, event: at + 1, first: told(first), second: told(second) })
}

fn words(entry: &EntryLine) -> String {
    let text = plain(entry.text.as_deref().unwrap_or("?"));
    match &entry.by {
        Some(by) => format!("{}: {text}", plain(by)),
        None => format!("({text})"),
    }
}

fn words_and_all(entry: &EntryLine) -> String {
    let command = entry.command.as_ref().map(ToString::to_string).unwrap_or_default();
    format!("{} {}", words(entry), plain(&command))
}

fn summary(first: &Side, second: &Side, common: u64) -> String {
    let row = |what: &str, of: &dyn Fn(&Side) -> String| {
        vec![what.to_owned(), plain(&of(first)).into_owned(), plain(&of(second)).into_owned()]
    };
    let mut rows = vec![
        vec![String::new(), "A".into(), "B".into()],
        row("game", &|side| side.game.name.clone()),
        row("players", &|side| side.game.players.join(", ")),
        row("outcome", &|side| side.game.outcome.clone().unwrap_or_else(|| side.game.status.word().into())),
        row("entries", &|side| side.chronicle.entries().to_string()),
        row("in common", &|_| common.to_string()),
        row("rounds", &|side| side.chronicle.index().rounds.len().to_string()),
    ];
    let [ours, theirs] = [first, second].map(|side| side.chronicle.index());
    if ours.figures == theirs.figures {
        for (at, name) in ours.figures.iter().enumerate() {
            rows.push(row(name, &|side| {
                let last = side.chronicle.index().points.last();
                last.and_then(|point| point.values.get(at)).map(ToString::to_string).unwrap_or_default()
            }));
        }
    }
    table(&[Align::Left; 3], &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands() {
        let check = |operand: &str, file: &str, game: Option<&str>| {
            assert_eq!(split(operand, |path| path == Path::new("odd:name")), (file.into(), game), "{operand}");
        };
        check("games.log", "games.log", None);
        check("games.log:ab3", "games.log", Some("ab3"));
        check("odd:name", "odd:name", None);
        check("odd:name:ab3", "odd:name", Some("ab3"));
        check("games.log:", "games.log:", None);
    }

    #[test]
    fn entries_part() {
        let event = |to: &str, text: &str| EventLine {
            step: None,
            to: to.into(),
            refused: false,
            event: json!([text]),
            text: text.into(),
            patch: Vec::new(),
        };
        let entry = |by: Option<&str>, command: &str, events: &[(&str, &str)]| EntryLine {
            number: Some(7),
            at: 0,
            elapsed: None,
            by: by.map(Into::into),
            command: Some(json!([command])),
            text: Some(command.into()),
            events: events.iter().map(|(to, text)| event(to, text)).collect(),
        };
        let check = |second: EntryLine, expected: &str| {
            let first = entry(Some("Ana"), "move", &[("all", "Moved."), ("Bo", "Found.")]);
            let parting = compare(&first, &second).map(|parting| parting.to_string());
            assert_eq!(parting.unwrap_or_default().trim_end(), expected);
        };
        check(entry(Some("Ana"), "move", &[("all", "Moved."), ("Bo", "Found.")]), "");
        check(entry(Some("Bo"), "move", &[]), "entry 7 differs:\n  A: Ana: move\n  B: Bo: move");
        check(entry(None, "time is up", &[]), "entry 7 differs:\n  A: Ana: move\n  B: (time is up)");
        let secret = EntryLine { command: Some(json!(["move", 2])), ..entry(Some("Ana"), "move", &[]) };
        check(secret, "entry 7 differs:\n  A: Ana: move [\"move\"]\n  B: Ana: move [\"move\",2]");
        let event_two = "entry 7 (Ana: move) differs in event 2:\n  A: to Bo: Found. [\"Found.\"]\n  B: ";
        check(entry(Some("Ana"), "move", &[("all", "Moved.")]), &format!("{event_two}nothing more"));
        let other = entry(Some("Ana"), "move", &[("all", "Moved."), ("Ana", "Found.")]);
        check(other, &format!("{event_two}to Ana: Found. [\"Found.\"]"));
    }
}
