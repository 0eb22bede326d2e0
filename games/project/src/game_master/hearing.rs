//! What players ask for, as commands.

use std::sync::Arc;

use project_rules::Command;

use crate::documents::{Content, Message, action::Action, game_state::GameState};

/// What a message of a player asks for; otherwise why it asks for nothing.
pub(super) fn command(message: &Message) -> Result<Command, &'static str> {
    let id: Arc<str> = message.id.as_str().into();
    match &message.content {
        Content::GameState(GameState::SetupRequest { team }) => Ok(Command::ChooseTeam { id, team: *team }),
        Content::GameState(GameState::SetupConfirmation { .. } | GameState::Start(_) | GameState::End(_)) => {
            Err("only the Game Master says how the game is")
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
        ) => Err("only the Game Master answers"),
        Content::Exchange(_) => Err("the Game Master has nothing to exchange"),
    }
}

/// The kind of a command that came, for people.
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
