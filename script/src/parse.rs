//! From the text of a script to a transcript. [`parse`] is where to start; `docs/writing-system-tests.md` has the grammar.

use std::sync::Arc;

use crate::{
    call::{Context, Fault, Side},
    client::Seating,
    game::{Games, ScriptedGame},
    header::{Header, KEYS, RULEBOOK, is_header, rulebook_of},
    names::Names,
    problem::{Problem, suggest},
    script::{Place, Script},
    step::{Expected, Step},
    token::{Line, Token, TokenKind},
    transcript::{AUTO, Ending, ScenarioText, Transcript},
};

/// Where a script's texts come from: a parser opens no files.
pub trait Sources {
    /// The text of a scenario: a built-in name of the game, or a path beside the script.
    ///
    /// # Errors
    ///
    /// When there is none, in words for the script's author.
    fn scenario(&self, game: &dyn ScriptedGame, name: &str) -> Result<String, String>;

    /// What the file `from` includes as `name`: how to call it, and its text.
    ///
    /// # Errors
    ///
    /// When there is none, in words for the script's author.
    fn include(&self, from: &str, name: &str) -> Result<(String, String), String>;
}

/// The first word of a file that is only there to be included.
pub const FRAGMENT: &str = "fragment";

/// Reads a script of one of these games.
///
/// # Errors
///
/// Every problem at once.
pub fn parse(file: &str, text: &str, sources: &dyn Sources, games: &Games) -> Result<Script, Vec<Problem>> {
    // The header says when there is no game of that name.
    let named = games.find(rulebook_of(text).as_deref()).or_else(|_| games.find(None));
    let game = named.map_err(|none| {
        let text = text.lines().next().unwrap_or_default().into();
        vec![Problem {
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
        places: Vec::new(),
        end: Ending::Any,
        ended: false,
        unknown_key: false,
        lost: false,
        open: Vec::new(),
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

/// Whether a file is only there to be included.
pub fn is_fragment(text: &str) -> bool {
    text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')) == Some(FRAGMENT)
}

/// A name without folders and ending.
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
    problems: Vec<Problem>,
    header: Header,
    /// The header is over.
    body: bool,
    scenario: String,
    /// Where the scenario is named, to say there what is wrong with it.
    scenario_line: Option<Spot>,
    names: Option<Names>,
    seating: Seating,
    steps: Vec<Step>,
    places: Vec<Place>,
    end: Ending,
    /// There was a line about the server, which is the last.
    ended: bool,
    /// A word of the header is wrong, so that there is no telling what is missing.
    unknown_key: bool,
    /// What follows cannot be judged: something before it could not be read.
    lost: bool,
    /// The files that are being read, each included by the one before.
    open: Vec<String>,
}

type Read = Result<(), Fault>;

impl Parser<'_> {
    fn file(&mut self, file: &str, text: &str) {
        let label: Arc<str> = file.into();
        self.open.push(file.into());
        for (text, line) in text.lines().zip(1..) {
            let spot = Spot { file: label.clone(), line, text: text.into() };
            let read = match Line::read(text) {
                Ok(words) if words.tokens.is_empty() => Ok(()),
                Ok(words) => self.line(&spot, &words),
                // The scenario of a header is text of its own.
                Err(_) if !self.body && is_header(text) => self.header_line(&spot),
                Err(bad) => Err(Fault { at: bad.at, width: bad.width, message: bad.message, help: String::new() }),
            };
            if let Err(fault) = read {
                self.problem(&spot, fault);
            }
        }
        self.open.pop();
    }

    fn problem(&mut self, spot: &Spot, fault: Fault) {
        if self.lost {
            return;
        }
        let Fault { at, width, message, help } = fault;
        let (file, text) = (spot.file.to_string(), spot.text.clone());
        self.problems.push(Problem { file, line: spot.line, column: at + 1, width, message, help, text });
    }

    fn line(&mut self, spot: &Spot, line: &Line) -> Read {
        let first = &line.tokens[0];
        let word = first.word().unwrap_or_default();
        let included = self.open.len() > 1;
        if word == FRAGMENT && line.tokens.len() == 1 {
            let help = "it begins a file that is only there to be included";
            return if included && !self.body_of_fragment(spot) {
                Ok(())
            } else {
                Err(Fault::new(first, "fragment is out of place", help))
            };
        }
        if !self.body && !included && !line.indented && is_header(&spot.text) {
            return self.header_line(spot);
        }
        if !self.body && !included && !line.indented {
            self.known_key(first)?;
        }
        self.begin_body(&spot.file.clone(), &spot.text);
        if self.ended {
            return Err(Fault::new(first, "the line about the server is the last one", "put this line before it"));
        }
        match word {
            "include" => {
                let included = self.include(spot, line);
                if let Err(fault) = included {
                    // Who is in the game then is anybody's guess.
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
                return Err(Fault::new(first, format!("there is no : after {word}"), format!("write `{word}: ..`")));
            }
            let help = format!("a line is `{}: ..`, `include FILE`, or `server ends`", self.somebody());
            return Err(Fault::new(first, "this says nobody does something", help));
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
            [] => return Err(Fault::new(first, format!("what does {who} do, or is {who} told?"), "")),
            ["nothing", "more"] => Box::new(|client| Step::Expect { client, expected: Expected::Nothing }),
            ["*"] if line.indented => Box::new(|client| Step::Expect { client, expected: Expected::Any }),
            ["silent"] if !line.indented => {
                if self.header.timeout.is_none() {
                    let help = "say how many seconds in the header, `timeout: 1`";
                    return Err(Fault::new(&rest[0], "nobody's time is up without a timeout", help));
                }
                Box::new(|client| Step::Silence { client })
            }
            ["..."] => return Err(Fault::new(&rest[0], "an event follows, the one that is waited for", "")),
            ["...", ..] if line.indented => {
                let call = context.read(Side::Event, &rest[1], &rest[2..])?;
                Box::new(move |client| Step::Expect { client, expected: Expected::Until(call.clone()) })
            }
            ["*" | "...", ..] if !line.indented => {
                return Err(Fault::new(&rest[0], "this is what a client is told", "indent the line"));
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
            self.seating.follow(&step);
            self.steps.push(step);
            self.places.push(Place::Line { file: spot.file.clone(), line: spot.line });
        }
        Ok(())
    }

    /// A line above the steps whose first word is nearly a key of the header, or in small letters where nobody is known who
    /// could do something.
    fn known_key(&mut self, first: &Token) -> Read {
        let Some(key) = first.word().and_then(|word| word.strip_suffix(':')) else { return Ok(()) };
        let clients = || self.header.clients.iter().map(|client| client.name.as_str()).chain(["all"]);
        let is_near = |help: &str| help.starts_with("did you mean");
        if clients().any(|client| client == key) || is_near(&suggest(key, clients())) {
            return Ok(());
        }
        let help = suggest(key, KEYS.iter().copied());
        if is_near(&help) || (self.header.clients.is_empty() && key.starts_with(char::is_lowercase)) {
            self.unknown_key = true;
            return Err(Fault::new(first, format!("there is no header key {key}"), help));
        }
        Ok(())
    }

    /// Whether a fragment has said something already; only then is its first word out of place.
    fn body_of_fragment(&self, spot: &Spot) -> bool {
        matches!(self.places.last(), Some(Place::Line { file, .. }) if *file == spot.file)
    }

    fn somebody(&self) -> &str {
        self.header.clients.first().map_or("NAME", |client| client.name.as_str())
    }

    /// Whom a line is about.
    fn clients(&self, who: &str, token: &Token) -> Result<Vec<u32>, Fault> {
        if who == "all" {
            let all = self.seating.all().to_vec();
            let message = "nobody is in the game yet";
            let help = self.game.seats().map(|seats| {
                format!("all are those who were told {}, and whose player has not {}", seats.joined, seats.left)
            });
            return if all.is_empty() { Err(Fault::new(token, message, help.unwrap_or_default())) } else { Ok(all) };
        }
        if let Some(client) = self.header.clients.iter().find(|client| client.name == who) {
            return Ok(vec![client.number]);
        }
        if KEYS.contains(&who) {
            return Err(Fault::new(
                token,
                format!("{who} belongs to the header"),
                "the header is above the first step",
            ));
        }
        let known = self.header.clients.iter().map(|client| client.name.as_str());
        let known: Vec<&str> =
            known.chain(["all"]).chain(KEYS.iter().copied().filter(|_| self.steps.is_empty())).collect();
        Err(Fault::new(token, format!("there is no player {who}"), suggest(who, known.into_iter())))
    }

    fn include(&mut self, spot: &Spot, line: &Line) -> Read {
        const DEEPEST: usize = 16;
        let [_, name] = line.tokens.as_slice() else {
            return Err(Fault::new(&line.tokens[0], "one file is included at a time", "include opening.script"));
        };
        let path = match &name.kind {
            TokenKind::Quoted(path) => path.clone(),
            TokenKind::Word | TokenKind::Json(_) => name.raw.clone(),
        };
        let (file, text) = self.sources.include(&spot.file, &path).map_err(|error| Fault::new(name, error, ""))?;
        if self.open.contains(&file) || self.open.len() > DEEPEST {
            return Err(Fault::new(name, format!("{file} would include itself"), ""));
        }
        if !is_fragment(&text) {
            let help = format!("the first line of a file that can be included is `{FRAGMENT}`");
            return Err(Fault::new(name, format!("{file} is a script of its own"), help));
        }
        self.file(&file, &text);
        Ok(())
    }

    fn server(&mut self, line: &Line) -> Read {
        let help = "`server ends`, or `server refuses with 1 \"some of its words\"`";
        let wrong = |token: &Token| Fault::new(token, "this is nothing that is expected of a server", help);
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
                    return Err(Fault::new(first, message, "take the steps out, or this line"));
                }
                Ending::Refused { code, message }
            }
            [_, ..] | [] => return Err(wrong(line.tokens.get(1).unwrap_or(&line.tokens[0]))),
        };
        self.ended = true;
        Ok(())
    }

    fn header_line(&mut self, spot: &Spot) -> Read {
        if self.header.scenario.is_none() {
            self.scenario_line = Some(spot.clone());
        }
        let read = self.header.read(self.games, self.game, &spot.text);
        // Of another game everything may be right.
        self.unknown_key |= read.is_err() && spot.text.starts_with(RULEBOOK);
        read
    }

    /// The first step, or the end of the file: the header is complete now.
    fn begin_body(&mut self, file: &str, text: &str) {
        if std::mem::replace(&mut self.body, true) {
            return;
        }
        self.lost |= self.unknown_key;
        self.seating = Seating::new(self.game.seats(), &self.header.clients);
        let top = Spot { file: file.into(), line: 1, text: text.lines().next().unwrap_or_default().into() };
        let missing = |message: &str, help: &str| Fault { at: 0, width: 1, message: message.into(), help: help.into() };
        match self.header.scenario.clone() {
            None => self.problem(&top, missing("there is no scenario in the header", "scenario: winter")),
            Some(ScenarioText::Text(text)) => self.scenario = text,
            Some(ScenarioText::File(name)) => match self.sources.scenario(self.game, &name) {
                Ok(text) => self.scenario = text,
                Err(error) => {
                    let spot = self.scenario_line.clone().unwrap_or(top.clone());
                    let width = spot.text.chars().count().saturating_sub(10);
                    self.problem(&spot, Fault { at: 10, width, message: error, help: String::new() });
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
