//! `holdfast log export`: a game for other programs, or as a page for people.

use std::{
    fs,
    path::{Path, PathBuf},
};

use server::{
    StandalonePage,
    chronicle::{Sight, csv, export},
};

use super::{
    error::{GameError, LogError},
    games::{Log, caught},
};
use cli::{Program, output::Out};

/// Writes a game as a page for people, or as JSON lines, CSV or a script for other programs.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The log file that `holdfast host --log FILE` writes.
    file: PathBuf,
    /// The name of the game.
    game: String,
    /// The format to write.
    #[arg(long, value_enum)]
    format: Format,
    /// A file to write, instead of standard output.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  holdfast log export games.log ab3dk29xyz --format html --out ab3dk29xyz.html
  holdfast log export games.log ab3dk29xyz --format jsonl --out ab3dk29xyz.jsonl
  holdfast log export games.log ab3dk29xyz --format csv
  holdfast log export games.log ab3dk29xyz --format script --out again.script && systest run again.script";

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A page that shows the finished game in any browser, without a host.
    Html,
    /// The chronicle: the game, an index, pictures, and every entry with its changes. The viewer of the host opens it.
    Jsonl,
    /// The figures at the beginning of each round and at the end.
    Csv,
    /// A script that plays the game again, for `systest run`.
    Script,
}

pub(super) fn run(program: &Program, arguments: &Arguments, out: &mut Out) -> Result<bool, LogError> {
    let log = Log::open(program, &arguments.file)?;
    let head = log.game(Some(&arguments.game))?;
    let Some(path) = &arguments.out else {
        write(arguments.format, &log, &head, out)?;
        return Ok(true);
    };
    let failed = |cause| LogError::Io { path: path.clone(), cause };
    if same(path, &log.path) {
        return Err(LogError::OntoItself { path: path.clone() });
    }
    // Writes another file first, so that a failed export keeps an older file.
    let part = path.with_added_extension("part");
    let mut file = Out::file(&part).map_err(failed)?;
    let written = write(arguments.format, &log, &head, &mut file).and_then(|()| file.end().map_err(failed));
    if let Err(error) = written {
        let _gone_already = fs::remove_file(&part);
        return Err(error);
    }
    fs::rename(&part, path).map_err(failed)?;
    Ok(true)
}

fn write(format: Format, log: &Log, head: &server::log::GameHead, out: &mut Out) -> Result<(), LogError> {
    let of_game = |error| log.of_game(&head.record.name, error);
    let chronicle = || log.chronicle(head, Sight::Everything).map_err(of_game);
    match format {
        Format::Html => {
            let record = &head.record;
            if record.end.is_none() {
                return Err(of_game(GameError::NoPage));
            }
            let chronicle = chronicle()?;
            let (web, games) = (&log.program.web, log.program.hosted());
            let page = StandalonePage::new(web, &games, &record.about.rulebook, record.tail.digest);
            out.write(page.before());
            export(&*chronicle, head, &mut |lines| out.write(StandalonePage::inert(lines)));
            out.write(page.after());
        }
        Format::Jsonl => {
            export(&*chronicle()?, head, &mut |bytes| out.write(bytes));
        }
        Format::Csv => {
            out.write(csv(chronicle()?.index()));
        }
        Format::Script => {
            let rulebook = &head.record.about.rulebook;
            let rows = log.rows(&head.record).map_err(of_game)?;
            let script = caught(|| {
                let script = log.rules(&head.record.about)?.script(&head.header, &rows);
                let script = script.ok_or_else(|| GameError::NoScripts { rulebook: rulebook.clone() })?;
                script.map_err(GameError::Unreadable)
            });
            out.write(script.map_err(of_game)?);
        }
    }
    Ok(())
}

fn same(path: &Path, other: &Path) -> bool {
    path.canonicalize().is_ok_and(|path| other.canonicalize().is_ok_and(|other| path == other))
}
