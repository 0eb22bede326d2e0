//! Turns messages of players into commands.

use std::{fmt, sync::Arc};

use project_rules::Command;

use crate::documents::{Content, Message, action::Action, game_state::GameState};

/// Why a player's message is not a command.
#[derive(Clone, Copy, Debug)]
pub(super) enum NoCommand {
    GameState,
    Answer,
    Exchange,
}

impl fmt::Display for NoCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GameState => "only the Game Master sends the state of the game",
            Self::Answer => "only the Game Master answers",
            Self::Exchange => "the Game Master has nothing to exchange",
        })
    }
}

/// The command in a message of a player.
pub(super) fn command(message: &Message) -> Result<Command, NoCommand> {
    let id: Arc<str> = message.id.as_str().into();
    match &message.content {
        Content::GameState(GameState::SetupRequest { team }) => Ok(Command::ChooseTeam { id, team: *team }),
        Content::GameState(GameState::SetupConfirmation { .. } | GameState::Start(_) | GameState::End(_)) => {
            Err(NoCommand::GameState)
        }
        Content::Action(Action::Move(direction)) => Ok(Command::Move { id, direction: *direction }),
        Content::Action(Action::Discover) => Ok(Command::Discover { id }),
        Content::Action(Action::PickUp) => Ok(Command::PickUp { id }),
        Content::Action(Action::Test) => Ok(Command::Test { id }),
        Content::Action(Action::Place) => Ok(Command::Place { id }),
        Content::Action(
            Action::Moved { .. }
            | Action::Discovered(_)
            | Action::PickedUp { .. }
            | Action::Tested(_)
            | Action::Placed(_),
        ) => Err(NoCommand::Answer),
        Content::Exchange(_) => Err(NoCommand::Exchange),
    }
}

/// The kind of message that a command came in, for the trace.
pub(super) fn kind(command: &Command) -> &'static str {
    match command {
        Command::ChooseTeam { .. } => "Setup/Request",
        Command::Move { .. } => "Move/Request",
        Command::Discover { .. } => "Discover/Request",
        Command::PickUp { .. } => "Pickup/Request",
        Command::Test { .. } => "Test/Request",
        Command::Place { .. } => "Place/Request",
        Command::Exchanged { .. } => "ExchangeKnowledge/Data",
        Command::Join { .. } | Command::Lost {} | Command::Fail { .. } => "Connection",
    }
}
