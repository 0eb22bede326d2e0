//! The consequences of a death: morale, the last survivor of a player, the last player.

use super::{check, holds, play, scene, with};

#[test]
fn morale_at_nought_ends_the_game_at_once() {
    let game = scene("morale 2; colony: zombies 1,0; next 11,5 | Ana Bo; dice 1 | Carla");
    let bitten = "(DieSpent 0 1); ZombieKilled Ana colony 0; Bitten Ana; MoralChanged -1 CHARACTER_DIED; ";
    check(&game, "Attack Ana 0", &[bitten, "0> ActNow"].concat());
    let over = check(&with(&game, "morale 1"), "Attack Ana 0", &[bitten, "GameEnd false"].concat());
    play(&over, &[("0: EndTurn", ""), ("1: Leave", ""), ("9: Register Pia", ""), ("TimeOut", "")]);
    // The game ends before the other consequences of the death.
    let last = scene("morale 1; unused Dan; colony: zombies 1,0; next 11,11 | Ana; dice 1 | Carla");
    check(&last, "Attack Ana 0", &[bitten, "GameEnd false"].concat());
    let children = scene("morale 2; children 2; colony: zombies 1,0; next 11,6 | Ana Bo; dice 1");
    check(&children, "Attack Ana 0", &[bitten, "Bitten; MoralChanged -1 CHARACTER_DIED; GameEnd false"].concat());
}

#[test]
fn the_last_survivor_takes_hand_and_turn_along() {
    let text =
        "waste 4; colony: zombies 1,0; next 11,5; unused Dan Eva | Ana; dice 1,6; hand food1 fuel1 | Carla; dice 2";
    let passed = "(DieSpent 0 1); ZombieKilled Ana colony 0; Bitten Ana; MoralChanged -1 CHARACTER_DIED;
        CharacterSpawned 0 Dan; (TurnEnded 0); (TurnBegan 1); 1> ActNow";
    let after = check(&scene(text), "Attack Ana 0", passed);
    holds(&after, "0", "dice none; hand none");
    holds(&after, "stock", "food 0, waste 4, children 0, morale 8, tokens 0");
    holds(&after, "unused", "Eva");
    check(&after, "0: Move Dan mill", "refused: It is the turn of player 1; wait for ActNow.");
}

#[test]
fn a_death_of_somebody_else_leaves_the_turn() {
    let text =
        "colony: zombies 1,0; next 11,6,5; unused Dan | Ana Eva; dice 1,1; hand food1 | Carla; dice 2,3; hand fuel1";
    let replaced = "(DieSpent 0 1); ZombieKilled Ana colony 0; Bitten Ana; MoralChanged -1 CHARACTER_DIED;
        Bitten Carla; MoralChanged -1 CHARACTER_DIED; CharacterSpawned 1 Dan; 0> ActNow";
    let after = check(&scene(text), "Attack Ana 0", replaced);
    holds(&after, "0", "dice 1; hand food1");
    holds(&after, "1", "dice 2, 3; hand none");
    check(&after, "EndTurn", "(TurnEnded 0); (TurnBegan 1); 1> ActNow");

    let text = "colony: zombies 1,0; next 11,6,5 | Ana Eva; dice 1,1 | Carla; dice 2 | Fay";
    let out = "(DieSpent 0 1); ZombieKilled Ana colony 0; Bitten Ana; MoralChanged -1 CHARACTER_DIED;
        Bitten Carla; MoralChanged -1 CHARACTER_DIED; Left 1; [1 out]; 0> ActNow";
    let after = check(&scene(text), "Attack Ana 0", out);
    check(&after, "1: EndTurn", "refused: Player 1 is out of the game and can do nothing more.");
    check(&after, "EndTurn", "(TurnEnded 0); (TurnBegan 2); 2> ActNow");
}

#[test]
fn without_unused_characters_the_player_is_out() {
    let game = scene("colony: zombies 1,0; next 11,5 | Ana; dice 1; hand food1 | Carla");
    let out = "(DieSpent 0 1); ZombieKilled Ana colony 0; Bitten Ana; MoralChanged -1 CHARACTER_DIED;
        (TurnEnded 0); Left 0; [0 out]; (TurnBegan 1); 1> ActNow";
    let after = check(&game, "Attack Ana 0", out);
    for command in ["0: EndTurn", "0: Leave", "0: Register Pia", "0: StartGame", "0: Vote true", "0: Attack Ana"] {
        check(&after, command, "refused: Player 0 is out of the game and can do nothing more.");
    }
}

#[test]
fn the_last_player_out_ends_the_game_with_left() {
    let game = scene("rounds 1; colony: zombies 1,0; next 11,5 | Ana; dice 1 | Bo; out");
    let last = "(DieSpent 0 1); ZombieKilled Ana colony 0; Bitten Ana; MoralChanged -1 CHARACTER_DIED;
        (TurnEnded 0); Left 0; [0 out]";
    let after = check(&game, "Attack Ana 0", last);
    assert_eq!(after.board.outcome(), Some(crate::Outcome::Abandoned));
    play(&after, &[("0: EndTurn", ""), ("TimeOut", "")]);
    // A bite stops spreading when the last player is out.
    let chain = scene("morale 3; children 0; colony: zombies 1,0; next 11,6 | Ana; dice 1 | Bo");
    let both = "(DieSpent 0 1); ZombieKilled Ana colony 0; Bitten Ana; MoralChanged -1 CHARACTER_DIED;
        (TurnEnded 0); Left 0; [0 out]; Bitten Bo; MoralChanged -1 CHARACTER_DIED; (TurnEnded 1); Left 1; [1 out]";
    check(&chain, "Attack Ana 0", both);
}

#[test]
fn nobody_who_died_comes_back() {
    let game = scene("mill: zombies 1,0; unused Dan; next 11 | Ana(at mill, wears colt1*); dice 1,1 | Carla");
    let dead = "(DieSpent 0 1); ZombieKilled Ana mill 0; Bitten Ana; MoralChanged -1 CHARACTER_DIED;
        CharacterSpawned 0 Dan; (TurnEnded 0); (TurnBegan 1); 1> ActNow";
    holds(&game, "Ana", "Alive at mill, wounds 0, frostbites 0, colt1");
    let after = check(&game, "Attack Ana 0", dead);
    // The equipment of a dead character is gone.
    holds(&after, "Ana", "Dead at mill, wounds 0, frostbites 0");
    holds(&after, "Dan", "Alive at colony, wounds 0, frostbites 0");
    holds(&after, "unused", "");
}
