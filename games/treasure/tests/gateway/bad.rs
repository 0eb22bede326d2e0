//! Bad requests get an answer that names the error, never a 500, and do not touch other games.

use std::sync::Arc;

use server::log::{LogReader, MemoryLog};
use testkit::Request;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use treasure::documents::y2022::request::HalfMap;
use treasure_rules::Direction;

use crate::{
    support::{HALF, Served, nodes},
    y2017::Old,
};

#[tokio::test]
async fn documents_that_say_nothing() {
    let served = Served::new().await;
    let (first, second) = served.two("?enableDebugMode=true").await;
    let (half, moves) = (format!("/games/{}/halfmaps", first.game), format!("/games/{}/moves", first.game));
    let players = format!("/games/{}/players", served.create("").await);
    let bomb = r#"<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><playerMove><uniquePlayerID>&b;</uniquePlayerID><move>Up</move></playerMove>"#;
    let deep = "<a>".repeat(40_000);
    let id = &first.id;
    let long_name = format!(
        "<playerRegistration><studentFirstName>{}</studentFirstName><studentLastName>b</studentLastName><studentUAccount>c</studentUAccount></playerRegistration>",
        "x".repeat(51)
    );
    let rows: Vec<(&str, String, &[&str])> = vec![
        (&half, String::new(), &["document"]),
        (&half, "no xml".into(), &["Unreadable"]),
        (&half, "{\"json\": true}".into(), &["Unreadable"]),
        (&half, "<playerHalfMap><uniquePlayerID>".into(), &["Unreadable"]),
        (&half, "<other/>".into(), &["<other>", "<playerHalfMap>"]),
        (&half, "<playerHalfMap/>".into(), &["uniquePlayerID"]),
        (&half, format!("<playerHalfMap><uniquePlayerID>{id}</uniquePlayerID></playerHalfMap>"), &["playerHalfMapNodes"]),
        (&moves, format!("<playerMove><uniquePlayerID>{id}</uniquePlayerID><uniquePlayerID>{id}</uniquePlayerID><move>Up</move></playerMove>"), &["uniquePlayerID"]),
        (&moves, format!("<playerMove><uniquePlayerID>{id}</uniquePlayerID><move>North</move></playerMove>"), &["North", "Up", "Left"]),
        (&half, first.half_document(&HALF).replace("<X>3</X>", "<X>three</X>"), &["three"]),
        (&half, first.half_document(&HALF).replace("Water", "Lava"), &["Lava", "Mountain"]),
        (&moves, bomb.into(), &["Unreadable"]),
        (&moves, deep, &["Unreadable"]),
        (&players, long_name, &["51", "50"]),
        (&players, "<playerRegistration><studentFirstName/><studentLastName>b</studentLastName><studentUAccount>c</studentUAccount></playerRegistration>".into(), &["studentFirstName"]),
        (&players, "<playerRegistration><studentFirstName>a</studentFirstName></playerRegistration>".into(), &["studentLastName"]),
    ];
    for (path, body, wanted) in rows {
        let reply = served.ask("POST", path, &body).await;
        let told = reply.outcome();
        let shown: String = body.chars().take(100).collect();
        assert!(told.starts_with("Unreadable: "), "{shown}: {told}");
        let has_empty_id = reply.body.contains("<uniquePlayerID/></data>");
        assert_eq!(has_empty_id, path == players, "a refused registration has an empty id: {shown}");
        assert_eq!(reply.body.contains("<data"), has_empty_id, "an error has no other data: {shown}");
        for word in wanted {
            assert!(told.contains(word) || word.is_empty(), "{shown}: {word} is not in {told}");
        }
    }
    assert_eq!(first.half(&served, &HALF).await, "", "none of this has changed anything");
    assert_eq!(second.half(&served, &HALF).await, "");
}

#[tokio::test]
async fn halves_with_wrong_nodes_name_them() {
    let served = Served::new().await;
    let send = async |change: &dyn Fn(&mut HalfMap)| {
        let (first, _) = served.two("?enableDebugMode=true").await;
        let mut half = HalfMap { player: first.id.clone(), nodes: nodes(&HALF) };
        change(&mut half);
        let told = served.ask("POST", &format!("/games/{}/halfmaps", first.game), &half.write()).await.outcome();
        assert_eq!(first.standing(&served).await, "Lost");
        told
    };
    let short = send(&|half| half.nodes.truncate(49)).await;
    assert!(short.starts_with("WrongNumberOfFields: ") && short.contains("49") && short.contains("50"), "{short}");
    let long = send(&|half| half.nodes.push(half.nodes[0])).await;
    assert!(long.starts_with("WrongNumberOfFields: ") && long.contains("51"), "{long}");
    let twice = send(&|half| half.nodes[7] = half.nodes[8]).await;
    assert!(twice.contains("(8, 0)") && twice.contains("(7, 0)"), "{twice}");
    let outside = send(&|half| half.nodes[0].x = 10).await;
    assert!(outside.contains("(10, 0)"), "{outside}");
    let far = send(&|half| half.nodes[0].y = -70_000).await;
    assert!(far.contains("FieldOutside"), "{far}");
}

#[tokio::test]
async fn ids_that_nobody_has_and_those_of_others() {
    let served = Served::new().await;
    let (first, second) = served.map("?enableDebugMode=true").await;
    let (other, _) = served.map("?enableDebugMode=true").await;
    let before = (first.state(&served).await, other.state(&served).await);
    let stranger = crate::support::Player { game: first.game.clone(), id: other.id.clone() };
    let told = stranger.go(&served, Direction::Down).await;
    assert!(told.starts_with("UnknownPlayer: "), "{told}");
    let told = stranger.half(&served, &HALF).await;
    assert!(told.starts_with("UnknownPlayer: "), "{told}");
    // The opponent's id that a player is shown is made up.
    let shown = before.0.players.iter().find(|player| player.id != first.id).expect("the other").id.clone();
    let guess = crate::support::Player { game: first.game.clone(), id: shown };
    assert!(guess.go(&served, Direction::Down).await.starts_with("UnknownPlayer: "));
    let nowhere = crate::support::Player { game: "zzzzz".into(), id: first.id.clone() };
    assert!(nowhere.go(&served, Direction::Down).await.starts_with("UnknownGame: "));
    for path in ["/games/zzzzz/states/x", "/games/%00%ff/states/x", "/games/a%2fb/states/x"] {
        let reply = served.ask("GET", path, "").await;
        assert!(reply.status < 500, "{path}: {}", reply.status);
    }
    assert_eq!((first.state(&served).await, other.state(&served).await), before);
    assert_eq!(first.go(&served, Direction::Down).await, "");
    assert!(second.must_act(&served).await);
}

#[tokio::test]
async fn a_body_of_a_hundred_megabytes() {
    let served = Served::new().await;
    let (first, _) = served.two("?enableDebugMode=true").await;
    let path = format!("/games/{}/halfmaps", first.game);
    let body = vec![b'x'; 100 << 20];
    let old = Request::new("POST", "/Updates").body(&body[..1 << 20]);
    let request = Request::new("POST", &path).header("Content-Type", "text/plain").body(body);
    let told = served.send(request).await.outcome();
    assert_eq!(told, "TooLarge: The request has more than 131072 bytes; no valid request is so long.");
    let old = served.send(old).await;
    assert!(old.body.contains("<Loss>false</Loss>"), "{}", old.body);
    assert_eq!(first.half(&served, &HALF).await, "");
}

#[tokio::test]
async fn requests_that_are_no_http() {
    let served = Served::new().await;
    let (first, _) = served.two("?enableDebugMode=true").await;
    for bytes in ["\0\0\0\0\r\n\r\n", "GET\r\n\r\n", "POST /games/a/moves HTTP/1.1\r\nContent-Length: -1\r\n\r\n"] {
        let mut stream = TcpStream::connect(served.address).await.expect("a connection");
        stream.write_all(bytes.as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("an answer, or the end");
        assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"), "{}", String::from_utf8_lossy(&answer));
    }
    let wrong = served.ask("DELETE", &format!("/games/{}/moves", first.game), "").await;
    assert_eq!(wrong.status, 405);
    assert!(wrong.body.contains("POST"), "{}", wrong.body);
    assert!(first.must_act(&served).await);
}

#[tokio::test]
async fn a_request_with_two_lengths() {
    let served = Served::new().await;
    let mut stream = TcpStream::connect(served.address).await.expect("a connection");
    let request = "POST /games HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("it closes");
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    assert!(answer.ends_with("A request has either Content-Length or Transfer-Encoding, not both.\n"), "{answer}");
    assert!(served.host.list().is_empty(), "no game");
}

#[tokio::test]
async fn nobody_fills_the_log_with_what_cannot_be_read() {
    let log = Arc::new(MemoryLog::new());
    let served = Served::on(log.clone(), false).await;
    let (first, _) = served.two("?enableDebugMode=true").await;
    let long = "x".repeat(60_000);
    let moves = format!("/games/{}/moves", first.game);
    let id = &first.id;
    let odd = [
        format!("<{long}><uniquePlayerID>{id}</uniquePlayerID></{long}>"),
        format!("<playerMove><uniquePlayerID>{id}</uniquePlayerID><move><{long}/></move></playerMove>"),
    ];
    for body in &odd {
        let told = served.ask("POST", &moves, body).await.outcome();
        assert!(told.starts_with("Unreadable: ") && told.len() < 300, "{} bytes", told.len());
    }
    for _ in 0..treasure_rules::MOST_NOTED {
        served.ask("POST", &moves, &odd[0]).await.outcome();
    }
    let old = Old::new(&served, "Ana").await;
    for _ in 0..=treasure_rules::MOST_NOTED {
        served.ask("POST", "/Updates", &format!("<{long}><ID>{}</ID></{long}>", old.0)).await;
    }
    for record in log.list().await.expect("games") {
        let rows = log.rows(record.key, 1).await.expect("entries");
        assert!(rows.len() <= 2 + usize::from(treasure_rules::MOST_NOTED), "{} entries", rows.len());
        let longest = rows.iter().map(|row| row.bytes.len()).max();
        assert!(longest < Some(1000), "an entry of {longest:?} bytes");
    }
}
