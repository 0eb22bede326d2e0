//! One commit and the games in it.
//!
//! Entries alone are one statement, which is a transaction of its own. Everything else is a transaction in rounds: what later
//! rounds depend on comes first, and the statements of a round are sent without waiting in between. The row of the host is
//! locked in the first round, so a host that is fenced writes nothing.

use std::collections::{HashMap, HashSet};

use tokio_postgres::types::{ToSql, Type};

use super::{
    connection::{DEADLINE, column, within},
    new_games::NewGames,
    plan::Plan,
    rows::tail,
    session::{FENCE, Identity, Session},
};
use crate::log::{
    Fault, GameKey, StoreError, Table, Tail,
    staging::{Committed, OpenGames},
    write::Write,
};

/// The ends of the logs of unfinished games, and whether this host owns them.
const TAILS: &str = "SELECT games.id, owner IS NOT DISTINCT FROM $2,
        CASE WHEN last.sequence > games.entries THEN last.sequence ELSE games.entries END,
        CASE WHEN last.sequence > games.entries THEN last.digest ELSE games.digest END
    FROM games LEFT JOIN LATERAL (
        SELECT sequence, digest FROM entries WHERE entries.game = games.id ORDER BY sequence DESC LIMIT 1
    ) last ON true
    WHERE games.id = ANY($1) AND ended IS NULL";

/// Writes a batch in one transaction.
pub(super) async fn write(
    session: &Session,
    tables: &[&'static Table],
    batch: &[Write],
    games: &OpenGames,
) -> Result<Committed, StoreError> {
    let game = batch.first().map_or(GameKey(0), Write::game);
    let Some(identity) = session.identity else { return Err(StoreError::Fenced { game }) };
    let is_plain = batch.iter().all(|write| matches!(write, Write::Append { records, .. } if records.is_empty()));
    if is_plain {
        return Plan::new(games, tables, Before::default(), batch).append(session, identity).await;
    }
    let written = match Before::read(session, identity, batch, games).await {
        Ok(Some(before)) => Plan::new(games, tables, before, batch).commit(session, identity).await,
        Ok(None) => Err(StoreError::Fenced { game }),
        Err(error) => Err(error),
    };
    let Err(error) = written else { return written };
    match error.fault() {
        // The connection is not used again.
        Fault::Passing => Err(error),
        Fault::Game => session.roll_back().await.and(Err(error)),
        Fault::Fenced => {
            session.roll_back().await?;
            session.check_fence(game).await.and(Err(error))
        }
    }
}

/// What the store says before the rest of a batch is planned.
#[derive(Default)]
pub(super) struct Before {
    /// The new games whose names were free.
    pub(super) created: HashSet<GameKey>,
    /// The ends of games that are to be resumed. `None` if this host does not own the game.
    pub(super) tails: HashMap<GameKey, Option<Tail>>,
}

impl Before {
    /// Begins the transaction, and stores the new games. Returns nothing if this host is fenced.
    async fn read(
        session: &Session,
        identity: Identity,
        batch: &[Write],
        games: &OpenGames,
    ) -> Result<Option<Self>, StoreError> {
        let client = &session.connection.client;
        let new = NewGames::of(batch);
        let is_unknown = |write: &&Write| matches!(write, Write::Resume { game, .. } if games.tail(*game).is_none());
        let resumed: Vec<i64> = batch.iter().filter(is_unknown).map(|write| write.game().0).collect();
        let own = [(&identity.incarnation as &(dyn ToSql + Sync), Type::INT8), (&identity.session as _, Type::INT8)];
        let asked = [(&resumed as &(dyn ToSql + Sync), Type::INT8_ARRAY), (&identity.incarnation as _, Type::INT8)];
        let answers = async {
            let tails =
                async { if resumed.is_empty() { Ok(Vec::new()) } else { client.query_typed(TAILS, &asked).await } };
            let fence = client.query_typed(FENCE, &own);
            let known = new.known_setups(client);
            let (begun, fence, known, tails) = tokio::join!(client.batch_execute("BEGIN"), fence, known, tails);
            begun?;
            Ok((fence?, known?, tails?))
        };
        let (fence, known, tails) = within(DEADLINE, "beginning to write", answers).await?;
        if fence.is_empty() {
            return Ok(None);
        }
        let created = new.insert(client, identity, known).await?;
        let mut before = Self { created, tails: HashMap::new() };
        for row in &tails {
            let end = if column(row, 1)? { Some(tail(row, 2)?) } else { None };
            before.tails.insert(GameKey(column(row, 0)?), end);
        }
        Ok(Some(before))
    }
}
