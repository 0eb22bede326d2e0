//! Every refusal with its full text.

use alloc::{collections::BTreeSet, string::ToString, vec::Vec};

use engine::Message;

use super::{refusal, scene, send};
use crate::{Game, Refusal};

fn after(scene: &Game, commands: &[&str]) -> Game {
    commands.iter().fold(scene.clone(), |game, command| send(&game, command).0)
}

#[test]
fn in_full_words() {
    let lobby = after(&scene("unused Ana Bo Carla Dan Eva Fay Gil Hana; next shuffle8"), &["0: Register Pia"]);
    let choosing = after(&lobby, &["0: StartGame"]);
    let out = scene("| Ana | Bo; out");
    let plain = scene("fate; crisis food 1 1 | Ana Bo(at mill); dice 2,1; hand lock1 food1 | Carla");
    let bare =
        scene("group; waste 3 | Ana(heal, moved, used 1) Bo(at mill); hand fuel1 | Carla(at harbour) Dan(at harbour)");
    let cleaned = after(&scene("group; waste 9 | Ana; dice 1,1"), &["CleanWaste Ana"]);
    let gifted = scene(
        "colony: zombies 1,3; stack mill 0
        | Ana(feed 1, attack 5) Bo(kills colony 1 1 1 children) Dan(kills mill 1 1 1) Eva(at mill, heal); dice 1,4
        | Carla",
    );
    let gifted = super::with(&gifted, "children 0");
    let voting = scene("fate; card moved: choice {changeFood 1} {changeFood 2}; next 0 | Ana | Bo");
    let voting = after(&voting, &["Move Ana mill"]);
    let dry = scene("group | Ana; hand food1");

    let rows: &[(&Game, &str, &str)] = &[
        (&lobby, "0: Register Pia", "You are registered already, as player 0; send StartGame or wait for the others."),
        (&lobby, "1: StartGame", "Only a registered client can start the game; send Register first."),
        (&plain, "StartGame", "The game has already started; it is too late to register or to start it."),
        (&out, "1: EndTurn", "Player 1 is out of the game and can do nothing more."),
        (
            &choosing,
            "EndTurn",
            "Player 0 is to choose characters with SelectCharacters; until then nothing else counts.",
        ),
        (&plain, "SelectCharacters Ana Bo", "The characters are chosen; SelectCharacters answers Characters only."),
        (&choosing, "SelectCharacters Ana Ana", "Character 1 is named twice; choose two different ones."),
        (&choosing, "SelectCharacters Ana Hana", "Character 8 was not offered; choose two of 1, 2, 3, 4."),
        (&plain, "1: EndTurn", "It is the turn of player 0; wait for ActNow."),
        (&voting, "EndTurn", "Your vote is awaited; send Vote with true or false."),
        (&voting, "1: EndTurn", "A vote is held, and player 0 is asked; wait for its result."),
        (&plain, "Vote true", "No vote is being held; Vote answers VoteNow only."),
        (
            &bare,
            "Vote true",
            "The group edition has no votes and plays no equipment; FUEL is played by Move with true.",
        ),
        (&gifted, "Vote true", "The equipment edition has no votes; FUEL is played by UseCard, not by Move."),
        (&plain, "Move Ana mill true", "In the fate edition FUEL is played by UseCard, not by Move."),
        (&plain, "Search", "Wrong number of arguments (0); the command is Search(character)."),
        (&plain, "Search Carla", "Character 3 is not a living one of yours; yours: 1, 2."),
        (&plain, "Move Ana 41", "There is no location 41; there are 40, 50, 60."),
        (&plain, "Move Ana colony", "The character is at location 50 already; move elsewhere."),
        (
            &bare,
            "Move Bo harbour",
            "Location 40 has room for 2, and all places are taken; a survivor must leave first.",
        ),
        (&bare, "Move Ana mill", "Character 1 has moved this round; it can move again in the next."),
        (&dry, "Move Ana mill true", "You hold no FUEL card; move without fuel."),
        (&plain, "Attack Ana 2", "There is no entrance 2 here; they are 0 to 1."),
        (&plain, "Attack Ana 0", "There is no zombie at entrance 0; choose an entrance that has one."),
        (
            &gifted,
            "Barricade Ana 1",
            "All three places of entrance 1 are taken; kill a zombie or choose another entrance.",
        ),
        (&gifted, "Attack Ana 0", "This needs a die of 5 or more; left: 1, 4."),
        (&bare, "Barricade Ana 0", "This needs a die, and none is left; there are new ones in the next round."),
        (&plain, "Search Ana", "The colony cannot be searched; move to another location."),
        (&gifted, "Search Eva", "Nothing is left to find at location 60; search elsewhere."),
        (&bare, "CleanWaste Bo", "Character 2 is not in the colony; waste can be disposed of only there."),
        (&plain, "CleanWaste Ana", "The waste pile is empty; cards that are played land on it."),
        (&cleaned, "CleanWaste Ana", "Waste was disposed of this round; character 1 can do so again in the next."),
        (&plain, "UseCard food2", "Card 102 is not in your hand; you hold 141, 101."),
        (&plain, "ContributeCard lock1", "Card 141 does not help: the crisis asks for FOOD."),
        (
            &plain,
            "UseCard lock1",
            "Card 141 is played with a character and a target: UseCard(card, character, target).",
        ),
        (&plain, "UseCard food1 Ana Ana", "Card 101 is played alone: UseCard(card)."),
        (&gifted, "UseAbility Eva Ana", "No living character 1 stands in the same place; here are 5."),
        (&gifted, "UseAbility Eva Eva", "Character 5 has no injury; choose a character that has one."),
        (&plain, "UseAbility Ana", "The ability of character 1 works by itself; no command is needed."),
        (&gifted, "UseAbility Eva", "The ability of character 5 needs a target: UseAbility(character, target)."),
        (&gifted, "UseAbility Ana 0", "The ability of character 1 takes no target: UseAbility(character)."),
        (
            &bare,
            "UseAbility Ana Ana",
            "The ability of character 1 is used up (1 per round); it works again in the next.",
        ),
        (&gifted, "UseAbility Dan 0", "The ability of character 4 works at location 60 only; move there first."),
        (&gifted, "UseAbility Bo 0", "The ability of character 2 works only while there are children in the colony."),
    ];
    let mut seen = BTreeSet::new();
    for (game, command, words) in rows {
        let refusal = refusal(game, command).unwrap_or_else(|| panic!("{command} is not refused"));
        assert_eq!(refusal.to_string(), *words, "{command}");
        seen.insert(refusal.kind().name);
    }
    let missing: Vec<&str> = Refusal::KINDS.iter().map(|kind| kind.name).filter(|name| !seen.contains(name)).collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
}

#[test]
fn long_lists_are_cut() {
    let six = scene("| Ana Bo Carla Dan Eva Fay | Gil");
    let words = "Character 7 is not a living one of yours; yours: 1, 2, 3, 4, 5 and 1 more.";
    assert_eq!(refusal(&six, "Search Gil").map(|refusal| refusal.to_string()).as_deref(), Some(words));
    let five = scene("| Ana Bo Carla Dan Eva | Gil");
    let words = "Character 7 is not a living one of yours; yours: 1, 2, 3, 4, 5.";
    assert_eq!(refusal(&five, "Search Gil").map(|refusal| refusal.to_string()).as_deref(), Some(words));
}
