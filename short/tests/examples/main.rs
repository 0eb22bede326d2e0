//! The games of `examples/`, as an author's program hosts them: played over TCP, by bots, killed and resumed, and looked at in
//! the log. `cargo xtask test examples` builds their programs; other runs have none, and say so.

mod client;
mod program;
mod tests_for_free;

use serde_json::{Value, json};

use crate::{
    client::{Client, kind},
    program::Program,
};

/// Plays a game half, kills the host, resumes, and plays it to the end. `choose` picks the command of a client from what it was
/// told.
fn play_through(
    program: &Program,
    players: usize,
    halves: usize,
    choose: impl Fn(&Client, usize) -> Option<Value>,
) -> String {
    let mut host = program.host();
    let mut clients = vec![Client::create(host.address, program.game)];
    let game = clients[0].game.clone();
    while clients.len() < players {
        clients.push(Client::join(host.address, &game));
    }
    for (at, client) in clients.iter_mut().enumerate() {
        client.command(&json!(["Join", format!("P{at}")]));
        client.until("Joined");
    }
    clients.iter_mut().for_each(Client::settle);
    let mut moves = 0;
    while moves < 500 {
        if moves == halves {
            host.kill();
            host = program.host();
            clients.iter_mut().for_each(|client| client.resume(host.address));
        }
        let Some((at, command)) = (0..players).find_map(|at| Some((at, choose(&clients[at], at)?))) else { break };
        moves += 1;
        clients[at].command(&command);
        // Everyone is told a move, so afterwards everyone knows as much.
        for client in &mut clients {
            client.until_any(&["Played", "Moved"]);
            client.settle();
        }
        if clients[0].told("Finished").next().is_some() {
            break;
        }
    }
    assert!(moves > halves, "{}: the game goes on after the crash: {moves}", program.game);
    assert!(clients.iter().all(|client| client.told("Finished").count() == 1), "everyone is told the end");
    game
}

/// The tools of the log know a finished game.
fn look_at_log(program: &Program, game: &str) {
    let log = program.log();
    assert!(program.run(&["log", "verify", &log]).contains("ok ("), "verify");
    assert!(program.run(&["log", "replay", &log]).contains("folded again"), "replay");
    let list = program.run(&["log", "list", &log]);
    assert!(list.contains(game) && list.contains(" won"), "{list}");
    let story = program.run(&["log", "show", &log, game]);
    assert!(story.contains("The game begins: P0, P1"), "{story}");
    let (first, second) = (story.find("--- Turn of P1"), story.find("\n                   P0: "));
    assert!(first.is_none() || second < first, "a move is told before the next turn: {story}");
    let lines = program.run(&["log", "export", &log, game, "--format", "jsonl"]);
    assert!(lines.lines().last().is_some_and(|end| end.contains("Finished")), "{lines}");
    let forked = program.run(&["log", "fork", &log, game, "--at", "4"]);
    assert!(program.run(&["log", "verify", &log]).contains("ok (2 games"), "{forked}");
    assert!(program.run(&["log", "replay", &log]).contains("2 games"), "a fork is folded, too");
}

/// Two bots play a game to its end while a spectator watches.
fn bots_play(program: &Program) {
    let host = program.host();
    let scenario = json!({"seats": 2, "bots": ["random", "random"]}).to_string();
    let creator = Client::create_with(host.address, program.game, &scenario);
    let mut watcher = Client::watch(host.address, &creator.game);
    watcher.until("Finished");
    assert_eq!(watcher.told("Joined").count(), 2, "bots take their seats");
    let unknown = Client::refused(host.address, program.game, r#"{"bots": ["clever"]}"#);
    assert!(unknown.contains("clever"), "{unknown}");
}

/// The commands that know a game only by its offers play it, too.
fn commands_play(program: &Program, players: &str) {
    let simulated = program.run(&["simulate", "--games", "50", "--players", players, "--offers", "--json"]);
    let report: Value = serde_json::from_str(simulated.lines().next().expect("a line")).expect("a report");
    assert_eq!(report["games"], json!(50), "{report}");
    let offers = &report["offers"];
    let figure = |name: &str| offers[name].as_f64().unwrap_or_default();
    assert!(figure("moments") >= 20_000.0 && figure("commands") >= 1.0, "{report}");
    assert!(0.0 < figure("p50_us") && figure("p50_us") <= figure("p99_us"), "{report}");
    let host = program.host();
    let scenario = json!({"seats": players.parse::<u8>().expect("a number")}).to_string();
    let address = host.address.to_string();
    let bots = program.run(&["bot", "--connect", &address, "--new", &scenario, "--count", players]);
    assert!(bots.contains(" won") || bots.contains("a draw"), "{bots}");
    // Without `seats`, a game that can take more players begins with the bots that are there.
    let bots = program.run(&["bot", "--connect", &address, "--new", "standard", "--count", "2"]);
    assert!(bots.contains(" won") || bots.contains("a draw"), "{bots}");
    let scenario = json!({"seats": 2, "bots": ["random"]}).to_string();
    let said = program.play(&["--connect", &address, "--new", &scenario, "--name", "Ana"]);
    assert!(said.contains("It is your turn."), "{said}");
    assert!(said.contains("  game:"), "the board is shown: {said}");
    assert!(!said.contains("Seen"), "views are shown as the board: {said}");
    assert!(said.contains(" won") || said.contains("a draw"), "{said}");
    assert!(said.contains("\nAna") && !said.contains("\nseat 1"), "moves have the names of players: {said}");
    assert!(!said.contains("1. Join"), "a person with a name takes a seat at once: {said}");

    // A person who quits is told how to come back, and finds the game as it was.
    let said = program.type_lines(&["--connect", &address, "--new", &scenario, "--name", "Ana"], "q\n");
    assert!(said.contains("is kept. To go back to it:") && said.contains(" play --resume "), "{said}");
    let said = program.play(&["--resume"]);
    assert!(said.contains("Ana takes seat 1.") && (said.contains(" won") || said.contains("a draw")), "{said}");

    // The bots of a scenario play in a simulation, and so does one that is named.
    let said = program.run(&["simulate", "--games", "5", "--scenario", &scenario, "--bots", "random"]);
    assert!(said.contains("5 games") && !said.contains("not enough players"), "{said}");
    let wrong = program.try_run(&["simulate", "--bots", "clever"]).expect_err("there is no such bot");
    assert!(wrong.contains("no bot clever; there are random"), "{wrong}");
}

/// The state that a client was told last.
fn view(client: &Client) -> Option<&Value> {
    client.told("Seen").last().map(|event| &event["view"])
}

#[test]
fn tictactoe() {
    let Some(program) = Program::find("tictactoe").map(|program| program.in_folder("tictactoe")) else { return };
    // The first player wins with the middle line.
    let order = [4, 0, 3, 1, 5];
    let choose = |client: &Client, seat: usize| {
        let made = client.told("Played").count();
        (made % 2 == seat).then(|| json!(["Mark", order[made]]))
    };
    let game = play_through(&program, 2, 2, choose);
    look_at_log(&program, &game);
    let refusals = program.run(&["log", "show", &program.log(), &game]);
    assert!(refusals.contains("P0 won"), "{refusals}");
    bots_play(&program);
    commands_play(&program, "2");
}

#[test]
fn connect_four() {
    let Some(program) = Program::find("connect-four").map(|program| program.in_folder("connect-four")) else { return };
    let choose = |client: &Client, seat: usize| {
        let made = client.told("Played").count();
        (made % 2 == seat).then(|| json!({"Drop": {"column": seat}}))
    };
    let game = play_through(&program, 2, 3, choose);
    look_at_log(&program, &game);
    bots_play(&program);
    commands_play(&program, "2");
}

#[test]
fn highcard() {
    let Some(program) = Program::find("highcard").map(|program| program.in_folder("highcard")) else { return };
    let choose = |client: &Client, seat: usize| {
        let view = view(client)?;
        let card = view["hands"][seat].as_array()?.first()?;
        view["table"][seat].is_null().then(|| json!(["Play", card]))
    };
    // It takes four, and begins with two if one of them asks.
    let host = program.host();
    let mut clients = vec![Client::create(host.address, "highcard")];
    clients.push(Client::join(host.address, &clients[0].game.clone()));
    for (at, client) in clients.iter_mut().enumerate() {
        client.command(&json!(["Join", format!("P{at}")]));
        client.until("Joined");
    }
    clients[0].command(&json!(["Start"]));
    for (seat, client) in clients.iter_mut().enumerate() {
        client.until("Seen");
        let hands = view(client).expect("a view")["hands"].clone();
        assert!(hands[seat].as_array().is_some_and(|own| own.iter().all(|card| *card != json!(0))), "{hands}");
        assert_eq!(hands[1 - seat], json!([0, 0, 0]), "the other hand is hidden");
    }
    let mut watcher = Client::watch(host.address, &clients[0].game);
    watcher.until("Seen");
    assert_eq!(view(&watcher).expect("a view")["hands"], json!([[0, 0, 0], [0, 0, 0]]));
    let card = view(&clients[0]).expect("a view")["hands"][0][0].clone();
    clients[0].command(&json!(["Play", card]));
    clients[1].until("Moved");
    let last = clients[1].told("Moved").last().expect("a move");
    assert_eq!(last["play"], Value::Null, "the first card of a trick is face down");
    drop(host);

    program.forget();
    // It begins when its four seats are taken.
    let game = play_through(&program, 4, 5, choose);
    look_at_log(&program, &game);
    bots_play(&program);
    commands_play(&program, "4");
}

/// The bot of an author plays on a host by its name, and with a person who practises.
#[test]
fn bots_of_the_author() {
    let Some(program) = Program::find("connect-four").map(|program| program.in_folder("bots")) else { return };
    let help = program.run(&["bot", "--help"]);
    assert!(help.contains("\n  random   makes any move\n  careful  wins if it can"), "{help}");
    let wrong = program.try_run(&["bot", "--new", "unhurried", "--strategy", "clever"]).expect_err("no such bot");
    assert!(wrong.contains("no bot clever; there are random, careful"), "{wrong}");

    let host = program.host();
    let address = host.address.to_string();
    let mut won = 0;
    for game in 0..10 {
        // Each of them begins in turn.
        let strategies = if game % 2 == 0 { "careful,random" } else { "random,careful" };
        let arguments = ["bot", "--connect", &address, "--new", "unhurried", "--count", "2", "--strategy", strategies];
        let said = program.run(&arguments);
        let careful = format!("bot {} won", 1 + game % 2);
        won += u32::from(said.contains(&careful));
        assert!(said.contains(" won") || said.contains("a draw"), "{said}");
    }
    assert!(won >= 7, "careful won {won} of 10 games against random");
    drop(host);

    let said = program.play(&["--practice", "--new", "unhurried", "--bots", "careful", "--name", "Ana"]);
    assert!(said.contains("Ana takes seat 1.") && said.contains("careful takes seat 2."), "{said}");
    assert!(said.contains(" won") || said.contains("a draw"), "{said}");
    let wrong = program.try_run(&["play", "--practice", "--bots", "clever"]).expect_err("no such bot");
    assert!(wrong.contains("no bot clever; there are random, careful"), "{wrong}");
    let wrong = program.try_run(&["play", "--practice", "--game", "abc"]).expect_err("a contradiction");
    assert!(wrong.contains("cannot be used with"), "{wrong}");
    let wrong = program.try_run(&["play", "--bots", "careful"]).expect_err("only in practice");
    assert!(wrong.contains("--practice"), "{wrong}");
}

/// A person practises a game with secrets, which begins with fewer players than it can take.
#[test]
fn practice() {
    let Some(program) = Program::find("highcard").map(|program| program.in_folder("practice")) else { return };
    let said = program.play(&["--practice"]);
    assert!(said.contains("you takes seat 1.") && said.contains("random takes seat 2."), "{said}");
    assert!(said.contains("The game begins: you, random.") && said.contains(" won"), "{said}");
    let said = program.play(&["--practice", "--players", "3", "--seed", "5"]);
    assert!(said.contains("The game begins: you, random 1, random 2."), "{said}");
    let said = program.type_lines(&["--practice"], "q\n");
    assert!(!said.contains("--resume"), "a practice game is gone with its process: {said}");
}

/// A player gives up in a game with secrets: everyone sees what was hidden, and the tricks so far count.
#[test]
fn the_end_of_a_resigned_game() {
    let Some(program) = Program::find("highcard").map(|program| program.in_folder("resigned")) else { return };
    let host = program.host();
    let mut clients = vec![Client::create_with(host.address, "highcard", r#"{"seats": 2}"#)];
    clients.push(Client::join(host.address, &clients[0].game.clone()));
    for (at, client) in clients.iter_mut().enumerate() {
        client.command(&json!(["Join", format!("P{at}")]));
        client.until("Joined");
    }
    let mut watcher = Client::watch(host.address, &clients[0].game);
    // Each plays a card, so that one of them has a trick.
    for seat in [0, 1] {
        clients[seat].settle();
        let card = view(&clients[seat]).expect("a view")["hands"][seat][0].clone();
        clients[seat].command(&json!(["Play", card]));
        clients[seat].until("Moved");
    }
    clients[1].settle();
    let hidden = &view(&clients[1]).expect("a view")["hands"][0];
    assert_eq!(*hidden, json!([0, 0, 0]), "the other hand is hidden");
    clients[1].command(&json!(["Resign"]));
    let mut hands = Vec::new();
    for client in clients.iter_mut().chain([&mut watcher]) {
        client.until("Finished");
        hands.push(view(client).expect("a view")["hands"].clone());
    }
    let known = |hand: &Value| hand.as_array().is_some_and(|cards| cards.iter().all(|card| *card != json!(0)));
    assert!(hands.iter().all(|both| known(&both[0]) && known(&both[1])), "{hands:?}");
    drop(host);

    let log = program.log();
    assert!(program.run(&["log", "replay", &log]).contains("folded again"), "replay");
    let stats = program.run(&["log", "stats", &log]);
    assert!(stats.contains("P0 won, 1:0; P1 gave up") || stats.contains("P0 won, 0:1; P1 gave up"), "{stats}");
    let stats: Value = serde_json::from_str(&program.run(&["log", "stats", &log, "--json"])).expect("JSON");
    let seats = &stats["rulebooks"]["highcard"]["seats"];
    assert_eq!((&seats[0]["won"], &seats[1]["lost"]), (&json!(1), &json!(1)), "{stats}");
    let points = |seat: usize| seats[seat]["points"][0].as_i64().expect("points");
    assert_eq!(points(0) + points(1), 1, "one trick was taken: {stats}");
}

/// What it writes is built and tested by `cargo xtask test examples`.
#[test]
fn new_game() {
    let Some(program) = Program::find("tictactoe").map(|program| program.in_folder("new-game")) else { return };
    let said = program.try_run(&["new", "game", "pebble"]).expect("a new crate");
    assert!(said.contains("cargo run -- dev"), "{said}");
    let files = ["Cargo.toml", "README.md", "src/main.rs", "web/draw.js", "web/draw.css"];
    assert_eq!(files.map(|file| program.has(&format!("pebble/{file}"))), [true; 5]);
    let complains = |arguments: &[&str], expected: &str| {
        let came = program.try_run(&[&["new", "game"], arguments].concat()).expect_err("a complaint");
        assert!(came.contains(expected), "{arguments:?}: {came}");
    };
    complains(&["pebble"], "pebble exists already; nothing was written");
    complains(&["Pebble"], "is not the name of a game");
    complains(&["../pebble"], "is not the name of a game");
    complains(&[""], "is not the name of a game");
    complains(&["web"], "a host has pages of this name");
    complains(&["test"], "a crate cannot be called test");
    complains(&["serde"], "a crate cannot be called serde");
    complains(&["stone", "--holdfast", "/nowhere"], "/nowhere does not have the sources of Holdfast");
    assert!(!program.has("stone/Cargo.toml"), "nothing is written after a complaint");
}

#[test]
fn events_have_one_kind() {
    assert_eq!(kind(&json!({"Played": {"seat": 0}})), Some("Played"));
    assert_eq!(kind(&json!([])), None);
}
