//! The mutants of all games. `cargo xtask mutants` generates this file in its copy of the workspace; here it is empty.

use super::Mutant;

pub(crate) const TABLES: &[(&str, &[Mutant])] = &[];
