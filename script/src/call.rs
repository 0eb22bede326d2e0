//! A command or an event as a line of a script has it: names where the transcript has numbers.

use colony::{Command, Event};
use engine::{ArgumentError, Field, Kind as MessageKind, Message, from_arguments};
use serde_json::Value;

use crate::{
    client::{Client, Seating},
    names::{Kind, Names, is_bare},
    problem::suggest,
    token::{Line, Token, TokenKind},
    transcript::{ANY_VALUE, Call, THE_SCENARIO},
};

/// Whether a client says it or is told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Command,
    Event,
}

/// What names mean at one place of a script.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    /// `None`: the scenario cannot be read, which is said elsewhere.
    pub(crate) names: Option<&'a Names>,
    pub(crate) seating: &'a Seating,
    pub(crate) clients: &'a [Client],
}

/// What is wrong in a line.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) width: usize,
    pub(crate) message: String,
    pub(crate) help: String,
}

impl Fault {
    pub(crate) fn new(token: &Token, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { at: token.at, width: token.width, message: message.into(), help: help.into() }
    }
}

impl Side {
    /// What can be sent by its name, or told in the published protocol.
    pub(crate) fn kinds(self) -> &'static [MessageKind] {
        let (all, beyond) = match self {
            Self::Command => (Command::KINDS, "WrongArguments"),
            Self::Event => (Event::KINDS, "Registered"),
        };
        let end = all.iter().position(|kind| kind.name == beyond).unwrap_or(all.len());
        &all[..end]
    }

    fn kind(self, name: &str) -> Option<&'static MessageKind> {
        self.kinds().iter().find(|kind| kind.name == name)
    }
}

impl Context<'_> {
    /// Reads a name and its arguments.
    pub(crate) fn read(&self, side: Side, name: &Token, arguments: &[Token]) -> Result<Call, Fault> {
        let Some(word) = name.word() else {
            return Err(Fault::new(name, "here stands the name of a command or an event", ""));
        };
        if let Some(raw) = word.strip_prefix('!') {
            return read_raw(raw, name, arguments);
        }
        let Some(kind) = side.kind(word) else { return Err(unknown(side, name, word)) };
        let mut values = Vec::new();
        for (at, token) in arguments.iter().enumerate() {
            let field = kind.fields.get(at).or_else(|| worded(word).filter(|_| at == 0));
            let Some(field) = field else { return Err(wrong_number(side, kind, name)) };
            values.push(self.value(side, kind, field, &values, token)?);
        }
        if word == "Config" && values.is_empty() {
            values.push(THE_SCENARIO.into());
        }
        let call = Call { name: word.into(), arguments: values };
        let wild = call.arguments.iter().any(|value| value == ANY_VALUE);
        if worded(word).is_none() && (!wild || call.arguments.len() < kind.least()) {
            let checked = match side {
                Side::Command => from_arguments::<Command>(word, &call.arguments).map(drop),
                Side::Event => from_arguments::<Event>(word, &call.arguments).map(drop),
            };
            match checked {
                Ok(()) => {}
                Err(ArgumentError::WrongForm { error, .. }) => return Err(Fault::new(name, error, form(kind))),
                Err(ArgumentError::WrongNumber { .. } | ArgumentError::UnknownKind) => {
                    return Err(wrong_number(side, kind, name));
                }
            }
        }
        Ok(call)
    }

    /// Writes a call so that reading it gives the same again.
    pub(crate) fn write(&self, side: Side, call: &Call) -> String {
        if let Some(kind) = side.kind(&call.name) {
            let text = self.write_named(side, kind, call);
            if let Ok(line) = Line::read(&text)
                && line.comment.is_none()
                && self.read(side, &line.tokens[0], &line.tokens[1..]).is_ok_and(|same| same == *call)
            {
                return text;
            }
        }
        let name = if is_bare(&call.name) { call.name.clone() } else { Value::from(call.name.as_str()).to_string() };
        call.arguments.iter().fold(format!("!{name}"), |text, value| format!("{text} {value}"))
    }

    fn write_named(&self, side: Side, kind: &MessageKind, call: &Call) -> String {
        let mut text = call.name.clone();
        for (at, value) in call.arguments.iter().enumerate() {
            if call.name == "Config" && value == THE_SCENARIO {
                continue;
            }
            let field = kind.fields.get(at).or_else(|| worded(kind.name));
            text.push(' ');
            match (value, field) {
                (Value::String(any), _) if side == Side::Event && any == ANY_VALUE => text.push('_'),
                (Value::String(word), Some(_)) if is_bare(word) => text.push_str(word),
                (Value::Number(number), Some(field)) => {
                    let number = number.as_i64().and_then(|number| i32::try_from(number).ok());
                    match number.and_then(|number| self.name_of(kind, field, &call.arguments, number)) {
                        Some(name) => text.push_str(&name),
                        None => text.push_str(&value.to_string()),
                    }
                }
                _ => text.push_str(&value.to_string()),
            }
        }
        text
    }

    fn name_of(&self, kind: &MessageKind, field: &Field, values: &[Value], number: i32) -> Option<String> {
        if base(field) == "PlayerId" {
            let client = self.seating.client_of(usize::try_from(number).ok()?)?;
            return self.clients.iter().find(|other| other.number == client).map(|client| client.name.clone());
        }
        let names = self.names?;
        names.name(named(names, kind, field, values)?, number).map(str::to_owned)
    }

    fn value(
        &self,
        side: Side,
        kind: &MessageKind,
        field: &Field,
        before: &[Value],
        token: &Token,
    ) -> Result<Value, Fault> {
        let is_text = ["Arc<str>", "Refusal"].contains(&base(field));
        let word = match &token.kind {
            TokenKind::Json(value) => return Ok(value.clone()),
            TokenKind::Quoted(text) if is_text => return Ok(text.as_str().into()),
            TokenKind::Quoted(text) => text.as_str(),
            TokenKind::Word if side == Side::Event && token.raw == "_" => return Ok(ANY_VALUE.into()),
            TokenKind::Word if is_text && is_bare(&token.raw) => return Ok(token.raw.as_str().into()),
            TokenKind::Word if is_text => {
                return Err(Fault::new(token, format!("{} is a text", field.name), "in quotation marks it is one"));
            }
            TokenKind::Word => match serde_json::from_str::<Value>(&token.raw) {
                Ok(value) => return Ok(value),
                Err(_) => token.raw.as_str(),
            },
        };
        if base(field) == "PlayerId" {
            let client = self.clients.iter().find(|client| client.name == word).ok_or_else(|| {
                let known = self.clients.iter().map(|client| client.name.as_str());
                Fault::new(token, format!("there is no player {word}"), suggest(word, known))
            })?;
            let player = self.seating.player_of(client.number).ok_or_else(|| {
                let message = format!("{word} has no number as a player yet");
                Fault::new(token, message, format!("it has one after the line `{word}: Config`"))
            })?;
            return Ok(player.into());
        }
        if ["FoodChange", "MoralChange"].contains(&base(field)) {
            return Ok(word.into());
        }
        // Without a scenario nothing has a name; what is wrong with the scenario has been said.
        let Some(names) = self.names else { return Ok(ANY_VALUE.into()) };
        let Some(named) = named(names, kind, field, before) else {
            let what = if base(field) == "bool" { "true or false" } else { "a number" };
            return Err(Fault::new(token, format!("{word} is not {what}"), form(kind)));
        };
        names.id(named, word).map(Into::into).map_err(|(message, help)| Fault::new(token, message, help))
    }
}

/// An event that carries words although the engine's own has none.
fn worded(name: &str) -> Option<&'static Field> {
    const WORDS: Field = Field { name: "text", form: "Arc<str>" };
    ["Config", "CommandFailed"].contains(&name).then_some(&WORDS)
}

/// What the number of a field stands for.
fn named(names: &Names, kind: &MessageKind, field: &Field, before: &[Value]) -> Option<Kind> {
    match base(field) {
        "CharacterId" => Some(Kind::Character),
        "LocationId" => Some(Kind::Location),
        "CardId" => Some(Kind::Card),
        "CrisisId" => Some(Kind::Crisis),
        "FateId" => Some(Kind::Fate),
        "i32" if field.name == "target" => {
            let first = before.first()?.as_i64()?.try_into().ok()?;
            if kind.name.contains("Card") { names.card_target(first) } else { names.ability_target(first) }
        }
        _ => None,
    }
}

/// The type of a field, given or not.
fn base(field: &Field) -> &str {
    field.form.strip_prefix("Option<").and_then(|form| form.strip_suffix('>')).unwrap_or(field.form)
}

fn form(kind: &MessageKind) -> String {
    let fields = kind
        .fields
        .iter()
        .map(|field| if field.is_optional() { format!(" [{}]", field.name) } else { format!(" {}", field.name) });
    format!("it is written {}{}", kind.name, fields.collect::<String>())
}

fn wrong_number(side: Side, kind: &MessageKind, name: &Token) -> Fault {
    let message = format!("{} has a wrong number of arguments", kind.name);
    let help = match side {
        Side::Command => format!("{}; to send it as it stands, write !{}", form(kind), kind.name),
        Side::Event => form(kind),
    };
    Fault::new(name, message, help)
}

fn unknown(side: Side, name: &Token, word: &str) -> Fault {
    let (noun, other, told) = match side {
        Side::Command => ("command", Side::Event, "is an event: indent the line, and the client is told it"),
        Side::Event => ("event", Side::Command, "is a command: at the start of the line the client sends it"),
    };
    if other.kind(word).is_some() {
        return Fault::new(name, format!("there is no {noun} {word}"), format!("{word} {told}"));
    }
    Fault::new(name, format!("there is no {noun} {word}"), suggest(word, side.kinds().iter().map(|kind| kind.name)))
}

/// Behind an exclamation mark nothing is looked up: the arguments are JSON.
fn read_raw(name: &str, token: &Token, arguments: &[Token]) -> Result<Call, Fault> {
    let name = serde_json::from_str::<String>(name).unwrap_or_else(|_| name.to_owned());
    if name.is_empty() {
        return Err(Fault::new(token, "a name follows the exclamation mark", ""));
    }
    let value = |token: &Token| match &token.kind {
        TokenKind::Json(value) => Ok(value.clone()),
        TokenKind::Quoted(text) => Ok(text.as_str().into()),
        TokenKind::Word => serde_json::from_str(&token.raw).map_err(|_| {
            let message = format!("{} is no JSON, and behind `!` no names are looked up", token.raw);
            Fault::new(token, message, "a number, or a text in quotation marks, would do")
        }),
    };
    Ok(Call { name, arguments: arguments.iter().map(value).collect::<Result<_, _>>()? })
}
