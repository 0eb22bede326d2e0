//! Accounts of hosts that share a store: a client is passed on with its account.

use server::host_store::MemoryHostStore;

use super::*;
use crate::support::Player;

async fn register(site: &Site, name: &str) -> String {
    let body = json!({"name": name, "password": "correct horse"}).to_string();
    let answer = site.port.post("/api/v1/register", &body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let cookie = answer.header("set-cookie").and_then(|cookie| cookie.split(';').next()).expect("a cookie").to_owned();
    let csrf = answer.json()["csrf"].as_str().expect("a token").to_owned();
    let made = Request::post_json("/api/v1/me/tokens", "{}").header("Cookie", &cookie).header("X-CSRF-Token", &csrf);
    made.send(site.port.address).await.json()["token"].as_str().expect("a token").to_owned()
}

async fn seat(player: &mut Player, name: &str) -> String {
    player.send(Command::Join { name: name.into() }).await;
    player.hears().await
}

#[tokio::test]
async fn an_account_plays_through_any_host() {
    let (cluster, store) = (MemoryCluster::new(), Arc::new(MemoryHostStore::default()));
    let plan = |name| Plan { accounts: Some(store.clone()), ..Plan::new(name) };
    let a = Site::with(&cluster, plan("a")).await;
    let b = Site::with(&cluster, plan("b")).await;
    let for_ana = register(&a, "Ana").await;
    // Another host takes the token at once.
    let mut ana = b.served.enter_as(&for_ana, Form::Json, create("100")).await.expect("a game");
    let game = ana.game().to_owned();
    assert_eq!(seat(&mut ana, "Ana").await, "1 Greeted; 2 Joined Ana");
    let for_bo = register(&b, "Bo").await;
    for form in [Form::Json, Form::Binary] {
        for (entered, reason) in [
            (a.served.enter_as("", form, join(&game)).await, Reason::AccountRequired),
            (a.served.enter(form, join(&game)).await, Reason::BadMessage),
        ] {
            assert_eq!(entered.map(|player| player.welcome).err(), Some(Rejection::Refused(reason)));
        }
    }
    let mut bo = a.served.enter_as(&for_bo, Form::Binary, join(&game)).await.expect("a place");
    assert_eq!(seat(&mut bo, "Ana").await, "refused NameTaken");
    assert_eq!(seat(&mut bo, "Bo").await, "1 Greeted; 2 Joined Bo");
    assert_eq!((a.games(), b.games()), (0, 1), "it was passed on");

    ana.ask_notices().await;
    bo.ask_notices().await;
    ana.chat("hello").await;
    while !bo.next().await.contains("hello") {}
    bo.report(1).await;
    assert_eq!(bo.next().await, r#"notice {"reported":1}"#);
    bo.mute("Ana", true).await;
    assert!(!bo.ask_notices().await.contains("hello"));
}
