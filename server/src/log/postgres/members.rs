//! The table of hosts, and the owners of games.

use serde_json::json;
use tokio_postgres::types::{ToSql, Type};

use super::{
    PostgresLog,
    backend::PostgresBackend,
    connection::{Connection, column},
    registration::{Registering, Registration},
    session::{Identity, Session},
};
use crate::{
    log::{GameKey, Reading, StoreError, Tail, staging::OpenGames},
    sync::lock,
};

/// A row of the table of hosts.
#[derive(Clone, Debug)]
pub(crate) struct HostRow {
    pub(crate) incarnation: i64,
    pub(crate) host: Registering,
    pub(crate) alive: bool,
    pub(crate) beat: i64,
    pub(crate) draining: bool,
    /// For a dead one, the number of its unfinished games.
    pub(crate) games: i64,
}

/// A game of this host.
#[derive(Clone, Debug)]
pub(crate) struct OwnedRow {
    pub(crate) key: GameKey,
    pub(crate) name: String,
    pub(crate) elapsed_ms: Option<i64>,
}

/// An unfinished game, and the living host that owns it.
#[derive(Clone, Debug)]
pub(crate) struct OwnerRow {
    pub(crate) game: OwnedRow,
    pub(crate) owner: Option<(i64, Registering)>,
}

/// A game that its host gives up, with the time of its clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandedOver {
    pub(crate) key: GameKey,
    pub(crate) elapsed_ms: i64,
}

const MEMBERS: &str =
    "SELECT incarnation, name, client_address, http_address, cluster_address, version, rules, alive, beat,
        draining, CASE WHEN alive THEN games ELSE
            (SELECT COUNT(*) FROM games WHERE games.owner = incarnation AND ended IS NULL) END
    FROM hosts ORDER BY incarnation";

/// Games of hosts that are dead, or of none. No other host gets the same game, and a host that is fenced or drains gets none.
const CLAIM: &str = "WITH fence AS (
        SELECT 1 FROM hosts WHERE incarnation = $1 AND session = $2 AND alive AND NOT draining FOR SHARE
    ), free AS (
        SELECT id FROM games
        WHERE ended IS NULL
            AND (owner IS NULL OR owner = ANY(ARRAY(SELECT incarnation FROM hosts WHERE NOT alive)))
            AND EXISTS (SELECT 1 FROM unnest($3::text[], $4::bigint[]) AS folded(rulebook, version)
                        WHERE folded.rulebook = games.rulebook AND folded.version = games.rules_version)
            AND ($5::text[] IS NULL OR name = ANY($5))
        ORDER BY id LIMIT $6 FOR UPDATE SKIP LOCKED
    )
    UPDATE games SET owner = $1 FROM fence, free WHERE games.id = free.id
    RETURNING games.id, games.name, games.elapsed_ms";

const HAND_OVER: &str = "UPDATE games SET owner = NULL, elapsed_ms = given.elapsed_ms,
        entries = COALESCE(given.entries, games.entries), digest = COALESCE(given.digest, games.digest)
    FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[]) AS given(id, elapsed_ms, entries, digest)
    WHERE games.id = given.id AND owner = $1 AND ended IS NULL";

const PUBLISH: &str =
    "UPDATE games SET players = told.players FROM unnest($2::bigint[], $3::text[]) AS told(id, players)
    WHERE games.id = told.id AND owner = $1 AND ended IS NULL";

/// A text is replaced by a host that is alive, and only if nothing was written since it was read.
const REPLACE_TEXT: &str = "WITH fence AS (
        SELECT 1 FROM hosts WHERE incarnation = $1 AND session = $2 AND alive FOR SHARE
    )
    INSERT INTO texts AS known (name, version, text) SELECT $3::text, 1, $5::text FROM fence
    ON CONFLICT (name) DO UPDATE SET version = known.version + 1, text = excluded.text WHERE known.version = $4
    RETURNING 1";

/// The operations of a host that is registered fail with [`StoreError::Fenced`] if it is dead.
impl PostgresLog {
    /// The registration of this host.
    pub(crate) fn registration(&self) -> Option<Registration> {
        lock(&self.registration).clone()
    }

    /// Registers this host. Its open games are fenced: the new incarnation owns none.
    pub(crate) fn register_host(&self, host: Registering) -> Reading<'_, i64> {
        self.on_writer(move |backend, games| {
            let registered = backend.register(host)?;
            games.fence(Vec::new());
            Ok(registered.incarnation)
        })
    }

    /// Raises the beat of this host.
    pub(crate) fn raise_beat(&self, draining: bool, games: i64) -> Reading<'_, Vec<HostRow>> {
        self.on_writer(move |backend, _| {
            backend.ask(async |session| {
                let me = identity(session)?.incarnation;
                let sql = "UPDATE hosts SET beat = beat + 1, draining = $2, games = $3
                           WHERE incarnation = $1 AND alive RETURNING 1";
                let parameters = [(&me as _, Type::INT8), (&draining as _, Type::BOOL), (&games as _, Type::INT8)];
                let (raised, members) = tokio::join!(
                    session.connection.query("raising the beat", sql, &parameters),
                    members(&session.connection)
                );
                if raised?.is_empty() { Err(FENCED) } else { members }
            })
        })
    }

    /// The table of hosts.
    pub(crate) fn host_rows(&self) -> Reading<'_, Vec<HostRow>> {
        self.reader.pool().read(false, |connection| Box::pin(members(connection)))
    }

    /// The later living incarnation of this name.
    pub(crate) fn replaced_by(&self, registration: Registration) -> Reading<'_, Option<i64>> {
        self.reader.pool().read(false, move |connection| {
            let Registration { incarnation, name, .. } = registration.clone();
            Box::pin(async move {
                let sql = "SELECT incarnation FROM hosts WHERE name = $1 AND incarnation > $2 AND alive";
                let parameters = [(&name as _, Type::TEXT), (&incarnation as _, Type::INT8)];
                let rows = connection.query("looking for a later process", sql, &parameters).await?;
                rows.first().map(|row| column(row, 0)).transpose()
            })
        })
    }

    /// Declares an incarnation dead, if its beat is still this one.
    pub(crate) fn bury_host(&self, incarnation: i64, beat: i64) -> Reading<'_, bool> {
        self.on_writer(move |backend, _| {
            backend.ask(async |session| {
                let me = identity(session)?.incarnation;
                // The dead host is not harmed by a grave digger that is dead, too; so this takes no lock for it.
                let sql = "UPDATE hosts SET alive = false WHERE incarnation = $1 AND beat = $2 AND alive
                           AND EXISTS (SELECT 1 FROM hosts me WHERE me.incarnation = $3 AND me.alive) RETURNING 1";
                let parameters = [(&incarnation as _, Type::INT8), (&beat as _, Type::INT8), (&me as _, Type::INT8)];
                let buried = session.connection.query("burying a host", sql, &parameters).await?;
                if buried.is_empty() {
                    session.check_fence(GameKey(0)).await?;
                }
                Ok(!buried.is_empty())
            })
        })
    }

    /// Makes this host the owner of games that no living host owns: of these rules, and if there are names, only of these.
    pub(crate) fn claim_rows(
        &self,
        rules: Vec<(String, u32)>,
        names: Option<Vec<String>>,
        limit: usize,
    ) -> Reading<'_, Vec<OwnedRow>> {
        self.on_writer(move |backend, _| {
            let (rulebooks, versions): (Vec<String>, Vec<i64>) =
                rules.into_iter().map(|(rulebook, version)| (rulebook, i64::from(version))).unzip();
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            backend.ask(async |session| {
                let Identity { incarnation, session: number } = identity(session)?;
                let parameters = [
                    (&incarnation as &(dyn ToSql + Sync), Type::INT8),
                    (&number as _, Type::INT8),
                    (&rulebooks as _, Type::TEXT_ARRAY),
                    (&versions as _, Type::INT8_ARRAY),
                    (&names as _, Type::TEXT_ARRAY),
                    (&limit as _, Type::INT8),
                ];
                let rows = session.connection.query("claiming games", CLAIM, &parameters).await?;
                if rows.is_empty() {
                    session.check_fence(GameKey(0)).await?;
                }
                rows.iter().map(|row| owned_row(row, 0)).collect()
            })
        })
    }

    /// The unfinished games of this host.
    pub(crate) fn owned_rows(&self) -> Reading<'_, Vec<OwnedRow>> {
        self.on_writer(|backend, _| {
            backend.ask(async |session| {
                session.check_fence(GameKey(0)).await?;
                let me = identity(session)?.incarnation;
                let sql = "SELECT id, name, elapsed_ms FROM games WHERE owner = $1 AND ended IS NULL ORDER BY id";
                let rows = session.connection.query("listing own games", sql, &[(&me, Type::INT8)]).await?;
                rows.iter().map(|row| owned_row(row, 0)).collect()
            })
        })
    }

    /// Gives up games. They are closed for writing before that, whatever the outcome is.
    pub(crate) fn give_up(&self, given: Vec<HandedOver>) -> Reading<'_, ()> {
        self.on_writer(move |backend, games| {
            let keys: Vec<i64> = given.iter().map(|game| game.key.0).collect();
            let elapsed: Vec<i64> = given.iter().map(|game| game.elapsed_ms).collect();
            let tails: Vec<Option<Tail>> = given.iter().map(|game| games.forget(game.key)).collect();
            let entries: Vec<Option<i64>> =
                tails.iter().map(|tail| tail.map(|tail| tail.entries.cast_signed())).collect();
            let digests: Vec<Option<Vec<u8>>> =
                tails.iter().map(|tail| tail.map(|tail| tail.digest.0.to_vec())).collect();
            backend.ask(async |session| {
                session.check_fence(GameKey(0)).await?;
                let me = identity(session)?.incarnation;
                let parameters = [
                    (&me as &(dyn ToSql + Sync), Type::INT8),
                    (&keys as _, Type::INT8_ARRAY),
                    (&elapsed as _, Type::INT8_ARRAY),
                    (&entries as _, Type::INT8_ARRAY),
                    (&digests as _, Type::BYTEA_ARRAY),
                ];
                session.connection.query("handing over games", HAND_OVER, &parameters).await.map(drop)
            })
        })
    }

    /// Stores the names of players in running games of this host.
    pub(crate) fn publish_players(&self, players: Vec<(GameKey, Vec<String>)>) -> Reading<'_, ()> {
        self.on_writer(move |backend, _| {
            let keys: Vec<i64> = players.iter().map(|(key, _)| key.0).collect();
            let names: Vec<String> = players.iter().map(|(_, names)| json!(names).to_string()).collect();
            backend.ask(async |session| {
                session.check_fence(GameKey(0)).await?;
                let me = identity(session)?.incarnation;
                let parameters = [
                    (&me as &(dyn ToSql + Sync), Type::INT8),
                    (&keys as _, Type::INT8_ARRAY),
                    (&names as _, Type::TEXT_ARRAY),
                ];
                session.connection.query("publishing players", PUBLISH, &parameters).await.map(drop)
            })
        })
    }

    /// An unfinished game and its owner.
    pub(crate) fn find_owner(&self, game: &str) -> Reading<'_, Option<OwnerRow>> {
        let game = game.to_owned();
        self.reader.pool().read(false, move |connection| {
            let game = game.clone();
            Box::pin(async move { find_owner(connection, &game).await })
        })
    }

    /// The unfinished games of all hosts in the order of their names: name, rulebook, edition, players as JSON.
    pub(crate) fn open_rows(&self, limit: usize) -> Reading<'_, Vec<[Option<String>; 4]>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.reader.pool().read(false, move |connection| {
            Box::pin(async move {
                let sql =
                    "SELECT name, rulebook, edition, players FROM games WHERE ended IS NULL ORDER BY name LIMIT $1";
                let rows = connection.query("listing open games", sql, &[(&limit, Type::INT8)]).await?;
                rows.iter()
                    .map(|row| Ok([column(row, 0)?, column(row, 1)?, column(row, 2)?, column(row, 3)?]))
                    .collect()
            })
        })
    }

    /// A text that all hosts share, and its version.
    pub(crate) fn text_row(&self, name: String) -> Reading<'_, (i64, String)> {
        self.reader.pool().read(false, move |connection| {
            let name = name.clone();
            Box::pin(async move {
                let sql = "SELECT version, text FROM texts WHERE name = $1";
                let rows = connection.query("reading a shared text", sql, &[(&name, Type::TEXT)]).await?;
                rows.first().map_or(Ok((0, String::new())), |row| Ok((column(row, 0)?, column(row, 1)?)))
            })
        })
    }

    /// Replaces a text of this version.
    pub(crate) fn replace_text_row(&self, name: String, version: i64, text: String) -> Reading<'_, bool> {
        self.on_writer(move |backend, _| {
            backend.ask(async |session| {
                session.check_fence(GameKey(0)).await?;
                let Identity { incarnation, session: own } = identity(session)?;
                let parameters = [
                    (&incarnation as &(dyn ToSql + Sync), Type::INT8),
                    (&own as _, Type::INT8),
                    (&name as _, Type::TEXT),
                    (&version as _, Type::INT8),
                    (&text as _, Type::TEXT),
                ];
                let rows = session.connection.query("replacing a shared text", REPLACE_TEXT, &parameters).await?;
                Ok(!rows.is_empty())
            })
        })
    }

    /// Ends the registration of this host. Its games are fenced in any case.
    pub(crate) fn unregister(&self) -> Reading<'_, ()> {
        self.on_writer(|backend, games| {
            games.fence(Vec::new());
            backend.leave()
        })
    }

    fn on_writer<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut PostgresBackend, &mut OpenGames) -> Result<T, StoreError> + Send + 'static,
    ) -> Reading<'_, T> {
        let done = self.writer.run(work);
        Box::pin(async move { done.await.unwrap_or(Err(StoreError::Closed)) })
    }
}

/// This host is dead. Which game does not matter.
const FENCED: StoreError = StoreError::Fenced { game: GameKey(0) };

fn identity(session: &Session) -> Result<Identity, StoreError> {
    session.identity.ok_or(FENCED)
}

async fn members(connection: &Connection) -> Result<Vec<HostRow>, StoreError> {
    let rows = connection.query("reading the table of hosts", MEMBERS, &[]).await?;
    let row = |row: &tokio_postgres::Row| {
        Ok(HostRow {
            incarnation: column(row, 0)?,
            host: host(row, 1)?,
            alive: column(row, 7)?,
            beat: column(row, 8)?,
            draining: column(row, 9)?,
            games: column(row, 10)?,
        })
    };
    rows.iter().map(row).collect()
}

/// Six columns of the table of hosts.
fn host(row: &tokio_postgres::Row, at: usize) -> Result<Registering, StoreError> {
    Ok(Registering {
        name: column(row, at)?,
        client_address: column(row, at + 1)?,
        http_address: column(row, at + 2)?,
        cluster_address: column(row, at + 3)?,
        version: column(row, at + 4)?,
        rules: column(row, at + 5)?,
    })
}

fn owned_row(row: &tokio_postgres::Row, at: usize) -> Result<OwnedRow, StoreError> {
    Ok(OwnedRow { key: GameKey(column(row, at)?), name: column(row, at + 1)?, elapsed_ms: column(row, at + 2)? })
}

async fn find_owner(connection: &Connection, game: &str) -> Result<Option<OwnerRow>, StoreError> {
    let sql = "SELECT games.id, games.name, elapsed_ms, incarnation, hosts.name, client_address, http_address,
                   cluster_address, version, rules
               FROM games LEFT JOIN hosts ON incarnation = owner AND alive
               WHERE games.name = $1 AND ended IS NULL";
    let rows = connection.query("looking for the owner of a game", sql, &[(&game, Type::TEXT)]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let owner = match column::<Option<i64>>(row, 3)? {
        Some(incarnation) => Some((incarnation, host(row, 4)?)),
        None => None,
    };
    Ok(Some(OwnerRow { game: owned_row(row, 0)?, owner }))
}

pub(super) async fn leave(connection: &Connection, incarnation: i64) -> Result<(), StoreError> {
    let sql = "UPDATE hosts SET alive = false WHERE incarnation = $1";
    connection.query("leaving", sql, &[(&incarnation, Type::INT8)]).await.map(drop)
}
