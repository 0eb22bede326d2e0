//! The state of a person's session: the view of the game, the lines about it, and the open menu.

use colony_rules::{Asked, Command, Edition, Event, Game, Setup, View};
use engine::{OffersOf, Projection, Rulebook, Shown, Template, Then};

use super::News;

/// The most lines that are kept.
const LONGEST_FEED: usize = 2000;

/// A person in a game.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// The name of the game, once the person has joined it.
    pub(crate) game: Option<String>,
    pub(crate) view: Option<View>,
    pub(crate) connection: Connection,
    /// Once the game sends nothing more, the reason.
    pub(crate) ended: Option<String>,
    /// Whether the seat can no longer be resumed.
    pub(crate) for_good: bool,
    edition: Option<Edition>,
    /// Events that were received before the scenario.
    early: Vec<Event>,
    feed: Vec<String>,
    /// The number of lines that were dropped at the front.
    forgotten: usize,
    /// Whether a sent command has no answer yet.
    sent: bool,
    /// Built from the view when it is needed.
    offers: Option<OffersOf<Game>>,
    /// The answers that led to the open menu.
    path: Vec<usize>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Connection {
    /// The client is still receiving earlier events.
    #[default]
    CatchingUp,
    Current,
    Lost,
}

/// The result of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// Another menu is open.
    Opened,
    Command(Command),
    /// The answer is not possible; the text gives the reason.
    Not(String),
    /// The menu has no such answer.
    Nothing,
}

impl Session {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn hear(&mut self, news: News) {
        self.offers = None;
        match news {
            News::Entered { game, edition } => {
                self.note(format!("You are in game {game}."));
                self.game = Some(game);
                self.edition = edition;
            }
            News::Event { event, text } => self.take(event, text),
            News::Current => {
                if self.connection == Connection::Lost {
                    self.note("The connection is back.".into());
                }
                self.connection = Connection::Current;
                self.sent = false;
            }
            News::Refused(why) => {
                self.note(format!("The server does not take it: {why}"));
                self.sent = false;
            }
            News::Notice(lines) => lines.into_iter().for_each(|line| self.note(line)),
            News::Lost(why) => {
                if self.connection != Connection::Lost {
                    self.note(format!("The connection is lost ({why}). Reconnecting .."));
                }
                self.connection = Connection::Lost;
                self.path.clear();
            }
            News::Ended { why, for_good } => {
                self.note(why.clone());
                self.ended = Some(why);
                self.for_good = for_good;
            }
        }
    }

    /// The open menu, if the person can answer now.
    pub(crate) fn question(&mut self) -> Option<&OffersOf<Game>> {
        if self.sent || self.connection != Connection::Current || self.ended.is_some() {
            return None;
        }
        let view = self.view.as_ref()?;
        let menu = open(self.offers.get_or_insert_with(|| Game::offers(view)), &self.path);
        (!menu.offers.is_empty()).then_some(menu)
    }

    /// A line that tells what the game is waiting for.
    pub(crate) fn status(&mut self) -> String {
        match self.connection {
            _ if self.ended.is_some() => self.ended.clone().unwrap_or_default(),
            Connection::Lost => "Reconnecting ..".into(),
            Connection::CatchingUp => "Connecting ..".into(),
            Connection::Current if self.sent => "..".into(),
            Connection::Current => match self.root() {
                Some(root) => root.title.clone(),
                None => "Waiting for the scenario.".into(),
            },
        }
    }

    /// Gives the answer with this number, from 0.
    pub(crate) fn choose(&mut self, at: usize) -> Chosen {
        let Some(offer) = self.question().and_then(|menu| menu.offers.get(at)) else {
            return Chosen::Nothing;
        };
        if let Some(why) = offer.why_not() {
            return Chosen::Not(why.into());
        }
        match offer.then.clone() {
            Then::Choose(_) => {
                self.path.push(at);
                Chosen::Opened
            }
            Then::Send(Template { command, .. }) => {
                self.path.clear();
                self.sent = true;
                Chosen::Command(command)
            }
        }
    }

    /// Closes the open menu. Returns false if it is the first one.
    pub(crate) fn back(&mut self) -> bool {
        self.path.pop().is_some()
    }

    /// The number of answers that led to the open menu.
    pub(crate) fn depth(&self) -> usize {
        self.path.len()
    }

    /// The lines about the game, oldest first.
    pub(crate) fn feed(&self) -> &[String] {
        &self.feed
    }

    /// The lines after the first `lines`, and the number of all lines.
    pub(crate) fn feed_since(&self, lines: usize) -> (&[String], usize) {
        let known = lines.saturating_sub(self.forgotten).min(self.feed.len());
        (&self.feed[known..], self.forgotten + self.feed.len())
    }

    fn root(&mut self) -> Option<&OffersOf<Game>> {
        let view = self.view.as_ref()?;
        Some(self.offers.get_or_insert_with(|| Game::offers(view)))
    }

    fn take(&mut self, event: Event, text: Option<String>) {
        if let (Event::Config {}, None, Some(text)) = (&event, &self.view, text) {
            match Setup::new(&text, self.edition, None) {
                Ok(setup) => self.view = Some(View::new(&setup)),
                Err(problem) => {
                    self.ended = Some(format!("The server has a scenario that cannot be played here: {problem}"));
                    return;
                }
            }
            for early in std::mem::take(&mut self.early) {
                self.apply(&early);
            }
        }
        if self.view.is_some() { self.apply(&event) } else { self.early.push(event) }
    }

    fn apply(&mut self, event: &Event) {
        let Some(view) = &mut self.view else { return };
        let line = line_for(view, event);
        view.apply(event);
        let asked = view.asked;
        // After a refusal, the game asks again only if the player has to act or to vote.
        let again = !matches!(asked, Asked::Act | Asked::Vote);
        let answers =
            matches!(event, Event::ActNow {} | Event::VoteNow {} | Event::Characters { .. } | Event::GameStarted {});
        if answers || again && matches!(event, Event::CommandFailed { .. }) {
            self.sent = false;
        }
        self.path.clear();
        line.into_iter().for_each(|line| self.note(line));
    }

    fn note(&mut self, line: String) {
        self.feed.push(line);
        if self.feed.len() > LONGEST_FEED {
            let surplus = self.feed.len() - LONGEST_FEED / 2;
            self.feed.drain(..surplus);
            self.forgotten += surplus;
        }
    }
}

fn open<'m>(root: &'m OffersOf<Game>, path: &[usize]) -> &'m OffersOf<Game> {
    let mut menu = root;
    for &at in path {
        match menu.offers.get(at).map(|offer| &offer.then) {
            Some(Then::Choose(inner)) => menu = inner,
            Some(Then::Send(_)) | None => break,
        }
    }
    menu
}

/// The line for an event, if it has one.
fn line_for(view: &View, event: &Event) -> Option<String> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the rules have words for all other events")]
    match event {
        Event::Config {}
        | Event::ActNow {}
        | Event::VoteNow {}
        | Event::DieSpent { .. }
        | Event::TurnEnded { .. }
        | Event::ChoiceOffered { .. }
        | Event::VoteAsked { .. }
        | Event::Player { .. } => None,
        Event::Characters { .. } => Some("You are to choose two of four characters.".into()),
        Event::CommandFailed { refusal } => Some(format!("Refused: {}", view.board.tell_refusal(refusal))),
        event => Some(Game::tell_event(&view.board, event)),
    }
}
