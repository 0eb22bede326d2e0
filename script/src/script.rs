//! A script that is ready to run: a transcript, its scenario, and the place of each step.

use std::{fmt, sync::Arc};

use crate::{
    any::AnySetup,
    call::{Context, Side},
    client::Seating,
    game::ScriptedGame,
    names::Names,
    step::{Call, Step},
    transcript::Transcript,
    wanted::GameError,
};

/// A script, read from either form.
#[derive(Clone, Debug)]
pub struct Script {
    /// The game.
    pub game: &'static dyn ScriptedGame,
    /// The content of the script.
    pub transcript: Transcript,
    /// The text of the scenario.
    pub scenario: String,
    /// The file of the script.
    pub file: String,
    /// The place of each step.
    pub places: Vec<Place>,
    /// The names of the scenario's things; empty if the scenario has mistakes.
    pub names: Names,
}

/// The place of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a script.
    Line {
        /// The file. It may be an included file.
        file: Arc<str>,
        /// The number of the line, from 1.
        line: usize,
    },
    /// In a JSON transcript.
    Step {
        /// The file.
        file: Arc<str>,
        /// The number of the step, from 1.
        step: usize,
    },
}

impl Script {
    /// The script of a transcript; `scenario` is the text of its scenario.
    pub fn of_transcript(
        game: &'static dyn ScriptedGame,
        transcript: Transcript,
        scenario: String,
        file: &str,
    ) -> Self {
        let label: Arc<str> = file.into();
        let places = (1..=transcript.steps.len()).map(|step| Place::Step { file: label.clone(), step }).collect();
        let names = game.names(&scenario);
        Self { game, transcript, scenario, file: file.into(), places, names }
    }

    /// The setup of the game.
    ///
    /// # Errors
    ///
    /// If the scenario has mistakes.
    pub fn setup(&self) -> Result<AnySetup, GameError> {
        self.game.setup(&self.transcript.wanted(&self.scenario))
    }

    /// A step as a line of a script.
    pub fn line(&self, at: usize) -> String {
        let step = &self.transcript.steps[at];
        let client = self.transcript.client_name(step.client());
        let seating = self.seating(at);
        let context = self.context(&seating);
        match step {
            Step::Send { call, .. } => format!("{client}: {}", context.write(Side::Command, call)),
            Step::Expect { expected, .. } => format!("{client}: {}", context.write_expected(expected)),
            Step::Silence { .. } => format!("{client}: silent"),
        }
    }

    /// An event as a script writes it at this step.
    pub fn event(&self, at: usize, event: &Call) -> String {
        let seating = self.seating(at);
        self.context(&seating).write(Side::Event, event)
    }

    fn seating(&self, at: usize) -> Seating {
        let mut seating = Seating::new(self.game.seats(), &self.transcript.clients);
        self.transcript.steps[..at].iter().for_each(|step| seating.follow(step));
        seating
    }

    fn context<'a>(&'a self, seating: &'a Seating) -> Context<'a> {
        Context { game: self.game, names: Some(&self.names), seating, clients: &self.transcript.clients }
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
