//! A script made ready to be played many times: nothing is looked up or parsed any more while it runs.

use std::fmt::{self, Write as _};

use colony::{Command, EditionChoice, Event, Setup};
use engine::from_arguments;
use script::{ANY_VALUE, Call, Expected, Script, Step, THE_SCENARIO, command};
use serde_json::Value;

use crate::table::{Told, Words};

/// A script and what its steps mean to the engine.
#[derive(Debug)]
pub struct Play<'s> {
    pub script: &'s Script,
    /// What the game is played with, or why there is none.
    pub setup: Result<Setup, String>,
    pub(crate) acts: Vec<Act<'s>>,
}

#[derive(Debug)]
pub(crate) enum Act<'s> {
    Send { client: u32, sent: Sent<'s> },
    Silence,
    Expect { client: u32, want: Want<'s> },
}

/// A command on its way, in both forms.
#[derive(Debug)]
pub struct Sent<'s> {
    pub call: &'s Call,
    /// As the engine has it, or why it is none.
    pub command: Result<Command, String>,
}

#[derive(Debug)]
pub(crate) enum Want<'s> {
    Any,
    Nothing,
    One(Pattern<'s>),
    Until(Pattern<'s>),
}

/// What an event must be like.
#[derive(Debug)]
pub(crate) enum Pattern<'s> {
    Exact(Event),
    /// A refusal, in any words or in these.
    Failed(Option<&'s str>),
    /// The scenario, as it is or in this text.
    Config(&'s str),
    /// Anything else, compared argument by argument.
    Loose(&'s Call),
}

impl<'s> Play<'s> {
    pub fn new(script: &'s Script) -> Self {
        let acts = script.transcript.steps.iter().map(|step| match step {
            Step::Send { client, call } => {
                let command = command(&call.name, &call.arguments);
                let command = command.map_err(|error| format!("no command {}: {error}", call.name));
                Act::Send { client: *client, sent: Sent { call, command } }
            }
            Step::Silence { .. } => Act::Silence,
            Step::Expect { client, expected } => {
                let want = match expected {
                    Expected::Any => Want::Any,
                    Expected::Nothing => Want::Nothing,
                    Expected::Event(call) => Want::One(Pattern::of(call, &script.scenario)),
                    Expected::Until(call) => Want::Until(Pattern::of(call, &script.scenario)),
                };
                Act::Expect { client: *client, want }
            }
        });
        Self { script, setup: setup(script), acts: acts.collect() }
    }
}

fn setup(script: &Script) -> Result<Setup, String> {
    let transcript = &script.transcript;
    let EditionChoice(edition) =
        transcript.edition.parse().map_err(|error| format!("edition {:?}: {error}", transcript.edition))?;
    let timeout = transcript.timeout.map(|seconds| u64::from(seconds) * 1000);
    Setup::new(&script.scenario, edition, timeout).map_err(|error| error.to_string())
}

impl<'s> Pattern<'s> {
    fn of(call: &'s Call, scenario: &'s str) -> Self {
        match (call.name.as_str(), call.arguments.as_slice()) {
            ("CommandFailed", []) => Self::Failed(None),
            ("CommandFailed", [Value::String(text)]) if text != ANY_VALUE => Self::Failed(Some(text)),
            ("Config", [Value::String(text)]) if text == THE_SCENARIO => Self::Config(scenario),
            ("Config", [Value::String(text)]) if text != ANY_VALUE => Self::Config(text),
            ("Config" | "CommandFailed", _) => Self::Loose(call),
            (name, arguments) => from_arguments(name, arguments).map_or(Self::Loose(call), Self::Exact),
        }
    }

    pub(crate) fn matches(&self, told: &Told, scenario: &str) -> bool {
        match (self, &told.event) {
            (Self::Exact(event), told) => event == told,
            // The words are the server's to choose, but there must be some.
            (Self::Failed(expected), Event::CommandFailed { refusal }) => match &told.words {
                Words::Ours => expected.map_or_else(|| says_something(refusal), |text| refusal.to_string() == text),
                Words::Sent(Some(text)) => !text.is_empty() && expected.is_none_or(|expected| expected == text),
                Words::Sent(None) => false,
            },
            (Self::Config(expected), Event::Config {}) => match &told.words {
                Words::Ours => *expected == scenario,
                Words::Sent(text) => text.as_deref() == Some(*expected),
            },
            (Self::Loose(call), _) => {
                let came = told.call(scenario);
                let fits = |(expected, came): (&Value, &Value)| expected == ANY_VALUE || expected == came;
                came.name == call.name
                    && came.arguments.len() == call.arguments.len()
                    && call.arguments.iter().zip(&came.arguments).all(fits)
            }
            (Self::Failed(_) | Self::Config(_), _) => false,
        }
    }
}

/// Whether there are words at all, found without writing them down.
fn says_something(words: &impl fmt::Display) -> bool {
    struct Stop;
    impl fmt::Write for Stop {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            if text.is_empty() { Ok(()) } else { Err(fmt::Error) }
        }
    }
    write!(Stop, "{words}").is_err()
}
