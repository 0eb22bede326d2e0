//! The stores of the log.
//!
//! - `stores`: what every store promises, in rows that each of them runs
//! - `reading`: what was written can be read, listed and recovered
//! - `files`: whose files are opened, and by whom
//! - `crash`: what was acknowledged is there after the process is gone, whatever is left of the file
//! - `eager`: entries acknowledged before they are written (durability none)
//! - `faults`: full disks, failing writes, writes that are held back
//! - `tampering`: what was changed is found
//! - `support`: games without rules, and who listens to their acknowledgements

mod crash;
mod eager;
mod faults;
mod files;
mod reading;
mod stores;
mod support;
mod tampering;
