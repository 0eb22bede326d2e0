//! The project's own scripts in process, the language, and conversions between the forms of a script without loss.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use script::{Script, Transcript};
use systemtests::{
    batch::judge,
    files::{Beside, Found, find, parse},
    games,
    local::InProcess,
    play::Play,
    run::run,
    target::Outcome,
};

use super::folder::{FIRST_NIGHT, Folder};

/// The folder with colony's own scripts.
fn scripts_of_colony() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/colony/scripts")
}

fn ours() -> Vec<Found> {
    find(&scripts_of_colony(), &games())
}

#[test]
fn all_of_ours_pass() {
    let found = ours();
    assert!(found.len() >= 10, "{}", found.len());
    for found in &found {
        let verdict = judge(found, &InProcess);
        assert_eq!(verdict.outcome, Outcome::Ok, "{} ({})\n{}", verdict.name, verdict.place, verdict.message);
    }
}

#[test]
fn all_of_ours_are_formatted() {
    for found in ours() {
        let text = fs::read_to_string(&found.place).expect("it was found");
        assert_eq!(script::format(&text), text, "{}: call `systest fmt`", found.place);
    }
}

/// The example of the guide passes. With the change that the guide proposes, the report equals the one in the guide.
#[test]
fn the_guide() {
    let guide = include_str!("../../../../../docs/writing-system-tests.md");
    let block = |start: &str| {
        let at = guide.find(&format!("```\n{start}")).expect("the guide has it") + 4;
        guide[at..].split("```").next().expect("there is an end").to_owned()
    };
    let example = block("name: nobody starts");
    let report = |text: &str| {
        let script = parse(Path::new("early.script"), text, &games());
        let verdict = judge(&Found { place: "early.script".into(), script }, &InProcess);
        let lines: String = verdict.message.lines().map(|line| format!("  {line}\n")).collect();
        format!("{} {} ({})\n{lines}", verdict.outcome, verdict.name, verdict.place)
    };
    assert_eq!(report(&example), "OK nobody starts a game without a name (early.script)\n");
    assert_eq!(report(&example.replacen("CommandFailed", "ActNow", 1)), block("FAIL nobody starts"));
}

/// Converts a script to the other form and back. Playing the copy gives the same result.
#[track_caller]
fn check_round_trip(script: &Script, file: &Path) {
    let Script { game, transcript, names, .. } = script;
    let text = script::print(*game, transcript, names);
    let copy = parse(file, &text, &games()).unwrap_or_else(|error| panic!("{}\n{error}\n{text}", script.file));
    assert_eq!(copy.transcript, *transcript, "{}\n{text}", script.file);
    assert_eq!(Transcript::parse(&transcript.json(*game), &games()).expect("JSON").0, *transcript);
    assert_eq!(script::format(&text), text, "what is printed is formatted");

    let plays = |script: &Script| run(&Play::new(script), &InProcess).map_err(|failure| failure.outcome);
    assert_eq!(plays(&copy), plays(script), "{}", script.file);
}

#[test]
fn nothing_is_lost_of_ours() {
    for found in ours() {
        let script = found.script.expect("it can be read");
        check_round_trip(&script, Path::new(&script.file));
    }
}

#[test]
fn nothing_is_lost_of_recorded_games() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors/colony");
    if !folder.is_dir() {
        println!("skipped: ../shared is missing");
        return;
    }
    let found = find(&folder, &games());
    assert!(found.len() > 500, "{}", found.len());
    for found in found {
        let script = found.script.expect("it can be read");
        check_round_trip(&script, &folder.join("x.script"));
    }
}

/// A script can express every value of a transcript, even values that no game has.
#[test]
fn nothing_is_lost_of_odd_transcripts() {
    let odd = r##"{"name": " #1 \"so\"\n", "tags": ["a"], "edition": "auto", "seed": -9223372036854775808, "timeout": 3,
        "clients": [7, 8, 2], "players": ["Ana", "Bo", "Q2"], "scenario_text": "{\"no\": \"scenario #\"}\n",
        "steps": [[">", 7, "Dance"], [">", 7, "Register"], [">", 7, "Register", 5], [">", 7, "Register", "true"],
            [">", 7, "Register", "a b # c"], [">", 7, "Move", 1, 2, null], [">", 7, "x y", [1, {"a": "b c"}], 1.5, "$ANY"],
            ["<", 7, "Config"], ["<", 7, "Config", "$SCENARIO"], ["<", 8, "Config", "$ANY"], ["<", 8, "CommandFailed", ""],
            ["<", 7, "Left", 1], ["<", 8, "Left", 1], ["<", 7, "*"], ["<", 7, "..."," odd"], ["<", 2, "nothing"], ["~", 2],
            ["<", 7, "DieRolled", 0, "$ANY"], ["<", 7, "DieRolled", 0, 99999999999], ["<", 7, "Moved", "Maren"],
            [">", 7, "WrongArguments", 1, 1], ["<", 7, "TurnBegan", 0], ["<", 7, "MoralChanged", -1, "CRISIS"]],
        "end": "ended"}"##;
    let (mut transcript, game) = Transcript::parse(odd, &games()).expect("it is one");
    let scenario = "{\"no\": \"scenario #\"}\n".to_owned();
    check_round_trip(
        &Script::of_transcript(game, transcript.clone(), scenario.clone(), "odd"),
        Path::new("odd.script"),
    );
    transcript.steps.clear();
    for code in [None, Some(-1)] {
        let message = "a \"b\"".into();
        transcript.end = script::Ending::Refused { code, message };
        check_round_trip(
            &Script::of_transcript(game, transcript.clone(), scenario.clone(), "odd"),
            Path::new("odd.script"),
        );
    }
    transcript.end = script::Ending::Any;
    check_round_trip(&Script::of_transcript(game, transcript, scenario, "odd"), Path::new("odd.script"));
}

const HEADER: &str = "scenario: first-night\nseed: 7\nplayers: Ana, Bo\n";

/// The steps of a script in the form of a transcript, or its first problem as the author sees it.
fn read(body: &str) -> String {
    match script::parse("t.script", &format!("{HEADER}{body}"), &Beside(&PathBuf::from("t.script")), &games()) {
        Ok(script) => serde_json::to_string(&script.transcript.steps).expect("JSON"),
        Err(problems) => problems[0].to_string(),
    }
}

#[test]
fn who_all_is() {
    let config = "Ana: Register Ana\n  Ana: Config\n";
    let steps = |more: &str| {
        read(&format!("{config}{more}")).replace(r#"[">",1,"Register","Ana"],["<",1,"Config","$SCENARIO"]"#, "..")
    };
    assert_eq!(steps("  all: GameStarted"), r#"[..,["<",1,"GameStarted"]]"#);
    let both = "  Bo: Config\n  all: GameStarted\n  all: Left Ana\n  all: ActNow\n";
    let told = r#"[..,["<",2,"Config","$SCENARIO"],["<",1,"GameStarted"],["<",2,"GameStarted"],["<",1,"Left",0],["<",2,"Left",0],["<",2,"ActNow"]]"#;
    assert_eq!(steps(both), told);
}

#[test]
fn names() {
    let sent = |line: &str| read(&format!("Ana: {line}"));
    for same in ["Move Maren Fish", "Move \"Maren Holt, keeper\" \"Fish Hall\"", "Move 1 20", "Move keeper Hall"] {
        assert_eq!(sent(same), r#"[[">",1,"Move",1,20]]"#);
    }
    assert_eq!(sent("UseCard medicine104 Ines Maren"), r#"[[">",1,"UseCard",104,4,1]]"#);
    assert_eq!(sent("UseCard fuel103 Ines colony"), r#"[[">",1,"UseCard",103,4,10]]"#);
    assert_eq!(sent("!Move"), r#"[[">",1,"Move"]]"#);
}

#[track_caller]
fn check(line: &str, message: &str, caret: &str) {
    let said = read(line);
    assert!(said.starts_with(&format!("{message}\n")), "{said}");
    assert!(said.ends_with(caret), "{said}");
}

#[test]
fn problems() {
    check("Ana: Mvoe 1 2", "there is no command Mvoe", "4 | Ana: Mvoe 1 2\n  |      ^^^^ did you mean Move?");
    check(
        "Ana: Moved 1 2",
        "there is no command Moved",
        "^^^^^ Moved is an event: indent the line if the client must receive it",
    );
    check(
        "  Ana: EndTurn",
        "there is no event EndTurn",
        "EndTurn is a command: do not indent the line if the client sends it",
    );
    check("Ann: EndTurn", "there is no player Ann", "^^^^ did you mean Ana?");
    check(
        "Ana: Move Marne 20",
        "there is no character Marne in the scenario",
        "  |           ^^^^^ did you mean Maren?",
    );
    check("Ana: UseCard fuel100", "there is no card fuel100 in the scenario", "^^^^^^^ did you mean fuel103?");
    check(
        "Ana: Move Maren",
        "Move has a wrong number of arguments",
        "it is written Move character location [fuel]; to send it as it stands, write !Move",
    );
    check("  Ana: GameEnd maybe", "maybe is not true or false", "^^^^^ it is written GameEnd win");
    check(
        "  all: GameStarted",
        "there are no players in the game yet",
        "^^^^ `all` are the clients that have received Config, until Left of their player",
    );
    check("  Ana: CardDrawn Bo 1", "Bo has no number as a player yet", "^^ it has one after the line `Bo: Config`");
    check("Ana: silent", "`silent` needs a timeout", "^^^^^^ say how many seconds in the header, `timeout: 1`");
    check("server stops", "a script cannot expect this of a server", "`server refuses with 1 \"some of its words\"`");
    check("server ends\nAna: EndTurn", "the line about the server is the last one", "^^^^ put this line before it");
    check("include nowhere.script", "there is no file nowhere.script", "^^^^^^^^^^^^^^");
    check("EndTurn", "this line does not name a client", "a line is `Ana: ..`, `include FILE`, or `server ends`");
    check("Ana EndTurn", "there is no : after Ana", "^^^ write `Ana: ..`");
    check("  all GameStarted", "there is no : after all", "^^^ write `all: ..`");
    check("timeuot: 2", "there is no header key timeuot", "^^^^^^^^ did you mean timeout?");
    check("Ana: Register \"open", "this begins like JSON and does not end like it", "^^^^^");
    check("seed: 8", "seed occurs twice", "^");
    check("Ana: EndTurn\nseed: 8", "seed belongs to the header", "^^^^^ the header is above the first step");
    check("edition: golden", "an edition is group, equipment, fate or auto", "^^^^^^");
}

#[test]
fn includes() {
    let folder = Folder::new();
    folder.write(
        "opening.script",
        "# How it begins.\nfragment\n\nAna: Register Ana\n  Ana: Config\ninclude more.script\n",
    );
    folder.write("more.script", "fragment\nAna: StartGame\n");
    folder.write("loop.script", "fragment\ninclude loop.script\n");
    let file = folder.path("t.script");
    let read = |name: &str| parse(&file, &format!("{HEADER}include {name}\nAna: EndTurn\n"), &games());
    let script = read("opening.script").expect("it can be read");
    let lines: Vec<String> = script
        .places
        .iter()
        .map(|place| {
            let place = place.to_string();
            place.rsplit('/').next().unwrap_or_default().to_owned()
        })
        .collect();
    assert_eq!(lines, ["opening.script:4", "opening.script:5", "more.script:2", "t.script:5"]);

    folder.write("other.script", HEADER);
    for (name, problem) in
        [("loop.script", "loop.script would include itself"), ("other.script", "is a script of its own")]
    {
        let problems = read(name).expect_err("it is wrong").to_string();
        assert!(problems.contains(problem), "{problems}");
    }
    // In a folder, only playable scripts are found.
    let found: Vec<String> = find(&folder.path(""), &games()).into_iter().map(|found| found.place).collect();
    assert_eq!(found, [folder.path("other.script").display().to_string()]);
}

/// Converts to scripts and to transcripts, and formats, with the real commands.
#[test]
fn commands() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name).display().to_string();
    let systest = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_systest")).args(arguments).output().expect("it starts");
        (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
    };
    let transcript = r#"{"name":"too early","edition":"group","seed":1,"clients":[1],"scenario":"first-night","steps":[[">",1,"StartGame"],["<",1,"CommandFailed"]],"end":"any"}"#;
    folder.write("games.jsonl", &format!("{transcript}\n{transcript}\n"));
    assert_eq!(systest(&["convert", &path("games.jsonl"), "--to", &path("text")]).0, Some(0));
    assert_eq!(systest(&["run", &path("text")]), (Some(0), "2 passed, 0 failed\n".into()));
    assert_eq!(systest(&["fmt", "--check", &path("text")]), (Some(0), String::new()));
    assert_eq!(systest(&["convert", &path("text")]), (Some(0), format!("{transcript}\n{transcript}\n")));

    folder.write("text/too_early.script", "scenario:   first-night\nseed: 1\n");
    let said = format!("{}\n", path("text/too_early.script"));
    assert_eq!(systest(&["fmt", "--check", &path("text")]), (Some(1), format!("not formatted: {said}")));
    assert_eq!(systest(&["fmt", &path("text")]), (Some(0), format!("formatted {said}")));
    assert_eq!(systest(&["fmt", &path("text")]), (Some(0), String::new()));
}

/// A conversion writes nothing outside of the target folder, and overwrites no other file.
#[test]
fn converted_scenarios() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name).display().to_string();
    let convert = |from: &str, to: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_systest"));
        let output = command.args(["convert", &path(from), "--to", &path(to)]).output().expect("it starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let names = |of: &str| {
        let entries = fs::read_dir(folder.path(of)).expect("a folder");
        let mut names: Vec<_> = entries.map(|entry| entry.expect("an entry").file_name()).collect();
        names.sort();
        names
    };
    fs::create_dir_all(folder.path("a/scripts")).expect("a folder can be made");
    fs::create_dir_all(folder.path("out/deep")).expect("a folder can be made");
    let scenario = FIRST_NIGHT.replacen("Maren", "Karen", 1);
    folder.write("a/mine.json", &scenario);
    let script = "name: one\nscenario: ../mine.json\nseed: 1\nplayers: Ana\n\nAna: StartGame\n  Ana: CommandFailed\n";
    folder.write("a/scripts/one.script", script);
    folder.write("a/scripts/two.script", &script.replace("one", "two"));

    let said = format!("{}: 2 transcripts written\n", path("out/deep/games.jsonl"));
    assert_eq!(convert("a/scripts", "out/deep/games.jsonl"), (Some(0), said, String::new()));
    assert_eq!((names("out"), names("out/deep")), (vec!["deep".into()], vec!["games.jsonl".into()]));

    let (code, said, _) = convert("out/deep/games.jsonl", "out/back");
    let wrote = [
        format!("{}: scenario written", path("out/back/one.json")),
        format!("{}: 2 scripts written", path("out/back")),
    ];
    assert_eq!((code, said.lines().collect::<Vec<_>>()), (Some(0), wrote.iter().map(String::as_str).collect()));
    assert_eq!(names("out/back"), ["one.json", "one.script", "two.script"]);
    assert_eq!(fs::read_to_string(folder.path("out/back/one.json")).expect("it was written"), scenario);
    assert!(
        find(&folder.path("out/back"), &games()).iter().all(|found| judge(found, &InProcess).outcome == Outcome::Ok)
    );

    fs::create_dir(folder.path("taken")).expect("a folder can be made");
    folder.write("taken/one.json", "{}");
    let (code, _, said) = convert("out/deep/games.jsonl", "taken");
    assert!(code == Some(1) && said.contains("one.json exists and is not the scenario of "), "{said}");
    assert_eq!(names("taken"), ["one.json"]);
    assert_eq!(fs::read_to_string(folder.path("taken/one.json")).expect("it is there"), "{}");

    for (from, to, words) in [
        ("a/scripts", "x.script", "x.script: name a .jsonl file, which will contain all transcripts\n"),
        ("a/scripts", "out", "out: name a .jsonl file, which will contain all transcripts\n"),
        ("out/deep/games.jsonl", "x.script", "x.script: name a folder, which will contain a file for each script\n"),
    ] {
        let (code, _, said) = convert(from, to);
        assert!(code == Some(1) && said.ends_with(words), "{said}");
    }
}

/// A closed pipe (`| head`) causes no panic.
#[test]
fn a_reader_who_leaves() {
    for task in ["convert", "run"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_systest"));
        command.arg(task).arg(scripts_of_colony());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
    }
}

/// All problems are reported at once, without follow-up errors.
#[test]
fn every_problem_is_found() {
    let lines = |text: &str| -> Vec<usize> {
        let problems =
            script::parse("t.script", text, &Beside(Path::new("t.script")), &games()).expect_err("it is wrong");
        problems.iter().map(|problem| problem.line).collect()
    };
    assert_eq!(lines("scenario: nowhere\nseed: x\nplayers: Ana, all\nAna: Dance\n"), [2, 3, 1, 4]);
    // Without valid players and timeout, the steps are not checked, but the rest of the header is.
    assert_eq!(lines("scenario: winter\nplayres: Ana\ntimeuot: 1\nseed: x\n\nAna: silent\nBo: Dance\n"), [2, 3, 4]);
    assert_eq!(lines("scenario: winter\nseed: 1\nplayers: Ana\ninclude nowhere.script\n  all: ActNow\n"), [4]);
}

/// Arguments that the language rejects.
#[test]
fn not_a_script() {
    let folder = Folder::new();
    folder.write("f.script", "fragment\nAna: StartGame\n");
    folder.write("README.md", "# No.\n");
    folder.write("t.script", "scenario: frist-night\nseed: 1\n");
    let missing = folder.path("nope.script");
    for (name, words) in [
        ("f.script", "this is a fragment; run a script that includes it"),
        ("README.md", "this file is neither .script, .json nor .jsonl"),
        ("nope.script", &format!("there is no file {}", missing.display())),
    ] {
        let found = find(&folder.path(name), &games());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].script.as_ref().expect_err("it is none").to_string(), words);
    }
    let found = find(&folder.path("t.script"), &games());
    let said = found[0].script.as_ref().expect_err("there is no such scenario").to_string();
    assert!(said.starts_with("there is no scenario frist-night; did you mean first-night?\n"), "{said}");
}

/// Measures how fast scripts run in process: thousands of mutants need it. The figure is only printed, because the machine may
/// be busy.
#[test]
fn speed() {
    let found = ours();
    let scripts: Vec<&Script> = found.iter().filter_map(|found| found.script.as_ref().ok()).collect();
    let plays: Vec<Play<'_>> = scripts.iter().map(|script| Play::new(script)).collect();
    let (since, mut runs) = (Instant::now(), 0_u32);
    while since.elapsed() < Duration::from_millis(500) {
        for play in &plays {
            run(play, &InProcess).expect("all scripts of the project pass");
            runs += 1;
        }
    }
    let per_minute = f64::from(runs) / since.elapsed().as_secs_f64() * 60.0;
    println!("{per_minute:.0} runs a minute");
}
