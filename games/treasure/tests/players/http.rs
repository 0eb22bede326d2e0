//! The HTTP client: its requests, and how it reads answers.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use treasure::players::http::{BaseUrl, HttpClient, Request};

#[test]
fn base_urls() {
    let check = |text: &str, expected: Result<&str, &str>| {
        let read = text.parse::<BaseUrl>().map(|base| base.to_string()).map_err(|error| error.to_string());
        assert_eq!(read.as_deref().map_err(String::as_str), expected, "{text}");
    };
    check("http://127.0.0.1:8080", Ok("http://127.0.0.1:8080"));
    check("http://localhost:8080/", Ok("http://localhost:8080"));
    check("HTTP://a.example/some/where/", Ok("http://a.example/some/where"));
    check("a.example:80", Ok("http://a.example:80"));
    check("http://[::1]:8080", Ok("http://[::1]:8080"));
    check("http://[::1]", Ok("http://[::1]"));
    check("ftp://a.example", Err("ftp is not supported; a base URL is http://HOST:PORT or https://HOST:PORT"));
    check("http://a.example:port", Err("\"port\" is not a port; a base URL is http://HOST:PORT or https://HOST:PORT"));
    check("http://", Err("a base URL is http://HOST:PORT or https://HOST:PORT"));
    check("http://a b", Err("a base URL is http://HOST:PORT or https://HOST:PORT"));
    check("http://a.example/?x=1", Err("a base URL is http://HOST:PORT or https://HOST:PORT"));
}

/// Sends one request to a server that sends exactly this answer and closes. Returns the request as the server read it.
async fn check(said: &'static str, expected: Result<(u16, &str), &str>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let base = format!("http://{}/base", listener.local_addr().expect("an address")).parse().expect("a base URL");
    let serving = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let mut asked = vec![0; 4096];
        let count = stream.read(&mut asked).await.expect("a request");
        stream.write_all(said.as_bytes()).await.expect("an answer");
        String::from_utf8_lossy(&asked[..count]).into_owned()
    });
    let mut client = HttpClient::new(base, Duration::ZERO);
    let request = Request { path: "/games", body: Some("<a/>"), timeout: Duration::from_secs(300) };
    let answered =
        client.ask(request).await.map(|answer| (answer.status, String::from_utf8_lossy(&answer.body).into_owned()));
    let answered = answered.map_err(|fault| fault.to_string());
    match (&answered, expected) {
        (Ok((status, body)), Ok(expected)) => assert_eq!((*status, body.as_str()), expected, "{said}"),
        (Err(fault), Err(expected)) => assert_eq!(fault, expected, "{said}"),
        (other, _) => panic!("{said:?} gives {other:?}"),
    }
    serving.await.expect("no panic")
}

#[tokio::test]
async fn answers() {
    let asked = check("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n<b/>", Ok((200, "<b/>"))).await;
    let (head, body) = asked.split_once("\r\n\r\n").expect("a head and a body");
    assert!(head.starts_with("POST /base/games HTTP/1.1\r\nHost: 127.0.0.1:"), "{head}");
    assert!(
        head.contains("\r\nAccept: application/xml\r\nContent-Type: application/xml\r\nContent-Length: 4"),
        "{head}"
    );
    assert_eq!(body, "<a/>");

    check("HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\nConnection: close\r\n\r\nno", Ok((404, "no"))).await;
    check(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<b>\r\n4;x=y\r\n</b>\r\n0\r\n\r\n",
        Ok((200, "<b></b>")),
    )
    .await;
    check("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", Ok((200, "x"))).await;
    check("HTTP/1.0 200 OK\n\nuntil the end", Ok((200, "until the end"))).await;
    check(
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort",
        Err("no answer: the connection ended before the answer did"),
    )
    .await;
    check("HTTP/1.1 503 Gone\r\nContent-Length: 0\r\n\r\n", Err("no answer: the server stops")).await;
    check("", Err("no answer: the connection ended before the answer did")).await;
    check("SSH-2.0-x\r\n", Err("no answer: this is not HTTP/1.1 (invalid HTTP version parsed)")).await;
    check("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", Err("no answer: a body of 99999999 bytes")).await;
    check(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        Err("no answer: the body is not valid HTTP/1.1"),
    )
    .await;
}

/// The client uses one connection for several requests, and opens another after the server has closed it.
#[tokio::test]
async fn connections_are_kept() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address")).parse().expect("a base URL");
    let serving = tokio::spawn(async move {
        let mut requests = Vec::new();
        for _ in 0..2 {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            for _ in 0..3 {
                let mut asked = vec![0; 4096];
                let count = stream.read(&mut asked).await.expect("a request");
                requests.push(count);
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await.expect("an answer");
            }
        }
        requests.len()
    });
    let mut client = HttpClient::new(base, Duration::ZERO);
    for _ in 0..6 {
        let request = Request { path: "/", body: None, timeout: Duration::from_secs(300) };
        assert_eq!(client.ask_once(request).await.expect("an answer").body, "ok");
        // Waits until the close of the other side has arrived.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(serving.await.expect("no panic"), 6);
}
