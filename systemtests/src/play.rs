//! A script made ready to be played many times: nothing is looked up or parsed any more while it runs.

use script::{AnyCommand, AnySetup, Call, EventPattern, Expected, Script, Step};

/// A script and what its steps mean to the engine.
#[derive(Debug)]
pub struct Play<'s> {
    /// The script.
    pub script: &'s Script,
    /// What the game is played with, or why there is none.
    pub setup: Result<AnySetup, String>,
    pub(crate) acts: Vec<Act<'s>>,
}

#[derive(Debug)]
pub(crate) enum Act<'s> {
    Send { client: u32, sent: Sent<'s> },
    Silence,
    Expect { client: u32, want: Want },
}

/// A command on its way, in both forms.
#[derive(Debug)]
pub struct Sent<'s> {
    /// As the script has it.
    pub call: &'s Call,
    /// As the engine has it, or why it is none.
    pub command: Result<AnyCommand, String>,
}

#[derive(Debug)]
pub(crate) enum Want {
    Any,
    Nothing,
    One(Box<dyn EventPattern>),
    Until(Box<dyn EventPattern>),
}

impl<'s> Play<'s> {
    /// Makes a script ready.
    pub fn new(script: &'s Script) -> Self {
        let game = script.game;
        let acts = script.transcript.steps.iter().map(|step| match step {
            Step::Send { client, call } => {
                let command = game.command(call).map_err(|error| format!("no command {}: {error}", call.name));
                Act::Send { client: *client, sent: Sent { call, command } }
            }
            Step::Silence { .. } => Act::Silence,
            Step::Expect { client, expected } => {
                let want = match expected {
                    Expected::Any => Want::Any,
                    Expected::Nothing => Want::Nothing,
                    Expected::Event(call) => Want::One(game.pattern(call)),
                    Expected::Until(call) => Want::Until(game.pattern(call)),
                };
                Act::Expect { client: *client, want }
            }
        });
        let setup = script.setup().map_err(|error| error.to_string());
        Self { script, setup, acts: acts.collect() }
    }
}
