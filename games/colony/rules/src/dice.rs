//! A player's action dice.

use core::fmt;

use serde::{Deserialize, Serialize};

/// The number of dice that show each value. Equal dice are interchangeable, so no order is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Dice {
    showing: [u16; 6],
}

impl Dice {
    /// The values of all dice, from the lowest.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        (1..=6).flat_map(|value| (0..self.showing[value - 1]).map(move |_| value as u8))
    }

    /// Whether no die is left.
    pub fn is_empty(&self) -> bool {
        self.showing == [0; 6]
    }

    /// The lowest die.
    pub fn lowest(&self) -> Option<u8> {
        self.smallest_from(1)
    }

    /// The smallest die that shows at least `needed`.
    pub fn smallest_from(&self, needed: u8) -> Option<u8> {
        (needed.max(1)..=6).find(|value| self.showing[usize::from(value - 1)] > 0)
    }

    pub(crate) fn add(&mut self, value: u8) {
        if let Some(count) = self.slot(value) {
            *count = count.saturating_add(1);
        }
    }

    pub(crate) fn remove(&mut self, value: u8) {
        if let Some(count) = self.slot(value) {
            *count = count.saturating_sub(1);
        }
    }

    /// The counter of a value; `None` if no die can show the value, which a faulty server may send.
    fn slot(&mut self, value: u8) -> Option<&mut u16> {
        self.showing.get_mut(usize::from(value).checked_sub(1)?)
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        for (at, value) in self.iter().enumerate() {
            write!(f, "{}{value}", if at == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
