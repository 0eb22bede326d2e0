//! Socket options of accepted connections, and how the server writes to them.

use std::{io, time::Duration};

use socket2::{SockRef, TcpKeepalive};
#[cfg(target_os = "linux")]
use tokio::io::Interest;
use tokio::net::{TcpStream, tcp::OwnedWriteHalf};

use super::stream::StreamWriter;

/// TCP keep-alive: the first probe is sent after `IDLE`. The connection is lost after `PROBES` unanswered probes.
const IDLE: Duration = Duration::from_secs(20);
const INTERVAL: Duration = Duration::from_secs(5);
const PROBES: u32 = 4;

/// How long sent data may stay unacknowledged, and how long a client may read nothing.
#[cfg(target_os = "linux")]
const UNANSWERED: Duration = Duration::from_secs(30);

/// How many bytes the system buffers for a client until they are acknowledged. An answer of the Game Master cannot overtake
/// them, and on a link of 1 Mb/s, 32 KiB take 0.26 s. The system doubles the number, because it counts its own data, too.
const SEND_BUFFER: usize = 32 << 10;

/// How many of these bytes may wait to be sent for the first time.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 16 << 10;

/// The flag of Linux for the end of a record: the system does not join these bytes with later ones.
#[cfg(target_os = "linux")]
const MSG_EOR: i32 = 0x80;

/// Sends frames without delay, and detects a host that vanished, even while the server sends nothing. Lets the system buffer
/// little.
pub(super) fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    let probes = TcpKeepalive::new().with_time(IDLE).with_interval(INTERVAL).with_retries(PROBES);
    socket.set_tcp_keepalive(&probes)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(UNANSWERED))?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_notsent_lowat(UNSENT)?;
    Ok(())
}

/// The sending half of a connection to another process.
#[derive(Debug)]
pub(super) enum SocketWriter {
    Tcp(OwnedWriteHalf),
    /// A stream that another part of the program accepted.
    Stream(StreamWriter),
}

impl SocketWriter {
    /// Waits until the connection may accept bytes.
    pub(super) async fn writable(&self) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.writable().await,
            Self::Stream(stream) => {
                stream.writable().await;
                Ok(())
            }
        }
    }

    /// Writes the bytes that the connection accepts now. Fails with [`io::ErrorKind::WouldBlock`] if it accepts none.
    pub(super) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.try_write(bytes),
            Self::Stream(stream) => stream.try_write(bytes),
        }
    }

    /// Writes the bytes that the connection accepts now. A socket accepts none while its buffer is full. Other writes may exceed
    /// the limits by 128 KiB on Linux, because it fills up its last packet without checking them.
    pub(super) fn write_within_limits(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Tcp(stream) => {
                let stream: &TcpStream = stream.as_ref();
                stream.try_io(Interest::WRITABLE, || SockRef::from(stream).send_with_flags(bytes, MSG_EOR))
            }
            #[cfg(not(target_os = "linux"))]
            Self::Tcp(stream) => stream.try_write(bytes),
            Self::Stream(stream) => stream.try_write(bytes),
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn options_are_set() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (client, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
        let (_client, stream) = (client.expect("a connection"), accepted.expect("the same").0);
        prepare(&stream).expect("all of it is known here");
        let socket = SockRef::from(&stream);
        assert!(socket.tcp_nodelay().expect("known"));
        assert!(socket.keepalive().expect("known"));
        assert_eq!(socket.tcp_keepalive_time().expect("known"), IDLE);
        assert_eq!(socket.tcp_keepalive_interval().expect("known"), INTERVAL);
        assert_eq!(socket.tcp_keepalive_retries().expect("known"), PROBES);
        assert_eq!(socket.tcp_user_timeout().expect("known"), Some(UNANSWERED));
        assert_eq!(socket.tcp_notsent_lowat().expect("known"), UNSENT);
        assert_eq!(socket.send_buffer_size().expect("known"), 2 * SEND_BUFFER, "the system doubles it");
    }
}
