//! Requests of a client.

use std::{
    fmt,
    io::{self, Read, Write},
    net::{SocketAddr, TcpStream},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::timeout,
};

use crate::{PATIENCE, Response};

/// A request. It gets a default `Host` header unless it has one.
#[derive(Clone, Debug)]
pub struct Request {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    /// A request without a body.
    #[must_use]
    pub fn new(method: &str, path: &str) -> Self {
        Self { method: method.into(), path: path.into(), headers: Vec::new(), body: Vec::new() }
    }

    /// A `GET` request for a path and its query.
    #[must_use]
    pub fn get(path: &str) -> Self {
        Self::new("GET", path)
    }

    /// A `POST` request with a JSON document.
    #[must_use]
    pub fn post_json(path: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::new("POST", path).header("Content-Type", "application/json").body(body)
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// The request as HTTP/1.1 bytes for a host.
    #[must_use]
    pub fn to_bytes(&self, host: impl fmt::Display) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\nConnection: close\r\n", self.method, self.path);
        if !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head += &format!("Host: {host}\r\n");
        }
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("Content-Length: {}\r\n\r\n", self.body.len());
        [head.as_bytes(), &self.body].concat()
    }

    /// Connects and sends the request; the caller reads the answer.
    ///
    /// # Panics
    /// If the connection fails.
    pub async fn open(&self, address: SocketAddr) -> tokio::net::TcpStream {
        let mut stream =
            tokio::net::TcpStream::connect(address).await.unwrap_or_else(|error| panic!("{self}: {error}"));
        stream.write_all(&self.to_bytes(address)).await.unwrap_or_else(|error| panic!("{self}: {error}"));
        stream
    }

    /// Sends the request and reads the whole answer.
    ///
    /// # Panics
    /// If no complete answer arrives within [`PATIENCE`].
    pub async fn send(&self, address: SocketAddr) -> Response {
        let exchange = async {
            let mut stream = self.open(address).await;
            let mut bytes = Vec::new();
            loop {
                if let Some(response) = Response::parse(&self.method, &bytes)? {
                    return Ok(response);
                }
                if stream.read_buf(&mut bytes).await? == 0 {
                    return Response::parse_all(&self.method, &bytes);
                }
            }
        };
        let answer: io::Result<Response> =
            timeout(PATIENCE, exchange).await.unwrap_or_else(|_| panic!("{self}: no answer in {PATIENCE:?}"));
        answer.unwrap_or_else(|error| panic!("{self}: {error}"))
    }

    /// The blocking form of [`Self::open`].
    ///
    /// # Errors
    /// If the connection fails.
    pub fn open_blocking(&self, address: SocketAddr) -> io::Result<TcpStream> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(&self.to_bytes(address))?;
        Ok(stream)
    }

    /// The blocking form of [`Self::send`], for callers that can continue without an answer.
    ///
    /// # Errors
    /// If no complete answer arrives within [`PATIENCE`].
    pub fn try_send_blocking(&self, address: SocketAddr) -> io::Result<Response> {
        let mut stream = self.open_blocking(address)?;
        let mut bytes = Vec::new();
        let mut buffer = [0; 16 << 10];
        loop {
            if let Some(response) = Response::parse(&self.method, &bytes)? {
                return Ok(response);
            }
            match stream.read(&mut buffer) {
                Ok(0) => return Response::parse_all(&self.method, &bytes),
                Ok(count) => bytes.extend_from_slice(&buffer[..count]),
                // A read with a timeout is not restarted after a signal, such as the end of a child process.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The blocking form of [`Self::send`].
    ///
    /// # Panics
    /// If no complete answer arrives within [`PATIENCE`].
    #[must_use]
    #[track_caller]
    pub fn send_blocking(&self, address: SocketAddr) -> Response {
        self.try_send_blocking(address).unwrap_or_else(|error| panic!("{self}: {error}"))
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}
