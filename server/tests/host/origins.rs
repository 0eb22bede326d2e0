//! Pages of other sites get no answer, however they reach the host. Programs and the host's own pages do.

use std::{net::Ipv4Addr, sync::Arc};

use server::{Limits, Options, log::MemoryLog};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

use crate::support::{Port, Served, options};

/// A request of every kind, and the status of its answer if it is answered. On other addresses than loopback, creating a game
/// needs the token.
const REQUESTS: [(&str, &str, u16); 8] = [
    ("GET /", "", 200),
    ("GET /web/style.css", "", 200),
    ("GET /health", "", 200),
    ("GET /metrics", "", 200),
    ("GET /api/v1/games", "", 200),
    ("GET /api/v1/openapi.json", "", 200),
    (
        "GET /api/v1/play",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
        101,
    ),
    ("POST /api/v1/games", "Content-Type: application/json\r\nContent-Length: 16\r\n", 201),
];

/// The status of the answer to a request with these headers.
async fn status(port: &Port, request: &str, headers: &str) -> u16 {
    let mut stream = TcpStream::connect(port.address).await.expect("a connection");
    let body = if request.starts_with("POST") { r#"{"scenario":"3"}"# } else { "" };
    stream.write_all(format!("{request} HTTP/1.1\r\n{headers}\r\n{body}").as_bytes()).await.expect("sent");
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).await.expect("an answer");
    line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_else(|| panic!("{request}: {line:?}"))
}

/// Sends every kind of request with these headers. `expected` is 200 if they are answered.
async fn check(port: &Port, headers: &[&str], expected: u16) {
    let number = port.address.port();
    let headers: String =
        headers.iter().map(|header| format!("{}\r\n", header.replace("PORT", &number.to_string()))).collect();
    for (request, more, answered) in REQUESTS {
        let expected = if expected == 200 { answered } else { expected };
        let got = status(port, request, &format!("{headers}{more}")).await;
        // The token is a matter of its own.
        assert!(got == expected || (got, expected) == (401, 201), "{request}, {headers:?}: {got}, not {expected}");
    }
}

async fn serve(listen: Ipv4Addr, names: &[&str]) -> (Served, Port) {
    let host_names = names.iter().map(|name| name.parse().expect("a name")).collect();
    let served = Served::open(Options { host_names, ..options(Arc::new(MemoryLog::new()), Limits::default()) }).await;
    let port = Port::on(&served, listen).await;
    (served, port)
}

#[tokio::test]
async fn a_host_on_loopback() {
    let (_served, port) = serve(Ipv4Addr::LOCALHOST, &[]).await;
    for (headers, expected) in [
        // Programs.
        (&["Host: 127.0.0.1:PORT"][..], 200),
        (&["Host: 127.0.0.2"], 200),
        (&["Host: localhost:PORT"], 200),
        (&["Host: LocalHost"], 200),
        (&["Host: [::1]:PORT"], 200),
        (&["Host: games.localhost:9"], 200),
        (&[], 200),
        // The host's own pages, and people who type an address or follow a link.
        (&["Host: localhost:PORT", "Origin: http://localhost:PORT"], 200),
        (&["Host: 127.0.0.1:PORT", "Origin: http://127.0.0.1:PORT", "Sec-Fetch-Site: same-origin"], 200),
        (&["Host: localhost:PORT", "Sec-Fetch-Site: none", "Sec-Fetch-Dest: document"], 200),
        (&["Host: localhost:PORT", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: document"], 200),
        // A name that was made to resolve to this machine.
        (&["Host: evil.test:PORT"], 421),
        (&["Host: evil.test:PORT", "Origin: http://evil.test:PORT"], 421),
        (&["Host: evil.test:PORT", "Origin: http://evil.test:PORT", "Sec-Fetch-Site: same-origin"], 421),
        (&["Host: localhost.evil.test:PORT"], 421),
        (&["Host: 127.0.0.1.evil.test:PORT"], 421),
        (&["Host: 192.0.2.7:PORT"], 421),
        (&["Host: 0.0.0.0:PORT"], 421),
        (&["Host: localhost:PORT", "Host: evil.test:PORT"], 421),
        // A page of another site that uses the address of this host.
        (&["Host: localhost:PORT", "Origin: http://evil.test"], 403),
        (&["Host: localhost:PORT", "Origin: http://localhost:1"], 403),
        (&["Host: localhost:PORT", "Origin: http://127.0.0.1:PORT"], 403),
        (&["Host: localhost:PORT", "Origin: null"], 403),
        (&["Host: localhost:PORT", "Origin:"], 403),
        (&["Origin: http://evil.test"], 403),
        (&["Host: localhost:PORT", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: image"], 403),
        (&["Host: localhost:PORT", "Sec-Fetch-Site: same-site", "Sec-Fetch-Dest: script"], 403),
        (&["Host: localhost:PORT", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: iframe"], 403),
        (&["Host: localhost:PORT", "Sec-Fetch-Site: cross-site"], 403),
    ] {
        check(&port, headers, expected).await;
    }
    assert_eq!(status(&port, "GET /nothing", "Host: evil.test\r\n").await, 421);
    assert_eq!(status(&port, "DELETE /", "Host: evil.test\r\n").await, 421);
}

/// The proxy passes the name on, or sets its own.
#[tokio::test]
async fn a_host_behind_a_proxy() {
    let (_served, port) = serve(Ipv4Addr::LOCALHOST, &["games.example", "Other.Example."]).await;
    for (headers, expected) in [
        (&["Host: games.example"][..], 200),
        (&["Host: other.example:7744"], 200),
        (&["Host: games.example", "Origin: https://games.example"], 200),
        (&["Host: games.example:7744", "Origin: https://games.example:7744"], 200),
        (&["Host: 127.0.0.1:PORT", "Origin: https://games.example:7744"], 200),
        (&["Host: localhost:PORT"], 200),
        (&["Host: games.example", "Origin: https://evil.test"], 403),
        (&["Host: games.example", "Origin: https://games.example.evil.test"], 403),
        (&["Host: evil.test", "Origin: https://games.example"], 421),
        (&["Host: www.games.example"], 421),
    ] {
        check(&port, headers, expected).await;
    }
}

#[tokio::test]
async fn a_host_on_other_addresses() {
    let (_served, port) = serve(Ipv4Addr::UNSPECIFIED, &[]).await;
    for (headers, expected) in [
        (&["Host: 192.0.2.7:PORT"][..], 200),
        (&["Host: any.example"], 200),
        (&[], 200),
        (&["Host: any.example", "Origin: https://any.example"], 200),
        (&["Host: any.example", "Origin: https://evil.test"], 403),
        (&["Host: any.example", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: image"], 403),
    ] {
        check(&port, headers, expected).await;
    }
    let (_served, port) = serve(Ipv4Addr::UNSPECIFIED, &["games.example"]).await;
    for (headers, expected) in [
        (&["Host: games.example:PORT"][..], 200),
        (&["Host: 192.0.2.7:PORT"], 200),
        (&["Host: [2001:db8::7]:PORT"], 200),
        (&["Host: localhost"], 200),
        (&["Host: evil.test"], 421),
    ] {
        check(&port, headers, expected).await;
    }
}

#[tokio::test]
async fn the_answer_says_what_to_do() {
    let (_served, port) = serve(Ipv4Addr::LOCALHOST, &[]).await;
    let ask = |path: &str| testkit::Request::get(path).header("Host", "evil.test:80");
    let words = "This host does not answer for the name \"evil.test:80\". Use localhost or 127.0.0.1, or start the host with \
                 --host-name.";
    let answer = ask("/api/v1/games").send(port.address).await;
    assert_eq!(answer.json()["error"], serde_json::json!({"code": "other_host", "message": words}));
    let answer = ask("/").send(port.address).await;
    assert_eq!(answer.body, format!("{words}\n"));
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    assert!(answer.head.contains("x-content-type-options: nosniff"), "{answer:?}");
    let long = testkit::Request::get("/").header("Host", &"x".repeat(5000)).send(port.address).await;
    assert!(long.status == 421 && long.body.len() < 300, "{long:?}");
}
