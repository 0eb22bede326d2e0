//! Attacking zombies and building barricades by hand.

use super::{check, holds, scene, with};

#[test]
fn an_attack_takes_the_smallest_die_that_is_enough() {
    let game = scene("colony: zombies 2,0; next 0 | Ana(attack 4) Bo; dice 3,4,5 | Carla");
    let after = check(&game, "Attack Ana 0", "(DieSpent 0 4); ZombieKilled Ana colony 0; 0> ActNow");
    holds(&after, "colony", "zombies 1,0 barricades 0,0");
    holds(&after, "0", "dice 3, 5; hand none");
    check(&with(&game, "dice 6,5"), "Attack Ana 0", "(DieSpent 0 5); ZombieKilled Ana colony 0; 0> ActNow");
    check(&with(&game, "dice 4"), "Attack Ana 0", "(DieSpent 0 4); ZombieKilled Ana colony 0; 0> ActNow");
    let low = "refused: This needs a die of 4 or more; left: 1, 3.; 0> ActNow";
    check(&with(&game, "dice 3,1"), "Attack Ana 0", low);
    let none = "refused: This needs a die of 4 or more; left: none.; 0> ActNow";
    check(&with(&game, "dice none"), "Attack Ana 0", none);
    check(&with(&game, "dice 1"), "Attack Bo 0", "(DieSpent 0 1); ZombieKilled Bo colony 0; 0> ActNow");
}

#[test]
fn an_attack_needs_a_zombie_at_an_entrance_of_the_place() {
    let game = scene("colony: zombies 0,1; harbour: zombies 1; next 0 | Ana Bo(at harbour); dice 3 | Carla");
    check(&game, "Attack Ana 1", "(DieSpent 0 3); ZombieKilled Ana colony 1; 0> ActNow");
    check(&game, "Attack Bo 0", "(DieSpent 0 3); ZombieKilled Bo harbour 0; 0> ActNow");
    let no_zombie = "refused: There is no zombie at entrance 0; choose an entrance that has one.; 0> ActNow";
    check(&game, "Attack Ana 0", no_zombie);
    check(&game, "Attack Ana 2", "refused: There is no entrance 2 here; they are 0 to 1.; 0> ActNow");
    check(&game, "Attack Ana -1", "refused: There is no entrance -1 here; they are 0 to 1.; 0> ActNow");
    check(&game, "Attack Bo 1", "refused: There is no entrance 1 here; the only one is 0.; 0> ActNow");
}

#[test]
fn only_own_living_characters_act() {
    let game = scene("colony: zombies 1,1; next 0 | Ana Bo(at mill, wounds 2); dice 3,3 | Carla; dice 6");
    let not_hers = "refused: Character 3 is not a living one of yours; yours: 1, 2.; 0> ActNow";
    check(&game, "Attack Carla 0", not_hers);
    check(&game, "Barricade 77 0", "refused: Character 77 is not a living one of yours; yours: 1, 2.; 0> ActNow");
    let game = with(&game, "mill: zombies 1,0; next 6");
    let bitter = "(DieSpent 0 3); ZombieKilled Bo mill 0; Wounded Bo; SurvivorKilled Bo;
        MoralChanged -1 CHARACTER_DIED; 0> ActNow";
    let game = check(&game, "Attack Bo 0", bitter);
    check(&game, "Search Bo", "refused: Character 2 is not a living one of yours; yours: 1.; 0> ActNow");
}

#[test]
fn a_barricade_takes_any_die_and_a_free_place() {
    let game = scene("colony: zombies 2,0; next 11 | Ana; dice 5,2 | Carla");
    let after = check(&game, "Barricade Ana 0", "(DieSpent 0 2); Barricaded Ana colony 0; 0> ActNow");
    holds(&after, "colony", "zombies 2,0 barricades 1,0");
    let full =
        "refused: All three places of entrance 0 are taken; kill a zombie or choose another entrance.; 0> ActNow";
    check(&after, "Barricade Ana 0", full);
    check(&after, "Barricade Ana 1", "(DieSpent 0 5); Barricaded Ana colony 1; 0> ActNow");
    check(&with(&game, "colony: zombies 0,0 barricades 3,0"), "Barricade Ana 0", full);
    check(&with(&game, "colony: zombies 3,0"), "Barricade Ana 0", full);
    let last = "(DieSpent 0 2); Barricaded Ana colony 0; 0> ActNow";
    check(&with(&game, "colony: zombies 0,0 barricades 2,0"), "Barricade Ana 0", last);
    let none = "refused: This needs a die, and none is left; there are new ones in the next round.; 0> ActNow";
    check(&with(&game, "dice none"), "Barricade Ana 0", none);
    check(&game, "Barricade Ana 2", "refused: There is no entrance 2 here; they are 0 to 1.; 0> ActNow");
}
