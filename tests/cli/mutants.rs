//! Nobody can be served faulty rules: the program has no mutant in it.

use std::{fs, path::Path};

#[test]
fn the_program_knows_no_mutant() {
    let program = fs::read(env!("CARGO_BIN_EXE_holdfast")).expect("the program can be read");
    let has = |text: &str| program.windows(text.len()).any(|bytes| bytes == text.as_bytes());
    assert!(has("the fate edition needs a scenario with a crossroads list"), "what the rules say would be found");

    let names = names();
    assert!(names.len() >= 100, "{} names", names.len());
    let found: Vec<&String> = names.iter().filter(|name| has(name)).collect();
    assert_eq!(found, [""; 0]);
}

/// As the table in the sources has them, one at the beginning of a row.
fn names() -> Vec<String> {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/colony/src/mutants/table.rs");
    let table = fs::read_to_string(table).expect("the table can be read");
    let rows = table.lines().filter_map(|line| line.strip_prefix("        \"")?.split_once("\", \""));
    rows.map(|(name, _)| name.to_owned()).collect()
}
