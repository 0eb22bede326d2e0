//! The page shows a downloaded game.

use std::fs;

use serde_json::json;

use super::{
    hostile::{HOSTILE, is_text},
    playing::finished,
};
use crate::{
    Scratch,
    browser::{axe, exported, last},
    driver::{Browser, key},
    site::Site,
};

#[test]
fn an_exported_game_without_its_host() {
    let Some((browser, site, game)) = finished() else { return };
    let steps = last(&browser);
    let path = browser.script("return document.querySelector('#download-jsonl').pathname", json!([]));
    let answer = site.get(path.as_str().expect("a path"));
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    let export = answer.body;
    let folder = Scratch::new("export");
    let path = |name: &str| folder.path(name).display().to_string();
    fs::write(path("game.jsonl"), &export).expect("written");
    // A broken download ends after a line, or in the middle of one.
    let lines: Vec<&str> = export.split_inclusive('\n').collect();
    let whole = lines[..lines.len() / 2].concat();
    fs::write(path("lines.jsonl"), &whole).expect("written");
    fs::write(path("half.jsonl"), whole + "{\"entry\":{\"nu").expect("written");
    fs::write(path("other.jsonl"), "this is no game\n").expect("written");

    browser.open(&site.url("/open?step=0"));
    browser.type_into("#open-file input", &path("other.jsonl"));
    browser.until("document.querySelector('#message').textContent.includes('Line 1')");
    browser.type_into("#open-file input", &path("half.jsonl"));
    let broken = format!("Line {} of the file is not JSON", lines.len() / 2 + 1);
    browser.until(&format!("document.querySelector('#message').textContent.startsWith('{broken}')"));
    browser.type_into("#open-file input", &path("lines.jsonl"));
    browser.until("document.querySelector('#message').textContent.startsWith('The file ends after step')");

    browser.type_into("#open-file input", &path("game.jsonl"));
    browser.shows(0);
    assert_eq!(browser.text("#name"), game);
    assert_eq!(last(&browser), steps);
    // From here on, the page must not need the host.
    drop(site);
    browser.press(&[key::END]);
    browser.shows(steps);
    browser.type_into("#search", "food");
    browser.until("document.querySelector('#matches').textContent.includes('match')");
    browser.is_quiet();
}

/// A page is opened from the disk after its host has ended. It shows what the host showed, and the names of players are text.
#[test]
fn an_exported_page_without_a_host() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    let bots = ["sensible", "random", "sensible", "sensible"];
    let players: Vec<(&str, &str)> = HOSTILE.into_iter().zip(bots).collect();
    let game = site.play(&players, 5);
    browser.open(&site.url(&format!("/games/{game}?step=60")));
    browser.shows(60);
    let values = "return [...document.querySelectorAll('#board [data-at]')].map((node) => `${node.dataset.at} ${node.dataset.is}`)";
    let (steps, shown) = (last(&browser), browser.script(values, json!([])));
    assert!(shown.as_array().is_some_and(|values| values.len() > 50), "{shown}");
    let path = browser.script("return document.querySelector('#download-html').pathname", json!([]));
    assert_eq!(path, json!(format!("/api/v1/games/{game}/export/html")));
    let folder = exported::download(&site, &game);
    drop(site);

    exported::open(&browser, &folder, 60);
    assert_eq!((browser.text("#name"), last(&browser)), (game, steps));
    assert_eq!(browser.script(values, json!([])), shown);
    is_text(&browser, "#facts");
    for (press, at) in [(key::RIGHT, 61), (key::HOME, 0), (key::END, steps)] {
        browser.press(&[press]);
        browser.shows(at);
    }
    browser.type_into("#search", "onerror");
    browser.until("document.querySelector('#matches').textContent.includes('match')");
    browser.screenshot("exported");
    browser.is_quiet();
    exported::runs_nothing_else(&browser);
    if let Some(axe) = axe::script() {
        axe::check(&browser, &axe);
    }
    // The beginning of a page, as of a download that broke off.
    let whole = fs::read_to_string(folder.path("game.html")).expect("written");
    fs::write(folder.path("game.html"), &whole[..whole.len() - 2000]).expect("written");
    browser.reload();
    browser.until("!document.querySelector('#message').hidden");
}
