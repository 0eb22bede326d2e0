//! An HTTP client for players: one request after the other, on a connection that is kept open.

use std::{error::Error, fmt, io, time::Duration};

use axum::body::{Body, Bytes, to_bytes};
use cli::tls::host_part;
use commlib::{ClientTls, ClientTlsError, Pins, ServerAddress};
use hyper::{
    body::Body as _,
    client::conn::http1::{self, SendRequest},
    header,
};
use hyper_util::rt::TokioIo;
use tokio::time::{Instant, sleep, timeout, timeout_at};

/// The address of a server: `http://host:port` or `https://host:port`, and an optional prefix of all paths.
#[derive(Clone, Debug)]
pub struct BaseUrl {
    /// Host and port to connect to.
    address: String,
    /// The value of the `Host` header.
    host: String,
    /// The prefix of all paths, without a slash at the end.
    path: String,
    /// How to encrypt connections, if the URL is https.
    tls: Option<ClientTls>,
}

/// Two URLs are the same if their texts are.
impl PartialEq for BaseUrl {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for BaseUrl {}

impl BaseUrl {
    /// The same server, with connections that are encrypted like this.
    #[must_use]
    pub fn with_tls(self, tls: Option<ClientTls>) -> Self {
        Self { tls, ..self }
    }

    /// Trusts only certificates with these fingerprints.
    ///
    /// # Errors
    ///
    /// The program was built without TLS.
    pub fn pinned(self, pins: Pins) -> Result<Self, ClientTlsError> {
        Ok(Self { tls: Some(ClientTls::pinned(pins)?), ..self })
    }

    /// The server, and how to connect to it.
    pub fn server(&self) -> ServerAddress {
        ServerAddress { address: self.address.clone(), tls: self.tls.clone(), account: None }
    }

    /// Host and port to connect to.
    pub fn address(&self) -> &str {
        &self.address
    }
}

/// The reasons why a text is not a base URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseUrlError {
    /// The scheme is neither http nor https.
    Scheme(String),
    /// The port is not a number up to 65535.
    Port(String),
    /// Connections cannot be encrypted.
    Tls(String),
    /// The URL has no host, or has a part that is not allowed in a base URL.
    Malformed,
}

impl fmt::Display for BaseUrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheme(scheme) => write!(f, "{scheme} is not supported; ")?,
            Self::Port(port) => write!(f, "{port:?} is not a port; ")?,
            Self::Tls(problem) => return f.write_str(problem),
            Self::Malformed => {}
        }
        f.write_str("a base URL is http://HOST:PORT or https://HOST:PORT")
    }
}

impl Error for BaseUrlError {}

impl std::str::FromStr for BaseUrl {
    type Err = BaseUrlError;

    fn from_str(text: &str) -> Result<Self, BaseUrlError> {
        let (is_encrypted, rest) = match text.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => (false, rest),
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => (true, rest),
            Some((scheme, _)) => return Err(BaseUrlError::Scheme(scheme.into())),
            None => (false, text),
        };
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let printable = |text: &str| text.chars().all(|letter| letter.is_ascii_graphic());
        if host.is_empty() || !printable(rest) || rest.contains(['?', '#', '@']) {
            return Err(BaseUrlError::Malformed);
        }
        // The last colon of [::1] is part of the address.
        let after_address = host.rfind(']').map_or(host, |end| &host[end..]);
        let address = match after_address.rsplit_once(':') {
            Some((_, port)) if port.parse::<u16>().is_ok() => host.to_owned(),
            Some((_, port)) => return Err(BaseUrlError::Port(port.into())),
            None => format!("{host}:{}", if is_encrypted { 443 } else { 80 }),
        };
        let checked = is_encrypted.then(|| ClientTls::checked(host_part(host), None)).transpose();
        let tls = checked.map_err(|error| BaseUrlError::Tls(error.to_string()))?;
        Ok(Self { address, host: host.into(), path: path.trim_end_matches('/').into(), tls })
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http{}://{}{}", if self.tls.is_some() { "s" } else { "" }, self.host, self.path)
    }
}

/// A request. With a body it is a POST.
#[derive(Clone, Copy, Debug)]
pub struct Request<'r> {
    /// The path below the base URL.
    pub path: &'r str,
    /// The XML to send.
    pub body: Option<&'r str>,
    /// How long the answer may take.
    pub timeout: Duration,
}

/// An answer of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status code.
    pub status: u16,
    /// The whole body.
    pub body: Bytes,
}

/// The reasons why a request got no answer.
#[derive(Debug)]
pub enum Fault {
    /// The request was not sent, so the server has not processed it.
    Away(io::Error),
    /// The request was sent, so the server may have processed it.
    Lost(io::Error),
}

impl Fault {
    /// Whether a retry can succeed. A server that does not speak HTTP will not do so the next time either.
    fn may_pass(&self) -> bool {
        match self {
            Self::Away(_) => true,
            Self::Lost(cause) => cause.kind() != io::ErrorKind::InvalidData,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Away(cause) => write!(f, "no connection: {cause}"),
            Self::Lost(cause) => write!(f, "no answer: {cause}"),
        }
    }
}

impl Error for Fault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Away(cause) | Self::Lost(cause) => Some(cause),
        }
    }
}

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Limits of an answer: the bytes of its head, the number of its headers, and the bytes of its body. Answers of the protocols
/// are far shorter.
const HEAD_BUFFER: usize = 64 * 1024;
const MOST_HEADERS: usize = 100;
const LONGEST_BODY: usize = 1024 * 1024;

/// The status of a server that is stopping or overloaded. It does not tell whether the request was processed.
const UNAVAILABLE: u16 = 503;

/// The first backoff. It doubles after each attempt, up to the longest.
const BACKOFF: Duration = Duration::from_millis(20);
const LONGEST_BACKOFF: Duration = Duration::from_millis(500);

/// A client of one server.
#[derive(Debug)]
pub struct HttpClient {
    base: BaseUrl,
    /// How long the server may be away.
    patience: Duration,
    connection: Option<SendRequest<Body>>,
    retries: u32,
}

impl HttpClient {
    /// Creates a client that connects with its first request. While the server is away, it retries for as long as `patience`.
    pub fn new(base: BaseUrl, patience: Duration) -> Self {
        Self { base, patience, connection: None, retries: 0 }
    }

    /// The number of retries so far.
    pub fn retries(&self) -> u32 {
        self.retries
    }

    /// Sends a request that the server may process twice. Retries until it gets an answer, or until `patience` is over.
    ///
    /// # Errors
    ///
    /// The last [`Fault`].
    pub async fn ask(&mut self, request: Request<'_>) -> Result<Response, Fault> {
        self.ask_while(request, Fault::may_pass).await
    }

    /// Sends a request that the server may process only once. Retries only if the server has certainly not processed it.
    ///
    /// # Errors
    ///
    /// The last [`Fault`].
    pub async fn ask_once(&mut self, request: Request<'_>) -> Result<Response, Fault> {
        self.ask_while(request, |fault| matches!(fault, Fault::Away(_))).await
    }

    async fn ask_while(&mut self, request: Request<'_>, retry: fn(&Fault) -> bool) -> Result<Response, Fault> {
        let until = Instant::now() + self.patience;
        let mut backoff = BACKOFF;
        loop {
            match self.send(request).await {
                Err(fault) if retry(&fault) && Instant::now() < until => {
                    self.retries += 1;
                    sleep(backoff).await;
                }
                ended => return ended,
            }
            backoff = (2 * backoff).min(LONGEST_BACKOFF);
        }
    }

    async fn send(&mut self, request: Request<'_>) -> Result<Response, Fault> {
        let mut kept = self.connection.take();
        if let Some(connection) = &mut kept
            && connection.ready().await.is_err()
        {
            kept = None;
        }
        let mut connection = match kept {
            Some(connection) => connection,
            None => connect(&self.base.server()).await.map_err(Fault::Away)?,
        };
        let prepared = self.prepare(request).map_err(Fault::Away)?;
        let until = Instant::now() + request.timeout;
        let exchange = async {
            // Hyper returns a request that it has not begun to send.
            let sent = connection.try_send_request(prepared).await.map_err(|mut failed| {
                let is_unsent = failed.take_message().is_some();
                let cause = io_error(failed.into_error());
                if is_unsent { Fault::Away(cause) } else { Fault::Lost(cause) }
            });
            read(sent?).await.map_err(Fault::Lost)
        };
        let answered = timeout_at(until, exchange).await;
        let response = answered.unwrap_or_else(|_| Err(Fault::Lost(timed_out("no answer in time"))))?;
        if response.status == UNAVAILABLE {
            return Err(Fault::Lost(io::Error::new(io::ErrorKind::ConnectionAborted, "the server stops")));
        }
        self.connection = Some(connection);
        Ok(response)
    }

    fn prepare(&self, Request { path, body, .. }: Request<'_>) -> io::Result<hyper::Request<Body>> {
        let BaseUrl { host, path: before, .. } = &self.base;
        let method = if body.is_some() { "POST" } else { "GET" };
        let mut request = hyper::Request::builder().method(method).uri(format!("{before}{path}"));
        request = request.header(header::HOST, host).header(header::ACCEPT, "application/xml");
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/xml");
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_owned()));
        request.body(body).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
    }
}

/// Opens a connection within a time limit.
///
/// # Errors
///
/// The name cannot be resolved, or the server does not accept the connection.
pub async fn connect(server: &ServerAddress) -> io::Result<SendRequest<Body>> {
    let connected = timeout(CONNECT_TIMEOUT, server.connect()).await;
    let stream = connected.unwrap_or_else(|_| Err(timed_out("the connection is not taken")))?;
    let mut http = http1::Builder::new();
    http.title_case_headers(true).max_buf_size(HEAD_BUFFER).max_headers(MOST_HEADERS);
    let (sender, connection) = http.handshake(TokioIo::new(stream)).await.map_err(io_error)?;
    tokio::spawn(async move {
        // The sender receives the same errors.
        let _ended = connection.await;
    });
    Ok(sender)
}

async fn read(response: hyper::Response<hyper::body::Incoming>) -> io::Result<Response> {
    let status = response.status().as_u16();
    let body = response.into_body();
    let announced = body.size_hint().lower();
    if announced > LONGEST_BODY as u64 {
        return Err(invalid(format!("a body of {announced} bytes")));
    }
    let body = to_bytes(Body::new(body), LONGEST_BODY).await.map_err(body_error)?;
    Ok(Response { status, body })
}

/// An error while reading a body: hyper's error, or a body that is too long.
fn body_error(error: axum::Error) -> io::Error {
    let first: &(dyn Error + 'static) = &error;
    let causes = || std::iter::successors(Some(first), |&error| error.source());
    let kind = causes().find_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
    match kind {
        Some(io::ErrorKind::UnexpectedEof) => ended(),
        Some(io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData) => invalid("the body is not valid HTTP/1.1"),
        Some(kind) => io::Error::new(kind, error),
        None if causes().any(|cause| cause.is::<hyper::Error>()) => ended(),
        None => invalid(format!("a body of more than {LONGEST_BODY} bytes")),
    }
}

fn io_error(error: hyper::Error) -> io::Error {
    if error.is_incomplete_message() {
        return ended();
    }
    if error.is_parse() {
        return invalid(format!("this is not HTTP/1.1 ({error})"));
    }
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    io::Error::new(cause.map_or(io::ErrorKind::ConnectionAborted, io::Error::kind), error)
}

fn ended() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the connection ended before the answer did")
}

fn invalid(error: impl Into<Box<dyn Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

fn timed_out(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, what)
}
