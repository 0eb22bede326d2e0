//! Votes on the two consequences of a fate card.

use super::{check, holds, play, scene, with};
use crate::Game;

const ASKED: &str = "Moved Ana mill; Crossroad fate1; (VoteAsked 0); 0> VoteNow";

/// Player 0 moves, which starts a vote: more food, or less morale. Player 0 is asked first.
fn vote(players: &str) -> Game {
    let card = "fate; card moved: choice {changeFood 1} {changeMoral -1}; next 0 | Ana";
    check(&scene(&[card, players].concat()), "Move Ana mill", ASKED)
}

#[test]
fn the_majority_decides_and_a_tie_is_a_yes() {
    let (yes, no) = (
        "VoteResult true; FoodChanged 1 CROSSROAD; 0> ActNow",
        "VoteResult false; MoralChanged -1 CROSSROAD; 0> ActNow",
    );
    let (second, third) = ("(VoteAsked 1); 1> VoteNow", "(VoteAsked 2); 2> VoteNow");
    for (votes, result) in [
        (["true", "true", "true"], yes),
        (["true", "true", "false"], yes),
        (["false", "true", "true"], yes),
        (["true", "false", "false"], no),
        (["false", "false", "true"], no),
        (["false", "false", "false"], no),
    ] {
        let commands = votes.map(|answer| ["Vote ", answer].concat());
        let steps = [(&*commands[0], second), (&*commands[1], third), (&*commands[2], result)];
        play(&vote(" | Bo | Carla"), &steps);
    }
    for (votes, result) in [(["true", "false"], yes), (["false", "true"], yes), (["false", "false"], no)] {
        let commands = votes.map(|answer| ["Vote ", answer].concat());
        play(&vote(" | Bo"), &[(&*commands[0], second), (&*commands[1], result)]);
    }
    check(&vote(""), "Vote false", no);
    check(&vote(""), "Vote true", yes);
    play(&vote(" | Bo; out | Carla"), &[("Vote false", third), ("Vote false", no)]);
}

#[test]
fn nothing_but_the_vote() {
    let game = vote(" | Bo | Carla; out");
    let vote_first = "refused: Your vote is awaited; send Vote with true or false.; 0> VoteNow";
    let waits = "refused: A vote is held, and player 0 is asked; wait for its result.";
    let out = "refused: Player 2 is out of the game and can do nothing more.";
    for command in
        ["Leave", "EndTurn", "Move Ana colony", "Register Pia", "StartGame", "SelectCharacters Ana Bo", "Vote"]
    {
        check(&game, command, vote_first);
        check(&game, &["1: ", command].concat(), waits);
        check(&game, &["2: ", command].concat(), out);
    }
    check(&game, "1: Vote true", waits);
    check(&game, "2: Vote true", out);
    check(&game, "9: Vote true", "");
    check(&game, "9: Leave", "");
    let started = "refused: The game has already started; it is too late to register or to start it.";
    check(&game, "9: Register Pia", started);
    // While player 1 is asked, the player whose turn it is has to wait as well.
    let second = check(&game, "Vote true", "(VoteAsked 1); 1> VoteNow");
    let waits = "refused: A vote is held, and player 1 is asked; wait for its result.";
    check(&second, "0: EndTurn", waits);
    check(&second, "0: Vote true", waits);
    check(&second, "EndTurn", "refused: Your vote is awaited; send Vote with true or false.; 1> VoteNow");
    let over = check(&second, "Vote true", "VoteResult true; FoodChanged 1 CROSSROAD; 0> ActNow");
    check(&over, "Vote true", "refused: No vote is being held; Vote answers VoteNow only.; 0> ActNow");
}

#[test]
fn a_choice_in_a_choice_is_a_second_vote() {
    let card = "fate; card moved: choice {choice {changeFood 1} {changeFood 2}} {changeMoral 3}; next 0 | Ana | Bo";
    let game = check(&scene(card), "Move Ana mill", ASKED);
    let twice = [
        ("Vote true", "(VoteAsked 1); 1> VoteNow"),
        ("Vote true", "VoteResult true; (VoteAsked 0); 0> VoteNow"),
        ("Vote false", "(VoteAsked 1); 1> VoteNow"),
        ("Vote false", "VoteResult false; FoodChanged 2 CROSSROAD; 0> ActNow"),
    ];
    let inner = play(&game, &twice[..2]);
    holds(&inner, "choice", "ChangeFood(1) or ChangeFood(2)");
    holds(&play(&inner, &twice[2..]), "choice", "none");
    let once = [
        ("Vote false", "(VoteAsked 1); 1> VoteNow"),
        ("Vote false", "VoteResult false; MoralChanged 3 CROSSROAD; 0> ActNow"),
    ];
    holds(&play(&game, &once), "choice", "none");
}

/// The board shows the choice of a vote until the result or the end of the game.
#[test]
fn the_choice_is_there_to_see() {
    let game = vote(" | Bo");
    holds(&game, "choice", "ChangeFood(1) or ChangeMoral(-1)");
    let asked = check(&game, "Vote true", "(VoteAsked 1); 1> VoteNow");
    holds(&asked, "choice", "ChangeFood(1) or ChangeMoral(-1)");
    holds(&check(&asked, "Vote true", "VoteResult true; FoodChanged 1 CROSSROAD; 0> ActNow"), "choice", "none");
    let last = "Left 0; [0 out]; SurvivorKilled Ana; MoralChanged -1 CHARACTER_DIED; GameEnd false";
    holds(&check(&with(&game, "morale 1"), "TimeOut", last), "choice", "none");
    let plain = scene("fate; card moved: changeFood 1; next 0 | Ana");
    holds(
        &check(&plain, "Move Ana mill", "Moved Ana mill; Crossroad fate1; FoodChanged 1 CROSSROAD; 0> ActNow"),
        "choice",
        "none",
    );
}

#[test]
fn a_consequence_is_for_whose_card_it_is() {
    let cards = "card equip: changeMoral 0; card moved: choice {spawnSurvivors 1} {changeMoral -1}";
    let game = scene(&alloc::format!("fate; {cards}; turn 1; unused Dan; next 0 | Bo | Ana | Carla"));
    let steps = [
        ("Move Ana mill", "Moved Ana mill; Crossroad fate2; (VoteAsked 0); 0> VoteNow"),
        ("Vote true", "(VoteAsked 1); 1> VoteNow"),
        ("Vote true", "(VoteAsked 2); 2> VoteNow"),
        ("Vote true", "VoteResult true; CharacterSpawned 1 Dan; 1> ActNow"),
    ];
    play(&game, &steps);
}

#[test]
fn a_player_who_does_not_vote_leaves_and_earlier_votes_count() {
    let game = vote(" | Bo(status 7) Dan(at mill) | Carla");
    let late = [
        ("Vote false", "(VoteAsked 1); 1> VoteNow"),
        (
            "TimeOut",
            "Left 1; [1 out]; SurvivorKilled Dan; MoralChanged -1 CHARACTER_DIED; SurvivorKilled Bo;
            MoralChanged -1 CHARACTER_DIED; (VoteAsked 2); 2> VoteNow",
        ),
        ("1: Vote true", "refused: Player 1 is out of the game and can do nothing more."),
        ("Vote false", "VoteResult false; MoralChanged -1 CROSSROAD; 0> ActNow"),
    ];
    play(&game, &late);
    // One yes before the timeout and one no after it are a tie, which counts as yes.
    let tie = [
        ("Vote true", "(VoteAsked 1); 1> VoteNow"),
        (
            "TimeOut",
            "Left 1; [1 out]; SurvivorKilled Dan; MoralChanged -1 CHARACTER_DIED; SurvivorKilled Bo;
            MoralChanged -1 CHARACTER_DIED; (VoteAsked 2); 2> VoteNow",
        ),
        ("Vote false", "VoteResult true; FoodChanged 1 CROSSROAD; 0> ActNow"),
    ];
    play(&game, &tie);
    // The last player who is asked times out, so the votes so far decide.
    for (second, result) in [
        ("Vote true", "VoteResult true; FoodChanged 1 CROSSROAD; 0> ActNow"),
        ("Vote false", "VoteResult false; MoralChanged -1 CROSSROAD; 0> ActNow"),
    ] {
        let left = "Left 2; [2 out]; SurvivorKilled Carla; MoralChanged -1 CHARACTER_DIED; ";
        let last = [
            ("Vote false", "(VoteAsked 1); 1> VoteNow"),
            (second, "(VoteAsked 2); 2> VoteNow"),
            ("TimeOut", &[left, result].concat()),
        ];
        play(&game, &last);
    }
}

#[test]
fn the_player_whose_turn_it_is_does_not_vote() {
    let game = vote(" | Bo(frostbites 1) | Carla");
    let late = [
        (
            "TimeOut",
            "Left 0; [0 out]; SurvivorKilled Ana; MoralChanged -1 CHARACTER_DIED; (TurnEnded 0);
            (VoteAsked 1); 1> VoteNow",
        ),
        ("Vote false", "(VoteAsked 2); 2> VoteNow"),
        ("Vote false", "VoteResult false; MoralChanged -1 CROSSROAD; (TurnBegan 1); Wounded Bo; 1> ActNow"),
    ];
    play(&game, &late);
    // All players time out. The last one ends the game.
    let all_time_out = [
        (
            "TimeOut",
            "Left 0; [0 out]; SurvivorKilled Ana; MoralChanged -1 CHARACTER_DIED; (TurnEnded 0);
            (VoteAsked 1); 1> VoteNow",
        ),
        (
            "TimeOut",
            "Left 1; [1 out]; SurvivorKilled Bo; MoralChanged -1 CHARACTER_DIED; (TurnEnded 1);
            (VoteAsked 2); 2> VoteNow",
        ),
        ("TimeOut", "Left 2; [2 out]"),
    ];
    play(&game, &all_time_out);
    check(
        &with(&game, "morale 1"),
        "TimeOut",
        "Left 0; [0 out]; SurvivorKilled Ana; MoralChanged -1 CHARACTER_DIED; GameEnd false",
    );
}

#[test]
fn the_last_turn_of_the_round_is_lost_in_a_vote() {
    let text = "fate; rounds 1; turn 1; next 0 | Bo(at mill) | Ana";
    let cards = "fate; rounds 1; card equip: changeMoral 0; card moved: choice {changeFood 1} {changeMoral -1}; ";
    let game = scene(&text.replace("fate; rounds 1; ", cards));
    let steps = [
        ("Move Ana mill", "Moved Ana mill; Crossroad fate2; (VoteAsked 0); 0> VoteNow"),
        ("Vote true", "(VoteAsked 1); 1> VoteNow"),
        (
            "TimeOut",
            "Left 1; [1 out]; SurvivorKilled Ana; MoralChanged -1 CHARACTER_DIED; (TurnEnded 1);
            VoteResult true; FoodChanged 1 CROSSROAD; ColonyPhaseStarted; ZombieSpawned mill 0; GameEnd true",
        ),
    ];
    play(&game, &steps);
}

#[test]
fn a_vote_after_the_turn_has_passed_on() {
    let card = "fate; card moved: choice {spawnSurvivors 1} {changeMoral -1}; unused Dan Eva; next 11
        | Ana | Bo(frostbites 1)";
    let steps = [
        (
            "Move Ana mill",
            "Moved Ana mill; Bitten Ana; MoralChanged -1 CHARACTER_DIED; CharacterSpawned 0 Dan;
            (TurnEnded 0); Crossroad fate1; (VoteAsked 0); 0> VoteNow",
        ),
        ("Vote true", "(VoteAsked 1); 1> VoteNow"),
        ("Vote true", "VoteResult true; CharacterSpawned 0 Eva; (TurnBegan 1); Wounded Bo; 1> ActNow"),
    ];
    let after = play(&scene(card), &steps);
    holds(&after, "Eva", "Alive at colony, wounds 0, frostbites 0");
    // Player 1 times out in the vote before its turn begins, so the colony phase follows.
    let card = "fate; rounds 1; card moved: choice {changeFood 1} {changeMoral -1}; unused Dan; next 11 | Ana | Bo";
    let steps = [
        (
            "Move Ana mill",
            "Moved Ana mill; Bitten Ana; MoralChanged -1 CHARACTER_DIED; CharacterSpawned 0 Dan;
            (TurnEnded 0); Crossroad fate1; (VoteAsked 0); 0> VoteNow",
        ),
        ("Vote true", "(VoteAsked 1); 1> VoteNow"),
        (
            "TimeOut",
            "Left 1; [1 out]; SurvivorKilled Bo; MoralChanged -1 CHARACTER_DIED; (TurnEnded 1); VoteResult true;
            FoodChanged 1 CROSSROAD; ColonyPhaseStarted; FoodChanged -1 FOOD_CONSUMED; ZombieSpawned colony 0;
            GameEnd true",
        ),
    ];
    play(&scene(card), &steps);
}
