//! Rounds and turns: the order of the players, the start of a turn, and the players who may act.

use super::{check, holds, play, scene, with};

#[test]
fn turns_go_up_and_rounds_go_on() {
    let game = scene("food 1; next d1,d2,d3,d4,d5 | Ana; dice 6 | Bo(at mill) Carla(at mill); dice 5");
    let first = check(&game, "EndTurn", "(TurnEnded 0); (TurnBegan 1); 1> ActNow");
    holds(&first, "0", "dice none; hand none");
    holds(&first, "1", "dice 5; hand none");
    // Each player gets one die more than it has survivors.
    let round = "(TurnEnded 1); ColonyPhaseStarted; FoodChanged -1 FOOD_CONSUMED; ZombieSpawned colony 0;
        ZombieSpawned mill 0; ZombieSpawned mill 1; NextRound 4; Crisis crisis2; DieRolled 0 1; DieRolled 0 2;
        DieRolled 1 3; DieRolled 1 4; DieRolled 1 5; (TurnBegan 0); 0> ActNow";
    let second = check(&first, "EndTurn", round);
    holds(&second, "1", "dice 3, 4, 5; hand none");
}

#[test]
fn rounds_are_counted_up_or_down() {
    for (edition, round, expected) in [
        ("group", 1, "NextRound 2; Crisis crisis2"),
        ("group", 4, "NextRound 5; Crisis crisis5"),
        ("equipment", 1, "NextRound 4; Crisis crisis2"),
        ("equipment", 4, "NextRound 1; Crisis crisis5"),
        ("fate", 3, "NextRound 2; Crisis crisis4"),
    ] {
        let game = scene(&alloc::format!("{edition}; round {round}; next d1,d1 | Ana(at mill)"));
        let text = alloc::format!(
            "(TurnEnded 0); ColonyPhaseStarted; ZombieSpawned mill 0; {expected}; DieRolled 0 1; DieRolled 0 1;
            (TurnBegan 0); 0> ActNow"
        );
        check(&game, "EndTurn", &text);
    }
}

#[test]
fn who_is_out_is_passed_over() {
    let game = scene("next d1,d1,d1,d1 | Ana(at mill) | Bo; out | Carla(at mill)");
    let second = check(&game, "EndTurn", "(TurnEnded 0); (TurnBegan 2); 2> ActNow");
    let round = "(TurnEnded 2); ColonyPhaseStarted; ZombieSpawned mill 0; ZombieSpawned mill 1; NextRound 4;
        Crisis crisis2; DieRolled 0 1; DieRolled 0 1; DieRolled 2 1; DieRolled 2 1; (TurnBegan 0); 0> ActNow";
    check(&second, "EndTurn", round);
}

#[test]
fn frostbite_wounds_at_the_start_of_the_turn() {
    for (survivors, expected) in [
        ("Dan(frostbites 1) Eva", "Wounded Dan; 1> ActNow"),
        (
            "Dan(frostbites 1, wounds 1) Eva",
            "Wounded Dan; SurvivorKilled Dan; MoralChanged -1 CHARACTER_DIED; 1> ActNow",
        ),
        // Two frostbites and one wound make three injuries. The character dies before its second frostbite causes a wound.
        ("Dan(frostbites 2) Eva", "Wounded Dan; SurvivorKilled Dan; MoralChanged -1 CHARACTER_DIED; 1> ActNow"),
        ("Dan(wounds 2) Eva", "1> ActNow"),
        // The order is the order in which the characters came into the game, not the order of their identifiers.
        ("Eva(frostbites 1) Dan(frostbites 1)", "Wounded Eva; Wounded Dan; 1> ActNow"),
        (
            "Dan(frostbites 2) Eva(frostbites 1)",
            "Wounded Dan; SurvivorKilled Dan; MoralChanged -1 CHARACTER_DIED; Wounded Eva; 1> ActNow",
        ),
    ] {
        let game = scene(&alloc::format!("| Ana(frostbites 1) | {survivors}"));
        check(&game, "EndTurn", &["(TurnEnded 0); (TurnBegan 1); ", expected].concat());
    }
    let morale = scene("morale 1 | Ana | Dan(frostbites 2) Eva(frostbites 1)");
    let over =
        "(TurnEnded 0); (TurnBegan 1); Wounded Dan; SurvivorKilled Dan; MoralChanged -1 CHARACTER_DIED; GameEnd false";
    check(&morale, "EndTurn", over);
}

#[test]
fn frostbite_can_take_the_turn() {
    let game = scene("unused Fay | Ana | Dan(frostbites 2); dice 3 | Eva(frostbites 1)");
    let lost = "(TurnEnded 0); (TurnBegan 1); Wounded Dan; SurvivorKilled Dan; MoralChanged -1 CHARACTER_DIED;
        CharacterSpawned 1 Fay; (TurnEnded 1); (TurnBegan 2); Wounded Eva; 2> ActNow";
    let after = check(&game, "EndTurn", lost);
    holds(&after, "1", "dice none; hand none");
    let out = scene("rounds 1 | Ana(at mill) | Dan(frostbites 2)");
    let colony = "(TurnEnded 0); (TurnBegan 1); Wounded Dan; SurvivorKilled Dan; MoralChanged -1 CHARACTER_DIED;
        (TurnEnded 1); Left 1; [1 out]; ColonyPhaseStarted; ZombieSpawned mill 0; GameEnd true";
    check(&out, "EndTurn", colony);
}

#[test]
fn dice_do_not_follow_deaths_and_arrivals() {
    let game = scene("colony: zombies 1,0; unused Eva; next s0/15,c0 | Ana(at mill) Bo; dice 1,1,1,1 | Carla");
    let met = "(DieSpent 0 1); Searched Ana mill; CharacterSpawned 0 Eva; 0> ActNow";
    let more = check(&game, "Search Ana", met);
    holds(&more, "0", "dice 1, 1, 1; hand none");
    let dead = "(DieSpent 0 1); ZombieKilled Bo colony 0; Bitten Bo; MoralChanged -1 CHARACTER_DIED; 0> ActNow";
    let fewer = check(&with(&more, "next 11,0"), "Attack Bo 0", dead);
    holds(&fewer, "0", "dice 1, 1; hand none");
}

#[test]
fn everything_out_of_place_is_refused_and_asked_again() {
    for (edition, vote) in [
        ("group", "The group edition has no votes and plays no equipment; FUEL is played by Move with true."),
        ("equipment", "The equipment edition has no votes; FUEL is played by UseCard, not by Move."),
        ("fate", "No vote is being held; Vote answers VoteNow only."),
    ] {
        let game = scene(&[edition, " | Ana | Bo"].concat());
        let started = "refused: The game has already started; it is too late to register or to start it.; 0> ActNow";
        let rows = [
            ("Register Pia", started),
            ("StartGame", started),
            (
                "SelectCharacters Ana Bo",
                "refused: The characters are chosen; SelectCharacters answers Characters only.; 0> ActNow",
            ),
            ("Vote true", &alloc::format!("refused: {vote}; 0> ActNow")),
            ("EndTurn 1", "refused: Wrong number of arguments (1); the command is EndTurn().; 0> ActNow"),
            (
                "Attack Ana",
                "refused: Wrong number of arguments (1); the command is Attack(character, entrance).; 0> ActNow",
            ),
            (
                "Move Ana mill true 1",
                "refused: Wrong number of arguments (4); the command is Move(character, location, fuel).; 0> ActNow",
            ),
            ("Register", "refused: Wrong number of arguments (0); the command is Register(name).; 0> ActNow"),
        ];
        play(&game, &rows);
    }
}

#[test]
fn others_may_not_act_and_strangers_are_not_heard() {
    let game = scene("fate | Ana | Bo; dice 1; hand food1 | Carla; out");
    let waits = "refused: It is the turn of player 0; wait for ActNow.";
    for command in [
        "SelectCharacters Ana Bo",
        "Move Bo mill",
        "Attack Bo 0",
        "Barricade Bo 0",
        "Search Bo",
        "CleanWaste Bo",
        "ContributeCard food1",
        "UseCard food1",
        "UseAbility Bo",
        "EndTurn",
        "Leave",
        "Vote true",
        "Attack Bo",
    ] {
        check(&game, &["1: ", command].concat(), waits);
        check(&game, &["9: ", command].concat(), "");
        let out = "refused: Player 2 is out of the game and can do nothing more.";
        check(&game, &["2: ", command].concat(), out);
    }
    let started = "refused: The game has already started; it is too late to register or to start it.";
    for sender in ["1: ", "9: "] {
        check(&game, &[sender, "Register Pia"].concat(), started);
        check(&game, &[sender, "StartGame"].concat(), started);
    }
}
