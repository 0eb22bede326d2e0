//! A running game as server-sent events.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{Path, RawQuery, State},
    http::{HeaderMap, StatusCode},
    response::Response,
};
use hyper::body::Frame;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use super::{
    answer::{self, ApiError},
    games::unknown,
    query::Query,
};
use crate::{
    chronicle::{farewell, unreadable},
    host::Host,
};

/// A body that is sent while it is written.
pub(super) struct Stream {
    bytes: mpsc::Receiver<Bytes>,
    /// A spectator's permit, held until the body ends.
    _place: Option<OwnedSemaphorePermit>,
    /// Whether all bytes were sent. If it is false at the end, the body is cut off, so that the client notices.
    whole: Option<Arc<AtomicBool>>,
}

impl Stream {
    /// A body for a spectator.
    fn endless(bytes: mpsc::Receiver<Bytes>, place: OwnedSemaphorePermit) -> Body {
        Body::new(Self { bytes, _place: Some(place), whole: None })
    }

    /// A body for a download, which must not end early without an error.
    pub(super) fn whole(bytes: mpsc::Receiver<Bytes>, whole: Arc<AtomicBool>) -> Body {
        Body::new(Self { bytes, _place: None, whole: Some(whole) })
    }
}

impl HttpBody for Stream {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let next = ready!(self.bytes.poll_recv(context));
        let cut = next.is_none() && self.whole.as_ref().is_some_and(|whole| !whole.load(Ordering::Acquire));
        if cut {
            self.whole = None;
            return Poll::Ready(Some(Err(io::ErrorKind::UnexpectedEof.into())));
        }
        Poll::Ready(next.map(|bytes| Ok(Frame::data(bytes))))
    }
}

pub(super) async fn live(
    State(host): State<Arc<Host>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let mut query = Query::parse(query.as_deref())?;
    let asked = query.number("from")?.unwrap_or(0);
    query.end()?;
    // A browser that reconnects sends the last event that it has seen.
    let seen = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let full = || {
        ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "too_many",
            "There are too many spectators already; try again later.",
        )
    };
    let place = host.watching.clone().try_acquire_owned().map_err(|_| full())?;
    if let Some(followed) = host.followed(&name)
        && let Ok(told) = host.feeds.watch(&host.viewer, &name, &followed, seen.unwrap_or(asked)).await
    {
        return Ok(answer::typed("text/event-stream", Stream::endless(told, place)));
    }
    let found = host.options.log.find(&name).await.map_err(unreadable)?;
    let Some(end) = found.ok_or_else(|| unknown(&name))?.record.end else {
        return Err(ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "shutting_down",
            "The game is not being played now.",
        ));
    };
    Ok(answer::typed("text/event-stream", farewell(&end.outcome)))
}
