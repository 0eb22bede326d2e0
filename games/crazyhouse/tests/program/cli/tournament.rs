//! `holdfast crazyhouse tournament`: with a program that fails in every way, and killed in the middle.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;

use super::tickets::Tickets;
use crate::{
    complains, holdfast, stdout,
    stored::{self, wait},
    wait_until,
};

/// A folder that is removed after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("holdfast-tournament-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain path").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

/// A program that makes legal moves, but crashes or prints nonsense in one of ten positions.
fn wobbly(folder: &Folder) -> String {
    let script = format!(
        r#"#!/bin/sh
echo "${{HOLDFAST_ADMIN_TOKEN-nothing}}" >> "$0.env"
number=$(printf %s "$1" | cksum | cut -d ' ' -f 1)
case $((number % 20)) in
    1) echo "it hurts" >&2; exit 3 ;;
    2) echo "e2 to e4, please" ;;
esac
moves=$('{}' crazyhouse moves "$1")
set -- $moves
[ $# -eq 0 ] && exit 0
shift $((number / 20 % $#))
echo "$1"
"#,
        env!("CARGO_BIN_EXE_holdfast")
    );
    program(folder, "wobbly.sh", &script)
}

fn program(folder: &Folder, name: &str, script: &str) -> String {
    let path = folder.path(name);
    fs::write(&path, script).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    path
}

/// A game of the log: the players, the outcome, and the reason that the loser gave.
fn games(log: &Path) -> Vec<(String, [String; 2], String)> {
    let file = stored::open(log).expect("the log can be read");
    let games = wait(file.list()).expect("games").into_iter().map(|record| {
        let players = record.players.expect("players of a finished game");
        (record.name, players.try_into().expect("two players"), record.end.expect("all games are over").outcome)
    });
    games.collect()
}

#[test]
fn four_bots_and_one_of_them_wobbles() {
    let folder = Folder::new("four");
    let (log, out) = (folder.path("games.log"), folder.path("table.json"));
    let bot = format!("wobbly={}", wobbly(&folder));
    let mut tournament = Command::new(env!("CARGO_BIN_EXE_holdfast"));
    let tournament = tournament.env("HOLDFAST_ADMIN_TOKEN", "the operator's own").args([
        "crazyhouse",
        "tournament",
        "--bots",
        "search,greedy,random",
        "--bot",
        &bot,
        "--log",
        &log,
        "--out",
        &out,
        "--nodes",
        "500",
        "--time",
        "300000",
        "--rounds",
        "2",
        "--most-moves",
        "200",
    ]);
    let output = tournament.output().expect("the program starts");
    assert!(output.status.success(), "{output:?}");
    let secrets = fs::read_to_string(folder.path("wobbly.sh.env")).expect("the bot was started");
    assert!(secrets.lines().all(|line| line == "nothing"), "secrets of the operator are not for bots");
    let table: Value = serde_json::from_str(&fs::read_to_string(&out).expect("it was saved")).expect("JSON");

    // The table agrees with results that are counted from the log.
    let games = games(Path::new(&log));
    assert_eq!((games.len(), &table["games"]), (24, &24.into()), "every pair played four games");
    let mut failures = 0;
    for bot in table["bots"].as_array().expect("bots") {
        let name = bot["bot"].as_str().expect("a name");
        let own = || games.iter().filter(|(_, players, _)| players.iter().any(|player| player == name));
        let side = |players: &[String; 2]| if players[0] == name { "White" } else { "Black" };
        let won = own().filter(|(_, players, outcome)| outcome.starts_with(side(players))).count();
        let drawn = own().filter(|(_, _, outcome)| outcome.starts_with("draw")).count();
        let white = own().filter(|(_, players, _)| players[0] == name).count();
        assert_eq!((own().count(), white), (12, 6), "{name} played each side as often");
        assert_eq!((&bot["won"], &bot["drawn"]), (&won.into(), &drawn.into()), "{name}");
        assert_eq!(bot["lost"], 12 - won - drawn, "{name}");
        assert_eq!(bot["points"], won as f64 + drawn as f64 / 2.0, "{name}");
        assert_eq!(bot["as_white"], 6);
        if name == "wobbly" {
            failures = bot["failed"].as_u64().expect("a number");
        } else {
            assert_eq!(bot["failed"], 0, "{name}");
        }
    }
    assert!(failures > 0, "wobbly has failed: {table}");
    assert_eq!(table["bots"][0]["bot"], "search", "the strongest: {table}");
    // The log shows people why the program failed.
    let shown = stdout(&holdfast(&["log", "show", &log, &games[0].0]));
    assert!(shown.contains("crazyhouse"), "{shown}");
    let reasons: String = games.iter().map(|(name, ..)| stdout(&holdfast(&["log", "show", &log, name]))).collect();
    for words in ["crashed", "which is not a move"] {
        assert!(reasons.contains(words), "it failed in several ways");
    }
    let text = stdout(&output);
    assert!(text.lines().count() == 5 + 1 + 5 && text.contains("Elo"), "{text}");
}

#[test]
fn a_bot_that_hangs_has_lost() {
    let folder = Folder::new("hangs");
    let log = folder.path("games.log");
    let bot = format!("sleepy={}", program(&folder, "sleepy.sh", "#!/bin/sh\nsleep 100000\n"));
    let output =
        holdfast(&["crazyhouse", "tournament", "--bots", "random", "--bot", &bot, "--log", &log, "--time", "200"]);
    assert!(output.status.success(), "{output:?}");
    let games = games(Path::new(&log));
    assert_eq!(games.len(), 2);
    for (name, players, outcome) in games {
        let winner = if players[0] == "random" { "White" } else { "Black" };
        assert!(outcome.starts_with(winner), "{outcome}");
        let shown = stdout(&holdfast(&["log", "show", &log, &name]));
        assert!(shown.contains("no answer within"), "{shown}");
    }
}

/// One of the bots plays eight games, but may make only six moves until the last kill, so the games cannot all be over.
#[test]
fn killed_in_the_middle() {
    let folder = Folder::new("killed");
    let log = folder.path("games.log");
    let tickets = Tickets::new(folder.0.join("tickets"));
    let bot = tickets.bot();
    let arguments = [
        "crazyhouse",
        "tournament",
        "--bots",
        "greedy,random",
        "--bot",
        &bot,
        "--log",
        &log,
        "--time",
        "300000",
        "--rounds",
        "2",
        "--most-moves",
        "40",
        "--name",
        "night",
    ];
    for kill in 1..=3 {
        let mut running = Command::new(env!("CARGO_BIN_EXE_holdfast"))
            .args(arguments)
            .stdout(Stdio::null())
            .spawn()
            .expect("it starts");
        tickets.give(2);
        wait_until("it has moved, and thinks again", || {
            assert_eq!(running.try_wait().expect("it is there"), None, "it cannot be over at kill {kill}");
            tickets.left() == 0
        });
        running.kill().expect("it was there");
        running.wait().expect("it has ended");
    }
    tickets.end();
    let output = holdfast(&arguments);
    assert!(output.status.success(), "{output:?}");
    let all = games(Path::new(&log));
    assert_eq!(all.len(), 12, "nothing was played twice: {all:?}");
    let number = |points: &str| match points.strip_suffix('½') {
        Some("") => 0.5,
        Some(whole) => whole.parse::<f64>().expect("a number") + 0.5,
        None => points.parse::<f64>().expect("a number"),
    };
    let standings = stdout(&output);
    let standings = standings.lines().skip(1).take_while(|line| !line.is_empty());
    let points: f64 = standings.map(|line| number(line.split_whitespace().nth(2).expect("points"))).sum();
    assert!((points - 12.0).abs() < 0.01, "{}", stdout(&output));
    let again = holdfast(&arguments);
    assert_eq!(stdout(&again), stdout(&output), "a tournament that is over is told again");
    assert!(holdfast(&["log", "replay", &log]).status.success());

    let other = arguments.map(|word| if word == "40" { "41" } else { word });
    complains(&other, "--name starts another tournament");
}

#[test]
fn swiss() {
    let folder = Folder::new("swiss");
    let log = folder.path("games.log");
    let output = holdfast(&[
        "crazyhouse",
        "tournament",
        "--bots",
        "random,greedy,search",
        "--format",
        "swiss",
        "--rounds",
        "3",
        "--log",
        &log,
        "--nodes",
        "500",
    ]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(games(Path::new(&log)).len(), 6, "one rests in each round");
    let first = stdout(&output).lines().nth(1).expect("a row").to_owned();
    assert!(first.contains("search"), "{first}");
}

#[test]
fn what_cannot_be_played() {
    let folder = Folder::new("wrong");
    let log = folder.path("games.log");
    let call = |more: &[&str], complaint: &str| {
        complains(&[&["crazyhouse", "tournament", "--log", &log], more].concat(), complaint);
    };
    call(&["--bots", "search"], "needs two bots");
    call(&["--bots", "search,deep-blue"], "no bot deep-blue; there are random, greedy, search");
    call(&["--bots", "search,search"], "named twice");
    call(&["--bot", "greedy=./mine"], "greedy is a built-in bot");
    call(&["--bot", "mine"], "NAME=COMMAND");
    call(&["--name", "My Cup"], "lower-case letters");
}
