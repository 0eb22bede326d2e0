//! The cluster port: secrets, garbage and slow connections.

use commlib::{Form, Reason};
use server::cluster::MemoryCluster;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use super::{Plan, Site};
use crate::{
    clock::Clock,
    support::{LONG, Rejection, join},
};

#[tokio::test]
async fn hosts_with_different_secrets_pass_nothing_on() {
    let cluster = MemoryCluster::new();
    let owner = Site::new(&cluster, "owner").await;
    let ana = owner.served.creator("100").await;
    let closing = Some(Rejection::Closing(Reason::ShuttingDown));
    let wrong = Site::with(&cluster, Plan { secret: Some("another horse battery"), ..Plan::new("wrong") }).await;
    assert_eq!(wrong.served.enter(Form::Binary, join(ana.game())).await.err(), closing);
    let none = Site::with(&cluster, Plan { secret: None, ..Plan::new("none") }).await;
    assert_eq!(none.served.enter(Form::Json, join(ana.game())).await.err(), closing);
    assert_eq!(owner.metric("holdfast_cluster_links_refused_total").await, 1);
    assert_eq!(owner.metric("holdfast_cluster_forwards_accepted_total").await, 0);
    assert_eq!(wrong.metric("holdfast_cluster_forwards_failed_total").await, 1);

    // A host without a secret takes no clients of others either.
    let zoe = none.served.creator("100").await;
    assert_eq!(owner.served.enter(Form::Binary, join(zoe.game())).await.err(), closing);
    let right = Site::new(&cluster, "right").await;
    assert!(right.served.enter(Form::Binary, join(ana.game())).await.is_ok());
}

/// What the port sends until it closes the connection.
async fn answer(site: &Site, bytes: &[u8]) -> usize {
    let mut stream = TcpStream::connect(site.cluster).await.expect("a connection");
    stream.write_all(bytes).await.expect("sent");
    let mut answer = Vec::new();
    let _reset = timeout(LONG, stream.read_to_end(&mut answer)).await.expect("it ends");
    answer.len()
}

#[tokio::test]
async fn garbage_and_slow_connections_get_nothing_and_harm_no_client() {
    let clock = Clock::stop();
    let cluster = MemoryCluster::new();
    let owner = clock.until(Site::new(&cluster, "owner")).await;
    let first = clock.until(Site::new(&cluster, "first")).await;
    let ana = clock.until(owner.served.creator("100")).await;
    let greeting = 16 + 32;
    let http = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (bytes, what) in [(&http[..], "a browser"), (&[0; 98], "a wrong proof"), (&[255; 400], "an endless request")] {
        assert_eq!(clock.until(answer(&owner, bytes)).await, greeting, "{what}");
    }

    // Silent connections from one address fill their own places only, and only for a while.
    let mut silent = Vec::new();
    for _ in 0..80 {
        silent.push(clock.until(TcpStream::connect(owner.cluster)).await.expect("a connection"));
    }
    let patience = clock.until(first.served.enter(Form::Binary, join(ana.game()))).await;
    assert!(patience.is_ok(), "after the silent ones are closed");
    for mut stream in silent {
        let mut rest = Vec::new();
        let _reset = clock.until(timeout(LONG, stream.read_to_end(&mut rest))).await.expect("it ends");
        assert!(rest.len() == greeting || rest.is_empty());
    }
    let refused = clock.until(owner.metric("holdfast_cluster_links_refused_total")).await;
    assert!(refused > 3 + 80, "also the first attempts of the other host: {refused}");
}
