//! A client that breaks a limit gets the reason and is disconnected; no other client is affected.

use std::time::Duration;

use commlib::{Form, FromClient, Reason, Want, encode_from_client};
use server::Limits;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    time::timeout,
};

use crate::{
    clock::Clock,
    counter::{Command, Event},
    support::{LONG, Rejection, Served, create, greet, hello, join, next, resume, words},
};

/// The answer to a client that sends these bytes and then waits.
async fn answer_to(served: &Served, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(served.address).await.expect("a connection");
    stream.write_all(bytes).await.expect("sent");
    let mut answer = Vec::new();
    let read = timeout(LONG, stream.read_to_end(&mut answer)).await;
    read.expect("the server ends it").expect("and says why");
    let mut decoder = commlib::ToClientDecoder::<Event>::new(answer.len());
    let mut heard = Vec::new();
    let mut rest = answer.as_slice();
    while !rest.is_empty() {
        let space = decoder.space();
        let count = space.len().min(rest.len());
        space[..count].copy_from_slice(&rest[..count]);
        decoder.filled(count);
        rest = &rest[count..];
        while let Some(message) = decoder.message().expect("a message") {
            heard.push(words(&message));
        }
    }
    heard.join("; ")
}

fn bytes(form: Form, message: &FromClient<&Command>) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_from_client(form, message, &mut bytes).expect("a message");
    bytes
}

#[tokio::test]
async fn whoever_says_nothing_or_half_a_hello_is_dropped() {
    let mut limits = Limits::default();
    limits.wire.handshake = Duration::from_millis(100);
    // With a stopped clock, Ana's messages take no time, however slow the machine is.
    let clock = Clock::stop();
    let served = Served::with(limits).await;
    let mut ana = served.creator("10").await;
    assert_eq!(clock.until(answer_to(&served, b"")).await, "closing Timeout");
    for form in [Form::Binary, Form::Json] {
        let hello = bytes(form, &FromClient::Hello(join(ana.game())));
        assert_eq!(clock.until(answer_to(&served, &hello[..hello.len() / 2])).await, "closing Timeout");
    }
    assert_eq!(ana.hears().await, "", "a client in a game may be silent for longer");
}

#[tokio::test]
async fn what_is_no_message_is_answered_and_ends_the_connection() {
    let served = Served::new().await;
    let mut ana = served.creator("10").await;
    for (sent, answer) in [
        ("{nonsense}\n", "closing BadMessage"),
        ("{\"ping\":1}\n", "closing BadMessage"),
        ("{\"command\":{\"Add\":{\"amount\":1}}}\n", "closing BadMessage"),
        ("GET / HTTP/1.1\r\n\r\n", "closing BadMessage"),
    ] {
        assert_eq!(answer_to(&served, sent.as_bytes()).await, answer, "{sent:?}");
    }
    assert_eq!(ana.hears().await, "");
}

#[tokio::test]
async fn a_command_that_the_rules_do_not_know_is_refused_and_nothing_else() {
    let served = Served::new().await;
    let mut ana = served.creator("10").await;
    let mut stream = TcpStream::connect(served.address).await.expect("a connection");
    stream.write_all(&bytes(Form::Json, &FromClient::Hello(join(ana.game())))).await.expect("sent");
    stream.write_all(b"{\"command\":{\"Fly\":{}}}\n{\"ping\":9}\n").await.expect("sent");
    let mut lines = BufReader::new(stream).lines();
    for kind in ["welcome", "refused", "pong"] {
        let line = lines.next_line().await.expect("a line").expect("an answer");
        assert!(line.starts_with(&format!("{{\"{kind}\":")), "{line}");
    }
    ana.add(1).await;
    assert_eq!(ana.hears().await, "3 Counted 1");
}

#[tokio::test]
async fn whoever_leaves_in_the_middle_of_a_frame_disturbs_nobody() {
    let served = Served::new().await;
    let mut ana = served.creator("10").await;
    for form in [Form::Binary, Form::Json] {
        let mut stream = TcpStream::connect(served.address).await.expect("a connection");
        stream.write_all(&bytes(form, &FromClient::Hello(join(ana.game())))).await.expect("sent");
        let add = bytes(form, &FromClient::Command(&Command::Add { amount: 1 }));
        stream.write_all(&add[..add.len() - 1]).await.expect("sent");
        drop(stream);
    }
    ana.add(1).await;
    assert_eq!(ana.hears().await, "3 Counted 1", "half a command is none");
}

#[tokio::test]
async fn a_command_that_is_too_long_ends_the_connection() {
    let served = Served::new().await;
    let mut ana = served.creator("10").await;
    let mut bo = served.enter(Form::Json, join(ana.game())).await.expect("a place");
    let longest = Limits::default().wire.command;
    bo.send(Command::Join { name: "x".repeat(longest) }).await;
    assert_eq!(bo.rest().await, "closing TooLarge");
    assert_eq!(ana.hears().await, "");
}

#[tokio::test]
async fn whoever_reads_nothing_is_dropped_and_others_go_on() {
    // On a busy machine, a client that reads may get no processor time for as long as a client may stall.
    let clock = Clock::stop();
    let limits = Limits { stall: Duration::from_millis(300), ..Limits::default() };
    let served = Served::with(limits).await;
    let mut ana = served.creator("10").await;
    for form in [Form::Binary, Form::Json] {
        let mut slow = served.enter(form, join(ana.game())).await.expect("a place");
        slow.send(Command::Join { name: "Slow".into() }).await;
        slow.hears().await;
        ana.hears().await;
        for _ in 0..60 {
            ana.send(Command::Shout { length: 500_000 }).await;
            assert!(ana.hears().await.ends_with("Shouted 500000"), "a client that reads gets everything");
        }
        clock.until(tokio::time::sleep(limits.stall * 2)).await;
        let mut heard = vec![slow.next().await];
        while !matches!(heard.last().map(String::as_str), Some("end" | "cut" | "closing TooSlow")) {
            heard.push(slow.next().await);
        }
        let told = heard.iter().filter(|message| message.ends_with("Shouted 500000")).count();
        assert!(told < 60, "the room does not wait for a client that does not read");
        for (at, message) in heard[..told].iter().enumerate() {
            assert_eq!(*message, format!("{} Shouted 500000", at + 3));
        }
        assert_eq!(heard.len(), told + 1, "then it ends, in words only where they can be understood");
        let seen = 2 + told as u64;
        let mut again = served.enter(form, resume(ana.game(), slow.token(), seen)).await.expect("the place");
        let missed = again.hears().await;
        assert_eq!(missed.split("; ").count(), 60 - told, "and can have the rest");
    }
}

#[tokio::test]
async fn whoever_asks_and_reads_nothing_is_dropped() {
    let limits = Limits { stall: Duration::from_millis(200), connections: 1, ..Limits::default() };
    let served = Served::with(limits).await;
    let Want::Create(game) = create("1").want else { panic!("to create") };
    for _ in 0..100 {
        served.host.create(&game, None).await.expect("a game");
    }
    let mut stream = TcpStream::connect(served.address).await.expect("a connection");
    let lists = bytes(Form::Json, &FromClient::Hello(hello(Want::List, None))).repeat(4000);
    let _sent_or_not = timeout(Duration::from_millis(300), stream.write_all(&lists)).await;
    a_place_becomes_free(&served).await;
}

async fn a_place_becomes_free(served: &Served) {
    let in_time = async {
        while served.connect(Form::Binary).await.games().await.is_err() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(LONG, in_time).await.expect("a place becomes free");
}

#[tokio::test]
async fn there_are_so_many_connections_and_no_more() {
    for limits in
        [Limits { connections: 2, ..Limits::default() }, Limits { connections_per_address: 2, ..Limits::default() }]
    {
        let served = Served::with(limits).await;
        let mut ana = served.creator("10").await;
        let bo = served.enter(Form::Json, join(ana.game())).await.expect("a place");
        let mut third = served.connect(Form::Binary).await;
        assert_eq!(next(&mut third).await, "closing TooMany");
        assert_eq!(ana.hears().await, "");
        drop(bo);
        a_place_becomes_free(&served).await;
    }
}

#[tokio::test]
async fn there_are_so_many_games_and_no_more() {
    let served = Served::with(Limits { games: 2, ..Limits::default() }).await;
    let mut ana = served.creator("1").await;
    let _second = served.creator("1").await;
    let mut visitor = served.connect(Form::Binary).await;
    assert_eq!(greet(&mut visitor, create("1")).await, Err(Rejection::Refused(Reason::TooMany)));
    ana.add(1).await;
    assert_eq!(ana.rest().await, "3 Counted 1; 4 Done; closing GameOver");
    while served.host.list().len() > 1 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    greet(&mut visitor, create("1")).await.expect("a game is over, another may begin");
}

#[tokio::test]
async fn a_connection_may_ask_for_so_many_games() {
    let served = Served::with(Limits { games_per_connection: 2, ..Limits::default() }).await;
    let mut visitor = served.connect(Form::Json).await;
    for reason in [Reason::BadScenario, Reason::BadScenario, Reason::TooMany] {
        assert_eq!(greet(&mut visitor, create("many")).await, Err(Rejection::Refused(reason)));
    }
    served.enter(Form::Json, create("1")).await.expect("another connection may");
}
