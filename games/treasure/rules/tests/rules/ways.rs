//! Ways over a map.

use std::collections::VecDeque;

use treasure_rules::{Chart, Direction, Position, Terrain};

/// The first step of a shortest way over dry fields.
pub(crate) fn toward(chart: &Chart, from: Position, to: Position) -> Option<Direction> {
    let mut steps = vec![None; 20 * 20];
    let place = |at: Position| usize::from(at.y) * 20 + usize::from(at.x);
    let mut queue = VecDeque::from([to]);
    while let Some(at) = queue.pop_front() {
        if at == from {
            return steps[place(at)];
        }
        for (direction, back) in [
            (Direction::Up, Direction::Down),
            (Direction::Down, Direction::Up),
            (Direction::Left, Direction::Right),
            (Direction::Right, Direction::Left),
        ] {
            let next = chart.step(at, direction).filter(|next| is_dry(chart, *next) && *next != to);
            if let Some(next) = next.filter(|next| steps[place(*next)].is_none()) {
                steps[place(next)] = Some(back);
                queue.push_back(next);
            }
        }
    }
    None
}

pub(crate) fn is_dry(chart: &Chart, at: Position) -> bool {
    chart.terrain(at).is_some_and(|terrain| terrain != Terrain::Water)
}
