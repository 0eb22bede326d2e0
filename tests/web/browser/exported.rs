//! Games that were exported as pages, opened from the disk.

use std::{fs, time::Instant};

use serde_json::json;

use crate::{
    Scratch,
    driver::{Browser, PATIENCE},
    site::Site,
};

/// Downloads a finished game as a page, into a new folder.
pub(crate) fn download(site: &Site, game: &str) -> Scratch {
    let answer = site.get(&format!("/api/v1/games/{game}/export/html"));
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.head.contains(&format!("attachment; filename=\"{game}.html\"")), "{}", answer.head);
    let folder = Scratch::new("exported");
    fs::write(folder.path("game.html"), answer.body).expect("written");
    folder
}

/// Opens the page in this folder at a step, and checks that it draws the game and loads nothing from outside.
#[track_caller]
pub(crate) fn open(browser: &Browser, folder: &Scratch, step: u64) {
    browser.open(&format!("file://{}?step={step}", folder.path("game.html").display()));
    browser.shows(step);
    let outside = "return performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => !name.startsWith('data:'))";
    assert_eq!(browser.script(outside, json!([])), json!([]));
    let offered = "return ['#fork', '#copy-link', '#annotate', '#downloads', '#play-page'].filter((id) => !document.querySelector(id).hidden)";
    assert_eq!(browser.script(offered, json!([])), json!([]), "nothing is offered that needs a host");
    browser.is_quiet();
}

/// Checks that the opened page runs no script that was not exported with it.
pub(crate) fn runs_nothing_else(browser: &Browser) {
    browser.script(
        "for (const [key, value] of [['textContent', 'window.hacked = 1'], ['src', 'data:text/javascript,window.hacked=1']]) {
             const script = document.createElement('script');
             script[key] = value;
             document.body.append(script);
         }",
        json!([]),
    );
    let (mut blocked, deadline) = (Vec::new(), Instant::now() + PATIENCE);
    while blocked.len() < 2 {
        assert!(Instant::now() < deadline, "the browser only says {blocked:?}");
        blocked.extend(browser.console().into_iter().filter(|line| line.contains("Content Security Policy")));
    }
    assert_eq!(browser.script("return window.hacked ?? null", json!([])), json!(null));
}
