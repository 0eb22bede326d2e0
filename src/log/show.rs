//! `holdfast log show`: prints a game as a story.

use std::{ops::RangeInclusive, path::PathBuf};

use server::{
    chronicle::{Chronicle, Detail, EntryLine, EventLine, GameLine, Index, Line, Point, Sight, Status, export},
    log::GameHead,
};

use super::{
    error::{GameError, LogError},
    games::Log,
    words::{moment, plain, span},
};
use cli::{
    Program,
    ansi::Paint,
    output::{Colour, Out, ReportArgs},
    plural::{ENTRIES, counted},
};

/// Prints a game: every command, its events, and the refusals.
///
/// A running game is printed up to now, with the secrets of its players: the file has everything.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The log file that `holdfast host --log FILE` writes.
    file: PathBuf,
    /// The name of the game; without it, the only one in the file.
    game: Option<String>,
    #[command(flatten)]
    report: ReportArgs,
    /// The first entry to print.
    #[arg(long, value_name = "ENTRY")]
    from: Option<u64>,
    /// The last entry to print.
    #[arg(long, value_name = "ENTRY")]
    to: Option<u64>,
    /// When to print colours.
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    color: Colour,
}

const EXAMPLES: &str = "\
Examples:
  holdfast log show games.log
  holdfast log show games.log ab3dk29xyz --from 120 --to 140
  holdfast log show games.log ab3dk29xyz --color always | less -R
  holdfast log show games.log ab3dk29xyz --json | jq -c 'select(.entry).entry.text'";

pub(super) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, LogError> {
    let log = Log::open(program, &arguments.file)?;
    let head = log.game(arguments.game.as_deref())?;
    let of_game = |error| log.of_game(&head.record.name, error);
    let chronicle = log.chronicle(&head, Sight::Everything).map_err(of_game)?;
    let chronicle = &*chronicle;
    let whole = arguments.from.is_none() && arguments.to.is_none();
    let range = arguments.range(chronicle.entries()).map_err(of_game)?;
    match (arguments.report.json, whole) {
        (true, true) => export(chronicle, &head, &mut |bytes| out.write(bytes)),
        (true, false) => some_lines(chronicle, &head, &range, out),
        (false, _) => Story { chronicle, paint: Paint(arguments.color.is_wanted()), out }.tell(&head, &range, whole),
    }
    Ok(true)
}

impl Arguments {
    fn range(&self, entries: u64) -> Result<RangeInclusive<u64>, GameError> {
        let (from, to) = (self.from.unwrap_or(1), self.to.unwrap_or(entries));
        if self.from.is_none() && self.to.is_none() {
            return Ok(from..=to);
        }
        if entries == 0 {
            return Err(GameError::NoEntries);
        }
        if from == 0 || from > to || to > entries {
            return Err(GameError::NoSuchEntries { from, to, entries });
        }
        Ok(from..=to)
    }
}

/// The step before an entry.
fn step_before(index: &Index, entry: u64) -> u64 {
    let before = usize::try_from(entry.saturating_sub(1)).unwrap_or(usize::MAX);
    index.entries.iter().take(before).map(|&steps| u64::from(steps)).sum()
}

fn some_lines(chronicle: &dyn Chronicle, head: &GameHead, range: &RangeInclusive<u64>, out: &mut Out) {
    let mut bytes = Vec::new();
    let mut write = |line: Line<'_>| {
        bytes.clear();
        line.write(&mut bytes);
        out.write(&bytes)
    };
    if write(Line::Game(&chronicle.game(&head.record))) && write(Line::Index(chronicle.index())) {
        let from = step_before(chronicle.index(), *range.start());
        chronicle.lines(from, u64::MAX, Detail::Patches, &mut |line| match line {
            Line::Entry(entry) if entry.number < Some(*range.start()) => true,
            Line::Entry(entry) if entry.number > Some(*range.end()) => false,
            Line::Entry(_) | Line::Checkpoint { .. } | Line::Game(_) | Line::Index(_) => write(line),
        });
    }
}

/// The indentation of events, below numbers and times of entries.
const MARGIN: &str = "                 ";

struct Story<'s> {
    chronicle: &'s dyn Chronicle,
    paint: Paint,
    out: &'s mut Out,
}

impl Story<'_> {
    fn tell(self, head: &GameHead, range: &RangeInclusive<u64>, whole: bool) {
        let index = self.chronicle.index();
        let game = self.chronicle.game(&head.record);
        let entries = self.chronicle.entries();
        self.out.write(self.title(&game, entries));
        if entries == 0 {
            self.out.write("\nNothing has happened yet.\n");
            return;
        }

        let from = step_before(index, *range.start());
        let mut headings = Headings { index, rounds: 0, turns: 0 };
        headings.pass(from);
        let going_on = headings.going_on().map(|heading| format!("{}\n", self.paint.heading(&heading)));
        self.out.write(format!("\n{}", going_on.unwrap_or_default()));
        let mut go_on = true;
        self.chronicle.lines(from, u64::MAX, Detail::Words, &mut |line| {
            let Line::Entry(entry) = line else { return true };
            let number = entry.number.unwrap_or_default();
            if number > *range.end() {
                return false;
            }
            if number >= *range.start() {
                let text = tell_entry(self.paint, entry, &mut headings);
                go_on = self.out.write(text);
            }
            go_on
        });
        if go_on && whole {
            self.out.write(self.end(&game));
        }
    }

    fn title(&self, game: &GameLine, entries: u64) -> String {
        let GameLine { name, rulebook, edition, scenario, rules_version, .. } = game;
        let about = format!("{scenario}, {rulebook}/{edition}, version {rules_version} of the rules");
        let mut text = format!("{}: {}\n", self.paint.strong(&format!("Game {}", plain(name))), plain(&about));
        let mut line = |line: String| {
            text.push_str(&plain(&line));
            text.push('\n');
        };
        if !game.players.is_empty() {
            line(format!("Players: {}", game.players.join(", ")));
        }
        let seed = game.seed.as_deref().unwrap_or("unknown");
        let entries = counted(entries, ENTRIES);
        line(format!("Created {} UTC, seed {seed}, {entries}, {}", moment(game.created), game.status.word()));
        if let Some(parent) = &game.parent {
            line(format!("Forked from game {} after entry {}", parent.game, parent.entry));
        }
        if let Some(note) = &game.note {
            line(format!("Note: {note}"));
        }
        text
    }

    fn end(&self, game: &GameLine) -> String {
        let figures = self.chronicle.index().points.last().map(|point| figures(self.chronicle.index(), point));
        let figures = figures.unwrap_or_default();
        match (&game.outcome, game.ended) {
            (Some(outcome), Some(ended)) if game.status != Status::Running => {
                let took = span(u64::try_from(ended - game.created).unwrap_or_default());
                let outcome = self.paint.strong(&format!("The end: {}.", plain(outcome)));
                format!("\n{outcome} {} UTC, after {took}. {figures}\n", moment(ended))
            }
            (_, _) => format!("\nThe game goes on. {figures}\n"),
        }
    }
}

/// The beginnings of rounds and turns.
struct Headings<'i> {
    index: &'i Index,
    rounds: usize,
    turns: usize,
}

impl Headings<'_> {
    /// Skips the headings up to a step.
    fn pass(&mut self, step: u64) {
        self.rounds = self.index.rounds.partition_point(|(_, first)| *first <= step);
        self.turns = self.index.turns.partition_point(|(_, first)| *first <= step);
    }

    /// The round and turn of the first step, for a story that begins in the middle of the game.
    fn going_on(&self) -> Option<String> {
        let (round, _) = self.index.rounds.get(self.rounds.checked_sub(1)?)?;
        let turn = self.turns.checked_sub(1).and_then(|at| self.index.turns.get(at));
        let turn = turn.map(|(name, _)| format!(", turn of {}", plain(name))).unwrap_or_default();
        Some(format!("=== Round {round}{turn} (goes on)"))
    }

    /// The headings of the rounds and turns that begin with a step.
    fn at(&mut self, step: u64) -> Vec<String> {
        let mut headings = Vec::new();
        while let Some((round, first)) = self.index.rounds.get(self.rounds)
            && *first <= step
        {
            let point = self.index.points.iter().find(|point| point.step == *first);
            let figures = point.map(|point| figures(self.index, point)).filter(|figures| !figures.is_empty());
            let figures = figures.map(|figures| format!("   {figures}")).unwrap_or_default();
            headings.push(format!("=== Round {round}{figures}"));
            self.rounds += 1;
        }
        while let Some((name, first)) = self.index.turns.get(self.turns)
            && *first <= step
        {
            headings.push(format!("--- Turn of {}", plain(name)));
            self.turns += 1;
        }
        // A turn that goes on in a new round is in the index twice.
        headings.dedup();
        headings
    }
}

fn figures(index: &Index, point: &Point) -> String {
    let figures: Vec<String> =
        index.figures.iter().zip(&point.values).map(|(name, value)| format!("{name} {value}")).collect();
    figures.join(", ")
}

fn tell_entry(paint: Paint, entry: &EntryLine, headings: &mut Headings<'_>) -> String {
    let number = entry.number.unwrap_or_default();
    let elapsed = span(entry.elapsed.unwrap_or_default());
    let words = entry.text.as_deref().unwrap_or("?");
    let words = match &entry.by {
        Some(by) => format!("{}: {}", plain(by), plain(words)),
        None => format!("({})", plain(words)),
    };
    let mut text = format!("{}  {}\n", paint.faint(&format!("{number:>6} {elapsed:>8}")), paint.strong(&words));
    let mut head = |text: &mut String, step: u64| {
        for heading in headings.at(step) {
            text.push_str(&format!("\n{}\n", paint.heading(&heading)));
        }
    };
    // Headings of the last words come after them: a move is told before the turn that follows it.
    let is_public = |event: &EventLine| event.step.is_some() && !event.text.is_empty();
    let last = entry.events.iter().rposition(is_public).unwrap_or(0);
    for event in entry.events.iter().take(last).filter(|event| !event.text.is_empty()) {
        if let Some(step) = event.step {
            head(&mut text, step);
        }
        text.push_str(&format!("{MARGIN}{}\n", tell_event(paint, event)));
    }
    for event in entry.events.iter().skip(last).filter(|event| !event.text.is_empty()) {
        text.push_str(&format!("{MARGIN}{}\n", tell_event(paint, event)));
    }
    if let Some(step) = entry.events.iter().filter_map(|event| event.step).max() {
        head(&mut text, step);
    }
    text
}

fn tell_event(paint: Paint, event: &EventLine) -> String {
    let EventLine { step, to, refused, text, .. } = event;
    // The words of a private event are a sentence without its subject, or a whole sentence.
    let words = match step {
        Some(_) => text.clone(),
        None if text.starts_with(char::is_lowercase) => format!("{to} {text}"),
        None => format!("to {to}: {text}"),
    };
    let words = plain(&words);
    match (refused, step) {
        (true, _) => paint.bad(&format!("! {words}")),
        (false, Some(_)) => format!("  {words}"),
        (false, None) => paint.faint(&format!("  {words}")),
    }
}
