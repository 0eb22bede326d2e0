//! The laws of short games find faulty ones. Each fault is a variant of one small game: players choose a number face down, and
//! the higher one wins.

use std::ops::RangeInclusive;

use engine::{Cause, CommId, Emission, Header, Rulebook, Shown, laws::Trial, messages};
use serde::{Deserialize, Serialize};
use short::{
    Chance, Command, Common, Late, Outcome, Refusal, Resign, Seat, Setup, Short, ShortGame, Start, Tells, Told, Turn,
    laws,
};

const NONE: u8 = 0;
const LEAKS: u8 = 1;
const TELLS_BEFORE: u8 = 2;
const REFUSES: u8 = 3;
const STUCK: u8 = 4;
const ENDLESS: u8 = 5;
const SPECTATOR_KNOWS: u8 = 6;
const HIDES_MORE: u8 = 7;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Numbers<const FAULT: u8> {
    /// The number of each seat, 1 to 6; 0 is one that is hidden.
    chosen: Vec<Option<u8>>,
    /// The number that wins a draw, known to all.
    lucky: u8,
    is_view: bool,
}

messages! {
    enum Move {
        /// Chooses a number, 1 to 6.
        Choose { number: u8 },
    }
}

impl<const FAULT: u8> Numbers<FAULT> {
    fn is_complete(&self) -> bool {
        self.chosen.iter().all(Option::is_some)
    }
}

impl<const FAULT: u8> ShortGame for Numbers<FAULT> {
    const NAME: &'static str = "numbers";
    const SEATS: RangeInclusive<usize> = 2..=3;
    const SCENARIOS: &'static [(&'static str, &'static str)] = &[
        ("three", r#"{"seats": 3, "game": {"lucky": 6}}"#),
        ("alone", r#"{"seats": 3, "bots": ["random", "random"]}"#),
    ];
    type Move = Move;

    fn start(start: &Start<'_>, chance: &mut Chance) -> Result<Self, Refusal> {
        #[derive(Default, Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Options {
            lucky: Option<u8>,
        }
        let options: Options = start.options()?;
        let lucky = options.lucky.unwrap_or_else(|| chance.roll(6));
        if !(1..=6).contains(&lucky) {
            return Err("the lucky number is 1 to 6.".into());
        }
        Ok(Self { chosen: vec![None; start.seats], lucky, is_view: false })
    }

    fn turn(&self) -> Turn {
        let open = (0..self.chosen.len()).filter(|seat| self.chosen[*seat].is_none());
        Turn::Any(open.map(Seat).collect())
    }

    fn play(&mut self, seat: Seat, Move::Choose { number }: &Move, _: &mut Chance) -> Result<(), Refusal> {
        // What is changed before a refusal does not stay.
        self.chosen[seat.0] = Some(*number);
        if !(1..=6).contains(number) || FAULT == REFUSES && *number == 6 {
            return Err("choose 1 to 6".into());
        }
        if FAULT == ENDLESS {
            self.chosen[seat.0] = None;
        }
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        let sum =
            |number: &Option<u8>| number.map_or(0, |number| i64::from(number == self.lucky) * 10 + i64::from(number));
        self.is_complete().then(|| Outcome::score(self.chosen.iter().map(sum)))
    }

    fn moves(&self, seat: Seat) -> impl Iterator<Item = Move> {
        let most = if FAULT == STUCK && seat == Seat(1) { 0 } else { 6 };
        (1..=most).map(|number| Move::Choose { number })
    }

    fn view(&self, seat: Option<Seat>) -> Option<Self> {
        let mut view = self.clone();
        if FAULT == HIDES_MORE && self.is_view {
            view.lucky = 0;
        }
        if FAULT == SPECTATOR_KNOWS && seat.is_some() {
            view.lucky = 0;
        }
        view.is_view = true;
        let hides = |at: usize| FAULT != LEAKS || self.chosen[at] != Some(6);
        for at in (0..self.chosen.len()).filter(|at| Some(Seat(*at)) != seat && !self.is_complete()) {
            if hides(at) {
                view.chosen[at] = view.chosen[at].map(|_| 0);
            }
        }
        Some(view)
    }

    fn tells(&self, _: Seat, _: &Move) -> Tells {
        let reveals = self.chosen.iter().filter(|number| number.is_none()).count() == 1;
        if reveals && FAULT != TELLS_BEFORE { Tells::All } else { Tells::Sender }
    }

    fn points(&self) -> Vec<i64> {
        self.chosen.iter().map(|number| number.map_or(0, i64::from)).collect()
    }

    fn story(&self, told: &Told<'_, Move>) -> String {
        match self.chosen[told.seat.0] {
            Some(number @ 1..) => format!("{}: the number {number}.", told.mover()),
            Some(0) | None => format!("{}: a number.", told.mover()),
        }
    }

    fn late(&self, seat: Seat) -> Late<Move> {
        let number = if seat == Seat(0) { 1 } else { 99 };
        Late::Plays(Move::Choose { number })
    }
}

#[test]
fn a_sound_game_passes() {
    let coverage = laws::random_games::<Numbers<NONE>>(400);
    assert!(coverage.times("secret", "moves that looked like others") > 300, "{coverage}");
    assert!(coverage.times("game", "of 2 players") > 50 && coverage.times("game", "of 3 players") > 100, "{coverage}");
    assert_eq!(coverage.missing::<Move>("move"), Vec::<&str>::new(), "{coverage}");
}

#[test]
#[should_panic(expected = "looks different from Choose")]
fn a_leak() {
    laws::random_games::<Numbers<LEAKS>>(400);
}

#[test]
#[should_panic(expected = "let `tells` return Tells::All")]
fn a_secret_move_that_reveals() {
    laws::random_games::<Numbers<TELLS_BEFORE>>(400);
}

/// A leak is reported by its place, and people count seats from 1.
#[test]
fn the_report_of_a_leak() {
    let leak = std::panic::catch_unwind(|| drop(laws::random_games::<Numbers<LEAKS>>(400))).expect_err("a leak");
    let words = leak.downcast_ref::<String>().expect("words");
    assert!(words.contains(", scenario {") && words.contains(" -> ") && words.contains("\n  chosen."), "{words}");
    assert!(
        !words.contains("lucky") || words.contains("scenario {\"seats\": 3, \"game\""),
        "only what differs: {words}"
    );
}

/// A move that players make only by giving up or by running out of time is counted, too.
#[test]
fn leaving_is_counted() {
    let coverage = laws::random_games::<Leaving<false>>(400);
    assert!(coverage.times("move", "Leave") > 0, "{coverage}");
}

#[test]
#[should_panic(expected = "is one of the moves of seat")]
fn a_listed_move_that_is_refused() {
    laws::random_games::<Numbers<REFUSES>>(400);
}

#[test]
#[should_panic(expected = "may move and has no moves")]
fn a_seat_that_is_stuck() {
    laws::random_games::<Numbers<STUCK>>(400);
}

#[test]
#[should_panic(expected = "a game ends")]
fn a_game_without_an_end() {
    laws::random_games::<Numbers<ENDLESS>>(2);
}

#[test]
#[should_panic(expected = "a spectator knows no more")]
fn a_spectator_who_knows_more() {
    laws::random_games::<Numbers<SPECTATOR_KNOWS>>(400);
}

#[test]
#[should_panic(expected = "a view of a view hides nothing more")]
fn a_view_that_hides_more() {
    laws::random_games::<Numbers<HIDES_MORE>>(400);
}

/// Players pass until only one is left, or all have passed four times. A player who gives up leaves, and the others go on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Leaving<const KEEPS_LEAVERS: bool> {
    is_in: Vec<bool>,
    moves: usize,
}

messages! {
    enum LeavingMove {
        /// Does nothing.
        Pass {},
        /// Leaves the game.
        Leave {},
    }
}

impl<const KEEPS_LEAVERS: bool> ShortGame for Leaving<KEEPS_LEAVERS> {
    const NAME: &'static str = "leaving";
    const SEATS: RangeInclusive<usize> = 2..=4;
    type Move = LeavingMove;

    fn start(start: &Start<'_>, _: &mut Chance) -> Result<Self, Refusal> {
        Ok(Self { is_in: vec![true; start.seats], moves: 0 })
    }

    fn turn(&self) -> Turn {
        let seats = self.is_in.len();
        let next = (0..seats).map(|step| (self.moves + step) % seats).find(|seat| self.is_in[*seat]);
        Turn::Of(Seat(next.unwrap_or_default()))
    }

    fn play(&mut self, seat: Seat, play: &LeavingMove, _: &mut Chance) -> Result<(), Refusal> {
        match play {
            LeavingMove::Pass {} => self.moves += 1,
            LeavingMove::Leave {} if KEEPS_LEAVERS || !self.is_in[seat.0] => return Err("stay".into()),
            LeavingMove::Leave {} => self.is_in[seat.0] = false,
        }
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        let left: Vec<usize> = (0..self.is_in.len()).filter(|seat| self.is_in[*seat]).collect();
        match left[..] {
            [last] => Some(Outcome::won(Seat(last))),
            _ => (self.moves == 4 * self.is_in.len()).then(Outcome::draw),
        }
    }

    fn moves(&self, _: Seat) -> impl Iterator<Item = LeavingMove> {
        [LeavingMove::Pass {}].into_iter()
    }

    fn late(&self, _: Seat) -> Late<LeavingMove> {
        Late::Plays(LeavingMove::Leave {})
    }

    fn resign(&self, seat: Seat) -> Resign<LeavingMove> {
        if self.is_in[seat.0] {
            Resign::Plays(LeavingMove::Leave {})
        } else {
            Resign::Refused("You have left the game.".into())
        }
    }
}

#[test]
fn a_player_leaves_and_the_others_go_on() {
    let coverage = laws::random_games::<Leaving<false>>(1_000);
    assert!(coverage.times("resign", "and the game goes on") > 20, "{coverage}");
    assert!(coverage.times("resign", "and the game is over") > 5, "{coverage}");
    assert!(coverage.times("refusal", "You have left the game.") > 0, "{coverage}");
    assert!(coverage.times("late", "and the game goes on") > 5, "{coverage}");
}

#[test]
#[should_panic(expected = "possible")]
fn a_resignation_that_the_rules_refuse() {
    laws::random_games::<Leaving<true>>(400);
}

#[test]
fn scenarios() {
    let check = |scenario: &str, expected: &str| {
        let came = match Setup::<Numbers<NONE>>::new(scenario, None) {
            Ok(setup) => format!("{} seats, {} bots", setup.seats(), setup.bots().count()),
            Err(error) => error.to_string(),
        };
        assert!(came.contains(expected), "{scenario}: {came}");
    };
    check("", "3 seats, 0 bots");
    check("standard", "3 seats");
    check("three", "3 seats");
    check(r#"{"seats": 2, "bots": ["random"]}"#, "2 seats, 1 bots");
    check(r#"{"seats": 2, "bots": ["a", "b", "c"]}"#, "at most 2 bots");
    check(r#"{"bots": [""]}"#, "1 to 64 characters");
    check(r#"{"seats": 1}"#, "for 2 to 3 players");
    check(r#"{"seats": 4}"#, "for 2 to 3 players");
    check(r#"{"clock": {"initial": 0}}"#, "1 to 604800 seconds");
    check(r#"{"clock": {"initial": 1, "increment": 604801}}"#, "1 to 604800 seconds");
    check(r#"{"clock": null}"#, "3 seats");
    check(r#"{"game": {"lucky": 7}}"#, "the lucky number is 1 to 6");
    check(r#"{"game": {"lucky": 7}}"#, "1 to 6.");
    check(r#"{"game": {"unlucky": 7}}"#, "unknown field `unlucky`");
    check(r#"{"sets": 2}"#, "unknown field `sets`");
    check("four", "There is no scenario \"four\"; there are standard, three, alone");
    check("{", "cannot be read");
    check(&" ".repeat(70_000), "at most 65536 bytes");
}

/// A setup in a log may have been written by anything.
#[test]
fn forged_setups() {
    let read = |text: &str| serde_json::from_str::<<Short<Numbers<NONE>> as Rulebook>::Setup>(text).is_ok();
    let setup = |seats: usize, bots: &str| {
        format!(r#"{{"text":"","seats":{seats},"timeout_ms":null,"clock":null,"bots":{bots},"options":"null"}}"#)
    };
    assert!(read(&setup(2, "[]")));
    assert!(!read(&setup(0, "[]")), "no seat");
    assert!(!read(&setup(65, "[]")), "too many seats");
    assert!(!read(&setup(1, r#"["a", "b"]"#)), "more bots than seats");
}

const ANA: CommId = CommId(1);
const BO: CommId = CommId(2);

/// Ana has chosen 5, and Bo has given up before the numbers were shown.
fn given_up(setup: &Setup<Numbers<NONE>>) -> Trial<Short<Numbers<NONE>>> {
    let mut trial = Trial::new(setup, 1, [ANA, BO]);
    let mut send = |client, command| trial.step(0, Cause::Command { client, command });
    send(ANA, Command::Common(Common::Join { name: "Ana".into() }));
    send(BO, Command::Common(Common::Join { name: "Bo".into() }));
    send(ANA, Command::Move(Move::Choose { number: 5 }));
    send(BO, Command::Common(Common::Resign {}));
    trial
}

#[test]
fn a_game_that_ends_without_a_move_shows_what_it_hid() {
    let setup = Setup::new(r#"{"seats": 2}"#, None).expect("a setup");
    let trial = given_up(&setup);
    let ending = trial.game().outcome().expect("it is over");
    assert_eq!(ending.to_string(), "Ana won, 5:0; Bo gave up");
    let chosen = |game: Option<&Numbers<NONE>>| game.map(|game| game.chosen.clone());
    for client in [ANA, BO] {
        assert_eq!(chosen(trial.view(client).game()), Some(vec![Some(5), None]), "{client}");
    }
    assert_eq!(chosen(trial.game().public().game()), Some(vec![Some(5), None]), "spectators");
    let points: Vec<i64> = trial.game().results().iter().map(|seat| seat.points).collect();
    assert_eq!(points, [5, 0]);
    trial.finish();
}

/// A log from before this was so has no version in its setup. It keeps its bytes, and is folded as it was.
#[test]
fn an_older_game_ends_as_it_did() {
    let setup = Setup::<Numbers<NONE>>::new(r#"{"seats": 2}"#, None).expect("a setup");
    let bytes = Header::new::<Short<Numbers<NONE>>>("a", 0, setup, 1).encode();
    let (version, older) = bytes.split_last().expect("a header");
    assert_eq!(*version, 1);
    let header: Header<Setup<Numbers<NONE>>> = Header::decode(older).expect("an older header");
    assert_eq!(header.encode(), older);
    let trial = given_up(&header.setup);
    let chosen = trial.view(BO).game().map(|game| game.chosen.clone());
    assert_eq!(chosen, Some(vec![Some(0), None]), "Bo is told nothing more");
    trial.finish();
}

/// Those who may know everything are told the secrets in words, too.
#[test]
fn the_whole_story_has_the_secrets() {
    let setup = Setup::new(r#"{"seats": 2}"#, None).expect("a setup");
    let mut trial = Trial::<Short<Numbers<NONE>>>::new(&setup, 1, [ANA, BO]);
    for (client, name) in [(ANA, "Ana"), (BO, "Bo")] {
        trial.step(0, Cause::Command { client, command: Command::Common(Common::Join { name: name.into() }) });
    }
    let before = trial.game().board();
    trial.step(0, Cause::Command { client: ANA, command: Command::Move(Move::Choose { number: 5 }) });
    let emissions = trial.outbox().emissions();
    let place = emissions.len() - 1;
    let Emission::Event { event, .. } = &emissions[place] else { panic!("a move") };
    assert_eq!(Short::<Numbers<NONE>>::tell_event(&before, event), "Ana: a number.");
    let whole = |game| Short::<Numbers<NONE>>::tell_whole_event(game, &before, emissions, place);
    assert_eq!(whole(Some(trial.game())).as_deref(), Some("Ana: the number 5."));
    assert_eq!(whole(None), None, "the rules do not agree with the log");
}
