//! Removing finished games, and replacing names in them.

use tokio_postgres::{
    Client,
    types::{ToSql, Type},
};

use super::{
    connection::{Connection, DEADLINE, column, within},
    records::Statement,
    rows::tail,
    schema::KNOWS_REDACTIONS,
    session::{FENCE, Session},
};
use crate::log::{
    Fault, GameKey, PostgresError, Redacted, Redaction, StoreError, Table, Tail, Tombstone, WhyRemoved,
    removal::DELETED_AT_ONCE,
    tables::{belongings, orphans},
};

const REMOVING: &str = "removing a game";
const CLEARING: &str = "deleting the entries of a removed game";
const REDACTING: &str = "redacting a game";

/// A game that is over stays locked until the end of the transaction.
const FINISHED: &str = "SELECT name, entries, digest, ended IS NOT NULL, setup FROM games WHERE id = $1 FOR UPDATE";

const TOMBSTONE: &str = "INSERT INTO tombstones (game, name, entries, digest, removed, why, cleared)
    VALUES ($1, $2, $3, $4, $5, $6, false)";

const UNUSED_SETUP: &str = "DELETE FROM setups WHERE digest = $1
    AND NOT EXISTS (SELECT 1 FROM games WHERE games.setup = setups.digest)";

const REDACTION: &str = "INSERT INTO redactions AS known (game, redacted, sequences) VALUES ($1, $2, $3)
    ON CONFLICT (game) DO UPDATE SET redacted = excluded.redacted, sequences = excluded.sequences";

/// The SQLSTATE of a row that others refer to.
const REFERRED: &str = "23503";

/// Removes a game without its entries.
pub(super) async fn remove(
    session: &Session,
    tables: &[&'static Table],
    game: GameKey,
    why: WhyRemoved,
    at: i64,
) -> Result<Tombstone, StoreError> {
    let connection = &session.connection;
    let (stone, setup) = in_transaction(session, game, async {
        let Finished { name, tail, setup } = finished(connection, game).await?;
        remove_records(connection, tables, game).await?;
        for sql in [
            "DELETE FROM clients WHERE game = $1",
            "DELETE FROM redactions WHERE game = $1",
            "DELETE FROM games WHERE id = $1",
        ] {
            connection.query(REMOVING, sql, &[(&game.0, Type::INT8)]).await?;
        }
        let (entries, digest, word) = (tail.entries.cast_signed(), tail.digest.0.to_vec(), why.word());
        let values: [(&(dyn ToSql + Sync), Type); 6] = [
            (&game.0, Type::INT8),
            (&name, Type::TEXT),
            (&entries, Type::INT8),
            (&digest, Type::BYTEA),
            (&at, Type::INT8),
            (&word, Type::TEXT),
        ];
        connection.query(REMOVING, TOMBSTONE, &values).await?;
        Ok((Tombstone { key: game, name, tail, rows: None, at, why }, setup))
    })
    .await?;
    if let Some(setup) = setup {
        match connection.query(REMOVING, UNUSED_SETUP, &[(&setup, Type::BYTEA)]).await {
            // Another host has just created a game with it.
            Err(StoreError::Postgres { source: PostgresError::Refused { code, .. }, .. }) if code == REFERRED => {}
            deleted => drop(deleted?),
        }
    }
    Ok(stone)
}

/// Deletes some entries of removed games. Returns whether there are more.
pub(super) async fn clear(session: &Session) -> Result<bool, StoreError> {
    let connection = &session.connection;
    let next = "SELECT game FROM tombstones WHERE NOT cleared ORDER BY game LIMIT 1";
    let Some(row) = connection.query(CLEARING, next, &[]).await?.pop() else { return Ok(false) };
    let game: i64 = column(&row, 0)?;
    // Two hosts that do this at the same time delete the same entries.
    let sql = "WITH few AS (SELECT game, sequence FROM entries WHERE game = $1 ORDER BY sequence LIMIT $2),
        gone AS (DELETE FROM entries USING few
                 WHERE entries.game = few.game AND entries.sequence = few.sequence RETURNING 1)
        SELECT count(*), (SELECT count(*) FROM few) FROM gone";
    let rows = connection.query(CLEARING, sql, &[(&game, Type::INT8), (&DELETED_AT_ONCE, Type::INT8)]).await?;
    let found: i64 = rows.first().map_or(Ok(0), |row| column(row, 1))?;
    if found < DELETED_AT_ONCE {
        let sql = "UPDATE tombstones SET cleared = NOT EXISTS (SELECT 1 FROM entries WHERE entries.game = $1)
                   WHERE game = $1";
        connection.query(CLEARING, sql, &[(&game, Type::INT8)]).await?;
    }
    Ok(!connection.query(CLEARING, next, &[]).await?.is_empty())
}

/// Replaces parts of a finished game.
pub(super) async fn redact(
    session: &Session,
    tables: &[&'static Table],
    game: GameKey,
    redaction: &Redaction,
) -> Result<(), StoreError> {
    let connection = &session.connection;
    in_transaction(session, game, async {
        finished(connection, game).await?;
        for (sequence, bytes) in &redaction.entries {
            let sql = "UPDATE entries SET bytes = $3 WHERE game = $1 AND sequence = $2 RETURNING 1";
            let number = sequence.cast_signed();
            let values: [(&(dyn ToSql + Sync), Type); 3] =
                [(&game.0, Type::INT8), (&number, Type::INT8), (bytes, Type::BYTEA)];
            if connection.query(REDACTING, sql, &values).await?.is_empty() {
                return Err(StoreError::Diverged { game, sequence: *sequence });
            }
        }
        for (client, name) in &redaction.clients {
            let sql = "UPDATE clients SET name = $3 WHERE game = $1 AND client = $2";
            let number = i64::from(client.0);
            let values: [(&(dyn ToSql + Sync), Type); 3] =
                [(&game.0, Type::INT8), (&number, Type::INT8), (name, Type::TEXT)];
            connection.query(REDACTING, sql, &values).await?;
        }
        let (players, results) = (redaction.players_json(), redaction.results_json());
        let sql = "UPDATE games SET outcome = $2, players = $3, results = $4 WHERE id = $1";
        let values: [(&(dyn ToSql + Sync), Type); 4] =
            [(&game.0, Type::INT8), (&redaction.outcome, Type::TEXT), (&players, Type::TEXT), (&results, Type::TEXT)];
        connection.query(REDACTING, sql, &values).await?;
        for record in redaction.records.iter().filter(|record| tables.contains(&record.table())) {
            let statement = Statement::new(record.table(), record.resolve(game)?);
            connection.query(REDACTING, &statement.sql, &statement.parameters()).await?;
        }
        let sql = "SELECT sequences FROM redactions WHERE game = $1";
        let before = connection.query(REDACTING, sql, &[(&game.0, Type::INT8)]).await?;
        let before = before.first().map_or(Ok(""), |row| column::<&str>(row, 0))?;
        let all = Redacted::parse(before).with(redaction.entries.iter().map(|(sequence, _)| *sequence));
        if !all.is_empty() {
            keep_redaction(&connection.client, game.0, &all.to_string(), redaction.at).await?;
        }
        Ok(())
    })
    .await
}

/// Stores which entries of a game were redacted. Earlier programs would take them for damage, so they are locked out.
pub(super) async fn keep_redaction(client: &Client, game: i64, sequences: &str, at: i64) -> Result<(), StoreError> {
    let values: [(&(dyn ToSql + Sync), Type); 3] = [(&game, Type::INT8), (&at, Type::INT8), (&sequences, Type::TEXT)];
    within(DEADLINE, REDACTING, client.query_typed(REDACTION, &values)).await?;
    let sql = "UPDATE holdfast SET version = $1 WHERE version < $1";
    within(DEADLINE, REDACTING, client.query_typed(sql, &[(&KNOWS_REDACTIONS, Type::INT4)])).await.map(drop)
}

/// Does something in a transaction, if this host may write.
async fn in_transaction<T>(
    session: &Session,
    game: GameKey,
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let connection = &session.connection;
    let Some(identity) = session.identity else { return Err(StoreError::Fenced { game }) };
    connection.run(REMOVING, "BEGIN").await?;
    let own = [(&identity.incarnation as &(dyn ToSql + Sync), Type::INT8), (&identity.session as _, Type::INT8)];
    let done = match connection.query(REMOVING, FENCE, &own).await {
        Ok(rows) if rows.is_empty() => Err(StoreError::Fenced { game }),
        Ok(_) => work.await,
        Err(error) => Err(error),
    };
    match done {
        Ok(done) => connection.run(REMOVING, "COMMIT").await.map(|()| done),
        // The connection is not used again.
        Err(error) if error.fault() == Fault::Passing => Err(error),
        Err(error) => session.roll_back().await.and(Err(error)),
    }
}

/// A game that is over.
struct Finished {
    name: String,
    tail: Tail,
    setup: Option<Vec<u8>>,
}

async fn finished(connection: &Connection, game: GameKey) -> Result<Finished, StoreError> {
    let rows = connection.query("reading a game", FINISHED, &[(&game.0, Type::INT8)]).await?;
    let row = rows.first().ok_or(StoreError::NoSuchGame { game })?;
    if !column::<bool>(row, 3)? {
        return Err(StoreError::NotOver { game });
    }
    Ok(Finished { name: column(row, 0)?, tail: tail(row, 1)?, setup: column(row, 4)? })
}

/// Deletes the rows of a game in tables of rulebooks, and the rows that only these referred to.
async fn remove_records(connection: &Connection, tables: &[&'static Table], game: GameKey) -> Result<(), StoreError> {
    let of_game: [(&(dyn ToSql + Sync), Type); 1] = [(&game.0, Type::INT8)];
    let mut referred: Vec<(&'static Table, i64)> = Vec::new();
    let belongings = belongings(tables);
    for (table, game_column) in &belongings {
        for (place, other) in orphans(tables, table) {
            let sql = format!("SELECT DISTINCT \"{place}\" FROM \"{}\" WHERE \"{game_column}\" = $1", table.name);
            for row in connection.query(REMOVING, &sql, &of_game).await? {
                referred.extend(column::<Option<i64>>(&row, 0)?.map(|key| (other, key)));
            }
        }
    }
    for (table, game_column) in &belongings {
        let sql = format!("DELETE FROM \"{}\" WHERE \"{game_column}\" = $1", table.name);
        connection.query(REMOVING, &sql, &of_game).await?;
    }
    for (table, key) in referred {
        let users = tables.iter().flat_map(|user| user.columns.iter().map(move |column| (user, column)));
        let users = users.filter(|(_, column)| column.references == Some(table.name)).map(|(user, column)| {
            format!(" AND NOT EXISTS (SELECT 1 FROM \"{}\" WHERE \"{}\" = $1)", user.name, column.name)
        });
        let sql =
            format!("DELETE FROM \"{}\" WHERE \"{}\" = $1{}", table.name, table.key[0], users.collect::<String>());
        connection.query(REMOVING, &sql, &[(&key, Type::INT8)]).await?;
    }
    Ok(())
}
