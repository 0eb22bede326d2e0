//! Accounts over real sockets: HTTP, WebSockets and the wire.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::{Duration, Instant},
};

use commlib::{Form, Hello, Reason, Want};
use serde_json::{Value, json};
use server::{
    AddressLimits, Limits, Moderation, Options, RealWorld,
    accounts::{AccountState, AccountStore, AccountsMode},
    host_store::{HostStore, MemoryHostStore},
    log::{EventLog, MemoryLog},
};
use testkit::{Request, Response};

use crate::{
    counter::Command,
    support::{Player, Port, Rejection, Scratch, Served, create, hello, join, options, resume, watch},
    websocket::Socket,
};

const OPERATOR: &str = "a token of the operator";
const PASSWORD: &str = "correct horse";
/// Instead of a token, from a guest that knows the reasons of accounts.
const GUEST: &str = "";
const NEEDS_ACCOUNT: &str = "This host requires an account to create games and to play; sign in first.";

/// A host with accounts, whose HTTP port is not on loopback, so that only the token makes an operator.
struct Site {
    served: Served,
    port: Port,
    store: Arc<dyn HostStore>,
}

impl Site {
    async fn new(accounts: AccountsMode) -> Self {
        Self::with(accounts, Limits::default(), Moderation::default()).await
    }

    async fn with(accounts: AccountsMode, limits: Limits, moderation: Moderation) -> Self {
        let store: Arc<dyn HostStore> = Arc::new(MemoryHostStore::default());
        Self::on(Arc::new(MemoryLog::new()), store, accounts, limits, moderation).await
    }

    async fn on(
        log: Arc<dyn EventLog>,
        store: Arc<dyn HostStore>,
        accounts: AccountsMode,
        limits: Limits,
        moderation: Moderation,
    ) -> Self {
        let usual = options(log, limits);
        let (admin_token, host_store) = (Some(OPERATOR.into()), store.clone());
        let served = Served::open(Options { admin_token, host_store, accounts, moderation, ..usual }).await;
        let port = Port::on(&served, Ipv4Addr::UNSPECIFIED).await;
        Self { served, port, store }
    }

    fn accounts(&self) -> AccountStore {
        AccountStore::new(self.store.clone(), Arc::new(RealWorld))
    }

    async fn register(&self, name: &str) -> Person {
        let body = json!({"name": name, "password": PASSWORD}).to_string();
        let answer = self.port.post("/api/v1/register", &body).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        Person::of(self.port.address, &answer)
    }

    async fn sign_in(&self, name: &str, password: &str) -> Response {
        let body = json!({"name": name, "password": password}).to_string();
        self.port.post("/api/v1/sign-in", &body).await
    }

    async fn operator(&self, path: &str, body: Option<Value>) -> Response {
        let request = match body {
            Some(body) => Request::post_json(path, body.to_string()),
            None => Request::get(path),
        };
        request.header("Authorization", &format!("Bearer {OPERATOR}")).send(self.port.address).await
    }
}

/// A browser that has signed in.
#[derive(Clone)]
struct Person {
    address: SocketAddr,
    cookie: String,
    csrf: String,
}

impl Person {
    fn of(address: SocketAddr, answer: &Response) -> Self {
        let cookie = answer.header("set-cookie").expect("a cookie");
        assert!(cookie.contains("; httponly; samesite=strict") && cookie.contains("; path=/;"), "{cookie}");
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Self { address, cookie, csrf: answer.json()["csrf"].as_str().expect("a token").to_owned() }
    }

    async fn get(&self, path: &str) -> Response {
        Request::get(path).header("Cookie", &self.cookie).send(self.address).await
    }

    async fn post(&self, path: &str, body: Value) -> Response {
        let request = Request::post_json(path, body.to_string()).header("Cookie", &self.cookie);
        request.header("X-CSRF-Token", &self.csrf).send(self.address).await
    }

    /// A new token for programs.
    async fn token(&self) -> String {
        let made = self.post("/api/v1/me/tokens", json!({"label": "bot"})).await;
        assert_eq!(made.status, 201, "{made:?}");
        made.json()["token"].as_str().expect("a token").to_owned()
    }

    async fn me(&self) -> Value {
        self.get("/api/v1/me").await.json()
    }
}

async fn with_token(port: &Port, token: &str, path: &str) -> Response {
    Request::get(path).header("Authorization", &format!("Bearer {token}")).send(port.address).await
}

async fn seat(player: &mut Player, name: &str) -> String {
    player.send(Command::Join { name: name.into() }).await;
    player.hears().await
}

fn code(answer: &Response) -> (u16, String) {
    (answer.status, answer.json()["error"]["code"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn an_account_from_its_registration_to_its_end() {
    let site = Site::new(AccountsMode::Optional).await;
    assert_eq!(site.port.get("/api/v1/me").await.json(), json!({"accounts": "optional", "name": null}));
    let ana = site.register("Ana").await;
    assert_eq!(ana.me().await["name"], "Ana");
    for (name, password, expected) in [
        ("ana", PASSWORD, (409, "name_taken")),
        (" ANA ", PASSWORD, (409, "name_taken")),
        ("x", PASSWORD, (400, "bad_message")),
        ("<b>", PASSWORD, (400, "bad_message")),
        ("Bo", "short", (400, "bad_message")),
    ] {
        let answer = site.port.post("/api/v1/register", &json!({"name": name, "password": password}).to_string()).await;
        assert_eq!(code(&answer), (expected.0, expected.1.to_owned()), "{name}");
    }
    // Wrong names and wrong passwords get the same answer.
    let wrong = site.sign_in("Ana", "correct horsf").await;
    let unknown = site.sign_in("Noone", "correct horsf").await;
    assert_eq!((wrong.status, &wrong.body), (401, &unknown.body));
    let again = site.sign_in("aNA", PASSWORD).await;
    assert_eq!(again.status, 200, "{again:?}");
    let again = Person::of(site.port.address, &again);
    let token = ana.token().await;
    assert_eq!(with_token(&site.port, &token, "/api/v1/me").await.json()["name"], "Ana");
    let listed = ana.get("/api/v1/me/tokens").await;
    assert_eq!(listed.json()["tokens"].as_array().map(Vec::len), Some(3), "{listed:?}");
    assert!(!listed.body.contains(&token), "only its hash is stored");

    let change = json!({"old": PASSWORD, "new": "another horse"});
    assert_eq!(ana.post("/api/v1/me/password", json!({"old": "wrong horse", "new": "x".repeat(9)})).await.status, 401);
    assert_eq!(ana.post("/api/v1/me/password", change).await.status, 200);
    assert_eq!(again.me().await["name"], Value::Null, "other sessions end");
    assert_eq!(with_token(&site.port, &token, "/api/v1/me").await.status, 401, "and tokens");
    assert_eq!(ana.me().await["name"], "Ana", "this one stays");
    assert_eq!(site.sign_in("Ana", PASSWORD).await.status, 401);

    let other = Person::of(site.port.address, &site.sign_in("Ana", "another horse").await);
    assert_eq!(other.post("/api/v1/sign-out", json!({})).await.status, 200);
    assert_eq!(other.me().await["name"], Value::Null);
    let export = ana.get("/api/v1/me/export").await.json();
    assert_eq!((&export["account"]["name"], &export["games"]), (&json!("Ana"), &json!([])));
    assert_eq!(ana.post("/api/v1/me/delete", json!({"password": PASSWORD})).await.status, 401);
    assert_eq!(ana.post("/api/v1/me/delete", json!({"password": "another horse"})).await.status, 200);
    assert_eq!(ana.me().await["name"], Value::Null);
    assert_eq!(site.sign_in("Ana", "another horse").await.status, 401);
    for kind in ["account", "name", "secret", "played", "standing"] {
        assert_eq!(site.store.documents(kind, "", "", 9).await.expect("documents"), [], "{kind}");
    }
    site.register("Ana").await;
}

#[tokio::test]
async fn a_store_has_no_secret() {
    let site = Site::new(AccountsMode::Optional).await;
    let ana = site.register("Ana").await;
    let token = ana.token().await;
    let session = ana.cookie.split_once('=').map(|(_, secret)| secret.to_owned()).expect("a secret");
    let mut all = String::new();
    for kind in ["account", "name", "secret", "played", "standing", "open", "meta"] {
        all += &format!("{:?}", site.store.documents(kind, "", "", 99).await.expect("documents"));
    }
    for secret in [PASSWORD, &token, &session, &token[21..], &session[21..], &ana.csrf] {
        assert!(!all.contains(secret), "{secret}");
    }
    assert!(all.contains("$argon2id$v=19$m=19456,t=2,p=1$"), "{all}");
}

#[tokio::test]
async fn a_cookie_alone_changes_nothing() {
    let site = Site::new(AccountsMode::Optional).await;
    let ana = site.register("Ana").await;
    let bo = site.register("Bo").await;
    for (path, body) in [
        ("/api/v1/me/tokens", json!({"label": "x"})),
        ("/api/v1/me/revoke", json!({"id": "0123456789abcdef"})),
        ("/api/v1/me/password", json!({"old": PASSWORD, "new": "another horse"})),
        ("/api/v1/me/delete", json!({"password": PASSWORD})),
        ("/api/v1/sign-out", json!({})),
    ] {
        let request = Request::post_json(path, body.to_string()).header("Cookie", &ana.cookie);
        assert_eq!(code(&request.send(site.port.address).await), (403, "csrf".into()), "{path}");
        let wrong = request.clone().header("X-CSRF-Token", &bo.csrf).send(site.port.address).await;
        assert_eq!(code(&wrong), (403, "csrf".into()), "of another session: {path}");
        let foreign = request.header("X-CSRF-Token", &ana.csrf).header("Origin", "http://evil.example");
        assert_eq!(code(&foreign.send(site.port.address).await), (403, "foreign_page".into()), "{path}");
    }
    assert_eq!(ana.me().await["name"], "Ana");
}

/// A page of an allowed origin is of the same site on localhost, so the browser sends the cookie. It must have no effect.
#[tokio::test]
async fn cookies_are_for_pages_of_this_host() {
    let usual = options(Arc::new(MemoryLog::new()), Limits::default());
    let origin = "http://localhost:5173";
    let allowed_origins = vec![origin.parse().expect("an origin")];
    let served = Served::open(Options { accounts: AccountsMode::Optional, allowed_origins, ..usual }).await;
    let port = Port::of(&served).await;
    let answer = port.post("/api/v1/register", &json!({"name": "Ana", "password": PASSWORD}).to_string()).await;
    let ana = Person::of(port.address, &answer);
    assert_eq!(ana.me().await["name"], "Ana");
    let foreign = Request::get("/api/v1/me").header("Cookie", &ana.cookie).header("Origin", origin);
    assert_eq!(foreign.send(port.address).await.json()["name"], Value::Null);
}

#[tokio::test]
async fn failed_sign_ins_are_limited_by_address_and_by_name() {
    let per_address = AddressLimits { failed_sign_ins_per_minute: 3, loopback: true, ..AddressLimits::default() };
    let limits = Limits { per_address, ..Limits::default() };
    let site = Site::with(AccountsMode::Optional, limits, Moderation::default()).await;
    site.register("Ana").await;
    for _ in 0..3 {
        assert_eq!(site.sign_in("Ana", "wrong horse").await.status, 401);
    }
    assert_eq!(site.sign_in("Ana", PASSWORD).await.status, 429, "even with the right password");
    assert_eq!(site.sign_in("Noone", PASSWORD).await.status, 429, "for every name");

    let site = Site::new(AccountsMode::Optional).await;
    site.register("Ana").await;
    let mut refused = 0;
    // Loopback has no limit for its address, but a name has one from everywhere.
    for _ in 0..25 {
        refused += u32::from(site.sign_in("Ana", "wrong horse").await.status == 429);
    }
    assert!((1..=5).contains(&refused), "{refused}");
    assert_eq!(site.sign_in("Bo", "wrong horse").await.status, 401);
}

#[tokio::test]
async fn unknown_names_take_as_long_as_wrong_passwords() {
    let site = Site::new(AccountsMode::Optional).await;
    site.register("Ana").await;
    site.sign_in("Noone", "wrong horse").await;
    let mut medians = Vec::new();
    for name in ["Ana", "Bo"] {
        let mut times = Vec::new();
        for _ in 0..9 {
            let began = Instant::now();
            assert_eq!(site.sign_in(name, "wrong horse").await.status, 401);
            times.push(began.elapsed());
        }
        times.sort();
        medians.push(times[4]);
    }
    let (longer, shorter) = (medians[0].max(medians[1]), medians[0].min(medians[1]));
    // Without the decoy, an unknown name is answered more than ten times faster.
    assert!(longer < shorter * 3 + Duration::from_millis(5), "{medians:?}");
}

#[tokio::test]
async fn without_accounts_there_are_none() {
    let site = Site::new(AccountsMode::Off).await;
    assert_eq!(site.port.get("/api/v1/me").await.json(), json!({"accounts": "off", "name": null}));
    let body = json!({"name": "Ana", "password": PASSWORD}).to_string();
    for path in ["/api/v1/register", "/api/v1/sign-in"] {
        assert_eq!(code(&site.port.post(path, &body).await), (404, "no_accounts".into()), "{path}");
    }
    for path in ["/api/v1/me/games", "/api/v1/me/tokens", "/api/v1/me/export", "/api/v1/leaderboard?rulebook=counter"] {
        assert_eq!(code(&site.port.get(path).await), (404, "no_accounts".into()), "{path}");
    }
    let token = format!("hfa_0123456789abcdef_{}", "0".repeat(32));
    let refused = site.served.enter_as(&token, Form::Json, create("5")).await.map(|player| player.welcome);
    assert_eq!(refused.err(), Some(Rejection::Refused(Reason::BadMessage)));
}

#[tokio::test]
async fn names_of_accounts_are_protected() {
    let site = Site::new(AccountsMode::Optional).await;
    let ana = site.register("Ana").await;
    let (token, bo) = (ana.token().await, site.register("Bo").await.token().await);
    for form in [Form::Json, Form::Binary] {
        let mut guest = site.served.enter_as(GUEST, form, create("100")).await.expect("a game");
        let game = guest.game().to_owned();
        assert_eq!(seat(&mut guest, "Ana").await, "refused NameTaken");
        let mut landed = site.served.enter(form, join(&game)).await.expect("a place");
        assert_eq!(seat(&mut landed, "Ana").await, "refused BadMessage", "what a client without accounts knows");
        assert_eq!(seat(&mut guest, " aNa").await, "refused NameTaken");
        let entries = site.served.host.log().find(&game).await.expect("a log").expect("the game").record.tail.entries;
        assert_eq!(entries, 0, "the rules see nothing of it");
        assert_eq!(seat(&mut guest, "Anatol").await, "1 Greeted; 2 Joined Anatol", "guests play");
        let mut other = site.served.enter_as(&bo, form, join(&game)).await.expect("a place");
        assert_eq!(seat(&mut other, "Ana").await, "refused NameTaken", "not for another account, either");
        let mut owner = site.served.enter_as(&token, form, join(&game)).await.expect("a place");
        assert_eq!(seat(&mut owner, "Ana").await, "1 Greeted; 2 Joined Ana");
    }
    // A new account protects its name at once, a deleted one no longer.
    let mut guest = site.served.enter_as(GUEST, Form::Json, create("100")).await.expect("a game");
    let cy = site.register("Cy").await;
    assert_eq!(seat(&mut guest, "Cy").await, "refused NameTaken");
    assert_eq!(cy.post("/api/v1/me/delete", json!({"password": PASSWORD})).await.status, 200);
    assert_eq!(seat(&mut guest, "Cy").await, "1 Greeted; 2 Joined Cy");
}

#[tokio::test]
async fn required_accounts() {
    let site = Site::new(AccountsMode::Required).await;
    let token = site.register("Ana").await.token().await;
    let refused =
        async |hello: Hello| site.served.enter_as(GUEST, Form::Json, hello).await.map(|player| player.welcome).err();
    for form in [Form::Json, Form::Binary] {
        let landed = site.served.enter(form, create("9")).await.map(|player| player.welcome).err();
        assert_eq!(landed, Some(Rejection::Refused(Reason::BadMessage)), "what a client without accounts knows");
    }
    assert_eq!(refused(create("9")).await, Some(Rejection::Refused(Reason::AccountRequired)));
    let mut ana = site.served.enter_as(&token, Form::Binary, create("9")).await.expect("a game");
    let game = ana.game().to_owned();
    assert_eq!(refused(join(&game)).await, Some(Rejection::Refused(Reason::AccountRequired)));
    assert_eq!(
        refused(hello(Want::Join { seat: Some(0) }, Some(&game))).await,
        Some(Rejection::Refused(Reason::AccountRequired))
    );
    // An earlier client is told what it knows.
    let old = Hello { protocol: 2, ..join(&game) };
    assert_eq!(refused(old).await, Some(Rejection::Refused(Reason::BadMessage)));
    site.served.enter(Form::Json, watch(&game, 0)).await.expect("guests watch");
    assert_eq!(seat(&mut ana, "Ana").await, "1 Greeted; 2 Joined Ana");
    site.served.enter(Form::Json, resume(&game, ana.token(), 0)).await.expect("a token of the game is enough");
    let wrong = format!("hfa_0123456789abcdef_{}", "0".repeat(32));
    let refused = site.served.enter_as(&wrong, Form::Json, join(&game)).await.map(|player| player.welcome);
    assert_eq!(refused.err(), Some(Rejection::Refused(Reason::AccountRequired)));
}

#[tokio::test]
async fn a_browser_plays_with_its_cookie() {
    let site = Site::new(AccountsMode::Required).await;
    let ana = site.register("Ana").await;
    let create = json!({"hello": {"protocol": 3, "want": {"create": {"scenario": "9"}}}});
    let mut guest = Socket::open(&site.port).await;
    guest.send(&create).await;
    assert_eq!(guest.next().await["refused"]["reason"], "bad_message");
    guest.send(&json!({"account": ""})).await;
    guest.send(&create).await;
    assert_eq!(guest.next().await["refused"]["reason"], "account_required");
    let mut socket = Socket::with_header(&site.port, &format!("Cookie: {}\r\n", ana.cookie)).await;
    socket.send(&create).await;
    let game = socket.next().await["welcome"]["game"].as_str().expect("a game").to_owned();
    socket.send(&json!({"command": {"Join": {"name": "Ana"}}})).await;
    assert_eq!(socket.next().await["event"]["number"], 1);
    let games = ana.get("/api/v1/me/games").await.json();
    assert_eq!((&games["games"][0]["game"], &games["games"][0]["ended"]), (&json!(game), &Value::Null));
    // A session that has ended is that of a guest.
    assert_eq!(ana.post("/api/v1/sign-out", json!({})).await.status, 200);
    let mut socket = Socket::with_header(&site.port, &format!("Cookie: {}\r\n", ana.cookie)).await;
    socket.send(&create).await;
    assert_eq!(socket.next().await["refused"]["message"], NEEDS_ACCOUNT);
}

/// Plays a game of these accounts to its end.
async fn play(site: &Site, tokens: &[(&str, &str)]) -> String {
    let mut players = Vec::new();
    let mut game = String::new();
    for (name, token) in tokens {
        let wanted = if game.is_empty() { create("3") } else { join(&game) };
        let mut player = match *token {
            "" => site.served.enter(Form::Json, wanted).await,
            token => site.served.enter_as(token, Form::Json, wanted).await,
        }
        .expect("a place");
        game = player.game().to_owned();
        seat(&mut player, name).await;
        players.push(player);
    }
    players[0].add(3).await;
    for player in &mut players {
        assert!(player.rest().await.ends_with("closing GameOver"));
    }
    game
}

async fn leaders(site: &Site) -> Value {
    let answer = site.port.get("/api/v1/leaderboard?rulebook=counter").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["players"].clone()
}

/// Waits until a game is counted, which happens after its players are told of its end.
async fn counted(site: &Site, game: &str) {
    while site.store.document("open", game).await.expect("an answer").is_some() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn each_finished_game_counts_once() {
    let scratch = Scratch::new();
    let store: Arc<dyn HostStore> = Arc::new(MemoryHostStore::default());
    let open = async || {
        let (limits, moderation) = (Limits::default(), Moderation::default());
        Site::on(scratch.log(), store.clone(), AccountsMode::Optional, limits, moderation).await
    };
    let site = open().await;
    let (ana, bo) = (site.register("Ana").await, site.register("Bo").await);
    let (for_ana, for_bo) = (ana.token().await, bo.token().await);
    let first = play(&site, &[("Ana", &for_ana), ("Bo", &for_bo), ("Guest", "")]).await;
    counted(&site, &first).await;
    let second = play(&site, &[("Ana", &for_ana), ("Guest", "")]).await;
    counted(&site, &second).await;
    let expected = json!([
        {"rulebook": "counter", "name": "Ana", "played": 2, "won": 2, "lost": 0, "drawn": 0, "points": 6, "average_points": 3.0,
         "rating": 1500, "rated": 1},
        {"rulebook": "counter", "name": "Bo", "played": 1, "won": 1, "lost": 0, "drawn": 0, "points": 3, "average_points": 3.0,
         "rating": 1500, "rated": 1},
    ]);
    assert_eq!(leaders(&site).await, expected);
    let games = ana.get("/api/v1/me/games").await.json()["games"].clone();
    let games: Vec<_> = games.as_array().expect("games").iter().collect();
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game["verdict"] == "won" && game["points"] == 3 && game["ended"].is_i64()));
    assert_eq!(ana.me().await["standings"], json!([expected[0]]));

    // A host that died before it counted: the game is still noted as open.
    let third = play(&site, &[("Bo", &for_bo)]).await;
    counted(&site, &third).await;
    let noted = json!({"clients": {"1": site.accounts().named("Bo").await.expect("Bo").0}}).to_string();
    let change =
        server::host_store::DocumentChange { kind: "open", key: third.clone(), before: None, after: Some(noted) };
    let games_of = |leaders: &Value, name: &str| {
        let player = leaders.as_array().expect("players").iter().find(|player| player["name"] == name);
        player.and_then(|player| player["played"].as_i64()).expect("a number")
    };
    assert_eq!(games_of(&leaders(&site).await, "Bo"), 2);
    site.served.stop().await;
    assert!(store.change_documents(vec![change]).await.expect("an answer"));
    let site = open().await;
    let after = leaders(&site).await;
    assert_eq!(games_of(&after, "Bo"), 3, "it is counted after the restart");
    let again = Site::on(
        Arc::new(MemoryLog::new()),
        store.clone(),
        AccountsMode::Optional,
        Limits::default(),
        Moderation::default(),
    );
    assert_eq!(leaders(&again.await).await, after, "and only once, by any host");
    assert_eq!(store.document("open", &third).await.expect("an answer"), None);
}

#[tokio::test]
async fn a_restarted_host_knows_the_accounts_of_clients() {
    let scratch = Scratch::new();
    let store: Arc<dyn HostStore> = Arc::new(MemoryHostStore::default());
    let open = async || {
        let (limits, moderation) = (Limits::default(), Moderation::default());
        Site::on(scratch.log(), store.clone(), AccountsMode::Required, limits, moderation).await
    };
    let site = open().await;
    let token = site.register("Ana").await.token().await;
    let ana = site.served.enter_as(&token, Form::Json, create("9")).await.expect("a game");
    let (game, seat_token) = (ana.game().to_owned(), ana.token());
    site.served.stop().await;
    let site = open().await;
    let mut ana = site.served.enter(Form::Json, resume(&game, seat_token, 0)).await.expect("the place");
    assert_eq!(seat(&mut ana, "Ana").await, "1 Greeted; 2 Joined Ana", "it is still Ana's");
}

#[tokio::test]
async fn locked_and_banned() {
    let site = Site::new(AccountsMode::Optional).await;
    let ana = site.register("Ana").await;
    let token = ana.token().await;
    let player = site.served.enter_as(&token, Form::Json, create("9")).await.expect("a game");
    let (accounts, game) = (site.accounts(), player.game().to_owned());
    let (id, _) = accounts.named("ana").await.expect("Ana");
    for state in [AccountState::Locked, AccountState::Banned] {
        accounts.set_state(&id, state).await.expect("stored");
        assert_eq!(site.sign_in("Ana", PASSWORD).await.status, 403);
        assert_eq!(site.sign_in("Ana", "wrong horse").await.status, 401, "only the owner learns of it");
        assert_eq!(ana.get("/api/v1/me").await.status, 403);
        let refused = site.served.enter_as(&token, Form::Json, join(&game)).await.map(|player| player.welcome);
        assert_eq!(refused.err(), Some(Rejection::Refused(Reason::Denied)));
        let resumed = site
            .served
            .enter_as(GUEST, Form::Json, resume(&game, player.token(), 0))
            .await
            .map(|player| player.welcome);
        assert_eq!(resumed.err(), Some(Rejection::Refused(Reason::Denied)), "nor with the token of the game");
    }
    accounts.set_state(&id, AccountState::Active).await.expect("stored");
    assert_eq!(site.sign_in("Ana", PASSWORD).await.status, 200);
    accounts.reset_password(&id, "a new password").await.expect("stored");
    assert_eq!(ana.me().await["name"], Value::Null);
    assert_eq!(site.sign_in("Ana", "a new password").await.status, 200);

    // Another host, or the command line, bans an address.
    accounts.ban("127.0.0.0/8".parse().expect("a network"), "spam").await.expect("stored");
    let other = Site::on(
        Arc::new(MemoryLog::new()),
        site.store.clone(),
        AccountsMode::Off,
        Limits::default(),
        Moderation::default(),
    );
    let other = other.await;
    assert_eq!(code(&other.port.get("/api/v1/games").await), (403, "denied".into()));
    assert_eq!(other.port.get("/").await.status, 403);
    for (entered, reason) in [
        (other.served.enter_as(GUEST, Form::Json, create("9")).await, Reason::Denied),
        (other.served.enter(Form::Binary, create("9")).await, Reason::BadMessage),
    ] {
        assert_eq!(entered.map(|player| player.welcome).err(), Some(Rejection::Closing(reason)));
    }
    tokio::time::sleep(Duration::from_millis(5_100)).await;
    assert_eq!(site.port.get("/api/v1/games").await.status, 403, "a running host sees it after 5 s");
    accounts.unban("127.9.9.9/8".parse().expect("a network")).await.expect("it is banned");
    assert!(accounts.unban("127.0.0.0/8".parse().expect("a network")).await.is_err(), "no longer");
}

#[tokio::test]
async fn reports_and_mutes() {
    let site = Site::new(AccountsMode::Optional).await;
    let mut ana = site.served.creator("100").await;
    let game = ana.game().to_owned();
    let mut bo = site.served.enter(Form::Binary, join(&game)).await.expect("a place");
    assert_eq!(seat(&mut bo, "Bo").await, "1 Greeted; 2 Joined Bo");
    ana.hears().await;
    let mut eve = site.served.enter(Form::Json, watch(&game, 0)).await.expect("a place");
    for player in [&mut ana, &mut bo, &mut eve] {
        player.ask_notices().await;
    }
    for text in ["one", "two", "three"] {
        bo.chat(text).await;
        while !ana.next().await.contains(text) {}
    }
    ana.report(2).await;
    assert_eq!(ana.next().await, r#"notice {"reported":2}"#);
    ana.report(9).await;
    assert!(ana.next().await.contains(r#""reason":"bad_message""#), "there is no such line");
    let reports = site.operator("/api/v1/reports", None).await.json();
    let report = &reports["reports"][0];
    assert_eq!((&report["game"], &report["line"], &report["by"]), (&json!(game), &json!(2), &json!("Ana")));
    let lines: Vec<&str> =
        report["lines"].as_array().expect("lines").iter().filter_map(|line| line["text"].as_str()).collect();
    assert_eq!(lines, ["one", "two", "three"], "with its context");

    let delete = json!({"delete_line": {"game": game, "line": 2}});
    assert_eq!(site.operator("/api/v1/reports", Some(delete.clone())).await.status, 200);
    let chat = site.port.get(&format!("/api/v1/games/{game}/chat")).await;
    assert!(chat.body.contains("[deleted by the operator]") && !chat.body.contains("two"), "{chat:?}");
    let snapshot = ana.ask_notices().await;
    assert!(snapshot.contains("[deleted by the operator]") && !snapshot.contains("two"), "{snapshot}");
    let wrong = json!({"delete_line": {"game": game, "line": 99}});
    assert_eq!(site.operator("/api/v1/reports", Some(wrong)).await.status, 404);
    let dismiss = json!({"dismiss": {"id": report["id"]}});
    assert_eq!(site.operator("/api/v1/reports", Some(dismiss.clone())).await.status, 200);
    assert_eq!(site.operator("/api/v1/reports", Some(dismiss)).await.status, 404);
    assert_eq!(site.operator("/api/v1/reports", None).await.json(), json!({"reports": []}));

    ana.mute("Bo", true).await;
    bo.chat("hidden").await;
    while !eve.next().await.contains("hidden") {}
    assert_eq!(ana.hears().await, "", "Ana does not see it");
    assert!(!ana.ask_notices().await.contains(r#""by":"Bo""#));
    ana.mute("Bo", false).await;
    assert!(ana.ask_notices().await.contains("hidden"));
    for number in 0..101 {
        ana.mute(&format!("writer {number}"), true).await;
    }
    assert!(ana.hears().await.contains(r#""reason":"too_many""#));
}

#[tokio::test]
async fn chat_as_the_operator_wants_it() {
    let words = Moderation::with_words("weed\nbad apple");
    let site = Site::with(AccountsMode::Off, Limits::default(), words).await;
    let mut ana = site.served.creator("100").await;
    ana.ask_notices().await;
    for (line, expected) in [("Bad, apple!", "bad_message"), ("WEED", "bad_message"), ("seaweed", "seaweed")] {
        ana.chat(line).await;
        assert!(ana.next().await.contains(expected), "{line}");
    }
    let mut off = Moderation::default();
    off.is_off = true;
    let site = Site::with(AccountsMode::Off, Limits::default(), off).await;
    let mut ana = site.served.creator("100").await;
    let snapshot = ana.ask_notices().await;
    assert!(snapshot.contains(r#""player":"Ana""#) && snapshot.contains(r#""chat":[]"#), "{snapshot}");
    ana.chat("hello").await;
    assert!(ana.next().await.contains("This server has no chat."));
    let chat = site.port.get(&format!("/api/v1/games/{}/chat", ana.game())).await;
    assert_eq!(chat.json(), json!({"lines": []}));
}

/// Every route about people, with the answer for each person: a stranger, a guest who plays, another account, the account whose
/// game it is (who created it), and the operator.
#[tokio::test]
async fn who_may_use_which_path() {
    let site = Site::new(AccountsMode::Optional).await;
    let (ana, bo) = (site.register("Ana").await, site.register("Bo").await);
    let creator = site.served.enter_as(&ana.token().await, Form::Json, create("9")).await.expect("a game");
    let guest = site.served.enter(Form::Json, join(creator.game())).await.expect("a place");
    let guest = format!("Bearer {}", serde_json::to_value(guest.token()).expect("a token").as_str().expect("a token"));
    let id = "0123456789abcdef";
    #[rustfmt::skip]
    let rows: &[(&str, &str, Value, [u16; 5])] = &[
        ("GET", "/api/v1/me", json!(null), [200, 200, 200, 200, 200]),
        ("GET", "/api/v1/me/games", json!(null), [401, 401, 200, 200, 401]),
        ("GET", "/api/v1/me/export", json!(null), [401, 401, 200, 200, 401]),
        ("GET", "/api/v1/me/tokens", json!(null), [401, 401, 200, 200, 401]),
        ("POST", "/api/v1/me/tokens", json!({"label": "x"}), [401, 401, 201, 201, 401]),
        ("POST", "/api/v1/me/revoke", json!({"id": id}), [401, 401, 404, 404, 401]),
        ("POST", "/api/v1/me/password", json!({"old": "wrong horse", "new": PASSWORD}), [401, 401, 401, 401, 401]),
        ("POST", "/api/v1/me/password", json!({"old": PASSWORD, "new": PASSWORD}), [401, 401, 200, 200, 401]),
        ("GET", "/api/v1/leaderboard?rulebook=counter", json!(null), [200, 200, 200, 200, 200]),
        ("GET", "/api/v1/leaderboard?rulebook=x", json!(null), [404, 404, 404, 404, 404]),
        ("GET", "/api/v1/reports", json!(null), [401, 401, 401, 401, 200]),
        ("POST", "/api/v1/reports", json!({"dismiss": {"id": "x"}}), [401, 401, 401, 401, 404]),
        ("POST", "/api/v1/reports", json!({"delete_line": {"game": creator.game(), "line": 1}}), [401, 401, 401, 401, 404]),
        ("POST", "/api/v1/sign-out", json!({}), [401, 401, 200, 200, 401]),
    ];
    for (method, path, body, expected) in rows {
        let ask = || match *method {
            "GET" => Request::get(path),
            _ => Request::post_json(path, body.to_string()),
        };
        let signed_in = |person: &Person| ask().header("Cookie", &person.cookie).header("X-CSRF-Token", &person.csrf);
        let operator = ask().header("Authorization", &format!("Bearer {OPERATOR}"));
        let people = [ask(), ask().header("Authorization", &guest), signed_in(&bo), signed_in(&ana), operator];
        for (person, (request, expected)) in people.iter().zip(expected).enumerate() {
            let answer = request.send(site.port.address).await;
            assert_eq!(answer.status, *expected, "{method} {path}, person {person}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn a_seat_is_reserved_for_an_account() {
    let site = Site::new(AccountsMode::Optional).await;
    let (ana, bo) = (site.register("Ana").await, site.register("Bo").await);
    let creator = site.served.enter_as(&ana.token().await, Form::Json, create("100")).await.expect("a game");
    let game = creator.game().to_owned();
    let manage = async |change: Value| {
        let body = json!({"token": creator.token(), "change": change}).to_string();
        Request::post_json(&format!("/api/v1/games/{game}/access"), body).send(site.port.address).await
    };
    assert_eq!(manage(json!({"admission": "invited"})).await.status, 200);
    let (path, for_bo) = (format!("/api/v1/games/{game}"), bo.token().await);
    assert_eq!(bo.get(&path).await.status, 404, "it does not exist for Bo");
    assert!(site.served.enter_as(&for_bo, Form::Json, join(&game)).await.is_err());
    assert_eq!(manage(json!({"invite": {"account": "Noone"}})).await.status, 400);
    assert_eq!(manage(json!({"invite": {"account": "Bo", "name": "Bo"}})).await.status, 400);
    let invited = manage(json!({"invite": {"account": "bo"}})).await;
    assert_eq!((&invited.json()["reserved"], &invited.json()["invitation"]), (&json!(["Bo"]), &Value::Null));
    assert_eq!(bo.get(&path).await.status, 200);
    assert_eq!(ana.get(&path).await.status, 404, "another account sees nothing");
    assert_eq!(site.port.get(&path).await.status, 404, "nor does a guest");
    let stranger = site.served.enter(Form::Json, join(&game)).await.map(|player| player.welcome);
    assert_eq!(stranger.err(), Some(Rejection::Refused(Reason::UnknownGame)));
    site.served.enter_as(&for_bo, Form::Binary, join(&game)).await.expect("without a code");
    site.served.enter_as(&for_bo, Form::Json, watch(&game, 0)).await.expect("without a code");
}

#[tokio::test]
async fn my_games_say_whose_turn_it_is_not() {
    let site = Site::new(AccountsMode::Optional).await;
    let ana = site.register("Ana").await;
    let mut player = site.served.enter_as(&ana.token().await, Form::Json, create("9")).await.expect("a game");
    seat(&mut player, "Ana").await;
    // In the counter game, anyone may count at any time.
    let me = ana.me().await;
    assert_eq!((&me["running"], &me["your_turn"]), (&json!(1), &json!([])));
}

#[tokio::test]
async fn the_server_of_one_game_has_no_accounts() {
    let usual = options(Arc::new(MemoryLog::new()), Limits::default());
    let served = Served::open(Options { one_game: true, accounts: AccountsMode::Required, ..usual }).await;
    let port = Port::of(&served).await;
    let Want::Create(wanted) = create("5").want else { panic!("to create") };
    served.host.create(&wanted, Some("only")).await.expect("a game");
    served.enter(Form::Json, hello(Want::Join { seat: None }, None)).await.expect("anyone may play");
    assert_eq!(port.get("/api/v1/me").await.json()["accounts"], "off");
}
