//! Encrypted connections between hosts, with real certificates.

use std::{fs, path::PathBuf};

use commlib::{Form, Reason};
use serde_json::json;
use server::cluster::{ClusterTls, MemoryCluster};
use testkit::{Certificates, Events, Need, Validity, has};
use tokio::{io::AsyncReadExt, net::TcpStream};

use super::{Plan, Site};
use crate::{
    clock::Clock,
    counter::Command,
    support::{Rejection, join, resume},
};

/// A folder with certificates.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _left_behind = fs::remove_dir_all(&self.0);
    }
}

fn certificates(test: &str) -> (Folder, Certificates) {
    let path = std::env::temp_dir().join(format!("holdfast-{test}-{}", std::process::id()));
    fs::create_dir_all(&path).expect("a folder");
    let made = Certificates::new(&path)
        .authority("cluster")
        .authority("foreign")
        .certificate("host", "cluster", "IP:127.0.0.1", Validity::NOW)
        .certificate("expired", "cluster", "IP:127.0.0.1", Validity::EXPIRED)
        .certificate("stranger", "foreign", "IP:127.0.0.1", Validity::NOW);
    (Folder(path), made)
}

fn plan<'p>(made: &Certificates, name: &'p str, certificate: &str, authority: &str) -> Plan<'p> {
    let path = |file: String| made.path(&file);
    let (pem, key) = (path(format!("{certificate}.pem")), path(format!("{certificate}.key")));
    let tls = ClusterTls::read(&pem, &key, &path(format!("{authority}.pem"))).expect("files");
    Plan { tls: Some(tls), ..Plan::new(name) }
}

#[tokio::test]
async fn clients_are_passed_on_encrypted() {
    if !has(&[Need::Program("openssl")]) {
        return;
    }
    let (_folder, made) = certificates("encrypted-hosts");
    let cluster = MemoryCluster::new();
    let owner = Site::with(&cluster, plan(&made, "owner", "host", "cluster")).await;
    let first = Site::with(&cluster, plan(&made, "first", "host", "cluster")).await;
    for form in [Form::Binary, Form::Json] {
        let mut ana = owner.served.creator("100000").await;
        let mut bo = first.served.enter(form, join(ana.game())).await.expect("a place");
        bo.send(Command::Join { name: "Bo".into() }).await;
        bo.hears().await;
        // Far more than one record of TLS, and more than the socket has room for.
        for _ in 0..50 {
            ana.send(Command::Shout { length: 60_000 }).await;
        }
        ana.add(5).await;
        let heard = bo.hears().await;
        assert!(heard.ends_with("Counted 5"), "{}", &heard[heard.len().saturating_sub(100)..]);
        let mut again = first.served.enter(form, resume(ana.game(), bo.token(), 2)).await.expect("the place");
        assert!(again.hears().await.ends_with("Counted 5"));
        assert_eq!(bo.rest().await, "closing Replaced");

        let path = format!("/api/v1/games/{}/live?from=0", ana.game());
        let mut live = Events::open(first.port.address, &path).await;
        assert_eq!(live.next_of("entry").await["entry"]["events"][0]["step"], json!(1));
    }
    assert_eq!(owner.metric("holdfast_cluster_forwards_accepted_total").await, 6);
    assert_eq!(owner.metric("holdfast_cluster_links_refused_total").await, 0);
}

#[tokio::test]
async fn hosts_without_a_valid_certificate_pass_nothing_on() {
    if !has(&[Need::Program("openssl")]) {
        return;
    }
    let (_folder, made) = certificates("refused-hosts");
    let cluster = MemoryCluster::new();
    let owner = Site::with(&cluster, plan(&made, "owner", "host", "cluster")).await;
    let ana = owner.served.creator("100").await;
    let closing = Some(Rejection::Closing(Reason::ShuttingDown));
    for (refused, (name, certificate, authority)) in
        [("expired", "expired", "cluster"), ("stranger", "stranger", "cluster"), ("distrustful", "host", "foreign")]
            .into_iter()
            .enumerate()
    {
        let site = Site::with(&cluster, plan(&made, name, certificate, authority)).await;
        assert_eq!(site.served.enter(Form::Binary, join(ana.game())).await.err(), closing, "{name}");
        assert_eq!(site.metric("holdfast_cluster_forwards_failed_total").await, 1, "{name}");
        // The owner may still be about to count.
        while owner.metric("holdfast_cluster_links_refused_total").await < 1 + refused as u64 {
            tokio::task::yield_now().await;
        }
    }
    assert_eq!(owner.metric("holdfast_cluster_forwards_accepted_total").await, 0);

    // A host that does not encrypt is refused at once by one that does.
    let plain = Site::with(&cluster, Plan::new("plain")).await;
    let zoe = plain.served.creator("100").await;
    assert_eq!(owner.served.enter(Form::Json, join(zoe.game())).await.err(), closing);
    let right = Site::with(&cluster, plan(&made, "right", "host", "cluster")).await;
    assert!(right.served.enter(Form::Binary, join(ana.game())).await.is_ok(), "the others are not affected");
}

#[tokio::test]
async fn a_handshake_that_does_not_end_is_closed() {
    if !has(&[Need::Program("openssl")]) {
        return;
    }
    let (_folder, made) = certificates("slow-hosts");
    let clock = Clock::stop();
    let cluster = MemoryCluster::new();
    let owner = clock.until(Site::with(&cluster, plan(&made, "owner", "host", "cluster"))).await;
    let began = tokio::time::Instant::now();
    let mut silent = TcpStream::connect(owner.cluster).await.expect("a connection");
    let mut heard = Vec::new();
    let _reset = clock.until(silent.read_to_end(&mut heard)).await;
    assert!(heard.is_empty(), "nothing is said before the handshake");
    let took = began.elapsed().as_secs();
    assert!((3..6).contains(&took), "{took} s");

    // A host without certificates waits for the owner, and gives up.
    let ana = clock.until(owner.served.creator("100")).await;
    let plain = clock.until(Site::with(&cluster, Plan::new("plain"))).await;
    let refused = clock.until(plain.served.enter(Form::Json, join(ana.game()))).await.err();
    assert_eq!(refused, Some(Rejection::Closing(Reason::ShuttingDown)));
}
