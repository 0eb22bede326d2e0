//! Moves from place to place, with and without fuel.

use super::{check, holds, scene, with};

const MOVED_AGAIN: &str = "refused: Character 1 has moved this round; it can move again in the next.; 0> ActNow";
const FULL: &str =
    "refused: Location 40 has room for 2, and all places are taken; a survivor must leave first.; 0> ActNow";

#[test]
fn one_move_a_round_to_another_place() {
    let game = scene("next 5 | Ana Bo(moved) | Carla");
    let after = check(&game, "Move Ana mill", "Moved Ana mill; 0> ActNow");
    holds(&after, "Ana", "Alive at mill, wounds 0, frostbites 0");
    check(&after, "Move Ana colony", MOVED_AGAIN);
    let again = "refused: Character 2 has moved this round; it can move again in the next.; 0> ActNow";
    check(&game, "Move Bo mill", again);
    check(&game, "Move Ana colony", "refused: The character is at location 50 already; move elsewhere.; 0> ActNow");
    check(&game, "Move Ana 7", "refused: There is no location 7; there are 40, 50, 60.; 0> ActNow");
    let not_hers = "refused: Character 3 is not a living one of yours; yours: 1, 2.; 0> ActNow";
    check(&game, "Move Carla mill", not_hers);
}

#[test]
fn movement_starts_afresh_when_the_turn_is_over() {
    let game = scene("next 5,d1,d1,5 | Ana(moved, at mill) ");
    check(&game, "Move Ana colony", MOVED_AGAIN);
    let round = "(TurnEnded 0); ColonyPhaseStarted; ZombieSpawned mill 0; NextRound 4; Crisis crisis2;
        DieRolled 0 1; DieRolled 0 1; (TurnBegan 0); 0> ActNow";
    let next = check(&with(&game, "next d1,d1,5"), "EndTurn", round);
    check(&next, "Move Ana colony", "Moved Ana colony; 0> ActNow");
}

#[test]
fn places_for_survivors() {
    let one_left = scene("next 5 | Ana Bo(at harbour) | Carla");
    let after = check(&one_left, "Move Ana harbour", "Moved Ana harbour; 0> ActNow");
    check(&with(&after, "turn 1"), "Move Carla harbour", &FULL.replace("0> ActNow", "1> ActNow"));
    let full = scene("next 5 | Ana Bo(at harbour); hand fuel1 | Carla(at harbour)");
    check(&full, "Move Ana harbour", FULL);
    check(&full, "UseCard fuel1 Ana harbour", FULL);
    check(&full, "Move Bo colony", "Moved Bo colony; 0> ActNow");
    let crowd = scene("next 5 | Ana(at mill) Bo Carla Dan | Eva Fay Gil Hana Ida");
    check(&crowd, "Move Ana colony", "Moved Ana colony; 0> ActNow");
}

#[test]
fn the_infection_die_on_the_way() {
    let game = scene("| Ana Bo | Carla");
    for (roll, expected) in [
        ("0", "Moved Ana mill; 0> ActNow"),
        ("6", "Moved Ana mill; Wounded Ana; 0> ActNow"),
        ("9", "Moved Ana mill; Frostbitten Ana; 0> ActNow"),
        ("11", "Moved Ana mill; Bitten Ana; MoralChanged -1 CHARACTER_DIED; 0> ActNow"),
    ] {
        check(&with(&game, &["next ", roll].concat()), "Move Ana mill", expected);
    }
    // A bite spreads at the place of death, which is the destination of the move.
    let crowd = scene("next 11,6 | Ana Bo Dan(at mill) | Carla");
    let spread = "Moved Ana mill; Bitten Ana; MoralChanged -1 CHARACTER_DIED; Bitten Dan;
        MoralChanged -1 CHARACTER_DIED; 0> ActNow";
    check(&crowd, "Move Ana mill", spread);
}

#[test]
fn boots_first_and_then_the_ability() {
    for (traits, roll, expected) in [
        ("wears boots1", "8", "Wounded Ana; "),
        ("wears boots1", "9", "Wounded Ana; "),
        ("wears boots1", "10", "Wounded Ana; "),
        ("wears boots1 boots2", "9", "Wounded Ana; "),
        ("wears boots1", "11", "Bitten Ana; MoralChanged -1 CHARACTER_DIED; "),
        ("wound bite frostBite", "11", "Frostbitten Ana; "),
        ("wound bite wound", "11", "Wounded Ana; "),
        ("wound bite wound", "9", "Frostbitten Ana; "),
        ("wound wound bite", "6", "Bitten Ana; MoralChanged -1 CHARACTER_DIED; "),
        ("wound frostBite wound", "9", "Wounded Ana; "),
        // The boots turn the frostbite into a wound, and the ability does not change the wound again.
        ("wound frostBite bite, wears boots1", "9", "Wounded Ana; "),
        ("wound wound bite, wears boots1", "9", "Wounded Ana; "),
        // With boots, the ability still changes all other results.
        ("wound bite frostBite, wears boots1", "11", "Frostbitten Ana; "),
        ("wound wound frostBite, wears boots1", "6", "Frostbitten Ana; "),
        ("wound bite wound, wounds 2", "11", "Wounded Ana; SurvivorKilled Ana; MoralChanged -1 CHARACTER_DIED; "),
    ] {
        let game = scene(&alloc::format!("next {roll} | Ana({traits}) Bo | Carla"));
        check(&game, "Move Ana mill", &["Moved Ana mill; ", expected, "0> ActNow"].concat());
    }
}

#[test]
fn neither_boots_nor_ability_help_in_a_fight() {
    let game = scene("colony: zombies 1,0; next 9 | Ana(wears boots1) Bo; dice 1 | Carla");
    let frozen = "(DieSpent 0 1); ZombieKilled Ana colony 0; Frostbitten Ana; 0> ActNow";
    check(&game, "Attack Ana 0", frozen);
    let game = scene("colony: zombies 1,0; next 11,0 | Ana(wound bite wound) Bo; dice 1 | Carla");
    let bitten = "(DieSpent 0 1); ZombieKilled Ana colony 0; Bitten Ana; MoralChanged -1 CHARACTER_DIED; 0> ActNow";
    check(&game, "Attack Ana 0", bitten);
}

#[test]
fn fuel_in_the_group_edition() {
    let game = scene("group; waste 4; next 11 | Ana Bo; hand fuel2 fuel1 | Carla");
    let after = check(&game, "Move Ana mill true", "Moved Ana mill true; WasteChanged 5; 0> ActNow");
    holds(&after, "0", "dice none; hand fuel2");
    holds(&after, "Ana", "Alive at mill, wounds 0, frostbites 0");
    check(&after, "Move Ana colony true", MOVED_AGAIN);
    let last = check(&after, "Move Bo mill true", "Moved Bo mill true; WasteChanged 6; 0> ActNow");
    holds(&last, "0", "dice none; hand none");
    let dry = scene("group; next 5 | Ana; hand food1 | Carla; hand fuel1");
    check(&dry, "Move Ana mill true", "refused: You hold no FUEL card; move without fuel.; 0> ActNow");
    check(&dry, "Move Ana mill false", "Moved Ana mill false; 0> ActNow");
    check(&dry, "Move Ana mill", "Moved Ana mill false; 0> ActNow");
    let full = scene("group | Ana; hand fuel1 | Carla(at harbour) Dan(at harbour)");
    check(&full, "Move Ana harbour true", FULL);
    let no_card = "refused: The group edition has no votes and plays no equipment; FUEL is played by Move with true.;
        0> ActNow";
    check(&full, "UseCard fuel1 Ana mill", no_card);
}

#[test]
fn fuel_in_the_other_editions() {
    let game = scene("waste 4; next 11 | Ana Bo; hand fuel2 fuel1 | Carla");
    let after = check(&game, "UseCard fuel2 Ana mill", "CardUsed fuel2 Ana mill; WasteChanged 1; 0> ActNow");
    holds(&after, "Ana", "Alive at mill, wounds 0, frostbites 0");
    holds(&after, "0", "dice none; hand fuel1");
    check(&after, "UseCard fuel1 Ana colony", MOVED_AGAIN);
    check(&after, "Move Ana colony", MOVED_AGAIN);
    let there = "refused: The character is at location 50 already; move elsewhere.; 0> ActNow";
    check(&after, "UseCard fuel1 Bo colony", there);
    check(&after, "UseCard fuel1 Bo 61", "refused: There is no location 61; there are 40, 50, 60.; 0> ActNow");
    let equipment = "refused: The equipment edition has no votes; FUEL is played by UseCard, not by Move.; 0> ActNow";
    check(&game, "Move Ana mill true", equipment);
    let fate = scene("fate; next 11 | Ana; hand fuel1 | Carla");
    let refused = "refused: In the fate edition FUEL is played by UseCard, not by Move.; 0> ActNow";
    check(&fate, "Move Ana mill true", refused);
    check(&fate, "UseCard fuel1 Ana mill", "CardUsed fuel1 Ana mill; WasteChanged 1; 0> ActNow");
    check(&with(&fate, "next 5"), "Move Ana mill false", "Moved Ana mill; 0> ActNow");
}
