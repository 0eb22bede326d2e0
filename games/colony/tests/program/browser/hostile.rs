//! Player names that contain markup or marks for the direction of writing, and games that do not exist.

use serde_json::json;

use crate::{driver::Browser, site::Site};

pub(super) const HOSTILE: [&str; 4] = [
    "<img src=x onerror=\"window.hacked=1\">",
    "<script>window.hacked=1</script>\u{202E}gnorw",
    "';window.hacked=1;//${window.hacked=1}",
    "</b></p>\u{200F}\u{2066}&lt;&#60;javascript:window.hacked=1",
];

#[test]
fn names_are_text() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    let bots = ["sensible", "random", "sensible", "sensible"];
    let players: Vec<(&str, &str)> = HOSTILE.into_iter().zip(bots).collect();
    let game = site.play(&players, 5);
    let told = site.lines(&format!("/api/v1/games/{game}")).swap_remove(0);
    assert_eq!(told["game"]["players"], json!(HOSTILE), "a host keeps names as they are");

    browser.open(&site.url("/"));
    browser.until("document.querySelector('#games .game')");
    is_text(&browser, "#games .game .players");
    browser.open(&site.url(&format!("/games/{game}?step=60")));
    browser.shows(60);
    is_text(&browser, "#facts");
    browser.type_into("#search", "onerror");
    browser.until("document.querySelector('#matches').textContent.includes('match')");
    browser.click("#next-match");
    browser.until("document.querySelector('#events [aria-selected=true]')");
    assert!(browser.text("#board").contains("<img src=x"), "the board has the name as text");
    browser.is_quiet();
}

/// Checks that all names are shown as text, and that none became an element or ran as a script.
pub(super) fn is_text(browser: &Browser, css: &str) {
    let text = browser.script("return document.querySelector(arguments[0]).textContent", json!([css]));
    let text = text.as_str().expect("text");
    // Long names may be shortened.
    for name in HOSTILE {
        let start: String = name.chars().take(20).collect();
        assert!(text.contains(&start), "{start:?} in {text:?}");
    }
    assert_eq!(
        browser.script(
            "return [window.hacked ?? null, document.querySelectorAll('main img:not([src^=\"/web/\"]), main script').length]",
            json!([])
        ),
        json!([null, 0])
    );
    // Each name is isolated, so that a mark for the direction of writing affects only that name.
    let isolated = browser.script(
        "return [...document.querySelector(arguments[0]).querySelectorAll('bdi')].map((name) => name.textContent.slice(0, 8))",
        json!([css]),
    );
    for name in HOSTILE {
        let start: String = name.chars().take(8).collect();
        assert!(isolated.as_array().is_some_and(|names| names.contains(&json!(start))), "{start:?} in {isolated}");
    }
}

#[test]
fn names_are_not_too_long() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    let refused = site.try_to_play(&[(&"x".repeat(10_000), "sensible")], 1);
    assert!(refused.is_err_and(|error| error.to_string().contains("at most 64 characters")));
    let longest = "W".repeat(64);
    let game = site.play(&[(&longest, "sensible"), ("\u{1F409}\u{FE0F}\u{301}\u{301}", "sensible")], 1);
    browser.resize(360, 740);
    browser.open(&site.url(&format!("/games/{game}?step=80")));
    browser.shows(80);
    let wide = browser.script("return document.documentElement.scrollWidth", json!([]));
    assert!(wide.as_u64() <= Some(360), "the longest name makes the page {wide} wide");
    browser.open(&site.url("/"));
    browser.until("document.querySelector('#games .game')");
    browser.is_quiet();
}
