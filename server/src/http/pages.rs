//! The web pages: files of the crate `resources`, as they are.

use axum::{
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
