//! Opens WebSockets for players. The gateway handles their messages.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{
        State,
        ws::{WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
    },
    http::{HeaderMap, StatusCode},
    response::Response,
};
use commlib::{LONGEST_FRAME, Reason, Refused};

use super::{
    Visitor,
    accounts::{SentBy, secret_of},
    answer::ApiError,
};
use crate::{
    gateway::{AccountSecret, Arrival, WebSocketTransport, attend},
    host::{Crowded, Host},
};

/// A message may exceed the limit by this much, so that the gateway can refuse it with a reason.
const ALLOWANCE: usize = 1 << 10;

/// The size of each socket's read buffer. A longer message gets a larger buffer.
const READ_AT_ONCE: usize = 4 << 10;

pub(super) async fn play(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let no_socket = |_| {
        let words =
            "This path is a WebSocket and needs its headers: Connection: Upgrade, Upgrade: websocket, and so on.";
        ApiError::new(StatusCode::UPGRADE_REQUIRED, "bad_message", words)
    };
    let upgrade = upgrade.map_err(no_socket)?;
    let upgrade = upgrade.max_message_size(LONGEST_FRAME + ALLOWANCE).max_frame_size(LONGEST_FRAME + ALLOWANCE);
    let upgrade = upgrade.read_buffer_size(READ_AT_ONCE).write_buffer_size(0);
    // Only pages of this host send its cookie, and `origin` has kept all others out.
    let secret = secret_of(&headers).map(|(secret, how)| match how {
        SentBy::Cookie => AccountSecret::Session(secret),
        SentBy::Header => AccountSecret::Token(secret),
    });
    Ok(upgrade.on_upgrade(|socket| admit(socket, visitor, host, secret)))
}

/// Passes a socket to the gateway. The socket keeps its permits for connections, spectators and players until it ends.
async fn admit(socket: WebSocket, visitor: Visitor, host: Arc<Host>, secret: Option<AccountSecret>) {
    let Visitor {
        address,
        place: _place_of_the_port,
        players,
        stop,
        local: _,
        is_forwarded: _,
        is_encrypted: _,
        two_lengths: _,
    } = visitor;
    let limits = &host.options.limits;
    let full = |crowded| {
        let words = match crowded {
            Crowded::Host => "There are too many spectators and players already; try again later.",
            Crowded::Address => "There are too many spectators and players at your address already; try again later.",
        };
        Refused::new(Reason::TooMany, words)
    };
    let place = host.watch_place(address.ip()).map_err(full);
    let admitted = match &place {
        Ok(_) => players.admit(host.counted(address.ip()), limits),
        Err(refused) => Err(refused.clone()),
    };
    let arrival = Arrival::over_web(address, WebSocketTransport::new(socket, limits), secret);
    attend(arrival, admitted, host, stop).await;
}
