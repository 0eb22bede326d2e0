//! `holdfast play`: a person at a terminal.

use std::{
    io::{self, BufRead, IsTerminal},
    time::{SystemTime, UNIX_EPOCH},
};

use crate::{
    strategy,
    terminal::{
        News, Session,
        connection::{Place, Wanted, keep_up},
        plain,
        practice::{self, Practice},
        screen::{Key, Pressed, Screen},
        session::Connection,
    },
};
use colony_rules::{Command, EditionChoice, Setup};
use commlib::Create;
use ratatui::crossterm::event::{self, Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{Duration, sleep},
};

use cli::{
    output::{self, FullScreen},
    serving::runtime,
};
use clients::seats::{Seat, SeatError, Seats};

const ADDRESS: &str = "127.0.0.1:7700";

/// How long a digit waits for another one, where a number may have two.
const SECOND_DIGIT: Duration = Duration::from_millis(700);

/// So many lines remind somebody who comes back of what was told before.
const REMINDER: usize = 20;

/// Plays a game at the terminal, on a server or alone with bots.
///
/// The screen needs 80 x 24 characters; --plain needs no screen at all. Ctrl-C quits at once: the characters stay in the game,
/// and --resume goes back to them.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The server. [default: 127.0.0.1:7700, or with --resume where the seat was]
    #[arg(long, value_name = "ADDR", conflicts_with = "practice")]
    connect: Option<String>,
    /// The game to join. Without it and --new: the only one that the server has.
    #[arg(long, value_name = "ID", conflicts_with_all = ["new", "practice"])]
    game: Option<String>,
    /// The seat of a fork to claim: its number, from 0 in the order of the players.
    #[arg(long, value_name = "N", conflicts_with_all = ["new", "practice"])]
    seat: Option<u16>,
    /// Back to a seat that was taken here before: its game, or the latest.
    #[arg(long, value_name = "GAME", conflicts_with_all = ["game", "seat", "new", "practice", "name", "seed"])]
    resume: Option<Option<String>>,
    /// Makes a game of a scenario: a file, or the name of a built-in one.
    #[arg(long, value_name = "SCENARIO")]
    new: Option<String>,
    /// Of a new game: group, equipment, fate, or auto, which is what the scenario seems to be written for.
    #[arg(long, default_value = "auto", requires = "new")]
    edition: EditionChoice,
    /// Your name in the game.
    #[arg(long, default_value = "you", value_name = "NAME")]
    name: String,
    /// Alone with bots, without a server; --new says which scenario. [default: first-night]
    #[arg(long)]
    practice: bool,
    /// How many play in practice, you among them.
    #[arg(long, default_value_t = 2, value_name = "N", requires = "practice", value_parser = clap::value_parser!(u16).range(1..))]
    players: u16,
    /// The seed of a new game. [default: another one every time]
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<i64>,
    /// How many seconds a player of a new game may think before it is out of the game. [default: for ever]
    #[arg(long, value_name = "SECONDS", requires = "new", conflicts_with = "practice")]
    timeout: Option<u32>,
    /// Lines and numbered choices instead of a screen: for screen readers and scripts.
    #[arg(long)]
    plain: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let on_screen = !arguments.plain;
    if on_screen && !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
        return Err("the screen needs a terminal; --plain needs none".into());
    }
    runtime()?.block_on(async {
        let (table, seat) = sit_down(arguments).await?;
        let mut session = Session::new();
        let ended = if on_screen {
            on_a_screen(table, &mut session).await
        } else {
            in_lines(table, &mut session, arguments.resume.is_some()).await
        };
        if let Some((seats, seat)) = seat {
            if session.for_good {
                seats.forget(&seat);
            } else {
                output::announce(&way_back(&seats, &seat, arguments.plain));
            }
        }
        ended
    })
}

/// The command that goes back to a seat.
fn way_back(seats: &Seats, seat: &Seat, plain: bool) -> String {
    let program = std::env::args().next().unwrap_or_else(|| "holdfast".into());
    let mut words = vec![program, "play".into(), "--resume".into(), seats.name(seat)];
    if plain {
        words.push("--plain".into());
    }
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("Your seat in game {} is kept. To go back to it:\n  {}", seat.game, words.join(" "))
}

/// A word of a command line, as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "-_./:@+,%".contains(char);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Where commands go, and where news come from.
struct Table {
    commands: UnboundedSender<Command>,
    news: UnboundedReceiver<News>,
}

/// A table, and the seat that is kept there.
async fn sit_down(arguments: &Arguments) -> Result<(Table, Option<(Seats, Seat)>), String> {
    let (commands, to_game) = unbounded_channel();
    let (from_game, news) = unbounded_channel();
    let table = Table { commands, news };
    if arguments.practice {
        tokio::spawn(practice::serve(practise(arguments)?, to_game, from_game));
        return Ok((table, None));
    }
    let words = |error: SeatError| error.to_string();
    let seats = Seats::of_user().map_err(words);
    let place = match &arguments.resume {
        Some(name) => {
            come_back(arguments, seats.as_ref()?.find(name.as_deref()).map_err(words)?, seats.as_ref()?).await?
        }
        None => enter(arguments).await?,
    };
    let seat = place.seat().clone();
    let kept = seats.and_then(|seats| seats.keep(&seat).map(|()| seats).map_err(words));
    // Whoever cannot come back should know it before the game begins to matter.
    let kept = kept.inspect_err(|why| output::announce(&format!("There is no way back to this seat: {why}")));
    tokio::spawn(keep_up(place, to_game, from_game));
    Ok((table, kept.ok().map(|seats| (seats, seat))))
}

async fn enter(arguments: &Arguments) -> Result<Place, String> {
    let wanted = match &arguments.new {
        Some(scenario) => {
            let (_, scenario) = crate::load(scenario).map_err(|error| error.to_string())?;
            let timeout = arguments.timeout.map(|seconds| u64::from(seconds) * 1000);
            let edition = arguments.edition.0.map(|edition| edition.name().into());
            Wanted::New(Create { rulebook: None, scenario, edition, seed: arguments.seed, timeout })
        }
        None => Wanted::Game { game: arguments.game.clone(), seat: arguments.seat },
    };
    Place::enter(arguments.connect.as_deref().unwrap_or(ADDRESS), wanted, &arguments.name).await
}

async fn come_back(arguments: &Arguments, seat: Seat, seats: &Seats) -> Result<Place, String> {
    let address = arguments.connect.clone().unwrap_or_else(|| seat.address.clone());
    let back = Place::come_back(Seat { address, ..seat.clone() }).await;
    let place = back.map_err(|why| format!("{why}\nthe seat stays in {}", seats.file(&seat).display()))?;
    // Under the server's new address, if it has one, before the old one is forgotten: it is the only way back.
    if place.seat() != &seat {
        seats.keep(place.seat()).map_err(|error| error.to_string())?;
        if seats.file(place.seat()) != seats.file(&seat) {
            seats.forget(&seat);
        }
    }
    Ok(place)
}

fn practise(arguments: &Arguments) -> Result<Practice, String> {
    let scenario = arguments.new.as_deref().unwrap_or("first-night");
    let (label, text) = crate::load(scenario).map_err(|error| error.to_string())?;
    let setup = Setup::new(&text, arguments.edition.0, None).map_err(|problems| format!("{label}: {problems}"))?;
    let most = setup.scenario.max_players;
    if arguments.players > most {
        return Err(format!("{label} is for {most} players at most"));
    }
    let bot = strategy("sensible").ok_or("there is no sensible bot")?.bot;
    let bots = vec![bot; usize::from(arguments.players) - 1];
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as i64);
    Ok(Practice::new(&setup, arguments.seed.unwrap_or(now), &arguments.name, &bots))
}

/// Until the game is over or the person has enough.
async fn in_lines(mut table: Table, session: &mut Session, resumed: bool) -> Result<(), String> {
    // From now on, and not only while the program waits.
    let mut interrupted = signal(SignalKind::interrupt()).map_err(|error| format!("no signals: {error}"))?;
    // A person may ask for the board at any time; a script answers only what it is asked.
    let interactive = io::stdin().is_terminal();
    let mut lines = listen(|send| {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    let (mut told, mut asked) = (0, None);
    let mut catching_up = resumed;
    loop {
        while let Ok(news) = table.news.try_recv() {
            session.hear(news);
        }
        catching_up &= session.connection == Connection::CatchingUp && session.ended.is_none();
        if !catching_up {
            let (new, count) = session.feed_since(told);
            let skipped = if resumed && told == 0 { new.len().saturating_sub(REMINDER) } else { 0 };
            // The first line names the game.
            new.iter().take(skipped.min(1)).chain(&new[skipped..]).for_each(|line| output::announce(line));
            told = count;
        }
        if session.ended.is_some() {
            return Ok(());
        }
        let depth = session.depth();
        let question = session.question().map(|menu| plain::question(menu, depth));
        let open = question.is_some();
        if question != asked {
            question.iter().flatten().for_each(|line| output::announce(line));
            asked = question;
        }
        tokio::select! {
            biased;
            news = table.news.recv() => match news {
                Some(news) => session.hear(news),
                None => return Err("the game is gone".into()),
            },
            line = lines.recv(), if open || interactive => {
                let Some(line) = line else { return Err("the input ended before the game".into()) };
                match plain::take(session, &line) {
                    plain::Step::Quit => return Ok(()),
                    plain::Step::Command(command) => drop(table.commands.send(command)),
                    plain::Step::Lines(lines) => lines.iter().for_each(|line| output::announce(line)),
                }
                // Whatever was asked is asked again.
                asked = None;
            }
            _ = interrupted.recv() => return Ok(()),
        }
    }
}

async fn on_a_screen(mut table: Table, session: &mut Session) -> Result<(), String> {
    let problem = |error: io::Error| format!("the terminal fails: {error}");
    let mut terminal = FullScreen::open().map_err(problem)?;
    let mut inputs = listen(|send| {
        while let Ok(input) = event::read() {
            if send.send(input).is_err() {
                break;
            }
        }
    });
    let mut screen = Screen::new();
    loop {
        while let Ok(news) = table.news.try_recv() {
            session.hear(news);
        }
        terminal.draw(|frame| screen.draw(frame, session)).map_err(problem)?;
        tokio::select! {
            news = table.news.recv(), if session.ended.is_none() => match news {
                Some(news) => session.hear(news),
                None => return Err("the game is gone".into()),
            },
            () = sleep(SECOND_DIGIT), if screen.is_typing() => {
                if let Pressed::Command(command) = screen.settle(session) {
                    drop(table.commands.send(command));
                }
            }
            input = inputs.recv() => {
                let Some(input) = input else { return Err("the terminal is gone".into()) };
                let Input::Key(key) = input else { continue };
                let pressed = match read_key(key) {
                    Some(_) if session.ended.is_some() && matches!(key.code, KeyCode::Char('q')) => return Ok(()),
                    Some(key) => screen.press(session, key),
                    None if is_interrupt(key) => return Ok(()),
                    None => Pressed::Nothing,
                };
                match pressed {
                    Pressed::Quit => return Ok(()),
                    Pressed::Command(command) => drop(table.commands.send(command)),
                    Pressed::Nothing => {}
                }
            }
        }
    }
}

/// What a thread that waits for the person hears. It ends with the process: nobody can be stopped from typing.
fn listen<T: Send + 'static>(read: impl FnOnce(UnboundedSender<T>) + Send + 'static) -> UnboundedReceiver<T> {
    let (send, receive) = unbounded_channel();
    std::thread::spawn(move || read(send));
    receive
}

fn is_interrupt(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}

fn read_key(key: KeyEvent) -> Option<Key> {
    if key.kind == KeyEventKind::Release || key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
        return None;
    }
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other keys of the world mean nothing here")]
    match key.code {
        KeyCode::Up => Some(Key::Up),
        KeyCode::Down => Some(Key::Down),
        KeyCode::PageUp => Some(Key::PageUp),
        KeyCode::PageDown => Some(Key::PageDown),
        KeyCode::Enter => Some(Key::Enter),
        KeyCode::Esc | KeyCode::Left | KeyCode::Backspace => Some(Key::Escape),
        KeyCode::Right => Some(Key::Enter),
        KeyCode::Char(char) => Some(Key::Char(char)),
        _ => None,
    }
}
