//! `holdfast play` for any rulebook: a person plays by lines and numbered choices.

use std::io::{self, BufRead};

use clients::{
    notices::notice_lines,
    offers::{JsonOffers, OfferClient, OfferNews},
};
use commlib::{ClientError, Notice, Want};
use engine::{Argument, ArgumentForm, Template, Then, fill_json, json_words};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::{RulebookArg, create};
use crate::{
    Failure, Program,
    address::ConnectError,
    menu::{self, table_lines},
    output,
    serving::runtime,
    tls::ConnectOptions,
};

/// Plays a game at the terminal, by lines and numbered choices.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    rulebook: RulebookArg,
    #[command(flatten)]
    host: ConnectOptions,
    /// The game to join. [default: the only game of the server]
    #[arg(long, value_name = "ID", conflicts_with = "new")]
    game: Option<String>,
    /// The seat of a fork to claim. Seats are numbered from 0 in the order of the players.
    #[arg(long, value_name = "N", conflicts_with = "new")]
    seat: Option<u16>,
    /// Create a game of this scenario: its name or its text.
    #[arg(long, value_name = "SCENARIO")]
    new: Option<String>,
    /// Your name in the game.
    #[arg(long, default_value = "you", value_name = "NAME")]
    name: String,
    /// The seed of a new game. [default: a different one every time]
    #[arg(long, allow_negative_numbers = true, requires = "new")]
    seed: Option<i64>,
    /// Print lines and numbered choices. Rulebooks without a screen of their own always do.
    #[arg(long)]
    plain: bool,
}

/// Runs the command.
///
/// # Errors
/// If the host cannot be reached, or refuses.
pub fn run(program: &Program, arguments: &Arguments) -> Result<(), Failure> {
    let game = arguments.rulebook.game(program)?;
    let want = match &arguments.new {
        None => Want::Join { seat: arguments.seat },
        Some(scenario) => Want::Create(create(game, Some(scenario), arguments.seed)),
    };
    let server = arguments.host.server()?;
    runtime()?.block_on(async {
        let failed = |error: ClientError| ConnectError::new(arguments.host.connect.address, error, "holdfast host");
        let opened = OfferClient::open(server, arguments.game.clone(), want).await;
        let mut client = opened.map_err(failed)?;
        client.ask_notices().await.map_err(failed)?;
        let game = client.game();
        output::announce(&format!("You are in game {game}. Type a number, /TEXT to chat, or q to quit."));
        let mut player = Person {
            name: arguments.name.clone(),
            offers: None,
            path: Vec::new(),
            filling: None,
            has_table: false,
            shown: Value::Null,
            has_chat: false,
        };
        player.play(client, lines()).await.map_err(failed)?;
        Ok(())
    })
}

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

/// A person who answers questions.
struct Person {
    name: String,
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
    /// Whether the server has notices.
    has_chat: bool,
}

struct Filling {
    command: Value,
    /// The arguments that are left.
    left: Vec<Argument>,
}

/// What follows from a line.
enum Step {
    Ask,
    Send(Value),
    Chat(String),
    Quit,
}

impl Person {
    /// Plays until the game is over or the person quits. The end of the input quits, too.
    async fn play(&mut self, mut client: OfferClient, mut lines: UnboundedReceiver<String>) -> Result<(), ClientError> {
        loop {
            tokio::select! {
                news = client.next() => match news? {
                    // The table shows what an event without words has changed.
                    OfferNews::Event(_, None) if self.has_table => {}
                    OfferNews::Event(event, text) => output::announce(&text.unwrap_or_else(|| json_words(&event))),
                    OfferNews::Refused(words) => output::announce(&words),
                    OfferNews::Offers(offers, table) => {
                        self.show_table(&offers, table.picture);
                        (self.offers, self.filling) = (Some(offers), None);
                        self.path.clear();
                        self.show();
                    }
                    OfferNews::Notice(Notice::Refused(_)) if !self.has_chat => {}
                    OfferNews::Notice(notice) => {
                        self.has_chat = true;
                        notice_lines(&notice, client.client()).iter().for_each(|line| output::announce(line));
                    }
                    OfferNews::Over => return Ok(()),
                },
                line = lines.recv() => match line.map_or(Step::Quit, |line| self.take(line.trim())) {
                    Step::Ask => self.show(),
                    Step::Send(command) => {
                        self.offers = None;
                        client.send(&command).await?;
                    }
                    Step::Chat(_) if !self.has_chat => output::announce("This server has no chat."),
                    Step::Chat(text) => client.chat(&text).await?,
                    Step::Quit => return Ok(()),
                }
            }
        }
    }

    /// Prints the board, if it has changed and the person can play.
    fn show_table(&mut self, offers: &JsonOffers, picture: Value) {
        self.has_table |= !picture.is_null();
        if offers.leaves().any(|leaf| !leaf.aside) && self.shown != picture {
            table_lines(&picture).iter().for_each(|line| output::announce(line));
            self.shown = picture;
        }
    }

    /// Prints the open question.
    fn show(&self) {
        if let Some(argument) = self.filling.as_ref().and_then(|filling| filling.left.first()) {
            output::announce(&format!("{} ({}):", argument.label, argument.form));
        } else if let Some(open) = self.open() {
            menu::question(open, !self.path.is_empty()).iter().for_each(|line| output::announce(line));
        }
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

    fn take(&mut self, line: &str) -> Step {
        match line {
            "q" | "quit" => return Step::Quit,
            _ if line.starts_with('/') => return Step::Chat(line[1..].to_owned()),
            "" if self.filling.is_none() => return Step::Ask,
            "0" if self.filling.is_none() => {
                self.path.pop();
                return Step::Ask;
            }
            _ => {}
        }
        if let Some(filling) = self.filling.take() {
            return self.fill(filling, line);
        }
        let chosen = line.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let offer = chosen.and_then(|at| self.open()?.offers.get(at).cloned());
        let (Some(at), Some(offer)) = (chosen, offer) else {
            output::announce("Type the number of a choice, 0 to go back, /TEXT to chat, or q to quit.");
            return Step::Ask;
        };
        if let Some(why) = offer.why_not() {
            output::announce(&format!("Not now: {why}"));
            return Step::Ask;
        }
        match offer.then {
            Then::Choose(_) => {
                self.path.push(at);
                Step::Ask
            }
            Then::Send(Template { command, arguments, .. }) => self.next(Filling { command, left: arguments }),
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
        if filling.left.is_empty() {
            return Step::Send(filling.command);
        }
        self.filling = Some(filling);
        Step::Ask
    }
}
