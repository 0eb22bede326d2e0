//! `holdfast play`: a person at a terminal.

use std::{
    io::{self, BufRead, IsTerminal},
    time::{SystemTime, UNIX_EPOCH},
};

use clients::{
    strategy,
    terminal::{
        News, Session,
        connection::{Place, Wanted, keep_up},
        plain,
        practice::{self, Practice},
        screen::{Key, Pressed, Screen},
    },
};
use colony::{Command, Setup};
use commlib::Create;
use ratatui::crossterm::event::{self, Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::{
    host::runtime,
    output::{self, FullScreen},
};

/// Plays a game at the terminal, on a server or alone with bots.
///
/// The screen needs 80 x 24 characters; --plain needs no screen at all. Ctrl-C quits at once: the characters stay in the game.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The server.
    #[arg(long, default_value = "127.0.0.1:7700", value_name = "ADDR", conflicts_with = "practice")]
    connect: String,
    /// The game to join. Without it and --new: the only one that the server has.
    #[arg(long, value_name = "ID", conflicts_with_all = ["new", "practice"])]
    game: Option<String>,
    /// Makes a game of a scenario: a file, or the name of a built-in one.
    #[arg(long, value_name = "SCENARIO")]
    new: Option<String>,
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
        let table = sit_down(arguments).await?;
        if on_screen { on_a_screen(table).await } else { in_lines(table).await }
    })
}

/// Where commands go, and where news come from.
struct Table {
    commands: UnboundedSender<Command>,
    news: UnboundedReceiver<News>,
}

async fn sit_down(arguments: &Arguments) -> Result<Table, String> {
    let (commands, to_game) = unbounded_channel();
    let (from_game, news) = unbounded_channel();
    if arguments.practice {
        tokio::spawn(practice::serve(practise(arguments)?, to_game, from_game));
    } else {
        let wanted = match (&arguments.new, &arguments.game) {
            (Some(scenario), _) => {
                let (_, scenario) = resources::load(scenario).map_err(|error| error.to_string())?;
                let timeout = arguments.timeout.map(|seconds| u64::from(seconds) * 1000);
                Wanted::New(Create { rulebook: None, scenario, edition: None, seed: arguments.seed, timeout })
            }
            (None, Some(game)) => Wanted::Game(game.clone()),
            (None, None) => Wanted::Any,
        };
        let place = Place::enter(&arguments.connect, wanted, &arguments.name).await?;
        tokio::spawn(keep_up(place, to_game, from_game));
    }
    Ok(Table { commands, news })
}

fn practise(arguments: &Arguments) -> Result<Practice, String> {
    let scenario = arguments.new.as_deref().unwrap_or("first-night");
    let (label, text) = resources::load(scenario).map_err(|error| error.to_string())?;
    let setup = Setup::new(&text, None, None).map_err(|problems| format!("{label}: {problems}"))?;
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
async fn in_lines(mut table: Table) -> Result<(), String> {
    // A person may ask for the board at any time; a script answers only what it is asked.
    let interactive = io::stdin().is_terminal();
    let mut lines = listen(|send| {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    let mut session = Session::new();
    let (mut told, mut asked) = (0, None);
    loop {
        while let Ok(news) = table.news.try_recv() {
            session.hear(news);
        }
        let (new, count) = session.feed_since(told);
        new.iter().for_each(|line| output::announce(line));
        told = count;
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
                match plain::take(&mut session, &line) {
                    plain::Step::Quit => return Ok(()),
                    plain::Step::Command(command) => drop(table.commands.send(command)),
                    plain::Step::Lines(lines) => lines.iter().for_each(|line| output::announce(line)),
                }
                // Whatever was asked is asked again.
                asked = None;
            }
        }
    }
}

async fn on_a_screen(mut table: Table) -> Result<(), String> {
    let problem = |error: io::Error| format!("the terminal fails: {error}");
    let mut terminal = FullScreen::open().map_err(problem)?;
    let mut inputs = listen(|send| {
        while let Ok(input) = event::read() {
            if send.send(input).is_err() {
                break;
            }
        }
    });
    let (mut session, mut screen) = (Session::new(), Screen::new());
    loop {
        while let Ok(news) = table.news.try_recv() {
            session.hear(news);
        }
        terminal.draw(|frame| screen.draw(frame, &mut session)).map_err(problem)?;
        tokio::select! {
            news = table.news.recv(), if session.ended.is_none() => match news {
                Some(news) => session.hear(news),
                None => return Err("the game is gone".into()),
            },
            input = inputs.recv() => {
                let Some(input) = input else { return Err("the terminal is gone".into()) };
                let Input::Key(key) = input else { continue };
                let pressed = match read_key(key) {
                    Some(_) if session.ended.is_some() && matches!(key.code, KeyCode::Char('q')) => return Ok(()),
                    Some(key) => screen.press(&mut session, key),
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
