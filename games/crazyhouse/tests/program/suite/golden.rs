//! A whole game of bots, in words.

use crazyhouse_rules::{Command, Game, Setup};
use engine::{Cause, CommId, Rulebook as _, Waiting};

use crate::golden::{Story, check};

/// Two bots at a board, from the first seat to the mate.
#[test]
fn golden_crazyhouse() {
    let setup = Setup::new("blitz", None).expect("a built-in scenario");
    let mut story = Story::<Game>::new("blitz, seed 5, greedy against random", setup, 5);
    let bots = ["greedy", "random"].map(|name| crazyhouse::bots::bot(name).expect("a known bot"));
    let mut bots = bots.map(|bot| (bot.make)(crazyhouse::bots::Budget::nodes(1), 5));
    for step in 0.. {
        let (client, command) = match (step, story.game.waiting_for()) {
            (0 | 1, _) => {
                (CommId(step + 1), Command::Join { name: ["greedy", "random"][step as usize].into(), side: None })
            }
            (_, Waiting::One(client)) => {
                let bot = &mut bots[client.0 as usize - 1];
                let chosen = bot.choose(story.game.public().contest().position()).expect("our bots never fail");
                let text = chosen.expect("there is a move").to_string();
                (client, Command::Move { text: text.into() })
            }
            (_, Waiting::GameOver | Waiting::Anyone) => break,
        };
        story.fold(u64::from(step) * 250, Cause::Command { client, command });
    }
    check("crazyhouse", "game.txt", &story.end());
}
