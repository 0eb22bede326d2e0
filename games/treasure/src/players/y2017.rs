//! A game of the protocol 2017, from registering to its end.
//!
//! A server that is away for a while only takes time, as far as this protocol allows. It has no status call, so of what was
//! sent and not answered nobody can ask whether it was taken:
//!
//! - A registration and a half are sent again as they were. A half is held until the other is there, and a server may not hold it
//!   for ever; then it is sent again, too.
//! - An update that was to move is sent again: most of the time it waits for the other, and then it was not taken.
//! - Any other update left the player where it was. A wait, which is right in any case, comes before the count begins anew.

use std::time::Duration;

use engine::JavaRandom;
use tokio::time::Instant;
use treasure_rules::{Coding, Direction, Position, Profile, Terrain, Year};

use super::{
    End, Failure, Names, Style, Told,
    half::Half,
    http::{BaseUrl, Fault, Line, Request},
    land::Land,
    mind::{Enemy, Guide, News},
    scene::Scene,
};
use crate::documents::y2017::{
    answer::{Answer, Updated},
    map_text,
    request::{NewMap, NewPlayer, Update},
};

/// Where somebody plays.
#[derive(Clone, Debug)]
pub struct Seat {
    pub base: BaseUrl,
    pub names: Names,
    /// How long the server may be away.
    pub patience: Duration,
}

/// How long an answer may take. A half is held until there is another player, who may come late.
const ANSWER: Duration = Duration::from_secs(20);
const OTHER: Duration = Duration::from_secs(600);

/// A half that was held for less long was not given up for being held.
const HELD: Duration = Duration::from_secs(5);

/// How many problems in a row may come without a loss.
const TROUBLES: u32 = 3;

const PROFILE: &Profile = Year::Y2017.profile();

/// Plays a game to its end.
pub async fn play(
    seat: Seat,
    style: Style,
    seed: i64,
    tell: &mut (dyn FnMut(Told<'_>) + Send),
) -> Result<End, Failure> {
    let mut random = JavaRandom::new(seed);
    let half = style.half(PROFILE, &mut random);
    let mut line = Line::new(seat.base, seat.patience);
    let id = register(&mut line, seat.names).await?;
    tell(Told::Line("registered for the next game"));
    let (land, fort) = match send_half(&mut line, id, &half).await? {
        Ok(map) => map,
        Err(end) => return Ok(end),
    };
    let fields = land.places().map(|place| (land.position(place), land.terrain(place))).collect();
    let guide = style.guide(PROFILE, land.clone(), fort, &mut random);
    let scene = Scene { fields, me: Some(fort), fort: Some(fort), enemy_is_real: true, origin: 1, ..Scene::default() };
    tell(Told::Scene(&scene));
    Game { line, id, land, me: fort, guide, scene, step: None, unknown: 0 }.play(tell).await
}

async fn register(line: &mut Line, names: Names) -> Result<i32, Failure> {
    let Names { first_name, last_name, account: number } = names;
    let body = NewPlayer { first_name, last_name, number }.write();
    let response = line.ask(Request { path: "/NewPlayer", body: Some(&body), limit: ANSWER }).await?;
    match read(response.status, &response.body)? {
        Answer::NewPlayer { id } => Ok(id),
        Answer::Trouble { .. } => Err(Failure::Refused("the registration has a problem".into())),
        Answer::NewMap { .. } | Answer::Update(_) => Err(unexpected("a registration")),
    }
}

/// The whole map and the own fort, or the end if one of the halves was not taken.
async fn send_half(line: &mut Line, id: i32, half: &Half) -> Result<Result<(Land, Position), End>, Failure> {
    let text = map_text::write(half.fields().iter().map(|field| (field.terrain, field.fort)), Coding::Digits0);
    let body = NewMap { id, half: text }.write();
    let before = line.interruptions();
    let full = loop {
        let began = Instant::now();
        let response = line.ask(Request { path: "/MapCreation", body: Some(&body), limit: OTHER }).await?;
        match read(response.status, &response.body)? {
            Answer::NewMap { full } => break full,
            Answer::Trouble { loss: true } => return Ok(Err(over(false, "the half was not taken"))),
            // Nobody can tell a server that has forgotten the game from one on which the other has lost it.
            Answer::Trouble { loss: false } if line.interruptions() > before && began.elapsed() < HELD => {
                return Err(Failure::Refused("the server was away, and has no map and no loser".into()));
            }
            Answer::Trouble { loss: false } if began.elapsed() < HELD => {
                return Ok(Err(over(true, "there is no map, and it is the other who has lost")));
            }
            Answer::Trouble { loss: false } => {}
            Answer::Update(updated) => {
                return Ok(Err(over(updated.win, "the game was over before there was a map")));
            }
            Answer::NewPlayer { .. } => return Err(unexpected("a half")),
        }
    };
    let (fields, _) = map_text::read(&full).map_err(Failure::Odd)?;
    if fields.len() != 2 * PROFILE.size() {
        return Err(Failure::Odd(format!("the whole map has {} fields", fields.len())));
    }
    let fort = fields.iter().find(|field| field.fort).map(|field| field.at);
    let fort = fort.ok_or_else(|| Failure::Odd("the own fort is not on the map".into()))?;
    let terrain: Vec<Terrain> = fields.iter().map(|field| field.terrain).collect();
    Ok(Ok((Land::new(map_text::WIDTH.into(), terrain), fort)))
}

/// An end before the first update.
fn over(won: bool, reason: &str) -> End {
    End { won, reason: reason.into(), actions: 0 }
}

fn read(status: u16, body: &[u8]) -> Result<Answer, Failure> {
    Answer::read(body).map_err(|problem| Failure::Odd(format!("HTTP {status}, {problem}")))
}

fn unexpected(to_what: &str) -> Failure {
    Failure::Odd(format!("{to_what} got the answer to something else"))
}

/// A game that is played.
struct Game {
    line: Line,
    id: i32,
    land: Land,
    me: Position,
    guide: Box<dyn Guide>,
    scene: Scene,
    /// In which direction the last update wanted to go, and its count, if it is not there yet.
    step: Option<(Direction, i32)>,
    /// Updates without an answer, which may have been taken.
    unknown: u32,
}

/// What to send next.
enum Next {
    Go,
    Wait,
    Again(Update),
}

/// What became of an update.
enum Fate {
    Answered(Updated),
    Over(End),
    /// It was not taken, and nothing is lost.
    Trouble,
    Unknown(Fault),
}

/// How many updates in a row may be without an answer.
const UNANSWERED: u32 = 20;

impl Game {
    async fn play(mut self, tell: &mut (dyn FnMut(Told<'_>) + Send)) -> Result<End, Failure> {
        let (mut next, mut unanswered, mut troubles) = (Next::Go, 0, 0);
        loop {
            let update = match next {
                Next::Go => self.go()?,
                Next::Wait => self.update(self.me, 0),
                Next::Again(update) => update,
            };
            next = match self.send(update).await? {
                Fate::Answered(updated) => {
                    (unanswered, troubles) = (0, 0);
                    if let Some(end) = self.look(update, updated, tell) {
                        return Ok(end);
                    }
                    Next::Go
                }
                Fate::Over(end) => return Ok(end),
                Fate::Trouble if troubles == TROUBLES => {
                    return Err(Failure::Refused("the update has a problem".into()));
                }
                Fate::Trouble => {
                    troubles += 1;
                    Next::Again(update)
                }
                Fate::Unknown(fault) if unanswered == UNANSWERED => return Err(fault.into()),
                Fate::Unknown(_) => {
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

    /// The next update on the way to wherever the guide wants to go.
    fn go(&mut self) -> Result<Update, Failure> {
        let Scene { enemy, collected, actions, .. } = self.scene;
        // Nothing is told of what mountains show. The other has made as many updates as oneself, or one less; or one more, if an
        // answer has what happened before it was written.
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

    /// The wire counts from 1.
    fn update(&self, to: Position, turns: i32) -> Update {
        let wire = |number: u8| i32::from(number) + 1;
        let Position { x, y } = self.me;
        Update { id: self.id, x: wire(x), y: wire(y), wanted_x: wire(to.x), wanted_y: wire(to.y), turns }
    }

    async fn send(&mut self, update: Update) -> Result<Fate, Failure> {
        let body = update.write();
        let answered = self.line.ask_once(Request { path: "/Updates", body: Some(&body), limit: ANSWER }).await;
        let answer = match answered {
            Ok(response) => read(response.status, &response.body)?,
            Err(fault @ Fault::Lost(_)) => return Ok(Fate::Unknown(fault)),
            Err(fault @ Fault::Away(_)) => return Err(fault.into()),
        };
        match answer {
            Answer::Update(updated) => Ok(Fate::Answered(updated)),
            Answer::Trouble { loss: true } => {
                let reason = "the server has a problem with the last update".into();
                Ok(Fate::Over(End { won: false, reason, actions: self.scene.actions }))
            }
            Answer::Trouble { loss: false } => Ok(Fate::Trouble),
            Answer::NewPlayer { .. } | Answer::NewMap { .. } => Err(unexpected("an update")),
        }
    }

    /// Takes in what there is to be seen, and tells what is new; the end, if it is the end.
    fn look(&mut self, update: Update, updated: Updated, tell: &mut (dyn FnMut(Told<'_>) + Send)) -> Option<End> {
        let here = |x: i32, y: i32| Position::clamped(i64::from(x) - 1, i64::from(y) - 1);
        let before = self.scene.clone();
        self.me = here(updated.x, updated.y);
        self.scene.me = Some(self.me);
        self.scene.enemy = Some(here(updated.enemy_x, updated.enemy_y));
        self.scene.collected = updated.treasure;
        self.scene.actions += 1;
        self.scene.news(&before).iter().for_each(|line| tell(Told::Line(line)));
        tell(Told::Scene(&self.scene));
        (updated.win || updated.loss).then(|| self.end(update, updated))
    }

    fn end(&self, update: Update, Updated { x, y, win, .. }: Updated) -> End {
        let Scene { enemy, fort, actions, .. } = self.scene;
        let has_arrived = moves(&update) && (update.wanted_x, update.wanted_y) == (x, y);
        let reason = match win {
            true if has_arrived => "the treasure is in the other's fort".into(),
            true => "the other has lost, and the server does not say why".into(),
            false if 2 * (actions + self.unknown) + 1 >= PROFILE.action_limit => {
                format!("all {} updates are made, and nobody has won", PROFILE.action_limit)
            }
            false if enemy == fort => "the other is in the own fort".into(),
            false => "the server does not say why; perhaps an update came too late".into(),
        };
        End { won: win, reason, actions }
    }
}

/// Whether an update is the one that makes a step.
fn moves(update: &Update) -> bool {
    update.turns == 0 && (update.x, update.y) != (update.wanted_x, update.wanted_y)
}
