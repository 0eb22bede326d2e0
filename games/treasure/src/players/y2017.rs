//! Plays a game of the protocol 2017, from registration to the end.
//!
//! If the server is away for a while, this costs only time, as far as the protocol allows. The protocol has no status call. So
//! after a request without an answer, the player cannot find out whether the server accepted it:
//!
//! - The player retries a registration or a half. A server holds a half until the opponent's half is there, and may give up
//!   after a while. Then the player also retries.
//! - The player retries an update that makes a step. Such an update usually waits for the opponent, and was not accepted yet.
//! - Any other update does not move the player. The player sends a wait, which is always allowed, and starts counting again.

use std::time::Duration;

use engine::JavaRandom;
use tokio::time::Instant;
use treasure_rules::{Coding, Direction, Position, Profile, Terrain, Year};

use super::{
    End, Failure, Names, Notice, Style,
    half::Half,
    http::{BaseUrl, Fault, HttpClient, Request},
    land::Land,
    mind::{Enemy, Guide, News},
    scene::Scene,
};
use crate::documents::y2017::{
    answer::{Answer, Updated},
    map_text,
    request::{NewMap, NewPlayer, Update},
};

/// The server to play on, and the names to register with.
#[derive(Clone, Debug)]
pub struct Options {
    /// The server.
    pub base: BaseUrl,
    /// The names to register with.
    pub names: Names,
    /// How long the server may be away.
    pub patience: Duration,
}

/// How long an answer may take. The answer to a half waits for the opponent, who may come late.
const ANSWER: Duration = Duration::from_secs(20);
const OPPONENT: Duration = Duration::from_secs(600);

/// If the answer to a half comes sooner than this, the server has not given up waiting for the opponent.
const HELD: Duration = Duration::from_secs(5);

/// The most problems in a row that are not counted as a loss.
const TROUBLES: u32 = 3;

const PROFILE: &Profile = Year::Y2017.profile();

/// Plays a game to its end.
///
/// # Errors
///
/// The server is away for too long, or breaks the protocol.
pub async fn play(
    options: Options,
    style: Style,
    seed: i64,
    notify: &mut (dyn FnMut(Notice<'_>) + Send),
) -> Result<End, Failure> {
    let mut random = JavaRandom::new(seed);
    let half = style.half(PROFILE, &mut random);
    let mut client = HttpClient::new(options.base, options.patience);
    let id = register(&mut client, options.names).await?;
    notify(Notice::Line("registered for the next game"));
    let (land, fort) = match send_half(&mut client, id, &half).await? {
        Ok(map) => map,
        Err(end) => return Ok(end),
    };
    let fields = land.places().map(|place| (land.position(place), land.terrain(place))).collect();
    let guide = style.guide(PROFILE, land.clone(), fort, &mut random);
    let scene = Scene { fields, me: Some(fort), fort: Some(fort), enemy_is_real: true, origin: 1, ..Scene::default() };
    notify(Notice::Scene(&scene));
    Game { client, id, land, me: fort, guide, scene, step: None, unknown: 0 }.play(notify).await
}

async fn register(client: &mut HttpClient, names: Names) -> Result<i32, Failure> {
    let Names { first_name, last_name, account: number } = names;
    let body = NewPlayer { first_name, last_name, number }.write();
    let response = client.ask(Request { path: "/NewPlayer", body: Some(&body), timeout: ANSWER }).await?;
    match read(response.status, &response.body)? {
        Answer::NewPlayer { id } => Ok(id),
        Answer::Trouble { .. } => Err(Failure::Refused("the registration has a problem".into())),
        Answer::NewMap { .. } | Answer::Update(_) => Err(unexpected("a registration")),
    }
}

/// Returns the whole map and the player's own fort, or the end of the game if a half was rejected.
async fn send_half(client: &mut HttpClient, id: i32, half: &Half) -> Result<Result<(Land, Position), End>, Failure> {
    let text = map_text::write(half.fields().iter().map(|field| (field.terrain, field.fort)), Coding::Digits0);
    let body = NewMap { id, half: text }.write();
    let before = client.retries();
    let full = loop {
        let began = Instant::now();
        let response = client.ask(Request { path: "/MapCreation", body: Some(&body), timeout: OPPONENT }).await?;
        match read(response.status, &response.body)? {
            Answer::NewMap { full } => break full,
            Answer::Trouble { loss: true } => return Ok(Err(over(false, "the half was not taken"))),
            // The server may have forgotten the game, or the opponent may have lost: the answer is the same in both cases.
            Answer::Trouble { loss: false } if client.retries() > before && began.elapsed() < HELD => {
                return Err(Failure::Refused("the server was away, and has no map and no loser".into()));
            }
            Answer::Trouble { loss: false } if began.elapsed() < HELD => {
                return Ok(Err(over(true, "there is no map, and the opponent has lost")));
            }
            Answer::Trouble { loss: false } => {}
            Answer::Update(updated) => {
                return Ok(Err(over(updated.win, "the game was over before there was a map")));
            }
            Answer::NewPlayer { .. } => return Err(unexpected("a half")),
        }
    };
    let (fields, _) = map_text::read(&full).map_err(|error| Failure::Odd(error.to_string()))?;
    if fields.len() != 2 * PROFILE.size() {
        return Err(Failure::Odd(format!("the whole map has {} fields", fields.len())));
    }
    let fort = fields.iter().find(|field| field.fort).map(|field| field.at);
    let fort = fort.ok_or_else(|| Failure::Odd("the own fort is not on the map".into()))?;
    let terrain: Vec<Terrain> = fields.iter().map(|field| field.terrain).collect();
    Ok(Ok((Land::new(map_text::WIDTH.into(), terrain), fort)))
}

/// The end of a game before the first update.
fn over(won: bool, reason: &str) -> End {
    End { won, reason: reason.into(), actions: 0 }
}

fn read(status: u16, body: &[u8]) -> Result<Answer, Failure> {
    Answer::read(body).map_err(|problem| Failure::Odd(format!("HTTP {status}, {problem}")))
}

fn unexpected(to_what: &str) -> Failure {
    Failure::Odd(format!("{to_what} got the answer to something else"))
}

/// A running game.
struct Game {
    client: HttpClient,
    id: i32,
    land: Land,
    me: Position,
    guide: Box<dyn Guide>,
    scene: Scene,
    /// Direction and count of the last update, if the step is not finished.
    step: Option<(Direction, i32)>,
    /// The number of updates without an answer. The server may have accepted them.
    unknown: u32,
}

/// The next message.
enum Next {
    Go,
    Wait,
    Again(Update),
}

/// The result of an update.
enum UpdateResult {
    Answered(Updated),
    Over(End),
    /// The server did not accept the update, and the game goes on.
    Trouble,
    Unknown(Fault),
}

/// The most updates in a row that may get no answer.
const UNANSWERED: u32 = 20;

impl Game {
    async fn play(mut self, notify: &mut (dyn FnMut(Notice<'_>) + Send)) -> Result<End, Failure> {
        let (mut next, mut unanswered, mut troubles) = (Next::Go, 0, 0);
        loop {
            let update = match next {
                Next::Go => self.go()?,
                Next::Wait => self.update(self.me, 0),
                Next::Again(update) => update,
            };
            next = match self.send(update).await? {
                UpdateResult::Answered(updated) => {
                    (unanswered, troubles) = (0, 0);
                    if let Some(end) = self.look(update, updated, notify) {
                        return Ok(end);
                    }
                    Next::Go
                }
                UpdateResult::Over(end) => return Ok(end),
                UpdateResult::Trouble if troubles == TROUBLES => {
                    return Err(Failure::Refused("the update has a problem".into()));
                }
                UpdateResult::Trouble => {
                    troubles += 1;
                    Next::Again(update)
                }
                UpdateResult::Unknown(fault) if unanswered == UNANSWERED => return Err(fault.into()),
                UpdateResult::Unknown(_) => {
                    unanswered += 1;
                    self.unknown += 1;
                    if moves(&update) {
                        Next::Again(update)
                    } else {
                        self.step = None;
                        Next::Wait
                    }
                }
            };
        }
    }

    /// The next update on the way that the guide has chosen.
    fn go(&mut self) -> Result<Update, Failure> {
        let Scene { enemy, collected, actions, .. } = self.scene;
        // The protocol does not report the fields that a mountain shows. The opponent has made as many updates as this player,
        // or one less; or one more, if the answer was written after its next update.
        let enemy = enemy.map(|at| Enemy { at, walked: actions + self.unknown + 1 });
        self.guide.learn(&News { me: self.me, treasure: None, collected, enemy_fort: None, enemy });
        let direction = self.guide.next().ok_or_else(|| Failure::Odd("no way leads out of the fort".into()))?;
        let to = self.me.toward(direction).unwrap_or(self.me);
        let turns = match self.step {
            Some((last, left)) if last == direction => left - 1,
            Some(_) | None => self.cost(to),
        };
        self.step = (turns > 0).then_some((direction, turns));
        Ok(self.update(to, turns))
    }

    fn cost(&self, to: Position) -> i32 {
        let cost = |at| self.land.place(at).map_or(0, |place| i32::from(self.land.terrain(place).cost()));
        cost(self.me) + cost(to)
    }

    /// Positions on the wire start at 1.
    fn update(&self, to: Position, turns: i32) -> Update {
        let wire = |number: u8| i32::from(number) + 1;
        let Position { x, y } = self.me;
        Update { id: self.id, x: wire(x), y: wire(y), wanted_x: wire(to.x), wanted_y: wire(to.y), turns }
    }

    async fn send(&mut self, update: Update) -> Result<UpdateResult, Failure> {
        let body = update.write();
        let answered = self.client.ask_once(Request { path: "/Updates", body: Some(&body), timeout: ANSWER }).await;
        let answer = match answered {
            Ok(response) => read(response.status, &response.body)?,
            Err(fault @ Fault::Lost(_)) => return Ok(UpdateResult::Unknown(fault)),
            Err(fault @ Fault::Away(_)) => return Err(fault.into()),
        };
        match answer {
            Answer::Update(updated) => Ok(UpdateResult::Answered(updated)),
            Answer::Trouble { loss: true } => {
                let reason = "the server has a problem with the last update".into();
                Ok(UpdateResult::Over(End { won: false, reason, actions: self.scene.actions }))
            }
            Answer::Trouble { loss: false } => Ok(UpdateResult::Trouble),
            Answer::NewPlayer { .. } | Answer::NewMap { .. } => Err(unexpected("an update")),
        }
    }

    /// Updates the scene from an answer and reports news. Returns the end of the game, if the answer contains it.
    fn look(&mut self, update: Update, updated: Updated, notify: &mut (dyn FnMut(Notice<'_>) + Send)) -> Option<End> {
        let here = |x: i32, y: i32| Position::clamped(i64::from(x) - 1, i64::from(y) - 1);
        let before = self.scene.clone();
        self.me = here(updated.x, updated.y);
        self.scene.me = Some(self.me);
        self.scene.enemy = Some(here(updated.enemy_x, updated.enemy_y));
        self.scene.collected = updated.treasure;
        self.scene.actions += 1;
        self.scene.news(&before).iter().for_each(|line| notify(Notice::Line(line)));
        notify(Notice::Scene(&self.scene));
        (updated.win || updated.loss).then(|| self.end(update, updated))
    }

    fn end(&self, update: Update, Updated { x, y, win, .. }: Updated) -> End {
        let Scene { enemy, fort, actions, .. } = self.scene;
        let has_arrived = moves(&update) && (update.wanted_x, update.wanted_y) == (x, y);
        let reason = match win {
            true if has_arrived => "the treasure is in the opponent's fort".into(),
            true => "the opponent has lost, and the server does not say why".into(),
            false if 2 * (actions + self.unknown) + 1 >= PROFILE.action_limit => {
                format!("all {} updates are made, and no player has won", PROFILE.action_limit)
            }
            false if enemy == fort => "the opponent is in this player's fort".into(),
            false => "the server does not say why; perhaps an update came too late".into(),
        };
        End { won: win, reason, actions }
    }
}

/// Whether an update makes a step.
fn moves(update: &Update) -> bool {
    update.turns == 0 && (update.x, update.y) != (update.wanted_x, update.wanted_y)
}
