//! Colony in the fuzz targets.

use std::sync::LazyLock;

use colony_rules::{Edition, Setup};
use script::{ScriptedGame, scripted};

use super::game::Fuzzed;

pub(super) struct Colony;

impl Fuzzed for Colony {
    type Adapter = ::colony::Colony;

    const EDITIONS: &'static [&'static str] = &["group", "equipment", "fate"];

    const SCRIPTS: Option<&'static dyn ScriptedGame> = Some(scripted::<::colony::Colony>());

    fn setups() -> &'static [Setup] {
        static SETUPS: LazyLock<Vec<Setup>> = LazyLock::new(|| {
            let setup = |(name, edition, timeout)| {
                let text = ::colony::scenario(name).expect("a scenario of ours");
                Setup::new(text, Some(edition), timeout).expect("a sound scenario")
            };
            let all = [
                ("first-night", Edition::Group, Some(1000)),
                ("first-night", Edition::Equipment, None),
                ("crossroads", Edition::Fate, Some(1000)),
            ];
            all.map(setup).into()
        });
        &SETUPS
    }
}
