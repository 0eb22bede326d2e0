//! Requests that create a game or fork one. They need the admin token or a client on this machine.

use std::sync::Arc;

use axum::{
    Extension,
    body::{Body, to_bytes},
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use commlib::{Create, Reason, Refused};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::json;
use tokio::time::timeout;

use super::{
    Visitor,
    answer::{ApiError, json_body},
};
use crate::{host::Host, host_name::is_this_machine};

/// A scenario has at most 256 KiB, and its JSON encoding may be twice as long.
const LONGEST_BODY: usize = 600 << 10;

/// A proxy adds one of these headers.
const FORWARDED: [&str; 3] = ["forwarded", "x-forwarded-for", "x-forwarded-host"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fork {
    entry: u64,
}

pub(super) async fn create(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    may_change(&host, &visitor, &headers)?;
    let create: Create = read(&host, &headers, body).await?;
    host.check(&create)?;
    let name = host.create_later(create).await?;
    made(&host, &name).await
}

pub(super) async fn fork(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    Path(parent): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    may_change(&host, &visitor, &headers)?;
    let Fork { entry } = read(&host, &headers, body).await?;
    let name = host.fork(&parent, entry).await?;
    made(&host, &name).await
}

/// Answers with the name of a new game, once the game is durable.
pub(super) async fn made(host: &Host, name: &str) -> Result<Response, ApiError> {
    host.stored(name).await?;
    let location = [(header::LOCATION, format!("/games/{name}"))];
    Ok((StatusCode::CREATED, location, json_body(&json!({"game": name}))).into_response())
}

/// Allows clients with the admin token, and clients on this machine.
fn may_change(host: &Host, visitor: &Visitor, headers: &HeaderMap) -> Result<(), ApiError> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    if let Some(given) = text(header::AUTHORIZATION) {
        let given = given.strip_prefix("Bearer ").unwrap_or_default();
        // Hashes are compared in constant time.
        let right = host
            .options
            .admin_token
            .as_ref()
            .is_some_and(|token| blake3::hash(token.as_bytes()) == blake3::hash(given.as_bytes()));
        return if right { Ok(()) } else { Err(denied("This is not the token of this host.")) };
    }
    // A request for another name comes through a proxy, even if the proxy does not say so.
    let names_this_machine = text(header::HOST).is_none_or(is_this_machine);
    if !visitor.local || !names_this_machine || FORWARDED.iter().any(|name| headers.contains_key(*name)) {
        return Err(denied("This needs the admin token of the host: Authorization: Bearer TOKEN."));
    }
    Ok(())
}

fn denied(message: &str) -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "denied", message)
}

pub(super) async fn read<T: DeserializeOwned>(host: &Host, headers: &HeaderMap, body: Body) -> Result<T, ApiError> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().map(str::trim) != Some("application/json") {
        let words = "The body is JSON; say so: Content-Type: application/json.";
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "bad_message", words));
    }
    let too_large = |_| Refused::new(Reason::TooLarge, format!("A body has at most {LONGEST_BODY} bytes."));
    let slow = |_| Refused::new(Reason::Timeout, "The body takes too long to come.");
    let bytes = timeout(host.options.limits.stall, to_bytes(body, LONGEST_BODY)).await;
    let bytes = bytes.map_err(slow)?.map_err(too_large)?;
    serde_json::from_slice(&bytes)
        .map_err(|error| ApiError::bad(format!("The body is not what is asked for: {error}.")))
}
