//! Searches: the die, cards, encounters, and the effects that give more cards.

use super::{check, holds, play, scene, with};

const FOUND_ONE: &str = "Searched Ana mill; CardDrawn 0 mill1; 0> ActNow";

#[test]
fn a_search_takes_a_die_and_gives_the_top_card() {
    let game = scene("next s0/15 | Ana(at mill, search 3); dice 2,3,6 | Carla");
    let after = check(&game, "Search Ana", &["(DieSpent 0 3); ", FOUND_ONE].concat());
    holds(&after, "0", "dice 2, 6; hand mill1");
    check(&after, "Search Ana", "(DieSpent 0 6); Searched Ana mill; CardDrawn 0 mill2; 0> ActNow");
    let low = "refused: This needs a die of 3 or more; left: 1, 2.; 0> ActNow";
    check(&with(&game, "dice 2,1"), "Search Ana", low);
    check(&with(&game, "dice 3"), "Search Ana", &["(DieSpent 0 3); ", FOUND_ONE].concat());
    let last = with(&game, "stack mill 1");
    let empty = check(&last, "Search Ana", "(DieSpent 0 3); Searched Ana mill; CardDrawn 0 mill15; 0> ActNow");
    let nothing = "refused: Nothing is left to find at location 60; search elsewhere.; 0> ActNow";
    check(&empty, "Search Ana", nothing);
    assert_eq!(empty.top_card(scene::place_ix(&empty, "mill")), None);
    let colony = scene("| Ana; dice 6 | Carla");
    check(&colony, "Search Ana", "refused: The colony cannot be searched; move to another location.; 0> ActNow");
}

#[test]
fn a_search_may_find_a_survivor_instead_of_a_card() {
    let game = scene("unused Dan Eva; next s0/15,c2 | Ana(at mill); dice 2,3 | Carla");
    let two = "(DieSpent 0 2); Searched Ana mill; CharacterSpawned 0 Dan; ChildSpawned; ChildSpawned; 0> ActNow";
    let after = check(&game, "Search Ana", two);
    holds(&after, "Dan", "Alive at colony, wounds 0, frostbites 0");
    holds(&after, "0", "dice 3; hand none");
    holds(&after, "stock", "food 0, waste 0, children 2, morale 9, tokens 0");
    holds(&after, "unused", "Eva");
    check(&after, "Barricade Dan 0", "(DieSpent 0 3); Barricaded Dan colony 0; 0> ActNow");
    let nobody_else = "(DieSpent 0 2); Searched Ana mill; CharacterSpawned 0 Dan; 0> ActNow";
    check(&with(&game, "next s0/15,c0"), "Search Ana", nobody_else);
    let three = "(DieSpent 0 2); Searched Ana mill; CharacterSpawned 0 Dan; ChildSpawned; ChildSpawned; ChildSpawned;
        0> ActNow";
    check(&with(&game, "next s0/15,c3"), "Search Ana", three);
    check(&with(&game, "next s1/15"), "Search Ana", &["(DieSpent 0 2); ", FOUND_ONE].concat());
    // The encounter die has as many sides as the stack had cards at the start, even if only one card is left.
    let late = with(&game, "stack mill 1; next s1/15");
    check(&late, "Search Ana", "(DieSpent 0 2); Searched Ana mill; CardDrawn 0 mill15; 0> ActNow");
    // Without unused characters, no encounter die is rolled. The first number is then the infection die of the move.
    let without_unused = scene("next 6,5 | Ana(at mill); dice 2 | Carla");
    let steps = [("Search Ana", "(DieSpent 0 2); Searched Ana mill; CardDrawn 0 mill1; 0> ActNow")];
    let after = play(&without_unused, &steps);
    check(&after, "Move Ana colony", "Moved Ana colony; Wounded Ana; 0> ActNow");
}

#[test]
fn a_drawing_of_the_place_finds_two() {
    let game = scene("| Ana(at mill, wears drawing1 drawing3 drawing2); dice 1,1,1 | Carla");
    let last_first = [
        (
            "Search Ana",
            "(DieSpent 0 1); Searched Ana mill; (EffectUsed Ana drawing2);
            CardDrawn 0 mill1; CardDrawn 0 mill2; 0> ActNow",
        ),
        (
            "Search Ana",
            "(DieSpent 0 1); Searched Ana mill; (EffectUsed Ana drawing1);
            CardDrawn 0 mill3; CardDrawn 0 mill4; 0> ActNow",
        ),
        ("Search Ana", "(DieSpent 0 1); Searched Ana mill; CardDrawn 0 mill5; 0> ActNow"),
    ];
    play(&game, &last_first);
    let elsewhere = scene("| Ana(at harbour, wears drawing1); dice 1 | Carla");
    check(&elsewhere, "Search Ana", "(DieSpent 0 1); Searched Ana harbour; CardDrawn 0 harbour1; 0> ActNow");
    let one_left = "(DieSpent 0 1); Searched Ana mill; (EffectUsed Ana drawing2); CardDrawn 0 mill15; 0> ActNow";
    check(&with(&game, "stack mill 1"), "Search Ana", one_left);
    let two_left = "(DieSpent 0 1); Searched Ana mill; (EffectUsed Ana drawing2); CardDrawn 0 mill14;
        CardDrawn 0 mill15; 0> ActNow";
    check(&with(&game, "stack mill 2"), "Search Ana", two_left);
}

#[test]
fn the_ability_finds_more_so_often_a_round() {
    let game = scene("| Ana(at mill, finds mill 2 2); dice 1,1,1 | Carla");
    let three_times = [
        (
            "Search Ana",
            "(DieSpent 0 1); Searched Ana mill; (EffectUsed Ana Ability);
            CardDrawn 0 mill1; CardDrawn 0 mill2; CardDrawn 0 mill3; 0> ActNow",
        ),
        (
            "Search Ana",
            "(DieSpent 0 1); Searched Ana mill; (EffectUsed Ana Ability);
            CardDrawn 0 mill4; CardDrawn 0 mill5; CardDrawn 0 mill6; 0> ActNow",
        ),
        ("Search Ana", "(DieSpent 0 1); Searched Ana mill; CardDrawn 0 mill7; 0> ActNow"),
    ];
    play(&game, &three_times);
    let fewer = "(DieSpent 0 1); Searched Ana mill; (EffectUsed Ana Ability); CardDrawn 0 mill14; CardDrawn 0 mill15;
        0> ActNow";
    check(&with(&game, "stack mill 2"), "Search Ana", fewer);
    let elsewhere = scene("| Ana(at harbour, finds mill 2 2); dice 1 | Carla");
    check(&elsewhere, "Search Ana", "(DieSpent 0 1); Searched Ana harbour; CardDrawn 0 harbour1; 0> ActNow");
    let used_up = scene("| Ana(at mill, finds mill 2 2, used 2); dice 1 | Carla");
    check(&used_up, "Search Ana", &["(DieSpent 0 1); ", FOUND_ONE].concat());
}

#[test]
fn one_effect_at_a_time_and_none_for_an_encounter() {
    let game = scene("unused Dan; next s0/15,c0 | Ana(at mill, finds mill 2 1, wears drawing1); dice 1,1,1,1 | Carla");
    let in_turn = [
        ("Search Ana", "(DieSpent 0 1); Searched Ana mill; CharacterSpawned 0 Dan; 0> ActNow"),
        (
            "Search Ana",
            "(DieSpent 0 1); Searched Ana mill; (EffectUsed Ana drawing1);
            CardDrawn 0 mill1; CardDrawn 0 mill2; 0> ActNow",
        ),
        (
            "Search Ana",
            "(DieSpent 0 1); Searched Ana mill; (EffectUsed Ana Ability);
            CardDrawn 0 mill3; CardDrawn 0 mill4; CardDrawn 0 mill5; 0> ActNow",
        ),
        ("Search Ana", "(DieSpent 0 1); Searched Ana mill; CardDrawn 0 mill6; 0> ActNow"),
    ];
    play(&game, &in_turn);
}
