//! Colony's commands as processes, and the host's commands with games of colony.

mod arena;
mod bot;
mod check;
mod demo;
#[cfg(feature = "tls")]
mod encrypted;
mod hosting;
mod live;
mod load;
mod log;
mod one_game;
mod simulate;
mod tls;
