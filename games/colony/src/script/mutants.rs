//! The faulty variants of colony's rules, for the harness.

use colony_rules::mutants::{MUTANTS, play_with};
use script::{Mutant, Mutants};

/// Those of the rules' own table.
pub(super) struct ColonyMutants;

impl Mutants for ColonyMutants {
    fn table(&self) -> Vec<Mutant> {
        let mutant = |mutant: &colony_rules::mutants::Mutant| {
            let colony_rules::mutants::Mutant { name, section, editions, mistake, equivalent } = *mutant;
            Mutant { name, section, editions, mistake, equivalent }
        };
        MUTANTS.iter().map(mutant).collect()
    }

    fn play_with(&self, mutant: Option<usize>, play: &mut dyn FnMut()) -> Vec<bool> {
        let ((), reached) = play_with(mutant, play);
        (0..MUTANTS.len()).map(|mutant| reached.contains(mutant)).collect()
    }

    fn scripts(&self) -> &'static str {
        "games/colony/scripts"
    }
}
