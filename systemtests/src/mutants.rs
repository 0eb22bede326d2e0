//! Which scripts catch which faulty rules.
//!
//! [`scripts`] is all that this needs of the runner: named scripts, and playing one in this process. [`matrix`] plays every
//! script with every mutant that it reaches; [`report`] and [`html`] say what came of it.

pub mod html;
pub mod matrix;
pub mod report;
pub mod scripts;
