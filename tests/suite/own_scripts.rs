//! The scripts of every game, in process. `cargo xtask test scripts` plays them over their wires.

use std::path::Path;

use systemtests::{files, games, local::InProcess, play::Play, run::run};

#[test]
fn every_game_plays_its_own_scripts() {
    for game in games().iter() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games").join(game.name()).join("scripts");
        if !folder.is_dir() {
            continue;
        }
        let found = files::find(&folder, &games());
        assert!(found.len() >= 40, "{} has only {} scripts", game.name(), found.len());
        for found in found {
            let script = found.script.expect("a script");
            assert_eq!(script.game.name(), game.name(), "{}", found.place);
            if let Err(failure) = run(&Play::new(&script), &InProcess) {
                panic!("{}: {}", found.place, failure.message);
            }
        }
    }
}
