//! The colony phase, after the last turn of a round: food, waste, the crisis, zombies, and the goal.

use super::{Flow, Fold, Over};
use crate::event::{Event, FoodChange, MoralChange};

impl Fold<'_> {
    pub(super) fn colony_phase(&mut self) -> Flow {
        self.all(Event::ColonyPhaseStarted {});
        self.eat()?;
        let waste = self.board.waste / 10;
        if waste > 0 {
            self.change_morale(-clamped(waste), MoralChange::Waste)?;
        }
        self.end_crisis()?;
        self.let_zombies_in()?;
        if self.board.goal_reached() {
            self.all(Event::GameEnd { win: true });
            return Err(Over);
        }
        if self.board.last_round() {
            self.all(Event::GameEnd { win: false });
            return Err(Over);
        }
        Ok(())
    }

    fn eat(&mut self) -> Flow {
        let needed = self.board.mouths();
        if needed > 0 {
            if self.board.food >= i64::from(needed) {
                self.all(Event::FoodChanged { amount: -clamped(needed), reason: FoodChange::FoodConsumed });
            } else {
                self.all(Event::StarvationTokenAdded {});
            }
        }
        let tokens = self.board.starvation_tokens;
        if tokens > 0 {
            self.change_morale(-clamped(tokens), MoralChange::StarvationToken)?;
        }
        Ok(())
    }

    fn end_crisis(&mut self) -> Flow {
        let Some(crisis) = self.board.crisis else { return Ok(()) };
        let crisis = self.setup.scenario.crisis(crisis);
        let (required, moral_change) = (u64::from(crisis.required_cards), crisis.moral_change);
        let contributed = u64::from(self.board.contributed);
        if contributed < required {
            self.change_morale(-moral_change, MoralChange::Crisis)?;
        } else if contributed >= required + 2 {
            self.change_morale(1, MoralChange::Crisis)?;
        }
        Ok(())
    }

    fn let_zombies_in(&mut self) -> Flow {
        let colony = self.setup.scenario.colony;
        self.zombies_come(colony, self.board.mouths())?;
        for location in self.other_locations() {
            self.zombies_come(location, self.board.crowd(location))?;
        }
        Ok(())
    }
}

/// Converts an amount to a 32-bit integer, as events carry it. No real amount is too large for that.
fn clamped(amount: u32) -> i32 {
    amount.try_into().unwrap_or(i32::MAX)
}
