//! `holdfast log replay`: whether the rules still give what a log says.

use std::{fmt::Write, path::PathBuf};

use server::{
    chronicle::{Sight, Status},
    log::GameRecord,
};

use super::{cores, games::Log, words::plain};
use cli::{
    Program,
    output::Out,
    plural::{ENTRIES, GAMES, counted},
};

/// Folds games again and compares what the rules give now with what the log has.
///
/// Every game of the file, or those that are named, on all cores. The first difference of each game is told, and the exit
/// code is 1 where there is one. Games of rules that this program does not have are counted and left out.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A log of a host.
    file: PathBuf,
    /// Names of games; without any, all of them.
    games: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  holdfast log replay games.log
  holdfast log replay games.log ab3dk29xyz
  holdfast log verify games.log && holdfast log replay games.log    # neither the file nor the rules have changed";

pub(super) fn run(program: &Program, Arguments { file, games }: &Arguments, out: &mut Out) -> Result<bool, String> {
    let log = Log::open(program, file)?;
    let records = if games.is_empty() {
        log.list()?
    } else {
        let named = games.iter().map(|name| {
            let record = log.game(Some(name))?.record;
            log.rules(&record.about).map_err(|error| log.of_game(name, error))?;
            Ok(record)
        });
        named.collect::<Result<_, String>>()?
    };
    let (known, foreign): (Vec<&GameRecord>, Vec<&GameRecord>) =
        records.iter().partition(|record| log.rules(&record.about).is_ok());
    let folded = cores::each(&log, &known, fold)?;

    let mut differences = 0;
    let mut entries = 0;
    for (record, folded) in known.iter().zip(folded) {
        match folded {
            Ok(folded) => entries += folded,
            Err(difference) => {
                differences += 1;
                out.write(format!("game {}: {}\n", plain(&record.name), plain(&difference)));
            }
        }
    }
    out.write(summary(&log, known.len(), entries, differences, &foreign));
    Ok(differences == 0)
}

/// How many entries a game has, or how it differs from the log.
fn fold(log: &Log, record: &GameRecord) -> Result<u64, String> {
    let chronicle = log.chronicle_of(record, Sight::Everything)?;
    if let Some(difference) = chronicle.difference() {
        return Err(difference.into());
    }
    match (&record.end, chronicle.outcome()) {
        // The host gave it up: the rules had no outcome then.
        (Some(_), _) if Status::of(record) == Status::Broken => {}
        (Some(end), Some(outcome)) if end.outcome == outcome => {}
        (Some(end), outcome) => {
            let rules = outcome.unwrap_or_else(|| "no end yet".into());
            return Err(format!(
                "another end when folded again; the log has: {}; the rules give: {rules}",
                end.outcome
            ));
        }
        // A host that was stopped between the last entry and the word that it was the last says it when it starts again.
        (None, _) => {}
    }
    Ok(chronicle.entries())
}

fn summary(log: &Log, games: usize, entries: u64, differences: usize, foreign: &[&GameRecord]) -> String {
    let mut text = match differences {
        0 => log.failed(format!("ok ({}, {} folded again)", counted(games, GAMES), counted(entries, ENTRIES))),
        differences => {
            log.failed(format!("{differences} of {} differ from what the rules give", counted(games, GAMES)))
        }
    };
    text.push('\n');
    let mut reasons: Vec<String> = foreign.iter().filter_map(|record| log.rules(&record.about).err()).collect();
    reasons.sort();
    for group in reasons.chunk_by(|one, other| one == other) {
        writeln!(text, "left out, {}: {}", counted(group.len(), GAMES), plain(&group[0]))
            .expect("a string takes everything");
    }
    text
}
