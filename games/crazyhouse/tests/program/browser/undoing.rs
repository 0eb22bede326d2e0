//! Takebacks by consent, games that are cancelled or aborted, and an opponent who is away.

use serde_json::json;

use super::{START, click, create, join, may_move, sees_move, shown, words};
use crate::{driver::Browser, site::Site};

/// Waits until an element is shown.
fn sees(browser: &Browser, css: &str) {
    browser.until(&format!("!document.querySelector('{css}').hidden"));
}

/// Whether a button can be pressed.
fn is_off(browser: &Browser, css: &str) -> bool {
    browser.script(&format!("return document.querySelector('{css}').disabled"), json!([])) == json!(true)
}

#[test]
fn a_move_is_taken_back_by_consent() {
    let (Some(ana), Some(bo)) = (Browser::start(), Browser::start()) else { return };
    let site = Site::host();
    create(&ana, &site, "Ana", "white", |_| ());
    let link = ana.script("return document.querySelector('#link').value", json!([]));
    join(&bo, link.as_str().expect("a link"), "Bo", "black");
    may_move(&ana, 0);
    assert!(is_off(&ana, "#takeback"), "there is nothing to take back");
    click(&ana, 1, "e2", "e4");
    sees_move(&bo, 1);

    ana.click("#takeback");
    sees(&bo, "#asked");
    assert_eq!(bo.text("#asked p"), "Ana asks to take a move back.");
    ana.until("document.querySelector('#status').textContent.endsWith('You have asked to take your move back.')");
    assert!(is_off(&ana, "#takeback"), "one question at a time");
    bo.click("#refuse");
    ana.until("document.querySelector('#status').textContent.endsWith('Black does not allow the takeback.')");
    bo.until("document.querySelector('#asked').hidden");

    // White asks again after the answer, so that two moves are undone.
    may_move(&bo, 1);
    click(&bo, 2, "d7", "d5");
    may_move(&ana, 2);
    click(&ana, 3, "e4", "d5");
    sees_move(&bo, 3);
    may_move(&bo, 3);
    click(&bo, 4, "d8", "d5");
    sees_move(&ana, 4);
    ana.click("#takeback");
    sees(&bo, "#asked");
    bo.click("#allow");
    for browser in [&ana, &bo] {
        browser.until("document.body.dataset.move === '2'");
        assert_eq!(shown(browser), "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR/", "pieces are back on the board");
        let moves = browser.script("return document.querySelectorAll('#played [data-at]').length", json!([]));
        assert_eq!(moves, json!(2));
    }
    assert_eq!(words(&bo), "Ana (white) is to move. White took a move and its answer back.");
    may_move(&ana, 2);
    click(&ana, 3, "b1", "c3");
    may_move(&bo, 3);
    // After a reload, the page has the same game.
    ana.reload();
    sees_move(&ana, 3);
    assert!(ana.script("return document.querySelector('#abort').hidden", json!([])) == json!(true), "too late");
    ana.is_quiet();
    bo.is_quiet();
}

#[test]
fn games_are_cancelled_and_aborted() {
    let (Some(ana), Some(bo)) = (Browser::start(), Browser::start()) else { return };
    let site = Site::host();
    create(&ana, &site, "Ana", "white", |_| ());
    sees(&ana, "#invite");
    ana.click("#cancel");
    ana.until("document.querySelector('#status').textContent === 'Aborted: no result.'");
    ana.until("document.querySelector('#invite').hidden");

    create(&ana, &site, "Ana", "white", |_| ());
    let link = ana.script("return document.querySelector('#link').value", json!([]));
    join(&bo, link.as_str().expect("a link"), "Bo", "black");
    may_move(&ana, 0);
    assert_eq!(shown(&ana), START);
    // The host tells the page that the opponent has left. The button comes by the page's own clock, but the host decides.
    drop(bo);
    sees(&ana, "#away");
    ana.until("document.querySelector('#away p').textContent.includes('You can claim the win in')");
    assert!(ana.script("return document.querySelector('#claim').hidden", json!([])) == json!(true));
    ana.script("const now = Date.now; Date.now = () => now() + 61000", json!([]));
    sees(&ana, "#claim");
    ana.click("#claim");
    ana.until("document.querySelector('#message').textContent.includes('wait for 60 s')");
    ana.click("#abort");
    ana.until("document.querySelector('#status').textContent === 'Aborted: no result.'");
    ana.until("document.querySelector('#away').hidden");
    ana.is_quiet();
}
