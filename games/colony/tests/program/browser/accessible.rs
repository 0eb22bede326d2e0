//! axe-core finds no violation on the pages of a game.

use serde_json::json;

use super::{play::begin_alone, playing::finished};
use crate::browser::axe;

#[test]
fn pages_of_a_game() {
    let (Some((browser, site, game)), Some(axe)) = (finished(), axe::script()) else { return };
    axe::check(&browser, &axe);
    browser.click("#fork");
    browser.until("document.querySelector('#fork-dialog').open");
    axe::check(&browser, &axe);
    for path in ["/".to_owned(), format!("/games/{game}/play")] {
        browser.open(&site.url(&path));
        browser.until("document.body.dataset.ready === 'true'");
        axe::check(&browser, &axe);
    }
    let waiting = site.post("/api/v1/games", &json!({"rulebook": "colony", "scenario": "winter"}));
    browser.open(&site.url(&format!("/games/{}/play", waiting["game"].as_str().expect("a name"))));
    browser.until("document.body.dataset.status === 'waiting'");
    axe::check(&browser, &axe);
    begin_alone(&browser, &site, "winter");
    browser.script("document.querySelector('#how').open = true", json!([]));
    axe::check(&browser, &axe);
    browser.click("#board .survivor[data-offered=yes]");
    axe::check(&browser, &axe);
    browser.resize(390, 844);
    axe::check(&browser, &axe);
}
