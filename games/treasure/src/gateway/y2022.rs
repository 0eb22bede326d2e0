//! The protocol of 2022: games with ids, envelopes, and a status that clients poll.

use std::{sync::Arc, time::Duration};

use axum::{
    Extension,
    body::Body,
    extract::{Path, RawQuery, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use commlib::Refused;
use engine::{CommId, Emission, Rulebook};
use server::{RequestClient, World};
use tokio::time::Instant;
use treasure_rules::{Command, Event, Game, Player, Refusal, Year};

use super::{
    DUMMY_ACCOUNT, Dummy, RequestError, STOPPING, Treasure,
    games::{KnownGame, Poll},
    meeting, note, read_document, refusal, status, to_the_end, xml as answer,
};
use crate::documents::y2022::{
    answer::{Answer, GameIdentifier, error, registration_error},
    request::{HalfMap, Move, Registration, sender},
};

/// The delay of a status request that comes too soon.
const DELAY: Duration = Duration::from_secs(1);

pub(super) async fn create(
    State(treasure): State<Arc<Treasure>>,
    client: Option<Extension<RequestClient>>,
    RawQuery(query): RawQuery,
) -> Response {
    if let Some(Extension(RequestClient(client))) = client
        && let Err(refused) = treasure.games.host().may_create(client)
    {
        return (StatusCode::TOO_MANY_REQUESTS, refused.message).into_response();
    }
    let query = query.unwrap_or_default();
    let (debug, dummy) = (is_on(&query, "enableDebugMode"), is_on(&query, "enableDummyCompetition"));
    let scenario = treasure.options.profile.scenario(Year::Y2022, debug, dummy);
    let made = to_the_end(async move {
        let game = treasure.games.create(&scenario, treasure.options.profile.seed()).await?;
        meeting::count_game_of_2022(&treasure, &game.name).await?;
        Ok::<_, Refused>(game)
    });
    match made.await.flatten() {
        Ok(table) => answer(GameIdentifier(table.name.to_string()).write()),
        Err(refused) => (StatusCode::SERVICE_UNAVAILABLE, refused.message).into_response(),
    }
}

/// Whether a query switches an option on. Letter case does not matter.
fn is_on(query: &str, name: &str) -> bool {
    query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .any(|(key, value)| key.eq_ignore_ascii_case(name) && value.eq_ignore_ascii_case("true"))
}

pub(super) async fn register(
    State(treasure): State<Arc<Treasure>>,
    Path(game): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    match try_register(treasure, game, headers, body).await {
        Ok(id) => answer(Answer::Player(id).write()),
        Err(trouble) => failure_as(registration_error, &trouble),
    }
}

async fn try_register(
    treasure: Arc<Treasure>,
    game: String,
    headers: HeaderMap,
    body: Body,
) -> Result<String, RequestError> {
    let bytes = read_document(&headers, body).await?;
    let table = known(&treasure, &game).await?;
    let registration = Registration::read(&bytes).map_err(unreadable)?;
    to_the_end(async move { register_in(&treasure, &table, registration).await }).await?
}

async fn register_in(
    treasure: &Treasure,
    table: &KnownGame,
    registration: Registration,
) -> Result<String, RequestError> {
    // A client that the rules would refuse must not join.
    table.handle.look(|last| last.game.vacancy()).map_err(|refusal| RequestError::from(&refusal))?;
    let id = new_id(&**treasure.games.host().world())?;
    let client = table.handle.join().await?;
    let command = Command::Register {
        id: (&*id).into(),
        first_name: registration.first_name.into(),
        last_name: registration.last_name.into(),
        account: registration.account.into(),
    };
    let entry = table.handle.submit(client, command).await?;
    if let Some(refusal) = refusal(&entry) {
        return Err(refusal.into());
    }
    let came_first = |emission: &Emission<Event>| {
        matches!(emission, Emission::Event { event: Event::Registered { player: Player::First, .. }, .. })
    };
    if entry.emissions.iter().any(came_first) && table.handle.look(|last| last.game.public().setup().dummy) {
        (treasure.options.dummy)(Dummy { game: table.name.to_string(), player: None });
    }
    Ok(id)
}

/// Starts the dummies of running games again. They ended with the last process.
pub(super) fn call_dummies(treasure: &Treasure) {
    for table in treasure.games.all() {
        if let Some(player) = table.handle.look(|last| missing_dummy(&last.game)) {
            (treasure.options.dummy)(Dummy { game: table.name.to_string(), player });
        }
    }
}

/// Returns whether a game lacks its dummy, and the id that the dummy had before.
fn missing_dummy(game: &Game) -> Option<Option<String>> {
    if !game.public().setup().dummy || game.outcome().is_some() {
        return None;
    }
    match &*game.players() {
        [_, second] if *second.account == *DUMMY_ACCOUNT => Some(Some(second.id.to_string())),
        [_] => Some(None),
        _ => None,
    }
}

pub(super) async fn send_half(
    State(treasure): State<Arc<Treasure>>,
    Path(game): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    act(&treasure, &game, (headers, body), |bytes| {
        let half = HalfMap::read(bytes)?;
        let fields = half.nodes.iter().map(status::field).collect();
        Ok((half.player, Command::SendHalf { fields, coding: None }))
    })
    .await
}

pub(super) async fn make_move(
    State(treasure): State<Arc<Treasure>>,
    Path(game): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    act(&treasure, &game, (headers, body), |bytes| {
        let wanted = Move::read(bytes)?;
        Ok((wanted.player, Command::Move { direction: wanted.direction }))
    })
    .await
}

/// Reads a command and submits it.
async fn act(
    treasure: &Treasure,
    game: &str,
    request: (HeaderMap, Body),
    read: impl Fn(&[u8]) -> Result<(String, Command), xml::Problem>,
) -> Response {
    match try_act(treasure, game, request, read).await {
        Ok(()) => answer(Answer::Okay.write()),
        Err(trouble) => failure(&trouble),
    }
}

async fn try_act(
    treasure: &Treasure,
    game: &str,
    request: (HeaderMap, Body),
    read: impl Fn(&[u8]) -> Result<(String, Command), xml::Problem>,
) -> Result<(), RequestError> {
    let (headers, body) = request;
    let bytes = read_document(&headers, body).await?;
    let table = known(treasure, game).await?;
    let (client, command) = match read(&bytes) {
        Ok((player, command)) => (client_of(&table, &player)?, command),
        Err(problem) => {
            if let Some(client) = sender(&bytes).and_then(|player| client_of(&table, &player).ok()) {
                note(&table.handle, client, &problem.to_string()).await;
            }
            return Err(unreadable(problem));
        }
    };
    let entry = table.handle.submit(client, command).await?;
    refusal(&entry).map_or(Ok(()), |refusal| Err(named(&table, refusal)))
}

/// A refusal. A half that breaks rules is told the profile that has them, if it is not that of the protocol.
fn named(table: &KnownGame, refusal: &Refusal) -> RequestError {
    let mut error = RequestError::from(refusal);
    if let Refusal::InvalidHalf { .. } = refusal {
        table.handle.look(|last| {
            let profile = last.game.public().profile();
            if profile.name != profile.year.name() {
                error.words = format!("{} This game has the profile {}.", error.words, profile.name);
            }
        });
    }
    error
}

pub(super) async fn status(
    State(treasure): State<Arc<Treasure>>,
    Path((game, player)): Path<(String, String)>,
) -> Response {
    let table = match known(&treasure, &game).await {
        Ok(table) => table,
        Err(trouble) => return failure(&trouble),
    };
    let now = treasure.options.polling_delay.then(Instant::now);
    let shuffle = treasure.options.shuffle_nodes;
    let mut polled = table.poll(&player, now, shuffle);
    if matches!(polled, Poll::TooSoon) {
        tokio::time::sleep(DELAY).await;
        polled = table.poll(&player, None, shuffle);
    }
    match polled {
        Poll::Answer(bytes) => answer(bytes),
        Poll::UnknownPlayer | Poll::TooSoon => failure(&unknown_player(&player)),
    }
}

fn failure(trouble: &RequestError) -> Response {
    failure_as(error, trouble)
}

/// The answer to a request that failed, in one of the forms of errors.
fn failure_as(write: fn(&str, &str) -> String, trouble: &RequestError) -> Response {
    if trouble.name == STOPPING {
        return (StatusCode::SERVICE_UNAVAILABLE, trouble.words.clone()).into_response();
    }
    answer(write(trouble.name, &trouble.words))
}

async fn known(treasure: &Treasure, game: &str) -> Result<Arc<KnownGame>, RequestError> {
    let words = || {
        let game: String = game.chars().take(20).collect();
        let time = treasure.options.profile.game_time(Year::Y2022);
        let exists = time.map_or_else(String::new, |time| format!(": a game exists for {}", in_words(time)));
        format!("There is no game {game:?}, or no longer{exists}; GET /games creates a new one.")
    };
    treasure.games.find(game).await.ok_or_else(|| RequestError::new("UnknownGame", words()))
}

/// A time limit of a game in words.
fn in_words(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds.is_multiple_of(60) && seconds > 60 => format!("{} minutes", seconds / 60),
        seconds => format!("{seconds} seconds"),
    }
}

fn client_of(table: &KnownGame, player: &str) -> Result<CommId, RequestError> {
    table.handle.look(|last| last.game.client_with(player)).ok_or_else(|| unknown_player(player))
}

fn unknown_player(player: &str) -> RequestError {
    let player: String = player.chars().take(40).collect();
    RequestError::new(
        "UnknownPlayer",
        format!("No player in this game has the id {player:?}; use the id from your registration."),
    )
}

fn unreadable(problem: xml::Problem) -> RequestError {
    RequestError::new("Unreadable", problem.to_string())
}

/// A random UUID.
fn new_id(world: &dyn World) -> Result<String, RequestError> {
    let mut bytes = [0; 16];
    world
        .random(&mut bytes)
        .map_err(|error| RequestError::new("NoRandomness", format!("The system gives no random numbers: {error}.")))?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok([&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-"))
}
