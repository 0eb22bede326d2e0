//! A whole game, as text.

use project_rules::{Game, Setup};

use super::agents::{self, Agents};
use crate::golden::{Story, check};

/// A game with its timers, from the lobby to the last goal.
#[test]
fn golden_project() {
    let setup = Setup::new(agents::SCENARIO).expect("a sound scenario");
    let mut story = Story::<Game>::new("one against one, seed 1", setup, 1);
    let mut agents = Agents::default();
    agents.follow(story.outbox.timers());
    while let Some((elapsed, cause)) = agents.next(&story.game) {
        story.fold(elapsed, cause);
        agents.follow(story.outbox.timers());
    }
    check("project", "game.txt", &story.end());
}
