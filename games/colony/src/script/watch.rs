//! Decides as early as possible whether a game grants a wish.

mod happening;

use colony_rules::{CardIx, CharacterId, Event, LocationIx, Opening, Setup, Wanted};

use self::happening::{Pattern, Sighting};
use super::wish::{CardWish, Wish};

/// Checks a wish in one game after the other, without allocations per game.
#[derive(Clone, Debug)]
pub struct Watch {
    root: Node,
    atoms: Vec<Atom>,
    /// If the start of the game can be computed without playing, the number of players. `None`: only the stacks can.
    opening: Option<usize>,
    round: u32,
    /// The number of the player who chooses characters.
    choosing: usize,
}

/// A wish and its parts. Each is granted, not granted, or undecided.
#[derive(Clone, Debug)]
enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    Atom(usize),
}

#[derive(Clone, Debug)]
struct Atom {
    what: What,
    granted: Option<bool>,
}

#[derive(Clone, Debug)]
enum What {
    Dice {
        dice: Vec<Option<u8>>,
        rolled: usize,
    },
    Cards {
        location: LocationIx,
        /// For each position of the stack, the cards that fit.
        fits: Vec<Vec<bool>>,
    },
    Offered {
        player: usize,
        characters: Vec<Option<CharacterId>>,
        in_order: bool,
    },
    Happens(Sighting),
    Before(Sighting, Sighting),
    Causes(Sighting, Pattern),
}

impl Watch {
    /// `opening` is the number of players if the game begins in the usual way. Then its start can be computed without playing.
    ///
    /// The wish must have been read for this scenario.
    pub fn new(wish: &Wish, setup: &Setup, opening: Option<usize>) -> Self {
        let mut atoms = Vec::new();
        let root = node(wish, setup, &mut atoms);
        Self { root, atoms, opening, round: 0, choosing: 0 }
    }

    /// The parts of the opening that the wish depends on.
    pub fn wanted(&self) -> Wanted {
        let mut wanted = Wanted::default();
        for atom in self.atoms.iter().filter(|atom| self.is_opening(atom)) {
            match &atom.what {
                What::Dice { dice, .. } => wanted.dice = wanted.dice.max(dice.len()),
                What::Cards { location, .. } => wanted.stacks.push(*location),
                What::Offered { .. } => wanted.offered = true,
                What::Happens(_) | What::Before(..) | What::Causes(..) => {}
            }
        }
        wanted
    }

    /// Prepares for another game.
    pub fn restart(&mut self) {
        (self.round, self.choosing) = (0, 0);
        for atom in &mut self.atoms {
            atom.granted = None;
            match &mut atom.what {
                What::Dice { rolled, .. } => *rolled = 0,
                What::Cards { .. } | What::Offered { .. } => {}
                What::Happens(one) | What::Causes(one, _) => one.restart(),
                What::Before(one, other) => {
                    one.restart();
                    other.restart();
                }
            }
        }
    }

    /// Whether the wish is granted; `None`: undecided.
    pub fn verdict(&self) -> Option<bool> {
        self.root.verdict(&self.atoms)
    }

    /// Takes the start of a game into account.
    pub fn look_at(&mut self, opening: &Opening, setup: &Setup) {
        for at in 0..self.atoms.len() {
            if !self.is_opening(&self.atoms[at]) {
                continue;
            }
            let atom = &mut self.atoms[at];
            let granted = match &atom.what {
                What::Dice { dice, .. } => dice.iter().zip(opening.dice()).all(|(want, die)| fits(want, die)),
                What::Cards { location, fits } => {
                    fits.iter().zip(opening.stack(*location)).all(|(fits, card): (_, &CardIx)| fits[card.at()])
                }
                What::Offered { characters, in_order, .. } => {
                    let offered = opening.offered().map(|ix| setup.scenario.character(ix).id);
                    is_offered(characters, *in_order, offered)
                }
                What::Happens(_) | What::Before(..) | What::Causes(..) => continue,
            };
            atom.granted = Some(granted);
        }
    }

    /// Takes the events of one command or timer into account.
    pub fn hear<'e>(&mut self, events: impl Iterator<Item = &'e Event>) {
        for event in events {
            if let Event::NextRound { .. } = event {
                self.round += 1;
            }
            if let Event::ChoiceOffered { player } = event {
                self.choosing = player.0.into();
            }
            for atom in self.atoms.iter_mut().filter(|atom| atom.granted.is_none()) {
                atom.hear(event, self.round, self.choosing);
            }
        }
        for atom in &mut self.atoms {
            atom.all_heard();
        }
    }

    /// Ends the game: undecided wishes are not granted.
    pub fn end(&mut self) {
        self.atoms.iter_mut().for_each(|atom| atom.granted = Some(atom.granted == Some(true)));
    }

    fn is_opening(&self, atom: &Atom) -> bool {
        match &atom.what {
            What::Cards { .. } => true,
            What::Dice { dice, .. } => self.opening.is_some_and(|players| dice.len() <= Opening::dice_of(players)),
            // The offers to later players depend on the first player's choice.
            What::Offered { player, .. } => self.opening.is_some() && *player == 0,
            What::Happens(_) | What::Before(..) | What::Causes(..) => false,
        }
    }
}

impl Node {
    fn verdict(&self, atoms: &[Atom]) -> Option<bool> {
        match self {
            Self::Atom(at) => atoms[*at].granted,
            Self::Not(node) => node.verdict(atoms).map(|granted| !granted),
            Self::All(nodes) => joined(nodes, atoms, false),
            Self::Any(nodes) => joined(nodes, atoms, true),
        }
    }
}

/// Combines verdicts. One `decisive` verdict decides; the opposite result needs all verdicts.
fn joined(nodes: &[Node], atoms: &[Atom], decisive: bool) -> Option<bool> {
    let mut verdict = Some(!decisive);
    for node in nodes {
        match node.verdict(atoms) {
            Some(granted) if granted == decisive => return Some(decisive),
            Some(_) => {}
            None => verdict = None,
        }
    }
    verdict
}

fn node(wish: &Wish, setup: &Setup, atoms: &mut Vec<Atom>) -> Node {
    let what = match wish {
        Wish::All(wishes) => return Node::All(wishes.iter().map(|wish| node(wish, setup, atoms)).collect()),
        Wish::Any(wishes) => return Node::Any(wishes.iter().map(|wish| node(wish, setup, atoms)).collect()),
        Wish::Not(wish) => return Node::Not(Box::new(node(wish, setup, atoms))),
        Wish::Dice(dice) => What::Dice { dice: dice.clone(), rolled: 0 },
        Wish::Cards { location, cards } => {
            let location =
                setup.location_ix(colony_rules::LocationId(*location)).expect("the wish is for this scenario");
            What::Cards { location, fits: cards.iter().map(|card| fitting(card, setup)).collect() }
        }
        Wish::Offered { player, characters, in_order } => {
            let characters = characters.iter().map(|id| id.map(CharacterId)).collect();
            What::Offered { player: *player, characters, in_order: *in_order }
        }
        Wish::Happens(one) => What::Happens(Sighting::new(one)),
        Wish::Before(one, other) => What::Before(Sighting::new(one), Sighting::new(other)),
        Wish::Causes(one, event) => What::Causes(Sighting::new(one), Pattern::new(event)),
    };
    atoms.push(Atom { what, granted: None });
    Node::Atom(atoms.len() - 1)
}

fn fitting(wish: &CardWish, setup: &Setup) -> Vec<bool> {
    let fits = |card: &colony_rules::scenario::Card| match wish {
        CardWish::Any => true,
        CardWish::Card(id) => card.id.0 == *id,
        CardWish::Kind(kind) => card.kind.key() == kind,
    };
    setup.scenario.cards.iter().map(fits).collect()
}

fn fits<T: PartialEq>(want: &Option<T>, came: &T) -> bool {
    want.as_ref().is_none_or(|want| want == came)
}

fn is_offered(wanted: &[Option<CharacterId>], in_order: bool, offered: [CharacterId; 4]) -> bool {
    if in_order {
        wanted.iter().zip(&offered).all(|(want, came)| fits(want, came))
    } else {
        wanted.iter().flatten().all(|want| offered.contains(want))
    }
}

impl Atom {
    fn hear(&mut self, event: &Event, round: u32, choosing: usize) {
        self.granted = match &mut self.what {
            What::Cards { .. } => None,
            What::Dice { dice, rolled } => {
                let Event::DieRolled { value, .. } = event else { return };
                let right = fits(&dice[*rolled], value);
                *rolled += 1;
                if right && *rolled < dice.len() { None } else { Some(right) }
            }
            What::Offered { player, characters, in_order } => {
                let Event::Characters { c0, c1, c2, c3 } = *event else { return };
                (*player == choosing).then(|| is_offered(characters, *in_order, [c0, c1, c2, c3]))
            }
            What::Happens(one) => {
                one.hear(event, round);
                one.seen
            }
            What::Before(one, other) => {
                other.hear(event, round);
                let before = one.seen;
                one.hear(event, round);
                match (before, other.seen) {
                    (Some(true), Some(later)) => Some(later),
                    // The second event came first, or one of them can no longer happen.
                    (_, Some(_)) | (Some(false), None) => Some(false),
                    (Some(true) | None, None) => None,
                }
            }
            What::Causes(one, effect) => {
                let caused = one.armed && effect.matches(event);
                one.hear_each(event, round);
                caused.then_some(true)
            }
        };
    }

    /// Ends a command: it causes no more events.
    fn all_heard(&mut self) {
        if let What::Causes(one, _) = &mut self.what {
            one.armed = false;
            if self.granted.is_none() && one.seen.is_some() {
                self.granted = Some(false);
            }
        }
    }
}
