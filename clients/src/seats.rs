//! Seats in games that a person can resume: a small file for each, which only that person can read.
//!
//! A token is a secret, so it is never printed and never on a command line.

use std::{
    error::Error,
    fmt,
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::PathBuf,
    time::SystemTime,
};

use commlib::Token;
use serde_json::{Value, json};

/// Everything that a process needs to resume a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// The address of the server.
    pub address: String,
    /// The name of the game.
    pub game: String,
    /// The number of the client in the game.
    pub client: u32,
    /// The name of the player.
    pub name: String,
    /// The secret that resumes the seat.
    pub token: Token,
}

/// The folder with the files of all seats.
#[derive(Debug)]
pub struct Seats(PathBuf);

/// The reasons why a seat cannot be kept or found.
#[derive(Debug)]
pub enum SeatError {
    /// The environment names no folder for the state of programs.
    NoFolder,
    /// The file of a seat cannot be written.
    Unwritable {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// No seat is kept.
    NoneKept,
    /// There are seats, but none of this name.
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The label and the player of every seat.
        kept: Vec<(String, String)>,
    },
    /// There are several seats in the game of this name.
    Ambiguous {
        /// The name that was asked for.
        name: String,
        /// The label and the player of each of them.
        kept: Vec<(String, String)>,
    },
}

/// A seat with its label.
#[derive(Debug)]
struct Kept {
    label: String,
    seat: Seat,
    at: SystemTime,
}

impl Seats {
    /// The folder of this user. It is not created yet.
    ///
    /// # Errors
    ///
    /// The environment names no folder.
    pub fn of_user() -> Result<Self, SeatError> {
        let variable = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let state = variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")));
        let state = state.ok_or(SeatError::NoFolder)?;
        Ok(Self(state.join("holdfast/seats")))
    }

    /// Writes the file of a seat, or replaces it.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn keep(&self, seat: &Seat) -> Result<(), SeatError> {
        let file = self.file(seat);
        let written = || -> io::Result<()> {
            DirBuilder::new().recursive(true).mode(0o700).create(&self.0)?;
            // Writes another file and renames it, so that no reader ever sees half a file.
            let beside = file.with_extension(format!("{}.new", std::process::id()));
            let mut out = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
            writeln!(out, "{}", print(seat))?;
            fs::rename(&beside, &file)
        };
        written().map_err(|error| SeatError::Unwritable { file: file.clone(), error })
    }

    /// Deletes the file of a seat.
    pub fn forget(&self, seat: &Seat) {
        let _gone_already = fs::remove_file(self.file(seat));
    }

    /// The seat with this label, or the only seat in the game with this name. Without a name, the latest seat.
    ///
    /// # Errors
    ///
    /// No seat matches, or more than one.
    pub fn find(&self, name: Option<&str>) -> Result<Seat, SeatError> {
        let mut all = self.all();
        let Some(name) = name else {
            return all.pop().map(|kept| kept.seat).ok_or(SeatError::NoneKept);
        };
        let list = |kept: &[Kept]| kept.iter().map(|kept| (kept.label.clone(), kept.seat.name.clone())).collect();
        let known: Vec<(String, String)> = list(&all);
        all.retain(|kept| kept.label == name || kept.seat.game == name);
        match all.as_slice() {
            [] if known.is_empty() => Err(SeatError::NoneKept),
            [] => Err(SeatError::Unknown { name: name.into(), kept: known }),
            [only] => Ok(only.seat.clone()),
            several => Err(SeatError::Ambiguous { name: name.into(), kept: list(several) }),
        }
    }

    /// The shortest name that finds a seat.
    pub fn name(&self, seat: &Seat) -> String {
        let same_game = self.all().iter().filter(|kept| kept.seat.game == seat.game).count();
        if same_game > 1 { label(seat) } else { seat.game.clone() }
    }

    /// How a person goes back to a seat: the command with `--resume`, and more options behind it.
    pub fn resume_hint(&self, seat: &Seat, options: &[String]) -> String {
        let program = std::env::args().next().unwrap_or_else(|| "holdfast".into());
        let name = self.name(seat);
        let words = [&*program, "play", "--resume", &*name].into_iter().chain(options.iter().map(|option| &**option));
        let words: Vec<String> = words.map(quoted).collect();
        format!("Your seat in game {} is kept. To go back to it:\n  {}", seat.game, words.join(" "))
    }

    /// All seats, the latest last. Unreadable files are skipped.
    fn all(&self) -> Vec<Kept> {
        let files = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let mut all: Vec<Kept> = files
            .filter(|file| file.path().extension().is_some_and(|extension| extension == "json"))
            .filter_map(|file| {
                let seat = parse(&fs::read_to_string(file.path()).ok()?)?;
                Some(Kept { label: label(&seat), seat, at: file.metadata().ok()?.modified().ok()? })
            })
            .collect();
        all.sort_by_key(|kept| kept.at);
        all
    }

    /// The file of a seat.
    pub fn file(&self, seat: &Seat) -> PathBuf {
        self.0.join(format!("{}.json", label(seat)))
    }
}

impl fmt::Display for SeatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, kept: &[(String, String)]| {
            kept.iter().try_for_each(|(label, player)| write!(f, "\n  {label} ({player})"))
        };
        match self {
            Self::NoFolder => f.write_str("neither HOME nor XDG_STATE_HOME names a folder"),
            Self::Unwritable { file, error } => write!(f, "{}: {error}", file.display()),
            Self::NoneKept => f.write_str("no place in a game is kept here"),
            Self::Unknown { name, kept } => {
                write!(f, "no place in game {name} is kept here; there are:")?;
                list(f, kept)
            }
            Self::Ambiguous { name, kept } => {
                write!(f, "several places in game {name} are kept; name one:")?;
                list(f, kept)
            }
        }
    }
}

impl Error for SeatError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unwritable { error, .. } => Some(error),
            Self::NoFolder | Self::NoneKept | Self::Unknown { .. } | Self::Ambiguous { .. } => None,
        }
    }
}

/// A label that is unique for each seat and a safe file name, even if the server's game names are not.
fn label(seat: &Seat) -> String {
    let safe = |text: &str| -> String {
        let plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | ':' | '.');
        text.chars().take(80).map(|char| if plain(char) { char } else { '_' }).collect()
    };
    // The name of the game does not come first: a leading dot would hide the file.
    format!("seat-{}-{}@{}", seat.client, safe(&seat.game), safe(&seat.address))
}

/// Quotes a word of a command line for a shell.
fn quoted(word: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "-_./:@+,%".contains(char);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

fn print(seat: &Seat) -> Value {
    let Seat { address, game, client, name, token } = seat;
    json!({"address": address, "game": game, "client": client, "name": name, "token": token.to_string()})
}

fn parse(text: &str) -> Option<Seat> {
    let value: Value = serde_json::from_str(text).ok()?;
    let word = |field: &str| value[field].as_str().map(ToOwned::to_owned);
    Some(Seat {
        address: word("address")?,
        game: word("game")?,
        client: value["client"].as_u64()?.try_into().ok()?,
        name: word("name")?,
        token: word("token")?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn seat(game: &str, client: u32) -> Seat {
        let token = Token::new([client as u8; 16]);
        Seat { address: "[::1]:7700".into(), game: game.into(), client, name: format!("player {client}"), token }
    }

    #[test]
    fn kept_found_and_forgotten() {
        let folder = std::env::temp_dir().join(format!("holdfast-seats-{}", std::process::id()));
        let seats = Seats(folder.join("holdfast/seats"));
        let error = |name| seats.find(name).expect_err("there is no such seat").to_string();
        assert_eq!(error(None), "no place in a game is kept here");
        let [one, two, other] = [seat("tea", 1), seat("tea", 2), seat("../../coffee", 1)];
        for seat in [&one, &other] {
            seats.keep(seat).expect("kept");
        }
        assert_eq!(seats.find(Some("tea")).expect("kept"), one.clone());
        assert_eq!(seats.name(&one), "tea");
        assert_eq!(seats.find(Some("../../coffee")).expect("kept"), other.clone());
        seats.keep(&two).expect("kept");
        let several = "several places in game tea are kept; name one:";
        let words = error(Some("tea"));
        assert!(words.starts_with(several) && words.contains("(player 2)"), "{words}");
        assert_eq!(seats.find(Some(&seats.name(&two))).expect("kept"), two.clone());
        let words = error(Some("soup"));
        assert!(words.contains("game soup") && words.contains("tea"), "{words}");

        let mode = |path: PathBuf| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!((mode(seats.file(&two)), mode(seats.0.clone())), (0o600, 0o700));
        assert_eq!(fs::read_dir(&seats.0).expect("a folder").count(), 3, "nothing lies beside them");
        seats.forget(&two);
        assert_eq!(seats.find(Some("tea")).expect("kept"), one);
        fs::remove_dir_all(folder).expect("the test made it");
    }
}
