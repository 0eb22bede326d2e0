//! A game of the protocol 2022, from registering to its end.
//!
//! A server that is away for a while, or killed and started again, only takes time. What was sent and not answered may have been
//! taken or not; before anything is sent again the status is asked, which knows: the own fort is on the map when the half was
//! taken, and the state has another id when a move was. Only a registration cannot be asked for. It is sent again, because it
//! is rarely taken without being answered, and if it was, the second is refused, or has the other seat.

mod sight;

use std::time::Duration;

use engine::JavaRandom;
use tokio::time::{Instant, sleep_until};
use treasure_rules::{Profile, Standing, Year};

use super::{
    End, Failure, Names, Style, Told,
    half::Half,
    http::{BaseUrl, Fault, Line, Request},
    mind::{Enemy, Guide, News},
    scene::Scene,
};
use crate::documents::y2022::{
    answer::Answer,
    request::{HalfMap, HalfNode, Move, Registration},
    state::GameState,
};
use sight::Sight;

/// Where somebody plays.
#[derive(Clone, Debug)]
pub struct Seat {
    pub base: BaseUrl,
    pub game: String,
    /// The id of somebody who is registered already.
    pub player: Option<String>,
    pub names: Names,
    /// How long the server may be away.
    pub patience: Duration,
    /// How long to wait between two questions for the status. [`POLL`] is what the protocol allows.
    pub poll: Duration,
}

/// Who asks for the status sooner than 0.4 s after the last time waits for it; clocks may be a little off.
pub const POLL: Duration = Duration::from_millis(420);

/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(20);

/// How often a status that does not have the own action yet is asked again, and how many refusals in a row end the game.
const STALE: u32 = 5;
const REFUSALS: u32 = 3;

const PROFILE: &Profile = Year::Y2022.profile();

/// Makes a game, perhaps with something behind the question mark, and gives its id.
pub async fn create(line: &mut Line, query: &str) -> Result<String, Failure> {
    let path = if query.is_empty() { "/games".into() } else { format!("/games?{query}") };
    let response = line.ask(Request { path: &path, body: None, limit: ANSWER }).await?;
    let read = crate::documents::y2022::answer::GameIdentifier::read(&response.body);
    Ok(read.map_err(|problem| odd(response.status, &problem))?.0)
}

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
    let games = format!("/games/{}", seat.game);
    let player = match seat.player {
        Some(player) => player,
        None => {
            let player = register(&mut line, &games, seat.names).await?;
            tell(Told::Line(&format!("registered in game {}", seat.game)));
            player
        }
    };
    let game = Game {
        line,
        games,
        player,
        half,
        style,
        random,
        guide: None,
        scene: Scene::default(),
        began: false,
        last: None,
        refused: None,
        next_poll: Instant::now(),
        poll: seat.poll,
    };
    game.play(tell).await
}

async fn register(line: &mut Line, games: &str, names: Names) -> Result<String, Failure> {
    let Names { first_name, last_name, account } = names;
    let body = Registration { first_name, last_name, account }.write();
    let path = format!("{games}/players");
    let response = line.ask(Request { path: &path, body: Some(&body), limit: ANSWER }).await?;
    match read(response.status, &response.body)? {
        Answer::Player(id) => Ok(id),
        Answer::Error { name, message } => Err(refused(&name, &message)),
        Answer::Okay | Answer::State(_) => Err(Failure::Odd("a registration was answered without an id".into())),
    }
}

fn read(status: u16, body: &[u8]) -> Result<Answer, Failure> {
    Answer::read(body).map_err(|problem| odd(status, &problem))
}

fn odd(status: u16, problem: &xml::Problem) -> Failure {
    Failure::Odd(format!("HTTP {status}, {problem}"))
}

fn refused(name: &str, message: &str) -> Failure {
    Failure::Refused(format!("{name}: {message}"))
}

/// A game that is played.
struct Game {
    line: Line,
    /// What all paths begin with.
    games: String,
    player: String,
    half: Half,
    style: Style,
    random: JavaRandom,
    /// Once there is a whole map.
    guide: Option<Box<dyn Guide>>,
    scene: Scene,
    /// Whether it made the first action, which was its half.
    began: bool,
    last: Option<Acted>,
    /// Why its last action was refused.
    refused: Option<String>,
    next_poll: Instant,
    poll: Duration,
}

/// What was sent last.
struct Acted {
    /// The state before it.
    state: String,
    fate: Fate,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Taken,
    Refused,
    /// There was no answer.
    Unknown,
}

impl Game {
    async fn play(mut self, tell: &mut (dyn FnMut(Told<'_>) + Send)) -> Result<End, Failure> {
        let (mut stale, mut refusals) = (0, 0);
        loop {
            let state = self.status().await?;
            let is_stale = self.is_stale(&state);
            let sight = Sight::new(&state, &self.player)?;
            self.look(&sight, tell);
            match sight.standing {
                Standing::Won | Standing::Lost => return Ok(self.end(sight.standing == Standing::Won)),
                Standing::MustWait => {}
                Standing::MustAct if is_stale && stale < STALE => stale += 1,
                Standing::MustAct => {
                    stale = 0;
                    let fate = self.act(&sight).await?;
                    refusals = if fate == Fate::Refused { refusals + 1 } else { 0 };
                    if refusals == REFUSALS {
                        return Err(Failure::Refused(self.refused.take().unwrap_or_default()));
                    }
                    self.last = Some(Acted { state: state.id, fate });
                }
            }
        }
    }

    async fn status(&mut self) -> Result<GameState, Failure> {
        sleep_until(self.next_poll).await;
        let path = format!("{}/states/{}", self.games, self.player);
        let response = self.line.ask(Request { path: &path, body: None, limit: ANSWER }).await?;
        self.next_poll = Instant::now() + self.poll;
        match read(response.status, &response.body)? {
            Answer::State(state) => Ok(state),
            Answer::Error { name, message } => Err(refused(&name, &message)),
            Answer::Okay | Answer::Player(_) => Err(Failure::Odd("a status was answered without a state".into())),
        }
    }

    /// Whether this is the state before an action that was taken. Another state shows that one without an answer was taken.
    fn is_stale(&mut self, state: &GameState) -> bool {
        match &mut self.last {
            Some(last) if last.state == state.id => last.fate == Fate::Taken,
            Some(last) => {
                if last.fate == Fate::Unknown {
                    last.fate = Fate::Taken;
                    self.scene.actions += 1;
                }
                false
            }
            None => false,
        }
    }

    /// Takes in what there is to be seen, and tells what is new.
    fn look(&mut self, sight: &Sight<'_>, tell: &mut (dyn FnMut(Told<'_>) + Send)) {
        let actions = self.scene.actions;
        let scene = Scene { enemy_is_real: self.all_actions() >= PROFILE.disguised, actions, ..sight.scene() };
        let before = std::mem::replace(&mut self.scene, scene);
        self.scene.news(&before).iter().for_each(|line| tell(Told::Line(line)));
        if self.scene != before && !self.scene.fields.is_empty() {
            tell(Told::Scene(&self.scene));
        }
    }

    /// How many actions both have made when it is the player's turn.
    fn all_actions(&self) -> u32 {
        2 * self.scene.actions + u32::from(!self.began)
    }

    /// Does what is to be done, if the state is one in which something is.
    async fn act(&mut self, sight: &Sight<'_>) -> Result<Fate, Failure> {
        let player = self.player.clone();
        if self.scene.fort.is_none() {
            self.began = self.scene.fields.is_empty();
            let node = |field: treasure_rules::Field| HalfNode {
                x: field.at.x.into(),
                y: field.at.y.into(),
                fort: field.fort,
                terrain: field.terrain,
            };
            let nodes = self.half.fields().into_iter().map(node).collect();
            return self.send("halfmaps", &HalfMap { player, nodes }.write()).await;
        }
        if self.guide.is_none() {
            self.guide = sight
                .land()
                .zip(self.scene.fort)
                .map(|(land, fort)| self.style.guide(PROFILE, land, fort, &mut self.random));
        }
        let walked = self.scene.actions.saturating_sub(u32::from(self.began));
        let enemy = self.scene.enemy.filter(|_| self.scene.enemy_is_real).map(|at| Enemy { at, walked });
        let Scene { me, treasure, collected, enemy_fort, .. } = self.scene;
        let (Some(guide), Some(me)) = (&mut self.guide, me) else {
            return Err(Failure::Odd("it is the player's turn, and the map is not whole".into()));
        };
        guide.learn(&News { me, treasure, collected, enemy_fort, enemy });
        let direction = guide.next().ok_or_else(|| Failure::Odd("no way leads out of the fort".into()))?;
        self.send("moves", &Move { player, direction }.write()).await
    }

    async fn send(&mut self, what: &str, body: &str) -> Result<Fate, Failure> {
        let path = format!("{}/{what}", self.games);
        let answered = self.line.ask_once(Request { path: &path, body: Some(body), limit: ANSWER }).await;
        let answer = match answered {
            Ok(response) => read(response.status, &response.body)?,
            Err(Fault::Lost(_)) => return Ok(Fate::Unknown),
            Err(fault @ Fault::Away(_)) => return Err(fault.into()),
        };
        match answer {
            Answer::Okay | Answer::Player(_) | Answer::State(_) => {
                self.refused = None;
                self.scene.actions += 1;
                Ok(Fate::Taken)
            }
            Answer::Error { name, message } => {
                self.refused = Some(format!("{name}: {message}"));
                Ok(Fate::Refused)
            }
        }
    }

    fn end(self, won: bool) -> End {
        let Scene { me, enemy, fort, enemy_fort, collected, enemy_collected, actions, .. } = self.scene;
        let has_entered = |who, fort: Option<_>| fort.is_some() && who == fort;
        let all_made = 2 * actions >= PROFILE.action_limit;
        let reason = match self.refused {
            Some(refused) if !won => refused,
            _ if won && collected && has_entered(me, enemy_fort) => "the treasure is in the other's fort".into(),
            _ if !won && enemy_collected == Some(true) && has_entered(enemy, fort) => {
                "the other has brought its treasure to the own fort".into()
            }
            _ if all_made => format!("all {} actions are made", PROFILE.action_limit),
            _ if won => "the other has lost, and the server does not say why".into(),
            _ => "the server does not say why; perhaps an action came too late".into(),
        };
        End { won, reason, actions }
    }
}
