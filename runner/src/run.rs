//! Plays a script and finds the first difference.

use std::{collections::BTreeMap, fmt::Write as _};

use engine::json_differences;
use script::{
    ANY_VALUE, Call, Ending, EventPattern, EventWords, Expected, ReceivedEvent, Script, Step, is_open, narrowed,
    variable_name,
};
use serde_json::Value;

use crate::{
    play::{Act, Play, Sent, Want},
    target::{Failure, GameUnderTest, Outcome, Target},
};

/// The maximum number of a client's events that a report shows.
const RECENT: usize = 6;

/// Plays a script.
///
/// # Errors
/// The first difference and the events before it, in several lines; or the failure of the target.
pub fn run(play: &Play<'_>, target: &dyn Target) -> Result<(), Failure> {
    let transcript = &play.script.transcript;
    if let Ending::Refused { code, message } = &transcript.end {
        return target.refuses(play, *code, message);
    }
    let known = |client: u32| transcript.clients.iter().any(|known| known.number == client);
    if let Some(step) = transcript.steps.iter().find(|step| !known(step.client())) {
        let message = format!("client {} is not among the clients", step.client());
        return Err(Failure::new(Outcome::Fail, message));
    }
    let mut game = target.open(play)?;
    let mut seen = Seen::default();
    for (at, act) in play.acts.iter().enumerate() {
        play_step(&mut *game, play, at, act, &mut seen)?;
    }
    if transcript.end == Ending::Ended {
        // An unexpected event explains the failure better than the message that the game is not over.
        check_queues_empty(&mut *game, play)?;
        let late =
            |failure: Failure| Failure::new(failure.outcome, format!("after the last step: {}", failure.message));
        game.ended().map_err(late)?;
        check_queues_empty(&mut *game, play)?;
    }
    Ok(())
}

fn check_queues_empty(game: &mut dyn GameUnderTest, play: &Play<'_>) -> Result<(), Failure> {
    let script = play.script;
    for client in &script.transcript.clients {
        if let Some(event) = game.next(client.number)? {
            let call = without_long_values(&event.call(&script.scenario));
            let (name, text) = (&client.name, cut(&script.event(script.transcript.steps.len(), &call)));
            let message =
                format!("after the last step: {name} receives more\n  this line would match:\n      {name}: {text}");
            return Err(Failure::new(Outcome::Fail, message));
        }
    }
    Ok(())
}

/// The events so far, each with its client.
type Received = Vec<(u32, ReceivedEvent)>;

/// What a run has seen.
#[derive(Default)]
struct Seen {
    received: Received,
    variables: BTreeMap<String, Value>,
}

impl Seen {
    /// The call with the values of its variables; unknown ones match any value.
    fn fill(&self, call: &Call) -> Call {
        call.map(|argument| match variable_name(argument) {
            Some(name) => self.variables.get(name).cloned().unwrap_or_else(|| ANY_VALUE.into()),
            None => argument.clone(),
        })
    }

    /// Binds the unknown variables of a call to the arguments of the event that came.
    fn bind(&mut self, call: &Call, came: &Call) {
        for (argument, value) in call.arguments.iter().zip(&came.arguments) {
            if let Some(name) = variable_name(argument) {
                self.variables.entry(name.to_owned()).or_insert_with(|| value.clone());
            }
        }
    }
}

fn play_step(
    game: &mut dyn GameUnderTest,
    play: &Play<'_>,
    at: usize,
    act: &Act<'_>,
    seen: &mut Seen,
) -> Result<(), Failure> {
    let placed = |failure: Failure| Failure::new(failure.outcome, report(play, at, &failure.message));
    let (client, want) = match act {
        Act::Send { client, sent } if sent.call.has_variables() => {
            let call = seen.fill(sent.call);
            let sent = Sent { command: play.script.game.command(&call), call: &call };
            return game.send(*client, &sent).map_err(placed);
        }
        Act::Send { client, sent } => return game.send(*client, sent).map_err(placed),
        Act::Silence => return game.wait_for_deadline().map_err(placed),
        Act::Expect { client, want } => (*client, want),
    };
    match want {
        Want::Bound { call, until } => {
            let pattern = play.script.game.pattern(&seen.fill(call));
            let pattern = Box::new(Consistent { pattern, call: call.clone() });
            let want = if *until { Want::Until(pattern) } else { Want::One(pattern) };
            take(game, play, at, (client, &want), &mut seen.received)?;
            let came = seen.received.last().map(|(_, event)| event.call(&play.script.scenario));
            came.iter().for_each(|came| seen.bind(call, came));
            Ok(())
        }
        Want::AnyOrder(calls) => {
            let calls: Vec<Call> = calls.iter().map(|call| seen.fill(call)).collect();
            take_all(game, play, at, (client, &calls), &mut seen.received)
        }
        Want::Never { never, until } => {
            let (never, until) = (seen.fill(never), seen.fill(until));
            skip(game, play, at, (client, &never, &until), &mut seen.received)
        }
        Want::Any | Want::Nothing | Want::One(_) | Want::Until(_) => {
            take(game, play, at, (client, want), &mut seen.received)
        }
    }
}

/// A pattern in which a variable that occurs twice has the same value at both places.
#[derive(Debug)]
struct Consistent {
    pattern: Box<dyn EventPattern>,
    call: Call,
}

impl EventPattern for Consistent {
    fn matches(&self, told: &ReceivedEvent, scenario: &str) -> bool {
        let came = told.call(scenario);
        let pairs = || self.call.arguments.iter().zip(&came.arguments);
        let agrees = |(argument, value): (&Value, &Value)| {
            variable_name(argument).is_none()
                || pairs().all(|(other, other_value)| other != argument || other_value == value)
        };
        self.pattern.matches(told, scenario) && pairs().all(agrees)
    }
}

/// Takes so many events, which must be these in any order.
fn take_all(
    game: &mut dyn GameUnderTest,
    play: &Play<'_>,
    at: usize,
    (client, calls): (u32, &[Call]),
    received: &mut Received,
) -> Result<(), Failure> {
    let placed = |failure: Failure| Failure::new(failure.outcome, report(play, at, &failure.message));
    let from = received.len();
    while received.len() < from + calls.len() {
        let Some(event) = game.next(client).map_err(placed)? else { break };
        received.push((client, event));
    }
    let patterns: Vec<Box<dyn EventPattern>> = calls.iter().map(|call| play.script.game.pattern(call)).collect();
    let scenario = &play.script.scenario;
    let fits = |pattern: usize, event: usize| patterns[pattern].matches(&received[from + event].1, scenario);
    let missing = unmatched(calls.len(), received.len() - from, &fits);
    match missing.first() {
        None => Ok(()),
        Some(&missing) => {
            let came = received.split_off(from);
            let missed = play.script.event(at, &calls[missing]);
            let what = match came.len() {
                0 => "nothing".to_owned(),
                count => format!("{count} events, and none of them is {missed}"),
            };
            Err(difference(play, at, &what, &came, received))
        }
    }
}

/// Pairs patterns with events, each with one that fits. Returns the patterns that are left.
fn unmatched(patterns: usize, events: usize, fits: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    /// Finds an event for a pattern; other patterns may get another event instead.
    fn place(
        pattern: usize,
        fits: &dyn Fn(usize, usize) -> bool,
        of_event: &mut [Option<usize>],
        tried: &mut [bool],
    ) -> bool {
        for event in 0..of_event.len() {
            if tried[event] || !fits(pattern, event) {
                continue;
            }
            tried[event] = true;
            if of_event[event].is_none_or(|other| place(other, fits, of_event, tried)) {
                of_event[event] = Some(pattern);
                return true;
            }
        }
        false
    }
    let mut of_event = vec![None; events];
    (0..patterns).filter(|&pattern| !place(pattern, fits, &mut of_event, &mut vec![false; events])).collect()
}

/// Skips events up to `until`. None of them may be `never`.
fn skip(
    game: &mut dyn GameUnderTest,
    play: &Play<'_>,
    at: usize,
    (client, never, until): (u32, &Call, &Call),
    received: &mut Received,
) -> Result<(), Failure> {
    let placed = |failure: Failure| Failure::new(failure.outcome, report(play, at, &failure.message));
    let [never, until] = [never, until].map(|call| play.script.game.pattern(call));
    let scenario = &play.script.scenario;
    loop {
        let Some(event) = game.next(client).map_err(placed)? else {
            return Err(difference(play, at, "nothing more, and `until` has not come", &[], received));
        };
        if until.matches(&event, scenario) {
            received.push((client, event));
            return Ok(());
        }
        if never.matches(&event, scenario) {
            let came = text(&event, play.script, at);
            return Err(difference(play, at, &came, &[(client, event)], received));
        }
        received.push((client, event));
    }
}

fn take(
    game: &mut dyn GameUnderTest,
    play: &Play<'_>,
    at: usize,
    (client, want): (u32, &Want),
    received: &mut Received,
) -> Result<(), Failure> {
    let placed = |failure: Failure| Failure::new(failure.outcome, report(play, at, &failure.message));
    let skipped_from = received.len();
    loop {
        let event = game.next(client).map_err(placed)?;
        let fits = |pattern: &dyn EventPattern, event: &ReceivedEvent| pattern.matches(event, &play.script.scenario);
        match (want, event) {
            (Want::Nothing, None) => return Ok(()),
            (Want::Any, Some(event)) => {
                received.push((client, event));
                return Ok(());
            }
            (Want::One(pattern) | Want::Until(pattern), Some(event)) if fits(&**pattern, &event) => {
                received.push((client, event));
                return Ok(());
            }
            (Want::Until(_), Some(event)) => received.push((client, event)),
            (Want::Until(_), None) => {
                let passed = received.split_off(skipped_from);
                let came = match passed.len() {
                    0 => "nothing".into(),
                    1 => "no such event; 1 other event was skipped".into(),
                    many => format!("no such event; {many} other events were skipped"),
                };
                return Err(difference(play, at, &came, &passed, received));
            }
            (Want::One(_) | Want::Nothing, Some(event)) => {
                let came = text(&event, play.script, at);
                return Err(difference(play, at, &came, &[(client, event)], received));
            }
            (Want::One(_) | Want::Any, None) => return Err(difference(play, at, "nothing", &[], received)),
            (Want::Bound { .. } | Want::AnyOrder(_) | Want::Never { .. }, _) => return Ok(()),
        }
    }
}

/// Describes a difference at a step: `came` describes the event that the client received instead, `others` are the unexpected
/// events, and `received` are the events before them.
fn difference(play: &Play<'_>, at: usize, came: &str, others: &[(u32, ReceivedEvent)], received: &Received) -> Failure {
    let script = play.script;
    let client = script.transcript.steps[at].client();
    let name = script.transcript.client_name(client);
    let line = script.line(at);
    let expected = line.strip_prefix(&format!("{name}: ")).unwrap_or(&line);
    let mut text = format!("{name} received something else\n  expected: {}\n  came:     {}", cut(expected), cut(came));
    if matches!(&script.transcript.steps[at], Step::Expect { expected: Expected::Until(_), .. }) {
        for (_, event) in others.iter().take(RECENT) {
            write!(text, "\n      {}", cut(&self::text(event, script, at))).expect("a string takes everything");
        }
        if others.len() > RECENT {
            text.push_str("\n      ..");
        }
    }
    let wanted = match &script.transcript.steps[at] {
        Step::Expect { expected: Expected::Event(call) | Expected::Until(call), .. } => Some(call),
        Step::Expect { .. } | Step::Send { .. } | Step::Silence { .. } => None,
    };
    // Among events that were skipped, one of the expected kind says most.
    let calls: Vec<Call> = others.iter().map(|(_, event)| event.call(&script.scenario)).collect();
    let is_wanted = |call: &&Call| wanted.is_some_and(|wanted| wanted.name == call.name);
    let nearest = calls.iter().rev().find(is_wanted).or(calls.first());
    if let Some((wanted, came)) = wanted.zip(nearest.filter(is_wanted)) {
        write_differences(script, wanted, came, &mut text);
    }
    let matching = match nearest {
        Some(call) => {
            let mut call = without_long_values(call);
            if script.game.worded(&call.name) == Some(EventWords::Own) {
                call.arguments.clear();
            }
            script.event(at, &call)
        }
        None => "nothing more".into(),
    };
    write!(text, "\n  this line would match:\n      {name}: {}", cut(&matching)).expect("a string takes everything");
    let recent: Vec<&ReceivedEvent> =
        received.iter().rev().filter(|(whose, _)| *whose == client).map(|(_, event)| event).take(RECENT).collect();
    if recent.is_empty() {
        write!(text, "\n  {name} received nothing before").expect("a string takes everything");
    } else {
        write!(text, "\n  {name} received before:").expect("a string takes everything");
    }
    for event in recent.iter().rev() {
        write!(text, "\n      {}", cut(&self::text(event, script, at))).expect("a string takes everything");
    }
    if let Some(sent) = (0..at).rev().find(|&at| !matches!(script.transcript.steps[at], Step::Expect { .. })) {
        write!(text, "\n  after {}", script.line(sent)).expect("a string takes everything");
    }
    Failure::new(Outcome::Fail, report(play, at, &text))
}

/// Appends the places at which an event of the expected kind differs.
fn write_differences(script: &Script, wanted: &Call, came: &Call, text: &mut String) {
    let kind = script.game.events().iter().find(|kind| kind.name == came.name);
    let field = |at: usize| match kind.filter(|kind| script.game.worded(kind.name).is_none()) {
        Some(kind) => kind.fields.get(at).map_or("?", |field| field.name),
        None => "text",
    };
    let as_object = |values: Vec<Value>| -> Value {
        values.into_iter().enumerate().map(|(at, value)| (field(at).to_owned(), value)).collect()
    };
    let narrow = |(expected, came): (&Value, &Value)| narrowed(expected, came);
    let compared: Vec<Value> = wanted.arguments.iter().zip(&came.arguments).map(narrow).collect();
    let is_open_end = wanted.arguments.last().is_some_and(is_open);
    let more = came.arguments.get(compared.len()..).filter(|_| !is_open_end).unwrap_or_default().to_vec();
    let came = as_object(compared.into_iter().chain(more).collect());
    let lines = json_differences(&as_object(wanted.arguments.clone()), &came);
    for line in lines.iter().take(RECENT) {
        write!(text, "\n    {line}").expect("a string takes everything");
    }
    if lines.len() > RECENT {
        write!(text, "\n    .. and {} more", lines.len() - RECENT).expect("a string takes everything");
    }
}

/// The call with a `_` for every value that is too long for a line.
fn without_long_values(call: &Call) -> Call {
    const LONG: usize = 60;
    let short = |value: &Value| {
        let is_long = (value.is_object() || value.is_array()) && value.to_string().chars().count() > LONG;
        if is_long { ANY_VALUE.into() } else { value.clone() }
    };
    Call { name: call.name.clone(), arguments: call.arguments.iter().map(short).collect() }
}

/// An event as a script writes it at a step.
fn text(event: &ReceivedEvent, script: &Script, at: usize) -> String {
    script.event(at, &event.call(&script.scenario))
}

/// A message with the place and the line of the step.
fn report(play: &Play<'_>, at: usize, message: &str) -> String {
    format!("{}: {}\n{message}", play.script.places[at], cut(&play.script.line(at)))
}

/// Shortens a text, which may contain a whole scenario.
fn cut(text: &str) -> String {
    const LONGEST: usize = 100;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ..", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each row is a pattern with the events that fit it.
    #[test]
    fn any_order() {
        let check = |rows: &[&[usize]], events: usize, left: &[usize]| {
            let fits = |pattern: usize, event: usize| rows[pattern].contains(&event);
            assert_eq!(unmatched(rows.len(), events, &fits), left, "{rows:?}");
        };
        check(&[&[1], &[0]], 2, &[]);
        // The first fits both, and must leave one for the second.
        check(&[&[0, 1], &[0]], 2, &[]);
        check(&[&[0, 1, 2], &[0, 1], &[0]], 3, &[]);
        check(&[&[0], &[0]], 2, &[1]);
        check(&[&[0], &[]], 1, &[1]);
        check(&[], 0, &[]);
    }
}
