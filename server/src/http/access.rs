//! Who may see a game over HTTP, and requests of its creator and the operator to change that.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{Path, Request, State},
    http::{Method, StatusCode, Uri},
    middleware::Next,
    response::{IntoResponse, Response},
};
use commlib::{AccessChange, Admission, Token};
use serde::Deserialize;
use serde_json::json;

use super::{
    Visitor,
    accounts::account_of,
    answer::{ApiError, json_body},
    at_host::answer_at_its_host,
    change::{may_change, read},
    query::decode,
};
use crate::{
    access::{Manager, split_code},
    host::Host,
    whole::whole,
};

/// The paths of games.
const GAMES: &str = "/api/v1/games/";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manage {
    /// The secret of the creator. Without it, the operator asks.
    token: Option<Token>,
    change: Option<Change>,
}

/// A change of who may come in; its numbers are those of JSON Schema.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Change {
    Admission(Admission),
    Closed(bool),
    Invite {
        #[serde(default)]
        name: Option<String>,
        #[serde(default)]
        account: Option<String>,
    },
    Remove {
        #[serde(deserialize_with = "whole")]
        client: u32,
    },
    End,
}

impl From<Change> for AccessChange {
    fn from(change: Change) -> Self {
        match change {
            Change::Admission(admission) => Self::Admit(admission),
            Change::Closed(closed) => Self::Closed(closed),
            Change::Invite { name, account } => Self::Invite { name, account },
            Change::Remove { client } => Self::Remove { client },
            Change::End => Self::End,
        }
    }
}

/// Lets only those see a game who may. A path may name a game by the code of an invitation; the handlers see its name.
pub(super) async fn check(State(host): State<Arc<Host>>, mut request: Request, next: Next) -> Response {
    let is_checked = request.extensions().get::<Visitor>().is_some_and(|visitor| visitor.is_forwarded);
    let Some(rest) = request.uri().path().strip_prefix(GAMES) else { return next.run(request).await };
    let (code, after) = rest.split_once('/').map_or((rest, ""), |(code, after)| (code, after));
    // The creator and the operator have secrets of their own.
    let is_of_operator = match *request.method() {
        Method::DELETE => true,
        Method::POST => ["access", "archive", "fork", "redact"].contains(&after),
        _ => false,
    };
    if is_checked || is_of_operator {
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
    let (asked, by) = (host.clone(), visitor.clone());
    let name = game.clone();
    answer_at_its_host(&host, &visitor, &game, request, move |request| async move {
        let (parts, body) = request.into_parts();
        let Manage { token, change } = read(&asked, &parts.headers, body).await?;
        let manager = match token {
            Some(token) => Manager::Creator(token),
            None => {
                may_change(&asked, &by, &parts.headers)?;
                Manager::Operator
            }
        };
        let change = change.map_or(AccessChange::Look, Into::into);
        let access = asked.manage(&name, manager, change).await?.into_answer();
        Ok((StatusCode::OK, json_body(&json!(access))).into_response())
    })
    .await
}
