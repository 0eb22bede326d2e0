//! Who may do what: every row of the table of routes in docs/http-api.md, and every message of the wire in docs/protocol.md (`messages`),
//! tried by each person. A test beside the routes compares the first table with the routes, so a new route without a row fails there.

mod messages;

use std::{net::Ipv4Addr, sync::Arc, time::Duration};

use commlib::{Form, Token};
use serde_json::json;
use server::{
    Limits, Options,
    accounts::AccountsMode,
    host_store::{HostStore, MemoryHostStore},
    log::MemoryLog,
};
use testkit::{Request, Response};
use tokio::time::timeout;

use crate::support::{Player, Port, Served, join, options};

const OPERATOR: &str = "a token of the operator";

/// How long an answer that stays open may take to begin.
const BEGINS: Duration = Duration::from_millis(500);

/// The people who ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Person {
    /// Knows the name of the game.
    Stranger,
    /// Has an invitation.
    Guest,
    /// Has signed in, and knows the name of the game. It is no client of the game.
    Account,
    /// A client of the game, with its token and without an invitation.
    Player,
    /// Created the game, which has not begun.
    Creator,
    Operator,
}

const PEOPLE: [Person; 6] =
    [Person::Stranger, Person::Guest, Person::Account, Person::Player, Person::Creator, Person::Operator];

/// A store with an account, and a token of it. Making one takes long, so all worlds share it.
struct Accounts {
    store: Arc<dyn HostStore>,
    token: String,
}

impl Accounts {
    async fn new() -> Self {
        let store: Arc<dyn HostStore> = Arc::new(MemoryHostStore::default());
        let (_served, port) = serve(store.clone()).await;
        let body = json!({"name": "Cy", "password": "correct horse"}).to_string();
        let answer = port.post("/api/v1/register", &body).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        let cookie = answer.header("set-cookie").and_then(|cookie| cookie.split(';').next()).expect("a cookie");
        let csrf = answer.json()["csrf"].as_str().expect("a token").to_owned();
        let request = Request::post_json("/api/v1/me/tokens", "{}").header("Cookie", cookie);
        Self { store, token: token_of(&request.header("X-CSRF-Token", &csrf).send(port.address).await) }
    }
}

fn token_of(made: &Response) -> String {
    made.json()["token"].as_str().unwrap_or_else(|| panic!("{made:?}")).to_owned()
}

async fn serve(host_store: Arc<dyn HostStore>) -> (Served, Port) {
    let usual = options(Arc::new(MemoryLog::new()), Limits::default());
    let (admin_token, accounts) = (Some(OPERATOR.into()), AccountsMode::Optional);
    let served = Served::open(Options { admin_token, host_store, accounts, ..usual }).await;
    let port = Port::on(&served, Ipv4Addr::UNSPECIFIED).await;
    (served, port)
}

/// A game by invitation with its people: one that waits, and one that is over.
struct World {
    _served: Served,
    port: Port,
    invitation: String,
    creator: Token,
    player: Player,
    over: String,
    /// A token of the account.
    account: String,
}

impl World {
    async fn new(accounts: &Accounts) -> Self {
        let (served, port) = serve(accounts.store.clone()).await;
        let account = accounts.token.clone();
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
        Self { _served: served, port, invitation, creator, player, over, account }
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
            Person::Stranger | Person::Guest | Person::Account => Some(made_up),
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
        let request = match person {
            Person::Operator => operate(request),
            // Signing out ends the token.
            Person::Account if row.ends_with("/sign-out") => {
                let make = bearer(Request::post_json("/api/v1/me/tokens", "{}"), &self.account);
                bearer(request, &token_of(&make.send(self.port.address).await))
            }
            Person::Account => bearer(request, &self.account),
            Person::Stranger | Person::Guest | Person::Player | Person::Creator => request,
        };
        if row.ends_with("/live") {
            return self.begin(&request).await;
        }
        request.send(self.port.address).await
    }

    /// The beginning of an answer that stays open.
    async fn begin(&self, request: &Request) -> Response {
        use tokio::io::AsyncReadExt as _;
        let (mut stream, mut bytes) = (request.open(self.port.address).await, Vec::new());
        while let Ok(Ok(1..)) = timeout(BEGINS, stream.read_buf(&mut bytes)).await {}
        // An answer that is whole is a refusal.
        Response::parse("GET", &bytes).ok().flatten().unwrap_or_else(|| {
            assert!(bytes.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&bytes));
            Response { status: 200, head: String::new(), body: String::new() }
        })
    }
}

fn operate(request: Request) -> Request {
    bearer(request, OPERATOR)
}

fn bearer(request: Request, token: &str) -> Request {
    request.header("Authorization", &format!("Bearer {token}"))
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
    use Person::{Account, Creator, Guest, Operator, Player};
    match who {
        "anyone" => true,
        "anyone who may see the game" => person == Guest,
        // The game is by invitation: the path needs one, also for its clients.
        "a client of the game, with its token" => false,
        "the creator before the start, the operator" => [Creator, Operator].contains(&person),
        "the operator" => person == Operator,
        "an account" => person == Account,
        other => panic!("the table has a person that this test does not know: {other} ({Player:?})"),
    }
}

#[tokio::test]
async fn every_route() {
    let document = include_str!("../../../docs/http-api.md");
    let table = rows(document, "| path | method | who may | other sites |\n");
    assert!(table.len() > 40, "{table:?}");
    let accounts = Accounts::new().await;
    for row in table {
        let (path, method, who) = (&row[0], &row[1], &row[2]);
        // Deleting is the last that a game can be asked.
        let world = World::new(&accounts).await;
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
    let world = World::new(&Accounts::new().await).await;
    let path = format!("/api/v1/games/{}/bots", world.invitation);
    for (token, status) in [(world.player.token(), 409), (Token::new([7; 16]), 403)] {
        let body = json!({"token": token, "bot": "none"}).to_string();
        let answer = Request::post_json(&path, body).send(world.port.address).await;
        // The game takes no more players: the host has looked at the request.
        assert_eq!(answer.status, status, "{answer:?}");
    }
}
