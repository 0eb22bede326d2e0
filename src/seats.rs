//! Places in games that a person may come back to: a small file for each, which nobody else can read.
//!
//! A token is a secret, so it is neither printed nor given on a command line.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::PathBuf,
    time::SystemTime,
};

use clients::terminal::connection::Seat;
use serde_json::{Value, json};

/// The folder of the files.
#[derive(Debug)]
pub(crate) struct Seats(PathBuf);

/// A seat and how it is called here.
#[derive(Debug)]
struct Kept {
    label: String,
    seat: Seat,
    at: SystemTime,
}

impl Seats {
    /// Where the state of programs is kept on this system; nothing is made yet.
    pub(crate) fn of_user() -> Result<Self, String> {
        let variable = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let state = variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")));
        let state = state.ok_or("neither HOME nor XDG_STATE_HOME names a folder")?;
        Ok(Self(state.join("holdfast/seats")))
    }

    /// Keeps a seat, in place of what was kept of it.
    pub(crate) fn keep(&self, seat: &Seat) -> Result<(), String> {
        let file = self.file(seat);
        let written = || -> io::Result<()> {
            DirBuilder::new().recursive(true).mode(0o700).create(&self.0)?;
            // Never half a file: it is written beside and moved.
            let beside = file.with_extension(format!("{}.new", std::process::id()));
            let mut out = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
            writeln!(out, "{}", print(seat))?;
            fs::rename(&beside, &file)
        };
        written().map_err(|error| format!("{}: {error}", file.display()))
    }

    pub(crate) fn forget(&self, seat: &Seat) {
        let _gone_already = fs::remove_file(self.file(seat));
    }

    /// The seat of this label, or the only one in the game of this name; without a name, the one that was taken last.
    pub(crate) fn find(&self, name: Option<&str>) -> Result<Seat, String> {
        let mut all = self.all();
        let Some(name) = name else {
            return all.pop().map(|kept| kept.seat).ok_or_else(|| "no place in a game is kept here".into());
        };
        let list = |kept: &[Kept]| -> String {
            let line = |kept: &Kept| format!("\n  {} ({})", kept.label, kept.seat.name);
            kept.iter().map(line).collect()
        };
        let known = list(&all);
        all.retain(|kept| kept.label == name || kept.seat.game == name);
        match all.as_slice() {
            [] if known.is_empty() => Err("no place in a game is kept here".into()),
            [] => Err(format!("no place in game {name} is kept here; there are:{known}")),
            [only] => Ok(only.seat.clone()),
            several => Err(format!("several places in game {name} are kept; name one:{}", list(several))),
        }
    }

    /// The shortest name that finds a seat.
    pub(crate) fn name(&self, seat: &Seat) -> String {
        let same_game = self.all().iter().filter(|kept| kept.seat.game == seat.game).count();
        if same_game > 1 { label(seat) } else { seat.game.clone() }
    }

    /// Latest last. What cannot be read is no seat.
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

    pub(crate) fn file(&self, seat: &Seat) -> PathBuf {
        self.0.join(format!("{}.json", label(seat)))
    }
}

/// Different for each seat, and always the name of a file: a server may call its games as it likes.
fn label(seat: &Seat) -> String {
    let safe = |text: &str| -> String {
        let plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | ':' | '.');
        text.chars().take(80).map(|char| if plain(char) { char } else { '_' }).collect()
    };
    // Not in front, where a dot would hide it.
    format!("seat-{}-{}@{}", seat.client, safe(&seat.game), safe(&seat.address))
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

    use commlib::Token;

    use super::*;

    fn seat(game: &str, client: u32) -> Seat {
        let token = Token::new([client as u8; 16]);
        Seat { address: "[::1]:7700".into(), game: game.into(), client, name: format!("player {client}"), token }
    }

    #[test]
    fn kept_found_and_forgotten() {
        let folder = std::env::temp_dir().join(format!("holdfast-seats-{}", std::process::id()));
        let seats = Seats(folder.join("holdfast/seats"));
        assert_eq!(seats.find(None), Err("no place in a game is kept here".into()));
        let [one, two, other] = [seat("tea", 1), seat("tea", 2), seat("../../coffee", 1)];
        for seat in [&one, &other] {
            seats.keep(seat).expect("kept");
        }
        assert_eq!(seats.find(Some("tea")), Ok(one.clone()));
        assert_eq!(seats.name(&one), "tea");
        assert_eq!(seats.find(Some("../../coffee")), Ok(other.clone()));
        seats.keep(&two).expect("kept");
        let several = "several places in game tea are kept; name one:";
        assert!(seats.find(Some("tea")).is_err_and(|why| why.starts_with(several) && why.contains("(player 2)")));
        assert_eq!(seats.find(Some(&seats.name(&two))), Ok(two.clone()));
        assert!(seats.find(Some("soup")).is_err_and(|why| why.contains("game soup") && why.contains("tea")));

        let mode = |path: PathBuf| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!((mode(seats.file(&two)), mode(seats.0.clone())), (0o600, 0o700));
        assert_eq!(fs::read_dir(&seats.0).expect("a folder").count(), 3, "nothing lies beside them");
        seats.forget(&two);
        assert_eq!(seats.find(Some("tea")), Ok(one));
        fs::remove_dir_all(folder).expect("it is ours");
    }
}
