//! A game as a transcript sees it, wherever it is played.

use script::Expected;
use serde_json::Value;

/// An event that a client was told, in the published protocol's form.
#[derive(Clone, Debug, PartialEq)]
pub struct Came {
    pub name: String,
    pub arguments: Vec<Value>,
}

/// Plays one game for the clients of a transcript.
pub trait Table {
    /// Sends a command. When it returns, everything that it makes the server say is there.
    fn send(&mut self, client: u32, command: &str, arguments: &[Value]) -> Result<(), String>;

    /// The next event that the client has not looked at.
    fn next(&mut self, client: u32) -> Option<Came>;

    /// After the last step: whether the game is over, with nothing left to look at.
    fn ended(&mut self) -> Result<(), String>;
}

impl Came {
    pub fn matches(&self, expected: &Expected, scenario: &str) -> bool {
        let Expected::Event { name, arguments } = expected else { return true };
        if self.name != *name {
            return false;
        }
        if name == "CommandFailed" {
            // The words are the server's to choose, but there must be some.
            let worded = self.arguments.iter().all(|text| text.as_str().is_some_and(|text| !text.is_empty()));
            return worded && !self.arguments.is_empty() && (arguments.is_empty() || *arguments == self.arguments);
        }
        let expected = arguments.iter().map(|argument| match argument.as_str() {
            Some("$SCENARIO") => Value::from(scenario),
            _ => argument.clone(),
        });
        expected.eq(self.arguments.iter().cloned())
    }
}

impl std::fmt::Display for Came {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Expected::Event { name: self.name.clone(), arguments: self.arguments.clone() }.fmt(f)
    }
}
