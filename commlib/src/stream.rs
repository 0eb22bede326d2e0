//! Connections of any kind.

use tokio::io::{AsyncRead, AsyncWrite};

/// A connection to another program.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}
