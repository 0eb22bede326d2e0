//! A page of another site, in a real browser, tries every row of the table of routes, and the ports that are not for browsers, in every way
//! that a page has: it learns nothing and changes nothing. Games with a port of their own try theirs beside their other tests.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    sync::Arc,
};

use serde_json::{Value, json};
use server::{
    ClusterOptions, ClusterPort, Host, Options,
    cluster::{ClusterSecret, MemoryCluster},
};
use slog::{Discard, Logger, o};
use testkit::Request;
use tokio::sync::watch;

use super::origins::serve_files;
use crate::{driver::Browser, site::Site};

/// A browser that has opened a page of another site.
pub(crate) fn other_site() -> Option<Browser> {
    let browser = Browser::start_with(&["--host-resolver-rules=MAP other.test 127.0.0.1"])?;
    browser.open(&format!("http://other.test:{}/", serve_files(Path::new("/nowhere"))));
    Some(browser)
}

/// Tries a path of a port in every way that the open page has. It learns nothing.
pub(crate) fn tries(browser: &Browser, port: &str, path: &str, method: &str, body: &str) {
    let arguments = json!([format!("http://{port}"), path, method, body, format!("ws://{port}")]);
    let found = browser.promise(ATTEMPTS, arguments);
    let found = found.as_array().expect("a list");
    assert!(found.len() >= 20, "{path}: {found:?}");
    for attempt in found {
        let learned = attempt[1].as_str().expect("a word");
        let is_nothing = ["TypeError", "opaque", "opaque 0", "error", "silence"].contains(&learned);
        assert!(is_nothing, "{method} {path}: {attempt}");
    }
}

/// The table of all routes. A test of the server compares it with the routes themselves, so a route without a row fails there.
fn table() -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/http-api.md");
    let document = std::fs::read_to_string(path).expect("the document");
    let (_, rows) = document.split_once("| path | method | who may | other sites |\n").expect("a table");
    let cells = |line: &str| {
        let mut cells = line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`').to_owned());
        (cells.next().expect("a path"), cells.next().expect("a method"))
    };
    rows.lines().skip(1).take_while(|line| line.starts_with('|')).map(cells).collect()
}

/// A path of this row that exists, and a body that would change something.
fn filled(row: &str, games: &Games) -> (String, Value) {
    let Games { over, waiting, rulebook, scenario, creator } = games;
    let body = match row.rsplit('/').next().unwrap_or_default() {
        "games" => json!({"scenario": scenario, "rulebook": rulebook}),
        "access" => json!({"token": creator, "change": "end"}),
        "fork" => json!({"entry": 0}),
        "redact" => json!({"names": ["Ana"]}),
        "bots" | "rematch" => json!({"token": creator, "bot": "random"}),
        _ => json!({}),
    };
    // What needs a game that is not over has the one that waits.
    let name = if row.ends_with("/access") || row.ends_with("/bots") { waiting } else { over };
    let path = row.replace("{name}", name).replace("{form}", "jsonl").replace("{rulebook}", rulebook);
    let path = path.replace("{question}", "position").replace("{page}", "index").replace("{*path}", "games.js");
    assert!(!path.contains('{'), "{row}: this test does not know what stands there");
    (path, body)
}

struct Games {
    over: String,
    waiting: String,
    rulebook: String,
    scenario: Value,
    creator: Value,
}

impl Games {
    fn new(site: &Site) -> Self {
        let scenarios = site.get("/api/v1/scenarios").json();
        let people = scenarios["rulebooks"].as_array().expect("a list").iter().find(|rules| rules["people"] == true);
        let rulebook = people.expect("a game for people")["name"].as_str().expect("a name").to_owned();
        let scenario = scenario_of(&scenarios, &rulebook);
        let make = || site.post("/api/v1/games", &json!({"scenario": scenario, "rulebook": rulebook, "seed": 1}));
        let (over, waiting) = (make(), make());
        let name = |made: &Value| made["game"].as_str().expect("a name").to_owned();
        let end = json!({"token": over["creator"], "change": "end"});
        site.post(&format!("/api/v1/games/{}/access", name(&over)), &end);
        let creator = waiting["creator"].clone();
        Self { over: name(&over), waiting: name(&waiting), rulebook, scenario, creator }
    }
}

fn scenario_of(scenarios: &Value, rulebook: &str) -> Value {
    let all = scenarios["scenarios"].as_array().expect("a list");
    all.iter().find(|one| one["rulebook"] == rulebook).map_or(json!(""), |one| one["name"].clone())
}

/// Tries a path in every way that a page has. Each attempt gives its name and what the page learned.
const ATTEMPTS: &str = r#"
const [base, path, method, body, ws] = arguments;
const url = base + path;
const found = [];
const within = (what) => Promise.race([what, new Promise((done) => setTimeout(() => done("silence"), 2000))]);
const note = async (name, what) => {
    try { found.push([name, await within(what())]); } catch (error) { found.push([name, error.name]); }
};
const asked = async (options) => { const answer = await fetch(url, options); return `${answer.type} ${answer.status}`; };
const text = { "Content-Type": "text/plain" };
const json = { "Content-Type": "application/json" };
const withBody = method === "GET" ? {} : { body };
await note("fetch", () => asked({ method, ...withBody, headers: method === "GET" ? {} : json }));
await note("fetch with credentials", () => asked({ method, ...withBody, credentials: "include", headers: method === "GET" ? {} : json }));
for (const other of ["GET", "HEAD", "POST"]) {
    await note(`no-cors ${other}`, () => asked({ method: other, mode: "no-cors", ...(other === "POST" ? { body, headers: text } : {}) }));
}
for (const other of ["PUT", "PATCH", "DELETE", "OPTIONS"]) await note(`fetch ${other}`, () => asked({ method: other, body }));
await note("beacon", async () => { navigator.sendBeacon(url, body); return "opaque"; });
const element = (name, attribute) => () => new Promise((done) => {
    const made = document.createElement(name);
    made.onload = () => done("loaded");
    made.onerror = () => done("error");
    made[attribute] = url;
    document.body.append(made);
});
await note("image", element("img", "src"));
await note("script", element("script", "src"));
await note("style", () => new Promise((done) => {
    const made = Object.assign(document.createElement("link"), { rel: "stylesheet", href: url });
    made.onload = () => done("loaded");
    made.onerror = () => done("error");
    document.head.append(made);
}));
await note("stream", () => new Promise((done) => {
    const stream = new EventSource(url);
    stream.onopen = () => { stream.close(); done("opened"); };
    stream.onerror = () => { stream.close(); done("error"); };
}));
await note("socket", () => new Promise((done) => {
    const socket = new WebSocket(ws + path);
    socket.onopen = () => { socket.close(); done("opened"); };
    socket.onerror = () => done("error");
}));
for (const kind of ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data"]) {
    for (const way of ["get", "post"]) {
        await note(`form ${way} ${kind}`, () => new Promise((done) => {
            const frame = Object.assign(document.createElement("iframe"), { name: `frame${Math.random()}` });
            document.body.append(frame);
            const form = Object.assign(document.createElement("form"), { action: url, method: way, enctype: kind, target: frame.name });
            // As text/plain, the name of the field begins the JSON, and its value ends it.
            const field = Object.assign(document.createElement("input"), { name: body.slice(0, -1), value: body.slice(-1) });
            form.append(field);
            document.body.append(form);
            frame.onload = () => {
                try { done(frame.contentDocument === null ? "opaque" : frame.contentDocument.body.textContent === "" ? "opaque" : "readable"); }
                catch { done("opaque"); }
            };
            form.submit();
        }));
    }
}
document.body.replaceChildren();
return found;
"#;

#[test]
fn every_route_and_port_from_another_site() {
    let Some(browser) = other_site() else { return };
    let site = Site::host_with(&["--admin-listen", "127.0.0.1:0"]);
    let operators = site.said("health and metrics on http://").to_owned();
    let games = Games::new(&site);
    let state = || state_of(&site, &operators, &games);
    let before = state();

    let mut rows: Vec<(String, String, String, Value)> = Vec::new();
    for (row, method) in table() {
        let (path, body) = filled(&row, &games);
        let port =
            if ["/health", "/metrics"].contains(&row.as_str()) { operators.clone() } else { site.http().to_string() };
        rows.push((port, path, method, body));
    }
    assert!(rows.len() > 30, "the table has every route: {rows:?}");
    // The port for clients is no HTTP port: a request gets a message of the protocol, or nothing.
    rows.push((site.port().to_string(), "/".into(), "POST".into(), json!({"ping": 1})));
    for (port, path, method, body) in rows {
        tries(&browser, &port, &path, &method, &body.to_string());
        assert_eq!(state(), before, "{method} {path} has changed something");
    }

    // The same from a page of the host itself: this test can see a change.
    browser.open(&site.url("/"));
    let deleted = browser.promise(
        "return (await fetch(`/api/v1/games/${arguments[0]}`, { method: 'DELETE' })).status",
        json!([games.over]),
    );
    assert_eq!(deleted, 200);
    assert_ne!(state(), before);
}

/// Everything of the host that a request could change.
fn state_of(site: &Site, operators: &str, games: &Games) -> Vec<String> {
    let address = operators.parse().expect("an address");
    let counters = Request::get("/metrics").send_blocking(address).body;
    let words = ["games_", "commands_total", "log_entries_total", "resumes_total"];
    let is_kept = |line: &&str| words.iter().any(|word| line.starts_with(&format!("holdfast_{word}")));
    let mut state: Vec<String> = counters.lines().filter(is_kept).map(str::to_owned).collect();
    state.push(site.get("/api/v1/games").body);
    let look = Request::post_json(&format!("/api/v1/games/{}/access", games.waiting), "{}").send_blocking(site.http());
    state.push(look.body);
    state
}

/// One of several hosts, in this process, with its port for the others.
struct Clustered {
    host: Arc<Host>,
    address: SocketAddr,
    _stop: watch::Sender<bool>,
    runtime: tokio::runtime::Runtime,
}

impl Clustered {
    fn new() -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let (stop, stopped) = watch::channel(false);
        let (host, address) = runtime.block_on(async {
            let member = MemoryCluster::new().open();
            let cluster = ClusterOptions {
                membership: member.clone(),
                name: "a".into(),
                version: "1".into(),
                secret: Some(ClusterSecret::new(b"correct horse battery").expect("long enough")),
                tls: None,
            };
            let usual = Options::new(holdfast::game_table(), member, Logger::root(Discard, o!()));
            let host = Host::open(Options { cluster: Some(cluster), ..usual }).await.expect("a host");
            let port = ClusterPort::bind((Ipv4Addr::LOCALHOST, 0).into()).await.expect("a port");
            let address = port.local_addr().expect("an address");
            tokio::spawn(port.serve(host.clone(), stopped));
            (host, address)
        });
        Self { host, address, _stop: stop, runtime }
    }
}

/// The port for other hosts answers no page. What a page sends is no proof of the secret.
#[test]
fn the_port_for_other_hosts_from_another_site() {
    let Some(browser) = other_site() else { return };
    let cluster = Clustered::new();
    for (path, method) in [("/", "POST"), ("/api/v1/games", "GET")] {
        tries(&browser, &cluster.address.to_string(), path, method, "{}");
    }
    assert_eq!(cluster.host.list().len(), 0);
    cluster.runtime.block_on(async { cluster.host.stop().await.expect("the host is as before") });
}
