//! The port of a rulebook that has an HTTP protocol of its own.

use std::{fmt, sync::Arc};

use axum::{
    Extension, Router,
    extract::{Request, State},
    http::Uri,
    middleware::{self, Next},
    response::{IntoResponse, Response},
};

use super::{Visitor, answer::ApiError, forward};
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
    /// Finds the game of a request by its address. One of several hosts passes such a request on to the host that plays the game.
    pub game_of: fn(&Uri) -> Option<&str>,
}

impl fmt::Debug for RulebookPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RulebookPort").field("rulebook", &self.rulebook).finish_non_exhaustive()
    }
}

/// What the requests of a port share.
#[derive(Clone)]
struct Passing {
    host: Arc<Host>,
    rulebook: &'static str,
    game_of: fn(&Uri) -> Option<&str>,
}

impl RulebookPort {
    /// The routes, for requests that a client sends to this host or that another host passes on.
    pub(super) fn into_router(self, host: &Arc<Host>) -> Router {
        let Self { rulebook, router, game_of } = self;
        if !host.is_clustered() {
            return router;
        }
        let passing = Passing { host: host.clone(), rulebook, game_of };
        let router = router.layer(middleware::from_fn_with_state(passing, pass_on));
        host.keep_routes(rulebook, router.clone());
        router
    }
}

/// Passes the requests of games on that another host plays.
async fn pass_on(
    State(passing): State<Passing>,
    Extension(visitor): Extension<Visitor>,
    request: Request,
    next: Next,
) -> Response {
    let Passing { host, rulebook, game_of } = passing;
    let Some(game) = game_of(request.uri()).map(ToOwned::to_owned) else { return next.run(request).await };
    for _ in 0..ATTEMPTS {
        if host.room(&game).is_some() {
            break;
        }
        let peer = match host.locate(&game).await {
            Ok(Located::Elsewhere(peer)) if !visitor.is_forwarded => peer,
            // The rulebook knows what to say about a game that is over, or that there is none.
            Ok(Located::Elsewhere(_) | Located::Open | Located::Over(_)) | Err(_) => break,
        };
        match host.link(&game, &peer, visitor.address, Passed::Port { rulebook: rulebook.into() }).await {
            Ok(Linked::To(link)) => {
                let answer = forward::pass_on(&host, link, request).await;
                return answer.unwrap_or_else(|refused| ApiError::from(refused).into_text());
            }
            Ok(Linked::Moved) => {}
            Err(refused) => return ApiError::from(refused).into_text().into_response(),
        }
    }
    next.run(request).await
}
