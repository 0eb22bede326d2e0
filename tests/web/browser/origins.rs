//! Pages of other sites.
//!
//! DNS rebinding: such a page lets its name resolve to this machine. For the browser it is then a page of the host. A developer's page
//! may use the host if the operator says so.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    path::Path,
};

use serde_json::{Value, json};

use crate::{built_typescript, driver::Browser, site::Site};

/// A browser for which `evil.test` is this machine.
pub(crate) fn fooled() -> Option<Browser> {
    Browser::start_with(&["--host-resolver-rules=MAP evil.test 127.0.0.1"])
}

/// What a page at this origin gets: the status of reading and of changing, and whether a WebSocket opens.
fn attempts(browser: &Browser, site: &Site, name: &str) -> Value {
    let port = site.http().port();
    browser.open(&format!("http://{name}:{port}/"));
    assert_eq!(browser.script("return location.origin", json!([])), json!(format!("http://{name}:{port}")));
    browser.promise(
        "const get = async (path) => (await fetch(path)).status;
         const json = { 'Content-Type': 'application/json' };
         const create = { method: 'POST', headers: json, body: JSON.stringify({ rulebook: 'none', scenario: '' }) };
         const socket = new WebSocket(`ws://${location.host}/api/v1/play`);
         const opens = await new Promise((done) => {
             socket.onopen = () => done(true);
             socket.onerror = () => done(false);
         });
         const error = (await (await fetch('/api/v1/games', create)).json()).error.code;
         return [await get('/api/v1/games'), await get('/metrics'), error, opens]",
        json!([]),
    )
}

#[test]
fn a_page_of_another_site_gets_nothing() {
    let Some(browser) = fooled() else { return };
    let site = Site::host();
    assert_eq!(attempts(&browser, &site, "evil.test"), json!([421, 421, "other_host", false]));
    // There is no such rulebook: the host has looked at the request.
    for name in ["localhost", "127.0.0.1"] {
        assert_eq!(attempts(&browser, &site, name), json!([200, 200, "bad_message", true]), "{name}");
    }
}

/// Serves an empty page and the files of a folder, as a developer's server does. Returns its port.
pub(crate) fn serve_files(folder: &'static Path) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.expect("a connection"));
            let mut line = String::new();
            stream.read_line(&mut line).expect("a request");
            let path = line.split(' ').nth(1).unwrap_or_default().trim_start_matches('/');
            let (kind, body) = match fs::read(folder.join(path)) {
                Ok(file) => ("text/javascript", file),
                Err(_) => ("text/html", b"<!doctype html><title>mine</title>".to_vec()),
            };
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let mut headers = String::new();
            while stream.read_line(&mut headers).is_ok_and(|length| length > 2) {}
            let _the_browser_may_leave = stream.get_mut().write_all(&[head.as_bytes(), &body].concat());
        }
    });
    port
}

/// What a page of another origin gets: the status of reading, of creating, and a list of games over the WebSocket.
fn attempts_elsewhere(browser: &Browser, page: &str, host: &str) -> Value {
    browser.open(page);
    browser.promise(
        "const { Client } = await import('/node_modules/holdfast-client/dist/index.js');
         const tried = async (what) => { try { return await what(); } catch (error) { return error.name; } };
         const create = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ rulebook: 'none', scenario: '' }) };
         return [
             await tried(async () => (await fetch(`${arguments[0]}/api/v1/games`)).status),
             await tried(async () => (await (await fetch(`${arguments[0]}/api/v1/games`, create)).json()).error.code),
             await tried(() => Client.games(arguments[0])),
             await tried(async () => (await fetch(`${arguments[0]}/metrics`)).status)]",
        json!([host]),
    )
}

#[test]
fn a_developers_page_uses_the_host() {
    let Some(browser) = Browser::start() else { return };
    let Some(folder) = built_typescript::built() else { return };
    let port = serve_files(folder);
    let site = Site::host_with(&["--allow-origin", &format!("http://localhost:{port}")]);
    let allowed = attempts_elsewhere(&browser, &format!("http://localhost:{port}/"), &site.url(""));
    // There is no such rulebook: the host has looked at the request. Metrics are not for other sites.
    assert_eq!(allowed, json!([200, "bad_message", [], "TypeError"]));
    #[cfg(feature = "colony")]
    plays_a_game(&browser, &site.url(""));
    // The same page by another name has another origin.
    let refused = attempts_elsewhere(&browser, &format!("http://127.0.0.1:{port}/"), &site.url(""));
    assert_eq!(refused, json!(["TypeError", "TypeError", "ConnectionLost", "TypeError"]));
}

/// Two clients in the open page play a game to its end, and one of them has a board.
#[cfg(feature = "colony")]
fn plays_a_game(browser: &Browser, host: &str) {
    let played = browser.promise(
        "const { Client, create, join, randomCommand, seededRandom } = await import('/node_modules/holdfast-client/dist/index.js');
         const { View } = await import('/node_modules/holdfast-colony/dist/index.js');
         const view = new View();
         const ana = await Client.open(arguments[0], create('first-night', { rulebook: 'colony', seed: 7 }), { fold: view });
         const bo = await Client.open(arguments[0], join(ana.game));
         const play = async (client, name, random) => {
             for await (const offers of client.turns()) {
                 const command = randomCommand(offers, name, random);
                 if (command !== null) client.send(command);
             }
         };
         await Promise.all([play(ana, 'Ana', seededRandom(1)), play(bo, 'Bo', seededRandom(2))]);
         return [ana.farewell, `The game is over: ${view.board.outcome}.`, view.board.players.map(({ name }) => name).sort()]",
        json!([host]),
    );
    assert_eq!(played[0], played[1], "{played}");
    assert_eq!(played[2], json!(["Ana", "Bo"]));
}
