//! `holdfast log replay`: checks that the rules still give the events of a log.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use server::{
    chronicle::{Sight, Status},
    log::GameRecord,
};

use super::{
    cores,
    error::{GameError, LogError},
    games::Log,
    words::plain,
};
use cli::{
    Program,
    output::{Out, ReportArgs},
    plural::{ENTRIES, GAMES, counted},
};

/// Folds games again and compares the events that the rules give now with those in the log.
///
/// It replays every game of the file, or the named ones, on all cores, and prints the first difference of each game. The exit code is
/// 1 if there is a difference. Games whose rules this program does not have are counted and left out.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The log file that `holdfast host --log FILE` writes.
    file: PathBuf,
    /// The names of games; without any, all of them.
    games: Vec<String>,
    #[command(flatten)]
    report: ReportArgs,
}

const EXAMPLES: &str = "\
Examples:
  holdfast log replay games.log
  holdfast log replay games.log ab3dk29xyz
  holdfast log verify games.log && holdfast log replay games.log    # neither the file nor the rules have changed";

pub(super) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, LogError> {
    let Arguments { file, games, report } = arguments;
    let log = Log::open(program, file)?;
    let records = if games.is_empty() {
        log.list()?
    } else {
        let named = games.iter().map(|name| {
            let record = log.game(Some(name))?.record;
            log.rules(&record.about).map_err(|error| log.of_game(name, error))?;
            Ok(record)
        });
        named.collect::<Result<_, LogError>>()?
    };
    let (known, left_out): (Vec<&GameRecord>, Vec<&GameRecord>) =
        records.iter().partition(|record| log.rules(&record.about).is_ok());
    let folded = cores::each(&log, &known, fold)?;

    let mut replayed = Replayed { games: known.len(), entries: 0, differences: Vec::new(), left_out: Vec::new() };
    for (record, folded) in known.iter().zip(folded) {
        match folded {
            Ok(entries) => replayed.entries += entries,
            Err(difference) => replayed.differences.push((&record.name, difference)),
        }
    }
    let reason = |record: &&'_ GameRecord| log.rules(&record.about).err().map(|error| error.to_string());
    replayed.left_out = left_out.iter().filter_map(reason).collect();
    replayed.left_out.sort();
    out.write(report.report(|| replayed.text(file), || replayed.json(file)));
    Ok(replayed.differences.is_empty())
}

/// Replays a game. Returns the number of its entries, or its difference from the log.
fn fold(log: &Log, record: &GameRecord) -> Result<u64, GameError> {
    let chronicle = log.chronicle_of(record, Sight::Everything)?;
    if let Some(difference) = chronicle.difference() {
        return Err(GameError::Difference(difference.to_string()));
    }
    match (&record.end, chronicle.outcome()) {
        // The host gave up this game.
        (Some(_), _) if Status::of(record) == Status::Broken => {}
        // The rules have no outcome, because this game did not end by them.
        (Some(end), None) if end.is_early() => {}
        (Some(end), Some(outcome)) if end.outcome == outcome => {}
        (Some(end), outcome) => {
            return Err(GameError::OtherEnd {
                log: end.outcome.clone(),
                rules: outcome.map(|outcome| outcome.to_string()),
            });
        }
        // If a host stops between the last entry and the record of the end, it writes that record when it starts again.
        (None, _) => {}
    }
    Ok(chronicle.entries())
}

struct Replayed<'r> {
    games: usize,
    entries: u64,
    /// The first difference of each game that has one.
    differences: Vec<(&'r str, GameError)>,
    /// The reason for each game that was not replayed, sorted.
    left_out: Vec<String>,
}

impl Replayed<'_> {
    fn text(&self, file: &Path) -> String {
        let mut text = String::new();
        for (game, difference) in &self.differences {
            text.push_str(&format!("game {}: {}\n", plain(game), plain(&difference.to_string())));
        }
        let (file, games) = (file.display(), counted(self.games, GAMES));
        text.push_str(&match self.differences.len() {
            0 => format!("{file}: ok ({games}, {} folded again)\n", counted(self.entries, ENTRIES)),
            differences => format!("{file}: {differences} of {games} differ from what the rules give\n"),
        });
        for group in self.left_out.chunk_by(|one, other| one == other) {
            text.push_str(&format!("left out, {}: {}\n", counted(group.len(), GAMES), plain(&group[0])));
        }
        text
    }

    fn json(&self, file: &Path) -> Value {
        let difference =
            |(game, difference): &(&str, GameError)| json!({ "game": game, "difference": difference.to_string() });
        json!({
            "file": file.display().to_string(),
            "ok": self.differences.is_empty(),
            "games": self.games,
            "entries": self.entries,
            "differences": self.differences.iter().map(difference).collect::<Value>(),
            "leftOut": self.left_out,
        })
    }
}
