//! A client's side of an HTTP connection over a link.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::link::End;

/// The longest answer. The largest real one has a hundred fields of a map.
const LONGEST: usize = 64 * 1024;

/// A connection that carries one request after the other.
pub(crate) struct HttpConnection {
    stream: End,
    buffer: Vec<u8>,
}

/// A request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'r> {
    pub(crate) path: &'r str,
    /// Sent with POST; without a body it is GET.
    pub(crate) body: Option<&'r str>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
    /// Whether the server closes the connection.
    pub(crate) closes: bool,
}

impl HttpConnection {
    pub(crate) fn new(stream: End) -> Self {
        Self { stream, buffer: Vec::new() }
    }

    /// Sends a request and waits for its answer. After a failure, the connection is of no use.
    pub(crate) async fn ask(&mut self, Request { path, body }: Request<'_>) -> io::Result<Response> {
        let method = if body.is_some() { "POST" } else { "GET" };
        let body = body.unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: simulation\r\ncontent-type: application/xml\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await?;
        let end = self.read_until(|bytes| bytes.windows(4).position(|part| part == b"\r\n\r\n")).await?;
        let (status, length, closes) = head(&self.buffer[..end]).ok_or_else(malformed)?;
        let (from, to) = (end + 4, end + 4 + length);
        self.read_until(|bytes| (bytes.len() >= to).then_some(())).await?;
        let body = self.buffer[from..to].to_vec();
        self.buffer.drain(..to);
        Ok(Response { status, body, closes })
    }

    /// Whether the server has sent something that was not read.
    pub(crate) fn has_unread(&self) -> bool {
        !self.buffer.is_empty() || self.stream.control().has_unread()
    }

    /// Says that it sends no more, and waits for the answer that may still come. True if the server ends the connection without
    /// one: then it has not answered.
    pub(crate) async fn give_up(&mut self) -> bool {
        let is_unanswered = self.buffer.is_empty();
        let closed = self.stream.shutdown().await.is_ok();
        let ended = self.stream.read_buf(&mut self.buffer).await;
        is_unanswered && closed && ended.is_ok_and(|count| count == 0)
    }

    async fn read_until<T>(&mut self, found: impl Fn(&[u8]) -> Option<T>) -> io::Result<T> {
        loop {
            if let Some(found) = found(&self.buffer) {
                return Ok(found);
            }
            if self.buffer.len() > LONGEST {
                return Err(malformed());
            }
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }
}

/// The status, the length of the body, and whether the connection is closed.
fn head(bytes: &[u8]) -> Option<(u16, usize, bool)> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut lines = text.split("\r\n");
    let status = lines.next()?.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
    let (mut length, mut closes) = (None, false);
    for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
        if name.eq_ignore_ascii_case("content-length") {
            length = value.parse().ok();
        } else if name.eq_ignore_ascii_case("connection") {
            closes = value.eq_ignore_ascii_case("close");
        }
    }
    Some((status, length?, closes))
}

fn malformed() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read() {
        let check = |text: &str, expected| assert_eq!(head(text.as_bytes()), expected, "{text}");
        check("HTTP/1.1 200 OK\r\nContent-Length: 12", Some((200, 12, false)));
        check("HTTP/1.1 503 Away\r\ncontent-length: 0\r\nconnection: close", Some((503, 0, true)));
        check("HTTP/1.1 200 OK", None);
        check("200 OK\r\ncontent-length: 0", None);
    }
}
