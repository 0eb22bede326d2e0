//! A player over the wire: it keeps its place over lost connections, and checks everything that it hears.

use std::{collections::VecDeque, pin::pin, sync::Arc, time::Duration};

use commlib::{Form, FromClient, Hello, PROTOCOL, Reason, Refused, ToClient, Token, Want, Welcome};
use engine::{CommId, Message, Rulebook};
use server::{Adapter, CommandOf, EventOf};
use tokio::{
    sync::watch,
    time::{Instant, sleep, sleep_until, timeout},
};

use crate::{
    bot::Bot,
    coverage::Covered,
    ledger::{Cursor, Finding, Listener, encode},
    observer::Check,
    random::Random,
    site::Site,
    table::{Order, PlayerHandle, Table},
    wire::{Lost, Wire},
};

/// How many of a hundred games after the first of a table are forks.
const FORKS: u64 = 40;
/// How long a player waits for the answer to a hello.
const HELLO: Duration = Duration::from_secs(8);
/// How long a player hears nothing before it takes the connection for lost. It pings more often.
const SILENCE: Duration = Duration::from_secs(3);
const PING_EVERY: Duration = Duration::from_millis(1300);
/// How long the earlier of two connections may stay open after the second one was welcomed. A frozen host needs longer.
const OLD_CONNECTION: Duration = Duration::from_secs(15);

/// A player or a spectator, before it enters a game.
pub(crate) struct Player {
    pub(crate) site: Arc<Site>,
    pub(crate) table: Arc<Table>,
    pub(crate) handle: Arc<PlayerHandle>,
    /// The number among the players; the first creates the games.
    pub(crate) number: usize,
    pub(crate) is_spectator: bool,
    pub(crate) random: Random,
}

/// Plays one game after another.
pub(crate) async fn play<B: Bot>(mut player: Player) {
    for round in 0.. {
        let mut seat = Seat::<B>::new(player, round);
        seat.play().await;
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
        }
    }

    /// Plays to the end of the game.
    async fn play(&mut self) {
        loop {
            self.doing("connects");
            let want = self.want().await;
            let Some(stream) = self.player.site.connect(&mut self.player.random).await else {
                self.pause().await;
                continue;
            };
            let mut wire = Wire::new(stream, self.form);
            match self.greet(&mut wire, want).await {
                Greeted::In => {}
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

    /// The next hello. Waits for the first player to create the game.
    async fn want(&mut self) -> Want {
        if self.game.is_none() && (self.player.number > 0 || self.player.is_spectator) {
            self.game = Some(self.player.table.begun(self.round).await);
            let pause = self.player.random.millis(0..=100);
            sleep(pause).await;
        }
        if self.game.is_none() && self.round > 0 && self.player.random.chance(FORKS) {
            self.game = self.fork().await;
        }
        match (&self.game, self.token) {
            (None, _) => Want::Create(B::create(&mut self.player.random)),
            (Some(_), Some(token)) => Want::Resume { token, seen: self.cursor.number },
            (Some(_), None) if self.player.is_spectator => Want::Watch { seen: self.cursor.number },
            (Some(_), None) => Want::Join { seat: self.seat() },
        }
    }

    /// The seat to claim, if the game is a fork. Several players try the same seats.
    fn seat(&self) -> Option<u16> {
        let is_fork = self.player.table.is_fork(self.round);
        (is_fork && u64::from(self.claims) < B::MOST_PLAYERS).then_some(self.claims)
    }

    /// Forks the game of the last round, somewhere before its end.
    async fn fork(&mut self) -> Option<String> {
        let (site, table) = (self.player.site.clone(), self.player.table.clone());
        let before = table.game(self.round - 1)?;
        let entries = site.ledger.look(&before, |book| book.entries())?;
        let (host, sequence) = (site.host()?, self.player.random.below(entries.max(1)));
        let game = timeout(HELLO, host.fork(&before, sequence)).await.ok()?.ok()?;
        site.observer.step(|| format!("{before} is forked after entry {sequence}: {game}"));
        site.observer.cover(Covered::Forked);
        if site.ledger.look(&game, |_| ()).is_none() {
            self.fail(Check::Create, &format!("the fork {game} is not stored"));
        }
        table.forked(self.round, &game);
        Some(game)
    }

    async fn greet(&mut self, wire: &mut Wire<EventOf<B::Game>>, want: Want) -> Greeted {
        let observer = self.player.site.observer.clone();
        let is_resumed = matches!(want, Want::Resume { .. });
        if self.player.site.disk.is_in_trouble() {
            match want {
                Want::Create(_) => observer.cover(Covered::CreateInStoreFault),
                Want::Resume { .. } => observer.cover(Covered::ResumedInStoreFault),
                Want::Join { .. } | Want::Watch { .. } | Want::List => {}
            }
        }
        observer.step(|| format!("{} of {:?} says {want:?}", self.who(), self.game));
        let hello = Hello { protocol: PROTOCOL, want, game: self.game.clone(), board: self.board };
        let answer = timeout(HELLO, async {
            wire.send(FromClient::<CommandOf<B::Game>>::Hello(hello)).await.map_err(|_| Lost::Gone)?;
            wire.next().await
        });
        match answer.await {
            Err(_) | Ok(Err(Lost::Gone)) => Greeted::Again,
            Ok(Err(Lost::Malformed(refused))) => {
                self.fail(Check::Protocol, &refused.to_string());
                Greeted::Again
            }
            Ok(Ok(ToClient::Welcome(welcome))) => self.enter(welcome, is_resumed),
            Ok(Ok(ToClient::Refused(refused) | ToClient::Closing(refused))) => self.turned_away(&refused),
            Ok(Ok(ToClient::Games(_) | ToClient::Event(_) | ToClient::Pong(_))) => {
                self.fail(Check::Protocol, "a hello is answered by something else");
                Greeted::Again
            }
        }
    }

    fn enter(&mut self, welcome: Welcome, is_resumed: bool) -> Greeted {
        let observer = self.player.site.observer.clone();
        observer.debug(&welcome);
        let site = self.player.site.clone();
        self.welcomes.send_modify(|welcomes| *welcomes += 1);
        if self.game.as_ref().is_some_and(|game| *game != welcome.game) {
            self.fail(Check::Resume, "another game answers");
        }
        let game = welcome.game.clone();
        self.game = Some(game.clone());
        self.edition = welcome.edition;
        let client = welcome.client.map(CommId);
        if is_resumed && client != self.client || client.is_none() != self.player.is_spectator {
            self.fail(Check::Resume, &format!("the host takes it for client {client:?}"));
        }
        self.client = client;
        if !is_resumed
            && let Some(client) = client
            && !site.claim(&game, client)
        {
            self.fail(Check::Resume, "two players are the same client");
        }
        if !is_resumed && self.player.table.is_fork(self.round) {
            self.take_over();
        }
        self.token = self.token.or(welcome.token);
        if welcome.next != self.cursor.number + 1 {
            let facts = format!("after event {} comes event {}", self.cursor.number, welcome.next);
            self.fail(Check::Numbering, &facts);
        }
        let Some(is_behind) = site.ledger.look(&game, |book| !book.has_heard_all(&self.cursor, self.listener())) else {
            self.fail(Check::Create, "it is in a game that is not stored");
            return Greeted::Again;
        };
        if is_resumed && is_behind {
            observer.cover(Covered::CaughtUp);
        }
        if self.player.is_spectator {
            observer.cover(Covered::Watched);
        }
        if !self.player.is_spectator {
            self.count_commands(usize::try_from(welcome.commands).unwrap_or(usize::MAX));
        }
        self.player.table.created(self.round, &game);
        self.pings.clear();
        Greeted::In
    }

    /// A client that claims a seat goes on after the commands of the player before.
    fn take_over(&mut self) {
        let (Some(client), Some(game)) = (self.client, &self.game) else { return };
        let before = self.player.site.ledger.look(game, |book| book.commands(client).to_vec()).unwrap_or_default();
        if !before.is_empty() {
            self.player.site.observer.cover(Covered::Claimed);
        }
        (self.confirmed, self.compared) = (before.len(), before.len());
        self.sent = before;
    }

    /// The host says how many commands the game has received: the others are lost.
    fn count_commands(&mut self, received: usize) {
        let (sent, confirmed) = (self.sent.len(), self.confirmed);
        if received > sent || received < confirmed {
            let facts = format!("{received} commands were received of {sent}, of which {confirmed} were confirmed");
            self.fail(Check::Commands, &facts);
        }
        if received < sent {
            self.player.site.observer.cover(Covered::CommandLost);
            self.sent.truncate(received);
        }
    }

    fn turned_away(&mut self, refused: &Refused) -> Greeted {
        self.player.site.observer.step(|| format!("{} is turned away: {refused}", self.who()));
        match refused.reason {
            Reason::BadMessage | Reason::Full if self.token.is_none() && self.seat().is_some() => {
                self.claims += 1;
                Greeted::Again
            }
            Reason::GameOver | Reason::Full if self.token.is_none() => Greeted::Over,
            Reason::ShuttingDown | Reason::StoreUnavailable | Reason::Timeout => Greeted::Again,
            Reason::BadMessage
            | Reason::WrongProtocol
            | Reason::UnknownGame
            | Reason::UnknownToken
            | Reason::GameOver
            | Reason::Full
            | Reason::BadScenario
            | Reason::TooLarge
            | Reason::TooSlow
            | Reason::TooFast
            | Reason::TooMany
            | Reason::StoreFailed
            | Reason::Replaced
            | Reason::Damaged
            | Reason::Internal => {
                self.fail(Check::Resume, &format!("it may not enter: {refused}"));
                Greeted::Again
            }
        }
    }

    /// Talks with the host until the connection ends.
    async fn converse(&mut self, wire: &mut Wire<EventOf<B::Game>>) -> Ended {
        self.doing("plays");
        if self.ping(wire).await.is_err() {
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
                () = &mut next_turn, if !self.player.is_spectator => {
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

    /// Checks a message. Returns how the connection ends, if it does.
    fn hear(&mut self, message: ToClient<EventOf<B::Game>>) -> Option<Ended> {
        let observer = self.player.site.observer.clone();
        match message {
            ToClient::Event(told) => {
                let event = encode(&told.event);
                observer.bytes(&event);
                observer.bytes(told.text.as_deref().unwrap_or_default().as_bytes());
                observer.step(|| format!("{} of {:?} hears {} {:?}", self.who(), self.game, told.number, told.event));
                if <B::Game as Adapter>::Rules::is_refusal(&told.event) {
                    observer.cover(Covered::Refused);
                }
                self.check_heard(told.number, &event);
                self.bot.hear(&self.edition, &told.event, told.text.as_deref());
                None
            }
            ToClient::Pong(number) => {
                self.pong(number);
                None
            }
            ToClient::Refused(refused) => {
                observer.bytes(refused.message.as_bytes());
                if refused.reason == Reason::GameOver {
                    self.is_late = true;
                } else {
                    self.fail(Check::Protocol, &format!("a command is refused: {refused}"));
                }
                None
            }
            ToClient::Closing(refused) => Some(self.closing(&refused)),
            ToClient::Welcome(_) | ToClient::Games(_) => {
                self.fail(Check::Protocol, "a second welcome");
                None
            }
        }
    }

    fn check_heard(&mut self, number: u64, event: &[u8]) {
        let Some(game) = self.game.clone() else { return };
        let site = self.player.site.clone();
        let listener = self.listener();
        check_heard(&site, &game, &mut self.cursor, listener, number, event);
    }

    /// A pong confirms all commands before its ping.
    fn pong(&mut self, number: u64) {
        let Some(ping) = self.pings.pop_front().filter(|ping| ping.number == number) else {
            self.fail(Check::Protocol, &format!("pong {number} answers no ping"));
            return;
        };
        self.player.handle.answered(ping.sent_ms);
        if !self.is_late {
            self.confirmed = self.confirmed.max(ping.commands);
        }
        self.compare_commands();
    }

    /// Compares the commands in the log with those that were sent.
    fn compare_commands(&mut self) {
        let confirmed = self.confirmed;
        let (Some(client), Some(game)) = (self.client, &self.game) else { return };
        let differs = self.player.site.ledger.look(game, |book| {
            let (stored, sent, from) = (book.commands(client), &self.sent, self.compared);
            let is_other = stored.len() > sent.len() || stored[from.min(stored.len())..] != sent[from..stored.len()];
            (stored.len(), is_other)
        });
        let Some((stored, is_other)) = differs else { return };
        if is_other {
            self.fail(Check::Commands, &format!("the log has {stored} commands, and not the {} sent", self.sent.len()));
        } else if stored < confirmed {
            self.fail(Check::Commands, &format!("{confirmed} commands are confirmed, and the log has {stored}"));
        }
        self.compared = stored.min(self.confirmed);
    }

    fn closing(&mut self, refused: &Refused) -> Ended {
        let observer = self.player.site.observer.clone();
        observer.bytes(refused.message.as_bytes());
        observer.step(|| format!("{} of {:?} is told: {refused}", self.who(), self.game));
        match refused.reason {
            Reason::GameOver => {
                self.check_end();
                return Ended::Over;
            }
            Reason::ShuttingDown | Reason::StoreUnavailable | Reason::Timeout | Reason::TooSlow => {}
            Reason::BadMessage
            | Reason::WrongProtocol
            | Reason::UnknownGame
            | Reason::UnknownToken
            | Reason::Full
            | Reason::BadScenario
            | Reason::TooLarge
            | Reason::TooFast
            | Reason::TooMany
            | Reason::StoreFailed
            | Reason::Replaced
            | Reason::Damaged
            | Reason::Internal => self.fail(Check::Protocol, &format!("the host closes: {refused}")),
        }
        Ended::Lost
    }

    /// A game that is over is over in the log, and everything of it was told.
    fn check_end(&mut self) {
        let Some(game) = self.game.clone() else { return };
        let site = &self.player.site;
        let listener = self.listener();
        let told = site.ledger.look(&game, |book| (book.is_over(), book.has_heard_all(&self.cursor, listener)));
        match told {
            Some((true, true)) if site.disk.has_ended(&game) => {}
            Some((true, true)) => self.fail(Check::End, "the end is told before it is stored"),
            Some((true, false)) => self.fail(Check::End, "it is told of the end before the last events"),
            Some((false, _)) | None => self.fail(Check::End, "it is told of an end that the log does not have"),
        }
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

    /// Reads the earlier connection until the host closes it. What it says must be right, too.
    fn keep_listening(&mut self, wire: Wire<EventOf<B::Game>>) {
        let site = self.player.site.clone();
        site.observer.cover(Covered::ResumeTwice);
        let Some(game) = self.game.clone() else { return };
        let (cursor, listener) = (self.cursor, self.listener());
        let (mut welcomes, link) = (self.welcomes.subscribe(), wire.control());
        let welcomed = async move {
            // If the player is gone first, the simulation ends.
            let _is_over = welcomes.changed().await;
            sleep(OLD_CONNECTION).await;
        };
        tokio::spawn(async move {
            tokio::select! {
                biased;
                () = listen(&site, &game, cursor, listener, wire) => {}
                // A client does not hear of the end of a half-open connection, so the host's end counts.
                () = welcomed => if link.is_open_at_host() {
                    site.observer.fail(Check::Resume, || format!("game {game}: {listener:?} keeps two connections"));
                }
            }
        });
    }
}

/// Listens to a connection until it ends.
async fn listen<E: Message>(site: &Site, game: &str, mut cursor: Cursor, listener: Listener, mut wire: Wire<E>) {
    while let Ok(message) = wire.next().await {
        match message {
            ToClient::Event(told) => {
                check_heard(site, game, &mut cursor, listener, told.number, &encode(&told.event));
            }
            ToClient::Closing(refused) => {
                if refused.reason == Reason::Replaced {
                    site.observer.cover(Covered::Replaced);
                }
                return;
            }
            ToClient::Pong(_) | ToClient::Refused(_) | ToClient::Welcome(_) | ToClient::Games(_) => {}
        }
    }
}

fn check_heard(site: &Site, game: &str, cursor: &mut Cursor, listener: Listener, number: u64, event: &[u8]) {
    let heard = site.ledger.look(game, |book| book.hear(cursor, listener, number, event));
    if let Some(Err(Finding { check, facts })) = heard {
        site.observer.fail(check, || format!("game {game}: {facts}"));
    }
}
