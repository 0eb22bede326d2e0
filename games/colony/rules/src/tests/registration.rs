//! Before the game: registration, the start, and commands that abort it.

use engine::{Input, Outbox, Rulebook, TimerChange};

use super::{TIMEOUT, check, holds, play, scene, with, words};
use crate::{Game, Setup, game::Timer};

/// Eight unused characters. The first shuffle keeps their order.
const LOBBY: &str = "unused Ana Bo Carla Dan Eva Fay Gil Hana; next shuffle8";

#[test]
fn players_are_numbered_as_they_come() {
    let game = scene(LOBBY);
    let three = [
        ("7: Register Pia", "[7 in]; (Registered 0 Pia); 7> Config"),
        ("7: Register Pia", "refused: You are registered already, as player 0; send StartGame or wait for the others."),
        ("7: Register Rob", "refused: You are registered already, as player 0; send StartGame or wait for the others."),
        // Two players may have the same name.
        ("3: Register Pia", "[3 in]; (Registered 1 Pia); 3> Config"),
        ("5: StartGame", "refused: Only a registered client can start the game; send Register first."),
        // The third player takes the last place, so the game starts.
        (
            "5: Register Rob",
            "[5 in]; (Registered 2 Rob); 5> Config; GameStarted; Player 0 Pia; Player 1 Pia; Player 2 Rob;
            (ChoiceOffered 0); 7> Characters Ana Bo Carla Dan",
        ),
        ("9: Register Tom", "refused: The game has already started; it is too late to register or to start it."),
    ];
    play(&game, &three);
}

#[test]
fn anybody_who_is_registered_starts() {
    let game = scene(LOBBY);
    let alone = [
        ("0: StartGame", "refused: Only a registered client can start the game; send Register first."),
        ("0: Register Pia", "[0 in]; (Registered 0 Pia); 0> Config"),
        ("0: StartGame", "GameStarted; Player 0 Pia; (ChoiceOffered 0); 0> Characters Ana Bo Carla Dan"),
        ("0: StartGame", "refused: The game has already started; it is too late to register or to start it."),
    ];
    play(&game, &alone);
    let two = [
        ("0: Register Pia", "[0 in]; (Registered 0 Pia); 0> Config"),
        ("1: Register Rob", "[1 in]; (Registered 1 Rob); 1> Config"),
        ("1: StartGame", "GameStarted; Player 0 Pia; Player 1 Rob; (ChoiceOffered 0); 0> Characters Ana Bo Carla Dan"),
    ];
    play(&game, &two);
}

#[test]
fn anything_else_breaks_it_off() {
    let empty = scene(LOBBY);
    let one = check(&empty, "0: Register Pia", "[0 in]; (Registered 0 Pia); 0> Config");
    for command in [
        "SelectCharacters Ana Bo",
        "Move Ana mill",
        "Attack Ana 0",
        "Barricade Ana 0",
        "Search Ana",
        "CleanWaste Ana",
        "ContributeCard food1",
        "UseCard food1",
        "UseAbility Ana",
        "EndTurn",
        "Leave",
        "Vote true",
        // Any command with a wrong number of arguments.
        "Register",
        "StartGame 1",
        "Attack Ana",
    ] {
        for sender in ["0: ", "4: "] {
            let over = check(&one, &[sender, command].concat(), "RegistrationAborted");
            assert_eq!(over.board.outcome(), Some(crate::Outcome::Aborted));
            play(&over, &[("0: StartGame", ""), ("4: Register Rob", ""), ("TimeOut", "")]);
        }
    }
    check(&empty, "4: EndTurn", "RegistrationAborted");
    check(&empty, "TimeOut", "RegistrationAborted");
    check(&one, "TimeOut", "RegistrationAborted");
}

#[test]
fn the_first_deadline_runs_from_the_start() {
    let setup = scene(LOBBY).setup;
    let mut outbox = Outbox::new();
    Game::start(&setup, 0, &mut outbox);
    assert_eq!(outbox.timers(), [TimerChange::Set { timer: Timer::Deadline, after_ms: TIMEOUT }]);
    // Without a timeout, the game never sets a deadline.
    let patient = Setup::new(&setup.text, Some(setup.edition), None).expect("the same scenario");
    let mut outbox = Outbox::new();
    let mut game = Game::start(&patient, 0, &mut outbox);
    for line in ["0: Register Pia", "0: StartGame", "0: Leave"] {
        game.fold(&Input { elapsed_ms: 0, cause: words::cause(&game, line).1 }, &mut outbox);
    }
    assert_eq!(outbox.timers(), []);
}

#[test]
fn what_the_goal_puts_on_the_board() {
    let game = scene("start 5 3 2");
    holds(&game, "colony", "zombies 3,2 barricades 0,0");
    holds(&game, "mill", "zombies 2,1 barricades 0,0");
    holds(&game, "stock", "food 0, waste 0, children 2, morale 9, tokens 0");
    holds(&scene("start 1 3 0"), "harbour", "zombies 3 barricades 0");
    holds(&scene("start 1 3 0"), "colony", "zombies 1,0 barricades 0,0");
    // No event tells about the zombies and children at the start.
    let lobby = with(&scene(&["start 1 1 1; ", LOBBY].concat()), "next shuffle8");
    check(&lobby, "0: Register Pia", "[0 in]; (Registered 0 Pia); 0> Config");
}
