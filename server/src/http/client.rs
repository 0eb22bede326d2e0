//! Finds the client of a request: the address of the connection, or the one that a trusted proxy names.

use std::{net::IpAddr, sync::Arc};

use axum::{
    extract::{Request, State},
    http::HeaderMap,
    middleware::Next,
    response::{IntoResponse as _, Response},
};

use super::{
    Visitor,
    answer::{ApiError, guarded},
};
use crate::{client_address::client_behind, host::Host};

/// The address of the client of a request, in the extensions of the request. Limits count by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestClient(pub IpAddr);

/// Headers by which proxies tell that they passed a request on. Such a request does not count as one of this machine.
const OF_PROXIES: [&str; 9] = [
    "forwarded",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-forwarded-server",
    "x-real-ip",
    "x-client-ip",
    "true-client-ip",
    "via",
];

/// Whether a proxy has passed the request on.
pub(super) fn is_through_proxy(headers: &HeaderMap) -> bool {
    OF_PROXIES.iter().any(|name| headers.contains_key(*name))
}

/// Names the client of a request.
pub(super) async fn find(State(host): State<Arc<Host>>, mut request: Request, next: Next) -> Response {
    let lines = request.headers().get_all("x-forwarded-for").iter();
    // A line that is no text breaks the chain: nothing before it is believed.
    let lines: Vec<String> = lines.map(|line| line.to_str().unwrap_or("?").to_owned()).collect();
    let scheme = request.headers().get("x-forwarded-proto").and_then(|scheme| scheme.to_str().ok());
    let scheme = scheme.map(str::to_owned);
    let trusted = host.services.addresses.trusted();
    if let Some(visitor) = request.extensions_mut().get_mut::<Visitor>() {
        let entries: Vec<&str> = lines.iter().flat_map(|line| line.split(',')).collect();
        let peer = visitor.address.ip();
        let client = client_behind(peer, trusted, entries.into_iter());
        visitor.address.set_ip(client);
        let is_from_proxy = trusted.iter().any(|network| network.contains(peer));
        visitor.is_encrypted |= is_from_proxy && scheme.as_deref() == Some("https");
        request.extensions_mut().insert(RequestClient(client));
        if let Err(refused) = host.services.accounts.check_address(client).await {
            return guarded(ApiError::from(refused).into_response()).await;
        }
    }
    next.run(request).await
}
