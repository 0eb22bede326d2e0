//! Checks the table `broken.txt`, which explains itself.

use crate::{BASE, patched};

#[derive(Default)]
struct Broken<'a> {
    name: &'a str,
    patches: Vec<(&'a str, &'a str)>,
    problems: Vec<&'a str>,
}

fn table() -> Vec<Broken<'static>> {
    let mut table: Vec<Broken<'_>> = Vec::new();
    for line in include_str!("broken.txt").lines() {
        let Some((mark, text)) = line.split_once(' ') else { continue };
        if mark == "=" {
            table.push(Broken { name: text, ..Broken::default() });
        }
        let Some(broken) = table.last_mut() else { continue };
        match mark {
            "-" => broken.patches.push((text, "")),
            "+" => broken.patches.last_mut().expect("`-` before `+`").1 = text,
            "!" => broken.problems.push(text),
            _ => {}
        }
    }
    table
}

#[test]
fn exactly_the_planted_problems_are_found() {
    let table = table();
    assert_eq!(table.len(), 10);
    for broken in table {
        let found: Vec<_> = colony::check(&patched(broken.patches)).iter().map(ToString::to_string).collect();
        assert_eq!(found, broken.problems, "in {}", broken.name);
    }
}

#[test]
fn nothing_is_wrong_with_the_base() {
    assert_eq!(colony::check(BASE), []);
}

/// Both sides of every limit: the last valid value is in the base or here, the first invalid value is in the table.
#[test]
fn limits_that_are_just_met() {
    for (old, new) in [
        ("\"survive\": true", "\"barricades\": 15"),
        ("\"survive\": true", "\"barricades\": 0"),
        ("\"survive\": true", "\"locationWithZombies\": 3"),
        ("\"survive\": true", "\"locationWithZombies\": 0"),
        ("\"childrenInColony\": 2", "\"childrenInColony\": 1000"),
        ("\"name\": \"Wreck\", \"entrances\": 2", "\"name\": \"\", \"entrances\": 100"),
        ("\"rounds\": 2", "\"rounds\": 4"),
        ("\"identifier\": 1, \"status\": 11", "\"identifier\": 2147483647, \"status\": -2147483648"),
        ("\"spawnSurvivors\": {\"amount\": 2}", "\"spawnSurvivors\": {\"amount\": 100}"),
        ("\"spawnZombies\": {\"amount\": 1}", "\"spawnZombies\": {\"amount\": 100}"),
        ("\"changeFood\": {\"amount\": 7}", "\"changeFood\": {\"amount\": -0}"),
    ] {
        assert_eq!(colony::check(&patched([(old, new)])), [], "with {new}");
    }
}
