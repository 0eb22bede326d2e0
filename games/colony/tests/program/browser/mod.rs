//! What people do with the pages, with games of colony.
//!
//! - `live`: games that are played, seen without a reload
//! - `time`: back and forth in a finished game, with the slider, keys, plots, search and links
//! - `keyboard`: all of it without a mouse
//! - `fork`: a finished game that goes on differently
//! - `file`: a game that was downloaded, without its host
//! - `look`: light, dark and small
//! - `hostile`: names that want to be more than names, and games that are not there
//! - `replay`: the page shows what the rules say
//! - `speed`: figures, which nothing depends on
//! - `playing`: games that bots play on a host
//! - `long`: a game of more than 100,000 events

mod file;
mod fork;
mod hostile;
mod keyboard;
mod live;
mod long;
mod look;
mod playing;
mod replay;
mod speed;
mod time;
