//! The port of a rulebook that has an HTTP protocol of its own.

use std::{fmt, net::Ipv4Addr, pin::Pin, sync::Arc};

use axum::{
    Extension, Router,
    body::Body,
    extract::{Request, State},
    http::Uri,
    middleware::{self, Next},
    response::Response,
};

use super::{Visitor, answer::ApiError, body, forward};
use crate::{
    cluster::link::Passed,
    host::{Host, Linked, Located},
};

/// How often a game may change its host while a request looks for it.
const ATTEMPTS: usize = 3;

/// The routes of a rulebook's own port.
#[derive(Clone)]
pub struct RulebookPort {
    /// The name of the rulebook.
    pub rulebook: &'static str,
    /// The routes.
    pub router: Router,
    /// Routes for other hosts only. A request of a client never reaches them, because [`RequestGame::place`] finds no name in their
    /// addresses.
    pub for_hosts: Router,
    /// Finds the game of a request. One of several hosts passes the request on to the host that plays the game.
    pub games: Arc<dyn RequestGame>,
}

impl fmt::Debug for RulebookPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RulebookPort").field("rulebook", &self.rulebook).finish_non_exhaustive()
    }
}

/// Finds the game of a request to the port of a rulebook.
pub trait RequestGame: Send + Sync {
    /// The part of a request that names its game.
    fn place(&self, uri: &Uri) -> NamePlace;

    /// The game of a request whose body names it; `None` if this host can answer it.
    fn in_body<'r>(&'r self, uri: &'r Uri, body: &'r [u8])
    -> Pin<Box<dyn Future<Output = Option<String>> + Send + 'r>>;
}

/// The game of a request, in the extensions of a request to one of several hosts: as the host found it that took the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedGame(pub String);

/// The part of a request that names its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamePlace {
    /// No part: any host answers.
    Nowhere,
    /// The address, with this name.
    Address(String),
    /// The body.
    Body {
        /// The maximum size of a body, in bytes.
        longest: usize,
    },
}

/// What the requests of a port share.
#[derive(Clone)]
struct Passing {
    host: Arc<Host>,
    rulebook: &'static str,
    games: Arc<dyn RequestGame>,
}

impl RulebookPort {
    /// The routes, for requests that a client sends to this host or that another host passes on.
    pub(super) fn into_router(self, host: &Arc<Host>) -> Router {
        let Self { rulebook, router, for_hosts, games } = self;
        if !host.is_clustered() {
            return router;
        }
        // A request that another host passed on is answered here, whatever it says.
        host.keep_routes(rulebook, router.clone().merge(for_hosts));
        let passing = Passing { host: host.clone(), rulebook, games };
        router.layer(middleware::from_fn_with_state(passing, pass_on))
    }
}

/// Passes the requests of games on that another host plays.
async fn pass_on(
    State(passing): State<Passing>,
    Extension(visitor): Extension<Visitor>,
    request: Request,
    next: Next,
) -> Response {
    let Passing { host, rulebook, games } = passing;
    let (game, request) = match games.place(request.uri()) {
        NamePlace::Nowhere => (None, request),
        NamePlace::Address(game) => (Some(game), request),
        NamePlace::Body { longest } => {
            let (parts, body) = request.into_parts();
            // The rulebook knows what to say about a body that cannot be read.
            let bytes = body::read(body, longest).await.unwrap_or_default();
            let game = games.in_body(&parts.uri, &bytes).await;
            (game, Request::from_parts(parts, Body::from(bytes)))
        }
    };
    let Some(game) = game else { return next.run(request).await };
    let mut request = request;
    request.extensions_mut().insert(PassedGame(game.clone()));
    for _ in 0..ATTEMPTS {
        if host.room(&game).is_some() {
            break;
        }
        // The rulebook knows what to say about a game that is over, or that there is none.
        let Ok(Located::Elsewhere(peer)) = host.locate_by(&game, host.entry_deadline()).await else { break };
        match host.link(&game, &peer, visitor.address, Passed::Port { rulebook: rulebook.into() }).await {
            Ok(Linked::To(link)) => {
                let answer = forward::pass_on(&host, link, request).await;
                return answer.unwrap_or_else(|refused| ApiError::from(refused).into_text());
            }
            Ok(Linked::Moved) => {}
            Err(refused) => return ApiError::from(refused).into_text(),
        }
    }
    next.run(request).await
}

impl Host {
    /// Sends a request about a game to the port of a rulebook of the host that plays it. Returns `None` if no other host does, or it
    /// cannot be reached.
    pub async fn ask_owner(self: &Arc<Self>, rulebook: &str, game: &str, request: Request) -> Option<Response> {
        let Ok(Located::Elsewhere(peer)) = self.locate_by(game, self.entry_deadline()).await else { return None };
        let this_host = (Ipv4Addr::LOCALHOST, 0).into();
        match self.link(game, &peer, this_host, Passed::Port { rulebook: rulebook.into() }).await {
            Ok(Linked::To(link)) => forward::pass_on(self, link, request).await.ok(),
            Ok(Linked::Moved) | Err(_) => None,
        }
    }
}
