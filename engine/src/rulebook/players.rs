//! Random players: which client does what next, for games without bots, simulations and tests.

use alloc::vec::Vec;

use serde_json::Value;

use crate::{Answer, ArgumentForm, CommId, JavaRandom, Message, Rulebook, Template};

/// A command of a random client that can send one. Something [beside the play](crate::Offer::aside) comes only if no client has
/// anything else to do, and with `asides` once in so many commands. `None` if no client can do anything.
pub fn random_command<R: Rulebook>(
    clients: &[(CommId, &R::View)],
    asides: Option<i32>,
    random: &mut JavaRandom,
) -> Option<(CommId, R::Command)> {
    let mut order = clients.to_vec();
    random.shuffle(&mut order);
    let aside =
        |random: &mut JavaRandom| order.iter().find_map(|(client, view)| Some((*client, aside::<R>(view, random)?)));
    if asides.is_some_and(|asides| random.next_below(asides) == 0)
        && let Some(found) = aside(random)
    {
        return Some(found);
    }
    let sampled = order.iter().find_map(|(client, view)| Some((*client, R::sample(view, random)?)));
    sampled.or_else(|| aside(random))
}

/// A random possible command beside the play.
fn aside<R: Rulebook>(view: &R::View, random: &mut JavaRandom) -> Option<R::Command> {
    let offers = R::offers(view);
    let asides = offers.leaves().filter(|leaf| leaf.aside && leaf.template.answer == Answer::Possible);
    let asides: Vec<&R::Command> = asides.map(|leaf| &leaf.template.command).collect();
    let count = i32::try_from(asides.len()).ok().filter(|count| *count > 0)?;
    asides.get(random.next_below(count) as usize).map(|command| (*command).clone())
}

/// The command with the name of the player, if the client is asked for a name in such a command.
pub fn with_name<R: Rulebook>(view: &R::View, command: R::Command, name: &str) -> R::Command {
    let candidates = R::candidates(view);
    let same = candidates.leaves().filter(|leaf| leaf.template.command.number() == command.number());
    let mut names = same.flat_map(|leaf| &leaf.template.arguments);
    let argument = names.find(|argument| matches!(argument.form, ArgumentForm::Text { name: true, .. })).cloned();
    let Some(argument) = argument else { return command };
    let template: Template<R::Command, R::Event> =
        Template { command, arguments: alloc::vec![argument], answer: Answer::Untried };
    template.fill(&[Value::from(name)]).unwrap_or(template.command)
}
