//! People see who is there and talk: two of them in browsers, one over TCP.

use std::time::Duration;

use clients::resuming::{Heard, ResumingClient};
use colony_rules::{Command, Event};
use commlib::{Notice, Want};
use serde_json::json;
use tokio::{runtime::Builder, time::timeout};

use crate::{driver::Browser, site::Site};

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Opens the drawer with the chat, if it is closed.
fn open_chat(browser: &Browser) {
    browser.script("document.querySelector('[data-tab=people][aria-expanded=false]')?.click()", json!([]));
}

fn says(browser: &Browser, text: &str) {
    open_chat(browser);
    browser.type_into("#chat-line", text);
    browser.click("#people .write button");
}

/// Whether the panel has a row or a line with these words.
fn until_shown(browser: &Browser, css: &str, words: &str) {
    browser.until(&format!(
        "[...document.querySelectorAll('#people {css} li')].some((row) => row.textContent.includes({}))",
        json!(words)
    ));
}

/// Waits for a notice.
async fn hears(client: &mut ResumingClient<Command, Event>, wanted: impl Fn(&Notice) -> bool) {
    let hearing = async {
        loop {
            if let Heard::Notice(notice) = client.next().await.expect("a message")
                && wanted(&notice)
            {
                return;
            }
        }
    };
    timeout(PATIENCE, hearing).await.expect("the notice comes");
}

#[test]
fn people_see_each_other_and_talk_over_a_kill() {
    let (Some(ana), Some(eve)) = (Browser::start(), Browser::start()) else { return };
    let site = Site::host();
    let game = site.post("/api/v1/games", &json!({"rulebook": "colony", "scenario": "winter", "seed": 3}));
    let game = game["game"].as_str().expect("a name").to_owned();
    let page = format!("/games/{game}/play");
    ana.open(&site.url(&page));
    ana.until("document.body.dataset.ready === 'true'");
    ana.script("document.querySelector('#join input').value = ''", json!([]));
    ana.type_into("#join input", "Ana");
    ana.click("#join button");
    until_shown(&ana, ".presence", "Ana");

    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let site = runtime.block_on(async {
        let want = Want::Join { seat: None };
        let (mut bo, _) = ResumingClient::open(site.port(), Some(game.clone()), want).await.expect("a place");
        bo.ask_notices().await.expect("sent");
        bo.send(&Command::Register { name: "Bo".into() }).await.expect("sent");
        hears(&mut bo, |notice| matches!(notice, Notice::Presence(presence) if presence.player == "Bo")).await;
        until_shown(&ana, ".presence", "Bo");
        bo.chat("hello from a terminal").await.expect("sent");
        until_shown(&ana, ".chat", "hello from a terminal");
        says(&ana, "hello from a browser");
        hears(&mut bo, |notice| matches!(notice, Notice::Chat(line) if line.text == "hello from a browser")).await;

        // A visitor reads along, and writes where players do not read.
        eve.open(&site.url(&page));
        until_shown(&eve, ".chat", "hello from a browser");
        open_chat(&eve);
        eve.click("#people > button");
        eve.until("!document.querySelector('#people .write').hidden");
        says(&eve, "psst");
        until_shown(&eve, ".chat", "psst");
        until_shown(&eve, ".presence", "Bo");

        let site = site.killed();
        until_shown(&ana, ".presence", "Ana");
        ana.until("document.body.dataset.connected === 'true' && !document.querySelector('#people .write').hidden");
        until_shown(&ana, ".chat", "hello from a terminal");
        says(&ana, "after the kill");
        hears(&mut bo, |notice| match notice {
            Notice::Chat(line) => line.text == "after the kill",
            Notice::Snapshot(snapshot) => snapshot.chat.iter().flatten().any(|line| line.text == "after the kill"),
            Notice::Presence(_)
            | Notice::Spectators(_)
            | Notice::Thinks(_)
            | Notice::Refused(_)
            | Notice::Reported(_) => false,
        })
        .await;
        let lines = ana.text("#people .chat");
        assert!(!lines.contains("psst"), "players do not read spectators: {lines}");
        drop(bo);
        site
    });
    until_shown(&ana, ".presence", "left");

    // It fits a phone, and needs no mouse.
    ana.resize(390, 844);
    let fits = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth";
    assert_eq!(ana.script(fits, json!([])), json!(true));
    ana.script("document.querySelector('#chat-line').focus()", json!([]));
    ana.type_into("#chat-line", "by keyboard");
    ana.press(&['\u{e007}']);
    until_shown(&ana, ".chat", "by keyboard");

    // Text is text.
    says(&ana, "<img src=x onerror=alert(1)>");
    until_shown(&ana, ".chat", "<img");
    assert_eq!(ana.script("return document.querySelector('#people img') === null", json!([])), json!(true));

    // The page of the game shows the chat beside the replay.
    ana.open(&site.url(&format!("/games/{game}")));
    ana.until("!document.querySelector('#people').hidden");
    // The timeline covers the end of the window.
    ana.script("document.querySelector('#people').scrollIntoView({ block: 'center' })", json!([]));
    ana.click("#people summary");
    until_shown(&ana, ".chat", "hello from a terminal");
}
