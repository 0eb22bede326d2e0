//! Protocol 2017: no games to choose, no status. Requests wait until there is an answer, and whatever goes wrong is answered
//! alike.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    body::Body,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use commlib::{Reason, Refused};
use engine::{CommId, Rulebook};
use server::{Committed, GameHandle, body, log::Cell, sync::lock};
use treasure_rules::{Coding, Command, Game, Refusal, Terrain, Turn, Year};

use super::{
    LONGEST_BODY, Treasure, note, refusal,
    tables::{Seat, Table},
    to_the_end, xml as answer,
};
use crate::{
    documents::y2017::{
        Spelling,
        answer::{Answer, Updated},
        map_text,
        request::{Garbled, Heard, NewMap, NewPlayer, Trouble, Update},
    },
    records::{PLAYER, PLAYER_ID},
};

/// How long a request is held at most. Whoever waits for somebody who does not come asks again.
const LONGEST_HOLD: Duration = Duration::from_secs(60);

/// Whose requests are being held, and whose last command was answered. What is in nobody's memory after a restart counts as not
/// answered: who asks again then is not counting wrongly, but missed the answer.
#[derive(Default)]
pub(super) struct Held {
    waiting: Mutex<HashSet<i32>>,
    answered: Mutex<HashSet<i32>>,
}

/// A request that is being held, until this is dropped.
struct Hold<'h> {
    held: &'h Held,
    id: i32,
}

impl Held {
    /// Nothing where another request of the player is held.
    fn hold(&self, id: i32) -> Option<Hold<'_>> {
        lock(&self.waiting).insert(id).then_some(Hold { held: self, id })
    }

    fn is_answered(&self, id: i32) -> bool {
        lock(&self.answered).contains(&id)
    }

    fn answer(&self, id: i32) {
        lock(&self.answered).insert(id);
    }

    /// Keeps of the answered only those who play.
    fn forget(&self, plays: impl Fn(i32) -> bool) {
        lock(&self.answered).retain(|id| plays(*id));
    }

    /// A command is handed in that waits for its answer.
    fn expect(&self, id: i32) {
        lock(&self.answered).remove(&id);
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        lock(&self.held.waiting).remove(&self.id);
    }
}

/// Why there is no other answer.
enum Problem {
    /// Something went wrong; with whether the asker has lost.
    Trouble { loss: bool },
    /// The host stops, and somebody who asks again when it is back has missed nothing.
    Stopping,
}

const NOT_LOST: Problem = Problem::Trouble { loss: false };

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        if refused.reason == Reason::ShuttingDown { Self::Stopping } else { NOT_LOST }
    }
}

impl Seat {
    /// A game that is neither over nor has a room goes on when the host is back.
    fn problem(&self) -> Problem {
        let has_room = self.table.handle.is_open();
        let known = |game: &Game| (game.outcome(), game.player_of(self.client));
        match self.table.handle.look(|last| known(&last.game)) {
            (None, _) if !has_room => Problem::Stopping,
            (Some(outcome), Some(player)) => Problem::Trouble { loss: outcome.has_lost(player) },
            (Some(_), None) | (None, _) => NOT_LOST,
        }
    }

    /// Hands in a command; that the game is over meanwhile is for the caller to see.
    async fn submit(&self, command: Command) -> Result<Committed<Game>, Problem> {
        match self.table.handle.submit(self.client, command).await {
            Ok(entry) => Ok(entry),
            Err(refused) if refused.reason == Reason::GameOver => Err(self.problem()),
            Err(refused) => Err(refused.into()),
        }
    }
}

pub(super) async fn new_player(State(treasure): State<Arc<Treasure>>, body: Body) -> Response {
    let all = treasure.clone();
    respond(&treasure, body, NewPlayer::read, async move |_, request| {
        let id = to_the_end(async move { registered(&all, request).await }).await??;
        Ok(Answer::NewPlayer { id })
    })
    .await
}

pub(super) async fn new_map(State(treasure): State<Arc<Treasure>>, body: Body) -> Response {
    respond(&treasure, body, NewMap::read, mapped).await
}

pub(super) async fn update(State(treasure): State<Arc<Treasure>>, body: Body) -> Response {
    respond(&treasure, body, Update::read, updated).await
}

pub(super) async fn trouble(State(treasure): State<Arc<Treasure>>, body: Body) -> Response {
    respond(&treasure, body, Trouble::read, async |treasure, request| {
        let seat = treasure.tables.seat(request.id).ok_or(NOT_LOST)?;
        Err(seat.problem())
    })
    .await
}

/// Reads a request, answers it, and writes the answer as the request is written.
async fn respond<T>(
    treasure: &Treasure,
    body: Body,
    read: impl Fn(&[u8]) -> Result<Heard<T>, Garbled>,
    grant: impl AsyncFnOnce(&Treasure, T) -> Result<Answer, Problem>,
) -> Response {
    let Ok(bytes) = body::read(body, LONGEST_BODY).await else {
        return answer(Answer::Trouble { loss: false }.write(&Spelling::default()));
    };
    let (granted, spelling) = match read(&bytes) {
        Ok(Heard { request, spelling }) => (grant(treasure, request).await, spelling),
        Err(Garbled { problem, spelling, id }) => (Err(garbled(treasure, &problem.to_string(), id).await), spelling),
    };
    let written = match granted {
        Ok(granted) => granted,
        Err(Problem::Trouble { loss }) => Answer::Trouble { loss },
        Err(Problem::Stopping) => return StatusCode::SERVICE_UNAVAILABLE.into_response(),
    };
    answer(written.write(&spelling))
}

/// Notes what cannot be read where its sender is known.
async fn garbled(treasure: &Treasure, problem: &str, id: Option<i32>) -> Problem {
    let Some(seat) = id.and_then(|id| treasure.tables.seat(id)) else { return NOT_LOST };
    // What it comes to is the seat's problem, whether or not it could be noted.
    note(&seat.table.handle, seat.client, problem).await;
    seat.problem()
}

/// Two make a game, the next two the next one.
async fn registered(treasure: &Treasure, request: NewPlayer) -> Result<i32, Problem> {
    let _one_at_a_time = treasure.pairing.lock().await;
    let is_on = |seat: Seat| seat.table.handle.look(|last| last.game.outcome().is_none());
    treasure.held.forget(|id| treasure.tables.seat(id).is_some_and(is_on));
    let id = new_id(treasure).await?;
    let command = Command::Register {
        id: id.to_string().into(),
        first_name: request.first_name.into(),
        last_name: request.last_name.into(),
        account: request.number.into(),
    };
    loop {
        let table = match waiting(treasure) {
            Some(table) => table,
            None => treasure.tables.create(r#"{"year":2017}"#).await?,
        };
        match seated(&table.handle, command.clone()).await {
            Ok((_, entry)) if refusal(&entry).is_some() => return Err(NOT_LOST),
            Ok((client, _)) => {
                treasure.tables.take_seat(id, Seat { table, client });
                return Ok(id);
            }
            // It ended before anybody could come.
            Err(refused) if refused.reason == Reason::GameOver => {}
            Err(refused) => return Err(refused.into()),
        }
    }
}

async fn seated(handle: &GameHandle<Game>, command: Command) -> Result<(CommId, Committed<Game>), Refused> {
    let client = handle.join().await?;
    Ok((client, handle.submit(client, command).await?))
}

/// A game that waits for a player, and has a room to enter: one with somebody in it before one that nobody has come to.
fn waiting(treasure: &Treasure) -> Option<Arc<Table>> {
    let missing = |table: &Table| {
        let player = table.handle.look(|last| last.game.vacancy().ok());
        player.filter(|_| table.year == Year::Y2017 && table.handle.is_open())
    };
    let waiting = treasure.tables.all().into_iter().filter_map(|table| Some((missing(&table)?, table)));
    waiting.max_by_key(|(player, _)| *player as usize).map(|(_, table)| table)
}

/// A number that nobody can guess and nobody has had.
async fn new_id(treasure: &Treasure) -> Result<i32, Problem> {
    let host = treasure.tables.host();
    loop {
        let mut bytes = [0; 4];
        host.world().random(&mut bytes).map_err(|_| NOT_LOST)?;
        let id = i32::from_ne_bytes(bytes) & i32::MAX;
        if id == 0 || treasure.tables.seat(id).is_some() {
            continue;
        }
        let known = host.log().records(PLAYER, Some((PLAYER_ID, Cell::Integer(id.into())))).await;
        if known.map_err(|_| NOT_LOST)?.is_empty() {
            return Ok(id);
        }
    }
}

/// Takes a half, and holds the request until the other is there.
async fn mapped(treasure: &Treasure, request: NewMap) -> Result<Answer, Problem> {
    let seat = treasure.tables.seat(request.id).ok_or(NOT_LOST)?;
    let (fields, coding) = match map_text::read(&request.half) {
        Ok(half) => half,
        Err(problem) => {
            // What was wrong is noted. It is no half, and so an invalid one.
            note(&seat.table.handle, seat.client, &problem).await;
            seat.submit(Command::SendHalf { fields: Vec::new(), coding: None }).await?;
            return Err(seat.problem());
        }
    };
    let hold = treasure.held.hold(request.id);
    // Who sent its half, waits no longer and has no answer asks for the one that was lost.
    let again = hold.is_some()
        && !treasure.held.is_answered(request.id)
        && seat.table.handle.look(|last| last.game.has_half_of(seat.client));
    if !again {
        treasure.held.expect(request.id);
        let entry = seat.submit(Command::SendHalf { fields, coding: Some(coding) }).await?;
        if refusal(&entry).is_some() {
            return Err(seat.problem());
        }
    }
    let settled = |game: &Game| (game.is_charted() || game.outcome().is_some()).then_some(());
    let waited = tokio::time::timeout(LONGEST_HOLD, seat.table.handle.until(settled)).await;
    // Without a room the last state is there, too.
    let _room_is_gone = waited.map_err(|_| NOT_LOST)?;
    let full = seat.table.handle.look(|last| full_map(&last.game, seat.client)).ok_or_else(|| seat.problem())?;
    treasure.held.answer(request.id);
    Ok(Answer::NewMap { full })
}

/// The map as a player may know it, in the coding of its own half.
fn full_map(game: &Game, client: CommId) -> Option<String> {
    let view = game.view_ref(client);
    let chart = view.board.chart().filter(|chart| chart.is_complete())?;
    let fort = view.fort()?;
    let fields = chart.fields().map(|(at, terrain)| if at == fort { (Terrain::Grass, true) } else { (terrain, false) });
    Some(map_text::write(fields, view.coding().unwrap_or(Coding::Digits0)))
}

/// Holds the request until it is the sender's turn, and hands it in.
async fn updated(treasure: &Treasure, request: Update) -> Result<Answer, Problem> {
    let seat = treasure.tables.seat(request.id).ok_or(NOT_LOST)?;
    let handle = &seat.table.handle;
    let command = Command::Update {
        x: request.x.saturating_sub(1),
        y: request.y.saturating_sub(1),
        wanted_x: request.wanted_x.saturating_sub(1),
        wanted_y: request.wanted_y.saturating_sub(1),
        turns: request.turns,
    };
    // It could only be a mistake, so who missed the answer may ask again.
    if treasure.held.is_answered(request.id) || !handle.look(|last| last.game.repeats(seat.client, &command)) {
        treasure.held.expect(request.id);
        play(&seat, &command).await?;
    }
    let updated = handle.look(|last| standing(&last.game, seat.client)).ok_or_else(|| seat.problem())?;
    treasure.held.answer(request.id);
    Ok(Answer::Update(updated))
}

/// Hands in an update when it is the player's turn.
async fn play(seat: &Seat, command: &Command) -> Result<(), Problem> {
    let handle = &seat.table.handle;
    let ready = |game: &Game| match game.turn_of(seat.client) {
        Turn::Others => None,
        // Before both halves are there an update is a mistake.
        turn @ (Turn::Own | Turn::NoMap | Turn::Over) => Some(turn),
    };
    loop {
        let waited = tokio::time::timeout(LONGEST_HOLD, handle.until(ready)).await.map_err(|_| NOT_LOST)?;
        // Without a room the last state is there, too.
        if waited.unwrap_or_else(|_| handle.look(|last| last.game.turn_of(seat.client))) == Turn::Over {
            return Ok(());
        }
        let entry = match handle.submit(seat.client, command.clone()).await {
            Ok(entry) => entry,
            Err(refused) if refused.reason == Reason::GameOver => return Ok(()),
            Err(refused) => return Err(refused.into()),
        };
        match refusal(&entry) {
            // Another request of the same player was faster.
            Some(Refusal::NotYourTurn { .. }) => {}
            Some(_) => return Err(seat.problem()),
            // Who goes into water or off the map has made a move, and its answer says that it has lost.
            None => return Ok(()),
        }
    }
}

/// How things stand for a player. Who has no position yet has nothing to be told.
fn standing(game: &Game, client: CommId) -> Option<Updated> {
    let view = game.view_ref(client);
    let (own, enemy) = (view.position()?, view.enemy_position()?);
    Some(Updated {
        x: i32::from(own.x) + 1,
        y: i32::from(own.y) + 1,
        enemy_x: i32::from(enemy.x) + 1,
        enemy_y: i32::from(enemy.y) + 1,
        treasure: view.has_treasure(),
        win: view.has_won(),
        loss: view.has_lost(),
    })
}
