//! A host with crazyhouse on its ports, and a WebSocket client.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use crazyhouse::Crazyhouse;
use serde_json::Value;
use server::{Erased, GameTable, Gateway, Host, Http, Options, log::MemoryLog};
use slog::{Discard, Logger, o};
use testkit::{Request, Response};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::watch,
    time::timeout,
};

/// A timeout that only a hanging test reaches.
const LONG: Duration = Duration::from_secs(20);

/// A host with a port for games and one for HTTP.
pub(crate) struct Served {
    pub(crate) host: Arc<Host>,
    pub(crate) games: SocketAddr,
    http: SocketAddr,
    _stop: watch::Sender<bool>,
}

impl Served {
    pub(crate) async fn new() -> Self {
        let table = GameTable::new(vec![&Erased::<Crazyhouse>::NEW]);
        let options = Options::new(table, Arc::new(MemoryLog::new()), Logger::root(Discard, o!()));
        let host = Host::open(options).await.expect("a host");
        let any_port = (Ipv4Addr::LOCALHOST, 0).into();
        let gateway = Gateway::bind(any_port, &host).await.expect("a port");
        let http = Http::bind(any_port).await.expect("a port");
        let (games, address) = (gateway.local_addr().expect("an address"), http.local_addr().expect("an address"));
        let (stop, stopped) = watch::channel(false);
        tokio::spawn(gateway.serve(host.clone(), stopped.clone()));
        tokio::spawn(http.serve(host.clone(), stopped));
        Self { host, games, http: address, _stop: stop }
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        Request::get(path).send(self.http).await
    }

    pub(crate) async fn post(&self, path: &str, body: &str) -> Response {
        Request::post_json(path, body).send(self.http).await
    }
}

/// A WebSocket client for short messages.
pub(crate) struct Socket(TcpStream);

impl Socket {
    pub(crate) async fn open(served: &Served) -> Self {
        let mut stream = TcpStream::connect(served.http).await.expect("a connection");
        let request = format!(
            "GET /api/v1/play HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            served.http
        );
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(timeout(LONG, stream.read_u8()).await.expect("an answer").expect("a head"));
        }
        assert!(head.starts_with(b"HTTP/1.1 101 "), "{}", String::from_utf8_lossy(&head));
        Self(stream)
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let length = u16::try_from(text.len()).expect("a short message").to_be_bytes();
        // One whole frame of text, with a mask of zeros.
        let frame = [&[0x81, 0x80 | 126][..], &length, &[0; 4], text.as_bytes()].concat();
        self.0.write_all(&frame).await.expect("sent");
    }

    pub(crate) async fn next(&mut self) -> Value {
        let read = async {
            assert_eq!(self.0.read_u8().await?, 0x81, "a whole frame of text");
            let length = match self.0.read_u8().await? {
                126 => self.0.read_u16().await?.into(),
                127 => self.0.read_u64().await?,
                short => short.into(),
            };
            let mut body = vec![0; length as usize];
            self.0.read_exact(&mut body).await?;
            std::io::Result::Ok(body)
        };
        let body = timeout(LONG, read).await.expect("something comes").expect("not the end");
        serde_json::from_slice(&body).expect("JSON")
    }
}
