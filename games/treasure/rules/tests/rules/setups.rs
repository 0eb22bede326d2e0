//! Scenarios by name and by text.

use engine::Rulebook;
use treasure_rules::{Game, SCENARIOS, Setup, Year};

#[track_caller]
fn check(text: &str, expected: &str) {
    let came = match Setup::new(text) {
        Ok(setup) => format!(
            "{} debug {} dummy {} think {:?} lobby {:?}",
            Game::edition(&setup),
            setup.debug,
            setup.dummy,
            setup.think_ms(),
            setup.lobby_ms()
        ),
        Err(error) => error.to_string(),
    };
    assert!(came.starts_with(expected), "{came}");
}

#[test]
fn scenarios() {
    for (name, text) in SCENARIOS {
        assert_eq!(Setup::new(name), Setup::new(text), "{name}");
    }
    check("2022", "2022 debug false dummy false think Some(5000) lobby Some(120000)");
    check("2022-debug", "2022 debug true dummy false think None lobby None");
    check("2022-dummy", "2022 debug false dummy true think Some(5000) lobby Some(120000)");
    check("2022-debug-dummy", "2022 debug true dummy true think None lobby None");
    check("2017", "2017 debug false dummy false think Some(3000) lobby None");
    check(r#" {"year": 2022, "dummy": true} "#, "2022 debug false dummy true");
    check(
        "2018",
        "There is no scenario \"2018\"; there are 2022, 2022-debug, 2022-dummy, 2022-debug-dummy, 2017, 2025s, 2025w, or",
    );
    check(r#"{"year": 2018}"#, "There is no protocol of 2018; there are 2022 and 2017.");
    check(r#"{"year": 2017, "debug": true}"#, "The protocol of 2017 has no debug games; 2022 has.");
    check(r#"{"year": 2017, "dummy": true}"#, "The protocol of 2017 has no dummy games; 2022 has.");
    check("{}", "The scenario cannot be read: missing field `year`");
    check(r#"{"year": 2022, "fog": 1}"#, "The scenario cannot be read: unknown field `fog`");
    check(r#"{"year": 2022, "debug": 1}"#, "The scenario cannot be read: invalid type: integer `1`");
    check("{", "The scenario cannot be read: EOF");
    let padded = |length: usize| format!("{:length$}", r#"{"year":2022}"#);
    check(&padded(4096), "2022 debug");
    check(&padded(4097), "A scenario has at most 4096 bytes.");
}

/// The numbers of the rules, repeated here as a check.
#[test]
fn profiles() {
    let [new, old] = [Year::Y2022, Year::Y2017].map(Year::profile);
    assert_eq!((new.size(), old.size()), (50, 32));
    assert_eq!((new.action_limit, old.action_limit), (320, 200));
    assert_eq!((new.think_ms, old.think_ms), (5_000, 3_000));
    assert_eq!((new.game_ms, old.game_ms), (Some(600_000), None));
    assert_eq!((new.disguised, old.disguised), (16, 0));
}
