//! Two people talk beside the board, and one of them leaves the page and comes back.

use serde_json::json;

use super::{create, join};
use crate::{browser::axe, driver::Browser, site::Site};

fn says(browser: &Browser, text: &str) {
    browser.type_into("#chat-line", text);
    browser.click("#people .write button");
}

#[track_caller]
fn until_shown(browser: &Browser, css: &str, words: &str) {
    browser.until(&format!(
        "[...document.querySelectorAll('#people {css} li')].some((row) => row.textContent.includes({}))",
        json!(words)
    ));
}

#[test]
fn players_talk_and_spectators_read() {
    let (Some(ana), Some(bo), Some(eve)) = (Browser::start(), Browser::start(), Browser::start()) else { return };
    let site = Site::host();
    let game = create(&ana, &site, "Ana", "white", |_| ());
    let page = site.url(&format!("/crazyhouse/play/{game}"));
    join(&bo, &page, "Bo", "black");
    until_shown(&ana, ".presence", "Bo");
    says(&ana, "good luck");
    until_shown(&bo, ".chat", "Ana: good luck");
    says(&bo, "<img src=x onerror=window.hacked=1>");
    until_shown(&ana, ".chat", "Bo: <img");
    assert_eq!(
        ana.script("return [document.querySelector('#people img'), window.hacked ?? null]", json!([])),
        json!([null, null])
    );

    // A spectator reads along, and writes where players do not read.
    eve.open(&page);
    until_shown(&eve, ".chat", "good luck");
    says(&eve, "psst");
    until_shown(&eve, ".chat", "psst");
    says(&ana, "anybody there?");
    until_shown(&bo, ".chat", "anybody there?");
    assert!(!bo.text("#people .chat").contains("psst"));

    // It fits a phone, and the keys of the board are letters in a line.
    ana.resize(390, 844);
    let wide = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth && [...document.querySelectorAll('#people *')].every((node) => node.getBoundingClientRect().right <= innerWidth)";
    assert_eq!(ana.script(wide, json!([])), json!(true));
    let before = ana.script("return document.querySelector('.squares').firstElementChild.dataset.square", json!([]));
    says(&ana, "x");
    until_shown(&bo, ".chat", "Ana: x");
    assert_eq!(
        ana.script("return document.querySelector('.squares').firstElementChild.dataset.square", json!([])),
        before
    );
    for browser in [&ana, &bo, &eve] {
        browser.is_quiet();
    }
    if let Some(axe) = axe::script() {
        axe::check(&bo, &axe);
        axe::check(&ana, &axe);
    }
}

/// The browser keeps a page that was left. Its player is away meanwhile, and back with the page.
#[test]
fn a_page_that_was_left_is_away() {
    let (Some(ana), Some(bo)) = (Browser::start(), Browser::start()) else { return };
    let site = Site::host();
    let game = create(&ana, &site, "Ana", "white", |_| ());
    let page = site.url(&format!("/crazyhouse/play/{game}"));
    join(&bo, &page, "Bo", "black");
    until_shown(&ana, ".presence", "Bohere");
    bo.script("window.kept = 1", json!([]));
    bo.open(&site.url("/open"));
    until_shown(&ana, ".presence", "Boleft");
    bo.script("history.back()", json!([]));
    bo.until("location.pathname.startsWith('/crazyhouse/play/') && document.body.dataset.ready === 'true'");
    // A browser may drop the page, and then loads it again; this one keeps it.
    assert_eq!(bo.script("return window.kept ?? null", json!([])), json!(1), "the page is the same");
    ana.until("!document.querySelector('#people .presence [data-away]')");
    says(&bo, "back again");
    until_shown(&ana, ".chat", "back again");
    assert_eq!(bo.script("return document.querySelector('#connection').hidden", json!([])), json!(true));
}
