//! The errors that clients received in finished games.

use std::{collections::HashMap, sync::Arc};

use commlib::{Reason, Refused};
use engine::{Audience, Cause, CommId, Emission, Entry, EntryOf, Rulebook};
use serde_json::{Value, json};
use server::log::{GameKey, GameRecord, LogReader, Row, StoreError};
use treasure_rules::{Command, Event, Game};

/// The most games in one answer.
const MOST_GAMES: usize = 100;
/// The most games of this rulebook that are read for one answer, and the most games of the log that are searched.
const MOST_READ: usize = 500;
const MOST_PASSED: usize = 20_000;
/// The most errors in one answer. A client may repeat a mistake for a whole game.
const MOST_ERRORS: usize = 1_000;
const PAGE: usize = 200;

/// A client that registered or tried to register.
struct Client {
    account: Arc<str>,
    name: String,
}

/// Finds the errors of one account (`account=ACCOUNT`), or of all (an empty query): the newest first, and whether there may be more.
/// Skips running games, whose answers are secret.
pub(super) async fn find_errors(log: &dyn LogReader, about: &str) -> Result<Value, Refused> {
    let wanted = match about.split_once('=') {
        None if about.is_empty() => None,
        Some(("account", "")) => None,
        Some(("account", account)) => Some(account),
        Some(_) | None => {
            return Err(Refused::new(Reason::BadMessage, "Ask for errors?account=ACCOUNT, or for all errors."));
        }
    };
    let mut search = Search { wanted, games: 0, read: 0, errors: Vec::new() };
    let more = search.run(log).await.map_err(|error| Refused::from(&error))?;
    Ok(json!({"games": search.games, "errors": search.errors, "more": more}))
}

struct Search<'s> {
    wanted: Option<&'s str>,
    games: usize,
    read: usize,
    errors: Vec<Value>,
}

impl Search<'_> {
    /// Searches the log. Returns true if a limit ended the search.
    async fn run(&mut self, log: &dyn LogReader) -> Result<bool, StoreError> {
        let mut before: Option<GameKey> = None;
        let mut passed = 0;
        loop {
            let page = log.page(before, PAGE).await?;
            let Some(last) = page.last() else { return Ok(false) };
            before = Some(last.key);
            passed += page.len();
            for record in page.iter().filter(|record| record.about.rulebook == Game::NAME && record.end.is_some()) {
                if self.is_full() {
                    return Ok(true);
                }
                self.read += 1;
                self.look_into(record, &log.rows(record.key, 1).await?);
            }
            if passed >= MOST_PASSED {
                return Ok(true);
            }
        }
    }

    fn is_full(&self) -> bool {
        self.games >= MOST_GAMES || self.read >= MOST_READ || self.errors.len() >= MOST_ERRORS
    }

    /// Adds the errors of one game. Ignores the unreadable rest of a broken game.
    fn look_into(&mut self, record: &GameRecord, rows: &[Row]) {
        let entries = rows.iter().map_while(|row| Entry::decode(&row.bytes).ok());
        let entries: Vec<EntryOf<Game>> = entries.collect();
        let clients: HashMap<CommId, Client> = entries.iter().filter_map(registration).collect();
        let is_wanted = |client: &Client| self.wanted.is_none_or(|wanted| wanted == &*client.account);
        if !clients.values().any(is_wanted) {
            return;
        }

        self.games += 1;
        for entry in entries.iter().rev() {
            for (client, event) in entry.emissions.iter().filter_map(to_one) {
                let Some((refusal, client)) = event.problem().zip(clients.get(&client)) else { continue };
                if self.wanted.is_some_and(|wanted| wanted != &*client.account) {
                    continue;
                }
                self.errors.push(json!({
                    "game": record.name,
                    "at": entry.at,
                    "account": client.account,
                    "name": client.name,
                    "exception": refusal.name(),
                    "message": refusal.to_string(),
                    "lost": matches!(event, Event::Failed { .. }),
                }));
            }
        }
    }
}

fn registration(entry: &EntryOf<Game>) -> Option<(CommId, Client)> {
    let Cause::Command { client, command: Command::Register { first_name, last_name, account, .. } } =
        &entry.input.cause
    else {
        return None;
    };
    let name = format!("{first_name} {last_name}").trim().to_owned();
    Some((*client, Client { account: account.clone(), name }))
}

fn to_one(emission: &Emission<Event>) -> Option<(CommId, &Event)> {
    match emission {
        Emission::Event { audience: Audience::Only(client), event } => Some((*client, event)),
        Emission::Event { audience: Audience::All | Audience::Board, .. }
        | Emission::Seated { .. }
        | Emission::Unseated { .. } => None,
    }
}
