//! Whole games, in words.

use engine::Cause;
use treasure_rules::{Game, Setup};

use super::explorers;
use crate::golden::{Story, check};

/// A game of each year, from the first registration to the fort.
#[test]
fn golden_treasure() {
    for (year, seed) in [("2022", 22), ("2017", 17)] {
        let setup = Setup::new(year).expect("a built-in scenario");
        let title = format!("{year}, seed {seed}, two who know the way");
        let mut story = Story::<Game>::new(&title, setup, seed);
        for step in 0.. {
            let Some((client, command)) = explorers::next(&story.game) else { break };
            story.fold(step * 250, Cause::Command { client, command });
        }
        check("treasure", &format!("{year}.txt"), &story.end());
    }
}
