//! A game of crazyhouse in Firefox.

use serde_json::json;

use crate::{firefox::Firefox, site::Site};

#[test]
fn a_game_is_played_in_firefox() {
    let (Some(mut ana), Some(mut bo)) = (Firefox::start(), Firefox::start()) else { return };
    let site = Site::host();
    ana.open(&site.url("/crazyhouse"));
    ana.until("document.body.dataset.ready === 'true'");
    ana.type_into("#new [name=name]", "Ana");
    ana.click("#new label:has([name=side][value='white'])");
    ana.click("#new button.primary");
    ana.until("location.pathname.startsWith('/crazyhouse/play/') && document.body.dataset.side === 'white'");
    let page = ana.script("return location.href", json!([]));
    bo.open(page.as_str().expect("an address"));
    bo.until("!document.querySelector('#join').hidden");
    bo.type_into("#join [name=name]", "Bo");
    bo.click("#join [data-side=black]");
    for (number, player, from, to) in [(1, &mut ana, "e2", "e4"), (2, &mut bo, "d7", "d5")] {
        player.until(&format!(
            "document.body.dataset.move === '{}' && Number(document.body.dataset.moves) > 0",
            number - 1
        ));
        player.click(&format!("[data-square={from}]"));
        player.until(&format!("document.querySelector('[data-square={to}]').dataset.target"));
        player.click(&format!("[data-square={to}]"));
        player.until(&format!("document.body.dataset.move === '{number}'"));
    }
    bo.type_into("#chat-line", "hello");
    bo.click("#people .write button");
    ana.until("document.querySelector('#people .chat').textContent.includes('Bo: hello')");
    ana.until("document.body.dataset.move === '2'");
    // Nothing is wider than the panel beside the board.
    let wide = "const edge = document.querySelector('aside').getBoundingClientRect().right;
                return [...document.querySelectorAll('aside *')].filter((node) => node.getBoundingClientRect().right > edge + 0.5)
                    .map((node) => `${node.tagName}#${node.id}.${node.className} ${node.getBoundingClientRect().right} > ${edge}`)";
    assert_eq!(ana.script(wide, json!([])), json!([]));
}
