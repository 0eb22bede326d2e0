//! A game as it is played: server-sent events.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
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
    answer::{self, Problem},
    games::view,
    query::Query,
};
use crate::{feed::farewell, host::Host};

/// A body that is written while it is sent.
pub(super) struct Stream {
    bytes: mpsc::Receiver<Bytes>,
    /// A place among those who watch, until the body ends.
    _place: Option<OwnedSemaphorePermit>,
}

impl Stream {
    pub(super) fn body(bytes: mpsc::Receiver<Bytes>, place: Option<OwnedSemaphorePermit>) -> Body {
        Body::new(Self { bytes, _place: place })
    }
}

impl HttpBody for Stream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.bytes.poll_recv(context).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}

pub(super) async fn live(
    State(host): State<Arc<Host>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let mut query = Query::parse(query.as_deref())?;
    let asked = query.number("from")?.unwrap_or(0);
    query.end()?;
    // A browser that comes back says what it has seen.
    let seen = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let full = || Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too_many", "Too many watch already; try again later.");
    let place = host.watching.clone().try_acquire_owned().map_err(|_| full())?;
    if host.progress(&name).is_some()
        && let Ok(told) = host.feeds.watch(&host, &name, seen.unwrap_or(asked)).await
    {
        return Ok(answer::typed("text/event-stream", Stream::body(told, Some(place))));
    }
    let (head, _) = view(&host, move |host| host.shelf.open(host, &name)).await?;
    let Some(end) = head.record.end else {
        return Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "shutting_down",
            "The game is not being played now.",
        ));
    };
    Ok(answer::typed("text/event-stream", farewell(&end.outcome)))
}
