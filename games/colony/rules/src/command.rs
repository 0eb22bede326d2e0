//! The commands of a client.

use alloc::sync::Arc;

use engine::{ArgumentError, JsonError, Kind, Message, from_arguments, from_json_by, messages};
use serde_json::Value;

use crate::ids::{CardId, CharacterId, Entrance, LocationId};

messages! {
    /// A command, with its arguments in the order of the published protocol.
    #[allow(missing_docs, reason = "the fields are named after their types")]
    pub enum Command {
        /// Takes part in the game under a name.
        Register { name: Arc<str> },
        /// Starts the game with the players who are there.
        StartGame {},
        /// Chooses two of the four characters that were offered.
        SelectCharacters { first: CharacterId, second: CharacterId },
        /// Moves a character to another location; with fuel (group edition) safely.
        Move { character: CharacterId, location: LocationId, fuel: Option<bool> },
        /// Kills a zombie at an entrance of the character's location.
        Attack { character: CharacterId, entrance: Entrance },
        /// Builds a barricade at an entrance of the character's location.
        Barricade { character: CharacterId, entrance: Entrance },
        /// Searches the character's location for cards.
        Search { character: CharacterId },
        /// Disposes of waste in the colony.
        CleanWaste { character: CharacterId },
        /// Gives a card to the crisis of the round.
        ContributeCard { card: CardId },
        /// Plays a card: FOOD and STUFF alone, all others with a character and a target.
        UseCard { card: CardId, character: Option<CharacterId>, target: Option<i32> },
        /// Uses a character's ability: FEED alone, all others on a target.
        UseAbility { character: CharacterId, target: Option<i32> },
        /// Ends the turn.
        EndTurn {},
        /// Leaves the game for good.
        Leave {},
        /// Answers a vote: true is the first of the two consequences.
        Vote { answer: bool },
        /// A command with too few or too many arguments, by the number of its kind. It is always refused.
        WrongArguments { command: u8, given: u8 },
    }
}

/// The kind that replaces a command with a wrong number of arguments. Clients cannot send this kind by its name.
const WRONG_ARGUMENTS: &str = "WrongArguments";

impl Command {
    /// Reads a command from JSON, with named or positional arguments. If fields are missing or the number of arguments is
    /// wrong, returns a command that the game refuses.
    ///
    /// # Errors
    /// If the text is not a command.
    pub fn from_json(text: &str) -> Result<Self, JsonError> {
        from_json_by(text, |kind| kind.name != WRONG_ARGUMENTS, Self::from_arguments)
    }

    /// Builds a command from its name and its arguments in order. If their number is wrong, returns a command that the game
    /// refuses.
    ///
    /// # Errors
    /// If clients cannot send a command of this name, or if an argument has the wrong type.
    pub fn from_arguments(name: &str, arguments: &[Value]) -> Result<Self, ArgumentError> {
        if name == WRONG_ARGUMENTS {
            return Err(ArgumentError::UnknownKind);
        }
        match from_arguments(name, arguments) {
            Err(ArgumentError::WrongNumber { kind }) => Ok(Self::wrong_arguments(kind, arguments.len())),
            other => other,
        }
    }

    fn wrong_arguments(kind: &Kind, given: usize) -> Self {
        let number = Self::KINDS.iter().position(|other| other.name == kind.name).unwrap_or_default();
        Self::WrongArguments {
            command: number.try_into().unwrap_or(u8::MAX),
            given: given.try_into().unwrap_or(u8::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString};

    use super::*;

    #[track_caller]
    fn check(json: &str, expected: &str) {
        let came = Command::from_json(json).map_or_else(|error| error.to_string(), |command| format!("{command:?}"));
        assert_eq!(came, expected, "{json}");
    }

    #[test]
    fn commands_in_json() {
        let search = "Search { character: CharacterId(5) }";
        check(r#"{"Search": {"character": 5}}"#, search);
        check(r#"["Search", 5]"#, search);
        check(r#"{"EndTurn": {}}"#, "EndTurn");
        check(r#"["EndTurn"]"#, "EndTurn");
        check(r#"{"Search": {}}"#, "WrongArguments { command: 6, given: 0 }");
        check(r#"["Search", 5, 6]"#, "WrongArguments { command: 6, given: 2 }");
        check(
            r#"{"UseCard": {"card": 1, "target": 2}}"#,
            "UseCard { card: CardId(1), character: None, target: Some(2) }",
        );

        check(r#"{"Search": {"charakter": 5}}"#, "Search has no field charakter; it is Search(character)");
        check(r#"{"EndTurn": {"now": true}}"#, "EndTurn has no field now; it is EndTurn()");
        check(r#"{"EndTurn": null}"#, r#"EndTurn is written {"EndTurn": {}}"#);
        check(r#""EndTurn""#, r#"EndTurn is written {"EndTurn": {}}"#);
        check(r#"{"Attack": 5}"#, r#"Attack is written {"Attack": {"character": .., "entrance": ..}}"#);

        let names = "Register, StartGame, SelectCharacters, Move, Attack, Barricade, Search, CleanWaste, ContributeCard, \
                     UseCard, UseAbility, EndTurn, Leave, Vote";
        for unknown in [r#"{"Serch": {"character": 5}}"#, r#"["Serch", 5]"#, r#""Serch""#] {
            check(unknown, &format!("there is no command Serch; there are {names}"));
        }
        check(r#"["WrongArguments", 1, 1]"#, &format!("there is no command WrongArguments; there are {names}"));
        let long = "x".repeat(1000);
        check(&format!("[{long:?}]"), &format!("there is no command {}; there are {names}", "x".repeat(40)));

        for wrong in ["null", "true", "5", "[]", "[5]", "{}", r#"{"EndTurn": {}, "Leave": {}}"#] {
            check(wrong, r#"a command is {"Name": {..}} or ["Name", arguments ..]"#);
        }
        let form = "invalid type: string \"x\", expected i32; it is Search(character)";
        check(r#"{"Search": {"character": "x"}}"#, form);
    }
}
