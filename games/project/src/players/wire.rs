//! What players say and hear, as documents.

use std::sync::Arc;

use project_rules::{Action, Answer, LONGEST_SIDE, Position, Team, knowledge};

use super::{End, Heard, Ids, Say, Told};
use crate::documents::{
    Content, Guid, Message, Role, Timestamp,
    action::Action as Acted,
    exchange::{Exchange, KnownTile},
    game_state::{GameState, Start},
};

/// The number of the Game Master.
const MASTER: i32 = 0;

const TOO_LARGE: &str = "no board is so large";

/// A message of the player with this number. None has a name that is no UUID; there is no such.
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

/// What a message tells the player with this number, which stands there; or why it tells nothing.
pub(super) fn heard(message: Message, me: u32, stands: Option<Position>) -> Result<Heard, &'static str> {
    let Message { id, context, sender, receiver, content } = message;
    if receiver != number(me) {
        return Err("it is for somebody else");
    }
    let context_of = || context.ok_or("an answer needs a contextId");
    match (content, sender) {
        (Content::GameState(state), MASTER) => state_heard(state),
        (Content::Action(action), MASTER) => {
            Ok(Heard::Answered { context: text(context_of()?), answer: answer(action, stands)? })
        }
        (Content::Exchange(exchange), 1..) => {
            let from = sender.cast_unsigned();
            let (id, told) = match exchange {
                Exchange::Request => (id, Told::Request),
                Exchange::Response { allow } => (context_of()?, Told::Response { allow }),
                Exchange::Data(tiles) => (context_of()?, Told::Data { tiles: tiles.into_iter().map(shared).collect() }),
            };
            Ok(Heard::Told { from, id: text(id), told })
        }
        (Content::GameState(_) | Content::Action(_), _) => Err("only the Game Master says so"),
        (Content::Exchange(_), _) => Err("only players exchange knowledge"),
    }
}

fn state_heard(state: GameState) -> Result<Heard, &'static str> {
    match state {
        GameState::SetupRequest { .. } => Err("only players ask for a team"),
        GameState::SetupConfirmation { role, team } => Ok(Heard::TeamGiven { team, leader: role == Role::TeamLeader }),
        GameState::Start(Start { width, height, .. }) if width.max(height) > LONGEST_SIDE => Err(TOO_LARGE),
        GameState::Start(Start { players, width, height, position }) => {
            on_a_board(position)?;
            Ok(Heard::Started { players: players.into(), width, height, position })
        }
        GameState::End(end) => {
            let of = |team: Team| end.goals.iter().find(|(of, _)| *of == team).map_or(0, |(_, goals)| *goals);
            let goals = Team::BOTH.map(|team| u32::try_from(of(team)).unwrap_or(0));
            Ok(Heard::Ended(End { reason: end.reason, winner: end.winner, goals }))
        }
    }
}

/// The schema allows any number; what cannot be on any board is not reckoned with.
fn on_a_board(Position { x, y }: Position) -> Result<(), &'static str> {
    let side = 0..LONGEST_SIDE;
    if side.contains(&x) && side.contains(&y) { Ok(()) } else { Err(TOO_LARGE) }
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

fn answer(action: Acted, stands: Option<Position>) -> Result<Answer, &'static str> {
    match action {
        Acted::Moved { success, position, distance } => {
            // Who could not move may be told nothing more.
            let position = position.or(stands.filter(|_| !success)).ok_or("a move without a position")?;
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
        Acted::Move(_) | Acted::Discover | Acted::PickUp | Acted::Test | Acted::Place => {
            Err("the Game Master asks for nothing")
        }
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

/// What was seen nobody knows when is older than everything.
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
