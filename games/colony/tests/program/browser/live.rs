//! Running games.

use serde_json::json;

use super::playing::{PLAYERS, driven_host};
use crate::{browser::last, driver::Browser, site::Site};

#[test]
fn a_game_of_the_list_moves_without_a_reload() {
    let Some(browser) = Browser::start() else { return };
    let site = driven_host();
    site.play(&PLAYERS, 7);
    let mut game = site.driven(3);
    game.play(10);
    browser.open(&site.url("/"));
    browser.until("document.querySelectorAll('#games .game').length === 2");
    assert!(browser.text("#total").contains("games"), "{}", browser.text("#total"));
    // A reload would delete this variable.
    browser.script("window.remembered = 'yes'", json!([]));
    browser.until("document.querySelector('#games [data-status=running] .players').textContent !== 'no players yet'");

    browser.screenshot("games-live");

    browser.click("#games [data-status=running] a");
    browser.until("document.body.dataset.live === 'true' && document.body.dataset.ready === 'true'");
    browser.script("window.remembered = 'still here'", json!([]));
    let before = last(&browser);
    game.play(10);
    browser.until(&format!("Number(document.body.dataset.step) >= {}", before + 10));
    assert_eq!(browser.script("return window.remembered", json!([])), json!("still here"));
    assert_eq!(browser.text("#live-text"), "Live");
    browser.screenshot("colony-live");

    // A spectator who looks back stays at that step while the game continues, and can return.
    browser.click("#first");
    browser.until("document.body.dataset.live === 'behind' && document.body.dataset.step === '0'");
    let then = last(&browser);
    game.play(5);
    browser.until(&format!("Number(document.body.dataset.last) >= {}", then + 5));
    assert_eq!(browser.step(), 0);
    browser.click("#live");
    browser.until("document.body.dataset.live === 'true' && document.body.dataset.step === document.body.dataset.last");
    browser.is_quiet();
}

#[test]
fn the_end_of_a_game_shows_everything() {
    let Some(browser) = Browser::start() else { return };
    let site = driven_host();
    let mut game = site.driven(3);
    game.play(10);
    browser.open(&site.url(&format!("/games/{}", game.name)));
    browser.until("document.body.dataset.live === 'true'");
    assert!(!browser.text("#facts").contains("seed"), "the seed of a running game is secret");
    game.finish();
    browser.until("document.body.dataset.live === 'false'");
    browser.until("document.querySelector('#facts').textContent.includes('seed')");
    assert_eq!(browser.step(), last(&browser), "a spectator who followed sees the end");
    assert!(!browser.text("#status").contains("running"), "{}", browser.text("#status"));
    browser.is_quiet();
}

#[test]
fn a_new_game_is_made_in_the_page() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    browser.open(&site.url("/"));
    browser.until("document.querySelector('#total').textContent.startsWith('There are no games yet')");
    browser.click("#new-game");
    browser.until("document.querySelectorAll('#new-form [name=scenario]').length >= 3");
    browser.click("#new-form .primary");
    browser.until("location.pathname.endsWith('/play') && document.body.dataset.status === 'waiting'");
    let game = site.games("running", 1).swap_remove(0);
    assert_eq!(browser.text("#name"), "First night", "the easiest scenario is chosen");
    assert!(browser.text("#facts").ends_with(&game), "{}", browser.text("#facts"));
    browser.click("[data-tab=menu]");
    browser.click("#replay");
    browser.until("document.body.dataset.live === 'true'");
    assert_eq!(browser.text("#name"), game, "the page to watch is a click away");
    browser.is_quiet();
}

#[test]
fn the_list_is_filtered() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    let first = site.play(&[("Ana", "sensible"), ("Bo", "sensible")], 1);
    let second = site.play(&[("Cyd", "sensible"), ("Bo", "sensible")], 2);
    browser.open(&site.url("/"));
    let shows = |names: &[&str]| {
        let shown = "[...document.querySelectorAll('#games .game')].map((row) => row.dataset.name)";
        browser.until(&format!("JSON.stringify({shown}) === '{}'", json!(names)));
    };
    shows(&[&second, &first]);
    browser.type_into("#search", "ana");
    shows(&[&first]);
    assert!(browser.address().ends_with("/?q=ana"), "a filter is part of the address: {}", browser.address());
    browser.reload();
    shows(&[&first]);
    browser.click("#clear");
    shows(&[&second, &first]);
    browser.click("#more summary");
    browser.type_into("[name=player]", "Cyd");
    shows(&[&second]);
    browser.type_into("#search", "ana");
    shows(&[]);
    browser.is_quiet();
}
