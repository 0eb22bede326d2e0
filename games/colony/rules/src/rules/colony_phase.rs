//! After the last turn of a round: food, waste, the crisis, zombies, and the goal.

use super::{Flow, Fold, Over};
use crate::event::{Event, FoodChange, MoralChange};

impl Fold<'_> {
    pub(super) fn colony_phase(&mut self) -> Flow {
        self.all(Event::ColonyPhaseStarted {});
        self.eat()?;
        let waste = mutant!("waste-rounded-up", self.board.waste / 10, self.board.waste.div_ceil(10));
        if waste > 0 {
            self.change_morale(-clamped(waste), MoralChange::Waste)?;
        }
        self.end_crisis()?;
        mutant!(
            "goal-before-zombies",
            self.let_zombies_in()?,
            if !self.board.goal_reached() {
                self.let_zombies_in()?
            }
        );
        if self.board.goal_reached() {
            self.all(Event::GameEnd { win: true });
            return Err(Over);
        }
        if self.board.last_round() {
            self.all(Event::GameEnd { win: mutant!("missed-goal-wins", false, true) });
            return Err(Over);
        }
        Ok(())
    }

    fn eat(&mut self) -> Flow {
        let needed =
            mutant!("children-not-fed", self.board.mouths(), self.board.crowd(self.setup.scenario.colony).div_ceil(2));
        if mutant!("nobody-eats-too", needed > 0, true) {
            if mutant!("last-food-not-eaten", self.board.food >= i64::from(needed), self.board.food > i64::from(needed))
            {
                self.all(Event::FoodChanged { amount: -clamped(needed), reason: FoodChange::FoodConsumed });
            } else {
                mutant!("starving-empties-stock", self.all(Event::StarvationTokenAdded {}), {
                    let amount = -(self.board.food as i32);
                    self.all(Event::FoodChanged { amount, reason: FoodChange::FoodConsumed });
                    self.all(Event::StarvationTokenAdded {});
                });
            }
        }
        let tokens = self.board.starvation_tokens;
        if tokens > 0 {
            self.change_morale(mutant!("starvation-costs-one", -clamped(tokens), -1), MoralChange::StarvationToken)?;
        }
        Ok(())
    }

    fn end_crisis(&mut self) -> Flow {
        let Some(crisis) = self.board.crisis else { return Ok(()) };
        let crisis = self.setup.scenario.crisis(crisis);
        let (required, moral_change) = (u64::from(crisis.required_cards), crisis.moral_change);
        let contributed = u64::from(self.board.contributed);
        if mutant!("crisis-needs-one-more", contributed < required, contributed <= required) {
            self.change_morale(-moral_change, MoralChange::Crisis)?;
        } else if mutant!("crisis-bonus-early", contributed >= required + 2, contributed > required) {
            self.change_morale(1, MoralChange::Crisis)?;
        }
        Ok(())
    }

    fn let_zombies_in(&mut self) -> Flow {
        let colony = self.setup.scenario.colony;
        self.zombies_come(
            colony,
            mutant!("zombies-ignore-children", self.board.mouths(), self.board.crowd(colony).div_ceil(2)),
        )?;
        for location in self.other_locations() {
            self.zombies_come(
                location,
                mutant!("half-at-locations-too", self.board.crowd(location), self.board.crowd(location).div_ceil(2)),
            )?;
        }
        Ok(())
    }
}

/// Amounts on the wire are ints; what is counted one by one never gets that far.
fn clamped(amount: u32) -> i32 {
    amount.try_into().unwrap_or(i32::MAX)
}
