//! Games of the protocol 2022 over real sockets.

use std::time::Duration;

use treasure::documents::y2022::{
    answer::{Answer, error},
    request::{HalfMap, Move, Registration},
    state,
};
use treasure::players::{End, Failure, Names, Style, y2022};
use treasure_rules::{Command, Field, Position};

use crate::gateway::{Fate, Gateway, Hosted, Plan};

/// Answers a request as a server of 2022, with the protocol's own documents.
fn answer(hosted: &mut Hosted, path: &str, body: &str) -> Option<String> {
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let body = body.as_bytes();
    let (player, command) = match parts[..] {
        ["games", "Game1", "players"] => {
            let Registration { first_name, last_name, account } = Registration::read(body).expect("a registration");
            let client = hosted.newcomer();
            let id = format!("player {}", client.0).replace(' ', "-");
            let (first_name, last_name, account) = (first_name.into(), last_name.into(), account.into());
            let command = Command::Register { id: id.as_str().into(), first_name, last_name, account };
            return Some(match hosted.take(client, command) {
                Some(refusal) => error(refusal.name(), &refusal.to_string()),
                None => Answer::Player(id).write(),
            });
        }
        ["games", "Game1", "states", id] => return Some(state(hosted, id)),
        ["games", "Game1", "halfmaps"] => {
            let HalfMap { player, nodes } = HalfMap::read(body).expect("a half");
            let field = |node: &treasure::documents::y2022::request::HalfNode| Field {
                at: Position::clamped(node.x.into(), node.y.into()),
                terrain: node.terrain,
                fort: node.fort,
            };
            (player, Command::SendHalf { fields: nodes.iter().map(field).collect(), coding: None })
        }
        ["games", "Game1", "moves"] => {
            let Move { player, direction } = Move::read(body).expect("a move");
            (player, Command::Move { direction })
        }
        _ => return Some(error("UnknownGame", "there is no such game")),
    };
    let client = hosted.client(&player).expect("a player of the game");
    let refusal = hosted.take(client, command);
    Some(refusal.map_or_else(|| Answer::Okay.write(), |refusal| error(refusal.name(), &refusal.to_string())))
}

fn state(hosted: &Hosted, id: &str) -> String {
    let view = hosted.game.view_ref(hosted.client(id).expect("a player of the game"));
    let players = view.players().into_iter().map(|player| state::Player {
        id: player.id,
        first_name: player.first_name.to_string(),
        last_name: player.last_name.to_string(),
        account: player.account.to_string(),
        standing: player.standing,
        collected_treasure: player.collected,
    });
    let nodes = view.nodes().map(|node| state::Node {
        x: node.at.x.into(),
        y: node.at.y.into(),
        terrain: node.terrain,
        players: node.players,
        treasure: node.treasure,
        fort: node.fort,
    });
    let id = view.game_state_id().expect("a player has a state");
    state::GameState { id, players: players.collect(), nodes: nodes.collect() }.write()
}

async fn play(gateway: &Gateway, style: Style, seed: i64) -> Result<End, Failure> {
    let base = format!("http://{}", gateway.address).parse().expect("a base URL");
    let names = Names { first_name: "A".into(), last_name: "B".into(), account: "c".into() };
    let (patience, poll) = (Duration::from_secs(300), Duration::from_millis(1));
    let options = y2022::Options { base, game: "Game1".into(), player: None, names, patience, poll };
    y2022::play(options, style, seed, &mut |_| {}).await
}

/// Two players play. The winner wins by the rules, and both are told the result.
async fn check(plan: Plan, seed: i64) -> (End, usize) {
    let gateway = Gateway::start("2022", seed, plan, answer).await;
    let (mind, walker) = tokio::join!(play(&gateway, Style::Mind, seed), play(&gateway, Style::Walker, seed + 100));
    let (mind, walker) = (mind.expect("a game"), walker.expect("a game"));
    assert_ne!(mind.won, walker.won);
    let hosted = gateway.hosted.lock().expect("no panic");
    let winner = if mind.won { &mind } else { &walker };
    assert_eq!(winner.reason, "the treasure is in the opponent's fort", "{:?}", hosted.game.public().outcome());
    let all = hosted.game.public().actions();
    assert!(
        mind.actions.abs_diff(walker.actions) <= 1 && mind.actions + walker.actions == all,
        "{all}: {mind:?} {walker:?}"
    );
    (mind, hosted.lost)
}

#[tokio::test]
async fn a_game() {
    let (end, _) = check(|_, _, _| Fate::Answered, 1).await;
    assert!(end.won, "{end:?}");
}

/// A connection may be lost before or after its request is processed. No action is repeated or omitted in either case.
#[tokio::test]
async fn lost_connections() {
    fn plan(path: &str, _: &str, number: usize) -> Fate {
        match number % 7 {
            _ if path.ends_with("players") => Fate::Answered,
            3 => Fate::Ignored,
            6 => Fate::Taken,
            _ => Fate::Answered,
        }
    }
    for seed in 2..6 {
        let (_, lost) = check(plan, seed).await;
        assert!(lost > 20, "{lost}");
    }
}

#[tokio::test]
async fn a_lost_registration_and_a_lost_half() {
    fn plan(path: &str, _: &str, number: usize) -> Fate {
        match (number, path.ends_with("halfmaps")) {
            (1, _) => Fate::Ignored,
            (_, true) => Fate::Taken,
            (_, false) => Fate::Answered,
        }
    }
    let (_, lost) = check(plan, 6).await;
    assert_eq!(lost, 3);
}

/// A server that is killed and restarted costs only time.
#[tokio::test]
async fn a_server_that_is_away() {
    let gateway = Gateway::start("2022", 7, |_, _, _| Fate::Answered, answer).await;
    let breaks = async {
        for _ in 0..3 {
            tokio::time::sleep(Duration::from_millis(30)).await;
            gateway.be_away(Duration::from_millis(300)).await;
        }
    };
    let (mind, walker, ()) = tokio::join!(play(&gateway, Style::Mind, 7), play(&gateway, Style::Walker, 8), breaks);
    assert_ne!(mind.expect("a game").won, walker.expect("a game").won);
}

/// The reason for a lost game is the message of the server.
#[tokio::test]
async fn reasons_and_refusals() {
    let gateway = Gateway::start("2022", 8, |_, _, _| Fate::Answered, answer).await;
    let base: treasure::players::http::BaseUrl = format!("http://{}", gateway.address).parse().expect("a base URL");
    let names = Names { first_name: "A".into(), last_name: "B".into(), account: "c".into() };
    let options = |game: &str| y2022::Options {
        base: base.clone(),
        game: game.into(),
        player: None,
        names: names.clone(),
        patience: Duration::from_secs(300),
        poll: Duration::from_millis(1),
    };
    let unknown = y2022::play(options("Nope1"), Style::Walker, 1, &mut |_| {}).await.expect_err("no such game");
    assert_eq!(unknown.to_string(), "the server refused: UnknownGame: there is no such game");
    let (one, other, third) = tokio::join!(play(&gateway, Style::Mind, 1), play(&gateway, Style::Walker, 2), async {
        while gateway.hosted.lock().expect("no panic").game.players().len() < 2 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        play(&gateway, Style::Walker, 3).await
    });
    assert!(one.is_ok() && other.is_ok());
    let third = third.expect_err("two play already").to_string();
    assert!(third.starts_with("the server refused: GameFull: "), "{third}");

    let closed = y2022::Options {
        base: "http://127.0.0.1:1".parse().expect("a base URL"),
        patience: Duration::from_millis(300),
        ..options("Game1")
    };
    let away = y2022::play(closed, Style::Walker, 1, &mut |_| {}).await.expect_err("no server is there").to_string();
    assert!(away.starts_with("no connection: "), "{away}");
}
