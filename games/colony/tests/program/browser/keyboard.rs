//! The pages without a mouse.

use serde_json::json;

use super::playing::finished;
use crate::driver::{Browser, key};

/// Presses Tab until an element has the focus.
#[track_caller]
fn tab_to(browser: &Browser, css: &str) {
    for _ in 0..80 {
        if browser.script("return document.activeElement?.matches(arguments[0])", json!([css])) == json!(true) {
            return;
        }
        browser.press(&[key::TAB]);
    }
    panic!("80 times Tab does not lead to {css}");
}

#[test]
fn from_the_list_to_a_moment_of_a_game() {
    let Some((browser, site, game)) = finished() else { return };
    browser.open(&site.url("/"));
    browser.until("document.querySelector('#games .game a')");
    tab_to(&browser, "#games .game a");
    browser.press(&[key::ENTER]);
    browser.until(&format!("location.pathname === '/games/{game}'"));
    // A finished game opens at its end; playing begins at the start again.
    browser.shows(crate::browser::last(&browser));

    tab_to(&browser, "#play");
    browser.press(&[' ']);
    browser.until("Number(document.body.dataset.step) >= 2");
    browser.press(&[' ']);
    let paused = browser.step();
    tab_to(&browser, "#next-event");
    browser.press(&[key::ENTER]);
    browser.shows(paused + 1);

    // The slider works with keys too.
    browser.script("document.activeElement.blur()", json!([]));
    tab_to(&browser, "#slider");
    browser.press(&[key::RIGHT]);
    browser.shows(paused + 2);

    browser.press(&['/']);
    browser.until("document.activeElement.id === 'search'");
    browser.press(&['f', 'o', 'o', 'd', key::ENTER]);
    browser.until("document.querySelector('#matches').textContent.includes('of')");
    let found = browser.step();
    browser.press_with(key::SHIFT, key::ENTER);
    browser.until(&format!("document.body.dataset.step !== '{found}'"));
    browser.press(&[key::ESCAPE]);
    browser.until("document.activeElement.id !== 'search'");
    let before = browser.step();
    browser.press(&['n']);
    browser.until(&format!("document.body.dataset.step !== '{before}'"));

    browser.press(&['?']);
    browser.until("document.querySelector('#help-dialog').open");
    browser.press(&[key::ESCAPE]);
    browser.until("!document.querySelector('#help-dialog').open");
    browser.is_quiet();
}

/// Every focused element is visibly marked, and has a name for screen readers.
#[test]
fn everything_that_takes_the_focus_has_a_name_and_a_mark() {
    let Some((browser, site, _)) = finished() else { return };
    for path in ["", "/"] {
        if !path.is_empty() {
            browser.open(&site.url(path));
            browser.until("document.querySelector('#games .game a')");
        }
        browser.press(&[key::TAB]);
        let mut seen = 0;
        for _ in 0..60 {
            let state = browser.script(
                "const at = document.activeElement;
                 if (at === document.body) return null;
                 // A link that fills its row may mark the row.
                 const styles = [getComputedStyle(at), getComputedStyle(at, '::after'), getComputedStyle(at.closest('li') ?? at)];
                 const name = at.getAttribute('aria-label') || at.textContent.trim() || at.labels?.[0]?.textContent || at.title || at.placeholder;
                 // A date has parts, and the browser marks the part.
                 const mark = at.type === 'date' || styles.some((style) => style.outlineStyle !== 'none' || style.boxShadow !== 'none');
                 return { what: at.outerHTML.slice(0, 200), name: Boolean(name), mark }",
                json!([]),
            );
            if state.is_null() {
                break;
            }
            assert_eq!((&state["name"], &state["mark"]), (&json!(true), &json!(true)), "{state}");
            seen += 1;
            browser.press(&[key::TAB]);
        }
        assert!(seen > 5, "only {seen} things take the focus");
    }
}
