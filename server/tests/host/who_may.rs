//! Who may do what: every row of the table of routes in docs/http-api.md, and every message of the wire in docs/protocol.md, tried by each
//! person. A test beside the routes compares the first table with the routes, so a new route without a row fails there.

use std::{net::Ipv4Addr, sync::Arc};

use commlib::{Form, Token, Want};
use serde_json::json;
use server::{Limits, Options, log::MemoryLog};
use testkit::{Request, Response};

use crate::{
    counter::Command,
    support::{Player, Port, Rejection, Served, create, hello, join, options, resume, watch},
};

const OPERATOR: &str = "a token of the operator";

/// The people who ask. Accounts get a place here: another account, the account of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Person {
    /// Knows the name of the game.
    Stranger,
    /// Has an invitation.
    Guest,
    /// A client of the game, with its token and without an invitation.
    Player,
    /// Created the game, which has not begun.
    Creator,
    Operator,
}

const PEOPLE: [Person; 5] = [Person::Stranger, Person::Guest, Person::Player, Person::Creator, Person::Operator];

/// A game by invitation with its people: one that waits, and one that is over.
struct World {
    served: Served,
    port: Port,
    invitation: String,
    creator: Token,
    player: Player,
    over: String,
}

impl World {
    async fn new() -> Self {
        let usual = options(Arc::new(MemoryLog::new()), Limits::default());
        let served = Served::open(Options { admin_token: Some(OPERATOR.into()), ..usual }).await;
        let port = Port::on(&served, Ipv4Addr::UNSPECIFIED).await;
        let make = async |end: bool| {
            let request =
                Request::post_json("/api/v1/games", json!({"scenario": "9", "admission": "invited"}).to_string());
            let made = operate(request).send(port.address).await;
            assert_eq!(made.status, 201, "{made:?}");
            let made = made.json();
            if end {
                let path = format!("/api/v1/games/{}/access", made["game"].as_str().expect("a name"));
                let end = Request::post_json(&path, json!({"token": made["creator"], "change": "end"}).to_string());
                assert_eq!(end.send(port.address).await.status, 200);
            }
            made
        };
        let (waiting, over) = (make(false).await, make(true).await);
        let invitation = waiting["invitation"].as_str().expect("a code").to_owned();
        let creator = serde_json::from_value(waiting["creator"].clone()).expect("a secret");
        let player = served.enter(Form::Json, join(&invitation)).await.expect("a place");
        let over = over["invitation"].as_str().expect("a code").to_owned();
        Self { served, port, invitation, creator, player, over }
    }

    /// A request of a person to a row of the table.
    async fn ask(&self, person: Person, row: &str, method: &str) -> Response {
        // What is removed or continued is over; everything else is asked of the game that waits.
        let is_about_end = method == "DELETE" || ["fork", "archive", "redact"].iter().any(|end| row.ends_with(end));
        let code = if is_about_end { &self.over } else { &self.invitation };
        let name = if person == Person::Guest { code } else { code.split('.').next().expect("a name") };
        let path = row.replace("{name}", name).replace("{form}", "jsonl").replace("{rulebook}", "counter");
        let path = path.replace("{question}", "nothing").replace("{page}", "index").replace("{*path}", "games.js");
        let path = if row.ends_with("/search") { format!("{path}?q=a") } else { path };
        let made_up = Token::new([7; 16]);
        let token = match person {
            Person::Stranger | Person::Guest => Some(made_up),
            Person::Player => Some(self.player.token()),
            Person::Creator => Some(self.creator),
            Person::Operator => None,
        };
        let body = match row.rsplit('/').next().unwrap_or_default() {
            "games" => json!({"scenario": "9"}),
            "fork" => json!({"entry": 0}),
            "redact" => json!({"names": ["Ana"]}),
            "access" => token.map_or(json!({}), |token| json!({"token": token})),
            "rematch" => json!({"token": token.unwrap_or(made_up)}),
            "bots" => json!({"token": token.unwrap_or(made_up), "bot": "none"}),
            _ => json!({}),
        };
        let request =
            if method == "POST" { Request::post_json(&path, body.to_string()) } else { Request::new(method, &path) };
        let request = if person == Person::Operator { operate(request) } else { request };
        request.send(self.port.address).await
    }
}

fn operate(request: Request) -> Request {
    request.header("Authorization", &format!("Bearer {OPERATOR}"))
}

/// The rows of a table with this head: their cells.
fn rows(document: &str, head: &str) -> Vec<Vec<String>> {
    let (_, table) = document.split_once(head).expect("a table");
    let cells =
        |line: &str| line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`').to_owned()).collect();
    table.lines().skip(1).take_while(|line| line.starts_with('|')).map(cells).collect()
}

/// Whether a person may use a row, by the words of the table.
fn may(who: &str, person: Person) -> bool {
    use Person::{Creator, Guest, Operator, Player};
    match who {
        "anyone" => true,
        "anyone who may see the game" => person == Guest,
        // The game is by invitation: the path needs one, also for its clients.
        "a client of the game, with its token" => false,
        "the creator before the start, the operator" => [Creator, Operator].contains(&person),
        "the operator" => person == Operator,
        other => panic!("the table has a person that this test does not know: {other} ({Player:?})"),
    }
}

#[tokio::test]
async fn every_route() {
    let document = include_str!("../../../docs/http-api.md");
    let table = rows(document, "| path | method | who may | other sites |\n");
    assert!(table.len() > 30, "{table:?}");
    for row in table {
        let (path, method, who) = (&row[0], &row[1], &row[2]);
        // These stay open, or are asked with headers of their own. This host has no accounts; `accounts` tries their routes.
        if path.ends_with("/live") || path.ends_with("/play") || who == "an account" {
            continue;
        }
        // Deleting is the last that a game can be asked.
        let world = World::new().await;
        for person in PEOPLE {
            let answer = world.ask(person, path, method).await;
            let is_page = !path.starts_with("/api/");
            let is_refused = [401, 403].contains(&answer.status)
                || answer.status == 404 && !is_page && answer.body.contains("unknown_game");
            assert_eq!(!is_refused, may(who, person), "{person:?}: {method} {path}: {answer:?}");
        }
    }
}

/// A client of the game with an invitation in the path and its token in the body.
#[tokio::test]
async fn clients_with_an_invitation() {
    let world = World::new().await;
    let path = format!("/api/v1/games/{}/bots", world.invitation);
    for (token, status) in [(world.player.token(), 409), (Token::new([7; 16]), 403)] {
        let body = json!({"token": token, "bot": "none"}).to_string();
        let answer = Request::post_json(&path, body).send(world.port.address).await;
        // The game takes no more players: the host has looked at the request.
        assert_eq!(answer.status, status, "{answer:?}");
    }
}

/// Whether a hello is taken.
async fn taken(world: &World, hello: commlib::Hello) -> bool {
    match world.served.enter(Form::Json, hello).await {
        Ok(_) => true,
        Err(Rejection::Refused(_) | Rejection::Closing(_)) => false,
    }
}

/// Whether a message with this word comes before a refusal.
async fn heard(person: &mut Player, word: &str) -> bool {
    loop {
        let message = person.next().await;
        if message.contains(word) || message.contains("refused") {
            return message.contains(word);
        }
    }
}

#[tokio::test]
async fn every_message() {
    let document = include_str!("../../../docs/protocol.md");
    let table = rows(document, "| message | stranger | guest | spectator | player |\n");
    let world = World::new().await;
    let name = world.invitation.split('.').next().expect("a name").to_owned();
    let yes = |may: bool| if may { "yes" } else { "no" };
    let mut found: Vec<Vec<String>> = Vec::new();
    let mut note = |message: &str, cells: [Option<bool>; 4]| {
        let cells = cells.map(|cell| cell.map_or("", yes).to_owned());
        found.push([message.to_owned()].into_iter().chain(cells).collect());
    };
    let lists = world.served.connect(Form::Json).await.games().await.is_ok();
    note("hello: list", [Some(lists), Some(lists), None, None]);
    let creates = taken(&world, create("9")).await;
    note("hello: create", [Some(creates), Some(creates), None, None]);
    note(
        "hello: join",
        [Some(taken(&world, join(&name)).await), Some(taken(&world, join(&world.invitation)).await), None, None],
    );
    let watches = (taken(&world, watch(&name, 0)).await, taken(&world, watch(&world.invitation, 0)).await);
    note("hello: watch", [Some(watches.0), Some(watches.1), None, None]);
    let made_up = hello(Want::Resume { token: Token::new([7; 16]), seen: 0 }, Some(&name));
    let back = taken(&world, resume(&name, world.player.token(), 0)).await;
    note("hello: resume", [Some(taken(&world, made_up).await), None, None, Some(back)]);

    let mut spectator = world.served.enter(Form::Json, watch(&world.invitation, 0)).await.expect("a place");
    let mut player = world.served.enter(Form::Json, join(&world.invitation)).await.expect("a place");
    player.send(Command::Join { name: "Ana".into() }).await;
    player.hears().await;
    let mut cells = Vec::new();
    for person in [&mut spectator, &mut player] {
        person.hears().await;
        person.add(1).await;
        let heard = person.hears().await;
        cells.push(!heard.contains("refused"));
    }
    note("command", [None, None, Some(cells[0]), Some(cells[1])]);
    let mut cells = Vec::new();
    for person in [&mut spectator, &mut player] {
        person.ping().await;
        cells.push(heard(person, "pong").await);
    }
    note("ping", [None, None, Some(cells[0]), Some(cells[1])]);
    let mut cells = Vec::new();
    for person in [&mut spectator, &mut player] {
        person.ask_offers(1).await;
        cells.push(person.hears().await.contains("offers 1"));
    }
    note("offers", [None, None, Some(cells[0]), Some(cells[1])]);
    let mut cells = Vec::new();
    for person in [&mut spectator, &mut player] {
        person.want_notices(true).await;
        cells.push(heard(person, "notice").await);
    }
    note("notices", [None, None, Some(cells[0]), Some(cells[1])]);
    let mut cells = Vec::new();
    for person in [&mut spectator, &mut player] {
        person.chat("hello").await;
        cells.push(heard(person, "hello").await);
    }
    note("chat", [None, None, Some(cells[0]), Some(cells[1])]);
    assert_eq!(table, found);
}
