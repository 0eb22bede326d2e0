use std::{fs, path::Path};

#[test]
fn every_built_in_scenario_is_sound() {
    for name in colony::scenario_names() {
        let text = colony::scenario(name).expect("it has a name");
        assert_eq!(colony::check(text), [], "{name}");
    }
}

#[test]
fn every_file_is_built_in() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let mut files: Vec<String> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    files.sort();
    let built_in: Vec<String> = colony::scenario_names().map(|name| format!("{name}.json")).collect();
    assert_eq!(files, built_in);
}
