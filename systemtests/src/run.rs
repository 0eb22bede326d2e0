//! Playing a transcript and finding the first difference.

use std::fmt::Write as _;

use colony::{EditionChoice, Event, Setup};
use engine::{CommId, Message};
use script::{Ending, Expected, Step, Transcript, command, event_arguments};
use serde_json::Value;

use crate::local::Local;

/// How many steps a report shows before the one that failed.
const CONTEXT: usize = 6;

/// Plays a transcript. An error is what differed first and what led to it, over several lines.
pub fn run(transcript: &Transcript, scenario: &str) -> Result<(), String> {
    let EditionChoice(edition) =
        transcript.edition.parse().map_err(|error| format!("edition {:?}: {error}", transcript.edition))?;
    let setup = Setup::new(scenario, edition, None).map_err(|error| format!("the scenario is refused: {error}"))?;
    let stranger = transcript.steps.iter().find(|step| !transcript.clients.contains(&step.client()));
    if let Some(step) = stranger {
        return Err(format!("client {} is not among the clients {:?}", step.client(), transcript.clients));
    }
    let mut local = Local::start(&setup, transcript.seed);
    for (at, step) in transcript.steps.iter().enumerate() {
        play(&mut local, step, scenario).map_err(|difference| report(transcript, at, &difference))?;
    }
    if transcript.end == Ending::Ended {
        let at = transcript.steps.len();
        if let Some((client, event)) = local.left_over().next() {
            let more = format!("client {client} is told more: {}", shown(event, scenario));
            return Err(report(transcript, at, &more));
        }
        if !local.is_over() {
            return Err(report(transcript, at, "the game is not over"));
        }
    }
    Ok(())
}

fn play(local: &mut Local, step: &Step, scenario: &str) -> Result<(), String> {
    match step {
        Step::Send { client, command: name, arguments } => {
            let command = command(name, arguments).map_err(|error| format!("no command {name}: {error}"))?;
            local.send(CommId(*client), command);
            Ok(())
        }
        Step::Expect { client, expected } => {
            let Some(event) = local.next(CommId(*client)) else {
                return Err(format!("expected {expected}, but nothing came"));
            };
            if matches(expected, &event, scenario) {
                return Ok(());
            }
            Err(format!("expected {expected}, but {} came", shown(&event, scenario)))
        }
    }
}

fn matches(expected: &Expected, event: &Event, scenario: &str) -> bool {
    let Expected::Event { name, arguments } = expected else { return true };
    if event.kind().name != name {
        return false;
    }
    let came = event_arguments(event, scenario);
    if matches!(event, Event::CommandFailed { .. }) {
        // The words are ours to choose, but there must be some.
        return came.iter().all(|text| text.as_str().is_some_and(|text| !text.is_empty()))
            && (arguments.is_empty() || *arguments == came);
    }
    let expected = arguments.iter().map(|argument| match argument.as_str() {
        Some("$SCENARIO") => Value::from(scenario),
        _ => argument.clone(),
    });
    expected.eq(came)
}

fn shown(event: &Event, scenario: &str) -> String {
    Expected::Event { name: event.kind().name.into(), arguments: event_arguments(event, scenario) }.to_string()
}

fn report(transcript: &Transcript, at: usize, difference: &str) -> String {
    let mut report = match transcript.steps.get(at) {
        Some(step) => format!("step {} ({step}): {difference}", at + 1),
        None => format!("after the last step: {difference}"),
    };
    for before in &transcript.steps[at.saturating_sub(CONTEXT)..at] {
        write!(report, "\n    {before}").expect("writing to a string");
    }
    report
}
