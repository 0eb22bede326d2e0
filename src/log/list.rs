//! `holdfast log list`: lists the games of a file.

use std::path::PathBuf;

use serde_json::json;
use server::{
    chronicle::{Sight, Status},
    log::GameRecord,
};

use super::{
    cores,
    error::{GameError, LogError},
    games::Log,
    words::{Align, cut, moment, plain, table},
};
use cli::{
    Program,
    output::{Out, ReportArgs},
};

/// Lists the games of a log, the oldest first.
///
/// Games whose rules this program does not have are listed too, with a note.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The log file that `holdfast host --log FILE` writes.
    file: PathBuf,
    /// Only games of this rulebook.
    #[arg(long, value_name = "NAME")]
    rulebook: Option<String>,
    /// Only games with a player of this name; upper and lower case are the same.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Only games whose outcome has this text in it.
    #[arg(long, value_name = "TEXT")]
    outcome: Option<String>,
    /// Only games with this status.
    #[arg(long, value_enum)]
    status: Option<Wanted>,
    #[command(flatten)]
    report: ReportArgs,
}

const EXAMPLES: &str = "\
Examples:
  holdfast log list games.log
  holdfast log list games.log --status finished --outcome won --player Ana
  holdfast log list games.log --json | jq -r 'select(.entries > 500).name'";

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Wanted {
    /// Still played.
    Running,
    /// Played to its end.
    Finished,
    /// Given up by the host because the rules broke one of their laws.
    Broken,
}

/// The most characters of the list of players in the table.
const WIDEST: usize = 40;

pub(super) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, LogError> {
    let log = Log::open(program, &arguments.file)?;
    let mut games = listed(&log, |record| arguments.want(record))?;
    name_players(&log, &mut games)?;
    if let Some(player) = &arguments.player {
        let player = player.to_lowercase();
        games.retain(|game| game.players().iter().any(|name| name.to_lowercase() == player));
    }
    if arguments.report.json {
        let _all = games.iter().all(|game| out.write(format!("{}\n", game.json())));
    } else if games.is_empty() {
        out.write("no such games\n");
    } else {
        out.write(text(&games));
    }
    Ok(true)
}

impl Arguments {
    fn want(&self, record: &GameRecord) -> bool {
        let outcome = record.end.as_ref().map_or("", |end| &end.outcome).to_lowercase();
        let status = match Status::of(record) {
            Status::Running => Wanted::Running,
            Status::Finished => Wanted::Finished,
            Status::Broken => Wanted::Broken,
        };
        self.rulebook.as_ref().is_none_or(|rulebook| *rulebook == record.about.rulebook)
            && self.outcome.as_ref().is_none_or(|text| outcome.contains(&text.to_lowercase()))
            && self.status.is_none_or(|wanted| wanted == status)
    }
}

/// A game of a list.
pub(super) struct Listed {
    pub(super) record: GameRecord,
    /// The name of its scenario, or the reason why the game cannot be read.
    pub(super) title: Result<String, GameError>,
}

/// The games for which `want` returns true, each with its title.
pub(super) fn listed(log: &Log, want: impl Fn(&GameRecord) -> bool) -> Result<Vec<Listed>, LogError> {
    let mut games = log.list()?;
    games.retain(want);
    let wanted: Vec<&GameRecord> = games.iter().collect();
    let titles = cores::each(log, &wanted, |log, record| {
        let rules = log.rules(&record.about)?;
        let head = log.head(record)?;
        Ok::<_, GameError>(rules.title(head.scenario.as_deref()))
    })?;
    Ok(games.into_iter().zip(titles).map(|(record, title)| Listed { record, title }).collect())
}

/// Fills in the players of running games from their entries. The records of finished games have them.
fn name_players(log: &Log, games: &mut [Listed]) -> Result<(), LogError> {
    let unnamed = |game: &&mut Listed| game.record.players.is_none() && game.title.is_ok();
    let mut unnamed: Vec<&mut Listed> = games.iter_mut().filter(unnamed).collect();
    let records: Vec<&GameRecord> = unnamed.iter().map(|game| &game.record).collect();
    let named = cores::each(log, &records, |log, record| {
        Ok::<_, GameError>(log.chronicle_of(record, Sight::Public)?.game(record).players)
    })?;
    for (game, players) in unnamed.iter_mut().zip(named) {
        match players {
            Ok(players) => game.record.players = Some(players),
            Err(error) => game.title = Err(error),
        }
    }
    Ok(())
}

impl Listed {
    fn players(&self) -> &[String] {
        self.record.players.as_deref().unwrap_or_default()
    }

    fn note(&self) -> Option<String> {
        let parent = self.record.parent.as_ref().map(|parent| format!("fork of {parent}"));
        let error = self.title.as_ref().err().map(ToString::to_string);
        let notes: Vec<String> = parent.into_iter().chain(error).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    fn outcome(&self) -> &str {
        self.record.end.as_ref().map_or_else(|| Status::of(&self.record).word(), |end| &end.outcome)
    }

    fn json(&self) -> serde_json::Value {
        let Self { record, title } = self;
        json!({
            "name": record.name,
            "rulebook": record.about.rulebook,
            "edition": record.about.edition,
            "rulesVersion": record.about.rules_version,
            "scenario": title.as_ref().ok(),
            "players": record.players,
            "status": Status::of(record).word(),
            "outcome": record.end.as_ref().map(|end| &end.outcome),
            "results": record.results,
            "created": record.created,
            "ended": record.end.as_ref().map(|end| end.at),
            "entries": record.tail.entries,
            "parent": record.parent,
            "note": self.note(),
        })
    }

    fn row(&self, with_notes: bool) -> Vec<String> {
        let GameRecord { name, about, created, tail, .. } = &self.record;
        let scenario = self.title.as_ref().map_or("?", String::as_str);
        let mut row = vec![
            plain(name).into(),
            plain(&format!("{}/{}", about.rulebook, about.edition)).into(),
            plain(scenario).into(),
            cut(&plain(&self.players().join(", ")), WIDEST),
            moment(*created),
            tail.entries.to_string(),
            plain(self.outcome()).into(),
        ];
        row.extend(with_notes.then(|| plain(&self.note().unwrap_or_default()).into()));
        row
    }
}

fn text(games: &[Listed]) -> String {
    let with_notes = games.iter().any(|game| game.note().is_some());
    let mut head = vec!["name", "rulebook", "scenario", "players", "created (UTC)", "entries", "outcome"];
    head.extend(with_notes.then_some("note"));
    let rows = games.iter().map(|game| game.row(with_notes));
    let rows: Vec<Vec<String>> = std::iter::once(head.into_iter().map(str::to_owned).collect()).chain(rows).collect();
    let left = Align::Left;
    table(&[left, left, left, left, left, Align::Right, left, left], &rows)
}
