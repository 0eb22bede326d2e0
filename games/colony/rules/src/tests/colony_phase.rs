//! The colony phase, after the last turn of a round: food, waste, the crisis, zombies and the goal.

use super::{check, play, scene, with};
use crate::Game;

/// Ends the last turn of the round and compares the emissions after `ColonyPhaseStarted`.
#[track_caller]
fn phase(game: &Game, expected: &str) -> Game {
    check(game, "EndTurn", &["(TurnEnded 0); ColonyPhaseStarted; ", expected].concat())
}

#[test]
fn food_for_every_second_one() {
    // Three survivors in the colony need 2 food.
    let game = scene("rounds 1; food 2 | Ana Bo Carla Dan(at mill)");
    let zombies = "ZombieSpawned colony 0; ZombieSpawned colony 1; ZombieSpawned mill 0; GameEnd true";
    phase(&game, &["FoodChanged -2 FOOD_CONSUMED; ", zombies].concat());
    phase(&with(&game, "food 3"), &["FoodChanged -2 FOOD_CONSUMED; ", zombies].concat());
    let token = "StarvationTokenAdded; MoralChanged -1 STARVATION_TOKEN; ";
    let short = phase(&with(&game, "food 1"), &[token, zombies].concat());
    assert_eq!(short.board.food, 1, "nothing is taken when there is not enough");
    // With one child, they also need 2 food. With two children, they need 3.
    phase(&with(&game, "children 1"), &["FoodChanged -2 FOOD_CONSUMED; ", zombies].concat());
    let three =
        "ZombieSpawned colony 0; ZombieSpawned colony 1; ZombieSpawned colony 0; ZombieSpawned mill 0; GameEnd true";
    phase(&with(&game, "children 2"), &[token, three].concat());
    phase(&with(&game, "children 2; food 3"), &["FoodChanged -3 FOOD_CONSUMED; ", three].concat());
    // An empty colony needs no food.
    phase(&scene("rounds 1 | Ana(at mill)"), "ZombieSpawned mill 0; GameEnd true");
    let child = scene("rounds 1; food 1; children 1 | Ana(at mill)");
    phase(&child, "FoodChanged -1 FOOD_CONSUMED; ZombieSpawned colony 0; ZombieSpawned mill 0; GameEnd true");
}

#[test]
fn starvation_tokens_stay() {
    let game = scene("rounds 1; tokens 2; food 1 | Ana");
    let zombie = "ZombieSpawned colony 0; GameEnd true";
    let fed = "FoodChanged -1 FOOD_CONSUMED; MoralChanged -2 STARVATION_TOKEN; ";
    phase(&game, &[fed, zombie].concat());
    let hungry = "StarvationTokenAdded; MoralChanged -3 STARVATION_TOKEN; ";
    phase(&with(&game, "food 0"), &[hungry, zombie].concat());
    let away = scene("rounds 1; tokens 1 | Ana(at mill)");
    phase(&away, "MoralChanged -1 STARVATION_TOKEN; ZombieSpawned mill 0; GameEnd true");
}

#[test]
fn waste_by_the_ten() {
    let game = scene("rounds 1 | Ana(at mill)");
    for (waste, expected) in [
        ("waste 9", ""),
        ("waste 10", "MoralChanged -1 WASTE; "),
        ("waste 19", "MoralChanged -1 WASTE; "),
        ("waste 20", "MoralChanged -2 WASTE; "),
    ] {
        phase(&with(&game, waste), &[expected, "ZombieSpawned mill 0; GameEnd true"].concat());
    }
}

#[test]
fn the_crisis() {
    let game = scene("rounds 1; crisis food 2 3 | Ana(at mill)");
    for (contributed, expected) in [
        ("contributed 0", "MoralChanged -3 CRISIS; "),
        ("contributed 1", "MoralChanged -3 CRISIS; "),
        ("contributed 2", ""),
        ("contributed 3", ""),
        ("contributed 4", "MoralChanged 1 CRISIS; "),
        ("contributed 5", "MoralChanged 1 CRISIS; "),
    ] {
        phase(&with(&game, contributed), &[expected, "ZombieSpawned mill 0; GameEnd true"].concat());
    }
}

#[test]
fn contributions_count_for_one_round() {
    let game = scene("crisis food 1 2; contributed 0; rounds 2; next d1,d1 | Ana(at mill); hand food1");
    let rounds = [
        ("ContributeCard food1", "Contributed 0 food1; 0> ActNow"),
        (
            "EndTurn",
            "(TurnEnded 0); ColonyPhaseStarted; ZombieSpawned mill 0; NextRound 1; Crisis crisis2;
            DieRolled 0 1; DieRolled 0 1; (TurnBegan 0); 0> ActNow",
        ),
        ("EndTurn", "(TurnEnded 0); ColonyPhaseStarted; MoralChanged -2 CRISIS; ZombieSpawned mill 0; GameEnd true"),
    ];
    play(&game, &rounds);
}

#[test]
fn morale_ends_the_phase_at_every_step() {
    let game = scene("rounds 1; crisis food 1 1; contributed 0; waste 10 | Ana; hand food1");
    let all = "StarvationTokenAdded; MoralChanged -1 STARVATION_TOKEN; MoralChanged -1 WASTE; MoralChanged -1 CRISIS; ";
    phase(&with(&game, "morale 4"), &[all, "ZombieSpawned colony 0; GameEnd true"].concat());
    phase(&with(&game, "morale 3"), &[all, "GameEnd false"].concat());
    let waste = "StarvationTokenAdded; MoralChanged -1 STARVATION_TOKEN; MoralChanged -1 WASTE; GameEnd false";
    phase(&with(&game, "morale 2"), waste);
    phase(&with(&game, "morale 1"), "StarvationTokenAdded; MoralChanged -1 STARVATION_TOKEN; GameEnd false");
    // A morale below 0 also ends the game.
    phase(&with(&game, "morale 1; tokens 4"), "StarvationTokenAdded; MoralChanged -5 STARVATION_TOKEN; GameEnd false");
    let overrun = scene("rounds 1; morale 1; food 1; colony: zombies 3,3 | Ana Bo");
    let killed = "FoodChanged -1 FOOD_CONSUMED; SurvivorKilled Ana; MoralChanged -1 CHARACTER_DIED; GameEnd false";
    phase(&overrun, killed);
}

#[test]
fn zombies_go_round_the_entrances() {
    let game = scene("rounds 1; food 3 | Ana(at harbour) Bo(at mill) Carla(at harbour) Dan Eva Fay Gil Hana");
    let round = "FoodChanged -3 FOOD_CONSUMED; ZombieSpawned colony 0; ZombieSpawned colony 1; ZombieSpawned colony 0;
        ZombieSpawned harbour 0; ZombieSpawned harbour 0; ZombieSpawned mill 0; GameEnd true";
    phase(&game, round);
}

#[test]
fn a_zombie_takes_a_place_a_barricade_or_the_weakest() {
    let game = scene("rounds 1; food 9 | Ana(status 70) Bo");
    let fed = "FoodChanged -1 FOOD_CONSUMED; ";
    for (colony, expected) in [
        ("colony: zombies 2,0 barricades 0,0", "ZombieSpawned colony 0; GameEnd true"),
        ("colony: zombies 1,0 barricades 1,0", "ZombieSpawned colony 0; GameEnd true"),
        ("colony: zombies 2,0 barricades 1,0", "BarricadeDestroyed colony 0; GameEnd true"),
        ("colony: zombies 0,0 barricades 3,0", "BarricadeDestroyed colony 0; GameEnd true"),
        ("colony: zombies 3,0 barricades 0,0", "SurvivorKilled Bo; MoralChanged -1 CHARACTER_DIED; GameEnd true"),
    ] {
        phase(&with(&game, colony), &[fed, expected].concat());
    }
    let child = "FoodChanged -2 FOOD_CONSUMED; ChildKilled; MoralChanged -1 CHARACTER_DIED; SurvivorKilled Bo;
        MoralChanged -1 CHARACTER_DIED; GameEnd true";
    phase(&with(&game, "children 1; colony: zombies 3,3"), child);
    // A zombie that destroys a barricade is gone, and the next zombie at that entrance takes the free place.
    let torn = "FoodChanged -3 FOOD_CONSUMED; BarricadeDestroyed colony 0; ChildKilled; MoralChanged -1 CHARACTER_DIED;
        ZombieSpawned colony 0; GameEnd true";
    phase(&with(&game, "children 3; colony: zombies 2,3 barricades 1,0"), torn);
    // Children are only in the colony, so the zombies at the mill kill survivors.
    let mill = scene("rounds 1; food 9; children 2; mill: zombies 3,3 | Ana(at mill) Bo(at mill, status 5)");
    let both =
        "FoodChanged -1 FOOD_CONSUMED; ZombieSpawned colony 0; SurvivorKilled Bo; MoralChanged -1 CHARACTER_DIED;
        SurvivorKilled Ana; MoralChanged -1 CHARACTER_DIED; Left 0; [0 out]";
    phase(&mill, both);
}

#[test]
fn a_death_in_the_phase_is_followed_up() {
    // Dan replaces Ana and appears in the colony, where the zombies have already come.
    let game = scene("rounds 1; unused Dan; harbour: zombies 3 | Ana(at harbour); hand food1");
    let replaced = "SurvivorKilled Ana; MoralChanged -1 CHARACTER_DIED; CharacterSpawned 0 Dan; GameEnd true";
    phase(&game, replaced);
    // No unused character can replace Ana, so her player is out. The phase continues.
    let out = scene("harbour: zombies 3; next d1,d2; turn 1 | Ana(at harbour) | Bo(at mill)");
    let left = "(TurnEnded 1); ColonyPhaseStarted; SurvivorKilled Ana; MoralChanged -1 CHARACTER_DIED; Left 0; [0 out];
        ZombieSpawned mill 0; NextRound 4; Crisis crisis2; DieRolled 1 1; DieRolled 1 2; (TurnBegan 1); 1> ActNow";
    check(&out, "EndTurn", left);
    let alone = scene("harbour: zombies 3 | Ana(at harbour)");
    phase(&alone, "SurvivorKilled Ana; MoralChanged -1 CHARACTER_DIED; Left 0; [0 out]");
}

#[test]
fn surviving_is_lasting_to_the_last_round() {
    let game = scene("rounds 2; next d1,d1 | Ana(at mill)");
    let on =
        "ZombieSpawned mill 0; NextRound 1; Crisis crisis2; DieRolled 0 1; DieRolled 0 1; (TurnBegan 0); 0> ActNow";
    let second = phase(&game, on);
    let won = phase(&with(&second, "contributed 1"), "ZombieSpawned mill 0; GameEnd true");
    assert_eq!(won.board.outcome(), Some(crate::Outcome::Won));
}

#[test]
fn barricades_as_a_goal() {
    let game = scene("rounds 2; goal barricades 3; next d1,d1 | Ana(at mill)");
    let on = "NextRound 1; Crisis crisis2; DieRolled 0 1; DieRolled 0 1; (TurnBegan 0); 0> ActNow";
    let two = with(&game, "colony: barricades 1,1");
    phase(&two, &["ZombieSpawned mill 0; ", on].concat());
    let lost = phase(&with(&two, "round 2"), "ZombieSpawned mill 0; GameEnd false");
    assert_eq!(lost.board.outcome(), Some(crate::Outcome::LostGoal));
    let three = with(&game, "colony: barricades 1,1; harbour: barricades 1");
    phase(&three, "ZombieSpawned mill 0; GameEnd true");
    phase(&with(&three, "harbour: barricades 2"), "ZombieSpawned mill 0; GameEnd true");
    phase(&with(&three, "round 2"), "ZombieSpawned mill 0; GameEnd true");
    // The barricades are counted after the zombies have come.
    let torn = with(&game, "mill: barricades 3,0");
    phase(&torn, &["BarricadeDestroyed mill 0; ", on].concat());
}

#[test]
fn few_places_with_zombies_as_a_goal() {
    let game = scene("rounds 2; goal locationWithZombies 1; next d1,d1 | Ana(at mill)");
    let on = "NextRound 1; Crisis crisis2; DieRolled 0 1; DieRolled 0 1; (TurnBegan 0); 0> ActNow";
    phase(&game, "ZombieSpawned mill 0; GameEnd true");
    // The colony also counts as a location.
    phase(&with(&game, "colony: zombies 0,1"), &["ZombieSpawned mill 0; ", on].concat());
    phase(&with(&game, "harbour: zombies 1"), &["ZombieSpawned mill 0; ", on].concat());
    phase(&with(&game, "harbour: zombies 1; round 2"), "ZombieSpawned mill 0; GameEnd false");
    phase(&with(&game, "harbour: barricades 1; mill: zombies 2,2"), "ZombieSpawned mill 0; GameEnd true");
    let none = scene("rounds 2; goal locationWithZombies 0; mill: barricades 3,0 | Ana(at mill)");
    phase(&none, "BarricadeDestroyed mill 0; GameEnd true");
}
