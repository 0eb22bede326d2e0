//! A person plays colony on the page for every game, with a bot of the host.

use serde_json::json;

use crate::{driver::Browser, site::Site};

/// The size of a usual phone.
const PHONE: (u32, u32) = (390, 844);

/// The editions, each with a short scenario for it.
const EDITIONS: [(&str, &str); 3] = [("group", "first-night"), ("equipment", "first-night"), ("fate", "crossroads")];

/// The click after which the host is killed.
const KILLED_AT: u32 = 6;

/// Chooses one of the things that can be done now, at random but by a fixed seed, and marks it: mostly to end the turn, so that the game
/// gets on. What lies on top comes first. Returns the key that does it, if there is one.
pub(super) const CHOOSE: &str = "
    window.luck = ((window.luck ?? 1) * 48271) % 2147483647;
    document.querySelector('[data-chosen]')?.removeAttribute('data-chosen');
    const layers = ['#sure[open] #sure-yes', '.scene-over:not([hidden])', '.target-menu:not([hidden])', '#offers:not([hidden]) #choices', '#table:not([hidden])'];
    const buttons = (css) => [...document.querySelectorAll(css.endsWith('yes') ? css : css + ' button')]
        .filter((button) => !button.matches('[aria-disabled], .close, .knocker[aria-pressed=true], .own [aria-pressed=true]') && button.checkVisibility());
    const all = layers.map(buttons).find((some) => some.length > 0) ?? [];
    const end = all.find((button) => button.dataset.act === 'EndTurn');
    const keep = all.find((button) => button.dataset.act === 'Keep');
    const chosen = keep ?? (end && luck % 3 === 0 ? end : all[luck % all.length]);
    chosen?.setAttribute('data-chosen', 'true');
    return chosen ? chosen.dataset.digit ?? 'tab' : null;";

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
        let clicks = play_on(
            &browser,
            |css| browser.click(css),
            |clicks| {
                if clicks == KILLED_AT && edition == EDITIONS[0].0 {
                    browser.will_lose_connection();
                    let running = site.take().expect("it runs");
                    site = Some(running.killed());
                    browser.reconnects();
                    browser.console();
                }
            },
        );
        let outcome = browser.text("#outcome").to_lowercase();
        assert!(outcome.starts_with("won") || outcome.starts_with("lost"), "{outcome}");
        assert!(clicks > KILLED_AT, "{edition}: only {clicks} clicks");
        browser.is_quiet();
    }
}

/// Plays a game to its end: `press` presses what is marked. Calls `clicked` after each with their number, which it returns.
pub(super) fn play_on(browser: &Browser, press: impl Fn(&str), mut clicked: impl FnMut(u32)) -> u32 {
    let mut clicks = 0;
    loop {
        browser.until(
            "document.body.dataset.status === 'over'
             || document.body.dataset.status === 'act' && document.body.dataset.sent === 'false'",
        );
        if browser.shown("status") == "over" {
            return clicks;
        }
        if browser.script(CHOOSE, json!([])).is_null() {
            continue;
        }
        press("[data-chosen]");
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

/// Creates a game and begins it alone: then the player chooses survivors.
pub(super) fn start_alone(browser: &Browser, site: &Site, scenario: &str) {
    let game = site.post("/api/v1/games", &json!({"rulebook": "colony", "scenario": scenario, "seed": 3}));
    browser.open(&site.url(&format!("/games/{}/play", game["game"].as_str().expect("a name"))));
    browser.until("document.body.dataset.ready === 'true'");
    browser.script("document.querySelector('#join input').value = ''", json!([]));
    browser.type_into("#join input", "Ana");
    browser.click("#join button");
    browser.click("#begin button");
    browser.until("document.querySelectorAll('button.knocker').length === 4");
}

/// As [`start_alone`], and chooses the first two survivors: then it is the player's turn.
pub(super) fn begin_alone(browser: &Browser, site: &Site, scenario: &str) {
    start_alone(browser, site, scenario);
    browser.click("button.knocker:nth-child(1)");
    browser.click("button.knocker:nth-child(2)");
    browser.click("[data-act=Keep]");
    browser.until("document.querySelector('#table [data-act=EndTurn]')");
}

/// What a survivor cannot do is on the table with its reason, which a click tells screen readers.
#[test]
fn reasons_are_shown() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    begin_alone(&browser, &site, "first-night");
    let reason = browser.script("return document.querySelector('.act[aria-disabled] .why').textContent", json!([]));
    assert!(reason.as_str().is_some_and(|reason| reason.ends_with('.')), "{reason}");
    browser.click(".act[aria-disabled]");
    assert_eq!(browser.script("return document.querySelector('#said').textContent", json!([])), reason);
    let shown = "getComputedStyle(document.querySelector('.act[aria-disabled] .why')).visibility";
    assert_eq!(browser.script(&format!("return {shown}"), json!([])), json!("visible"), "under the mouse");
}

/// A raised card has its uses above it. To end a turn with dice left asks first.
#[test]
fn cards_are_raised_and_turns_end_with_a_question() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    begin_alone(&browser, &site, "winter");
    let cards = "[...document.querySelectorAll('#table .card i')].reduce((sum, many) => sum + Number(many.textContent.slice(1)) - 1, document.querySelectorAll('#table .card').length)";
    let before = browser.script(&format!("return {cards}"), json!([])).as_u64().expect("a number");
    assert_eq!(before, 5, "a player begins with five cards");
    browser.click("#table .card");
    browser.until("document.querySelector('#table .card').getAttribute('aria-pressed') === 'true'");
    browser.click(".uses [data-act=UseCard]");
    browser.until(&format!("document.body.dataset.sent === 'false' && {cards} < {before}"));
    browser.click("#table [data-act=EndTurn]");
    browser.until("document.querySelector('#sure').open");
    assert!(browser.text("#sure-title").contains("dice left"), "{}", browser.text("#sure-title"));
    browser.click("#sure .cancel");
    browser.until("!document.querySelector('#sure').open");
    assert_eq!(browser.shown("status"), "act", "nothing was sent");
    browser.is_quiet();
}

/// A survivor is chosen from the beginning; the map shows where it can go, and a click on a place sends it there.
#[test]
fn survivors_walk_by_clicks_on_the_map() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    begin_alone(&browser, &site, "winter");
    browser.until("document.querySelectorAll('#board .survivor[data-offered=chosen]').length === 1");
    browser.click(".own [aria-pressed=false]");
    browser.until("document.querySelector('#table h2').textContent === document.querySelector('.own [aria-pressed=true]').title.split(',')[0] + document.querySelector('#table h2 small').textContent");
    let acts = browser.text("#table .acts");
    assert!(acts.contains("Move") && acts.contains("Search"), "{acts}");
    browser.click("[data-act=Move]");
    let menu = browser.text(".target-menu");
    assert!(menu.contains("to Fish Hall") && !menu.contains("entrance"), "only where it can go: {menu}");
    assert!(!browser.text(".target-menu [aria-disabled] .reason").is_empty(), "what is not possible says why");
    browser.screenshot("play-colony-1400");
    browser.click("#board .place:not(.home) [data-offered=yes]");
    browser.until(
        "document.body.dataset.sent === 'false' && document.querySelector('#feed').textContent.includes(' goes ')",
    );
    browser.press(&[crate::driver::key::ESCAPE]);
    browser.is_quiet();
}

/// A whole game on a phone by touch. Everything that can be touched is large enough, and nothing needs scrolling sideways.
#[test]
fn a_whole_game_by_touch() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    browser.resize(PHONE.0, PHONE.1);
    browser.devtools("Emulation.setTouchEmulationEnabled", json!({"enabled": true, "maxTouchPoints": 1}));
    begin_alone(&browser, &site, "first-night");
    let small = browser.script(
        "const shown = [...document.querySelectorAll('#table button, #tabs button, [data-offered]')].filter((one) => one.checkVisibility());
         return shown.map((one) => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
             .filter(([, { width, height }]) => width < 43.5 || height < 43.5)",
        json!([]),
    );
    assert_eq!(small, json!([]), "targets of 44 pixels");
    let wide = browser
        .script("const page = document.documentElement; return [page.scrollWidth, page.scrollHeight]", json!([]));
    assert_eq!(wide, json!([PHONE.0, PHONE.1]), "the page does not scroll");
    let taps = play_on(&browser, |css| browser.tap(css), |_| ());
    assert!(taps > 5, "only {taps} taps");
    browser.is_quiet();
}

/// Two players of one name are told apart by their seats.
#[test]
fn two_players_of_one_name() {
    let (Some(first), Some(second)) = (Browser::start(), Browser::start()) else { return };
    let site = Site::host();
    let game = site.post("/api/v1/games", &json!({"rulebook": "colony", "scenario": "winter", "seed": 3}));
    let page = site.url(&format!("/games/{}/play", game["game"].as_str().expect("a name")));
    for browser in [&first, &second] {
        browser.open(&page);
        browser.until("document.body.dataset.status === 'waiting'");
        browser.script("document.querySelector('#join input').value = ''", json!([]));
        browser.type_into("#join input", "Ana");
        browser.click("#join button");
        browser.until("document.body.dataset.you === 'Ana'");
    }
    first.until("document.querySelectorAll('#seats li:not(.vacant)').length === 2");
    for (browser, at) in [(&first, [true, false]), (&second, [false, true])] {
        let you = "return [...document.querySelectorAll('#seats li:not(.vacant)')].map((seat) => seat.textContent.includes('you'))";
        browser.until("document.querySelectorAll('#seats li:not(.vacant)').length === 2");
        assert_eq!(browser.script(you, json!([])), json!(at));
    }
    first.click("#begin button");
    first.until("document.querySelectorAll('button.knocker').length === 4");
    second.until("document.body.dataset.status === 'wait'");
    for (browser, at) in [(&first, 0), (&second, 1)] {
        let seats = "return [...document.querySelectorAll('.seats .seat')].findIndex((seat) => seat.textContent.includes('(you)'))";
        assert_eq!(browser.script(seats, json!([])), json!(at));
    }
    assert_eq!(first.text("#turn"), "Your turn");
    assert_ne!(second.text("#turn"), "Your turn");
}
