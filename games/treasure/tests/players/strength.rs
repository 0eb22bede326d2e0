//! Which bots beat which.

use std::fmt;

use engine::JavaRandom;
use treasure::players::{
    half,
    mind::{Guide, Mind},
    walker::Walker,
};
use treasure_rules::{Outcome, Profile, Reason};

use crate::{
    Y2017, Y2022,
    world::{World, number},
};

/// The kind of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Mind,
    Walker,
}

/// The results of the first player.
#[derive(Default)]
struct Tally {
    games: u32,
    /// Games won by bringing the treasure to the opponent's fort.
    won: u32,
    /// Games of 2022 won at the limit of actions.
    won_at_the_limit: u32,
    lost: u32,
    lost_at_the_limit: u32,
    /// The player's own actions in each game that it won with the treasure.
    actions: Vec<u32>,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut actions = self.actions.clone();
        actions.sort_unstable();
        let at =
            |share: usize| actions.get(actions.len() * share / 100).or(actions.last()).copied().unwrap_or_default();
        let Self { games, won, won_at_the_limit, lost, lost_at_the_limit, .. } = self;
        write!(f, "{games} games: won {won}, at the limit {won_at_the_limit}; ")?;
        write!(f, "lost {lost}, at the limit {lost_at_the_limit}; ")?;
        write!(f, "own actions of a win: median {}, 90 % {}, most {}", at(50), at(90), at(100))
    }
}

/// Plays games between two bots. They alternate in registering first. In 2022, the rules draw the player who begins.
fn play(profile: &'static Profile, first: Who, second: Who, games: i64) -> Tally {
    let mut tally = Tally { games: u32::try_from(games).expect("a few games"), ..Tally::default() };
    for game in 0..games {
        let mut random = JavaRandom::new(game);
        let (me, who) = if game % 2 == 0 { (0, [first, second]) } else { (1, [second, first]) };
        let halves = who.map(|who| match who {
            Who::Mind => half::good(profile, &mut random),
            Who::Walker => half::random(profile, &mut random),
        });
        let world = World::new(profile, [&halves[0], &halves[1]], random.next_long());
        let guides = [0, 1].map(|player| -> Box<dyn Guide> {
            let (land, fort) = (world.land.clone(), world.forts[player]);
            match who[player] {
                Who::Mind => Box::new(Mind::new(profile, land, fort)),
                Who::Walker => Box::new(Walker::new(profile, land, fort, JavaRandom::new(random.next_long()))),
            }
        });
        let (outcome, actions) = world.play(guides);
        let (winner, reason) = match outcome {
            Outcome::Won { winner, reason } => (Some(number(winner)), reason),
            Outcome::NobodyWon { reason } | Outcome::Removed { reason } => (None, reason),
        };
        let (won, with_the_treasure) = (winner == Some(me), reason == Reason::FortEntered);
        assert!(with_the_treasure || reason == Reason::ActionLimit, "game {game} of {who:?}: {outcome:?}");
        tally.won += u32::from(won && with_the_treasure);
        tally.won_at_the_limit += u32::from(won && !with_the_treasure);
        tally.lost += u32::from(!won && with_the_treasure);
        tally.lost_at_the_limit += u32::from(!won && !with_the_treasure);
        if won && with_the_treasure {
            tally.actions.push(actions[me]);
        }
    }
    tally
}

/// Only wins with the treasure count, not wins at the limit of actions.
#[test]
fn mind_beats_the_walker() {
    let games = if std::env::var_os("HOLDFAST_LONG").is_some() { 1000 } else { 200 };
    for profile in [Y2022, Y2017] {
        let tally = play(profile, Who::Mind, Who::Walker, games);
        println!("{}: {tally}", profile.year);
        assert!(tally.won * 100 >= tally.games * 95, "{}: {tally}", profile.year);
    }
}

/// Games between two minds rarely reach the limit of actions.
#[test]
fn minds_come_to_an_end() {
    for profile in [Y2022, Y2017] {
        let tally = play(profile, Who::Mind, Who::Mind, 60);
        println!("{}: {tally}", profile.year);
        assert!(tally.won_at_the_limit + tally.lost_at_the_limit <= 3, "{}: {tally}", profile.year);
        assert!((15..=45).contains(&tally.won), "none of two that are alike wins most: {tally}");
    }
}
