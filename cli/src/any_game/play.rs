//! `holdfast play` for any rulebook: a person plays by lines and numbered choices.

use std::{
    io::{self, BufRead},
    net::SocketAddr,
};

use clients::{
    notices::notice_lines,
    offers::{JsonOffers, JsonTable, OfferClient, OfferNews, scenario_of},
    resuming::Link,
    seats::{Seat, Seats},
};
use commlib::{ClientError, Create, Notice, ServerAddress, Want};
use engine::{Answer, Argument, ArgumentForm, Template, Then, fill_json, json_words};
use serde_json::Value;
use server::{HostedGame, Story};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::{
        mpsc::{UnboundedReceiver, unbounded_channel},
        oneshot,
    },
    time::Duration,
};

use super::{
    RulebookArg, Who,
    bot_player::RANDOM,
    create,
    practice::{Opponents, Practice},
};
use crate::{
    Failure, Program,
    address::{ConnectError, connect_address_or_port},
    duration,
    menu::{answer, table_lines},
    output,
    serving::{ServeError, runtime},
    tls::{ClientTlsOptions, account_token, host_part},
};

/// The number of last lines that are repeated when a person comes back, or takes a seat of a fork.
const REMINDER: usize = 20;

/// Plays a game at the terminal, by lines and numbered choices, on a host or alone with bots.
///
/// q and Ctrl-C quit: the seat stays in the game, and --resume goes back to it.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("made").args(["new", "practice"]).multiple(true))]
pub struct Arguments {
    #[command(flatten)]
    rulebook: RulebookArg,
    /// The host to play on. [default: 127.0.0.1:7700, or with --resume the host of the seat]
    #[arg(long, value_name = "ADDR", conflicts_with = "practice")]
    connect: Option<String>,
    #[command(flatten)]
    tls: ClientTlsOptions,
    /// The game to join. [default: the only game of the server]
    #[arg(long, value_name = "ID", conflicts_with = "made")]
    game: Option<String>,
    /// The seat of a fork to claim. Seats are numbered from 0 in the order of the players.
    #[arg(long, value_name = "N", conflicts_with = "made")]
    seat: Option<u16>,
    /// Go back to a seat that was taken on this machine: the one in this game, or the latest.
    #[arg(long, value_name = "GAME", conflicts_with_all = ["game", "seat", "made", "name", "seed"])]
    resume: Option<Option<String>>,
    /// Create a game of this scenario: its name or its text.
    #[arg(long, value_name = "SCENARIO")]
    new: Option<String>,
    /// Who may come into the new game.
    #[arg(long, value_name = "WHO", requires = "new", conflicts_with = "practice")]
    admission: Option<Who>,
    /// Play alone with bots, without a host. --new chooses the scenario. [default: the first one of the rulebook]
    #[arg(long)]
    practice: bool,
    /// The bots of the practice, separated by commas: they have the other seats in turn. `bot --help` lists them.
    #[arg(long, default_value = RANDOM, value_delimiter = ',', value_name = "NAMES", requires = "practice")]
    bots: Vec<String>,
    /// The number of players in practice, including you. [default: as few as the game needs]
    #[arg(long, value_name = "N", requires = "practice", value_parser = clap::value_parser!(u16).range(1..))]
    players: Option<u16>,
    /// Your name in the game. With a name you take a seat at once, if there is only one way to do it. [default: you]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The time that a player of a new game has for a move, such as 60s; a number without a unit is seconds. [default: what the rules
    /// say]
    #[arg(long, value_name = "TIME", requires = "made", value_parser = duration::in_seconds)]
    timeout: Option<Duration>,
    /// The seed of a new game. [default: a different one every time]
    #[arg(long, allow_negative_numbers = true, requires = "made")]
    seed: Option<i64>,
    /// Print lines and numbered choices. Rulebooks without a screen of their own always do.
    #[arg(long)]
    plain: bool,
}

/// Runs the command.
///
/// # Errors
/// If the host cannot be reached, or refuses, or there is no seat to go back to.
pub fn run(program: &Program, arguments: &Arguments) -> Result<(), Failure> {
    if arguments.practice {
        return runtime()?.block_on(practise(program, arguments));
    }
    let game = arguments.rulebook.game(program)?;
    let kept = match &arguments.resume {
        Some(name) => Some(Seats::of_user()?.find(name.as_deref())?),
        None => None,
    };
    let (want, place) = match (&kept, &arguments.new) {
        (Some(seat), _) => (Want::Resume { token: seat.token, seen: 0 }, Some(seat.game.clone())),
        (None, None) => (Want::Join { seat: arguments.seat }, arguments.game.clone()),
        (None, Some(scenario)) => {
            (arguments.admission.unwrap_or_default().want(arguments.create(game, Some(scenario))), None)
        }
    };
    let named = arguments.connect.as_deref().or(kept.as_ref().map(|seat| &*seat.address)).unwrap_or("127.0.0.1");
    let address = connect_address_or_port(7700)(named)?;
    let server = ServerAddress {
        address: address.to_string(),
        tls: arguments.tls.open(host_part(named))?,
        account: account_token(),
    };
    runtime()?.block_on(async {
        let failed = |error: ClientError| ConnectError::new(address, error, "holdfast host");
        let mut client = OfferClient::open(server.clone(), place, want).await.map_err(failed)?;
        let invitation = match arguments.admission {
            Some(Who::Invited) => Some(client.invite().await.map_err(failed)?),
            Some(Who::Open | Who::Unlisted) | None => None,
        };
        client.ask_notices().await.map_err(failed)?;
        client.watch_link(|link| {
            output::announce(match link {
                Link::Lost => "The connection is lost. Trying to come back.",
                Link::Back => "The connection is back.",
            });
        });
        let seat = keep_seat(&client, address, arguments.name.as_deref(), kept.as_ref());
        output::announce(&format!(
            "You are in game {}. Type a number or a letter, /TEXT to chat, or q to quit.",
            client.game()
        ));
        if let Some(invitation) = &invitation {
            output::announce(&format!("Others join with this invitation: --game {invitation}"));
        }
        let mut player = Person::new(arguments.name.as_deref().or(kept.as_ref().map(|seat| &*seat.name)));
        player.joins = arguments.name.is_some();
        let code = invitation.as_ref().or(arguments.game.as_ref()).map_or_else(|| client.game(), String::as_str);
        player.story = tell_story(program, &client, server, code).await;
        let ended = player.play(client, lines()).await;
        if let Some((seats, seat)) = seat {
            if matches!(ended, Ok(End::GameOver)) {
                seats.forget(&seat);
            } else {
                let mut options = arguments.tls.words();
                if let Some(name) = &arguments.rulebook.rulebook {
                    options.extend(["--rulebook".to_owned(), name.clone()]);
                }
                output::announce(&seats.resume_hint(&seat, &options));
            }
        }
        match ended {
            Ok(_) => Ok(()),
            Err(PlayError::Client(error)) => Err(failed(error).into()),
            Err(PlayError::Signal(error)) => Err(error.into()),
        }
    })
}

impl Arguments {
    fn create(&self, game: &dyn HostedGame, scenario: Option<&str>) -> Create {
        let timeout = self.timeout.map(|timeout| timeout.as_millis() as u64);
        Create { timeout, ..create(game, scenario, self.seed) }
    }
}

/// Plays with bots on a host in this process.
async fn practise(program: &Program, arguments: &Arguments) -> Result<(), Failure> {
    let own = arguments.rulebook.in_program(program)?;
    let mut practice = Practice::open(program, own).await?;
    let strategies = practice.strategies(&arguments.bots)?;
    let want = Want::Create(arguments.create(own.hosted(), arguments.new.as_deref()));
    let client = OfferClient::open(practice.host(), None, want).await?;
    let (seated, is_seated) = oneshot::channel();
    let opponents = Opponents {
        strategies,
        players: arguments.players.map(usize::from),
        seed: arguments.seed.unwrap_or_else(|| name_seed(client.game())),
    };
    practice.seat_bots(client.game(), is_seated, opponents);
    output::announce("You play with bots. Type a number or a letter, or q to quit.");
    let mut player = Person::new(arguments.name.as_deref());
    (player.joins, player.seated) = (true, Some(seated));
    player.story = tell_story(program, &client, practice.host(), client.game()).await;
    let ended = player.play(client, lines()).await;
    practice.end().await?;
    match ended {
        Ok(_) => Ok(()),
        Err(PlayError::Client(error)) => Err(error.into()),
        Err(PlayError::Signal(error)) => Err(error.into()),
    }
}

/// The names of games differ, so their bots do, too.
fn name_seed(game: &str) -> i64 {
    game.bytes().fold(7, |seed: i64, byte| seed.wrapping_mul(31).wrapping_add(byte.into()))
}

/// The words of the rules for events, if this program has the rules of the game. `code` is its name, or an invitation.
async fn tell_story(
    program: &Program,
    client: &OfferClient,
    server: ServerAddress,
    code: &str,
) -> Option<Box<dyn Story>> {
    let game = program.games.iter().map(|game| game.hosted()).find(|game| game.name() == client.rulebook())?;
    let scenario = scenario_of(server, code).await.ok()?;
    game.story(&create(game, Some(&scenario), None)).ok()
}

/// Keeps the seat in a file, so that a later call can resume it.
fn keep_seat(
    client: &OfferClient,
    address: SocketAddr,
    name: Option<&str>,
    before: Option<&Seat>,
) -> Option<(Seats, Seat)> {
    let seat = Seat {
        address: address.to_string(),
        game: client.game().into(),
        client: client.client()?,
        name: name.or(before.map(|seat| &*seat.name)).unwrap_or(NAMELESS).into(),
        token: client.token()?,
    };
    let kept = Seats::of_user().and_then(|seats| seats.keep(&seat).map(|()| seats));
    // A person should be told before the game begins that the seat cannot be resumed.
    let kept = kept.inspect_err(|why| output::announce(&format!("This seat cannot be resumed later: {why}")));
    let seats = kept.ok()?;
    // A host that has moved has a file of its own, so the old one goes.
    if let Some(before) = before.filter(|before| seats.file(before) != seats.file(&seat)) {
        seats.forget(before);
    }
    Some((seats, seat))
}

/// The name of a person who gives none.
const NAMELESS: &str = "you";

/// The lines of standard input, from a thread of its own: reading blocks.
fn lines() -> UnboundedReceiver<String> {
    let (send, receive) = unbounded_channel();
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    receive
}

/// How a person stopped playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    GameOver,
    Quit,
}

enum PlayError {
    Client(ClientError),
    Signal(ServeError),
}

impl From<ClientError> for PlayError {
    fn from(error: ClientError) -> Self {
        Self::Client(error)
    }
}

/// A person who answers questions.
struct Person {
    name: String,
    /// Whether the person takes a seat without a question.
    joins: bool,
    /// The words of the rules for events.
    story: Option<Box<dyn Story>>,
    /// The events before the first offers.
    backlog: Option<Vec<(Value, Option<String>)>>,
    /// What the person can do now.
    offers: Option<JsonOffers>,
    /// The answers that led to the open question.
    path: Vec<usize>,
    /// Whether the host sends the board with the offers.
    has_table: bool,
    /// The board that was shown last.
    shown: Value,
    /// The command whose arguments are being filled in.
    filling: Option<Filling>,
    /// The command beside the play that the person must confirm, and its label.
    unsure: Option<(String, Value)>,
    /// Whether the server has notices.
    has_chat: bool,
    /// Is told the table as soon as the person has a seat.
    seated: Option<oneshot::Sender<JsonTable>>,
}

#[derive(Debug)]
struct Filling {
    label: String,
    command: Value,
    /// The arguments that are left.
    left: Vec<Argument>,
    /// Whether it stands beside the play.
    aside: bool,
}

/// What follows from a line.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    Ask,
    Send(Value),
    Chat(String),
    Quit,
}

impl Person {
    fn new(name: Option<&str>) -> Self {
        Self {
            name: name.unwrap_or(NAMELESS).into(),
            joins: false,
            story: None,
            backlog: Some(Vec::new()),
            offers: None,
            path: Vec::new(),
            has_table: false,
            shown: Value::Null,
            filling: None,
            unsure: None,
            has_chat: false,
            seated: None,
        }
    }

    /// Plays until the game is over or the person quits. The end of the input quits, too.
    async fn play(&mut self, mut client: OfferClient, mut lines: UnboundedReceiver<String>) -> Result<End, PlayError> {
        // Ctrl-C is handled from here on, not only while the program waits.
        let mut interrupted =
            signal(SignalKind::interrupt()).map_err(|error| PlayError::Signal(ServeError::Signal(error)))?;
        loop {
            tokio::select! {
                news = client.next() => match news? {
                    OfferNews::Event(event, text) => {
                        let told = self.story.as_mut().and_then(|story| story.tell(&event)).or(text);
                        match &mut self.backlog {
                            Some(backlog) => backlog.push((event, told)),
                            None => self.tell(&event, told),
                        }
                    }
                    OfferNews::Refused(words) => output::announce(&words),
                    OfferNews::Offers(offers, table) => {
                        self.has_table |= !table.picture.is_null();
                        if table.you.is_some() && let Some(seated) = self.seated.take() {
                            let _bots_are_gone = seated.send(table.clone());
                        }
                        self.tell_backlog();
                        self.show_table(&offers, table.picture);
                        if let Some(join) = self.join_command(&offers) {
                            client.send(&join).await?;
                            continue;
                        }
                        self.take_offers(offers);
                        self.show();
                    }
                    OfferNews::Notice(Notice::Refused(_)) if !self.has_chat => {}
                    OfferNews::Notice(notice) => {
                        self.has_chat = true;
                        notice_lines(&notice, client.client()).iter().for_each(|line| output::announce(line));
                    }
                    OfferNews::Over => {
                        self.tell_backlog();
                        return Ok(End::GameOver);
                    }
                },
                line = lines.recv() => match line.map_or(Step::Quit, |line| self.take(line.trim())) {
                    Step::Ask => self.show(),
                    Step::Send(command) => {
                        self.offers = None;
                        client.send(&command).await?;
                    }
                    Step::Chat(_) if !self.has_chat => output::announce("This server has no chat."),
                    Step::Chat(text) => client.chat(&text).await?,
                    Step::Quit => return Ok(End::Quit),
                },
                _ = interrupted.recv() => return Ok(End::Quit),
            }
        }
    }

    /// Prints an event. The table shows what an event without words has changed.
    fn tell(&self, event: &Value, words: Option<String>) {
        match words {
            Some(words) => output::announce(&words),
            None if self.has_table => {}
            None => output::announce(&json_words(event)),
        }
    }

    /// Prints the last events of what has happened before.
    fn tell_backlog(&mut self) {
        let mut events = self.backlog.take().unwrap_or_default();
        events.retain(|(_, words)| words.is_some() || !self.has_table);
        let skipped = events.len().saturating_sub(REMINDER);
        events.drain(..skipped).for_each(drop);
        events.into_iter().for_each(|(event, words)| self.tell(&event, words));
    }

    /// The command that takes a seat, for a person who gave a name, if there is only one such command.
    fn join_command(&mut self, offers: &JsonOffers) -> Option<Value> {
        if !std::mem::take(&mut self.joins) {
            return None;
        }
        let is_possible = |answer: &Answer<()>| !matches!(answer, Answer::Impossible { .. });
        let mut leaves = offers.leaves().filter(|leaf| !leaf.aside && is_possible(&leaf.template.answer));
        let (Some(only), None) = (leaves.next(), leaves.next()) else { return None };
        let arguments = &only.template.arguments;
        let is_name = |argument: &Argument| matches!(argument.form, ArgumentForm::Text { name: true, .. });
        if arguments.is_empty() || !arguments.iter().all(is_name) {
            return None;
        }
        let values: Vec<Value> = arguments.iter().map(|_| Value::from(&*self.name)).collect();
        fill_json(only.template.command.clone(), arguments, &values).ok()
    }

    /// Takes new offers. A question whether the person is sure stays open as long as its command is offered.
    fn take_offers(&mut self, offers: JsonOffers) {
        self.unsure.take_if(|(_, command)| !offers.leaves().any(|leaf| leaf.template.command == *command));
        (self.offers, self.filling) = (Some(offers), None);
        self.path.clear();
    }

    /// Prints the board, if it has changed and the person can play.
    fn show_table(&mut self, offers: &JsonOffers, picture: Value) {
        if offers.leaves().any(|leaf| !leaf.aside) && self.shown != picture {
            table_lines(&picture).iter().for_each(|line| output::announce(line));
            self.shown = picture;
        }
    }

    /// Prints the open question.
    fn show(&self) {
        self.question().iter().for_each(|line| output::announce(line));
    }

    /// The open question as lines.
    fn question(&self) -> Vec<String> {
        if let Some((label, _)) = &self.unsure {
            return vec![format!("{label}: are you sure? Type yes, or anything else to play on.")];
        }
        if let Some(argument) = self.filling.as_ref().and_then(|filling| filling.left.first()) {
            return vec![format!("{} ({}):", argument.label, argument.form)];
        }
        let Some(open) = self.open() else { return Vec::new() };
        let answers = choices(open).into_iter().map(|(key, at)| answer(&open.offers[at], &key));
        let back = (!self.path.is_empty()).then(|| "  0. Back".into());
        [open.title.clone()].into_iter().chain(answers).chain(back).collect()
    }

    fn open(&self) -> Option<&JsonOffers> {
        let mut open = self.offers.as_ref()?;
        for at in &self.path {
            match open.offers.get(*at).map(|offer| &offer.then) {
                Some(Then::Choose(inner)) => open = inner,
                Some(Then::Send(_)) | None => break,
            }
        }
        Some(open)
    }

    /// Whether a choice on the way to the open question stands beside the play.
    fn is_inside_aside(&self) -> bool {
        let mut open = self.offers.as_ref();
        self.path.iter().any(|at| {
            let offer = open.and_then(|open| open.offers.get(*at));
            open = offer.and_then(|offer| match &offer.then {
                Then::Choose(inner) => Some(inner),
                Then::Send(_) => None,
            });
            offer.is_some_and(|offer| offer.aside)
        })
    }

    fn take(&mut self, line: &str) -> Step {
        match line {
            "q" | "quit" => return Step::Quit,
            _ if line.starts_with('/') => return Step::Chat(line[1..].to_owned()),
            "" if self.filling.is_none() => return Step::Ask,
            _ => {}
        }
        if let Some((_, command)) = self.unsure.take() {
            return if matches!(line, "y" | "yes") { Step::Send(command) } else { Step::Ask };
        }
        if let Some(filling) = self.filling.take() {
            return self.fill(filling, line);
        }
        if line == "0" {
            self.path.pop();
            return Step::Ask;
        }
        let chosen = self.open().and_then(|open| {
            let (_, at) = choices(open).into_iter().find(|(key, _)| key == line)?;
            Some((at, open.offers[at].clone()))
        });
        let Some((at, offer)) = chosen else {
            output::announce("Type the number or the letter of a choice, 0 to go back, /TEXT to chat, or q to quit.");
            return Step::Ask;
        };
        if let Some(why) = offer.why_not() {
            output::announce(&format!("Not now: {why}"));
            return Step::Ask;
        }
        let aside = offer.aside || self.is_inside_aside();
        match offer.then {
            Then::Choose(_) => {
                self.path.push(at);
                Step::Ask
            }
            Then::Send(Template { command, arguments, .. }) => {
                self.next(Filling { label: offer.label, command, left: arguments, aside })
            }
        }
    }

    /// Fills the next argument with a line.
    fn fill(&mut self, mut filling: Filling, line: &str) -> Step {
        let argument = filling.left.remove(0);
        let value = match argument.form {
            ArgumentForm::Text { .. } => Value::from(line),
            // What is not JSON is a text.
            ArgumentForm::Range { .. } | ArgumentForm::Free { .. } => {
                serde_json::from_str(line).unwrap_or_else(|_| Value::from(line))
            }
        };
        match fill_json(filling.command.clone(), std::slice::from_ref(&argument), &[value]) {
            Ok(command) => self.next(Filling { command, ..filling }),
            Err(error) => {
                output::announce(&error.to_string());
                filling.left.insert(0, argument);
                self.filling = Some(filling);
                Step::Ask
            }
        }
    }

    /// Fills in the person's name, asks for the next argument, or sends the command.
    fn next(&mut self, mut filling: Filling) -> Step {
        while let Some(argument) = filling.left.first()
            && matches!(argument.form, ArgumentForm::Text { name: true, .. })
            && let Ok(command) =
                fill_json(filling.command.clone(), std::slice::from_ref(argument), &[Value::from(&*self.name)])
        {
            filling.command = command;
            filling.left.remove(0);
        }
        if filling.left.is_empty() && filling.aside {
            self.unsure = Some((filling.label, filling.command));
            return Step::Ask;
        }
        if filling.left.is_empty() {
            return Step::Send(filling.command);
        }
        self.filling = Some(filling);
        Step::Ask
    }
}

/// What a person types for each offer, and the place of the offer: numbers for the play, and letters for what stands beside it, so that
/// a number that was typed too early never gives up a game.
fn choices(open: &JsonOffers) -> Vec<(String, usize)> {
    let of = |aside: bool| open.offers.iter().enumerate().filter(move |(_, offer)| offer.aside == aside);
    let played = of(false).zip(1..).map(|((at, _), number)| (format!("{number}"), at));
    // Not the q, which quits.
    let beside = of(true).zip('a'..'q').map(|((at, _), letter)| (letter.into(), at));
    played.chain(beside).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn offers(offers: &Value) -> JsonOffers {
        serde_json::from_value(json!({"title": "Your turn.", "offers": offers})).expect("offers")
    }

    fn person(open: &Value) -> Person {
        let mut person = Person::new(Some("Ana"));
        person.take_offers(offers(open));
        person
    }

    fn give_up() -> Value {
        json!({"label": "Give up", "aside": true, "command": {"Resign": {}}})
    }

    #[test]
    fn giving_up_has_a_letter_and_is_asked_again() {
        let waits = json!([give_up()]);
        let mut ana = person(&waits);
        assert_eq!(ana.question(), ["Your turn.", "  a. Give up"]);
        assert_eq!(ana.take("1"), Step::Ask, "a number that was typed too early");
        assert_eq!(ana.take("yes"), Step::Ask, "nothing was asked");
        assert_eq!(ana.take("a"), Step::Ask);
        assert_eq!(ana.question(), ["Give up: are you sure? Type yes, or anything else to play on."]);
        assert_eq!(ana.take("1"), Step::Ask);
        assert_eq!(ana.question(), ["Your turn.", "  a. Give up"]);
        ana.take("a");
        ana.take_offers(offers(&waits));
        assert_eq!(ana.take("yes"), Step::Send(json!({"Resign": {}})), "others may move while a person thinks");
        let mut ana = person(&waits);
        ana.take("a");
        ana.take_offers(offers(&json!([])));
        assert_eq!(ana.take("yes"), Step::Ask, "it is not offered any more");
    }

    #[test]
    fn the_play_has_the_numbers() {
        let leave = json!({"label": "Leave", "aside": true, "title": "How?", "offers": [
            {"label": "For good", "command": {"Leave": {}}}]});
        let mut ana = person(&json!([give_up(), {"label": "Roll", "command": {"Roll": {}}}, leave]));
        assert_eq!(ana.question(), ["Your turn.", "  1. Roll", "  a. Give up", "  b. Leave"]);
        assert_eq!(ana.take("2"), Step::Ask);
        ana.take("b");
        assert_eq!(ana.question(), ["How?", "  1. For good", "  0. Back"]);
        assert_eq!(ana.take("1"), Step::Ask, "what is behind an aside is asked again, too");
        assert_eq!(ana.take("y"), Step::Send(json!({"Leave": {}})));
        let mut ana = person(&json!([give_up(), {"label": "Roll", "command": {"Roll": {}}}]));
        assert_eq!(ana.take("1"), Step::Send(json!({"Roll": {}})));
    }

    #[test]
    fn a_person_with_a_name_takes_the_only_seat() {
        let name = json!([{"field": "name", "label": "Name", "text": {"least": 1, "most": 9, "name": true}}]);
        let join = |side: &str| json!({"label": side, "command": {"Join": {"name": side}}, "arguments": name});
        let check = |open: Value, joins: bool, expected: Option<Value>| {
            let mut ana = Person::new(Some("Ana"));
            ana.joins = joins;
            let open = offers(&open);
            assert_eq!(ana.join_command(&open), expected, "{open:?}");
            assert_eq!(ana.join_command(&open), None, "only once");
        };
        check(json!([join("x")]), true, Some(json!({"Join": {"name": "Ana"}})));
        check(json!([join("x")]), false, None);
        check(json!([join("White"), join("Black")]), true, None);
        check(json!([{"label": "Roll", "command": {"Roll": {}}}]), true, None);
        check(json!([give_up()]), true, None);
    }
}
