//! Games are created, listed, joined and watched in both wire forms; each client receives its own numbered events.

use commlib::{ClientError, Create, Form, Hello, PROTOCOL, Reason, Refused, Want};
use server::Limits;

use crate::{
    counter::Command,
    support::{
        Rejection, Served, create, create_with_timeout, greet, hello, join, next, options, resume, watch, with_board,
    },
};

const FORMS: [Form; 2] = [Form::Binary, Form::Json];

#[tokio::test]
async fn every_way_in_works_in_both_forms() {
    for form in FORMS {
        let served = Served::new().await;
        let mut ana = served.enter(form, create("10")).await.expect("a game");
        assert_eq!((ana.welcome.client, ana.welcome.next), (Some(1), 1));
        ana.send(Command::Join { name: "Ana".into() }).await;
        assert_eq!(ana.hears().await, "1 Greeted; 2 Joined Ana");

        let mut bo = served.enter(form, join(ana.game())).await.expect("a place");
        assert_eq!((bo.welcome.client, bo.welcome.next, bo.game()), (Some(2), 1, ana.game()));
        assert_ne!(bo.token(), ana.token());
        let mut eve = served.enter(form, watch(ana.game(), 0)).await.expect("a place to watch");
        assert_eq!((eve.welcome.client, eve.welcome.token, eve.welcome.next), (None, None, 1));
        assert_eq!(eve.hears().await, "1 Joined Ana", "what was before");

        bo.send(Command::Join { name: "Bo".into() }).await;
        assert_eq!(bo.hears().await, "1 Greeted; 2 Joined Bo");
        assert_eq!(ana.hears().await, "3 Joined Bo");
        bo.add(2).await;
        assert_eq!(bo.hears().await, "3 Counted 2");
        assert_eq!(ana.hears().await, "4 Counted 2");
        assert_eq!(eve.hears().await, "2 Joined Bo; 3 Moved 2; 4 Counted 2");

        let (game, token) = (ana.game().to_owned(), ana.token());
        drop(ana);
        let mut ana = served.enter(form, resume(&game, token, 3)).await.expect("the place again");
        assert_eq!((ana.welcome.client, ana.welcome.token, ana.welcome.next), (Some(1), None, 4));
        assert_eq!(ana.hears().await, "4 Counted 2");
    }
}

#[tokio::test]
async fn the_list_names_open_games_and_their_players() {
    let served = Served::new().await;
    let mut visitor = served.connect(Form::Json).await;
    assert_eq!(visitor.games().await.expect("a list"), []);
    let ana = served.creator("10").await;
    let games = visitor.games().await.expect("a list");
    let [game] = games.as_slice() else { panic!("one game: {games:?}") };
    assert_eq!((game.game.as_str(), game.rulebook.as_str(), game.edition.as_str()), (ana.game(), "counter", "only"));
    assert_eq!(game.players, ["Ana"]);
    greet(&mut visitor, join(ana.game())).await.expect("a hello after a list");
}

#[tokio::test]
async fn what_is_for_one_reaches_nobody_else() {
    let served = Served::new().await;
    let mut ana = served.creator("10").await;
    let mut bo = served.enter(Form::Json, with_board(join(ana.game()))).await.expect("a place");
    let mut eve = served.enter(Form::Json, watch(ana.game(), 1)).await.expect("a place to watch");
    bo.send(Command::Join { name: "Bo".into() }).await;
    assert_eq!(bo.hears().await, "1 Joined Ana; 2 Greeted; 3 Joined Bo");
    bo.add(0).await;
    assert_eq!(bo.hears().await, "4 Nothing (Zero is nothing.)");
    assert_eq!(ana.hears().await, "3 Joined Bo");
    assert_eq!(eve.hears().await, "2 Joined Bo");
}

#[tokio::test]
async fn whoever_asks_for_the_board_gets_it_in_the_same_numbering() {
    let served = Served::new().await;
    let mut ana = served.creator("10").await;
    ana.add(1).await;
    ana.add(1).await;
    assert_eq!(ana.hears().await, "3 Counted 1; 4 Counted 2");
    let all = with_board(resume(ana.game(), ana.token(), 0));
    let mut again = served.enter(Form::Json, all).await.expect("the place with the board");
    assert_eq!(again.hears().await, "1 Greeted; 2 Joined Ana; 3 Moved 1; 4 Counted 1; 5 Moved 1; 6 Counted 2");
    again.add(1).await;
    assert_eq!(again.hears().await, "7 Moved 1; 8 Counted 3");
    let mut plain = served.enter(Form::Json, resume(ana.game(), ana.token(), 4)).await.expect("the place without");
    assert_eq!(plain.hears().await, "5 Counted 3");
}

#[tokio::test]
async fn a_client_without_a_seat_hears_only_what_is_for_it() {
    let served = Served::new().await;
    let mut ana = served.creator("10").await;
    let mut bo = served.enter(Form::Binary, join(ana.game())).await.expect("a place");
    let mut eve = served.enter(Form::Binary, with_board(join(ana.game()))).await.expect("a place with the board");
    ana.add(1).await;
    assert_eq!(ana.hears().await, "3 Counted 1");
    assert_eq!(eve.hears().await, "1 Joined Ana; 2 Moved 1; 3 Counted 1", "the board from the first event on");
    assert_eq!(bo.hears().await, "");
    bo.add(0).await;
    assert_eq!(bo.hears().await, "1 Nothing (Zero is nothing.)");
}

#[tokio::test]
async fn a_pong_comes_behind_everything_earlier() {
    let served = Served::new().await;
    let mut ana = served.creator("1000").await;
    for _ in 0..3 {
        ana.add(1).await;
        ana.add(0).await;
        ana.ping().await;
    }
    let mut heard = Vec::new();
    for _ in 0..9 {
        heard.push(ana.next().await);
    }
    let expected = "3 Counted 1; 4 Nothing (Zero is nothing.); pong 2; 5 Counted 2; 6 Nothing (Zero is nothing.); \
                    pong 3; 7 Counted 3; 8 Nothing (Zero is nothing.); pong 4";
    assert_eq!(heard.join("; "), expected);
    let mut eve = served.enter(Form::Json, watch(ana.game(), 7)).await.expect("a place to watch");
    assert_eq!(eve.hears().await, "", "watchers may ping, too");
}

#[tokio::test]
async fn what_is_no_wish_is_refused_and_another_may_follow() {
    let served = Served::new().await;
    let ana = served.creator("10").await;
    let mut visitor = served.connect(Form::Binary).await;
    let unknown = Create { rulebook: Some("chess".into()), ..plain("10") };
    for (wish, answer) in [
        (join("nowhere"), "refused UnknownGame"),
        (watch("nowhere", 0), "refused UnknownGame"),
        (hello(Want::Join { seat: None }, None), "refused UnknownGame"),
        (hello(Want::Join { seat: Some(1) }, Some(ana.game())), "refused BadMessage"),
        (create("many"), "refused BadScenario"),
        (hello(Want::Create(unknown), None), "refused BadMessage"),
        (create_with_timeout("10", 0), "refused BadMessage"),
        (create_with_timeout("10", Limits::default().longest_timeout + 1), "refused BadMessage"),
    ] {
        assert_eq!(greet(&mut visitor, wish.clone()).await.expect_err("a refusal").to_string(), answer, "{wish:?}");
    }
    assert_eq!(greet(&mut visitor, join(ana.game())).await.expect("a place").client, Some(2));
    let mut old = served.connect(Form::Json).await;
    let wrong = Hello { protocol: PROTOCOL + 1, ..join(ana.game()) };
    assert_eq!(greet(&mut old, wrong).await, Err(Rejection::Closing(Reason::WrongProtocol)));
    assert_eq!(next(&mut old).await, "end");
}

/// A client that names no game, or an unknown one, receives the names of a few open games.
#[tokio::test]
async fn open_games_are_named() {
    async fn words(served: &Served, wish: Hello) -> String {
        match served.connect(Form::Json).await.hello(wish).await {
            Err(ClientError::Refused(Refused { message, .. })) => message,
            other => panic!("no refusal: {other:?}"),
        }
    }
    let served = Served::new().await;
    let nameless = || hello(Want::Join { seat: None }, None);
    assert_eq!(words(&served, join("nowhere")).await, "There is no game nowhere; none is open.");
    assert_eq!(words(&served, nameless()).await, "Name a game; none is open.");
    let (mut clients, mut names) = (Vec::new(), Vec::new());
    for count in 1..=7 {
        let client = served.creator("10").await;
        names.push(client.game().to_owned());
        clients.push(client);
        names.sort_unstable();
        let open = match count {
            ..=5 => names.join(", "),
            more => format!("{} and {} more", names[..5].join(", "), more - 5),
        };
        assert_eq!(words(&served, watch("nowhere", 0)).await, format!("There is no game nowhere; open: {open}."));
        if count > 1 {
            assert_eq!(words(&served, nameless()).await, format!("Name a game; open: {open}."));
        }
    }
}

#[tokio::test]
async fn watchers_send_no_commands() {
    let served = Served::new().await;
    let mut ana = served.creator("10").await;
    let mut eve = served.enter(Form::Json, watch(ana.game(), 1)).await.expect("a place to watch");
    eve.add(1).await;
    assert_eq!(eve.hears().await, "refused BadMessage");
    assert_eq!(ana.hears().await, "");
}

#[tokio::test]
async fn a_host_may_have_two_ports() {
    let served = Served::new().await;
    let other = served.another_port().await;
    let mut ana = served.creator("10").await;
    let mut bo = other.enter(Form::Binary, join(ana.game())).await.expect("a place");
    bo.send(Command::Join { name: "Bo".into() }).await;
    assert_eq!(bo.hears().await, "1 Greeted; 2 Joined Bo");
    bo.add(0).await;
    assert_eq!(bo.hears().await, "3 Nothing (Zero is nothing.)");
    assert_eq!(ana.hears().await, "3 Joined Bo");
}

#[tokio::test]
async fn a_host_of_one_game_needs_no_names() {
    let log = std::sync::Arc::new(server::log::MemoryLog::new());
    let served = Served::open(server::Options { one_game: true, ..options(log, Limits::default()) }).await;
    served.host.create(&plain("2"), Some("the-one")).await.expect("a game");
    assert_eq!(served.enter(Form::Binary, create("2")).await.err(), Some(Rejection::Refused(Reason::TooMany)));
    let nameless = hello(Want::Join { seat: None }, None);
    let mut ana = served.enter(Form::Binary, nameless).await.expect("a place");
    assert_eq!(ana.game(), "the-one");
    ana.add(2).await;
    assert_eq!(ana.rest().await, "closing GameOver");
    assert_eq!(served.host.game_end().await, server::RoomEnd::Over { outcome: "counted".into() });
}

fn plain(goal: &str) -> Create {
    Create { rulebook: None, scenario: goal.into(), edition: None, seed: None, timeout: None }
}
