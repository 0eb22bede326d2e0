//! HTTP as far as a player needs it: one request after the other on a connection that is kept.

mod response;

use std::{fmt, io, time::Duration};

use tokio::{
    io::{AsyncWriteExt, BufReader},
    net::TcpStream,
    time::{Instant, sleep, timeout, timeout_at},
};

pub use response::Response;

/// Where a server is: `http://host:port`, perhaps with a path that comes before all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    /// As it is connected to: with a port.
    address: String,
    /// As it is named in requests.
    host: String,
    /// Without a slash at the end.
    path: String,
}

impl std::str::FromStr for BaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rest = match text.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => rest,
            Some((scheme, _)) => return Err(format!("{scheme} is not spoken here; a base URL is http://HOST:PORT")),
            None => text,
        };
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let printable = |text: &str| text.chars().all(|letter| letter.is_ascii_graphic());
        if host.is_empty() || !printable(rest) || rest.contains(['?', '#', '@']) {
            return Err("a base URL is http://HOST:PORT".into());
        }
        // The last colon of [::1] is part of the address.
        let after_address = host.rfind(']').map_or(host, |end| &host[end..]);
        let address = match after_address.rsplit_once(':') {
            Some((_, port)) if port.parse::<u16>().is_ok() => host.to_owned(),
            Some((_, port)) => return Err(format!("{port:?} is no port; a base URL is http://HOST:PORT")),
            None => format!("{host}:80"),
        };
        Ok(Self { address, host: host.into(), path: path.trim_end_matches('/').into() })
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}{}", self.host, self.path)
    }
}

/// A request. With a body it is a POST.
#[derive(Clone, Copy, Debug)]
pub struct Request<'r> {
    /// Behind the base URL.
    pub path: &'r str,
    pub body: Option<&'r str>,
    /// How long its answer may take.
    pub limit: Duration,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Fault {
    /// The request was not sent: the server has not taken it.
    Away(io::Error),
    /// It was sent, and may have been taken.
    Lost(io::Error),
}

impl Fault {
    /// Whether another attempt can bring anything else. Whoever answers with something else than HTTP will do so again.
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

impl std::error::Error for Fault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Away(cause) | Self::Lost(cause) => Some(cause),
        }
    }
}

/// How long a connection may take to be opened.
const OPENING: Duration = Duration::from_secs(5);

/// The status of a server that stops, or is overloaded, and cannot say what became of a request.
const UNAVAILABLE: u16 = 503;

/// What is waited after the first attempt to reach a server that is away, and after the second twice as much, up to the longest.
const PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// A line to a server.
#[derive(Debug)]
pub struct Line {
    base: BaseUrl,
    /// How long a server may be away.
    patience: Duration,
    open: Option<BufReader<TcpStream>>,
    interruptions: u32,
}

impl Line {
    pub fn new(base: BaseUrl, patience: Duration) -> Self {
        Self { base, patience, open: None, interruptions: 0 }
    }

    pub fn base(&self) -> &BaseUrl {
        &self.base
    }

    /// How often a request had to be sent again.
    pub fn interruptions(&self) -> u32 {
        self.interruptions
    }

    /// For a request that may be taken twice: it is repeated until there is an answer, or patience ends.
    pub async fn ask(&mut self, request: Request<'_>) -> Result<Response, Fault> {
        self.ask_while(request, Fault::may_pass).await
    }

    /// For a request that may be taken once: it is repeated as long as it was certainly not taken.
    pub async fn ask_once(&mut self, request: Request<'_>) -> Result<Response, Fault> {
        self.ask_while(request, |fault| matches!(fault, Fault::Away(_))).await
    }

    async fn ask_while(&mut self, request: Request<'_>, again: fn(&Fault) -> bool) -> Result<Response, Fault> {
        let until = Instant::now() + self.patience;
        let mut pause = PAUSE;
        loop {
            match self.send(request).await {
                Err(fault) if again(&fault) && Instant::now() < until => {
                    self.interruptions += 1;
                    sleep(pause).await;
                }
                ended => return ended,
            }
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
    }

    async fn send(&mut self, request: Request<'_>) -> Result<Response, Fault> {
        let mut stream = match self.open.take().filter(is_alive) {
            Some(stream) => stream,
            None => self.open().await.map_err(Fault::Away)?,
        };
        let until = Instant::now() + request.limit;
        let exchange = async {
            stream.get_mut().write_all(self.head_and_body(request).as_bytes()).await?;
            Response::read(&mut stream).await
        };
        let response = match timeout_at(until, exchange).await {
            Ok(response) => response.map_err(Fault::Lost)?,
            Err(_) => return Err(Fault::Lost(too_late("no answer in time"))),
        };
        if response.status == UNAVAILABLE {
            return Err(Fault::Lost(io::Error::new(io::ErrorKind::ConnectionAborted, "the server stops")));
        }
        if response.keeps_open {
            self.open = Some(stream);
        }
        Ok(response)
    }

    async fn open(&self) -> io::Result<BufReader<TcpStream>> {
        let opening = TcpStream::connect(&self.base.address);
        let stream = timeout(OPENING, opening).await.map_err(|_| too_late("the connection is not taken"))??;
        stream.set_nodelay(true)?;
        Ok(BufReader::new(stream))
    }

    fn head_and_body(&self, Request { path, body, .. }: Request<'_>) -> String {
        let BaseUrl { host, path: before, .. } = &self.base;
        let method = if body.is_some() { "POST" } else { "GET" };
        let mut text = format!("{method} {before}{path} HTTP/1.1\r\nHost: {host}\r\nAccept: application/xml\r\n");
        if let Some(body) = body {
            text.push_str(&format!("Content-Type: application/xml\r\nContent-Length: {}\r\n", body.len()));
        }
        text.push_str("\r\n");
        text.push_str(body.unwrap_or_default());
        text
    }
}

/// Whether a connection that was kept is still there, and silent as it should be.
fn is_alive(stream: &BufReader<TcpStream>) -> bool {
    let nothing_said = stream.get_ref().try_read(&mut [0]);
    stream.buffer().is_empty() && matches!(nothing_said, Err(error) if error.kind() == io::ErrorKind::WouldBlock)
}

fn too_late(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, what)
}
