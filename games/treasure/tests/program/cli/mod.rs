//! The treasure game from outside.

mod commands;
mod log;
