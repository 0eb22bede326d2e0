//! A host with a certificate of its own, and its clients: ours, and openssl as a foreign one.

use std::{
    fs,
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};
use testkit::{Certificates, Need, Request, Response, Validity, has};

use super::hosting::create;
use crate::{
    PATIENCE, complains,
    host::{HostProcess, Lines, connect},
    wait_until,
};

/// Certificates `a` and `b` of one authority, and the files `live.pem` and `live.key` of a host. Dropping it deletes the folder.
struct Files {
    folder: PathBuf,
    made: Certificates,
}

impl Files {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("holdfast-encrypted-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let names = "DNS:localhost,IP:127.0.0.1";
        let made = Certificates::new(&folder)
            .authority("ca")
            .certificate("a", "ca", names, Validity::NOW)
            .certificate("b", "ca", names, Validity::NOW)
            .certificate("expired", "ca", names, Validity::EXPIRED);
        let files = Self { folder, made };
        files.use_certificate("a");
        files
    }

    fn path(&self, name: &str) -> String {
        self.made.path(name).to_str().expect("a path").to_owned()
    }

    /// Makes a certificate that of the host.
    fn use_certificate(&self, name: &str) {
        for kind in ["pem", "key"] {
            fs::copy(self.path(&format!("{name}.{kind}")), self.path(&format!("live.{kind}"))).expect("a copy");
        }
        let key = self.path("live.key");
        assert!(Command::new("chmod").args(["600", &key]).status().expect("chmod can be called").success());
    }

    fn start(&self, arguments: &[&str]) -> HostProcess {
        let (certificate, key) = (self.path("live.pem"), self.path("live.key"));
        let all = [&["--tls-cert", &certificate, "--tls-key", &key], arguments].concat();
        HostProcess::start(&all)
    }

    /// The fingerprint as openssl tells it, with colons.
    fn fingerprint(&self, name: &str) -> String {
        let asked = Command::new("openssl")
            .args(["x509", "-noout", "-fingerprint", "-sha256", "-in", &self.path(&format!("{name}.pem"))])
            .output()
            .expect("openssl can be called");
        let line = String::from_utf8(asked.stdout).expect("text");
        line.trim().split_once('=').expect("a fingerprint").1.to_owned()
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.folder);
    }
}

/// openssl as a client. It checks the certificate.
struct Foreign {
    process: Child,
    lines: Lines<ChildStdout, ChildStdin>,
}

impl Foreign {
    fn connect(address: SocketAddr, files: &Files) -> Self {
        let mut process = s_client(address, files);
        let (to, from) = (process.stdin.take().expect("it is piped"), process.stdout.take().expect("it is piped"));
        Self { process, lines: Lines::new(from, to) }
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _ended_already = self.process.wait();
    }
}

fn s_client(address: SocketAddr, files: &Files) -> Child {
    Command::new("openssl")
        .args(["s_client", "-quiet", "-verify_return_error", "-verify_hostname", "localhost"])
        .args(["-servername", "localhost", "-connect", &address.to_string(), "-CAfile", &files.path("ca.pem")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("openssl can be called")
}

/// Sends a request over TLS. Returns the response.
fn ask(address: SocketAddr, request: &Request, files: &Files) -> Response {
    let mut process = s_client(address, files);
    let mut to = process.stdin.take().expect("it is piped");
    to.write_all(&request.to_bytes("localhost")).expect("sent");
    let mut answer = Vec::new();
    process.stdout.take().expect("it is piped").read_to_end(&mut answer).expect("an answer");
    process.wait().expect("it ends with the connection");
    Response::parse_all("GET", &answer).unwrap_or_else(|error| panic!("{request}: {error}"))
}

/// The first bytes of an answer to a request that keeps its connection open.
fn first_line(address: SocketAddr, request: &[u8], files: &Files) -> String {
    let mut process = s_client(address, files);
    let mut to = process.stdin.take().expect("it is piped");
    to.write_all(request).expect("sent");
    let mut line = Vec::new();
    let mut from = process.stdout.take().expect("it is piped");
    while !line.ends_with(b"\r\n") {
        let mut byte = [0];
        from.read_exact(&mut byte).expect("an answer");
        line.push(byte[0]);
    }
    let _ended_already = process.kill();
    process.wait().expect("it ends");
    String::from_utf8(line).expect("text").trim_end().to_owned()
}

/// What comes back for these bytes, until the host closes the connection.
fn exchange(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a time");
    stream.write_all(bytes).expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an end");
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn encrypted_ports() {
    if !has(&[Need::Program("openssl")]) {
        return;
    }
    let files = Files::new("ports");
    let host = files.start(&[]);
    let certificate = host.certificate.clone().expect("the host prints it");
    assert_eq!(certificate, files.fingerprint("a").replace(':', "").to_lowercase());
    // A client that never begins its handshake delays no other client.
    let _silent = [host.games, host.http].map(|address| TcpStream::connect(address).expect("a connection"));

    let mut ana = Foreign::connect(host.games, &files);
    ana.lines.say(&create());
    let game = ana.lines.hear()["welcome"]["game"].as_str().expect("a name").to_owned();
    ana.lines.say(&json!({"command": ["Register", "Ana"]}));
    assert_eq!(ana.lines.hear()["event"]["number"], json!(1));

    let health = ask(host.http, &Request::get("/health"), &files);
    assert!(health.status == 200 && health.json()["games"] == json!(1), "{health:?}");
    let metrics = ask(host.http, &Request::get("/metrics"), &files).body;
    // 2099-12-31, as the certificate says.
    assert!(metrics.contains("\nholdfast_tls_certificate_expires_timestamp_seconds 4102358400\n"), "{metrics}");
    let live =
        first_line(host.http, &Request::get(&format!("/api/v1/games/{game}/live")).to_bytes("localhost"), &files);
    assert_eq!(live, "HTTP/1.1 200 OK");
    let upgrade = "GET /api/v1/play HTTP/1.1\r\nHost: localhost\r\nOrigin: https://localhost\r\nConnection: Upgrade\r\n\
        Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    assert_eq!(first_line(host.http, upgrade.as_bytes(), &files), "HTTP/1.1 101 Switching Protocols");

    // A client without TLS is told what is wrong, in its own words.
    let closing: Value =
        serde_json::from_str(&exchange(host.games, format!("{}\n", create()).as_bytes())).expect("a line of JSON");
    assert_eq!(closing["closing"]["reason"], json!("bad_message"), "{closing}");
    assert!(closing["closing"]["message"].as_str().is_some_and(|words| words.contains("TLS")), "{closing}");
    let answer = exchange(host.http, &Request::get("/health").to_bytes("localhost"));
    assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("https://"), "{answer}");

    our_clients(&host, &files);
    host.stop();
}

/// Clients of the program, with the right and the wrong certificate.
fn our_clients(host: &HostProcess, files: &Files) {
    let pin = files.fingerprint("a");
    let (at, ca) = (host.games.to_string(), files.path("ca.pem"));
    let named = format!("localhost:{}", host.games.port());
    let bots = |more: &[&str]| {
        let words = ["bot", "--new", "first-night", "--count", "2", "--strategy", "random", "--seed", "1"];
        let output = crate::holdfast(&[&words, more].concat());
        assert!(output.status.success(), "{output:?}");
    };
    bots(&["--connect", &at, "--tls-pin", &pin]);
    bots(&["--connect", &named, "--tls-ca", &ca]);
    let wrong = files.fingerprint("b");
    let one = ["bot", "--new", "first-night", "--connect", &at];
    let fails = |more: &[&str], complaint: &str| complains(&[&one, more].concat(), complaint);
    fails(&["--tls-pin", &wrong], "the server has another certificate than the pinned one");
    fails(&["--tls-pin", &wrong], host.certificate.as_deref().expect("it has one"));
    fails(&["--tls"], "the certificate of the server is not trusted");
    fails(&["--tls-pin", "12"], "64 hexadecimal digits");
    fails(&["--tls-ca", &files.path("live.key")], "it has no certificate");
    // Without TLS, the client hears the reason of the host.
    fails(&[], "This port uses TLS");

    let plain = HostProcess::start(&[]);
    let there = plain.games.to_string();
    complains(
        &["bot", "--new", "first-night", "--connect", &there, "--tls-pin", &pin],
        "the server does not use TLS on this port",
    );
    // A handshake that reaches a plain port for HTTP ends at once, too.
    assert!(!exchange(plain.http, &[22, 3, 1, 0, 5, 1, 0, 0, 1, 0, 13, 10, 13, 10]).starts_with("HTTP/1.1 200"));
    plain.stop();
}

/// A renewed certificate reaches new clients; clients that play notice nothing.
#[test]
fn a_certificate_is_renewed_under_load() {
    if !has(&[Need::Program("openssl")]) {
        return;
    }
    let files = Files::new("renewed");
    let host = files.start(&["-v"]);
    let mut ana = Foreign::connect(host.games, &files);
    ana.lines.say(&create());
    ana.lines.hear();
    let (a, b) = (files.fingerprint("a"), files.fingerprint("b"));
    let load = Command::new(env!("CARGO_BIN_EXE_holdfast"))
        .args(["load", "--connect", &host.games.to_string(), "--tls-pin", &a, "--tls-pin", &b])
        .args(["--games", "4", "--time", "3s", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let shown = |name: &str| {
        let words = ["bot", "--new", "first-night", "--count", "2", "--strategy", "random"];
        let pin = files.fingerprint(name);
        let output =
            crate::holdfast(&[&words[..], &["--connect", &host.games.to_string(), "--tls-pin", &pin]].concat());
        output.status.success()
    };
    assert!(shown("a") && !shown("b"));
    // Files that cannot be used change nothing.
    files.use_certificate("expired");
    host.signal("-HUP");
    fs::write(files.path("live.pem"), "garbage").expect("a file");
    host.signal("-HUP");
    assert!(shown("a"));
    files.use_certificate("b");
    host.signal("-HUP");
    wait_until("new clients see the new certificate", || shown("b"));
    assert!(!shown("a"));

    let loaded = load.wait_with_output().expect("it ends");
    assert!(loaded.status.success(), "no client lost its connection: {loaded:?}");
    let figures: Value = serde_json::from_slice(&loaded.stdout).expect("JSON");
    assert!(figures["commands"].as_u64().is_some_and(|commands| commands > 0), "{figures}");
    ana.lines.say(&json!({"command": ["Register", "Ana"]}));
    assert_eq!(ana.lines.hear()["event"]["number"], json!(1), "the old connection stays");
    drop(ana);
    let log = host.stop();
    assert!(log.contains("the old certificate stays in use"), "{log}");
    assert!(log.contains("the certificate was read again"), "{log}");
}

/// A certificate that the host makes for itself, and what cannot be one.
#[test]
fn a_certificate_to_try() {
    let host = HostProcess::start(&["--tls-self-signed", "-v"]);
    let pin = host.certificate.clone().expect("the host prints it");
    let games = host.games.to_string();
    let output = crate::holdfast(&["load", "--connect", &games, "--tls-pin", &pin, "--games", "1", "--time", "1s"]);
    assert!(output.status.success(), "{output:?}");
    complains(&["host", "--tls-self-signed", "--tls-cert", "x", "--tls-key", "y"], "cannot be used with");
    complains(&["host", "--tls-cert", "/nonexistent"], "--tls-key");
    complains(&["host", "--tls-cert", "/nonexistent", "--tls-key", "/nonexistent"], "/nonexistent");
    let mut plain = connect(host.games);
    plain.say(&create());
    let closing = plain.hear();
    assert_eq!(closing["closing"]["reason"], json!("bad_message"));
    host.stop();
}
