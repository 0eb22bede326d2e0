//! Halves that foreign clients have built. All of them are valid in 2022.

use std::{fs, path::PathBuf};

use treasure_rules::{Field, Position, Terrain, Year, half};

#[test]
fn halves_of_others() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/vectors/treasure");
    let Ok(files) = fs::read_dir(&folder) else {
        eprintln!("skipped: there is no {}", folder.display());
        return;
    };
    let mut judged = 0;
    for file in files {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "xml") {
            let fields = read(&fs::read_to_string(&path).expect("a text"));
            if let Err(violations) = half::check(Year::Y2022.profile(), &fields) {
                panic!("{}: {violations:?}", path.display());
            }
            judged += 1;
        }
    }
    assert!(judged > 0, "there are halves in {}", folder.display());
}

/// Reads the fields of a document. These documents have no attributes, and no other elements of these names.
fn read(text: &str) -> Vec<Field> {
    let one = |node: &str| {
        let text = |name: &str| {
            let after = node.split(&format!("<{name}>")).nth(1).unwrap_or_else(|| panic!("{name} in {node}"));
            after.split('<').next().unwrap_or_default().trim().to_owned()
        };
        let number = |name: &str| text(name).parse::<u8>().expect("a number");
        let terrain = match &*text("terrain") {
            "Grass" => Terrain::Grass,
            "Mountain" => Terrain::Mountain,
            "Water" => Terrain::Water,
            other => panic!("{other} is no terrain"),
        };
        Field { at: Position::new(number("X"), number("Y")), terrain, fort: text("fortPresent") == "true" }
    };
    text.split("<playerHalfMapNode>").skip(1).map(one).collect()
}
