//! Connections over TCP.

use std::{io, net::SocketAddr, time::Duration};

use commlib::{
    ClientConnection, ClientError, ConnectionId, Form, Greeting, Hello, Incoming, Limits, NumberedEvent, PROTOCOL,
    ReadError, Reader, Reason, Refused, ServerConnection, ToClient, Want, Welcome, Writer, turn_away,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::example::{Command, Event, hello};

type Client = ClientConnection<Command, Event>;

const FORMS: [Form; 2] = [Form::Binary, Form::Json];

async fn listen(limits: Limits) -> (ServerConnection, SocketAddr) {
    let server = ServerConnection::bind("127.0.0.1:0", limits).await.expect("a port");
    let address = server.local_addr().expect("an address");
    (server, address)
}

/// A plain socket, and the server's side of it.
async fn plain_socket(limits: Limits) -> (TcpStream, Reader, Writer) {
    let (server, address) = listen(limits).await;
    let (stream, peer) = tokio::join!(TcpStream::connect(address), server.accept());
    let (reader, writer) = peer.expect("a peer").split();
    (stream.expect("a connection"), reader, writer)
}

/// A client, and the server's side of it.
async fn client(form: Form) -> (Client, Reader, Writer) {
    let (server, address) = listen(Limits::default()).await;
    let (client, peer) = tokio::join!(Client::connect(address, form), server.accept());
    let (reader, writer) = peer.expect("a peer").split();
    (client.expect("a connection"), reader, writer)
}

fn welcome() -> Welcome {
    Welcome {
        protocol: PROTOCOL,
        game: "g1".into(),
        client: Some(0),
        token: None,
        next: 1,
        rulebook: "table".into(),
        edition: "loud".into(),
        commands: 0,
        scenario: None,
    }
}

fn said(received: &Result<Option<Incoming<'_>>, ReadError>) -> String {
    match received {
        Ok(Some(Incoming::Hello(hello))) => format!("{:?}", hello.want),
        Ok(Some(Incoming::Ping(number))) => format!("Ping {number}"),
        Ok(Some(Incoming::Offers(number))) => format!("Offers {number}"),
        Ok(Some(Incoming::Notices(wanted))) => format!("Notices {wanted}"),
        Ok(Some(Incoming::Chat(text))) => format!("Chat {text}"),
        Ok(Some(Incoming::Account(token))) => format!("Account {token}"),
        Ok(Some(Incoming::Mute(mute))) => format!("{mute:?}"),
        Ok(Some(Incoming::Report(number))) => format!("Report {number}"),
        Ok(Some(Incoming::Manage(change))) => format!("{change:?}"),
        Ok(Some(Incoming::Command(raw))) => format!("{:?}", raw.decode::<Command>()),
        Ok(None) => "end".into(),
        Err(error) => error.to_string(),
    }
}

#[tokio::test]
async fn a_whole_session() {
    for form in FORMS {
        let (mut client, mut reader, mut writer) = client(form).await;
        let serve = async {
            assert_eq!(reader.greeting().await.expect("a hello"), Some(Greeting::Hello(hello(Want::List))));
            assert_eq!(reader.form(), form);
            writer.send_message(form, &ToClient::<Event>::Games(vec![])).await.expect("sent");
            assert_eq!(
                reader.greeting().await.expect("a hello"),
                Some(Greeting::Hello(hello(Want::Join { seat: None })))
            );
            let full = Refused::new(Reason::Full, "no seat is free");
            writer.send_message(form, &ToClient::<Event>::Refused(full)).await.expect("sent");
            assert_eq!(
                reader.greeting().await.expect("a hello"),
                Some(Greeting::Hello(hello(Want::Watch { seen: 0 })))
            );
            writer.send_message(form, &ToClient::<Event>::Welcome(welcome())).await.expect("sent");
            assert_eq!(said(&reader.next_command().await), "Ok(Roll { dice: 2 })");
            assert_eq!(said(&reader.next_command().await), "Ping 7");
            let event = Event::Rolled { by: 0, eyes: vec![6, 1] };
            let told = ToClient::Event(NumberedEvent { number: 1, event, text: None });
            let mut both = Vec::new();
            commlib::encode(form, &told, &mut both).expect("it fits");
            commlib::encode(form, &ToClient::<Event>::Pong(7), &mut both).expect("it fits");
            writer.send(&both).await.expect("sent");
            assert_eq!(said(&reader.next_command().await), "end");
        };
        let play = async move {
            assert_eq!(client.games().await.expect("games"), []);
            let refused = client.hello(hello(Want::Join { seat: None })).await;
            assert!(matches!(refused, Err(ClientError::Refused(Refused { reason: Reason::Full, .. }))));
            assert_eq!(client.hello(hello(Want::Watch { seen: 0 })).await.expect("a welcome"), welcome());
            client.send(&Command::Roll { dice: 2 }).await.expect("sent");
            client.ping(7).await.expect("sent");
            let event = client.next().await.expect("a message");
            assert!(matches!(
                event,
                Some(ToClient::Event(NumberedEvent { number: 1, event: Event::Rolled { .. }, .. }))
            ));
            assert_eq!(client.next().await.expect("a message"), Some(ToClient::Pong(7)));
        };
        tokio::join!(serve, play);
    }
}

#[tokio::test]
async fn connections_are_counted() {
    let mut last = ConnectionId(0);
    for _ in 0..2 {
        let (server, address) = listen(Limits::default()).await;
        for _ in 0..3 {
            let (stream, peer) = tokio::join!(TcpStream::connect(address), server.accept());
            let (stream, peer) = (stream.expect("a connection"), peer.expect("a peer"));
            assert!(peer.id() > last, "no number is reused, on any port");
            last = peer.id();
            assert_eq!(peer.address(), stream.local_addr().expect("an address"));
        }
    }
}

#[tokio::test]
async fn byte_by_byte() {
    const BINARY: &[u8] = b"\0\0\0\x05\0\x03\0\0\0\0\0\0\x03\x01\x01\x02";
    const JSON: &[u8] = b"{\"hello\":{\"protocol\":3,\"want\":\"list\"}}\r\n{\"command\":{\"Roll\":{\"dice\":1}}}\n";
    for bytes in [BINARY, JSON] {
        let (mut stream, mut reader, _writer) = plain_socket(Limits::default()).await;
        stream.set_nodelay(true).expect("no delay");
        let write = async move {
            for byte in bytes {
                stream.write_all(&[*byte]).await.expect("written");
                tokio::task::yield_now().await;
            }
        };
        let read = async {
            assert_eq!(reader.greeting().await.expect("a hello"), Some(Greeting::Hello(hello(Want::List))));
            assert_eq!(said(&reader.next_command().await), "Ok(Roll { dice: 1 })");
            assert_eq!(said(&reader.next_command().await), "end");
        };
        tokio::join!(write, read);
    }
}

#[tokio::test]
async fn a_cancelled_read_loses_nothing() {
    let (mut stream, mut reader, _writer) = plain_socket(Limits::default()).await;
    for half in [&b"{\"pin"[..], b"g\":7}"] {
        stream.write_all(half).await.expect("written");
        assert!(timeout(Duration::from_millis(20), reader.next_command()).await.is_err());
    }
    stream.write_all(b"\n").await.expect("written");
    assert_eq!(said(&reader.next_command().await), "Ping 7");
}

#[tokio::test]
async fn peers_that_disconnect() {
    async fn check(bytes: &[u8], expected: &str) {
        let (mut stream, mut reader, _writer) = plain_socket(Limits::default()).await;
        stream.write_all(bytes).await.expect("written");
        drop(stream);
        assert_eq!(said(&reader.next_command().await), expected, "{bytes:?}");
    }
    let cut = "the connection ended in the middle of a message";
    check(b"", "end").await;
    check(b"\r\n", "end").await;
    check(b"{\"ping\":7}", cut).await;
    check(b"\0", cut).await;
    check(b"\0\0\0\x02\x02", cut).await;

    let (stream, mut reader, _writer) = plain_socket(Limits::default()).await;
    stream.set_zero_linger().expect("the option exists");
    drop(stream);
    let reset = reader.next_command().await;
    assert!(matches!(reset, Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::ConnectionReset));
}

#[tokio::test]
async fn limits() {
    async fn check(limits: Limits, bytes: &[u8], expected: &str) {
        let (mut stream, mut reader, _writer) = plain_socket(limits).await;
        stream.write_all(bytes).await.expect("written");
        let came = match reader.greeting().await {
            Ok(Some(_)) => said(&reader.next_command().await),
            Ok(None) => "end".into(),
            Err(ReadError::Refused(Refused { reason, message })) => format!("{reason:?}: {message}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(came, expected);
    }
    const HELLO: &[u8] = b"\0\0\0\x05\0\x01\0\0\0";
    let short = Limits { handshake: Duration::from_millis(20), hello: 5, command: 3, ..Limits::default() };
    check(short, b"", "Timeout: no whole hello within 20ms").await;
    check(short, &HELLO[..8], "Timeout: no whole hello within 20ms").await;
    // These cases do not depend on time.
    let short = Limits { handshake: Limits::default().handshake, ..short };
    check(short, b"\0\0\0\x06", "TooLarge: message 1: a frame of 6 bytes; 5 are the most").await;
    check(short, b"\0\0\0\x02\x02\x07", "BadMessage: a hello comes before everything else").await;
    check(short, &[HELLO, b"\0\0\0\x03\x01\x01\x02"].concat(), "Ok(Roll { dice: 1 })").await;
    check(short, &[HELLO, b"\0\0\0\x04"].concat(), "message 2: a frame of 4 bytes; 3 are the most").await;
}

#[tokio::test]
async fn a_refused_client_receives_the_reason() {
    async fn check(bytes: &[u8], expected: &[u8]) {
        let (mut stream, mut reader, writer) = plain_socket(Limits::default()).await;
        stream.write_all(bytes).await.expect("written");
        let Err(ReadError::Refused(refused)) = reader.next_command().await else { panic!("it is refused") };
        // The server never reads these bytes. The client must receive the last message nevertheless.
        stream.write_all(&[b'x'; 10_000]).await.expect("written");
        let listen = async {
            let mut received = Vec::new();
            stream.read_to_end(&mut received).await.expect("no reset");
            assert_eq!(String::from_utf8_lossy(&received), String::from_utf8_lossy(expected));
            drop(stream);
        };
        tokio::join!(turn_away(reader, writer, refused), listen);
    }
    check(
        b"GET / HTTP/1.1\r\n\r\n",
        b"{\"closing\":{\"reason\":\"bad_message\",\"message\":\"message 1: a connection starts with 00 (binary frames) \
          or { (lines of JSON), not with 47\"}}\n",
    )
    .await;
    check(b"\0\0\0\0", b"\0\0\0\x21\x05\x00\x1emessage 1: a frame of no bytes").await;
}

#[tokio::test]
async fn errors_of_a_client() {
    async fn check(form: Form, answer: &[u8], expected: &str) {
        let (mut client, reader, mut writer) = client(form).await;
        writer.send(answer).await.expect("sent");
        writer.close().await.expect("closed");
        let Err(error) = client.hello(hello(Want::List)).await else { panic!("no welcome was sent") };
        assert_eq!(error.to_string(), expected);
        drop(reader);
    }
    let closing = "the server closes the connection: later";
    let early = b"{\"closing\":{\"reason\":\"too_many\",\"message\":\"later\"}}\n";
    for form in FORMS {
        check(form, early, closing).await;
        check(form, b"{\"pong\":1}\n", "the server sent something else instead of a welcome").await;
        check(form, b"", "the server closed the connection without an answer").await;
        check(form, b"{", "the connection ended in the middle of a message").await;
        check(
            form,
            b"SSH-2.0",
            "the server sent something malformed: message 1: a connection starts with 00 (binary frames) or { (lines \
             of JSON), not with 53",
        )
        .await;
    }
}

#[tokio::test]
async fn a_closed_port() {
    let (server, address) = listen(Limits::default()).await;
    drop(server);
    let connected = Client::connect(address, Form::Json).await.map(drop);
    assert!(matches!(connected, Err(ClientError::Connect(_))));
}

#[tokio::test]
async fn a_message_that_is_too_long_is_not_sent() {
    let (mut client, _reader, _writer) = client(Form::Binary).await;
    let long = Hello { game: Some("x".repeat(commlib::LONGEST_FRAME)), ..hello(Want::List) };
    assert!(matches!(client.hello(long).await, Err(ClientError::Encode(_))));
}
