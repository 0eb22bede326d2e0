//! A player of 2017: the host holds its requests until there is an answer, and the player repeats those that have none. It knows
//! only its own id, and finds its game in the log.

use std::sync::LazyLock;

use engine::{CommId, JavaRandom, Rulebook};
use tokio::time::sleep;
use treasure::{
    documents::y2017::{
        answer::{Answer, Updated},
        map_text,
        request::{NewMap, NewPlayer, Trouble, Update},
    },
    players::half,
};
use treasure_rules::{Coding, Direction, Field, Game, Outcome, Position, Reason, Terrain, Year};

use super::asking::{Asked, Asker};
use crate::{coverage::Covered, http::Request, ledger::Book, observer::Check};

/// How many different halves players send.
const HALVES: i64 = 16;

static HALF_TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let profile = Year::Y2017.profile();
    let half = |seed| half::random(profile, &mut JavaRandom::new(seed)).fields();
    let text =
        |fields: Vec<Field>| map_text::write(fields.iter().map(|field| (field.terrain, field.fort)), Coding::Digits0);
    (0..HALVES).map(half).map(text).collect()
});

/// Plays a game with the next player who comes.
pub(super) async fn play(asker: &mut Asker, round: usize) {
    if let Some(mut seat) = register(asker, round).await
        && let Some(fields) = seat.send_half().await
    {
        seat.walk(&fields).await;
    }
    asker.player.table.abandon(round);
}

async fn pause(asker: &mut Asker) {
    let pause = asker.player.random.millis(50..=500);
    sleep(pause).await;
}

/// Registers until it has an id. An id whose answer is lost loses its game.
async fn register(asker: &mut Asker, round: usize) -> Option<Seat<'_>> {
    let number = asker.player.number;
    let names = NewPlayer { first_name: "Bo".into(), last_name: format!("Seeker {number}"), number: "a01".into() };
    let body = names.write();
    while !asker.player.table.is_abandoned(round) {
        asker.player.handle.doing("registers for a game of 2017".into());
        match read(asker, Request { path: "/NewPlayer", body: Some(&body) }).await {
            Some(Answer::NewPlayer { id }) => {
                let stored = |game: &Game| game.client_with(&id.to_string());
                let found = asker.player.site.ledger.find_last(|book| stored(book.game()));
                let Some((game, client)) = found else {
                    asker.fail(Check::HeardIsStored, &format!("player {id} is told and not stored"));
                    return None;
                };
                if !asker.player.site.claim(&game, client) {
                    asker.fail(Check::Resume, &format!("two players of {game} are the same client"));
                }
                return Some(Seat { asker, round, game, id, client, seen: 0, may_be_answered: false });
            }
            Some(Answer::Trouble { .. } | Answer::NewMap { .. } | Answer::Update(_)) => {
                asker.fail(Check::Protocol, "a registration gives no id");
            }
            None => {}
        }
        pause(asker).await;
    }
    None
}

/// Asks, and reads the answer.
async fn read(asker: &mut Asker, request: Request<'_>) -> Option<Answer> {
    let Asked::Answer(answer) = asker.ask(request).await else { return None };
    let read = Answer::read(&answer);
    if let Err(problem) = &read {
        asker.fail(Check::Protocol, &problem.to_string());
    }
    read.ok()
}

/// The place of a player in one game.
struct Seat<'a> {
    asker: &'a mut Asker,
    round: usize,
    game: String,
    id: i32,
    client: CommId,
    /// The number of the entry whose state it has seen.
    seen: usize,
    /// Whether the host may have answered an earlier request, or may still hold it. Then a repeated one is a mistake.
    may_be_answered: bool,
}

impl Seat<'_> {
    fn fail(&self, check: Check, facts: &str) {
        self.asker.fail(check, &format!("game {}, player {}: {facts}", self.game, self.id));
    }

    /// Whether the others of its table have left, and do not wait for the end of this game.
    fn must_leave(&self) -> bool {
        let is_over = self.asker.look(&self.game, |book| book.is_over()) == Some(true);
        self.asker.player.table.is_abandoned(self.round) && !is_over
    }

    /// Repeats a request until it is answered. `None` if the game is over, or the others have left.
    async fn ask(&mut self, path: &str, body: &str) -> Option<Answer> {
        self.asker.player.handle.doing(format!("player {} asks {path} in {}", self.id, self.game));
        loop {
            match read(self.asker, Request { path, body: Some(body) }).await {
                Some(Answer::Trouble { loss }) => {
                    self.check_trouble(loss, true);
                    return None;
                }
                Some(answer) => return Some(answer),
                None => self.may_be_answered |= self.asker.may_be_answered,
            }
            // The request may be held, or its answer lost: another one tells whether the host is there.
            let trouble = Trouble { id: self.id }.write();
            match read(self.asker, Request { path: "/Problem", body: Some(&trouble) }).await {
                Some(Answer::Trouble { loss: true }) => {
                    self.check_trouble(true, true);
                    return None;
                }
                Some(Answer::Trouble { loss: false }) => self.check_trouble(false, false),
                Some(Answer::NewPlayer { .. } | Answer::NewMap { .. } | Answer::Update(_)) => {
                    self.fail(Check::Protocol, "a problem is answered by something else");
                }
                None => {}
            }
            if self.must_leave() {
                return None;
            }
            self.asker.player.site.observer.cover(Covered::HeldRepeated);
            pause(self.asker).await;
        }
    }

    /// Whether the player has lost is told as it is stored. A request is in trouble only if the game is over.
    fn check_trouble(&self, loss: bool, is_end: bool) {
        let outcome = self.asker.look(&self.game, |book| {
            book.game().outcome().map(|outcome| (outcome, book.game().player_of(self.client)))
        });
        let lost = |(outcome, player): (Outcome, Option<_>)| {
            (outcome.reason(), player.is_some_and(|player| outcome.has_lost(player)))
        };
        match outcome.flatten().map(lost) {
            Some((reason, true)) if !self.may_be_answered && is_mistake(reason) => {
                self.fail(Check::Commands, &format!("it has lost because of a repeated request: {reason:?}"));
            }
            Some((_, lost)) if is_end && lost != loss => {
                self.fail(Check::End, &format!("it is told loss {loss}, and the log says {lost}"));
            }
            Some(_) => self.asker.player.site.observer.cover(Covered::GameOver),
            None if loss || is_end => self.fail(Check::End, "a request fails, and the log has no end of the game"),
            None => {}
        }
    }

    /// Sends a half until both are there, and returns the map.
    async fn send_half(&mut self) -> Option<Vec<Field>> {
        let half = self.asker.player.random.pick(&HALF_TEXTS)?.clone();
        let body = NewMap { id: self.id, half }.write();
        match self.ask("/MapCreation", &body).await? {
            Answer::NewMap { full } => {
                let is_charted = self.asker.look(&self.game, |book| book.game().is_charted());
                if is_charted != Some(true) {
                    self.fail(Check::HeardIsStored, "it is told a map that is not stored");
                }
                let read = map_text::read(&full);
                if let Err(problem) = &read {
                    self.fail(Check::Protocol, &problem.to_string());
                }
                read.ok().map(|(fields, _)| fields)
            }
            Answer::NewPlayer { .. } | Answer::Update(_) | Answer::Trouble { .. } => {
                self.fail(Check::Protocol, "a half is answered by something else");
                None
            }
        }
    }

    /// Walks from field to field until the game is over.
    async fn walk(&mut self, fields: &[Field]) {
        let Some(mut at) = fields.iter().find(|field| field.fort).map(|field| field.at) else {
            return self.fail(Check::Protocol, "the map has no fort");
        };
        loop {
            let Some((to, cost)) = self.choose(fields, at) else { return };
            for turns in (0..=cost).rev() {
                if self.must_leave() {
                    return;
                }
                let pause = self.asker.player.random.millis(20..=600);
                sleep(pause).await;
                let Some(updated) = self.update(at, to, turns.into()).await else { return };
                self.check_update(&updated);
                if updated.win || updated.loss {
                    return self.check_trouble(updated.loss, true);
                }
            }
            at = to;
        }
    }

    async fn update(&mut self, at: Position, to: Position, turns: i32) -> Option<Updated> {
        let number = |place: u8| i32::from(place) + 1;
        let (x, y, wanted_x, wanted_y) = (number(at.x), number(at.y), number(to.x), number(to.y));
        let update = Update { id: self.id, x, y, wanted_x, wanted_y, turns };
        match self.ask("/Updates", &update.write()).await? {
            Answer::Update(updated) => Some(updated),
            Answer::NewPlayer { .. } | Answer::NewMap { .. } | Answer::Trouble { .. } => {
                self.fail(Check::Protocol, "an update is answered by something else");
                None
            }
        }
    }

    /// A field beside this one that is not water, and the number of requests before the step.
    fn choose(&mut self, fields: &[Field], at: Position) -> Option<(Position, u8)> {
        let terrain = |at: Position| fields.iter().find(|field| field.at == at).map(|field| field.terrain);
        let to = |direction: Direction| {
            let to = at.toward(direction)?;
            let costs = (terrain(at)?.cost(), terrain(to).filter(|terrain| *terrain != Terrain::Water)?.cost());
            Some((to, costs.0 + costs.1))
        };
        let dry: Vec<_> = Direction::ALL.into_iter().filter_map(to).collect();
        self.asker.player.random.pick(&dry).copied()
    }

    /// The answer to an update is the state of a stored entry, and never of an earlier one than before.
    fn check_update(&mut self, updated: &Updated) {
        let found = self.asker.look(&self.game, |book| {
            let mut states = book.states().iter().enumerate().skip(self.seen);
            states.find(|(_, game)| shows(game, self.client, updated)).map(|(entry, _)| entry)
        });
        match found.flatten() {
            Some(entry) => self.seen = entry,
            None => self.fail(Check::HeardIsStored, "an update is answered with a state that no stored entry gives"),
        }
        self.asker.player.site.observer.cover(Covered::UpdateAnswered);
    }
}

/// Whether a player has lost by a mistake that this one makes only if the game takes a request twice. A second half is no such
/// mistake: by the rules it loses while the first is held, even if its connection is dead and the host cannot know that.
fn is_mistake(reason: Reason) -> bool {
    matches!(reason, Reason::WrongPosition | Reason::WrongCount | Reason::NotANeighbour)
}

/// Whether an answer is what a client may know of a game.
fn shows(game: &Game, client: CommId, told: &Updated) -> bool {
    let view = game.view_ref(client);
    let is_at = |known: Option<Position>, (x, y): (i32, i32)| {
        known.is_some_and(|known| (i32::from(known.x) + 1, i32::from(known.y) + 1) == (x, y))
    };
    is_at(view.position(), (told.x, told.y))
        && is_at(view.enemy_position(), (told.enemy_x, told.enemy_y))
        && (view.has_treasure(), view.has_won(), view.has_lost()) == (told.treasure, told.win, told.loss)
}
