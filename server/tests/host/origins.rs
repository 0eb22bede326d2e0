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
    serve_allowing(listen, names, &[]).await
}

async fn serve_allowing(listen: Ipv4Addr, names: &[&str], origins: &[&str]) -> (Served, Port) {
    let host_names = names.iter().map(|name| name.parse().expect("a name")).collect();
    let allowed_origins = origins.iter().map(|origin| origin.parse().expect("an origin")).collect();
    let usual = options(Arc::new(MemoryLog::new()), Limits::default());
    let served = Served::open(Options { host_names, allowed_origins, ..usual }).await;
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
        (&[], 400),
        (&["Host: localhost:PORT", "Host: localhost:PORT"], 400),
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
        (&["Host: localhost:PORT", "Host: evil.test:PORT"], 400),
        // A page of another site that uses the address of this host.
        (&["Host: localhost:PORT", "Origin: http://evil.test"], 403),
        (&["Host: localhost:PORT", "Origin: http://localhost:1"], 403),
        (&["Host: localhost:PORT", "Origin: http://127.0.0.1:PORT"], 403),
        (&["Host: localhost:PORT", "Origin: null"], 403),
        (&["Host: localhost:PORT", "Origin:"], 403),
        (&["Origin: http://evil.test"], 400),
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
        (&[], 400),
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

/// Pages of an allowed origin use the API and nothing else, and no other page does.
#[tokio::test]
async fn allowed_origins() {
    let allowed = ["http://localhost:5173", "https://dev.example:443"];
    let (_served, port) = serve_allowing(Ipv4Addr::LOCALHOST, &[], &allowed).await;
    let number = port.address.port();
    let host = format!("Host: localhost:{number}\r\n");
    for (origin, api, other) in [
        ("http://localhost:5173", 200, 403),
        ("https://dev.example", 200, 403),
        ("http://localhost:5174", 403, 403),
        ("https://localhost:5173", 403, 403),
        ("http://127.0.0.1:5173", 403, 403),
        ("http://localhost:51730", 403, 403),
        ("http://localhost:5173.evil.test", 403, 403),
        ("http://evil.test", 403, 403),
        ("null", 403, 403),
    ] {
        for (request, more, answered) in REQUESTS {
            let path = request.split(' ').nth(1).expect("a path");
            let expected = if path.starts_with("/api/") { api } else { other };
            let expected = if expected == 200 { answered } else { expected };
            for fetch in ["", "Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n"] {
                let headers = format!("{host}Origin: {origin}\r\n{fetch}{more}");
                assert_eq!(status(&port, request, &headers).await, expected, "{request} {headers:?}");
            }
        }
    }
    // The name of the host still has to be right, and there is one origin.
    for (headers, expected) in [
        ("Host: evil.test\r\nOrigin: http://localhost:5173\r\n".to_owned(), 421),
        (format!("{host}Origin: http://localhost:5173\r\nOrigin: http://evil.test\r\n"), 403),
        (format!("{host}Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: image\r\n"), 403),
        (host.clone(), 200),
    ] {
        assert_eq!(status(&port, "GET /api/v1/games", &headers).await, expected, "{headers:?}");
    }
}

/// What a browser needs to let a page read the answers.
#[tokio::test]
async fn headers_for_allowed_origins() {
    const ORIGIN: &str = "http://localhost:5173";
    let (_served, port) = serve_allowing(Ipv4Addr::LOCALHOST, &[], &[ORIGIN]).await;
    let host = port.address.to_string();
    let ask = |request: testkit::Request, origin: &str| request.header("Host", &host).header("Origin", origin);
    let preflight = |origin: &str| {
        ask(testkit::Request::new("OPTIONS", "/api/v1/games"), origin)
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "content-type")
    };
    let answer = preflight(ORIGIN).send(port.address).await;
    assert_eq!(answer.status, 204, "{answer:?}");
    assert_eq!(answer.header("access-control-allow-origin"), Some(ORIGIN));
    // The test's client has all headers in lower case.
    assert_eq!(answer.header("access-control-allow-methods"), Some("get, post, delete"));
    assert_eq!(answer.header("access-control-allow-headers"), Some("authorization, content-type"));
    assert_eq!(answer.header("access-control-allow-credentials"), None);
    assert_eq!(answer.header("vary"), Some("origin"));
    // Errors too: a developer wants to read them.
    for (path, status) in [("/api/v1/games", 200), ("/api/v1/games/nothing", 404), ("/api/v1/nothing", 404)] {
        let answer = ask(testkit::Request::get(path), ORIGIN).send(port.address).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (status, Some(ORIGIN)), "{path}");
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("cross-origin"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    }
    let elsewhere = [preflight("http://evil.test"), ask(testkit::Request::get("/api/v1/games"), "http://evil.test")];
    for request in elsewhere {
        let answer = request.send(port.address).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (403, None), "{answer:?}");
    }
    // The host's own pages and programs see no difference.
    let own = testkit::Request::get("/api/v1/games").header("Host", &host).send(port.address).await;
    assert_eq!(own.header("access-control-allow-origin"), None);
    assert_eq!(own.header("cross-origin-resource-policy"), Some("same-origin"));
}
