//! Waste disposal: limited per round in the group edition, limited only by dice in the others.

use super::{check, holds, play, scene, with};

const AGAIN: &str = "refused: Waste was disposed of this round; character 1 can do so again in the next.; 0> ActNow";
const NO_DIE: &str = "refused: This needs a die, and none is left; there are new ones in the next round.; 0> ActNow";

#[test]
fn once_for_all_and_once_for_each_with_trash() {
    let text = "group; waste 30 | Ana Bo Carla(trash 5) Dan(trash 1); dice 2,3,4,5,6 | Eva; dice 1,1";
    let game = scene(text);
    let each = [
        ("CleanWaste Bo", "(DieSpent 0 2); (EffectUsed Bo Disposal); WasteChanged 27; 0> ActNow"),
        ("CleanWaste Ana", AGAIN),
        (
            "CleanWaste Bo",
            "refused: Waste was disposed of this round; character 2 can do so again in the next.; 0> ActNow",
        ),
        ("CleanWaste Carla", "(DieSpent 0 3); (EffectUsed Carla Ability); WasteChanged 22; 0> ActNow"),
        (
            "CleanWaste Carla",
            "refused: Waste was disposed of this round; character 3 can do so again in the next.; 0> ActNow",
        ),
        ("CleanWaste Dan", "(DieSpent 0 4); (EffectUsed Dan Ability); WasteChanged 21; 0> ActNow"),
        // Each player has its own plain disposal.
        ("EndTurn", "(TurnEnded 0); (TurnBegan 1); 1> ActNow"),
        ("CleanWaste Eva", "(DieSpent 1 1); (EffectUsed Eva Disposal); WasteChanged 18; 1> ActNow"),
    ];
    play(&game, &each);
    // TRASH does not use up the plain disposal.
    let trash_first = [
        ("CleanWaste Carla", "(DieSpent 0 2); (EffectUsed Carla Ability); WasteChanged 25; 0> ActNow"),
        (
            "CleanWaste Carla",
            "refused: Waste was disposed of this round; character 3 can do so again in the next.; 0> ActNow",
        ),
        ("CleanWaste Ana", "(DieSpent 0 3); (EffectUsed Ana Disposal); WasteChanged 22; 0> ActNow"),
    ];
    play(&game, &trash_first);
    check(&with(&game, "dice none"), "CleanWaste Carla", NO_DIE);
    check(&with(&game, "dice none"), "CleanWaste Ana", NO_DIE);
}

#[test]
fn the_limit_ends_with_the_turn() {
    let game = scene("group; waste 9; next d1,d2 | Ana; dice 2,3; hand food1");
    let rounds = [
        ("CleanWaste Ana", "(DieSpent 0 2); (EffectUsed Ana Disposal); WasteChanged 6; 0> ActNow"),
        ("CleanWaste Ana", AGAIN),
        ("UseCard food1", "CardUsed food1; WasteChanged 7; FoodChanged 1 FOOD_ADDED; 0> ActNow"),
        (
            "EndTurn",
            "(TurnEnded 0); ColonyPhaseStarted; FoodChanged -1 FOOD_CONSUMED; ZombieSpawned colony 0;
            NextRound 2; Crisis crisis2; DieRolled 0 1; DieRolled 0 2; (TurnBegan 0); 0> ActNow",
        ),
        ("CleanWaste Ana", "(DieSpent 0 1); (EffectUsed Ana Disposal); WasteChanged 4; 0> ActNow"),
    ];
    play(&game, &rounds);
}

#[test]
fn no_more_than_there_is() {
    for (edition, waste, expected) in [
        ("group", 4, "(DieSpent 0 2); (EffectUsed Ana Disposal); WasteChanged 1; 0> ActNow"),
        ("group", 3, "(DieSpent 0 2); (EffectUsed Ana Disposal); WasteChanged 0; 0> ActNow"),
        ("group", 1, "(DieSpent 0 2); (EffectUsed Ana Disposal); WasteChanged 0; 0> ActNow"),
        ("equipment", 4, "(DieSpent 0 2); WasteChanged -3; 0> ActNow"),
        ("equipment", 3, "(DieSpent 0 2); WasteChanged -3; 0> ActNow"),
        ("equipment", 2, "(DieSpent 0 2); WasteChanged -2; 0> ActNow"),
        ("fate", 1, "(DieSpent 0 2); WasteChanged -1; 0> ActNow"),
        ("group", 0, "refused: The waste pile is empty; cards that are played land on it.; 0> ActNow"),
        ("equipment", 0, "refused: The waste pile is empty; cards that are played land on it.; 0> ActNow"),
    ] {
        let game = scene(&alloc::format!("{edition}; waste {waste} | Ana; dice 5,2 | Carla"));
        check(&game, "CleanWaste Ana", expected);
    }
    let away = scene("waste 4 | Ana(at mill, trash 4); dice 5 | Carla");
    let there = "refused: Character 1 is not in the colony; waste can be disposed of only there.; 0> ActNow";
    check(&away, "CleanWaste Ana", there);
}

#[test]
fn as_often_as_there_are_dice() {
    let game = scene("waste 20 | Ana Bo(trash 4); dice 5,2 | Carla");
    let after = [
        ("CleanWaste Ana", "(DieSpent 0 2); WasteChanged -3; 0> ActNow"),
        // TRASH requires a die, but does not use it up.
        ("CleanWaste Bo", "WasteChanged -4; 0> ActNow"),
        ("CleanWaste Bo", "WasteChanged -4; 0> ActNow"),
        ("CleanWaste Ana", "(DieSpent 0 5); WasteChanged -3; 0> ActNow"),
        ("CleanWaste Ana", NO_DIE),
        ("CleanWaste Bo", NO_DIE),
    ];
    let after = play(&game, &after);
    holds(&after, "stock", "food 0, waste 6, children 0, morale 9, tokens 0");
}

#[test]
fn swabs_before_trash_and_the_last_one_first() {
    let game = scene("waste 40 | Ana(trash 1, wears swab1 swab2) Bo(wears swab1); dice 4 | Carla");
    let ana = [
        ("CleanWaste Ana", "(EffectUsed Ana swab2); WasteChanged -5; 0> ActNow"),
        ("CleanWaste Ana", "(EffectUsed Ana swab1); WasteChanged -5; 0> ActNow"),
        ("CleanWaste Ana", "WasteChanged -1; 0> ActNow"),
        ("CleanWaste Ana", "WasteChanged -1; 0> ActNow"),
    ];
    let after = play(&game, &ana);
    holds(&after, "0", "dice 4; hand none");
    check(&with(&game, "waste 4"), "CleanWaste Ana", "(EffectUsed Ana swab2); WasteChanged -4; 0> ActNow");
    check(&with(&game, "dice none"), "CleanWaste Ana", NO_DIE);
    let bo = [
        ("CleanWaste Bo", "(EffectUsed Bo swab1); WasteChanged -5; 0> ActNow"),
        ("CleanWaste Bo", "(DieSpent 0 4); WasteChanged -3; 0> ActNow"),
        ("CleanWaste Bo", NO_DIE),
    ];
    play(&game, &bo);
}
