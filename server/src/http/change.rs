//! Requests that create a game or fork one. They need the admin token or a client on this machine.

use std::sync::Arc;

use axum::{
    Extension,
    body::{Body, to_bytes},
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use commlib::{Admission, Create, Reason, Refused};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{
    Visitor,
    answer::{ApiError, json_body},
    client::is_through_proxy,
};
use crate::{
    address_limits::seconds,
    host::Host,
    host_name::is_this_machine,
    whole::{whole, whole_or_null},
};

/// A scenario has at most 256 KiB, and its JSON encoding may be twice as long.
const LONGEST_BODY: usize = 600 << 10;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fork {
    #[serde(deserialize_with = "whole")]
    entry: u64,
}

/// A new game, and who may come in. The first fields are those of [`Create`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewGame {
    #[serde(default)]
    rulebook: Option<String>,
    scenario: String,
    #[serde(default)]
    edition: Option<String>,
    #[serde(default, deserialize_with = "whole_or_null")]
    seed: Option<i64>,
    #[serde(default, deserialize_with = "whole_or_null")]
    timeout: Option<u64>,
    #[serde(default)]
    admission: Admission,
}

pub(super) async fn create(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    may_change(&host, &visitor, &headers)?;
    let NewGame { rulebook, scenario, edition, seed, timeout, admission } = read(&host, &headers, body).await?;
    let create = Create { rulebook, scenario, edition, seed, timeout };
    host.check(&create)?;
    let (name, _hidden_until_it_is_private) = host.create_hidden(create, None).await?;
    let (creator, invitation) = host.set_creator(&name, admission).await?;
    made_with(&host, &name, json!({"game": name, "creator": creator, "invitation": invitation})).await
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
    host.inherit_access(&parent, &name).await?;
    made(&host, &name).await
}

/// Answers with the name of a new game, once the game is durable.
pub(super) async fn made(host: &Host, name: &str) -> Result<Response, ApiError> {
    made_with(host, name, json!({"game": name})).await
}

async fn made_with(host: &Host, name: &str, body: Value) -> Result<Response, ApiError> {
    host.stored(name).await?;
    let location = [(header::LOCATION, format!("/games/{name}"))];
    Ok((StatusCode::CREATED, location, json_body(&body)).into_response())
}

/// Allows clients with the admin token, and clients on this machine.
pub(super) fn may_change(host: &Host, visitor: &Visitor, headers: &HeaderMap) -> Result<(), ApiError> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    if let Some(given) = text(header::AUTHORIZATION) {
        let (addresses, address) = (&host.services.addresses, visitor.address.ip());
        addresses.may_try_token(address).map_err(|wait| {
            let words = format!("Your address has sent too many wrong tokens; try again in {} s.", seconds(wait));
            ApiError::new(StatusCode::TOO_MANY_REQUESTS, Reason::TooMany.name(), words)
        })?;
        let given = given.strip_prefix("Bearer ").unwrap_or_default();
        // Hashes are compared in constant time.
        let right = host
            .options
            .admin_token
            .as_ref()
            .is_some_and(|token| blake3::hash(token.as_bytes()) == blake3::hash(given.as_bytes()));
        if right {
            return Ok(());
        }
        addresses.wrong_token(address);
        return Err(denied("This is not the token of this host."));
    }
    // A request for another name comes through a proxy, even if the proxy does not say so.
    let names_this_machine = text(header::HOST).is_some_and(is_this_machine);
    if !visitor.local || !names_this_machine || is_through_proxy(headers) {
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
