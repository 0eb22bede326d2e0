//! The knowledge of computer players, and exchanges.

use std::sync::Arc;

use project_rules::{
    Answer, Area, Placed, Position, Team, Tile, TileObject,
    knowledge::{Exchanges, Knowledge, MAX_SHARED_TILES, PATIENCE_MS, PURSUIT_MS, Received, Say, Shared},
};

use crate::table::at;

const AREA: Area = Area { width: 4, height: 8 };

/// The knowledge of player `me`. Players 1 (leader), 2 and 3 are Blue, 4 (leader) and 5 are Red. Each stands at (its id mod 4,
/// 0 or 7).
fn knows(me: u32) -> Knowledge {
    let players: Arc<[(u32, Team)]> =
        [(1, Team::Blue), (2, Team::Blue), (3, Team::Blue), (4, Team::Red), (5, Team::Red)].into();
    Knowledge::new(me, players, AREA, at(me as i32 % 4, if me < 4 { 0 } else { 7 }), 0)
}

fn moved(x: i32, y: i32, distance: i32) -> Answer {
    Answer::Moved { success: true, position: at(x, y), distance: Some(distance) }
}

fn shared(position: Position, object: TileObject, timestamp: u64) -> Shared {
    Shared { tile: Tile { position, distance: 4, player: None, object }, timestamp, pursued: false }
}

fn object(knowledge: &Knowledge, position: Position) -> Option<TileObject> {
    knowledge.tiles().get(&position).map(|seen| seen.tile(position).object)
}

fn told(news: &[Shared]) -> Vec<Position> {
    news.iter().map(|shared| shared.tile.position).collect()
}

#[test]
fn who_must_allow_whom() {
    let must = |me: u32| [1, 2, 3, 4, 5].map(|asker| knows(me).must_allow(asker));
    assert_eq!(must(1), [false, true, true, false, false], "a leader his own team");
    assert_eq!(must(2), [true, false, false, false, false], "a member his leader");
    assert_eq!(must(5), [false, false, false, true, false]);
    assert!(!knows(1).must_allow(9), "a stranger");
}

#[test]
fn answers_teach() {
    let mut mind = knows(1);
    mind.answered(&moved(1, 1, 1), 10);
    assert_eq!(
        (mind.position(), object(&mind, at(1, 1)), mind.seen_at(at(1, 1))),
        (at(1, 1), Some(TileObject::Nothing), Some(10))
    );
    mind.answered(&moved(1, 2, 0), 20);
    assert_eq!(object(&mind, at(1, 2)), Some(TileObject::Piece), "0 away is here");
    mind.answered(&Answer::PickedUp { success: true }, 30);
    assert_eq!(object(&mind, at(1, 2)), Some(TileObject::Nothing));
    mind.answered(&moved(1, 1, 3), 40);
    mind.answered(&Answer::Placed { result: Placed::Meaningless }, 50);
    assert_eq!(object(&mind, at(1, 1)), Some(TileObject::NonGoal));
    assert!(mind.tiles()[&at(1, 1)].piece, "the piece lies there");
    mind.answered(&moved(1, 0, 4), 60);
    let tile = Tile { position: at(1, 1), distance: 3, player: Some((2, Team::Blue)), object: TileObject::Nothing };
    mind.answered(&Answer::Discovered { tiles: [tile].into() }, 70);
    assert_eq!(object(&mind, at(1, 1)), Some(TileObject::NonGoal), "that stays true");
    assert!(!mind.tiles()[&at(1, 1)].piece, "it was taken");
    mind.answered(&Answer::Placed { result: Placed::Completed }, 80);
    assert_eq!(object(&mind, at(1, 0)), Some(TileObject::CompletedGoal));
    let before = mind.clone();
    mind.answered(&Answer::Moved { success: false, position: at(1, 0), distance: None }, 90);
    mind.answered(&Answer::Placed { result: Placed::Disallowed }, 90);
    mind.answered(&Answer::Silence, 90);
    assert_eq!(mind, before, "nothing to learn");
}

#[test]
fn the_newest_timestamp_wins() {
    let mut mind = knows(1);
    mind.learn(2, &[shared(at(3, 3), TileObject::Piece, 100)], 1000);
    assert_eq!(object(&mind, at(3, 3)), Some(TileObject::Piece));
    mind.learn(3, &[shared(at(3, 3), TileObject::Nothing, 99)], 1000);
    mind.learn(3, &[shared(at(3, 3), TileObject::Nothing, 100)], 1000);
    assert_eq!(object(&mind, at(3, 3)), Some(TileObject::Piece), "older or as old changes nothing");
    mind.learn(3, &[shared(at(3, 3), TileObject::Nothing, 101)], 1000);
    assert_eq!(object(&mind, at(3, 3)), Some(TileObject::Nothing));
    mind.learn(3, &[shared(at(3, 3), TileObject::Piece, 999_999)], 1000);
    assert_eq!(mind.seen_at(at(3, 3)), Some(1000), "a time in the future counts as now");
    mind.learn(3, &[shared(at(4, 0), TileObject::Piece, 1000)], 1000);
    assert_eq!(object(&mind, at(4, 0)), None, "off the board");
}

#[test]
fn results_of_placing_are_never_too_old() {
    let mut mind = knows(1);
    mind.answered(&moved(1, 1, 3), 50);
    mind.mark_shared(3, mind.changes());
    mind.learn(2, &[shared(at(1, 1), TileObject::NonGoal, 40)], 60);
    assert_eq!(object(&mind, at(1, 1)), Some(TileObject::NonGoal), "who walked there later could not see that");
    let seen = mind.tiles()[&at(1, 1)];
    assert_eq!((seen.distance, mind.seen_at(at(1, 1))), (3, Some(50)), "all else is as it was seen last");
    assert_eq!(told(&mind.news_for(3)), [at(1, 1)], "it is passed on");
    mind.mark_shared(3, mind.changes());
    mind.learn(2, &[shared(at(1, 1), TileObject::NonGoal, 40)], 70);
    mind.learn(2, &[shared(at(1, 1), TileObject::CompletedGoal, 40)], 70);
    assert_eq!(object(&mind, at(1, 1)), Some(TileObject::NonGoal), "what is known and newer stays");
    let changes = mind.changes();
    mind.learn(2, &[shared(at(1, 1), TileObject::Piece, 45)], 70);
    assert_eq!((mind.changes(), mind.tiles()[&at(1, 1)].piece), (changes, false), "an old piece may be gone");
}

#[test]
fn news() {
    let mut mind = knows(1);
    assert_eq!(told(&mind.news_for(2)), [at(1, 0)], "the own tile");
    assert_eq!(mind.news_for(2)[0].tile.player, Some((1, Team::Blue)));
    mind.answered(&moved(1, 1, 5), 10);
    mind.learn(2, &[shared(at(3, 3), TileObject::Piece, 20)], 30);
    assert_eq!(told(&mind.news_for(2)), [at(1, 0), at(1, 1)], "not what it told itself");
    assert_eq!(told(&mind.news_for(3)), [at(1, 0), at(1, 1), at(3, 3)]);
    mind.mark_shared(3, mind.changes());
    assert_eq!(told(&mind.news_for(3)), [at(1, 1)], "nothing is new: the own tile");
    mind.answered(&moved(0, 1, 6), 40);
    assert_eq!(told(&mind.news_for(3)), [at(0, 1)], "what changed since");
    assert_eq!(told(&mind.news_for(2)).len(), 3, "each partner has its own count");
}

#[test]
fn a_large_board_takes_several_exchanges() {
    let players: Arc<[(u32, Team)]> = [(1, Team::Blue), (2, Team::Blue)].into();
    let area = Area { width: 100, height: 100 };
    let mut minds = [1, 2].map(|me| Knowledge::new(me, players.clone(), area, at(me as i32, 0), 0));
    let tiles: Vec<Shared> =
        (0..4500).map(|n| shared(at(n % 100, 1 + n / 100), TileObject::Nothing, 1 + n as u64)).collect();
    tiles.iter().for_each(|tile| minds[0].learn(9, &[*tile], 10_000));
    let mut sizes = Vec::new();
    let [one, other] = &mut minds;
    let (mut asker, mut asked) = (Exchanges::default(), Exchanges::default());
    for (number, id) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let (id, now): (Arc<str>, u64) = (id.into(), 20_000 + 10_000 * number as u64);
        asker.ask(2, &id, now);
        asked.handle_request(heard(1, &id, now), other, true);
        let Some(Say::Data { tiles, .. }) = asker.handle_response(heard(2, &id, now), one, true) else {
            panic!("data")
        };
        sizes.push(tiles.len());
        let Some(Say::Data { tiles: back, .. }) = asked.handle_data(heard(1, &id, now), other, &tiles) else {
            panic!()
        };
        asker.handle_data(heard(2, &id, now), one, &back);
    }
    assert_eq!(sizes, [MAX_SHARED_TILES, MAX_SHARED_TILES, 501, 1], "with its own tile; then only that");
    let known = tiles.iter().all(|told| other.tiles().contains_key(&told.tile.position));
    assert!(known, "all of it arrives");
}

#[test]
fn pursuits() {
    let mut hunter = knows(2);
    hunter.answered(&moved(2, 1, 1), 5);
    hunter.learn(3, &[shared(at(2, 2), TileObject::Piece, 6)], 7);
    hunter.mark_shared(1, hunter.changes());
    hunter.pursue(Some(at(2, 2)));
    let news = hunter.news_for(1);
    assert_eq!(told(&news), [at(2, 2)], "that it is on its way is news");
    assert!(news[0].pursued);

    let (mut mate, mut enemy) = (knows(1), knows(4));
    mate.learn(2, &news, 1000);
    enemy.learn(2, &news, 1000);
    assert!(mate.is_pursued(at(2, 2), 1000 + PURSUIT_MS - 1));
    assert!(!mate.is_pursued(at(2, 2), 1000 + PURSUIT_MS), "for 10 s");
    assert!(!enemy.is_pursued(at(2, 2), 1000), "only team mates leave it alone");
    assert!(!mate.news_for(3).iter().any(|shared| shared.pursued), "mate itself is not on its way");
    hunter.pursue(None);
    assert!(!hunter.news_for(3).iter().any(|shared| shared.pursued));
}

fn heard(from: u32, id: &Arc<str>, now: u64) -> Received<'_> {
    Received { from, id, now }
}

#[test]
fn an_exchange_step_by_step() {
    let (mut asker, mut other) = ((knows(2), Exchanges::default()), (knows(1), Exchanges::default()));
    asker.0.answered(&moved(2, 1, 5), 10);
    let id: Arc<str> = "x1".into();
    assert_eq!(asker.1.ask(1, &id, 100), Some(Say::Request { to: 1, id: id.clone() }));
    assert_eq!(asker.1.ask(1, &"x2".into(), 101), None, "one at a time");
    let response = other.1.handle_request(heard(2, &id, 110), &other.0, false);
    assert_eq!(response, Say::Response { to: 2, context: id.clone(), allow: true }, "a leader must");

    let Some(Say::Data { to: 1, context, tiles }) = asker.1.handle_response(heard(1, &id, 120), &asker.0, true) else {
        panic!("the asker's data comes first");
    };
    assert_eq!((&*context, told(&tiles)), ("x1", vec![at(2, 0), at(2, 1)]));
    let Some(Say::Data { to: 2, context, tiles: back }) = other.1.handle_data(heard(2, &id, 130), &mut other.0, &tiles)
    else {
        panic!("then the other's");
    };
    assert_eq!((&*context, told(&back)), ("x1", vec![at(1, 0)]));
    let again = other.1.handle_data(heard(2, &id, 131), &mut other.0, &tiles);
    assert_eq!(again, Some(Say::Data { to: 2, context, tiles: back.clone() }), "the same again");
    assert_eq!(asker.1.handle_data(heard(1, &id, 140), &mut asker.0, &back), None);
    assert!(!asker.1.is_asking(1));
    assert_eq!(object(&asker.0, at(1, 0)), Some(TileObject::Nothing));
    assert_eq!(told(&asker.0.news_for(1)), [at(2, 1)], "it was told everything");
    assert_eq!(told(&other.0.news_for(2)), [at(1, 0)], "and so was the asker: the own tile");
}

#[test]
fn declined_and_forged() {
    let (mut mind, mut exchanges) = (knows(3), Exchanges::default());
    let id: Arc<str> = "x1".into();
    let no = exchanges.handle_request(heard(2, &id, 0), &mind, false);
    assert_eq!(no, Say::Response { to: 2, context: id.clone(), allow: false });
    let secret = [shared(at(3, 3), TileObject::Piece, 5)];
    assert_eq!(exchanges.handle_data(heard(2, &id, 10), &mut mind, &secret), None, "it was declined");
    let yes = exchanges.handle_request(heard(5, &id, 0), &mind, true);
    assert_eq!(yes, Say::Response { to: 5, context: id.clone(), allow: true }, "any player with any");
    assert_eq!(exchanges.handle_data(heard(4, &id, 10), &mut mind, &secret), None, "another sender");
    assert_eq!(object(&mind, at(3, 3)), None, "nothing was learnt");

    exchanges.ask(2, &id, 20);
    assert_eq!(exchanges.handle_response(heard(2, &"x9".into(), 21), &mind, true), None, "another context");
    assert_eq!(exchanges.handle_data(heard(2, &id, 22), &mut mind, &secret), None, "data before the response");
    assert_eq!(object(&mind, at(3, 3)), None);
    assert_eq!(exchanges.handle_response(heard(2, &id, 23), &mind, false), None);
    assert!(!exchanges.is_asking(2), "declined");
}

#[test]
fn silence_ends_an_exchange() {
    let mut exchanges = Exchanges::default();
    exchanges.ask(2, &"x1".into(), 0);
    exchanges.expire(PATIENCE_MS - 1);
    assert!(exchanges.is_asking(2));
    exchanges.expire(PATIENCE_MS);
    assert!(!exchanges.is_asking(2));
    let mind = knows(3);
    assert_eq!(exchanges.handle_response(heard(2, &"x1".into(), PATIENCE_MS), &mind, true), None, "too late");
}
