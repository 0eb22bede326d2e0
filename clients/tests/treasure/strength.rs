//! Who beats whom, with either beginning in half of the games.

use std::fmt;

use clients::treasure::{
    half,
    mind::{Guide, Mind},
    walker::Walker,
    year::{Y2017, Y2022, Year},
};
use engine::JavaRandom;

use crate::world::{End, World};

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Mind,
    Walker,
}

/// What became of some games.
#[derive(Default)]
struct Tally {
    games: u32,
    /// By the first with the treasure in the other's fort.
    won: u32,
    /// In 2022 whoever did not begin wins when all actions are made.
    won_at_the_limit: u32,
    lost: u32,
    lost_at_the_limit: u32,
    /// Own actions of games that were won with the treasure.
    actions: Vec<u32>,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut actions = self.actions.clone();
        actions.sort_unstable();
        let at =
            |share: usize| actions.get(actions.len() * share / 100).or(actions.last()).copied().unwrap_or_default();
        let Self { games, won, won_at_the_limit, lost, lost_at_the_limit, .. } = self;
        write!(
            f,
            "{games} games: won {won}, at the limit {won_at_the_limit}; lost {lost}, at the limit {lost_at_the_limit}; "
        )?;
        write!(f, "own actions of a win: median {}, 90 % {}, most {}", at(50), at(90), at(100))
    }
}

fn play(year: &'static Year, first: Who, second: Who, games: i64) -> Tally {
    let mut tally = Tally { games: games as u32, ..Tally::default() };
    for game in 0..games {
        let mut random = JavaRandom::new(game);
        // The first of the row begins in every other game.
        let begins = (game % 2) as usize;
        let who = if begins == 0 { [first, second] } else { [second, first] };
        let halves = who.map(|who| match who {
            Who::Mind => half::good(year, &mut random),
            Who::Walker => half::random(year, &mut random),
        });
        let world = World::new(year, [&halves[0], &halves[1]], &mut random);
        let guide = |player: usize| -> Box<dyn Guide> {
            let (land, fort) = (world.land().clone(), world.fort(player));
            match who[player] {
                Who::Mind => Box::new(Mind::new(year, land, fort)),
                Who::Walker => Box::new(Walker::new(year, land, fort, JavaRandom::new(game ^ 77))),
            }
        };
        let guides = [guide(0), guide(1)];
        let (end, actions) = world.play(guides);
        match end {
            End::Won(player) if player == begins => {
                tally.won += 1;
                tally.actions.push(actions[player]);
            }
            End::Won(_) => tally.lost += 1,
            End::Drowned(player) => panic!("{:?} went into the water in game {game}", who[player]),
            End::Late(Some(loser)) if loser != begins => tally.won_at_the_limit += 1,
            End::Late(_) => tally.lost_at_the_limit += 1,
        }
    }
    tally
}

#[test]
fn mind_beats_the_walker() {
    for year in [&Y2022, &Y2017] {
        let tally = play(year, Who::Mind, Who::Walker, 200);
        println!("{}: {tally}", year.name);
        assert!(tally.won >= 190, "{}: {tally}", year.name);
    }
}
