//! Joins two halves to a map.

use alloc::{vec, vec::Vec};

use super::Fold;
use crate::{
    border::blocked_border,
    chart::Placement,
    command::Coding,
    event::Event,
    game::Kept,
    half::{self, Checked, Violation},
    map::{Field, Position, Terrain},
    outcome::Reason,
    player::Player,
    refusal::Refusal,
};

impl Fold<'_> {
    pub(super) fn send_half(&mut self, player: Player, fields: &[Field], coding: Option<Coding>) {
        let board = &self.game.board;
        if self.game.has_half(player) {
            return self.fail(player, Refusal::SecondHalf {}, Reason::SecondHalf);
        }
        if !board.profile().halves_any_order && board.turn() != Some(player) {
            let refusal = Refusal::NotYourTurn { begun: board.has_begun() };
            return self.fail(player, refusal, Reason::OutOfTurn);
        }
        match self.check_half(fields) {
            Ok(checked) => self.take_half(player, checked, coding),
            Err(violations) => self.reject_half(player, fields, violations),
        }
    }

    /// Checks a half, and if it keeps all rules for halves, its border to the other.
    fn check_half(&self, fields: &[Field]) -> Result<Checked, Vec<Violation>> {
        let profile = &self.game.halves;
        let checked = half::check(profile, fields)?;
        let terrain = |at: Position| {
            checked.terrain.get(usize::from(at.y) * usize::from(profile.width) + usize::from(at.x)).copied()
        };
        let chart = self.game.board.chart().filter(|_| profile.least_crossable_percent > 0);
        match chart.and_then(|chart| blocked_border(profile, chart, terrain)) {
            Some(blocked) => Err(vec![blocked]),
            None => Ok(checked),
        }
    }

    fn reject_half(&mut self, player: Player, fields: &[Field], violations: Vec<Violation>) {
        let (action, report) = (self.half_action(), half::report(&self.game.halves, fields));
        self.all(Event::HalfRejected { player, action, report, violations: violations.clone() });
        self.fail(player, Refusal::InvalidHalf { violations }, Reason::InvalidHalf);
    }

    fn take_half(&mut self, player: Player, checked: Checked, coding: Option<Coding>) {
        let profile = self.game.board.profile().clone();
        let Checked { terrain, forts, report } = checked;
        let fort = self.draw_fort(&forts);
        let placement = self.placement(player);
        self.hide_treasure(player, placement, &terrain, fort);
        self.all(Event::HalfTaken { player, action: self.half_action() });
        let fort = placement.place(&profile, fort);
        self.only(player, Event::HalfKept { report, fort, coding });

        let both = self.game.board.halves() == 2;
        let half = Kept { player, placement, report, terrain };
        if profile.halves_any_order && !both {
            // The half stays secret until the other one is there.
            self.game.kept = Some(half);
            return;
        }
        let kept = self.game.kept.take();
        kept.into_iter().chain([half]).for_each(|half| self.chart(half));
        self.appear();
        self.start_thinking();
    }

    fn chart(&mut self, half: Kept) {
        let Kept { player, placement, report, terrain } = half;
        self.all(Event::Charted { player, placement, report, terrain });
    }

    /// The number of a half as an action, if halves count as actions.
    fn half_action(&self) -> Option<u32> {
        let board = &self.game.board;
        board.profile().halves_count.then(|| board.actions() + 1)
    }

    /// The fort of a half, drawn from the fields that its sender marked. Of one field, nothing is drawn.
    fn draw_fort(&mut self, forts: &[Position]) -> Position {
        match *forts {
            [fort] => fort,
            _ => forts[self.game.random.next_below(forts.len() as i32) as usize],
        }
    }

    /// The side of the player's half. The first half draws the sides of both.
    fn placement(&mut self, player: Player) -> Placement {
        if let Some(placement) = self.game.placements[player as usize] {
            return placement;
        }
        let ways = if self.game.board.profile().side_by_side { 4 } else { 2 };
        let placement = Placement::ALL[self.game.random.next_below(ways) as usize];
        self.game.placements[player as usize] = Some(placement);
        self.game.placements[player.other() as usize] = Some(placement.other());
        placement
    }

    /// Hides the treasure on grass of the player's own half, and not on its fort.
    fn hide_treasure(&mut self, player: Player, placement: Placement, half: &[Terrain], fort: Position) {
        let profile = self.game.board.profile().clone();
        let columns = usize::from(profile.width);
        let grass: Vec<Position> = (0..half.len())
            .filter(|place| half[*place] == Terrain::Grass)
            .map(|place| Position::new((place % columns) as u8, (place / columns) as u8))
            .filter(|at| *at != fort)
            .collect();
        let drawn = self.game.random.next_below(grass.len() as i32) as usize;
        self.game.treasures[player as usize] = Some(placement.place(&profile, grass[drawn]));
    }
}
