//! The protocol of 2017: no game ids and no status. Requests wait until there is an answer, and all errors have the same answer.

use std::{
    borrow::Cow,
    collections::HashSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use commlib::{Reason, Refused};
use engine::{CommId, Rulebook};
use server::{Committed, GameHandle, PassedGame, body, log::Cell, sync::lock};
use treasure_rules::{Coding, Command, Game, Refusal, Terrain, Turn, Year};

use super::{
    LONGEST_BODY, Treasure,
    games::{KnownGame, Participant},
    meeting, note, refusal, to_the_end, xml as answer,
};
use crate::{
    documents::y2017::{
        Spelling,
        answer::{Answer, Updated},
        map_text,
        request::{Garbled, NewMap, NewPlayer, Parsed, Trouble, Update},
    },
    records::{PLAYER, PLAYER_ID},
};

/// The longest time that a request is held. A client whose opponent has not come by then retries.
const LONGEST_HOLD: Duration = Duration::from_secs(60);

/// How often a player who waits for an opponent says so again to the other hosts.
const WAITS_AGAIN: Duration = Duration::from_secs(5);

/// The players whose requests are being held, and the players whose last command was answered. After a restart, no command
/// counts as answered: a client that repeats its update has missed the answer, and has not counted wrongly.
#[derive(Default)]
pub(super) struct Held {
    waiting: Mutex<HashSet<i32>>,
    answered: Mutex<HashSet<i32>>,
}

/// A request that is held until this guard is dropped.
struct Hold<'h> {
    held: &'h Held,
    id: i32,
}

impl Held {
    /// Returns `None` if another request of the player is held.
    fn hold(&self, id: i32) -> Option<Hold<'_>> {
        lock(&self.waiting).insert(id).then_some(Hold { held: self, id })
    }

    fn is_answered(&self, id: i32) -> bool {
        lock(&self.answered).contains(&id)
    }

    fn answer(&self, id: i32) {
        lock(&self.answered).insert(id);
    }

    /// Removes answered players whose games are over.
    fn forget(&self, plays: impl Fn(i32) -> bool) {
        lock(&self.answered).retain(|id| plays(*id));
    }

    /// Marks the player's next command as not answered yet.
    fn expect(&self, id: i32) {
        lock(&self.answered).remove(&id);
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        lock(&self.held.waiting).remove(&self.id);
    }
}

/// The reasons why a request gets no regular answer.
enum Rejection {
    /// An error, and whether the player has lost by it.
    Trouble { loss: bool },
    /// The host is stopping. A client that retries after the restart has missed nothing.
    Stopping,
}

const NOT_LOST: Rejection = Rejection::Trouble { loss: false };

impl From<Refused> for Rejection {
    fn from(refused: Refused) -> Self {
        if matches!(refused.reason, Reason::ShuttingDown | Reason::StoreUnavailable) {
            Self::Stopping
        } else {
            NOT_LOST
        }
    }
}

impl Participant {
    /// A game that has no room and is not over continues after a restart.
    fn problem(&self) -> Rejection {
        let has_room = self.game.handle.is_open();
        let known = |game: &Game| (game.outcome(), game.player_of(self.client));
        match self.game.handle.look(|last| known(&last.game)) {
            (None, _) if !has_room => Rejection::Stopping,
            (Some(outcome), Some(player)) => Rejection::Trouble { loss: outcome.has_lost(player) },
            (Some(_), None) | (None, _) => NOT_LOST,
        }
    }

    /// Submits a command, unless the game has taken it already. If the game is over, the error states whether the player has lost.
    ///
    /// A client that disconnects does not stop this. Otherwise it could repeat the command while the first one is being stored, and
    /// both would count.
    async fn submit_once(
        &self,
        command: Command,
        is_taken: impl Fn(&Game, CommId, &Command) -> bool + Send + 'static,
    ) -> Result<Option<Committed<Game>>, Refused> {
        let Self { game, client } = self.clone();
        let submitted = to_the_end(async move {
            let _one_at_a_time = game.submitting.lock().await;
            if game.handle.look(|last| is_taken(&last.game, client, &command)) {
                return Ok(None);
            }
            game.handle.submit(client, command).await.map(Some)
        });
        submitted.await?
    }

    /// The rejection of a command that could not be submitted.
    fn rejection(&self, refused: Refused) -> Rejection {
        if refused.reason == Reason::GameOver { self.problem() } else { refused.into() }
    }
}

pub(super) async fn new_player(
    State(treasure): State<Arc<Treasure>>,
    passed: Option<Extension<PassedGame>>,
    body: Body,
) -> Response {
    let all = treasure.clone();
    respond(&treasure, body, NewPlayer::read, async move |_, request| {
        let id = to_the_end(async move { try_register(&all, request, passed).await }).await??;
        Ok(Answer::NewPlayer { id })
    })
    .await
}

pub(super) async fn new_map(State(treasure): State<Arc<Treasure>>, body: Body) -> Response {
    respond(&treasure, body, NewMap::read, try_send_half).await
}

pub(super) async fn update(State(treasure): State<Arc<Treasure>>, body: Body) -> Response {
    respond(&treasure, body, Update::read, try_update).await
}

pub(super) async fn trouble(State(treasure): State<Arc<Treasure>>, body: Body) -> Response {
    respond(&treasure, body, Trouble::read, async |treasure, request| {
        let participant = treasure.games.find_participant(request.id).await.ok_or(NOT_LOST)?;
        Err(participant.problem())
    })
    .await
}

/// Reads a request, answers it, and writes the answer in the spelling of the request.
async fn respond<T>(
    treasure: &Treasure,
    body: Body,
    read: impl Fn(&[u8]) -> Result<Parsed<T>, Garbled>,
    grant: impl AsyncFnOnce(&Treasure, T) -> Result<Answer, Rejection>,
) -> Response {
    let Ok(bytes) = body::read(body, LONGEST_BODY).await else {
        return answer(Answer::Trouble { loss: false }.write(&Spelling::default()));
    };
    // What cannot be decoded cannot be read either.
    let document = xml::to_utf8(&bytes).unwrap_or(Cow::Borrowed(&bytes));
    let (granted, spelling) = match read(&document) {
        Ok(Parsed { request, spelling }) => (grant(treasure, request).await, spelling),
        Err(Garbled { problem, spelling, id }) => (Err(garbled(treasure, &problem.to_string(), id).await), spelling),
    };
    let written = match granted {
        Ok(granted) => granted,
        Err(Rejection::Trouble { loss }) => Answer::Trouble { loss },
        Err(Rejection::Stopping) => return StatusCode::SERVICE_UNAVAILABLE.into_response(),
    };
    answer(written.write(&spelling))
}

/// Logs an unreadable message if its sender can be identified.
async fn garbled(treasure: &Treasure, problem: &str, id: Option<i32>) -> Rejection {
    let Some(id) = id else { return NOT_LOST };
    let Some(participant) = treasure.games.find_participant(id).await else { return NOT_LOST };
    note(&participant.game.handle, participant.client, problem).await;
    participant.problem()
}

/// Registers a player. The first two players play one game, the next two another one.
///
/// One of several hosts is told in which game: all of them agree on it.
async fn try_register(
    treasure: &Treasure,
    request: NewPlayer,
    passed: Option<Extension<PassedGame>>,
) -> Result<i32, Rejection> {
    let _one_at_a_time = treasure.pairing.lock().await;
    let is_on = |participant: Participant| participant.game.handle.look(|last| last.game.outcome().is_none());
    treasure.held.forget(|id| treasure.games.participant(id).is_some_and(is_on));
    let id = new_id(treasure).await?;
    let command = Command::Register {
        id: id.to_string().into(),
        first_name: request.first_name.into(),
        last_name: request.last_name.into(),
        account: request.number.into(),
    };
    let mut agreed = passed.and_then(|Extension(PassedGame(game))| treasure.games.find_2017(&game));
    loop {
        let game = match agreed.take().filter(|game| is_vacant(game)).or_else(|| find_open_game(treasure)) {
            Some(game) => game,
            None => {
                let profile = &treasure.options.profile;
                treasure.games.create(&profile.scenario(Year::Y2017, false, false), profile.seed()).await?
            }
        };
        match join_and_submit(&game.handle, command.clone()).await {
            Ok((_, entry)) if refusal(&entry).is_some() => {
                meeting::does_not_wait(treasure, game).await;
                return Err(NOT_LOST);
            }
            Ok((client, _)) => {
                treasure.games.add_participant(id, Participant { game, client });
                return Ok(id);
            }
            // The game ended before the player could join.
            Err(refused) if refused.reason == Reason::GameOver => {}
            Err(refused) => return Err(refused.into()),
        }
    }
}

async fn join_and_submit(handle: &GameHandle<Game>, command: Command) -> Result<(CommId, Committed<Game>), Refused> {
    let client = handle.join().await?;
    Ok((client, handle.submit(client, command).await?))
}

fn is_vacant(game: &KnownGame) -> bool {
    game.handle.is_open() && game.handle.look(|last| last.game.vacancy().is_ok())
}

/// Finds a game that waits for a player and has a room. A game with one player comes before an empty one, and an older game
/// before a newer one.
fn find_open_game(treasure: &Treasure) -> Option<Arc<KnownGame>> {
    treasure.games.adopt();
    let missing = |game: &KnownGame| {
        let player = game.handle.look(|last| last.game.vacancy().ok());
        player.filter(|_| game.year == Year::Y2017 && game.handle.is_open())
    };
    let waiting = treasure.games.all().into_iter().filter_map(|game| Some((missing(&game)?, game)));
    // Of several, `max_by_key` takes the last.
    waiting.rev().max_by_key(|(player, _)| *player as usize).map(|(_, game)| game)
}

/// A random id that no other player has.
async fn new_id(treasure: &Treasure) -> Result<i32, Rejection> {
    let host = treasure.games.host();
    loop {
        let mut bytes = [0; 4];
        host.world().random(&mut bytes).map_err(|_| NOT_LOST)?;
        let id = i32::from_ne_bytes(bytes) & i32::MAX;
        if id == 0 || treasure.games.participant(id).is_some() {
            continue;
        }
        let known = host.log().records(PLAYER, Some((PLAYER_ID, Cell::Integer(id.into())))).await;
        if known.map_err(|_| NOT_LOST)?.is_empty() {
            return Ok(id);
        }
    }
}

/// Accepts a half, and holds the request until the opponent's half is there.
async fn try_send_half(treasure: &Treasure, request: NewMap) -> Result<Answer, Rejection> {
    let participant = treasure.games.find_participant(request.id).await.ok_or(NOT_LOST)?;
    let (fields, coding) = match map_text::read(&request.half) {
        Ok(half) => half,
        Err(problem) => {
            // A text that is not a map counts as an invalid half.
            note(&participant.game.handle, participant.client, &problem.to_string()).await;
            let invalid = Command::SendHalf { fields: Vec::new(), coding: None };
            let submitted = participant.game.handle.submit(participant.client, invalid).await;
            submitted.map_err(|refused| participant.rejection(refused))?;
            return Err(participant.problem());
        }
    };
    let hold = treasure.held.hold(request.id);
    // The half of this player was accepted, but its request is neither held nor answered. The player has missed the answer and
    // retries.
    let may_repeat = hold.is_some() && !treasure.held.is_answered(request.id);
    treasure.held.expect(request.id);
    let half = Command::SendHalf { fields, coding: Some(coding) };
    let submitted = participant.submit_once(half, move |game, client, _| may_repeat && game.has_half_of(client));
    let entry = submitted.await.map_err(|refused| participant.rejection(refused))?;
    if entry.as_ref().and_then(refusal).is_some() {
        return Err(participant.problem());
    }
    let settled = |game: &Game| (game.is_charted() || game.outcome().is_some()).then_some(());
    let waiting = async {
        loop {
            match tokio::time::timeout(WAITS_AGAIN, participant.game.handle.until(settled)).await {
                Ok(settled) => return settled,
                Err(_) => meeting::still_waits(treasure, &participant.game).await,
            }
        }
    };
    let waited = tokio::time::timeout(LONGEST_HOLD, waiting).await;
    // The last state is available even without a room.
    let _room_is_gone = waited.map_err(|_| NOT_LOST)?;
    let full = participant
        .game
        .handle
        .look(|last| full_map(&last.game, participant.client))
        .ok_or_else(|| participant.problem())?;
    treasure.held.answer(request.id);
    Ok(Answer::NewMap { full })
}

/// The map as the player may know it, in the coding of its own half.
fn full_map(game: &Game, client: CommId) -> Option<String> {
    let view = game.view_ref(client);
    let chart = view.board.chart().filter(|chart| chart.is_complete())?;
    let fort = view.fort()?;
    let fields = chart.fields().map(|(at, terrain)| if at == fort { (Terrain::Grass, true) } else { (terrain, false) });
    Some(map_text::write(fields, view.coding().unwrap_or(Coding::Digits0)))
}

/// Holds the request until it is the sender's turn, and submits it.
async fn try_update(treasure: &Treasure, request: Update) -> Result<Answer, Rejection> {
    let participant = treasure.games.find_participant(request.id).await.ok_or(NOT_LOST)?;
    let handle = &participant.game.handle;
    let command = Command::Update {
        x: request.x.saturating_sub(1),
        y: request.y.saturating_sub(1),
        wanted_x: request.wanted_x.saturating_sub(1),
        wanted_y: request.wanted_y.saturating_sub(1),
        turns: request.turns,
    };
    // The same update twice is never valid, so a client that has no answer to the first has missed it.
    let may_repeat = !treasure.held.is_answered(request.id);
    treasure.held.expect(request.id);
    submit_in_turn(&participant, &command, may_repeat).await?;
    let updated = handle.look(|last| standing(&last.game, participant.client)).ok_or_else(|| participant.problem())?;
    treasure.held.answer(request.id);
    Ok(Answer::Update(updated))
}

/// Submits an update when it is the player's turn. If it may repeat an earlier one, it is submitted once.
async fn submit_in_turn(participant: &Participant, command: &Command, may_repeat: bool) -> Result<(), Rejection> {
    let handle = &participant.game.handle;
    let is_taken = move |game: &Game, client: CommId, command: &Command| may_repeat && game.repeats(client, command);
    let ready = |game: &Game| {
        if is_taken(game, participant.client, command) {
            return Some(Ready::Taken);
        }
        match game.turn_of(participant.client) {
            Turn::Others => None,
            // An update before both halves are there is a mistake. The rules refuse it.
            Turn::Own | Turn::NoMap => Some(Ready::ToSubmit),
            Turn::Over => Some(Ready::Taken),
        }
    };
    loop {
        let waited = tokio::time::timeout(LONGEST_HOLD, handle.until(ready)).await.map_err(|_| NOT_LOST)?;
        // Without a room, the last state is available, and the host says why there is none.
        match waited.or_else(|_| handle.look(|last| ready(&last.game)).ok_or(())) {
            Ok(Ready::Taken) => return Ok(()),
            Ok(Ready::ToSubmit) | Err(()) => {}
        }
        let entry = match participant.submit_once(command.clone(), is_taken).await {
            Ok(Some(entry)) => entry,
            Ok(None) => return Ok(()),
            Err(refused) if refused.reason == Reason::GameOver => return Ok(()),
            Err(refused) => return Err(refused.into()),
        };
        match refusal(&entry) {
            // Another request of the same player was faster.
            Some(Refusal::NotYourTurn { .. }) => {}
            Some(_) => return Err(participant.problem()),
            // A step into water or off the map is accepted, and the answer states that the player has lost.
            None => return Ok(()),
        }
    }
}

/// What an update waits for.
enum Ready {
    /// It is the player's turn.
    ToSubmit,
    /// The game has taken the update, or is over.
    Taken,
}

/// The answer to an update. None if the player has no position yet.
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
