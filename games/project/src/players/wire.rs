//! Converts between the messages of agents and documents.

use std::{fmt, sync::Arc};

use project_rules::{Action, Answer, LONGEST_SIDE, Position, Team, knowledge};

use super::{AgentInput, End, ExchangeStep, Ids, Say};
use crate::documents::{
    Content, Guid, Message, Role, Timestamp,
    action::Action as Acted,
    exchange::{Exchange, KnownTile},
    game_state::{GameState, Start},
};

/// The number of the Game Master.
const MASTER: i32 = 0;

/// Why a message is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ignored {
    OtherReceiver,
    NoContext,
    NotGameMaster,
    NotPlayer,
    TeamRequest,
    ActionRequest,
    NoPosition,
    OffBoard,
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OtherReceiver => "it is for another player",
            Self::NoContext => "an answer needs a contextId",
            Self::NotGameMaster => "only the Game Master sends this",
            Self::NotPlayer => "only players exchange knowledge",
            Self::TeamRequest => "only players ask for a team",
            Self::ActionRequest => "only players ask for actions",
            Self::NoPosition => "a move needs a position",
            Self::OffBoard => "no board is that large",
        })
    }
}

/// The message that a player with this number sends. `None` if an id is not a UUID, which never happens.
pub(super) fn message(say: Say, me: u32, ids: &mut Ids) -> Option<Message> {
    let (id, context, receiver, content) = match say {
        Say::Setup { id, team } => {
            (Guid::parse(&id)?, None, MASTER, Content::GameState(GameState::SetupRequest { team }))
        }
        Say::Request { id, action } => (Guid::parse(&id)?, None, MASTER, Content::Action(request(action))),
        Say::Tell(knowledge::Say::Request { to, id }) => {
            (Guid::parse(&id)?, None, number(to), Content::Exchange(Exchange::Request))
        }
        Say::Tell(knowledge::Say::Response { to, context, allow }) => {
            let content = Content::Exchange(Exchange::Response { allow });
            (ids.next_guid(), Some(Guid::parse(&context)?), number(to), content)
        }
        Say::Tell(knowledge::Say::Data { to, context, tiles }) => {
            let content = Content::Exchange(Exchange::Data(tiles.iter().map(known_tile).collect()));
            (ids.next_guid(), Some(Guid::parse(&context)?), number(to), content)
        }
    };
    Some(Message { id, context, sender: number(me), receiver, content })
}

/// The input that a message contains for the player with this number and position.
pub(super) fn input(message: Message, me: u32, position: Option<Position>) -> Result<AgentInput, Ignored> {
    let Message { id, context, sender, receiver, content } = message;
    if receiver != number(me) {
        return Err(Ignored::OtherReceiver);
    }
    let context_of = || context.ok_or(Ignored::NoContext);
    match (content, sender) {
        (Content::GameState(state), MASTER) => state_input(state),
        (Content::Action(action), MASTER) => {
            Ok(AgentInput::Answered { context: text(context_of()?), answer: answer(action, position)? })
        }
        (Content::Exchange(exchange), 1..) => {
            let from = sender.cast_unsigned();
            let (id, step) = match exchange {
                Exchange::Request => (id, ExchangeStep::Request),
                Exchange::Response { allow } => (context_of()?, ExchangeStep::Response { allow }),
                Exchange::Data(tiles) => {
                    (context_of()?, ExchangeStep::Data { tiles: tiles.into_iter().map(shared).collect() })
                }
            };
            Ok(AgentInput::Exchange { from, id: text(id), step })
        }
        (Content::GameState(_) | Content::Action(_), _) => Err(Ignored::NotGameMaster),
        (Content::Exchange(_), _) => Err(Ignored::NotPlayer),
    }
}

fn state_input(state: GameState) -> Result<AgentInput, Ignored> {
    match state {
        GameState::SetupRequest { .. } => Err(Ignored::TeamRequest),
        GameState::SetupConfirmation { role, team } => {
            Ok(AgentInput::TeamGiven { team, leader: role == Role::TeamLeader })
        }
        GameState::Start(Start { width, height, .. }) if width.max(height) > LONGEST_SIDE => Err(Ignored::OffBoard),
        GameState::Start(Start { players, width, height, position }) => {
            on_a_board(position)?;
            Ok(AgentInput::Started { players: players.into(), width, height, position })
        }
        GameState::End(end) => {
            let of = |team: Team| end.goals.iter().find(|(of, _)| *of == team).map_or(0, |(_, goals)| *goals);
            let goals = Team::BOTH.map(|team| u32::try_from(of(team)).unwrap_or(0));
            Ok(AgentInput::Ended(End { reason: end.reason, winner: end.winner, goals }))
        }
    }
}

/// Checks a position. The schema allows numbers that are on no board.
fn on_a_board(Position { x, y }: Position) -> Result<(), Ignored> {
    let side = 0..LONGEST_SIDE;
    if side.contains(&x) && side.contains(&y) { Ok(()) } else { Err(Ignored::OffBoard) }
}

fn request(action: Action) -> Acted {
    match action {
        Action::Move(direction) => Acted::Move(direction),
        Action::Discover => Acted::Discover,
        Action::PickUp => Acted::PickUp,
        Action::Test => Acted::Test,
        Action::Place => Acted::Place,
    }
}

fn answer(action: Acted, position: Option<Position>) -> Result<Answer, Ignored> {
    match action {
        Acted::Moved { success, position: reached, distance } => {
            // The answer to a failed move may have no position.
            let position = reached.or(position.filter(|_| !success)).ok_or(Ignored::NoPosition)?;
            on_a_board(position)?;
            Ok(Answer::Moved { success, position, distance })
        }
        Acted::Discovered(tiles) => {
            tiles.iter().try_for_each(|tile| on_a_board(tile.position))?;
            Ok(Answer::Discovered { tiles: tiles.into() })
        }
        Acted::PickedUp { success } => Ok(Answer::PickedUp { success }),
        Acted::Tested(result) => Ok(Answer::Tested { result }),
        Acted::Placed(result) => Ok(Answer::Placed { result }),
        Acted::Move(_) | Acted::Discover | Acted::PickUp | Acted::Test | Acted::Place => Err(Ignored::ActionRequest),
    }
}

fn known_tile(shared: &knowledge::Shared) -> KnownTile {
    let timestamp = i64::try_from(shared.timestamp).unwrap_or(i64::MAX);
    KnownTile {
        tile: shared.tile,
        pursued: shared.pursued.then_some(true),
        timestamp: Some(Timestamp::from_millis(timestamp)),
    }
}

/// A tile without a time counts as older than all others.
fn shared(known: KnownTile) -> knowledge::Shared {
    let millis = known.timestamp.map_or(0, |timestamp| timestamp.millis());
    knowledge::Shared {
        tile: known.tile,
        timestamp: u64::try_from(millis).unwrap_or(0),
        pursued: known.pursued.unwrap_or(false),
    }
}

fn text(id: Guid) -> Arc<str> {
    id.as_str().into()
}

fn number(player: u32) -> i32 {
    i32::try_from(player).unwrap_or(i32::MAX)
}
