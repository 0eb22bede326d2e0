//! Players who leave by command or by timeout.

use super::{check, holds, play, scene, with};

const DIED: &str = "MoralChanged -1 CHARACTER_DIED";

#[test]
fn a_leaver_dies_from_the_highest_status_on() {
    let game = scene("unused Hana | Ana(status 25) Bo(status 35) Carla(at mill); dice 1; hand food1 | Dan");
    let left = alloc::format!(
        "Left 0; [0 out]; SurvivorKilled Bo; {DIED}; SurvivorKilled Carla; {DIED}; SurvivorKilled Ana; {DIED};
        (TurnEnded 0); (TurnBegan 1); 1> ActNow"
    );
    let after = check(&game, "Leave", &left);
    holds(&after, "0", "dice none; hand none");
    holds(&after, "unused", "Hana");
    holds(&after, "stock", "food 0, waste 0, children 0, morale 6, tokens 0");
    // A timeout has the same effect as `Leave`.
    assert_eq!(check(&game, "TimeOut", &left), after);
    for command in ["0: Leave", "0: EndTurn", "0: Register Pia", "0: StartGame"] {
        check(&after, command, "refused: Player 0 is out of the game and can do nothing more.");
    }
}

#[test]
fn only_in_the_own_turn() {
    let game = scene("| Ana | Dan");
    check(&game, "1: Leave", "refused: It is the turn of player 0; wait for ActNow.");
    check(&game, "9: Leave", "");
    let arguments = "refused: Wrong number of arguments (1); the command is Leave().; 0> ActNow";
    check(&game, "Leave 1", arguments);
}

#[test]
fn the_last_one_to_leave() {
    for text in ["rounds 1 | Ana", "rounds 1 | Ana | Bo; out"] {
        for command in ["Leave", "TimeOut"] {
            let after = check(&scene(text), command, "Left 0; [0 out]");
            assert_eq!(after.board.outcome(), Some(crate::Outcome::Abandoned));
            play(&after, &[("0: Leave", ""), ("TimeOut", ""), ("9: Register Pia", "")]);
        }
    }
}

#[test]
fn the_last_turn_of_a_round_left() {
    let game = scene("rounds 1; turn 1 | Ana(at mill) | Dan");
    let left = alloc::format!(
        "Left 1; [1 out]; SurvivorKilled Dan; {DIED}; (TurnEnded 1); ColonyPhaseStarted;
        ZombieSpawned mill 0; GameEnd true"
    );
    check(&game, "Leave", &left);
    check(&game, "TimeOut", &left);
}

#[test]
fn leaving_can_cost_the_game() {
    let game = scene("morale 2 | Ana Bo | Dan");
    let both = alloc::format!("Left 0; [0 out]; SurvivorKilled Bo; {DIED}; SurvivorKilled Ana; {DIED}; GameEnd false");
    check(&game, "Leave", &both);
    let one = alloc::format!("Left 0; [0 out]; SurvivorKilled Bo; {DIED}; GameEnd false");
    check(&with(&game, "morale 1"), "Leave", &one);
    let on = both.replace("GameEnd false", "(TurnEnded 0); (TurnBegan 1); 1> ActNow");
    check(&with(&game, "morale 3"), "Leave", &on);
}

#[test]
fn contributions_of_a_leaver_count() {
    let game = scene("rounds 1; crisis food 1 3; contributed 0 | Ana; hand food1 | Dan(at mill)");
    let steps = [
        ("ContributeCard food1", "Contributed 0 food1; 0> ActNow"),
        (
            "Leave",
            "Left 0; [0 out]; SurvivorKilled Ana; MoralChanged -1 CHARACTER_DIED; (TurnEnded 0); (TurnBegan 1);
            1> ActNow",
        ),
        ("EndTurn", "(TurnEnded 1); ColonyPhaseStarted; ZombieSpawned mill 0; GameEnd true"),
    ];
    play(&game, &steps);
}

#[test]
fn a_leaver_gets_no_dice_and_no_turn() {
    let game = scene("next d1,d2,d3,d4 | Ana(at mill) | Bo | Carla(at mill)");
    let steps = [
        ("EndTurn", "(TurnEnded 0); (TurnBegan 1); 1> ActNow"),
        (
            "TimeOut",
            "Left 1; [1 out]; SurvivorKilled Bo; MoralChanged -1 CHARACTER_DIED; (TurnEnded 1); (TurnBegan 2);
            2> ActNow",
        ),
        (
            "EndTurn",
            "(TurnEnded 2); ColonyPhaseStarted; ZombieSpawned mill 0; ZombieSpawned mill 1; NextRound 4;
            Crisis crisis2; DieRolled 0 1; DieRolled 0 2; DieRolled 2 3; DieRolled 2 4; (TurnBegan 0); 0> ActNow",
        ),
        ("EndTurn", "(TurnEnded 0); (TurnBegan 2); 2> ActNow"),
    ];
    play(&game, &steps);
}
