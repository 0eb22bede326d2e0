//! How a connection behaves that was just taken.

use std::{io, time::Duration};

use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;

/// When nothing came for this long, it is asked whether anybody is there, and how often that is done without an answer.
const IDLE: Duration = Duration::from_secs(20);
const INTERVAL: Duration = Duration::from_secs(5);
const PROBES: u32 = 4;

/// How long what was sent may be without an answer, and how long somebody may take nothing.
#[cfg(target_os = "linux")]
const UNANSWERED: Duration = Duration::from_secs(30);

/// Frames are not delayed, and a host that vanished without a word is noticed, whether or not there is something to tell it.
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
    async fn what_is_set() {
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
