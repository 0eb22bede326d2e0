//! Encrypted connections to PostgreSQL: only to the server that the certificate names.

use std::{path::Path, sync::Arc, thread};

use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use server::log::{PostgresAddress, PostgresLog, StoreError, open_reader};
use testkit::{Certificates, Need, Postgres, Validity, has};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, UnixStream},
};
use tokio_rustls::TlsAcceptor;

use crate::support::{Room, Scratch, wait};

/// What a client sends first if it wants to encrypt.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// Decrypts for a server that listens on a socket. Returns the port.
fn serve_encrypted(folder: &Path, socket: std::path::PathBuf) -> u16 {
    let certificates = CertificateDer::pem_file_iter(folder.join("server.pem")).expect("a file");
    let certificates: Vec<_> = certificates.collect::<Result<_, _>>().expect("certificates");
    let key = PrivateKeyDer::from_pem_file(folder.join("server.key")).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(certificates, key)
        .expect("a certificate with its key");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let (send, port) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async move {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            send.send(listener.local_addr().expect("an address").port()).expect("the test waits");
            while let Ok((mut client, _)) = listener.accept().await {
                let (acceptor, socket) = (acceptor.clone(), socket.clone());
                tokio::spawn(async move {
                    let mut first = [0; 8];
                    client.read_exact(&mut first).await.expect("a first message");
                    assert_eq!(first, SSL_REQUEST, "nothing is sent in the clear");
                    client.write_all(b"S").await.expect("an answer");
                    // A client that does not like the certificate goes away.
                    let Ok(mut client) = acceptor.accept(client).await else { return };
                    let mut server = UnixStream::connect(socket).await.expect("the server");
                    let _ended = copy_bidirectional(&mut client, &mut server).await;
                });
            }
        });
    });
    port.recv().expect("a port")
}

#[test]
fn certificates() {
    if !has(&[Need::Program("openssl")]) {
        return;
    }
    let Some(server) = Postgres::shared() else { return };
    let scratch = Scratch::new();
    let folder = scratch.log().parent().expect("a folder").to_owned();
    let made = Certificates::new(&folder).authority("authority").authority("other");
    let _files = made.certificate("server", "authority", "DNS:localhost", Validity::NOW);
    let port = serve_encrypted(&folder, server.socket());
    let store = server.store();
    let schema = store.rsplit("%3D").next().expect("a schema");
    let address = |host: &str, mode: &str, authority: &str| {
        let file = folder.join(authority);
        format!(
            "postgres://postgres@{host}:{port}/postgres?options=-csearch_path%3D{schema}&sslmode={mode}&sslrootcert={}",
            file.display()
        )
    };
    for mode in ["require", "verify-full"] {
        let address = PostgresAddress::parse(&address("localhost", mode, "authority.pem")).expect("an address");
        let log = PostgresLog::open_alone(&address, "test").expect("a store");
        let mut room = Room::create(&log, mode);
        room.append(&log);
        assert_eq!(room.ear.wait_for(1).durable, Some(1), "{mode}");
    }
    let check = |address: String, expected: &str| {
        let refused = wait(open_reader(Path::new(&address))).expect_err("another server");
        assert!(matches!(refused, StoreError::Postgres { .. }), "{refused:?}");
        assert!(refused.to_string().contains(expected), "{address}: {refused}");
    };
    check(address("localhost", "require", "other.pem"), "UnknownIssuer");
    check(address("127.0.0.1", "require", "authority.pem"), "not valid for name");
    check(address("localhost", "require", "missing.pem"), "missing.pem");
}
