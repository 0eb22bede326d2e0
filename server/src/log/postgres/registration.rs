//! The registration of a host in the table of hosts.

use tokio_postgres::types::Type;

use super::{
    connection::{PATIENT, column},
    session::{Identity, Session},
};
use crate::log::{PostgresError, StoreError};

/// What a host says when it registers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Registering {
    pub(crate) name: String,
    pub(crate) client_address: Option<String>,
    pub(crate) http_address: Option<String>,
    pub(crate) cluster_address: Option<String>,
    pub(crate) version: String,
    /// The rules that it folds, as JSON.
    pub(crate) rules: String,
}

/// A host that is registered.
#[derive(Clone, Debug)]
pub(crate) struct Registration {
    pub(crate) incarnation: i64,
    pub(crate) name: String,
    /// The rules that it folds, as JSON.
    pub(crate) rules: String,
}

impl Registration {
    /// Registers a host. Earlier incarnations of the same name are dead from then on.
    pub(super) async fn new(session: &mut Session, host: Registering) -> Result<Self, StoreError> {
        let doing = "registering this host";
        let connection = &session.connection;
        let bury = "UPDATE hosts SET alive = false WHERE name = $1 AND alive";
        let forget = "DELETE FROM hosts WHERE name = $1 AND NOT alive
                      AND NOT EXISTS (SELECT 1 FROM games WHERE owner = hosts.incarnation AND ended IS NULL)";
        let insert = "INSERT INTO hosts (incarnation, name, alive, session, beat, client_address, http_address,
                          cluster_address, version, rules, draining, games)
                      VALUES (nextval('incarnations'), $1, true, 1, 0, $2, $3, $4, $5, $6, false, 0)
                      RETURNING incarnation";
        let name = (&host.name as _, Type::TEXT);
        let parameters = [
            (&host.name as _, Type::TEXT),
            (&host.client_address as _, Type::TEXT),
            (&host.http_address as _, Type::TEXT),
            (&host.cluster_address as _, Type::TEXT),
            (&host.version as _, Type::TEXT),
            (&host.rules as _, Type::TEXT),
        ];
        connection.run(doing, "BEGIN").await?;
        let registered = async {
            connection.query(doing, bury, std::slice::from_ref(&name)).await?;
            connection.query(doing, forget, std::slice::from_ref(&name)).await?;
            connection.query(doing, insert, &parameters).await
        };
        let rows = match registered.await {
            Ok(rows) => rows,
            Err(error) => {
                connection.run(doing, "ROLLBACK").await?;
                return Err(error);
            }
        };
        connection.run(doing, "COMMIT").await?;
        let missing = || PostgresError::Unreadable { message: "the server returns no incarnation".into() };
        let row = rows.first().ok_or_else(|| StoreError::Postgres { doing, source: missing() })?;
        let incarnation = column(row, 0)?;
        session.identity = Some(Identity { incarnation, session: 1 });
        Ok(Self { incarnation, name: host.name, rules: host.rules })
    }

    /// Makes this host the owner of all unfinished games that no living host owns.
    pub(super) async fn claim_all(&self, session: &Session) -> Result<(), StoreError> {
        let sql = "UPDATE games SET owner = $1 WHERE ended IS NULL AND (owner IS NULL OR NOT EXISTS
                       (SELECT 1 FROM hosts WHERE incarnation = games.owner AND alive))";
        let parameters = [(&self.incarnation as _, Type::INT8)];
        session.connection.query_within(PATIENT, "taking over the games", sql, &parameters).await.map(drop)
    }
}
