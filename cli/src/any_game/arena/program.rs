//! Foreign programs as players: each plays one seat of one game, as an ordinary client.

use std::{error::Error, fmt, net::SocketAddr, process::Stdio};

use clients::{
    process::{self, Keep, Pipe},
    words::{Unreadable, split},
};

/// A foreign program and its name in the arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignBot {
    /// The name of the bot.
    pub name: String,
    /// The words of its command, with placeholders.
    words: Vec<String>,
}

/// The seat of a program, and how to get there.
#[derive(Clone, Debug)]
pub(super) struct Place<'p> {
    pub(super) connect: SocketAddr,
    pub(super) rulebook: &'static str,
    pub(super) game: &'p str,
    /// The number of the seat, from 0.
    pub(super) seat: usize,
    pub(super) players: usize,
    pub(super) seed: i64,
    pub(super) name: &'p str,
}

/// The reasons why a text is not a foreign bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForeignBotError {
    /// The text has no `=`.
    NoName,
    /// The name is empty, too long, or has characters that would break a table.
    BadName,
    /// The command cannot be split into words.
    Command(Unreadable),
    /// The command has a placeholder that does not exist.
    Placeholder {
        /// The placeholder with its braces.
        word: String,
    },
}

impl fmt::Display for ForeignBotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoName => f.write_str("a bot is NAME=COMMAND"),
            Self::BadName => {
                write!(
                    f,
                    "the name of a bot has 1 to {LONGEST_NAME} characters, none of which is a comma or white space"
                )
            }
            Self::Command(error) => error.fmt(f),
            Self::Placeholder { word } => {
                let known: Vec<String> = PLACEHOLDERS.iter().map(|name| format!("{{{name}}}")).collect();
                write!(f, "there is no placeholder {word}; there are {}", known.join(", "))
            }
        }
    }
}

impl Error for ForeignBotError {}

/// The most characters of a bot's name.
const LONGEST_NAME: usize = 40;

/// What a command may have between braces.
const PLACEHOLDERS: [&str; 7] = ["connect", "rulebook", "game", "seat", "players", "seed", "name"];

/// The most bytes of standard error that are kept.
const SAID: usize = 4096;

impl ForeignBot {
    /// Parses `NAME=COMMAND`.
    ///
    /// # Errors
    /// If the name or the command cannot be used.
    pub fn parse(text: &str) -> Result<Self, ForeignBotError> {
        let (name, command) = text.split_once('=').ok_or(ForeignBotError::NoName)?;
        let is_bad = |letter: char| letter == ',' || letter.is_whitespace() || letter.is_control();
        if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(is_bad) {
            return Err(ForeignBotError::BadName);
        }
        let words = split(command).map_err(ForeignBotError::Command)?;
        for word in &words {
            if let Some(inner) = word.strip_prefix('{').and_then(|word| word.strip_suffix('}'))
                && inner.chars().all(|letter| letter.is_ascii_lowercase())
                && !PLACEHOLDERS.contains(&inner)
            {
                return Err(ForeignBotError::Placeholder { word: word.clone() });
            }
        }
        Ok(Self { name: name.into(), words })
    }

    /// Runs the program for one seat until it ends. Returns why it did, with the end of its standard error. If the future is
    /// dropped, the program and its children are killed.
    pub(super) async fn run(&self, place: Place<'_>) -> String {
        let values = place.values();
        let fill = |word: &String| {
            values.iter().fold(word.clone(), |word, (name, value)| word.replace(&format!("{{{name}}}"), value))
        };
        let words: Vec<String> = self.words.iter().map(fill).collect();
        let mut command = process::foreign(&words);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        for (name, value) in &values {
            command.env(format!("HOLDFAST_{}", name.to_uppercase()), value);
        }
        let (mut printed, mut said) = (Pipe::new(Keep::First(0)), Pipe::new(Keep::Last(SAID)));
        let ended = process::wait(&mut command, None, &mut printed, &mut said).await;
        let why = match ended {
            Ok(status) => format!("the program ended before the game ({status})"),
            Err(stop) => format!("the program {stop}"),
        };
        let said = String::from_utf8_lossy(said.kept());
        match said.trim().lines().last() {
            Some(last) => format!("{why}: {}", last.trim()),
            None => why,
        }
    }
}

impl Place<'_> {
    fn values(&self) -> [(&'static str, String); 7] {
        let Self { connect, rulebook, game, seat, players, seed, name } = self;
        let values = [
            connect.to_string(),
            (*rulebook).to_owned(),
            (*game).to_owned(),
            seat.to_string(),
            players.to_string(),
            seed.to_string(),
            (*name).to_owned(),
        ];
        let mut values = values.into_iter();
        PLACEHOLDERS.map(|placeholder| (placeholder, values.next().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::ForeignBot;

    #[test]
    fn bots_of_the_command_line() {
        let check = |text: &str, expected: &str| {
            let came = ForeignBot::parse(text).map_or_else(|error| error.to_string(), |bot| format!("{:?}", bot.words));
            assert!(came.contains(expected), "{text}: {came}");
        };
        check("mine=python3 bot.py --game {game}", r#"["python3", "bot.py", "--game", "{game}"]"#);
        check("mine=run 'a b' {\"json\":1}", r#"["run", "a b", "{json:1}"]"#);
        check("python3 bot.py", "a bot is NAME=COMMAND");
        check("=python3", "1 to 40 characters");
        check("a b=python3", "1 to 40 characters");
        check("mine=", "no program");
        check("mine=run {gmae}", "there is no placeholder {gmae}");
    }
}
