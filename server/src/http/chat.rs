//! The chat of a game, for people who look at it.

use std::sync::Arc;

use axum::{
    extract::{Path, RawQuery, State},
    response::{IntoResponse, Response},
};
use commlib::{Channel, Reason, Refused};
use serde_json::json;
use tokio::time::timeout;

use super::{
    answer::{ApiError, json_body},
    games::unknown,
    query::Query,
};
use crate::{chronicle::unreadable, host::Host};

/// The lines of a game. While it runs, those of spectators are left out: players look here, too.
pub(super) async fn chat(
    State(host): State<Arc<Host>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    Query::parse(query.as_deref())?.end()?;
    let Some(head) = host.options.log.find(&name).await.map_err(unreadable)? else {
        return Err(unknown(&name).into());
    };
    let channel = if head.record.end.is_some() { None } else { Some(Channel::Players) };
    let limits = host.options.limits.chat;
    let read = timeout(limits.patience, host.options.host_store.chat(&name, channel, limits.kept)).await;
    let Ok(Ok(lines)) = read else {
        return Err(Refused::new(Reason::StoreUnavailable, "Chat cannot be read now; try again later.").into());
    };
    Ok(json_body(&json!({ "lines": lines })).into_response())
}
