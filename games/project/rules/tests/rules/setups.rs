//! Configurations: all problems are reported at once; both sides of every limit.

use project_rules::{SCENARIOS, Setup, Team};

use crate::table::{ONE, at, with};

/// Checks the problems of a valid setup after these changes.
#[track_caller]
fn check(changes: &str, expected: &str) {
    let came = Setup::new(&with(ONE, changes)).map_or_else(|error| error.to_string(), |_| "right".into());
    assert_eq!(came, expected, "{changes}");
}

#[test]
fn sizes() {
    check("{}", "right");
    check(r#"{"width": 2}"#, "right");
    check(r#"{"width": 1, "goals": [{"x": 0, "y": 0}]}"#, "The board is 1 wide; it must be at least 2.");
    check(r#"{"height": 4}"#, "right");
    check(
        r#"{"height": 3}"#,
        "The board is 3 high; it must be at least 4. A team has 1 players, and its goal area only 0 tiles. \
         The goal (1, 0) is outside Blue's goal area.",
    );
    check(r#"{"width": 1000, "height": 1000}"#, "right");
    check(r#"{"width": 1001}"#, "The board is 1001 x 8; each side must be at most 1000.");
    check(r#"{"height": 2147483647}"#, "The board is 4 x 2147483647; each side must be at most 1000.");
}

#[test]
fn players() {
    check(r#"{"players_per_team": 0}"#, "A team has 0 players; it must have at least 1.");
    check(r#"{"players_per_team": 8}"#, "right");
    check(r#"{"players_per_team": 9}"#, "A team has 9 players, and its goal area only 8 tiles.");
}

#[test]
fn pieces() {
    check(r#"{"pieces": 16}"#, "right");
    check(r#"{"pieces": 17}"#, "There are 17 pieces, and the task area has only 16 tiles.");
    let two = r#""goals": [{"x": 1, "y": 0}, {"x": 2, "y": 1}]"#;
    check(&format!(r#"{{"pieces": 2, {two}}}"#), "right");
    check(&format!(r#"{{"pieces": 1, {two}}}"#), "There are 1 pieces that are no shams, and a team has 2 goals.");
    check(&format!(r#"{{"pieces": 4, "shams_percentage": 50, {two}}}"#), "right");
    check(
        &format!(r#"{{"pieces": 4, "shams_percentage": 63, {two}}}"#),
        "There are 1 pieces that are no shams, and a team has 2 goals.",
    );
    check(r#"{"shams_percentage": -1}"#, "The percentage of shams is -1; it must be 0 to 100.");
    check(
        r#"{"shams_percentage": 101}"#,
        "The percentage of shams is 101; it must be 0 to 100. \
         There are 0 pieces that are no shams, and a team has 1 goals.",
    );
    check(r#"{"shams_percentage": 100}"#, "There are 0 pieces that are no shams, and a team has 1 goals.");
}

#[test]
fn shams_are_rounded() {
    let shams = |pieces: i32, percentage: i32| {
        let changes = format!(r#"{{"pieces": {pieces}, "shams_percentage": {percentage}}}"#);
        Setup::new(&with(ONE, &changes)).expect("a setup").shams()
    };
    assert_eq!(shams(10, 0), 0);
    assert_eq!(shams(10, 24), 2, "2.4");
    assert_eq!(shams(10, 25), 3, "2.5");
    assert_eq!(shams(3, 50), 2, "1.5");
    assert_eq!(shams(7, 7), 0, "0.49");
}

#[test]
fn goals() {
    check(r#"{"goals": []}"#, "There is no goal.");
    check(r#"{"goals": [{"x": 1, "y": 0}, {"x": 3, "y": 1}, {"x": 1, "y": 0}]}"#, "The goal (1, 0) is listed twice.");
    check(r#"{"goals": [{"x": 0, "y": 0}, {"x": 3, "y": 1}]}"#, "right");
    for outside in [(0, 2), (4, 0), (-1, 0), (0, -1), (0, 6)] {
        let (x, y) = outside;
        let changes = format!(r#"{{"goals": [{{"x": {x}, "y": {y}}}]}}"#);
        check(&changes, &format!("The goal ({x}, {y}) is outside Blue's goal area."));
    }
    let setup = Setup::new(ONE).expect("a setup");
    assert_eq!(setup.goals_of(Team::Blue).collect::<Vec<_>>(), [at(1, 0)]);
    assert_eq!(setup.goals_of(Team::Red).collect::<Vec<_>>(), [at(1, 7)], "mirrored");
}

#[test]
fn addresses() {
    let server = |address: &str| {
        let setup = Setup::new(&with(ONE, &format!(r#"{{"address": "{address}"}}"#)));
        setup.map_or_else(|error| error.to_string(), |setup| setup.server().expect("an address").to_string())
    };
    assert_eq!(server("192.168.1.1"), "192.168.1.1:8000");
    assert_eq!(server("192.168.1.1:9000"), "192.168.1.1:9000");
    for wrong in ["", "localhost", "::1", "1.2.3", "256.1.1.1", "1.2.3.4:", "1.2.3.4:65536", "1.2.3.4 "] {
        assert_eq!(server(wrong), format!("The address {wrong:?} is no IPv4 address."));
    }
}

#[test]
fn all_at_once() {
    let changes = r#"{"width": 1, "height": 3, "address": "here", "players_per_team": 5, "pieces": 50,
        "shams_percentage": 120, "goals": [{"x": 7, "y": 7}, {"x": 7, "y": 7}]}"#;
    check(
        changes,
        "The board is 1 wide; it must be at least 2. The board is 3 high; it must be at least 4. \
         A team has 5 players, and its goal area only 0 tiles. The percentage of shams is 120; it must be 0 to 100. \
         There are 50 pieces, and the task area has only 3 tiles. \
         There are 0 pieces that are no shams, and a team has 2 goals. The goal (7, 7) is listed twice. \
         The goal (7, 7) is outside Blue's goal area. The address \"here\" is no IPv4 address.",
    );
}

#[test]
fn texts() {
    for (name, _) in SCENARIOS {
        Setup::new(name).expect("what is offered can be played");
    }
    let wrong = |text: &str| Setup::new(text).expect_err("it is wrong").to_string();
    assert!(wrong("tiny").starts_with("There is no scenario \"tiny\"; there are small, duel, team, classic, or send"));
    assert!(wrong("{").starts_with("The scenario cannot be read: EOF"));
    assert!(wrong(&with(ONE, r#"{"depth": 3}"#)).contains("unknown field `depth`"));
    assert!(wrong(&with(ONE, r#"{"pieces": "many"}"#)).contains("invalid type"));
    let setup = Setup::new(ONE).expect("a setup");
    assert_eq!((setup.reconnection_attempts, setup.reconnection_interval, setup.patience_ms()), (5, 20, 100_000));
    assert_eq!(setup.title(), "4 x 8, 1 in a team");
}

/// The header of a log may have been changed. A setup in it is checked like any other, because no game starts with a wrong one.
#[test]
fn stored_setups_are_checked() {
    let stored = |setup: &Setup| serde_json::to_string(setup).expect("it can be written");
    let setup = Setup::new(ONE).expect("a right one");
    assert_eq!(serde_json::from_str::<Setup>(&stored(&setup)).ok().as_ref(), Some(&setup));
    let wrong = Setup { address: "1.07.10.2:8001".into(), ..setup };
    let error = serde_json::from_str::<Setup>(&stored(&wrong)).expect_err("no IPv4 address").to_string();
    assert_eq!(error, wrong.check()[0].to_string());
}
