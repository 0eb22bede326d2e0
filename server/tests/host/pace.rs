//! How fast clients may send. Time is driven: it moves when every task waits.

use std::time::Duration;

use commlib::{Form, FromClient, Hello, ToClient, ToClientDecoder, Want, encode_from_client};
use server::{Limits, RefusalLimits};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::sleep,
};

use crate::{
    clock::Clock,
    counter::{Command, Event},
    support::{Port, Served, create, hello, join, resume, words},
    websocket::Socket,
};

const RATES: [u32; 4] = [1, 10, 200, 1000];

/// How a client is connected.
#[derive(Clone, Copy, Debug)]
enum Way {
    Tcp(Form),
    WebSocket,
}

const WAYS: [Way; 3] = [Way::Tcp(Form::Binary), Way::Tcp(Form::Json), Way::WebSocket];

/// A client that decides which bytes it sends at once.
enum Client {
    Tcp { form: Form, stream: TcpStream, decoder: ToClientDecoder<Event> },
    WebSocket(Socket),
}

impl Client {
    async fn connect(way: Way, served: &Served, port: &Port) -> Self {
        match way {
            Way::Tcp(form) => {
                let stream = TcpStream::connect(served.address).await.expect("a connection");
                Self::Tcp { form, stream, decoder: ToClientDecoder::new(commlib::LONGEST_FRAME) }
            }
            Way::WebSocket => Self::WebSocket(Socket::open(port).await),
        }
    }

    /// Connects and joins a game.
    async fn in_game(way: Way, served: &Served, port: &Port, hello: Hello) -> Self {
        let mut client = Self::connect(way, served, port).await;
        client.write(&client.bytes(&FromClient::Hello(hello))).await;
        assert_eq!(client.next().await, "welcome 1");
        client
    }

    fn bytes(&self, message: &FromClient<&Command>) -> Vec<u8> {
        let form = match self {
            Self::Tcp { form, .. } => *form,
            Self::WebSocket(_) => Form::Json,
        };
        let mut bytes = Vec::new();
        encode_from_client(form, message, &mut bytes).expect("a message");
        match self {
            Self::Tcp { .. } => bytes,
            Self::WebSocket(_) => Socket::text_bytes(std::str::from_utf8(&bytes).expect("text").trim_end()),
        }
    }

    /// Sends all bytes at once.
    async fn write(&mut self, bytes: &[u8]) {
        let stream = match self {
            Self::Tcp { stream, .. } | Self::WebSocket(Socket { stream }) => stream,
        };
        stream.write_all(bytes).await.expect("sent");
    }

    /// The next message in words; `end` at the end.
    async fn next(&mut self) -> String {
        match self {
            Self::Tcp { stream, decoder, .. } => loop {
                if let Some(message) = decoder.message().expect("a message") {
                    return words(&message);
                }
                match stream.read(decoder.space()).await {
                    Ok(0) | Err(_) => return "end".into(),
                    Ok(count) => decoder.filled(count),
                }
            },
            Self::WebSocket(socket) => match socket.next_text().await {
                None => "end".into(),
                Some(text) => words(&serde_json::from_slice::<ToClient<Event>>(&text).expect("a message")),
            },
        }
    }
}

/// A client sends some commands and a ping in one packet, and waits for the pong before it sends the next ones: that is what
/// docs/protocol.md calls a barrier.
#[tokio::test]
async fn a_client_that_waits_for_answers_is_slowed_down_and_stays() {
    for per_second in RATES {
        // The clients have no seat, and the rules refuse all of their commands.
        let refusals = RefusalLimits { per_client: u32::MAX, per_game: u32::MAX };
        let served = Served::with(Limits { messages_per_second: per_second, refusals, ..Limits::default() }).await;
        let port = Port::of(&served).await;
        let ana = served.enter(Form::Binary, create("10")).await.expect("a game");
        for way in WAYS {
            for commands in [1, 2, 5, 20] {
                for latency in [0, 3, 700].map(Duration::from_millis) {
                    let mut client = Client::in_game(way, &served, &port, join(ana.game())).await;
                    tokio::time::pause();
                    let what = format!("{per_second}/s, {way:?}, {commands} commands, {latency:?}");
                    // More than a flood may send.
                    let barriers = (2 * per_second + 150) / (commands + 1);
                    for number in 0..u64::from(barriers) {
                        sleep(latency).await;
                        let nothing = client.bytes(&FromClient::Command(&Command::Add { amount: 0 }));
                        let ping = client.bytes(&FromClient::Ping(number));
                        client.write(&[nothing.repeat(commands as usize), ping].concat()).await;
                        for _ in 0..commands {
                            let message = client.next().await;
                            assert!(message.ends_with("Nothing (Zero is nothing.)"), "{what}: {message}");
                        }
                        assert_eq!(client.next().await, format!("pong {number}"), "{what}");
                    }
                    tokio::time::resume();
                }
            }
        }
    }
}

/// The answers to a client that sends a message so often at once: how many it got, and the last one.
async fn flood(client: &mut Client, message: &FromClient<&Command>, times: u32) -> (u32, String) {
    tokio::time::pause();
    client.write(&client.bytes(message).repeat(times as usize)).await;
    let mut answers = 0;
    let last = loop {
        match client.next().await {
            answer if answer.starts_with("pong") || answer.starts_with("games") => answers += 1,
            last => break last,
        }
        if answers == times {
            break String::new();
        }
    };
    tokio::time::resume();
    (answers, last)
}

#[tokio::test]
async fn a_client_that_never_waits_is_disconnected() {
    for per_second in RATES {
        let limits = Limits { messages_per_second: per_second, ..Limits::default() };
        let most = limits.messages_ahead();
        assert_eq!(most, per_second.max(100));
        let served = Served::with(limits).await;
        let port = Port::of(&served).await;
        let ana = served.enter(Form::Binary, create("10")).await.expect("a game");
        for way in WAYS {
            let what = format!("{per_second}/s, {way:?}");
            let ping = FromClient::Ping(7);
            let mut client = Client::in_game(way, &served, &port, join(ana.game())).await;
            // The hello has taken one message of the burst; time may have given it back.
            let enough = per_second - 1 + most + 1;
            assert_eq!(flood(&mut client, &ping, enough).await, (enough, String::new()), "{what}");

            // The answers to the last messages are still on their way when the connection ends.
            let answered = most - 16..=per_second + most;
            let mut client = Client::in_game(way, &served, &port, join(ana.game())).await;
            let (answers, last) = flood(&mut client, &ping, 2 * per_second + most + 50).await;
            assert_eq!(last, "closing TooFast", "{what}");
            assert!(answered.contains(&answers), "{what}: {answers} were answered");

            // The same before a client is in a game.
            let mut client = Client::connect(way, &served, &port).await;
            let list = FromClient::Hello(hello(Want::List, None));
            let (answers, last) = flood(&mut client, &list, 2 * per_second + most + 50).await;
            assert_eq!(last, "closing TooFast", "{what}");
            assert!(answered.contains(&answers), "{what}: {answers} were answered");
        }
    }
}

/// A message of more than one segment counts like any other, also when it is the only one that has arrived.
#[tokio::test]
async fn long_messages_are_no_flood() {
    let served = Served::with(Limits { messages_per_second: 1, ..Limits::default() }).await;
    let port = Port::of(&served).await;
    let ana = served.enter(Form::Binary, create("10")).await.expect("a game");
    for way in WAYS {
        let mut client = Client::in_game(way, &served, &port, join(ana.game())).await;
        tokio::time::pause();
        let long = client.bytes(&FromClient::Command(&Command::Join { name: "x".repeat(10_000) }));
        let leave = client.bytes(&FromClient::Command(&Command::Leave {}));
        let ping = client.bytes(&FromClient::Ping(1));
        client.write(&[[long, leave].concat().repeat(10), ping].concat()).await;
        for number in 0..10 {
            for event in ["Greeted", "Joined"] {
                let message = client.next().await;
                assert!(message.contains(event), "{way:?} {number}: {}", &message[..message.len().min(100)]);
            }
        }
        assert_eq!(client.next().await, "pong 1");
        tokio::time::resume();
    }
}

#[tokio::test]
async fn after_a_flood_a_client_can_resume() {
    let served = Served::with(Limits { messages_per_second: 10, ..Limits::default() }).await;
    let mut ana = served.creator("10").await;
    let mut bo = served.enter(Form::Binary, join(ana.game())).await.expect("a place");
    tokio::time::pause();
    for _ in 0..200 {
        bo.ping().await;
    }
    let heard = bo.rest().await;
    assert!(heard.ends_with("closing TooFast"), "{heard}");
    ana.add(1).await;
    assert_eq!(ana.hears().await, "3 Counted 1", "and other clients do not notice");
    let mut again = served.enter(Form::Binary, resume(ana.game(), bo.token(), 0)).await.expect("the place");
    assert_eq!(again.hears().await, "");
}

/// A host that slows a client down still sends to it: more batches than may wait for a client that does not read.
#[tokio::test]
async fn a_client_that_is_slowed_down_still_hears() {
    const PER_SECOND: u32 = 10;
    let clock = Clock::stop();
    let served = Served::with(Limits { messages_per_second: PER_SECOND, ..Limits::default() }).await;
    let mut ana = served.creator("1000").await;
    // The hello, the command and the ping of the creator are three. The last message waits.
    for _ in 3..=PER_SECOND {
        ana.ping().await;
    }
    let mut told = String::new();
    for _ in 0..100 {
        let mut player = served.enter(Form::Binary, join(ana.game())).await.expect("a place");
        for _ in 0..3 {
            player.add(1).await;
            player.hears().await;
        }
    }
    while !told.ends_with("Counted 300") {
        told = ana.next().await;
        assert!(!told.starts_with("closing") && told != "end", "{told}");
    }
    clock.until(async { while ana.next().await != "pong 9" {} }).await;
}
