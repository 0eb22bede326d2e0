//! Offers: the commands that a client can send now, with words for people, arguments, and reasons for what is not possible.
//!
//! One mechanism feeds pages, terminals, random players, simulations and tests of every game. A rulebook lists its
//! [candidates](crate::Rulebook::candidates); [`Rulebook::offers`](crate::Rulebook::offers) asks the rules themselves about
//! each of them, in an [imagined](crate::Rulebook::imagine) game.

mod form;
mod json;

use alloc::{collections::BTreeMap, string::String, vec::Vec};

pub use form::{Argument, ArgumentForm, FillError, fill, json_words};

use crate::Message;

/// A question with its answers. `C` are the commands, `E` the events of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offers<C, E> {
    /// The question. If there are no offers, it tells what the game waits for.
    pub title: String,
    /// The answers, in the order in which people read them.
    pub offers: Vec<Offer<C, E>>,
}

/// Something that a client can do, or a group of such things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer<C, E> {
    /// What a person reads, on a button or in a menu.
    pub label: String,
    /// Whether this stands beside the play: it starts, interrupts or gives up the game. Pages show it apart and ask again.
    /// Random players do not choose it.
    pub aside: bool,
    /// What the offer leads to.
    pub then: Then<C, E>,
}

/// What an offer leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Then<C, E> {
    /// The client sends this command.
    Send(Template<C, E>),
    /// The client answers another question. It may depend on this choice.
    Choose(Offers<C, E>),
}

/// A command to send. The client fills in the arguments first, if there are any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template<C, E> {
    /// The command. Each argument has an example of a value, so the command is valid as it is.
    pub command: C,
    /// The fields that the client fills in.
    pub arguments: Vec<Argument>,
    /// What the rules say, for all allowed values of the arguments.
    pub answer: Answer<E>,
}

/// What the rules say to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<E> {
    /// The rules have not been asked. This exists in [candidates](crate::Rulebook::candidates) only.
    Untried,
    /// The rules take it.
    Possible,
    /// The rules refuse it.
    Impossible {
        /// The event that the client would receive.
        refusal: E,
        /// The reason, for people.
        words: String,
    },
    /// It depends on facts that the client does not know.
    Uncertain,
}

impl<C, E> Offers<C, E> {
    /// A question with its answers.
    pub fn new(title: impl Into<String>, offers: impl IntoIterator<Item = Offer<C, E>>) -> Self {
        Self { title: title.into(), offers: offers.into_iter().collect() }
    }

    /// No offers; the title tells what the game waits for.
    pub fn none(title: impl Into<String>) -> Self {
        Self::new(title, [])
    }

    /// All commands that can be sent, each with its offer, in order.
    pub fn leaves(&self) -> Leaves<'_, C, E> {
        Leaves { open: self.offers.iter().rev().map(|offer| (offer, offer.aside)).collect() }
    }

    /// Calls a function with all commands that can be sent.
    pub fn for_each_mut(&mut self, change: &mut impl FnMut(&mut Template<C, E>)) {
        for offer in &mut self.offers {
            match &mut offer.then {
                Then::Send(template) => change(template),
                Then::Choose(offers) => offers.for_each_mut(change),
            }
        }
    }

    /// If no command is possible or uncertain, the most frequent reason.
    pub fn why_not(&self) -> Option<&str> {
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for offer in &self.offers {
            *reasons.entry(offer.why_not()?).or_default() += 1;
        }
        let most = reasons.into_iter().max_by_key(|(_, count)| *count).map(|(reason, _)| reason);
        Some(most.unwrap_or("There is nothing to choose from."))
    }
}

impl<C: Message, E> Offers<C, E> {
    /// One offer for each command, with the words of [`command_label`]. Commands of the same kind are grouped, in the order in which
    /// the kinds occur first. The question of a group is the doc comment of its kind.
    pub fn of_commands(title: impl Into<String>, commands: impl IntoIterator<Item = C>) -> Self {
        let mut groups: Vec<(&'static crate::Kind, Vec<Offer<C, E>>)> = Vec::new();
        for command in commands {
            let kind = command.kind();
            let offer = Offer::send(command_label(&command), command);
            match groups.iter_mut().find(|(known, _)| known.name == kind.name) {
                Some((_, offers)) => offers.push(offer),
                None => groups.push((kind, alloc::vec![offer])),
            }
        }
        if let [(_, only)] = &mut groups[..] {
            return Self::new(title, core::mem::take(only));
        }
        let group = |(kind, mut offers): (&'static crate::Kind, Vec<Offer<C, E>>)| match offers.pop() {
            Some(only) if offers.is_empty() => only,
            last => {
                offers.extend(last);
                Offer::choose(form::spaced(kind.name), Self::new(kind.about.trim(), offers))
            }
        };
        Self::new(title, groups.into_iter().map(group))
    }
}

/// The words of a command without better ones: its kind and its arguments, such as `Mark 4`.
pub fn command_label<C: Message>(command: &C) -> String {
    form::label(command)
}

impl<C, E> Offer<C, E> {
    /// A command, as it is.
    pub fn send(label: impl Into<String>, command: C) -> Self {
        Self::fill_in(label, command, [])
    }

    /// A command whose arguments the client fills in.
    pub fn fill_in(label: impl Into<String>, command: C, arguments: impl IntoIterator<Item = Argument>) -> Self {
        let arguments = arguments.into_iter().collect();
        let template = Template { command, arguments, answer: Answer::Untried };
        Self { label: label.into(), aside: false, then: Then::Send(template) }
    }

    /// A question that follows this choice.
    pub fn choose(label: impl Into<String>, offers: Offers<C, E>) -> Self {
        Self { label: label.into(), aside: false, then: Then::Choose(offers) }
    }

    /// The same offer [beside the play](Self::aside).
    #[must_use]
    pub fn aside(self) -> Self {
        Self { aside: true, ..self }
    }

    /// The same offer with an answer, for a rulebook that knows it without asking the rules.
    #[must_use]
    pub fn answered(mut self, answer: &Answer<E>) -> Self
    where
        E: Clone,
    {
        match &mut self.then {
            Then::Send(template) => template.answer = answer.clone(),
            Then::Choose(offers) => offers.for_each_mut(&mut |template| template.answer = answer.clone()),
        }
        self
    }

    /// The reason why this is not possible now; `None` if it may be possible.
    pub fn why_not(&self) -> Option<&str> {
        match &self.then {
            Then::Send(Template { answer: Answer::Impossible { words, .. }, .. }) => Some(words),
            Then::Send(_) => None,
            Then::Choose(offers) => offers.why_not(),
        }
    }
}

/// The commands that offers lead to. See [`Offers::leaves`].
#[derive(Debug)]
pub struct Leaves<'o, C, E> {
    /// The offers to visit, the next one last, and whether they stand beside the play.
    open: Vec<(&'o Offer<C, E>, bool)>,
}

/// A command that offers lead to.
#[derive(Debug)]
pub struct Leaf<'o, C, E> {
    /// The label of the last choice.
    pub label: &'o str,
    /// Whether the command, or a choice on the way to it, stands [beside the play](Offer::aside).
    pub aside: bool,
    /// The command.
    pub template: &'o Template<C, E>,
}

impl<'o, C, E> Iterator for Leaves<'o, C, E> {
    type Item = Leaf<'o, C, E>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (offer, aside) = self.open.pop()?;
            match &offer.then {
                Then::Send(template) => return Some(Leaf { label: &offer.label, aside, template }),
                Then::Choose(offers) => {
                    self.open.extend(offers.offers.iter().rev().map(|inner| (inner, aside || inner.aside)));
                }
            }
        }
    }
}
