//! Fate cards and votes.

use super::{Deed, Flow, Fold};
use crate::{
    command::Command,
    event::{Event, FoodChange, MoralChange},
    game::{Omen, Vote},
    ids::{ConsequenceIx, LocationIx, PlayerId},
    refusal::Refusal,
    scenario::{Consequence, Trigger},
};

impl Fold<'_> {
    /// Fires the fate card of the turn if the action was its trigger. Runs after each action.
    pub(super) fn meet_fate(&mut self, deed: Deed) -> Flow {
        let Some(omen) = self.turn().omen else { return Ok(()) };
        if !self.triggered(omen, deed) {
            // If the turn has ended, its card is replaced when the next turn begins.
            return Ok(());
        }
        self.turn().omen = None;
        let fate = self.setup.scenario.fate(omen.fate);
        let (id, consequence) = (fate.id, fate.consequence);
        self.all(Event::Crossroad { fate: id });
        self.befall(omen.player, consequence)
    }

    fn triggered(&self, omen: Omen, deed: Deed) -> bool {
        let at = |wanted: Option<LocationIx>, place: LocationIx| wanted.is_none_or(|wanted| wanted == place);
        match (self.setup.scenario.fate(omen.fate).trigger, deed) {
            (Trigger::Barricaded(wanted), Deed::Barricaded(place)) => at(wanted, place),
            (Trigger::Moved(wanted), Deed::Moved(place)) => at(wanted, place),
            (Trigger::Searched(wanted), Deed::Searched(place)) => at(wanted, place),
            (Trigger::Equip, Deed::Equipped) => true,
            (Trigger::WasteChanged(amount), _) => {
                self.waste_changed && {
                    let change = i64::from(self.board.waste) - i64::from(omen.waste);
                    match amount {
                        1.. => change >= amount.into(),
                        0 => true,
                        ..0 => change <= amount.into(),
                    }
                }
            }
            (Trigger::Barricaded(_) | Trigger::Moved(_) | Trigger::Searched(_) | Trigger::Equip, _) => false,
        }
    }

    fn befall(&mut self, player: PlayerId, consequence: ConsequenceIx) -> Flow {
        match self.setup.scenario.consequence(consequence) {
            Consequence::ChangeFood(amount) => {
                if self.board.food + i64::from(amount) < 0 {
                    self.all(Event::StarvationTokenAdded {});
                } else {
                    self.all(Event::FoodChanged { amount, reason: FoodChange::Crossroad });
                }
            }
            Consequence::ChangeMoral(amount) => self.change_morale(amount, MoralChange::Crossroad)?,
            Consequence::SpawnSurvivors { amount, children } => {
                // No survivor joins a player who left during the vote.
                let newcomers = if self.board.player(player).present { self.unused.len() } else { 0 };
                for _ in 0..newcomers.min(amount as usize) {
                    self.spawn_next(player);
                }
                for _ in 0..if children { amount } else { 0 } {
                    self.all(Event::ChildSpawned {});
                }
            }
            Consequence::SpawnZombies { amount, location: Some(location) } => self.zombies_come(location, amount)?,
            Consequence::SpawnZombies { amount, location: None } => {
                self.zombies_come(self.setup.scenario.colony, amount)?;
                for location in self.other_locations() {
                    self.zombies_come(location, amount)?;
                }
            }
            Consequence::Choice { first, second } => {
                if let Some(asked) = self.board.first_present() {
                    self.ask_for_vote(Vote { asked, ayes: 0, noes: 0, first, second, player });
                }
            }
        }
        Ok(())
    }

    fn ask_for_vote(&mut self, vote: Vote) {
        self.turn().vote = Some(vote);
        self.board(Event::VoteAsked { player: vote.asked });
        self.ask(vote.asked, Event::VoteNow {});
    }

    /// Handles a command during a vote.
    pub(super) fn take_vote(&mut self, mut vote: Vote, player: PlayerId, command: &Command) -> Flow {
        if player != vote.asked {
            self.refuse_player(player, Refusal::VotingNow { asked: vote.asked });
            return Ok(());
        }
        let Command::Vote { answer } = *command else {
            self.refuse_player(player, Refusal::VoteFirst {});
            self.ask(player, Event::VoteNow {});
            return Ok(());
        };
        if answer {
            vote.ayes += 1;
        } else {
            vote.noes += 1;
        }
        self.go_on_voting(vote)?;
        self.settle()
    }

    /// Asks the next player, or decides the vote.
    pub(super) fn go_on_voting(&mut self, vote: Vote) -> Flow {
        if let Some(asked) = self.board.next_present(vote.asked) {
            self.ask_for_vote(Vote { asked, ..vote });
            return Ok(());
        }
        let answer = vote.ayes >= vote.noes;
        self.turn().vote = None;
        self.all(Event::VoteResult { answer });
        self.befall(vote.player, if answer { vote.first } else { vote.second })
    }
}
