//! Games in the API: lists, chronicles, search and downloads.

use std::sync::{
    Arc, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use axum::{
    body::Body,
    extract::{Path, RawQuery, State},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use commlib::{Reason, Refused};
use engine::Header;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{
    answer::{self, ApiError, json_body},
    live::Stream,
    pages,
    query::Query,
};
use crate::{
    chronicle::{self, CachedChronicle, Chronicle, Detail, Export, Line, Status, unreadable},
    host::{Host, Options},
    log::{GameHead, GameKey, GameRecord},
    standalone::StandalonePage,
};

/// The maximum and the default number of games in a list.
const MOST_GAMES: u64 = 200;
const GAMES: u64 = 50;

/// How many games one request looks through; the next request continues from there.
const LOOKED_THROUGH: usize = 20_000;
const PAGE: usize = 500;

/// The maximum and the default number of steps in an answer.
const MOST_STEPS: u64 = 2_000;
const STEPS: u64 = 500;

/// The maximum number of entries without a step in an answer. An export has no such limit.
const MOST_REFUSALS: usize = 5_000;

const MOST_FOUND: u64 = 1_000;
const FOUND: u64 = 200;
const LONGEST_SEARCH: usize = 200;

/// The filter of a list of games.
struct Filter {
    status: Option<String>,
    rulebook: Option<String>,
    player: Option<String>,
    outcome: Option<String>,
    text: Option<String>,
    from: Option<i64>,
    /// Exclusive.
    until: Option<i64>,
}

impl Filter {
    fn read(query: &mut Query) -> Result<Self, ApiError> {
        let status = query.value("status");
        let mut lower = |name: &str| query.text(name).map(|text| text.to_lowercase());
        let (rulebook, player) = (lower("rulebook"), lower("player"));
        let (outcome, text) = (lower("outcome"), lower("q"));
        if let Some(status) = &status
            && ![Status::Running, Status::Finished, Status::Broken].iter().any(|known| known.word() == status)
        {
            return Err(ApiError::bad("status is running, finished or broken."));
        }
        let until = query.day("to")?.map(|day| day + 24 * 3600 * 1000);
        Ok(Self { status, rulebook, player, outcome, text, from: query.day("from")?, until })
    }

    fn admits(&self, record: &GameRecord, players: &[String]) -> bool {
        let contains = |text: &str, wanted: &str| text.to_lowercase().contains(wanted);
        let outcome = record.end.as_ref().map_or("", |end| &end.outcome);
        self.status.as_deref().is_none_or(|status| status == Status::of(record).word())
            && self.rulebook.as_deref().is_none_or(|rulebook| rulebook == record.about.rulebook)
            && self.player.as_deref().is_none_or(|wanted| players.iter().any(|name| contains(name, wanted)))
            && self.outcome.as_deref().is_none_or(|wanted| contains(outcome, wanted))
            && self.from.is_none_or(|from| record.created >= from)
            && self.until.is_none_or(|until| record.created < until)
            && self.text.as_deref().is_none_or(|wanted| {
                [&record.name, outcome]
                    .into_iter()
                    .chain(players.iter().map(String::as_str))
                    .any(|text| contains(text, wanted))
            })
    }
}

pub(super) async fn list(State(host): State<Arc<Host>>, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    let mut query = Query::parse(query.as_deref())?;
    let filter = Filter::read(&mut query)?;
    let limit = query.number("limit")?.unwrap_or(GAMES).clamp(1, MOST_GAMES) as usize;
    let mut before = query.number("before")?.map(|key| GameKey(i64::try_from(key).unwrap_or(i64::MAX)));
    query.end()?;
    host.refresh_hidden().await?;
    let _turn = host.viewer.turn().await?;
    let mut games = Vec::new();
    let mut looked = 0;
    // The cursor is the last game that was read.
    let next = 'search: loop {
        let page = host.options.log.page(before, PAGE).await.map_err(unreadable)?;
        for record in &page {
            before = Some(record.key);
            // This host knows the players of its running games before they are stored.
            let running = record.end.is_none().then(|| host.players(&record.name)).flatten();
            let players = running.or_else(|| record.players.clone()).unwrap_or_default();
            if !host.is_hidden(&record.name) && filter.admits(record, &players) {
                games.push(summary(&host, record, &players).await?);
            }
            if games.len() == limit {
                break 'search before;
            }
        }
        looked += page.len();
        if page.len() < PAGE {
            break None;
        }
        if looked >= LOOKED_THROUGH {
            break before;
        }
    };
    Ok(json_body(&json!({"games": games, "next": next.map(|GameKey(key)| key)})).into_response())
}

async fn summary(host: &Host, record: &GameRecord, players: &[String]) -> Result<Value, Refused> {
    let head = host.options.log.head(record.key).await.map_err(unreadable)?;
    let rules = host.rulebook_named(&record.about.rulebook);
    let retention = &host.options.retention;
    let parent = Header::decode_without_setup(&head.header).ok().and_then(|header| header.parent);
    Ok(json!({
        "name": record.name,
        "rulebook": record.about.rulebook,
        "edition": record.about.edition,
        "scenario": rules.map(|rules| rules.title(head.scenario.as_deref())),
        "players": players,
        "status": Status::of(record).word(),
        "outcome": record.end.as_ref().map(|end| &end.outcome),
        "created": record.created,
        "ended": record.end.as_ref().map(|end| end.at),
        "ends_at": host.ends_at(&record.name),
        "expires_at": record.end.as_ref().and_then(|end| retention.expires_at(&record.about.rulebook, end.at)),
        // The number of entries reveals how many commands were refused, so it is shown only after the end.
        "entries": record.end.as_ref().map(|_| record.tail.entries),
        "parent": parent.map(|parent| json!({"game": parent.game, "entry": parent.sequence})),
    }))
}

pub(super) async fn game(
    State(host): State<Arc<Host>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    Query::parse(query.as_deref())?.end()?;
    open(&host, name, |head, chronicle| {
        let mut bytes = Vec::new();
        Line::Game(&chronicle.game(&head.record)).write(&mut bytes);
        Line::Index(chronicle.index()).write(&mut bytes);
        Ok(answer::lines(bytes))
    })
    .await
}

pub(super) async fn steps(
    State(host): State<Arc<Host>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let mut query = Query::parse(query.as_deref())?;
    let from = query.number("from")?.unwrap_or(0);
    let steps = query.number("steps")?.unwrap_or(STEPS);
    query.end()?;
    if steps > MOST_STEPS {
        return Err(ApiError::bad(format!(
            "steps is at most {MOST_STEPS}; ask again from the last one that you have."
        )));
    }
    open(&host, name, move |_, chronicle| {
        let mut bytes = Vec::new();
        let mut refusals = 0;
        chronicle.lines(from, steps, Detail::Patches, &mut |line| {
            // Any number of refused commands may lie between two steps.
            refusals += usize::from(
                matches!(line, Line::Entry(entry) if entry.events.iter().all(|event| event.step.is_none())),
            );
            if refusals <= MOST_REFUSALS {
                line.write(&mut bytes);
            }
            true
        });
        Ok(answer::lines(bytes))
    })
    .await
}

pub(super) async fn search(
    State(host): State<Arc<Host>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let mut query = Query::parse(query.as_deref())?;
    let wanted = query.text("q").ok_or_else(|| ApiError::bad("q is what to look for."))?;
    let limit = query.number("limit")?.unwrap_or(FOUND).clamp(1, MOST_FOUND) as usize;
    query.end()?;
    if wanted.chars().count() > LONGEST_SEARCH {
        return Err(ApiError::bad(format!("q has at most {LONGEST_SEARCH} characters.")));
    }
    let wanted = wanted.to_lowercase();
    open(&host, name, move |_, chronicle| {
        let mut found = Vec::new();
        let mut more = false;
        let mut step = 0;
        chronicle.lines(0, u64::MAX, Detail::Words, &mut |line| {
            let Line::Entry(entry) = line else { return true };
            let mut note = |step: u64, text: &str| {
                if text.to_lowercase().contains(&wanted) {
                    more = found.len() == limit;
                    if !more {
                        found.push(json!({"step": step, "entry": entry.number, "text": text}));
                    }
                }
            };
            if let Some(text) = &entry.text {
                note(step, &format!("{}: {text}", entry.by.as_deref().unwrap_or("the clock")));
            }
            for event in &entry.events {
                step = event.step.unwrap_or(step);
                match event.to.as_str() {
                    "all" | "board" => note(step, &event.text),
                    name => note(step, &format!("{name} {}", event.text)),
                }
            }
            !more
        });
        Ok(json_body(&json!({"found": found, "more": more})).into_response())
    })
    .await
}

pub(super) async fn export(
    State(host): State<Arc<Host>>,
    Path((name, form)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    Query::parse(query.as_deref())?.end()?;
    match form.as_str() {
        "jsonl" => export_lines(host, name).await,
        "html" => export_page(host, name).await,
        "csv" => {
            let file = format!("{name}.csv");
            let csv = open(&host, name, |_, chronicle| Ok(chronicle::csv(chronicle.index()))).await?;
            Ok(download(answer::typed("text/csv; charset=utf-8", csv), &file))
        }
        "script" => export_script(&host, name).await,
        other => {
            let other: String = other.chars().take(20).collect();
            Err(ApiError::bad(format!("A game is exported as html, jsonl, csv or script, not as {other:?}.")))
        }
    }
}

async fn export_lines(host: Arc<Host>, name: String) -> Result<Response, ApiError> {
    let file = format!("{name}.jsonl");
    // The game is opened first, so that an error can still set the status.
    let turn = host.viewer.turn().await?;
    let (head, book) = host.cache.open(&host.viewer, &turn, &name).await?;
    drop(turn);
    Ok(download(answer::typed("application/x-ndjson", stream_lines(host, head, book, None)), &file))
}

/// A page around all lines. People send it to others, so it is available only when nothing of the game is secret.
async fn export_page(host: Arc<Host>, name: String) -> Result<Response, ApiError> {
    let file = format!("{name}.html");
    let turn = host.viewer.turn().await?;
    let (head, book) = host.cache.open(&host.viewer, &turn, &name).await?;
    if head.record.end.is_none() {
        let words = "A page contains the whole game, so it is available after the end of the game.";
        return Err(Refused::new(Reason::BadMessage, words).into());
    }
    let Options { web, games, .. } = &host.options;
    let (web, games, record) = (web.clone(), games.clone(), head.record.clone());
    let page = host
        .viewer
        .work(&turn, move || Ok(StandalonePage::new(&web, &games, &record.about.rulebook, record.tail.digest)));
    let page = page.await?;
    drop(turn);
    Ok(download(answer::typed("text/html; charset=utf-8", stream_lines(host, head, book, Some(page))), &file))
}

/// Streams the lines in pieces: a long game has many, and other requests do not wait for a slow reader.
fn stream_lines(host: Arc<Host>, head: GameHead, book: CachedChronicle, page: Option<StandalonePage>) -> Body {
    let (queue, stream) = mpsc::channel(1);
    let whole = Arc::new(AtomicBool::new(false));
    let done = whole.clone();
    tokio::spawn(async move {
        let mut export = Export::default();
        if let Some(page) = &page
            && queue.send(page.before().to_owned().into()).await.is_err()
        {
            return;
        }
        loop {
            let (head, book) = (head.clone(), book.clone());
            // Each piece takes a permit, so that other requests can run in between.
            let Ok(turn) = host.viewer.turn().await else { return };
            let told = host.viewer.work(&turn, move || {
                let chronicle = book.chronicle.read().unwrap_or_else(PoisonError::into_inner);
                let piece = export.piece(&**chronicle, &head.record);
                Ok((export, piece))
            });
            let Ok((told, piece)) = told.await else { return };
            drop(turn);
            export = told;
            let Some(piece) = piece else { break };
            let piece = if page.is_some() { StandalonePage::inert(&piece) } else { piece };
            if queue.send(piece.into()).await.is_err() {
                return;
            }
        }
        let after = page.map(|page| page.after().to_owned());
        if let Some(after) = after
            && queue.send(after.into()).await.is_err()
        {
            return;
        }
        done.store(true, Ordering::Release);
    });
    Stream::whole(stream, whole)
}

/// A script has every command, so it is available only after the end.
async fn export_script(host: &Arc<Host>, name: String) -> Result<Response, ApiError> {
    let file = format!("{name}.script");
    let turn = host.viewer.turn().await?;
    let head = host.options.log.find(&name).await.map_err(unreadable)?.ok_or_else(|| unknown(&name))?;
    if head.record.end.is_none() {
        let words = "A script contains every command, so it is available after the end of the game.";
        return Err(Refused::new(Reason::BadMessage, words).into());
    }
    let rows = host.options.log.rows(head.record.key, 1).await.map_err(unreadable)?;
    let rules = host.rulebook_named(&head.record.about.rulebook);
    let script = host.viewer.work(&turn, move || {
        let script = rules.and_then(|rules| rules.script(&head.header, &rows));
        let no_scripts = || Refused::new(Reason::BadMessage, "Games of this rulebook have no scripts.");
        script.ok_or_else(no_scripts)?.map_err(|error| Refused::new(Reason::Internal, error.to_string()))
    });
    Ok(download(answer::typed("text/plain; charset=utf-8", script.await?), &file))
}

/// Makes a browser save the answer as a file.
fn download(mut response: Response, file: &str) -> Response {
    // If the name is not valid in a header, the header has no file name.
    let name = HeaderValue::from_str(&format!("attachment; filename=\"{file}\""));
    let attachment = name.unwrap_or_else(|_| HeaderValue::from_static("attachment"));
    response.headers_mut().insert(header::CONTENT_DISPOSITION, attachment);
    response
}

pub(super) async fn scenarios(RawQuery(query): RawQuery, State(host): State<Arc<Host>>) -> Result<Response, ApiError> {
    Query::parse(query.as_deref())?.end()?;
    let (mut named, mut pages, mut rulebooks) = (Vec::new(), serde_json::Map::new(), Vec::new());
    for rules in host.options.games.iter() {
        let name = rules.name();
        named.extend(
            rules
                .scenarios()
                .into_iter()
                .map(|scenario| json!({"rulebook": name, "name": scenario, "about": rules.about_scenario(scenario)})),
        );
        if pages::find(&host, &format!("{name}/index.html")).await.is_some() {
            pages.insert(name.to_owned(), format!("/{name}").into());
        }
        let poster = format!("{name}/poster.svg");
        let poster = pages::find(&host, &poster).await.map(|_| format!("/web/{poster}"));
        rulebooks
            .push(json!({"name": name, "about": rules.about(), "poster": poster, "people": rules.is_on_common_wire()}));
    }
    let (ports, clients, program) = (host.ports(), host.clients_port(), &host.options.program);
    let answer = json!({
        "scenarios": named, "rulebooks": rulebooks, "pages": pages, "ports": ports, "clients": clients, "program": program
    });
    Ok(json_body(&answer).into_response())
}

/// Opens the chronicle of a game and reads it with `look`.
async fn open<T: Send + 'static>(
    host: &Arc<Host>,
    name: String,
    look: impl FnOnce(&GameHead, &dyn Chronicle) -> Result<T, Refused> + Send + 'static,
) -> Result<T, ApiError> {
    let turn = host.viewer.turn().await?;
    let (head, book) = host.cache.open(&host.viewer, &turn, &name).await?;
    let looked = host.viewer.work(&turn, move || {
        let chronicle = book.chronicle.read().unwrap_or_else(PoisonError::into_inner);
        look(&head, &**chronicle)
    });
    looked.await.map_err(ApiError::from)
}

pub(super) fn unknown(name: &str) -> Refused {
    Refused::new(Reason::UnknownGame, format!("There is no game {name}."))
}
