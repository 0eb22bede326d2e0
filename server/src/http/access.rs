//! Who may see a game over HTTP, and requests of its creator and the operator to change that.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{Path, Request, State},
    http::{StatusCode, Uri},
    middleware::Next,
    response::{IntoResponse, Response},
};
use commlib::{Reason, Refused, Token};
use serde::Deserialize;
use serde_json::json;

use super::{
    Visitor,
    accounts::account_of,
    answer::{ApiError, json_body},
    change::{may_change, read},
    forward,
    query::decode,
};
use crate::{
    access::split_code,
    cluster::link::Passed,
    host::{AccessChange, Host, Linked, Located, Managed, Manager},
};

/// How often a game may change its host while a request looks for it.
const ATTEMPTS: usize = 3;

/// The paths of games.
const GAMES: &str = "/api/v1/games/";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manage {
    /// The secret of the creator. Without it, the operator asks.
    token: Option<Token>,
    change: Option<AccessChange>,
}

/// Lets only those see a game who may. A path may name a game by the code of an invitation; the handlers see its name.
pub(super) async fn check(State(host): State<Arc<Host>>, mut request: Request, next: Next) -> Response {
    let is_checked = request.extensions().get::<Visitor>().is_some_and(|visitor| visitor.is_forwarded);
    let Some(rest) = request.uri().path().strip_prefix(GAMES) else { return next.run(request).await };
    let (code, after) = rest.split_once('/').map_or((rest, ""), |(code, after)| (code, after));
    // The creator and the operator have secrets of their own.
    if is_checked || after == "access" {
        return next.run(request).await;
    }
    let code = decode(code).unwrap_or_default();
    let (game, secret) = split_code(&code);
    let seen = match host.access(game).await {
        // Only a game by invitation asks who it is.
        Ok(access) if access.may_watch(game, secret, None).is_err() => {
            let account = account_of(&host, request.headers()).await;
            access.may_watch(game, secret, account.as_deref())
        }
        Ok(_) => Ok(()),
        Err(refused) => Err(refused),
    };
    if let Err(refused) = seen {
        return ApiError::from(refused).into_response();
    }
    if secret.is_some() {
        let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
        let slash = if after.is_empty() { "" } else { "/" };
        // What is behind the code is a part of a valid path.
        let path = format!("{GAMES}{game}{slash}{after}{query}");
        let Ok(uri) = path.parse::<Uri>() else { return ApiError::bad("The path is not valid.").into_response() };
        *request.uri_mut() = uri;
    }
    next.run(request).await
}

/// Changes who may come into a game, for its creator or the operator.
pub(super) async fn manage(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    Path(game): Path<String>,
    request: Request,
) -> Result<Response, ApiError> {
    for _ in 0..ATTEMPTS {
        let located = match host.room(&game) {
            Some(_) => Located::Open,
            None => host.locate_by(&game, host.entry_deadline()).await?,
        };
        let peer = match located {
            Located::Open => {
                let (parts, body) = request.into_parts();
                let Manage { token, change } = read(&host, &parts.headers, body).await?;
                let by = match token {
                    Some(token) => Manager::Creator(token),
                    None => {
                        may_change(&host, &visitor, &parts.headers)?;
                        Manager::Operator
                    }
                };
                return Ok(answer(&host.manage(&game, by, change).await?));
            }
            Located::Over(_) => return Err(Refused::new(Reason::GameOver, "This game is over.").into()),
            Located::Elsewhere(_) if visitor.is_forwarded => break,
            Located::Elsewhere(peer) => peer,
        };
        if let Linked::To(link) = host.link(&game, &peer, visitor.address, Passed::Pages).await? {
            return Ok(forward::pass_on(&host, link, request).await?);
        }
    }
    Err(Refused::new(Reason::StoreUnavailable, "The game changes its server; try again.").into())
}

fn answer(managed: &Managed) -> Response {
    let Managed { access, invitation } = managed;
    let for_accounts = access.accounts.iter().map(|account| account.name.as_str());
    let reserved: Vec<&str> = access.reserved().chain(for_accounts).collect();
    let body = json!({
        "admission": access.admission,
        "closed": access.closed,
        "invitations": access.invitations.len(),
        "reserved": reserved,
        "invitation": invitation,
    });
    (StatusCode::OK, json_body(&body)).into_response()
}
