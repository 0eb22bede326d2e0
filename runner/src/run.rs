//! Plays a script and finds the first difference.

use std::fmt::Write as _;

use script::{Ending, EventPattern, EventWords, Expected, ReceivedEvent, Script, Step};

use crate::{
    play::{Act, Play, Want},
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
    let mut received = Vec::new();
    for (at, act) in play.acts.iter().enumerate() {
        play_step(&mut *game, play, at, act, &mut received)?;
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
            let (name, text) = (&client.name, cut(&text(&event, script, script.transcript.steps.len())));
            let message =
                format!("after the last step: {name} receives more\n  this line would match:\n      {name}: {text}");
            return Err(Failure::new(Outcome::Fail, message));
        }
    }
    Ok(())
}

/// The events so far, each with its client.
type Received = Vec<(u32, ReceivedEvent)>;

fn play_step(
    game: &mut dyn GameUnderTest,
    play: &Play<'_>,
    at: usize,
    act: &Act<'_>,
    received: &mut Received,
) -> Result<(), Failure> {
    let placed = |failure: Failure| Failure::new(failure.outcome, report(play, at, &failure.message));
    let (client, want) = match act {
        Act::Send { client, sent } => return game.send(*client, sent).map_err(placed),
        Act::Silence => return game.wait_for_deadline().map_err(placed),
        Act::Expect { client, want } => (*client, want),
    };
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
    let matching = match others.first() {
        Some((_, event)) => {
            let mut call = event.call(&script.scenario);
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
