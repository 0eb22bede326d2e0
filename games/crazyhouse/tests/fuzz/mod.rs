//! Crazyhouse in the fuzz targets.

use std::sync::LazyLock;

use crazyhouse_rules::{MoveList, Position, Setup};
use serde_json::json;

use super::{
    game::{Fuzzed, OtherSetup},
    scenario,
};

pub(super) struct Crazyhouse;

impl Fuzzed for Crazyhouse {
    type Adapter = ::crazyhouse::Crazyhouse;

    const SETUPS: &'static [OtherSetup] = &[(b'f', position)];

    fn setups() -> &'static [Setup] {
        static SETUPS: LazyLock<Vec<Setup>> = LazyLock::new(|| {
            let texts = ["{}", r#"{"clock":{"increment":2,"initial":180},"most_moves":6}"#];
            texts.map(|text| Setup::new(text, None).expect("a sound scenario")).into()
        });
        &SETUPS
    }
}

/// A position is refused, or written as it was read; all its moves can be made, and a game can begin with it.
fn position(text: &[u8], inputs: &[u8]) {
    let Ok(text) = str::from_utf8(text) else { return };
    let Ok(position) = text.parse::<Position>() else { return };
    assert_eq!(position.to_string().parse().as_ref(), Ok(&position), "it is written as it was read");
    let mut moves = MoveList::default();
    position.legal_moves(&mut moves);
    for legal in moves.as_slice() {
        let _ = position.after(*legal).is_mate();
    }
    let scenario = json!({"board": position.board(), "next": position.turn()}).to_string();
    if let Ok(setup) = Setup::new(&scenario, None) {
        assert_eq!(setup.start, position);
        scenario::play::<::crazyhouse::Crazyhouse>(&setup, inputs);
    }
}
