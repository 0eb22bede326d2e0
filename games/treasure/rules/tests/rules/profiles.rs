//! Profiles of courses: more forts, wet edges, a border that can be crossed, and numbers of one's own.

use treasure_rules::{Player, Position, Profile, Setup};

use crate::table::{ANA, BO, GOOD, Table, half, send};

/// A half of `2025w`: two water fields on the long edges, one on the short ones.
const WET: [&str; 5] = ["FGWGGGWGGG", "GGGGGWGGGW", "WGGMGGGGGG", "GGMMMGGWGG", "GGWGGMGWGG"];
/// Its long edges have six water fields on the left.
const WET_LEFT: [&str; 5] = ["WWWWWWFGGG", "GGGGGGGGGG", "WGGMMMMMGW", "GGGGGGGGGG", "WWWWWWGGGG"];
/// The same on the right.
const WET_RIGHT: [&str; 5] = ["GGGFWWWWWW", "GGGGGGGGGG", "WGGMMMMMGW", "GGGGGGGGGG", "GGGGWWWWWW"];
/// Above `WET_LEFT` it leaves four fields of the border, below it three.
const WET_LEFT_ABOVE: [&str; 5] = ["WWWWWGWFGG", "GGGGGGGGGG", "WGGMMMMMGW", "GGGGGGGGGG", "WWWWWWGGGG"];

/// What the sender of the first half is told.
fn first(scenario: &str, seed: i64, rows: &[&str]) -> String {
    let mut table = Table::begun(scenario, seed);
    let client = table.turn();
    table.does(client, send(half(rows)))
}

#[track_caller]
fn check(scenario: &str, rows: &[&str], expected: &str) {
    let told = first(scenario, 1, rows);
    assert!(if expected == "taken" { told.contains("kept") } else { told.contains(expected) }, "{told}");
}

#[test]
fn one_of_several_forts_is_drawn() {
    let forts = |count: usize| -> Vec<String> {
        let row = |row: &str| row.to_owned();
        let marked = "F".repeat(count.min(10)) + &"G".repeat(10 - count.min(10));
        std::iter::once(marked).chain(GOOD[1..].iter().map(|rows| row(rows))).collect()
    };
    let rows = |count: usize| forts(count);
    for (count, expected) in [(1, "taken"), (6, "taken"), (7, "7 forts at"), (0, "0 forts; it needs 1 to 6.")] {
        let rows = rows(count);
        check("2025s", &rows.iter().map(|row| &**row).collect::<Vec<_>>(), expected);
    }
    check("2022", &rows(2).iter().map(|row| &**row).collect::<Vec<_>>(), "it needs exactly 1.");

    let six = rows(6);
    let six: Vec<&str> = six.iter().map(|row| &**row).collect();
    let mut drawn = [0; 6];
    for seed in 0..600 {
        let table = Table::charted_with("2025s", seed, [&six, &six]);
        for player in Player::BOTH {
            let start = table.game.member(player).and_then(|member| member.start).expect("a fort");
            let placed = |x: u8| [(x, 0), (x, 5), (x + 10, 0)].map(|(x, y)| Position::new(x, y));
            let fort = (0..6).find(|x| placed(*x).contains(&start)).expect("one of the marked fields");
            drawn[usize::from(fort)] += 1;
        }
    }
    assert!(drawn.iter().all(|times| (140..260).contains(times)), "each of them about 200 times: {drawn:?}");
}

#[test]
fn edges_need_water() {
    check("2025w", &WET, "taken");
    check("2022", &WET, "taken");
    check("2025w", &GOOD, "The top edge has 0 water fields; it needs at least 2.");
    check("2025w", &GOOD, "The left edge has 0 water fields; it needs at least 1.");
    let mut rows = WET;
    rows[0] = "FGWGGGGGGG";
    check("2025w", &rows, "The top edge has 1 water fields at (2, 0); it needs at least 2.");
    check("2025w", &WET_LEFT, "taken");
    check("2022", &WET_LEFT, "The top edge has 6 water fields");
    rows = WET_LEFT;
    rows[0] = "WWWWWWWFGG";
    check("2025w", &rows, "The top edge has 7 water fields");
}

/// What the second player is told, by seed, and the size of the map.
fn second(seed: i64, halves: [&[&str]; 2]) -> (String, u8, u32) {
    let mut table = Table::begun("2025w", seed);
    let begins = table.turn();
    table.does(begins, send(half(halves[0])));
    let other = ANA + BO - begins;
    let told = table.does(other, send(half(halves[1])));
    let width = table.game.public().chart().expect("a map").width();
    (told, width, begins)
}

#[test]
fn the_border_can_be_crossed() {
    let mut seen = [0; 2];
    for seed in 0..40 {
        let (told, width, _) = second(seed, [&WET_LEFT, &WET_RIGHT]);
        let is_stacked = width == 10;
        seen[usize::from(is_stacked)] += 1;
        let words = "The border to the other half can be crossed at 0 fields; it needs at least 4.";
        assert_eq!(told.contains(words), is_stacked, "{told}");
        assert_eq!(told.contains("kept"), !is_stacked, "{told}");
    }
    assert!(seen.iter().all(|times| *times > 5), "both ways to join halves: {seen:?}");
    // Four fields are enough, three are not.
    let mut found = [0; 2];
    for seed in 0..40 {
        let (told, width, _) = second(seed, [&WET_LEFT, &WET_LEFT_ABOVE]);
        let is_blocked = told.contains("can be crossed at 3 fields at (7, 0), (8, 0), (9, 0); it needs at least 4.");
        assert_eq!(told.contains("kept"), !is_blocked, "{told}");
        assert!(!is_blocked || width == 10);
        found[usize::from(is_blocked)] += 1;
    }
    assert!(found.iter().all(|times| *times > 5), "{found:?}");
}

#[track_caller]
fn check_profile(profile: &str, expected: &str) {
    let told = match Setup::new(&format!(r#"{{"year":2022,"profile":{profile}}}"#)) {
        Ok(setup) => {
            let Profile { name, action_limit, least_water, think_ms, .. } = &**setup.profile();
            format!("{name}: {action_limit} actions, {least_water} water, {think_ms} ms")
        }
        Err(error) => error.to_string(),
    };
    assert_eq!(told, expected);
}

#[test]
fn numbers_of_ones_own() {
    check_profile(r#""2025w""#, "2025w: 320 actions, 7 water, 5000 ms");
    check_profile(r#""2026""#, "There is no profile \"2026\"; there are 2022, 2017, 2025s, 2025w.");
    check_profile(r#""2017""#, "The profile belongs to the protocol of 2017.");
    check_profile(r#"{"name":"mine"}"#, "mine: 320 actions, 7 water, 5000 ms");
    check_profile(
        r#"{"name":"mine","base":"2025w","action_limit":200,"least_water":9,"think_ms":3000}"#,
        "mine: 200 actions, 9 water, 3000 ms",
    );
    let names = |found: &str| {
        format!(
            "A profile of your own needs a \"name\" of 1 to 20 letters, digits, - and _ that no built-in profile has, not {found:?}."
        )
    };
    check_profile("{}", &names(""));
    check_profile(r#"{"name":"2022"}"#, &names("2022"));
    check_profile(r#"{"name":"a b"}"#, &names("a b"));
    check_profile(
        r#"{"name":"mine","base":"2026"}"#,
        "There is no profile \"2026\"; there are 2022, 2017, 2025s, 2025w.",
    );
    check_profile(r#"{"name":"mine","most_water_down":6}"#, "The profile's most_water_down is 6; it must be 0 to 5.");
    check_profile(r#"{"name":"mine","think_ms":99}"#, "The profile's think_ms is 99; it must be 100 to 86400000.");
    check_profile(r#"{"name":"mine","least_water":45}"#, "No half keeps the rules of this profile.");
    check_profile(
        r#"{"name":"mine","most_water_across":0,"least_water":20}"#,
        "No half keeps the rules of this profile.",
    );
    check_profile(
        r#"{"name":"mine","fog":1}"#,
        &Setup::new(r#"{"year":2022,"profile":{"name":"mine","fog":1}}"#).expect_err("no such number").to_string(),
    );
    let old = Setup::new(r#"{"year":2017,"profile":{"name":"mine","most_forts":2}}"#).expect_err("not in 2017");
    assert_eq!(old.to_string(), "The protocol of 2017 has no most_forts.");
    assert!(Setup::new(r#"{"year":2017,"profile":{"name":"mine","action_limit":100}}"#).is_ok());
}

/// Games of profiles keep every law, and a stored setup is read again with its profile.
#[test]
fn a_stored_setup_has_its_profile() {
    for text in ["2022", "2025s", "2025w", r#"{"year":2022,"profile":{"name":"mine","action_limit":50}}"#] {
        let setup = Setup::new(text).expect("a setup");
        let json = serde_json::to_string(&setup).expect("a form");
        let read: Setup = serde_json::from_str(&json).expect("a setup");
        assert_eq!(read, setup);
        let other = json.replace("Y2022", "Y2017");
        assert!(serde_json::from_str::<Setup>(&other).is_err(), "the text contradicts it");
    }
}
