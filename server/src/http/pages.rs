//! The web pages: files of the crate `resources`, as they are.

use std::sync::Arc;

use axum::{
    Extension,
    extract::Path,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};

pub(super) async fn games(headers: HeaderMap) -> Response {
    file("index.html", &headers)
}

/// One page for every game: which one it is, its script reads from the address.
pub(super) async fn game(headers: HeaderMap) -> Response {
    file("game.html", &headers)
}

pub(super) async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    file(&path, &headers)
}

/// The text for whoever asks for what is not there.
#[derive(Clone, Debug)]
pub(super) struct Nothing(pub(super) Arc<str>);

/// The first page of a rulebook that has pages of its own.
pub(super) async fn rulebook(
    Path(rulebook): Path<String>,
    headers: HeaderMap,
    Extension(nothing): Extension<Nothing>,
) -> Response {
    of_rulebook(&rulebook, "index", &headers, nothing)
}

/// A page of a rulebook; what it is about, its script reads from the address.
pub(super) async fn of_page(
    Path((rulebook, page)): Path<(String, String)>,
    headers: HeaderMap,
    Extension(nothing): Extension<Nothing>,
) -> Response {
    of_rulebook(&rulebook, &page, &headers, nothing)
}

/// A page of a rulebook about something that has a name.
pub(super) async fn of_named(
    Path((rulebook, page, _)): Path<(String, String, String)>,
    headers: HeaderMap,
    Extension(nothing): Extension<Nothing>,
) -> Response {
    of_rulebook(&rulebook, &page, &headers, nothing)
}

fn of_rulebook(rulebook: &str, page: &str, headers: &HeaderMap, Nothing(nothing): Nothing) -> Response {
    let path = format!("{rulebook}/{page}.html");
    match resources::web(&path) {
        Some(_) => file(&path, headers),
        None => (StatusCode::NOT_FOUND, nothing.to_string()).into_response(),
    }
}

fn file(path: &str, headers: &HeaderMap) -> Response {
    let Some(bytes) = resources::web(path) else {
        return (StatusCode::NOT_FOUND, "There is no such file.\n").into_response();
    };
    let kind = match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some(_) | None => "application/octet-stream",
    };
    // A browser keeps the files and asks whether they are still the same; another binary may have others.
    let tag = format!("\"{}\"", &blake3::hash(bytes).to_hex()[..16]);
    let same = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let about =
        [(header::CONTENT_TYPE, kind.to_owned()), (header::CACHE_CONTROL, "no-cache".to_owned()), (header::ETAG, tag)];
    if same {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    (about, bytes).into_response()
}
