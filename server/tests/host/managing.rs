//! The creator of a game manages it over the wire.

use std::sync::Arc;

use commlib::{AccessChange, Admission, Form, Hello, Reason, Want};
use serde_json::json;
use server::{Limits, Options, log::MemoryLog};

use crate::{
    counter::Command,
    support::{Player, Port, Rejection, Served, create, hello, join, options, resume, watch},
    websocket::Socket,
};

const INVITE: AccessChange = AccessChange::Invite { name: None, account: None };

/// A hello that creates a game for some.
fn private(admission: Admission) -> Hello {
    let Want::Create(create) = create("100").want else { panic!("to create") };
    hello(Want::Private { create, admission }, None)
}

async fn serve() -> Served {
    Served::open(options(Arc::new(MemoryLog::new()), Limits::default())).await
}

/// What a change is answered.
pub(crate) async fn manage(player: &mut Player, change: AccessChange) -> String {
    player.manage(change).await;
    player.next().await
}

/// The code in an answer.
pub(crate) fn code(answer: &str) -> String {
    answer.split_once("invitation ").unwrap_or_else(|| panic!("{answer}")).1.to_owned()
}

async fn refused(served: &Served, hello: Hello) -> Option<Rejection> {
    served.enter(Form::Binary, hello).await.map(|player| player.welcome).err()
}

async fn is_listed(served: &Served, port: &Port, game: &str) -> [bool; 2] {
    let over_wire = served.connect(Form::Json).await.games().await.expect("a list");
    let over_http = port.get("/api/v1/games").await.json();
    let over_http = over_http["games"].as_array().expect("a list").iter().any(|one| one["name"] == game);
    [over_wire.iter().any(|one| one.game == game), over_http]
}

#[tokio::test]
async fn a_private_game_from_its_creation_on() {
    let served = serve().await;
    let port = Port::of(&served).await;
    for form in [Form::Binary, Form::Json] {
        let mut ana = served.enter(form, private(Admission::Invited)).await.expect("a game");
        let game = ana.game().to_owned();
        assert_eq!(is_listed(&served, &port, &game).await, [false, false]);
        for stranger in [join(&game), watch(&game, 0)] {
            assert_eq!(refused(&served, stranger).await, Some(Rejection::Refused(Reason::UnknownGame)));
        }
        assert_eq!(manage(&mut ana, AccessChange::Look).await, "managed Invited 0 []");
        let invitation = code(&manage(&mut ana, INVITE).await);
        assert!(invitation.starts_with(&format!("{game}.")), "{invitation}");
        served.enter(form, watch(&invitation, 0)).await.expect("a place");
        served.enter(form, join(&invitation)).await.expect("a place");
        assert_eq!(refused(&served, join(&game)).await, Some(Rejection::Refused(Reason::UnknownGame)));
        served.enter(form, resume(&game, ana.token(), 0)).await.expect("a token needs no invitation");

        let other = served.enter(form, private(Admission::Unlisted)).await.expect("a game");
        assert_eq!(is_listed(&served, &port, other.game()).await, [false, false]);
        served.enter(form, join(other.game())).await.expect("a place");
        let open = served.enter(form, private(Admission::Open)).await.expect("a game");
        assert_eq!(is_listed(&served, &port, open.game()).await, [true, true]);
    }
    let named = Hello { game: Some("mine".into()), ..private(Admission::Invited) };
    assert_eq!(refused(&served, named).await, Some(Rejection::Refused(Reason::BadMessage)));
}

#[tokio::test]
async fn every_change() {
    let served = serve().await;
    for form in [Form::Binary, Form::Json] {
        let mut ana = served.enter(form, create("100")).await.expect("a game");
        let game = ana.game().to_owned();
        assert_eq!(manage(&mut ana, AccessChange::Closed(true)).await, "managed Open closed 0 []");
        assert_eq!(refused(&served, join(&game)).await, Some(Rejection::Refused(Reason::Full)));
        assert_eq!(manage(&mut ana, AccessChange::Closed(false)).await, "managed Open 0 []");
        let for_bo = AccessChange::Invite { name: Some("Bo".into()), account: None };
        assert!(manage(&mut ana, for_bo).await.starts_with("managed Open 1 [\"Bo\"] invitation "));
        let nameless = AccessChange::Invite { name: Some(String::new()), account: None };
        assert_eq!(manage(&mut ana, nameless).await, "refused BadMessage");

        let mut cy = served.enter(form, join(&game)).await.expect("a place");
        let client = cy.welcome.client.expect("a number");
        assert_eq!(manage(&mut ana, AccessChange::Remove { client }).await, "managed Open 1 [\"Bo\"]");
        assert_eq!(cy.rest().await, "closing UnknownToken");
        let again = resume(&game, cy.token(), 0);
        assert_eq!(refused(&served, again).await, Some(Rejection::Refused(Reason::UnknownToken)));
        assert_eq!(manage(&mut ana, AccessChange::Remove { client: 99 }).await, "refused BadMessage");

        // Answers come in the order of the messages.
        ana.manage(AccessChange::Admit(Admission::Unlisted)).await;
        ana.manage(AccessChange::Admit(Admission::Open)).await;
        assert_eq!(ana.hears().await, "managed Unlisted 1 [\"Bo\"]; managed Open 1 [\"Bo\"]");
        ana.manage(AccessChange::End).await;
        assert_eq!(ana.rest().await, "closing GameOver");
        assert_eq!(refused(&served, join(&game)).await, Some(Rejection::Refused(Reason::GameOver)));
    }
}

/// A client that is not the creator, a spectator, and a creator whose game has begun.
#[tokio::test]
async fn who_may_not() {
    let served = serve().await;
    let mut ana = served.enter(Form::Json, create("100")).await.expect("a game");
    let mut bo = served.enter(Form::Json, join(ana.game())).await.expect("a place");
    let mut cy = served.enter(Form::Json, watch(ana.game(), 0)).await.expect("a place");
    for change in [AccessChange::Look, AccessChange::Closed(true), INVITE, AccessChange::End] {
        for other in [&mut bo, &mut cy] {
            assert_eq!(manage(other, change.clone()).await, "refused UnknownToken", "{change:?}");
        }
    }
    assert_eq!(manage(&mut ana, AccessChange::Look).await, "managed Open 0 []");
    ana.send(Command::Join { name: "Ana".into() }).await;
    assert_eq!(ana.hears().await, "1 Greeted; 2 Joined Ana");
    assert_eq!(manage(&mut ana, AccessChange::End).await, "refused BadMessage", "it has begun");
    // A version without this message is disconnected.
    let early = Hello { protocol: 2, ..create("100") };
    let mut early = served.enter(Form::Json, early).await.expect("a game");
    early.manage(AccessChange::Look).await;
    assert_eq!(early.rest().await, "closing BadMessage");
}

#[tokio::test]
async fn over_a_websocket() {
    let served = serve().await;
    let port = Port::of(&served).await;
    let mut socket = Socket::open(&port).await;
    let create = json!({"private": {"create": {"scenario": "9"}, "admission": "invited"}});
    socket.send(&json!({"hello": {"protocol": 3, "want": create}})).await;
    let game = socket.next().await["welcome"]["game"].as_str().expect("a game").to_owned();
    socket.send(&json!({"manage": {"invite": {}}})).await;
    let managed = socket.next().await;
    let invitation = managed["managed"]["invitation"].as_str().unwrap_or_else(|| panic!("{managed}"));
    assert!(invitation.starts_with(&game), "{managed}");
    served.enter(Form::Json, join(invitation)).await.expect("a place");
}

#[tokio::test]
async fn the_server_of_one_game_has_none_of_this() {
    let usual = options(Arc::new(MemoryLog::new()), Limits::default());
    let served = Served::open(Options { one_game: true, ..usual }).await;
    let Want::Create(wanted) = create("5").want else { panic!("to create") };
    served.host.create(&wanted, Some("only")).await.expect("a game");
    let mut ana = served.enter(Form::Json, hello(Want::Join { seat: None }, None)).await.expect("a place");
    assert_eq!(manage(&mut ana, AccessChange::End).await, "refused BadMessage");
}
