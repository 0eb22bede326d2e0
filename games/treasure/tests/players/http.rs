//! The line to a server: what it sends, and what it makes of answers.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use treasure::players::http::{BaseUrl, Line, Request};

#[test]
fn base_urls() {
    let check = |text: &str, expected: Result<&str, &str>| {
        let read = text.parse::<BaseUrl>().map(|base| base.to_string());
        assert_eq!(read.as_deref().map_err(String::as_str), expected, "{text}");
    };
    check("http://127.0.0.1:8080", Ok("http://127.0.0.1:8080"));
    check("http://localhost:8080/", Ok("http://localhost:8080"));
    check("HTTP://a.example/some/where/", Ok("http://a.example/some/where"));
    check("a.example:80", Ok("http://a.example:80"));
    check("http://[::1]:8080", Ok("http://[::1]:8080"));
    check("http://[::1]", Ok("http://[::1]"));
    check("https://a.example", Err("https is not spoken here; a base URL is http://HOST:PORT"));
    check("http://a.example:port", Err("\"port\" is no port; a base URL is http://HOST:PORT"));
    check("http://", Err("a base URL is http://HOST:PORT"));
    check("http://a b", Err("a base URL is http://HOST:PORT"));
    check("http://a.example/?x=1", Err("a base URL is http://HOST:PORT"));
}

/// Sends one request to a server that says exactly this and closes; gives what was asked, and the status and body or why not.
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
    let mut line = Line::new(base, Duration::ZERO);
    let request = Request { path: "/games", body: Some("<a/>"), limit: Duration::from_secs(300) };
    let answered =
        line.ask(request).await.map(|answer| (answer.status, String::from_utf8_lossy(&answer.body).into_owned()));
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
    check("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort", Err("no answer: early eof")).await;
    check("HTTP/1.1 503 Gone\r\nContent-Length: 0\r\n\r\n", Err("no answer: the server stops")).await;
    check("", Err("no answer: the connection ended, or a line does not")).await;
    check("SSH-2.0-x\r\n", Err("no answer: \"SSH-2.0-x\" is no answer in HTTP/1.1")).await;
    check("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", Err("no answer: a body of \"99999999\" bytes")).await;
    check("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", Err("no answer: a chunk of \"zz\" bytes"))
        .await;
}

/// One connection for several requests, and another when the server has closed it.
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
    let mut line = Line::new(base, Duration::ZERO);
    for _ in 0..6 {
        let request = Request { path: "/", body: None, limit: Duration::from_secs(300) };
        assert_eq!(line.ask_once(request).await.expect("an answer").body, b"ok");
        // Until the other side's close has arrived.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(serving.await.expect("no panic"), 6);
}
