//! The page shows a downloaded game.

use std::fs;

use serde_json::json;

use super::playing::finished;
use crate::{Scratch, browser::last, driver::key};

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
