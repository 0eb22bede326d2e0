//! People with accounts: they sign in, play under their names, are told that it is their turn, mute and report, and have results.

use serde_json::{Value, json};

use super::{Seat, create, join};
use crate::{browser::axe, driver::Browser, site::Site};

fn register(browser: &Browser, site: &Site, name: &str) {
    browser.open(&site.url("/account"));
    browser.until("!document.querySelector('#enter').hidden");
    browser.type_into("#enter [name=name]", name);
    browser.type_into("#enter [name=password]", "correct horse");
    browser.click("#enter [value=register]");
    browser.until(&format!("document.querySelector('#name').textContent === {}", json!(name)));
}

fn token(browser: &Browser, site: &Site) -> String {
    browser.open(&site.url("/account"));
    browser.until("!document.querySelector('#own').hidden && document.body.dataset.ready === 'true'");
    browser.type_into("#new-token [name=label]", "a bot");
    browser.click("#new-token button");
    browser.until("!document.querySelector('#made').hidden");
    browser.until("document.querySelector('#tokens').textContent.includes('a bot')");
    browser.text("#made code")
}

fn until_shown(browser: &Browser, css: &str, words: &str) {
    browser.until(&format!("document.querySelector({})?.textContent.includes({})", json!(css), json!(words)));
}

fn says(browser: &Browser, text: &str) {
    browser.type_into("#chat-line", text);
    browser.click("#people .write button");
}

/// A player of an account over TCP.
fn seat(site: &Site, token: &str, want: &Value, game: Option<&str>, name: &str, side: &str) -> (Seat, String) {
    let mut seat = Seat::connect(site.port());
    seat.say(&json!({"account": token}));
    seat.enter(want, game, name, side)
}

#[test]
fn people_with_accounts() {
    let (Some(ana), Some(bo)) = (Browser::start(), Browser::start()) else { return };
    let site = Site::host_with(&["--accounts", "optional"]);
    register(&ana, &site, "Ana");
    let game = create(&ana, &site, "Ana", "white", |_| ());
    let page = site.url(&format!("/crazyhouse/play/{game}"));

    // A guest cannot be Ana.
    bo.open(&page);
    bo.until("!document.querySelector('#join').hidden");
    bo.type_into("#join [name=name]", "ana");
    bo.click("#join button.primary");
    bo.until("document.body.textContent.includes('belongs to an account')");
    register(&bo, &site, "Bo");
    join(&bo, &page, "Bo", "black");

    says(&bo, "hello Ana");
    until_shown(&ana, "#people .chat", "hello Ana");
    ana.click("#people .chat .report");
    until_shown(&ana, "#people .chat .report", "Reported");
    let reports = site.get("/api/v1/reports").json();
    assert_eq!((&reports["reports"][0]["by"], &reports["reports"][0]["line"]), (&json!("Ana"), &json!(1)));
    ana.click("#people .chat .mute");
    until_shown(&ana, "#people .mutes", "Bo");
    says(&bo, "can you hear me?");
    until_shown(&bo, "#people .chat", "can you hear me?");
    assert!(!ana.text("#people .chat").contains("hear me"));
    ana.reload();
    until_shown(&ana, "#people .mutes", "Bo");
    assert!(!ana.text("#people .chat").contains("hello"), "a mute lasts");

    // White moves first.
    ana.open(&site.url("/"));
    ana.until("!document.querySelector('#your-turn').hidden");
    assert_eq!(ana.text("#your-turn"), format!("It is your turn in {game}."));
    assert_eq!(ana.text("#account"), "Ana");
    bo.open(&site.url("/"));
    until_shown(&bo, "#account", "Bo");
    assert_eq!(bo.script("return document.querySelector('#your-turn').hidden", json!([])), json!(true));
    if let Some(axe) = axe::script() {
        axe::check(&ana, &axe);
    }

    // Their bots play a game to its end: Bo mates Ana.
    let (white, black) = (token(&ana, &site), token(&bo, &site));
    let wanted = json!({"create": {"rulebook": "crazyhouse", "scenario": "standard"}});
    let (mut white, second) = seat(&site, &white, &wanted, None, "Ana", "white");
    let (mut black, _) = seat(&site, &black, &json!({"join": {}}), Some(&second), "Bo", "black");
    white.until("Began");
    black.until("Began");
    for (number, text) in ["f2-f3", "e7-e5", "g2-g4", "d8-h4"].into_iter().enumerate() {
        let mover = if number % 2 == 0 { &mut white } else { &mut black };
        mover.say(&json!({"command": {"Move": {"text": text}}}));
        white.until("Moved");
        black.until("Moved");
    }
    bo.open(&site.url("/leaderboard?rulebook=crazyhouse"));
    bo.until("document.body.dataset.ready === 'true'");
    bo.until("(document.querySelectorAll('tbody tr').length === 2) || (location.reload(), false)");
    let rows = "return [...document.querySelectorAll('tbody tr')].map((row) => [...row.cells].slice(0, 6).map((cell) => cell.textContent).join(' '))";
    assert_eq!(bo.script(rows, json!([])), json!(["1 Bo 1516 1 1 0", "2 Ana 1484 1 0 1"]));
    if let Some(axe) = axe::script() {
        axe::check(&bo, &axe);
    }
    ana.open(&site.url("/account"));
    until_shown(&ana, "#games", "lost");
    until_shown(&ana, "#games", "your turn");
    until_shown(&ana, "#standings", "1484");
    if let Some(axe) = axe::script() {
        axe::check(&ana, &axe);
    }
    ana.resize(390, 844);
    let fits = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth";
    assert_eq!(ana.script(fits, json!([])), json!(true));

    ana.click("#sign-out");
    ana.until("!document.querySelector('#enter').hidden && document.querySelector('#own').hidden");
    ana.type_into("#enter [name=name]", "Ana");
    ana.type_into("#enter [name=password]", "wrong horse");
    ana.click("#enter [value='sign-in']");
    until_shown(&ana, "#message", "No account has this name and this password.");
}
