//! Requests about a game that runs: they are answered here, or passed on to the host that plays it.

use std::sync::Arc;

use axum::{extract::Request, response::Response};
use commlib::{Reason, Refused};

use super::{Visitor, answer::ApiError, forward};
use crate::{
    cluster::link::Passed,
    host::{Host, Linked, Located},
};

/// How often a game may change its host while a request looks for it.
const ATTEMPTS: usize = 3;

/// Lets `answer` answer a request if this host plays the game. Otherwise the host that does answers it.
///
/// # Errors
/// If there is no such game, it is over, or its host cannot be reached.
pub(super) async fn answer_at_its_host<A: Future<Output = Result<Response, ApiError>>>(
    host: &Arc<Host>,
    visitor: &Visitor,
    game: &str,
    request: Request,
    answer: impl FnOnce(Request) -> A,
) -> Result<Response, ApiError> {
    for _ in 0..ATTEMPTS {
        let located = match host.room(game) {
            // An open game needs no question to the log.
            Some(_) => Located::Open,
            None => host.locate_by(game, host.entry_deadline()).await?,
        };
        let peer = match located {
            Located::Open => return answer(request).await,
            Located::Over(_) => return Err(Refused::new(Reason::GameOver, "This game is over.").into()),
            Located::Elsewhere(_) if visitor.is_forwarded => break,
            Located::Elsewhere(peer) => peer,
        };
        if let Linked::To(link) = host.link(game, &peer, visitor.address, Passed::Pages).await? {
            return Ok(forward::pass_on(host, link, request).await?);
        }
    }
    Err(Refused::new(Reason::StoreUnavailable, "The game changes its server; try again.").into())
}
