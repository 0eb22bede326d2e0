//! Commands and events in a line of a script, with names instead of the transcript's numbers.

use engine::{ArgumentError, Field, Kind};
use serde_json::Value;

use crate::{
    adapter::EventWords,
    client::{Client, Seating},
    game::ScriptedGame,
    names::{Names, field_type, is_bare},
    partial::is_open,
    script_error::suggest,
    step::{ANY_VALUE, Call, Expected, THE_SCENARIO, variable, variable_name},
    token::{Line, Token, TokenKind},
};

/// Whether a client sends or receives the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Command,
    Event,
}

/// Reads events from a text that is not a script, with the names of a scenario.
#[derive(Clone, Debug)]
pub struct EventReader {
    game: &'static dyn ScriptedGame,
    names: Names,
    players: Vec<Client>,
    seating: Seating,
}

impl EventReader {
    /// A reader for a game with these players, in the order of their numbers.
    pub fn new(game: &'static dyn ScriptedGame, names: Names, players: &[Client]) -> Self {
        let seating = Seating::of_players(game.seats(), players.iter().map(|client| client.number).collect());
        Self { game, names, players: players.to_vec(), seating }
    }

    /// The names of the scenario.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The players, in the order of their numbers.
    pub fn players(&self) -> &[Client] {
        &self.players
    }

    /// Reads the name of an event and its arguments. Missing arguments at the end match any value.
    ///
    /// # Errors
    ///
    /// If there is no such event.
    pub fn read(&self, name: &Token, arguments: &[Token]) -> Result<Call, LineError> {
        let context =
            Context { game: self.game, names: Some(&self.names), seating: &self.seating, clients: &self.players };
        let kind = Side::Event.kinds(self.game).iter().find(|kind| name.word() == Some(kind.name));
        let fields = kind.filter(|kind| self.game.worded(kind.name).is_none()).map_or(0, |kind| kind.fields.len());
        let any = Token { kind: TokenKind::Word, raw: "_".into(), ..name.clone() };
        let missing = std::iter::repeat_n(any, fields.saturating_sub(arguments.len()));
        let arguments: Vec<Token> = arguments.iter().cloned().chain(missing).collect();
        context.read(Side::Event, name, &arguments)
    }
}

/// The meaning of names at one place of a script.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) game: &'a dyn ScriptedGame,
    /// `None` if the scenario cannot be read. Other code reports that mistake.
    pub(crate) names: Option<&'a Names>,
    pub(crate) seating: &'a Seating,
    pub(crate) clients: &'a [Client],
}

/// A mistake in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// The position in characters from the start of the line, from 0.
    pub at: usize,
    /// The width of the mistake, in characters.
    pub width: usize,
    /// The description of the mistake.
    pub message: String,
    /// A hint how to correct the mistake.
    pub help: String,
}

impl LineError {
    /// A mistake at this token.
    pub fn new(token: &Token, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { at: token.at, width: token.width, message: message.into(), help: help.into() }
    }
}

impl Side {
    /// The kinds that a script can name.
    pub(crate) fn kinds(self, game: &dyn ScriptedGame) -> &'static [Kind] {
        match self {
            Self::Command => game.commands(),
            Self::Event => game.events(),
        }
    }

    fn kind(self, game: &dyn ScriptedGame, name: &str) -> Option<&'static Kind> {
        self.kinds(game).iter().find(|kind| kind.name == name)
    }
}

impl Context<'_> {
    /// Reads a name and its arguments.
    pub(crate) fn read(&self, side: Side, name: &Token, arguments: &[Token]) -> Result<Call, LineError> {
        let Some(word) = name.word() else {
            return Err(LineError::new(name, "the name of a command or an event is missing here", ""));
        };
        if let Some(raw) = word.strip_prefix('!') {
            return read_raw(raw, name, arguments);
        }
        let Some(kind) = side.kind(self.game, word) else { return Err(self.unknown(side, name, word)) };
        let words = self.words(side, kind);
        let mut values = Vec::new();
        for (at, token) in arguments.iter().enumerate() {
            let value = match kind.fields.get(at) {
                Some(_) if words.is_none() && variable_of(token).is_some() => {
                    variable(variable_of(token).unwrap_or_default())
                }
                field if words.is_some() && at == 0 => text(side, field.map_or("text", |field| field.name), token)?,
                Some(field) if words.is_none() => self.value(side, kind, field, &values, token)?,
                Some(_) | None => return Err(wrong_number(side, kind, name)),
            };
            values.push(value);
        }
        if words == Some(EventWords::Scenario) && values.is_empty() {
            values.push(THE_SCENARIO.into());
        }
        let call = Call { name: word.into(), arguments: values };
        let is_wild = |value: &Value| {
            value == ANY_VALUE || variable_name(value).is_some() || side == Side::Event && is_open(value)
        };
        let wild = call.arguments.iter().any(is_wild);
        if words.is_none() && (!wild || call.arguments.len() < kind.least()) {
            let checked = match side {
                Side::Command => self.game.check_command(&call),
                Side::Event => self.game.check_event(&call),
            };
            match checked {
                Ok(()) => {}
                Err(ArgumentError::WrongForm { error, .. }) => return Err(LineError::new(name, error, form(kind))),
                Err(ArgumentError::WrongNumber { .. } | ArgumentError::UnknownKind) => {
                    return Err(wrong_number(side, kind, name));
                }
            }
        }
        Ok(call)
    }

    /// Writes a call. Reading the text gives the same call again.
    pub(crate) fn write(&self, side: Side, call: &Call) -> String {
        if let Some(kind) = side.kind(self.game, &call.name) {
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

    /// Writes an expectation of a client.
    pub(crate) fn write_expected(&self, expected: &Expected) -> String {
        match expected {
            Expected::Any => "*".into(),
            Expected::Nothing => "nothing more".into(),
            Expected::Event(call) => self.write(Side::Event, call),
            Expected::Until(call) => format!("... {}", self.write(Side::Event, call)),
            Expected::AnyOrder(calls) => {
                let calls: Vec<String> = calls.iter().map(|call| self.write(Side::Event, call)).collect();
                format!("in any order {}", calls.join(" | "))
            }
            Expected::Never { never, until } => {
                format!("never {} until {}", self.write(Side::Event, never), self.write(Side::Event, until))
            }
        }
    }

    fn write_named(&self, side: Side, kind: &Kind, call: &Call) -> String {
        let words = self.words(side, kind);
        let mut text = call.name.clone();
        for (at, value) in call.arguments.iter().enumerate() {
            if words == Some(EventWords::Scenario) && value == THE_SCENARIO {
                continue;
            }
            let field = kind.fields.get(at);
            text.push(' ');
            match (value, field) {
                (value, Some(_)) if words.is_none() && variable_name(value).is_some() => {
                    text.push('$');
                    text.push_str(variable_name(value).unwrap_or_default());
                }
                (Value::String(any), _) if side == Side::Event && any == ANY_VALUE => text.push('_'),
                (Value::String(word), field) if is_bare(word) && (field.is_some() || words.is_some()) => {
                    text.push_str(word);
                }
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

    fn name_of(&self, kind: &Kind, field: &Field, values: &[Value], number: i32) -> Option<String> {
        if self.holds_player(field) {
            let client = self.seating.client_of(usize::try_from(number).ok()?)?;
            return self.clients.iter().find(|other| other.number == client).map(|client| client.name.clone());
        }
        let names = self.names?;
        names.name(names.noun(kind, field, values)?, number).map(str::to_owned)
    }

    fn value(
        &self,
        side: Side,
        kind: &Kind,
        field: &Field,
        before: &[Value],
        token: &Token,
    ) -> Result<Value, LineError> {
        if TEXTS.contains(&field_type(field)) {
            return text(side, field.name, token);
        }
        let word = match &token.kind {
            TokenKind::Json(value) => return Ok(value.clone()),
            TokenKind::Quoted(text) => text.as_str(),
            TokenKind::Word if side == Side::Event && token.raw == "_" => return Ok(ANY_VALUE.into()),
            TokenKind::Word => match serde_json::from_str::<Value>(&token.raw) {
                Ok(value) => return Ok(value),
                Err(_) => token.raw.as_str(),
            },
        };
        if self.holds_player(field) {
            return self.player(word, token);
        }
        if self.is_word(field) {
            return Ok(word.into());
        }
        // Without a scenario there are no names. The mistake in the scenario was already reported.
        let Some(names) = self.names else { return Ok(ANY_VALUE.into()) };
        let Some(noun) = names.noun(kind, field, before) else {
            let what = if field_type(field) == "bool" { "true or false" } else { "a number" };
            return Err(LineError::new(token, format!("{word} is not {what}"), form(kind)));
        };
        names.number(noun, word).map(Into::into).map_err(|no| LineError::new(token, no.message, no.help))
    }

    /// Looks up the number of a player by the name of its client.
    fn player(&self, word: &str, token: &Token) -> Result<Value, LineError> {
        let client = self.clients.iter().find(|client| client.name == word).ok_or_else(|| {
            let known = self.clients.iter().map(|client| client.name.as_str());
            LineError::new(token, format!("there is no player {word}"), suggest(word, known))
        })?;
        let player = self.seating.player_of(client.number).ok_or_else(|| {
            let message = format!("{word} has no number as a player yet");
            let joined = self.game.seats().map_or("", |seats| seats.joined);
            LineError::new(token, message, format!("it has one after the line `{word}: {joined}`"))
        })?;
        Ok(player.into())
    }

    fn holds_player(&self, field: &Field) -> bool {
        self.game.seats().is_some_and(|seats| seats.player == field_type(field))
    }

    /// Whether a script writes the value of a field as a single word.
    fn is_word(&self, field: &Field) -> bool {
        let held = field_type(field);
        match self.game.word_types() {
            Some(types) => types.contains(&held),
            None => {
                !NUMBERS.contains(&held) && held != "bool" && !self.names.is_some_and(|names| names.are_held_by(held))
            }
        }
    }

    /// The kind of text of an event; `None` if a script writes its fields.
    fn words(&self, side: Side, kind: &Kind) -> Option<EventWords> {
        match side {
            Side::Command => None,
            Side::Event => self.game.worded(kind.name),
        }
    }

    fn unknown(&self, side: Side, name: &Token, word: &str) -> LineError {
        let (noun, other, hint) = match side {
            Side::Command => ("command", Side::Event, "is an event: indent the line if the client must receive it"),
            Side::Event => ("event", Side::Command, "is a command: do not indent the line if the client sends it"),
        };
        let message = format!("there is no {noun} {word}");
        if other.kind(self.game, word).is_some() {
            return LineError::new(name, message, format!("{word} {hint}"));
        }
        LineError::new(name, message, suggest(word, side.kinds(self.game).iter().map(|kind| kind.name)))
    }
}

/// The name of a variable: `$first`. It begins with a small letter.
pub(crate) fn variable_of(token: &Token) -> Option<&str> {
    let name = token.word()?.strip_prefix('$')?;
    let is_name = name.starts_with(|letter: char| letter.is_ascii_lowercase())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    is_name.then_some(name)
}

/// Types of fields that hold a text.
const TEXTS: [&str; 3] = ["Arc<str>", "Box<str>", "String"];

/// Types of fields that always hold a number.
const NUMBERS: [&str; 14] =
    ["f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];

/// Reads the text of a field.
fn text(side: Side, field: &str, token: &Token) -> Result<Value, LineError> {
    match &token.kind {
        TokenKind::Json(value) => Ok(value.clone()),
        TokenKind::Quoted(text) => Ok(text.as_str().into()),
        TokenKind::Word if side == Side::Event && token.raw == "_" => Ok(ANY_VALUE.into()),
        TokenKind::Word if is_bare(&token.raw) => Ok(token.raw.as_str().into()),
        TokenKind::Word => Err(LineError::new(token, format!("{field} is a text"), "write it in quotation marks")),
    }
}

fn form(kind: &Kind) -> String {
    let fields = kind
        .fields
        .iter()
        .map(|field| if field.is_optional() { format!(" [{}]", field.name) } else { format!(" {}", field.name) });
    format!("it is written {}{}", kind.name, fields.collect::<String>())
}

fn wrong_number(side: Side, kind: &Kind, name: &Token) -> LineError {
    let message = format!("{} has a wrong number of arguments", kind.name);
    let help = match side {
        Side::Command => format!("{}; to send it as it stands, write !{}", form(kind), kind.name),
        Side::Event => form(kind),
    };
    LineError::new(name, message, help)
}

/// Reads a call after an exclamation mark. It contains no names, and its arguments are JSON.
fn read_raw(name: &str, token: &Token, arguments: &[Token]) -> Result<Call, LineError> {
    let name = serde_json::from_str::<String>(name).unwrap_or_else(|_| name.to_owned());
    if name.is_empty() {
        return Err(LineError::new(token, "a name must follow the exclamation mark", ""));
    }
    let value = |token: &Token| match &token.kind {
        TokenKind::Json(value) => Ok(value.clone()),
        TokenKind::Quoted(text) => Ok(text.as_str().into()),
        TokenKind::Word => serde_json::from_str(&token.raw).map_err(|_| {
            let message = format!("{} is not JSON, and `!` looks up no names", token.raw);
            LineError::new(token, message, "write a number, or a text in quotation marks")
        }),
    };
    Ok(Call { name, arguments: arguments.iter().map(value).collect::<Result<_, _>>()? })
}
