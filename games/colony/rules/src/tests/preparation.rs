//! The choice of characters, and the first cards.

use super::{check, holds, play, scene, with};
use crate::Game;

/// Registers this many players and starts the game. The first player is offered Ana, Bo, Carla and Dan.
fn started(edition: &str, players: usize) -> Game {
    let mut game = scene(&[edition, "; unused Ana Bo Carla Dan Eva Fay Gil Hana; next shuffle8"].concat());
    for player in 0..players {
        game = super::send(&game, &alloc::format!("{player}: Register Pia")).0;
    }
    if players == 3 { game } else { super::send(&game, "0: StartGame").0 }
}

#[test]
fn two_of_four() {
    let game = started("equipment", 2);
    let cards =
        "CardDrawn 0 colony1; CardDrawn 0 colony2; CardDrawn 0 colony3; CardDrawn 0 colony4; CardDrawn 0 colony5; ";
    let first =
        ["CharacterSpawned 0 Bo; CharacterSpawned 0 Dan; ", cards, "(ChoiceOffered 1); 1> Characters Eva Fay Gil Hana"];
    let second = check(&with(&game, "next shuffle6"), "SelectCharacters Dan Bo", &first.concat());
    holds(&second, "unused", "Ana Carla");
    // The characters that a player does not choose go to the end of the unused ones, in the order of the offer. After the last
    // choice, all unused characters are shuffled once more.
    let last = "CharacterSpawned 1 Fay; CharacterSpawned 1 Hana; CardDrawn 1 colony6; CardDrawn 1 colony7;
        CardDrawn 1 colony8; CardDrawn 1 colony9; CardDrawn 1 colony10; NextRound 5; Crisis crisis1;
        DieRolled 0 1; DieRolled 0 2; DieRolled 0 3; DieRolled 1 4; DieRolled 1 5; DieRolled 1 6;
        (TurnBegan 0); 0> ActNow";
    let round = check(&with(&second, "next shuffle4,d1,d2,d3,d4,d5,d6"), "SelectCharacters Fay Hana", last);
    holds(&round, "unused", "Ana Carla Eva Gil");
    holds(&round, "0", "dice 1, 2, 3; hand colony1 colony2 colony3 colony4 colony5");
    check(
        &round,
        "SelectCharacters Ana Carla",
        "refused: The characters are chosen; SelectCharacters answers Characters only.; 0> ActNow",
    );
    // No search finds the remaining start cards.
    assert_eq!(round.board.stack(round.setup.scenario.colony), 0);
    check(&round, "Search Bo", "refused: The colony cannot be searched; move to another location.; 0> ActNow");
}

#[test]
fn the_last_shuffle_counts() {
    let game = with(&started("group", 1), "next s0/6,s4/5,s3/4,s2/3,s1/2,d2,d4,d6");
    let chosen = "CharacterSpawned 0 Ana; CharacterSpawned 0 Bo; CardDrawn 0 colony1; CardDrawn 0 colony2;
        CardDrawn 0 colony3; CardDrawn 0 colony4; CardDrawn 0 colony5; NextRound 1; Crisis crisis1;
        DieRolled 0 2; DieRolled 0 4; DieRolled 0 6; (TurnBegan 0); 0> ActNow";
    let after = check(&game, "SelectCharacters Ana Bo", chosen);
    // The shuffle swaps the first and the last of Eva, Fay, Gil, Hana, Carla and Dan.
    holds(&after, "unused", "Dan Fay Gil Hana Carla Eva");
}

#[test]
fn a_wrong_choice_is_refused_and_not_offered_again() {
    let game = started("equipment", 2);
    let choose = "Player 0 is to choose characters with SelectCharacters; until then nothing else counts.";
    let choose = alloc::format!("refused: {choose}");
    let late = "refused: The game has already started; it is too late to register or to start it.";
    let rows = [
        ("0: SelectCharacters Ana Ana", "refused: Character 1 is named twice; choose two different ones."),
        ("0: SelectCharacters Ana Eva", "refused: Character 5 was not offered; choose two of 1, 2, 3, 4."),
        ("0: SelectCharacters Eva Ana", "refused: Character 5 was not offered; choose two of 1, 2, 3, 4."),
        ("0: SelectCharacters 77 78", "refused: Character 77 was not offered; choose two of 1, 2, 3, 4."),
        (
            "0: SelectCharacters Ana",
            "refused: Wrong number of arguments (1); the command is SelectCharacters(first, second).",
        ),
        ("1: SelectCharacters Ana Bo", &choose),
        ("1: EndTurn", &choose),
        ("0: EndTurn", &choose),
        ("0: Leave", &choose),
        ("0: Move Ana mill", &choose),
        ("0: Attack Ana 0", &choose),
        ("0: Barricade Ana 0", &choose),
        ("0: Search Ana", &choose),
        ("0: CleanWaste Ana", &choose),
        ("0: ContributeCard food1", &choose),
        ("0: UseCard food1", &choose),
        ("0: UseAbility Ana", &choose),
        ("0: Vote true", &choose),
        ("0: Register Pia", late),
        ("1: StartGame", late),
        ("9: Register Pia", late),
        ("9: StartGame", late),
        ("9: SelectCharacters Ana Bo", ""),
        ("9: Leave", ""),
    ];
    let same = play(&game, &rows);
    assert_eq!(same, game);
}

#[test]
fn whoever_does_not_choose_leaves() {
    let game = started("equipment", 2);
    let gone = "Left 0; [0 out]; (ChoiceOffered 1); 1> Characters Eva Fay Gil Hana";
    let second = check(&with(&game, "next shuffle8"), "TimeOut", gone);
    holds(&second, "unused", "Ana Bo Carla Dan");
    check(&second, "0: SelectCharacters Ana Bo", "refused: Player 0 is out of the game and can do nothing more.");
    // Player 1 plays alone. It gets the top start cards, and dice are rolled only for it.
    let alone = "CharacterSpawned 1 Eva; CharacterSpawned 1 Gil; CardDrawn 1 colony1; CardDrawn 1 colony2;
        CardDrawn 1 colony3; CardDrawn 1 colony4; CardDrawn 1 colony5; NextRound 5; Crisis crisis1;
        DieRolled 1 3; DieRolled 1 3; DieRolled 1 3; (TurnBegan 1); 1> ActNow";
    let round = check(&with(&second, "next shuffle6,d3,d3,d3"), "SelectCharacters Eva Gil", alone);
    holds(&round, "unused", "Ana Bo Carla Dan Fay Hana");
    check(&second, "TimeOut", "Left 1; [1 out]");
}

#[test]
fn the_last_to_choose_leaves_and_the_others_play() {
    let game = started("fate", 2);
    let first = super::send(&with(&game, "next shuffle6"), "SelectCharacters Ana Bo").0;
    let gone = "Left 1; [1 out]; NextRound 5; Crisis crisis1; DieRolled 0 1; DieRolled 0 1; DieRolled 0 1;
        (TurnBegan 0); 0> ActNow";
    let round = check(&with(&first, "next shuffle6,d1,d1,d1"), "TimeOut", gone);
    // Carla and Dan, whom player 0 did not choose, come before the four that were offered to player 1.
    holds(&round, "unused", "Carla Dan Eva Fay Gil Hana");
    let alone = started("equipment", 1);
    let over = check(&alone, "TimeOut", "Left 0; [0 out]");
    assert_eq!(over.board.outcome(), Some(crate::Outcome::Abandoned));
}

#[test]
fn three_players_in_a_row() {
    let game = started("equipment", 3);
    let second = super::send(&with(&game, "next shuffle6"), "SelectCharacters Ana Bo").0;
    let third = super::send(&with(&second, "next shuffle4"), "SelectCharacters Eva Fay").0;
    let turn = "refused: Player 2 is to choose characters with SelectCharacters; until then nothing else counts.";
    check(&third, "0: SelectCharacters Carla Dan", turn);
    check(&third, "1: EndTurn", turn);
    let last = "CharacterSpawned 2 Carla; CharacterSpawned 2 Gil; CardDrawn 2 colony11; CardDrawn 2 colony12;
        CardDrawn 2 colony13; CardDrawn 2 colony14; CardDrawn 2 colony15; ";
    let (_, said) = super::send(&third, "SelectCharacters Gil Carla");
    assert!(said.starts_with(&super::words::one_line(last)), "{said}");
}
