//! Socket options of accepted connections.

use std::{io, time::Duration};

use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;

/// TCP keep-alive: the first probe is sent after `IDLE`. The connection is lost after `PROBES` unanswered probes.
const IDLE: Duration = Duration::from_secs(20);
const INTERVAL: Duration = Duration::from_secs(5);
const PROBES: u32 = 4;

/// How long sent data may stay unacknowledged, and how long a client may read nothing.
#[cfg(target_os = "linux")]
const UNANSWERED: Duration = Duration::from_secs(30);

/// Sends frames without delay, and detects a host that vanished, even while the server sends nothing.
pub(super) fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    let probes = TcpKeepalive::new().with_time(IDLE).with_interval(INTERVAL).with_retries(PROBES);
    socket.set_tcp_keepalive(&probes)?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(UNANSWERED))?;
    Ok(())
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
    }
}
