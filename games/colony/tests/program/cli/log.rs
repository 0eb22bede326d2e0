//! `holdfast log` on logs that bots wrote, and on one that a host writes.

#[cfg(feature = "postgres")]
mod database;
mod file;
mod large;
mod removing;

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
};

use colony_rules::Event;
use engine::{Audience, Emission};
use serde_json::{Value, json};
use systemtests::{files, games, local::InProcess, play::Play, recording, run::run};

use self::file::{FIRST_NIGHT, Played, Scratch};
use super::hosting::create;
use crate::{
    complains, holdfast,
    host::{HostProcess, connect},
    stdout,
};

/// Runs a task that must succeed. Returns its output.
#[track_caller]
fn log(arguments: &[&str]) -> String {
    let output = holdfast(&[&["log"], arguments].concat());
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    stdout(&output)
}

/// Runs a task whose verdict is negative: exit code 1. Returns its output.
#[track_caller]
fn finds(arguments: &[&str]) -> String {
    let output = holdfast(&[&["log"], arguments].concat());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    stdout(&output)
}

#[track_caller]
fn check(arguments: &[&str], complaint: &str) {
    complains(&[&["log"], arguments].concat(), complaint);
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// Each kind of game that a log can have: finished, running, broken, and two that this program cannot read.
fn all_kinds() -> [Played; 6] {
    let winter = Played { name: "cd5mn83uvw", scenario: "winter", seed: 2, players: 3, ..FIRST_NIGHT };
    [
        Played { refused: Some(8), ..FIRST_NIGHT },
        winter.clone(),
        Played { name: "running234", until: Some(12), ..FIRST_NIGHT },
        Played { name: "broken5678", until: Some(9), outcome: Some("broken"), ..FIRST_NIGHT },
        Played { name: "foreign234", change: |header| header.rulebook = "chess".into(), ..FIRST_NIGHT },
        Played { name: "older56789", change: |header| header.rules_version = 99, ..winter },
    ]
}

#[test]
fn listing() {
    let scratch = Scratch::new("list");
    let file = scratch.log("games.log", &all_kinds());
    let text = log(&["list", &file]);
    let table: Vec<&str> = text.lines().collect();
    assert_eq!(table.len(), 7, "{text}");
    let head: Vec<&str> = table[0].split_whitespace().collect();
    assert_eq!(
        head,
        "name rulebook scenario players created (UTC) entries outcome note".split(' ').collect::<Vec<_>>()
    );
    assert!(
        table[1].starts_with("ab3dk29xyz  colony/group      first-night  bot 1, bot 2         2026-11-16 10:09:06")
    );
    assert!(table[2].contains("winter       bot 1, bot 2, bot 3"), "{text}");
    assert!(table[3].contains("bot 1, bot 2") && table[3].ends_with("     12  running"), "{text}");
    assert!(table[4].ends_with("      9  broken"), "{text}");
    assert!(table[5].contains("its rulebook chess is not in this program, which has colony"), "{text}");
    assert!(table[6].contains("it was played with version 99 of the rules of colony; here is "), "{text}");

    let named = |arguments: &[&str]| -> Vec<String> {
        let games = lines(&log(&[&["list", &file, "--json"], arguments].concat()));
        games.iter().map(|game| game["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(named(&["--status", "running"]), ["running234"]);
    assert_eq!(named(&["--status", "broken"]), ["broken5678"]);
    assert_eq!(named(&["--rulebook", "chess"]), ["foreign234"]);
    assert_eq!(named(&["--player", "BOT 3"]), ["cd5mn83uvw", "older56789"]);
    assert_eq!(named(&["--player", "bot"]), [""; 0]);
    assert_eq!(named(&["--outcome", "BROK", "--player", "bot 1"]), ["broken5678"]);
    assert_eq!(log(&["list", &file, "--player", "nobody"]), "no such games\n");

    let first = &lines(&log(&["list", &file, "--json"]))[0];
    assert_eq!((&first["scenario"], &first["status"]), (&json!("first-night"), &json!("finished")));
    assert_eq!((&first["created"], &first["players"]), (&json!(file::CREATED), &json!(["bot 1", "bot 2"])));
    assert!(first["outcome"].is_string() && first["note"].is_null() && first["parent"].is_null(), "{first}");
}

#[test]
fn a_story() {
    let scratch = Scratch::new("show");
    let file = scratch.log("games.log", &[Played { refused: Some(8), ..FIRST_NIGHT }]);
    let text = log(&["show", &file]);
    assert!(text.starts_with("Game ab3dk29xyz: first-night, colony/group, version "), "{text}");
    for part in [
        "\nPlayers: bot 1, bot 2\nCreated 2026-11-16 10:09:06 UTC, seed 1, ",
        "\n\n     1     0:01  bot 1: register as bot 1\n",
        "\n=== Round 1   morale ",
        "\n--- Turn of bot 1\n",
        "\n                   bot 1 has the turn.\n",
        "is refused: ",
        "\nThe end: ",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    let refused = text.lines().find(|line| line.contains("is refused: ")).expect("a client acts out of turn");
    assert!(refused.starts_with("                 ! bot "), "{refused:?}");
    assert_eq!(text, log(&["show", &file, "ab3dk29xyz", "--color", "never"]));

    let coloured = log(&["show", &file, "--color", "always"]);
    assert!(coloured.contains("\x1b[31m! bot "), "refusals are red: {coloured}");
    let mut plain = coloured;
    for code in ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[1;36m"] {
        plain = plain.replace(code, "");
    }
    assert_eq!(plain, text, "colours change nothing else");
}

#[test]
fn a_part_of_a_story() {
    let scratch = Scratch::new("part");
    let file = scratch.log("games.log", &[FIRST_NIGHT]);
    let whole = log(&["show", &file]);
    let part = log(&["show", &file, "--from", "20", "--to", "21"]);
    let numbers: Vec<&str> = part.lines().filter(|line| line.len() > 6).map(|line| line[..6].trim()).collect();
    assert!(numbers.contains(&"20") && numbers.contains(&"21"), "{part}");
    assert!(!numbers.contains(&"19") && !numbers.contains(&"22") && !part.contains("The end"), "{part}");
    assert!(part.contains("=== Round 1, turn of bot ") && part.contains(" (goes on)\n"), "{part}");
    let body = part.split("    20 ").nth(1).expect("entry 20");
    assert!(whole.contains(body.trim_end()), "the same words as in the whole: {part}");

    let all = lines(&log(&["show", &file, "--json"]));
    let entries = all.iter().filter(|line| line.get("entry").is_some()).count();
    for (line, key) in all.iter().zip(["game", "index", "checkpoint", "entry"]) {
        assert!(line.get(key).is_some(), "{key}: {line}");
    }
    let some = lines(&log(&["show", &file, "--json", "--from", "20", "--to", "21"]));
    let numbers: Vec<&Value> = some.iter().filter_map(|line| line.get("entry")).map(|entry| &entry["number"]).collect();
    assert_eq!((some.len(), numbers), (5, vec![&json!(20), &json!(21)]), "game, index, checkpoint and two entries");
    assert!(all.contains(&some[4]), "the same entry as in the whole");

    let range = format!("it has the entries 1 to {entries}");
    check(&["show", &file, "--from", "0"], &range);
    check(&["show", &file, "--from", "7", "--to", "6"], &range);
    check(&["show", &file, "--to", "9999"], &range);
}

#[test]
fn which_game() {
    let scratch = Scratch::new("which");
    let file = scratch.log("games.log", &all_kinds());
    check(&["show", &file], "name one of its 6 games: ab3dk29xyz, cd5mn83uvw, running234, ");
    check(&["show", &file, "ab3dk29xyy"], "there is no game ab3dk29xyy; did you mean ab3dk29xyz?");
    check(&["show", &file, "cd5"], "there is no game cd5; did you mean cd5mn83uvw?");
    check(&["show", &file, "nosuchgame"], "there is no game nosuchgame; there are ab3dk29xyz, ");
    check(
        &["show", &file, "foreign234"],
        "game foreign234: its rulebook chess is not in this program, which has colony",
    );
    check(&["show", &file, "older56789"], "game older56789: it was played with version 99 of the rules of colony");
    check(&["export", &file, "foreign234", "--format", "script"], "its rulebook chess is not in this program");
    check(&["replay", &file, "foreign234"], "its rulebook chess is not in this program");

    let empty = scratch.log("empty.log", &[]);
    check(&["show", &empty], "there are no games in it");
    assert_eq!(log(&["list", &empty]), "no such games\n");
    let new = scratch.log("new.log", &[Played { until: Some(0), ..FIRST_NIGHT }]);
    assert!(log(&["show", &new]).ends_with("\nNothing has happened yet.\n"));
    check(&["show", &new, "--from", "1"], "it has no entries yet");

    let text = scratch.path("notes.txt");
    fs::write(&text, "these are notes, and no log of anything").expect("the folder takes files");
    let nothing = scratch.path("nothing");
    fs::write(&nothing, "").expect("the folder takes files");
    for task in ["list", "show", "verify", "replay", "stats"] {
        check(&[task, &scratch.path("nowhere.log")], "there is no file ");
        check(&[task, &text], "is not a log; `holdfast host --log games.log` writes one");
        check(&[task, &nothing], "is empty: nothing was stored in it");
    }
}

/// The reader closes the pipe after the first of many lines: no panic, no error message.
#[test]
fn a_reader_who_has_enough() {
    let scratch = Scratch::new("pipe");
    let long = Played { scenario: "winter", players: 5, ..FIRST_NIGHT };
    let file = scratch.log("games.log", &[long]);
    for arguments in
        [&["show", &file][..], &["show", &file, "--json"], &["export", &file, FIRST_NIGHT.name, "--format", "jsonl"]]
    {
        let mut child = Command::new(env!("CARGO_BIN_EXE_holdfast"))
            .arg("log")
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut first = String::new();
        BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut first).expect("a line");
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{first}");
    }
}

#[test]
fn names_cannot_play_with_a_terminal() {
    let scratch = Scratch::new("escapes");
    let odd = Played { spoil: Some((1, rename)), ..FIRST_NIGHT };
    let file = scratch.log("games.log", &[Played { outcome: Some("won\x1b[2J"), ..odd }]);
    for text in [log(&["list", &file]), log(&["show", &file]), finds(&["replay", &file])] {
        // The report of a replay quotes values as JSON.
        assert!(["\\u{1b}[2J", "\\u001b[2J"].iter().any(|shown| text.contains(shown)), "{text}");
        assert!(!text.contains('\x1b'), "{text}");
    }
}

/// A player's name contains escape codes that clear the screen.
fn rename(emissions: &mut Vec<Emission<Event>>) {
    for emission in emissions {
        if let Emission::Event { event: Event::Registered { name, .. } | Event::Player { name, .. }, .. } = emission {
            *name = "Ana\x1b[2J".into();
        }
    }
}

#[test]
fn replaying() {
    let scratch = Scratch::new("replay");
    let file = scratch.log("games.log", &all_kinds());
    let text = log(&["replay", &file]);
    assert!(text.contains(": ok (4 games, ") && text.contains(" entries folded again)\n"), "{text}");
    assert!(text.contains("left out, 1 game: its rulebook chess is not in this program, which has colony"), "{text}");
    assert!(text.contains("left out, 1 game: it was played with version 99 of the rules of colony"), "{text}");
    assert!(log(&["replay", &file, "ab3dk29xyz", "cd5mn83uvw"]).contains(": ok (2 games, "));
    check(&["replay", &file, "ab3dk29xyx"], "did you mean ab3dk29xyz?");

    let lies = |spoil, outcome| Played { name: "liar567890", spoil, outcome, ..FIRST_NIGHT };
    let check = |game, expected: &[&str]| {
        let file = scratch.log("lies.log", &[FIRST_NIGHT, game]);
        let text = finds(&["replay", &file]);
        fs::remove_file(file).expect("it was there");
        assert!(text.starts_with("game liar567890: ") && text.contains("1 of 2 games differ"), "{text}");
        expected.iter().for_each(|part| assert!(text.contains(part), "{part:?} in {text}"));
    };
    check(
        lies(Some((1, |emissions| drop(emissions.pop()))), None),
        &["entry 1 differs when replayed", "; the log has: nothing more; the rules give: [\""],
    );
    let extra = |emissions: &mut Vec<Emission<Event>>| {
        emissions.push(Emission::Event { audience: Audience::All, event: Event::ChildSpawned {} });
    };
    check(
        lies(Some((3, extra)), None),
        &["; the log has: [\"ChildSpawned\"] to all (A child comes into the colony.); the rules give: nothing more"],
    );
    check(lies(None, Some("won twice")), &["another end when folded again; the log has: won twice; the rules give: "]);
}

/// Tasks print a log with senseless entries as far as possible, and do not panic.
#[test]
fn a_tampered_log() {
    let scratch = Scratch::new("tampered");
    let nonsense = |emissions: &mut Vec<Emission<Event>>| {
        let strange = colony_rules::CharacterId(31_337);
        emissions
            .push(Emission::Event { audience: Audience::All, event: Event::SurvivorKilled { character: strange } });
    };
    let file = scratch.log("games.log", &[Played { spoil: Some((12, nonsense)), ..FIRST_NIGHT }]);
    assert!(finds(&["replay", &file]).starts_with("game ab3dk29xyz: "));
    for task in ["list", "show", "stats"] {
        let output = holdfast(&["log", task, &file]);
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{output:?}");
    }

    let file = scratch.log("bytes.log", &[FIRST_NIGHT]);
    let store = rusqlite::Connection::open(&file).expect("a file of SQLite");
    store.execute("UPDATE entries SET bytes = x'07ffffff' WHERE sequence = 7", []).expect("it is changed");
    drop(store);
    check(&["show", &file], "game ab3dk29xyz: entry 7: ");
    assert!(finds(&["replay", &file]).starts_with("game ab3dk29xyz: entry 7: "));
    assert!(finds(&["verify", &file]).contains("the digest of entry 7 does not follow from the log up to it"));
    assert!(log(&["stats", &file]).ends_with("\nleft out: 1 damaged\n"));
}

#[test]
fn verifying() {
    let scratch = Scratch::new("verify");
    let file = scratch.log("games.log", &all_kinds());
    let text = log(&["verify", &file]);
    assert!(text.starts_with(&format!("{file}: ok (6 games, ")), "{text}");
}

/// Columns for people are compared with what the rules read from the header and the entries.
#[test]
fn verifying_rows() {
    let scratch = Scratch::new("rows");
    let check = |sql: &str, expected: &str| {
        let file =
            scratch.log("games.log", &[FIRST_NIGHT, Played { name: "running234", until: Some(12), ..FIRST_NIGHT }]);
        let store = rusqlite::Connection::open(&file).expect("a file of SQLite");
        store.execute(sql, []).expect("it is changed");
        drop(store);
        let found = holdfast(&["log", "verify", &file]);
        let text = stdout(&found).replace(&file, "FILE");
        assert!(text.starts_with(expected), "{sql}: {text}");
        assert_eq!(found.status.success(), expected.starts_with("FILE: ok"), "{sql}");
        fs::remove_file(file).expect("it was there");
    };
    let players = "game ab3dk29xyz: the stored players are not those of the entries\n";
    check("UPDATE games SET players = '[\"bot 1\"]' WHERE id = 1", players);
    check("UPDATE games SET players = '[\"bot 2\", \"bot 1\"]' WHERE id = 1", players);
    let scenario = "game ab3dk29xyz: the column scenario differs from the header\n";
    check("UPDATE games SET scenario_start = scenario_start + 1, scenario_length = 9 WHERE id = 1", scenario);
    check("UPDATE games SET other_scenario = 'winter' WHERE id = 1", scenario);
    check(
        "UPDATE games SET name = 'ab3dk29xyy' WHERE id = 1",
        "game ab3dk29xyy: the column name differs from the header\n",
    );
    check("UPDATE games SET outcome = 'won' WHERE id = 2", "FILE: ok (2 games, ");
}

#[test]
fn keeping_heads() {
    let scratch = Scratch::new("heads");
    let running = Played { name: "running234", until: Some(12), ..FIRST_NIGHT };
    let file = scratch.log("games.log", &[FIRST_NIGHT, running.clone()]);
    let heads = log(&["heads", &file]);
    assert!(heads.starts_with("holdfast heads 1\ngame 1 ") && heads.ends_with(" \"running234\"\n"), "{heads}");
    let kept = scratch.path("heads.txt");
    fs::write(&kept, &heads).expect("the folder takes files");
    assert!(log(&["verify", &file, "--heads", &kept]).contains(": ok (2 games, "));

    let grown = scratch.log("grown.log", &[FIRST_NIGHT, Played { until: Some(20), ..running.clone() }]);
    assert!(log(&["verify", &grown, "--heads", &kept]).contains(": ok (2 games, "));
    let child = |emissions: &mut Vec<Emission<Event>>| {
        emissions.push(Emission::Event { audience: Audience::All, event: Event::ChildSpawned {} });
    };
    let other = Played { spoil: Some((3, child)), ..FIRST_NIGHT };
    let rewritten = scratch.log("rewritten.log", &[other, Played { until: Some(11), ..running }]);
    assert!(log(&["verify", &rewritten]).contains(": ok (2 games, "), "sound as such");
    let found = finds(&["verify", &rewritten, "--heads", &kept]);
    let entries = heads.split(' ').nth(4).and_then(|rest| rest.parse::<u64>().ok()).expect("a number");
    assert_eq!(
        found,
        format!(
            "game ab3dk29xyz: its log up to entry {entries} is not the one that it had\n\
             game running234: it had 12 entries and has 11\n"
        )
    );
    let json: Value = serde_json::from_str(&finds(&["verify", &rewritten, "--heads", &kept, "--json"])).expect("JSON");
    assert_eq!((&json["ok"], &json["damage"][1]["game"]), (&json!(false), &json!("running234")));

    fs::write(&kept, format!("{heads}game 3 x y z")).expect("the folder takes files");
    check(&["verify", &file, "--heads", &kept], "heads.txt: line 4: `x` is no number of entries");
    check(&["verify", &file, "--heads", &scratch.path("nowhere.txt")], "there is no file ");
}

#[test]
fn salvaging() {
    let scratch = Scratch::new("salvage");
    let file = scratch.log("games.log", &all_kinds());
    let (whole, half) = (scratch.path("whole.log"), scratch.path("half.log"));
    let text = log(&["salvage", &file, &whole]);
    assert!(text.starts_with(&format!("{whole}: 6 games with ")) && text.ends_with(" copied\n"), "{text}");
    assert!(log(&["verify", &whole]).contains(": ok (6 games, "));
    assert_eq!(log(&["heads", &whole]), log(&["heads", &file]));
    check(&["salvage", &file, &whole], "whole.log: there is a file already, which stays as it is");

    let store = rusqlite::Connection::open(&file).expect("a file of SQLite");
    store.execute("UPDATE entries SET bytes = x'00' WHERE game = 2 AND sequence = 7", []).expect("it is changed");
    drop(store);
    let text = finds(&["salvage", &file, &half]);
    let left = "left behind: game cd5mn83uvw: the digest of entry 7 does not follow from the log up to it\n";
    assert!(text.starts_with(&format!("{left}{half}: 5 games with ")), "{text}");
    let json: Value =
        serde_json::from_str(&finds(&["salvage", &file, &scratch.path("json.log"), "--json"])).expect("JSON");
    assert_eq!((&json["games"], &json["leftBehind"][0]["game"]), (&json!(5), &json!("cd5mn83uvw")));
}

/// The way back after a disaster: a host under load is copied, goes on and is killed; a host continues the copy.
#[test]
fn a_restore() {
    let scratch = Scratch::new("restore");
    let (file, copy) = (scratch.path("games.log"), scratch.path("copy.log"));
    let host = HostProcess::start(&["--log", &file]);
    let mut ana = connect(host.games);
    ana.say(&create());
    let welcome = ana.hear()["welcome"].clone();
    ana.say(&json!({"command": ["Register", "Ana"]}));
    ana.hear();
    let address = host.games.to_string();
    let load = ["load", "--connect", &address, "--games", "3", "--seconds", "3600", "--scenario", "first-night"];
    let mut load = Command::new(env!("CARGO_BIN_EXE_holdfast"))
        .args(load)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let entries =
        || lines(&log(&["list", &file, "--json"])).iter().filter_map(|game| game["entries"].as_u64()).sum::<u64>();
    crate::wait_until("bots play", || entries() > 200);
    let text = log(&["backup", &file, &copy]);
    assert!(text.starts_with(&format!("{copy}: a copy of {file} (")), "{text}");
    let copied = entries();
    crate::wait_until("the host goes on", || entries() > copied + 200);
    drop(host);
    load.kill().and_then(|()| load.wait()).expect("it ends");

    assert!(log(&["verify", &copy]).contains(": ok ("));
    let heads = scratch.path("heads.txt");
    fs::write(&heads, log(&["heads", &copy])).expect("the folder takes files");
    assert!(log(&["verify", &file, "--heads", &heads]).contains(": ok ("), "the log has all that the copy has");
    assert!(
        finds(&["verify", &copy, "--heads", &{
            fs::write(&heads, log(&["heads", &file])).expect("the folder takes files");
            heads
        }])
        .contains(" entries and has ")
    );
    let host = HostProcess::start(&["--log", &copy]);
    let mut again = connect(host.games);
    let resume = json!({"token": welcome["token"], "seen": 0});
    again.say(&json!({"hello": {"protocol": 1, "want": {"resume": resume}, "game": welcome["game"]}}));
    assert_eq!(again.hear()["welcome"]["game"], welcome["game"]);
    host.stop();
}

#[test]
fn comparing() {
    let scratch = Scratch::new("diff");
    let other = Played { name: "same234567", ..FIRST_NIGHT };
    let refused = Played { name: "refused234", refused: Some(8), ..FIRST_NIGHT };
    let short = Played { name: "short23456", until: Some(20), ..FIRST_NIGHT };
    let seed = Played { name: "seed234567", seed: 2, ..FIRST_NIGHT };
    let child = |emissions: &mut Vec<Emission<Event>>| {
        emissions.push(Emission::Event { audience: Audience::All, event: Event::ChildSpawned {} });
    };
    let spoilt = Played { name: "spoilt2345", spoil: Some((20, child)), ..FIRST_NIGHT };
    let file = scratch.log("games.log", &[FIRST_NIGHT, other, refused, short, seed, spoilt]);
    let alone = scratch.log("alone.log", &[FIRST_NIGHT]);
    let of = |name: &str| format!("{file}:{name}");
    let first = of("ab3dk29xyz");

    let same = log(&["diff", &first, &of("same234567")]);
    assert!(same.contains("\nthe same in all ") && same.contains("\ngame        ab3dk29xyz"), "{same}");
    assert!(log(&["diff", &alone, &first]).contains("the same in all "), "the only game need not be named");

    let refused = finds(&["diff", &first, &of("refused234")]);
    assert!(refused.contains("\nentry 8 differs:\n  A: bot ") && refused.contains("\nin common   7 "), "{refused}");
    for figure in ["outcome", "rounds", "morale", "survivors"] {
        assert!(refused.lines().any(|line| line.starts_with(figure)), "{figure} in {refused}");
    }
    let short = finds(&["diff", &first, &of("short23456")]);
    assert!(short.contains("\nB has no more entries; A goes on with bot "), "{short}");
    let seed = finds(&["diff", &first, &of("seed234567")]);
    assert!(seed.contains("\nseed: A has 1, B has 2\n"), "{seed}");
    let spoilt = finds(&["diff", &first, &of("spoilt2345")]);
    assert!(
        spoilt.contains("\nentry 20 (bot ") && spoilt.contains("\n  A: nothing more\n  B: to all: A child"),
        "{spoilt}"
    );

    check(&["diff", &file, &first], "name one of its 6 games");
    check(&["diff", &first, &of("ab3dk29xyy")], "did you mean ab3dk29xyz?");
    check(&["diff", &first, &scratch.path("nowhere.log:ab3dk29xyz")], "there is no file ");
}

#[test]
fn exporting() {
    let scratch = Scratch::new("export");
    let file = scratch.log("games.log", &[Played { refused: Some(8), ..FIRST_NIGHT }, all_kinds()[2].clone()]);
    let game = FIRST_NIGHT.name;
    let jsonl = log(&["export", &file, game, "--format", "jsonl"]);
    assert_eq!(jsonl, log(&["show", &file, game, "--json"]));

    let csv = log(&["export", &file, game, "--format", "csv"]);
    let mut rows = csv.lines();
    assert_eq!(rows.next(), Some("round,step,morale,food,waste,zombies,barricades,survivors,children"));
    assert!(
        rows.clone().count() > 1 && rows.all(|row| row.split(',').all(|value| value.parse::<i64>().is_ok())),
        "{csv}"
    );

    // A page has the same lines; no text in them can end the element around them.
    let page = log(&["export", &file, game, "--format", "html"]);
    let (before, rest) = page.split_once("id=\"chronicle\">\n").expect("the chronicle");
    let (lines, after) = rest.split_once("</script>").expect("its end");
    assert_eq!(lines.replace("\\u003c", "<"), jsonl);
    assert!(before.starts_with("<!doctype html>") && after.trim_end().ends_with("</body>\n</html>"), "{after}");
    check(&["export", &file, "running234", "--format", "html"], "it is not over");

    for name in [game, "running234"] {
        let script = log(&["export", &file, name, "--format", "script"]);
        let (_, recorded) = recording::read(Path::new(&file), Some(name), &games()).expect("a game");
        assert_eq!(script, recorded.print(1, recorded.scenario()), "as `systest record` has it");
        let parsed = files::parse(Path::new("again.script"), &script, &games()).expect("a script");
        run(&Play::new(&parsed), &InProcess).unwrap_or_else(|failure| panic!("{}", failure.message));
    }

    let path = scratch.path("game.jsonl");
    fs::write(&path, "what was there before").expect("the folder takes files");
    assert_eq!(log(&["export", &file, game, "--format", "jsonl", "--out", &path]), "");
    assert_eq!(fs::read_to_string(&path).expect("it is written"), jsonl);
    check(&["export", &file, "nosuchgame", "--format", "csv", "--out", &path], "there is no game nosuchgame");
    assert_eq!(fs::read_to_string(&path).expect("it is still there"), jsonl);
    check(&["export", &file, game, "--format", "csv", "--out", &file], "is the log itself; name another file");
    check(&["export", &file, game, "--format", "csv", "--out", &scratch.path("no/such/folder")], "no/such/folder: ");
    check(&["export", &file, game, "--format", "xml"], "possible values: html, jsonl, csv, script");
}

#[test]
fn summing_up() {
    let scratch = Scratch::new("stats");
    const NAMES: [&str; 5] = ["game234567", "game345678", "game456789", "game567892", "game678923"];
    let mut games = all_kinds().to_vec();
    games.extend(NAMES.iter().zip(10..).map(|(name, seed)| Played { name, seed, players: 1, ..FIRST_NIGHT }));
    let file = scratch.log("games.log", &games);
    let text = log(&["stats", &file]);
    for part in [
        ": 11 games\n\ncolony: 7 finished games\n",
        "\nby scenario\n  first-night             6 games, won ",
        "\n  winter                  1 game,  won ",
        "\nby edition\n  ",
        "\nby players\n  1                       5 games, won ",
        "\n  entries ",
        "\n  morale ",
        "\n  seconds ",
        "\nleft out: 1 still running, 1 broken, 2 of rules that this program does not have\n",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    assert!(!text.contains("by seed"));

    let stats: Value = serde_json::from_str(&log(&["stats", &file, "--json", "--by", "seed,players"])).expect("JSON");
    let colony = &stats["rulebooks"]["colony"];
    assert_eq!(stats["leftOut"], json!({"running": 1, "broken": 1, "early": 0, "otherRules": 2, "unreadable": 0}));
    assert_eq!(colony["games"], json!(7));
    let counts: u64 = colony["outcomes"].as_object().expect("outcomes").values().filter_map(Value::as_u64).sum();
    assert_eq!(counts, 7);
    let seeds = colony["by"]["seed"].as_array().expect("groups");
    assert_eq!(seeds.iter().map(|group| group["seed"].clone()).collect::<Value>(), json!([1, 2, 10, 11, 12, 13, 14]));
    let [least, .., most] = [0, 1, 2, 3, 4].map(|at| colony["distributions"]["rounds"][at].as_i64().expect("a figure"));
    assert!(least <= most, "{colony}");
    assert!(colony["by"]["scenario"].is_null(), "only what was asked for");
    assert_eq!(log(&["stats", &file, "--rulebook", "go"]), format!("{file}: 0 games\n"));
    check(&["stats", &file, "--by", "weather"], "possible values: scenario, edition, players, seed");
}

#[test]
fn forking() {
    let scratch = Scratch::new("fork");
    let file = scratch.log("games.log", &all_kinds());
    let text = log(&["fork", &file, "ab3dk29xyz", "--at", "20"]);
    let name = text.split(' ').next().expect("a name").to_owned();
    assert_eq!(text, format!("{name} goes on after entry 20 of ab3dk29xyz; `holdfast host --log {file}` plays it\n"));
    let listed = lines(&log(&["list", &file, "--json", "--status", "running"]));
    assert_eq!(listed.iter().map(|game| &game["name"]).collect::<Vec<_>>(), ["running234", &name]);
    assert_eq!((&listed[1]["parent"], &listed[1]["entries"]), (&json!("ab3dk29xyz"), &json!(20)));
    assert!(log(&["show", &file, &name]).contains("\nForked from game ab3dk29xyz after entry 20\n"));
    let diff = finds(&["diff", &format!("{file}:ab3dk29xyz"), &format!("{file}:{name}")]);
    assert!(diff.contains("\nin common   20 ") && diff.contains("\nB has no more entries; A goes on with "), "{diff}");
    assert!(log(&["verify", &file]).contains(": ok (7 games, "));

    let other = scratch.path("other.log");
    let check = |arguments: &[&str], complaint: &str| {
        check(&[&["fork", &file], arguments, &["--into", &other]].concat(), complaint);
        assert!(!Path::new(&other).exists(), "nothing was made");
    };
    check(&["nosuchgame", "--at", "1"], "there is no game nosuchgame");
    check(&["ab3dk29xyz", "--at", "9999"], "game ab3dk29xyz: there is no entry 9999, the game has ");
    let last = lines(&log(&["list", &file, "--json"]))[0]["entries"].to_string();
    check(&["ab3dk29xyz", "--at", &last], &format!("the game is over after entry {last}, take an earlier one"));
    check(&["foreign234", "--at", "1"], "its rulebook chess is not in this program");
    assert!(log(&["fork", &file, "running234", "--at", "0", "--into", &other]).contains(" goes on after entry 0 of "));
    assert!(log(&["verify", &other]).contains(": ok (1 game, 0 entries)"));
}

/// Reads the log while a host continues to play.
#[test]
fn while_a_host_writes() {
    let scratch = Scratch::new("live");
    let file = scratch.path("games.log");
    let host = HostProcess::start(&["--log", &file]);
    let mut ana = connect(host.games);
    ana.say(&create());
    let game = ana.hear()["welcome"]["game"].as_str().expect("a name").to_owned();
    ana.say(&json!({"command": ["Register", "Ana"]}));
    ana.hear();

    let listed = lines(&log(&["list", &file, "--json"]));
    assert_eq!(listed.len(), 1);
    assert_eq!((&listed[0]["name"], &listed[0]["status"]), (&json!(game), &json!("running")));
    assert_eq!((&listed[0]["players"], &listed[0]["entries"]), (&json!(["Ana"]), &json!(1)));
    let story = log(&["show", &file]);
    assert!(story.contains(": register as Ana\n") && story.contains("\nThe game goes on. "), "{story}");
    assert!(log(&["verify", &file]).contains(": ok (1 game, 1 entry)"));
    assert!(log(&["replay", &file]).contains(": ok (1 game, 1 entry folded again)"));
    assert!(log(&["stats", &file]).contains("left out: 1 still running"));

    ana.say(&json!({"command": ["StartGame"]}));
    ana.hear();
    let story = log(&["show", &file, &game]);
    assert!(story.contains("Ana: start the game\n"), "{story}");
    let script = log(&["export", &file, &game, "--format", "script"]);
    assert!(script.contains("\nAna: StartGame\n"), "{script}");
    check(&["fork", &file, &game, "--at", "1"], "it is not over; a fork of it goes into another file: --into FILE");
    let other = scratch.path("other.log");
    assert!(log(&["fork", &file, &game, "--at", "1", "--into", &other]).contains(" goes on after entry 1 of "));
    host.stop();
    assert!(log(&["show", &file, &game]).contains("Ana: start the game\n"));
}

#[test]
fn help_has_examples() {
    for task in [
        "list", "show", "heads", "replay", "diff", "export", "stats", "fork", "import", "backup", "salvage", "prune",
        "archive", "delete", "redact",
    ] {
        let help = log(&[task, "--help"]);
        assert!(
            help.contains("Examples:\n  holdfast log ") && help.contains(&format!("holdfast log {task} ")),
            "{help}"
        );
    }
}
