//! Protocol 2022: games with an id, envelopes, and a status that everybody asks for all the time.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    extract::{Path, RawQuery, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use engine::{CommId, Emission, Rulebook};
use server::{World, body};
use treasure_rules::{Command, Event, Game, Player};

use super::{
    DUMMY_ACCOUNT, Dummy, LONGEST_BODY, STOPPING, Treasure, Trouble, note, refusal, status,
    tables::{Poll, Table},
    to_the_end, xml as answer,
};
use crate::documents::y2022::{
    answer::{Answer, GameIdentifier, error},
    request::{HalfMap, Move, Registration, sender},
};

/// How much later a status request is answered that comes too soon.
const DELAY: Duration = Duration::from_secs(1);

pub(super) async fn create(State(treasure): State<Arc<Treasure>>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let (debug, dummy) = (is_on(&query, "enableDebugMode"), is_on(&query, "enableDummyCompetition"));
    let scenario = format!("{{\"year\":2022,\"debug\":{debug},\"dummy\":{dummy}}}");
    let made = to_the_end(async move { treasure.tables.create(&scenario).await });
    match made.await.flatten() {
        Ok(table) => answer(GameIdentifier(table.name.to_string()).write()),
        Err(refused) => (StatusCode::SERVICE_UNAVAILABLE, refused.message).into_response(),
    }
}

/// Whether a query says that something is on, in any case.
fn is_on(query: &str, name: &str) -> bool {
    query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .any(|(key, value)| key.eq_ignore_ascii_case(name) && value.eq_ignore_ascii_case("true"))
}

pub(super) async fn register(State(treasure): State<Arc<Treasure>>, Path(game): Path<String>, body: Body) -> Response {
    match read_and_registered(treasure, game, body).await {
        Ok(id) => answer(Answer::Player(id).write()),
        Err(trouble) => failure(&trouble),
    }
}

async fn read_and_registered(treasure: Arc<Treasure>, game: String, body: Body) -> Result<String, Trouble> {
    let bytes = body::read(body, LONGEST_BODY).await?;
    let table = known(&treasure, &game)?;
    let registration = Registration::read(&bytes).map_err(unreadable)?;
    to_the_end(async move { registered(&treasure, &table, registration).await }).await?
}

async fn registered(treasure: &Treasure, table: &Table, registration: Registration) -> Result<String, Trouble> {
    // Whom the rules would refuse anyhow gets no place.
    table.handle.look(|last| last.game.vacancy()).map_err(|refusal| Trouble::from(&refusal))?;
    let id = new_id(&**treasure.tables.host().world())?;
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

/// Dummies end with the process that started them; their games go on.
pub(super) fn call_dummies(treasure: &Treasure) {
    for table in treasure.tables.all() {
        if let Some(player) = table.handle.look(|last| missing_dummy(&last.game)) {
            (treasure.options.dummy)(Dummy { game: table.name.to_string(), player });
        }
    }
}

/// Whether a game waits for its dummy, and under which id it has played.
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

pub(super) async fn send_half(State(treasure): State<Arc<Treasure>>, Path(game): Path<String>, body: Body) -> Response {
    act(&treasure, &game, body, |bytes| {
        let half = HalfMap::read(bytes)?;
        let fields = half.nodes.iter().map(status::field).collect();
        Ok((half.player, Command::SendHalf { fields, coding: None }))
    })
    .await
}

pub(super) async fn make_move(State(treasure): State<Arc<Treasure>>, Path(game): Path<String>, body: Body) -> Response {
    act(&treasure, &game, body, |bytes| {
        let wanted = Move::read(bytes)?;
        Ok((wanted.player, Command::Move { direction: wanted.direction }))
    })
    .await
}

/// Reads a command and hands it in.
async fn act(
    treasure: &Treasure,
    game: &str,
    body: Body,
    read: impl Fn(&[u8]) -> Result<(String, Command), xml::Problem>,
) -> Response {
    match acted(treasure, game, body, read).await {
        Ok(()) => answer(Answer::Okay.write()),
        Err(trouble) => failure(&trouble),
    }
}

async fn acted(
    treasure: &Treasure,
    game: &str,
    body: Body,
    read: impl Fn(&[u8]) -> Result<(String, Command), xml::Problem>,
) -> Result<(), Trouble> {
    let bytes = body::read(body, LONGEST_BODY).await?;
    let table = known(treasure, game)?;
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
    refusal(&entry).map_or(Ok(()), |refusal| Err(refusal.into()))
}

pub(super) async fn status(
    State(treasure): State<Arc<Treasure>>,
    Path((game, player)): Path<(String, String)>,
) -> Response {
    let table = match known(&treasure, &game) {
        Ok(table) => table,
        Err(trouble) => return failure(&trouble),
    };
    let now = treasure.options.polling_delay.then(Instant::now);
    let mut polled = table.poll(&player, now);
    if matches!(polled, Poll::TooSoon) {
        tokio::time::sleep(DELAY).await;
        polled = table.poll(&player, None);
    }
    match polled {
        Poll::Answer(bytes) => answer(bytes),
        Poll::UnknownPlayer | Poll::TooSoon => failure(&unknown_player(&player)),
    }
}

fn failure(trouble: &Trouble) -> Response {
    if trouble.name == STOPPING {
        return (StatusCode::SERVICE_UNAVAILABLE, trouble.words.clone()).into_response();
    }
    answer(error(trouble.name, &trouble.words))
}

fn known(treasure: &Treasure, game: &str) -> Result<Arc<Table>, Trouble> {
    let words = || {
        let game: String = game.chars().take(20).collect();
        format!("There is no game {game:?}, or no longer: a game is known for 10 minutes; GET /games makes a new one.")
    };
    treasure.tables.find(game).ok_or_else(|| Trouble::new("UnknownGame", words()))
}

fn client_of(table: &Table, player: &str) -> Result<CommId, Trouble> {
    table.handle.look(|last| last.game.client_with(player)).ok_or_else(|| unknown_player(player))
}

fn unknown_player(player: &str) -> Trouble {
    let player: String = player.chars().take(40).collect();
    Trouble::new(
        "UnknownPlayer",
        format!("Nobody in this game has the id {player:?}; use the one that you got when you registered."),
    )
}

fn unreadable(problem: xml::Problem) -> Trouble {
    Trouble::new("Unreadable", problem.to_string())
}

/// A UUID that nobody can guess.
fn new_id(world: &dyn World) -> Result<String, Trouble> {
    let mut bytes = [0; 16];
    world
        .random(&mut bytes)
        .map_err(|error| Trouble::new("NoRandomness", format!("The system gives no random numbers: {error}.")))?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok([&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-"))
}
