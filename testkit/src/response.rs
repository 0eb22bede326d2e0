//! Answers of a server.

use std::io;

use serde_json::Value;

/// A complete answer with a text body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The status line and the headers, in lower case.
    pub head: String,
    /// The body, joined if it arrived in chunks.
    pub body: String,
}

impl Response {
    /// Parses the answer to a request with this method. Returns `None` if it is not complete yet or ends with the connection.
    ///
    /// # Errors
    /// If the bytes are not HTTP, or the body is not UTF-8.
    pub fn parse(method: &str, bytes: &[u8]) -> io::Result<Option<Self>> {
        let Some((head, rest)) = split(bytes)? else { return Ok(None) };
        let body = match find_length(method, &head)? {
            Length::Known(length) => rest.get(..length).map(<[u8]>::to_vec),
            Length::Chunked => join_chunks(rest)?,
            Length::UntilClosed => None,
        };
        body.map(|body| Self::new(head, body)).transpose()
    }

    /// Parses the answer to a request with this method, from all bytes of a closed connection.
    ///
    /// # Errors
    /// If the answer is cut off, the bytes are not HTTP, or the body is not UTF-8.
    pub fn parse_all(method: &str, bytes: &[u8]) -> io::Result<Self> {
        if let Some(response) = Self::parse(method, bytes)? {
            return Ok(response);
        }
        match split(bytes)? {
            Some((head, rest)) if find_length(method, &head)? == Length::UntilClosed => Self::new(head, rest.to_vec()),
            _ => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the answer is cut off")),
        }
    }

    fn new(head: String, body: Vec<u8>) -> io::Result<Self> {
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(|| invalid(&head))?;
        let body = String::from_utf8(body).map_err(|_| invalid("a body that is not UTF-8"))?;
        Ok(Self { status, head, body })
    }

    /// The value of a header, in lower case; `name` must also be in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        find_header(&self.head, name)
    }

    /// The body as JSON.
    ///
    /// # Panics
    /// If the body is not JSON.
    #[must_use]
    #[track_caller]
    pub fn json(&self) -> Value {
        parse_json(&self.body)
    }

    /// The body as JSON, one value per line.
    ///
    /// # Panics
    /// If a line is not JSON.
    #[must_use]
    #[track_caller]
    pub fn json_lines(&self) -> Vec<Value> {
        self.body.lines().map(|line| parse_json(line)).collect()
    }
}

#[track_caller]
pub(crate) fn parse_json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("not JSON ({error}): {text}"))
}

/// How to find the end of a body.
#[derive(PartialEq, Eq)]
enum Length {
    Known(usize),
    Chunked,
    UntilClosed,
}

fn find_length(method: &str, head: &str) -> io::Result<Length> {
    if method == "HEAD" {
        return Ok(Length::Known(0));
    }
    if find_header(head, "transfer-encoding") == Some("chunked") {
        return Ok(Length::Chunked);
    }
    match find_header(head, "content-length") {
        Some(length) => Ok(Length::Known(length.parse().map_err(|_| invalid(length))?)),
        None => Ok(Length::UntilClosed),
    }
}

fn find_header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().skip(1).find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(':')?.trim()))
}

/// The head in lower case, and the bytes after it.
fn split(bytes: &[u8]) -> io::Result<Option<(String, &[u8])>> {
    let Some(end) = find(bytes, b"\r\n\r\n") else { return Ok(None) };
    let head = str::from_utf8(&bytes[..end]).map_err(|_| invalid("a head that is not UTF-8"))?;
    Ok(Some((head.to_lowercase(), &bytes[end + 4..])))
}

/// Joins the chunks of a body; `None` if the last chunk is missing.
fn join_chunks(mut bytes: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    while let Some(end) = find(bytes, b"\r\n") {
        let digits = String::from_utf8_lossy(&bytes[..end]);
        let length = usize::from_str_radix(&digits, 16).map_err(|_| invalid(&digits))?;
        if length == 0 {
            return Ok(Some(body));
        }
        let Some(chunk) = bytes.get(end + 2..end + 2 + length) else { break };
        body.extend_from_slice(chunk);
        bytes = bytes.get(end + 2 + length + 2..).unwrap_or_default();
    }
    Ok(None)
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

fn invalid(found: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("not HTTP: {found:?}"))
}

#[cfg(test)]
mod tests {
    use super::Response;

    #[track_caller]
    fn check(bytes: &str, expected: &str) {
        let told = |response: Response| format!("{} {}", response.status, response.body);
        let in_time = Response::parse("GET", bytes.as_bytes()).map(|response| response.map(told));
        let at_end = Response::parse_all("GET", bytes.as_bytes()).map(told);
        let found = match (in_time, at_end) {
            (Ok(Some(early)), Ok(late)) if early == late => early,
            (Ok(None), Ok(late)) => format!("at the end: {late}"),
            (Ok(None), Err(error)) | (Err(error), Err(_)) => error.to_string(),
            (in_time, at_end) => panic!("{bytes:?}: {in_time:?}, {at_end:?}"),
        };
        assert_eq!(found, expected, "{bytes:?}");
    }

    #[test]
    fn answers() {
        check("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "200 ok");
        check("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok, and more", "200 ok");
        check("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok", "the answer is cut off");
        check("HTTP/1.1 200 OK\r\nX: y\r\n\r\nok", "at the end: 200 ok");
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        check(&format!("{chunked}2\r\nok\r\nA\r\n, and more\r\n0\r\n\r\n"), "200 ok, and more");
        check(&format!("{chunked}2\r\nok\r\nA\r\n, an"), "the answer is cut off");
        check(&format!("{chunked}xy\r\n"), "not HTTP: \"xy\"");
        check("SSH-2.0", "the answer is cut off");
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";
        assert_eq!(Response::parse("HEAD", head).expect("HTTP").expect("the whole answer").body, "");
    }
}
