//! The laws of offers, and whole games that are played by them.

use alloc::{collections::BTreeMap, string::ToString, vec::Vec};
use core::fmt;

use serde_json::Value;

use super::Trial;
use crate::{
    Answer, ArgumentForm, Audience, Cause, CommId, Input, JavaRandom, Message, OffersOf, Outbox, Rulebook, Template,
    TimerChange, random_command,
};

/// A template of a rulebook.
type TemplateOf<R> = Template<<R as Rulebook>::Command, <R as Rulebook>::Event>;

impl<R: Rulebook> Trial<R> {
    /// Checks the offers of a client now, and returns them:
    ///
    /// - The game that the client imagines has exactly the client's view.
    /// - The rules have answered everything, and there are no offers after the end.
    /// - The rules take what is possible, with the least and the greatest values of its arguments, too.
    /// - They refuse what is impossible with the promised refusal.
    /// - They take the sampled command, unless it is uncertain.
    pub fn check_offers(&self, client: CommId, random: &mut JavaRandom) -> OffersOf<R> {
        let view = self.view(client);
        let offers = R::offers(view);
        assert_eq!(offers, R::offers(&self.game.view(client)), "offers are a function of the view");
        if let Some(imagined) = R::imagine(view, random) {
            assert_eq!(imagined.game.view(imagined.client), *view, "an imagined game has the view of client {client}");
        }
        if self.game.outcome().is_some() {
            assert!(offers.offers.is_empty(), "there are no offers after the end: {offers:?}");
        }
        for leaf in offers.leaves() {
            self.check_template(client, leaf.template);
        }
        if let Some(command) = R::sample(view, random) {
            let refusal = self.refusal(client, &command);
            let uncertain = offers.leaves().any(|leaf| {
                leaf.template.answer == Answer::Uncertain && leaf.template.command.number() == command.number()
            });
            assert!(refusal.is_none() || uncertain, "the rules take a sampled command: {command:?}, {refusal:?}");
        }
        offers
    }

    fn check_template(&self, client: CommId, template: &TemplateOf<R>) {
        let kind = template.command.kind();
        for argument in &template.arguments {
            let known = kind.fields.iter().any(|field| field.name == argument.field);
            assert!(known, "{kind} has the argument {}", argument.field);
        }
        for command in fillings(template) {
            let refusal = self.refusal(client, &command);
            match &template.answer {
                Answer::Untried => panic!("the rules answer every offer: {command:?}"),
                Answer::Possible => assert!(refusal.is_none(), "possible is {command:?}, but: {refusal:?}"),
                Answer::Impossible { refusal: promised, words } => {
                    assert_eq!(refusal.as_ref(), Some(promised), "impossible is {command:?}");
                    assert!(!words.trim().is_empty(), "a refusal has words: {promised:?}");
                }
                Answer::Uncertain => {}
            }
        }
    }

    /// The event that refuses a command of a client now; `None` if the rules take it.
    pub fn refusal(&self, client: CommId, command: &R::Command) -> Option<R::Event> {
        let mut outbox = Outbox::new();
        let cause = Cause::Command { client, command: command.clone() };
        self.game.clone().fold(&Input { elapsed_ms: self.elapsed_ms, cause }, &mut outbox);
        let own = outbox.events().filter(|(audience, _)| *audience == Audience::Only(client));
        own.map(|(_, event)| event).find(|event| R::is_refusal(event)).cloned()
    }
}

/// The command as it is, and with the least and the greatest values of its arguments.
fn fillings<R: Message, E: Clone>(template: &Template<R, E>) -> Vec<R> {
    let mut commands = alloc::vec![template.command.clone()];
    for (at, argument) in template.arguments.iter().enumerate() {
        let values = match &argument.form {
            ArgumentForm::Range { least, most } => [Value::from(*least), Value::from(*most)],
            ArgumentForm::Text { least, most, .. } => [*least, *most].map(|length| Value::from("x".repeat(length))),
            ArgumentForm::Free { .. } => continue,
        };
        let one = Template { arguments: alloc::vec![template.arguments[at].clone()], ..template.clone() };
        let fill = |value: Value| one.fill(&[value]).expect("a command can be filled");
        commands.extend(values.map(fill));
    }
    commands
}

/// How often a random player does something beside the play: once in this many commands.
const ASIDE_EVERY: i32 = 40;
/// A timer fires before a command comes once in this many steps.
const TIMER_EVERY: i32 = 200;
/// Commands come within this time of each other, in milliseconds.
const LONGEST_THOUGHT_MS: i32 = 100;

/// Plays a whole game at random by offers and timers, and checks all laws: at every step those of [`Trial`], at every tenth
/// those of offers. Not all clients have to find a seat.
///
/// A game that is not over after `most` steps is left as it is. The coverage counts what happened.
pub fn explore<R: Rulebook>(
    setup: &R::Setup,
    seed: i64,
    clients: impl IntoIterator<Item = CommId>,
    most: u32,
    coverage: &mut Coverage,
) {
    let clients: Vec<CommId> = clients.into_iter().collect();
    let mut random = JavaRandom::new(seed);
    let mut trial = Trial::<R>::new(setup, seed, clients.iter().copied());
    let mut timers = Timers::default();
    timers.change(trial.outbox().timers(), 0);
    let mut elapsed_ms = 0;
    for step in 0..most {
        if trial.game().outcome().is_some() {
            break;
        }
        if step % 10 == 0 {
            clients.iter().for_each(|client| coverage.offered(&trial.check_offers(*client, &mut random)));
        }
        let Some(cause) = next_cause(&trial, &clients, &mut timers, &mut elapsed_ms, &mut random) else { break };
        coverage.count::<R>(&cause);
        trial.step(elapsed_ms, cause);
        timers.change(trial.outbox().timers(), elapsed_ms);
        trial.outbox().events().for_each(|(_, event)| coverage.tally("event", event.kind().name));
    }
    clients.iter().for_each(|client| coverage.offered(&trial.check_offers(*client, &mut random)));
    let end = trial.game().outcome();
    coverage.tally("end", &end.map_or_else(|| "none".into(), |end| end.to_string()));
    trial.finish();
}

/// The next input: a timer that is due, a command, or the next timer if no client has anything to do.
fn next_cause<R: Rulebook>(
    trial: &Trial<R>,
    clients: &[CommId],
    timers: &mut Timers<R::Timer>,
    elapsed_ms: &mut u64,
    random: &mut JavaRandom,
) -> Option<Cause<R::Command, R::Timer>> {
    *elapsed_ms += u64::from(random.next_below(LONGEST_THOUGHT_MS).cast_unsigned());
    let until = if random.next_below(TIMER_EVERY) == 0 { u64::MAX } else { *elapsed_ms };
    let mut timer = |until: u64| {
        let (due, timer) = timers.take_next(until)?;
        *elapsed_ms = due.max(*elapsed_ms);
        Some(Cause::Timer { timer })
    };
    timer(until).or_else(|| {
        let views: Vec<(CommId, &R::View)> = clients.iter().map(|client| (*client, trial.view(*client))).collect();
        let command = random_command::<R>(&views, Some(ASIDE_EVERY), random);
        command.map(|(client, command)| Cause::Command { client, command }).or_else(|| timer(u64::MAX))
    })
}

/// The timers of a game, as a host keeps them.
#[derive(Clone, Debug)]
pub struct Timers<T> {
    due: Vec<(u64, T)>,
}

impl<T> Default for Timers<T> {
    fn default() -> Self {
        Self { due: Vec::new() }
    }
}

impl<T: Clone + Eq> Timers<T> {
    /// Applies the changes that a fold made at this time.
    pub fn change(&mut self, changes: &[TimerChange<T>], elapsed_ms: u64) {
        for change in changes {
            self.due.retain(|(_, timer)| timer != change.timer());
            if let TimerChange::Set { timer, after_ms } = change {
                self.due.push((elapsed_ms.saturating_add(*after_ms), timer.clone()));
            }
        }
    }

    /// Takes the next timer that is due by then.
    pub fn take_next(&mut self, until: u64) -> Option<(u64, T)> {
        let next = self.due.iter().enumerate().min_by_key(|(_, (due, _))| *due).filter(|(_, (due, _))| *due <= until);
        let (at, _) = next?;
        Some(self.due.swap_remove(at))
    }
}

/// What happened in games that [`explore`] played: kinds of commands, offers, events, and ends, each with its number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    counts: BTreeMap<(&'static str, alloc::string::String), u64>,
}

impl Coverage {
    /// How often something happened. `what` is `command`, `possible`, `impossible`, `uncertain`, `event` or `end`; `name` is a
    /// kind, or an outcome in words.
    pub fn times(&self, what: &'static str, name: &str) -> u64 {
        self.counts.get(&(what, name.into())).copied().unwrap_or_default()
    }

    /// The kinds of a message that never happened.
    pub fn missing<M: Message>(&self, what: &'static str) -> Vec<&'static str> {
        M::KINDS.iter().map(|kind| kind.name).filter(|name| self.times(what, name) == 0).collect()
    }

    /// Names something that may happen, so that the text shows it even if it never does.
    pub fn name(&mut self, what: &'static str, name: &str) {
        self.counts.entry((what, name.into())).or_default();
    }

    /// Counts something that happened.
    pub fn tally(&mut self, what: &'static str, name: &str) {
        *self.counts.entry((what, name.into())).or_default() += 1;
    }

    fn count<R: Rulebook>(&mut self, cause: &Cause<R::Command, R::Timer>) {
        match cause {
            Cause::Command { command, .. } => self.tally("command", command.kind().name),
            Cause::Timer { timer } => self.tally("timer", &alloc::format!("{timer:?}")),
        }
    }

    fn offered<C: Message, E>(&mut self, offers: &crate::Offers<C, E>) {
        for leaf in offers.leaves() {
            let what = match leaf.template.answer {
                Answer::Untried | Answer::Uncertain => "uncertain",
                Answer::Possible => "possible",
                Answer::Impossible { .. } => "impossible",
            };
            self.tally(what, leaf.template.command.kind().name);
        }
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((what, name), count) in &self.counts {
            writeln!(f, "{what:10} {count:>9}  {name}")?;
        }
        Ok(())
    }
}
