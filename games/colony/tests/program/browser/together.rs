//! Two people and a bot play whole games: one with the mouse, one with the keyboard alone. The host is killed in the middle.

use serde_json::json;

use super::play::CHOOSE;
use crate::{
    driver::{Browser, key},
    site::Site,
};

const MAY_ACT: &str = "document.body.dataset.status === 'act' && document.body.dataset.sent === 'false'";

/// Joins the game in this browser. The second player does so by keyboard alone.
fn join(browser: &Browser, site: &Site, game: &str, name: &str, by_keys: bool) {
    browser.open(&site.url(&format!("/games/{game}/play")));
    browser.until("document.body.dataset.status === 'waiting'");
    browser.script("document.querySelector('#join input').value = ''", json!([]));
    if by_keys {
        for _ in 0..40 {
            if browser.script("return document.activeElement?.matches('#join input')", json!([])) == json!(true) {
                break;
            }
            browser.press(&[key::TAB]);
        }
        browser.press(&name.chars().chain([key::ENTER]).collect::<Vec<_>>());
    } else {
        browser.type_into("#join input", name);
        browser.click("#join button");
    }
    browser.until(&format!("document.body.dataset.you === '{name}'"));
}

/// Makes a choice, if the player has one now.
fn act(browser: &Browser, by_keys: bool) {
    if browser.script(&format!("return {MAY_ACT}"), json!([])) != json!(true) {
        return;
    }
    let key = browser.script(CHOOSE, json!([]));
    let Some(key) = key.as_str() else { return };
    match key.parse::<u8>() {
        Ok(_) if by_keys => browser.press(&key.chars().collect::<Vec<_>>()),
        _ if by_keys => tab_to_chosen(browser),
        _ => browser.click("[data-chosen]"),
    }
}

/// Goes to what is chosen with the Tab key, and presses it. The game may go on meanwhile, so that it is no longer there.
fn tab_to_chosen(browser: &Browser) {
    for _ in 0..120 {
        let state = browser.script(
            "const chosen = document.querySelector('[data-chosen]'); return !chosen ? 'gone' : document.activeElement === chosen ? 'here' : ''",
            json!([]),
        );
        match state.as_str() {
            Some("here") => return browser.press(&[key::ENTER]),
            Some("gone") => return,
            _ => browser.press(&[key::TAB]),
        }
    }
    panic!(
        "Tab does not lead to {}",
        browser.script("return document.querySelector('[data-chosen]').outerHTML", json!([]))
    );
}

fn plays_together((edition, name): (&str, &str), (width, height): (u32, u32)) {
    let (Some(ana), Some(bo)) = (Browser::start(), Browser::start()) else { return };
    for browser in [&ana, &bo] {
        browser.resize(width, height);
    }
    let text = colony::scenario(name).expect("it is built in");
    let text = text.replace("\"rounds\": 10", "\"rounds\": 3");
    let mut site = Site::host();
    let game =
        site.post("/api/v1/games", &json!({"rulebook": "colony", "scenario": text, "edition": edition, "seed": 5}));
    let game = game["game"].as_str().expect("a name").to_owned();
    join(&ana, &site, &game, "Ana", false);
    join(&bo, &site, &game, "Bo", true);
    ana.click("[data-bot=sensible]");
    ana.until("document.body.dataset.status !== 'waiting' || document.querySelector('#seats').textContent.includes('sensible')");
    if ana.script(
        "return document.body.dataset.status === 'waiting' && document.querySelector('#begin button') !== null",
        json!([]),
    ) == json!(true)
    {
        ana.click("#begin button");
    }
    let over = |browser: &Browser| browser.script("return document.body.dataset.status", json!([])) == json!("over");
    let deadline = std::time::Instant::now() + crate::driver::PATIENCE * 2;
    let mut acts = 0;
    while !over(&ana) || !over(&bo) {
        act(&ana, false);
        act(&bo, true);
        acts += 1;
        if acts == 12 {
            for browser in [&ana, &bo] {
                browser.will_lose_connection();
            }
            site = site.killed();
            for browser in [&ana, &bo] {
                browser.until("document.body.dataset.connected === 'true' || document.body.dataset.status === 'over'");
                browser.console();
            }
        }
        assert!(std::time::Instant::now() < deadline, "the game does not end");
        std::thread::sleep(std::time::Duration::from_millis(30));
    }
    assert!(acts > 12, "it was killed in the middle: {acts}");
    assert_eq!(ana.text("#outcome"), bo.text("#outcome"));
    for browser in [&ana, &bo] {
        browser.is_quiet();
    }
    drop(site);
}

#[test]
fn the_group_edition_on_a_desk() {
    plays_together(("group", "winter"), (1440, 900));
}

#[test]
fn the_equipment_edition_on_a_phone() {
    plays_together(("equipment", "winter"), (390, 844));
}

#[test]
fn the_fate_edition_on_a_desk() {
    plays_together(("fate", "crossroads"), (1440, 900));
}
