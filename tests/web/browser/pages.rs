//! Tests of every page, with or without games.

use std::time::Instant;

use serde_json::json;

use crate::{
    driver::{Browser, PATIENCE},
    site::Site,
};

#[test]
fn the_policy_holds() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    for path in ["/", "/games/any", "/games/any/play", "/open", "/compare"] {
        policy_holds(&browser, &site, path);
    }
}

/// Checks the policy of a page: injected markup can neither run scripts nor load anything from elsewhere.
pub(crate) fn policy_holds(browser: &Browser, site: &Site, path: &str) {
    browser.open(&site.url(path));
    browser.until("document.querySelector('#theme').textContent !== ''");
    browser.console();
    browser.script(
        "const script = document.createElement('script');
         script.textContent = 'window.hacked = 1';
         const image = document.createElement('img');
         image.src = 'http://127.0.0.1:1/elsewhere.png';
         image.setAttribute('onerror', 'window.hacked = 1');
         document.body.append(script, image)",
        json!([]),
    );
    let (mut console, deadline) = (Vec::new(), Instant::now() + PATIENCE);
    while console.len() < 3 {
        assert!(Instant::now() < deadline, "{path}: the browser only says {console:?}");
        console.extend(browser.console().into_iter().filter(|line| line.contains("Content Security Policy")));
    }
    assert_eq!(browser.script("return window.hacked ?? null", json!([])), json!(null), "{path}");
}

#[test]
fn what_is_not_there_is_said() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    for name in ["nothere", "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E", "..%2F..%2Fetc"] {
        browser.open(&site.url(&format!("/games/{name}")));
        browser.until("!document.querySelector('#message').hidden");
        let message = browser.text("#message");
        assert!(message.to_lowercase().contains("no game"), "{message:?}");
        assert!(message.contains("All games"), "there is a way on: {message:?}");
        let hidden = browser.script("return document.querySelector('#main').hidden", json!([]));
        assert_eq!(hidden, json!(true), "nothing is shown that is not there");
        // The only messages are those of the browser about the 404.
        let console = browser.console();
        assert!(console.iter().all(|line| line.contains("404")), "{console:?}");
    }
    browser.click("#message a");
    browser.until("document.querySelector('#total')");
    browser.is_quiet();
}
