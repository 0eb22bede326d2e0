//! Equipment: putting it on, and its effects.

use super::{check, holds, play, scene, with};

#[test]
fn it_is_put_on_anybody_beside_and_is_no_waste() {
    let game = scene("waste 2 | Ana Bo(at mill); hand hammer1 colt1 boots1 swab1 drawing1 | Carla");
    let worn = [
        ("UseCard hammer1 Ana Ana", "CardUsed hammer1 Ana Ana; 0> ActNow"),
        ("UseCard colt1 Ana Carla", "CardUsed colt1 Ana Carla; 0> ActNow"),
        ("UseCard boots1 Bo Bo", "CardUsed boots1 Bo Bo; 0> ActNow"),
        ("UseCard swab1 Ana Bo", "refused: No living character 2 stands in the same place; here are 1, 3.; 0> ActNow"),
        ("UseCard swab1 Bo Bo", "CardUsed swab1 Bo Bo; 0> ActNow"),
        ("UseCard drawing1 Ana Ana", "CardUsed drawing1 Ana Ana; 0> ActNow"),
        ("UseCard drawing1 Ana Ana", "refused: Card 201 is not in your hand; you hold none.; 0> ActNow"),
    ];
    let after = play(&game, &worn);
    holds(&after, "stock", "food 0, waste 2, children 0, morale 9, tokens 0");
    let not_hers = "refused: Character 3 is not a living one of yours; yours: 1, 2.; 0> ActNow";
    check(&game, "UseCard colt1 Carla Carla", not_hers);
}

#[test]
fn the_wearer_uses_it_at_once() {
    let game = scene("colony: zombies 1,0; next 11 | Ana; dice 1; hand colt1 | Carla");
    let steps = [
        ("UseCard colt1 Ana Ana", "CardUsed colt1 Ana Ana; 0> ActNow"),
        ("Attack Ana 0", "(DieSpent 0 1); ZombieKilled Ana colony 0; (EffectUsed Ana colt1); 0> ActNow"),
    ];
    play(&game, &steps);
}

#[test]
fn the_group_edition_only_contributes_it() {
    let game = scene("group | Ana; dice 1; hand hammer1 colt1 boots1 swab1 drawing1 | Carla");
    for card in ["hammer1", "colt1", "boots1", "swab1", "drawing1"] {
        let text = "refused: The group edition has no votes and plays no equipment; FUEL is played by Move with true.;
            0> ActNow";
        check(&game, &["UseCard ", card, " Ana Ana"].concat(), text);
        check(&game, &["UseCard ", card].concat(), text);
        check(&game, &["ContributeCard ", card].concat(), &alloc::format!("Contributed 0 {card}; 0> ActNow"));
    }
}

#[test]
fn a_colt_spares_one_infection_die_a_round() {
    let game = scene("colony: zombies 3,0; next 6 | Ana(wears colt1 boots1 colt2) Bo; dice 1,1,1 | Carla");
    let shots = [
        ("Attack Ana 0", "(DieSpent 0 1); ZombieKilled Ana colony 0; (EffectUsed Ana colt2); 0> ActNow"),
        ("Attack Ana 0", "(DieSpent 0 1); ZombieKilled Ana colony 0; (EffectUsed Ana colt1); 0> ActNow"),
        ("Attack Ana 0", "(DieSpent 0 1); ZombieKilled Ana colony 0; Wounded Ana; 0> ActNow"),
    ];
    play(&game, &shots);
    let others = "(DieSpent 0 1); ZombieKilled Bo colony 0; Wounded Bo; 0> ActNow";
    check(&game, "Attack Bo 0", others);
    // The colt is used up first, although the ability alone would also prevent the infection die.
    let immune = scene("colony: zombies 3,0; next 11,11 | Ana(no_infection, wears colt1); dice 1,1 | Carla");
    let shots = [
        ("Attack Ana 0", "(DieSpent 0 1); ZombieKilled Ana colony 0; (EffectUsed Ana colt1); 0> ActNow"),
        ("Attack Ana 0", "(DieSpent 0 1); ZombieKilled Ana colony 0; 0> ActNow"),
    ];
    play(&immune, &shots);
}

#[test]
fn a_hammer_needs_and_spends_no_die_once_a_round() {
    let game = scene("next 11 | Ana(wears hammer1 hammer2) Bo; dice 4 | Carla");
    let blows = [
        ("Barricade Ana 0", "(EffectUsed Ana hammer2); Barricaded Ana colony 0; 0> ActNow"),
        ("Barricade Ana 0", "(EffectUsed Ana hammer1); Barricaded Ana colony 0; 0> ActNow"),
        ("Barricade Ana 1", "(DieSpent 0 4); Barricaded Ana colony 1; 0> ActNow"),
    ];
    let after = play(&game, &blows);
    let none = "refused: This needs a die, and none is left; there are new ones in the next round.; 0> ActNow";
    check(&after, "Barricade Ana 1", none);
    let bare = with(&game, "dice none");
    check(&bare, "Barricade Ana 0", "(EffectUsed Ana hammer2); Barricaded Ana colony 0; 0> ActNow");
    check(&bare, "Barricade Bo 0", none);
    let full =
        "refused: All three places of entrance 0 are taken; kill a zombie or choose another entrance.; 0> ActNow";
    check(&with(&game, "colony: zombies 3,0"), "Barricade Ana 0", full);
}

#[test]
fn it_is_fresh_when_the_wearers_turn_is_over() {
    let game = scene("next d1,d1 | Ana(at mill, wears hammer1*)");
    let none = "refused: This needs a die, and none is left; there are new ones in the next round.; 0> ActNow";
    check(&game, "Barricade Ana 0", none);
    let rounds = [
        (
            "EndTurn",
            "(TurnEnded 0); ColonyPhaseStarted; ZombieSpawned mill 0; NextRound 4; Crisis crisis2;
            DieRolled 0 1; DieRolled 0 1; (TurnBegan 0); 0> ActNow",
        ),
        ("Barricade Ana 0", "(EffectUsed Ana hammer1); Barricaded Ana mill 0; 0> ActNow"),
    ];
    play(&game, &rounds);
    // The end of a turn makes only the equipment of that player usable again.
    let two = scene("| Ana(wears hammer1*) | Carla(wears hammer2*)");
    let turns = [
        ("EndTurn", "(TurnEnded 0); (TurnBegan 1); 1> ActNow"),
        (
            "Barricade Carla 0",
            "refused: This needs a die, and none is left; there are new ones in the next round.; 1> ActNow",
        ),
    ];
    play(&two, &turns);
}
