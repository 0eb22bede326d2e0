//! The table of all paths of the HTTP port.

use std::sync::Arc;

use axum::{
    Extension, Router,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    middleware,
    response::{IntoResponse, Response},
    routing::{MethodRouter, get, post},
};
use serde_json::json;

use super::{
    access, accounts,
    answer::{guarded, typed},
    change, chat, games, housekeeping, live, pages, play, rules,
};
use crate::{
    host::{Condition, Health, Host},
    metrics::MEDIA_TYPE,
};

/// Who may use a path. A request that changes something is never a GET. All paths take exactly one `Host`, and only those of accounts take
/// the cookie of a session; which names
/// and origins they accept is up to the port and to `/api/` in the path (`origin`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    /// Everyone.
    Anyone,
    /// Everyone who may see the game: with an invitation, if it needs one.
    Guest,
    /// An account, with its session or token.
    Account,
    /// A client of the game, with its token.
    Client,
    /// The creator with its secret before the game begins, or the operator.
    Creator,
    /// The operator with the admin token, or a client on this machine.
    Operator,
}

/// Each path with its line of help, who may use it, and its handlers.
type Row = (&'static str, &'static str, &'static [(&'static str, Who)], MethodRouter<Arc<Host>>);

#[expect(clippy::too_many_lines, reason = "one table has all paths")]
fn table() -> Vec<Row> {
    use Who::{Account, Anyone, Client, Creator, Guest, Operator};
    vec![
        ("/", "GET /                          the games, for people", &[("GET", Anyone)], get(pages::games)),
        ("/games/{name}", "GET /games/NAME                a game, for people", &[("GET", Anyone)], get(pages::game)),
        (
            "/games/{name}/play",
            "GET /games/NAME/play           the page to play a game on",
            &[("GET", Anyone)],
            get(pages::play),
        ),
        (
            "/open",
            "GET /open                      a game from a file, for people",
            &[("GET", Anyone)],
            get(pages::game),
        ),
        (
            "/compare",
            "GET /compare?a=NAME&b=NAME     two games side by side, for people",
            &[("GET", Anyone)],
            get(pages::compare),
        ),
        (
            "/account",
            "GET /account                   your account, for people",
            &[("GET", Anyone)],
            get(pages::account),
        ),
        (
            "/leaderboard",
            "GET /leaderboard               the best players, for people",
            &[("GET", Anyone)],
            get(pages::leaderboard),
        ),
        (
            "/web/{*path}",
            "GET /web/FILE                  the files of these pages",
            &[("GET", Anyone)],
            get(pages::asset),
        ),
        (
            "/{rulebook}",
            "GET /RULEBOOK                  the games of a rulebook, for people",
            &[("GET", Anyone)],
            get(pages::rulebook),
        ),
        (
            "/{rulebook}/{page}",
            "GET /RULEBOOK/PAGE             a page of a rulebook",
            &[("GET", Anyone)],
            get(pages::of_page),
        ),
        (
            "/{rulebook}/{page}/{name}",
            "GET /RULEBOOK/PAGE/NAME        a page of a rulebook about a game",
            &[("GET", Anyone)],
            get(pages::of_named),
        ),
        (
            "/api/v1/games",
            "GET, POST /api/v1/games        list the games; create one",
            &[("GET", Anyone), ("POST", Operator)],
            get(games::list).post(change::create),
        ),
        (
            "/api/v1/games/{name}",
            "GET, DELETE /api/v1/games/NAME a game and its index; delete it when it is over",
            &[("GET", Guest), ("DELETE", Operator)],
            get(games::game).delete(housekeeping::delete),
        ),
        (
            "/api/v1/games/{name}/chronicle",
            "GET ../NAME/chronicle          the steps of a game",
            &[("GET", Guest)],
            get(games::steps),
        ),
        (
            "/api/v1/games/{name}/search",
            "GET ../NAME/search             search in a game",
            &[("GET", Guest)],
            get(games::search),
        ),
        (
            "/api/v1/games/{name}/live",
            "GET ../NAME/live               the steps as they happen",
            &[("GET", Guest)],
            get(live::live),
        ),
        (
            "/api/v1/games/{name}/export/{form}",
            "GET ../NAME/export/FORM        the game as html, jsonl, csv or script",
            &[("GET", Guest)],
            get(games::export),
        ),
        (
            "/api/v1/games/{name}/chat",
            "GET ../NAME/chat               the chat of a game",
            &[("GET", Guest)],
            get(chat::chat),
        ),
        (
            "/api/v1/games/{name}/fork",
            "POST ../NAME/fork              a new game that continues after an entry",
            &[("POST", Operator)],
            post(change::fork),
        ),
        (
            "/api/v1/games/{name}/rematch",
            "GET, POST ../NAME/rematch      the rematch of a game",
            &[("GET", Guest), ("POST", Client)],
            get(rules::after).post(rules::rematch),
        ),
        (
            "/api/v1/games/{name}/access",
            "POST ../NAME/access            who may come in, for its creator",
            &[("POST", Creator)],
            post(access::manage),
        ),
        (
            "/api/v1/games/{name}/archive",
            "POST ../NAME/archive           moves a finished game into the archive",
            &[("POST", Operator)],
            post(housekeeping::archive),
        ),
        (
            "/api/v1/games/{name}/redact",
            "POST ../NAME/redact            replaces names in a finished game",
            &[("POST", Operator)],
            post(housekeeping::redact),
        ),
        (
            "/api/v1/games/{name}/bots",
            "POST ../NAME/bots              a bot for a game that waits for players",
            &[("POST", Client)],
            post(rules::add_bot),
        ),
        (
            "/api/v1/rulebooks/{rulebook}/{question}",
            "GET /api/v1/rulebooks/RULEBOOK/QUESTION?ABOUT  a question to a rulebook",
            &[("GET", Anyone)],
            get(rules::query_rules),
        ),
        (
            "/api/v1/play",
            "GET /api/v1/play               a WebSocket to play over",
            &[("GET", Anyone)],
            get(play::play),
        ),
        ("/api/v1/bots", "GET /api/v1/bots               the bots of the host", &[("GET", Anyone)], get(rules::bots)),
        (
            "/api/v1/scenarios",
            "GET /api/v1/scenarios          the scenarios of all rulebooks",
            &[("GET", Anyone)],
            get(games::scenarios),
        ),
        (
            "/api/v1/me",
            "GET /api/v1/me                 your account, and games where it is your turn",
            &[("GET", Anyone)],
            get(accounts::me),
        ),
        (
            "/api/v1/me/games",
            "GET /api/v1/me/games           the games of your account",
            &[("GET", Account)],
            get(accounts::games),
        ),
        (
            "/api/v1/me/export",
            "GET /api/v1/me/export          all that the host keeps about your account",
            &[("GET", Account)],
            get(accounts::export),
        ),
        (
            "/api/v1/me/tokens",
            "GET, POST /api/v1/me/tokens    your tokens; make one",
            &[("GET", Account), ("POST", Account)],
            get(accounts::tokens).post(accounts::new_token),
        ),
        (
            "/api/v1/me/revoke",
            "POST /api/v1/me/revoke         end a token or a session",
            &[("POST", Account)],
            post(accounts::revoke),
        ),
        (
            "/api/v1/me/password",
            "POST /api/v1/me/password       change your password",
            &[("POST", Account)],
            post(accounts::password),
        ),
        (
            "/api/v1/me/delete",
            "POST /api/v1/me/delete         delete your account",
            &[("POST", Account)],
            post(accounts::delete),
        ),
        (
            "/api/v1/register",
            "POST /api/v1/register          a new account",
            &[("POST", Anyone)],
            post(accounts::register),
        ),
        ("/api/v1/sign-in", "POST /api/v1/sign-in           sign in", &[("POST", Anyone)], post(accounts::sign_in)),
        ("/api/v1/sign-out", "POST /api/v1/sign-out          sign out", &[("POST", Account)], post(accounts::sign_out)),
        (
            "/api/v1/leaderboard",
            "GET /api/v1/leaderboard        the best players of a rulebook",
            &[("GET", Anyone)],
            get(accounts::leaderboard),
        ),
        (
            "/api/v1/reports",
            "GET, POST /api/v1/reports      reported lines of chat; delete a line or a report",
            &[("GET", Operator), ("POST", Operator)],
            get(accounts::reports).post(accounts::moderate),
        ),
        (
            "/api/v1/openapi.json",
            "GET /api/v1/openapi.json       this list for programs",
            &[("GET", Anyone)],
            get(description),
        ),
    ]
}

/// The paths for operators. They may have a port of their own.
fn operator_table() -> Vec<Row> {
    use Who::Anyone;
    vec![
        ("/health", "GET /health                    the state of the host, as JSON", &[("GET", Anyone)], get(health)),
        ("/metrics", "GET /metrics                   metrics, for Prometheus", &[("GET", Anyone)], get(metrics)),
    ]
}

/// All paths of the port for pages and the API.
pub(super) fn router(host: Arc<Host>) -> Router {
    let of_operators = if host.options.has_operator_port { Vec::new() } else { operator_table() };
    routes(host, table().into_iter().chain(of_operators).collect())
}

/// The paths of the port for operators.
pub(super) fn operator_router(host: Arc<Host>) -> Router {
    routes(host, operator_table())
}

fn routes(host: Arc<Host>, table: Vec<Row>) -> Router {
    let contents: String = table.iter().map(|(_, what, ..)| format!("  {what}\n")).collect();
    let not_found = pages::NotFound(format!("Not found. These paths exist:\n{contents}").into());
    let unknown = not_found.clone();
    let wrong_method = format!("Method not allowed. These paths exist:\n{contents}");
    let routes = table.into_iter().fold(Router::new(), |router, (path, _, _, method)| router.route(path, method));
    let routes = routes
        .fallback(async move |headers: HeaderMap| unknown.answer(&headers))
        .method_not_allowed_fallback(move || async { (StatusCode::METHOD_NOT_ALLOWED, wrong_method) })
        .layer(Extension(not_found))
        .with_state(host.clone());
    // A code in a path becomes a name before the path is matched.
    Router::new()
        .fallback_service(routes)
        .layer(middleware::from_fn_with_state(host, access::check))
        .layer(middleware::map_response(guarded))
}

async fn description() -> impl IntoResponse {
    typed("application/json", resources::OPENAPI)
}

async fn metrics(State(host): State<Arc<Host>>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, MEDIA_TYPE)], host.metrics_page())
}

async fn health(State(host): State<Arc<Host>>) -> Response {
    let Health { condition, problem, games, damaged, damaged_names, connections, removed, uptime, cluster } =
        host.health();
    let (code, status) = match condition {
        Condition::Ok => (StatusCode::OK, "ok"),
        Condition::Stopping => (StatusCode::SERVICE_UNAVAILABLE, "stopping"),
        Condition::LogFailed => (StatusCode::SERVICE_UNAVAILABLE, "log failed"),
        Condition::NotMember => (StatusCode::SERVICE_UNAVAILABLE, "not a member"),
        Condition::Replaced => (StatusCode::SERVICE_UNAVAILABLE, "replaced"),
    };
    let mut body = json!({"status": status, "games": games, "damaged_games": damaged, "connections": connections, "removed_games": removed, "uptime": uptime});
    if let (Some(problem), true) = (problem, condition == Condition::LogFailed) {
        body["problem"] = problem.into();
    }
    if let Some(cluster) = cluster {
        let incarnation = cluster.incarnation.map(|incarnation| incarnation.0);
        body["cluster"] = json!({"host": cluster.name, "incarnation": incarnation, "hosts_alive": cluster.hosts_alive});
    }
    if damaged > 0 {
        body["damaged"] = damaged_names.into();
    }
    (code, [(header::CONTENT_TYPE, "application/json")], format!("{body}\n")).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(who: Who) -> &'static str {
        match who {
            Who::Anyone => "anyone",
            Who::Guest => "anyone who may see the game",
            Who::Account => "an account",
            Who::Client => "a client of the game, with its token",
            Who::Creator => "the creator before the start, the operator",
            Who::Operator => "the operator",
        }
    }

    /// docs/http-api.md has the same table.
    #[test]
    fn the_document_says_who_may() {
        let document = include_str!("../../../docs/http-api.md");
        let (_, table_of_document) =
            document.split_once("| path | method | who may | other sites |\n").expect("a table");
        let documented: Vec<&str> =
            table_of_document.lines().skip(1).take_while(|line| line.starts_with('|')).collect();
        let routes: Vec<String> = table()
            .into_iter()
            .chain(operator_table())
            .flat_map(|(path, _, methods, _)| {
                let sites = if path.starts_with("/api/") { "`--allow-origin`" } else { "none" };
                methods.iter().map(move |(method, who)| format!("| `{path}` | {method} | {} | {sites} |", words(*who)))
            })
            .collect();
        assert_eq!(documented, routes);
    }
}
