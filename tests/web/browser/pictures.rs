//! Pictures of the pages of a demo in both colours, on a screen and on a phone. None of them needs scrolling sideways. With
//! `HOLDFAST_SCREENSHOTS=folder`, the pictures are saved there; without it, this test has nothing to do.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{driver::Browser, site::Site};

/// How long a demo may take until each rulebook has a running and a finished game.
const PATIENCE: Duration = Duration::from_secs(180);

/// One game of each rulebook and status, as soon as there is one of each.
fn games(site: &Site) -> BTreeMap<(String, String), String> {
    let text = |game: &Value, key: &str| game[key].as_str().expect("a text").to_owned();
    let begun = Instant::now();
    loop {
        let list = site.get("/api/v1/games?limit=200").json();
        let list = list["games"].as_array().expect("a list");
        let found: BTreeMap<_, _> =
            list.iter().map(|game| ((text(game, "rulebook"), text(game, "status")), text(game, "name"))).collect();
        let rulebooks = site.get("/api/v1/scenarios").json()["rulebooks"].as_array().map_or(0, Vec::len);
        if found.len() >= 2 * rulebooks || begun.elapsed() > PATIENCE {
            return found;
        }
        std::thread::sleep(Duration::from_secs(1));
    }
}

#[test]
fn pictures_of_all_pages() {
    if std::env::var_os("HOLDFAST_SCREENSHOTS").is_none() {
        return;
    }
    let Some(browser) = Browser::start() else { return };
    let demo = ["demo", "--pace", "300ms", "--seed", "5"];
    let site = Site::start(&demo, "Open http://", " in a browser", |_| ());
    let games = games(&site);
    let mut pages = vec![("start".to_owned(), "/".to_owned()), ("open".to_owned(), "/open".to_owned())];
    for ((rulebook, status), game) in &games {
        pages.push((format!("{rulebook}-{status}"), format!("/games/{game}")));
    }
    let choices = site.get("/api/v1/scenarios").json();
    for (rulebook, page) in choices["pages"].as_object().expect("pages") {
        pages.push((format!("{rulebook}-lobby"), page.as_str().expect("an address").to_owned()));
    }
    for rulebook in choices["rulebooks"].as_array().into_iter().flatten().filter(|book| book["people"] == true) {
        let scenarios = choices["scenarios"].as_array().expect("scenarios");
        let scenario =
            scenarios.iter().find(|scenario| scenario["rulebook"] == rulebook["name"]).expect("one for people");
        let new = json!({"rulebook": rulebook["name"], "scenario": scenario["name"]});
        let waiting = site.post("/api/v1/games", &new);
        let [rulebook, game] = [&rulebook["name"], &waiting["game"]].map(|name| name.as_str().expect("a name"));
        pages.push((format!("{rulebook}-waiting"), format!("/games/{game}/play")));
    }
    for (width, height) in [(1440, 900), (390, 844)] {
        browser.resize(width, height);
        for (name, path) in &pages {
            browser.open(&site.url(path));
            browser.until(if path == "/open" {
                "!document.querySelector('#opener').hidden"
            } else {
                "document.body.dataset.ready === 'true'"
            });
            // The pictures of the list of games come one by one.
            std::thread::sleep(Duration::from_millis(700));
            let wide = browser.script("return document.documentElement.scrollWidth", json!([]));
            assert!(wide.as_u64() <= Some(width.into()), "{path} is {wide} wide on {width}");
            for colours in ["light", "dark"] {
                browser.prefer(colours);
                browser.screenshot(&format!("page-{name}-{width}-{colours}"));
            }
        }
    }
}
