//! The HTTP API is what its description says: schemathesis asks a real host, with data that the description allows and forbids.

use std::{
    net::SocketAddr,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use serde_json::json;
use testkit::{Need, Request};

use crate::host::HostProcess;

/// The tests do the same every time.
const SEED: &str = "20261118";

/// Both runs together take about half of this on an idle machine.
const LONGEST: Duration = Duration::from_secs(240);

/// A finished game: it was ended before it began.
fn finished_game(http: SocketAddr) -> String {
    let scenarios = Request::get("/api/v1/scenarios").send_blocking(http).json();
    let first = &scenarios["scenarios"][0];
    let create = json!({"scenario": first["name"], "rulebook": first["rulebook"], "seed": 1});
    let made = Request::post_json("/api/v1/games", create.to_string()).send_blocking(http);
    assert_eq!(made.status, 201, "{made:?}");
    let game = made.json()["game"].as_str().expect("a name").to_owned();
    let end = json!({"token": made.json()["creator"], "change": "end"});
    let ended = Request::post_json(&format!("/api/v1/games/{game}/access"), end.to_string()).send_blocking(http);
    assert_eq!(ended.status, 200, "{ended:?}");
    game
}

/// Runs schemathesis, which must find nothing.
fn examine(http: SocketAddr, config: &Path, arguments: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scratch = std::env::temp_dir();
    let output = Command::new("schemathesis")
        .arg("--config-file")
        .arg(config)
        .args(["run", "--no-color", "--seed", SEED, "--phases", "examples,coverage,fuzzing"])
        .args(["--request-timeout", "20", "--generation-database", "none", "--warnings", "off"])
        .args(arguments)
        .args(["--url", &format!("http://{http}")])
        .arg(root.join("resources/api/openapi.json"))
        .current_dir(scratch)
        .output()
        .expect("schemathesis starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    // A run that asks nothing would find nothing, too.
    let cases = said.lines().find_map(|line| Some(line.trim().split_once(" generated")?.0));
    let cases: u64 = cases.and_then(|number| number.parse().ok()).unwrap_or_default();
    assert!(cases >= 100, "only {cases} requests:\n{said}");
}

#[test]
fn the_description_is_right() {
    if !testkit::has(&[Need::Program("schemathesis")]) {
        return;
    }
    let begun = Instant::now();
    let host = HostProcess::start(&[]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = root.join("tests/cli/schemathesis.toml");
    // Every operation, mostly for games that there are not.
    examine(host.http, &config, &["--max-examples", "8"]);
    // A finished game. A live stream of it does not end, and what removes the game is asked above.
    let game = finished_game(host.http);
    let text = std::fs::read_to_string(&config).expect("the configuration");
    let named = std::env::temp_dir().join(format!("holdfast-schemathesis-{}.toml", std::process::id()));
    std::fs::write(&named, format!("[parameters]\n\"path.name\" = \"{game}\"\n\n{text}")).expect("a file");
    let only = ["--include-path-regex", r"^/api/v1/games/\{name\}", "--exclude-path-regex", "/(live|archive|access)$"];
    examine(host.http, &named, &[&only[..], &["--exclude-method", "DELETE", "--max-examples", "8"]].concat());
    std::fs::remove_file(&named).expect("the file is there");
    assert!(begun.elapsed() < LONGEST, "{:?}", begun.elapsed());
    let log = host.stop();
    assert!(!log.contains("panicked"), "{log}");
}

/// A request names exactly one host.
#[test]
fn hosts_of_a_request() {
    let host = HostProcess::start(&[]);
    let ask = |head: &str| {
        use std::io::{Read as _, Write as _};
        let mut stream = std::net::TcpStream::connect(host.http).expect("a connection");
        stream.set_read_timeout(Some(crate::PATIENCE)).expect("a time");
        stream.write_all(format!("GET /health HTTP/1.1\r\n{head}Connection: close\r\n\r\n").as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(ask("Host: localhost\r\n"), "HTTP/1.1 200 OK");
    assert_eq!(ask(""), "HTTP/1.1 400 Bad Request");
    assert_eq!(ask("Host: localhost\r\nHost: localhost\r\n"), "HTTP/1.1 400 Bad Request");
    assert_eq!(ask("Host: localhost\r\nHost: example.org\r\n"), "HTTP/1.1 400 Bad Request");
}
