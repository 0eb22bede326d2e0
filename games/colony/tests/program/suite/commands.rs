//! Compares the one-pass reader of colony's JSON commands with a simple reader that builds values.

use std::error::Error;

use colony::script::generate;
use colony_rules::{Command, Edition, Game, Setup};
use engine::{ArgumentError, Cause, JavaRandom, Message, Rulebook, arguments, from_arguments, laws::Trial};
use serde_json::{Value, json};

use super::chaos::Chaos;

const GAMES: i64 = 100;
const LONGEST: usize = 300;
/// The number of changed texts for each command.
const MUTANTS: usize = 12;
/// Pieces that replace parts of a text.
const PIECES: &[&str] = &[
    "",
    " ",
    "0",
    "-",
    "1e1",
    "1.5",
    "2147483648",
    "18446744073709551616",
    "null",
    "true",
    "\"",
    "\\u0061",
    "\\",
    "{",
    "}",
    "{}",
    "[",
    "]",
    ",",
    ":",
    ",5",
    "\"character\":7,",
    "\"character\":7}}",
    "\"card\":null,",
    "EndTurn",
    "WrongArguments",
    "é",
];

#[test]
fn one_pass_reads_what_values_say() {
    let mut seen = Seen::default();
    for seed in 0..GAMES {
        let edition = [Edition::Group, Edition::Equipment, Edition::Fate][seed as usize % 3];
        let setup = Setup::new(&generate::scenario(edition, seed), Some(edition), None).expect("a sound scenario");
        let mut random = JavaRandom::new(seed);
        for command in commands(&setup, seed) {
            let positional: Vec<Value> = [command.kind().name.into()].into_iter().chain(arguments(&command)).collect();
            for text in [json!(command).to_string(), json!(positional).to_string()] {
                seen.count(&text);
                for _ in 0..MUTANTS {
                    seen.count(&mutated(&text, &mut random));
                }
            }
        }
    }
    let Seen { commands, wrong, refused } = seen;
    assert!(commands > 10_000 && wrong > 500 && refused > 10_000, "{commands} commands, {wrong}, {refused} refused");
}

/// Counts of the texts that were read.
#[derive(Default)]
struct Seen {
    commands: usize,
    wrong: usize,
    refused: usize,
}

impl Seen {
    fn count(&mut self, text: &str) {
        let read = Command::from_json(text).map_err(|error| error.to_string());
        assert_eq!(read, by_values(text).map_err(|error| error.to_string()), "{text}");
        match read {
            Ok(Command::WrongArguments { .. }) => self.wrong += 1,
            Ok(_) => self.commands += 1,
            Err(_) => self.refused += 1,
        }
    }
}

fn commands(setup: &Setup, seed: i64) -> Vec<Command> {
    let mut chaos = Chaos::new(setup, seed);
    let mut trial = Trial::<Game>::new(setup, seed, chaos.clients());
    let mut commands = Vec::new();
    while commands.len() < LONGEST && trial.game().outcome().is_none() {
        if let Cause::Command { client, command } = chaos.next(&trial) {
            trial.step(0, Cause::Command { client, command: command.clone() });
            commands.push(command);
        }
    }
    commands
}

/// A copy of the text in which a part is missing, doubled or replaced: characters, or whole names and values.
fn mutated(text: &str, random: &mut JavaRandom) -> String {
    let mut below = |count: usize| random.next_below(count as i32) as usize;
    let by_character = below(2) == 0;
    let mut parts: Vec<&str> = match by_character {
        true => text.split_inclusive(|_: char| true).collect(),
        false => text.split_inclusive(['{', '}', '[', ']', ',', ':']).collect(),
    };
    for _ in 0..=below(2) {
        let at = below(parts.len() + 1);
        let until = (at + below(3)).min(parts.len());
        let other = parts.get(below(parts.len() + 1)).copied();
        let piece = Some(PIECES[below(PIECES.len())]);
        parts.splice(at..until, if below(2) == 0 { other } else { piece });
    }
    parts.concat()
}

/// A simple reader with the same results, which builds a `Value` for everything.
fn by_values(text: &str) -> Result<Command, Box<dyn Error>> {
    let value: Value = serde_json::from_str(text)?;
    let kinds = || Command::KINDS.iter().filter(|kind| kind.name != "WrongArguments");
    let known = |name: &str| {
        let names = || kinds().map(|kind| kind.name).collect::<Vec<_>>().join(", ");
        let short: String = name.chars().take(40).collect();
        let found = kinds().find(|kind| kind.name == name);
        found.ok_or_else(|| format!("there is no command {short}; there are {}", names()))
    };
    let no_command = || Err(r#"a command is {"Name": {..}} or ["Name", arguments ..]"#.into());
    let (name, body) = match &value {
        Value::Array(list) => match list.split_first() {
            Some((Value::String(name), arguments)) => return in_order(known(name)?.name, arguments),
            Some(_) | None => return no_command(),
        },
        Value::Object(tagged) if tagged.len() == 1 => tagged.iter().next().expect("there is one"),
        Value::String(name) => (name, &Value::Null),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return no_command(),
    };
    let kind = known(name)?;
    let Value::Object(fields) = body else {
        let fields: Vec<String> = kind.fields.iter().map(|field| format!("\"{}\": ..", field.name)).collect();
        return Err(format!("{name} is written {{\"{name}\": {{{}}}}}", fields.join(", ")).into());
    };
    if let Some(unknown) = fields.keys().find(|key| !kind.fields.iter().any(|field| field.name == *key)) {
        let short: String = unknown.chars().take(40).collect();
        return Err(format!("{name} has no field {short}; it is {kind}").into());
    }
    let arguments: Vec<Value> = kind.fields.iter().map_while(|field| fields.get(field.name).cloned()).collect();
    if arguments.len() == fields.len() {
        return in_order(name, &arguments);
    }
    serde_json::from_value(value.clone()).map_err(|error| format!("{error}; it is {kind}").into())
}

fn in_order(name: &str, arguments: &[Value]) -> Result<Command, Box<dyn Error>> {
    match from_arguments(name, arguments) {
        Err(ArgumentError::WrongNumber { kind }) => {
            let number = Command::KINDS.iter().position(|other| other.name == kind.name).expect("it has a number");
            let given = arguments.len().try_into().unwrap_or(u8::MAX);
            Ok(Command::WrongArguments { command: number.try_into().expect("few kinds"), given })
        }
        other => Ok(other?),
    }
}
