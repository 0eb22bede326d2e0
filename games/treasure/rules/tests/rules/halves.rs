//! Halves: rows for each rule, on both sides of its limit, with the rule, the places and the numbers.

use engine::{Cause, CommId, Rulebook, laws::Trial};
use treasure_rules::{
    Field, Game, Position, Reason, Setup, Terrain, Year,
    half::{self, Edges, Report},
};

use crate::table::{ANA, BO, GOOD, GOOD_2017, half, register, send};

/// The half of the protocol's own example.
const EXAMPLE_2017: [&str; 4] = ["GGMWGFMG", "GMGWMGMW", "GMGGMMWW", "GMGMGGGG"];

/// `expected` has a line `RULE: WORDS` for each violation. It is empty for a valid half.
#[track_caller]
fn check(year: Year, rows: &[&str], expected: &[&str]) {
    check_fields(year, &half(rows), expected);
}

#[track_caller]
fn check_fields(year: Year, fields: &[Field], expected: &[&str]) {
    let found = match half::check(year.profile(), fields) {
        Ok(checked) => {
            assert_eq!(checked.report, half::report(year.profile(), fields));
            Vec::new()
        }
        Err(violations) => violations.iter().map(|one| format!("{}: {one}", one.rule())).collect(),
    };
    assert_eq!(found, expected);
}

use Year::{Y2017, Y2022};

/// The valid half of 2022 with some rows replaced.
fn with<'r>(changes: &[(usize, &'r str)]) -> Vec<&'r str> {
    replaced(&GOOD, changes)
}

fn replaced<'r>(rows: &[&'r str], changes: &[(usize, &'r str)]) -> Vec<&'r str> {
    let mut rows = rows.to_vec();
    changes.iter().for_each(|(y, row)| rows[*y] = row);
    rows
}

#[test]
fn good_ones() {
    check(Y2022, &GOOD, &[]);
    check(Y2017, &GOOD_2017, &[]);
    let mut fields = half(&GOOD);
    fields.reverse();
    check_fields(Y2022, &fields, &[]);
    let checked = half::check(Y2022.profile(), &fields).expect("a good half, in any order");
    assert_eq!(checked.forts, [Position::new(0, 0)]);
    assert_eq!(checked.terrain[10..14], [Terrain::Grass, Terrain::Water, Terrain::Grass, Terrain::Water]);
    let edges = Edges::default();
    let report = Report { fields: 50, grass: 38, mountain: 5, water: 7, forts: 1, edges, connected: true };
    assert_eq!(checked.report, report);
}

#[test]
fn grass() {
    let low = [(3, "MWMWMWMMMM"), (4, "MMMMMMMMMM")];
    let least = with(&[low[0], low[1], (2, "GGGGGGGGMM")]);
    check(Y2022, &least, &[]);
    let words = "TooFewGrassFields: The half has 23 grass fields at (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), \
                 (7, 0), (8, 0), (9, 0), (0, 1), (2, 1), (4, 1), (6, 1), (8, 1), (9, 1), (0, 2), (1, 2), (2, 2), (3, 2), \
                 (4, 2), (5, 2), (6, 2); it needs at least 24.";
    check(Y2022, &with(&[low[0], low[1], (2, "GGGGGGGMMM")]), &[words]);

    let mountains = ["FGGGGMMM", "MWMWMWMM", "MMMMMMMM", "MWMMMMMM"];
    check(Y2017, &mountains, &[]);
    check(
        Y2017,
        &replaced(&mountains, &[(0, "FGGGMMMM")]),
        &["TooFewGrassFields: The half has 4 grass fields at (0, 0), (1, 0), (2, 0), (3, 0); it needs at least 5."],
    );
}

#[test]
fn mountains() {
    let words = "TooFewMountainFields: The half has 4 mountain fields at (7, 3), (8, 3), (9, 3), (0, 4); \
                 it needs at least 5.";
    check(Y2022, &with(&[(4, "MGGGGGGGGG")]), &[words]);
    check(
        Y2017,
        &replaced(&GOOD_2017, &[(3, "GWGGGGGM")]),
        &["TooFewMountainFields: The half has 2 mountain fields at (7, 2), (7, 3); it needs at least 3."],
    );
}

#[test]
fn water() {
    let words = "TooFewWaterFields: The half has 6 water fields at (3, 1), (5, 1), (7, 1), (1, 3), (3, 3), (5, 3); \
                 it needs at least 7.";
    check(Y2022, &with(&[(1, "GGGWGWGWGG")]), &[words]);
    check(
        Y2017,
        &replaced(&GOOD_2017, &[(3, "GGGGGGMM")]),
        &["TooFewWaterFields: The half has 3 water fields at (1, 1), (3, 1), (5, 1); it needs at least 4."],
    );
}

#[test]
fn upper_and_lower_edge() {
    check(Y2022, &with(&[(0, "FGWWWWGGGG")]), &[]);
    let wet = |edge: &str, found, at: &str, most| {
        format!("TooMuchWaterOnEdge: The {edge} edge has {found} water fields at {at}; at most {most} are allowed.")
    };
    let words = wet("top", 5, "(2, 0), (3, 0), (4, 0), (5, 0), (6, 0)", 4);
    check(Y2022, &with(&[(0, "FGWWWWWGGG")]), &[&words]);
    check(Y2022, &with(&[(4, "MMGGGWWWWG")]), &[]);
    let words = wet("bottom", 5, "(4, 4), (5, 4), (6, 4), (7, 4), (8, 4)", 4);
    check(Y2022, &with(&[(4, "MMGGWWWWWG")]), &[&words]);
    check(Y2017, &replaced(&GOOD_2017, &[(0, "FGWWWGGG")]), &[]);
    let words = wet("top", 4, "(2, 0), (3, 0), (4, 0), (5, 0)", 3);
    check(Y2017, &replaced(&GOOD_2017, &[(0, "FGWWWWGG")]), &[&words]);
    check(Y2017, &replaced(&GOOD_2017, &[(3, "GWWWGGMM")]), &[]);
    let words = wet("bottom", 4, "(1, 3), (2, 3), (3, 3), (4, 3)", 3);
    check(Y2017, &replaced(&GOOD_2017, &[(3, "GWWWWGMM")]), &[&words]);
}

#[test]
fn left_and_right_edge() {
    let left = [(1, "WWGWGWGWGG"), (3, "WWGWGWGMMM")];
    check(Y2022, &with(&left), &[]);
    check(
        Y2022,
        &with(&[left[0], left[1], (2, "WGGGGGGGGG")]),
        &["TooMuchWaterOnEdge: The left edge has 3 water fields at (0, 1), (0, 2), (0, 3); at most 2 are allowed."],
    );
    let right = [(1, "GWGWGWGWGW"), (3, "GWGWGWMMMW"), (4, "MMMGGGGGGG")];
    check(Y2022, &with(&right), &[]);
    check(
        Y2022,
        &with(&[right[0], right[1], right[2], (2, "GGGGGGGGGW")]),
        &["TooMuchWaterOnEdge: The right edge has 3 water fields at (9, 1), (9, 2), (9, 3); at most 2 are allowed."],
    );
    // 2017 has no limit on the short edges.
    check(Y2017, &replaced(&GOOD_2017, &[(0, "FGGGGGGW"), (1, "GWGWGWGW")]), &[]);
    check(Y2017, &["WGGGFGGG", "WGGGGGGG", "WGGGGGGM", "WGGGGGMM"], &[]);
    check(Y2017, &["GGGGFGGW", "GGGGGGGW", "MGGGGGGW", "MMGGGGGW"], &[]);
}

/// The example in the document of the protocol, which has two water fields on its right edge.
#[test]
fn example_of_2017() {
    check(Y2017, &EXAMPLE_2017, &[]);
}

/// The half has two water fields on its right edge. Version 1 of the rules allowed one, and its games still do.
#[test]
fn short_edges_in_version_1() {
    let setup = Setup::new("2017").expect("a scenario");
    let sent = |version: u32, rows: &[&str]| {
        let mut trial = Trial::<Game>::of_version(version, &setup, 7, [ANA, BO].map(CommId));
        for (client, command) in [(ANA, register("Ana")), (BO, register("Bo")), (ANA, send(half(rows)))] {
            trial.step(0, Cause::Command { client: CommId(client), command });
        }
        let outcome = trial.game().outcome().map(|outcome| outcome.reason());
        // The replay of the log checks that it folds the same.
        trial.finish();
        outcome
    };
    assert_eq!(sent(1, &GOOD_2017), None);
    assert_eq!(sent(1, &replaced(&GOOD_2017, &[(1, "GWGWGWGW")])), None);
    assert_eq!(sent(1, &EXAMPLE_2017), Some(Reason::InvalidHalf));
    assert_eq!(sent(2, &EXAMPLE_2017), None);
}

#[test]
fn corners_count_twice() {
    // Four on the top and two on the left. The corner counts in both.
    check(Y2022, &with(&[(0, "WWWWGGGGGF"), (1, "WGGGGGGWGG")]), &[]);
    check(
        Y2022,
        &with(&[(0, "WWWWWGGGGF"), (1, "WGGGGGGWGG"), (2, "WGGGGGGGGG")]),
        &[
            "TooMuchWaterOnEdge: The top edge has 5 water fields at (0, 0), (1, 0), (2, 0), (3, 0), (4, 0); \
             at most 4 are allowed.",
            "TooMuchWaterOnEdge: The left edge has 3 water fields at (0, 0), (0, 1), (0, 2); at most 2 are allowed.",
        ],
    );
}

#[test]
fn forts() {
    check(Y2022, &with(&[(0, "GGGGGGGGGG")]), &["WrongNumberOfForts: The half has 0 forts; it needs exactly 1."]);
    check(
        Y2022,
        &with(&[(0, "FGGGGGGGGF")]),
        &["WrongNumberOfForts: The half has 2 forts at (0, 0), (9, 0); it needs exactly 1."],
    );
    let words = "FortNotOnGrass: The fort at (0, 4) is on mountain; it must be on grass.";
    check(Y2022, &with(&[(0, "GGGGGGGGGG"), (4, "PMGGGGGGGG")]), &[words]);
    let words = "FortNotOnGrass: The fort at (1, 1) is on water; it must be on grass.";
    check(Y2022, &with(&[(0, "GGGGGGGGGG"), (1, "GSGWGWGWGG")]), &[words]);
}

#[test]
fn islands() {
    let words = |what: &str| format!("Island: {what}; 0 are allowed.");
    check(
        Y2022,
        &with(&[(0, "FWGGGGGGGG"), (1, "WWGWGWGWGG")]),
        &[&words("1 fields that are not water at (0, 0) cannot be reached from the other 40")],
    );
    // Fields that only touch at a corner are not connected.
    check(
        Y2022,
        &with(&[(0, "GGWGGGGGGF"), (1, "GWGWGWGWGG"), (2, "WGGGGGGGGG")]),
        &[&words("3 fields that are not water at (0, 0), (1, 0), (0, 1) cannot be reached from the other 38")],
    );
    check(
        Y2017,
        &replaced(&GOOD_2017, &[(2, "WGGGGGGM")]),
        &[&words("1 fields that are not water at (0, 3) cannot be reached from the other 26")],
    );
}

#[test]
fn coordinates() {
    let mut fields = half(&GOOD);
    fields.pop();
    let missing = "FieldMissing: (9, 4) is missing; each coordinate comes once.";
    check_fields(Y2022, &fields, &["WrongNumberOfFields: The half has 49 fields; it needs exactly 50.", missing]);
    let field = |x, y| Field { at: Position::new(x, y), terrain: Terrain::Grass, fort: false };
    let plus = |field| fields.iter().copied().chain([field]).collect::<Vec<_>>();
    let outside = "FieldOutside: (10, 4) is outside of the half; X is 0 to 9, Y is 0 to 4.";
    check_fields(Y2022, &plus(field(10, 4)), &[outside, missing]);
    let outside = "FieldOutside: (9, 5) is outside of the half; X is 0 to 9, Y is 0 to 4.";
    check_fields(Y2022, &plus(field(9, 5)), &[outside, missing]);
    let below = Field { at: Position::clamped(-1, 3), ..field(0, 0) };
    let outside = "FieldOutside: (out of range, 3) is outside of the half; X is 0 to 9, Y is 0 to 4.";
    check_fields(Y2022, &plus(below), &[outside, missing]);
    let twice = "FieldTwice: (3, 2) is there 2 times; each coordinate comes once.";
    check_fields(Y2022, &plus(field(3, 2)), &[twice, missing]);
    let all = half(&GOOD);
    let plus: Vec<Field> = all.iter().copied().chain([field(3, 2)]).collect();
    check_fields(Y2022, &plus, &["WrongNumberOfFields: The half has 51 fields; it needs exactly 50.", twice]);
    assert!(half::check(Y2017.profile(), &all).is_err(), "the years differ");
    let none = half::check(Y2022.profile(), &[]).expect_err("nothing is no half");
    assert_eq!(none.len(), 1 + 50 + 3 + 1);
}

/// The check handles any input without a crash, and quickly.
#[test]
fn enormous_ones() {
    let field = |n: u32| Field { at: Position::clamped(i64::from(n % 300), 7), terrain: Terrain::Water, fort: true };
    let fields: Vec<Field> = (0..100_000).map(field).collect();
    let violations = half::check(Y2022.profile(), &fields).expect_err("it is wrong");
    assert!(violations.len() < 500, "{} are listed", violations.len());
    assert_eq!(half::report(Y2022.profile(), &fields).forts, 100_000);
}
