//! Fate cards: their triggers and their consequences.

use super::{check, holds, play, scene, with};

const FIRES: &str = "Crossroad fate1; MoralChanged 1 CROSSROAD; 0> ActNow";

#[test]
fn moving() {
    let game = scene("fate; card moved mill: changeMoral 1; next 0,0 | Ana Bo Dan; hand fuel1 | Carla");
    let fires = check(&game, "Move Ana mill", &["Moved Ana mill; ", FIRES].concat());
    // The card fires only once.
    check(&fires, "Move Bo mill", "Moved Bo mill; 0> ActNow");
    let elsewhere = check(&game, "Move Ana harbour", "Moved Ana harbour; 0> ActNow");
    check(&elsewhere, "Move Bo mill", &["Moved Bo mill; ", FIRES].concat());
    check(&game, "UseCard fuel1 Ana mill", &["CardUsed fuel1 Ana mill; WasteChanged 1; ", FIRES].concat());
    check(&game, "UseCard fuel1 Ana harbour", "CardUsed fuel1 Ana harbour; WasteChanged 1; 0> ActNow");
    let anywhere = scene("fate; card moved: changeMoral 1; next 6 | Ana Bo | Carla");
    // The card fires after the action is complete.
    check(&anywhere, "Move Ana harbour", &["Moved Ana harbour; Wounded Ana; ", FIRES].concat());
}

#[test]
fn barricading() {
    let text = "| Ana(builds 1 1) Bo(at mill); dice 1; hand lock1 | Carla";
    let game = scene(&["fate; card barricaded colony: changeMoral 1 ", text].concat());
    check(&game, "Barricade Ana 0", &["(DieSpent 0 1); Barricaded Ana colony 0; ", FIRES].concat());
    check(&game, "UseCard lock1 Ana 0", &["CardUsed lock1 Ana 0; WasteChanged 1; ", FIRES].concat());
    check(&game, "UseAbility Ana 0", &["AbilityUsed Ana 0; ", FIRES].concat());
    check(&game, "Barricade Bo 0", "(DieSpent 0 1); Barricaded Bo mill 0; 0> ActNow");
    check(&game, "UseCard lock1 Bo 0", "CardUsed lock1 Bo 0; WasteChanged 1; 0> ActNow");
    let anywhere = scene(&["fate; card barricaded: changeMoral 1 ", text].concat());
    check(&anywhere, "Barricade Bo 0", &["(DieSpent 0 1); Barricaded Bo mill 0; ", FIRES].concat());
    // A refused command triggers nothing.
    let none = "refused: This needs a die, and none is left; there are new ones in the next round.; 0> ActNow";
    check(&with(&anywhere, "dice none"), "Barricade Bo 0", none);
}

#[test]
fn searching() {
    let text = "unused Eva; next s1/15 | Ana(at mill) Bo(at harbour); dice 1,1 | Carla";
    let game = scene(&["fate; card searched mill: changeMoral 1; ", text].concat());
    let found = "(DieSpent 0 1); Searched Ana mill; CardDrawn 0 mill1; ";
    check(&game, "Search Ana", &[found, FIRES].concat());
    check(&game, "Search Bo", "(DieSpent 0 1); Searched Bo harbour; CardDrawn 0 harbour1; 0> ActNow");
    let met = "(DieSpent 0 1); Searched Ana mill; CharacterSpawned 0 Eva; 0> ActNow";
    check(&with(&game, "next s0/15,c0"), "Search Ana", met);
    let anywhere = scene(&["fate; card searched: changeMoral 1; ", text].concat());
    let harbour = "(DieSpent 0 1); Searched Bo harbour; CardDrawn 0 harbour1; ";
    check(&anywhere, "Search Bo", &[harbour, FIRES].concat());
}

#[test]
fn putting_on() {
    let game = scene("fate; card equip: changeMoral 1; crisis food 1 1 | Ana; hand colt1 food1 food2 | Carla");
    check(&game, "UseCard colt1 Ana Carla", &["CardUsed colt1 Ana Carla; ", FIRES].concat());
    check(&game, "UseCard food1", "CardUsed food1; WasteChanged 1; FoodChanged 1 FOOD_ADDED; 0> ActNow");
    check(&game, "ContributeCard food1", "Contributed 0 food1; 0> ActNow");
}

#[test]
fn the_waste_pile_since_the_start_of_the_turn() {
    let hand = "| Ana Bo; dice 1,1,1; hand food1 food2 colt1 stuff1 | Carla";
    let food1 = "CardUsed food1; WasteChanged 1; FoodChanged 1 FOOD_ADDED; ";
    let food2 = "CardUsed food2; WasteChanged 1; FoodChanged 2 FOOD_ADDED; ";
    let clean = "(DieSpent 0 1); WasteChanged -3; ";
    let silent = |said: &str| [said, "0> ActNow"].concat();
    let fires = |said: &str| [said, FIRES].concat();

    let two = scene(&["fate; waste 5; card wasteChanged 2: changeMoral 1 ", hand].concat());
    play(&two, &[("UseCard food1", &silent(food1)), ("UseCard food2", &fires(food2))]);
    // The pile shrinks by 3 and then grows by 2, so it is still smaller than at the start of the turn.
    let down =
        [("CleanWaste Ana", &*silent(clean)), ("UseCard food1", &silent(food1)), ("UseCard food2", &silent(food2))];
    play(&two, &down);

    let three_less = scene(&["fate; waste 7; card wasteChanged -3: changeMoral 1 ", hand].concat());
    check(&three_less, "CleanWaste Ana", &fires(clean));
    // The pile grows by 1 and then shrinks by 3, which is only 2 less than at the start. After 3 more, the card fires.
    let late =
        [("UseCard food1", &*silent(food1)), ("CleanWaste Ana", &silent(clean)), ("CleanWaste Ana", &fires(clean))];
    play(&three_less, &late);
    let four_less = scene(&["fate; waste 9; card wasteChanged -4: changeMoral 1 ", hand].concat());
    play(&four_less, &[("CleanWaste Ana", &silent(clean)), ("CleanWaste Bo", &fires(clean))]);

    // The change is counted from the start of each turn.
    let next = "fate; waste 5; card equip: changeMoral 0; card wasteChanged 2: changeMoral 1 | Ana; hand food1
        | Carla; hand food2 food3";
    let turns = [
        ("UseCard food1", &*silent(food1)),
        ("EndTurn", "(TurnEnded 0); (TurnBegan 1); 1> ActNow"),
        ("UseCard food2", "CardUsed food2; WasteChanged 1; FoodChanged 2 FOOD_ADDED; 1> ActNow"),
        (
            "UseCard food3",
            "CardUsed food3; WasteChanged 1; FoodChanged 3 FOOD_ADDED; Crossroad fate2; MoralChanged 1 CROSSROAD;
            1> ActNow",
        ),
    ];
    play(&scene(next), &turns);

    let any = scene(&["fate; waste 3; card wasteChanged 0: changeMoral 1 ", hand].concat());
    check(&any, "UseCard food1", &fires(food1));
    check(&any, "CleanWaste Ana", &fires(clean));
    check(&any, "UseCard colt1 Ana Ana", "CardUsed colt1 Ana Ana; 0> ActNow");
    check(&any, "ContributeCard stuff1", "Contributed 0 stuff1; 0> ActNow");
    check(&any, "Barricade Ana 0", "(DieSpent 0 1); Barricaded Ana colony 0; 0> ActNow");
}

#[test]
fn a_card_is_for_one_turn() {
    let text = "fate; card moved: changeMoral 1; card equip: changeMoral 2; card moved: changeMoral 3; next 0,0,0";
    let game = scene(&[text, " | Ana | Bo | Carla"].concat());
    let turns = [
        ("EndTurn", "(TurnEnded 0); (TurnBegan 1); 1> ActNow"),
        ("Move Bo mill", "Moved Bo mill; 1> ActNow"),
        ("EndTurn", "(TurnEnded 1); (TurnBegan 2); 2> ActNow"),
        ("Move Carla mill", "Moved Carla mill; Crossroad fate3; MoralChanged 3 CROSSROAD; 2> ActNow"),
    ];
    play(&game, &turns);
    // The other editions read the fate cards of a scenario, but never draw one.
    let other = scene("equipment; card moved: changeMoral 1; next 0 | Ana | Bo");
    check(&other, "Move Ana mill", "Moved Ana mill; 0> ActNow");
}

#[test]
fn it_fires_for_the_dead_and_stays_theirs() {
    let game = scene("fate; card moved: spawnSurvivors 1; unused Dan Eva; next 11 | Ana; hand food1 | Carla");
    let dead = "Moved Ana mill; Bitten Ana; MoralChanged -1 CHARACTER_DIED; CharacterSpawned 0 Dan; (TurnEnded 0);
        Crossroad fate1; CharacterSpawned 0 Eva; (TurnBegan 1); 1> ActNow";
    check(&game, "Move Ana mill", dead);
    let over = "Moved Ana mill; Bitten Ana; MoralChanged -1 CHARACTER_DIED; GameEnd false";
    check(&with(&game, "morale 1"), "Move Ana mill", over);
    // The card fires even if its player is out of the game, but not if no player is left.
    let out = scene("fate; card moved: changeFood 2; next 11 | Ana | Carla");
    let left = "Moved Ana mill; Bitten Ana; MoralChanged -1 CHARACTER_DIED; (TurnEnded 0); Left 0; [0 out];
        Crossroad fate1; FoodChanged 2 CROSSROAD; (TurnBegan 1); 1> ActNow";
    check(&out, "Move Ana mill", left);
    let alone = scene("fate; card moved: changeFood 2; next 11 | Ana");
    let last = "Moved Ana mill; Bitten Ana; MoralChanged -1 CHARACTER_DIED; (TurnEnded 0); Left 0; [0 out]";
    check(&alone, "Move Ana mill", last);
}

#[test]
fn a_turn_that_is_lost_before_it_began_draws_no_card() {
    let text = "fate; colony: zombies 1,0; unused Dan Eva; card equip: changeMoral 1; card moved: changeMoral 2;
        card moved: changeMoral 3; next 11,6,0,0 | Ana; dice 1 | Bo | Carla";
    let lost = "(DieSpent 0 1); ZombieKilled Ana colony 0;
        Bitten Ana; MoralChanged -1 CHARACTER_DIED; CharacterSpawned 0 Dan; (TurnEnded 0);
        Bitten Bo; MoralChanged -1 CHARACTER_DIED; CharacterSpawned 1 Eva; (TurnEnded 1); (TurnBegan 2); 2> ActNow";
    let after = check(&scene(text), "Attack Ana 0", lost);
    check(&after, "Move Carla mill", "Moved Carla mill; Crossroad fate2; MoralChanged 2 CROSSROAD; 2> ActNow");
    // Frostbite ends a turn that has already begun, so the card of that turn is used up.
    let text =
        "fate; unused Dan; card equip: changeMoral 1; card moved: changeMoral 2; card moved: changeMoral 3; next 0
        | Ana | Bo(frostbites 2) | Carla";
    let frozen = "(TurnEnded 0); (TurnBegan 1); Wounded Bo; SurvivorKilled Bo; MoralChanged -1 CHARACTER_DIED;
        CharacterSpawned 1 Dan; (TurnEnded 1); (TurnBegan 2); 2> ActNow";
    let after = check(&scene(text), "EndTurn", frozen);
    check(&after, "Move Carla mill", "Moved Carla mill; Crossroad fate3; MoralChanged 3 CROSSROAD; 2> ActNow");
}

#[test]
fn food_and_morale() {
    for (consequence, table, expected) in [
        ("changeFood 2", "food 1", "FoodChanged 2 CROSSROAD; 0> ActNow"),
        ("changeFood 0", "food 0", "FoodChanged 0 CROSSROAD; 0> ActNow"),
        ("changeFood -2", "food 2", "FoodChanged -2 CROSSROAD; 0> ActNow"),
        // A starvation token costs no morale before the colony phase.
        ("changeFood -2", "food 1", "StarvationTokenAdded; 0> ActNow"),
        ("changeMoral 0", "morale 1", "MoralChanged 0 CROSSROAD; 0> ActNow"),
        ("changeMoral -2", "morale 3", "MoralChanged -2 CROSSROAD; 0> ActNow"),
        ("changeMoral -2", "morale 2", "MoralChanged -2 CROSSROAD; GameEnd false"),
        ("changeMoral -2", "morale 1", "MoralChanged -2 CROSSROAD; GameEnd false"),
    ] {
        let game = scene(&alloc::format!("fate; card moved: {consequence}; {table}; next 0 | Ana | Carla"));
        check(&game, "Move Ana mill", &["Moved Ana mill; Crossroad fate1; ", expected].concat());
    }
    let short = scene("fate; card moved: changeFood -2; food 1; next 0 | Ana | Carla");
    let after = super::send(&short, "Move Ana mill").0;
    holds(&after, "stock", "food 1, waste 0, children 0, morale 9, tokens 1");
}

#[test]
fn survivors() {
    for (consequence, unused, expected) in [
        ("spawnSurvivors 2", "Dan Eva Fay", "CharacterSpawned 0 Dan; CharacterSpawned 0 Eva; "),
        ("spawnSurvivors 2", "Eva", "CharacterSpawned 0 Eva; "),
        ("spawnSurvivors 1 children", "Eva Dan", "CharacterSpawned 0 Eva; ChildSpawned; "),
        ("spawnSurvivors 2 children", "Dan", "CharacterSpawned 0 Dan; ChildSpawned; ChildSpawned; "),
    ] {
        let game = scene(&alloc::format!("fate; card moved: {consequence}; unused {unused}; next 0 | Ana | Carla"));
        let said = ["Moved Ana mill; Crossroad fate1; ", expected, "0> ActNow"].concat();
        check(&game, "Move Ana mill", &said);
    }
    let none = scene("fate; card moved: spawnSurvivors 2 children; next 0 | Ana | Carla");
    check(&none, "Move Ana mill", "Moved Ana mill; Crossroad fate1; ChildSpawned; ChildSpawned; 0> ActNow");
}

#[test]
fn zombies() {
    let fires = "Moved Ana mill; Crossroad fate1; ";
    let game = scene("fate; card moved: spawnZombies 3 mill; mill: zombies 2,0; next 0 | Ana Bo | Carla");
    let three =
        "ZombieSpawned mill 0; ZombieSpawned mill 1; SurvivorKilled Ana; MoralChanged -1 CHARACTER_DIED; 0> ActNow";
    check(&game, "Move Ana mill", &[fires, three].concat());
    let wall = with(&game, "mill: zombies 2,0 barricades 1,0");
    let torn = "BarricadeDestroyed mill 0; ZombieSpawned mill 1; ZombieSpawned mill 0; 0> ActNow";
    check(&wall, "Move Ana mill", &[fires, torn].concat());
    // Zombies come to every location, to the colony first, although its identifier is not the lowest. At the harbour, all
    // places are taken and there are no survivors, so nothing happens.
    let all = scene("fate; card moved: spawnZombies 1; harbour: zombies 3; next 0 | Ana Bo | Carla");
    let everywhere = "ZombieSpawned colony 0; ZombieSpawned mill 0; 0> ActNow";
    check(&all, "Move Ana mill", &[fires, everywhere].concat());
    let free = "ZombieSpawned colony 0; ZombieSpawned harbour 0; ZombieSpawned mill 0; 0> ActNow";
    check(&with(&all, "harbour: zombies 0"), "Move Ana mill", &[fires, free].concat());
    // If the zombies kill the last survivor of the player whose turn it is, the turn ends.
    let last = scene("fate; card moved: spawnZombies 1 mill; mill: zombies 3,0; unused Dan; next 0 | Ana | Carla");
    let taken = "SurvivorKilled Ana; MoralChanged -1 CHARACTER_DIED; CharacterSpawned 0 Dan; (TurnEnded 0);
        (TurnBegan 1); 1> ActNow";
    check(&last, "Move Ana mill", &[fires, taken].concat());
    let child = scene("fate; card moved: spawnZombies 1 colony; colony: zombies 3,0; children 1; next 0 | Ana | Carla");
    let killed = "ChildKilled; MoralChanged -1 CHARACTER_DIED; 0> ActNow";
    check(&child, "Move Ana mill", &[fires, killed].concat());
}
