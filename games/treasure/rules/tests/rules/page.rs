//! Checks the example of RULES.md, and that the page has every number, refusal, violation and reason.

use engine::Message;
use treasure_rules::{Event, Player, Profile, Refusal, Year};

use crate::table::{GOOD, GOOD_2017, Table};

const PAGE: &str = include_str!("../../../RULES.md");

#[track_caller]
fn has(text: &str) {
    assert!(PAGE.contains(text), "RULES.md lacks this:\n{text}");
}

#[test]
fn draws() {
    has(&format!("```\n{}\n```\n", GOOD.join("\n")));
    has(&format!("```\n{}\n```\n", GOOD_2017.join("\n")));
    let line = |(scenario, seed): (&str, i64)| {
        let begun = Table::begun(scenario, seed);
        let starter =
            begun.game.turn().map_or("halves in any order".to_owned(), |client| format!("{} starts", client.0));
        let table = Table::charted(scenario, seed);
        let [first, second] = Player::BOTH.map(|player| {
            let fort = table.game.member(player).and_then(|member| member.start).expect("a fort");
            let treasure = table.game.treasure(player).expect("a treasure");
            format!("fort {fort}, treasure {treasure}")
        });
        format!("{scenario}, seed {seed}: {starter}; 1: {first}; 2: {second}")
    };
    let lines = [("2022", 42), ("2022", 1_000_000_000_000), ("2017", 42), ("2017", 1_000_000_000_000)].map(line);
    has(&format!("```\n{}\n```\n", lines.join("\n")));
}

#[test]
fn numbers() {
    let row = |name: &str, of: fn(&Profile) -> String| {
        let [new, old] = Year::ALL.map(|year| of(year.profile()));
        has(&format!("| {name} | {new} | {old} |\n"));
    };
    row("width x height of a half", |profile| format!("{} x {}", profile.width, profile.height));
    row("least grass, the fort's field included", |profile| profile.least_grass.to_string());
    row("least mountains", |profile| profile.least_mountain.to_string());
    row("least water", |profile| profile.least_water.to_string());
    row("most water on the upper and on the lower edge", |profile| profile.most_water_across.to_string());
    row("most water on the left and on the right edge", |profile| {
        profile.most_water_down.map_or("no limit".into(), |most| most.to_string())
    });
    row("most actions of both players together", |profile| profile.action_limit.to_string());
    row("time to think", |profile| format!("{} s", profile.think_ms / 1000));
    row("time of the whole game", |profile| profile.game_ms.map_or("no limit".into(), |ms| format!("{} s", ms / 1000)));
    row("time for two players to come", |profile| {
        profile.lobby_ms.map_or("no limit".into(), |ms| format!("{} s", ms / 1000))
    });
    row("actions before the opponent is shown where it is", |profile| profile.disguised.to_string());
    row("characters of a name", |profile| format!("{} to {}", profile.least_name, profile.most_name));
    row("characters of an account or matriculation number", |profile| {
        format!("{} to {}", profile.least_name, profile.most_account)
    });
}

#[test]
fn every_name_is_explained() {
    for kind in Refusal::KINDS {
        has(&format!("`{}`", kind.name));
    }
    for rule in [
        "WrongNumberOfFields",
        "FieldOutside",
        "FieldTwice",
        "FieldMissing",
        "TooFewGrassFields",
        "TooFewMountainFields",
        "TooFewWaterFields",
        "TooMuchWaterOnEdge",
        "WrongNumberOfForts",
        "FortNotOnGrass",
        "Island",
        "TooLittleWaterOnEdge",
        "BorderBlocked",
    ] {
        has(&format!("`{rule}`"));
    }
    for kind in Event::KINDS {
        has(&format!("`{}`", kind.name));
    }
}
