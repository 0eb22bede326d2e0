//! A finished game is forked, and the fork continues differently.

use serde_json::json;

use super::{play::play_on, playing::finished};
use crate::driver::key;

#[test]
fn a_fork_names_its_parent() {
    let Some((browser, site, game)) = finished() else { return };
    browser.press(&[key::PAGE_DOWN, key::PAGE_DOWN]);
    browser.until("Number(document.body.dataset.step) > 0");
    let (step, picture) = (browser.step(), board(&browser));
    browser.click("#fork");
    browser.until("document.querySelector('#fork-dialog').open");
    let entry = browser.text("#fork-entry");
    browser.click("#fork-seats label:has([value=''])");
    browser.click("#fork-form .primary");
    browser.until("location.pathname.endsWith('/play') && document.body.dataset.ready === 'true'");

    let fork = site.games("running", 1).swap_remove(0);
    assert_eq!(browser.text("#waiting-title"), "Take over a seat");
    assert!(browser.text("#seats li:nth-child(2)").contains("Bo"), "{}", browser.text("#seats"));
    browser.click("#seats [data-seat='1']");
    browser.until("document.body.dataset.you === 'Bo' && document.querySelector('#waiting').hidden");
    browser.open(&site.url(&format!("/games/{fork}")));
    browser.until("document.body.dataset.live === 'true'");
    assert_eq!(browser.text("#name"), fork);
    let facts = browser.text("#facts");
    assert!(facts.contains(&format!("forked from {game} at command {entry}")), "{facts}");
    // The fork begins at the end of the command to which the shown step belongs.
    assert!(browser.step() >= step, "{} of {step}", browser.step());
    browser.press(&[key::HOME]);
    browser.shows(0);
    browser.open(&site.url(&format!("/games/{fork}?step={step}")));
    browser.until(&format!("document.body.dataset.step === '{step}' && document.body.dataset.ready === 'true'"));
    assert_eq!(board(&browser), picture, "the same moment");

    browser.click("#facts a");
    browser.until(&format!("location.pathname === '/games/{game}'"));
    browser.open(&site.url("/"));
    browser.until("document.querySelectorAll('#games .game').length === 2");
    let row = browser.text(&format!("#games [data-name=\"{fork}\"] .facts"));
    assert!(row.contains(&format!("fork of {game}")), "{row}");
    browser.is_quiet();
}

/// A lost game is played again from the round that cost most: as one of its players, with bots on the other seats, to the end.
#[test]
fn a_lost_game_is_played_again_from_its_turning_point() {
    let Some((browser, site, game)) = finished() else { return };
    let mut site = Some(site);
    browser.until("document.querySelector('#status').textContent.startsWith('lost')");
    browser.click("#turning-point");
    browser.until("Number(document.body.dataset.step) > 0");
    let step = browser.step();
    // From the end, a fork goes back to the same moment.
    browser.press(&[key::END]);
    browser.shows(crate::browser::last(&browser));
    browser.click("#fork");
    browser.until("document.querySelector('#fork-dialog').open");
    assert_eq!(browser.step(), step);
    browser.click("#fork-seats label:has([value='1'])");
    browser.until("document.querySelector('#fork-bots input').checked && !document.querySelector('#fork-bots').hidden");
    browser.click("#fork-form .primary");
    browser.until("document.body.dataset.you === 'Bo' && document.querySelector('#waiting').hidden");
    assert!(!browser.address().contains(&game), "it is another game");
    // Bots stay in the seats that they took over when the host is killed.
    let clicks = play_on(
        &browser,
        |css| browser.click(css),
        |clicks| {
            if clicks == 2 {
                browser.will_lose_connection();
                let running = site.take().expect("it runs");
                site = Some(running.killed());
                browser.reconnects();
                browser.console();
            }
        },
    );
    assert!(clicks > 2, "the player was asked");
    browser.is_quiet();
}

/// The parts of the board that every player may see.
fn board(browser: &crate::driver::Browser) -> serde_json::Value {
    browser.shown("step");
    browser.script(
        "return [...document.querySelectorAll('#board [data-at]')]
            .filter((node) => !node.dataset.at.startsWith('/hidden'))
            .map((node) => [node.dataset.at, node.dataset.is]).sort()",
        json!([]),
    )
}
