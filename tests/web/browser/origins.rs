//! DNS rebinding: a page of another site lets its name resolve to this machine. For the browser it is then a page of the host.

use serde_json::{Value, json};

use crate::{driver::Browser, site::Site};

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
