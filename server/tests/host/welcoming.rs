//! The content of a welcome: the game, and the number of commands received from the client, each only in protocol versions that
//! have it.

use std::sync::Arc;

use commlib::{Form, Hello, PROTOCOL, Reason};
use server::log::{FaultyLog, MemoryLog};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    counter::Command,
    support::{Player, Rejection, Scratch, Served, create, greet, hello, join, resume, watch},
};

const FORMS: [Form; 2] = [Form::Binary, Form::Json];

/// The facts about the game in a welcome: rulebook, edition, scenario.
fn about(player: &Player) -> (&str, &str, Option<&str>) {
    let welcome = &player.welcome;
    (&welcome.rulebook, &welcome.edition, welcome.scenario.as_deref())
}

#[tokio::test]
async fn whoever_watches_is_told_the_scenario() {
    let served = Served::new().await;
    for form in FORMS {
        let mut ana = served.enter(form, create("10")).await.expect("a game");
        assert_eq!(about(&ana), ("counter", "only", None));
        let eve = served.enter(form, watch(ana.game(), 0)).await.expect("a place to watch");
        assert_eq!((about(&eve), eve.welcome.commands), (("counter", "only", Some("10")), 0));
        let again = served.enter(form, resume(ana.game(), ana.token(), 0)).await.expect("the place");
        assert_eq!(about(&again), ("counter", "only", None));
        drop(again);

        ana = served.enter(form, resume(ana.game(), ana.token(), 0)).await.expect("the place");
        ana.add(10).await;
        assert_eq!(ana.rest().await, "closing GameOver");
        let late = served.enter(form, watch(ana.game(), 0)).await.expect("a game that is over");
        assert_eq!((about(&late), late.welcome.commands), (("counter", "only", Some("10")), 0));
    }
}

/// The number of commands in the welcome of a resumed client.
async fn taken(served: &Served, player: &Player, token: commlib::Token) -> u64 {
    let mut again = served.enter(Form::Json, resume(player.game(), token, 0)).await.expect("the place");
    let commands = again.welcome.commands;
    assert!(again.hears().await.starts_with("1 "), "the events come behind the welcome");
    commands
}

#[tokio::test]
async fn commands_are_counted_in_the_log() {
    let scratch = Scratch::new();
    let served = Served::on(scratch.log()).await;
    let mut ana = served.creator("10").await;
    let mut bo = served.enter(Form::Json, join(ana.game())).await.expect("a place");
    assert_eq!((ana.welcome.commands, bo.welcome.commands), (0, 0));
    let (first, second) = (ana.token(), bo.token());
    bo.send(Command::Join { name: "Bo".into() }).await;
    ana.add(2).await;
    // The rules refuse this command, but it is in the log.
    ana.add(0).await;
    ana.hears().await;
    bo.hears().await;
    assert_eq!(taken(&served, &ana, first).await, 3);
    assert_eq!(taken(&served, &bo, second).await, 1);

    served.stop().await;
    let served = Served::on(scratch.log()).await;
    assert_eq!(taken(&served, &ana, first).await, 3, "after a restart");
    assert_eq!(taken(&served, &bo, second).await, 1, "after a restart");

    let mut bo = served.enter(Form::Binary, resume(ana.game(), second, 0)).await.expect("the place");
    bo.add(8).await;
    assert!(bo.rest().await.ends_with("closing GameOver"));
    assert_eq!(taken(&served, &ana, first).await, 3, "of a game that is over");
    assert_eq!(taken(&served, &bo, second).await, 2, "of a game that is over");

    let fork = served.host.fork(ana.game(), 4).await.expect("a fork");
    let claim = hello(commlib::Want::Join { seat: Some(0) }, Some(&fork));
    let claimed = served.enter(Form::Binary, claim).await.expect("the seat");
    assert_eq!(claimed.welcome.commands, 3, "of the former player of the seat");
    served.stop().await;
}

/// A client may resume at any point of its commands' way to the disk. The welcome counts all received commands, including those
/// that are not yet durable. The client then receives the events of exactly these commands.
#[tokio::test]
async fn no_command_is_taken_after_the_welcome() {
    let log = FaultyLog::new(Arc::new(MemoryLog::new()));
    let served = Served::on(Arc::new(log.clone())).await;
    let mut ana = served.creator("1000").await;
    let (game, token) = (ana.game().to_owned(), ana.token());
    let (mut commands, mut events, mut lost) = (1, 2, 0);
    for round in 0..30 {
        log.hold();
        for _ in 0..3 {
            ana.add(1).await;
        }
        if round % 3 == 0 {
            ana.hears_nothing().await;
        }
        ana = served.enter(Form::Binary, resume(&game, token, events)).await.expect("the place");
        let taken = ana.welcome.commands - commands;
        assert!(taken <= 3, "round {round}: {taken}");
        assert!(taken == 3 || round % 3 > 0, "round {round}: {taken}, and there was time enough");
        log.release();
        let told = ana.hears().await;
        assert_eq!(told.matches("Counted").count() as u64, taken, "round {round}: {told}");
        commands += taken;
        events += taken;
        lost += 3 - taken;
    }
    assert!(commands > 30, "{commands} taken, {lost} lost");
}

#[tokio::test]
async fn what_the_gateway_refuses_was_not_taken() {
    let served = Served::new().await;
    let ana = served.creator("100").await;
    let (game, token) = (ana.game(), ana.token());
    let back = format!(
        "{{\"hello\":{{\"protocol\":2,\"want\":{{\"resume\":{{\"token\":\"{token}\"}}}},\"game\":\"{game}\"}}}}\n"
    );
    let mut socket = TcpStream::connect(served.address).await.expect("a connection");
    let lines = format!("{back}{{\"command\":{{\"Dance\":{{}}}}}}\n{{\"ping\":1}}\n");
    socket.write_all(lines.as_bytes()).await.expect("sent");
    let heard = lines_until(&mut socket, "pong").await;
    assert!(heard.contains("\"refused\""), "{heard}");
    assert_eq!(taken(&served, &ana, token).await, 1);
}

async fn lines_until(socket: &mut TcpStream, word: &str) -> String {
    let mut heard = String::new();
    let mut bytes = vec![0; 4096];
    while !heard.contains(word) {
        let count = socket.read(&mut bytes).await.expect("something comes");
        assert_ne!(count, 0, "the end before {word}: {heard}");
        heard += std::str::from_utf8(&bytes[..count]).expect("text");
    }
    heard
}

/// A client receives only fields that its protocol version has.
#[tokio::test]
async fn protocol_1_is_still_spoken() {
    let served = Served::new().await;
    let ana = served.creator("10").await;
    let game = ana.game();

    let mut socket = TcpStream::connect(served.address).await.expect("a connection");
    let watch = format!("{{\"hello\":{{\"protocol\":1,\"want\":{{\"watch\":{{\"seen\":1}}}},\"game\":\"{game}\"}}}}\n");
    socket.write_all(watch.as_bytes()).await.expect("sent");
    let line = lines_until(&mut socket, "\n").await;
    let expected =
        format!("{{\"welcome\":{{\"protocol\":1,\"game\":\"{game}\",\"client\":null,\"token\":null,\"next\":2}}}}\n");
    assert_eq!(line, expected);

    let mut socket = TcpStream::connect(served.address).await.expect("a connection");
    let mut frame = vec![0, 1, 3, 1, 1, game.len() as u8];
    frame.extend(game.bytes());
    frame.push(0);
    socket.write_all(&(frame.len() as u32).to_be_bytes()).await.expect("sent");
    socket.write_all(&frame).await.expect("sent");
    let mut expected = vec![0, 1, game.len() as u8];
    expected.extend(game.bytes());
    expected.extend([0, 0, 2]);
    let mut came = vec![0; 4 + expected.len()];
    socket.read_exact(&mut came).await.expect("a welcome");
    assert_eq!(came[..4], (expected.len() as u32).to_be_bytes());
    assert_eq!(came[4..], expected);

    for protocol in [0, PROTOCOL + 1] {
        let mut stranger = served.connect(Form::Json).await;
        let answer = greet(&mut stranger, Hello { protocol, ..join(game) }).await;
        assert_eq!(answer, Err(Rejection::Closing(Reason::WrongProtocol)), "{protocol}");
    }
}
