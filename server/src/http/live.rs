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
    Extension,
    body::{Body, Bytes, HttpBody},
    extract::{Path, RawQuery, Request, State},
    http::StatusCode,
    response::Response,
};
use commlib::Reason;
use hyper::body::Frame;
use tokio::sync::mpsc;

use super::{
    Visitor,
    answer::{self, ApiError},
    forward::{self, Permitted},
    games::unknown,
    query::Query,
};
use crate::{
    chronicle::{farewell, unreadable},
    cluster::link::Passed,
    host::{Crowded, Host, Linked, Located, WatchPlace},
};

/// How often a game may change its host while a spectator looks for it.
const ATTEMPTS: usize = 3;

/// A body that is sent while it is written.
pub(super) struct Stream {
    bytes: mpsc::Receiver<Bytes>,
    /// A spectator's permit, held until the body ends.
    _place: Option<WatchPlace>,
    /// Whether all bytes were sent. If it is false at the end, the body is cut off, so that the client notices.
    whole: Option<Arc<AtomicBool>>,
}

impl Stream {
    /// A body for a spectator.
    fn endless(bytes: mpsc::Receiver<Bytes>, place: Option<WatchPlace>) -> Body {
        Body::new(Self { bytes, _place: place, whole: None })
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
    Extension(visitor): Extension<Visitor>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    request: Request,
) -> Result<Response, ApiError> {
    let mut query = Query::parse(query.as_deref())?;
    let asked = query.number("from")?.unwrap_or(0);
    query.end()?;
    // A browser that reconnects sends the last event that it has seen.
    let seen = request.headers().get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let full = |crowded| {
        let (status, words) = match crowded {
            Crowded::Host => {
                (StatusCode::SERVICE_UNAVAILABLE, "There are too many spectators already; try again later.")
            }
            Crowded::Address => (
                StatusCode::TOO_MANY_REQUESTS,
                "There are too many spectators at your address already; try again later.",
            ),
        };
        ApiError::new(status, "too_many", words)
    };
    // The host that took the spectator counts it.
    let counts = (!visitor.is_forwarded).then(|| host.watch_place(visitor.address.ip()));
    let place = counts.transpose().map_err(full)?;
    for _ in 0..ATTEMPTS {
        if let Some(followed) = host.followed(&name)
            && let Ok(told) = host.feeds.watch(&host.viewer, &name, &followed, seen.unwrap_or(asked)).await
        {
            return Ok(answer::typed("text/event-stream", Stream::endless(told, place)));
        }
        if !host.is_clustered() {
            break;
        }
        let peer = match host.locate_by(&name, host.entry_deadline()).await {
            Ok(Located::Open) => continue,
            Ok(Located::Elsewhere(peer)) if !visitor.is_forwarded => peer,
            Ok(Located::Elsewhere(_) | Located::Over(_)) => break,
            Err(refused) if refused.reason == Reason::UnknownGame => break,
            Err(refused) => return Err(refused.into()),
        };
        if let Linked::To(link) = host.link(&name, &peer, visitor.address, Passed::Pages).await? {
            let answer = forward::pass_on(&host, link, request).await?;
            return Ok(answer.map(|body| Body::new(Permitted { body, _place: place })));
        }
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
