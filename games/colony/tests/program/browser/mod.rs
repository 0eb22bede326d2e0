//! People use the pages with games of colony.
//!
//! - `chat`: people see who is there, and talk
//! - `live`: running games update without a reload
//! - `time`: moving through a finished game with the slider, keys, plots, search and links
//! - `keyboard`: the pages without a mouse
//! - `fork`: a fork of a finished game continues differently
//! - `compare`: two games side by side
//! - `firefox`: the main pages in Firefox, in long test runs
//! - `file`: a downloaded game, without its host
//! - `look`: light and dark colours, and small screens
//! - `hostile`: names with markup, and games that do not exist
//! - `replay`: the page shows the same values as the rules
//! - `speed`: timings, on which nothing depends
//! - `play`: a person plays whole games with a bot
//! - `playing`: games that bots play on a host
//! - `long`: a game of more than 100,000 events
//! - `together`: two people and a bot play whole games, over a kill of the host
//! - `offers`: what is offered is accepted, and what is not possible is refused for the reason of the offer
//! - `waiting`: the room in which a game waits for its players
//! - `accessible`: axe-core finds no violation on the pages of a game

mod accessible;
mod chat;
mod compare;
mod file;
mod firefox;
mod fork;
mod hostile;
mod keyboard;
mod live;
mod long;
mod look;
mod offers;
mod play;
mod playing;
mod replay;
mod speed;
mod time;
mod together;
mod waiting;
