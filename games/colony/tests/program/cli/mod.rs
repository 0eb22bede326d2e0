//! Colony's commands from outside, and the host's own with games of colony.

mod arena;
mod bot;
mod check;
mod demo;
mod hosting;
mod load;
mod log;
mod one_game;
mod simulate;
mod tls;
