//! axe-core finds no violation on the pages of a game.

use serde_json::json;

use super::{
    play::{begin_alone, start_alone},
    playing::finished,
};
use crate::browser::axe;

#[test]
fn pages_of_a_game() {
    let (Some((browser, site, game)), Some(axe)) = (finished(), axe::script()) else { return };
    axe::check(&browser, &axe);
    browser.click("#fork");
    browser.until("document.querySelector('#fork-dialog').open");
    axe::check(&browser, &axe);
    browser.click("#fork-dialog .cancel");
    for (open, dialog) in [("#help", "#help-dialog"), ("#annotate", "#note-dialog"), ("#remove-game", "#removal")] {
        // It is in a menu, which is checked with it.
        browser.script("document.querySelector('#downloads').open = true", json!([]));
        browser.click(open);
        browser.until(&format!("document.querySelector('{dialog}').open"));
        axe::check(&browser, &axe);
        browser.script(&format!("document.querySelector('{dialog}').close()"), json!([]));
    }
    for path in ["/".to_owned(), format!("/games/{game}/play")] {
        browser.open(&site.url(&path));
        browser.until("document.body.dataset.ready === 'true'");
        axe::check(&browser, &axe);
    }
    let waiting = site.post("/api/v1/games", &json!({"rulebook": "colony", "scenario": "winter"}));
    browser.open(&site.url(&format!("/games/{}/play", waiting["game"].as_str().expect("a name"))));
    browser.until("document.body.dataset.status === 'waiting'");
    axe::check(&browser, &axe);
    start_alone(&browser, &site, "winter");
    axe::check(&browser, &axe);
    begin_alone(&browser, &site, "winter");
    for drawer in ["how", "menu", "log", "people"] {
        browser.click(&format!("[data-tab={drawer}]"));
        axe::check(&browser, &axe);
    }
    browser.click("[data-tab=people]");
    browser.click("#table .card");
    axe::check(&browser, &axe);
    browser.click("[data-act=Move]");
    browser.until("document.querySelector('.target-menu .offer')");
    axe::check(&browser, &axe);
    browser.resize(390, 844);
    axe::check(&browser, &axe);
    browser.resize(1440, 900);
    begin_alone(&browser, &site, &voting());
    browser.click("[data-act=Move]");
    browser.click(".target-menu .offer");
    browser.until("document.querySelectorAll('.option button').length === 2");
    axe::check(&browser, &axe);
    browser.click(".option button");
    browser.until("document.querySelector('.scene-over').hidden");
}

/// The scenario `crossroads`, in which every walk leads to a vote.
fn voting() -> String {
    let mut scenario: serde_json::Value =
        serde_json::from_str(colony::scenario("crossroads").expect("it is built in")).expect("JSON");
    let consequence = json!({"choice": {"consequence1": {"changeFood": {"amount": 2}}, "consequence2": {"changeMoral": {"amount": -1}}}});
    let fate = |identifier| json!({"moved": {"identifier": identifier, "consequence": consequence}});
    scenario["crossroads"] = (1..60).map(fate).collect();
    scenario.to_string()
}
