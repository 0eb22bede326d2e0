//! Finds requests that say the length of their body in two ways.
//!
//! If a request has both `Transfer-Encoding` and `Content-Length`, `hyper` follows the first, as HTTP asks for, and drops the second
//! before a route can see it. A proxy in front of the host may have followed the second. Then the two disagree on where the next
//! request begins, and a client can hide a request from the proxy. So a [`FramingStream`] reads the heads of all requests beside
//! `hyper`, and the host refuses such a connection.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::world::Stream;

/// The most bytes of a line that are kept. The names and values that matter are short.
const LONGEST: usize = 128;

/// Whether a request of this connection had two lengths.
#[derive(Clone, Debug, Default)]
pub(super) struct TwoLengths(Arc<AtomicBool>);

impl TwoLengths {
    pub(super) fn are_found(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// A stream that reads the heads of the requests that come through it.
pub(super) struct FramingStream<S> {
    stream: S,
    framing: Framing,
    found: TwoLengths,
}

impl<S: Stream> FramingStream<S> {
    pub(super) fn new(stream: S) -> (Self, TwoLengths) {
        let found = TwoLengths::default();
        (Self { stream, framing: Framing::default(), found: found.clone() }, found)
    }
}

impl<S: Stream> AsyncRead for FramingStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if self.framing.has_two_lengths(&buffer.filled()[before..]) {
            self.found.0.store(true, Ordering::Release);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: Stream> AsyncWrite for FramingStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// Where the requests of a connection begin and end.
#[derive(Debug, Default)]
struct Framing {
    part: Part,
    /// The beginning of a line that has not ended.
    line: Vec<u8>,
    head: Head,
}

#[derive(Clone, Copy, Debug, Default)]
enum Part {
    #[default]
    Head,
    Body {
        left: u64,
    },
    ChunkSize,
    Chunk {
        left: u64,
    },
    ChunkEnd,
    Trailers,
    /// Something that is not HTTP. `hyper` answers it and closes the connection.
    Unknown,
}

/// A head that is being read.
#[derive(Debug, Default)]
struct Head {
    has_begun: bool,
    length: Option<u64>,
    is_chunked: bool,
}

impl Framing {
    /// Reads on. Returns whether a head that ends in these bytes has two lengths.
    fn has_two_lengths(&mut self, mut bytes: &[u8]) -> bool {
        let mut found = false;
        while !bytes.is_empty() {
            match self.part {
                Part::Unknown => return found,
                Part::Body { left } => {
                    let left = skip(&mut bytes, left);
                    self.part = if left > 0 { Part::Body { left } } else { Part::Head };
                }
                Part::Chunk { left } => {
                    let left = skip(&mut bytes, left);
                    self.part = if left > 0 { Part::Chunk { left } } else { Part::ChunkEnd };
                }
                Part::Head | Part::ChunkSize | Part::ChunkEnd | Part::Trailers => {
                    let end = bytes.iter().position(|byte| *byte == b'\n');
                    let (line, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
                    let room = LONGEST.saturating_sub(self.line.len());
                    self.line.extend_from_slice(&line[..line.len().min(room)]);
                    bytes = rest;
                    if end.is_some() {
                        bytes = &bytes[1..];
                        found |= self.end_line();
                    }
                }
            }
        }
        found
    }

    /// Handles a line. Returns whether it ends a head with two lengths.
    fn end_line(&mut self) -> bool {
        let line = std::mem::take(&mut self.line);
        let text = line.strip_suffix(b"\r").unwrap_or(&line);
        let mut found = false;
        self.part = match self.part {
            // Empty lines before a request are allowed.
            Part::Head if text.is_empty() && !self.head.has_begun => Part::Head,
            Part::Head if text.is_empty() => {
                let Head { length, is_chunked, .. } = std::mem::take(&mut self.head);
                found = is_chunked && length.is_some();
                match length {
                    _ if is_chunked => Part::ChunkSize,
                    Some(left @ 1..) => Part::Body { left },
                    Some(0) | None => Part::Head,
                }
            }
            Part::Head => {
                self.head.line(text);
                Part::Head
            }
            Part::ChunkSize => match chunk_size(text) {
                Some(0) => Part::Trailers,
                Some(left) => Part::Chunk { left },
                None => Part::Unknown,
            },
            Part::ChunkEnd if text.is_empty() => Part::ChunkSize,
            Part::ChunkEnd => Part::Unknown,
            Part::Trailers if text.is_empty() => Part::Head,
            Part::Trailers => Part::Trailers,
            part @ (Part::Body { .. } | Part::Chunk { .. } | Part::Unknown) => part,
        };
        self.line = line;
        self.line.clear();
        found
    }
}

impl Head {
    fn line(&mut self, line: &[u8]) {
        // The first line is that of the request.
        if !std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { return };
        let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
        if name.eq_ignore_ascii_case(b"content-length") {
            // `hyper` refuses what is no number.
            self.length = Some(number(value, 10).unwrap_or(0));
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.is_chunked = true;
        }
    }
}

/// Skips up to `left` bytes. Returns how many are left to skip.
fn skip(bytes: &mut &[u8], left: u64) -> u64 {
    let here = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
    *bytes = &bytes[here..];
    left - here as u64
}

/// The size in the first line of a chunk, which may have extensions.
fn chunk_size(line: &[u8]) -> Option<u64> {
    let size = line.split(|byte| *byte == b';').next()?;
    number(size.trim_ascii(), 16)
}

fn number(text: &[u8], radix: u32) -> Option<u64> {
    let text = std::str::from_utf8(text).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u64::from_str_radix(text, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::Framing;

    /// Reads the bytes in all ways of splitting them in two, and byte by byte.
    #[track_caller]
    fn check(text: &str, expected: bool) {
        let bytes = text.as_bytes();
        for at in 0..=bytes.len() {
            let mut framing = Framing::default();
            let (before, behind) = bytes.split_at(at);
            let found = framing.has_two_lengths(before) | framing.has_two_lengths(behind);
            assert_eq!(found, expected, "{text:?}, split at {at}");
        }
        let mut framing = Framing::default();
        let found = bytes.chunks(1).fold(false, |found, byte| found | framing.has_two_lengths(byte));
        assert_eq!(found, expected, "{text:?}, byte by byte");
    }

    const BOTH: &str = "POST / HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";

    #[test]
    fn two_lengths() {
        check(BOTH, true);
        check(&BOTH.replace('\r', ""), true);
        check("\r\n\r\nPOST / HTTP/1.1\r\ntransfer-ENCODING:chunked\r\nhost: a\r\nCONTENT-length:0\r\n\r\n", true);
        check("POST / HTTP/1.1\r\nContent-Length : x\r\nTransfer-Encoding: gzip\r\n\r\n", true);
        check("POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd", false);
        check("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false);
        check("GET /?Content-Length:1 HTTP/1.1\r\nX-Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n", false);
        check("garbage", false);
    }

    #[test]
    fn requests_one_after_the_other() {
        let body = format!("POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n{BOTH}", BOTH.len());
        check(&body, false);
        check(&format!("{body}{BOTH}"), true);
        let chunk = format!("{:X};name=\"x\"\r\n{BOTH}\r\n", BOTH.len());
        let chunked = format!("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{chunk}{chunk}0\r\nA: b\r\n\r\n");
        check(&chunked, false);
        check(&format!("{chunked}GET / HTTP/1.1\r\n\r\n{body}"), false);
        check(&format!("{chunked}GET / HTTP/1.1\r\n\r\n{body}{BOTH}"), true);
        // `hyper` closes the connection here.
        check(&format!("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n{BOTH}"), false);
    }

    #[test]
    fn long_lines_are_not_kept() {
        let mut framing = Framing::default();
        assert!(!framing.has_two_lengths(&[b'a'; 1 << 20]));
        assert!(framing.line.capacity() < 1024, "{}", framing.line.capacity());
        let text = format!("{}\r\n\r\n{BOTH}", "a".repeat(1000));
        check(&text, true);
    }
}
