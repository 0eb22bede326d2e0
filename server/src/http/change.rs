//! The two requests that change something: create a game, and fork one. They need the admin token or a client on this machine.

use std::sync::Arc;

use axum::{
    Extension,
    body::{Body, to_bytes},
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header},
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
use crate::host::Host;

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

/// Allows clients with the admin token, and clients on this machine. Refuses pages of other sites: a browser sends their
/// origin, and the host name by which it reached this host.
fn may_change(host: &Host, visitor: &Visitor, headers: &HeaderMap) -> Result<(), ApiError> {
    is_no_foreign_page(headers)?;
    if let Some(given) = text(headers, header::AUTHORIZATION) {
        let given = given.strip_prefix("Bearer ").unwrap_or_default();
        // Hashes are compared in constant time.
        let right = host
            .options
            .admin_token
            .as_ref()
            .is_some_and(|token| blake3::hash(token.as_bytes()) == blake3::hash(given.as_bytes()));
        return if right { Ok(()) } else { Err(denied("This is not the token of this host.")) };
    }
    if !visitor.local || FORWARDED.iter().any(|name| headers.contains_key(*name)) {
        return Err(denied("This needs the admin token of the host: Authorization: Bearer TOKEN."));
    }
    // A foreign name that resolves to this machine is not allowed (DNS rebinding).
    let named = text(headers, header::HOST).unwrap_or_default();
    let named_with_port = named.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok());
    let name = named_with_port.map_or(named, |(name, _)| name);
    let address = name.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    if name == "localhost" || address.is_ok_and(|address| address.is_loopback()) {
        return Ok(());
    }
    Err(foreign())
}

/// Checks that the request comes from a page of this host, or not from a page at all.
pub(super) fn is_no_foreign_page(headers: &HeaderMap) -> Result<(), ApiError> {
    match text(headers, header::ORIGIN) {
        Some(origin) if origin.split_once("://").map(|(_, host)| host) != text(headers, header::HOST) => Err(foreign()),
        Some(_) | None => Ok(()),
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn foreign() -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, "foreign_page", "Pages of other sites cannot change anything here.")
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
