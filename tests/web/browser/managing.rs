//! Creators and operators manage games on the pages.

use serde_json::json;

use crate::{driver::Browser, site::Site};

/// The names of the games in the list of strangers.
fn listed(site: &Site) -> Vec<String> {
    let games = site.get("/api/v1/games").json();
    let games = games["games"].as_array().expect("a list");
    games.iter().filter_map(|game| game["name"].as_str().map(str::to_owned)).collect()
}

#[test]
fn a_game_by_invitation_from_the_start_page() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    browser.open(&site.url("/"));
    browser.until("document.body.dataset.ready === 'true'");
    browser.click("#new-game");
    browser.until("document.querySelector('#scenarios input:checked')");
    browser.script(
        "document.querySelector('#new-form details').open = true;
         document.querySelector('#new-form [name=admission]').value = 'invited'",
        json!([]),
    );
    browser.click("#new-form button.primary");
    browser.until("location.pathname.endsWith('/play')");
    // The address is an invitation, and no list has the game.
    let address = browser.address();
    let code = address.split('/').nth(4).expect("a code").to_owned();
    let (game, secret) = code.split_once('.').expect("a name and a secret");
    assert_eq!((secret.len(), listed(&site)), (32, Vec::new()), "{address}");
    assert_eq!(site.get(&format!("/api/v1/games/{game}")).status, 404);
    assert_eq!(site.get(&format!("/api/v1/games/{code}")).status, 200);

    // Its creator opens it for all, closes registration, and ends it.
    browser.until(
        "!document.querySelector('#manage').hidden && document.querySelector('#new-invitation').offsetParent !== null",
    );
    assert_eq!(browser.script("return document.querySelector('#admission').value", json!([])), "invited");
    browser.click("#new-invitation");
    browser.until(&format!("!document.querySelector('#link').value.includes('{code}')"));
    browser.script(
        "const choice = document.querySelector('#admission');
         choice.value = 'open';
         choice.dispatchEvent(new Event('change'))",
        json!([]),
    );
    browser.click("#closed");
    let deadline = std::time::Instant::now() + crate::driver::PATIENCE;
    while listed(&site) != [game] {
        assert!(std::time::Instant::now() < deadline, "it is never in the list");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    browser.script("window.confirm = () => true", json!([]));
    browser.click("#end");
    browser.until("document.querySelector('#manage').hidden");
    assert_eq!(site.games("finished", 1), [game]);

    // A finished game is deleted on its page, after a question.
    browser.open(&site.url(&format!("/games/{game}")));
    browser.until("!document.querySelector('#remove-game').hidden");
    browser.script("document.querySelector('#downloads').open = true", json!([]));
    browser.click("#remove-game");
    browser.click("#removal .cancel");
    assert_eq!(site.get(&format!("/api/v1/games/{game}")).status, 200, "nothing happens without an answer");
    browser.script("document.querySelector('#downloads').open = true", json!([]));
    browser.click("#remove-game");
    browser.click("#removal input[value='']");
    browser.click("#removal button.primary");
    browser.until("location.pathname === '/'");
    assert_eq!(site.get(&format!("/api/v1/games/{game}")).status, 404);
}

#[test]
fn an_operator_ends_a_game_on_its_page() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    let scenarios = site.get("/api/v1/scenarios").json();
    let first = &scenarios["scenarios"][0];
    let made = site.post("/api/v1/games", &json!({"scenario": first["name"], "rulebook": first["rulebook"]}));
    let game = made["game"].as_str().expect("a name");
    browser.open(&site.url(&format!("/games/{game}")));
    browser.until("!document.querySelector('#remove-game').hidden");
    browser.script("document.querySelector('#downloads').open = true", json!([]));
    browser.click("#remove-game");
    browser.click("#removal input[value='access']");
    browser.click("#removal button.primary");
    assert_eq!(site.games("finished", 1), [game]);
    assert_eq!(site.get("/api/v1/games").json()["games"][0]["outcome"], "ended by the operator");
}
