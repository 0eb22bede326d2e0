//! A player over the wire: it keeps its place over lost connections, and checks everything that it hears.

mod entering;
mod hearing;

use std::{collections::VecDeque, pin::pin, sync::Arc, time::Duration};

use commlib::{AccessChange, Form, FromClient, Token};
use engine::CommId;
use server::{CommandOf, EventOf};
use tokio::{
    sync::watch,
    time::{Instant, sleep, sleep_until},
};

use crate::{
    bot::Bot,
    coverage::Covered,
    ledger::{Cursor, Listener, encode},
    observer::Check,
    random::Random,
    site::Site,
    table::{Order, PlayerHandle, Table},
    wire::{Lost, Wire},
};

/// How many of a hundred games after the first of a table are forks.
const FORKS: u64 = 40;
/// How many of a hundred created games need an invitation.
const INVITED: u64 = 30;
/// How many of a hundred players of such a game first try without it.
const STRANGERS: u64 = 50;
/// How long a player waits for the answer to a hello.
const HELLO: Duration = Duration::from_secs(8);
/// How long a player hears nothing before it takes the connection for lost. It pings more often.
const SILENCE: Duration = Duration::from_secs(3);
const PING_EVERY: Duration = Duration::from_millis(1300);
/// How long the earlier of two connections may stay open after the second one was welcomed. A frozen host needs longer.
const OLD_CONNECTION: Duration = Duration::from_secs(15);
/// The same if hosts pass clients on. A host notices only by its probes that its link to the owner is half open.
const OLD_PASSED_CONNECTION: Duration = Duration::from_secs(45);

/// A player or a spectator, before it enters a game.
pub(crate) struct Player {
    pub(crate) site: Arc<Site>,
    pub(crate) table: Arc<Table>,
    pub(crate) handle: Arc<PlayerHandle>,
    /// The number among the players; the first creates the games.
    pub(crate) number: usize,
    pub(crate) is_spectator: bool,
    /// The only host that it knows, if it does not know all of them.
    pub(crate) known: Option<usize>,
    pub(crate) random: Random,
}

/// Plays one game after another.
pub(crate) async fn play<B: Bot>(mut player: Player) {
    let mut round = 0;
    loop {
        let mut seat = Seat::<B>::new(player, round);
        seat.play().await;
        // The others wait for a game that they can come to. One that ended before its creator could invite them is none.
        if !seat.needs_invitation() {
            round += 1;
        }
        player = seat.player;
        let pause = player.random.millis(100..=1500);
        sleep(pause).await;
    }
}

/// The place of a player in one game.
struct Seat<B: Bot> {
    player: Player,
    round: usize,
    bot: B,
    game: Option<String>,
    edition: String,
    token: Option<Token>,
    client: Option<CommId>,
    form: Form,
    /// Whether it hears the events for the board.
    board: bool,
    cursor: Cursor,
    /// The commands that the game has or may still receive.
    sent: Vec<Vec<u8>>,
    /// How many of them a pong has confirmed, and how many were compared with the log.
    confirmed: usize,
    compared: usize,
    pings: VecDeque<Ping>,
    next_ping: u64,
    /// Whether a command came after the end, so that no pong confirms it.
    is_late: bool,
    /// The seats of a fork that it has tried to claim.
    claims: u16,
    /// How often a hello was welcomed.
    welcomes: watch::Sender<u64>,
    /// The host of its last connection.
    host: Option<usize>,
    /// Whether it has created a game that others need an invitation for.
    is_inviting: bool,
    /// The invitation that it has made or was given.
    invitation: Option<String>,
    /// Whether its next hello names the game without the invitation.
    is_stranger: bool,
}

/// A ping without a pong.
struct Ping {
    number: u64,
    sent_ms: u64,
    /// How many commands were sent before.
    commands: usize,
}

/// How a hello ended.
enum Greeted {
    In,
    Again,
    Over,
}

/// How a connection ended.
enum Ended {
    Lost,
    Over,
    Twice,
    Elsewhere,
}

impl<B: Bot> Seat<B> {
    fn new(mut player: Player, round: usize) -> Self {
        let form = if player.random.chance(70) { Form::Binary } else { Form::Json };
        let board = player.is_spectator || player.random.chance(75);
        let bot = B::new(player.number);
        Self {
            player,
            round,
            bot,
            game: None,
            edition: String::new(),
            token: None,
            client: None,
            form,
            board,
            cursor: Cursor::default(),
            sent: Vec::new(),
            confirmed: 0,
            compared: 0,
            pings: VecDeque::new(),
            next_ping: 0,
            is_late: false,
            claims: 0,
            welcomes: watch::Sender::new(0),
            host: None,
            is_inviting: false,
            invitation: None,
            is_stranger: false,
        }
    }

    /// Plays to the end of the game.
    async fn play(&mut self) {
        loop {
            self.doing("connects");
            let want = self.want().await;
            let connected =
                self.player.site.connect(self.game.as_deref(), self.player.known, &mut self.player.random).await;
            let Some((host, stream)) = connected else {
                self.pause().await;
                continue;
            };
            let mut wire = Wire::new(stream, self.form);
            match self.greet(&mut wire, want).await {
                Greeted::In => self.came_to(host),
                Greeted::Over => return,
                Greeted::Again => {
                    self.pause().await;
                    continue;
                }
            }
            match self.converse(&mut wire).await {
                Ended::Lost => self.pause().await,
                Ended::Over if self.resumes_again() => {}
                Ended::Over => return,
                Ended::Elsewhere => self.forget(),
                Ended::Twice => self.keep_listening(wire),
            }
        }
    }

    /// Notes the host that it is connected to.
    fn came_to(&mut self, host: usize) {
        let site = &self.player.site;
        if self.host.replace(host).is_some_and(|before| before != host) {
            site.observer.cover(Covered::ResumedWithAnother);
        }
        let owner = self.game.as_ref().filter(|_| site.forwards()).and_then(|game| site.owner(game));
        if owner.is_some_and(|owner| owner != host) {
            site.observer.cover(Covered::Forwarded);
        }
    }

    async fn pause(&mut self) {
        let pause = self.player.random.millis(50..=500);
        sleep(pause).await;
    }

    fn doing(&self, what: &str) {
        let game = self.game.as_deref().unwrap_or("no game");
        self.player.handle.doing(format!("{} {what} in {game}", self.who()));
    }

    fn who(&self) -> String {
        match (self.player.is_spectator, self.client) {
            (true, _) => "a spectator".into(),
            (false, Some(client)) => format!("client {client}"),
            (false, None) => format!("player {}", self.player.number),
        }
    }

    fn fail(&self, check: Check, facts: &str) {
        let game = self.game.as_deref().unwrap_or("no game");
        self.player.site.observer.fail(check, || format!("game {game}, {}: {facts}", self.who()));
    }

    fn listener(&self) -> Listener {
        self.client.map_or(Listener::Watcher, |client| Listener::Client { client, board: self.board })
    }

    /// Talks with the host until the connection ends.
    async fn converse(&mut self, wire: &mut Wire<EventOf<B::Game>>) -> Ended {
        self.doing("plays");
        if self.ping(wire).await.is_err() || self.invite(wire).await.is_err() {
            return Ended::Lost;
        }
        let handle = self.player.handle.clone();
        let mut next_turn = pin!(sleep_until(self.next_turn()));
        let mut next_ping = pin!(sleep(PING_EVERY));
        let mut heard = Instant::now();
        loop {
            tokio::select! {
                biased;
                order = handle.next_order() => match order {
                    // A spectator has no token; it just connects again.
                    Order::ResumeTwice if self.token.is_some() => return Ended::Twice,
                    Order::ResumeTwice | Order::ResumeElsewhere => return Ended::Elsewhere,
                },
                message = wire.next() => {
                    heard = Instant::now();
                    match message {
                        Ok(message) => if let Some(ended) = self.hear(message) { return ended },
                        Err(Lost::Gone) => return Ended::Lost,
                        Err(Lost::Malformed(refused)) => {
                            self.fail(Check::Protocol, &refused.to_string());
                            return Ended::Lost;
                        }
                    }
                }
                () = &mut next_turn, if !self.player.is_spectator && !self.needs_invitation() => {
                    next_turn.as_mut().reset(self.next_turn());
                    if let Some(command) = self.bot.act(&mut self.player.random) {
                        self.sent.push(encode(&command));
                        if wire.send(FromClient::Command(&command)).await.is_err() {
                            return Ended::Lost;
                        }
                    }
                }
                () = &mut next_ping => {
                    next_ping.as_mut().reset(Instant::now() + PING_EVERY);
                    if heard.elapsed() > SILENCE || self.ping(wire).await.is_err() {
                        return Ended::Lost;
                    }
                }
            }
        }
    }

    /// Whether it must make an invitation before others can come.
    fn needs_invitation(&self) -> bool {
        self.is_inviting && self.invitation.is_none()
    }

    /// Makes an invitation. On a new connection it asks again, if no answer came.
    async fn invite(&mut self, wire: &mut Wire<EventOf<B::Game>>) -> std::io::Result<()> {
        if !self.needs_invitation() {
            return Ok(());
        }
        let change = AccessChange::Invite { name: None, account: None };
        wire.send(FromClient::<CommandOf<B::Game>>::Manage(change)).await
    }

    fn next_turn(&mut self) -> Instant {
        Instant::now() + self.player.random.millis(40..=1400)
    }

    async fn ping(&mut self, wire: &mut Wire<EventOf<B::Game>>) -> std::io::Result<()> {
        self.next_ping += 1;
        let number = self.next_ping;
        let sent_ms = self.player.site.observer.now_ms();
        self.pings.push_back(Ping { number, sent_ms, commands: self.sent.len() });
        wire.send(FromClient::<CommandOf<B::Game>>::Ping(number)).await
    }

    /// Sometimes a player comes back after the end.
    fn resumes_again(&mut self) -> bool {
        let again = self.token.is_some() && self.player.random.chance(30);
        if again {
            self.player.site.observer.cover(Covered::ResumedOver);
            self.forget();
        }
        again
    }

    /// Another process resumes: it has the token, and has heard nothing.
    fn forget(&mut self) {
        self.player.site.observer.cover(Covered::ResumeElsewhere);
        self.cursor = Cursor::default();
        self.bot = B::new(self.player.number);
    }
}
