//! Storing new games with their setups.

use std::collections::{BTreeMap, HashSet};

use tokio_postgres::{
    Client, Row,
    error::Error,
    types::{ToSql, Type},
};

use super::{
    connection::{DEADLINE, column, within},
    removal,
    session::Identity,
};
use crate::log::{
    GameKey, NewGame, StoreError,
    split_header::{SplitHeader, digest},
    write::Write,
};

/// The lock keeps these setups until the end of the transaction: a game that is removed meanwhile does not take its setup along.
const KNOWN: &str = "SELECT digest FROM setups WHERE digest = ANY($1) FOR KEY SHARE";

const SETUPS: &str = "INSERT INTO setups (digest, bytes) SELECT * FROM unnest($1::bytea[], $2::bytea[])
    ON CONFLICT DO NOTHING";

const UNUSED: &str = "DELETE FROM setups WHERE digest = ANY($1)
    AND NOT EXISTS (SELECT 1 FROM games WHERE games.setup = setups.digest)";

/// Names are taken in the order of the batch.
const GAMES: &str =
    "INSERT INTO games (id, name, rulebook, edition, rules_version, seed, created, parent, header_start,
        setup, other_scenario, scenario_start, scenario_length, entries, digest, owner)
    SELECT g.*, $16 FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[],
        $7::bigint[], $8::text[], $9::bytea[], $10::bytea[], $11::text[], $12::bigint[], $13::bigint[], $14::bigint[],
        $15::bytea[])
        AS g(id, name, rulebook, edition, rules_version, seed, created, parent, header_start, setup, other_scenario,
             scenario_start, scenario_length, entries, digest)
    WHERE NOT EXISTS (SELECT 1 FROM tombstones WHERE tombstones.name = g.name)
    ON CONFLICT DO NOTHING RETURNING id";

/// The new games of a batch, column by column.
#[derive(Default)]
pub(super) struct NewGames<'b> {
    /// The setups by their digests.
    setups: BTreeMap<[u8; 32], &'b [u8]>,
    ids: Vec<i64>,
    names: Vec<&'b str>,
    rulebooks: Vec<&'b str>,
    editions: Vec<&'b str>,
    versions: Vec<i64>,
    seeds: Vec<i64>,
    created: Vec<i64>,
    parents: Vec<Option<&'b str>>,
    starts: Vec<&'b [u8]>,
    setup_digests: Vec<Option<Vec<u8>>>,
    scenarios: Vec<Option<&'b str>>,
    scenario_starts: Vec<Option<i64>>,
    scenario_lengths: Vec<Option<i64>>,
    entries: Vec<i64>,
    digests: Vec<Vec<u8>>,
    /// The copies of redacted games, and which of their entries were redacted.
    redactions: Vec<(i64, String)>,
}

impl<'b> NewGames<'b> {
    pub(super) fn of(batch: &'b [Write]) -> Self {
        let mut games = Self::default();
        for write in batch {
            match write {
                Write::Create { key, game, .. } => games.add(*key, game),
                Write::Client { .. } | Write::Append { .. } | Write::Finish { .. } | Write::Resume { .. } => {}
            }
        }
        games
    }

    fn add(&mut self, key: GameKey, game: &'b NewGame) {
        let NewGame { name, about, header, scenario, created, parent, rows: _, redacted } = game;
        let split = SplitHeader::new(header, scenario.as_deref());
        let setup = split.setup.map(|setup| (digest(setup), setup));
        self.setups.extend(setup);
        self.ids.push(key.0);
        self.names.push(name);
        self.rulebooks.push(&about.rulebook);
        self.editions.push(&about.edition);
        self.versions.push(about.rules_version.into());
        self.seeds.push(about.seed);
        self.created.push(*created);
        self.parents.push(parent.as_deref());
        self.starts.push(split.start);
        self.setup_digests.push(setup.map(|(digest, _)| digest.to_vec()));
        self.scenarios.push(scenario.as_deref().filter(|_| split.scenario.is_none()));
        self.scenario_starts.push(split.scenario.as_ref().map(|place| place.start as i64));
        self.scenario_lengths.push(split.scenario.as_ref().map(|place| place.len() as i64));
        if let Some(redacted) = redacted {
            self.redactions.push((key.0, redacted.to_string()));
        }
        let tail = game.tail();
        self.entries.push(tail.entries.cast_signed());
        self.digests.push(tail.digest.0.to_vec());
    }

    /// The digests of the setups that are stored already.
    pub(super) async fn known_setups(&self, client: &Client) -> Result<Vec<Row>, Error> {
        if self.setups.is_empty() {
            return Ok(Vec::new());
        }
        let digests: Vec<&[u8]> = self.setups.keys().map(|digest| &digest[..]).collect();
        client.query_typed(KNOWN, &[(&digests, Type::BYTEA_ARRAY)]).await
    }

    /// Stores the games, and the setups that are not known. Returns the games whose names were free.
    pub(super) async fn insert(
        mut self,
        client: &Client,
        identity: Identity,
        known: Vec<Row>,
    ) -> Result<HashSet<GameKey>, StoreError> {
        let doing = "storing games";
        if self.ids.is_empty() {
            return Ok(HashSet::new());
        }
        for row in &known {
            let digest: &[u8] = column(row, 0)?;
            self.setups.retain(|setup, _| setup != digest);
        }
        let digests: Vec<&[u8]> = self.setups.keys().map(|digest| &digest[..]).collect();
        let bytes: Vec<&[u8]> = self.setups.values().copied().collect();
        let setups = [(&digests as &(dyn ToSql + Sync), Type::BYTEA_ARRAY), (&bytes as _, Type::BYTEA_ARRAY)];
        let games = self.parameters(&identity.incarnation);
        let rows = within(DEADLINE, doing, async {
            let store_setups =
                async { if digests.is_empty() { Ok(Vec::new()) } else { client.query_typed(SETUPS, &setups).await } };
            let (stored, rows) = tokio::join!(store_setups, client.query_typed(GAMES, &games));
            stored?;
            rows
        })
        .await?;
        let created: HashSet<GameKey> =
            rows.iter().map(|row| Ok(GameKey(column(row, 0)?))).collect::<Result<_, StoreError>>()?;
        for (game, sequences) in self.redactions.iter().filter(|(game, _)| created.contains(&GameKey(*game))) {
            removal::keep_redaction(client, *game, sequences, 0).await?;
        }
        if created.len() < self.ids.len() && !digests.is_empty() {
            // No setup without a game stays behind.
            within(DEADLINE, doing, client.query_typed(UNUSED, &setups[..1])).await?;
        }
        Ok(created)
    }

    fn parameters<'p>(&'p self, owner: &'p i64) -> [(&'p (dyn ToSql + Sync), Type); 16] {
        [
            (&self.ids, Type::INT8_ARRAY),
            (&self.names, Type::TEXT_ARRAY),
            (&self.rulebooks, Type::TEXT_ARRAY),
            (&self.editions, Type::TEXT_ARRAY),
            (&self.versions, Type::INT8_ARRAY),
            (&self.seeds, Type::INT8_ARRAY),
            (&self.created, Type::INT8_ARRAY),
            (&self.parents, Type::TEXT_ARRAY),
            (&self.starts, Type::BYTEA_ARRAY),
            (&self.setup_digests, Type::BYTEA_ARRAY),
            (&self.scenarios, Type::TEXT_ARRAY),
            (&self.scenario_starts, Type::INT8_ARRAY),
            (&self.scenario_lengths, Type::INT8_ARRAY),
            (&self.entries, Type::INT8_ARRAY),
            (&self.digests, Type::BYTEA_ARRAY),
            (owner, Type::INT8),
        ]
    }
}
