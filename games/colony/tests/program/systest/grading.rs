//! The table of many teams: points, limits, hidden tests, killed runs and comparisons. Also the server `serve-mutant`.

use std::{
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::folder::Folder;

const SYSTEST: &str = env!("CARGO_BIN_EXE_systest");
const FAULTY: &str = env!("CARGO_BIN_EXE_faulty-server");

const HEADER: &str = "edition: group\nscenario: first-night\nseed: 7\nplayers: Ana\n\n";

const PLAN: &str = r#"
title = "Colony, first hand-in"
pass_points = 6

[limits]
patience = 10
team_seconds = 15
memory_mib = 128
processes = 8

[[group]]
name = "Registration"
paths = ["tests"]
tags = ["registration"]
points = 4
pass_percent = 100
mandatory = true

[[group]]
name = "Start"
paths = ["tests"]
tags = ["start"]
points = 3

[[group]]
name = "Secret"
paths = ["secret"]
points = 3
hidden = true

[every_folder]
path = "teams"
server = "./run.sh {port} {config} {seed} {edition}"
"#;

/// A folder with a plan, its tests, and a team for each fault. Each server counts its starts.
fn course(teams: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    for name in ["tests", "secret", "teams"] {
        fs::create_dir(folder.path(name)).expect("a folder can be made");
    }
    folder.write("teams.toml", PLAN);
    let script = |file: &str, name: &str, tags: &str, steps: &str| {
        folder.write(file, &format!("name: {name}\ntags: {tags}\n{HEADER}{steps}"));
    };
    let register = "Ana: Register Ana\n  Ana: Config\n";
    script("tests/1.script", "a stranger cannot start", "registration", "Ana: StartGame\n  Ana: CommandFailed\n");
    script("tests/2.script", "registering", "registration", register);
    script("tests/3.script", "starting", "start", &format!("{register}Ana: StartGame\n  Ana: GameStarted\n"));
    script("secret/1.script", "TRICK", "start", &format!("{register}Ana: Register Bo\n  Ana: CommandFailed\n"));
    teams.iter().for_each(|(name, kind)| team(&folder, name, kind));
    folder
}

fn team(folder: &Folder, name: &str, kind: &str) {
    let path = folder.path(&format!("teams/{name}"));
    fs::create_dir_all(&path).expect("a folder can be made");
    let server = match kind {
        "ours" => format!("{SYSTEST} serve-mutant none --port $1 --config $2 --seed $3 --edition $4"),
        fault => format!("{FAULTY} {fault} $1"),
    };
    let run = path.join("run.sh");
    fs::write(&run, format!("#!/bin/sh\necho start >> starts\nexec {server}\n")).expect("a file can be written");
    fs::set_permissions(&run, fs::Permissions::from_mode(0o755)).expect("it can be made executable");
}

fn grade(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(SYSTEST);
    command.arg("grade").arg(folder.path("teams.toml")).args(arguments).stdin(Stdio::null());
    command
}

/// Runs it to its end. Returns the exit code, the table, and the notes.
fn graded(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = grade(folder, arguments).output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn report(folder: &Folder) -> Value {
    let text = fs::read_to_string(folder.path("graded/table.json")).expect("it was written");
    serde_json::from_str(&text).expect("JSON")
}

/// The points of each team in each group, and whether it passed.
fn marks(report: &Value) -> Vec<String> {
    let teams = report["teams"].as_array().expect("teams").iter();
    let mark = |team: &Value| {
        let groups = team["groups"].as_array().expect("groups").iter();
        let groups: Vec<String> = groups.map(|group| format!("{}/{}", group["passed"], group["tests"])).collect();
        format!("{} {} {} {}", team["name"], team["passed"], team["points"], groups.join(" "))
    };
    teams.map(mark).collect()
}

/// The verdicts of a team, in the order of the tests.
fn verdicts<'r>(report: &'r Value, team: &str) -> Vec<(&'r str, &'r str)> {
    let team = report["teams"].as_array().expect("teams").iter().find(|row| row["name"] == team).expect("the team");
    let tests = team["tests"].as_array().expect("tests").iter();
    tests.map(|test| (test["verdict"].as_str().unwrap_or(""), test["message"].as_str().unwrap_or(""))).collect()
}

#[test]
fn the_right_table() {
    let folder = course(&[
        ("a-ours", "ours"),
        ("b-refuses", "none"),
        ("c-crashes", "crashes"),
        ("d-hangs", "hangs"),
        ("e-floods", "floods"),
        ("f-eats", "eats-memory"),
        ("g-forks", "forks"),
        ("h-never-starts", "crashes-at-start"),
        ("i-ours", "ours"),
    ]);
    let since = Instant::now();
    let (code, table, notes) = graded(&folder, &["--jobs", "4"]);
    assert_eq!(code, Some(0), "{table}{notes}");
    let report = report(&folder);
    let none = "false 0.0 0/2 0/1 0/1";
    let expected = [
        "\"a-ours\" true 10.0 2/2 1/1 1/1".to_owned(),
        "\"b-refuses\" false 2.0 1/2 0/1 0/1".into(),
        format!("\"c-crashes\" {none}"),
        format!("\"d-hangs\" {none}"),
        format!("\"e-floods\" {none}"),
        format!("\"f-eats\" {none}"),
        format!("\"g-forks\" {none}"),
        format!("\"h-never-starts\" {none}"),
        "\"i-ours\" true 10.0 2/2 1/1 1/1".into(),
    ];
    assert_eq!(marks(&report), expected);
    let check = |team: &str, at: usize, verdict: &str, words: &str| {
        let (came, message) = verdicts(&report, team)[at];
        assert!(came == verdict && message.contains(words), "{team}: {came} {message}");
    };
    check("b-refuses", 1, "FAIL", "expected: Config\n  came:     CommandFailed \"No.\"");
    check("c-crashes", 0, "SERVER_FAIL", "the server crashed in the middle of the game");
    check("d-hangs", 0, "TIME_OUT", "the server hangs");
    check("d-hangs", 3, "TIME_OUT", "not played: the team's 15 seconds are over");
    check("e-floods", 0, "PROTOCOL_ERROR", "the server floods a client");
    check("f-eats", 0, "SERVER_FAIL", "MiB of memory, and 128 MiB are allowed");
    check("g-forks", 0, "SERVER_FAIL", "processes, and 8 are allowed");
    check("h-never-starts", 0, "SERVER_FAIL", "the server ended before the game began");
    assert!(since.elapsed().as_secs() < 300, "hanging servers are ended");

    // The table for people, and the reports for programs.
    let line = |name: &str| table.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    let words = |name: &str| line(name).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert!(table.starts_with("Colony, first hand-in\n\nteam"), "{table}");
    assert_eq!(words("team ")[..6], ["team", "passed", "points", "Registration*", "Start", "Secret?"]);
    assert_eq!(words("a-ours")[..6], ["a-ours", "yes", "10", "4", "(2/2)", "3"]);
    assert_eq!(words("b-refuses")[..6], ["b-refuses", "NO", "2", "2", "(1/2)!", "0"]);
    assert!(table.contains("2 of 9 teams passed; 6 of 10 points are needed\n* mandatory; ? hidden"), "{table}");
    let read = |name: &str| fs::read_to_string(folder.path("graded").join(name)).expect("it was written");
    let csv = read("table.csv");
    assert!(csv.starts_with("team,passed,points,change,Registration: points,Registration: tests passed,"), "{csv}");
    assert!(csv.contains("\r\nb-refuses,no,2,,2,1,2,no,0,0,1,yes,0,0,1,yes,"), "{csv}");
    let junit = read("table.xml");
    assert!(junit.contains("<testsuite name=\"b-refuses\" tests=\"4\" failures=\"3\" errors=\"0\""), "{junit}");
    assert!(junit.contains("<testcase classname=\"Secret\" name=\"TRICK\""), "{junit}");
    let page = read("table.html");
    assert!(page.contains("expected: Config\n  came:     CommandFailed &quot;No.&quot;"), "{page}");
    assert!(page.contains("TRICK"), "instructors see hidden tests");
    let loads = ["http:", "https:", "src=", "<link", "<script", "@import", "url("];
    assert_eq!(loads.iter().find(|load| page.contains(*load)), None, "it loads nothing");

    // A team sees its own failures, and nothing of hidden tests or of other teams.
    let own = read("teams/b-refuses.html");
    assert!(own.contains("expected: Config") && own.contains("starting"), "{own}");
    assert!(own.contains("Secret: 1 of 1 tests failed") && own.contains("1 of them are hidden"), "{own}");
    for secret in ["TRICK", "Register Bo", "secret/", "a-ours"] {
        assert!(!own.contains(secret), "{secret}: {own}");
    }
}

/// How often the server of a team was started.
fn starts(folder: &Folder, team: &str) -> usize {
    fs::read_to_string(folder.path(&format!("teams/{team}/starts"))).unwrap_or_default().lines().count()
}

/// A run that is killed goes on with what is missing, and its servers are ended. The next run is compared with it.
#[test]
fn killed_and_resumed() {
    let folder = course(&[("a", "ours"), ("b", "none"), ("c", "hangs")]);
    let mut killed =
        grade(&folder, &["--jobs", "1"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let journal = folder.path("graded/results.jsonl");
    let since = Instant::now();
    // The teams `a` and `b` are complete, and the server of `c` runs.
    while starts(&folder, "c") == 0 {
        assert!(since.elapsed().as_secs() < 300);
        thread::sleep(Duration::from_millis(10));
    }
    killed.kill().and_then(|()| killed.wait()).expect("it runs");
    let rows = fs::read_to_string(&journal).expect("the results so far").lines().count() - 1;
    assert_eq!((rows, starts(&folder, "a"), starts(&folder, "b")), (8, 4, 4));
    assert!(!folder.path("graded/table.json").exists(), "there is no table yet");
    let servers = || hanging(&folder.path("teams/c"));
    assert_eq!(servers(), 1, "a killed process ends nothing");

    let (code, table, notes) = graded(&folder, &["--jobs", "1"]);
    assert_eq!(code, Some(0), "{notes}");
    assert!(notes.contains("an earlier run was not complete: it has 8 of 12 results"), "{notes}");
    assert_eq!((starts(&folder, "a"), starts(&folder, "b")), (4, 4), "nothing is played twice");
    assert_eq!(servers(), 0);
    let whole = ["\"a\" true 10.0 2/2 1/1 1/1", "\"b\" false 2.0 1/2 0/1 0/1", "\"c\" false 0.0 0/2 0/1 0/1"];
    assert_eq!(marks(&report(&folder)), whole);
    assert!(!journal.exists() && !table.contains("change"), "{table}");

    // The next run starts from the beginning, and is compared with the last one.
    team(&folder, "b", "ours");
    team(&folder, "a", "none");
    fs::remove_dir_all(folder.path("teams/c")).expect("it was there");
    team(&folder, "d", "ours");
    let (_, table, notes) = graded(&folder, &[]);
    assert!(!notes.contains("earlier run"), "{notes}");
    let change =
        |name: &str| table.lines().find(|line| line.starts_with(name)).and_then(|line| line.split_whitespace().nth(3));
    assert_eq!((change("a "), change("b "), change("d ")), (Some("-8"), Some("+8"), Some("new")), "{table}");
    let own = fs::read_to_string(folder.path("graded/teams/b.html")).expect("it was written");
    assert!(own.contains("3 tests pass now (1 of them hidden)") && !own.contains("TRICK"), "{own}");
    let own = fs::read_to_string(folder.path("graded/teams/a.html")).expect("it was written");
    assert!(own.contains("3 tests passed in the last run, and fail now (1 of them hidden)"), "{own}");
    // One team alone.
    let before = report(&folder);
    let (code, table, _) = graded(&folder, &["--team", "d"]);
    assert!(code == Some(0) && table.contains("1 of 1 teams passed"), "{table}");
    assert!(report(&folder) == before && folder.path("graded-some/table.html").exists(), "the whole table stays");
}

/// The number of faulty servers that run in a folder.
fn hanging(folder: &Path) -> usize {
    let folder = fs::canonicalize(folder).expect("the folder is there");
    let processes = fs::read_dir("/proc").expect("it is there").flatten();
    let runs_there = |path: &Path| fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd == folder);
    processes.filter(|entry| runs_there(&entry.path())).count()
}

/// Every mistake in a plan is named, with exit code 2.
#[test]
fn mistakes_in_plans() {
    let folder = course(&[("a", "ours")]);
    let check = |from: &str, to: &str, words: &str| {
        assert!(PLAN.contains(from), "{from}");
        folder.write("teams.toml", &PLAN.replacen(from, to, 1));
        let (code, _, said) = graded(&folder, &[]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(words), "{said}\ndoes not say\n{words}");
    };
    check("points = 4", "point = 4", "unknown field `point`");
    check("title =", "title", "teams.toml: TOML parse error at line 2");
    check("[\"registration\"]", "[\"registratoin\"]", "no script has the tag registratoin; did you mean registration?");
    check("paths = [\"secret\"]", "paths = [\"secrets\"]", "group Secret: there is no file or folder ");
    check("path = \"teams\"", "path = \"none\"", "No such file or directory");
    check(
        "[every_folder]",
        "[[team]]\nname = \"x\"\nfolder = \"teams/x\"\n[every_folder]",
        "team x: there is no folder ",
    );
    check(
        "[every_folder]",
        "[[team]]\nname = \"../x\"\nfolder = \"teams/a\"\n[every_folder]",
        "cannot be a team's name",
    );
    check("[every_folder]", "[[team]]\nname = \"A\"\nfolder = \"teams/a\"\n[every_folder]", "\"a\" occurs twice");
    check("pass_percent = 100", "pass_percent = 101", "pass_percent must be from 0 to 100");
    check("patience = 10", "patience = 0", "each of [limits] must be from 1 to 1,000,000");
    folder.write("teams.toml", PLAN);
    let (code, _, said) = graded(&folder, &["--team", "nobody"]);
    assert_eq!((code, said.as_str()), (Some(2), "systest: the plan has no team \"nobody\"\n"));
    folder.write("tests/4.script", "tags: start\nscenario: first-night\nseed: 1\nplayers: Ana\n\nAna: Dance\n");
    let (code, _, said) = graded(&folder, &[]);
    assert!(code == Some(2) && said.contains("cannot be read") && said.contains("there is no command Dance"), "{said}");
}

/// `serve-mutant none` plays all scripts of an edition as the rules demand: it is a whole server.
#[test]
fn the_rules_as_a_server() {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/colony/scripts/fate");
    let server = format!(
        "{SYSTEST} serve-mutant none --port {{port}} --config {{config}} --seed {{seed}} --timeout {{timeout}} --edition {{edition}}"
    );
    let run = Command::new(SYSTEST).arg("run").arg(scripts).args(["--server", &server, "--patience", "120"]).output();
    let said = String::from_utf8(run.expect("it starts").stdout).expect("UTF-8");
    let passed: usize = said.split_whitespace().next().and_then(|count| count.parse().ok()).unwrap_or(0);
    assert!(passed > 100 && said == format!("{passed} passed, 0 failed\n"), "{said}");
}

/// This program has no mutants, and says how to get some.
#[cfg(not(feature = "mutants"))]
#[test]
fn no_mutants_here() {
    let output = Command::new(SYSTEST).args(["serve-mutant", "tie-is-no", "--port", "1", "--config", "x"]).output();
    let output = output.expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("`cargo xtask mutants --build` builds one"), "{said}");
}

/// Thirty teams: 25 servers with a mistake, one without, one that crashes, one that hangs, one that floods, and one that needs too much
/// memory. A mutant's server fails exactly the tests that notice the mutant in this process. Killed in the middle, and resumed.
///
/// It needs a `systest` with mutants: this one, if it was built with the feature, or the one that `HOLDFAST_SYSTEST_MUTANTS` names.
#[test]
fn thirty_teams_of_mutants() {
    let folder = Folder::new();
    let instrumented = match std::env::var("HOLDFAST_SYSTEST_MUTANTS") {
        Ok(program) => program,
        Err(_) if cfg!(feature = "mutants") => SYSTEST.to_owned(),
        Err(_) => {
            let how = "cargo xtask mutants --build, then HOLDFAST_SYSTEST_MUTANTS=PROGRAM";
            return writeln!(std::io::stderr(), "thirty teams: only with {how}").expect("stderr is there");
        }
    };
    let (systest, faulty) = (instrumented.as_str(), FAULTY);
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/colony/scripts/group");
    let scripts = fs::canonicalize(scripts).expect("the scripts are there").display().to_string();
    // The short form has the scripts of a few sections.
    let is_long = std::env::var_os("HOLDFAST_LONG").is_some();
    let tags = if is_long { "" } else { "tags = [\"attack\", \"searching\"]\n" };
    let listed = Command::new(systest).args(["serve-mutant", "--list"]).output().expect("it starts");
    let listed = String::from_utf8(listed.stdout).expect("UTF-8");
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split_once(" (")).map(|(name, _)| name).collect();
    let mutants: Vec<&str> = names.iter().step_by(names.len() / 25).copied().take(25).collect();
    assert_eq!(mutants.len(), 25);
    let mut plan = format!(
        "[limits]\npatience = 10\nteam_seconds = {}\nmemory_mib = 512\n\n[[group]]\nname = \"all\"\npaths = [{scripts:?}]\nwithout_tags = [\"timeouts\"]\n{tags}points = 100\n",
        if is_long { 600 } else { 60 }
    );
    let options = "--port {port} --config {config} --seed {seed} --edition {edition}";
    let ours = mutants.iter().chain([&"none"]).map(|name| (*name, format!("{systest} serve-mutant {name} {options}")));
    let faults = ["crashes", "hangs", "floods", "eats-memory"];
    let faults = faults.map(|fault| (fault, format!("{faulty} {fault} {{port}}")));
    for (name, server) in ours.chain(faults) {
        plan.push_str(&format!("\n[[team]]\nname = {name:?}\nfolder = \".\"\nserver = {server:?}\n"));
    }
    fs::write(folder.path("teams.toml"), &plan).expect("a file can be written");
    assert_eq!(plan.matches("[[team]]").count(), 30);

    let grade = || {
        let mut command = Command::new(systest);
        command.arg("grade").arg(folder.path("teams.toml")).args(["--jobs", "4"]);
        command
    };
    let since = Instant::now();
    let mut killed = grade().spawn().expect("it starts");
    let journal = folder.path("graded/results.jsonl");
    while fs::read_to_string(&journal).unwrap_or_default().lines().count() < 40 {
        thread::sleep(Duration::from_millis(20));
        assert!(since.elapsed().as_secs() < 300);
    }
    killed.kill().and_then(|()| killed.wait()).expect("it runs");
    let output = grade().output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said.contains("an earlier run was not complete"), "{said}");
    let took = since.elapsed();
    // Written past the captured output, so that the figures are visible.
    let table = String::from_utf8_lossy(&output.stdout);
    writeln!(std::io::stderr(), "{table}\n30 teams in {took:?}").expect("stderr is there");

    // What each mutant's server must fail is computed in this process.
    let mut matrix = Command::new(systest);
    matrix.args(["mutants", &scripts, "--json"]).arg(folder.path("m.json"));
    for name in &mutants {
        matrix.args(["--mutant", name]);
    }
    matrix.output().expect("it starts");
    let matrix: Value =
        serde_json::from_str(&fs::read_to_string(folder.path("m.json")).expect("it was written")).expect("JSON");
    let table: Value =
        serde_json::from_str(&fs::read_to_string(folder.path("graded/table.json")).expect("it was written"))
            .expect("JSON");
    let teams = table["teams"].as_array().expect("teams");
    let mut found = 0;
    for team in teams {
        let tests = team["tests"].as_array().expect("tests");
        let failed: Vec<&Value> =
            tests.iter().filter(|test| test["verdict"] != "OK").map(|test| &test["place"]).collect();
        let Some(row) = matrix["mutants"].as_array().expect("mutants").iter().find(|row| row["name"] == team["name"])
        else {
            let none = team["name"] == "none";
            assert!(none == failed.is_empty() && (none || failed.len() == tests.len()), "{}", team["name"]);
            continue;
        };
        let kills = row["kills"].as_array().expect("kills").iter();
        let kills: Vec<&Value> = kills
            .map(|kill| &matrix["scripts"][kill["script"].as_u64().expect("a number") as usize]["place"])
            .collect();
        let expected: Vec<&Value> =
            tests.iter().map(|test| &test["place"]).filter(|place| kills.contains(place)).collect();
        assert_eq!(failed, expected, "{}", team["name"]);
        found += usize::from(!failed.is_empty());
    }
    assert!(found >= 3, "only {found} of the mutants fail a test");
}
