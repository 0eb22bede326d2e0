//! Actions of players and their answers.

use project_rules::{Direction, Placed, Position, Tested, Tile};
use xml::{Element, Problem, Writer};

use super::{
    strict::{Parts, choice, int, one_of, only, position},
    tile::{MASTER_OBJECTS, tile, tiles, word, write_position, write_tile},
};

/// The number of tiles around a player.
const MOST_DISCOVERED: usize = 8;

const DIRECTIONS: [(&str, Direction); 4] =
    [("Left", Direction::Left), ("Up", Direction::Up), ("Right", Direction::Right), ("Down", Direction::Down)];
const RESULTS: [(&str, bool); 2] = [("Success", true), ("Failure", false)];
const TESTED: [(&str, Tested); 2] = [("Piece", Tested::Piece), ("Sham", Tested::Sham)];
const PLACED: [(&str, Placed); 3] =
    [("Completed", Placed::Completed), ("Meaningless", Placed::Meaningless), ("Disallowed", Placed::Disallowed)];

/// A player's request, or the answer to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Asks for a step.
    Move(Direction),
    /// Answers [`Action::Move`].
    Moved {
        /// Whether the player has moved.
        success: bool,
        /// The position of the player.
        position: Option<Position>,
        /// The distance to the nearest piece.
        distance: Option<i32>,
    },
    /// Asks for the tiles around the player.
    Discover,
    /// Answers [`Action::Discover`] with 1 to 8 tiles.
    Discovered(Vec<Tile>),
    /// Asks to pick up a piece.
    PickUp,
    /// Answers [`Action::PickUp`].
    PickedUp {
        /// Whether the player picked up the piece.
        success: bool,
    },
    /// Asks whether the player's piece is a sham.
    Test,
    /// Answers [`Action::Test`].
    Tested(Tested),
    /// Asks to place the player's piece.
    Place,
    /// Answers [`Action::Place`].
    Placed(Placed),
}

impl Action {
    pub(super) fn from_element(element: &Element<'_>) -> Result<Self, Problem> {
        let kind = choice(element, &[], &["Move", "Discover", "Pickup", "Test", "Place"])?;
        let said = choice(kind, &[], &["Request", "Response"])?;
        // The schema allows any content in all requests except a move.
        match (kind.name, said.name) {
            ("Move", "Request") => Ok(Self::Move(one_of(only(said, "Direction")?, &DIRECTIONS)?)),
            ("Move", _) => {
                let mut parts = Parts::new(said, &[])?;
                let moved = Self::Moved {
                    success: one_of(parts.required("Result")?, &RESULTS)?,
                    position: parts.optional("Position").map(position).transpose()?,
                    distance: parts.optional("Distance").map(int).transpose()?,
                };
                parts.end()?;
                Ok(moved)
            }
            ("Discover", "Request") => Ok(Self::Discover),
            ("Discover", _) => {
                tiles(said, MOST_DISCOVERED)?.iter().map(seen).collect::<Result<_, _>>().map(Self::Discovered)
            }
            ("Pickup", "Request") => Ok(Self::PickUp),
            ("Pickup", _) => Ok(Self::PickedUp { success: one_of(only(said, "Result")?, &RESULTS)? }),
            ("Test", "Request") => Ok(Self::Test),
            ("Test", _) => Ok(Self::Tested(one_of(only(said, "Result")?, &TESTED)?)),
            (_, "Request") => Ok(Self::Place),
            (_, _) => Ok(Self::Placed(one_of(only(said, "Result")?, &PLACED)?)),
        }
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        let (kind, said) = self.names();
        writer.open("Action").open(kind).open(said);
        match self {
            Self::Discover | Self::PickUp | Self::Test | Self::Place => {}
            Self::Move(direction) => {
                writer.leaf("Direction", word(&DIRECTIONS, *direction));
            }
            Self::Moved { success, position, distance } => {
                writer.leaf("Result", word(&RESULTS, *success));
                if let Some(position) = position {
                    write_position(writer, "Position", *position);
                }
                if let Some(distance) = distance {
                    writer.leaf("Distance", distance);
                }
            }
            Self::Discovered(tiles) => {
                writer.open("Tiles");
                for tile in tiles {
                    write_tile(writer.open("Tile"), tile);
                    writer.close("Tile");
                }
                writer.close("Tiles");
            }
            Self::PickedUp { success } => {
                writer.leaf("Result", word(&RESULTS, *success));
            }
            Self::Tested(tested) => {
                writer.leaf("Result", word(&TESTED, *tested));
            }
            Self::Placed(placed) => {
                writer.leaf("Result", word(&PLACED, *placed));
            }
        }
        writer.close(said).close(kind).close("Action");
    }

    fn names(&self) -> (&'static str, &'static str) {
        match self {
            Self::Move(_) => ("Move", "Request"),
            Self::Moved { .. } => ("Move", "Response"),
            Self::Discover => ("Discover", "Request"),
            Self::Discovered(_) => ("Discover", "Response"),
            Self::PickUp => ("Pickup", "Request"),
            Self::PickedUp { .. } => ("Pickup", "Response"),
            Self::Test => ("Test", "Request"),
            Self::Tested(_) => ("Test", "Response"),
            Self::Place => ("Place", "Request"),
            Self::Placed(_) => ("Place", "Response"),
        }
    }
}

fn seen(element: &Element<'_>) -> Result<Tile, Problem> {
    let mut parts = Parts::new(element, &[])?;
    let tile = tile(&mut parts, &MASTER_OBJECTS)?;
    parts.end()?;
    Ok(tile)
}
