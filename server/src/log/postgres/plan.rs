//! What a batch writes, column by column, and the statements for it.

use std::collections::HashSet;

use tokio_postgres::types::{ToSql, Type};

use super::{
    batch::Before,
    connection::{Connection, DEADLINE, Sent, column, failed, pipelined, within},
    read_back::StoredBatch,
    records::{Statement, refusal},
    session::{Identity, Session},
};
use crate::log::{
    Ending, GameKey, Record, RecordError, Row, StoreError, StoredClient, Table, Tail,
    staging::{Committed, OpenGames, Staging},
    write::{ReadBack, Write},
};

const CLIENTS: &str = "INSERT INTO clients (game, client, token_hash, name, joined)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::text[], $5::bigint[])
    ON CONFLICT DO NOTHING RETURNING game, client";

const FINISH: &str = "UPDATE games SET outcome = e.outcome, ended = e.ended, players = e.players, results = e.results,
        entries = e.entries, digest = e.digest
    FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bytea[])
        AS e(game, outcome, ended, players, results, entries, digest)
    WHERE games.id = e.game";

/// The writes of a batch that the games accept.
pub(super) struct Plan<'b> {
    staging: Staging<'b>,
    /// The tables of rulebooks.
    tables: &'b [&'static Table],
    before: Before,
    /// For each write, why it was refused.
    refusals: Vec<Option<StoreError>>,
    entries: Entries<'b>,
    clients: Clients<'b>,
    records: Vec<(&'static Table, Statement)>,
    ends: Ends<'b>,
}

#[derive(Default)]
struct Entries<'b> {
    games: Vec<i64>,
    sequences: Vec<i64>,
    digests: Vec<&'b [u8]>,
    bytes: Vec<&'b [u8]>,
}

#[derive(Default)]
struct Clients<'b> {
    /// The places of these writes in the batch.
    places: Vec<usize>,
    games: Vec<i64>,
    clients: Vec<i64>,
    token_hashes: Vec<&'b [u8]>,
    names: Vec<&'b str>,
    joined: Vec<i64>,
}

#[derive(Default)]
struct Ends<'b> {
    games: Vec<i64>,
    outcomes: Vec<&'b str>,
    at: Vec<i64>,
    players: Vec<String>,
    results: Vec<Option<String>>,
    entries: Vec<i64>,
    digests: Vec<Vec<u8>>,
}

/// What a statement of the last round does.
#[derive(Clone, Copy)]
enum Part {
    Clients,
    Record(&'static Table),
    Entries,
    Ends,
    Commit,
}

impl<'b> Plan<'b> {
    pub(super) fn new(games: &'b OpenGames, tables: &'b [&'static Table], before: Before, batch: &'b [Write]) -> Self {
        let mut plan = Self {
            staging: Staging::new(games),
            tables,
            before,
            refusals: Vec::with_capacity(batch.len()),
            entries: Entries::default(),
            clients: Clients::default(),
            records: Vec::new(),
            ends: Ends::default(),
        };
        for write in batch {
            let refused = plan.add(write);
            plan.refusals.push(refused);
        }
        plan
    }

    /// Returns the error if only this write is refused.
    fn add(&mut self, write: &'b Write) -> Option<StoreError> {
        match write {
            Write::Create { key, game, acknowledge } => {
                let is_stored = self.before.created.contains(key);
                let refused = (!is_stored).then(|| StoreError::NameTaken { name: game.name.clone() });
                self.staging.create(*key, game, acknowledge, refused);
                if is_stored {
                    game.rows.iter().for_each(|row| self.entries.add(*key, row));
                }
                None
            }
            Write::Client { game, client, .. } => self.add_client(*game, client),
            Write::Append { game, row, records } => {
                self.append_entry(*game, row, records);
                None
            }
            Write::Finish { game, ending, .. } => match self.staging.finish(*game) {
                Ok(tail) => {
                    self.ends.add(*game, ending, tail);
                    None
                }
                Err(error) => Some(error),
            },
            Write::Resume { game, next_sequence, acknowledge } => {
                let is_unknown = self.staging.is_unknown(*game);
                match self.before.tails.get(game).filter(|_| is_unknown) {
                    Some(None) => Some(StoreError::Fenced { game: *game }),
                    Some(Some(tail)) => self.staging.resume(*game, Some(*tail), *next_sequence, acknowledge),
                    None => self.staging.resume(*game, None, *next_sequence, acknowledge),
                }
            }
        }
    }

    fn add_client(&mut self, game: GameKey, client: &'b StoredClient) -> Option<StoreError> {
        if !self.staging.accepts(game) {
            return Some(StoreError::NotOpen { game });
        }
        let number = i64::from(client.client.0);
        let mut others = self.clients.games.iter().zip(&self.clients.clients);
        if others.any(|other| other == (&game.0, &number)) {
            return Some(StoreError::ClientTaken { game, client: client.client.0 });
        }
        let place = self.refusals.len();
        self.clients.places.push(place);
        self.clients.games.push(game.0);
        self.clients.clients.push(number);
        self.clients.token_hashes.push(&client.token_hash);
        self.clients.names.push(&client.name);
        self.clients.joined.push(client.joined);
        None
    }

    fn append_entry(&mut self, game: GameKey, row: &'b Row, records: &[Record]) {
        if !self.staging.expects(game, row) {
            return;
        }
        let resolve = |record: &Record| {
            let table = record.table();
            if !self.tables.contains(&table) {
                return Err(RecordError::NoSuchTable { table: table.name });
            }
            Ok((table, Statement::new(table, record.resolve(game)?)))
        };
        match records.iter().map(resolve).collect::<Result<Vec<_>, _>>() {
            Ok(statements) => {
                self.records.extend(statements);
                self.entries.add(game, row);
                self.staging.grow(game, row);
            }
            Err(error) => self.staging.refuse(game, error.into()),
        }
    }

    /// Stores the entries alone: one statement, which is a transaction of its own.
    pub(super) async fn append(mut self, session: &Session, identity: Identity) -> Result<Committed, StoreError> {
        let client = &session.connection.client;
        if !self.entries.games.is_empty() {
            let parameters = self.entries.parameters(&identity);
            let stored = within(DEADLINE, "storing entries", client.execute(&session.append, &parameters)).await?;
            if stored == 0 {
                session.check_fence(GameKey(self.entries.games[0])).await?;
            }
            if stored < self.entries.games.len() as u64 {
                self.find_conflicts(&session.connection).await?;
            }
        }
        Ok(self.staging.committed(self.refusals))
    }

    /// Sends everything that is left, and commits.
    pub(super) async fn commit(mut self, session: &Session, identity: Identity) -> Result<Committed, StoreError> {
        let (parts, sent) = self.statements(session, &identity);
        let answers = within(DEADLINE, "storing a batch", async { Ok(pipelined(sent).await) }).await?;
        let (mut clients, mut entries) = (Vec::new(), 0);
        for (part, answer) in parts.into_iter().zip(answers) {
            let done = answer.map_err(|error| part.failed(error))?;
            match part {
                Part::Clients => clients = done.rows,
                Part::Entries => entries = done.count,
                Part::Record(_) | Part::Ends | Part::Commit => {}
            }
        }
        self.refuse_taken_clients(&clients)?;
        if entries < self.entries.games.len() as u64 {
            self.find_conflicts(&session.connection).await?;
        }
        Ok(self.staging.committed(self.refusals))
    }

    fn statements<'s>(&'s self, session: &'s Session, identity: &'s Identity) -> (Vec<Part>, Vec<Sent<'s>>) {
        let client = &session.connection.client;
        let (mut parts, mut sent): (Vec<Part>, Vec<Sent<'s>>) = (Vec::new(), Vec::new());
        if !self.clients.games.is_empty() {
            parts.push(Part::Clients);
            let parameters = self.clients.parameters();
            sent.push(Box::pin(async move { Ok(client.query_typed(CLIENTS, &parameters).await?.into()) }));
        }
        for (table, statement) in &self.records {
            parts.push(Part::Record(table));
            let parameters = statement.parameters();
            sent.push(Box::pin(async move { Ok(client.query_typed(&statement.sql, &parameters).await?.into()) }));
        }
        if !self.entries.games.is_empty() {
            parts.push(Part::Entries);
            let parameters = self.entries.parameters(identity);
            sent.push(Box::pin(async move { Ok(client.execute(&session.append, &parameters).await?.into()) }));
        }
        if !self.ends.games.is_empty() {
            parts.push(Part::Ends);
            let parameters = self.ends.parameters();
            sent.push(Box::pin(async move { Ok(client.query_typed(FINISH, &parameters).await?.into()) }));
        }
        parts.push(Part::Commit);
        sent.push(Box::pin(async move { client.batch_execute("COMMIT").await.map(|()| 0.into()) }));
        (parts, sent)
    }

    /// Finds the games whose entries are not in the store, because it has others in their places.
    async fn find_conflicts(&mut self, connection: &Connection) -> Result<(), StoreError> {
        let Entries { games, sequences, digests, .. } = &self.entries;
        let mut stored = StoredBatch::default();
        stored.read_digests(connection, games, sequences).await?;
        for ((game, sequence), digest) in games.iter().zip(sequences).zip(digests) {
            let (game, sequence) = (GameKey(*game), sequence.cast_unsigned());
            // An earlier connection may have stored the same entry.
            if stored.digest(game, sequence)?.is_none_or(|found| found.0 != **digest) {
                self.staging.diverge(game, sequence);
            }
        }
        Ok(())
    }

    /// Refuses the clients whose numbers are taken: they are not among those that were stored.
    fn refuse_taken_clients(&mut self, stored: &[tokio_postgres::Row]) -> Result<(), StoreError> {
        let Clients { places, games, clients, .. } = &self.clients;
        if stored.len() == games.len() {
            return Ok(());
        }
        let mut found = HashSet::new();
        for row in stored {
            found.insert((column::<i64>(row, 0)?, column::<i64>(row, 1)?));
        }
        for ((place, game), client) in places.iter().zip(games).zip(clients) {
            if !found.contains(&(*game, *client)) {
                let (game, client) = (GameKey(*game), u32::try_from(*client).unwrap_or_default());
                self.refusals[*place] = Some(StoreError::ClientTaken { game, client });
            }
        }
        Ok(())
    }
}

impl Part {
    fn failed(self, error: tokio_postgres::Error) -> StoreError {
        match self {
            Self::Clients => failed("storing clients")(error),
            Self::Record(table) => refusal(table, failed("storing a record")(error)),
            Self::Entries => failed("storing entries")(error),
            Self::Ends => failed("storing the end of a game")(error),
            Self::Commit => failed("committing")(error),
        }
    }
}

impl<'b> Entries<'b> {
    fn add(&mut self, game: GameKey, row: &'b Row) {
        self.games.push(game.0);
        self.sequences.push(row.sequence.cast_signed());
        self.digests.push(&row.digest.0);
        self.bytes.push(&row.bytes);
    }

    fn parameters<'p>(&'p self, identity: &'p Identity) -> [&'p (dyn ToSql + Sync); 6] {
        [&identity.incarnation, &identity.session, &self.games, &self.sequences, &self.digests, &self.bytes]
    }
}

impl Clients<'_> {
    fn parameters(&self) -> [(&(dyn ToSql + Sync), Type); 5] {
        [
            (&self.games, Type::INT8_ARRAY),
            (&self.clients, Type::INT8_ARRAY),
            (&self.token_hashes, Type::BYTEA_ARRAY),
            (&self.names, Type::TEXT_ARRAY),
            (&self.joined, Type::INT8_ARRAY),
        ]
    }
}

impl<'b> Ends<'b> {
    fn add(&mut self, game: GameKey, ending: &'b Ending, tail: Tail) {
        self.games.push(game.0);
        self.outcomes.push(&ending.outcome);
        self.at.push(ending.at);
        self.players.push(ending.players_json());
        self.results.push(ending.results_json());
        self.entries.push(tail.entries.cast_signed());
        self.digests.push(tail.digest.0.to_vec());
    }

    fn parameters(&self) -> [(&(dyn ToSql + Sync), Type); 7] {
        [
            (&self.games, Type::INT8_ARRAY),
            (&self.outcomes, Type::TEXT_ARRAY),
            (&self.at, Type::INT8_ARRAY),
            (&self.players, Type::TEXT_ARRAY),
            (&self.results, Type::TEXT_ARRAY),
            (&self.entries, Type::INT8_ARRAY),
            (&self.digests, Type::BYTEA_ARRAY),
        ]
    }
}
