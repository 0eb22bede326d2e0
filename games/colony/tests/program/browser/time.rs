//! Moves back and forth in a finished game.

use serde_json::{Value, json};

use super::playing::finished;
use crate::{
    browser::last,
    driver::{Browser, key},
};

/// Drags the slider to a step.
fn drag(browser: &Browser, to: u64) {
    let slide = "slider = document.querySelector('#slider'); slider.value = arguments[0]; slider.dispatchEvent(new Event('input', { bubbles: true }))";
    browser.script(&format!("const {slide}"), json!([to]));
}

#[test]
fn slider_and_keys() {
    let Some((browser, _site, _)) = finished() else { return };
    let last = last(&browser);
    assert!(last > 100, "a game of winter has many steps, this one {last}");
    for to in [last, last / 2, 1, last / 3, 0, last - 1] {
        drag(&browser, to);
        browser.shows(to);
    }
    drag(&browser, 10);
    for (keys, expected) in [
        (vec![key::RIGHT], 11),
        (vec![key::LEFT, key::LEFT], 9),
        (vec![key::HOME], 0),
        (vec![key::LEFT], 0),
        (vec![key::END], last),
        (vec![key::RIGHT], last),
        (vec![key::LEFT; 5], last - 5),
    ] {
        browser.press(&keys);
        browser.shows(expected);
    }
    // Moves by command, turn and round, in both directions.
    browser.press(&[key::HOME]);
    for (forwards, back) in [(key::DOWN, key::UP), (']', '['), (key::PAGE_DOWN, key::PAGE_UP)] {
        browser.press(&[forwards, forwards]);
        browser.until("Number(document.body.dataset.step) > 0");
        let two = browser.step();
        browser.press(&[forwards]);
        browser.until(&format!("Number(document.body.dataset.step) > {two}"));
        browser.press(&[back]);
        browser.shows(two);
        browser.press(&[key::HOME]);
        browser.shows(0);
    }
    browser.is_quiet();
}

#[test]
fn playing_and_pausing() {
    let Some((browser, _site, _)) = finished() else { return };
    browser.click("#play");
    browser.until("Number(document.body.dataset.step) >= 3");
    browser.click("#play");
    let paused = browser.step();
    std::thread::sleep(std::time::Duration::from_millis(600));
    assert_eq!(browser.step(), paused);
    browser.is_quiet();
}

#[test]
fn a_plot_leads_to_its_rounds() {
    let Some((browser, site, game)) = finished() else { return };
    let index = site.lines(&format!("/api/v1/games/{game}")).swap_remove(1)["index"].take();
    let step_of = |at: usize| index["points"][at][1].as_u64().expect("a step");
    let rounds = index["points"].as_array().expect("points").len();
    assert!(rounds > 3, "{index}");
    let figures = browser.script(
        "return [...document.querySelectorAll('#plots [data-figure]')].map((plot) => plot.dataset.figure)",
        json!([]),
    );
    assert_eq!(figures, index["figures"]);
    // A click in the middle of the plot shows the step in the middle.
    browser.click("#plots [data-figure=food] svg");
    browser.until("document.body.dataset.step !== '0'");
    let middle = (rounds - 1) as f64 / 2.0;
    let nearest = [step_of(middle.floor() as usize), step_of(middle.ceil() as usize)];
    assert!(nearest.contains(&browser.step()), "{} is none of {nearest:?}", browser.step());
    let shown = browser.text("#plots [data-figure=food] b");
    let point = (0..rounds).find(|&at| step_of(at) == browser.step()).expect("a point");
    assert_eq!(shown, index["points"][point][2][1].to_string(), "the value of food then");

    browser.script("document.querySelector('#plots [data-figure=morale]').focus()", json!([]));
    browser.press(&[key::LEFT]);
    browser.shows(step_of(point - 1));
    browser.press(&[key::RIGHT]);
    browser.shows(step_of(point));
    browser.is_quiet();
}

#[test]
fn a_search_leads_to_its_matches() {
    let Some((browser, site, game)) = finished() else { return };
    let found = site.lines(&format!("/api/v1/games/{game}/search?q=barricade&limit=200")).swap_remove(0);
    let matches = found["found"].as_array().unwrap_or_else(|| panic!("{found}"));
    let mut steps: Vec<u64> = matches.iter().filter_map(|found| found["step"].as_u64()).collect();
    steps.sort_unstable();
    steps.dedup();
    assert!(steps.len() > 3, "{found}");

    browser.type_into("#search", "barricade");
    browser.until(&format!("document.querySelector('#matches').textContent.startsWith('{}')", matches.len()));
    browser.click("#next-match");
    let first = steps.iter().copied().find(|step| *step > 0).expect("a match after the start");
    browser.shows(first);
    browser.click("#next-match");
    browser.shows(steps[steps.iter().position(|step| *step == first).expect("it is there") + 1]);
    browser.click("#previous-match");
    browser.shows(first);
    let row = browser.script("return document.querySelector('#events [aria-selected=true]')?.dataset.step", json!([]));
    browser.until("document.querySelector('#events [aria-selected=true]')");
    assert!(row == Value::Null || row == json!(first.to_string()), "{row}");
    browser.script("document.querySelector('#search').value = ''", json!([]));
    browser.type_into("#search", "no such thing");
    browser.until("document.querySelector('#matches').textContent === 'nothing found'");
    browser.is_quiet();
}

#[test]
fn a_link_to_a_moment() {
    let Some((browser, site, game)) = finished() else { return };
    let last = last(&browser);
    for step in [0, 1, 17, last / 2, last] {
        browser.open(&site.url(&format!("/games/{game}?step={step}")));
        browser.shows(step);
    }
    browser.is_quiet();
    // A link beyond the end shows the end.
    browser.open(&site.url(&format!("/games/{game}?step={}", last + 1000)));
    browser.shows(last);
    browser.console();
    // The address follows the shown step.
    browser.press(&[key::HOME, key::RIGHT, key::RIGHT]);
    browser.shows(2);
    browser.until("location.search === '?step=2'");
    browser.reload();
    browser.shows(2);
    browser.is_quiet();
}

/// A note is part of the link: a reader sees the note as text, and gets to its moment from anywhere.
#[test]
fn a_note_is_shared_by_its_link() {
    let Some((browser, site, _)) = finished() else { return };
    browser.press(&[key::PAGE_DOWN, key::PAGE_DOWN]);
    browser.until("Number(document.body.dataset.step) > 0");
    let step = browser.step();
    browser.click("#annotate");
    browser.type_into("#note-form textarea", "Too early & <b>too far</b>");
    browser.click("#note-form .primary");
    let words = format!("Event {step}: Too early & <b>too far</b>");
    browser.until("!document.querySelector('#annotation').hidden");
    assert_eq!(browser.text("#annotation-words"), words);
    let address = browser.address();
    browser.open(&site.url("/"));
    browser.open(&address);
    browser.shows(step);
    assert_eq!(browser.text("#annotation-words"), words);
    browser.press(&[key::HOME]);
    browser.shows(0);
    browser.click("#annotation-go");
    browser.shows(step);
    browser.click("#annotation-close");
    browser.until("document.querySelector('#annotation').hidden && !location.search.includes('note')");
    browser.is_quiet();
}
