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
    /// After an action is completely handled: the fate card of the turn fires if the action was its trigger.
    pub(super) fn meet_fate(&mut self, deed: Deed) -> Flow {
        let Some(omen) = self.turn().omen else { return Ok(()) };
        if !self.triggered(omen, deed) {
            // A card that waited for a turn which has passed on is gone with the next one that begins.
            return Ok(());
        }
        self.turn().omen = mutant!("fate-fires-again", None, Some(omen));
        let fate = self.setup.scenario.fate(omen.fate);
        let (id, consequence) = (fate.id, fate.consequence);
        self.all(Event::Crossroad { fate: id });
        self.befall(omen.player, consequence)
    }

    fn triggered(&self, omen: Omen, deed: Deed) -> bool {
        let at = |wanted: Option<LocationIx>, place: LocationIx| {
            wanted.is_none_or(|wanted| mutant!("fate-at-any-location", wanted == place, true))
        };
        match (self.setup.scenario.fate(omen.fate).trigger, deed) {
            (Trigger::Barricaded(wanted), Deed::Barricaded(place)) => at(wanted, place),
            (Trigger::Moved(wanted), Deed::Moved(place)) => at(wanted, place),
            (Trigger::Searched(wanted), Deed::Searched(place)) => at(wanted, place),
            (Trigger::Equip, Deed::Equipped) => mutant!("equip-never-fires", true, false),
            (Trigger::WasteChanged(amount), _) => {
                mutant!("waste-fate-by-any-action", self.waste_changed, true) && {
                    let change =
                        i64::from(self.board.waste) - mutant!("waste-fate-by-the-pile", i64::from(omen.waste), 0);
                    match amount {
                        1.. => mutant!("waste-fate-one-late", change >= amount.into(), change > amount.into()),
                        0 => true,
                        ..0 => mutant!("waste-fate-one-less", change <= amount.into(), change < amount.into()),
                    }
                }
            }
            (Trigger::Barricaded(_) | Trigger::Moved(_) | Trigger::Searched(_) | Trigger::Equip, _) => false,
        }
    }

    fn befall(&mut self, player: PlayerId, consequence: ConsequenceIx) -> Flow {
        match self.setup.scenario.consequence(consequence) {
            Consequence::ChangeFood(amount) => {
                if self.board.food + i64::from(amount) < mutant!("fate-starves-at-zero", 0, 1) {
                    self.all(Event::StarvationTokenAdded {});
                } else {
                    self.all(Event::FoodChanged { amount, reason: FoodChange::Crossroad });
                }
            }
            Consequence::ChangeMoral(amount) => self.change_morale(amount, MoralChange::Crossroad)?,
            Consequence::SpawnSurvivors { amount, children } => {
                // Nobody joins a player who left while the vote was held.
                let newcomers = if self.board.player(player).present { self.unused.len() } else { 0 };
                for _ in 0..newcomers.min(amount as usize) {
                    self.spawn_next(mutant!("fate-survivor-to-the-first", player, PlayerId(0)));
                }
                for _ in 0..mutant!("one-child-by-fate", if children { amount } else { 0 }, u32::from(children)) {
                    self.all(Event::ChildSpawned {});
                }
            }
            Consequence::SpawnZombies { amount, location: Some(location) } => {
                self.zombies_come(mutant!("fate-zombies-to-colony", location, self.setup.scenario.colony), amount)?
            }
            Consequence::SpawnZombies { amount, location: None } => {
                self.zombies_come(self.setup.scenario.colony, mutant!("fate-zombies-spare-colony", amount, 0))?;
                for location in self.other_locations() {
                    self.zombies_come(location, amount)?;
                }
            }
            Consequence::Choice { first, second } => {
                if let Some(asked) = mutant!("vote-starts-with-the-actor", self.board.first_present(), Some(player)) {
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

    /// A command while a vote is held.
    pub(super) fn take_vote(&mut self, mut vote: Vote, player: PlayerId, command: &Command) -> Flow {
        if player != vote.asked {
            mutant!("ignored-while-voting", self.refuse_player(player, Refusal::VotingNow { asked: vote.asked }), ());
            return Ok(());
        }
        let Command::Vote { answer } = *command else {
            self.refuse_player(player, Refusal::VoteFirst {});
            mutant!("vote-not-asked-again", self.ask(player, Event::VoteNow {}), ());
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

    /// Asks the next player, or decides.
    pub(super) fn go_on_voting(&mut self, vote: Vote) -> Flow {
        if let Some(asked) = self.board.next_present(vote.asked) {
            self.ask_for_vote(Vote { asked, ..vote });
            return Ok(());
        }
        let answer = mutant!("tie-is-no", vote.ayes >= vote.noes, vote.ayes > vote.noes);
        self.turn().vote = None;
        self.all(Event::VoteResult { answer });
        self.befall(
            vote.player,
            if mutant!("consequences-swapped", answer, !answer) { vote.first } else { vote.second },
        )
    }
}
