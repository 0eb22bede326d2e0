//! Protocol 2022.

use testkit::Request;
use treasure::documents::y2022::answer::Answer;
use treasure_rules::Direction;

use crate::support::{HALF, Served};

#[tokio::test]
async fn a_new_game_has_an_id_of_five_letters() {
    let served = Served::new().await;
    for (method, path) in
        [("GET", "/games"), ("POST", "/games"), ("GET", "/games?enableDebugMode=true&enableDummyCompetition=false")]
    {
        let reply = served.ask(method, path, "").await;
        assert_eq!(reply.status, 200);
        assert!(reply.head.contains("content-type: application/xml"), "{}", reply.head);
        let start = r#"<?xml version="1.0" encoding="UTF-8"?><uniqueGameIdentifier><uniqueGameID>"#;
        let id = reply.body.strip_prefix(start).unwrap_or_else(|| panic!("{}", reply.body));
        let id = id.strip_suffix("</uniqueGameID></uniqueGameIdentifier>").unwrap_or_else(|| panic!("{}", reply.body));
        assert!(id.len() == 5 && id.chars().all(|letter| letter.is_ascii_alphanumeric()), "{id}");
    }
    // A browser accepts other content types, and gets the same answer.
    let browser = served.send(Request::get("/games").header("Accept", "text/html")).await;
    assert!(browser.head.contains("content-type: application/xml"), "{}", browser.head);
    let elsewhere = served.ask("GET", "/game", "").await;
    assert_eq!(elsewhere.status, 404);
    assert!(elsewhere.body.contains("/games/GAME/halfmaps"), "{}", elsewhere.body);
}

#[tokio::test]
async fn answers_are_as_clients_need_them() {
    let served = Served::new().await;
    let game = served.create("").await;
    let register = "<playerRegistration><studentUAccount>ana1</studentUAccount><unknown><a/></unknown>\
                    <studentLastName>Lang &amp; Kurz</studentLastName><studentFirstName>Ana</studentFirstName></playerRegistration>";
    let reply = served.ask("POST", &format!("/games/{game}/players?whatever=1"), register).await;
    let head = r#"<?xml version="1.0" encoding="UTF-8"?><responseEnvelope><exceptionName/><exceptionMessage/><state>Okay</state>"#;
    let data = r#"<data xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="uniquePlayerIdentifier"><uniquePlayerID>"#;
    let id = reply.body.strip_prefix(&format!("{head}{data}")).unwrap_or_else(|| panic!("{}", reply.body));
    let id = id.strip_suffix("</uniquePlayerID></data></responseEnvelope>").unwrap_or_else(|| panic!("{}", reply.body));
    assert_eq!(id.len(), 36, "{id}");

    let status = format!("/games/{game}/states/{id}");
    let json = Request::get(&status).header("Content-Type", "application/xml").header("Accept", "application/json");
    let reply = served.send(json).await;
    assert!(reply.head.contains("content-type: application/xml"), "{}", reply.head);
    let data = r#"<data xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="gameState"><players><player>"#;
    let player = format!(
        "<uniquePlayerID>{id}</uniquePlayerID><firstName>Ana</firstName><lastName>Lang &amp; Kurz</lastName>\
         <uaccount>ana1</uaccount><state>MustWait</state><collectedTreasure>false</collectedTreasure></player></players>"
    );
    assert!(
        reply.body.starts_with(&format!("{head}{data}{player}<map><mapNodes></mapNodes></map><gameStateId>")),
        "{}",
        reply.body
    );

    let (first, second) = served.two("").await;
    let body = first.half_document(&HALF);
    let reply = served.ask("POST", &format!("/games/{}/halfmaps", first.game), &body).await;
    assert_eq!(reply.body, format!("{head}</responseEnvelope>"), "no data for halves");
    assert_eq!(second.half(&served, &HALF).await, "");
    let state = first.state(&served).await;
    assert_eq!((state.nodes.len(), state.players.len()), (100, 2));
}

#[tokio::test]
async fn the_map_grows_with_the_halves() {
    let served = Served::new().await;
    let (first, second) = served.two("").await;
    let (before, other) = (first.state(&served).await, second.state(&served).await);
    assert!(before.nodes.is_empty());
    assert_eq!(before, first.state(&served).await, "nothing changes by looking");
    let ids = |state: &treasure::documents::y2022::state::GameState| {
        state.players.iter().map(|player| player.id.clone()).collect::<Vec<_>>()
    };
    assert!(ids(&before).contains(&first.id) && !ids(&before).contains(&second.id));
    assert!(ids(&other).contains(&second.id) && !ids(&other).contains(&first.id));

    assert_eq!(first.half(&served, &HALF).await, "");
    let (own, others) = (first.state(&served).await, second.state(&served).await);
    assert_ne!(own.id, before.id);
    assert_ne!(ids(&own), ids(&before), "the opponent's id is made up again");
    let forts = |state: &treasure::documents::y2022::state::GameState| {
        state.nodes.iter().filter(|node| node.fort.to_string() != "NoOrUnknownFortState").count()
    };
    assert_eq!((own.nodes.len(), forts(&own), others.nodes.len(), forts(&others)), (50, 1, 50, 0));

    assert_eq!(second.half(&served, &HALF).await, "");
    let (own, others) = (first.state(&served).await, second.state(&served).await);
    assert_eq!((own.nodes.len(), forts(&own), others.nodes.len(), forts(&others)), (100, 1, 100, 1));
    let mut places: Vec<(i32, i32)> = own.nodes.iter().map(|node| (node.x, node.y)).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 100, "each coordinate once");
    let corner = places.last().expect("a hundred");
    assert!([(9, 9), (19, 4)].contains(corner), "{corner:?}");
    assert!(first.must_act(&served).await && !second.must_act(&served).await);
}

#[tokio::test]
async fn who_breaks_a_rule_has_lost_and_is_told_why() {
    let served = Served::new().await;
    // Out of turn.
    let (first, second) = served.two("").await;
    assert_eq!(second.half(&served, &HALF).await, "NotYourTurn: It is the opponent's turn; act when it is yours.");
    assert_eq!((second.standing(&served).await, first.standing(&served).await), ("Lost".into(), "Won".into()));
    let late = first.half(&served, &HALF).await;
    assert!(late.starts_with("GameOver: The game is over: ") && late.ends_with("acted out of turn."), "{late}");
    // A half that breaks rules.
    let (first, second) = served.two("").await;
    let mut broken = HALF;
    broken[0] = "WWWWWMMGGG";
    let told = first.half(&served, &broken).await;
    assert!(told.starts_with("TooMuchWaterOnEdge: "), "{told}");
    assert!(told.contains('5') && told.contains('4'), "{told}");
    assert_eq!((first.standing(&served).await, second.standing(&served).await), ("Lost".into(), "Won".into()));
    // A move before the halves, a second half, a move into water, a move off the map.
    let (first, second) = served.two("").await;
    assert!(first.go(&served, Direction::Up).await.starts_with("MoveBeforeHalves: "));
    assert_eq!(second.standing(&served).await, "Won");
    let (first, _) = served.map("").await;
    assert!(first.half(&served, &HALF).await.starts_with("SecondHalf: "));
    assert_eq!(first.standing(&served).await, "Lost");
}

#[tokio::test]
async fn a_field_costs_what_it_costs() {
    let served = Served::new().await;
    let (first, second) = served.map("?enableDebugMode=true").await;
    let here = |state: &treasure::documents::y2022::state::GameState| {
        let own = state
            .nodes
            .iter()
            .find(|node| node.players.to_string().starts_with("My") || node.players.to_string().starts_with("Both"));
        own.map(|node| (node.x, node.y)).expect("oneself on the map")
    };
    let start = here(&first.state(&served).await);
    assert_eq!(first.go(&served, Direction::Down).await, "");
    assert_eq!(second.go(&served, Direction::Down).await, "");
    assert_eq!(here(&first.state(&served).await), start, "a field of grass takes two commands");
    assert_eq!(first.go(&served, Direction::Down).await, "");
    assert_eq!(here(&first.state(&served).await), (start.0, start.1 + 1));
    let changed = first.state(&served).await;
    assert_eq!(changed, first.state(&served).await);
    assert_eq!(second.go(&served, Direction::Down).await, "");
    assert_ne!(changed.id, first.state(&served).await.id, "also when the other has acted");
}

#[tokio::test]
async fn a_third_player_is_refused_and_harms_nobody() {
    let served = Served::new().await;
    let (first, second) = served.two("").await;
    let before = first.state(&served).await;
    let body = "<playerRegistration><studentFirstName>C</studentFirstName><studentLastName>C</studentLastName><studentUAccount>c</studentUAccount></playerRegistration>";
    let third = served.ask("POST", &format!("/games/{}/players", first.game), body).await;
    assert_eq!(third.outcome(), "GameFull: Two players are registered already, which is the most; take another game.");
    assert!(third.body.contains(r#" xsi:type="uniquePlayerIdentifier"><uniquePlayerID/></data>"#), "{}", third.body);
    assert_eq!(first.state(&served).await, before);
    assert!(second.go(&served, Direction::Up).await.starts_with("MoveBeforeHalves"));
    let late = served.ask("POST", &format!("/games/{}/players", first.game), body).await;
    assert_eq!(late.outcome(), "GameOver: The game is over; nothing changes any more.");
}

#[tokio::test]
async fn a_dummy_is_called_when_somebody_registers() {
    let served = Served::new().await;
    let game = served.create("?enableDummyCompetition=true").await;
    assert!(served.dummies.lock().expect("no thread panicked").is_empty());
    let ana = served.register(&game, "ana").await;
    let called = served.dummies.lock().expect("no thread panicked").clone();
    assert_eq!(called, [treasure::Dummy { game: game.clone(), player: None }]);
    served.register(&game, treasure::DUMMY_ACCOUNT).await;
    assert_eq!(served.dummies.lock().expect("no thread panicked").len(), 1, "it plays alone");
    assert!(matches!(
        served.ask("GET", &format!("/games/{game}/states/{}", ana.id), "").await.answer(),
        Answer::State(_)
    ));
}
