//! The infection die, injuries, and how a bite spreads.

use super::{check, holds, scene, with};

/// The emissions of an attack by Ana before the infection die is rolled.
const KILLED: &str = "(DieSpent 0 1); ZombieKilled Ana colony 0; ";

#[track_caller]
fn attack(game: &crate::Game, expected: &str) -> crate::Game {
    check(game, "Attack Ana 0", &[KILLED, expected].concat())
}

#[test]
fn what_the_die_does() {
    let game = scene("colony: zombies 1,0 | Ana Bo; dice 1 | Carla");
    for (rolls, expected) in [
        ("0", "0> ActNow"),
        ("5", "0> ActNow"),
        ("6", "Wounded Ana; 0> ActNow"),
        ("8", "Wounded Ana; 0> ActNow"),
        ("9", "Frostbitten Ana; 0> ActNow"),
        ("10", "Frostbitten Ana; 0> ActNow"),
        ("11,5", "Bitten Ana; MoralChanged -1 CHARACTER_DIED; 0> ActNow"),
    ] {
        attack(&with(&game, &["next ", rolls].concat()), expected);
    }
}

#[test]
fn the_third_injury_of_either_kind_kills() {
    let dies = "SurvivorKilled Ana; MoralChanged -1 CHARACTER_DIED; 0> ActNow";
    for (injuries, roll, hurt, dead) in [
        ("wounds 1", "6", "Wounded Ana; ", false),
        ("wounds 2", "6", "Wounded Ana; ", true),
        ("frostbites 1", "9", "Frostbitten Ana; ", false),
        ("frostbites 2", "9", "Frostbitten Ana; ", true),
        ("wounds 1, frostbites 1", "8", "Wounded Ana; ", true),
        ("wounds 1, frostbites 1", "10", "Frostbitten Ana; ", true),
        ("wounds 2", "5", "", false),
    ] {
        let text = alloc::format!("colony: zombies 1,0; next {roll} | Ana({injuries}) Bo; dice 1 | Carla");
        let after = attack(&scene(&text), &[hurt, if dead { dies } else { "0> ActNow" }].concat());
        assert_eq!(after.board.morale, if dead { 8 } else { 9 });
    }
}

#[test]
fn a_bite_spreads_over_children_first_then_from_the_lowest_status() {
    let game = scene("colony: zombies 1,0; children 2; next 11,6,11,5 | Ana(status 45) Bo Eva; dice 1 | Carla");
    let children = "Bitten Ana; MoralChanged -1 CHARACTER_DIED; Bitten; MoralChanged -1 CHARACTER_DIED;
        Bitten; MoralChanged -1 CHARACTER_DIED; 0> ActNow";
    let after = attack(&game, children);
    holds(&after, "stock", "food 0, waste 0, children 0, morale 6, tokens 0");
    holds(&after, "Bo", "Alive at colony, wounds 0, frostbites 0");
    let spared = attack(&with(&game, "next 11,5"), "Bitten Ana; MoralChanged -1 CHARACTER_DIED; 0> ActNow");
    holds(&spared, "stock", "food 0, waste 0, children 2, morale 8, tokens 0");
    // The statuses are Bo 20, Carla 30, Ana 45 and Eva 50. Ana is bitten first, because she attacked.
    let on = "Bitten Ana; MoralChanged -1 CHARACTER_DIED; Bitten Bo; MoralChanged -1 CHARACTER_DIED; 0> ActNow";
    attack(&with(&game, "children 0; next 11,6,0"), on);
}

#[test]
fn a_spreading_infection_kills_whatever_the_injury_and_the_protection() {
    let game = scene("colony: zombies 1,0 | Ana Bo(no_infection, wears boots1 colt1) Eva; dice 1 | Fay");
    for roll in ["6", "9", "11"] {
        let game = with(&game, &["next 11,", roll, ",0"].concat());
        let both = "Bitten Ana; MoralChanged -1 CHARACTER_DIED; Bitten Bo; MoralChanged -1 CHARACTER_DIED; 0> ActNow";
        attack(&game, both);
    }
    attack(&with(&game, "next 11,5"), "Bitten Ana; MoralChanged -1 CHARACTER_DIED; 0> ActNow");
}

#[test]
fn a_bite_spreads_only_at_the_place_of_death() {
    let game = scene("mill: zombies 1,0; children 2; next 11,6,11 | Ana(at mill) Bo(at mill) Dan; dice 1 | Carla");
    let mill = "(DieSpent 0 1); ZombieKilled Ana mill 0; Bitten Ana; MoralChanged -1 CHARACTER_DIED;
        Bitten Bo; MoralChanged -1 CHARACTER_DIED; 0> ActNow";
    check(&game, "Attack Ana 0", mill);
    let alone = scene("harbour: zombies 1; children 1; next 11,11,11 | Ana(at harbour) Dan; dice 1 | Carla");
    let harbour = "(DieSpent 0 1); ZombieKilled Ana harbour 0; Bitten Ana; MoralChanged -1 CHARACTER_DIED; 0> ActNow";
    check(&alone, "Attack Ana 0", harbour);
}

#[test]
fn a_replacement_comes_before_the_chain_goes_on() {
    // Carla is the last survivor of her player. Ana replaces her and has the lowest status in the colony.
    let game = scene("colony: zombies 1,0; unused Ana; next 11,6,5 | Carla; dice 1 | Eva");
    let out = "(DieSpent 0 1); ZombieKilled Carla colony 0; Bitten Carla; MoralChanged -1 CHARACTER_DIED;
        CharacterSpawned 0 Ana; (TurnEnded 0); Bitten Ana; MoralChanged -1 CHARACTER_DIED; Left 0; [0 out];
        (TurnBegan 1); 1> ActNow";
    check(&game, "Attack Carla 0", out);
    // A bite at the mill cannot reach the replacement, because it appears in the colony.
    let game = scene("mill: zombies 1,0; unused Ana; next 11,6,5 | Carla(at mill); dice 1 | Eva(at mill) Fay(at mill)");
    let passed = "(DieSpent 0 1); ZombieKilled Carla mill 0; Bitten Carla; MoralChanged -1 CHARACTER_DIED;
        CharacterSpawned 0 Ana; (TurnEnded 0); Bitten Eva; MoralChanged -1 CHARACTER_DIED; (TurnBegan 1); 1> ActNow";
    check(&game, "Attack Carla 0", passed);
}

#[test]
fn a_chain_takes_turn_after_turn() {
    let game = scene("colony: zombies 1,0; unused Dan Eva; next 11,6,6,5 | Ana; dice 1 | Bo | Carla");
    // Ana, Bo and Carla are each the last survivor of their player, and each death ends that player's turn. Dan, who replaces
    // Ana, is spared.
    let all = "(DieSpent 0 1); ZombieKilled Ana colony 0;
        Bitten Ana; MoralChanged -1 CHARACTER_DIED; CharacterSpawned 0 Dan; (TurnEnded 0);
        Bitten Bo; MoralChanged -1 CHARACTER_DIED; CharacterSpawned 1 Eva; (TurnEnded 1);
        Bitten Carla; MoralChanged -1 CHARACTER_DIED; (TurnEnded 2); Left 2; [2 out];
        ColonyPhaseStarted; FoodChanged -1 FOOD_CONSUMED; ZombieSpawned colony 0; GameEnd true";
    let last = scene("rounds 1; food 1; colony: zombies 1,0; unused Dan Eva; next 11,6,6,5 | Ana; dice 1 | Bo | Carla");
    check(&last, "Attack Ana 0", all);
    // If Carla is spared, the turn of her player begins.
    let spared = "(DieSpent 0 1); ZombieKilled Ana colony 0;
        Bitten Ana; MoralChanged -1 CHARACTER_DIED; CharacterSpawned 0 Dan; (TurnEnded 0);
        Bitten Bo; MoralChanged -1 CHARACTER_DIED; CharacterSpawned 1 Eva; (TurnEnded 1); (TurnBegan 2); 2> ActNow";
    check(&with(&game, "next 11,6,5"), "Attack Ana 0", spared);
}

#[test]
fn a_lost_turn_begins_only_for_whoever_keeps_it() {
    // Bo dies before the turn of player 1 begins, so Bo's frostbite causes no wound. Carla's frostbite does, after the chain.
    let text =
        "colony: zombies 1,0; unused Dan Eva; next 11,6,5 | Ana; dice 1 | Bo(frostbites 1) | Carla(frostbites 1)";
    let late = "(DieSpent 0 1); ZombieKilled Ana colony 0;
        Bitten Ana; MoralChanged -1 CHARACTER_DIED; CharacterSpawned 0 Dan; (TurnEnded 0);
        Bitten Bo; MoralChanged -1 CHARACTER_DIED; CharacterSpawned 1 Eva; (TurnEnded 1);
        (TurnBegan 2); Wounded Carla; 2> ActNow";
    check(&scene(text), "Attack Ana 0", late);
}
