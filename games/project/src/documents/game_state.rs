//! Messages about the beginning and the end of a game.

use project_rules::{EndReason, Position, Team};
use xml::{Element, Problem, Writer};

use super::{
    Role,
    connection::ROLES,
    strict::{Parts, TEAMS, attribute_of, choice, int, one_of, only, position},
    tile::{player, word, write_player, write_position},
};

const REASONS: [(&str, EndReason); 3] =
    [("Success", EndReason::Success), ("Failure", EndReason::Failure), ("Timeout", EndReason::Timeout)];

/// A message about the state of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameState {
    /// A player asks for a team.
    SetupRequest {
        /// The preferred team.
        team: Team,
    },
    /// The Game Master assigns a team.
    SetupConfirmation {
        /// Whether the player leads the team.
        role: Role,
        /// The team.
        team: Team,
    },
    /// The game begins.
    Start(Start),
    /// The game is over.
    End(End),
}

/// The beginning of a game, for one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// All players with their teams. The leader of a team comes before its other players.
    pub players: Vec<(u32, Team)>,
    /// Width of the board.
    pub width: i32,
    /// Height of the board.
    pub height: i32,
    /// The position of the receiver.
    pub position: Position,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Why it ended.
    pub reason: EndReason,
    /// The winner; meaningless in a tie.
    pub winner: Team,
    /// The number of goals that each team completed.
    pub goals: [(Team, i32); 2],
}

impl GameState {
    pub(super) fn from_element(element: &Element<'_>) -> Result<Self, Problem> {
        let kind = choice(element, &[], &["Setup", "Start", "End"])?;
        match kind.name {
            "Setup" => {
                let said = choice(kind, &[], &["Request", "Confirmation"])?;
                if said.name == "Request" {
                    return Ok(Self::SetupRequest { team: one_of(only(said, "Team")?, &TEAMS)? });
                }
                let mut parts = Parts::new(said, &[])?;
                let role = one_of(parts.required("Role")?, &ROLES)?;
                let team = one_of(parts.required("Team")?, &TEAMS)?;
                parts.end()?;
                Ok(Self::SetupConfirmation { role, team })
            }
            "Start" => Ok(Self::Start(Start::from_element(kind)?)),
            _ => Ok(Self::End(End::from_element(kind)?)),
        }
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.open("GameState");
        match self {
            Self::SetupRequest { team } => {
                writer.open("Setup").open("Request").leaf("Team", word(&TEAMS, *team)).close("Request").close("Setup");
            }
            Self::SetupConfirmation { role, team } => {
                writer.open("Setup").open("Confirmation").leaf("Role", role.as_str());
                writer.leaf("Team", word(&TEAMS, *team)).close("Confirmation").close("Setup");
            }
            Self::Start(start) => start.write(writer),
            Self::End(end) => end.write(writer),
        }
        writer.close("GameState");
    }
}

impl Start {
    fn from_element(element: &Element<'_>) -> Result<Self, Problem> {
        let mut parts = Parts::new(element, &[])?;
        let mut players = Parts::new(parts.required("Players")?, &[])?;
        let listed = players.repeated("Player", usize::MAX)?.iter().map(player).collect::<Result<_, _>>()?;
        players.end()?;
        let mut board = Parts::new(parts.required("Board")?, &[])?;
        let start = Self {
            players: listed,
            width: int(board.required("Width")?)?,
            height: int(board.required("Height")?)?,
            position: position(parts.required("StartPosition")?)?,
        };
        board.end()?;
        parts.end()?;
        Ok(start)
    }

    fn write(&self, writer: &mut Writer) {
        writer.open("Start").open("Players");
        self.players.iter().for_each(|(id, team)| write_player(writer, *id, *team));
        writer.close("Players");
        writer.open("Board").leaf("Width", self.width).leaf("Height", self.height).close("Board");
        write_position(writer, "StartPosition", self.position);
        writer.close("Start");
    }
}

impl End {
    fn from_element(element: &Element<'_>) -> Result<Self, Problem> {
        let mut parts = Parts::new(element, &[])?;
        let reason = one_of(parts.required("Reason")?, &REASONS)?;
        let mut result = Parts::new(parts.required("Result")?, &[])?;
        let winner = one_of(result.required("WinningTeam")?, &TEAMS)?;
        let goals = [goals(result.required("Team")?)?, goals(result.required("Team")?)?];
        result.end()?;
        parts.end()?;
        Ok(Self { reason, winner, goals })
    }

    fn write(&self, writer: &mut Writer) {
        writer.open("End").leaf("Reason", word(&REASONS, self.reason));
        writer.open("Result").leaf("WinningTeam", word(&TEAMS, self.winner));
        for (team, goals) in self.goals {
            writer.open("Team").attribute("name", word(&TEAMS, team)).leaf("GoalsCompleted", goals).close("Team");
        }
        writer.close("Result").close("End");
    }
}

fn goals(element: &Element<'_>) -> Result<(Team, i32), Problem> {
    let mut parts = Parts::new(element, &["name"])?;
    let goals = int(parts.required("GoalsCompleted")?)?;
    parts.end()?;
    Ok((attribute_of(element, "name", &TEAMS)?, goals))
}
