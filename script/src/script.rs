//! A scripted game that is ready to be played: a transcript, its scenario, and where each step was written.

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

/// A transcript with everything around it, from either form.
#[derive(Clone, Debug)]
pub struct Script {
    /// Which game is played.
    pub game: &'static dyn ScriptedGame,
    /// What happens.
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
    /// In a script.
    Line {
        /// The file, which may be an included one.
        file: Arc<str>,
        /// From 1.
        line: usize,
    },
    /// In a JSON transcript.
    Step {
        /// The file.
        file: Arc<str>,
        /// From 1.
        step: usize,
    },
}

impl Script {
    /// `scenario` is the text that the transcript names or has.
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

    /// What the game is played with.
    ///
    /// # Errors
    ///
    /// When there is no such game: the scenario has problems.
    pub fn setup(&self) -> Result<AnySetup, GameError> {
        self.game.setup(&self.transcript.wanted(&self.scenario))
    }

    /// The step as a line of a script.
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

    /// An event as a script would have it at a step.
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
