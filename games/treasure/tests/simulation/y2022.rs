//! A player of 2022: it polls its state, acts when it must, and knows the game's id and its own over all faults.

use std::sync::LazyLock;

use engine::{CommId, JavaRandom};
use tokio::time::sleep;
use treasure::{
    documents::y2022::{
        answer::{Answer, GameIdentifier},
        request::{HalfMap, HalfNode, Move, Registration},
        state::{GameState, Node},
    },
    players::half,
};
use treasure_rules::{Command, Direction, Field, Game, PlayersState, Position, Standing, Terrain, Year};

use super::asking::{Asked, Asker};
use crate::{
    coverage::Covered,
    http::Request,
    ledger::{Book, encode},
    observer::Check,
};

/// How many different halves players send.
const HALVES: i64 = 16;

static FIELDS: LazyLock<Vec<Vec<Field>>> = LazyLock::new(|| {
    let profile = Year::Y2022.profile();
    (0..HALVES).map(|seed| half::random(profile, &mut JavaRandom::new(seed)).fields()).collect()
});

/// Plays the game of a round.
pub(super) async fn play(asker: &mut Asker, round: usize) {
    let game = begin(asker, round).await;
    let Some((id, client)) = register(asker, &game, round).await else {
        return asker.player.table.abandon(round);
    };
    Seat { asker, round, game, id, client, seen: 0, sent: Vec::new(), taken: Vec::new() }.play().await;
}

/// Creates the game of a round, or waits for it.
async fn begin(asker: &mut Asker, round: usize) -> String {
    if asker.player.number > 0 {
        return asker.player.table.clone().begun(round).await;
    }
    let is_debug = asker.player.random.chance(50);
    let path = format!("/games?enableDebugMode={is_debug}");
    loop {
        asker.player.handle.doing(format!("creates game {round} of treasure"));
        if asker.player.site.disk.is_in_trouble() {
            asker.player.site.observer.cover(Covered::CreateInStoreFault);
        }
        if let Asked::Answer(answer) = asker.ask(Request { path: &path, body: None }).await {
            let Ok(GameIdentifier(game)) = GameIdentifier::read(&answer) else {
                asker.fail(Check::Protocol, "the answer is no id of a game");
                continue;
            };
            if asker.look(&game, |_| ()).is_none() {
                asker.fail(Check::Create, &format!("game {game} is answered and is not stored"));
            }
            asker.player.table.created(round, &game);
            return game;
        }
        pause(asker).await;
    }
}

async fn pause(asker: &mut Asker) {
    let pause = asker.player.random.millis(50..=500);
    sleep(pause).await;
}

/// Registers until it has an id. `None` if an answer was lost, so that the player does not know the id that it has.
async fn register(asker: &mut Asker, game: &str, round: usize) -> Option<(String, CommId)> {
    let number = asker.player.number;
    let names = Registration {
        first_name: "Ana".into(),
        last_name: format!("Seeker {number}"),
        account: format!("account{number}"),
    };
    let (path, body) = (format!("/games/{game}/players"), names.write());
    while !asker.player.table.is_abandoned(round) {
        asker.player.handle.doing(format!("registers in {game}"));
        match read(asker, Request { path: &path, body: Some(&body) }).await {
            Some(Answer::Player(id)) => {
                let Some(client) = asker.look(game, |book| book.game().client_with(&id)).flatten() else {
                    asker.fail(Check::HeardIsStored, &format!("player {id} of {game} is told and not stored"));
                    return None;
                };
                if !asker.player.site.claim(game, client) {
                    asker.fail(Check::Resume, &format!("two players of {game} are the same client"));
                }
                return Some((id, client));
            }
            Some(Answer::Error { name, message }) => {
                let is_right = asker.look(game, |book| match &*name {
                    "GameFull" => book.game().players().len() == 2,
                    "GameOver" => book.is_over(),
                    _ => false,
                });
                if is_right != Some(true) {
                    asker.fail(Check::Protocol, &format!("it may not enter {game}: {name}: {message}"));
                }
                return None;
            }
            Some(Answer::Okay | Answer::State(_)) => asker.fail(Check::Protocol, "a registration gives no id"),
            None => {}
        }
        pause(asker).await;
    }
    None
}

/// Asks, and reads the answer.
async fn read(asker: &mut Asker, request: Request<'_>) -> Option<Answer> {
    let Asked::Answer(document) = asker.ask(request).await else { return None };
    // Most states are the same as the one before.
    if let Some((last, answer)) = &asker.last_read
        && *last == document
    {
        return Some(answer.clone());
    }
    match Answer::read(&document) {
        Ok(answer) => {
            asker.last_read = Some((document, answer.clone()));
            Some(answer)
        }
        Err(problem) => {
            asker.fail(Check::Protocol, &problem.to_string());
            None
        }
    }
}

/// The place of a player in one game.
struct Seat<'a> {
    asker: &'a mut Asker,
    round: usize,
    game: String,
    id: String,
    client: CommId,
    /// The number of the entry whose state it has seen.
    seen: usize,
    /// The commands that the game may have received, and those that it surely has.
    sent: Vec<Vec<u8>>,
    taken: Vec<Vec<u8>>,
}

impl Seat<'_> {
    async fn play(&mut self) {
        self.sent = self.asker.look(&self.game, |book| book.commands(self.client).to_vec()).unwrap_or_default();
        self.taken = self.sent.clone();
        let path = format!("/games/{}/states/{}", self.game, self.id);
        while !self.asker.player.table.is_abandoned(self.round) {
            self.asker.player.handle.doing(format!("client {} plays in {}", self.client, self.game));
            // A request that comes too soon is delayed.
            let pause = self.asker.player.random.millis(300..=1200);
            sleep(pause).await;
            match read(self.asker, Request { path: &path, body: None }).await {
                Some(Answer::State(state)) => {
                    self.check_state(&state);
                    let own = state.players.iter().find(|player| player.id == self.id);
                    match own.map(|own| own.standing) {
                        Some(Standing::Won | Standing::Lost) => return self.check_end(),
                        Some(Standing::MustAct) => self.act(&state).await,
                        Some(Standing::MustWait) => {}
                        None => self.fail(Check::Resume, "its own id is not in its state"),
                    }
                }
                Some(Answer::Error { name, message }) => {
                    self.fail(Check::Resume, &format!("it gets no state: {name}: {message}"));
                }
                Some(Answer::Okay | Answer::Player(_)) => self.fail(Check::Protocol, "a request gives no state"),
                None => {}
            }
        }
    }

    fn fail(&self, check: Check, facts: &str) {
        self.asker.fail(check, &format!("game {}, client {}: {facts}", self.game, self.client));
    }

    /// A state is that of a stored entry, and never an earlier one than before.
    fn check_state(&mut self, state: &GameState) {
        let found = self.asker.look(&self.game, |book| {
            let mut states = book.states().iter().enumerate().skip(self.seen);
            let same = states.find(|(_, game)| shows(game, self.client, state)).map(|(entry, _)| entry);
            same.ok_or_else(|| book.states().iter().any(|game| shows(game, self.client, state)))
        });
        match found {
            Some(Ok(entry)) => {
                if entry > self.seen {
                    self.asker.player.site.observer.cover(Covered::StateRead);
                }
                self.seen = entry;
            }
            Some(Err(true)) => self.fail(Check::Numbering, &format!("a state goes back before entry {}", self.seen)),
            Some(Err(false)) | None => self.fail(Check::HeardIsStored, "a state is told that no stored entry gives"),
        }
        self.compare_commands();
    }

    /// The log has every command that was answered, in order, and each of the others at most once.
    fn compare_commands(&mut self) {
        let stored = self.asker.look(&self.game, |book| book.commands(self.client).to_vec()).unwrap_or_default();
        let mut left = stored.iter().enumerate();
        let mut found =
            self.taken.iter().map(|taken| left.find(|(_, stored)| *stored == taken).map(|(place, _)| place));
        let last = found.try_fold(None, |_, place| place.map(Some));
        match last {
            None => self.fail(Check::Commands, "an answered command is not in the log, or not in its order"),
            // The next state has the effects of all answered commands.
            Some(last) => {
                let entry = |place| self.asker.look(&self.game, |book| book.entry_of(self.client, place)).flatten();
                self.seen = self.seen.max(last.and_then(entry).unwrap_or_default() as usize);
            }
        }
        let mut unused = self.sent.clone();
        for command in &stored {
            match unused.iter().position(|sent| sent == command) {
                Some(place) => drop(unused.swap_remove(place)),
                None => return self.fail(Check::Commands, "the log has a command that was not sent, or has it twice"),
            }
        }
    }

    async fn act(&mut self, state: &GameState) {
        let (path, body, command) = self.choose(state);
        let path = format!("/games/{}/{path}", self.game);
        let command = encode(&command);
        self.sent.push(command.clone());
        match read(self.asker, Request { path: &path, body: Some(&body) }).await {
            Some(Answer::Okay) => self.taken.push(command),
            Some(Answer::Error { name, message }) => self.refused(&name, &message, command),
            Some(Answer::Player(_) | Answer::State(_)) => self.fail(Check::Protocol, "a command gives no answer"),
            None => {}
        }
        self.compare_commands();
    }

    /// The rules refuse a command after they have taken it. The host refuses those of a finished game.
    fn refused(&mut self, name: &str, message: &str, command: Vec<u8>) {
        match name {
            "GameOver" => {
                self.asker.player.site.observer.cover(Covered::Refused);
                if self.asker.look(&self.game, |book| book.is_over()) != Some(true) {
                    self.fail(Check::End, "it is told of an end that the log does not have");
                }
            }
            // A document that cannot be read is noted.
            "Unreadable" => {}
            "UnknownGame" | "UnknownPlayer" | "ServerFault" | "NoRandomness" | "TooLarge" | "TooSlow" | "BrokenOff" => {
                self.fail(Check::Protocol, &format!("a command is refused: {name}: {message}"));
            }
            _ => {
                self.asker.player.site.observer.cover(Covered::Refused);
                self.taken.push(command);
            }
        }
    }

    /// The path, the document and the command of the next request: mostly one that the rules take.
    fn choose(&mut self, state: &GameState) -> (&'static str, String, Command) {
        let random = &mut self.asker.player.random;
        let player = self.id.clone();
        if random.chance(3) {
            let broken = format!("<playerMove><uniquePlayerID>{player}</uniquePlayerID></playerMove>");
            let problem = Move::read(broken.as_bytes()).err().map(|problem| problem.to_string());
            return ("moves", broken, Command::garbled(&problem.unwrap_or_default()));
        }
        let Some(at) = state.nodes.iter().find(|node| is_here(node)) else {
            let fields = random.pick(&FIELDS).filter(|_| !random.clone().chance(5)).cloned().unwrap_or_default();
            let node = |field: &Field| HalfNode {
                x: field.at.x.into(),
                y: field.at.y.into(),
                fort: field.fort,
                terrain: field.terrain,
            };
            let half = HalfMap { player, nodes: fields.iter().map(node).collect() };
            return ("halfmaps", half.write(), Command::SendHalf { fields, coding: None });
        };
        let is_dry = |direction: &Direction| {
            let to = Position::clamped(at.x.into(), at.y.into()).toward(*direction);
            let there = |node: &&Node| to.is_some_and(|to| (node.x, node.y) == (to.x.into(), to.y.into()));
            state.nodes.iter().find(there).is_some_and(|node| node.terrain != Terrain::Water)
        };
        let dry: Vec<Direction> = Direction::ALL.into_iter().filter(is_dry).collect();
        let any = random.chance(2);
        let direction = *random.pick(if any { &Direction::ALL } else { &dry }).unwrap_or(&Direction::Up);
        ("moves", Move { player, direction }.write(), Command::Move { direction })
    }

    /// A game that is over is over in the log.
    fn check_end(&self) {
        self.asker.player.site.observer.cover(Covered::GameOver);
        if self.asker.look(&self.game, |book| book.is_over()) != Some(true) {
            self.fail(Check::End, "it is told of an end that the log does not have");
        }
    }
}

fn is_here(node: &Node) -> bool {
    matches!(node.players, PlayersState::MyPlayerPosition | PlayersState::BothPlayerPosition)
}

/// Whether a state is what a client may know of a game.
fn shows(game: &Game, client: CommId, state: &GameState) -> bool {
    let view = game.view_ref(client);
    if view.game_state_id().as_deref() != Some(&*state.id) {
        return false;
    }
    let players = view.players();
    let has_player = |known: &treasure_rules::PlayerState| {
        state.players.iter().any(|told| {
            (&*told.id, &*told.first_name, &*told.last_name, &*told.account)
                == (&*known.id, &*known.first_name, &*known.last_name, &*known.account)
                && (told.standing, told.collected_treasure) == (known.standing, known.collected)
        })
    };
    let mut nodes = view.nodes();
    let has_node = |told: &Node| {
        nodes.next().is_some_and(|node| {
            (told.x, told.y) == (node.at.x.into(), node.at.y.into())
                && (told.terrain, told.players, told.treasure, told.fort)
                    == (node.terrain, node.players, node.treasure, node.fort)
        })
    };
    state.players.len() == players.len()
        && players.iter().all(has_player)
        && state.nodes.iter().all(has_node)
        && nodes.next().is_none()
}
