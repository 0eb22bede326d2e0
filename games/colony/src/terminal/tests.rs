use colony_rules::{Command, Event, Game, Refusal, Setup};
use engine::{
    Answer, Cause, CommId, Emission, Input, JavaRandom, OfferOf, OffersOf, Outbox, Rulebook, Template, Then, Waiting,
};
use ratatui::{Terminal, backend::TestBackend};

use super::{
    News, Session, plain,
    practice::Practice,
    screen::{Key, Pressed, Screen},
};
use crate::{strategy, table::Table};

fn setup(scenario: &str) -> Setup {
    Setup::new(crate::scenario(scenario).expect("it is built in"), None, None).expect("it is sound")
}

/// The refusal of a command by the game, if it refuses.
fn refusal(game: &Game, client: CommId, command: &Command) -> Option<Refusal> {
    let mut outbox = Outbox::new();
    let cause = Cause::Command { client, command: command.clone() };
    game.clone().fold(&Input { elapsed_ms: 0, cause }, &mut outbox);
    outbox.emissions().iter().find_map(|emission| match emission {
        Emission::Event { event: Event::CommandFailed { refusal }, .. } => Some(*refusal),
        Emission::Event { .. } | Emission::Seated { .. } | Emission::Unseated { .. } => None,
    })
}

fn leaves<'m>(menu: &'m OffersOf<Game>, found: &mut Vec<(&'m Command, Option<Refusal>)>) {
    for item in &menu.offers {
        let why = item.why_not().unwrap_or_default();
        let numbered = ["haracter ", "ocation ", "ard ", "layer "]
            .iter()
            .any(|what| why.split(what).skip(1).any(|rest| rest.starts_with(|first: char| first.is_ascii_digit())));
        assert!(!numbered, "people know names, not numbers: {why}");
        match &item.then {
            Then::Send(Template { command, answer, .. }) => found.push((command, told(answer))),
            Then::Choose(inner) => leaves(inner, found),
        }
    }
}

fn told(answer: &Answer<Event>) -> Option<Refusal> {
    match answer {
        Answer::Possible => None,
        Answer::Impossible { refusal: Event::CommandFailed { refusal }, .. } => Some(*refusal),
        Answer::Impossible { .. } | Answer::Untried | Answer::Uncertain => panic!("the rules answer: {answer:?}"),
    }
}

/// In random games, the engine accepts every command that a menu offers, and refuses the others for the same reason as the
/// menu.
#[test]
fn menus_say_what_the_rules_say() {
    let random = strategy("random").expect("it is there").bot;
    for scenario in crate::scenario_names() {
        let (mut offered, mut excluded) = (0, 0);
        for seed in 0..20 {
            let mut table = Table::new(&setup(scenario), seed, &[random, random]);
            while let Some((client, command)) = table.next_command() {
                if matches!(table.game().waiting_for(), Waiting::One(_)) {
                    let view = table.game().view(client);
                    let imagined = Game::imagine(&view, &mut JavaRandom::new(0)).expect("the view is possible");
                    let expected = refusal(table.game(), client, &command);
                    let expected = expected.map(|refusal| Event::CommandFailed { refusal });
                    assert_eq!(imagined.refusal(&command), expected, "{command:?}");
                    if table.commands.is_multiple_of(5) {
                        let menu = Game::offers(&view);
                        let mut found = Vec::new();
                        leaves(&menu, &mut found);
                        assert!(!found.is_empty());
                        for (command, told) in found {
                            assert_eq!(told, refusal(table.game(), client, command), "{scenario} {seed} {command:?}");
                            *if told.is_some() { &mut excluded } else { &mut offered } += 1;
                        }
                    }
                }
                table.play(client, command);
            }
        }
        assert!(offered > 100 && excluded > 100, "{scenario}: {offered} offered, {excluded} excluded");
    }
}

/// Picks any possible answer except leaving.
fn pick(menu: &OffersOf<Game>, random: &mut JavaRandom) -> usize {
    let possible = |item: &&(usize, &OfferOf<Game>)| item.1.why_not().is_none() && !item.1.aside;
    let items: Vec<(usize, &OfferOf<Game>)> = menu.offers.iter().enumerate().collect();
    let items: Vec<usize> = items.iter().filter(possible).map(|(at, _)| *at).collect();
    clients::pick(&items, random).expect("something is always possible")
}

/// Plays a whole practice game. `choose` turns a choice into a command.
fn whole_game(scenario: &str, seed: i64, mut choose: impl FnMut(&mut Session, usize) -> Option<Command>) -> Session {
    let bot = strategy("sensible").expect("it is there").bot;
    let mut practice = Practice::new(&setup(scenario), seed, "Ana", &[bot]);
    let (mut session, mut random) = (Session::new(), JavaRandom::new(seed));
    for _ in 0..100_000 {
        practice.news().into_iter().for_each(|news| session.hear(news));
        if session.ended.is_some() {
            return session;
        }
        let at = pick(session.question().expect("the person is asked"), &mut random);
        if let Some(command) = choose(&mut session, at) {
            practice.play(command);
        }
    }
    panic!("the game never ends");
}

#[test]
fn whole_games_in_lines() {
    for scenario in crate::scenario_names() {
        let session = whole_game(scenario, 7, |session, at| match plain::take(session, &(at + 1).to_string()) {
            plain::Step::Command(command) => Some(command),
            plain::Step::Lines(lines) => {
                assert_eq!(lines, Vec::<String>::new(), "only what is possible is chosen");
                None
            }
            plain::Step::Quit | plain::Step::Chat(_) => panic!("the player does not quit"),
        });
        let last = session.feed().last().expect("a game was told");
        assert!(last.starts_with("The game is over: ") || last == "You are out of the game.", "{scenario}: {last}");
        assert!(!session.feed().iter().any(|line| line.starts_with("Refused")), "{scenario}");
    }
}

fn shown(terminal: &Terminal<TestBackend>) -> String {
    terminal.backend().to_string()
}

/// Makes every choice with keys, and draws the screen after each.
#[test]
fn whole_games_on_screens() {
    for (scenario, width, height) in [("first-night", 80, 24), ("winter", 80, 24), ("crossroads", 132, 50)] {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("no terminal is needed");
        let mut screen = Screen::new();
        let (mut turns, mut marked) = (0, 0);
        whole_game(scenario, 11, |session, at| {
            terminal.draw(|frame| screen.draw(frame, session)).expect("it is drawn");
            let text = shown(&terminal);
            turns += usize::from(text.contains("Your turn."));
            assert!(text.contains("the colony") && text.contains("Dice:"), "{text}");
            for _ in 0..at {
                assert_eq!(screen.press(session, Key::Down), Pressed::Nothing);
            }
            marked += 1;
            match screen.press(session, Key::Enter) {
                Pressed::Command(command) => Some(command),
                Pressed::Nothing => None,
                Pressed::Quit | Pressed::Chat(_) => panic!("the player does not quit"),
            }
        });
        assert!(turns > 3 && marked > turns, "{scenario}: {turns} turns, {marked} choices");
    }
}

#[test]
fn pages_and_quitting() {
    let practice = || Practice::new(&setup("winter"), 3, "Ana", &[]);
    let (mut session, mut screen) = (Session::new(), Screen::new());
    practice().news().into_iter().for_each(|news| session.hear(news));
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).expect("no terminal is needed");
    let mut check = |keys: &[Key], expected: &str| {
        for &key in keys {
            assert_eq!(screen.press(&mut session, key), Pressed::Nothing);
        }
        terminal.draw(|frame| screen.draw(frame, &mut session)).expect("it is drawn");
        let text = shown(&terminal);
        assert!(text.contains(expected), "{keys:?} do not show {expected:?}:\n{text}");
    };
    check(&[], "Choose two characters");
    check(&[Key::Char('?')], "Every round you have one die");
    check(&[Key::Char(' '), Key::Char(' ')], "fuel: a move without danger");
    check(&[Key::Escape], "Choose two characters");
    check(&[Key::Char('b')], "Quarantine House");
    check(&[Key::Char('b'), Key::Char('f')], "latest first");
    check(&[Key::Escape, Key::Char('1')], "Who comes along");
    check(&[Key::Escape], "The first?");
    check(&[Key::Char('q')], "Quit?");
    check(&[Key::Char('n')], "The first?");
    assert_eq!(screen.press(&mut session, Key::Char('q')), Pressed::Nothing);
    assert_eq!(screen.press(&mut session, Key::Char('y')), Pressed::Quit);
}

/// In a menu of ten answers, a digit waits for a second one if a larger number could follow.
#[test]
fn numbers_of_two_digits() {
    let (mut session, mut screen) = (Session::new(), Screen::new());
    let mut practice = Practice::new(&setup("first-night"), 5, "Ana", &[]);
    practice.news().into_iter().for_each(|news| session.hear(news));
    screen.press(&mut session, Key::Char('1'));
    assert!(!screen.is_typing(), "four answers have no second digit");
    match screen.press(&mut session, Key::Char('1')) {
        Pressed::Command(command) => practice.play(command),
        other @ (Pressed::Nothing | Pressed::Quit | Pressed::Chat(_)) => panic!("characters are chosen, not {other:?}"),
    }
    practice.news().into_iter().for_each(|news| session.hear(news));
    let mut check = |keys: &str, settle: bool, expected: &str| {
        for key in keys.chars() {
            assert_eq!(screen.press(&mut session, Key::Char(key)), Pressed::Nothing, "{keys}");
        }
        assert_eq!(screen.is_typing(), settle, "{keys}");
        assert_eq!(screen.settle(&mut session), Pressed::Nothing);
        assert_eq!(session.question().map(|menu| menu.title.as_str()), Some(expected), "{keys}");
        while session.back() {}
    };
    let turn = "Your turn. What will you do?";
    check("10", false, "Leave the game for good?");
    check("1", true, "Who moves?");
    check("2", false, "Who attacks?");
    // An answer with this number does not exist, and the second digit alone is not an answer.
    check("12", false, turn);
    check("0", false, turn);
    check("1b", false, turn);
    check("b1", true, "Who moves?");
}

/// Lines of input in plain mode, and the replies.
#[test]
fn lines_that_are_no_choice() {
    let mut session = Session::new();
    let check = |session: &mut Session, line: &str, expected: &str| match plain::take(session, line) {
        plain::Step::Lines(lines) => assert_eq!(lines.first().map_or("", String::as_str), expected, "{line:?}"),
        plain::Step::Command(command) => panic!("nothing is sent: {command:?}"),
        plain::Step::Chat(text) => assert_eq!(expected, format!("chat {text}"), "{line:?}"),
        plain::Step::Quit => assert_eq!(expected, "quit", "{line:?}"),
    };
    check(&mut session, "/gl hf", "chat gl hf");
    check(&mut session, "1", "There is no such choice.");
    let mut practice = Practice::new(&setup("first-night"), 5, "Ana", &[]);
    practice.news().into_iter().for_each(|news| session.hear(news));
    check(&mut session, "", "");
    check(&mut session, "go", "Type a number, ? for help, b for the board, /TEXT to chat, or q to quit.");
    check(&mut session, "-1", "Type a number, ? for help, b for the board, /TEXT to chat, or q to quit.");
    check(&mut session, "5", "There is no such choice.");
    check(&mut session, " 4 ", "");
    assert_eq!(session.depth(), 1);
    check(&mut session, "4", "There is no such choice.");
    check(&mut session, "0", "");
    assert_eq!(session.depth(), 0);
    check(&mut session, "b", "Round 0 of 3");
    check(&mut session, "q", "quit");
}

/// The program asks for confirmation before a player leaves. Then the player is out of the game.
#[test]
fn leaving() {
    let mut session = Session::new();
    let bot = strategy("sensible").expect("it is there").bot;
    let mut practice = Practice::new(&setup("first-night"), 5, "Ana", &[bot]);
    for line in ["1", "1", "10", "0", "10", "1"] {
        practice.news().into_iter().for_each(|news| session.hear(news));
        match plain::take(&mut session, line) {
            plain::Step::Command(command) => practice.play(command),
            plain::Step::Lines(lines) => assert_eq!(lines, Vec::<String>::new()),
            plain::Step::Quit | plain::Step::Chat(_) => panic!("the player does not quit"),
        }
    }
    practice.news().into_iter().for_each(|news| session.hear(news));
    assert_eq!(session.ended.as_deref(), Some("You are out of the game."));
    assert!(session.feed().iter().any(|line| line == "Ana is out of the game."));
}

/// A person cannot choose while the connection is lost. After it is back, all choices are available again.
#[test]
fn a_lost_connection() {
    let mut session = Session::new();
    let mut practice = Practice::new(&setup("first-night"), 3, "Ana", &[]);
    practice.news().into_iter().for_each(|news| session.hear(news));
    let before = session.question().cloned();
    assert!(before.is_some());
    session.hear(News::Lost("cut".into()));
    assert_eq!(session.question(), None);
    assert_eq!(session.status(), "Reconnecting ..");
    session.hear(News::Lost("cut".into()));
    session.hear(News::Current);
    assert_eq!(session.question().cloned(), before);
    let told: Vec<&String> = session.feed().iter().filter(|line| line.contains("onnect")).collect();
    assert_eq!(told, ["The connection is lost (cut). Reconnecting ..", "The connection is back."]);
}
