//! A script that is prepared to be played many times. While it runs, nothing is looked up or parsed.

use engine::ArgumentError;
use script::{AnyCommand, AnySetup, Call, EventPattern, Expected, GameError, Script, Step};

/// A script and its prepared steps.
#[derive(Debug)]
pub struct Play<'s> {
    /// The script.
    pub script: &'s Script,
    /// The setup of the game, or the reason why the scenario is refused.
    pub setup: Result<AnySetup, GameError>,
    pub(crate) acts: Vec<Act<'s>>,
}

#[derive(Debug)]
pub(crate) enum Act<'s> {
    Send { client: u32, sent: Sent<'s> },
    Silence,
    Expect { client: u32, want: Want },
}

/// A command in both forms.
#[derive(Debug)]
pub struct Sent<'s> {
    /// The command in the script.
    pub call: &'s Call,
    /// The command of the rules, or the reason why the call is not a command.
    pub command: Result<AnyCommand, ArgumentError>,
}

#[derive(Debug)]
pub(crate) enum Want {
    Any,
    Nothing,
    One(Box<dyn EventPattern>),
    Until(Box<dyn EventPattern>),
    /// An event with variables, which are known only while the game is played.
    Bound {
        call: Call,
        until: bool,
    },
    AnyOrder(Vec<Call>),
    Never {
        never: Call,
        until: Call,
    },
}

impl<'s> Play<'s> {
    /// Prepares a script.
    pub fn new(script: &'s Script) -> Self {
        let game = script.game;
        let acts = script.transcript.steps.iter().map(|step| match step {
            Step::Send { client, call } => {
                Act::Send { client: *client, sent: Sent { call, command: game.command(call) } }
            }
            Step::Silence { .. } => Act::Silence,
            Step::Expect { client, expected } => {
                let want = match expected {
                    Expected::Any => Want::Any,
                    Expected::Nothing => Want::Nothing,
                    Expected::Event(call) if call.has_variables() => Want::Bound { call: call.clone(), until: false },
                    Expected::Until(call) if call.has_variables() => Want::Bound { call: call.clone(), until: true },
                    Expected::Event(call) => Want::One(game.pattern(call)),
                    Expected::Until(call) => Want::Until(game.pattern(call)),
                    Expected::AnyOrder(calls) => Want::AnyOrder(calls.clone()),
                    Expected::Never { never, until } => Want::Never { never: never.clone(), until: until.clone() },
                };
                Act::Expect { client: *client, want }
            }
        });
        Self { script, setup: script.setup(), acts: acts.collect() }
    }
}
