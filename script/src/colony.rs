//! Colony's commands and events in positional form.

use colony::{Command, Event};
use engine::{ArgumentError, Message, arguments, from_arguments, from_json_by};
use serde_json::Value;

/// What a wrong number of arguments is read as; nobody sends it by its name.
const WRONG_ARGUMENTS: &str = "WrongArguments";

/// The command of a step. A wrong number of arguments is a command too: one that the game refuses.
pub fn command(name: &str, arguments: &[Value]) -> Result<Command, ArgumentError> {
    if name == WRONG_ARGUMENTS {
        return Err(ArgumentError::UnknownKind);
    }
    match from_arguments(name, arguments) {
        Err(ArgumentError::WrongNumber { kind }) => {
            let number = Command::KINDS.iter().position(|other| other.name == kind.name).unwrap_or_default();
            Ok(Command::WrongArguments {
                command: number.try_into().unwrap_or(u8::MAX),
                given: arguments.len().try_into().unwrap_or(u8::MAX),
            })
        }
        other => other,
    }
}

/// A command in JSON. Too few fields, or a wrong number of arguments, are a command that the game refuses.
pub fn json_command(value: &Value) -> Result<Command, String> {
    from_json_by(value, |kind| kind.name != WRONG_ARGUMENTS, command)
}

/// The arguments of an event as the published protocol has them: the scenario's text, and the words of a refusal.
pub fn event_arguments(event: &Event, scenario: &str) -> Vec<Value> {
    if let Event::CommandFailed { refusal } = event {
        return vec![refusal.to_string().into()];
    }
    if *event == (Event::Config {}) { vec![scenario.into()] } else { arguments(event) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, expected: &str) {
        let value = serde_json::from_str(json).expect("JSON");
        let came = json_command(&value).map_or_else(|words| words, |command| format!("{command:?}"));
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
