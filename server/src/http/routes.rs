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
    access,
    answer::{guarded, typed},
    change, chat, games, live, pages, play, rules,
};
use crate::{
    host::{Condition, Health, Host},
    metrics::MEDIA_TYPE,
};

/// Each path with its line of help and its handlers.
type Row = (&'static str, &'static str, MethodRouter<Arc<Host>>);

fn table() -> Vec<Row> {
    vec![
        ("/", "GET /                          the games, for people", get(pages::games)),
        ("/games/{name}", "GET /games/NAME                a game, for people", get(pages::game)),
        ("/games/{name}/play", "GET /games/NAME/play           the page to play a game on", get(pages::play)),
        ("/open", "GET /open                      a game from a file, for people", get(pages::game)),
        ("/web/{*path}", "GET /web/FILE                  the files of these pages", get(pages::asset)),
        ("/{rulebook}", "GET /RULEBOOK                  the games of a rulebook, for people", get(pages::rulebook)),
        ("/{rulebook}/{page}", "GET /RULEBOOK/PAGE             a page of a rulebook", get(pages::of_page)),
        (
            "/{rulebook}/{page}/{name}",
            "GET /RULEBOOK/PAGE/NAME        a page of a rulebook about a game",
            get(pages::of_named),
        ),
        (
            "/api/v1/games",
            "GET, POST /api/v1/games        list the games; create one",
            get(games::list).post(change::create),
        ),
        ("/api/v1/games/{name}", "GET /api/v1/games/NAME         a game and its index", get(games::game)),
        ("/api/v1/games/{name}/chronicle", "GET ../NAME/chronicle          the steps of a game", get(games::steps)),
        ("/api/v1/games/{name}/search", "GET ../NAME/search             search in a game", get(games::search)),
        ("/api/v1/games/{name}/live", "GET ../NAME/live               the steps as they happen", get(live::live)),
        (
            "/api/v1/games/{name}/export/{form}",
            "GET ../NAME/export/FORM        the game as jsonl, csv or script",
            get(games::export),
        ),
        ("/api/v1/games/{name}/chat", "GET ../NAME/chat               the chat of a game", get(chat::chat)),
        (
            "/api/v1/games/{name}/fork",
            "POST ../NAME/fork              a new game that continues after an entry",
            post(change::fork),
        ),
        (
            "/api/v1/games/{name}/rematch",
            "GET, POST ../NAME/rematch      the rematch of a game",
            get(rules::after).post(rules::rematch),
        ),
        (
            "/api/v1/games/{name}/access",
            "POST ../NAME/access            who may come in, for its creator",
            post(access::manage),
        ),
        (
            "/api/v1/games/{name}/bots",
            "POST ../NAME/bots              a bot for a game that waits for players",
            post(rules::add_bot),
        ),
        (
            "/api/v1/rulebooks/{rulebook}/{question}",
            "GET /api/v1/rulebooks/RULEBOOK/QUESTION?ABOUT  a question to a rulebook",
            get(rules::query_rules),
        ),
        ("/api/v1/play", "GET /api/v1/play               a WebSocket to play over", get(play::play)),
        ("/api/v1/bots", "GET /api/v1/bots               the bots of the host", get(rules::bots)),
        ("/api/v1/scenarios", "GET /api/v1/scenarios          the scenarios of all rulebooks", get(games::scenarios)),
        ("/api/v1/openapi.json", "GET /api/v1/openapi.json       this list for programs", get(description)),
    ]
}

/// The paths for operators. They may have a port of their own.
fn operator_table() -> Vec<Row> {
    vec![
        ("/health", "GET /health                    the state of the host, as JSON", get(health)),
        ("/metrics", "GET /metrics                   metrics, for Prometheus", get(metrics)),
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
    let contents: String = table.iter().map(|(_, what, _)| format!("  {what}\n")).collect();
    let not_found = pages::NotFound(format!("Not found. These paths exist:\n{contents}").into());
    let unknown = not_found.clone();
    let wrong_method = format!("Method not allowed. These paths exist:\n{contents}");
    let routes = table.into_iter().fold(Router::new(), |router, (path, _, method)| router.route(path, method));
    routes
        .fallback(async move |headers: HeaderMap| unknown.answer(&headers))
        .method_not_allowed_fallback(move || async { (StatusCode::METHOD_NOT_ALLOWED, wrong_method) })
        .layer(Extension(not_found))
        .layer(middleware::from_fn_with_state(host.clone(), access::check))
        .layer(middleware::map_response(guarded))
        .with_state(host)
}

async fn description() -> impl IntoResponse {
    typed("application/json", resources::OPENAPI)
}

async fn metrics(State(host): State<Arc<Host>>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, MEDIA_TYPE)], host.metrics_page())
}

async fn health(State(host): State<Arc<Host>>) -> Response {
    let Health { condition, problem, games, damaged, damaged_names, connections, uptime, cluster } = host.health();
    let (code, status) = match condition {
        Condition::Ok => (StatusCode::OK, "ok"),
        Condition::Stopping => (StatusCode::SERVICE_UNAVAILABLE, "stopping"),
        Condition::LogFailed => (StatusCode::SERVICE_UNAVAILABLE, "log failed"),
        Condition::NotMember => (StatusCode::SERVICE_UNAVAILABLE, "not a member"),
        Condition::Replaced => (StatusCode::SERVICE_UNAVAILABLE, "replaced"),
    };
    let mut body = json!({"status": status, "games": games, "damaged_games": damaged, "connections": connections, "uptime": uptime});
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
