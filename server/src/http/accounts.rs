//! Accounts over HTTP: registering, signing in and out, tokens, one's own games and data, and standings.
//!
//! A browser has its session in a cookie, which only pages of this host send. A change over a cookie also needs the CSRF token of
//! the session, in a header that no page of another site can send. Programs have a token in `Authorization`, and need no other.

use std::sync::Arc;

use axum::{
    Extension,
    body::Body,
    extract::{RawQuery, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use commlib::Reason;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Visitor,
    answer::{ApiError, json_body},
    change::{may_change, read},
    query::Query,
};
use crate::{
    accounts::{AccountError, AccountsMode, Secret, SecretKind, SignedIn, Standing},
    address_limits::seconds,
    erased::HostedGame,
    host::Host,
};

/// The cookie of a session.
const COOKIE: &str = "holdfast_session";

/// How long a browser keeps it, in seconds. The host ends the session by its own clock.
const COOKIE_AGE: u32 = 30 * 24 * 3600;

/// The header with the CSRF token of the session.
const CSRF: &str = "x-csrf-token";

/// How many of the newest games an answer has.
const MOST_GAMES: usize = 200;

/// How many running games are asked whose turn it is.
const MOST_ASKED: usize = 50;

/// The best players in a list.
const MOST_LEADERS: usize = 100;

/// The longest name of a token.
const LONGEST_LABEL: usize = 60;

/// How a secret was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SentBy {
    Cookie,
    Header,
}

/// The secret of a request, if it has one. A bearer token that is no secret of an account is that of the operator.
pub(super) fn secret_of(headers: &HeaderMap) -> Option<(String, SentBy)> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if let Some(token) = bearer.and_then(|value| value.strip_prefix("Bearer ")) {
        return Secret::parse(token).map(|secret| (secret.text().to_owned(), SentBy::Header));
    }
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).map(|(_, secret)| (secret.to_owned(), SentBy::Cookie))
}

/// The id of the account that asks, if it is known.
pub(super) async fn account_of(host: &Host, headers: &HeaderMap) -> Option<String> {
    let (secret, _) = secret_of(headers)?;
    let signed_in = host.services.accounts.signed_in(&secret).await.ok()?;
    Some(signed_in.id.as_str().to_owned())
}

/// Who asks; `None` for a guest. A session that has ended is that of a guest.
async fn who(host: &Host, visitor: &Visitor, headers: &HeaderMap) -> Result<Option<SignedIn>, ApiError> {
    let accounts = &host.services.accounts;
    let Some((secret, by)) = secret_of(headers).filter(|_| accounts.are_on()) else { return Ok(None) };
    let (addresses, address) = (&host.services.addresses, visitor.address.ip());
    addresses.may_try_token(address).map_err(|wait| too_many("wrong tokens", seconds(wait)))?;
    match (accounts.signed_in(&secret).await, by) {
        (Ok(signed_in), _) => Ok(Some(signed_in)),
        (Err(AccountError::UnknownSecret), SentBy::Cookie) => Ok(None),
        (Err(error), _) => {
            if matches!(error, AccountError::UnknownSecret) {
                addresses.wrong_token(address);
            }
            Err(error.into())
        }
    }
}

/// The account that asks.
async fn account(host: &Host, visitor: &Visitor, headers: &HeaderMap) -> Result<SignedIn, ApiError> {
    if !host.services.accounts.are_on() {
        return Err(AccountError::Off.into());
    }
    Ok(who(host, visitor, headers).await?.ok_or(AccountError::UnknownSecret)?)
}

/// The account that asks for a change. A cookie alone does not prove that its owner wants it.
async fn changing(host: &Host, visitor: &Visitor, headers: &HeaderMap) -> Result<SignedIn, ApiError> {
    let signed_in = account(host, visitor, headers).await?;
    let is_cookie = secret_of(headers).is_some_and(|(_, by)| by == SentBy::Cookie);
    if is_cookie {
        let given = headers.get(CSRF).map(HeaderValue::as_bytes).unwrap_or_default();
        // Hashes are compared in constant time.
        if blake3::hash(given) != blake3::hash(signed_in.secret.csrf().as_bytes()) {
            let words = "A change with a cookie needs the header X-CSRF-Token, from /api/v1/me.";
            return Err(ApiError::new(StatusCode::FORBIDDEN, "csrf", words));
        }
    }
    Ok(signed_in)
}

fn too_many(what: &str, wait: u64) -> ApiError {
    let words = format!("Too many {what}; try again in {wait} s.");
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, Reason::TooMany.name(), words)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Credentials {
    name: String,
    password: String,
}

/// Registers an account, and signs it in.
pub(super) async fn register(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let Credentials { name, password } = read(&host, &headers, body).await?;
    let services = &host.services;
    services.addresses.register(visitor.address.ip()).map_err(|wait| too_many("new accounts", seconds(wait)))?;
    let signed_in = services.accounts.register(&name, &password).await?;
    Ok((StatusCode::CREATED, welcome(&visitor, &signed_in)).into_response())
}

/// Signs in.
pub(super) async fn sign_in(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let Credentials { name, password } = read(&host, &headers, body).await?;
    let signing_in = host.services.accounts.sign_in(&name, &password);
    let signed_in = limited(&host, &visitor, &name, signing_in).await?;
    Ok(welcome(&visitor, &signed_in).into_response())
}

/// Checks a password, unless the address or the name has too many failed sign-ins.
async fn limited<T>(
    host: &Host,
    visitor: &Visitor,
    name: &str,
    checking: impl Future<Output = Result<T, AccountError>>,
) -> Result<T, ApiError> {
    let (addresses, address, name) = (&host.services.addresses, visitor.address.ip(), crate::accounts::folded(name));
    addresses.may_sign_in(address, &name).map_err(|wait| too_many("failed sign-ins", seconds(wait)))?;
    let checked = checking.await;
    if matches!(checked, Err(AccountError::WrongPassword)) {
        addresses.failed_sign_in(address, &name);
    }
    Ok(checked?)
}

/// The answer to someone who has just signed in.
fn welcome(visitor: &Visitor, signed_in: &SignedIn) -> impl IntoResponse + use<> {
    let cookie = cookie(visitor, signed_in.secret.text(), COOKIE_AGE);
    let body = json!({"name": signed_in.account.name, "csrf": signed_in.secret.csrf()});
    ([(header::SET_COOKIE, cookie)], json_body(&body))
}

fn cookie(visitor: &Visitor, value: &str, age: u32) -> String {
    let secure = if visitor.is_encrypted { "; Secure" } else { "" };
    format!("{COOKIE}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}")
}

/// Signs out.
pub(super) async fn sign_out(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let signed_in = changing(&host, &visitor, &headers).await?;
    host.services.accounts.store.end_secret(&signed_in.id, &signed_in.secret.id()).await?;
    Ok(without_cookie(&visitor))
}

fn without_cookie(visitor: &Visitor) -> Response {
    ([(header::SET_COOKIE, cookie(visitor, "", 0))], json_body(&json!({}))).into_response()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewPassword {
    old: String,
    new: String,
}

/// Changes the password. All other sessions and tokens end.
pub(super) async fn password(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let signed_in = changing(&host, &visitor, &headers).await?;
    let NewPassword { old, new } = read(&host, &headers, body).await?;
    let changing = host.services.accounts.change_password(&signed_in, &old, &new);
    limited(&host, &visitor, &signed_in.account.name, changing).await?;
    Ok(json_body(&json!({})).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Delete {
    password: String,
}

/// Deletes the account and everything about it.
pub(super) async fn delete(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let signed_in = changing(&host, &visitor, &headers).await?;
    let Delete { password } = read(&host, &headers, body).await?;
    let deleting = host.services.accounts.delete(&signed_in, &password);
    limited(&host, &visitor, &signed_in.account.name, deleting).await?;
    Ok(without_cookie(&visitor))
}

/// The sessions and tokens of the account.
pub(super) async fn tokens(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let signed_in = account(&host, &visitor, &headers).await?;
    Ok(json_body(&json!({"tokens": list_secrets(&host, &signed_in).await?})).into_response())
}

async fn list_secrets(host: &Host, signed_in: &SignedIn) -> Result<Vec<Value>, ApiError> {
    let own = signed_in.secret.id();
    let secrets = host.services.accounts.store.secrets(&signed_in.id).await?;
    let entry = |(id, secret): &(String, crate::accounts::StoredSecret)| {
        json!({
            "id": id, "kind": secret.kind, "label": secret.label, "created": secret.created,
            "expires": secret.expires, "current": *id == own,
        })
    };
    Ok(secrets.iter().map(entry).collect())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewToken {
    #[serde(default)]
    label: String,
}

/// Makes a token. The answer alone has it: the store has only its hash.
pub(super) async fn new_token(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let signed_in = changing(&host, &visitor, &headers).await?;
    let NewToken { label } = read(&host, &headers, body).await?;
    if label.chars().count() > LONGEST_LABEL || label.chars().any(char::is_control) {
        return Err(ApiError::bad(format!(
            "A label has at most {LONGEST_LABEL} characters, and no control characters."
        )));
    }
    let made = host.services.accounts.store.add_secret(&signed_in.id, SecretKind::Token, label).await?;
    let body = json!({"id": made.id(), "token": made.text()});
    Ok((StatusCode::CREATED, json_body(&body)).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Revoke {
    id: String,
}

/// Revokes a token, or ends a session.
pub(super) async fn revoke(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let signed_in = changing(&host, &visitor, &headers).await?;
    let Revoke { id } = read(&host, &headers, body).await?;
    host.services.accounts.store.end_secret(&signed_in.id, &id).await?;
    Ok(json_body(&json!({})).into_response())
}

/// Who asks, as far as the host knows: for every page.
pub(super) async fn me(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    Query::parse(query.as_deref())?.end()?;
    let mode = match host.services.accounts.mode {
        AccountsMode::Off => "off",
        AccountsMode::Optional => "optional",
        AccountsMode::Required => "required",
    };
    let Some(signed_in) = who(&host, &visitor, &headers).await? else {
        return Ok(json_body(&json!({"accounts": mode, "name": null})).into_response());
    };
    host.services.accounts.count_finished(&*host.options.log).await;
    let played = host.services.accounts.store.played(&signed_in.id).await?;
    let running: Vec<_> = played.iter().filter(|(_, game)| game.ended.is_none()).take(MOST_ASKED).collect();
    let mut turns = Vec::new();
    for (name, game) in &running {
        if host.turn(name).await.is_some_and(|client| client.0 == game.client) {
            turns.push(name.as_str());
        }
    }
    let by_cookie = secret_of(&headers).is_some_and(|(_, by)| by == SentBy::Cookie);
    let body = json!({
        "accounts": mode,
        "name": signed_in.account.name,
        "csrf": by_cookie.then(|| signed_in.secret.csrf()),
        "running": running.len(),
        "your_turn": turns,
        "standings": standings_of(&host, &signed_in).await?,
    });
    Ok(json_body(&body).into_response())
}

async fn standings_of(host: &Host, signed_in: &SignedIn) -> Result<Vec<Value>, ApiError> {
    let rulebooks = host.options.games.iter().map(HostedGame::name);
    let standings = host.services.accounts.store.standings_of(&signed_in.id, rulebooks).await?;
    Ok(standings.iter().map(shown_standing).collect())
}

fn shown_standing(standing: &Standing) -> Value {
    let Standing { rulebook, name, played, won, lost, drawn, points, rating, rated } = standing;
    let average = standing.average_points() as f64 / 100.0;
    json!({
        "rulebook": rulebook, "name": name, "played": played, "won": won, "lost": lost, "drawn": drawn, "points": points,
        "average_points": average, "rating": (*rated > 0).then_some((rating + 500).div_euclid(1000)), "rated": rated,
    })
}

/// The games of the account, the newest first.
pub(super) async fn games(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    Query::parse(query.as_deref())?.end()?;
    let signed_in = account(&host, &visitor, &headers).await?;
    host.services.accounts.count_finished(&*host.options.log).await;
    let played = host.services.accounts.store.played(&signed_in.id).await?;
    let mut games = Vec::new();
    for (at, (name, game)) in played.iter().take(MOST_GAMES).enumerate() {
        let is_asked = game.ended.is_none() && at < MOST_ASKED;
        let turn = if is_asked { host.turn(name).await.map(|client| client.0 == game.client) } else { None };
        let mut entry = json!(game);
        entry["game"] = name.as_str().into();
        entry["your_turn"] = turn.into();
        games.push(entry);
    }
    Ok(json_body(&json!({"games": games, "more": played.len() > MOST_GAMES})).into_response())
}

/// Everything that the host keeps about an account.
pub(super) async fn export(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    Query::parse(query.as_deref())?.end()?;
    let signed_in = account(&host, &visitor, &headers).await?;
    let played = host.services.accounts.store.played(&signed_in.id).await?;
    let games: Vec<Value> = played
        .iter()
        .map(|(name, game)| {
            let mut entry = json!(game);
            entry["game"] = name.as_str().into();
            entry
        })
        .collect();
    let body = json!({
        "account": {"id": signed_in.id, "name": signed_in.account.name, "created": signed_in.account.created},
        "sessions_and_tokens": list_secrets(&host, &signed_in).await?,
        "standings": standings_of(&host, &signed_in).await?,
        "games": games,
    });
    let disposition = [(header::CONTENT_DISPOSITION, "attachment; filename=\"holdfast-account.json\"")];
    Ok((disposition, json_body(&body)).into_response())
}

/// The best players of a rulebook.
pub(super) async fn leaderboard(
    State(host): State<Arc<Host>>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let mut query = Query::parse(query.as_deref())?;
    let rulebook = query.text("rulebook").ok_or_else(|| ApiError::bad("rulebook is the name of a rulebook."))?;
    query.end()?;
    let accounts = &host.services.accounts;
    if !accounts.are_on() {
        return Err(AccountError::Off.into());
    }
    if host.rulebook_named(&rulebook).is_none() {
        return Err(ApiError::new(StatusCode::NOT_FOUND, "not_found", "This host has no such rulebook."));
    }
    accounts.count_finished(&*host.options.log).await;
    let standings = accounts.store.standings(&rulebook).await?;
    let players: Vec<Value> = standings.iter().take(MOST_LEADERS).map(shown_standing).collect();
    Ok(json_body(&json!({"rulebook": rulebook, "players": players})).into_response())
}

/// What was reported, for the operator.
pub(super) async fn reports(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    Query::parse(query.as_deref())?.end()?;
    may_change(&host, &visitor, &headers)?;
    let reports = host.services.accounts.store.reports().await?;
    let reports: Vec<Value> = reports
        .iter()
        .map(|(id, report)| {
            let mut entry = json!(report);
            entry["id"] = id.as_str().into();
            entry
        })
        .collect();
    Ok(json_body(&json!({"reports": reports})).into_response())
}

/// What the operator does about a report.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Moderate {
    /// Deletes a line of chat.
    DeleteLine { game: String, line: u64 },
    /// Deletes a report.
    Dismiss { id: String },
}

/// Deletes a line of chat, or a report, for the operator.
pub(super) async fn moderate(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    may_change(&host, &visitor, &headers)?;
    match read(&host, &headers, body).await? {
        Moderate::DeleteLine { game, line } => host.delete_line(&game, line).await?,
        Moderate::Dismiss { id } => host.services.accounts.store.dismiss(&id).await?,
    }
    Ok(json_body(&json!({})).into_response())
}
