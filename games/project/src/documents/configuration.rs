//! Configuration files. The reader reports all problems of a file at once.

use std::str::FromStr;

use project_rules::{Position, Team};
use xml::{Element, Problem, quoted, read};

use super::{Document, Guid, strict::TEAMS};

/// The configuration of a Game Master. The rules decide whether a game can be played with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameConfiguration {
    /// Width of the board.
    pub width: u32,
    /// Height of the board.
    pub height: u32,
    /// The Communication Server: an IPv4 address with an optional port.
    pub server_address: String,
    /// How long the programs wait for a lost program.
    pub reconnection: Reconnection,
    /// The number of players in a team.
    pub players_per_team: u32,
    /// The number of pieces on the board.
    pub pieces: u32,
    /// The percentage of pieces that are shams.
    pub shams_percentage: i32,
    /// The goals of Blue. The goals of Red mirror them.
    pub goals: Vec<Position>,
    /// How long actions take.
    pub costs: ActionCosts,
    /// The time between new pieces.
    pub respawn_interval_ms: Option<u32>,
    /// How long the game continues without a completed goal.
    pub no_progress_timeout_ms: Option<u32>,
    /// How long the Game Master waits for players before the game begins.
    pub join_timeout_ms: Option<u32>,
    /// If set, only players with these hashes may join.
    pub player_hashes: Option<Vec<Guid>>,
}

/// How often and at which interval a program tries to connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reconnection {
    /// The number of attempts.
    pub attempts: u32,
    /// The seconds between two attempts.
    pub interval_s: u32,
}

impl Default for Reconnection {
    fn default() -> Self {
        Self { attempts: 5, interval_s: 20 }
    }
}

/// How long an action takes, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActionCosts {
    /// A step.
    pub move_ms: u32,
    /// Discovering the tiles around the player.
    pub discover_ms: u32,
    /// Testing a piece.
    pub test_ms: u32,
    /// Picking up a piece.
    pub pick_up_ms: u32,
    /// Placing a piece.
    pub place_ms: u32,
}

/// The configuration of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerConfiguration {
    /// The team that the player prefers.
    pub team: Team,
}

impl GameConfiguration {
    /// Reads a configuration in XML.
    ///
    /// # Errors
    ///
    /// All problems of the file.
    pub fn read(bytes: &[u8]) -> Result<Self, Vec<Problem>> {
        let root = read(bytes, &Document::LIMITS).map_err(|problem| vec![problem])?;
        let mut form = Form::from_root(&root, "GameConfiguration")?;
        let configuration = Self {
            width: form.number("BoardWidth"),
            height: form.number("BoardHeight"),
            server_address: form.text("ServerAddress"),
            reconnection: Reconnection {
                attempts: form.optional_number("ReconnectionAttemptsCount").unwrap_or(Reconnection::default().attempts),
                interval_s: form
                    .optional_number("ReconnectionAttemptInterval")
                    .unwrap_or(Reconnection::default().interval_s),
            },
            players_per_team: form.number("PlayersPerTeam"),
            pieces: form.number("Pieces"),
            shams_percentage: form.number("ShamsPercentage"),
            goals: form.required("GoalsPositions").map(|goals| form.goals(goals)).unwrap_or_default(),
            costs: form.optional("ActionCosts").map(|costs| form.costs(costs)).unwrap_or_default(),
            respawn_interval_ms: form.optional_number("RespawnInterval"),
            no_progress_timeout_ms: form.optional_number("NoProgressTimeout"),
            join_timeout_ms: form.optional_number("JoinTimeout"),
            player_hashes: form.optional("PlayerHashes").map(|hashes| form.hashes(hashes)),
        };
        form.finish(configuration)
    }
}

impl PlayerConfiguration {
    /// Reads a configuration in XML.
    ///
    /// # Errors
    ///
    /// All problems of the file.
    pub fn read(bytes: &[u8]) -> Result<Self, Vec<Problem>> {
        let root = read(bytes, &Document::LIMITS).map_err(|problem| vec![problem])?;
        let mut form = Form::from_root(&root, "PlayerConfiguration")?;
        let team = form.required("TeamPreference").map(|team| team.one_of(&TEAMS));
        let team = team.and_then(|team| form.note(team)).unwrap_or(Team::Blue);
        form.finish(Self { team })
    }
}

/// A file that is being read. After a problem, the reader continues with a default value, so that it finds all problems.
struct Form<'e, 'x> {
    element: &'e Element<'x>,
    /// The names of the children that the reader looked up. Any other child is unknown.
    known: Vec<&'static str>,
    problems: Vec<Problem>,
}

impl<'e, 'x> Form<'e, 'x> {
    fn from_root(root: &'e Element<'x>, name: &str) -> Result<Self, Vec<Problem>> {
        if root.name == name {
            return Ok(Self::inside(root));
        }
        Err(vec![root.problem(format!("the document is a <{}>, and has to be a <{name}>", root.name))])
    }

    fn inside(element: &'e Element<'x>) -> Self {
        Self { element, known: Vec::new(), problems: Vec::new() }
    }

    fn note<T>(&mut self, found: Result<T, Problem>) -> Option<T> {
        found.map_err(|problem| self.problems.push(problem)).ok()
    }

    fn optional(&mut self, name: &'static str) -> Option<&'e Element<'x>> {
        self.known.push(name);
        self.note(self.element.optional(name)).flatten()
    }

    fn required(&mut self, name: &'static str) -> Option<&'e Element<'x>> {
        self.known.push(name);
        self.note(self.element.child(name))
    }

    fn text(&mut self, name: &'static str) -> String {
        let text = self.required(name).map(Element::only_text);
        text.and_then(|text| self.note(text)).unwrap_or_default().to_owned()
    }

    fn number<T: Number>(&mut self, name: &'static str) -> T {
        let number = self.required(name).map(number);
        number.and_then(|number| self.note(number)).unwrap_or_default()
    }

    fn optional_number<T: Number>(&mut self, name: &'static str) -> Option<T> {
        let number = self.optional(name).map(number);
        number.and_then(|number| self.note(number))
    }

    fn goals(&mut self, goals: &Element<'_>) -> Vec<Position> {
        self.list(goals, "Position", |form| Position { x: form.number("X"), y: form.number("Y") })
    }

    fn hashes(&mut self, hashes: &Element<'_>) -> Vec<Guid> {
        let mut found = Vec::new();
        for hash in hashes.children.iter() {
            if hash.name != "Hash" {
                self.problems.push(unknown(hash, hashes));
                continue;
            }
            match Guid::parse(hash.text()) {
                Some(hash) => found.push(hash),
                None => self
                    .problems
                    .push(hash.problem(format!("<Hash> is {}, which is no UUID of version 4", quoted(hash.text())))),
            }
        }
        found
    }

    fn costs(&mut self, costs: &Element<'_>) -> ActionCosts {
        let mut form = Form::inside(costs);
        let costs = ActionCosts {
            move_ms: form.optional_number("Move").unwrap_or(0),
            discover_ms: form.optional_number("Discover").unwrap_or(0),
            test_ms: form.optional_number("Test").unwrap_or(0),
            pick_up_ms: form.optional_number("Pickup").unwrap_or(0),
            place_ms: form.optional_number("Place").unwrap_or(0),
        };
        self.problems.extend(form.end());
        costs
    }

    /// Reads children that all have this name.
    fn list<T>(&mut self, list: &Element<'_>, name: &str, item: impl Fn(&mut Form<'_, '_>) -> T) -> Vec<T> {
        let mut items = Vec::new();
        for child in &list.children {
            if child.name == name {
                let mut form = Form::inside(child);
                items.push(item(&mut form));
                self.problems.extend(form.end());
            } else {
                self.problems.push(unknown(child, list));
            }
        }
        items
    }

    /// All problems, in the order of the file.
    fn end(mut self) -> Vec<Problem> {
        let unknown_children = self.element.children.iter().filter(|child| !self.known.contains(&child.name));
        let unknown_children: Vec<_> = unknown_children.map(|child| unknown(child, self.element)).collect();
        self.problems.extend(unknown_children);
        self.problems.sort_by_key(|problem| problem.at);
        self.problems
    }

    fn finish<T>(self, found: T) -> Result<T, Vec<Problem>> {
        let problems = self.end();
        if problems.is_empty() { Ok(found) } else { Err(problems) }
    }
}

fn unknown(child: &Element<'_>, within: &Element<'_>) -> Problem {
    child.problem(format!("<{}> is not known in <{}>", child.name, within.name))
}

/// A type of whole numbers.
trait Number: FromStr + Default {
    /// The range of the type, for people.
    const RANGE: &str;
}

impl Number for u32 {
    const RANGE: &str = "0 to 4294967295";
}

impl Number for i32 {
    const RANGE: &str = "-2147483648 to 2147483647";
}

fn number<T: Number>(element: &Element<'_>) -> Result<T, Problem> {
    let text = element.only_text()?;
    let what = || format!("<{}> is {}, which is no whole number from {}", element.name, quoted(text), T::RANGE);
    text.parse().map_err(|_| element.problem(what()))
}
