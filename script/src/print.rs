//! Writes a transcript as the text of a script.

use std::fmt::Write;

use crate::{
    call::{Context, Side},
    client::{Client, Seating},
    game::ScriptedGame,
    names::Names,
    step::Step,
    transcript::{Ending, ScenarioText, Transcript},
};

/// Writes a transcript as a script. Parsing the text gives the same transcript.
pub fn print(game: &dyn ScriptedGame, transcript: &Transcript, names: &Names) -> String {
    let mut text = header(transcript);
    let mut seating = Seating::new(game.seats(), &transcript.clients);
    let mut steps = transcript.steps.as_slice();
    while let Some(step) = steps.first() {
        let context = Context { game, names: Some(names), seating: &seating, clients: &transcript.clients };
        let all = seating.all().len();
        let (line, taken) = match step {
            Step::Send { call, .. } => {
                (format!("\n{}: {}", transcript.client_name(step.client()), context.write(Side::Command, call)), 1)
            }
            Step::Silence { client } => (format!("\n{}: silent", transcript.client_name(*client)), 1),
            Step::Expect { client, expected } => {
                let told = |step: &Step, client: u32| *step == Step::Expect { client, expected: expected.clone() };
                let to_all = all > 1
                    && all <= steps.len()
                    && steps.iter().zip(seating.all()).all(|(step, &client)| told(step, client));
                let who = if to_all { "all".into() } else { transcript.client_name(*client) };
                (format!("  {who}: {}", context.write_expected(expected)), if to_all { all } else { 1 })
            }
        };
        writeln!(text, "{line}").expect("a string takes everything");
        for _ in 0..taken {
            seating.follow(&steps[0]);
            steps = &steps[1..];
        }
    }
    text.push_str(&ending(&transcript.end));
    text
}

fn header(transcript: &Transcript) -> String {
    let mut text = format!("name: {}\n", plain(&transcript.name));
    let mut line = |key: &str, value: &str| writeln!(text, "{key}: {value}").expect("a string takes everything");
    if !transcript.tags.is_empty() {
        line("tags", &transcript.tags.join(", "));
    }
    if let Some(rulebook) = &transcript.rulebook {
        line("rulebook", &plain(rulebook));
    }
    line("edition", &plain(&transcript.edition));
    match &transcript.scenario {
        ScenarioText::File(name) => line("scenario", &plain(name)),
        ScenarioText::Text(json) if is_line_of_json(json) => line("scenario", json),
        ScenarioText::Text(text) => line("scenario text", &quoted(text)),
    }
    line("seed", &transcript.seed.to_string());
    if let Some(seconds) = transcript.timeout {
        line("timeout", &seconds.to_string());
    }
    if !transcript.clients.is_empty() {
        line("players", &players(&transcript.clients));
    }
    text
}

/// Writes the players. A number is written only if it does not count up from 1.
fn players(clients: &[Client]) -> String {
    let mut next = 1;
    let mut words = Vec::new();
    for Client { number, name } in clients {
        words.push(if *number == next { name.clone() } else { format!("{name}={number}") });
        next = number.wrapping_add(1);
    }
    words.join(", ")
}

fn ending(end: &Ending) -> String {
    match end {
        Ending::Any => String::new(),
        Ending::Ended => "\nserver ends\n".into(),
        Ending::Refused { code, message } => {
            let code = code.map(|code| format!(" with {code}")).unwrap_or_default();
            let message = if message.is_empty() { String::new() } else { format!(" {}", quoted(message)) };
            format!("\nserver refuses{code}{message}\n")
        }
    }
}

/// Writes a value of the header, in quotation marks if the parser would otherwise misread it.
fn plain(value: &str) -> String {
    let safe = value == value.trim()
        && !value.is_empty()
        && !value.starts_with(['"', '{'])
        && !value.contains('#')
        && !value.contains(char::is_control);
    if safe { value.to_owned() } else { quoted(value) }
}

/// Whether a scenario needs no quotation marks in the header.
fn is_line_of_json(scenario: &str) -> bool {
    scenario.starts_with('{')
        && !scenario.contains(['\n', '\r'])
        && scenario == scenario.trim()
        && serde_json::from_str::<serde_json::Value>(scenario).is_ok()
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
