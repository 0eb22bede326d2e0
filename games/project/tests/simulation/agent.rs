//! An agent: it walks about, and picks up and places what it finds. It repeats a request with the same id until it is answered.

use std::{collections::BTreeMap, io, time::Duration};

use commlib::{Delimited, Frame};
use project::{
    Guid,
    documents::{
        Connection, Content, Document, FRAME_END, Message, Messages, Role, TRY_AGAIN, action::Action,
        game_state::GameState,
    },
};
use project_rules::{Direction, Refusal, Team};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::{Instant, sleep, sleep_until, timeout},
};

use super::{
    checks::{self, Broken, Seat},
    hosting::{SERVER, is_beside},
};
use crate::{
    coverage::Covered,
    link::{End, Quality},
    observer::Check,
    player::Player,
    random::Random,
};

/// How long an agent hears nothing before it takes the connection for lost. It sends keep-alives more often.
const SILENCE: Duration = Duration::from_secs(3);
const KEEP_ALIVE: Duration = Duration::from_millis(1200);
/// How long an agent waits for an answer before it repeats its request.
const REPEAT: Duration = Duration::from_millis(1500);
/// Some requests are never answered: an agent gives up on those that may be.
const NO_ANSWER: Duration = Duration::from_millis(2500);
const SENDING: Duration = Duration::from_secs(4);
const LONGEST: usize = 1 << 20;

/// Plays one game after another.
pub(super) async fn play(mut player: Player) {
    loop {
        let hash = new_guid(&mut player.random);
        let mut agent = Agent::new(player, hash);
        while !agent.is_over {
            agent.attend().await;
            let pause = agent.player.random.millis(50..=500);
            sleep(pause).await;
        }
        player = agent.player;
    }
}

fn new_guid(random: &mut Random) -> Guid {
    let mut bytes = [0; 16];
    random.fill(&mut bytes);
    Guid::of_random(bytes)
}

/// An agent with the hash by which it keeps its place.
struct Agent {
    player: Player,
    hash: Guid,
    /// The game that has confirmed it, and its player there.
    seat: Option<Seat>,
    is_confirmed: bool,
    has_started: bool,
    asked: Option<Asked>,
    /// The ids of the answers, by those of their requests. A repeated answer has the same.
    answers: BTreeMap<Guid, Guid>,
    /// The different steps that it has asked for in its game.
    steps: u32,
    is_over: bool,
}

/// A request without an answer.
struct Asked {
    id: Guid,
    content: Content,
    since: Instant,
    sent: Instant,
    sent_ms: u64,
}

impl Agent {
    fn new(player: Player, hash: Guid) -> Self {
        Self {
            player,
            hash,
            seat: None,
            is_confirmed: false,
            has_started: false,
            asked: None,
            answers: BTreeMap::new(),
            steps: 0,
            is_over: false,
        }
    }

    fn fail(&self, (check, facts): Broken) {
        let game = self.seat.as_ref().map_or("no game", |seat| &seat.game);
        self.player.site.observer.fail(check, || format!("game {game}, agent {}: {facts}", self.hash));
    }

    async fn connect(&mut self) -> Option<End> {
        let (site, random) = (self.player.site.clone(), &mut self.player.random);
        if !is_beside(site.seed) {
            return site.connect_to_port("project", random).await;
        }
        sleep(random.millis(1..=40)).await;
        let (quality, of_link) = (Quality::draw(random), Random::new(random.next(), 0));
        site.network.connect(SERVER, quality, of_link)
    }

    /// Connects, and talks with the server until the connection or the game ends.
    async fn attend(&mut self) {
        self.player.handle.doing(format!("agent {} connects", self.hash));
        let Some(mut stream) = self.connect().await else { return };
        if self.seat.is_some() {
            self.player.site.observer.cover(Covered::AgentBack);
        }
        self.is_confirmed = false;
        let mut frames = Delimited::new(FRAME_END, LONGEST);
        let (mut heard, mut next_keep_alive) = (Instant::now(), Instant::now() + KEEP_ALIVE);
        let mut next_turn = Instant::now();
        while !self.is_over {
            while let Some(frame) = frames.next_frame() {
                match frame {
                    Frame::Whole(at) if at.is_empty() => {}
                    Frame::Whole(at) => {
                        let document = frames.bytes(at).to_vec();
                        if !self.hear(&document) {
                            return;
                        }
                    }
                    Frame::TooLong => self.fail((Check::Protocol, "a document is too long".into())),
                }
            }
            let sent = tokio::select! {
                biased;
                read = stream.read(frames.space()) => match read {
                    Ok(0) | Err(_) => return,
                    Ok(count) => {
                        frames.filled(count);
                        heard = Instant::now();
                        Ok(())
                    }
                },
                () = sleep_until(next_turn) => {
                    next_turn = Instant::now() + self.player.random.millis(40..=900);
                    self.act(&mut stream).await
                }
                () = sleep_until(next_keep_alive) => {
                    next_keep_alive = Instant::now() + KEEP_ALIVE;
                    if heard.elapsed() > SILENCE {
                        return;
                    }
                    write(&mut stream, &[FRAME_END]).await
                }
            };
            if sent.is_err() {
                return;
            }
        }
    }

    /// Sends the next request, or the last one again.
    async fn act(&mut self, stream: &mut End) -> io::Result<()> {
        if !self.is_confirmed {
            // The server takes one request to join at a time.
            let address = "127.0.0.1:4002".to_owned();
            let request = Connection::Request { hash: self.hash, address, role: Role::Player };
            let due = self.asked.as_ref().is_none_or(|asked| asked.sent.elapsed() >= REPEAT);
            return if due { self.send(stream, request.write()).await } else { Ok(()) };
        }
        if let Some(asked) = &self.asked
            && (!asked.may_be_silent() || asked.since.elapsed() < NO_ANSWER)
        {
            if asked.sent.elapsed() < REPEAT {
                return Ok(());
            }
            self.player.site.observer.cover(Covered::RequestRepeated);
        } else {
            // Silence was the answer. Of several such requests in a row, none must look like a Game Master that is gone.
            if let Some(silent) = self.asked.take() {
                self.player.handle.answered(silent.sent_ms);
            }
            self.asked = Some(self.choose());
        }
        let Some((asked, seat)) = self.asked.as_mut().zip(self.seat.as_ref()) else { return Ok(()) };
        asked.sent = Instant::now();
        let sender = i32::try_from(seat.id).unwrap_or(i32::MAX);
        let message = Message { id: asked.id, context: None, sender, receiver: 0, content: asked.content.clone() };
        let document = Messages::one(message).write();
        self.send(stream, document).await
    }

    async fn send(&mut self, stream: &mut End, document: String) -> io::Result<()> {
        self.player.site.observer.step(|| format!("agent {} says {document}", self.hash));
        let frame: Vec<u8> = document.bytes().chain([FRAME_END]).collect();
        write(stream, &frame).await
    }

    fn choose(&mut self) -> Asked {
        let (random, now) = (&mut self.player.random, Instant::now());
        let id = new_guid(random);
        let content = if self.has_started {
            let all = [Direction::Left, Direction::Up, Direction::Right, Direction::Down];
            let direction = *random.pick(&all).unwrap_or(&Direction::Up);
            Content::Action(match random.below(8) {
                0..=3 => {
                    self.steps += 1;
                    Action::Move(direction)
                }
                4 => Action::Discover,
                5 => Action::PickUp,
                6 => Action::Test,
                _ => Action::Place,
            })
        } else {
            // Until the game begins, the Game Master repeats the team.
            let team = if self.player.number == 0 { Team::Blue } else { Team::Red };
            Content::GameState(GameState::SetupRequest { team })
        };
        Asked { id, content, since: now, sent: now, sent_ms: self.player.site.observer.now_ms() }
    }

    /// Checks a document. False if the agent leaves the connection.
    fn hear(&mut self, document: &[u8]) -> bool {
        let observer = self.player.site.observer.clone();
        observer.bytes(document);
        observer.step(|| format!("agent {} hears {}", self.hash, String::from_utf8_lossy(document)));
        match Document::read(document, &Document::LIMITS) {
            Err(problem) => {
                self.fail((Check::Protocol, problem.to_string()));
                false
            }
            Ok(Document::Connection(Connection::Confirmation { hash, id })) if self.hash.is_same(&hash) => {
                self.confirmed(id);
                true
            }
            Ok(Document::Connection(Connection::Refusal { hash, description })) if self.hash.is_same(&hash) => {
                self.refused(&description);
                false
            }
            Ok(Document::Connection(_)) => {
                self.fail((Check::Protocol, "a handshake of another client".into()));
                false
            }
            Ok(Document::Messages(messages)) => {
                messages.messages.into_iter().for_each(|message| self.told(message));
                true
            }
        }
    }

    /// A confirmation is told only if it is stored. A new game may have taken the place of the last.
    fn confirmed(&mut self, id: i32) {
        let Some(seat) = checks::find(&self.player.site, self.hash).filter(|seat| i32::try_from(seat.id) == Ok(id))
        else {
            return self.fail((Check::HeardIsStored, format!("player {id} is confirmed and not stored")));
        };
        let is_new = self.seat.as_ref().is_none_or(|known| known.game != seat.game);
        if is_new {
            if !self.player.site.claim(&seat.game, seat.client) {
                self.fail((Check::Resume, "two agents are the same client".into()));
            }
            (self.has_started, self.asked, self.steps) = (false, None, 0);
        }
        self.is_confirmed = true;
        self.player.handle.doing(format!("agent {} plays in {}", self.hash, seat.game));
        self.seat = Some(seat);
    }

    /// The Game Master may be away, or its game over. A place that is free is not refused.
    fn refused(&self, description: &str) {
        let refusals = [Refusal::NotInvited {}, Refusal::Running {}, Refusal::Full { seats: 2 }];
        if refusals.iter().any(|refusal| description.starts_with(&refusal.to_string())) {
            self.fail((Check::Resume, format!("it may not enter: {description}")));
        }
        if !description.ends_with(TRY_AGAIN) {
            self.player.handle.answered(self.player.site.observer.now_ms());
        }
    }

    fn told(&mut self, message: Message) {
        let site = self.player.site.clone();
        let Some(seat) = &self.seat else {
            return self.fail((Check::Protocol, "a message before the confirmation".into()));
        };
        let (game, hash) = (&seat.game, self.hash);
        if i32::try_from(seat.id) != Ok(message.receiver) || message.sender != 0 {
            return self.fail((Check::Protocol, format!("a message of {} to {}", message.sender, message.receiver)));
        }
        let checked = match (&message.content, message.context) {
            (Content::GameState(GameState::SetupConfirmation { role, team }), _) => {
                checks::check_team(&site, game, hash, *role, *team)
            }
            (Content::GameState(GameState::Start(start)), _) => {
                self.has_started = true;
                checks::check_start(&site, game, hash, start)
            }
            (Content::GameState(GameState::End(end)), _) => {
                site.observer.cover(Covered::GameOver);
                self.is_over = true;
                let checked = checks::check_end(&site, game, end);
                checked.and_then(|()| checks::check_steps(&site, game, hash, self.steps))
            }
            (Content::Action(action), Some(context)) => {
                if *self.answers.entry(context).or_insert(message.id) != message.id {
                    self.fail((Check::OneVersion, format!("the answer to {context} is repeated with another id")));
                }
                let checked = checks::check_answer(&site, game, hash, context, action);
                checked.and_then(|()| checks::check_steps(&site, game, hash, self.steps))
            }
            (Content::Action(_), None) | (Content::GameState(GameState::SetupRequest { .. }), _) => {
                Err((Check::Protocol, format!("an agent is told {:?}", message.content)))
            }
            (Content::Exchange(_), _) => Err((Check::Protocol, "an exchange that no agent began".into())),
        };
        if let Err(broken) = checked {
            self.fail(broken);
        }
        if let Some(asked) = self.asked.take_if(|asked| message.context.is_some_and(|context| context == asked.id)) {
            self.player.handle.answered(asked.sent_ms);
        }
    }
}

impl Asked {
    /// Whether the Game Master may never answer: it says nothing about a sham that was placed, or a test without a piece.
    fn may_be_silent(&self) -> bool {
        matches!(self.content, Content::Action(Action::Test | Action::Place))
    }
}

async fn write(stream: &mut End, bytes: &[u8]) -> io::Result<()> {
    timeout(SENDING, stream.write_all(bytes)).await?
}
