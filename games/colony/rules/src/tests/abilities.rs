//! Abilities that players use with a command, and passive abilities.

use super::{check, holds, play, scene, with};

const USED_UP: &str =
    "refused: The ability of character 1 is used up (1 per round); it works again in the next.; 0> ActNow";

#[test]
fn feeding() {
    let game = scene("food 1 | Ana(feed 2, at mill) | Carla");
    let fed = check(&game, "UseAbility Ana", "AbilityUsed Ana; 0> ActNow");
    holds(&fed, "stock", "food 3, waste 0, children 0, morale 9, tokens 0");
    check(&fed, "UseAbility Ana", USED_UP);
    let alone = "refused: The ability of character 1 takes no target: UseAbility(character).; 0> ActNow";
    check(&game, "UseAbility Ana 0", alone);
    let not_hers = "refused: Character 3 is not a living one of yours; yours: 1.; 0> ActNow";
    check(&game, "UseAbility Carla", not_hers);
}

#[test]
fn numbers_may_be_zero() {
    let game = scene("food 1 | Ana(feed 0) | Carla");
    let fed = check(&game, "UseAbility Ana", "AbilityUsed Ana; 0> ActNow");
    holds(&fed, "stock", "food 1, waste 0, children 0, morale 9, tokens 0");
    check(&fed, "UseAbility Ana", USED_UP);

    let never = "refused: The scenario allows no use of the ability of character 1; act without it.; 0> ActNow";
    check(&scene("| Ana(builds 1 0) | Carla"), "UseAbility Ana 0", never);
    check(&scene("colony: zombies 1,0 | Ana(kills colony 1 1 0); dice 6 | Carla"), "UseAbility Ana 0", never);
    let game = scene("mill: stack 3; next 5 | Ana(finds mill 1 0, at mill); dice 6 | Carla");
    check(&game, "Search Ana", "(DieSpent 0 6); Searched Ana mill; CardDrawn 0 mill1; 0> ActNow");

    // With a value of 0 any die is enough, and one is needed.
    let game = scene("colony: zombies 1,0 | Ana(kills colony 0 1 1); dice 3,2 | Carla");
    check(&game, "UseAbility Ana 0", "(DieSpent 0 2); AbilityUsed Ana 0; ZombieKilled Ana colony 0; 0> ActNow");
    let none = "refused: This needs a die, and none is left; there are new ones in the next round.; 0> ActNow";
    check(&scene("colony: zombies 1,0 | Ana(kills colony 0 1 1) | Carla"), "UseAbility Ana 0", none);
}

#[test]
fn once_a_round_is_over_with_the_turn() {
    let game = scene("next d1,d1 | Ana(feed 2, at mill, used 1)");
    let rounds = [
        ("UseAbility Ana", USED_UP),
        (
            "EndTurn",
            "(TurnEnded 0); ColonyPhaseStarted; ZombieSpawned mill 0; NextRound 4; Crisis crisis2;
            DieRolled 0 1; DieRolled 0 1; (TurnBegan 0); 0> ActNow",
        ),
        ("UseAbility Ana", "AbilityUsed Ana; 0> ActNow"),
    ];
    play(&game, &rounds);
}

#[test]
fn healing() {
    let text = "| Ana(heal, wounds 1) Bo(at mill, wounds 1) | Carla(wounds 1, frostbites 1) Dan";
    let game = scene(text);
    let healed = check(&game, "UseAbility Ana Carla", "AbilityUsed Ana Carla; 0> ActNow");
    holds(&healed, "Carla", "Alive at colony, wounds 1, frostbites 0");
    check(&healed, "UseAbility Ana Ana", USED_UP);
    let own = check(&game, "UseAbility Ana Ana", "AbilityUsed Ana Ana; 0> ActNow");
    holds(&own, "Ana", "Alive at colony, wounds 0, frostbites 0");
    let well = "refused: Character 4 has no injury; choose a character that has one.; 0> ActNow";
    check(&game, "UseAbility Ana Dan", well);
    let away = "refused: No living character 2 stands in the same place; here are 1, 3, 4.; 0> ActNow";
    check(&game, "UseAbility Ana Bo", away);
    let target = "refused: The ability of character 1 needs a target: UseAbility(character, target).; 0> ActNow";
    check(&game, "UseAbility Ana", target);
}

#[test]
fn building_several_barricades() {
    let game = scene("mill: zombies 0,2; next 11 | Ana(builds 2 2, at mill) | Carla");
    let first = check(&game, "UseAbility Ana 0", "AbilityUsed Ana 0; 0> ActNow");
    holds(&first, "mill", "zombies 0,2 barricades 2,0");
    let second = check(&first, "UseAbility Ana 1", "AbilityUsed Ana 1; 0> ActNow");
    holds(&second, "mill", "zombies 0,2 barricades 2,1");
    let all = "refused: The ability of character 1 is used up (2 per round); it works again in the next.; 0> ActNow";
    check(&second, "UseAbility Ana 0", all);
    let full =
        "refused: All three places of entrance 1 are taken; kill a zombie or choose another entrance.; 0> ActNow";
    check(&with(&game, "mill: zombies 0,3"), "UseAbility Ana 1", full);
    check(&game, "UseAbility Ana 2", "refused: There is no entrance 2 here; they are 0 to 1.; 0> ActNow");
    let target = "refused: The ability of character 1 needs a target: UseAbility(character, target).; 0> ActNow";
    check(&game, "UseAbility Ana", target);
    let many = scene("harbour: zombies 0 | Ana(builds 9 1, at harbour) | Carla");
    let three = check(&many, "UseAbility Ana 0", "AbilityUsed Ana 0; 0> ActNow");
    holds(&three, "harbour", "zombies 0 barricades 3");
}

#[test]
fn killing_several_zombies() {
    let game = scene("mill: zombies 3,1; next 11,11 | Ana(kills mill 4 2 2, at mill); dice 3,4,6 | Carla");
    let two = "(DieSpent 0 4); AbilityUsed Ana 0; ZombieKilled Ana mill 0; ZombieKilled Ana mill 0; 0> ActNow";
    let first = check(&game, "UseAbility Ana 0", two);
    holds(&first, "mill", "zombies 1,1 barricades 0,0");
    let one = "(DieSpent 0 6); AbilityUsed Ana 1; ZombieKilled Ana mill 1; 0> ActNow";
    let second = check(&first, "UseAbility Ana 1", one);
    let all = "refused: The ability of character 1 is used up (2 per round); it works again in the next.; 0> ActNow";
    check(&with(&second, "dice 6"), "UseAbility Ana 0", all);
    let low = "refused: This needs a die of 4 or more; left: 3.; 0> ActNow";
    check(&with(&game, "dice 3"), "UseAbility Ana 0", low);
    check(&with(&game, "dice 5,4"), "UseAbility Ana 0", two);
    let no_zombie = "refused: There is no zombie at entrance 1; choose an entrance that has one.; 0> ActNow";
    check(&with(&game, "mill: zombies 1,0"), "UseAbility Ana 1", no_zombie);
    let target = "refused: The ability of character 1 needs a target: UseAbility(character, target).; 0> ActNow";
    check(&game, "UseAbility Ana", target);
    let away = scene("colony: zombies 3,1 | Ana(kills mill 4 2 2); dice 6 | Carla");
    let elsewhere = "refused: The ability of character 1 works at location 60 only; move there first.; 0> ActNow";
    check(&away, "UseAbility Ana 0", elsewhere);
}

#[test]
fn killing_may_take_an_infection_die_that_nothing_spares() {
    let text =
        "mill: zombies 1,0; next 6 | Ana(kills mill 1 1 1 infection, at mill, wears colt1 boots1) Bo; dice 1 | Carla";
    let game = scene(text);
    let killed = "(DieSpent 0 1); AbilityUsed Ana 0; ZombieKilled Ana mill 0; ";
    check(&game, "UseAbility Ana 0", &[killed, "Wounded Ana; 0> ActNow"].concat());
    check(&with(&game, "next 9"), "UseAbility Ana 0", &[killed, "Frostbitten Ana; 0> ActNow"].concat());
    check(&with(&game, "next 5"), "UseAbility Ana 0", &[killed, "0> ActNow"].concat());
    let bitten = "Bitten Ana; MoralChanged -1 CHARACTER_DIED; 0> ActNow";
    check(&with(&game, "next 11"), "UseAbility Ana 0", &[killed, bitten].concat());
}

#[test]
fn killing_may_ask_for_children() {
    let game = scene("colony: zombies 1,0; children 1; next 11 | Ana(kills colony 1 1 1 children); dice 1 | Carla");
    let killed = "(DieSpent 0 1); AbilityUsed Ana 0; ZombieKilled Ana colony 0; 0> ActNow";
    check(&game, "UseAbility Ana 0", killed);
    let none = "refused: The ability of character 1 works only while there are children in the colony.; 0> ActNow";
    check(&with(&game, "children 0"), "UseAbility Ana 0", none);
}

#[test]
fn passive_abilities_are_not_for_commands() {
    for ability in ["wound bite wound", "no_infection", "finds mill 1 1", "trash 3"] {
        let game = scene(&alloc::format!("| Ana({ability}); dice 6 | Carla"));
        let passive = "refused: The ability of character 1 works by itself; no command is needed.; 0> ActNow";
        check(&game, "UseAbility Ana", passive);
        check(&game, "UseAbility Ana 0", passive);
    }
}

#[test]
fn no_infection_is_for_the_own_attack_only() {
    let game = scene("colony: zombies 2,0; next 11,11 | Ana(no_infection) Bo; dice 1,1 | Carla");
    let attacks = [
        ("Attack Ana 0", "(DieSpent 0 1); ZombieKilled Ana colony 0; 0> ActNow"),
        ("Attack Ana 0", "(DieSpent 0 1); ZombieKilled Ana colony 0; 0> ActNow"),
    ];
    let after = play(&game, &attacks);
    check(&after, "Move Ana mill", "Moved Ana mill; Bitten Ana; MoralChanged -1 CHARACTER_DIED; 0> ActNow");
}
