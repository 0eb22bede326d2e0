//! What the HTTP port answers: one table of paths.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::{MethodRouter, get},
};
use serde_json::json;

use crate::{
    host::{Condition, Health, Host},
    metrics::MEDIA_TYPE,
};

/// Everything there is: how it is asked for, and what it gives.
fn table() -> [(&'static str, &'static str, MethodRouter<Arc<Host>>); 2] {
    [
        ("/health", "GET /health   whether the host is well, as JSON", get(health)),
        ("/metrics", "GET /metrics  what the host has counted, for Prometheus", get(metrics)),
    ]
}

pub(super) fn router(host: Arc<Host>) -> Router {
    let contents: String = table().iter().map(|(_, what, _)| format!("  {what}\n")).collect();
    let nothing = format!("There is nothing here. What there is:\n{contents}");
    let wrong_method = format!("This cannot be asked for in that way. What there is:\n{contents}");
    let routes = table().into_iter().fold(Router::new(), |router, (path, _, method)| router.route(path, method));
    routes
        .fallback(move || async { (StatusCode::NOT_FOUND, nothing) })
        .method_not_allowed_fallback(move || async { (StatusCode::METHOD_NOT_ALLOWED, wrong_method) })
        .with_state(host)
}

async fn metrics(State(host): State<Arc<Host>>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, MEDIA_TYPE)], host.metrics_page())
}

async fn health(State(host): State<Arc<Host>>) -> Response {
    let Health { condition, games, connections, uptime } = host.health();
    let (code, status) = match condition {
        Condition::Ok => (StatusCode::OK, "ok"),
        Condition::Stopping => (StatusCode::SERVICE_UNAVAILABLE, "stopping"),
        Condition::LogFailed => (StatusCode::SERVICE_UNAVAILABLE, "log failed"),
    };
    let body = json!({"status": status, "games": games, "connections": connections, "uptime": uptime});
    (code, [(header::CONTENT_TYPE, "application/json")], format!("{body}\n")).into_response()
}
