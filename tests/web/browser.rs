//! People use the pages.
//!
//! - `axe`: no page breaks the accessibility guidelines
//! - `crossing`: a page of another site tries every route and port
//! - `dev`: a crate that is built and hosted while it is written
//! - `examples`: games of authors on the page for every game
//! - `exported`: games that were exported as pages
//! - `managing`: creators and operators manage games
//! - `origins`: a page of another site whose name resolves to this machine
//! - `pages`: tests of every page
//! - `pictures`: pictures of every page, if they are asked for

pub(crate) mod axe;
#[cfg(feature = "colony")]
#[path = "../../games/colony/tests/program/browser/mod.rs"]
mod colony;
#[cfg(feature = "crazyhouse")]
#[path = "../../games/crazyhouse/tests/program/browser/mod.rs"]
mod crazyhouse;
pub(crate) mod crossing;
pub(crate) mod dev;
pub(crate) mod examples;
pub(crate) mod exported;
pub(crate) mod managing;
pub(crate) mod origins;
pub(crate) mod pages;
pub(crate) mod pictures;
#[cfg(feature = "project")]
#[path = "../../games/project/tests/program/browser/mod.rs"]
mod project;
#[cfg(feature = "treasure")]
#[path = "../../games/treasure/tests/program/browser/mod.rs"]
mod treasure;

use crate::driver::Browser;

/// The last step of the shown game.
fn last(browser: &Browser) -> u64 {
    browser.shown("last").parse().expect("a number")
}
