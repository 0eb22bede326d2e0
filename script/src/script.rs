//! A scripted game that is ready to be played: a transcript, its scenario, and where each step was written.

use std::{fmt, sync::Arc};

use crate::{
    call::{Context, Side},
    client::Seating,
    names::Names,
    transcript::{Call, Expected, Step, Transcript},
};

/// A transcript with everything around it, from either form.
#[derive(Clone, Debug)]
pub struct Script {
    pub transcript: Transcript,
    /// The text of the scenario.
    pub scenario: String,
    /// Where the script is written.
    pub file: String,
    /// Where each step is written.
    pub places: Vec<Place>,
    /// What the things of the scenario are called; without any where the scenario has problems.
    pub names: Names,
}

/// Where a step is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Line {
        file: Arc<str>,
        line: usize,
    },
    /// Of a JSON transcript, from 1.
    Step {
        file: Arc<str>,
        step: usize,
    },
}

impl Script {
    /// `scenario` is the text that the transcript names or has.
    pub fn of_transcript(transcript: Transcript, scenario: String, file: &str) -> Self {
        let label: Arc<str> = file.into();
        let places = (1..=transcript.steps.len()).map(|step| Place::Step { file: label.clone(), step }).collect();
        let names = names_of(&scenario);
        Self { transcript, scenario, file: file.into(), places, names }
    }

    /// The step as a line of a script.
    pub fn line(&self, at: usize) -> String {
        let step = &self.transcript.steps[at];
        let client = self.transcript.client_name(step.client());
        let seating = self.seating(at);
        let context = self.context(&seating);
        match step {
            Step::Send { call, .. } => format!("{client}: {}", context.write(Side::Command, call)),
            Step::Expect { expected, .. } => format!("{client}: {}", expected_text(&context, expected)),
            Step::Silence { .. } => format!("{client}: silent"),
        }
    }

    /// An event as a script would have it at a step.
    pub fn event(&self, at: usize, event: &Call) -> String {
        let seating = self.seating(at);
        self.context(&seating).write(Side::Event, event)
    }

    fn seating(&self, at: usize) -> Seating {
        let mut seating = Seating::default();
        self.transcript.steps[..at].iter().for_each(|step| seating.follow(step));
        seating
    }

    fn context<'a>(&'a self, seating: &'a Seating) -> Context<'a> {
        Context { names: Some(&self.names), seating, clients: &self.transcript.clients }
    }
}

/// The names of a scenario, as far as its text is one.
pub(crate) fn names_of(scenario: &str) -> Names {
    colony::scenario::read(scenario).map_or_else(|_| Names::default(), |scenario| Names::of(&scenario))
}

pub(crate) fn expected_text(context: &Context<'_>, expected: &Expected) -> String {
    match expected {
        Expected::Any => "*".into(),
        Expected::Nothing => "nothing more".into(),
        Expected::Event(call) => context.write(Side::Event, call),
        Expected::Until(call) => format!("... {}", context.write(Side::Event, call)),
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { file, line } => write!(f, "{file}:{line}"),
            Self::Step { file, step } => write!(f, "{file}, step {step}"),
        }
    }
}
