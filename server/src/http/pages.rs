//! The web pages: files of the crate `resources` and of games.

use std::{borrow::Cow, sync::Arc};

use axum::{
    Extension,
    body::Body,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::{erased::GameTable, host::Host};

pub(super) async fn games(State(host): State<Arc<Host>>, headers: HeaderMap) -> Response {
    file(&host, "index.html", &headers)
}

/// One page for all games: its script reads the name of the game from the address.
pub(super) async fn game(State(host): State<Arc<Host>>, headers: HeaderMap) -> Response {
    file(&host, "game.html", &headers)
}

pub(super) async fn asset(State(host): State<Arc<Host>>, Path(path): Path<String>, headers: HeaderMap) -> Response {
    file(&host, &path, &headers)
}

/// The answer to a path that does not exist: a list of all paths. Browsers get a page instead.
#[derive(Clone, Debug)]
pub(super) struct NotFound(pub(super) Arc<str>);

impl NotFound {
    pub(super) fn answer(&self, headers: &HeaderMap) -> Response {
        let accepts = headers.get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok()).unwrap_or_default();
        let page = resources::web("not-found.html").filter(|_| accepts.contains("text/html"));
        let (kind, body) = match page {
            Some(page) => ("text/html; charset=utf-8", resources::complete_page(page).into_owned().into()),
            None => ("text/plain; charset=utf-8", Body::from(self.0.to_string())),
        };
        (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, kind), (header::VARY, "accept")], body).into_response()
    }
}

/// The first page of a rulebook that has its own pages.
pub(super) async fn rulebook(
    Path(rulebook): Path<String>,
    State(host): State<Arc<Host>>,
    headers: HeaderMap,
    Extension(not_found): Extension<NotFound>,
) -> Response {
    of_rulebook(&host, &rulebook, "index", &headers, &not_found)
}

/// A page of a rulebook.
pub(super) async fn of_page(
    Path((rulebook, page)): Path<(String, String)>,
    State(host): State<Arc<Host>>,
    headers: HeaderMap,
    Extension(not_found): Extension<NotFound>,
) -> Response {
    of_rulebook(&host, &rulebook, &page, &headers, &not_found)
}

/// A page of a rulebook about a named item. Its script reads the name from the address.
pub(super) async fn of_named(
    Path((rulebook, page, _)): Path<(String, String, String)>,
    State(host): State<Arc<Host>>,
    headers: HeaderMap,
    Extension(not_found): Extension<NotFound>,
) -> Response {
    of_rulebook(&host, &rulebook, &page, &headers, &not_found)
}

fn of_rulebook(host: &Host, rulebook: &str, page: &str, headers: &HeaderMap, not_found: &NotFound) -> Response {
    let path = format!("{rulebook}/{page}.html");
    match find(&host.options.games, &path) {
        Some(_) => file(host, &path, headers),
        None => not_found.answer(headers),
    }
}

/// A file of the shared pages, or of the game whose name starts the path.
pub(super) fn find(games: &GameTable, path: &str) -> Option<&'static [u8]> {
    resources::web(path).or_else(|| {
        let (game, path) = path.split_once('/')?;
        games.named(game)?.web().iter().find(|(known, _)| *known == path).map(|(_, bytes)| *bytes)
    })
}

fn file(host: &Host, path: &str, headers: &HeaderMap) -> Response {
    let Some(bytes) = find(&host.options.games, path) else {
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
    let bytes = if path.ends_with(".html") { resources::complete_page(bytes) } else { Cow::Borrowed(bytes) };
    // A browser caches the files and revalidates them, because another version of the program may have other files.
    let tag = format!("\"{}\"", &blake3::hash(&bytes).to_hex()[..16]);
    let same = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let about =
        [(header::CONTENT_TYPE, kind.to_owned()), (header::CACHE_CONTROL, "no-cache".to_owned()), (header::ETAG, tag)];
    if same {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    (about, bytes).into_response()
}
