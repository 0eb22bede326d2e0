//! A person plays colony on the page for every game, with a bot of the host.

use serde_json::json;

use crate::{driver::Browser, site::Site};

/// The editions, each with a short scenario for it.
const EDITIONS: [(&str, &str); 3] = [("group", "first-night"), ("equipment", "first-night"), ("fate", "crossroads")];

/// The click after which the host is killed.
const KILLED_AT: u32 = 6;

/// Chooses one of the answers that are possible, at random but by a fixed seed: mostly to end the turn, so that the game gets on.
/// If there is none, it is the button that goes back.
const CHOOSE: &str = "
    window.luck = ((window.luck ?? 1) * 48271) % 2147483647;
    document.querySelector('[data-chosen]')?.removeAttribute('data-chosen');
    const all = [...document.querySelectorAll('#choices button:not([aria-disabled])')];
    const end = all.find((button) => button.textContent.includes('End the turn'));
    const chosen = all.length === 0 ? document.querySelector('#back') : end && luck % 3 === 0 ? end : all[luck % all.length];
    chosen.dataset.chosen = 'true';";

/// A whole game in each edition by clicks. In the first, the host is killed in the middle.
#[test]
fn whole_games_by_clicks() {
    let Some(browser) = Browser::start() else { return };
    let mut site = Some(Site::host());
    for (edition, scenario) in EDITIONS {
        let running = site.as_ref().expect("it runs");
        let game = running
            .post("/api/v1/games", &json!({"rulebook": "colony", "scenario": scenario, "edition": edition, "seed": 3}));
        let game = game["game"].as_str().expect("a name").to_owned();
        browser.open(&running.url(&format!("/games/{game}/play")));
        browser.until("document.body.dataset.ready === 'true'");
        browser.script("const name = document.querySelector('#join input'); name.value = ''", json!([]));
        browser.type_into("#join input", "Ana");
        browser.click("#join button");
        browser.until("document.body.dataset.you === 'Ana'");
        browser.click("[data-bot=sensible]");
        // A game with two seats begins now, one with more is begun by a player.
        browser.until("document.body.dataset.status === 'act' || document.querySelector('#seats').textContent.includes('sensible')");
        let waits = browser.script("return document.body.dataset.status === 'waiting'", json!([])) == json!(true);
        if waits && scenario == "crossroads" {
            browser.click("#begin button");
        }
        let clicks = play_on(&browser, |clicks| {
            if clicks == KILLED_AT && edition == EDITIONS[0].0 {
                browser.will_lose_connection();
                let running = site.take().expect("it runs");
                site = Some(running.killed());
                browser.reconnects();
                browser.console();
            }
        });
        let outcome = browser.text("#outcome").to_lowercase();
        assert!(outcome.starts_with("won") || outcome.starts_with("lost"), "{outcome}");
        assert!(clicks > KILLED_AT, "{edition}: only {clicks} clicks");
        browser.is_quiet();
    }
}

/// Plays a game to its end by clicks. Calls `clicked` after each with their number, which it returns.
pub(super) fn play_on(browser: &Browser, mut clicked: impl FnMut(u32)) -> u32 {
    let mut clicks = 0;
    loop {
        browser.until(
            "document.body.dataset.status === 'over'
             || document.body.dataset.status === 'act' && document.body.dataset.sent === 'false'",
        );
        if browser.shown("status") == "over" {
            return clicks;
        }
        browser.script(CHOOSE, json!([]));
        browser.click("[data-chosen]");
        clicks += 1;
        let complaint = browser.script(
            "const message = document.querySelector('#message'); return message.hidden ? '' : message.textContent",
            json!([]),
        );
        assert_eq!(complaint, json!(""), "what is offered is taken");
        clicked(clicks);
        assert!(clicks < 2_000, "the game does not end");
    }
}

/// Creates a game, begins it alone, and chooses the first characters: then it is the player's turn.
pub(super) fn begin_alone(browser: &Browser, site: &Site, scenario: &str) {
    let game = site.post("/api/v1/games", &json!({"rulebook": "colony", "scenario": scenario, "seed": 3}));
    browser.open(&site.url(&format!("/games/{}/play", game["game"].as_str().expect("a name"))));
    browser.until("document.body.dataset.ready === 'true'");
    browser.script("document.querySelector('#join input').value = ''", json!([]));
    browser.type_into("#join input", "Ana");
    browser.click("#join button");
    browser.click("#begin button");
    for _ in 0..2 {
        browser.until("document.body.dataset.status === 'act' && document.body.dataset.sent === 'false'");
        browser.click("#choices button:not([aria-disabled])");
    }
    browser.until("document.querySelector('#question').textContent.startsWith('Your turn')");
}

/// A click on a group that is not possible says why.
#[test]
fn reasons_are_shown() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    begin_alone(&browser, &site, "first-night");
    let reason = browser.text("#choices [aria-disabled] .reason");
    assert!(reason.ends_with('.'), "{reason}");
    browser.click("#choices [aria-disabled]");
    assert_eq!(browser.script("return document.querySelector('#said').textContent", json!([])), json!(reason));
}

/// A click on a survivor shows where it can go and what it can do, with reasons; a click on a place sends it there.
#[test]
fn survivors_walk_by_clicks_on_the_map() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    begin_alone(&browser, &site, "winter");
    browser.until("document.querySelector('#board .survivor[data-offered=yes]')");
    browser.click("#board .survivor[data-offered=yes]");
    let menu = browser.text(".target-menu");
    assert!(menu.contains("Move: ") && menu.contains("Search: "), "{menu}");
    assert!(!browser.text(".target-menu [aria-disabled] .reason").is_empty(), "what is not possible says why");
    browser.screenshot("play-colony-1400");
    browser.click("#board .place:not(.home) [data-offered=yes]");
    browser.until(
        "document.body.dataset.sent === 'false' && document.querySelector('#feed').textContent.includes(' goes ')",
    );
    browser.press(&[crate::driver::key::ESCAPE]);
    browser.is_quiet();
}
