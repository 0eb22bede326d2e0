//! What people do with the pages.
//!
//! - `live`: games that are played, seen without a reload
//! - `crazyhouse`: games between people in their browsers, positions, and how such games are looked at
//! - `treasure`: games that clients play: made, watched, and seen with the eyes of either
//! - `project`: the Game Master's view, live and later
//! - `time`: back and forth in a finished game, with the slider, keys, plots, search and links
//! - `keyboard`: all of it without a mouse
//! - `fork`: a finished game that goes on differently
//! - `file`: a game that was downloaded, without its host
//! - `look`: light, dark and small
//! - `hostile`: names that want to be more than names, and games that are not there
//! - `replay`: the page shows what the rules say
//! - `speed`: figures, which nothing depends on

mod crazyhouse;
mod file;
mod fork;
mod hostile;
mod keyboard;
mod live;
mod look;
mod project;
mod replay;
mod speed;
mod time;
mod treasure;

use crate::{driver::Browser, site::Site};

const PLAYERS: [(&str, &str); 3] = [("Ana", "sensible"), ("Bo", "sensible"), ("Cyd", "random")];

/// A host with one finished game, and a browser that shows it from its start.
fn finished() -> Option<(Browser, Site, String)> {
    let browser = Browser::start()?;
    let site = Site::host();
    let game = site.play(&PLAYERS, 7);
    browser.open(&site.url(&format!("/games/{game}")));
    browser.shows(0);
    Some((browser, site, game))
}

/// The last step of the game that is shown.
fn last(browser: &Browser) -> u64 {
    browser.shown("last").parse().expect("a number")
}
