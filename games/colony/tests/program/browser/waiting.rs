//! The waiting room: who is there, who is missing, how to come in, and how to close it.

use serde_json::json;

use crate::{browser::axe, driver::Browser, site::Site};

/// Opens the page of a game and takes a seat.
fn join(browser: &Browser, site: &Site, game: &str, name: &str) {
    browser.open(&site.url(&format!("/games/{game}/play")));
    browser.until("document.body.dataset.status === 'waiting'");
    browser.script("document.querySelector('#join input').value = ''", json!([]));
    browser.type_into("#join input", name);
    browser.click("#join button");
    browser.until("document.querySelector('#seats [data-you]')");
}

#[test]
fn seats_bots_and_lines() {
    let (Some(ana), Some(bo)) = (Browser::start(), Browser::start()) else { return };
    let site = Site::host();
    let game = site.post("/api/v1/games", &json!({"rulebook": "colony", "scenario": "winter"}));
    let game = game["game"].as_str().expect("a name");
    join(&ana, &site, game, "Ana");
    assert_eq!(ana.text("#waiting-title"), "4 seats are free");
    ana.until("document.querySelectorAll('#seats .vacant [data-bot]').length === 4");
    ana.until("document.querySelectorAll('#beside .cast li').length === 8");
    // This browser did not create the game.
    ana.until("document.querySelector('#end').hidden");
    for (line, command) in [("line", "play"), ("bot-line", "bot")] {
        let text = ana.script(&format!("return document.querySelector('#{line}').value"), json!([]));
        let text = text.as_str().expect("a line");
        assert!(text.starts_with(&format!("holdfast {command} --rulebook colony")) && text.ends_with(game), "{text}");
    }
    let link = ana.script("return document.querySelector('#link').value", json!([]));
    assert_eq!(link, json!(site.url(&format!("/games/{game}/play"))));

    join(&bo, &site, game, "Bo");
    ana.until("document.querySelector('#waiting-title').textContent === '3 seats are free'");
    ana.until("document.querySelector('#seats li:nth-child(2) small').textContent === 'here'");
    // Bots of the chosen kind, then one in all seats that are left: the game begins by itself.
    ana.script(
        "const kind = document.querySelector('#bot-kind'); kind.value = 'random'; kind.dispatchEvent(new Event('change'))",
        json!([]),
    );
    ana.click("#seats .vacant [data-bot=random]");
    bo.until("document.querySelector('#waiting-title').textContent === '2 seats are free'");
    assert!(bo.text("#seats li:nth-child(3)").contains("random"), "{}", bo.text("#seats"));
    bo.click("#fill");
    for browser in [&ana, &bo] {
        browser.until("document.querySelector('#waiting').hidden && document.querySelector('[data-scene=choose]')");
        browser.is_quiet();
    }
}

#[test]
fn the_creator_closes_a_game() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::host();
    browser.open(&site.url("/"));
    browser.until("document.body.dataset.ready === 'true'");
    browser.click("#new-game");
    browser.until("document.querySelector('#new-dialog').open && document.querySelector('[name=scenario]')");
    browser.click("#new-form .primary");
    browser.until("document.body.dataset.status === 'waiting' && !document.querySelector('#end').hidden");
    browser.script("window.confirm = () => true", json!([]));
    browser.click("#end");
    browser.until("document.body.dataset.status === 'over'");
    assert!(!browser.text("#outcome").is_empty());
    browser.is_quiet();
}

/// A removed player is told so. The seat waits for a client with the link to it.
#[test]
fn the_creator_removes_a_player() {
    let (Some(ana), Some(bo)) = (Browser::start(), Browser::start()) else { return };
    let site = Site::host();
    ana.open(&site.url("/"));
    ana.until("document.body.dataset.ready === 'true'");
    ana.click("#new-game");
    ana.until("document.querySelector('#new-dialog').open && document.querySelector('[name=scenario][value*=winter]')");
    ana.script("document.querySelector('[name=scenario][value*=winter]').click()", json!([]));
    ana.click("#new-form .primary");
    ana.until("document.body.dataset.status === 'waiting'");
    let address = ana.address();
    let game = address.split('/').nth(4).expect("a name");
    join(&ana, &site, game, "Ana");
    join(&bo, &site, game, "Bo");
    ana.click("#seats .vacant [data-bot]");
    ana.until("document.querySelectorAll('#seats em').length === 3");
    // No page removes itself or a bot, and only the creator's removes others.
    ana.until("document.querySelectorAll('[data-remove]').length === 1");
    assert_eq!(bo.script("return document.querySelectorAll('[data-remove]').length", json!([])), 0);
    ana.click("#qr summary");
    ana.until("document.querySelector('#qr svg path')");
    if let Some(axe) = axe::script() {
        axe::check(&ana, &axe);
    }
    ana.script("window.confirm = () => true", json!([]));
    ana.click("[data-remove='1']");
    bo.until("document.querySelector('#message').textContent.includes('You were removed from this game.')");
    ana.until("document.querySelector('#seats li:nth-child(2) small').textContent === 'waits to be taken over'");
    ana.until("document.querySelector('#seats li:nth-child(2) [data-bot]')");

    let link = ana.script("return document.querySelector('#link').value", json!([]));
    assert_eq!(link, json!(format!("{}?seat=1", site.url(&format!("/games/{game}/play")))));
    bo.open(link.as_str().expect("a link"));
    bo.until("document.querySelectorAll('#seats [data-seat]').length === 1");
    bo.click("#seats [data-seat='1']");
    bo.until("document.querySelector('#seats li:nth-child(2)[data-you]')");
    ana.until("document.querySelector('#seats li:nth-child(2) small').textContent === 'here'");
    ana.until("document.querySelectorAll('[data-remove]').length === 1");
    for browser in [&ana, &bo] {
        browser.is_quiet();
    }
}

/// The ring beside the table runs while the game waits for a player.
#[test]
fn the_clock_runs() {
    let Some(browser) = Browser::start() else { return };
    browser.resize(1440, 900);
    let site = Site::host();
    let game =
        site.post("/api/v1/games", &json!({"rulebook": "colony", "scenario": "winter", "timeout": 60_000, "seed": 3}));
    join(&browser, &site, game["game"].as_str().expect("a name"), "Ana");
    browser.click("#begin button");
    browser.until("document.querySelectorAll('button.knocker').length === 4");
    let left = "const clock = document.querySelector('#clock'); const box = clock.getBoundingClientRect();
                const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
                return top === clock ? Number(clock.textContent.split(':')[1]) : null";
    browser.until("/^0:\\d\\d$/.test(document.querySelector('#clock').textContent)");
    let first = browser.script(left, json!([])).as_u64().expect("the clock is over the scene");
    browser.until(&format!("Number(document.querySelector('#clock').textContent.split(':')[1]) < {first}"));
    browser.click("button.knocker:nth-child(1)");
    browser.click("button.knocker:nth-child(2)");
    browser.click("[data-act=Keep]");
    browser.until("document.querySelector('#table [data-act=EndTurn]')");
    assert!(browser.script(left, json!([])).is_u64(), "the clock is over the table");
}

/// The page of play on a screen and on a phone, in both colours: the room, the choice, the table, and where a survivor can go.
#[test]
fn play_fits() {
    let Some(browser) = Browser::start() else { return };
    let axe = axe::script();
    let site = Site::host();
    for (width, height) in [(1440, 900), (390, 844)] {
        browser.resize(width, height);
        let game = site
            .post("/api/v1/games", &json!({"rulebook": "colony", "scenario": "winter", "timeout": 120_000, "seed": 7}));
        let look = |name: &str| {
            let wide = browser.script("return document.documentElement.scrollWidth", json!([]));
            assert!(wide.as_u64() <= Some(width.into()), "{name} is {wide} wide on {width}");
            for colours in ["light", "dark"] {
                browser.prefer(colours);
                browser.screenshot(&format!("page-colony-{name}-{width}-{colours}"));
            }
            if let Some(axe) = &axe {
                axe::check(&browser, axe);
            }
        };
        join(&browser, &site, game["game"].as_str().expect("a name"), "Greta");
        browser.until("document.querySelectorAll('#seats .vacant [data-bot]').length === 4");
        browser.click("#seats .vacant [data-bot]");
        browser.until("document.querySelectorAll('#seats .vacant').length === 3");
        look("room");
        browser.click("#begin button");
        browser.until("document.querySelectorAll('button.knocker').length === 4");
        browser.click("button.knocker:nth-child(1)");
        look("choose");
        browser.click("button.knocker:nth-child(2)");
        browser.click("[data-act=Keep]");
        browser.until("document.body.dataset.status === 'act' && document.querySelector('#table [data-act=EndTurn]')");
        look("table");
        browser.click("[data-act=Move]");
        // The list of ways covers no place of the map, because it lies over the table.
        let places = "const menu = document.querySelector('.target-menu').getBoundingClientRect();
                      return [...document.querySelectorAll('#board .place .sign')].filter((sign) => sign.getBoundingClientRect().bottom > menu.top + 1).length";
        assert_eq!(browser.script(places, json!([])), json!(0));
        look("ways");
    }
    browser.is_quiet();
}
