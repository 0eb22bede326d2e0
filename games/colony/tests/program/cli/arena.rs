//! The command `holdfast arena`.

use std::{fs, path::PathBuf};

use serde_json::Value;

use crate::{complains, holdfast, stdout};

/// A file that is deleted with this value.
struct Saved(PathBuf);

impl Saved {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("holdfast-arena-{}-{name}", std::process::id())))
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.0).expect("it was saved")
    }
}

impl Drop for Saved {
    fn drop(&mut self) {
        let _never_saved = fs::remove_file(&self.0);
    }
}

const FEW: [&str; 5] = ["arena", "--games", "12", "--seed", "-3"];

#[test]
fn figures_for_programs() {
    let run = |name| {
        let file = Saved::new(name);
        let scenarios = ["--scenarios", "first-night,crossroads", "--players", "2"];
        let call = [&FEW[..], &scenarios, &["--strategies", "random,sensible", "--out", file.path()]].concat();
        let output = holdfast(&call);
        assert!(output.status.success(), "{output:?}");
        let mut found: Value = serde_json::from_str(&file.text()).expect("one JSON object");
        for scenario in found["scenarios"].as_array_mut().expect("a list") {
            for strategy in scenario["strategies"].as_array_mut().expect("a list") {
                let taken = strategy["decision_us"].take();
                assert!(taken.as_f64().is_some_and(|taken| taken > 0.0), "{taken}");
            }
        }
        found
    };
    let found = run("one.json");
    assert_eq!(found, run("two.json"), "the same seeds, the same games");
    let scenarios = found["scenarios"].as_array().expect("a list");
    assert_eq!(scenarios.len(), 2);
    for (scenario, (name, edition)) in scenarios.iter().zip([("first-night", "group"), ("crossroads", "fate")]) {
        assert_eq!(scenario["scenario"], name);
        assert_eq!(scenario["edition"], edition);
        assert_eq!(
            (&scenario["players"], &scenario["games"], &scenario["seed"]),
            (&2.into(), &12.into(), &(-3).into())
        );
        let rates: Vec<f64> = (0..2).filter_map(|at| scenario["strategies"][at]["win_rate"].as_f64()).collect();
        let difference = &scenario["differences"][0];
        assert_eq!((&difference["strategy"], &difference["against"]), (&"sensible".into(), &"random".into()));
        let figure = difference["difference"].as_f64().expect("a number");
        assert!((figure - (rates[1] - rates[0])).abs() < 1e-9, "{scenario}");
        let bounds = [0, 1].map(|at| difference["difference_95"][at].as_f64().expect("a number"));
        assert!(bounds[0] < figure && figure <= bounds[1].max(figure), "{scenario}");
    }
}

#[test]
fn a_table_for_spreadsheets() {
    let file = Saved::new("table.csv");
    let call = [&FEW[..], &["--strategies", "random,sensible,random", "--scenarios", "first-night"]].concat();
    let output = holdfast(&[&call[..], &["--out", file.path()]].concat());
    assert!(output.status.success(), "{output:?}");
    let text = file.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "scenario,edition,players,seed,games,strategy,against,share,low,high,decision_us,think_ms");
    let starts = ["random,,", "sensible,,", "random,,", "sensible,random,", "random,random,0,", "random,sensible,-"];
    assert_eq!(lines.len(), 1 + starts.len(), "{text}");
    for (line, start) in lines[1..].iter().zip(starts) {
        assert!(line.starts_with(&format!("first-night,group,2,-3,12,{start}")), "{line}");
        assert_eq!(line.split(',').count(), 12, "{line}");
        assert!(line.ends_with(','), "no strategy had a limit of time: {line}");
    }
}

#[test]
fn words_for_people() {
    let output = holdfast(&["arena", "--games", "2", "--scenarios", "first-night"]);
    let text = stdout(&output);
    assert!(output.stderr.is_empty(), "no progress bar without a terminal: {output:?}");
    assert!(text.starts_with("2 games of first-night (group), 2 players, seeds from 1\n"), "{text}");
    for word in ["  sensible ", "  planner ", "  planner - sensible ", "points (95 % interval ", "us a command"] {
        assert!(text.contains(word), "{word} in {text}");
    }
}

/// With a time limit, the report tells that the results depend on the machine.
#[test]
fn time_to_think() {
    let few = ["arena", "--games", "1", "--scenarios", "first-night", "--think", "10ms"];
    let text = stdout(&holdfast(&few));
    assert!(text.ends_with("  planner had 10 ms for a command: the results depend on the machine\n"), "{text}");
    let printed: Value =
        serde_json::from_str(&stdout(&holdfast(&[&few[..], &["--json"]].concat()))).expect("one JSON object");
    assert_eq!(printed["scenarios"][0]["think_ms"], 10);
    let (json, csv) = (Saved::new("timed.json"), Saved::new("timed.csv"));
    for file in [&json, &csv] {
        let output = holdfast(&[&few[..], &["--strategies", "planner", "--out", file.path()]].concat());
        assert!(output.status.success(), "{output:?}");
    }
    let found: Value = serde_json::from_str(&json.text()).expect("one JSON object");
    let scenario = &found["scenarios"][0];
    assert_eq!(scenario["think_ms"], 10);
    let taken = scenario["strategies"][0]["decision_us"].as_f64();
    assert!(taken.is_some_and(|taken| taken > 3000.0), "all of it is used where there is a choice: {scenario}");
    assert!(csv.text().lines().skip(1).all(|line| line.ends_with(",10")), "{}", csv.text());
}

#[track_caller]
fn check(arguments: &[&str], complaint: &str) {
    complains(&[&["arena", "--games", "1"], arguments].concat(), complaint);
}

#[test]
fn what_cannot_be_played_is_said() {
    check(&["--scenarios", "winter,nowhere"], "nowhere");
    check(&["--players", "6"], "winter is for 1 to 5 players, not for 6");
    check(&["--strategies", "sensible,clever"], "no strategy clever; there are random, sensible, planner");
    check(&["--strategies", "random,sensible", "--think", "5"], "random, sensible: only planner can --think");
    complains(&["arena", "--games", "0"], "0");
    check(&["--out", "figures.txt"], "figures.txt: figures are saved as .json or .csv");
    check(&["--strategies", "random", "--out", "/nowhere/figures.csv"], "cannot write /nowhere/figures.csv");
}

/// A foreign program plays all seats of its games. It knows only the common wire, and takes any offer.
#[test]
fn programs_beside_strategies() {
    let bot = format!("python3 {}/short/tests/examples/bot.py", env!("CARGO_MANIFEST_DIR"));
    let (mine, crash) = (format!("mine={bot}"), format!("crash={bot} crash"));
    // With all its players, the game begins by itself.
    let few = ["arena", "--games", "2", "--scenarios", "first-night", "--strategies", "random"];
    let report = stdout(&holdfast(&[&few[..], &["--bot", &mine, "--bot", &crash, "--json"]].concat()));
    let report: Value = serde_json::from_str(&report).expect("one JSON object");
    let scenario = &report["scenarios"][0];
    let names: Vec<&Value> =
        scenario["strategies"].as_array().expect("a list").iter().map(|one| &one["strategy"]).collect();
    assert_eq!(names, ["random", "mine", "crash"], "{scenario}");
    let failures = scenario["failures"].as_array().expect("a list");
    let crashed: Vec<&Value> = failures.iter().filter(|failure| failure["strategy"] == "crash").collect();
    assert_eq!(crashed.len(), 2, "{scenario}");
    assert!(crashed.iter().all(|failure| failure["why"].as_str().is_some_and(|why| why.contains("had enough"))));
    assert!(!failures.iter().any(|failure| failure["strategy"] == "mine"), "{scenario}");
    assert_eq!(scenario["strategies"][2]["win_rate"], 0.0);
}
