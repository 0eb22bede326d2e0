//! A hosted game: seats, clocks, bots and limits.

use crazyhouse_rules::{Command, Event, Game, Setup, Side, Timer};
use engine::{Cause, CommId, Input, Outbox, Rulebook, SeatResult, TimerChange, Waiting};

/// A game that handles one input at a time. Each input returns the resulting events in words, separated by semicolons.
struct Table {
    game: Game,
    outbox: Outbox<Event, Timer>,
}

impl Table {
    fn new(scenario: &str) -> Self {
        let setup = Setup::new(scenario, Some(30_000)).expect("a scenario");
        let mut outbox = Outbox::new();
        Self { game: Game::start(&setup, 0, &mut outbox), outbox }
    }

    /// A game that both players have joined.
    fn begun(scenario: &str) -> Self {
        Self::new(scenario).joined()
    }

    /// A game of the first version of the rules.
    fn of_version_1() -> Self {
        let setup = Setup::new("standard", None).expect("a scenario");
        let mut outbox = Outbox::new();
        Self { game: Game::start_version(1, &setup, 0, &mut outbox), outbox }
    }

    fn joined(self) -> Self {
        let mut table = self;
        table.does(0, 1, join("Ana", Some(White)));
        table.does(0, 2, join("Bo", Some(Black)));
        table
    }

    fn does(&mut self, elapsed: u64, client: u32, command: Command) -> String {
        self.folds(Input { elapsed_ms: elapsed, cause: Cause::Command { client: CommId(client), command } })
    }

    fn rings(&mut self, elapsed: u64, timer: Timer) -> String {
        self.folds(Input { elapsed_ms: elapsed, cause: Cause::Timer { timer } })
    }

    fn folds(&mut self, input: Input<Command, Timer>) -> String {
        self.outbox.clear();
        self.game.fold(&input, &mut self.outbox);
        let said = self.outbox.events().map(|(_, event)| match event {
            Event::Seated { side } => format!("you are {side}"),
            Event::Refused { refusal } => format!("refused: {refusal}"),
            Event::Joined { side, name } => format!("{name} is {side}"),
            Event::Began { white, black, .. } => format!("{white} against {black}"),
            Event::Moved { side, text, check, left, .. } => {
                let left = left.map_or(String::new(), |left| format!(" {left} left"));
                format!("{side} {text}{}{left}", if *check { " check" } else { "" })
            }
            Event::DrawOffered { side } => format!("{side} offers"),
            Event::DrawDeclined { side } => format!("{side} declines"),
            Event::TakebackAsked { side } => format!("{side} asks"),
            Event::TakebackRefused { side } => format!("{side} refuses"),
            Event::TakenBack { side, moves, position, white_left, black_left } => {
                let left = white_left.zip(*black_left).map_or(String::new(), |(w, b)| format!(", {w} and {b} left"));
                format!("{side} takes {moves} back to {position}{left}")
            }
            Event::Finished { outcome, because } => {
                let because = because.as_ref().map_or(String::new(), |because| format!(" ({because})"));
                format!("{outcome}{because}")
            }
        });
        said.collect::<Vec<_>>().join("; ")
    }

    /// The timers that the last input has set.
    fn timers(&self) -> Vec<(Timer, Option<u64>)> {
        let timer = |change: &TimerChange<Timer>| match change {
            TimerChange::Set { timer, after_ms } => (*timer, Some(*after_ms)),
            TimerChange::Cancelled { timer } => (*timer, None),
        };
        self.outbox.timers().iter().map(timer).collect()
    }
}

fn join(name: &str, side: Option<Side>) -> Command {
    Command::Join { name: name.into(), side }
}

fn play(text: &str) -> Command {
    Command::Move { text: text.into() }
}

use Side::{Black, White};

#[test]
fn seats() {
    let mut table = Table::new("standard");
    assert_eq!(table.timers(), [(Timer::Come, Some(3_600_000))]);
    assert_eq!(table.does(0, 1, join("Ana", Some(Black))), "you are Black; Ana is Black");
    assert_eq!(table.does(0, 1, join("Ana", Some(White))), "refused: You play Black already.");
    assert_eq!(table.does(0, 2, join("Bo", Some(Black))), "refused: Black is played by Ana.");
    assert_eq!(
        table.does(0, 1, play("e7-e5")),
        "refused: The game has not begun; it does when both players are there."
    );
    assert_eq!(table.does(0, 2, play("e2-e4")), "refused: You do not play in this game; Join it while a side is free.");
    assert_eq!(table.game.waiting_for(), Waiting::Anyone);
    assert_eq!(table.does(5, 2, join("Bo", None)), "you are White; Bo is White; Bo against Ana");
    assert_eq!(table.timers(), [(Timer::Come, None), (Timer::Flag, Some(30_000))]);
    assert_eq!(table.game.waiting_for(), Waiting::One(CommId(2)));
    assert_eq!(table.does(5, 3, join("Cleo", None)), "refused: Both sides are taken; you can watch.");
    for command in [play("e2-e4"), Command::OfferDraw {}, Command::Resign { because: None }] {
        let refused = "refused: You do not play in this game; Join it while a side is free.";
        assert_eq!(table.does(6, 3, command), refused, "a stranger does nothing");
    }
}

#[test]
fn either_side_by_chance() {
    let first = |seed| {
        let (setup, mut outbox) = (Setup::new("standard", None).expect("a scenario"), Outbox::new());
        let mut game = Game::start(&setup, seed, &mut outbox);
        let cause = Cause::Command { client: CommId(1), command: join("Ana", None) };
        game.fold(&Input { elapsed_ms: 0, cause }, &mut outbox);
        game.side_of(CommId(1)).expect("it has a seat")
    };
    // Similar seeds give similar first random numbers.
    let white = (0..100_i64).filter(|seed| first(seed.wrapping_mul(0x09E3_779B_97F4_A7C1)) == White).count();
    assert!((20..80).contains(&white), "{white} of 100 were White");
}

#[test]
fn seats_of_bots() {
    let mut table = Table::new(r#"{"bots": {"black": "greedy"}}"#);
    assert_eq!(table.does(0, 3, join("Ana", Some(Black))), "refused: Black is played by greedy.");
    assert_eq!(table.does(0, 2, join("greedy", None)), "you are Black; greedy is Black", "never another's side");
    assert_eq!(table.does(0, 3, join("Ana", None)), "you are White; Ana is White; Ana against greedy");
}

#[test]
fn nobody_comes() {
    let mut table = Table::new("standard");
    table.does(0, 1, join("Ana", None));
    assert_eq!(table.rings(3_600_000, Timer::Come), "abandoned: the players did not come");
    assert_eq!(table.game.waiting_for(), Waiting::GameOver);
    assert_eq!(table.does(3_600_001, 2, join("Bo", None)), "", "nothing happens after the end");
}

#[test]
fn clocks() {
    let mut table = Table::begun(r#"{"clock": {"initial": 60, "increment": 2}}"#);
    assert_eq!(table.timers(), [(Timer::Come, None), (Timer::Flag, Some(60_000))]);
    assert_eq!(table.does(10_000, 1, play("e2-e4")), "White e2-e4 52000 left");
    assert_eq!(table.timers(), [(Timer::Flag, Some(60_000))], "Black's time runs");
    assert_eq!(table.does(69_000, 2, play("e7-e5")), "Black e7-e5 3000 left");
    assert_eq!(table.timers(), [(Timer::Flag, Some(52_000))]);
    assert_eq!(table.does(69_000, 1, play("g1-f3")), "White g1-f3 54000 left");
    assert_eq!(table.does(71_999, 2, play("b8-c6")), "Black b8-c6 2001 left", "the last millisecond counts");
    assert_eq!(table.does(71_999, 1, play("f1-c4")), "White f1-c4 56000 left");
    assert_eq!(table.does(72_000, 1, play("c4-b5")), "refused: It is Black's move.");
    assert_eq!(table.does(74_000, 2, play("g8-f6")), "White wins: time is up", "too late, before the timer");
}

#[test]
fn flags_fall() {
    let mut table = Table::begun(r#"{"clock": {"initial": 60}}"#);
    assert_eq!(table.rings(60_000, Timer::Flag), "Black wins: time is up");
    let mut table = Table::begun("standard");
    table.does(5, 1, play("e2-e4"));
    assert_eq!(table.timers(), [(Timer::Flag, Some(30_000))], "without a clock there is the host's limit");
    assert_eq!(table.rings(30_005, Timer::Flag), "White wins: time is up");
}

/// Plays moves in turn, White first, one every second.
fn moves(table: &mut Table, texts: &str) {
    for (at, text) in texts.split_whitespace().enumerate() {
        let said = table.does(1000 * (at as u64 + 1), 1 + at as u32 % 2, play(text));
        assert!(said.contains(text), "{said}");
    }
}

#[test]
fn aborting() {
    const NO_RESULT: &str = "aborted: no result";
    let mut table = Table::new("standard");
    let stranger = "refused: You do not play in this game; Join it while a side is free.";
    assert_eq!(table.does(0, 1, Command::Abort {}), stranger);
    table.does(0, 1, join("Ana", Some(White)));
    assert_eq!(table.does(0, 2, Command::Abort {}), stranger, "only a player cancels a game that waits");
    assert_eq!(table.does(0, 1, Command::Abort {}), NO_RESULT);
    assert_eq!(table.timers(), [(Timer::Come, None), (Timer::Flag, None)]);
    assert_eq!(table.does(1, 2, join("Bo", None)), "", "nothing happens after the end");

    for (played, client, expected) in [
        ("", 1, NO_RESULT),
        ("", 2, NO_RESULT),
        ("e2-e4 e7-e5", 1, NO_RESULT),
        ("e2-e4 e7-e5", 2, NO_RESULT),
        ("e2-e4 e7-e5 g1-f3", 2, "refused: It is too late to abort: a side has made its second move; resign."),
    ] {
        let mut table = Table::begun("standard");
        moves(&mut table, played);
        assert_eq!(table.does(9_000, client, Command::Abort {}), expected, "{played}");
        assert_eq!(results(&table.game), "", "an aborted game has no result");
    }
}

const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR/ b";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w";

#[test]
fn takebacks() {
    let mut table = Table::new("standard");
    table.does(0, 1, join("Ana", Some(White)));
    let early = "refused: The game has not begun; it does when both players are there.";
    assert_eq!(table.does(0, 1, Command::AskTakeback {}), early);
    table.does(0, 2, join("Bo", None));
    let nothing = "refused: You have not made a move that could be taken back.";
    assert_eq!(table.does(0, 1, Command::AskTakeback {}), nothing);
    table.does(0, 1, play("e2-e4"));
    assert_eq!(table.does(0, 2, Command::AskTakeback {}), nothing, "Black has not moved");
    let unasked = "refused: The other player has not asked to take a move back.";
    assert_eq!(table.does(0, 2, Command::AllowTakeback {}), unasked);
    assert_eq!(table.does(0, 2, Command::RefuseTakeback {}), unasked);

    assert_eq!(table.does(0, 1, Command::AskTakeback {}), "White asks");
    let twice = "refused: You have asked to take a move back; wait for the answer.";
    assert_eq!(table.does(0, 1, Command::AskTakeback {}), twice);
    let answer = "refused: The other player asks to take a move back: allow or refuse it.";
    assert_eq!(table.does(0, 2, Command::AskTakeback {}), answer);
    assert_eq!(table.does(0, 1, Command::AllowTakeback {}), unasked, "no player answers their own question");
    assert_eq!(table.does(0, 2, Command::RefuseTakeback {}), "Black refuses");
    assert_eq!(table.does(0, 2, Command::AllowTakeback {}), unasked);
    assert_eq!(table.does(0, 1, Command::AskTakeback {}), "White asks", "a player may ask again");
    assert_eq!(table.does(7, 2, Command::AllowTakeback {}), format!("White takes 1 back to {START}"));
    assert_eq!(table.timers(), [(Timer::Flag, Some(30_000))], "the turn begins again");
    assert_eq!(table.game.waiting_for(), Waiting::One(CommId(1)));
    assert_eq!(table.game.public().contest().history(), []);

    moves(&mut table, "e2-e4 d7-d5 e4-d5");
    table.does(9_000, 1, Command::OfferDraw {});
    assert_eq!(table.does(9_000, 2, Command::AskTakeback {}), "Black asks");
    assert_eq!(table.does(9_000, 1, Command::AllowTakeback {}), format!("Black takes 2 back to {AFTER_E4}"));
    assert_eq!(table.game.public().contest().offer(), None, "the offer was made in another position");
    assert_eq!(table.does(9_000, 2, play("e7-e5")), "Black e7-e5");
    table.does(9_000, 2, Command::AskTakeback {});
    table.does(9_000, 1, play("g1-f3"));
    assert_eq!(table.does(9_000, 1, Command::AllowTakeback {}), unasked, "a move of the opponent refuses it");
    table.does(9_000, 1, Command::AskTakeback {});
    table.does(9_000, 2, Command::Resign { because: None });
    assert_eq!(table.does(9_000, 2, Command::AllowTakeback {}), "", "nothing happens after the end");
}

#[test]
fn a_takeback_gives_no_time_back() {
    let mut table = Table::begun(r#"{"clock": {"initial": 60, "increment": 2}}"#);
    table.does(10_000, 1, play("e2-e4"));
    table.does(12_000, 2, play("e7-e5"));
    // White has 52 s, of which the turn has taken 5 s; Black has 60 s.
    table.does(14_000, 1, Command::AskTakeback {});
    let taken = format!("White takes 2 back to {START}, 47000 and 60000 left");
    assert_eq!(table.does(17_000, 2, Command::AllowTakeback {}), taken);
    assert_eq!(table.timers(), [(Timer::Flag, Some(47_000))], "White's time runs on");
    assert_eq!(table.does(18_000, 1, play("d2-d4")), "White d2-d4 48000 left");
    table.does(20_000, 1, Command::AskTakeback {});
    let taken = format!("White takes 1 back to {START}, 48000 and 57000 left");
    assert_eq!(table.does(21_000, 2, Command::AllowTakeback {}), taken);
    assert_eq!(table.does(22_000, 1, play("d2-d4")), "White d2-d4 49000 left");
    table.does(22_000, 1, Command::AskTakeback {});
    assert_eq!(
        table.does(79_000, 2, Command::AllowTakeback {}),
        "White wins: time is up",
        "too late, before the timer"
    );
}

#[test]
fn claims() {
    let mut table = Table::new("standard");
    table.does(0, 1, join("Ana", Some(White)));
    let early = "refused: The game has not begun; it does when both players are there.";
    assert_eq!(table.does(0, 1, Command::Claim {}), early);
    table.does(0, 2, join("Bo", None));
    let stranger = "refused: You do not play in this game; Join it while a side is free.";
    assert_eq!(table.does(0, 3, Command::Claim {}), stranger);
    assert_eq!(table.does(0, 2, Command::Claim {}), "Black wins: the opponent left", "in any turn");
    assert_eq!(table.timers(), [(Timer::Come, None), (Timer::Flag, None)]);
    assert_eq!(results(&table.game), "1 Ana white: Lost 0, 2 Bo black: Won 2");
}

/// A game keeps the rules that it began with.
#[test]
fn version_1() {
    let refused = "refused: This game has version 1 of the rules, without takebacks, aborting and claims.";
    let new = || {
        let takeback = [Command::AskTakeback {}, Command::AllowTakeback {}, Command::RefuseTakeback {}];
        takeback.into_iter().chain([Command::Abort {}, Command::Claim {}])
    };
    let mut table = Table::of_version_1();
    table.does(0, 1, join("Ana", Some(White)));
    assert_eq!(table.does(0, 1, Command::Abort {}), refused);
    let mut table = Table::of_version_1().joined();
    table.does(0, 1, play("e2-e4"));
    for (client, command) in [1, 2].into_iter().flat_map(|client| new().map(move |command| (client, command))) {
        assert_eq!(table.does(0, client, command), refused);
    }
    assert_eq!(table.does(0, 2, play("e7-e5")), "Black e7-e5");
}

#[test]
fn ends() {
    let mut table = Table::begun(r#"{"board": "6k1/5ppp/8/8/8/8/8/R5K1/"}"#);
    assert_eq!(table.does(1, 1, play("a1-a8")), "White a1-a8 check; White wins: checkmate");
    assert_eq!(table.timers(), [(Timer::Come, None), (Timer::Flag, None)]);

    let mut table = Table::begun(r#"{"most_moves": 2}"#);
    assert_eq!(table.does(1, 1, play("e2-e4")), "White e2-e4");
    assert_eq!(table.does(1, 2, play("e7-e5")), "Black e7-e5; draw: as many moves as this game may have");

    let mut table = Table::begun("standard");
    let long = Command::Resign { because: Some("x".repeat(201).into()) };
    assert_eq!(table.does(1, 2, long), "refused: A reason has at most 200 characters.");
    let because = Command::Resign { because: Some("it is late".into()) };
    assert_eq!(table.does(1, 2, because), "White wins: resignation (it is late)");

    let mut table = Table::begun("standard");
    assert_eq!(table.does(1, 2, Command::AcceptDraw {}), "refused: There is no draw offer.");
    assert_eq!(table.does(1, 2, Command::OfferDraw {}), "Black offers");
    assert_eq!(
        table.does(1, 1, Command::OfferDraw {}),
        "refused: The other player has offered a draw: accept or decline it."
    );
    assert_eq!(table.does(1, 1, Command::DeclineDraw {}), "White declines");
    assert_eq!(table.does(1, 1, Command::OfferDraw {}), "White offers");
    assert_eq!(table.does(1, 2, Command::AcceptDraw {}), "draw: by agreement");
}

/// Each seat with its client, side, verdict and points.
fn results(game: &Game) -> String {
    let result = |result: SeatResult| {
        let SeatResult { client, name, side, verdict, points } = result;
        format!("{client} {name} {}: {verdict:?} {points}", side.expect("a side"))
    };
    game.results().into_iter().map(result).collect::<Vec<_>>().join(", ")
}

#[test]
fn how_it_ended_for_each() {
    #[track_caller]
    fn check(scenario: &str, commands: &[(u32, Command)], expected: &str) {
        let mut table = Table::begun(scenario);
        for (client, command) in commands {
            assert_eq!(results(&table.game), "", "there is no result before the end");
            table.does(1, *client, command.clone());
        }
        assert_eq!(results(&table.game), expected);
    }
    let white = "1 Ana white: Won 2, 2 Bo black: Lost 0";
    let black = "1 Ana white: Lost 0, 2 Bo black: Won 2";
    let draw = "1 Ana white: Drawn 1, 2 Bo black: Drawn 1";
    let resign = || Command::Resign { because: None };
    check(r#"{"board": "6k1/5ppp/8/8/8/8/8/R5K1/"}"#, &[(1, play("a1-a8"))], white);
    check(r#"{"board": "r5k1/8/8/8/8/8/5PPP/6K1/", "next": "black"}"#, &[(2, play("a8-a1"))], black);
    check("standard", &[(2, resign())], white);
    check("standard", &[(1, resign())], black);
    check("standard", &[(1, Command::OfferDraw {}), (2, Command::AcceptDraw {})], draw);
    check(r#"{"most_moves": 1}"#, &[(1, play("e2-e4"))], draw);
    check("standard", &[(1, play("e2-e4"))], "");

    let mut table = Table::begun("standard");
    table.rings(30_000, Timer::Flag);
    assert_eq!(results(&table.game), black, "White took too long");
    let mut table = Table::new("standard");
    table.does(0, 1, join("Ana", None));
    table.rings(3_600_000, Timer::Come);
    assert_eq!(results(&table.game), "", "the players did not come");
}

#[track_caller]
fn wrong(scenario: &str, expected: &str) {
    let error = Setup::new(scenario, None).expect_err("it is wrong").to_string();
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn scenarios() {
    for (name, _) in crazyhouse_rules::SCENARIOS {
        Setup::new(name, None).expect("what is offered can be played");
    }
    wrong("chess", "There is no scenario \"chess\"; there are standard, blitz, rapid, or send a text");
    wrong("{", "The scenario cannot be read: EOF");
    wrong(r#"{"colour": 1}"#, "The scenario cannot be read: unknown field `colour`");
    wrong(r#"{"board": "8/8"}"#, "The board is wrong at column 4: a board is eight ranks");
    wrong(r#"{"clock": {"initial": 0}}"#, "A clock has 1 to 86400 seconds");
    wrong(r#"{"clock": {"initial": 1, "increment": 86401}}"#, "A clock has 1 to 86400 seconds");
    wrong(r#"{"most_moves": 0}"#, "A game has at least one move.");
    wrong(r#"{"bots": {"white": ""}}"#, "The name of a bot has 1 to 64 characters.");
    let padded = |length: usize| format!("{{{}}}", " ".repeat(length - 2));
    Setup::new(&padded(4096), None).expect("as long as may be");
    wrong(&padded(4097), "A scenario has at most 4096 bytes.");
    let limit = |text: &str| Setup::new(text, None).expect("a scenario").most_moves;
    assert_eq!(limit(r#"{"bots": {"white": "a", "black": "b"}}"#), Some(1000), "bots do not get tired");
    assert_eq!(limit(r#"{"bots": {"white": "a"}}"#), None);
    let check = "rnbQ2Q1/pppp3p/6k1/8/1P6/8/Pn1pPKPP/RNB2BNR/BPQRppq";
    wrong(&format!(r#"{{"board": "{check}"}}"#), "Black is in check and not to move");
    Setup::new(&format!(r#"{{"board": "{check}", "next": "black"}}"#), None).expect("Black may get out of it");
    wrong(r#"{"board": "R5k1/5ppp/8/8/8/8/8/6K1/", "next": "black"}"#, "Black is mated");
}
