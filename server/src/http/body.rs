//! The body of a request, up to a limit.

use std::{future::poll_fn, pin::Pin, time::Duration};

use axum::body::{Body, Bytes, HttpBody};

/// How long the whole body of a request may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// How much of a body that is too long is read and thrown away: a sender who is cut off would never see the answer.
const MOST_THROWN_AWAY: usize = 128 << 20;

/// Why there is no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBody {
    /// It has more bytes than may be.
    TooLong,
    /// It did not come in time.
    TooSlow,
    /// The sender broke off; nobody reads an answer.
    Gone,
}

/// Reads a body of at most so many bytes.
///
/// # Errors
///
/// [`NoBody`] where it does not come, or not in time, or is longer.
pub async fn read(body: Body, most: usize) -> Result<Vec<u8>, NoBody> {
    tokio::time::timeout(PATIENCE, take(body, most)).await.unwrap_or(Err(NoBody::TooSlow))
}

async fn take(mut body: Body, most: usize) -> Result<Vec<u8>, NoBody> {
    let mut taken = Vec::new();
    let mut length = 0;
    while let Some(piece) = next(&mut body).await? {
        length += piece.len();
        if length <= most {
            taken.extend_from_slice(&piece);
        } else if length > MOST_THROWN_AWAY {
            return Err(NoBody::TooLong);
        }
    }
    if length > most { Err(NoBody::TooLong) } else { Ok(taken) }
}

/// The next piece that is no trailer.
async fn next(body: &mut Body) -> Result<Option<Bytes>, NoBody> {
    loop {
        let frame = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await;
        match frame {
            None => return Ok(None),
            Some(Err(_)) => return Err(NoBody::Gone),
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
        }
    }
}
