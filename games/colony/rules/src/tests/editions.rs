//! The choice of the edition, and the shuffles before the first event.

use alloc::{string::String, vec::Vec};

use engine::{JavaRandom, Outbox, Rulebook};
use serde_json::Value;

use super::scene;
use crate::{
    CardIx, Edition, Game, Setup, SetupError,
    ids::{CrisisIx, FateIx, LocationIx},
};

/// The text of a scenario with or without fate cards, and with or without equipment cards.
fn text(fate: bool, equipment: bool) -> String {
    let game = scene(if fate { "fate | Ana" } else { "equipment | Ana" });
    let mut scenario: Value = serde_json::from_str(&game.setup.text).expect("JSON");
    if !equipment {
        let plain = |card: &Value| {
            !["hammer", "colt", "snow_boots", "swab", "blueprint"].iter().any(|kind| card.get(kind).is_some())
        };
        scenario["cards"].as_array_mut().expect("a list").retain(plain);
    }
    serde_json::to_string(&scenario).expect("JSON")
}

#[test]
fn the_edition_is_asked_for_or_guessed() {
    use Edition::{Equipment, Fate, Group};
    for (fate, equipment, asked, expected) in [
        (true, true, None, Ok(Fate)),
        (true, false, None, Ok(Fate)),
        (false, true, None, Ok(Equipment)),
        (false, false, None, Ok(Group)),
        (true, true, Some(Group), Ok(Group)),
        (true, true, Some(Equipment), Ok(Equipment)),
        (false, true, Some(Group), Ok(Group)),
        (false, false, Some(Equipment), Ok(Equipment)),
        (true, false, Some(Fate), Ok(Fate)),
        (false, true, Some(Fate), Err(SetupError::NoFateCards)),
    ] {
        let setup = Setup::new(&text(fate, equipment), asked, None);
        assert_eq!(setup.map(|setup| setup.edition), expected, "fate {fate}, equipment {equipment}, {asked:?}");
    }
}

/// The order is: start cards, the other locations by ascending identifier, crises, and fate cards (fate edition only).
#[test]
fn what_is_shuffled_and_when() {
    for edition in Edition::ALL {
        let setup = Setup::new(&text(true, true), Some(edition), None).expect("a scenario for all editions");
        let game = Game::start(&setup, 7, &mut Outbox::new());

        let mut random = JavaRandom::new(7);
        let mut shuffled = |name: &str| {
            let location = setup.scenario.locations.iter().find(|location| &*location.name == name);
            let mut cards = location.expect("a location").cards.clone();
            random.shuffle(&mut cards);
            cards
        };
        let (start, harbour, mill) = (shuffled("colony"), shuffled("harbour"), shuffled("mill"));
        let mut crises: Vec<CrisisIx> = (0..setup.scenario.crises.len()).map(CrisisIx::from).collect();
        random.shuffle(&mut crises);
        let mut fates: Vec<FateIx> = (0..15).map(FateIx::from).collect();
        if edition == Edition::Fate {
            random.shuffle(&mut fates);
        }
        fates.reverse();

        let top = |location: u16| game.top_card(LocationIx(location));
        // By ascending identifier, the harbour comes first and the colony second.
        let tops: [Option<CardIx>; 3] = [top(0), top(1), top(2)];
        assert_eq!(tops, [Some(harbour[0]), Some(start[0]), Some(mill[0])], "{edition}");
        assert_eq!(game.stacks, [harbour, start, mill].concat(), "{edition}");
        assert_eq!(game.crises, crises, "{edition}");
        assert_eq!(game.fates, if edition == Edition::Fate { fates } else { Vec::new() }, "{edition}");
        assert_eq!(game.random, random, "nothing else is drawn: {edition}");
    }
}
