//! Requests of the operator to remove finished games and to replace names in them.

use std::sync::Arc;

use axum::{
    Extension,
    body::Body,
    extract::{Path, RawQuery, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use commlib::Reason;
use serde::Deserialize;
use serde_json::json;

use super::{
    Visitor,
    answer::{ApiError, json_body},
    change::{may_change, read},
    query::Query,
};
use crate::{
    host::{Host, HousekeepingError},
    log::Tombstone,
    redaction::{RedactedGame, RedactionError},
};

/// The most names of one request, and the longest of them.
const MOST_NAMES: usize = 16;
const LONGEST_NAME: usize = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Archive {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Redact {
    /// Names and other words of a player.
    names: Vec<String>,
    /// The word in their place.
    #[serde(default, rename = "as")]
    new: Option<String>,
}

/// Deletes a finished game.
pub(super) async fn delete(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    Query::parse(query.as_deref())?.end()?;
    may_change(&host, &visitor, &headers)?;
    Ok(removed(&host.delete_game(&game).await?))
}

/// Moves a finished game into the archive.
pub(super) async fn archive(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    Path(game): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    may_change(&host, &visitor, &headers)?;
    let Archive {} = read(&host, &headers, body).await?;
    Ok(removed(&host.archive_game(&game).await?))
}

/// Replaces names in a finished game.
pub(super) async fn redact(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    Path(game): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    may_change(&host, &visitor, &headers)?;
    let Redact { names, new } = read(&host, &headers, body).await?;
    let is_long = |name: &String| name.chars().count() > LONGEST_NAME;
    if names.len() > MOST_NAMES || names.iter().any(is_long) || new.as_ref().is_some_and(is_long) {
        return Err(ApiError::bad(format!("At most {MOST_NAMES} names of at most {LONGEST_NAME} characters each.")));
    }
    let RedactedGame { entries, clients, records, chat, left, in_header } =
        host.redact_game(&game, &names, new.as_deref()).await?;
    let body = json!({
        "game": game, "entries": entries, "clients": clients, "records": records, "chat": chat, "inside": left,
        "in_header": in_header,
    });
    Ok(json_body(&body).into_response())
}

fn removed(stone: &Tombstone) -> Response {
    let Tombstone { name, tail, at, why, .. } = stone;
    let body = json!({
        "game": name, "entries": tail.entries, "digest": tail.digest.to_string(), "removed": at, "why": why.word(),
    });
    json_body(&body).into_response()
}

impl From<HousekeepingError> for ApiError {
    fn from(error: HousekeepingError) -> Self {
        use RedactionError::{Differs, NoName, Rules};
        let (status, code) = match &error {
            HousekeepingError::NoSuchGame { .. } => (StatusCode::NOT_FOUND, Reason::UnknownGame.name()),
            HousekeepingError::NotOver { .. } | HousekeepingError::Redaction(RedactionError::NotOver) => {
                (StatusCode::CONFLICT, "not_over")
            }
            HousekeepingError::NoArchive => (StatusCode::CONFLICT, "no_archive"),
            HousekeepingError::Redaction(NoName) => (StatusCode::BAD_REQUEST, Reason::BadMessage.name()),
            HousekeepingError::Redaction(Differs(_) | Rules(_)) => (StatusCode::CONFLICT, "cannot_redact"),
            HousekeepingError::Copy(_)
            | HousekeepingError::Store(_)
            | HousekeepingError::Redaction(RedactionError::Store(_)) => {
                (StatusCode::SERVICE_UNAVAILABLE, Reason::StoreUnavailable.name())
            }
        };
        Self::new(status, code, error.to_string())
    }
}
