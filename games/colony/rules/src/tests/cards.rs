//! Giving cards to the crisis, and playing the cards that every edition has.

use super::{check, holds, play, scene, with};

#[test]
fn a_crisis_takes_cards_of_its_kind() {
    for (kind, wanted, fitting) in [
        ("food", "FOOD", &["food2"][..]),
        ("fuel", "FUEL", &["fuel1"][..]),
        ("medicine", "MEDICINE", &["medicine1"][..]),
        (
            "stuff",
            "STUFF (LOCK, SCISSORS and equipment count)",
            &["stuff1", "lock1", "scissors1", "hammer1", "colt1", "boots1", "swab1", "drawing1"][..],
        ),
    ] {
        for edition in ["group", "equipment", "fate"] {
            let hand = "food2 fuel1 medicine1 stuff1 lock1 scissors1 hammer1 colt1 boots1 swab1 drawing1";
            let game = scene(&alloc::format!("{edition}; crisis {kind} 1 1; contributed 0 | Ana; hand {hand} | Carla"));
            for card in hand.split(' ') {
                let command = ["ContributeCard ", card].concat();
                let number = super::world::card(card);
                let expected = if fitting.contains(&card) {
                    alloc::format!("Contributed 0 {card}; 0> ActNow")
                } else {
                    alloc::format!("refused: Card {number} does not help: the crisis asks for {wanted}.; 0> ActNow")
                };
                let after = check(&game, &command, &expected);
                assert_eq!(after.board.contributed, u32::from(fitting.contains(&card)));
                assert_eq!(after.board.waste, 0, "what is contributed is no waste");
            }
        }
    }
}

#[test]
fn only_cards_in_the_hand() {
    let game = scene("crisis food 1 1 | Ana; hand food1 | Carla; hand food2");
    let not_there = "refused: Card 102 is not in your hand; you hold 101.; 0> ActNow";
    check(&game, "ContributeCard food2", not_there);
    check(&game, "UseCard food2", not_there);
    check(&game, "UseCard 9999", "refused: Card 9999 is not in your hand; you hold 101.; 0> ActNow");
    let given = check(&game, "ContributeCard food1", "Contributed 0 food1; 0> ActNow");
    check(&given, "ContributeCard food1", "refused: Card 101 is not in your hand; you hold none.; 0> ActNow");
    let full = scene("| Ana; hand food1 fuel1 stuff1 lock1 colt1 swab1 | Carla");
    let many = "refused: Card 102 is not in your hand; you hold 101, 111, 121, 141, 171 and 1 more.; 0> ActNow";
    check(&full, "UseCard food2", many);
}

#[test]
fn food() {
    let game = scene("food 1; waste 4 | Ana; hand food3 | Carla");
    let eaten = "CardUsed food3; WasteChanged 1; FoodChanged 3 FOOD_ADDED; 0> ActNow";
    let after = check(&game, "UseCard food3", eaten);
    holds(&after, "stock", "food 4, waste 5, children 0, morale 9, tokens 0");
    holds(&after, "0", "dice none; hand none");
    let group = scene("group; waste 4 | Ana; hand food3 | Carla");
    let total = "CardUsed food3; WasteChanged 5; FoodChanged 3 FOOD_ADDED; 0> ActNow";
    check(&group, "UseCard food3", total);
    let alone = "refused: Card 103 is played alone: UseCard(card).; 0> ActNow";
    check(&game, "UseCard food3 Ana 0", alone);
}

#[test]
fn stuff_rolls_the_lowest_die_again() {
    let game = scene("next d6 | Ana; dice 5,2,2; hand stuff1 stuff2 | Carla");
    let after = check(&game, "UseCard stuff1", "CardUsed stuff1; WasteChanged 1; DieRolled 0 6; 0> ActNow");
    holds(&after, "0", "dice 2, 5, 6; hand stuff2");
    let one = check(
        &with(&game, "dice 6; next d1"),
        "UseCard stuff1",
        "CardUsed stuff1; WasteChanged 1; DieRolled 0 1; 0> ActNow",
    );
    holds(&one, "0", "dice 1; hand stuff2");
    let none = "refused: This needs a die, and none is left; there are new ones in the next round.; 0> ActNow";
    check(&with(&game, "dice none"), "UseCard stuff1", none);
    check(&game, "UseCard stuff1 Ana 0", "refused: Card 121 is played alone: UseCard(card).; 0> ActNow");
}

#[test]
fn medicine_heals_anybody_beside_frostbite_first() {
    let text = "| Ana(wounds 1) Bo(at mill, wounds 1); hand medicine1 medicine2 | Carla(wounds 1, frostbites 1) Dan";
    let game = scene(text);
    let first = check(&game, "UseCard medicine1 Ana Carla", "CardUsed medicine1 Ana Carla; WasteChanged 1; 0> ActNow");
    holds(&first, "Carla", "Alive at colony, wounds 1, frostbites 0");
    let second =
        check(&first, "UseCard medicine2 Ana Carla", "CardUsed medicine2 Ana Carla; WasteChanged 1; 0> ActNow");
    holds(&second, "Carla", "Alive at colony, wounds 0, frostbites 0");
    let own = check(&game, "UseCard medicine1 Ana Ana", "CardUsed medicine1 Ana Ana; WasteChanged 1; 0> ActNow");
    holds(&own, "Ana", "Alive at colony, wounds 0, frostbites 0");
    let well = "refused: Character 4 has no injury; choose a character that has one.; 0> ActNow";
    check(&game, "UseCard medicine1 Ana Dan", well);
    let away = "refused: No living character 2 stands in the same place; here are 1, 3, 4.; 0> ActNow";
    check(&game, "UseCard medicine1 Ana Bo", away);
    let unknown = "refused: No living character 77 stands in the same place; here are 2.; 0> ActNow";
    check(&game, "UseCard medicine1 Bo 77", unknown);
    let not_hers = "refused: Character 3 is not a living one of yours; yours: 1, 2.; 0> ActNow";
    check(&game, "UseCard medicine1 Carla Ana", not_hers);
}

#[test]
fn locks_are_barricades() {
    let game = scene("mill: zombies 1,0 barricades 1,0 | Ana(at mill); hand lock1 lock2 | Carla");
    let after = check(&game, "UseCard lock1 Ana 0", "CardUsed lock1 Ana 0; WasteChanged 1; 0> ActNow");
    holds(&after, "mill", "zombies 1,0 barricades 2,0");
    let full =
        "refused: All three places of entrance 0 are taken; kill a zombie or choose another entrance.; 0> ActNow";
    check(&after, "UseCard lock2 Ana 0", full);
    check(&after, "UseCard lock2 Ana 1", "CardUsed lock2 Ana 1; WasteChanged 1; 0> ActNow");
    check(&after, "UseCard lock2 Ana 2", "refused: There is no entrance 2 here; they are 0 to 1.; 0> ActNow");
}

#[test]
fn scissors_kill_without_a_die_or_danger() {
    let game = scene("mill: zombies 1,0; next 11 | Ana(at mill, attack 6); hand scissors1 scissors2 | Carla");
    let cut = "CardUsed scissors1 Ana 0; WasteChanged 1; ZombieKilled Ana mill 0; 0> ActNow";
    let after = check(&game, "UseCard scissors1 Ana 0", cut);
    holds(&after, "mill", "zombies 0,0 barricades 0,0");
    let no_zombie = "refused: There is no zombie at entrance 0; choose an entrance that has one.; 0> ActNow";
    check(&after, "UseCard scissors2 Ana 0", no_zombie);
    check(&game, "UseCard scissors1 Ana -1", "refused: There is no entrance -1 here; they are 0 to 1.; 0> ActNow");
}

#[test]
fn every_other_card_needs_a_character_and_a_target() {
    let hand = "fuel1 medicine1 lock1 scissors1 hammer1 colt1 boots1 swab1 drawing1";
    let game = scene(&["| Ana; dice 1; hand ", hand, " | Carla"].concat());
    for card in hand.split(' ') {
        let number = super::world::card(card);
        let text = "is played with a character and a target: UseCard(card, character, target).; 0> ActNow";
        check(&game, &["UseCard ", card].concat(), &alloc::format!("refused: Card {number} {text}"));
    }
    let two = "refused: Wrong number of arguments (2); the command is UseCard(card, character, target).; 0> ActNow";
    play(&game, &[("UseCard lock1 Ana", two), ("UseCard colt1 Ana", two)]);
}
