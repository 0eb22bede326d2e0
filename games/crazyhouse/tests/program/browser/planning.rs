//! Moves that are planned while the other side thinks, typed, and dropped by keys; arrows.

use serde_json::json;

use super::{click, create, join, may_move, pair, sees_move, square};
use crate::{
    driver::{Browser, key},
    site::Site,
};

/// Types a move into the field, and sends it.
fn type_move(browser: &Browser, text: &str) {
    browser.script("document.querySelector('#type [name=move]').value = ''", json!([]));
    browser.type_into("#type [name=move]", text);
    browser.press(&[key::ENTER]);
}

#[test]
fn moves_are_planned_typed_and_dropped_by_keys() {
    let (Some(ana), Some(bo)) = (Browser::start(), Browser::start()) else { return };
    let site = Site::host();
    create(&ana, &site, "Ana", "white", |_| ());
    let link = ana.script("return document.querySelector('#link').value", json!([]));
    join(&bo, link.as_str().expect("a link"), "Bo", "black");

    // Black plans a move, changes the plan, and it is played as soon as White has moved.
    may_move(&ana, 0);
    bo.until("document.querySelector('[data-square=d7]').dataset.can");
    bo.click(&square("d7"));
    bo.click(&square("d6"));
    bo.until("document.body.dataset.planned === 'd7-d6'");
    assert_eq!(bo.text("#planned span"), "Planned: d7-d6. It is played at once if it is legal then.");
    bo.drag("mouse", &square("d7"), &square("d5"));
    bo.until("document.body.dataset.planned === 'd7-d5'");
    type_move(&ana, "castle");
    assert_eq!(ana.text("#typed"), "Type a move like Nf3, e2-e4 or N@c4.");
    type_move(&ana, "e5");
    assert_eq!(ana.text("#typed"), "e5 is not a legal move.");
    type_move(&ana, "e4");
    sees_move(&ana, 2);
    sees_move(&bo, 2);
    bo.until("document.body.dataset.planned === undefined");

    // A plan that is not legal when the turn comes is dropped, and the player is told so.
    bo.click(&square("e7"));
    bo.click(&square("e3"));
    bo.until("document.body.dataset.planned === 'e7-e3'");
    type_move(&ana, "exd5");
    sees_move(&bo, 3);
    bo.until("document.querySelector('#message').textContent === 'e7-e3 is not possible any more.'");
    click(&bo, 4, "d8", "d5");

    // Both have a pawn now. Its slot is where it was when it was empty; White drops it by the key 1.
    for browser in [&ana, &bo] {
        let slots = "return [...document.querySelectorAll('.held')].map((held) => held.dataset.drop + held.querySelector('.count').textContent).join(' ')";
        let shown = browser.script(slots, json!([]));
        let mut slots: Vec<&str> = shown.as_str().expect("slots").split(' ').collect();
        slots.sort_unstable();
        assert_eq!(slots, ["B×0", "N×0", "P×1", "Q×0", "R×0", "b×0", "n×0", "p×1", "q×0", "r×0"]);
    }
    may_move(&ana, 4);
    ana.script("document.activeElement.blur()", json!([]));
    ana.press(&['1']);
    ana.until("document.querySelector('[data-drop=P]').dataset.chosen");
    ana.press(&['3']);
    assert_eq!(
        ana.script("return document.querySelector('[data-drop=B]').dataset.chosen ?? null", json!([])),
        json!(null)
    );
    ana.click(&square("e4"));
    sees_move(&ana, 5);
    may_move(&bo, 5);
    type_move(&bo, "P@e3");
    sees_move(&bo, 6);
    ana.until("document.querySelector('[data-at=\"6\"] .san').textContent !== ''");
    assert_eq!(pair(&ana, 3), "P@e4 P-e4, P@e3 p-e3", "both notations");

    // Arrows are drawn with the right button, and go with the next click.
    let draw = "const at = (type, name) => {
            const node = document.querySelector(`[data-square=${name}]`), box = node.getBoundingClientRect();
            const [clientX, clientY] = [box.x + box.width / 2, box.y + box.height / 2];
            node.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 2, clientX, clientY }));
        };
        at('pointerdown', 'g1'), at('pointerup', 'f3'), at('pointerdown', 'e5'), at('pointerup', 'e5');
        return document.querySelectorAll('.arrows > *').length";
    assert_eq!(ana.script(draw, json!([])), json!(2));
    ana.click(&square("a5"));
    assert_eq!(ana.script("return document.querySelectorAll('.arrows > *').length", json!([])), json!(0));
    ana.is_quiet();
    bo.is_quiet();
}
