//! A copy of the workspace with all mutants in it.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use ::mutants::plant;

use super::{IS_CHOSEN, Table};
use crate::{failure::Failure, project::Project};

/// The file that contains the tables as Rust code in the copy. In the project it is empty.
const TABLES: &str = "runner/src/mutants/table.rs";

/// Writes the copy. Unchanged files keep their modification time, so that cargo builds only what changed.
pub(super) fn write(project: &Project, tables: &[Table], tree: &Path) -> Result<(), Failure> {
    let mut written = BTreeSet::new();
    for file in project.files()?.into_iter().chain([PathBuf::from(".cargo/config.toml")]) {
        let path = project.root.join(&file);
        let mut bytes = fs::read(&path).map_err(|cause| Failure::Unreadable { path, cause })?;
        if let Some(table) = tables.iter().find(|table| table.files().contains(&file)) {
            let text = plant(&project.read(&file)?, &table.rows_of(&file), IS_CHOSEN).map_err(Failure::Findings)?;
            bytes = text.into_bytes();
        } else if file == Path::new(TABLES) {
            bytes = as_rust(tables).into_bytes();
        }
        let path = tree.join(&file);
        write_changed(&path, &bytes).map_err(|cause| Failure::Unwritable { path: path.clone(), cause })?;
        written.insert(path);
    }
    remove_others(tree, &written).map_err(|cause| Failure::Unwritable { path: tree.into(), cause })
}

/// Writes a file if its content differs.
pub(super) fn write_changed(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|before| before == bytes) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)
}

/// Deletes the files that the project no longer has.
fn remove_others(folder: &Path, written: &BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(&path, written)?;
        } else if !written.contains(&path) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// The tables as Rust code for `systest`.
fn as_rust(tables: &[Table]) -> String {
    let mut text = String::from("//! Written by `cargo xtask mutants`.\n\nuse super::Mutant;\n\n");
    text += "pub(crate) const TABLES: &[(&str, &[Mutant])] = &[\n";
    for Table { game, rows, .. } in tables {
        text += &format!("    ({game:?}, &[\n");
        for row in rows {
            text += &format!(
                "        Mutant {{ name: {:?}, section: {:?}, editions: {:?}, mistake: {:?}, equivalent: {:?} }},\n",
                row.name, row.section, row.editions, row.mistake, row.equivalent
            );
        }
        text += "    ]),\n";
    }
    text + "];\n"
}

#[cfg(test)]
mod tests {
    use ::mutants::Row;

    use super::{Table, as_rust};

    #[test]
    fn tables_in_rust() {
        let row = |name: &str, equivalent: Option<&str>| Row {
            name: name.into(),
            section: "1 Dice".into(),
            editions: "all".into(),
            mistake: "says \"no\"".into(),
            equivalent: equivalent.map(str::to_owned),
            ..Row::default()
        };
        let table = Table {
            game: "dice".into(),
            folder: "games/dice".into(),
            rows: vec![row("a", None), row("b", Some("because"))],
        };
        let expected = r#"    ("dice", &[
        Mutant { name: "a", section: "1 Dice", editions: "all", mistake: "says \"no\"", equivalent: None },
        Mutant { name: "b", section: "1 Dice", editions: "all", mistake: "says \"no\"", equivalent: Some("because") },
    ]),
"#;
        assert!(as_rust(&[table]).contains(expected));
        assert!(as_rust(&[]).ends_with("&[\n];\n"));
    }
}
