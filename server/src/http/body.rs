//! The body of a request, up to a limit.

use std::{future::poll_fn, pin::Pin, time::Duration};

use axum::body::{Body, Bytes, HttpBody};

/// The time limit for the whole body of a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// The maximum number of bytes of a too long body that are read and discarded. A client that is cut off would never see the
/// answer.
const MOST_THROWN_AWAY: usize = 128 << 20;

/// Why a body cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyError {
    /// The body is longer than the limit.
    TooLong,
    /// The body did not arrive in time.
    TooSlow,
    /// The client closed the connection.
    Gone,
}

/// Reads a body of at most `most` bytes.
///
/// # Errors
/// If the body is longer, takes too long, or the client closes the connection.
pub async fn read(body: Body, most: usize) -> Result<Vec<u8>, BodyError> {
    tokio::time::timeout(PATIENCE, take(body, most)).await.unwrap_or(Err(BodyError::TooSlow))
}

async fn take(mut body: Body, most: usize) -> Result<Vec<u8>, BodyError> {
    let mut taken = Vec::new();
    let mut length = 0;
    while let Some(piece) = next(&mut body).await? {
        length += piece.len();
        if length <= most {
            taken.extend_from_slice(&piece);
        } else if length > MOST_THROWN_AWAY {
            return Err(BodyError::TooLong);
        }
    }
    if length > most { Err(BodyError::TooLong) } else { Ok(taken) }
}

/// The next piece of data; skips trailers.
async fn next(body: &mut Body) -> Result<Option<Bytes>, BodyError> {
    loop {
        let frame = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await;
        match frame {
            None => return Ok(None),
            Some(Err(_)) => return Err(BodyError::Gone),
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
        }
    }
}
