//! Plays scripts against a Communication Server and its Game Master, with XML over TCP.
//!
//! The protocol does not say when everything has arrived. So after each request, every agent with a team asks for its team again, and
//! waits for that answer: the Game Master answers in order, and the answer changes nothing.

use std::{
    collections::{BTreeMap, VecDeque},
    io::{self, ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    thread,
    time::{Duration, Instant},
};

use engine::{Message as _, arguments, from_arguments};
use project_rules::Team;
use script::{Call, GameError, ServedGame, WantedGame, Wire, WireError, WireGame};
use serde_json::Value;

use super::messages::{Member, Request, Told, number_of, uuid_of};
use crate::documents::{
    Connection, Content, Document, FRAME_END, Guid, Message, Messages, Role, TRY_AGAIN,
    action::Action,
    game_state::{GameState, Start},
};

/// The number of the Game Master.
const MASTER: i32 = 0;
/// The id of the requests that only wait. No script may use it.
const BARRIER: u32 = u32::MAX;
/// How long to sleep before looking again.
const SHORTLY: Duration = Duration::from_millis(5);

/// The wire of agents.
pub(super) struct Tcp;

impl Wire for Tcp {
    fn open(&self, wanted: &WantedGame<'_>) -> Result<Box<dyn WireGame>, WireError> {
        // The server may be about to start.
        drop(connect(wanted.address, wanted.patience)?);
        let agents = wanted.clients.iter().map(|client| (*client, Agent::default())).collect();
        Ok(Box::new(TcpGame { address: wanted.address, patience: wanted.patience, agents }))
    }

    fn serve(&self, served: &ServedGame<'_>) -> Result<(), GameError> {
        crate::program::serve(served)
    }
}

fn connect(address: SocketAddr, patience: Duration) -> Result<TcpStream, WireError> {
    let stream = TcpStream::connect_timeout(&address, patience).map_err(WireError::Away)?;
    stream.set_nodelay(true).map_err(WireError::Away)?;
    Ok(stream)
}

struct TcpGame {
    address: SocketAddr,
    patience: Duration,
    agents: BTreeMap<u32, Agent>,
}

/// An agent of a script.
#[derive(Default)]
struct Agent {
    stream: Option<TcpStream>,
    /// Bytes of a document that is not complete yet.
    bytes: Vec<u8>,
    /// The number that the Game Master has given.
    player: Option<u32>,
    team: Option<Team>,
    /// Whether the server itself has refused the agent, because no Game Master is there.
    is_too_early: bool,
    is_started: bool,
    is_over: bool,
    told: VecDeque<Told>,
}

impl TcpGame {
    fn agent(&mut self, client: u32) -> &mut Agent {
        self.agents.entry(client).or_default()
    }

    /// Waits until everything that the last request caused has arrived.
    fn settle(&mut self) -> Result<(), WireError> {
        let patience = self.patience;
        for agent in self.agents.values_mut().filter(|agent| !agent.is_over) {
            let Some((player, team)) = agent.player.zip(agent.team) else { continue };
            let request = Request::ChooseTeam { id: BARRIER, team };
            agent.send(&message(&request, player)?)?;
            agent.until(patience, "its team, which it has asked for again", |agent| agent.take_barrier())?;
        }
        // An agent without a team is told only what it asks for, and the end.
        self.agents.values_mut().try_for_each(|agent| agent.read().map(drop))
    }
}

impl WireGame for TcpGame {
    fn send(&mut self, client: u32, call: &Call) -> Result<(), WireError> {
        let request: Request = from_arguments(&call.name, &call.arguments)
            .map_err(|error| WireError::Unsendable(format!("{}: {error}", call.name)))?;
        let (address, patience) = (self.address, self.patience);
        let agent = self.agent(client);
        match request {
            Request::Join { hash } => {
                let (before, since) = (agent.told.len(), Instant::now());
                loop {
                    (agent.stream, agent.is_too_early) = (Some(connect(address, patience)?), false);
                    agent.join(hash)?;
                    let has_come = |agent: &mut Agent| agent.told.len() > before || agent.is_too_early;
                    agent.until(patience, "an answer to its Connection/Request", has_come)?;
                    // The Game Master may not have come yet.
                    if !agent.is_too_early || since.elapsed() > patience {
                        break;
                    }
                    thread::sleep(SHORTLY);
                }
            }
            Request::ChooseTeam { id, .. } => {
                agent.send(&message(&request, agent.player.unwrap_or_default())?)?;
                let answers = |told: &Told| matches!(told, Told::TeamGiven { id: Some(came), .. } if *came == id);
                let before = agent.told.iter().filter(|told| answers(told)).count();
                if agent.player.is_some() {
                    let is_told = |agent: &mut Agent| agent.told.iter().filter(|told| answers(told)).count() > before;
                    agent.until(patience, "its team", is_told)?;
                }
            }
            Request::Move { .. }
            | Request::Discover { .. }
            | Request::PickUp { .. }
            | Request::Test { .. }
            | Request::Place { .. } => agent.send(&message(&request, agent.player.unwrap_or_default())?)?,
        }
        self.settle()
    }

    fn wait(&mut self, longest: Duration) -> Result<(), WireError> {
        let until = Instant::now() + longest;
        loop {
            let mut came = false;
            for agent in self.agents.values_mut() {
                came |= agent.read()?;
            }
            if came || Instant::now() > until {
                return self.settle();
            }
            thread::sleep(SHORTLY);
        }
    }

    fn next(&mut self, client: u32) -> Result<Option<Value>, WireError> {
        let told = self.agent(client).told.pop_front();
        Ok(told.map(|told| {
            let mut event = vec![Value::from(told.kind().name)];
            event.extend(arguments(&told));
            event.into()
        }))
    }

    fn is_over(&mut self) -> Result<bool, WireError> {
        Ok(self.agents.values().any(|agent| agent.is_over))
    }
}

impl Agent {
    fn join(&mut self, hash: u32) -> Result<(), WireError> {
        let hash = guid(hash)?;
        let local = self.stream.as_ref().map(TcpStream::local_addr).transpose().map_err(WireError::Away)?;
        let address = local.map_or_else(String::new, |local| local.to_string());
        self.send(&Connection::Request { hash, address, role: Role::Player }.write())
    }

    fn send(&mut self, document: &str) -> Result<(), WireError> {
        let Some(stream) = &mut self.stream else {
            return Err(WireError::Unsendable("the agent has not joined".into()));
        };
        let frame: Vec<u8> = document.bytes().chain([FRAME_END]).collect();
        // After the end, the server closes its side.
        stream.write_all(&frame).or_else(|error| if self.is_over { Ok(()) } else { Err(WireError::Away(error)) })
    }

    /// Reads until something has come, or the game is over.
    fn until(&mut self, patience: Duration, what: &str, has_come: impl Fn(&mut Self) -> bool) -> Result<(), WireError> {
        let since = Instant::now();
        loop {
            self.read()?;
            if has_come(self) || self.is_over {
                return Ok(());
            }
            if since.elapsed() > patience {
                return Err(WireError::Late(what.into()));
            }
            thread::sleep(SHORTLY);
        }
    }

    /// Reads what has arrived, without waiting. Returns whether it is more than nothing.
    fn read(&mut self) -> Result<bool, WireError> {
        let Some(stream) = &mut self.stream else { return Ok(false) };
        stream.set_nonblocking(true).map_err(WireError::Away)?;
        let mut buffer = [0; 16 * 1024];
        let closed = loop {
            match stream.read(&mut buffer) {
                Ok(0) => break true,
                Ok(count) => self.bytes.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break false,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break true,
            }
        };
        stream.set_nonblocking(false).map_err(WireError::Away)?;
        let before = self.told.len();
        while let Some(end) = self.bytes.iter().position(|byte| *byte == FRAME_END) {
            let frame: Vec<u8> = self.bytes.drain(..=end).collect();
            if end > 0 {
                self.hear(&frame[..end])?;
            }
        }
        if closed {
            self.stream = None;
            let is_refused = self.told.iter().any(|told| matches!(told, Told::Refused {}));
            if !self.is_over && self.player.is_some() && !is_refused {
                return Err(WireError::Away(io::Error::from(ErrorKind::ConnectionAborted)));
            }
        }
        Ok(self.told.len() > before)
    }

    fn hear(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        match Document::read(bytes, &Document::LIMITS).map_err(|problem| strange(&problem, bytes))? {
            Document::Connection(Connection::Confirmation { id, .. }) => {
                let player = u32::try_from(id).unwrap_or_default();
                self.player = Some(player);
                self.told.push_back(Told::Confirmed { player });
            }
            Document::Connection(Connection::Refusal { description, .. }) if description.ends_with(TRY_AGAIN) => {
                self.is_too_early = true;
            }
            Document::Connection(Connection::Refusal { .. }) => self.told.push_back(Told::Refused {}),
            Document::Connection(Connection::Request { .. }) => {
                return Err(WireError::Protocol("the server sent a Connection/Request".into()));
            }
            Document::Messages(messages) => {
                for message in messages.messages {
                    self.hear_message(message)?;
                }
            }
        }
        Ok(())
    }

    fn hear_message(&mut self, message: Message) -> Result<(), WireError> {
        let Message { context, content, .. } = message;
        let id = context.and_then(|context| number_of(context.as_str()));
        let told = match content {
            Content::GameState(GameState::SetupConfirmation { role, team }) => {
                self.team = Some(team);
                Told::TeamGiven { id, team, leader: role == Role::TeamLeader }
            }
            Content::GameState(GameState::Start(Start { players, width, height, position })) => {
                self.is_started = true;
                let players = players.into_iter().map(|(player, team)| Member { player, team }).collect();
                Told::Started { players, width, height, position }
            }
            Content::GameState(GameState::End(end)) => {
                self.is_over = true;
                let goals = |team: Team| end.goals.iter().find(|(of, _)| *of == team).map_or(0, |(_, goals)| *goals);
                let [blue, red] = Team::BOTH.map(|team| u32::try_from(goals(team)).unwrap_or_default());
                Told::Ended { reason: end.reason, winner: end.winner, blue, red }
            }
            Content::Action(action) => {
                let id = id.ok_or_else(|| WireError::Protocol("an answer has no contextId of a request".into()))?;
                acted(id, action).ok_or_else(|| WireError::Protocol("the Game Master sent a request".into()))?
            }
            Content::GameState(GameState::SetupRequest { .. }) | Content::Exchange(_) => {
                return Err(WireError::Protocol("an agent got a message that no agent of the script sends".into()));
            }
        };
        self.told.push_back(told);
        Ok(())
    }

    /// Takes the answer to a request that only waits out of the queue, with the start that comes with it in a running game.
    fn take_barrier(&mut self) -> bool {
        let Some(at) = self.told.iter().position(|told| matches!(told, Told::TeamGiven { id: Some(BARRIER), .. }))
        else {
            return false;
        };
        if !self.told.iter().take(at).any(|told| matches!(told, Told::Started { .. })) && !self.is_started {
            self.told.remove(at);
            return true;
        }
        // In a running game, a start follows.
        if matches!(self.told.get(at + 1), Some(Told::Started { .. })) {
            self.told.drain(at..at + 2);
            return true;
        }
        false
    }
}

fn acted(id: u32, action: Action) -> Option<Told> {
    match action {
        Action::Moved { success, position, distance } => {
            Some(Told::Moved { id, success, position: position?, distance })
        }
        Action::Discovered(tiles) => Some(Told::Discovered { id, tiles }),
        Action::PickedUp { success } => Some(Told::PickedUp { id, success }),
        Action::Tested(result) => Some(Told::Tested { id, result }),
        Action::Placed(result) => Some(Told::Placed { id, result }),
        Action::Move(_) | Action::Discover | Action::PickUp | Action::Test | Action::Place => None,
    }
}

/// The document of a request of this player.
fn message(request: &Request, player: u32) -> Result<String, WireError> {
    let (id, content) = match request {
        Request::ChooseTeam { id, team } => (id, Content::GameState(GameState::SetupRequest { team: *team })),
        Request::Move { id, direction } => (id, Content::Action(Action::Move(*direction))),
        Request::Discover { id } => (id, Content::Action(Action::Discover)),
        Request::PickUp { id } => (id, Content::Action(Action::PickUp)),
        Request::Test { id } => (id, Content::Action(Action::Test)),
        Request::Place { id } => (id, Content::Action(Action::Place)),
        Request::Join { .. } => return Err(WireError::Unsendable("a request to join is no message".into())),
    };
    let sender = i32::try_from(player).unwrap_or_default();
    let message = Message { id: guid(*id)?, context: None, sender, receiver: MASTER, content };
    Ok(Messages::one(message).write())
}

fn guid(number: u32) -> Result<Guid, WireError> {
    Guid::parse(&uuid_of(number)).ok_or_else(|| WireError::Unsendable(format!("{number} stands for no UUID")))
}

fn strange(problem: &xml::Problem, bytes: &[u8]) -> WireError {
    let shown: String = String::from_utf8_lossy(bytes).chars().take(200).collect();
    WireError::Protocol(format!("the server sent a document that the protocol does not have: {problem}\n{shown:?}"))
}
