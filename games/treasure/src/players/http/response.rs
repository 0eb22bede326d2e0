//! An answer, read with limits.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

/// What a server answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    pub body: Vec<u8>,
    /// Whether the connection takes another request.
    pub(super) keeps_open: bool,
}

/// The longest line of a head, the most lines, and the longest body. Answers of the protocols are far shorter.
const LINE: u64 = 8 * 1024;
const LINES: usize = 100;
const BODY: usize = 1024 * 1024;

/// Where a body ends.
enum Length {
    Bytes(usize),
    Chunks,
    Close,
}

impl Response {
    pub(super) async fn read(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Self> {
        loop {
            let (status, head) = head(stream).await?;
            // An answer that says only that another one comes.
            if (100..200).contains(&status) {
                continue;
            }
            let length = match status {
                204 | 304 => Length::Bytes(0),
                _ => head.length,
            };
            let body = match length {
                Length::Bytes(bytes) => exactly(stream, bytes).await?,
                Length::Chunks => chunks(stream).await?,
                Length::Close => rest(stream).await?,
            };
            let keeps_open = head.keeps_open && !matches!(length, Length::Close);
            return Ok(Self { status, body, keeps_open });
        }
    }
}

struct Head {
    length: Length,
    keeps_open: bool,
}

async fn head(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<(u16, Head)> {
    let first = line(stream).await?;
    let mut words = first.splitn(3, ' ');
    let version = words.next().unwrap_or_default();
    let status = words.next().and_then(|word| word.parse().ok());
    let Some(status) = status.filter(|_| version.starts_with("HTTP/1.")) else {
        return Err(odd(&format!("{first:?} is no answer in HTTP/1.1")));
    };
    let mut head = Head { length: Length::Close, keeps_open: version != "HTTP/1.0" };
    for _ in 0..LINES {
        let line = line(stream).await?;
        if line.is_empty() {
            return Ok((status, head));
        }
        let (name, value) = line.split_once(':').ok_or_else(|| odd(&format!("{line:?} is no header")))?;
        let value = value.trim();
        if name.eq_ignore_ascii_case("content-length") && !matches!(head.length, Length::Chunks) {
            let bytes = value.parse().ok().filter(|bytes| *bytes <= BODY);
            head.length = Length::Bytes(bytes.ok_or_else(|| odd(&format!("a body of {value:?} bytes")))?);
        } else if name.eq_ignore_ascii_case("transfer-encoding") {
            if !value.eq_ignore_ascii_case("chunked") {
                return Err(odd(&format!("the transfer encoding {value:?} is unknown")));
            }
            head.length = Length::Chunks;
        } else if name.eq_ignore_ascii_case("connection") {
            head.keeps_open = match value.to_ascii_lowercase().as_str() {
                "close" => false,
                "keep-alive" => true,
                _ => head.keeps_open,
            };
        }
    }
    Err(odd("the head has too many lines"))
}

/// A line without its end.
async fn line(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<String> {
    let mut line = Vec::new();
    stream.take(LINE).read_until(b'\n', &mut line).await?;
    if line.pop() != Some(b'\n') {
        let ended = io::ErrorKind::UnexpectedEof;
        return Err(io::Error::new(ended, "the connection ended, or a line does not"));
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(String::from_utf8_lossy(&line).into_owned())
}

async fn exactly(stream: &mut (impl AsyncBufRead + Unpin), bytes: usize) -> io::Result<Vec<u8>> {
    let mut body = vec![0; bytes];
    stream.read_exact(&mut body).await?;
    Ok(body)
}

async fn chunks(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line_of_size = line(stream).await?;
        let digits = line_of_size.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(digits, 16).ok().filter(|size| *size <= BODY - body.len());
        let size = size.ok_or_else(|| odd(&format!("a chunk of {digits:?} bytes")))?;
        if size == 0 {
            break;
        }
        body.extend(exactly(stream, size).await?);
        line(stream).await?;
    }
    for _ in 0..LINES {
        if line(stream).await?.is_empty() {
            return Ok(body);
        }
    }
    Err(odd("the trailer has too many lines"))
}

async fn rest(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    stream.take(BODY as u64 + 1).read_to_end(&mut body).await?;
    if body.len() > BODY { Err(odd("the body is too long")) } else { Ok(body) }
}

fn odd(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
