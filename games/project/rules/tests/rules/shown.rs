//! Pictures, words and figures for people.

use engine::{CommId, Rulebook, Shown};
use project_rules::{Command, Event, Game, Placed, Setup, Team};
use serde_json::{Value, json};

use crate::table::{ONE, Table, at, with};

#[test]
fn the_stage_has_no_secrets() {
    let setup = Setup::new(ONE).expect("a setup");
    assert_eq!(Game::stage(&setup), json!({"width": 4, "height": 8, "goal_rows": 2, "players_per_team": 1}));
}

#[test]
fn pictures_have_the_same_keys_always() {
    let keys = |table: &Table| -> Vec<String> {
        let picture = Game::picture(table.game.public());
        picture.as_object().expect("an object").keys().cloned().collect()
    };
    let (mut lobby, mut running) = (Table::new(ONE), Table::begun(ONE));
    assert_eq!(keys(&lobby), keys(&running));
    lobby.joins(1);
    assert_eq!(Game::picture(lobby.game.public())["phase"], "lobby");
    let picture = Game::picture(running.game.public());
    let player = json!({"id": 1, "team": "Blue", "leader": true, "connection": "here"});
    assert_eq!((&picture["phase"], &picture["players"][0]), (&json!("running"), &player));
    running.brings(1, at(1, 0), Placed::Completed);
    let picture = Game::picture(running.game.public());
    assert_eq!((&picture["phase"], &picture["score"]), (&json!("over"), &json!({"blue": 1, "red": 0})));
    assert_eq!(picture["outcome"], "Success: Blue has completed all its goals; Blue wins, Blue 1, Red 0");
    assert_eq!(keys(&lobby), keys(&running));
}

#[test]
fn the_truth() {
    let mut table = Table::begun(&with(
        ONE,
        r#"{"pieces": 4, "shams_percentage": 50, "costs": {"discover": 450},
        "goals": [{"x": 1, "y": 0}, {"x": 3, "y": 1}]}"#,
    ));
    table.brings(1, at(1, 0), Placed::Completed);
    table.fetches(1, true);
    table.asks(1, "Discover");
    table.asks(1, "Discover");
    table.does(2, Command::Lost {});
    let truth = table.game.hidden();
    assert_eq!((&truth["width"], &truth["height"], &truth["goal_rows"]), (&json!(4), &json!(8), &json!(2)));
    assert_eq!(truth["goals"][0], json!({"x": 1, "y": 0, "team": "Blue", "done": true}));
    assert_eq!(truth["goals"].as_array().map(Vec::len), Some(4));
    let lying: Vec<Value> = table
        .game
        .ground()
        .pieces()
        .map(|(tile, piece)| json!({"x": tile.x, "y": tile.y, "sham": piece.sham}))
        .collect();
    assert_eq!(truth["pieces"], Value::Array(lying));
    assert_eq!(truth["left"], json!({"lying": 2, "carried": 1, "shams": 2}));
    let first = &truth["players"][0];
    let (at, counts) = (table.position(1), table.player(1).counts);
    assert_eq!((&first["x"], &first["y"], &first["load"]), (&json!(at.x), &json!(at.y), &json!("sham")));
    assert_eq!((&first["doing"], &first["waiting"], &first["tested"]), (&json!("discover"), &json!(1), &json!(false)));
    let expected = json!({"moves": counts.moves, "discovers": 0, "pick_ups": 2, "tests": 0, "places": 1, "goals": 1,
        "shams": 0});
    assert_eq!(first["counts"], expected);
    assert_eq!((&truth["players"][1]["connection"], &truth["score"]["blue"]), (&json!("lost"), &json!(1)));
}

#[test]
fn figures_and_moments() {
    let mut table = Table::new(ONE);
    assert_eq!(Game::moment(table.game.public()).round, 0, "before the start");
    table.joins(1);
    assert_eq!(Game::figures(table.game.public()), [0, 0, 0, 1]);
    let mut table = Table::begun(ONE);
    let rounds = [1, 1, 2];
    for (actions, round) in [0, 19, 20].into_iter().zip(rounds) {
        for _ in table.game.public().actions()..actions {
            table.asks(1, "Discover");
        }
        assert_eq!(Game::moment(table.game.public()).round, round, "after {actions} actions");
    }
    table.brings(2, at(1, 7), Placed::Completed);
    let figures = Game::figures(table.game.public());
    assert_eq!((figures[0], figures[1], figures[3]), (0, 1, 2));
    assert_eq!(figures.len(), Game::FIGURES.len());
}

#[test]
fn words() {
    let table = Table::begun(ONE);
    let board = table.game.public();
    let tell = |event: Event| Game::tell_event(board, &event);
    assert_eq!(tell(Event::Acted { player: 1 }), "Player 1 (Blue) acts.");
    assert_eq!(tell(Event::Lost { player: 2 }), "The connection of player 2 (Red) is lost.");
    assert_eq!(tell(Event::Scored { team: Team::Red }), "Red completes a goal.");
    let answer = project_rules::Answer::PickedUp { success: true };
    assert_eq!(tell(Event::Answered { context: "a".into(), answer }), "Picks up a piece.");
    let hash = Command::Join { hash: "secret".into() };
    assert_eq!(Game::tell_command(board, &hash), "asks to take part", "a hash is a secret");
    assert_eq!(table.game.name_of(CommId(0)).as_deref(), Some("Game Master"));
    assert_eq!(table.game.name_of(CommId(2)).as_deref(), Some("player 2 (Red)"));
    assert_eq!(table.game.name_of(CommId(3)), None);
    assert_eq!(Game::players(board), ["player 1 (Blue)", "player 2 (Red)"]);
    assert_eq!((Game::NAME, Game::edition(table.game.setup())), ("project", "standard"));
}

/// A reader who may see everything is told what a player did. The public words have no secret.
#[test]
fn actions_in_words() {
    let mut table = Table::begun(&with(ONE, r#"{"pieces": 4, "shams_percentage": 50}"#));
    let told = |table: &Table| -> Vec<String> {
        let board = table.game.public();
        let emissions = table.outbox.emissions();
        (0..emissions.len()).filter_map(|place| Game::tell_whole_event(None, board, emissions, place)).collect()
    };
    table.asks(1, "Discover");
    let around = told(&table);
    assert!(around.len() == 1 && around[0].starts_with("Player 1 (Blue) discovers "), "{around:?}");
    table.asks(1, "Test");
    assert_eq!(told(&table), ["Player 1 has no piece to test and is told nothing."]);
    table.fetches(1, true);
    assert_eq!(told(&table), ["Player 1 (Blue) picks up a piece."], "whether it is a sham is not in the answer");
    table.does(2, Command::Lost {});
    assert_eq!(told(&table), Vec::<String>::new(), "the usual words say it all");
}

#[test]
fn the_configuration_and_the_last_answer() {
    let mut table = Table::begun(&with(
        ONE,
        r#"{"pieces": 4, "shams_percentage": 50, "costs": {"discover": 450}, "respawn_interval": 5000,
        "reconnection_attempts": 3, "reconnection_interval": 7}"#,
    ));
    let truth = table.game.hidden();
    assert_eq!(
        truth["configuration"],
        json!({"pieces": 4, "shams_percentage": 50, "respawn": 5000, "no_progress": null, "patience": 21000,
            "costs": {"move": 0, "discover": 450, "test": 0, "pick_up": 0, "place": 0}})
    );
    assert_eq!(truth["players"][0]["last"], json!(null));
    table.asks(1, "Test");
    assert_eq!(table.game.hidden()["players"][0]["last"], "is told nothing");
}
