//! `holdfast log stats`: win rates and figures of many games.

mod groups;

use std::{collections::BTreeMap, path::PathBuf};

use serde_json::{Map, Value, json};
use server::{
    chronicle::{Sight, Status},
    log::{End, GameRecord},
};

use self::groups::{Group, Key, Sample, Shared};
use super::{
    cores,
    error::{GameError, LogError},
    games::Log,
    list,
    words::plain,
};
use cli::{
    Program,
    output::{Out, ReportArgs},
    plural::{GAMES, counted},
};

/// Prints win rates, outcomes and figures of many games.
///
/// Only finished games count, and only those whose rules this program has; the others are counted apart. A game is won if the log
/// says that every seat won or, in older logs, if its outcome begins with the word. Games in which players win against each
/// other have no win rate. Figures are those at the end of each game. Points of the seats are those of the results in the log.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The log file that `holdfast host --log FILE` writes.
    file: PathBuf,
    /// The properties to group games by, separated by commas. [default: scenario,edition,players]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PROPERTIES")]
    by: Vec<By>,
    /// Only games of this rulebook.
    #[arg(long, value_name = "NAME")]
    rulebook: Option<String>,
    #[command(flatten)]
    report: ReportArgs,
}

const EXAMPLES: &str = "\
Examples:
  holdfast log stats games.log
  holdfast log stats games.log --by players
  holdfast log stats games.log --json | jq '.rulebooks[].by.scenario[] | [.scenario, .winRate]'";

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum By {
    /// The name of the scenario.
    Scenario,
    /// The edition of the rules.
    Edition,
    /// The number of players.
    Players,
    /// The seed.
    Seed,
}

impl By {
    const USUAL: [Self; 3] = [Self::Scenario, Self::Edition, Self::Players];

    fn name(self) -> &'static str {
        match self {
            Self::Scenario => "scenario",
            Self::Edition => "edition",
            Self::Players => "players",
            Self::Seed => "seed",
        }
    }

    fn key(self, sample: &Sample) -> Key {
        match self {
            Self::Scenario => Key::Word(sample.scenario.clone()),
            Self::Edition => Key::Word(sample.edition.clone()),
            Self::Players => Key::Number(sample.players as i64),
            Self::Seed => Key::Number(sample.seed),
        }
    }
}

pub(super) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, LogError> {
    let log = Log::open(program, &arguments.file)?;
    let of_rulebook = |rulebook: &str| arguments.rulebook.as_ref().is_none_or(|wanted| wanted == rulebook);
    let games = list::listed(&log, |record| of_rulebook(&record.about.rulebook))?;
    let mut left = Left::default();
    let mut finished: Vec<(&GameRecord, &str)> = Vec::new();
    for game in &games {
        match (Status::of(&game.record), &game.title) {
            (_, Err(_)) if log.rules(&game.record.about).is_err() => left.other_rules += 1,
            (_, Err(_)) => left.unreadable += 1,
            (Status::Running, Ok(_)) => left.running += 1,
            (Status::Broken, Ok(_)) => left.broken += 1,
            (Status::Finished, Ok(_)) if game.record.end.as_ref().is_some_and(End::is_early) => left.early += 1,
            (Status::Finished, Ok(title)) => finished.push((&game.record, title)),
        }
    }
    let records: Vec<&GameRecord> = finished.iter().map(|(record, _)| *record).collect();
    let told = cores::each(&log, &records, sample)?;
    let mut rulebooks: BTreeMap<&str, Vec<Sample>> = BTreeMap::new();
    for ((record, title), sample) in finished.iter().zip(told) {
        match sample {
            Ok(sample) => {
                let sample = Sample { scenario: (*title).to_owned(), ..sample };
                rulebooks.entry(&record.about.rulebook).or_default().push(sample);
            }
            Err(_) => left.unreadable += 1,
        }
    }

    let by = if arguments.by.is_empty() { By::USUAL.to_vec() } else { arguments.by.clone() };
    if arguments.report.json {
        out.write(format!("{}\n", json(&rulebooks, &by, &left)));
        return Ok(true);
    }
    out.write(format!("{}: {}\n", log.path.display(), counted(games.len(), GAMES)));
    for (rulebook, samples) in &rulebooks {
        let finished = counted(samples.len(), ["finished game", "finished games"]);
        out.write(format!("\n{}: {finished}\n", plain(rulebook)));
        for by in &by {
            out.write(format!("\nby {}\n", by.name()));
            let groups = Group::all(samples, |sample| by.key(sample));
            let _all = groups.iter().all(|(key, group)| out.write(group.line(key)));
        }
        let all = Group::of(samples);
        out.write(format!("\n{}", all.distributions_table()));
        let seats = all.seats_table();
        if !seats.is_empty() {
            out.write(format!("\n{seats}"));
        }
    }
    out.write(left.line());
    Ok(true)
}

/// The sample of a finished game, without its scenario, which the list has.
fn sample(log: &Log, record: &GameRecord) -> Result<Sample, GameError> {
    let chronicle = log.chronicle_of(record, Sight::Public)?;
    let index = chronicle.index();
    let last = index.points.last();
    let players = record.players.as_ref().map_or_else(|| chronicle.game(record).players.len(), Vec::len);
    let ended = record.end.as_ref().map_or(record.created, |end| end.at);
    Ok(Sample {
        scenario: String::new(),
        edition: record.about.edition.clone(),
        players,
        seed: record.about.seed,
        outcome: record.end.as_ref().map_or_else(String::new, |end| end.outcome.clone()),
        shared: Shared::of(record),
        results: record.results.clone().unwrap_or_default(),
        rounds: last.map_or(0, |point| point.round.into()),
        names: index.figures,
        figures: last.map(|point| point.values.clone()).unwrap_or_default(),
        entries: i64::try_from(chronicle.entries()).unwrap_or(i64::MAX),
        seconds: (ended - record.created) / 1000,
    })
}

/// The numbers of games that are not in the statistics.
#[derive(Default)]
struct Left {
    running: u64,
    broken: u64,
    /// Ended by its creator, the operator or the host, and not by the rules.
    early: u64,
    other_rules: u64,
    unreadable: u64,
}

impl Left {
    fn counts(&self) -> [(&'static str, &'static str, u64); 5] {
        [
            ("running", "still running", self.running),
            ("broken", "broken", self.broken),
            ("early", "ended early", self.early),
            ("otherRules", "of rules that this program does not have", self.other_rules),
            ("unreadable", "damaged", self.unreadable),
        ]
    }

    fn line(&self) -> String {
        let left: Vec<String> = self
            .counts()
            .iter()
            .filter(|(_, _, count)| *count > 0)
            .map(|(_, words, count)| format!("{count} {words}"))
            .collect();
        if left.is_empty() { String::new() } else { format!("\nleft out: {}\n", left.join(", ")) }
    }
}

fn json(rulebooks: &BTreeMap<&str, Vec<Sample>>, by: &[By], left: &Left) -> Value {
    let left: Map<String, Value> = left.counts().iter().map(|(key, _, count)| ((*key).into(), json!(count))).collect();
    let rulebooks: Map<String, Value> = rulebooks
        .iter()
        .map(|(rulebook, samples)| {
            let mut all = Group::of(samples).json();
            let by: Map<String, Value> = by
                .iter()
                .map(|by| {
                    let groups = Group::all(samples, |sample| by.key(sample));
                    let groups = groups.iter().map(|(key, group)| {
                        let mut object = group.json();
                        object[by.name()] = key.json();
                        object
                    });
                    (by.name().into(), groups.collect())
                })
                .collect();
            all["by"] = by.into();
            ((*rulebook).into(), all)
        })
        .collect();
    json!({"leftOut": left, "rulebooks": rulebooks})
}
