//! The games of `examples/` on the page for every game, as their authors get it.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::{
    browser::{axe, exported},
    driver::{Browser, key},
    show,
    site::Site,
};

/// A host of an example, if `cargo xtask test examples` has built it.
fn host(game: &str) -> Option<Site> {
    let Some(programs) = std::env::var_os("HOLDFAST_EXAMPLES").map(PathBuf::from) else {
        show(&format!("skipped: {game} in a browser, only with `cargo xtask test examples`"));
        return None;
    };
    Some(Site::program(&programs.join(game), &["host"]))
}

/// Creates a game by the start page, and takes a seat. Returns the address of the game.
fn create(browser: &Browser, site: &Site, name: &str) -> String {
    browser.open(&site.url("/"));
    browser.click("#new-game");
    browser.until("document.querySelector('#new-form [name=scenario]')");
    browser.click("#new-form .primary");
    browser.until("location.pathname.endsWith('/play')");
    join(browser, &browser.address(), name)
}

pub(super) fn join(browser: &Browser, address: &str, name: &str) -> String {
    browser.open(address);
    browser.until("document.body.dataset.ready === 'true'");
    browser.type_into("#join input", name);
    browser.click("#join button");
    browser.until(&format!("document.body.dataset.you === '{name}'"));
    address.to_owned()
}

pub(super) fn status(browser: &Browser, status: &str) {
    browser.until(&format!("document.body.dataset.status === '{status}' && document.body.dataset.sent === 'false'"));
}

/// The squares that a player can click now.
fn offered(browser: &Browser) -> Value {
    browser.script(
        "return [...document.querySelectorAll('[data-offered=yes]')].map((node) => node.dataset.target)",
        json!([]),
    )
}

/// Two people click on the board, over a reload and a killed host.
#[test]
fn tictactoe_by_clicks() {
    let (Some(ana), Some(bo)) = (Browser::start(), Browser::start()) else { return };
    let Some(site) = host("tictactoe") else { return };
    let address = create(&ana, &site, "Ana");
    assert_eq!(ana.text("#waiting-title"), "One seat is free");
    assert!(ana.script("return document.querySelector('#link').value", json!([])) == json!(address));
    let line = ana.script("return document.querySelector('#line').value", json!([]));
    assert!(
        line.as_str().is_some_and(|line| line.contains(&format!("--connect 127.0.0.1:{}", site.port().port()))),
        "{line}"
    );
    join(&bo, &address, "Bo");
    let square = |at: u32| format!("[data-target=square-{at}]");
    status(&ana, "act");
    assert_eq!(offered(&ana).as_array().map(Vec::len), Some(9));
    assert_eq!(offered(&bo), json!([]), "it is not the turn of Bo");
    assert_eq!(bo.text("#turn"), "Ana’s turn");
    ana.click(&square(4));
    status(&bo, "act");
    assert_eq!(offered(&bo).as_array().map(Vec::len), Some(8));
    bo.click(&square(0));
    status(&ana, "act");
    ana.reload();
    status(&ana, "act");
    assert_eq!(ana.text(&square(4)), "✕", "the seat is still there");
    ana.is_quiet();
    bo.is_quiet();

    for browser in [&ana, &bo] {
        browser.will_lose_connection();
    }
    let site = site.killed();
    for browser in [&ana, &bo] {
        browser.reconnects();
        browser.console();
    }
    status(&ana, "act");
    ana.click(&square(2));
    status(&bo, "act");
    bo.click(&square(1));
    status(&ana, "act");
    ana.click(&square(6));
    for browser in [&ana, &bo] {
        status(browser, "over");
        assert_eq!(browser.text("#outcome"), "Ana won");
        assert!(browser.text("#feed").contains("Ana: mark 6"));
        browser.is_quiet();
    }
    // The page of the game draws it with the files of the author, without the host.
    let game = address.rsplit('/').nth(1).expect("a name");
    let folder = exported::download(&site, game);
    exported::open(&bo, &folder, 4);
    bo.press(&[key::END]);
    bo.until("document.body.dataset.step === document.body.dataset.last && document.body.dataset.ready === 'true'");
    assert_eq!(bo.text(&square(6)), "✕", "the drawing of the author");
    exported::runs_nothing_else(&bo);
    ana.click("#again");
    ana.until(&format!(
        "location.pathname === '{}-2/play'",
        address
            .split_once("/games")
            .map(|(_, path)| format!("/games{}", path.trim_end_matches("/play")))
            .unwrap_or_default()
    ));
    drop(site);
}

/// Two people play cards that the other must not see, one with clicks and one with the keyboard alone. A spectator sees none of
/// them.
#[test]
fn highcard_by_clicks_and_keys() {
    let (Some(ana), Some(bo), Some(zoe)) = (Browser::start(), Browser::start(), Browser::start()) else { return };
    let Some(site) = host("highcard") else { return };
    let address = create(&ana, &site, "Ana");
    join(&bo, &address, "Bo");
    ana.click("#begin button");
    status(&ana, "act");
    zoe.open(&address);
    zoe.until(
        "document.body.dataset.ready === 'true' && document.querySelector('#turn').textContent === 'You are watching'",
    );
    let hands = |browser: &Browser| {
        let cells =
            "return [0, 1].map((seat) => document.querySelector(`#board [data-at='/game/hands/${seat}']`).dataset.is)";
        let shown = browser.script(cells, json!([]));
        [0, 1].map(|seat| serde_json::from_str::<Vec<u8>>(shown[seat].as_str().expect("a hand")).expect("cards"))
    };
    let [own, other] = hands(&ana);
    assert!(own.iter().all(|card| *card > 0) && other == [0, 0, 0], "{own:?} {other:?}");
    let [other, own] = hands(&bo);
    assert!(own.iter().all(|card| *card > 0) && other == [0, 0, 0], "{own:?} {other:?}");
    assert_eq!(hands(&zoe), [[0, 0, 0], [0, 0, 0]]);
    for trick in 0..12 {
        // One of them plays by clicks alone, the other one now and then by keys.
        for (browser, clicks) in [(&ana, true), (&bo, trick % 2 == 0)] {
            status(browser, "act");
            if clicks {
                browser.click("#choices .offer");
            } else {
                browser.press(&['1']);
            }
            browser.until("document.body.dataset.status !== 'act' || document.body.dataset.sent === 'false'");
        }
    }
    for browser in [&ana, &bo, &zoe] {
        status(browser, "over");
        assert!(browser.text("#outcome").contains("won") || browser.text("#outcome").contains("draw"));
        browser.is_quiet();
    }
}

/// An author's program has the pages of its own games only.
#[test]
fn only_pages_of_its_own_games() {
    let Some(browser) = Browser::start() else { return };
    let Some(site) = host("tictactoe") else { return };
    browser.open(&site.url("/"));
    let ask =
        "const asked = new XMLHttpRequest(); asked.open('GET', arguments[0], false); asked.send(); return asked.status";
    for (path, status) in [
        ("/", 200),
        ("/web/tictactoe/draw.js", 200),
        ("/colony", 404),
        ("/crazyhouse", 404),
        ("/web/crazyhouse/draw.js", 404),
        ("/no-such-game", 404),
    ] {
        assert_eq!(browser.script(ask, json!([path])), json!(status), "{path}");
    }
}

/// The start page of an author's program shows its own games: here there is no poster, so their names in a frame.
#[test]
fn the_front_picture_is_of_its_own_games() {
    let Some(browser) = Browser::start() else { return };
    let Some(site) = host("connect-four") else { return };
    browser.open(&site.url("/"));
    browser.until("document.querySelector('#front-picture p')");
    assert_eq!(browser.text("#front-picture"), "Connect four");
    for (width, height) in [(390, 844), (1440, 900)] {
        browser.resize(width, height);
        browser.screenshot(&format!("start-connect-four-{width}"));
    }
    let asked = browser.script("return performance.getEntriesByType('resource').map(({ name }) => name)", json!([]));
    let others: Vec<&str> = asked.as_array().expect("addresses").iter().filter_map(Value::as_str).collect();
    assert!(others.iter().any(|name| name.contains("/web/")), "{others:?}");
    assert!(!others.iter().any(|name| name.contains("colony") || name.contains("front.svg")), "{others:?}");
    browser.is_quiet();
}

/// A person against a bot of the host, which is still there after the host was killed. Giving up asks first.
#[test]
fn connect_four_with_a_bot() {
    let Some(browser) = Browser::start() else { return };
    let Some(site) = host("connect-four") else { return };
    create(&browser, &site, "Ana");
    browser.click("[data-bot=random]");
    status(&browser, "act");
    browser.click("#choices button");
    status(&browser, "act");
    browser.will_lose_connection();
    let _site = site.killed();
    browser.reconnects();
    browser.console();
    status(&browser, "act");
    browser.click("#choices button");
    status(&browser, "act");
    browser.click("#asides button");
    browser.until("document.querySelector('#sure').open");
    browser.press(&[key::ESCAPE]);
    browser.until("!document.querySelector('#sure').open");
    browser.click("#asides button");
    browser.click("#sure-yes");
    status(&browser, "over");
    assert!(browser.text("#outcome").starts_with("random won"), "{}", browser.text("#outcome"));
    browser.is_quiet();
}

/// Nothing is wider than a phone, and everything that can have the focus has a name, in both colour schemes.
#[test]
fn fits_and_has_names() {
    let Some(browser) = Browser::start() else { return };
    let Some(site) = host("tictactoe") else { return };
    create(&browser, &site, "Ana with quite a long name, longer than others");
    for state in ["waiting", "act"] {
        if state == "act" {
            browser.click("[data-bot=random]");
        }
        status(&browser, state);
        for (width, height) in [(390, 844), (1440, 900)] {
            browser.resize(width, height);
            for colours in ["light", "dark"] {
                browser.prefer(colours);
                let wide = browser.script("return document.documentElement.scrollWidth > innerWidth", json!([]));
                assert_eq!(wide, json!(false), "{state} {width}");
                browser.screenshot(&format!("play-tictactoe-{state}-{width}-{colours}"));
            }
        }
        if let Some(axe) = axe::script() {
            axe::check(&browser, &axe);
        }
        let unnamed = browser.script(
            "const named = (node) => node.getAttribute('aria-label') || node.textContent.trim() || node.labels?.[0]?.textContent.trim() || node.title;
             return [...document.querySelectorAll('a, button, input, [tabindex]')]
                .filter((node) => node.checkVisibility() && !named(node)).map((node) => node.outerHTML)",
            json!([]),
        );
        assert_eq!(unnamed, json!([]), "{state}");
    }
}
