//! `holdfast play`: a person plays at a terminal.

use std::{
    error::Error,
    fmt,
    io::{self, BufRead, IsTerminal},
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

use crate::terminal::{
    News, Said, Session,
    connection::{EnterError, Place, Wanted, keep_up},
    plain,
    practice::{self, Practice},
    screen::{Key, Pressed, Screen},
    session::Connection,
};
use colony_rules::{EditionChoice, Setup};
use commlib::Create;
use ratatui::crossterm::event::{self, Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{Duration, sleep},
};

use super::{error::CommandError, games};
use cli::{
    Failure, duration, menu,
    output::{self, FullScreen},
    serving::{ServeError, runtime},
    tls::{ClientTlsOptions, host_part},
};
use clients::seats::{Seat, Seats};

const ADDRESS: &str = "127.0.0.1:7700";

/// The time that the screen waits for a second digit, if a number may have two.
const SECOND_DIGIT: Duration = Duration::from_millis(700);

/// The number of last lines that are repeated when a person resumes a game.
const REMINDER: usize = 20;

/// Plays a game at the terminal, on a server or alone with bots.
///
/// The screen needs 80 x 24 characters; --plain needs no screen at all. Ctrl-C quits at once: the characters stay in the game,
/// and --resume goes back to them.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The server to connect to. [default: 127.0.0.1:7700, or with --resume the server of the seat]
    #[arg(long, value_name = "ADDR", conflicts_with = "practice")]
    connect: Option<String>,
    #[command(flatten)]
    tls: ClientTlsOptions,
    /// The game to join. [default: the only game of the server]
    #[arg(long, value_name = "ID", conflicts_with_all = ["new", "practice"])]
    game: Option<String>,
    /// The seat of a fork to claim. Seats are numbered from 0 in the order of the players.
    #[arg(long, value_name = "N", conflicts_with_all = ["new", "practice"])]
    seat: Option<u16>,
    /// Go back to a seat that was taken on this machine: the one in this game, or the latest.
    #[arg(long, value_name = "GAME", conflicts_with_all = ["game", "seat", "new", "practice", "name", "seed"])]
    resume: Option<Option<String>>,
    /// Create a game of this scenario: a file, or the name of a built-in one.
    #[arg(long, value_name = "SCENARIO")]
    new: Option<String>,
    /// The edition of a new game: group, equipment, fate, or auto for the one that the scenario seems to be written for.
    #[arg(long, default_value = "auto", requires = "new")]
    edition: EditionChoice,
    /// Your name in the game.
    #[arg(long, default_value = "you", value_name = "NAME")]
    name: String,
    /// Play alone with bots, without a server. --new chooses the scenario. [default: first-night]
    #[arg(long)]
    practice: bool,
    /// The number of players in practice, including you.
    #[arg(long, default_value_t = 2, value_name = "N", requires = "practice", value_parser = clap::value_parser!(u16).range(1..))]
    players: u16,
    /// The seed of a new game. [default: a different one every time]
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<i64>,
    /// The time that a player of a new game has for a command, such as 60s; a number without a unit is seconds. A player who takes
    /// longer is out of the game. [default: no limit]
    #[arg(long, value_name = "TIME", requires = "new", conflicts_with = "practice", value_parser = duration::in_seconds)]
    timeout: Option<Duration>,
    /// Print lines and numbered choices instead of a screen: for screen readers and scripts.
    #[arg(long)]
    plain: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let on_screen = !arguments.plain;
    if on_screen && !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
        return Err(PlayError::NoTerminal.into());
    }
    runtime()?.block_on(async {
        let (link, seat) = join(arguments).await?;
        let mut session = Session::new();
        let ended = if on_screen {
            play_on_screen(link, &mut session).await
        } else {
            play_in_lines(link, &mut session, arguments.resume.is_some()).await
        };
        if let Some((seats, seat)) = seat {
            if session.for_good {
                seats.forget(&seat);
            } else {
                let mut options = arguments.tls.words();
                options.extend(arguments.plain.then(|| "--plain".to_owned()));
                output::announce(&seats.resume_hint(&seat, &options));
            }
        }
        Ok(ended?)
    })
}

/// The two channels between the person and the game.
struct GameLink {
    commands: UnboundedSender<Said>,
    news: UnboundedReceiver<News>,
}

/// Joins a game. Returns the link to it, and the saved seat if it could be saved.
async fn join(arguments: &Arguments) -> Result<(GameLink, Option<(Seats, Seat)>), Failure> {
    let (commands, to_game) = unbounded_channel();
    let (from_game, news) = unbounded_channel();
    let link = GameLink { commands, news };
    if arguments.practice {
        tokio::spawn(practice::serve(practise(arguments)?, to_game, from_game));
        return Ok((link, None));
    }
    let (place, seats) = match &arguments.resume {
        Some(name) => {
            let seats = Seats::of_user()?;
            (resume(arguments, seats.find(name.as_deref())?, &seats).await?, Ok(seats))
        }
        None => (enter(arguments).await?, Seats::of_user()),
    };
    let seat = place.seat().clone();
    let kept = seats.and_then(|seats| seats.keep(&seat).map(|()| seats));
    // A person should be told before the game begins that the seat cannot be resumed.
    let kept = kept.inspect_err(|why| output::announce(&format!("This seat cannot be resumed later: {why}")));
    tokio::spawn(keep_up(place, to_game, from_game));
    Ok((link, kept.ok().map(|seats| (seats, seat))))
}

async fn enter(arguments: &Arguments) -> Result<Place, Failure> {
    let wanted = match &arguments.new {
        Some(scenario) => {
            let (_, scenario) = crate::load(scenario)?;
            let timeout = arguments.timeout.map(|timeout| timeout.as_millis() as u64);
            let edition = arguments.edition.0.map(|edition| edition.name().into());
            Wanted::New(Create { rulebook: None, scenario, edition, seed: arguments.seed, timeout })
        }
        None => Wanted::Game { game: arguments.game.clone(), seat: arguments.seat },
    };
    let address = arguments.connect.as_deref().unwrap_or(ADDRESS);
    Ok(Place::enter(address, arguments.tls.open(host_part(address))?, wanted, &arguments.name).await?)
}

async fn resume(arguments: &Arguments, seat: Seat, seats: &Seats) -> Result<Place, Failure> {
    let address = arguments.connect.clone().unwrap_or_else(|| seat.address.clone());
    let tls = arguments.tls.open(host_part(&address))?;
    let resumed = Place::resume(Seat { address, ..seat.clone() }, tls).await;
    let place = resumed.map_err(|error| PlayError::NotResumed { error, file: seats.file(&seat) })?;
    // If the server has a new address, the new seat is saved before the old one is deleted, so that one of them always exists.
    if place.seat() != &seat {
        seats.keep(place.seat())?;
        if seats.file(place.seat()) != seats.file(&seat) {
            seats.forget(&seat);
        }
    }
    Ok(place)
}

fn practise(arguments: &Arguments) -> Result<Practice, Failure> {
    let scenario = arguments.new.as_deref().unwrap_or("first-night");
    let (label, text) = crate::load(scenario)?;
    let setup = Setup::new(&text, arguments.edition.0, None)
        .map_err(|error| CommandError::Setup { label: label.clone(), error })?;
    games::players(&label, &setup, Some(arguments.players))?;
    let bot = games::strategy("sensible")?.bot;
    let bots = vec![bot; usize::from(arguments.players) - 1];
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as i64);
    Ok(Practice::new(&setup, arguments.seed.unwrap_or(now), &arguments.name, &bots))
}

/// Plays until the game is over or the person quits.
async fn play_in_lines(mut link: GameLink, session: &mut Session, resumed: bool) -> Result<(), PlayError> {
    // Ctrl-C is handled from here on, not only while the program waits.
    let mut interrupted = signal(SignalKind::interrupt()).map_err(ServeError::Signal)?;
    // A person may ask for the board at any time. A script only answers questions.
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
        while let Ok(news) = link.news.try_recv() {
            session.hear(news);
        }
        catching_up &= session.connection == Connection::CatchingUp && session.ended.is_none();
        if !catching_up {
            let (new, count) = session.feed_since(told);
            let skipped = if resumed && told == 0 { new.len().saturating_sub(REMINDER) } else { 0 };
            // The first line has the name of the game, so it is always printed.
            new.iter().take(skipped.min(1)).chain(&new[skipped..]).for_each(|line| output::announce(line));
            told = count;
        }
        if session.ended.is_some() {
            return Ok(());
        }
        let depth = session.depth();
        let question = session.question().map(|open| menu::question(open, depth > 0));
        let open = question.is_some();
        if question != asked {
            question.iter().flatten().for_each(|line| output::announce(line));
            asked = question;
        }
        tokio::select! {
            biased;
            news = link.news.recv() => match news {
                Some(news) => session.hear(news),
                None => return Err(PlayError::GameGone),
            },
            line = lines.recv(), if open || interactive => {
                let Some(line) = line else { return Err(PlayError::InputEnded) };
                match plain::take(session, &line) {
                    plain::Step::Quit => return Ok(()),
                    plain::Step::Command(command) => drop(link.commands.send(Said::Command(command))),
                    plain::Step::Chat(text) => drop(link.commands.send(Said::Chat(text))),
                    plain::Step::Lines(lines) => lines.iter().for_each(|line| output::announce(line)),
                }
                // The next loop asks the question again.
                asked = None;
            }
            _ = interrupted.recv() => return Ok(()),
        }
    }
}

async fn play_on_screen(mut link: GameLink, session: &mut Session) -> Result<(), PlayError> {
    let mut terminal = FullScreen::open().map_err(PlayError::Terminal)?;
    let mut inputs = listen(|send| {
        while let Ok(input) = event::read() {
            if send.send(input).is_err() {
                break;
            }
        }
    });
    let mut screen = Screen::new();
    loop {
        while let Ok(news) = link.news.try_recv() {
            session.hear(news);
        }
        terminal.draw(|frame| screen.draw(frame, session)).map_err(PlayError::Terminal)?;
        tokio::select! {
            news = link.news.recv(), if session.ended.is_none() => match news {
                Some(news) => session.hear(news),
                None => return Err(PlayError::GameGone),
            },
            () = sleep(SECOND_DIGIT), if screen.is_typing() => {
                if let Pressed::Command(command) = screen.settle(session) {
                    drop(link.commands.send(Said::Command(command)));
                }
            }
            input = inputs.recv() => {
                let Some(input) = input else { return Err(PlayError::TerminalGone) };
                let Input::Key(key) = input else { continue };
                let pressed = match read_key(key) {
                    Some(_) if session.ended.is_some() && matches!(key.code, KeyCode::Char('q')) => return Ok(()),
                    Some(key) => screen.press(session, key),
                    None if is_interrupt(key) => return Ok(()),
                    None => Pressed::Nothing,
                };
                match pressed {
                    Pressed::Quit => return Ok(()),
                    Pressed::Command(command) => drop(link.commands.send(Said::Command(command))),
                    Pressed::Chat(text) => drop(link.commands.send(Said::Chat(text))),
                    Pressed::Nothing => {}
                }
            }
        }
    }
}

/// Reads input on a separate thread. The thread ends with the process, because a blocking read cannot be cancelled.
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
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other keys have no meaning here")]
    match key.code {
        KeyCode::Up => Some(Key::Up),
        KeyCode::Down => Some(Key::Down),
        KeyCode::PageUp => Some(Key::PageUp),
        KeyCode::PageDown => Some(Key::PageDown),
        KeyCode::Enter => Some(Key::Enter),
        KeyCode::Esc | KeyCode::Left => Some(Key::Escape),
        KeyCode::Backspace => Some(Key::Backspace),
        KeyCode::Right => Some(Key::Enter),
        KeyCode::Char(char) => Some(Key::Char(char)),
        _ => None,
    }
}

/// Why a person cannot start or continue to play.
#[derive(Debug)]
enum PlayError {
    /// The screen needs a terminal.
    NoTerminal,
    /// The seat cannot be resumed. Its file is kept.
    NotResumed {
        error: EnterError,
        file: PathBuf,
    },
    /// The game sends nothing more, but has not ended.
    GameGone,
    InputEnded,
    Terminal(io::Error),
    TerminalGone,
    Signal(ServeError),
}

impl From<ServeError> for PlayError {
    fn from(error: ServeError) -> Self {
        Self::Signal(error)
    }
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTerminal => f.write_str("the screen needs a terminal; --plain needs none"),
            Self::NotResumed { error, file } => write!(f, "{error}\nthe seat stays in {}", file.display()),
            Self::GameGone => f.write_str("the game is gone"),
            Self::InputEnded => f.write_str("the input ended before the game"),
            Self::Terminal(error) => write!(f, "the terminal fails: {error}"),
            Self::TerminalGone => f.write_str("the terminal is gone"),
            Self::Signal(error) => error.fmt(f),
        }
    }
}

impl Error for PlayError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::NotResumed { error, .. } => Some(error),
            Self::Terminal(error) => Some(error),
            Self::Signal(error) => Some(error),
            Self::NoTerminal | Self::GameGone | Self::InputEnded | Self::TerminalGone => None,
        }
    }
}
