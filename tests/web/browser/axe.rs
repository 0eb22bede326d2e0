//! axe-core finds no violation of the accessibility guidelines on any page, by day and by night.

use std::{fs, path::PathBuf, process::Command};

use serde_json::{Value, json};

use crate::{driver::Browser, show, site::Site};

/// The script of axe-core, which `npm install --global axe-core` installs; `None` if it is not there. In a full test run it must be.
pub(crate) fn script() -> Option<String> {
    let root = Command::new("npm").args(["root", "--global"]).output().ok();
    let root = root.and_then(|answer| String::from_utf8(answer.stdout).ok()).unwrap_or_default();
    let found = fs::read_to_string(PathBuf::from(root.trim()).join("axe-core/axe.min.js")).ok();
    if found.is_none() {
        assert!(std::env::var_os("HOLDFAST_CI").is_none(), "no axe-core here, and HOLDFAST_CI asks for it");
        show("skipped: no axe-core here, the accessibility of the pages was not tested");
    }
    found
}

/// Checks the page that the browser shows, in both themes.
#[track_caller]
pub(crate) fn check(browser: &Browser, axe: &str) {
    for colours in ["light", "dark"] {
        browser.prefer(colours);
        browser.script("document.getAnimations().forEach((one) => { try { one.finish() } catch {} })", json!([]));
        browser.script(&format!("if (!window.axe) {{ {axe} }}"), json!([]));
        let found = browser.promise(
            "const { violations } = await axe.run(document, { resultTypes: ['violations'] });
             return violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.slice(0, 4).map(({ target, failureSummary }) => [String(target), failureSummary]) }))",
            json!([]),
        );
        assert_eq!(found, Value::Array(Vec::new()), "{colours} at {}: {found:#}", browser.address());
    }
}

#[test]
fn pages_without_games() {
    let (Some(browser), Some(axe)) = (Browser::start(), script()) else { return };
    let site = Site::host();
    let choices = site.get("/api/v1/scenarios").json();
    let pages = choices["pages"].as_object().expect("by rulebook").values().filter_map(Value::as_str);
    for path in ["/", "/open", "/games/any", "/games/any/play", "/compare", "/nothing/here"].into_iter().chain(pages) {
        browser.open(&site.url(path));
        browser.until("document.querySelector('#theme').textContent !== ''");
        check(&browser, &axe);
    }
    browser.open(&site.url("/"));
    browser.click("#new-game");
    browser.until("document.querySelectorAll('.scenario').length > 0");
    check(&browser, &axe);
}

#[test]
fn pages_of_accounts() {
    let (Some(browser), Some(axe)) = (Browser::start(), script()) else { return };
    for site in [Site::host(), Site::host_with(&["--accounts", "optional"])] {
        for path in ["/account", "/leaderboard"] {
            browser.open(&site.url(path));
            browser.until("document.body.dataset.ready === 'true'");
            check(&browser, &axe);
        }
    }
}
