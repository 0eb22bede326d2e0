//! The page with the analysis of a game, games from PGN, and positions that are shared.

use serde_json::json;

use super::{may_move, shown};
use crate::{
    driver::{Browser, key},
    site::Site,
};

const MATE: [&str; 4] = ["f2-f3", "e7-e5", "g2-g4", "d8-h4"];
const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR/";

fn shows(browser: &Browser, at: u32) {
    browser.until(&format!("document.body.dataset.at === '{at}'"));
}

#[test]
fn a_finished_game_is_analysed() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    let game = site.crazyhouse("blitz", &MATE);
    site.games("finished", 1);
    browser.open(&site.url(&format!("/crazyhouse/play/{game}")));
    browser.until("document.querySelector('#after') && !document.querySelector('#after').hidden");
    browser.click("#analyse");
    browser.until("document.body.dataset.done === 'true'");

    // It opens where the game was lost: the blunder, what it allows, and how it is punished.
    shows(&browser, 3);
    assert_eq!(browser.text("#judgement"), "2. g4 is a blunder");
    assert_eq!(browser.text("#score"), "−#1");
    assert!(browser.text("#lines .answer").contains("Qh4#"), "{}", browser.text("#lines"));
    assert!(browser.text("#lines .better").contains("better was 2. "), "{}", browser.text("#lines"));
    assert!(browser.text("#turns").contains("2. g4 ??"), "{}", browser.text("#turns"));
    let mark = "return document.querySelector('[data-square=g4]').dataset.mark";
    assert_eq!(browser.script(mark, json!([])), json!("blunder"));
    assert_eq!(browser.script("return document.querySelectorAll('.arrows > *').length", json!([])), json!(2));
    assert_eq!(browser.text("#slips tbody tr:first-child td:last-child"), "1", "Ana made one blunder");
    assert_eq!(browser.text("#played .result"), "0-1");

    // Keys, buttons and the plot move through the game.
    browser.press(&[key::RIGHT]);
    shows(&browser, 4);
    assert_eq!(shown(&browser), MATED);
    assert_eq!(browser.text("#judgement"), "2… Qh4# is the best move");
    browser.click("[data-go=first]");
    shows(&browser, 0);
    browser.click("#turns button");
    shows(&browser, 3);
    browser.script(
        "const { left, top, width } = document.querySelector('#plot').getBoundingClientRect();
         document.querySelector('#plot').dispatchEvent(new MouseEvent('click', { clientX: left + width * 0.26, clientY: top + 5 }))",
        json!([]),
    );
    shows(&browser, 1);

    // A fork before the blunder is played on.
    browser.click("#played [data-at='3']");
    shows(&browser, 3);
    browser.click("#fork");
    browser.until("location.pathname.startsWith('/crazyhouse/play/') && document.querySelector('#join') && !document.querySelector('#join').hidden");
    browser.click("#join [data-side=white]");
    may_move(&browser, 2);
    browser.is_quiet();
}

#[test]
fn games_and_positions_come_from_other_programs() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    browser.open(&site.url("/crazyhouse/analysis"));
    browser.until("document.body.dataset.ready === 'true' && !document.querySelector('#import').hidden");
    browser.type_into("#import textarea", "1. e4 d5 2. exd5 Qxd5 3. P@e6 P@e5 *");
    browser.click("#import button");
    browser.until("document.body.dataset.done === 'true'");
    browser.click("[data-go=last]");
    shows(&browser, 6);
    let board = "rnb1kbnr/ppp1pppp/4P3/3qp3/8/8/PPPP1PPP/RNBQKBNR/";
    assert_eq!(shown(&browser), board);

    // A link to the position leads to the same board.
    browser.script("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))", json!([]));
    browser.click("#fen");
    browser.until("document.querySelector('#said a')");
    browser.click("#said a");
    browser.until("location.pathname === '/crazyhouse/board' && document.body.dataset.ready === 'true'");
    assert!(browser.address().contains("/crazyhouse/board?fen=rnb1kbnr/"), "{}", browser.address());
    assert_eq!(shown(&browser), board);
    assert!(browser.text("#facts").starts_with("White is to move"), "{}", browser.text("#facts"));
    browser.is_quiet();

    // What is wrong is named, and can be mended.
    browser.open(&site.url("/crazyhouse/analysis?pgn=1.+e4+e4"));
    browser.until("document.querySelector('#message').textContent.includes('line 1: move 1: e4 is not a legal move')");
    browser.until("!document.querySelector('#import').hidden");
}
