//! The games of a log file: finding one, and beginning its story.

use std::{
    cell::Cell,
    fs::File,
    io::Read,
    panic::{self, AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{Arc, Once},
};

use cli::Program;
use server::{
    GameTable, HostedGame,
    chronicle::{Chronicle, Sight},
    log::{About, GameHead, GameRecord, LogReader, Row, StoreError, open_reader},
};
use tokio::runtime::{Builder, Runtime};

/// A log that is open for reading, and what drives it: the tools themselves wait for every answer.
pub(super) struct Log {
    pub(super) path: PathBuf,
    pub(super) reader: Arc<dyn LogReader>,
    pub(super) program: Program,
    runtime: Runtime,
}

impl Log {
    pub(super) fn open(program: &Program, path: &Path) -> Result<Self, String> {
        let shown = path.display();
        match first_bytes(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(format!("there is no file {shown}"));
            }
            Err(error) => return Err(format!("{shown}: {error}")),
            Ok(first) if first.is_empty() => return Err(format!("{shown} is empty: nothing was stored in it")),
            Ok(first) if first != SQLITE => {
                return Err(format!("{shown}: this is no log of a host; `holdfast host --log games.log` writes one"));
            }
            Ok(_) => {}
        }
        let runtime =
            Builder::new_current_thread().enable_all().build().map_err(|error| format!("{shown}: {error}"))?;
        let reader = runtime.block_on(open_reader(path)).map_err(|error| {
            let names_it =
                matches!(error, StoreError::Foreign { .. } | StoreError::Newer { .. } | StoreError::Empty { .. });
            if names_it { error.to_string() } else { format!("{shown}: {error}") }
        })?;
        Ok(Self { path: path.into(), reader, program: *program, runtime })
    }

    /// Waits for the answer of the store.
    pub(super) fn wait<T>(&self, answer: impl Future<Output = T>) -> T {
        self.runtime.block_on(answer)
    }

    pub(super) fn list(&self) -> Result<Vec<GameRecord>, String> {
        self.wait(self.reader.list()).map_err(|error| self.failed(error))
    }

    /// A game by its name, or the only one.
    pub(super) fn game(&self, name: Option<&str>) -> Result<GameHead, String> {
        let Some(name) = name else {
            return match self.list()?.as_slice() {
                [only] => self.head(only),
                [] => Err(self.failed("there are no games in it")),
                games => {
                    let names = some(games.iter().map(|game| &*game.name));
                    let list = format!("`holdfast log list {}` shows them", self.path.display());
                    Err(self.failed(format!("name one of its {} games: {names} ({list})", games.len())))
                }
            };
        };
        match self.wait(self.reader.find(name)).map_err(|error| self.failed(error))? {
            Some(head) => Ok(head),
            None => {
                let games = self.list()?;
                Err(self.failed(format!("there is no game {name}; {}", near(name, &games))))
            }
        }
    }

    fn head(&self, game: &GameRecord) -> Result<GameHead, String> {
        self.wait(self.reader.head(game.key)).map_err(|error| self.of_game(&game.name, error))
    }

    pub(super) fn rows(&self, game: &GameRecord) -> Result<Vec<Row>, String> {
        self.wait(self.reader.rows(game.key, 1)).map_err(|error| self.of_game(&game.name, error))
    }

    /// The story of a game whose rules are here.
    pub(super) fn chronicle(&self, head: &GameHead, sight: Sight) -> Result<Box<dyn Chronicle>, String> {
        self.tell(head, sight).map_err(|error| self.of_game(&head.record.name, error))
    }

    /// The same for whoever says which game it is.
    pub(super) fn chronicle_of(&self, record: &GameRecord, sight: Sight) -> Result<Box<dyn Chronicle>, String> {
        self.tell(&self.wait(self.reader.head(record.key)).map_err(|error| error.to_string())?, sight)
    }

    fn tell(&self, head: &GameHead, sight: Sight) -> Result<Box<dyn Chronicle>, String> {
        let rules = self.rules(&head.record.about)?;
        let rows = self.wait(self.reader.rows(head.record.key, 1)).map_err(|error| error.to_string())?;
        caught(|| {
            let mut chronicle = rules.chronicle(head, sight)?;
            chronicle.extend(rows)?;
            Ok(chronicle)
        })
    }

    /// The rules that a game was played with, if this program has them.
    pub(super) fn rules(&self, about: &About) -> Result<&'static dyn HostedGame, String> {
        rules_of(&self.program.hosted(), about)
    }

    pub(super) fn failed(&self, error: impl std::fmt::Display) -> String {
        format!("{}: {error}", self.path.display())
    }

    pub(super) fn of_game(&self, name: &str, error: impl std::fmt::Display) -> String {
        self.failed(format!("game {name}: {error}"))
    }
}

/// The rules that a game was played with, if this program has them.
fn rules_of(games: &GameTable, about: &About) -> Result<&'static dyn HostedGame, String> {
    let About { rulebook, rules_version, .. } = about;
    let Some(rules) = games.named(rulebook) else {
        let here: Vec<&str> = games.iter().map(HostedGame::name).collect();
        return Err(format!("its rulebook {rulebook} is not in this program, which has {}", here.join(", ")));
    };
    if !rules.rules_versions().contains(rules_version) {
        let ours: Vec<String> = rules.rules_versions().iter().map(ToString::to_string).collect();
        let is = if ours.len() == 1 { "is" } else { "are" };
        let ours = ours.join(", ");
        return Err(format!("it was played with version {rules_version} of the rules of {rulebook}; here {is} {ours}"));
    }
    Ok(rules)
}

/// A log that was tampered with can have events that no board takes: what panics then says so like any other error.
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
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
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
        Err(format!("its entries do not fit together ({text}); `holdfast log verify` says whether they were changed"))
    })
}

const SQLITE: &[u8] = b"SQLite format 3\0";

fn first_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut first = Vec::new();
    File::open(path)?.take(SQLITE.len() as u64).read_to_end(&mut first)?;
    Ok(first)
}

/// Names that somebody may have meant.
fn near(name: &str, games: &[GameRecord]) -> String {
    let names = || games.iter().map(|game| &*game.name);
    let begin: Vec<&str> = names().filter(|other| other.starts_with(name)).collect();
    if !begin.is_empty() && !name.is_empty() {
        return format!("did you mean {}?", some(begin.into_iter()));
    }
    if games.is_empty() { "there are none".into() } else { script::suggest(name, names()) }
}

/// The first few of many.
fn some<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    const MOST: usize = 8;
    let more = names.len().saturating_sub(MOST);
    let first: Vec<&str> = names.take(MOST).collect();
    if more == 0 { first.join(", ") } else { format!("{} and {more} more", first.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_errors() {
        assert_eq!(caught(|| Ok(1)), Ok(1));
        assert_eq!(caught::<()>(|| Err("no".into())), Err("no".into()));
        let panicked = caught::<()>(|| panic!("no card {}", 7)).expect_err("it panics");
        assert!(panicked.starts_with("its entries do not fit together (no card 7); "), "{panicked}");
    }

    #[test]
    fn games_of_other_rules() {
        let games = GameTable::new(crate::GAMES.iter().map(|game| game.hosted()).collect());
        let check = |rulebook: &str, rules_version: u32, expected: &str| {
            let about = About { rulebook: rulebook.into(), edition: String::new(), rules_version, seed: 0 };
            assert_eq!(rules_of(&games, &about).err().unwrap_or_default(), expected);
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
