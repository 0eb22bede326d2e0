//! Chronicles that somebody looked at lately, so that the next look is quick.

use std::sync::{Arc, Mutex, RwLock};

use commlib::{Reason, Refused};
use slog::warn;

use crate::{
    chronicle::{Chronicle, Sight},
    host::{Host, lock},
    log::GameHead,
};

/// How many chronicles are kept at most.
const MOST: usize = 64;

/// How many bytes they may have together; the one that is looked at may have more.
const MOST_BYTES: usize = 256 << 20;

/// A longer log is not shown: it would take the memory that players need.
const LONGEST: u64 = 500_000;

#[derive(Default)]
pub(crate) struct Shelf {
    /// The one that was looked at last is the last.
    books: Mutex<Vec<Book>>,
}

#[derive(Clone)]
pub(crate) struct Book {
    name: Arc<str>,
    sight: Sight,
    pub(crate) chronicle: Arc<RwLock<Box<dyn Chronicle>>>,
    bytes: usize,
}

impl Shelf {
    /// The chronicle of a game as strangers may see it, up to what is durable now. Reads the disk.
    pub(crate) fn open(&self, host: &Host, name: &str) -> Result<(GameHead, Book), Refused> {
        let failed = |_| Refused::new(Reason::StoreFailed, "The log cannot be read now.");
        let found = host.options.log.find(name).map_err(failed)?;
        let head = found.ok_or_else(|| Refused::new(Reason::UnknownGame, format!("There is no game {name}.")))?;
        let mut book = self.take(&head, host.sight(&head.record)).map_or_else(|| begin(host, &head), Ok)?;
        {
            let mut chronicle = book.chronicle.write().unwrap_or_else(std::sync::PoisonError::into_inner);
            let known = chronicle.entries();
            if known < head.record.tail.entries || head.record.end.is_none() {
                let rows = host.options.log.read(head.record.key, known + 1).map_err(failed)?;
                chronicle.extend(rows).map_err(|why| damaged(host, name, &why))?;
            }
            book.bytes = chronicle.bytes();
        }
        self.put(book.clone());
        Ok((head, book))
    }

    fn take(&self, head: &GameHead, sight: Sight) -> Option<Book> {
        let books = lock(&self.books);
        books.iter().find(|book| *book.name == *head.record.name && book.sight == sight).cloned()
    }

    fn put(&self, book: Book) {
        let mut books = lock(&self.books);
        // What was public while the game ran is of no more use when everything can be seen.
        books.retain(|other| other.name != book.name);
        books.push(book);
        while books.len() > MOST || books.len() > 1 && books.iter().map(|book| book.bytes).sum::<usize>() > MOST_BYTES {
            books.remove(0);
        }
    }
}

/// A chronicle that nobody has looked at.
fn begin(host: &Host, head: &GameHead) -> Result<Book, Refused> {
    let (sight, chronicle) = blank(host, head)?;
    let chronicle = Arc::new(RwLock::new(chronicle));
    Ok(Book { name: head.record.name.as_str().into(), sight, chronicle, bytes: 0 })
}

/// The chronicle of a game before its first entry, as strangers may see it.
pub(crate) fn blank(host: &Host, head: &GameHead) -> Result<(Sight, Box<dyn Chronicle>), Refused> {
    if head.record.tail.entries > LONGEST {
        let words = "This game is too long to be shown here; holdfast log can tell it.";
        return Err(Refused::new(Reason::TooLarge, words));
    }
    let rulebook = &head.record.about.rulebook;
    let unknown = || Refused::new(Reason::Internal, format!("This host lacks the rulebook {rulebook}."));
    let rules = host.rulebook_named(rulebook).ok_or_else(unknown)?;
    let sight = host.sight(&head.record);
    let chronicle = rules.chronicle(head, sight).map_err(|why| damaged(host, &head.record.name, &why))?;
    Ok((sight, chronicle))
}

/// What exactly is wrong is for whoever looks after the host: it may tell more of a running game than anybody may know.
pub(crate) fn damaged(host: &Host, game: &str, why: &str) -> Refused {
    warn!(host.options.logger, "a game cannot be shown"; "game" => game, "why" => why);
    Refused::new(Reason::Internal, "The log of this game cannot be read.")
}
