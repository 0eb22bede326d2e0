//! A game on a screen of at least 80 x 24 characters: the map, the player's cards and dice, the latest events, and a menu.

use colony_rules::{Board, CharacterIx, Command, Game, LocationIx, Phase, PlayerId, View};
use engine::OffersOf;
use ratatui::{
    Frame,
    layout::Rect,
    style::{Modifier, Style},
    text::{Line, Span},
    widgets::Paragraph,
};

use super::{
    Session, plain,
    session::{Chosen, Connection},
};

/// A key that the screen handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Up,
    Down,
    PageUp,
    PageDown,
    Enter,
    Escape,
    Backspace,
    Char(char),
}

/// The result of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pressed {
    Nothing,
    Command(Command),
    Chat(String),
    Quit,
}

/// The page that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Page {
    #[default]
    Game,
    Board,
    Feed,
    Help,
}

#[derive(Debug, Default)]
pub(crate) struct Screen {
    page: Page,
    /// The number of lines by which a page is scrolled.
    scroll: usize,
    /// The marked answer.
    cursor: usize,
    /// Whether the screen asks for confirmation to quit.
    quitting: bool,
    /// The line of chat that is being typed.
    chatting: Option<String>,
    /// Why the last answer was not possible.
    note: Option<String>,
    /// A typed number that may get another digit, and the title of its menu.
    typed: Option<(usize, String)>,
}

const FAINT: Style = Style::new().add_modifier(Modifier::DIM);
const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);
const MARKED: Style = Style::new().add_modifier(Modifier::REVERSED);

impl Screen {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn press(&mut self, session: &mut Session, key: Key) -> Pressed {
        if let Some(line) = self.chatting.take() {
            return self.type_chat(line, key);
        }
        let key = if key == Key::Backspace { Key::Escape } else { key };
        self.note = None;
        let typed = self.typed.take();
        if self.quitting {
            self.quitting = false;
            return if matches!(key, Key::Char('y' | 'Y')) { Pressed::Quit } else { Pressed::Nothing };
        }
        match key {
            Key::Char('q') => self.quitting = true,
            Key::Char('/') => self.chatting = Some(String::new()),
            Key::Char('?' | 'h') => self.turn_to(Page::Help),
            Key::Char('b' | 'm') => self.turn_to(Page::Board),
            Key::Char('f') => self.turn_to(Page::Feed),
            Key::Escape | Key::Char('0') if self.page != Page::Game => self.turn_to(Page::Game),
            Key::Up
            | Key::Down
            | Key::PageUp
            | Key::PageDown
            | Key::Enter
            | Key::Escape
            | Key::Backspace
            | Key::Char(_) => {
                if self.page == Page::Game {
                    return self.answer(session, key, typed);
                }
                self.leaf(key);
            }
        }
        Pressed::Nothing
    }

    /// Whether a typed number may get another digit. If no digit follows in time, the caller calls [`Self::settle`].
    pub(crate) fn is_typing(&self) -> bool {
        self.typed.is_some()
    }

    /// Chooses the typed number, if its menu is still open.
    pub(crate) fn settle(&mut self, session: &mut Session) -> Pressed {
        match self.typed.take() {
            Some((number, title)) if session.question().is_some_and(|menu| menu.title == title) => {
                self.choose(session, number - 1)
            }
            Some(_) | None => Pressed::Nothing,
        }
    }

    /// Opens a page; the same key closes it.
    fn turn_to(&mut self, page: Page) {
        self.page = if self.page == page { Page::Game } else { page };
        self.scroll = 0;
    }

    fn leaf(&mut self, key: Key) {
        match key {
            Key::Up | Key::Char('k') => self.scroll = self.scroll.saturating_sub(1),
            Key::Down | Key::Char('j') => self.scroll += 1,
            Key::PageUp => self.scroll = self.scroll.saturating_sub(10),
            Key::PageDown | Key::Char(' ') => self.scroll += 10,
            Key::Enter => self.turn_to(Page::Game),
            Key::Escape | Key::Backspace | Key::Char(_) => {}
        }
    }

    /// Types a line of chat, which Enter sends and Escape throws away.
    fn type_chat(&mut self, mut line: String, key: Key) -> Pressed {
        match key {
            Key::Enter if line.trim().is_empty() => return Pressed::Nothing,
            Key::Enter => return Pressed::Chat(line),
            Key::Escape => return Pressed::Nothing,
            Key::Backspace => drop(line.pop()),
            Key::Char(char) => line.push(char),
            Key::Up | Key::Down | Key::PageUp | Key::PageDown => {}
        }
        self.chatting = Some(line);
        Pressed::Nothing
    }

    fn answer(&mut self, session: &mut Session, key: Key, typed: Option<(usize, String)>) -> Pressed {
        let (count, title) = session.question().map_or((0, ""), |menu| (menu.offers.len(), &menu.title));
        let title = title.to_owned();
        let typed = typed.filter(|(_, menu)| *menu == title).map(|(number, _)| number);
        self.cursor = self.cursor.min(count.saturating_sub(1));
        match key {
            Key::Up | Key::Char('k') => self.cursor = self.cursor.checked_sub(1).unwrap_or(count.saturating_sub(1)),
            Key::Down | Key::Char('j') => self.cursor = if self.cursor + 1 < count { self.cursor + 1 } else { 0 },
            Key::PageUp => self.cursor = 0,
            Key::PageDown => self.cursor = count.saturating_sub(1),
            Key::Escape => self.back(session),
            Key::Char('0') if typed.is_none() => self.back(session),
            Key::Enter if count > 0 => return self.choose(session, self.cursor),
            Key::Char(char) => {
                let Some(digit) = char.to_digit(10) else { return Pressed::Nothing };
                let number = typed.map_or(0, |typed| typed * 10) + digit as usize;
                if number == 0 || number > count {
                    return Pressed::Nothing;
                }
                self.cursor = number - 1;
                if number * 10 > count {
                    return self.choose(session, self.cursor);
                }
                self.typed = Some((number, title));
            }
            Key::Enter | Key::Backspace => {}
        }
        Pressed::Nothing
    }

    fn back(&mut self, session: &mut Session) {
        session.back();
        self.cursor = 0;
    }

    fn choose(&mut self, session: &mut Session, at: usize) -> Pressed {
        match session.choose(at) {
            Chosen::Command(command) => {
                self.cursor = 0;
                return Pressed::Command(command);
            }
            Chosen::Opened => self.cursor = 0,
            Chosen::Not(why) => self.note = Some(format!("Not now: {why}")),
            Chosen::Nothing => {}
        }
        Pressed::Nothing
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame<'_>, session: &mut Session) {
        let area = frame.area();
        if area.height < 12 || area.width < 40 {
            frame.render_widget(Paragraph::new("This needs a window of 80 x 24; --plain needs none."), area);
            return;
        }
        let body = Rect { height: area.height - 1, ..area };
        match self.page {
            Page::Game => self.game(frame, body, session),
            Page::Board => self.page(frame, body, session.view.as_ref().map(plain::board).unwrap_or_default()),
            Page::Feed => self.page(frame, body, session.feed().iter().rev().cloned().collect()),
            Page::Help => self.page(frame, body, plain::help(session.view.as_ref())),
        }
        let typing = self.chatting.as_ref().map(|line| format!("chat (Enter: send, Esc: cancel): {line}_"));
        let keys = match (self.quitting, self.page) {
            (true, _) => "Quit? Your characters stay in the game without you. y: quit, any other key: stay",
            (false, Page::Game) => "arrows, Enter, number: choose  Esc: back  b: board  f: feed  /: chat  ?: help  q",
            (false, Page::Board | Page::Help) => "arrows: scroll  Esc: back to the game  q: quit",
            (false, Page::Feed) => "latest first  arrows: scroll  Esc: back to the game  q: quit",
        };
        let bottom = Rect { y: area.bottom() - 1, height: 1, ..area };
        let keys = typing.unwrap_or_else(|| keys.into());
        frame.render_widget(Paragraph::new(Line::styled(keys, if self.quitting { MARKED } else { FAINT })), bottom);
    }

    /// Shows long text on the whole screen.
    fn page(&mut self, frame: &mut Frame<'_>, area: Rect, lines: Vec<String>) {
        let lines: Vec<String> = lines.iter().flat_map(|line| wrapped(line, area.width.into())).collect();
        self.scroll = self.scroll.min(lines.len().saturating_sub(area.height.into()));
        let shown: Vec<Line<'_>> = lines.into_iter().skip(self.scroll).map(Line::from).collect();
        frame.render_widget(Paragraph::new(shown), area);
    }

    fn game(&mut self, frame: &mut Frame<'_>, area: Rect, session: &mut Session) {
        let width = usize::from(area.width);
        let mut top = vec![headline(session, width)];
        if let Some(view) = &session.view {
            top.push(stock(&view.board));
            let places = (0..view.board.setup().scenario.locations.len()).map(LocationIx::from);
            top.extend(places.map(|place| map_line(view, place)));
            top.extend(own_lines(view));
        }
        // The lower half needs its title, the detail line, and some choices.
        top.truncate(usize::from(area.height).saturating_sub(6));
        let height = top.len() as u16;
        frame.render_widget(Paragraph::new(top), Rect { height, ..area });

        let lower = Rect { y: area.y + height, height: area.height - height, ..area };
        let title = match session.question() {
            Some(menu) => menu.title.clone(),
            None => session.status(),
        };
        let rule: String = format!("-- {title} ").chars().chain(std::iter::repeat('-')).take(width).collect();
        frame.render_widget(Paragraph::new(Line::styled(rule, STRONG)), Rect { height: 1, ..lower });

        let rows = lower.height.saturating_sub(2);
        let menu_width = if session.question().is_some() { area.width / 2 + 4 } else { 0 };
        let detail = match session.question() {
            Some(menu) => self.menu(frame, Rect { y: lower.y + 1, height: rows, width: menu_width, ..lower }, menu),
            None => String::new(),
        };
        let feed = Rect { x: area.x + menu_width, y: lower.y + 1, width: area.width - menu_width, height: rows };
        draw_feed(frame, feed, session.feed(), menu_width > 0);
        let detail = self.note.clone().unwrap_or(detail);
        let line = Rect { y: lower.bottom() - 1, height: 1, ..lower };
        frame.render_widget(Paragraph::new(Line::styled(cut(&detail, width), STRONG)), line);
    }

    /// Draws the choices. Returns the full text of the marked one, for the detail line.
    fn menu(&mut self, frame: &mut Frame<'_>, area: Rect, menu: &OffersOf<Game>) -> String {
        self.cursor = self.cursor.min(menu.offers.len().saturating_sub(1));
        let first = (self.cursor + 1).saturating_sub(area.height.into());
        let mut detail = String::new();
        let mut lines = Vec::new();
        for (at, item) in menu.offers.iter().enumerate().skip(first).take(area.height.into()) {
            let why = item.why_not();
            let text = format!("{:>2}. {}", at + 1, item.label);
            let (text, style) = match &why {
                None => (text, Style::new()),
                Some(why) => (format!("{text} - {why}"), FAINT),
            };
            if at == self.cursor {
                detail = why.map_or_else(|| item.label.clone(), |why| format!("Not now: {why}"));
            }
            let style = if at == self.cursor { style.patch(MARKED) } else { style };
            lines.push(Line::styled(cut(&text, usize::from(area.width).saturating_sub(1)), style));
        }
        frame.render_widget(Paragraph::new(lines), area);
        detail
    }
}

fn headline(session: &Session, width: usize) -> Line<'static> {
    let game = session.game.as_deref().unwrap_or("-");
    let mut text = format!(" Holdfast  game {game}");
    if let Some(view) = &session.view {
        let board = &view.board;
        text += &format!("  round {} of {}", board.round, board.setup().scenario.goal.rounds);
        let named = |player: PlayerId| {
            if Some(player) == view.player { "you".to_string() } else { board.player(player).name.to_string() }
        };
        match board.phase {
            Phase::Registration => text += "  waiting for players",
            Phase::Preparation { player: Some(player) } => text += &format!("  choosing characters: {}", named(player)),
            Phase::Turns { player: Some(player) } => text += &format!("  turn: {}", named(player)),
            Phase::Over { outcome } => text += &format!("  {outcome}"),
            Phase::Preparation { player: None } | Phase::Turns { player: None } | Phase::Colony => {}
        }
    }
    text += match session.connection {
        Connection::Lost => "  RECONNECTING",
        Connection::CatchingUp | Connection::Current => "",
    };
    Line::styled(format!("{text:width$}"), MARKED)
}

fn stock(board: &Board) -> Line<'static> {
    let scenario = &board.setup().scenario;
    let crisis = board.crisis.map(|crisis| scenario.crisis(crisis));
    let crisis = crisis.map(|crisis| {
        let (kind, price) = (crisis.kind.key(), -i64::from(crisis.moral_change));
        format!("  crisis: {}/{} {kind}, else {price:+}", board.contributed, crisis.required_cards)
    });
    Line::from(format!(
        " morale {}  food {} (eats {})  waste {}  starvation {}{}",
        board.morale,
        board.food,
        board.mouths(),
        board.waste,
        board.starvation_tokens,
        crisis.unwrap_or_default()
    ))
}

/// A location: its name, cards, entrances (Z: zombie, B: barricade, a dot: free), and survivors.
fn map_line(view: &View, place: LocationIx) -> Line<'static> {
    let board = &view.board;
    let cards = if place == board.setup().scenario.colony { String::new() } else { board.stack(place).to_string() };
    let entrances: Vec<String> = board
        .entrances(place)
        .iter()
        .map(|entrance| {
            let [zombies, barricades] = [entrance.zombies, entrance.barricades].map(usize::from);
            format!("{}{}{}", "Z".repeat(zombies), "B".repeat(barricades), ".".repeat(entrance.free().into()))
        })
        .collect();
    let name = cut(&board.location_name(place), 16);
    let mut spans = vec![Span::raw(format!(" {name:16} {cards:>3} {:15}", entrances.join(" ")))];
    for character in board.survivors_at(place) {
        let survivor = board.survivor(character);
        let own = Some(survivor.owner) == view.player;
        let mut text = format!(" {}{}", if own { "*" } else { "" }, short_name(board, character));
        let mut marks = Vec::new();
        if survivor.wounds > 0 {
            marks.push(format!("w{}", survivor.wounds));
        }
        if survivor.frostbites > 0 {
            marks.push(format!("f{}", survivor.frostbites));
        }
        marks.extend(survivor.worn.iter().map(|worn| plain::short(board, worn.card)));
        if !marks.is_empty() {
            text += &format!("({})", marks.join(" "));
        }
        spans.push(Span::styled(text, if own { STRONG } else { Style::new() }));
    }
    if place == board.setup().scenario.colony && board.children > 0 {
        spans.push(Span::raw(format!(" +{} children", board.children)));
    }
    Line::from(spans)
}

fn own_lines(view: &View) -> Vec<Line<'static>> {
    let (Some(me), board) = (view.me(), &view.board) else { return Vec::new() };
    let mut own = Vec::new();
    for &character in &me.survivors {
        let (skills, survivor) = (board.setup().scenario.character(character), board.survivor(character));
        let moved = if survivor.moved { " moved" } else { "" };
        let name = short_name(board, character);
        own.push(format!("{name} attack {}+ search {}+{moved}", skills.attack, skills.search));
    }
    let dice: Vec<String> = me.dice.iter().map(|die| die.to_string()).collect();
    let dice = if dice.is_empty() { "none".into() } else { dice.join(" ") };
    vec![
        Line::from(vec![Span::styled(" You: ", STRONG), Span::raw(own.join(", "))]),
        Line::from(vec![
            Span::styled(" Dice: ", STRONG),
            Span::raw(dice),
            Span::styled("  Hand: ", STRONG),
            Span::raw(plain::hand(board, &me.hand)),
        ]),
    ]
}

/// The name up to the first comma, after which scenarios put the profession.
fn short_name(board: &Board, character: CharacterIx) -> &str {
    let name = &*board.setup().scenario.character(character).name;
    name.split(',').next().unwrap_or(name)
}

/// Draws the latest lines that fit.
fn draw_feed(frame: &mut Frame<'_>, area: Rect, feed: &[String], beside_menu: bool) {
    let border = if beside_menu { "| " } else { " " };
    let width = usize::from(area.width).saturating_sub(border.len()).max(8);
    let latest = feed.iter().rev().take(area.height.into()).rev();
    let lines: Vec<String> = latest.flat_map(|line| wrapped(line, width)).collect();
    let surplus = lines.len().saturating_sub(area.height.into());
    let mut lines: Vec<Line<'_>> =
        lines.into_iter().skip(surplus).map(|line| Line::from(format!("{border}{line}"))).collect();
    lines.resize(area.height.into(), Line::from(border.trim_end()));
    frame.render_widget(Paragraph::new(lines), area);
}

/// Breaks a line between words, and indents the rest.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let indent = line.len() - line.trim_start().len();
    for word in line.split_whitespace() {
        let last = lines.last_mut().expect("there is at least one line");
        let used = last.chars().count();
        if used > 0 && used + 1 + word.chars().count() > width {
            lines.push(format!("{:1$} {word}", "", indent));
        } else if used > 0 {
            *last += " ";
            *last += word;
        } else {
            *last = format!("{:1$}{word}", "", indent);
        }
    }
    lines
}

/// Cuts a text to a number of characters. Two dots mark the cut.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.into();
    }
    text.chars().take(width.saturating_sub(2)).chain("..".chars()).collect()
}
