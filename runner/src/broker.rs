//! Plays games for tests that are programs: JSON lines in and out, one game at a time.
//!
//! A test kit in another language starts `systest broker` and sends requests. Each gets one answer: `{"ok": ..}`, or
//! `{"failure": {"verdict": "TIME_OUT", "message": ".."}}`. So these tests have the same targets and the same verdicts as scripts.
//!
//! | request | answer |
//! |---|---|
//! | `{"start": {"scenario": "winter", "seed": 7, "players": ["Ana"]}}` | the scenario's text; also `rulebook`, `edition`, `timeout`, `file` |
//! | `{"refuses": {.., "code": 1, "message": "words"}}` | whether the server refuses this scenario |
//! | `{"send": {"client": "Ana", "command": ["Move", 1, 20]}}` | null, when all events that it causes are there |
//! | `{"silence": null}` | null, when the time of a player is up |
//! | `{"next": "Ana"}` | the next event, `["Moved", 1, 20]`, or null |
//! | `{"ended": null}` | null, if the game is over |

use std::{
    io::{BufRead, Write},
    path::Path,
};

use script::{AUTO, Call, Client, Ending, Games, ScenarioText, Script, Sources, THE_SCENARIO, Transcript};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    files::Beside,
    play::{Play, Sent},
    target::{Failure, GameUnderTest, Outcome, Target},
};

/// A request of a test.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Request {
    Start(Start),
    Refuses(Start),
    Send { client: String, command: Vec<Value> },
    Silence(()),
    Next(String),
    Ended(()),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    rulebook: Option<String>,
    edition: Option<String>,
    /// A built-in name, a path beside `file`, or the text.
    scenario: String,
    seed: i64,
    timeout: Option<u32>,
    #[serde(default)]
    players: Vec<String>,
    /// The file of the test.
    #[serde(default)]
    file: String,
    /// Of a scenario that is refused.
    code: Option<i32>,
    #[serde(default)]
    message: String,
}

/// Answers the requests of a test until there are no more.
///
/// # Errors
/// If the answers cannot be written.
pub fn answer(
    games: &Games,
    target: &dyn Target,
    requests: &mut dyn BufRead,
    answers: &mut dyn Write,
) -> std::io::Result<()> {
    let mut next = read(requests)?;
    while let Some(request) = next {
        next = match request {
            Ok(Request::Start(start)) => play(games, target, &start, requests, answers)?,
            Ok(Request::Refuses(start)) => {
                let refused = script(games, &start)
                    .and_then(|script| target.refuses(&Play::new(&script), start.code, &start.message));
                say(answers, refused.map(|()| Value::Null))?;
                read(requests)?
            }
            Ok(Request::Send { .. } | Request::Silence(()) | Request::Next(_) | Request::Ended(())) => {
                say(answers, Err(usage("no game has been started")))?;
                read(requests)?
            }
            Err(wrong) => {
                say(answers, Err(wrong))?;
                read(requests)?
            }
        };
    }
    Ok(())
}

type Read = Option<Result<Request, Failure>>;

fn read(requests: &mut dyn BufRead) -> std::io::Result<Read> {
    let mut line = String::new();
    if requests.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    Ok(Some(serde_json::from_str(&line).map_err(|error| usage(&format!("{}: {error}", line.trim_end())))))
}

fn say(answers: &mut dyn Write, answer: Result<Value, Failure>) -> std::io::Result<()> {
    let message = match answer {
        Ok(value) => json!({ "ok": value }),
        Err(failure) => json!({"failure": {"verdict": failure.outcome.name(), "message": failure.message}}),
    };
    writeln!(answers, "{message}")?;
    answers.flush()
}

fn usage(message: &str) -> Failure {
    Failure::new(Outcome::Fail, message)
}

/// Plays one game. Returns the request after it.
fn play(
    games: &Games,
    target: &dyn Target,
    start: &Start,
    requests: &mut dyn BufRead,
    answers: &mut dyn Write,
) -> std::io::Result<Read> {
    let script = match script(games, start) {
        Ok(script) => script,
        Err(failure) => {
            say(answers, Err(failure))?;
            return read(requests);
        }
    };
    let play = Play::new(&script);
    let mut game = match target.open(&play) {
        Ok(game) => game,
        Err(failure) => {
            say(answers, Err(failure))?;
            return read(requests);
        }
    };
    say(answers, Ok(script.scenario.as_str().into()))?;
    loop {
        let answer = match read(requests)? {
            Some(Ok(request @ (Request::Start(_) | Request::Refuses(_)))) => return Ok(Some(Ok(request))),
            None => return Ok(None),
            Some(Err(wrong)) => Err(wrong),
            Some(Ok(Request::Send { client, command })) => send(&script, &mut *game, &client, &command),
            Some(Ok(Request::Silence(()))) => game.wait_for_deadline().map(|()| Value::Null),
            Some(Ok(Request::Next(client))) => number(&script, &client)
                .and_then(|client| game.next(client))
                .map(|event| event.map_or(Value::Null, |event| written(&script, event.call(&script.scenario)))),
            Some(Ok(Request::Ended(()))) => game.ended().map(|()| Value::Null),
        };
        say(answers, answer)?;
    }
}

fn send(script: &Script, game: &mut dyn GameUnderTest, client: &str, command: &[Value]) -> Result<Value, Failure> {
    let client = number(script, client)?;
    let [Value::String(name), arguments @ ..] = command else {
        return Err(usage("a command is [\"Name\", argument, ..]"));
    };
    let call = Call { name: name.clone(), arguments: arguments.to_vec() };
    let sent = Sent { command: script.game.command(&call), call: &call };
    game.send(client, &sent).map(|()| Value::Null)
}

fn number(script: &Script, client: &str) -> Result<u32, Failure> {
    let known = script.transcript.clients.iter().find(|known| known.name == client);
    known.map(|known| known.number).ok_or_else(|| usage(&format!("there is no player {client}")))
}

fn written(script: &Script, call: Call) -> Value {
    let text = |value: Value| if value == THE_SCENARIO { script.scenario.as_str().into() } else { value };
    std::iter::once(call.name.into()).chain(call.arguments.into_iter().map(text)).collect()
}

/// A script without steps.
fn script(games: &Games, start: &Start) -> Result<Script, Failure> {
    let game = games.find(start.rulebook.as_deref()).map_err(|none| usage(&none.to_string()))?;
    let edition = start.edition.clone().unwrap_or_else(|| AUTO.into());
    script::check_edition(game, &edition).map_err(|error| usage(&error.to_string()))?;
    let file = Path::new(&start.file);
    let (name, scenario) = if start.scenario.trim_start().starts_with('{') {
        (ScenarioText::Text(start.scenario.clone()), start.scenario.clone())
    } else {
        let text = Beside(file).scenario(game, &start.scenario).map_err(|error| usage(&error.to_string()))?;
        (ScenarioText::File(start.scenario.clone()), text)
    };
    let clients = start.players.iter().zip(1..).map(|(name, number)| Client { number, name: name.clone() }).collect();
    let transcript = Transcript {
        name: start.file.clone(),
        tags: Vec::new(),
        rulebook: start.rulebook.clone(),
        edition,
        seed: start.seed,
        timeout: start.timeout,
        clients,
        scenario: name,
        steps: Vec::new(),
        end: Ending::Any,
    };
    Ok(Script::of_transcript(game, transcript, scenario, &start.file))
}
