//! Chooses a random possible action.

use engine::JavaRandom;
use project_rules::Action;

use super::{
    errand::Wish,
    mind::{Hands, Mind},
};

pub(super) fn decide(mind: &Mind, random: &mut JavaRandom, now: u64) -> Wish {
    let mut can: Vec<Action> = mind.walker(now).ways(&mind.crowd).into_iter().map(Action::Move).collect();
    can.push(Action::Discover);
    match mind.hands {
        Hands::Empty | Hands::Unsure if mind.has_piece_here() => can.push(Action::PickUp),
        Hands::Empty | Hands::Unsure => {}
        Hands::Untested | Hands::Full => can.push(Action::Test),
        Hands::Valid => {}
    }
    if matches!(mind.hands, Hands::Untested | Hands::Valid) && mind.is_goal_area(mind.position()) {
        can.push(Action::Place);
    }
    clients::pick(&can, random).map_or(Wish::Wait(100), Wish::Act)
}
