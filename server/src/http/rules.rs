//! Queries of pages to rulebooks, and rematches.

use std::sync::Arc;

use axum::{
    Extension,
    body::Body,
    extract::{Path, RawQuery, Request, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use commlib::Token;
use serde::Deserialize;
use serde_json::json;

use super::{
    Visitor,
    answer::{ApiError, json_body},
    at_host::answer_at_its_host,
    change::{made, read},
    query::{Query, decode},
};
use crate::host::Host;

/// The bots that the host offers.
pub(super) async fn bots(RawQuery(query): RawQuery, State(host): State<Arc<Host>>) -> Result<Response, ApiError> {
    Query::parse(query.as_deref())?.end()?;
    Ok(json_body(&json!({"bots": host.options.opponents.list()})).into_response())
}

/// Answers a question about a rulebook. The whole query string is the subject of the question.
pub(super) async fn query_rules(
    State(host): State<Arc<Host>>,
    Path((rulebook, question)): Path<(String, String)>,
    RawQuery(about): RawQuery,
) -> Result<Response, ApiError> {
    let nothing = || ApiError::new(StatusCode::NOT_FOUND, "not_found", "No rulebook answers such a question.");
    let rules = host.rulebook_named(&rulebook).ok_or_else(nothing)?;
    let about = decode(about.as_deref().unwrap_or_default()).ok_or_else(|| ApiError::bad("The query is not UTF-8."))?;
    if let Some(answer) = rules.query_rules(&question, &about) {
        return Ok(json_body(&answer.map_err(|error| ApiError::bad(error.to_string()))?).into_response());
    }
    let answering = rules.query_log(&*host.options.log, &question, &about).ok_or_else(nothing)?;
    let _turn = host.viewer.turn().await?;
    Ok(json_body(&answering.await?).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AddBot {
    token: Token,
    bot: String,
}

/// Adds a bot of the host to a game that waits for players. Every client of the game may ask for one.
pub(super) async fn add_bot(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    Path(game): Path<String>,
    request: Request,
) -> Result<Response, ApiError> {
    let (asked, address, name) = (host.clone(), visitor.address.ip(), game.clone());
    answer_at_its_host(&host, &visitor, &game, request, move |request| async move {
        let (parts, body) = request.into_parts();
        let AddBot { token, bot } = read(&asked, &parts.headers, body).await?;
        asked.add_bot(&name, token, bot.clone(), address).await?;
        Ok((StatusCode::CREATED, json_body(&json!({"bot": bot}))).into_response())
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rematch {
    token: Token,
}

/// Returns the rematch of a game to one of its players, and creates it if necessary.
pub(super) async fn rematch(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    Path(game): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let Rematch { token } = read(&host, &headers, body).await?;
    let name = host.rematch(game, token, visitor.address.ip()).await?;
    made(&host, &name).await
}

/// The rematch of a game, if it exists.
pub(super) async fn after(State(host): State<Arc<Host>>, Path(game): Path<String>) -> Result<Response, ApiError> {
    let next = host.after(&game).await?;
    if let Some(next) = &next {
        host.stored(next).await?;
    }
    Ok(json_body(&json!({"game": next})).into_response())
}
