//! Playing a transcript and finding the first difference.

use std::fmt::Write as _;

use colony::{EditionChoice, Setup};
use script::{Ending, Step, Transcript};

use crate::{
    local::Local,
    remote::{Remote, ServerCommand},
    table::Table,
};

/// How many steps a report shows before the one that failed.
const CONTEXT: usize = 6;

/// Plays a transcript, in process or against a server of its own. An error is what differed first and what led to it, over
/// several lines.
pub fn run(transcript: &Transcript, scenario: &str, server: Option<&ServerCommand>) -> Result<(), String> {
    let stranger = transcript.steps.iter().find(|step| !transcript.clients.contains(&step.client()));
    if let Some(step) = stranger {
        return Err(format!("client {} is not among the clients {:?}", step.client(), transcript.clients));
    }
    match server {
        Some(server) => play(&mut Remote::start(server, transcript, scenario)?, transcript, scenario),
        None => {
            let EditionChoice(edition) =
                transcript.edition.parse().map_err(|error| format!("edition {:?}: {error}", transcript.edition))?;
            let setup =
                Setup::new(scenario, edition, None).map_err(|error| format!("the scenario is refused: {error}"))?;
            play(&mut Local::start(&setup, transcript.seed), transcript, scenario)
        }
    }
}

fn play(table: &mut impl Table, transcript: &Transcript, scenario: &str) -> Result<(), String> {
    for (at, step) in transcript.steps.iter().enumerate() {
        take(table, step, scenario).map_err(|difference| report(transcript, at, &difference))?;
    }
    if transcript.end == Ending::Ended {
        table.ended().map_err(|difference| report(transcript, transcript.steps.len(), &difference))?;
    }
    Ok(())
}

fn take(table: &mut impl Table, step: &Step, scenario: &str) -> Result<(), String> {
    match step {
        Step::Send { client, command, arguments } => table.send(*client, command, arguments),
        Step::Expect { client, expected } => {
            let Some(came) = table.next(*client) else {
                return Err(format!("expected {expected}, but nothing came"));
            };
            if came.matches(expected, scenario) { Ok(()) } else { Err(format!("expected {expected}, but {came} came")) }
        }
    }
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
