//! Parses the text of a script. Start with [`parse`]; `docs/writing-system-tests.md` has the grammar.

use std::{fmt, io, path::PathBuf, sync::Arc};

use crate::{
    call::{Context, LineError, Side},
    client::Seating,
    game::{Games, ScriptedGame},
    header::{Header, KEYS, RULEBOOK, is_header, rulebook_of},
    names::Names,
    script::{Place, Script},
    script_error::{ScriptError, nearest, suggest},
    step::{Call, Expected, Step, variable_name},
    token::{Line, Token, TokenKind},
    transcript::{AUTO, Ending, ScenarioText, Transcript},
};

/// Provides the texts that a script names. The parser itself opens no files.
pub trait Sources {
    /// The text of a scenario. `name` is a built-in scenario of the game, or a path relative to the script.
    ///
    /// # Errors
    ///
    /// If there is no such scenario, or it cannot be read.
    fn scenario(&self, game: &dyn ScriptedGame, name: &str) -> Result<String, SourceError>;

    /// The path and the text of the file that `from` includes as `name`.
    ///
    /// # Errors
    ///
    /// If there is no such file, or it cannot be read.
    fn include(&self, from: &str, name: &str) -> Result<(String, String), SourceError>;
}

/// Why a file cannot be read.
#[derive(Debug)]
pub enum SourceError {
    /// There is no such file.
    NotFound(PathBuf),
    /// Reading the file failed.
    Io(PathBuf, io::Error),
    /// The name of a scenario is neither a file nor built in.
    UnknownScenario {
        /// The name.
        name: String,
        /// The built-in scenario with the most similar name.
        nearest: Option<&'static str>,
        /// All built-in scenarios.
        built_in: Vec<&'static str>,
        /// The error of reading it as a file.
        file: Box<SourceError>,
    },
}

impl SourceError {
    /// Creates the error for a file that cannot be read.
    pub fn new(path: impl Into<PathBuf>, error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::NotFound { Self::NotFound(path.into()) } else { Self::Io(path.into(), error) }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(path) => write!(f, "there is no file {}", path.display()),
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::UnknownScenario { name, nearest: Some(nearest), .. } => {
                write!(f, "there is no scenario {name}; did you mean {nearest}?")
            }
            Self::UnknownScenario { name, nearest: None, built_in, file } => {
                write!(f, "scenario {name}: {file}; built in are {}", built_in.join(", "))
            }
        }
    }
}

impl std::error::Error for SourceError {}

/// The first word of a fragment, which is a file that only other scripts include.
pub const FRAGMENT: &str = "fragment";

/// Reads a script of one of these games.
///
/// # Errors
///
/// All mistakes at once.
pub fn parse(file: &str, text: &str, sources: &dyn Sources, games: &Games) -> Result<Script, Vec<ScriptError>> {
    // If no game has this name, reading the header line reports it.
    let named = games.find(rulebook_of(text).as_deref()).or_else(|_| games.find(None));
    let game = named.map_err(|none| {
        let text = text.lines().next().unwrap_or_default().into();
        vec![ScriptError {
            file: file.into(),
            line: 1,
            column: 1,
            width: 1,
            message: none.to_string(),
            help: none.help,
            text,
        }]
    })?;
    let mut parser = Parser {
        games,
        game,
        sources,
        problems: Vec::new(),
        header: Header::default(),
        body: false,
        scenario: String::new(),
        scenario_line: None,
        names: None,
        seating: Seating::default(),
        steps: Vec::new(),
        bound: Vec::new(),
        places: Vec::new(),
        end: Ending::Any,
        ended: false,
        unknown_key: false,
        lost: false,
        open: Vec::new(),
        opened_at: Vec::new(),
    };
    parser.file(file, text);
    parser.begin_body(file, text);
    let Parser { header, scenario, names, steps, places, end, problems, .. } = parser;
    if !problems.is_empty() {
        return Err(problems);
    }
    let transcript = Transcript {
        name: header.name.unwrap_or_else(|| stem(file).into()),
        tags: header.tags,
        rulebook: header.rulebook,
        edition: header.edition.unwrap_or_else(|| AUTO.into()),
        seed: header.seed.unwrap_or_default(),
        timeout: header.timeout,
        clients: header.clients,
        scenario: header.scenario.unwrap_or_else(|| ScenarioText::File(String::new())),
        steps,
        end,
    };
    Ok(Script { game, transcript, scenario, file: file.into(), places, names: names.unwrap_or_default() })
}

/// Whether a file is a fragment, which only other scripts include.
pub fn is_fragment(text: &str) -> bool {
    parameters(text).is_some()
}

/// The parameters of a fragment, `fragment first second`; `None` if the text is not a fragment.
fn parameters(text: &str) -> Option<Vec<&str>> {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))?;
    let mut words = first.split_whitespace().take_while(|word| !word.starts_with('#'));
    if words.next() != Some(FRAGMENT) {
        return None;
    }
    let names: Vec<&str> = words.collect();
    let is_name = |name: &&str| {
        name.starts_with(|letter: char| letter.is_ascii_lowercase())
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    names.iter().all(is_name).then_some(names)
}

/// Reads `in any order Moved 1 20 | ActNow`.
fn read_any_order(context: &Context<'_>, tokens: &[Token]) -> Result<Expected, LineError> {
    let read = |part: &[Token]| match part.split_first() {
        Some((name, arguments)) => context.read(Side::Event, name, arguments),
        None => Err(LineError::new(&tokens[2], "an event is missing", "in any order Moved 1 20 | ActNow")),
    };
    let parts = tokens[3..].split(|token| token.word() == Some("|"));
    Ok(Expected::AnyOrder(parts.map(read).collect::<Result<_, _>>()?))
}

/// Reads `never Bitten 1 until NextRound 2`.
fn read_never(context: &Context<'_>, tokens: &[Token]) -> Result<Expected, LineError> {
    let help = "never Bitten _ until NextRound 2";
    let wrong = || LineError::new(&tokens[0], "after `never`, an event, `until` and an event are missing", help);
    let until = tokens.iter().position(|token| token.word() == Some("until")).ok_or_else(wrong)?;
    if until < 2 || until + 1 == tokens.len() {
        return Err(wrong());
    }
    let never = context.read(Side::Event, &tokens[1], &tokens[2..until])?;
    let until = context.read(Side::Event, &tokens[until + 1], &tokens[until + 2..])?;
    Ok(Expected::Never { never, until })
}

/// The text of a fragment with the values of its parameters: `{first}` becomes `Ana` with `first=Ana`.
fn fill(text: &str, names: &[&str], file: &str, token: &Token, given: &[Token]) -> Result<String, LineError> {
    let form = names.iter().map(|name| format!(" {name}=..")).collect::<String>();
    let help = format!("include {file}{form}");
    let mut filled = text.to_owned();
    let mut seen = Vec::new();
    for token in given {
        let wrong = |message: String| LineError::new(token, message, help.clone());
        let pair = token.word().and_then(|word| word.split_once('=')).filter(|(_, value)| !value.is_empty());
        let Some((name, value)) = pair else { return Err(wrong(format!("{} is not a parameter", token.raw))) };
        if !names.contains(&name) {
            return Err(wrong(format!("{file} has no parameter {name}")));
        }
        if seen.contains(&name) {
            return Err(wrong(format!("{name} occurs twice")));
        }
        seen.push(name);
        filled = filled.replace(&format!("{{{name}}}"), value);
    }
    match names.iter().find(|name| !seen.contains(name)) {
        Some(missing) => Err(LineError::new(token, format!("{file} needs the parameter {missing}"), help)),
        None => Ok(filled),
    }
}

/// The name of a file without folders and extension.
fn stem(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.strip_suffix(".script").unwrap_or(name)
}

/// A line of a file.
#[derive(Clone)]
struct Spot {
    file: Arc<str>,
    line: usize,
    text: String,
}

struct Parser<'s> {
    games: &'s Games,
    game: &'static dyn ScriptedGame,
    sources: &'s dyn Sources,
    problems: Vec<ScriptError>,
    header: Header,
    /// Whether the header is over.
    body: bool,
    scenario: String,
    /// The line that names the scenario. Mistakes in the scenario are reported there.
    scenario_line: Option<Spot>,
    names: Option<Names>,
    seating: Seating,
    steps: Vec<Step>,
    /// The variables that events have bound.
    bound: Vec<String>,
    places: Vec<Place>,
    end: Ending,
    /// Whether the last line of the script, which is about the server, was read.
    ended: bool,
    /// Whether a key of the header is unknown. Then other keys may seem to be missing.
    unknown_key: bool,
    /// Whether something could not be read. Then later mistakes would be misleading.
    lost: bool,
    /// The open files. Each file is included by the one before it.
    open: Vec<String>,
    /// How many steps there were when each of them was opened.
    opened_at: Vec<usize>,
}

type Parsed = Result<(), LineError>;

impl Parser<'_> {
    fn file(&mut self, file: &str, text: &str) {
        let label: Arc<str> = file.into();
        self.open.push(file.into());
        self.opened_at.push(self.steps.len());
        for (text, line) in text.lines().zip(1..) {
            let spot = Spot { file: label.clone(), line, text: text.into() };
            let read = match Line::read(text) {
                Ok(words) if words.tokens.is_empty() => Ok(()),
                Ok(words) => self.line(&spot, &words),
                // A scenario in the header need not consist of tokens.
                Err(_) if !self.body && is_header(text) => self.header_line(&spot),
                Err(bad) => Err(LineError { at: bad.at, width: bad.width, message: bad.message, help: String::new() }),
            };
            if let Err(fault) = read {
                self.problem(&spot, fault);
            }
        }
        self.open.pop();
        self.opened_at.pop();
    }

    fn problem(&mut self, spot: &Spot, fault: LineError) {
        if self.lost {
            return;
        }
        let LineError { at, width, message, help } = fault;
        let (file, text) = (spot.file.to_string(), spot.text.clone());
        self.problems.push(ScriptError { file, line: spot.line, column: at + 1, width, message, help, text });
    }

    fn line(&mut self, spot: &Spot, line: &Line) -> Parsed {
        let first = &line.tokens[0];
        let word = first.word().unwrap_or_default();
        let included = self.open.len() > 1;
        if word == FRAGMENT && (line.tokens.len() == 1 || included) {
            let help = "it is the first line of a file that other scripts include";
            return if included && !self.body_of_fragment() {
                Ok(())
            } else {
                Err(LineError::new(first, "fragment is out of place", help))
            };
        }
        if !self.body && !included && !line.indented && is_header(&spot.text) {
            return self.header_line(spot);
        }
        if !self.body && !included && !line.indented {
            self.check_header_key(first)?;
        }
        self.begin_body(&spot.file.clone(), &spot.text);
        if self.ended {
            return Err(LineError::new(first, "the line about the server is the last one", "put this line before it"));
        }
        match word {
            "include" => {
                let included = self.include(spot, line);
                if let Err(fault) = included {
                    // After a failed include, it is unknown which clients are in the game.
                    self.problem(spot, fault);
                    self.lost = true;
                }
                return Ok(());
            }
            "server" => return self.server(line),
            _ => {}
        }
        let Some(who) = word.strip_suffix(':') else {
            if word == "all" || self.header.clients.iter().any(|client| client.name == word) {
                return Err(LineError::new(
                    first,
                    format!("there is no : after {word}"),
                    format!("write `{word}: ..`"),
                ));
            }
            let help = format!("a line is `{}: ..`, `include FILE`, or `server ends`", self.example_client());
            return Err(LineError::new(first, "this line does not name a client", help));
        };
        let clients = self.clients(who, first)?;
        let rest = &line.tokens[1..];
        let words: Vec<&str> = rest.iter().map(|token| token.word().unwrap_or_default()).collect();
        let context = Context {
            game: self.game,
            names: self.names.as_ref(),
            seating: &self.seating,
            clients: &self.header.clients,
        };
        let step: Box<dyn Fn(u32) -> Step> = match words.as_slice() {
            [] => return Err(LineError::new(first, format!("after `{who}:`, a command or an event is missing"), "")),
            ["nothing", "more"] => Box::new(|client| Step::Expect { client, expected: Expected::Nothing }),
            ["*"] if line.indented => Box::new(|client| Step::Expect { client, expected: Expected::Any }),
            ["silent"] if !line.indented => {
                if self.header.timeout.is_none() {
                    let help = "say how many seconds in the header, `timeout: 1`";
                    return Err(LineError::new(&rest[0], "`silent` needs a timeout", help));
                }
                Box::new(|client| Step::Silence { client })
            }
            ["in", "any", "order", ..] if line.indented => {
                let expected = read_any_order(&context, rest)?;
                Box::new(move |client| Step::Expect { client, expected: expected.clone() })
            }
            ["never", ..] if line.indented => {
                let expected = read_never(&context, rest)?;
                Box::new(move |client| Step::Expect { client, expected: expected.clone() })
            }
            ["..."] => return Err(LineError::new(&rest[0], "after `...`, an event is missing", "")),
            ["...", ..] if line.indented => {
                let call = context.read(Side::Event, &rest[1], &rest[2..])?;
                Box::new(move |client| Step::Expect { client, expected: Expected::Until(call.clone()) })
            }
            ["*" | "..." | "never", ..] | ["in", "any", "order", ..] if !line.indented => {
                return Err(LineError::new(&rest[0], "this is what a client receives", "indent the line"));
            }
            [..] if line.indented => {
                let call = context.read(Side::Event, &rest[0], &rest[1..])?;
                Box::new(move |client| Step::Expect { client, expected: Expected::Event(call.clone()) })
            }
            [..] => {
                let call = context.read(Side::Command, &rest[0], &rest[1..])?;
                Box::new(move |client| Step::Send { client, call: call.clone() })
            }
        };
        for client in clients {
            let step = step(client);
            self.check_variables(&step, &rest[0])?;
            self.seating.follow(&step);
            self.steps.push(step);
            self.places.push(Place::Line { file: spot.file.clone(), line: spot.line });
        }
        Ok(())
    }

    /// Checks that what a client sends was bound by an event before.
    fn check_variables(&mut self, step: &Step, token: &Token) -> Parsed {
        let names = |call: &Call| -> Vec<String> {
            call.arguments.iter().filter_map(variable_name).map(str::to_owned).collect()
        };
        match step {
            Step::Send { call, .. } => {
                let unbound = names(call).into_iter().find(|name| !self.bound.contains(name));
                unbound.map_or(Ok(()), |name| {
                    let help =
                        format!("an event before it binds it: `{}: Characters ${name} _ _ _`", self.example_client());
                    Err(LineError::new(token, format!("nothing is bound to ${name}"), help))
                })
            }
            Step::Expect { expected, .. } => {
                let binds = matches!(expected, Expected::Event(_) | Expected::Until(_));
                for name in expected.calls().into_iter().flat_map(names) {
                    if binds {
                        self.bound.push(name);
                    } else if !self.bound.contains(&name) {
                        let help = "only an event of its own line binds a variable";
                        return Err(LineError::new(token, format!("nothing is bound to ${name}"), help));
                    }
                }
                Ok(())
            }
            Step::Silence { .. } => Ok(()),
        }
    }

    /// Rejects a line above the steps whose first word is similar to a key of the header, or is in lower case while there are
    /// no players yet.
    fn check_header_key(&mut self, first: &Token) -> Parsed {
        let Some(key) = first.word().and_then(|word| word.strip_suffix(':')) else { return Ok(()) };
        let clients = || self.header.clients.iter().map(|client| client.name.as_str()).chain(["all"]);
        if nearest(key, clients()).is_some() {
            return Ok(());
        }
        let keys = || KEYS.iter().copied();
        let is_key = self.header.clients.is_empty() && key.starts_with(char::is_lowercase);
        if is_key || nearest(key, keys()).is_some() {
            self.unknown_key = true;
            return Err(LineError::new(first, format!("there is no header key {key}"), suggest(key, keys())));
        }
        Ok(())
    }

    /// Whether the current fragment already has steps. Only then is the word `fragment` an error.
    fn body_of_fragment(&self) -> bool {
        self.opened_at.last().is_some_and(|&before| self.steps.len() > before)
    }

    /// A client's name to use in an example.
    fn example_client(&self) -> &str {
        self.header.clients.first().map_or("NAME", |client| client.name.as_str())
    }

    /// The clients that a line refers to.
    fn clients(&self, who: &str, token: &Token) -> Result<Vec<u32>, LineError> {
        if who == "all" {
            let all = self.seating.all().to_vec();
            let message = "there are no players in the game yet";
            let help = self.game.seats().map(|seats| {
                format!(
                    "`all` are the clients that have received {}, until {} of their player",
                    seats.joined, seats.left
                )
            });
            return if all.is_empty() {
                Err(LineError::new(token, message, help.unwrap_or_default()))
            } else {
                Ok(all)
            };
        }
        if let Some(client) = self.header.clients.iter().find(|client| client.name == who) {
            return Ok(vec![client.number]);
        }
        if KEYS.contains(&who) {
            return Err(LineError::new(
                token,
                format!("{who} belongs to the header"),
                "the header is above the first step",
            ));
        }
        let known = self.header.clients.iter().map(|client| client.name.as_str());
        let known: Vec<&str> =
            known.chain(["all"]).chain(KEYS.iter().copied().filter(|_| self.steps.is_empty())).collect();
        Err(LineError::new(token, format!("there is no player {who}"), suggest(who, known.into_iter())))
    }

    fn include(&mut self, spot: &Spot, line: &Line) -> Parsed {
        const DEEPEST: usize = 16;
        let [_, name, given @ ..] = line.tokens.as_slice() else {
            return Err(LineError::new(&line.tokens[0], "a file is missing", "include opening.script"));
        };
        let path = match &name.kind {
            TokenKind::Quoted(path) => path.clone(),
            TokenKind::Word | TokenKind::Json(_) => name.raw.clone(),
        };
        let (file, text) =
            self.sources.include(&spot.file, &path).map_err(|error| LineError::new(name, error.to_string(), ""))?;
        if self.open.contains(&file) || self.open.len() > DEEPEST {
            return Err(LineError::new(name, format!("{file} would include itself"), ""));
        }
        if !is_fragment(&text) {
            let help = format!("the first line of a file that can be included is `{FRAGMENT}`");
            return Err(LineError::new(name, format!("{file} is a script of its own"), help));
        }
        let names = parameters(&text).unwrap_or_default();
        let text = fill(&text, &names, &file, name, given)?;
        self.file(&file, &text);
        Ok(())
    }

    fn server(&mut self, line: &Line) -> Parsed {
        let help = "`server ends`, or `server refuses with 1 \"some of its words\"`";
        let wrong = |token: &Token| LineError::new(token, "a script cannot expect this of a server", help);
        let words: Vec<&str> = line.tokens.iter().map(|token| token.word().unwrap_or_default()).collect();
        self.end = match words.as_slice() {
            ["server", "ends"] => Ending::Ended,
            ["server", "refuses", rest @ ..] if rest.len() <= 3 => {
                let first = &line.tokens[0];
                let (code, message) = match rest {
                    ["with", code, ..] => (Some(code.parse::<i32>().map_err(|_| wrong(first))?), 4),
                    [..] => (None, 2),
                };
                let message = match line.tokens.get(message..).unwrap_or_default() {
                    [] => String::new(),
                    [Token { kind: TokenKind::Quoted(text), .. }] => text.clone(),
                    [other, ..] => return Err(wrong(other)),
                };
                if !self.steps.is_empty() {
                    let message = "a server that refuses the scenario has no game with steps";
                    return Err(LineError::new(first, message, "take the steps out, or this line"));
                }
                Ending::Refused { code, message }
            }
            [_, ..] | [] => return Err(wrong(line.tokens.get(1).unwrap_or(&line.tokens[0]))),
        };
        self.ended = true;
        Ok(())
    }

    fn header_line(&mut self, spot: &Spot) -> Parsed {
        if self.header.scenario.is_none() {
            self.scenario_line = Some(spot.clone());
        }
        let read = self.header.read(self.games, self.game, &spot.text);
        // The other keys may be valid for another game.
        self.unknown_key |= read.is_err() && spot.text.starts_with(RULEBOOK);
        read
    }

    /// Checks the header, which is complete at the first step or at the end of the file.
    fn begin_body(&mut self, file: &str, text: &str) {
        if std::mem::replace(&mut self.body, true) {
            return;
        }
        self.lost |= self.unknown_key;
        self.seating = Seating::new(self.game.seats(), &self.header.clients);
        let top = Spot { file: file.into(), line: 1, text: text.lines().next().unwrap_or_default().into() };
        let missing =
            |message: &str, help: &str| LineError { at: 0, width: 1, message: message.into(), help: help.into() };
        match self.header.scenario.clone() {
            None => self.problem(&top, missing("there is no scenario in the header", "scenario: winter")),
            Some(ScenarioText::Text(text)) => self.scenario = text,
            Some(ScenarioText::File(name)) => match self.sources.scenario(self.game, &name) {
                Ok(text) => self.scenario = text,
                Err(error) => {
                    let spot = self.scenario_line.clone().unwrap_or(top.clone());
                    let width = spot.text.chars().count().saturating_sub(10);
                    self.problem(&spot, LineError { at: 10, width, message: error.to_string(), help: String::new() });
                    return;
                }
            },
        }
        if self.header.seed.is_none() {
            self.problem(&top, missing("there is no seed in the header", "seed: 42"));
        }
        self.names = Some(self.game.names(&self.scenario));
    }
}
