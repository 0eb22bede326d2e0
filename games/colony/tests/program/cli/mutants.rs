//! Nobody can be served faulty rules: the program has no mutant in it.

use std::{fs, path::Path};

#[test]
fn the_program_knows_no_mutant() {
    let program = fs::read(env!("CARGO_BIN_EXE_holdfast")).expect("the program can be read");
    // Every name has a hyphen, and a program has few of them: only there is it worth to look.
    let hyphens: Vec<usize> = (0..program.len()).filter(|at| program[*at] == b'-').collect();
    let has = |text: &str| {
        let before = text.find('-').expect("a hyphen");
        let starts = hyphens.iter().filter_map(|at| at.checked_sub(before));
        starts.into_iter().any(|start| program[start..].starts_with(text.as_bytes()))
    };
    assert!(has("first-night"), "what is in the program would be found");

    let names = names();
    assert!(names.len() >= 100, "{} names", names.len());
    let found: Vec<&String> = names.iter().filter(|name| has(name)).collect();
    assert_eq!(found, [""; 0]);
}

/// As the table in the sources has them, one at the beginning of a row.
fn names() -> Vec<String> {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/colony/rules/src/mutants/table.rs");
    let table = fs::read_to_string(table).expect("the table can be read");
    let rows = table.lines().filter_map(|line| line.strip_prefix("        \"")?.split_once("\", \""));
    rows.map(|(name, _)| name.to_owned()).collect()
}
