//! Games of the protocol 2017 over real sockets.

use std::time::Duration;

use engine::Rulebook;
use treasure::documents::y2017::{
    Spelling,
    answer::{Answer, Updated},
    map_text,
    request::{NewMap, NewPlayer, Update},
};
use treasure::players::{End, Failure, Names, Style, y2017};
use treasure_rules::{Coding, Command, Outcome, Position, ViewRef};

use crate::gateway::{Fate, Gateway, Hosted, Plan};

/// Answers a request as a server of 2017, with the protocol's own documents. `None` if the request is held.
fn answer(hosted: &mut Hosted, path: &str, body: &str) -> Option<String> {
    let body = body.as_bytes();
    let said = match path {
        "/NewPlayer" => {
            let NewPlayer { first_name, last_name, number } = NewPlayer::read(body).expect("a registration").request;
            let client = hosted.newcomer();
            let id = 1000 * i32::try_from(client.0).expect("two players");
            let (first_name, last_name, account) = (first_name.into(), last_name.into(), number.into());
            hosted.take(client, Command::Register { id: id.to_string().into(), first_name, last_name, account });
            Answer::NewPlayer { id }
        }
        "/MapCreation" => {
            let NewMap { id, half } = NewMap::read(body).expect("a half").request;
            let client = hosted.client(&id.to_string()).expect("a player");
            // The same half again is a retry.
            if hosted.game.view_ref(client).fort().is_none() {
                let (fields, _) = map_text::read(&half).expect("a map");
                assert_eq!(hosted.take(client, Command::SendHalf { fields, coding: None }), None);
            }
            let view = hosted.game.view_ref(client);
            let chart = view.board.chart().filter(|chart| chart.is_complete())?;
            let fields = chart.fields().map(|(at, terrain)| (terrain, Some(at) == view.fort()));
            Answer::NewMap { full: map_text::write(fields, Coding::Digits0) }
        }
        "/Updates" => {
            let Update { id, x, y, wanted_x, wanted_y, turns } = Update::read(body).expect("an update").request;
            let client = hosted.client(&id.to_string()).expect("a player");
            if hosted.game.outcome().is_none() {
                if hosted.game.turn() != Some(client) {
                    return None;
                }
                let (x, y, wanted_x, wanted_y) = (x - 1, y - 1, wanted_x - 1, wanted_y - 1);
                let refused = hosted.take(client, Command::Update { x, y, wanted_x, wanted_y, turns });
                if refused.is_some() {
                    return Some(Answer::Trouble { loss: true }.write(&Spelling::default()));
                }
            }
            Answer::Update(updated(hosted.game.view_ref(client)))
        }
        other => panic!("{other} is of no protocol"),
    };
    Some(said.write(&Spelling::default()))
}

fn updated(view: ViewRef<'_>) -> Updated {
    let wire = |at: Option<Position>| at.map_or((0, 0), |at| (i32::from(at.x) + 1, i32::from(at.y) + 1));
    let ((x, y), (enemy_x, enemy_y)) = (wire(view.position()), wire(view.enemy_position()));
    Updated { x, y, enemy_x, enemy_y, treasure: view.has_treasure(), win: view.has_won(), loss: view.has_lost() }
}

async fn play(gateway: &Gateway, style: Style, seed: i64) -> Result<End, Failure> {
    let base = format!("http://{}", gateway.address).parse().expect("a base URL");
    let names = Names { first_name: "A".into(), last_name: "B".into(), account: "01234567".into() };
    let options = y2017::Options { base, names, patience: Duration::from_secs(300) };
    y2017::play(options, style, seed, &mut |_| {}).await
}

/// Plays a game. Checks that at most one player wins, and that both players report the right result.
async fn check(plan: Plan, seed: i64) -> (End, usize) {
    let gateway = Gateway::start("2017", seed, plan, answer).await;
    let (mind, walker) = tokio::join!(play(&gateway, Style::Mind, seed), play(&gateway, Style::Walker, seed + 100));
    let (mind, walker) = (mind.expect("a game"), walker.expect("a game"));
    let hosted = gateway.hosted.lock().expect("no panic");
    let outcome = hosted.game.outcome().expect("it is over");
    let is_won = matches!(outcome, Outcome::Won { reason: treasure_rules::Reason::FortEntered, .. });
    let is_lost_by_both = matches!(outcome, Outcome::NobodyWon { reason: treasure_rules::Reason::ActionLimit });
    assert!(is_won || is_lost_by_both, "{outcome:?}");
    assert_eq!(u8::from(mind.won) + u8::from(walker.won), u8::from(is_won), "{outcome:?} {mind:?} {walker:?}");
    let expected = if is_won {
        "the treasure is in the opponent's fort"
    } else {
        "all 200 updates are made, and no player has won"
    };
    assert_eq!(if walker.won { &walker } else { &mind }.reason, expected);
    (mind, hosted.lost)
}

#[tokio::test]
async fn a_game() {
    for seed in 1..6 {
        check(|_, _, _| Fate::Answered, seed).await;
    }
}

/// No action is repeated or omitted, as far as this protocol allows: a player without an answer cannot know whether it has
/// moved.
#[tokio::test]
async fn lost_connections() {
    fn plan(path: &str, body: &str, number: usize) -> Fate {
        let may_move = body.contains("<TurnsUntilMovement>0<");
        match number % 9 {
            _ if path == "/NewPlayer" => Fate::Answered,
            3 => Fate::Ignored,
            6 if !may_move => Fate::Taken,
            _ => Fate::Answered,
        }
    }
    for seed in 11..15 {
        let (_, lost) = check(plan, seed).await;
        assert!(lost > 3, "{lost}");
    }
}

#[tokio::test]
async fn a_lost_registration_and_a_lost_half() {
    fn plan(path: &str, _: &str, number: usize) -> Fate {
        if number == 1 || number <= 4 && path == "/MapCreation" { Fate::Ignored } else { Fate::Answered }
    }
    let (_, lost) = check(plan, 21).await;
    assert!(lost >= 2, "{lost}");
}

/// When the server goes away, a request is usually waiting for the opponent.
#[tokio::test]
async fn a_server_that_is_away() {
    let gateway = Gateway::start("2017", 7, |_, _, _| Fate::Answered, answer).await;
    let breaks = async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        gateway.be_away(Duration::from_millis(300)).await;
    };
    let (mind, walker, ()) = tokio::join!(play(&gateway, Style::Mind, 7), play(&gateway, Style::Walker, 8), breaks);
    let (mind, walker) = (mind.expect("a game"), walker.expect("a game"));
    assert!(!(mind.won && walker.won), "{mind:?} {walker:?}");
}

/// After a lost answer the server may have forgotten the game, so the player does not claim a victory.
#[tokio::test]
async fn a_problem_after_an_interruption_is_no_victory() {
    fn without_a_map(hosted: &mut Hosted, path: &str, body: &str) -> Option<String> {
        match path {
            "/MapCreation" => Some(Answer::Trouble { loss: false }.write(&Spelling::default())),
            _ => answer(hosted, path, body),
        }
    }
    fn interrupted(path: &str, _: &str, number: usize) -> Fate {
        if path == "/MapCreation" && number <= 2 { Fate::Ignored } else { Fate::Answered }
    }
    let gateway = Gateway::start("2017", 7, |_, _, _| Fate::Answered, without_a_map).await;
    assert!(play(&gateway, Style::Mind, 7).await.expect("a game").won, "the other's half was not taken");
    let gateway = Gateway::start("2017", 7, interrupted, without_a_map).await;
    let failed = play(&gateway, Style::Mind, 7).await;
    assert!(matches!(failed, Err(Failure::Refused(_))), "{failed:?}");
}
