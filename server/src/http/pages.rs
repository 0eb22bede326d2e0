//! The web pages: files of the crate `resources` and of games.

use std::{borrow::Cow, sync::Arc};

use axum::{
    Extension,
    body::Body,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::{
    host::{Host, Options},
    web_sources::{as_served, content_type},
};

pub(super) async fn games(State(host): State<Arc<Host>>, headers: HeaderMap) -> Response {
    file(&host, "index.html", &headers).await
}

/// One page for all games: its script reads the name of the game from the address.
pub(super) async fn game(State(host): State<Arc<Host>>, headers: HeaderMap) -> Response {
    file(&host, "game.html", &headers).await
}

/// One page for any two games.
pub(super) async fn compare(State(host): State<Arc<Host>>, headers: HeaderMap) -> Response {
    file(&host, "compare.html", &headers).await
}

/// The page of an account.
pub(super) async fn account(State(host): State<Arc<Host>>, headers: HeaderMap) -> Response {
    file(&host, "account.html", &headers).await
}

/// The best players.
pub(super) async fn leaderboard(State(host): State<Arc<Host>>, headers: HeaderMap) -> Response {
    file(&host, "leaderboard.html", &headers).await
}

/// One page to play every game of the common wire.
pub(super) async fn play(State(host): State<Arc<Host>>, headers: HeaderMap) -> Response {
    file(&host, "play.html", &headers).await
}

pub(super) async fn asset(State(host): State<Arc<Host>>, Path(path): Path<String>, headers: HeaderMap) -> Response {
    file(&host, &path, &headers).await
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
    of_rulebook(&host, &rulebook, "index", &headers, &not_found).await
}

/// A page of a rulebook.
pub(super) async fn of_page(
    Path((rulebook, page)): Path<(String, String)>,
    State(host): State<Arc<Host>>,
    headers: HeaderMap,
    Extension(not_found): Extension<NotFound>,
) -> Response {
    of_rulebook(&host, &rulebook, &page, &headers, &not_found).await
}

/// A page of a rulebook about a named item. Its script reads the name from the address.
pub(super) async fn of_named(
    Path((rulebook, page, _)): Path<(String, String, String)>,
    State(host): State<Arc<Host>>,
    headers: HeaderMap,
    Extension(not_found): Extension<NotFound>,
) -> Response {
    of_rulebook(&host, &rulebook, &page, &headers, &not_found).await
}

async fn of_rulebook(host: &Host, rulebook: &str, page: &str, headers: &HeaderMap, not_found: &NotFound) -> Response {
    let path = format!("{rulebook}/{page}.html");
    match find(host, &path).await {
        Some(bytes) => answer(&path, bytes, headers),
        None => not_found.answer(headers),
    }
}

/// A file of the shared pages, or of the game whose name starts the path.
pub(super) async fn find(host: &Host, path: &str) -> Option<Cow<'static, [u8]>> {
    if let Some(bytes) = resources::web(path) {
        return Some(Cow::Borrowed(bytes));
    }
    let Options { web, games, world, .. } = &host.options;
    if !web.may_block() {
        return web.find(games, path);
    }
    let (web, games, path) = (web.clone(), games.clone(), path.to_owned());
    world.blocking(move || web.find(&games, &path)).await.ok().flatten()
}

async fn file(host: &Host, path: &str, headers: &HeaderMap) -> Response {
    match find(host, path).await {
        Some(bytes) => answer(path, bytes, headers),
        None => (StatusCode::NOT_FOUND, "There is no such file.\n").into_response(),
    }
}

fn answer(path: &str, bytes: Cow<'static, [u8]>, headers: &HeaderMap) -> Response {
    let kind = content_type(path).unwrap_or("application/octet-stream");
    let bytes = as_served(path, bytes);
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
