//! Functions that the rules rarely use, but that pages, bots and clients rely on.

use alloc::{string::ToString, vec::Vec};

use engine::{Input, Outbox, Rulebook, Waiting};

use super::{check, scene, words};
use crate::{Edition, EditionChoice, Game, Outcome, UnknownEdition, refusal::Few};

const LOBBY: &str = "unused Ana Bo Carla Dan Eva Fay Gil Hana; next shuffle8";

#[test]
fn nobody_is_waited_for_after_the_end() {
    let lobby = scene(LOBBY);
    assert_eq!(lobby.waiting_for(), Waiting::Anyone);
    let over = check(&lobby, "0: EndTurn", "RegistrationAborted");
    assert_eq!(over.waiting_for(), Waiting::GameOver);
}

#[test]
fn a_refusal_is_known_as_one() {
    let game = scene("| Ana | Bo");
    for (command, expected) in [("1: EndTurn", [true].as_slice()), ("0: EndTurn", &[false, false, false])] {
        let mut outbox = Outbox::new();
        game.clone().fold(&Input { elapsed_ms: 0, cause: words::cause(&game, command).1 }, &mut outbox);
        let refusals: Vec<bool> = outbox.events().map(|(_, event)| Game::is_refusal(event)).collect();
        assert_eq!(refusals, expected, "{command}");
    }
}

#[test]
fn unused_characters_are_counted() {
    assert_eq!(scene(LOBBY).board().unused(), 8);
}

#[test]
fn editions_have_names() {
    let names = [Edition::Group, Edition::Equipment, Edition::Fate].map(|edition| edition.to_string());
    assert_eq!(names, ["group", "equipment", "fate"]);
    for edition in Edition::ALL {
        assert_eq!(edition.name().parse(), Ok(EditionChoice(Some(edition))));
        let game = scene(&[edition.name(), " | Ana"].concat());
        assert_eq!(Game::edition(&game.setup), edition.name());
    }
    assert_eq!("auto".parse(), Ok(EditionChoice(None)));
    assert_eq!("Fate".parse::<EditionChoice>(), Err(UnknownEdition));
    assert_eq!("auto".parse::<Edition>(), Err(UnknownEdition));
    assert_eq!(UnknownEdition.to_string(), "an edition is group, equipment, fate or auto");
}

#[test]
fn the_words_for_an_end() {
    for (outcome, words) in [
        (Outcome::Won, "won"),
        (Outcome::LostMorale, "lost: the morale fell to 0"),
        (Outcome::LostGoal, "lost: the goal was not reached in the last round"),
        (Outcome::Abandoned, "abandoned: nobody was left to play"),
        (Outcome::Aborted, "aborted during registration"),
    ] {
        assert_eq!(outcome.to_string(), words);
    }
}

#[test]
fn a_short_list_shows_its_first_five() {
    for (text, good) in [
        (r#"{"first":[1,2,3,4,5],"more":2}"#, true),
        (r#"{"first":[1,2,3,4,5],"more":0}"#, true),
        (r#"{"first":[1,2,3,4],"more":0}"#, true),
        (r#"{"first":[1,2,3,4],"more":1}"#, false),
        (r#"{"first":[1,2,3,4,5,6],"more":0}"#, false),
        (r#"{"first":[1,2,3,4,5],"more":65535}"#, false),
    ] {
        let read: Result<Few, _> = serde_json::from_str(text);
        let again = read.as_ref().ok().map(|few| serde_json::to_string(few).expect("it can be written"));
        assert_eq!(again.as_deref(), good.then_some(text), "{text}");
    }
}
