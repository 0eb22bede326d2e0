//! Server-sent events.

use std::{net::SocketAddr, time::Duration};

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    net::TcpStream,
    time::timeout,
};

use crate::{PATIENCE, Request, response::parse_json};

/// A stream of server-sent events with JSON data.
#[derive(Debug)]
pub struct Events {
    lines: Lines<BufReader<TcpStream>>,
}

impl Events {
    /// Requests the stream at a path.
    ///
    /// # Panics
    /// If the connection fails.
    pub async fn open(address: SocketAddr, path: &str) -> Self {
        Self { lines: BufReader::new(Request::get(path).open(address).await).lines() }
    }

    /// The kind and the data of the next event; `None` if none arrives in this time or the stream ends.
    ///
    /// # Panics
    /// If the data is not JSON.
    pub async fn next(&mut self, within: Duration) -> Option<(String, Value)> {
        let mut kind = String::new();
        loop {
            let line = timeout(within, self.lines.next_line()).await.ok()?.ok()??;
            if let Some(name) = line.strip_prefix("event: ") {
                kind = name.to_owned();
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some((kind, parse_json(data)));
            }
        }
    }

    /// The data of the next event of this kind. Skips others.
    ///
    /// # Panics
    /// If the stream ends first, or nothing arrives within [`PATIENCE`].
    pub async fn next_of(&mut self, wanted: &str) -> Value {
        loop {
            let next = self.next(PATIENCE).await;
            let (kind, data) = next.unwrap_or_else(|| panic!("the stream ended before an event {wanted}"));
            if kind == wanted {
                return data;
            }
        }
    }
}
