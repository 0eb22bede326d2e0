//! The command `holdfast simulate`.

use serde_json::Value;

use crate::{complains, holdfast, stdout};

fn summary(arguments: &[&str]) -> Value {
    let output = holdfast(&[&["simulate", "--json"], arguments].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_str(&stdout(&output)).expect("one JSON object")
}

#[test]
fn sums_do_not_depend_on_threads() {
    let run = |threads: &str| {
        let mut summary = summary(&["--games", "60", "--seed", "-30", "--threads", threads]);
        let object = summary.as_object_mut().expect("an object");
        for timed in ["seconds", "commands_per_second", "events_per_second"] {
            assert!(
                object.remove(timed).is_some_and(|value| value.as_f64().is_some_and(|value| value > 0.0)),
                "{timed}"
            );
        }
        summary
    };
    let one = run("1");
    assert_eq!(one, run("2"));
    assert_eq!(one["games"], 60);
    assert_eq!(one["seed"], -30);
    assert_eq!(one["players"], 5);
    let outcomes = one["outcomes"].as_object().expect("an object");
    assert_eq!(outcomes.values().filter_map(Value::as_u64).sum::<u64>(), 60);
}

#[test]
fn strategies_can_be_mixed() {
    let mixed = summary(&["--scenario", "first-night", "--bots", "sensible,random", "--games", "20"]);
    assert_eq!((mixed["bots"].as_str(), mixed["edition"].as_str()), (Some("sensible,random"), Some("group")));
    assert_eq!(summary(&["--scenario", "first-night", "--players", "1", "--games", "3"])["players"], 1);
}

#[test]
fn words_for_people() {
    let output = holdfast(&["simulate", "--scenario", "first-night", "--games", "40"]);
    let text = stdout(&output);
    assert!(output.stderr.is_empty(), "no progress bar without a terminal: {output:?}");
    assert!(text.starts_with("40 games of first-night (group), 2 players, sensible, seeds from 1\n"), "{text}");
    for word in ["won", "95 % interval", "rounds", "morale", "survivors", "commands/s", "events/s"] {
        assert!(text.contains(word), "{word} in {text}");
    }
}

#[track_caller]
fn check(arguments: &[&str], complaint: &str) {
    complains(&[&["simulate"], arguments].concat(), complaint);
}

#[test]
fn what_cannot_be_played_is_said() {
    check(&["--scenario", "nowhere"], "nowhere");
    check(&["--players", "6"], "winter is for 1 to 5 players, not for 6");
    check(&["--players", "0"], "winter is for 1 to 5 players, not for 0");
    check(&["--bots", "clever"], "no strategy clever; there are random, sensible");
    check(&["--bots", "random,random"], "2 strategies for 5 players: name one for all, or one for each");
    check(&["--edition", "fate"], "the fate edition needs a scenario with a crossroads list");
    check(&["--edition", "sixth"], "an edition is group, equipment, fate or auto");
    check(&["--threads", "0"], "0");
    check(&["--games", "0"], "0");
}
