//! The start page, a finished game, the same from a file, and a game that is played, in Firefox.

use serde_json::json;

use super::playing::PLAYERS;
use crate::{browser::exported, firefox::Firefox, site::Site};

#[test]
fn the_main_pages_work_in_firefox() {
    let Some(mut browser) = Firefox::start() else { return };
    let site = Site::host();
    let game = site.play(&PLAYERS, 7);
    browser.open(&site.url("/"));
    browser.until("document.querySelector('#games .game .players')?.textContent.includes('Ana')");
    browser.click("#new-game");
    browser.until("document.querySelectorAll('.scenario').length > 0");

    let walk = |browser: &mut Firefox| {
        browser.until("document.body.dataset.ready === 'true' && document.body.dataset.step === '60'");
        browser.click("#next-event");
        browser.until("document.body.dataset.ready === 'true' && document.body.dataset.step === '61'");
        browser.click("#last");
        browser.until(
            "document.body.dataset.ready === 'true' && document.body.dataset.step === document.body.dataset.last",
        );
        browser.until("document.querySelector('#board .survivor')");
        let scale =
            browser.script("return document.querySelector('#board [data-at=\"/morale\"]').dataset.is", json!([]));
        assert!(scale.as_str().is_some_and(|morale| morale.parse::<i64>().is_ok()), "{scale}");
    };
    browser.open(&site.url(&format!("/games/{game}?step=60")));
    walk(&mut browser);
    let folder = exported::download(&site, &game);
    browser.open(&format!("file://{}?step=60", folder.path("game.html").display()));
    walk(&mut browser);

    let created = site.post("/api/v1/games", &json!({"rulebook": "colony", "scenario": "winter", "seed": 3}));
    browser.open(&site.url(&format!("/games/{}/play", created["game"].as_str().expect("a name"))));
    browser.until("document.body.dataset.ready === 'true'");
    browser.script("document.querySelector('#join input').value = ''", json!([]));
    browser.type_into("#join input", "Fox");
    browser.click("#join button");
    browser.until("document.body.dataset.you === 'Fox'");
    browser.until("document.querySelector('#people .presence')?.textContent.includes('Fox')");
}
