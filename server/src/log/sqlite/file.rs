//! Reads a log file, even while a host writes to it.

use std::{
    collections::HashSet,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use engine::{CommId, Digest};
use rusqlite::{Connection, Row as SqlRow, params};

use super::{records, removal, removed_rows::RemovedRows, schema, setups};
use crate::log::{
    About, Cell, End, GameHead, GameKey, GameRecord, RecoveredBatch, RecoveryStats, Redacted, Row, Selection,
    StoreDamage, StoreError, StoredClient, Table, Tail, Tombstone,
    recovered::{Gone, Recovering},
};

/// The columns of a [`GameRecord`], in the order in which [`record`] reads them; [`head`] reads those of a header after them.
const RECORD: &str = "SELECT games.id, name, COALESCE(rulebook, ''), COALESCE(edition, ''), COALESCE(rules_version, 0),
    seed, created, ended, outcome, COALESCE(tails.entries, 0), COALESCE(tails.digest, zeroblob(32)), players, parent, results";
/// The same columns for a file of version 4 to 6, which has no editions.
const RECORD_4: &str = "SELECT games.id, name, rulebook, edition, rules_version, seed, created, ended, outcome,
    COALESCE(tails.entries, 0), COALESCE(tails.digest, zeroblob(32)), players, parent, results";
/// The same columns for a file of version 2 or 3, which has no results.
const RECORD_2: &str = "SELECT games.id, name, rulebook, edition, rules_version, seed, created, ended, outcome,
    COALESCE(tails.entries, 0), COALESCE(tails.digest, zeroblob(32)), players, parent, NULL";
/// The same columns for a file of version 1, which has neither players nor parents.
const RECORD_1: &str = "SELECT games.id, name, rulebook, edition, rules_version, seed, created, ended, outcome,
    COALESCE(tails.entries, 0), COALESCE(tails.digest, zeroblob(32)), NULL, NULL, NULL";
const FROM: &str =
    "FROM games LEFT JOIN tails ON tails.game = games.id LEFT JOIN editions ON editions.id = games.rules";
const FROM_6: &str = "FROM games LEFT JOIN tails ON tails.game = games.id";

const UNFINISHED: &str = "WHERE ended IS NULL";
/// The unfinished games with the number of their entries, and the row of the first one.
const FIRST_ENTRIES: &str = "SELECT games.id, COALESCE(tails.entries, 0), entries.id FROM games
    LEFT JOIN tails ON tails.game = games.id
    LEFT JOIN entries ON entries.game = games.id AND entries.sequence = 1
    WHERE ended IS NULL ORDER BY games.id";
/// The plus keeps SQLite from reading all games in this order: few games ended lately.
const ENDED_SINCE: &str = "WHERE games.rules IN (SELECT id FROM editions WHERE rulebook = ?1) AND ended >= ?2
    ORDER BY +games.id DESC";
/// The games that ended first: the inner query needs only an index.
const FIRST_ENDED: &str = "WHERE games.id IN (
        SELECT id FROM games WHERE rules IN (SELECT id FROM editions WHERE rulebook = ?1) AND ended IS NOT NULL
        ORDER BY ended, id LIMIT ?2
    ) ORDER BY ended, games.id";
const FIRST_ENDED_6: &str = "WHERE rulebook = ?1 AND ended IS NOT NULL ORDER BY ended, games.id LIMIT ?2";
const ENDED_SINCE_6: &str = "WHERE rulebook = ?1 AND ended >= ?2 ORDER BY +games.id DESC";

/// Finding an entry by its game takes about as long as passing this many entries in a scan.
const SCANNED_PER_FOUND: i64 = 4;

/// A connection that reads a log file.
#[derive(Debug)]
pub(super) struct LogFile {
    path: PathBuf,
    connection: Connection,
}

impl LogFile {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { path: path.into(), connection: schema::open_for_reading(path)? })
    }

    /// Reads the file as it is at one moment. A host may write to it and even bring it to a newer version meanwhile.
    pub(super) fn read<T>(&self, read: impl FnOnce(&Snapshot<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let transaction = self.connection.unchecked_transaction().map_err(StoreError::sqlite("beginning to read"))?;
        let version = schema::version_for_reading(&transaction, &self.path)?;
        read(&Snapshot { connection: &transaction, version })
    }
}

/// A log file at one moment.
pub(super) struct Snapshot<'c> {
    connection: &'c Connection,
    version: i32,
}

impl Snapshot<'_> {
    /// Selects records, or whole heads.
    fn records_where(&self, condition: &str) -> String {
        format!("{} {} {condition}", self.record(), self.from())
    }

    fn heads_where(&self, condition: &str) -> String {
        let (columns, setups) = match self.version {
            1..=4 => (setups::COLUMNS_4, ""),
            5 => (setups::COLUMNS_6, setups::FROM_SETUPS_5),
            6 => (setups::COLUMNS_6, setups::FROM_SETUPS),
            _ => (setups::COLUMNS, setups::FROM_SETUPS),
        };
        let (redacted, redactions) = match self.version {
            1..=7 => ("NULL", ""),
            _ => ("redactions.sequences", "LEFT JOIN redactions ON redactions.game = games.id"),
        };
        format!("{}, {columns}, {redacted} {} {setups} {redactions} {condition}", self.record(), self.from())
    }

    fn record(&self) -> &'static str {
        match self.version {
            1 => RECORD_1,
            2 | 3 => RECORD_2,
            4..=6 => RECORD_4,
            _ => RECORD,
        }
    }

    fn from(&self) -> &'static str {
        if self.version < 7 { FROM_6 } else { FROM }
    }

    pub(super) fn list(&self) -> Result<Vec<GameRecord>, StoreError> {
        self.collect(&self.records_where("ORDER BY games.id"), [], "listing the games", record)
    }

    pub(super) fn page(&self, before: Option<GameKey>, limit: usize) -> Result<Vec<GameRecord>, StoreError> {
        let before = before.map_or(i64::MAX, |GameKey(key)| key);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let sql = self.records_where("WHERE games.id < ?1 ORDER BY games.id DESC LIMIT ?2");
        self.collect(&sql, [before, limit], "listing the games", record)
    }

    pub(super) fn first(&self) -> Result<Option<GameRecord>, StoreError> {
        let sql = self.records_where("ORDER BY games.id LIMIT 1");
        Ok(self.collect(&sql, [], "reading the first game", record)?.pop())
    }

    pub(super) fn ended_since(&self, rulebook: &str, moment: i64) -> Result<Vec<GameRecord>, StoreError> {
        let sql = self.records_where(if self.version < 7 { ENDED_SINCE_6 } else { ENDED_SINCE });
        self.collect(&sql, params![rulebook, moment], "looking for games that ended", record)
    }

    pub(super) fn first_ended(&self, rulebook: &str, limit: usize) -> Result<Vec<GameRecord>, StoreError> {
        let sql = self.records_where(if self.version < 7 { FIRST_ENDED_6 } else { FIRST_ENDED });
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.collect(&sql, params![rulebook, limit], "looking for games that ended", record)
    }

    pub(super) fn count_ended(&self, rulebook: &str) -> Result<u64, StoreError> {
        let condition =
            if self.version < 7 { "rulebook = ?1" } else { "rules IN (SELECT id FROM editions WHERE rulebook = ?1)" };
        let sql = format!("SELECT count(*) FROM games WHERE {condition} AND ended IS NOT NULL");
        let found = self.collect(&sql, [rulebook], "counting games that ended", |row| row.get::<_, i64>(0))?;
        Ok(found.first().copied().unwrap_or_default().cast_unsigned())
    }

    /// What is left of removed games.
    pub(super) fn removed(&self) -> Result<Vec<Tombstone>, StoreError> {
        match self.version {
            1..=7 => Ok(Vec::new()),
            _ => self.collect(removal::TOMBSTONES, [], "reading the removed games", removal::tombstone),
        }
    }

    pub(super) fn head(&self, game: GameKey) -> Result<GameHead, StoreError> {
        let sql = self.heads_where("WHERE games.id = ?1");
        let found = self.collect(&sql, [game.0], "reading a game", head)?;
        found.into_iter().next().ok_or(StoreError::NoSuchGame { game })
    }

    pub(super) fn find(&self, name: &str) -> Result<Option<GameHead>, StoreError> {
        let sql = self.heads_where("WHERE games.name = ?1");
        Ok(self.collect(&sql, [name], "reading a game", head)?.into_iter().next())
    }

    pub(super) fn clients(&self, game: GameKey) -> Result<Vec<StoredClient>, StoreError> {
        let sql = "SELECT game, client, token_hash, name, joined FROM clients WHERE game = ?1 ORDER BY client";
        let found = self.collect(sql, [game.0], "reading the clients of a game", client)?;
        Ok(found.into_iter().map(|(_, client)| client).collect())
    }

    pub(super) fn rows(&self, game: GameKey, from: u64) -> Result<Vec<Row>, StoreError> {
        let sql = "SELECT sequence, digest, bytes FROM entries WHERE game = ?1 AND sequence >= ?2 ORDER BY sequence";
        let from = i64::try_from(from).unwrap_or(i64::MAX);
        self.collect(sql, [game.0, from], "reading the entries of a game", |row| {
            Ok(Row { sequence: row.get::<_, i64>(0)?.cast_unsigned(), digest: digest(row, 1)?, bytes: row.get(2)? })
        })
    }

    pub(super) fn records(
        &self,
        table: &'static Table,
        filter: Option<&(&'static str, Cell)>,
    ) -> Result<Vec<Vec<Cell>>, StoreError> {
        records::read(self.connection, table, filter)
    }

    /// Sends all selected games. Stops if the receiver is dropped.
    pub(super) fn recover(
        &self,
        which: &Selection,
        send: impl FnMut(RecoveredBatch) -> Result<(), Gone>,
    ) -> Result<RecoveryStats, StoreError> {
        let mut recovering = Recovering::new(send);
        let told = match which {
            Selection::All => self.scan("", i64::MIN, &mut recovering)?,
            Selection::Unfinished => match self.plan_unfinished()? {
                Plan::Scan { from } => self.scan(UNFINISHED, from, &mut recovering)?,
                Plan::Each { games } => self.each_of(&games, &mut recovering)?,
            },
            Selection::Keys(keys) => self.each_of(keys, &mut recovering)?,
        };
        let ended = told.is_continue().then(|| recovering.end().ok()).flatten();
        ended.ok_or(StoreError::Closed)
    }

    /// Scans the entries in the order in which they were written, starting with the row `from`. No earlier row belongs to a
    /// selected game.
    fn scan<S: FnMut(RecoveredBatch) -> Result<(), Gone>>(
        &self,
        wanted: &str,
        from: i64,
        recovering: &mut Recovering<S>,
    ) -> Result<ControlFlow<()>, StoreError> {
        let sql = self.heads_where(&format!("{wanted} ORDER BY games.id"));
        let mut told = self.each(&sql, [], "reading the games", |row| Ok(flow(recovering.game(head(row)?))))?;
        if told.is_continue() {
            told = self.each(&clients_where(wanted), [], "reading the clients", |row| {
                let (game, client) = client(row)?;
                Ok(flow(recovering.client(game, client)))
            })?;
        }
        if told.is_continue() {
            let sql = "SELECT game, sequence, digest, bytes FROM entries WHERE id >= ?1 ORDER BY id";
            told = self.each(sql, [from], "reading the entries", |row| entry(row, recovering))?;
        }
        Ok(told)
    }

    /// Reads the games one by one.
    fn each_of<S: FnMut(RecoveredBatch) -> Result<(), Gone>>(
        &self,
        keys: &[GameKey],
        recovering: &mut Recovering<S>,
    ) -> Result<ControlFlow<()>, StoreError> {
        for &game in keys {
            let mut told = flow(recovering.game(self.head(game)?));
            for client in self.clients(game)? {
                told = flow(recovering.client(game, client));
            }
            if told.is_continue() {
                let sql = "SELECT game, sequence, digest, bytes FROM entries WHERE game = ?1 ORDER BY sequence";
                told = self.each(sql, [game.0], "reading the entries of a game", |row| entry(row, recovering))?;
            }
            if told.is_break() {
                return Ok(told);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Runs SQLite's own check, and looks for gaps in the row numbers of entries, for entries without a game, and for setups that
    /// are not what their digests say.
    pub(super) fn check(&self) -> Result<Vec<StoreDamage>, StoreError> {
        let mut found = self.collect("PRAGMA integrity_check(10)", [], "checking the file", |row| row.get(0))?;
        found.retain(|line: &String| line != "ok");
        let mut damage: Vec<StoreDamage> = found.into_iter().map(StoreDamage::Database).collect();
        let games: HashSet<i64> =
            self.collect("SELECT id FROM games", [], "reading the games", |row| row.get(0))?.into_iter().collect();
        let mut rows = RemovedRows::new(&self.removed()?);
        let _all = self.each("SELECT id, game FROM entries ORDER BY id", [], "reading the entries", |row| {
            let (id, game) = (row.get(0)?, GameKey(row.get(1)?));
            // The entries of a removed game are deleted in pieces.
            if !rows.is_removed(game) {
                rows.found(id);
                if !games.contains(&game.0) {
                    damage.push(StoreDamage::NoSuchGame { id, game });
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        damage.extend(rows.end());
        if self.version > 4 {
            damage.extend(self.check_setups()?);
        }
        Ok(damage)
    }

    fn check_setups(&self) -> Result<Vec<StoreDamage>, StoreError> {
        let doing = "reading the setups";
        let key = if self.version < 6 { "digest" } else { "setups.id" };
        let sql = format!(
            "SELECT games.id FROM games LEFT JOIN setups ON {key} = setup
             WHERE setup IS NOT NULL AND digest IS NULL ORDER BY games.id"
        );
        let mut damage =
            self.collect(&sql, [], doing, |row| Ok(StoreDamage::NoSetup { game: GameKey(row.get(0)?) }))?;
        let sql = format!(
            "SELECT digest, bytes, EXISTS (SELECT 1 FROM games WHERE setup = {key}) FROM setups ORDER BY digest"
        );
        let _all = self.each(&sql, [], doing, |row| {
            let (setup, is_used): (Digest, bool) = (digest(row, 0)?, row.get(2)?);
            if setups::digest(row.get_ref(1)?.as_blob()?) != setup.0 {
                damage.push(StoreDamage::ChangedSetup { setup });
            }
            if !is_used {
                damage.push(StoreDamage::UnusedSetup { setup });
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(damage)
    }

    /// How to read the unfinished games: all entries from the first one of them on, or game by game. One old game among many
    /// finished ones must not make a scan of all of them.
    fn plan_unfinished(&self) -> Result<Plan, StoreError> {
        let doing = "looking for unfinished games";
        let games = self.collect(FIRST_ENTRIES, [], doing, |row| {
            Ok((GameKey(row.get(0)?), row.get::<_, i64>(1)?, row.get::<_, Option<i64>>(2)?))
        })?;
        let last = self.collect("SELECT COALESCE(MAX(id), 0) FROM entries", [], doing, |row| row.get::<_, i64>(0))?;
        let Some(from) = games.iter().filter_map(|(_, _, first)| *first).min() else {
            return Ok(Plan::Each { games: games.into_iter().map(|(game, ..)| game).collect() });
        };
        let wanted = games.iter().fold(0_i64, |sum, (_, entries, _)| sum.saturating_add((*entries).max(0)));
        let scanned = last[0].saturating_sub(from).saturating_add(1);
        Ok(if wanted.saturating_mul(SCANNED_PER_FOUND) < scanned {
            Plan::Each { games: games.into_iter().map(|(game, ..)| game).collect() }
        } else {
            Plan::Scan { from }
        })
    }

    pub(super) fn collect<T>(
        &self,
        sql: &str,
        parameters: impl rusqlite::Params,
        doing: &'static str,
        mut read: impl FnMut(&SqlRow<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        let _all = self.each(sql, parameters, doing, |row| {
            found.push(read(row)?);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(found)
    }

    /// Passes rows to `visit` until it breaks.
    pub(super) fn each(
        &self,
        sql: &str,
        parameters: impl rusqlite::Params,
        doing: &'static str,
        mut visit: impl FnMut(&SqlRow<'_>) -> rusqlite::Result<ControlFlow<()>>,
    ) -> Result<ControlFlow<()>, StoreError> {
        let read = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            let mut rows = statement.query(parameters)?;
            while let Some(row) = rows.next()? {
                if visit(row)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        };
        read().map_err(StoreError::sqlite(doing))
    }
}

/// A cross join starts with the games: most clients are of games that are not wanted.
fn clients_where(wanted: &str) -> String {
    format!(
        "SELECT game, client, token_hash, clients.name, joined FROM games CROSS JOIN clients ON game = games.id
         {wanted} ORDER BY games.id, client"
    )
}

/// A way to read the unfinished games.
#[derive(Debug, PartialEq, Eq)]
enum Plan {
    Scan { from: i64 },
    Each { games: Vec<GameKey> },
}

fn flow(sent: Result<(), Gone>) -> ControlFlow<()> {
    if sent.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// Passes on an entry: its game, sequence, digest and bytes.
fn entry<S: FnMut(RecoveredBatch) -> Result<(), Gone>>(
    row: &SqlRow<'_>,
    recovering: &mut Recovering<S>,
) -> rusqlite::Result<ControlFlow<()>> {
    let (game, sequence) = (GameKey(row.get(0)?), row.get::<_, i64>(1)?.cast_unsigned());
    Ok(flow(recovering.entry(game, sequence, row.get_ref(3)?.as_blob()?, digest(row, 2)?)))
}

fn record(row: &SqlRow<'_>) -> rusqlite::Result<GameRecord> {
    let end = match row.get(7)? {
        Some(at) => Some(End { at, outcome: row.get::<_, Option<String>>(8)?.unwrap_or_default() }),
        None => None,
    };
    Ok(GameRecord {
        key: GameKey(row.get(0)?),
        name: row.get(1)?,
        about: About { rulebook: row.get(2)?, edition: row.get(3)?, rules_version: row.get(4)?, seed: row.get(5)? },
        created: row.get(6)?,
        end,
        // Invalid lists of names or results count as missing: only lists and statistics of games depend on them.
        players: row.get::<_, Option<String>>(11)?.and_then(|names| serde_json::from_str(&names).ok()),
        results: row.get::<_, Option<String>>(13)?.and_then(|results| serde_json::from_str(&results).ok()),
        parent: row.get(12)?,
        tail: Tail { entries: row.get::<_, i64>(9)?.cast_unsigned(), digest: digest(row, 10)? },
    })
}

fn head(row: &SqlRow<'_>) -> rusqlite::Result<GameHead> {
    let (header, scenario) = setups::join(row, 14)?;
    let redacted = row.get_ref(14 + setups::COUNT)?.as_str_or_null()?.map(Redacted::parse).unwrap_or_default();
    Ok(GameHead { record: record(row)?, header, scenario, redacted })
}

fn client(row: &SqlRow<'_>) -> rusqlite::Result<(GameKey, StoredClient)> {
    let client =
        StoredClient { client: CommId(row.get(1)?), token_hash: row.get(2)?, name: row.get(3)?, joined: row.get(4)? };
    Ok((GameKey(row.get(0)?), client))
}

/// A digest of the wrong length becomes zeros, which the verification detects.
fn digest(row: &SqlRow<'_>, column: usize) -> rusqlite::Result<Digest> {
    Ok(Digest(row.get_ref(column)?.as_blob()?.try_into().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty log, filled with SQL.
    fn with_log<T>(test: &str, sql: &str, read: impl FnOnce(&Snapshot<'_>) -> T) -> T {
        let path = std::env::temp_dir().join(format!("holdfast-file-{test}-{}.db", std::process::id()));
        let _left_behind = std::fs::remove_file(&path);
        let connection = schema::open(&path, crate::log::Options::default()).expect("a log");
        connection.execute_batch(sql).expect("SQL that runs");
        drop(connection);
        let file = LogFile::open(&path).expect("a file");
        let found = file.read(|file| Ok(read(file))).expect("a snapshot");
        drop(file);
        std::fs::remove_file(&path).expect("the file of this test");
        found
    }

    /// The start of a host must not read what is over, however much there is.
    #[test]
    fn finished_games_are_not_scanned() {
        let check = |sql: &str, file: &Snapshot<'_>| {
            let plan = file.collect(&format!("EXPLAIN QUERY PLAN {sql}"), [], "explaining", |row| row.get(3));
            let plan: Vec<String> = plan.expect("a plan");
            let scans = plan.iter().filter(|line| line.starts_with("SCAN") && !line.ends_with(" games_unfinished"));
            assert_eq!(scans.count(), 0, "{sql}: {plan:?}");
        };
        with_log("scanned", "", |file| {
            check(FIRST_ENTRIES, file);
            check(&file.heads_where(&format!("{UNFINISHED} ORDER BY games.id")), file);
            check(&clients_where(UNFINISHED), file);
            let ended = file.records_where(ENDED_SINCE).replace("?1", "'stones'").replace("?2", "7");
            check(&ended, file);
        });
    }

    /// Games are `name entries first-row`; the rest of the rows are of finished games.
    #[test]
    fn reading_unfinished_games() {
        let check = |test: &str, games: &[(i64, i64, i64)], rows: i64, expected: &Plan| {
            let mut sql = format!(
                "INSERT INTO editions VALUES (1, '', '', 1, x'');
                 WITH RECURSIVE row(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM row WHERE id < {rows})
                 INSERT INTO entries SELECT id, 0, id, x'', x'' FROM row WHERE {rows} > 0;"
            );
            for (id, entries, first) in games {
                sql.push_str(&format!(
                    "INSERT INTO games (id, name, rules, seed, created, header_start)
                     VALUES ({id}, 'game {id}', 1, 1, 1, x'');
                     INSERT INTO tails VALUES ({id}, {entries}, x'');
                     UPDATE entries SET game = {id}, sequence = 1 WHERE id = {first};"
                ));
            }
            let plan = with_log(test, &sql, |file| file.plan_unfinished().expect("a plan"));
            assert_eq!(&plan, expected, "{games:?} {rows}");
        };
        let each = |games: &[i64]| Plan::Each { games: games.iter().copied().map(GameKey).collect() };
        check("none", &[], 0, &each(&[]));
        check("over", &[], 1_000, &each(&[]));
        check("new", &[(1, 0, 0)], 1_000, &each(&[1]));
        // One old game: its entries are found one by one, as long as they are few.
        check("old", &[(1, 249, 1)], 1_000, &each(&[1]));
        check("long", &[(1, 250, 1)], 1_000, &Plan::Scan { from: 1 });
        check("late", &[(1, 2, 996), (2, 0, 0)], 1_000, &Plan::Scan { from: 996 });
        check("two", &[(1, 1, 1), (2, 1, 999)], 1_000, &each(&[1, 2]));
    }
}
