//! `systest golden`: writes and checks golden playthroughs.

use std::{
    fs,
    num::NonZero,
    path::{Path, PathBuf},
};

use engine::json_differences;
use script::{Games, ScenarioText, ScriptedGame, Sources, Wanted};
use serde_json::Value;

use super::{
    EXIT_CODES,
    error::CommandError,
    output::{print, write},
};
use crate::files::{self, Beside};

/// Checks golden playthroughs: scripts of whole games that random players have played.
///
/// The commands of each script in the folder are played again by the rules of today. If anyone is told something else, the difference is
/// shown. With --bless, the scripts are written again, and missing ones are created.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// The folder of the scripts.
    folder: PathBuf,
    /// The game. Without it, the first one of the program.
    #[arg(long, value_name = "NAME")]
    rulebook: Option<String>,
    /// The scenario of new scripts: a built-in one, or a file. Without it, the first built-in one.
    #[arg(long)]
    scenario: Option<String>,
    /// The number of players of new scripts.
    #[arg(long, default_value = "2", value_name = "NUMBER")]
    players: NonZero<usize>,
    /// How many games the folder must have. They have the seeds 1, 2, ..
    #[arg(long, default_value = "3", value_name = "NUMBER")]
    games: NonZero<u16>,
    /// Writes the scripts as the rules of today play them. Look at the changes before you keep them.
    #[arg(long)]
    bless: bool,
}

/// The first line of every script.
const COMMENT: &str = "# A golden playthrough: `systest golden` checks it, and writes it with --bless.\n";

/// The most lines of a difference that are shown on each side.
const SHOWN: usize = 12;

/// Returns whether all scripts are as the rules play them, at least now.
pub(super) fn run(arguments: &Arguments, games: &Games) -> Result<bool, CommandError> {
    let game = games.find(arguments.rulebook.as_deref()).map_err(CommandError::NoScripts)?;
    let folder = &arguments.folder;
    let mut checked = Vec::new();
    if folder.exists() {
        checked = files::files(folder).map_err(|error| CommandError::File(folder.clone(), error))?;
    } else if arguments.bless {
        fs::create_dir_all(folder).map_err(|error| CommandError::File(folder.clone(), error))?;
    }
    let mut golden = 0;
    for file in &checked {
        golden += usize::from(check(file, arguments.bless, games)?);
    }
    let mut all = checked.len();
    let scenario = arguments.scenario.clone().or_else(|| game.scenario_names().first().map(|name| (*name).to_owned()));
    let scenario = scenario.unwrap_or_default();
    for seed in 1..=i64::from(arguments.games.get()) {
        let file = folder.join(format!("{}-{seed}.script", stem(&scenario)));
        if !file.exists() {
            all += 1;
            golden += usize::from(create(&file, game, &scenario, seed, arguments)?);
        }
    }
    print(&format!("{golden} of {all} scripts are as the rules play them\n"))?;
    Ok(golden == all)
}

/// The part of a file's name that says which scenario it has.
fn stem(scenario: &str) -> String {
    Path::new(scenario).file_stem().map_or_else(|| "game".into(), |stem| stem.to_string_lossy().into_owned())
}

/// Creates a script.
fn create(
    file: &Path,
    game: &'static dyn ScriptedGame,
    scenario: &str,
    seed: i64,
    arguments: &Arguments,
) -> Result<bool, CommandError> {
    if !arguments.bless {
        print(&format!("missing {}; --bless writes it\n", file.display()))?;
        return Ok(false);
    }
    // A path of a scenario is relative to the script.
    let text = Beside(arguments.folder.as_path()).scenario(game, scenario).map_err(CommandError::Source)?;
    let setup = game.setup(&Wanted { scenario: &text, edition: None, timeout_ms: None }).map_err(CommandError::Game)?;
    let name = format!("{} with seed {seed}", stem(scenario));
    let played = game.random_game(&name, &setup, seed, arguments.players.get());
    write(file, &format!("{COMMENT}{}", played.print(1, ScenarioText::File(scenario.into()))))?;
    print(&format!("wrote {}\n", file.display()))?;
    Ok(true)
}

/// Plays the commands of a script again, and compares.
fn check(file: &Path, bless: bool, games: &Games) -> Result<bool, CommandError> {
    let text = files::text(file).map_err(CommandError::Source)?;
    let place = || file.display().to_string();
    let script = files::parse(file, &text, games).map_err(|error| CommandError::ScriptAt(place(), error))?;
    let played = script.game.replay(&script.transcript, &script.scenario).map_err(CommandError::Game)?;
    let now = format!("{COMMENT}{}", played.print(1, script.transcript.scenario.clone()));
    if now == text {
        return Ok(true);
    }
    print(&format!("{} {}\n{}", if bless { "wrote" } else { "differs:" }, place(), difference(&text, &now)))?;
    if bless {
        write(file, &now)?;
    }
    Ok(bless)
}

/// The lines between the first and the last difference.
fn difference(before: &str, now: &str) -> String {
    let (before, now): (Vec<&str>, Vec<&str>) = (before.lines().collect(), now.lines().collect());
    let same = before.iter().zip(&now).take_while(|(one, other)| one == other).count();
    let rest = before.len().min(now.len()) - same;
    let same_end = before.iter().rev().zip(now.iter().rev()).take(rest).take_while(|(one, other)| one == other).count();
    if before.len() == now.len()
        && let Some(text) = value_differences(&before[same..before.len() - same_end], &now[same..now.len() - same_end])
    {
        return format!("  line {}:\n{text}", same + 1);
    }
    let part = |sign: char, lines: &[&str]| {
        let lines = &lines[same..lines.len() - same_end];
        let mut text: String = lines.iter().take(SHOWN).map(|line| format!("{sign} {}\n", cut(line))).collect();
        if lines.len() > SHOWN {
            text += &format!("{sign} .. {} more lines\n", lines.len() - SHOWN);
        }
        text
    };
    let context: String = before[..same].iter().rev().take(2).rev().map(|line| format!("  {line}\n")).collect();
    format!("  line {}:\n{context}{}{}", same + 1, part('-', &before), part('+', &now))
}

/// The longest line that is shown whole, in characters.
const WIDE: usize = 160;

fn cut(line: &str) -> String {
    match line.char_indices().nth(WIDE) {
        Some((end, _)) => format!("{} ..", &line[..end]),
        None => line.to_owned(),
    }
}

/// The places at which long lines differ, if they differ only in their values. `None` if a line must be read as a whole.
fn value_differences(before: &[&str], now: &[&str]) -> Option<String> {
    if before.iter().chain(now).all(|line| line.chars().count() <= WIDE) {
        return None;
    }
    let mut text = String::new();
    for (before, now) in before.iter().zip(now).filter(|(before, now)| before != now).take(SHOWN) {
        let ((event, before), (same_event, now)) = (split_value(before)?, split_value(now)?);
        if event != same_event {
            return None;
        }
        text += &format!("  {}\n", event.trim());
        let lines = json_differences(&before, &now);
        text.extend(lines.iter().take(SHOWN).map(|line| format!("    {line}\n")));
        if lines.len() > SHOWN {
            text += &format!("    .. {} more places\n", lines.len() - SHOWN);
        }
    }
    Some(text)
}

/// A line without its first value, and that value.
fn split_value(line: &str) -> Option<(String, Value)> {
    let at = line.find('{')?;
    let mut values = serde_json::Deserializer::from_str(&line[at..]).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((format!("{}{{..}}{}", &line[..at], &line[at + values.byte_offset()..]), value))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn long_lines_differ_by_place() {
        let line = |dice: &str| format!("  Ana: Seen {{\"deck\":[{}],\"dice\":{dice}}} Ana\n", "0,".repeat(80) + "0");
        assert_eq!(
            difference(&format!("a\n{}b\n", line("[5,1]")), &format!("a\n{}b\n", line("[5,1,3]"))),
            "  line 2:\n  Ana: Seen {..} Ana\n    dice: [5,1] -> [5,1,3]\n"
        );
        let other = difference(&line("[5]"), "  Ana: Finished x\n");
        assert!(other.contains("- ") && other.contains("0 ..\n+   Ana: Finished x"), "{other}");
    }

    #[test]
    fn only_what_differs_is_shown() {
        let shown = difference("a\nb\nc\nd\ne\n", "a\nb\nx\nd\ne\n");
        assert_eq!(shown, "  line 3:\n  a\n  b\n- c\n+ x\n");
        assert_eq!(difference("a\na\n", "a\na\na\n"), "  line 3:\n  a\n  a\n+ a\n");
        let long = "x\n".repeat(20);
        assert!(difference("", &long).ends_with("+ .. 8 more lines\n"));
    }
}
