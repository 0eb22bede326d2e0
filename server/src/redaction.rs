//! Replaces a player's name in a finished game: in entries, players, clients, results, records and chat. Digests stay.

use std::{collections::BTreeSet, error::Error, fmt};

use engine::SeatResult;

use crate::{
    chronicle::Sight,
    erased::{GameTable, HostedGame},
    host_store::HostStore,
    log::{
        Cell, ColumnKind, EventLog, GameHead, GameKey, LogReader, Record, Redaction, ReplayError, Row, StoreError,
        StoredClient, Table,
    },
    replacing::{Replacement, replace},
    room::caught,
};

/// The lines of chat of a game that are looked through: more than a host keeps.
const MOST_CHAT: u32 = 1_000_000;

/// The word in place of a name, with a number behind it.
const ANONYMOUS: &str = "anon";

/// What was replaced in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RedactedGame {
    /// The number of entries.
    pub entries: u64,
    /// The number of clients.
    pub clients: u64,
    /// The number of rows in tables of the rulebook.
    pub records: u64,
    /// The number of lines of chat.
    pub chat: u64,
    /// The entries in which a name is still a part of a longer word.
    pub left: Vec<u64>,
    /// Whether the header has a name, which cannot be replaced there: digests begin with it.
    pub in_header: bool,
}

impl RedactedGame {
    /// Whether nothing had to be replaced.
    pub fn is_unchanged(&self) -> bool {
        self.entries == 0 && self.clients == 0 && self.records == 0 && self.chat == 0
    }
}

/// Why a game was not redacted.
#[derive(Debug)]
pub enum RedactionError {
    /// The game is not over.
    NotOver,
    /// No name to replace was given, or an empty one.
    NoName,
    /// The rules cannot read the game.
    Rules(ReplayError),
    /// With the new name the rules give another game. Another word in its place may help.
    Differs(String),
    /// A store failed.
    Store(StoreError),
}

impl From<StoreError> for RedactionError {
    fn from(error: StoreError) -> Self {
        if matches!(error, StoreError::NotOver { .. }) { Self::NotOver } else { Self::Store(error) }
    }
}

impl fmt::Display for RedactionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOver => f.write_str("it is not over; names are replaced in finished games only"),
            Self::NoName => f.write_str("a name to replace has at least one character"),
            Self::Rules(error) => error.fmt(f),
            Self::Differs(difference) => {
                write!(f, "with the new name the rules give another game, so nothing was changed: {difference}")
            }
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl Error for RedactionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Rules(error) => Some(error),
            Self::Store(error) => Some(error),
            Self::NotOver | Self::NoName | Self::Differs(_) => None,
        }
    }
}

/// A game that can be redacted: everything of it, and what takes the place of names.
#[derive(Debug)]
pub struct PlannedRedaction {
    game: GameKey,
    name: String,
    words: Vec<Replacement>,
    redaction: Redaction,
    chat: Vec<(u64, String, String)>,
    report: RedactedGame,
}

impl PlannedRedaction {
    /// Finds out what has to be replaced, and that the rules give the same game with the new names. Changes nothing. `new` is the
    /// word in place of the names; without one it is a word that the game does not have.
    ///
    /// # Errors
    /// If the game is not over, this program lacks its rules, or the rules would give another game.
    pub async fn new(
        games: &GameTable,
        log: &dyn LogReader,
        chat: &dyn HostStore,
        head: &GameHead,
        names: &[String],
        new: Option<&str>,
        at: i64,
    ) -> Result<Self, RedactionError> {
        let record = &head.record;
        let Some(end) = &record.end else { return Err(RedactionError::NotOver) };
        if names.is_empty() || names.iter().any(|name| name.trim().is_empty()) {
            return Err(RedactionError::NoName);
        }
        let rulebook = &record.about.rulebook;
        let rules = games.named(rulebook).filter(|rules| rules.rules_versions().contains(&record.about.rules_version));
        let unknown = || RedactionError::Rules(ReplayError::NoRulebook { rulebook: rulebook.clone() });
        let rules = rules.ok_or_else(unknown)?;
        let rows = log.rows(record.key, 1).await?;
        let clients = log.clients(record.key).await?;
        let lines = chat.chat(&record.name, None, MOST_CHAT).await?;

        let words = replacements(names, new, &rows, &clients);
        let entries = replaced_entries(rules, &rows, &words)?;
        let mut after = rows.clone();
        for (sequence, bytes) in &entries {
            after.iter_mut().filter(|row| row.sequence == *sequence).for_each(|row| row.bytes.clone_from(bytes));
        }
        check_fold(rules, head, &rows, &after)?;
        let new_name = |client: &StoredClient| {
            let name = replace(&client.name, &words);
            (name != client.name).then(|| (client.client, name.into_owned()))
        };
        let result = |seat: &SeatResult| SeatResult { name: replace(&seat.name, &words).into_owned(), ..seat.clone() };
        let redaction = Redaction {
            clients: clients.iter().filter_map(new_name).collect(),
            outcome: replace(&end.outcome, &words).into_owned(),
            players: record
                .players
                .as_ref()
                .map(|players| players.iter().map(|player| replace(player, &words).into_owned()).collect()),
            results: record.results.as_ref().map(|results| results.iter().map(result).collect()),
            records: replaced_records(log, rules.tables(), record.key, &words).await?,
            entries,
            at,
        };
        let line = |line: &commlib::ChatLine| {
            let (by, text) = (replace(&line.by, &words), replace(&line.text, &words));
            (by != line.by || text != line.text).then(|| (line.number, by.into_owned(), text.into_owned()))
        };
        let chat: Vec<(u64, String, String)> = lines.iter().filter_map(line).collect();
        let has_name = |bytes: &[u8]| {
            words.iter().any(|word| bytes.windows(word.old.len()).any(|window| window == word.old.as_bytes()))
        };
        let report = RedactedGame {
            entries: redaction.entries.len() as u64,
            clients: redaction.clients.len() as u64,
            records: redaction.records.len() as u64,
            chat: chat.len() as u64,
            left: after.iter().filter(|row| has_name(&row.bytes)).map(|row| row.sequence).collect(),
            in_header: has_name(&head.header),
        };
        Ok(Self { game: record.key, name: record.name.clone(), words, redaction, chat, report })
    }

    /// What is replaced.
    pub fn report(&self) -> &RedactedGame {
        &self.report
    }

    /// The names, and what takes their places.
    pub fn words(&self) -> &[Replacement] {
        &self.words
    }

    /// Replaces everything. The chat comes last: if the process ends in between, doing it again replaces the rest.
    ///
    /// # Errors
    /// If a store fails.
    pub async fn run(self, log: &dyn EventLog, chat: &dyn HostStore) -> Result<RedactedGame, RedactionError> {
        if self.report.is_unchanged() {
            return Ok(self.report);
        }
        log.redact(self.game, self.redaction).await?;
        if !self.chat.is_empty() {
            chat.replace_chat(&self.name, self.chat).await?;
        }
        Ok(self.report)
    }
}

/// What takes the place of each name: a word that the game does not have, or the given one.
fn replacements(names: &[String], new: Option<&str>, rows: &[Row], clients: &[StoredClient]) -> Vec<Replacement> {
    let has = |word: &str| {
        let is_in = |bytes: &[u8]| bytes.windows(word.len()).any(|window| window == word.as_bytes());
        rows.iter().any(|row| is_in(&row.bytes)) || clients.iter().any(|client| client.name.contains(word))
    };
    let mut free = (1_u32..).map(|number| format!("{ANONYMOUS}-{number}")).filter(|word| !has(word));
    let mut seen = BTreeSet::new();
    let mut words: Vec<Replacement> = Vec::new();
    for old in names.iter().filter(|name| seen.insert(name.as_str())) {
        let new = match new {
            Some(word) => word.to_owned(),
            None => free.next().unwrap_or_else(|| ANONYMOUS.into()),
        };
        words.push(Replacement { old: old.clone(), new });
    }
    // A name that contains another one is replaced first.
    words.sort_by_key(|word| std::cmp::Reverse(word.old.len()));
    words
}

/// The new bytes of the entries that have a name.
fn replaced_entries(
    rules: &dyn HostedGame,
    rows: &[Row],
    words: &[Replacement],
) -> Result<Vec<(u64, Vec<u8>)>, RedactionError> {
    let mut entries = Vec::new();
    for row in rows {
        let bytes = rules.replace_in_entry(row, words).map_err(RedactionError::Rules)?;
        if bytes != row.bytes {
            entries.push((row.sequence, bytes));
        }
    }
    Ok(entries)
}

/// Folds the game with the new names, if it could be folded before.
fn check_fold(rules: &dyn HostedGame, head: &GameHead, before: &[Row], after: &[Row]) -> Result<(), RedactionError> {
    let difference = |rows: &[Row]| {
        caught(|| {
            let mut chronicle = rules.chronicle(head, Sight::Everything)?;
            chronicle.extend(rows.to_vec())?;
            Ok(chronicle.difference().map(str::to_owned))
        })
    };
    match (difference(before), difference(after)) {
        (Ok(None), Ok(Some(difference))) => Err(RedactionError::Differs(difference)),
        (Ok(None), Err(error)) => Err(RedactionError::Differs(error.to_string())),
        (_, _) => Ok(()),
    }
}

/// Changes of the rows of a game in tables of its rulebook, and of rows that they refer to.
async fn replaced_records(
    log: &dyn LogReader,
    tables: &'static [&'static Table],
    game: GameKey,
    words: &[Replacement],
) -> Result<Vec<Record>, StoreError> {
    let mut records = Vec::new();
    let mut referred: Vec<(&'static Table, Cell)> = Vec::new();
    for table in tables {
        let Some(column) = table.columns.iter().find(|column| column.kind == ColumnKind::Game) else { continue };
        for row in log.records(table, Some((column.name, Cell::Game(game)))).await? {
            for (column, cell) in table.columns.iter().zip(&row) {
                let other = tables.iter().find(|other| Some(other.name) == column.references);
                referred.extend(other.map(|other| (*other, cell.clone())));
            }
            records.extend(replaced_row(table, &row, words));
        }
    }
    referred.sort_by(|one, other| (one.0.name, &one.1).cmp(&(other.0.name, &other.1)));
    referred.dedup();
    for (table, key) in referred {
        // A table that others refer to has a key of one column.
        if table.columns.iter().any(|column| column.kind == ColumnKind::Game) || key == Cell::Null {
            continue;
        }
        for row in log.records(table, Some((table.key[0], key))).await? {
            records.extend(replaced_row(table, &row, words));
        }
    }
    Ok(records)
}

fn replaced_row(table: &'static Table, row: &[Cell], words: &[Replacement]) -> Option<Record> {
    let mut values: Vec<(&'static str, Cell)> = Vec::new();
    for (column, cell) in table.columns.iter().zip(row) {
        if let Cell::Text(text) = cell
            && !table.key.contains(&column.name)
        {
            let new = replace(text, words);
            if new != *text {
                values.push((column.name, Cell::Text(new.into_owned())));
            }
        }
    }
    let place = |name: &&str| table.columns.iter().position(|column| column.name == *name);
    let key: Vec<Cell> = table.key.iter().filter_map(place).map(|place| row[place].clone()).collect();
    (!values.is_empty()).then(|| Record::update(table, key, values))
}
