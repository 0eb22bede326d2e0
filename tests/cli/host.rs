//! The command `holdfast host`: its output, its answers over HTTP, and its trace.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use crate::{PATIENCE, complains, holdfast, wait_until};

/// A host process on ports that the system chooses.
pub(crate) struct HostProcess {
    process: Child,
    pub(crate) games: SocketAddr,
    pub(crate) http: SocketAddr,
    /// The fingerprint of the certificate, if the ports are encrypted.
    pub(crate) certificate: Option<String>,
}

impl HostProcess {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_holdfast"))
            .args(["host", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let (mut http, mut certificate) = (None, None);
        let games = loop {
            let line = lines.next().expect("it says where it listens").expect("a line");
            if let Some(games) = line.strip_prefix("listening on ") {
                break games.parse().expect("an address");
            } else if let Some(url) = line.strip_prefix("http on ") {
                http = url.split_once("://").map(|(_, address)| address.parse().expect("an address"));
            } else if let Some(fingerprint) = line.strip_prefix("certificate ") {
                certificate = Some(fingerprint.to_owned());
            }
        };
        Self { process, games, http: http.expect("it says where it answers HTTP"), certificate }
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, name: &str) {
        let pid = self.process.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().expect("kill can be called").success());
    }

    /// Stops the host with SIGTERM. Returns everything that it wrote to standard error.
    pub(crate) fn stop(mut self) -> String {
        self.signal("-TERM");
        let mut log = String::new();
        self.process.stderr.take().expect("it is piped").read_to_string(&mut log).expect("lines of text");
        assert_eq!(self.process.wait().expect("it ends").code(), Some(0), "{log}");
        log
    }
}

impl Drop for HostProcess {
    /// Kills the process, even if the test fails.
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _ended_already = self.process.wait();
    }
}

/// A client that sends and receives lines of text, over any stream.
pub(crate) struct Lines<R, W> {
    lines: std::io::Lines<BufReader<R>>,
    writer: W,
}

impl<R: Read, W: Write> Lines<R, W> {
    pub(crate) fn new(reader: R, writer: W) -> Self {
        Self { lines: BufReader::new(reader).lines(), writer }
    }

    pub(crate) fn say(&mut self, message: &Value) {
        writeln!(self.writer, "{message}").and_then(|()| self.writer.flush()).expect("sent");
    }

    pub(crate) fn hear(&mut self) -> Value {
        let line = self.lines.next().expect("the connection is open").expect("a line");
        serde_json::from_str(&line).expect("a line of JSON")
    }
}

pub(crate) fn connect(address: SocketAddr) -> Lines<TcpStream, TcpStream> {
    let stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a time");
    Lines::new(stream.try_clone().expect("a clone"), stream)
}

#[test]
fn a_taken_http_port_is_said_before_games_are_served() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let output = holdfast(&["host", "--listen", "127.0.0.1:0", "--http", &address]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with(&format!("holdfast: cannot listen for HTTP on {address}: ")), "{said}");
}

/// If --http is missing and the default port is taken, the host still serves games.
#[test]
fn a_taken_usual_http_port_is_a_warning() {
    // If another program frees the port in between, the host gets it, and the test tries again.
    wait_until("the host cannot have the port", || {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 7780));
        let (said, log) = serve_a_moment();
        assert!(said[1].starts_with("listening on "), "{said:?}");
        let warned = log.contains("WARN") && log.contains("no HTTP") && log.contains("127.0.0.1:7780");
        assert!(warned || taken.is_err(), "{log}");
        warned
    });
}

/// Starts and stops a host. Returns its first two lines of output, and its trace.
fn serve_a_moment() -> (Vec<String>, String) {
    let mut process = Command::new(env!("CARGO_BIN_EXE_holdfast"))
        .args(["host", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
    let said: Vec<String> = lines.map_while(Result::ok).take(2).collect();
    // SIGTERM instead of SIGKILL, because the trace is flushed at the end of the process.
    let asked = Command::new("kill").args(["-TERM", &process.id().to_string()]).status();
    assert!(asked.expect("kill can be called").success());
    let mut log = String::new();
    process.stderr.take().expect("it is piped").read_to_string(&mut log).expect("lines of text");
    process.wait().expect("it ends");
    (said, log)
}

#[test]
fn addresses_for_http() {
    complains(&["host", "--http", "70000"], "`70000` is not a port");
    complains(&["host", "--http", "on"], "write on:PORT");
    complains(&["host", "--admin-token", ""], "--admin-token");
    complains(&["host", "--admin-token", "15 letters long"], "at least 16 characters");
    complains(&["host", "--trusted-proxy", "10.0.0.0/33"], "is not a network");
    complains(&["host", "--end-waiting-after", "soon"], "--end-waiting-after");
}

/// A host does not start with certificates that the others would refuse.
#[cfg(feature = "postgres")]
#[test]
fn certificates_are_checked_at_the_start() {
    use testkit::{Certificates, Need, Validity, has};

    if !has(&[Need::Program("openssl")]) {
        return;
    }
    let folder = std::env::temp_dir().join(format!("holdfast-certificates-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let made = Certificates::new(&folder)
        .authority("cluster")
        .certificate("a", "cluster", "IP:127.0.0.1", Validity::NOW)
        .certificate("expired", "cluster", "IP:127.0.0.1", Validity::EXPIRED);
    let file = |name: &str| made.path(name).to_str().expect("a path").to_owned();
    std::fs::write(file("secret"), "what the hosts of this test share").expect("a file");
    let set = |name: &str, mode: &str| {
        let done = Command::new("chmod").args([mode, &file(name)]).status().expect("chmod can be called");
        assert!(done.success());
    };
    ["secret", "a.key", "expired.key"].into_iter().for_each(|name| set(name, "600"));
    set("cluster.key", "640");

    let secret = file("secret");
    let check = |listen: &str, given: &[(&str, &str)], complaint: &str| {
        let files: Vec<String> = given.iter().map(|(_, name)| file(name)).collect();
        let mut words = vec!["host", "--store", "postgres:///x?host=/nonexistent", "--cluster-name", "a"];
        words.extend(["--listen", "127.0.0.1:0", "--http", "off"]);
        words.extend(["--cluster-listen", listen, "--cluster-secret-file", &secret]);
        given.iter().zip(&files).for_each(|((option, _), file)| words.extend([*option, file]));
        complains(&words, complaint);
    };
    let all =
        |certificate, key| [("--cluster-cert", certificate), ("--cluster-key", key), ("--cluster-ca", "cluster.pem")];
    let here = "127.0.0.1:0";
    check(here, &all("a.pem", "a.key")[..1], "--cluster-key <FILE>");
    check(here, &all("a.pem", "cluster.key"), "has the permissions 640");
    check(here, &all("a.pem", "expired.key"), "KeyMismatch");
    check(here, &all("expired.pem", "expired.key"), "expired");
    check("127.0.0.2:0", &all("a.pem", "a.key"), "not valid for name");
    check(here, &all("missing.pem", "a.key"), "missing.pem");
    // With the right ones, it goes on to the store.
    check(here, &all("a.pem", "a.key"), "connecting to the store");
    std::fs::remove_dir_all(folder).expect("the folder of this test");
}
