//! What a disk keeps of the changes that are not synced, by chance.

use std::cmp::Ordering;

use engine::JavaRandom;

/// Two of this many sectors that are kept by chance are torn.
const TORN: i32 = 40;

/// How much of what is not sure is kept.
#[derive(Clone, Copy, Debug)]
pub(super) enum Luck {
    Nothing,
    Everything,
    /// Everything up to a change.
    InOrder,
    /// Each sector with this chance out of 100.
    Chance(i32),
}

impl Luck {
    pub(super) fn draw(random: &mut JavaRandom) -> Self {
        match random.next_below(8) {
            0 => Self::Nothing,
            1 => Self::Everything,
            2 | 3 => Self::InOrder,
            _ => Self::Chance([5, 50, 80, 95][random.next_below(4) as usize]),
        }
    }

    /// How many changes are kept if they are kept in order.
    pub(super) fn up_to(self, count: usize, random: &mut JavaRandom) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Everything => count,
            Self::InOrder | Self::Chance(_) => {
                random.next_below(i32::try_from(count + 1).expect("fewer changes")) as usize
            }
        }
    }

    /// The part of a sector that is kept, if any. `order` says whether its write comes before the first one that is lost.
    pub(super) fn keep<'b>(self, sector: Sector<'b>, order: Ordering, random: &mut JavaRandom) -> Option<Sector<'b>> {
        let chance = match (self, order) {
            (Self::Nothing, _) | (Self::InOrder, Ordering::Greater) => return None,
            (Self::Everything, _) | (Self::InOrder, Ordering::Less) => return Some(sector),
            (Self::InOrder, Ordering::Equal) => 50,
            (Self::Chance(of_100), _) => of_100,
        };
        let (at, bytes) = sector;
        if random.next_below(100) >= chance {
            return None;
        }
        let cut = random.next_below(i32::try_from(bytes.len()).expect("a sector")) as usize;
        match random.next_below(TORN) {
            0 => Some((at, &bytes[..cut])),
            1 => Some((at + cut, &bytes[cut..])),
            _ => Some(sector),
        }
    }
}

/// A position, and bytes that belong there.
pub(super) type Sector<'b> = (usize, &'b [u8]);

/// The parts of a write that are in different sectors.
pub(super) fn sectors(mut at: usize, mut bytes: &[u8], size: usize) -> impl Iterator<Item = Sector<'_>> {
    std::iter::from_fn(move || {
        let (first, rest) = bytes.split_at(bytes.len().min(size - at % size));
        let sector = (at, first);
        (at, bytes) = (at + first.len(), rest);
        (!first.is_empty()).then_some(sector)
    })
}
