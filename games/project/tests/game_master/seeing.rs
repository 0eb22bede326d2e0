//! The page of the Game Master shows the whole state of the running game.

use std::net::Ipv4Addr;

use serde_json::{Value, json};
use server::Http;
use testkit::Request;
use tokio::sync::watch;

use crate::world::{SMALL, World};

async fn get(address: std::net::SocketAddr, path: &str) -> Vec<Value> {
    let answer = Request::get(path).send(address).await;
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    answer.json_lines()
}

#[tokio::test]
async fn everything_of_the_running_game() {
    let world = World::new(SMALL).await;
    let [mut blue, _red] = world.begun().await;
    blue.does("Discover").await;
    let http = Http::bind((Ipv4Addr::LOCALHOST, 0).into()).await.expect("a port");
    let address = http.local_addr().expect("an address");
    let (_stop, stopping) = watch::channel(false);
    tokio::spawn(http.serve(world.host.clone(), stopping));

    let game = format!("/api/v1/games/{}", world.host.list()[0].game);
    let lines = get(address, &game).await;
    assert_eq!(lines[0]["game"]["stage"], json!({"width": 4, "height": 8, "goal_rows": 2, "players_per_team": 1}));
    let steps = lines[1]["index"]["steps"].as_u64().expect("steps");
    let lines = get(address, &format!("{game}/chronicle?from={steps}")).await;
    let hidden = &lines[0]["checkpoint"]["picture"]["hidden"];
    let truth = world.truth();
    assert_eq!(hidden["phase"], json!("running"));
    assert_eq!(hidden["pieces"].as_array().expect("pieces").len(), 5);
    assert_eq!(hidden["goals"].as_array().expect("goals").len(), 4);
    let known = &hidden["players"][0];
    let at = blue.pawn(&world);
    assert_eq!((&known["x"], &known["y"], &known["team"]), (&json!(at.x), &json!(at.y), &json!("Blue")));
    assert_eq!(known["counts"]["discovers"], json!(1));
    assert_eq!(known["response"]["last"], json!(0), "no cost, no wait");
    let rows: Vec<&str> = known["knows"]["rows"].as_array().expect("rows").iter().filter_map(Value::as_str).collect();
    let told: usize = rows
        .iter()
        .map(|row| row.split(' ').filter(|tile| !tile.is_empty()).map(|tiles| tiles.len() / 10).sum::<usize>())
        .sum();
    assert_eq!(told, truth.ground().area().around(at).count(), "the tiles around: {rows:?}");
    // Events with their receivers can be searched.
    let found = get(address, &format!("{game}/search?q=discovers")).await;
    assert!(found[0]["found"][0]["text"].as_str().expect("text").contains("player 1 (Blue)"), "{found:?}");
}
