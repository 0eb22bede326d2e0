//! Asks the rules about candidates, in an imagined game.

use alloc::vec::Vec;

use super::OffersOf;
use crate::{Answer, Audience, Cause, CommId, Input, JavaRandom, Outbox, Rulebook, Template};

/// A whole game that a client can imagine from its view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imagined<R> {
    /// The game. Its clock stands at 0.
    pub game: R,
    /// The client whose view it was imagined from.
    pub client: CommId,
}

impl<R: Rulebook> Imagined<R> {
    /// The event that would refuse a command of the client; `None` if the rules take it.
    pub fn refusal(&self, command: &R::Command) -> Option<R::Event> {
        let mut outbox = Outbox::new();
        let cause = Cause::Command { client: self.client, command: command.clone() };
        self.game.clone().fold(&Input { elapsed_ms: 0, cause }, &mut outbox);
        let mut own = outbox.events().filter(|(audience, _)| *audience == Audience::Only(self.client));
        own.find(|(_, event)| R::is_refusal(event)).map(|(_, event)| event.clone())
    }
}

/// The candidates of a view with the answers of the rules.
pub(super) fn ask<R: Rulebook>(view: &R::View) -> OffersOf<R> {
    let mut offers = R::candidates(view);
    if offers.offers.is_empty() {
        return offers;
    }
    // Which game is imagined makes no difference: what depends on it is marked as uncertain.
    let imagined = R::imagine(view, &mut JavaRandom::new(0));
    offers.for_each_mut(&mut |template| {
        if template.answer != Answer::Untried {
            return;
        }
        template.answer = match imagined.as_ref().map(|imagined| imagined.refusal(&template.command)) {
            None => Answer::Uncertain,
            Some(None) => Answer::Possible,
            Some(Some(refusal)) => {
                let words = R::tell_refusal(view, &refusal);
                Answer::Impossible { refusal, words }
            }
        };
    });
    offers
}

/// A random candidate that the rules take, with random arguments: the default of [`Rulebook::sample`].
pub fn sample<R: Rulebook>(view: &R::View, random: &mut JavaRandom) -> Option<R::Command> {
    let candidates = R::candidates(view);
    let mut leaves: Vec<&Template<R::Command, R::Event>> =
        candidates.leaves().filter(|leaf| !leaf.aside).map(|leaf| leaf.template).collect();
    random.shuffle(&mut leaves);
    let mut imagined = None;
    for template in leaves {
        let is_possible = match template.answer {
            Answer::Possible => true,
            Answer::Impossible { .. } => false,
            Answer::Untried | Answer::Uncertain => {
                let imagined = imagined.get_or_insert_with(|| R::imagine(view, random));
                imagined.as_ref().is_none_or(|imagined| imagined.refusal(&template.command).is_none())
            }
        };
        if is_possible {
            return Some(drawn::<R>(view, template, random));
        }
    }
    None
}

/// The command with random arguments.
fn drawn<R: Rulebook>(
    view: &R::View,
    template: &Template<R::Command, R::Event>,
    random: &mut JavaRandom,
) -> R::Command {
    let mut filled = template.clone();
    for at in 0..filled.arguments.len() {
        let argument = filled.arguments[at].clone();
        if let Some(value) = argument.draw(random) {
            let one = Template { arguments: alloc::vec![argument], ..filled.clone() };
            filled.command = one.fill(&[value]).expect("a drawn value is allowed");
        }
    }
    R::fill_free(view, &filled.command, random)
}
