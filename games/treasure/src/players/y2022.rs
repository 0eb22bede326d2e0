//! Plays a game of the protocol 2022, from registration to the end.
//!
//! If the server is away for a while or restarts, this costs only time. A request without an answer may or may not have been
//! accepted. Before the player retries, it requests the status: if the half was accepted, the player's own fort is on the map;
//! if a move was accepted, the state has another id. Only a registration has no such check. The player retries it: a
//! registration is rarely accepted without an answer, and if it was, the second one is refused or gets the second seat.

mod sight;

use std::time::Duration;

use engine::JavaRandom;
use tokio::time::{Instant, sleep_until};
use treasure_rules::{Profile, Standing, Year};

use super::{
    End, Failure, Names, Notice, Style,
    half::Half,
    http::{BaseUrl, Fault, HttpClient, Request},
    mind::{Enemy, Guide, News},
    scene::Scene,
};
use crate::documents::y2022::{
    answer::Answer,
    request::{HalfMap, HalfNode, Move, Registration},
    state::GameState,
};
use sight::Sight;

/// The server and the game to play on, and the names to register with.
#[derive(Clone, Debug)]
pub struct Options {
    /// The server.
    pub base: BaseUrl,
    /// The id of the game.
    pub game: String,
    /// The id of a player who is registered already. If unset, the player registers.
    pub player: Option<String>,
    /// The names to register with.
    pub names: Names,
    /// How long the server may be away.
    pub patience: Duration,
    /// The pause between two status requests. The protocol allows [`POLL`].
    pub poll: Duration,
}

/// The shortest pause between two status requests that the server does not delay: 0.4 s, and a little more because clocks differ.
pub const POLL: Duration = Duration::from_millis(420);

/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(20);

/// The most status requests to wait for the effect of the last action, and the most refusals in a row before the player gives
/// up.
const STALE: u32 = 5;
const REFUSALS: u32 = 3;

const PROFILE: &Profile = Year::Y2022.profile();

/// Creates a game, with an optional query string, and returns its id.
///
/// # Errors
///
/// The server is away for too long, or breaks the protocol.
pub async fn create(client: &mut HttpClient, query: &str) -> Result<String, Failure> {
    let path = if query.is_empty() { "/games".into() } else { format!("/games?{query}") };
    let response = client.ask(Request { path: &path, body: None, timeout: ANSWER }).await?;
    let read = crate::documents::y2022::answer::GameIdentifier::read(&response.body);
    Ok(read.map_err(|problem| odd(response.status, &problem))?.0)
}

/// Plays a game to its end.
///
/// # Errors
///
/// The server is away for too long, breaks the protocol, or refuses the player.
pub async fn play(
    options: Options,
    style: Style,
    seed: i64,
    notify: &mut (dyn FnMut(Notice<'_>) + Send),
) -> Result<End, Failure> {
    let mut random = JavaRandom::new(seed);
    let half = style.half(PROFILE, &mut random);
    let mut client = HttpClient::new(options.base, options.patience);
    let games = format!("/games/{}", options.game);
    let player = match options.player {
        Some(player) => player,
        None => {
            let player = register(&mut client, &games, options.names).await?;
            notify(Notice::Line(&format!("registered in game {}", options.game)));
            player
        }
    };
    let game = Game {
        client,
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
        poll: options.poll,
    };
    game.play(notify).await
}

async fn register(client: &mut HttpClient, games: &str, names: Names) -> Result<String, Failure> {
    let Names { first_name, last_name, account } = names;
    let body = Registration { first_name, last_name, account }.write();
    let path = format!("{games}/players");
    let response = client.ask(Request { path: &path, body: Some(&body), timeout: ANSWER }).await?;
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

/// A running game.
struct Game {
    client: HttpClient,
    /// The prefix of all paths.
    games: String,
    player: String,
    half: Half,
    style: Style,
    random: JavaRandom,
    /// Set once the whole map is known.
    guide: Option<Box<dyn Guide>>,
    scene: Scene,
    /// Whether this player made the first action of the game, which was its half.
    began: bool,
    last: Option<LastAction>,
    /// The reason why the last action was refused.
    refused: Option<String>,
    next_poll: Instant,
    poll: Duration,
}

/// The last action that was sent.
struct LastAction {
    /// The id of the state before the action.
    state: String,
    fate: Fate,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Taken,
    Refused,
    /// The action got no answer.
    Unknown,
}

impl Game {
    async fn play(mut self, notify: &mut (dyn FnMut(Notice<'_>) + Send)) -> Result<End, Failure> {
        let (mut stale, mut refusals) = (0, 0);
        loop {
            let state = self.status().await?;
            let is_stale = self.is_stale(&state);
            let sight = Sight::new(&state, &self.player)?;
            self.look(&sight, notify);
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
                    self.last = Some(LastAction { state: state.id, fate });
                }
            }
        }
    }

    async fn status(&mut self) -> Result<GameState, Failure> {
        sleep_until(self.next_poll).await;
        let path = format!("{}/states/{}", self.games, self.player);
        let response = self.client.ask(Request { path: &path, body: None, timeout: ANSWER }).await?;
        self.next_poll = Instant::now() + self.poll;
        match read(response.status, &response.body)? {
            Answer::State(state) => Ok(state),
            Answer::Error { name, message } => Err(refused(&name, &message)),
            Answer::Okay | Answer::Player(_) => Err(Failure::Odd("a status was answered without a state".into())),
        }
    }

    /// Whether this is still the state before the last action, although the server accepted that action. A different state
    /// proves that an action without an answer was accepted.
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

    /// Updates the scene and reports news.
    fn look(&mut self, sight: &Sight<'_>, notify: &mut (dyn FnMut(Notice<'_>) + Send)) {
        let actions = self.scene.actions;
        let scene = Scene { enemy_is_real: self.all_actions() >= PROFILE.disguised, actions, ..sight.scene() };
        let before = std::mem::replace(&mut self.scene, scene);
        self.scene.news(&before).iter().for_each(|line| notify(Notice::Line(line)));
        if self.scene != before && !self.scene.fields.is_empty() {
            notify(Notice::Scene(&self.scene));
        }
    }

    /// The number of actions of both players together, if it is this player's turn.
    fn all_actions(&self) -> u32 {
        2 * self.scene.actions + u32::from(!self.began)
    }

    /// Sends the half or the next move.
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
            return Err(Failure::Odd("it is the player's turn, but the map is incomplete".into()));
        };
        guide.learn(&News { me, treasure, collected, enemy_fort, enemy });
        let direction = guide.next().ok_or_else(|| Failure::Odd("no way leads out of the fort".into()))?;
        self.send("moves", &Move { player, direction }.write()).await
    }

    async fn send(&mut self, what: &str, body: &str) -> Result<Fate, Failure> {
        let path = format!("{}/{what}", self.games);
        let answered = self.client.ask_once(Request { path: &path, body: Some(body), timeout: ANSWER }).await;
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
            _ if won && collected && has_entered(me, enemy_fort) => "the treasure is in the opponent's fort".into(),
            _ if !won && enemy_collected == Some(true) && has_entered(enemy, fort) => {
                "the opponent has brought its treasure to this player's fort".into()
            }
            _ if all_made => format!("all {} actions are made", PROFILE.action_limit),
            _ if won => "the opponent has lost, and the server does not say why".into(),
            _ => "the server does not say why; perhaps an action came too late".into(),
        };
        End { won, reason, actions }
    }
}
