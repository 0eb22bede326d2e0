//! Everything that an agent is told is in the log.

use engine::{CommId, Rulebook};
use project::{
    Guid,
    documents::{
        Role,
        action::Action,
        game_state::{End, Start},
    },
};
use project_rules::{Answer, Game, Phase, Player, Team};

use crate::{ledger::GameBook, observer::Check, site::Site};

/// The player of an agent in the log.
pub(super) struct Seat {
    pub(super) game: String,
    pub(super) client: CommId,
    pub(super) id: u32,
}

/// Finds the last game of an agent.
pub(super) fn find(site: &Site, hash: Guid) -> Option<Seat> {
    let seat = |book: &GameBook<Game>| book.game().player_with(hash.as_str()).map(|player| (player.client, player.id));
    let (game, (client, id)) = site.ledger.find_last(seat)?;
    Some(Seat { game, client, id })
}

/// A broken promise.
pub(super) type Broken = (Check, String);

/// Looks at the player of an agent.
fn look<T>(site: &Site, game: &str, hash: Guid, look: impl FnOnce(&Game, &Player) -> T) -> Option<T> {
    let player = |book: &GameBook<Game>| book.game().player_with(hash.as_str()).map(|player| look(book.game(), player));
    site.ledger.look_as(game, player).flatten()
}

/// A team is told only if it is stored.
pub(super) fn check_team(site: &Site, game: &str, hash: Guid, role: Role, team: Team) -> Result<(), Broken> {
    let stored = look(site, game, hash, |game, player| game.standing(player)).flatten();
    match stored {
        Some(stored) if stored.team == team && stored.leader == (role == Role::TeamLeader) => Ok(()),
        Some(stored) => Err((Check::OneVersion, format!("it is told team {team:?} as {role:?} instead of {stored:?}"))),
        None => Err((Check::HeardIsStored, format!("it is told team {team:?}, which is not stored"))),
    }
}

/// The start is told only if it is stored.
pub(super) fn check_start(site: &Site, game: &str, hash: Guid, start: &Start) -> Result<(), Broken> {
    let is_stored = look(site, game, hash, |game, _| {
        let (area, board) = (game.public().area(), game.public());
        let is_in = |(player, team): &(u32, Team)| board.team(*team).any(|seat| seat.player == *player);
        board.phase() != Phase::Lobby
            && (area.width, area.height) == (start.width, start.height)
            && start.players.iter().all(is_in)
    });
    match is_stored {
        Some(true) => Ok(()),
        Some(false) | None => Err((Check::HeardIsStored, "it is told a start that is not stored".into())),
    }
}

/// An answer is told only if it is stored, and always the same.
pub(super) fn check_answer(site: &Site, game: &str, hash: Guid, context: Guid, told: &Action) -> Result<(), Broken> {
    let stored = look(site, game, hash, |_, player| player.answered(context.as_str()).cloned()).flatten();
    match stored {
        Some(stored) if is_same(&stored, told) => Ok(()),
        Some(stored) => Err((Check::OneVersion, format!("request {context} is answered {told:?}, and not {stored:?}"))),
        None => Err((Check::HeardIsStored, format!("the answer {told:?} to {context} is told and not stored"))),
    }
}

fn is_same(stored: &Answer, told: &Action) -> bool {
    match (stored, told) {
        (Answer::Moved { success, position, distance }, Action::Moved { success: s, position: p, distance: d }) => {
            success == s && Some(*position) == *p && distance == d
        }
        (Answer::Discovered { tiles }, Action::Discovered(told)) => tiles.len() == told.len(),
        (Answer::PickedUp { success }, Action::PickedUp { success: told }) => success == told,
        (Answer::Tested { result }, Action::Tested(told)) => result == told,
        (Answer::Placed { result }, Action::Placed(told)) => result == told,
        (
            Answer::Moved { .. }
            | Answer::Discovered { .. }
            | Answer::PickedUp { .. }
            | Answer::Tested { .. }
            | Answer::Placed { .. }
            | Answer::Silence,
            _,
        ) => false,
    }
}

/// The end is told only if it is stored, and always the same.
pub(super) fn check_end(site: &Site, game: &str, end: &End) -> Result<(), Broken> {
    let stored = site.ledger.look_as::<Game, _>(game, |book| book.game().outcome());
    let Some(outcome) = stored.flatten() else {
        return Err((Check::End, "it is told of an end that the log does not have".into()));
    };
    let goals = end.goals.map(|(_, goals)| goals);
    let stored = outcome.goals.map(|goals| i32::try_from(goals).unwrap_or(i32::MAX));
    if (outcome.reason, outcome.winner, stored) == (end.reason, end.winner, goals) {
        return Ok(());
    }
    Err((Check::OneVersion, format!("the end is told as {end:?}, and is {outcome:?}")))
}

/// A request has its effect at most once, however often it was sent.
pub(super) fn check_steps(site: &Site, game: &str, hash: Guid, asked: u32) -> Result<(), Broken> {
    match look(site, game, hash, |_, player| player.counts.moves) {
        Some(moves) if moves > asked => {
            Err((Check::Commands, format!("it has made {moves} steps, and has asked for {asked}")))
        }
        Some(_) | None => Ok(()),
    }
}
