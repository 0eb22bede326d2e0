//! What an author's program has for tests: an arena with foreign programs, scripts and golden playthroughs.

use std::{path::PathBuf, process::Command};

use serde_json::{Value, json};

use crate::program::Program;

/// The folder of an example.
fn example(game: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../examples").join(game)
}

/// The bot in Python that takes any offer, with its way to misbehave.
fn python(name: &str, how: &str) -> String {
    format!("{name}=python3 {}/tests/examples/bot.py {how}", env!("CARGO_MANIFEST_DIR"))
}

fn report(program: &Program, arguments: &[&str]) -> Value {
    let said = program.run(&[&["arena", "--json"], arguments].concat());
    serde_json::from_str(said.lines().next().expect("a line")).expect("a report")
}

#[expect(clippy::print_stderr, reason = "a test that does not run says why")]
fn has_python() -> bool {
    let has = Command::new("python3").arg("--version").output().is_ok();
    assert!(has || std::env::var_os("HOLDFAST_CI").is_none(), "there is no python3");
    if !has {
        eprintln!("not tested: there is no python3");
    }
    has
}

#[test]
fn programs_play_in_an_arena() {
    let Some(program) = Program::find("highcard") else { return };
    if !has_python() {
        return;
    }
    let program = program.in_folder("arena");
    let report = report(&program, &["--bot", &python("mine", "well"), "--scenario", r#"{"seats": 3}"#, "--seeds", "2"]);
    assert_eq!((&report["games"], &report["players"]), (&json!(12), &json!(3)), "six orders on two seeds: {report}");
    assert_eq!((&report["failures"], &report["void"]), (&json!([]), &json!([])), "{report}");
    let games = |name: &str| {
        let bots = report["bots"].as_array().expect("bots").iter();
        bots.filter(|bot| bot["bot"] == name).map(|bot| bot["games"].as_u64().expect("a number")).sum::<u64>()
    };
    // Two sit down in turns at a table for three.
    assert_eq!([games("random"), games("mine")], [18, 18], "{report}");
    let won = |of: &Value| of["won"].as_u64().unwrap_or_default();
    let (bots, seats) = (report["bots"].as_array().expect("bots"), report["seats"].as_array().expect("seats"));
    assert_eq!(bots.iter().map(won).sum::<u64>(), seats.iter().map(won).sum::<u64>(), "by bot and by seat: {report}");
}

/// A program that misbehaves loses, with a reason, and its opponents win. No other game is touched, and no process is left.
#[test]
fn programs_that_misbehave_lose() {
    let Some(program) = Program::find("highcard") else { return };
    if !has_python() {
        return;
    }
    let program = program.in_folder("misbehave");
    let bots = [python("crash", "crash"), python("hang", "hang"), python("flood", "flood"), python("seats", "seats")];
    let missing = "missing=/does/not/exist".to_owned();
    let mut arguments = vec!["--bots", "random", "--scenario", r#"{"seats": 2}"#, "--seeds", "1", "--time", "1s"];
    arguments.extend(bots.iter().chain([&missing]).flat_map(|bot| ["--bot", bot]));
    let report = report(&program, &arguments);
    assert_eq!(report["games"], json!(30), "each of six plays each other twice: {report}");
    let failures = report["failures"].as_array().expect("failures");
    let expected = [
        ("crash", "I have had enough", ""),
        ("hang", "the game waited for it for 1 s", ""),
        ("flood", "100 of its commands were refused", ""),
        // If only one seat is free, its other connection may take it.
        ("seats", "it took more than one seat", "the game waited for it for 1 s"),
        ("missing", "could not be started", ""),
    ];
    for (bot, why, or) in expected {
        let own: Vec<&Value> = failures.iter().filter(|failure| failure["bot"] == bot).collect();
        assert!(!own.is_empty(), "{bot}: {report}");
        for failure in own {
            let came = failure["why"].as_str().expect("a reason");
            assert!(came.contains(why) || !or.is_empty() && came.contains(or), "{bot}: {failure}");
        }
    }
    assert!(!failures.iter().any(|failure| failure["bot"] == "random"), "{report}");
    let random = report["bots"].as_array().expect("bots").iter().find(|bot| bot["bot"] == "random").expect("random");
    assert_eq!((&random["won"], &random["games"]), (&json!(10), &json!(10)), "everyone else fails: {random}");
}

#[test]
fn an_arena_that_cannot_be_played() {
    let Some(program) = Program::find("tictactoe").map(|program| program.in_folder("no-arena")) else { return };
    let complains = |arguments: &[&str], expected: &str| {
        let came = program.try_run(&[&["arena"], arguments].concat()).expect_err("a complaint");
        assert!(came.contains(expected), "{arguments:?}: {came}");
    };
    complains(&[], "an arena needs two bots");
    complains(&["--bots", "clever"], "tictactoe: no bot clever; there are random");
    complains(&["--bot", "random=x"], "there are two bots random");
    complains(&["--bot", "mine=run {gmae}"], "there is no placeholder {gmae}");
    complains(&["--bot", "mine=x", "--scenario", "nope"], "nope");
    complains(&["--bot", "mine=x", "--rulebook", "go"], "there is no rulebook \"go\"");
}

#[test]
fn scripts_and_golden_playthroughs() {
    // A clock shows real time, so only a game without one is the same over TCP.
    for (game, scenario) in [("tictactoe", "standard"), ("highcard", "standard"), ("connect-four", "unhurried")] {
        let Some(program) = Program::find(game).map(|program| program.in_folder(&format!("scripts-{game}"))) else {
            return;
        };
        let path = |name: &str| example(game).join(name).to_string_lossy().into_owned();
        let (scripts, golden) = (path("scripts"), path("golden"));
        let said = program.run(&["systest", "run", &scripts, &golden]);
        assert!(said.contains(" passed, 0 failed"), "{said}");
        program.run(&["systest", "fmt", "--check", &scripts, &golden]);
        let said = program.run(&["systest", "golden", &golden, "--scenario", scenario]);
        assert!(said.contains("3 of 3 scripts are as the rules play them"), "{said}");
        let host = program.host();
        let said = program.run(&["systest", "run", &golden, "--connect", &host.address.to_string()]);
        assert!(said.contains("3 passed, 0 failed"), "{said}");
        let log = program.log();
        let listed = program.run(&["log", "list", &log, "--json"]);
        let first: Value = serde_json::from_str(listed.lines().next().expect("a game")).expect("JSON");
        let name = first["name"].as_str().expect("a name");
        drop(host);
        let recorded = program.run(&["systest", "record", &log, "--game", name]);
        assert!(recorded.contains(&format!("rulebook: {game}")) && recorded.contains("server ends"), "{recorded}");
    }
}

/// A change of the rules shows as a difference of the golden file, and only --bless changes the file.
#[test]
fn golden_files_change_only_when_blessed() {
    let Some(program) = Program::find("tictactoe").map(|program| program.in_folder("bless")) else { return };
    let missing = program.try_run(&["systest", "golden", "here"]).expect_err("nothing is there");
    assert_eq!(missing, "", "what is missing is on standard output");
    program.try_run(&["systest", "golden", "here", "--bless"]).expect("written");
    let before = program.read("here/standard-1.script");
    let changed = before.replacen("Finished \"Bo won\"", "Finished \"Ana won\"", 1);
    assert_ne!(before, changed, "Bo wins with seed 1: {before}");
    program.write("here/standard-1.script", &changed);
    assert!(program.try_run(&["systest", "golden", "here"]).is_err());
    assert_eq!(program.read("here/standard-1.script"), changed);
    let said = program.try_run(&["systest", "golden", "here", "--bless"]).expect("written");
    assert!(said.contains("-   all: Finished \"Ana won\"\n+   all: Finished \"Bo won\""), "{said}");
    assert_eq!(program.read("here/standard-1.script"), before);
}

#[test]
fn seeds_of_a_short_game() {
    let Some(program) = Program::find("tictactoe").map(|program| program.in_folder("seeds")) else { return };
    let seeds = ["systest", "seeds", "--scenario", "standard", "--limit", "1000", "--want"];
    let found = program.try_run(&[&seeds[..], &["9 x Played and Finished \"a draw\""]].concat()).expect("found");
    assert!(found.contains("all: Finished \"a draw\""), "{found}");
    let wrong = program.try_run(&[&seeds[..], &["Finshed"]].concat()).expect_err("a mistake");
    assert!(wrong.contains("did you mean Finished?"), "{wrong}");
    let none = program.try_run(&[&seeds[..], &["10 x Played"]].concat()).expect_err("there are nine squares");
    assert!(none.contains("0 found among 1000 seeds"), "{none}");
}

/// Messages and help call the program by its own name.
#[test]
fn the_name_of_the_program() {
    let Some(program) = Program::find("tictactoe").map(|program| program.in_folder("name")) else { return };
    let help = program.run(&["--help"]);
    assert!(help.contains("Usage: tictactoe") && help.contains("`tictactoe help COMMAND`"), "{help}");
    assert!(!help.contains("as a course does"), "{help}");
    let version = program.run(&["--version"]);
    assert!(version.starts_with("tictactoe on Holdfast "), "{version}");
    assert!(program.run(&["log", "list", "--help"]).contains("  tictactoe log list games.log"));
    let complaint = program.try_run(&["log", "list", "/dev/null"]).expect_err("not a log");
    assert!(complaint.starts_with("tictactoe: ") && !complaint.contains("holdfast"), "{complaint}");
}
