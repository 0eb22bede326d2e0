//! How avatars walk, and what they see and find on their way.

use super::Fold;
use crate::{
    asked::{direction_of, is_at},
    chart::Chart,
    event::Event,
    map::{Direction, Position, Terrain},
    outcome::{Outcome, Reason},
    player::Player,
    refusal::Refusal,
};

/// The ground next to an avatar.
enum Ground {
    Dry(Position),
    Water,
    Nothing,
}

/// Moves of 2022. Each move pays for one part of a step.
impl Fold<'_> {
    pub(super) fn walk(&mut self, player: Player, direction: Direction) -> Result<(), Refusal> {
        self.check_year(false)?;
        let Some(from) = self.check_map(player) else { return Ok(()) };
        if self.game.board.turn() != Some(player) {
            self.fail(player, Refusal::NotYourTurn { begun: true }, Reason::OutOfTurn);
            return Ok(());
        }

        let left = self.left(player, direction).unwrap_or_else(|| self.cost(from, direction)) - 1;
        match self.ground(from, direction) {
            Ground::Dry(to) if left == 0 => self.arrive(player, direction, to),
            Ground::Dry(_) => self.spend(player, direction, left),
            Ground::Water => {
                self.act(player, None);
                self.fail(player, Refusal::IntoWater { from, direction }, Reason::IntoWater);
            }
            Ground::Nothing => {
                let (width, height) = self.game.board.chart().map_or((1, 1), |chart| (chart.width(), chart.height()));
                self.act(player, None);
                self.fail(player, Refusal::OffTheMap { from, direction, width, height }, Reason::OffTheMap);
            }
        }
        self.go_on();
        Ok(())
    }
}

/// Updates of 2017, in which the player itself counts down.
impl Fold<'_> {
    pub(super) fn update(
        &mut self,
        player: Player,
        here: (i32, i32),
        wanted: (i32, i32),
        turns: i32,
    ) -> Result<(), Refusal> {
        self.check_year(true)?;
        let Some(from) = self.check_map(player) else { return Ok(()) };
        if self.game.board.turn() != Some(player) {
            return Err(Refusal::NotYourTurn { begun: true });
        }

        if self.game.board.actions() + 1 >= self.game.board.profile().action_limit {
            self.act(player, None);
            self.finish(Outcome::NobodyWon { reason: Reason::ActionLimit });
        } else if !is_at(here, from) {
            self.act(player, None);
            let refusal = Refusal::WrongPosition { x: here.0, y: here.1, at: from };
            self.fail(player, refusal, Reason::WrongPosition);
        } else if wanted == here {
            self.act(player, None);
            self.only(player, Event::Waited {});
        } else if let Some(direction) = direction_of(here, wanted) {
            self.count_down(player, from, direction, turns);
        } else {
            self.act(player, None);
            let refusal = Refusal::NotANeighbour { x: wanted.0, y: wanted.1, at: from };
            self.fail(player, refusal, Reason::NotANeighbour);
        }
        self.go_on();
        Ok(())
    }

    fn count_down(&mut self, player: Player, from: Position, direction: Direction, turns: i32) {
        let expected = self.left(player, direction).map_or_else(|| self.cost(from, direction), |left| left - 1);
        if turns != i32::from(expected) {
            self.act(player, None);
            return self.fail(player, Refusal::WrongCount { turns, expected }, Reason::WrongCount);
        }
        match self.ground(from, direction) {
            Ground::Dry(_) | Ground::Water | Ground::Nothing if expected > 0 => self.spend(player, direction, expected),
            Ground::Dry(to) => self.arrive(player, direction, to),
            Ground::Water => {
                self.act(player, Some(direction));
                self.lose(player, Reason::IntoWater);
            }
            Ground::Nothing => {
                self.act(player, None);
                self.lose(player, Reason::OffTheMap);
            }
        }
    }
}

/// The parts that both years share.
impl Fold<'_> {
    fn check_year(&self, counts_down: bool) -> Result<(), Refusal> {
        let profile = self.game.board.profile();
        if profile.counts_down == counts_down { Ok(()) } else { Err(Refusal::WrongYear { year: profile.year }) }
    }

    /// The position of the player. If the map is not complete yet, the player loses.
    fn check_map(&mut self, player: Player) -> Option<Position> {
        let halves = self.game.board.halves();
        let at = self.game.private(player).and_then(|private| private.at).filter(|_| halves == 2);
        if at.is_none() {
            self.fail(player, Refusal::MoveBeforeHalves { halves }, Reason::MoveBeforeHalves);
        }
        at
    }

    fn ground(&self, from: Position, direction: Direction) -> Ground {
        let next = |chart: &Chart| chart.step(from, direction).map(|to| (to, chart.terrain(to)));
        match self.game.board.chart().and_then(next) {
            Some((to, Some(Terrain::Grass | Terrain::Mountain))) => Ground::Dry(to),
            Some((_, Some(Terrain::Water))) => Ground::Water,
            Some((_, None)) | None => Ground::Nothing,
        }
    }

    fn cost(&self, from: Position, direction: Direction) -> u8 {
        self.game.board.chart().map_or(0, |chart| chart.cost(from, direction))
    }

    /// The number of further requests until the step, if the last ones had the same direction.
    fn left(&self, player: Player, direction: Direction) -> Option<u8> {
        let progress = self.game.private(player).and_then(|private| private.progress);
        progress.filter(|progress| progress.direction == direction).map(|progress| progress.left)
    }

    /// Counts the action, and moves the avatar if it has completed a step.
    fn act(&mut self, player: Player, moved: Option<Direction>) {
        let from = self.game.private(player).and_then(|private| private.at);
        let is_seen = self.game.board.position(player).is_some();
        let action = self.game.board.actions() + 1;
        self.all(Event::Acted { player, action, step: moved.filter(|_| is_seen) });
        let to = self.game.board.chart().zip(from).zip(moved).and_then(|((chart, from), to)| chart.step(from, to));
        if let Some(to) = to {
            self.only(player, Event::Moved { to });
        }
        self.appear();
    }

    fn spend(&mut self, player: Player, direction: Direction, left: u8) {
        self.act(player, None);
        self.only(player, Event::Spent { direction, left });
    }

    /// Enters a field, looks around, takes the treasure, and wins on the opponent's fort with the treasure.
    fn arrive(&mut self, player: Player, direction: Direction, to: Position) {
        self.act(player, Some(direction));
        let treasure = self.game.treasure(player);
        let fort = self.game.private(player.other()).and_then(|private| private.fort);
        let sees = |at: &Position| self.game.board.chart().is_some_and(|chart| chart.sight(to).any(|seen| seen == *at));
        let knows = |what: fn(&crate::Private) -> bool| self.game.private(player).is_some_and(what);
        let new_treasure =
            treasure.filter(|at| sees(at) && !knows(|private| private.collected || private.treasure.is_some()));
        let new_fort = fort.filter(|at| sees(at) && !knows(|private| private.enemy_fort.is_some()));
        if let Some(at) = new_treasure {
            self.only(player, Event::TreasureSeen { at });
        }
        if let Some(at) = new_fort {
            self.only(player, Event::FortSeen { at });
        }
        let has_treasure = self.game.private(player).is_some_and(|private| private.collected);
        if treasure == Some(to) && !has_treasure {
            self.collect(player, to);
        } else if fort == Some(to) && has_treasure {
            self.finish(Outcome::Won { winner: player, reason: Reason::FortEntered });
        }
    }

    fn collect(&mut self, player: Player, at: Position) {
        self.only(player, Event::TreasureTaken { at });
        if self.game.board.profile().tells_other {
            self.all(Event::Collected { player });
        }
    }

    /// Makes the positions of the avatars public, once they are not secret any more.
    pub(super) fn appear(&mut self) {
        let board = &self.game.board;
        let is_time = board.halves() == 2 && board.actions() >= board.profile().disguised;
        if !is_time || board.position(Player::First).is_some() {
            return;
        }
        let [Some(first), Some(second)] =
            Player::BOTH.map(|player| self.game.private(player).and_then(|private| private.at))
        else {
            return;
        };
        self.all(Event::Appeared { first, second });
    }

    /// Continues after an action: it is the opponent's turn, or the limit of actions ends the game.
    fn go_on(&mut self) {
        let board = &self.game.board;
        let is_last = board.profile().halves_count && board.actions() >= board.profile().action_limit;
        match board.turn() {
            Some(next) if is_last => self.lose(next, Reason::ActionLimit),
            Some(_) => self.start_thinking(),
            None => {}
        }
    }
}
