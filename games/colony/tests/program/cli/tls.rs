//! A host behind the proxy of docs/tls.md: with that configuration file, the real haproxy and a real TLS client.

use std::{
    fs,
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

use serde_json::json;
use testkit::{Request, Response};

use super::hosting::create;
use crate::{
    host::{HostProcess, Lines},
    port::Port,
    wait_until,
};

const CONFIGURATION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/tls/haproxy.cfg");

/// Longer than every timeout in the configuration except those for games.
const IDLE: Duration = Duration::from_secs(6);

#[test]
fn a_game_through_the_proxy() {
    if !(is_there("haproxy", "-v") && is_there("openssl", "version")) {
        return;
    }
    let folder = Folder::new();
    folder.make_certificate();
    let host = HostProcess::start(&[]);
    let proxy = Proxy::start(&host, &folder);

    let mut ana = proxy.connect(proxy.games, &folder);
    ana.lines.say(&create());
    let welcome = ana.lines.hear()["welcome"].clone();
    assert_eq!(welcome["client"], json!(1), "{welcome}");
    ana.lines.say(&json!({"command": ["Register", "Ana"]}));
    assert_eq!(ana.lines.hear()["event"]["number"], json!(1));
    let mut bo = proxy.connect(proxy.games, &folder);
    bo.lines.say(&json!({"hello": {"protocol": 1, "want": {"join": {}}, "game": welcome["game"]}}));
    assert_eq!(bo.lines.hear()["welcome"]["client"], json!(2));

    // Both clients are silent for a while, and stay in their game.
    std::thread::sleep(IDLE);
    bo.lines.say(&json!({"command": ["Register", "Bo"]}));
    assert_eq!(bo.lines.hear()["event"]["number"], json!(1));
    let event = ana.lines.hear()["event"]["event"].clone();
    assert_eq!(event, json!({"GameStarted": {}}), "what one does, the other hears");

    let health = proxy.send(&Request::get("/health"), &folder);
    assert!(health.status == 200 && health.json()["games"] == json!(1), "{health:?}");
    let metrics = proxy.send(&Request::get("/metrics"), &folder);
    assert_eq!(metrics.status, 403, "the proxy hides the metrics: {metrics:?}");
    // A client behind the proxy does not count as a client on the host's own machine, no matter which host name it sends.
    let made = proxy.send(&Request::post_json("/api/v1/games", r#"{"scenario":"winter"}"#), &folder);
    assert_eq!(made.status, 401, "{made:?}");
    drop((ana, bo));
    host.stop();
}

/// docs/tls.md quotes the whole file.
#[test]
fn the_page_has_the_configuration() {
    let page = include_str!("../../../../../docs/tls.md");
    let configuration = include_str!("../../../../../docs/tls/haproxy.cfg");
    assert!(page.contains(&format!("```haproxy\n{configuration}```")), "docs/tls.md quotes docs/tls/haproxy.cfg");
}

/// Whether a program can be called. In a full test run it must be.
fn is_there(program: &str, version: &str) -> bool {
    let found = Command::new(program).arg(version).stdout(Stdio::null()).status().is_ok();
    assert!(found || std::env::var_os("HOLDFAST_CI").is_none(), "no {program} here, and HOLDFAST_CI asks for it");
    if !found {
        // Written past the captured output, so that a skipped test is visible.
        writeln!(std::io::stderr(), "skipped: no {program} here, TLS was not tested").expect("stderr is there");
    }
    found
}

/// A folder for the certificate. Dropping it deletes the folder.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("holdfast-tls-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    fn certificate(&self) -> PathBuf {
        self.0.join("certificate.pem")
    }

    /// Creates a self-signed certificate, as docs/tls.md shows.
    fn make_certificate(&self) {
        let (certificate, key) = (self.certificate(), self.0.join("key.pem"));
        let made = Command::new("openssl")
            .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"])
            .args(["-addext", "subjectAltName=DNS:localhost", "-keyout"])
            .arg(&key)
            .arg("-out")
            .arg(&certificate)
            .output()
            .expect("openssl can be called");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let both = [&certificate, &key].map(|path| fs::read_to_string(path).expect("it was made")).concat();
        fs::write(self.proxy_certificate(), both).expect("the folder takes files");
    }

    fn proxy_certificate(&self) -> PathBuf {
        self.0.join("proxy.pem")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

/// A haproxy process in the foreground.
struct Proxy {
    process: Child,
    games: SocketAddr,
    web: SocketAddr,
    _ports: [Port; 2],
}

impl Proxy {
    fn start(host: &HostProcess, folder: &Folder) -> Self {
        // The ports stay reserved until haproxy opens them. haproxy allows its addresses to be reused, too.
        let ports = [Port::reserve(), Port::reserve()];
        let [games, web] = [&ports[0], &ports[1]].map(Port::address);
        let process = Command::new("haproxy")
            .args(["-db", "-f", CONFIGURATION])
            .env("HOLDFAST_TLS", games.to_string())
            .env("HOLDFAST_HTTPS", web.to_string())
            .env("HOLDFAST_CERTIFICATE", folder.proxy_certificate())
            .env("HOLDFAST_GAMES", host.games.to_string())
            .env("HOLDFAST_HTTP", host.http.to_string())
            .stdin(Stdio::null())
            .spawn()
            .expect("haproxy starts");
        let proxy = Self { process, games, web, _ports: ports };
        wait_until("haproxy listens", || [games, web].into_iter().all(|address| TcpStream::connect(address).is_ok()));
        proxy
    }

    fn connect(&self, address: SocketAddr, folder: &Folder) -> TlsClient {
        TlsClient::connect(address, &folder.certificate())
    }

    /// Sends a request over TLS. Returns the response.
    fn send(&self, request: &Request, folder: &Folder) -> Response {
        let mut process = s_client(self.web, &folder.certificate());
        let mut to = process.stdin.take().expect("it is piped");
        to.write_all(&request.to_bytes("localhost")).expect("sent");
        let mut answer = Vec::new();
        process.stdout.take().expect("it is piped").read_to_end(&mut answer).expect("an answer");
        process.wait().expect("it ends with the connection");
        Response::parse_all("GET", &answer).unwrap_or_else(|error| panic!("{request}: {error}"))
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _ended_already = self.process.wait();
    }
}

/// A client that checks the certificate and then sends and receives lines.
struct TlsClient {
    process: Child,
    lines: Lines<ChildStdout, ChildStdin>,
}

impl TlsClient {
    fn connect(address: SocketAddr, certificate: &Path) -> Self {
        let mut process = s_client(address, certificate);
        let (to, from) = (process.stdin.take().expect("it is piped"), process.stdout.take().expect("it is piped"));
        Self { process, lines: Lines::new(from, to) }
    }
}

impl Drop for TlsClient {
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _ended_already = self.process.wait();
    }
}

fn s_client(address: SocketAddr, certificate: &Path) -> Child {
    Command::new("openssl")
        .args([
            "s_client",
            "-quiet",
            "-verify_return_error",
            "-verify_hostname",
            "localhost",
            "-servername",
            "localhost",
        ])
        .args(["-connect", &address.to_string(), "-CAfile"])
        .arg(certificate)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("openssl can be called")
}
