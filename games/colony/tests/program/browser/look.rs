//! Light and dark colours, and small screens. With `HOLDFAST_SCREENSHOTS=folder`, saves the pictures for the documentation.

use serde_json::json;

use super::playing::finished;
use crate::driver::{Browser, key};

/// The brightness of the page's background colour, from 0 to 255.
fn brightness(browser: &Browser) -> f64 {
    let colour = browser.script("return getComputedStyle(document.body).backgroundColor", json!([]));
    let colour = colour.as_str().expect("a colour");
    let numbers = colour.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
    let rgb: Vec<f64> = numbers.filter_map(|number| number.parse().ok()).take(3).collect();
    assert_eq!(rgb.len(), 3, "{colour}");
    rgb.iter().sum::<f64>() / 3.0
}

#[test]
fn the_page_follows_the_colours_of_the_system() {
    let Some((browser, site, game)) = finished() else { return };
    for (path, name) in [("/".to_owned(), "games"), (format!("/games/{game}?step=150"), "colony")] {
        browser.open(&site.url(&path));
        browser.until("document.body.dataset.ready === 'true'");
        for colours in ["light", "dark"] {
            browser.prefer(colours);
            let is_dark = brightness(&browser) < 128.0;
            assert_eq!(is_dark, colours == "dark", "{name} in {colours}: {}", brightness(&browser));
            browser.screenshot(&format!("{name}-{colours}"));
        }
        // The button overrides the colours of the system, also after a reload.
        browser.click("#theme");
        assert!(brightness(&browser) > 128.0, "the button goes the other way");
        browser.reload();
        browser.until("document.body.dataset.ready === 'true'");
        assert!(brightness(&browser) > 128.0, "and is remembered");
        browser.script("localStorage.clear()", json!([]));
    }
    browser.is_quiet();
}

#[test]
fn a_small_screen_needs_no_scrolling_sideways() {
    let Some((browser, site, game)) = finished() else { return };
    for (width, height) in [(360, 740), (768, 1024), (1920, 1080)] {
        browser.resize(width, height);
        for path in ["/".to_owned(), format!("/games/{game}?step=150"), "/open".to_owned()] {
            browser.open(&site.url(&path));
            browser.until(if path == "/open" {
                "!document.querySelector('#opener').hidden"
            } else {
                "document.body.dataset.ready === 'true'"
            });
            let wide = browser.script("return document.documentElement.scrollWidth", json!([]));
            assert!(wide.as_u64() <= Some(width.into()), "{path} is {wide} wide on {width}");
            if path != "/open" {
                browser.screenshot(&format!("{}-{width}", if path == "/" { "games" } else { "colony" }));
            }
        }
    }
    browser.press(&[key::HOME]);
    browser.is_quiet();
}
