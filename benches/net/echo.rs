//! The limit for `pingpong`: a server that only sends every frame back.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

pub(crate) fn serve() {
    // The same runtime as the host's, so that the difference in time is the host's own work.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        println!("listening on {}", listener.local_addr().expect("an address"));
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(echo(stream));
        }
    });
}

async fn echo(stream: TcpStream) {
    stream.set_nodelay(true).expect("a socket");
    let (reading, mut writing) = stream.into_split();
    let mut reading = BufReader::new(reading);
    let mut frame = Vec::new();
    while let Ok(length) = reading.read_u32().await {
        frame.clear();
        frame.extend_from_slice(&length.to_be_bytes());
        frame.resize(4 + length as usize, 0);
        if reading.read_exact(&mut frame[4..]).await.is_err() || writing.write_all(&frame).await.is_err() {
            return;
        }
    }
}
