//! What pages ask about rules and rulebooks, and games after games.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Path, RawQuery, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use commlib::Token;
use serde::Deserialize;
use serde_json::json;

use super::{
    answer::{Problem, json_body},
    change::{made, read},
    query::{Query, decode},
};
use crate::host::Host;

/// The bots that can be played against.
pub(super) async fn bots(RawQuery(query): RawQuery, State(host): State<Arc<Host>>) -> Result<Response, Problem> {
    Query::parse(query.as_deref())?.end()?;
    Ok(json_body(&json!({"bots": host.options.opponents.list()})).into_response())
}

/// A question to a rulebook: what it is about is all that stands behind the question mark.
pub(super) async fn query_rules(
    State(host): State<Arc<Host>>,
    Path((rulebook, question)): Path<(String, String)>,
    RawQuery(about): RawQuery,
) -> Result<Response, Problem> {
    let nothing = || Problem::new(StatusCode::NOT_FOUND, "not_found", "No rulebook answers such a question.");
    let rules = host.rulebook_named(&rulebook).ok_or_else(nothing)?;
    let about = decode(about.as_deref().unwrap_or_default()).ok_or_else(|| Problem::bad("The query is not UTF-8."))?;
    if let Some(answer) = rules.query_rules(&question, &about) {
        return Ok(json_body(&answer.map_err(Problem::bad)?).into_response());
    }
    let recalling = rules.query_log(&*host.options.log, &question, &about).ok_or_else(nothing)?;
    let _turn = host.viewer.turn().await?;
    Ok(json_body(&recalling.await?).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rematch {
    token: Token,
}

/// The game after a game, for a player of it; there is one for both.
pub(super) async fn rematch(
    State(host): State<Arc<Host>>,
    Path(game): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let Rematch { token } = read(&host, &headers, body).await?;
    Ok(made(&host.rematch(game, token).await?))
}

/// Whether there is a game after a game.
pub(super) async fn after(State(host): State<Arc<Host>>, Path(game): Path<String>) -> Result<Response, Problem> {
    let next = host.after(&game).await?;
    Ok(json_body(&json!({"game": next})).into_response())
}
