//! The games of a log file: finding one, and reading its chronicle.

use std::{
    cell::Cell,
    fs::File,
    io::Read,
    panic::{self, AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{Arc, Once},
};

use cli::{Program, serving::LogFileError};
use server::{
    GameTable, HostedGame,
    chronicle::{Chronicle, Sight},
    log::{About, GameHead, GameRecord, LogReader, Row, StoreError, open_reader, postgres_address, shown},
};
use tokio::runtime::{Builder, Runtime};

use super::error::{GameError, LogError, first_few};

/// A log that is open for reading, with the runtime on which the tools wait for the store.
pub(super) struct Log {
    pub(super) path: PathBuf,
    pub(super) reader: Arc<dyn LogReader>,
    pub(super) program: Program,
    runtime: Runtime,
}

impl Log {
    pub(super) fn open(program: &Program, path: &Path) -> Result<Self, LogError> {
        if postgres_address(path).is_none() {
            check_file(path)?;
        }
        let runtime = Builder::new_current_thread().enable_all().build().map_err(LogError::Thread)?;
        let reader = runtime.block_on(open_reader(path)).map_err(|error| LogFileError::new(path, error))?;
        Ok(Self { path: path.into(), reader, program: program.clone(), runtime })
    }

    /// Waits for an answer of the store.
    pub(super) fn wait<T>(&self, answer: impl Future<Output = T>) -> T {
        self.runtime.block_on(answer)
    }

    pub(super) fn list(&self) -> Result<Vec<GameRecord>, LogError> {
        self.wait(self.reader.list()).map_err(|error| self.failed(error))
    }

    /// The game with this name; without a name, the only game.
    pub(super) fn game(&self, name: Option<&str>) -> Result<GameHead, LogError> {
        let path = || self.path.clone();
        let Some(name) = name else {
            return match self.list()?.as_slice() {
                [only] => self.head(only).map_err(|error| self.of_game(&only.name, error)),
                [] => Err(LogError::NoGames { path: path() }),
                games => Err(LogError::Unnamed { path: path(), games: names(games) }),
            };
        };
        match self.wait(self.reader.find(name)).map_err(|error| self.failed(error))? {
            Some(head) => Ok(head),
            None => {
                let suggestion = near(name, &names(&self.list()?));
                Err(LogError::NoSuchGame { path: path(), game: name.into(), suggestion })
            }
        }
    }

    pub(super) fn head(&self, game: &GameRecord) -> Result<GameHead, GameError> {
        self.wait(self.reader.head(game.key)).map_err(GameError::Store)
    }

    pub(super) fn rows(&self, game: &GameRecord) -> Result<Vec<Row>, GameError> {
        self.wait(self.reader.rows(game.key, 1)).map_err(GameError::Store)
    }

    /// The chronicle of a game. This program must have its rules.
    pub(super) fn chronicle(&self, head: &GameHead, sight: Sight) -> Result<Box<dyn Chronicle>, GameError> {
        let rules = self.rules(&head.record.about)?;
        let rows = self.rows(&head.record)?;
        caught(|| {
            let mut chronicle = rules.chronicle(head, sight).map_err(|error| GameError::Unreadable(error.into()))?;
            chronicle.extend(rows).map_err(|error| GameError::Unreadable(error.into()))?;
            Ok(chronicle)
        })
    }

    /// The chronicle of a listed game.
    pub(super) fn chronicle_of(&self, record: &GameRecord, sight: Sight) -> Result<Box<dyn Chronicle>, GameError> {
        self.chronicle(&self.head(record)?, sight)
    }

    /// The rules that a game was played with, if this program has them.
    pub(super) fn rules(&self, about: &About) -> Result<&'static dyn HostedGame, GameError> {
        rules_of(&self.program.hosted(), about)
    }

    pub(super) fn failed(&self, error: StoreError) -> LogError {
        LogFileError::new(&self.path, error).into()
    }

    pub(super) fn of_game(&self, game: &str, error: GameError) -> LogError {
        LogError::Game { path: self.path.clone(), game: game.into(), error: Box::new(error) }
    }
}

/// Whether a file can be a log at all: it exists and begins as one.
pub(super) fn check_file(path: &Path) -> Result<(), LogError> {
    if postgres_address(path).is_some() {
        return Err(LogError::NotAFile { path: shown(path) });
    }
    match first_bytes(path) {
        Err(cause) => Err(LogError::io(path, cause)),
        Ok(first) if first.is_empty() => Err(LogError::Empty { path: path.into() }),
        Ok(first) if first != SQLITE => Err(LogError::NotALog { path: path.into() }),
        Ok(_) => Ok(()),
    }
}

/// The rules that a game was played with, if this program has them.
fn rules_of(games: &GameTable, about: &About) -> Result<&'static dyn HostedGame, GameError> {
    let About { rulebook, rules_version, .. } = about;
    let Some(rules) = games.named(rulebook) else {
        let here = games.iter().map(HostedGame::name).collect();
        return Err(GameError::NoRulebook { rulebook: rulebook.clone(), here });
    };
    if !rules.rules_versions().contains(rules_version) {
        let here = rules.rules_versions().to_vec();
        return Err(GameError::OtherRules { rulebook: rulebook.clone(), version: *rules_version, here });
    }
    Ok(rules)
}

/// Turns a panic into an error: a log that was changed by hand can have impossible events.
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T, GameError>) -> Result<T, GameError> {
    thread_local! {
        static QUIET: Cell<bool> = const { Cell::new(false) };
    }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let loud = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                loud(panic);
            }
        }));
    });
    QUIET.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    QUIET.set(false);
    done.unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
        Err(GameError::Panicked { message: message.into() })
    })
}

const SQLITE: &[u8] = b"SQLite format 3\0";

fn first_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut first = Vec::new();
    File::open(path)?.take(SQLITE.len() as u64).read_to_end(&mut first)?;
    Ok(first)
}

fn names(games: &[GameRecord]) -> Vec<String> {
    games.iter().map(|game| game.name.clone()).collect()
}

/// Suggests the names that the user may have meant.
fn near(name: &str, games: &[String]) -> String {
    let begin: Vec<String> = games.iter().filter(|other| other.starts_with(name)).cloned().collect();
    if !begin.is_empty() && !name.is_empty() {
        return format!("did you mean {}?", first_few(&begin));
    }
    if games.is_empty() { "there are none".into() } else { script::suggest(name, games.iter().map(String::as_str)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_errors() {
        let words = |work: fn() -> Result<u8, GameError>| caught(work).map_err(|error| error.to_string());
        assert_eq!(words(|| Ok(1)), Ok(1));
        assert_eq!(words(|| Err(GameError::NoEntries)), Err("it has no entries yet".into()));
        let panicked = words(|| panic!("no card {}", 7)).expect_err("it panics");
        assert!(panicked.starts_with("its entries do not fit together (no card 7); "), "{panicked}");
    }

    #[test]
    fn games_of_other_rules() {
        let games = GameTable::new(crate::GAMES.iter().map(|game| game.hosted()).collect());
        let check = |rulebook: &str, rules_version: u32, expected: &str| {
            let about = About { rulebook: rulebook.into(), edition: String::new(), rules_version, seed: 0 };
            assert_eq!(rules_of(&games, &about).err().map(|error| error.to_string()).unwrap_or_default(), expected);
        };
        let Some(first) = games.iter().next() else { return };
        let (name, ours) = (first.name(), first.rules_versions()[0]);
        check(name, ours, "");
        check(name, 99, &format!("it was played with version 99 of the rules of {name}; here is {ours}"));
        let here: Vec<&str> = games.iter().map(HostedGame::name).collect();
        let unknown = format!("its rulebook chess is not in this program, which has {}", here.join(", "));
        check("chess", ours, &unknown);
    }
}
