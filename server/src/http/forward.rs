//! Passes HTTP requests on to the host that plays their game, and its answers back.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Uri, Version, header},
    response::Response,
};
use commlib::{Reason, Refused};
use hyper::{body::Frame, client::conn::http1};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep},
};

use crate::{
    host::{Host, Link, WatchPlace},
    world::Stream,
};

/// How long the owner may send nothing. Live streams have comments in between, and rulebooks hold requests for a minute.
const SILENCE: Duration = Duration::from_secs(90);

/// The headers that belong to a connection and not to a request.
const OF_CONNECTION: [HeaderName; 7] = [
    header::CONNECTION,
    HeaderName::from_static("keep-alive"),
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// Sends a request to the owner of its game. The answer may be endless; it breaks off when the owner dies or this host stops.
pub(super) async fn pass_on(host: &Arc<Host>, link: Link, mut request: Request) -> Result<Response, Refused> {
    let Link { stream, owner } = link;
    let gone = |_| Refused::new(Reason::ShuttingDown, "The server of this game is gone; try again.");
    let stream = TokioIo::new(ReadTimeoutStream::new(stream, SILENCE));
    let (mut sender, connection) = http1::handshake::<_, Body>(stream).await.map_err(gone)?;
    let watched = host.clone();
    tokio::spawn(async move {
        tokio::select! {
            biased;
            _ended = connection => {}
            () = watched.is_dead(owner) => {}
            () = watched.services.stopping.cancelled() => {}
        }
    });

    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    *request.uri_mut() = path.parse::<Uri>().map_err(|_| Refused::new(Reason::BadMessage, "The path is not valid."))?;
    *request.version_mut() = Version::HTTP_11;
    request.extensions_mut().clear();
    of_message(request.headers_mut());
    request.headers_mut().entry(header::HOST).or_insert(HeaderValue::from_static("localhost"));

    let mut response = sender.send_request(request).await.map_err(gone)?;
    of_message(response.headers_mut());
    // The sender keeps the connection open for further requests. There are none.
    Ok(response.map(Body::new))
}

/// Removes the headers of the connection.
fn of_message(headers: &mut HeaderMap) {
    OF_CONNECTION.iter().for_each(|name| drop(headers.remove(name)));
}

/// A body that holds a spectator's permit until it ends.
pub(super) struct Permitted {
    pub(super) body: Body,
    pub(super) _place: Option<WatchPlace>,
}

impl HttpBody for Permitted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }
}

/// A stream whose reads fail with [`TimedOut`](io::ErrorKind::TimedOut) if nothing arrives for too long. Otherwise, a network that
/// separates two living hosts would keep a request open without limit.
struct ReadTimeoutStream<S> {
    stream: S,
    timeout: Duration,
    silent: Pin<Box<Sleep>>,
}

impl<S: Stream> ReadTimeoutStream<S> {
    fn new(stream: S, timeout: Duration) -> Self {
        Self { stream, timeout, silent: Box::pin(sleep(timeout)) }
    }
}

impl<S: Stream> AsyncRead for ReadTimeoutStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if read.is_ready() {
            let next = Instant::now() + self.timeout;
            self.silent.as_mut().reset(next);
            return read;
        }
        self.silent.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: Stream> AsyncWrite for ReadTimeoutStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
