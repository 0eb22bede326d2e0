//! Protocol 2017.

use std::time::Duration;

use treasure::documents::y2017::{
    answer::{Answer, Updated},
    request::{NewMap, NewPlayer, Trouble, Update},
};
use treasure_rules::Game;

use crate::{
    gone::until,
    support::{HALF_2017, Scratch, Served},
};

/// A player of 2017.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Old(pub(crate) i32);

impl Old {
    pub(crate) async fn new(served: &Served, name: &str) -> Self {
        let request = NewPlayer { first_name: name.into(), last_name: "Nancu".into(), number: "01502339".into() };
        let Answer::NewPlayer { id } = ask(served, "/NewPlayer", &request.write()).await else { panic!("no player") };
        Self(id)
    }

    pub(crate) async fn half(self, served: &Served, half: &str) -> Answer {
        ask(served, "/MapCreation", &NewMap { id: self.0, half: half.into() }.write()).await
    }

    /// Positions are x and y, from 1.
    pub(crate) async fn update(self, served: &Served, from: (i32, i32), to: (i32, i32), turns: i32) -> Answer {
        let request = Update { id: self.0, x: from.0, y: from.1, wanted_x: to.0, wanted_y: to.1, turns };
        ask(served, "/Updates", &request.write()).await
    }
}

pub(crate) async fn ask(served: &Served, path: &str, body: &str) -> Answer {
    let reply = served.ask("POST", path, body).await;
    assert_eq!(reply.status, 200, "{}", reply.body);
    Answer::read(reply.body.as_bytes()).unwrap_or_else(|problem| panic!("{problem}: {}", reply.body))
}

/// Two players with a map, the first to move first. Each comes with its start and its own map text.
pub(crate) async fn two(served: &Served) -> [(Old, (i32, i32), String); 2] {
    let (ana, bo) = (Old::new(served, "Ana").await, Old::new(served, "Bo").await);
    let (first, second) = tokio::join!(ana.half(served, HALF_2017), bo.half(served, HALF_2017));
    [(ana, first), (bo, second)].map(|(player, answer)| {
        let Answer::NewMap { full } = answer else { panic!("{answer:?}") };
        let at = full.as_bytes().chunks(2).position(|field| field == b"04").expect("the own fort") as i32;
        (player, (at % 8 + 1, at / 8 + 1), full)
    })
}

fn updated(answer: &Answer) -> Updated {
    let Answer::Update(updated) = answer else { panic!("{answer:?}") };
    *updated
}

#[tokio::test]
async fn two_meet_and_get_the_map() {
    let served = Served::new().await;
    let [(ana, fort, map), (bo, other_fort, other_map)] = two(&served).await;
    assert!(ana.0 > 0 && bo.0 > 0 && ana.0 != bo.0);
    assert_eq!((map.len(), other_map.len()), (128, 128));
    assert_ne!(fort, other_fort);
    for (map, own) in [(&map, fort), (&other_map, other_fort)] {
        assert_eq!(
            map.as_bytes().chunks(2).filter(|field| *field == b"04").count(),
            1,
            "only the own fort, in the own coding"
        );
        assert!((own.1 - 1) % 4 == 0 && own.0 == 6, "row by row from the top: {own:?}");
    }
    let hidden = |map: &str| map.replace("04", "01");
    assert_eq!(hidden(&map), hidden(&other_map));
    // The next two players get another game.
    let (third, fourth) = (Old::new(&served, "C").await, Old::new(&served, "D").await);
    let (one, other) = tokio::join!(third.half(&served, HALF_2017), fourth.half(&served, HALF_2017));
    assert!(matches!((one, other), (Answer::NewMap { .. }, Answer::NewMap { .. })));
}

#[tokio::test]
async fn a_half_waits_for_the_other() {
    let served = Served::new().await;
    let ana = Old::new(&served, "Ana").await;
    let held = ana.half(&served, HALF_2017);
    let later = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let bo = Old::new(&served, "Bo").await;
        bo.half(&served, &HALF_2017.replace("04", "00")).await
    };
    let (held, later) = tokio::join!(held, later);
    let (Answer::NewMap { full: first }, Answer::NewMap { full: second }) = (held, later) else { panic!("two maps") };
    assert!(first.contains("04") && second.contains("00") && !second.contains("04"));
}

#[tokio::test]
async fn a_bad_half_loses_and_the_other_wins() {
    let served = Served::new().await;
    let (ana, bo) = (Old::new(&served, "Ana").await, Old::new(&served, "Bo").await);
    let bad = HALF_2017.replace("03", "01");
    let (good, bad) = tokio::join!(ana.half(&served, HALF_2017), async {
        // Waits for the valid half, which is the third entry.
        until("the good half is there", || {
            served.host.handles::<Game>().iter().any(|(_, game)| game.look(|last| last.sequence) >= 3)
        })
        .await;
        bo.half(&served, &bad).await
    });
    assert_eq!((good, bad), (Answer::Trouble { loss: false }, Answer::Trouble { loss: true }));
    let asked = ask(&served, "/Problem", &Trouble { id: bo.0 }.write()).await;
    assert_eq!(asked, Answer::Trouble { loss: true });
    let asked = ask(&served, "/Problem", &Trouble { id: ana.0 }.write()).await;
    assert_eq!(asked, Answer::Trouble { loss: false });
}

/// The spelling of a client whose library writes names with a small first letter. `ID` alone would fit both spellings.
#[tokio::test]
async fn a_loser_reads_the_answer_in_its_own_spelling() {
    let served = Served::new().await;
    let (ana, bo) = (Old::new(&served, "Ana").await, Old::new(&served, "Bo").await);
    assert_eq!(bo.half(&served, "01").await, Answer::Trouble { loss: true });
    for (old, loss) in [(ana, false), (bo, true)] {
        let asked = format!("<connectionProblemRequest><ID>{}</ID></connectionProblemRequest>", old.0);
        let reply = served.ask("POST", "/Problem", &asked).await;
        let expected = format!("<connectionProblemResponse><loss>{loss}</loss></connectionProblemResponse>");
        assert!(reply.body.ends_with(&expected), "{}", reply.body);
    }
}

#[tokio::test]
async fn whoever_sends_no_half_in_time_loses() {
    let served = Served::new().await;
    let (ana, bo) = (Old::new(&served, "Ana").await, Old::new(&served, "Bo").await);
    assert_eq!(ana.half(&served, HALF_2017).await, Answer::Trouble { loss: false });
    assert_eq!(ask(&served, "/Problem", &Trouble { id: bo.0 }.write()).await, Answer::Trouble { loss: true });
}

#[tokio::test]
async fn counts_go_down_and_the_one_with_zero_moves() {
    let served = Served::new().await;
    let [(ana, from, _), (bo, there, _)] = two(&served).await;
    // Column 6 of row 2 is grass, so a step there counts 2, 1, 0.
    let to = (from.0, from.1 + 1);
    for turns in [2, 1] {
        let answer = updated(&ana.update(&served, from, to, turns).await);
        assert_eq!((answer.x, answer.y, answer.win, answer.loss), (from.0, from.1, false, false));
        assert_eq!((answer.enemy_x, answer.enemy_y), there, "the enemy's position is the true one");
        updated(&bo.update(&served, there, there, 0).await);
    }
    let answer = updated(&ana.update(&served, from, to, 0).await);
    assert_eq!((answer.x, answer.y), to);
    // A wrong count loses.
    updated(&bo.update(&served, there, there, 7).await);
    assert_eq!(ana.update(&served, to, from, 1).await, Answer::Trouble { loss: true });
    let end = updated(&bo.update(&served, there, there, 0).await);
    assert_eq!((end.win, end.loss), (true, false), "after the end every update is answered with the result");
    assert!(updated(&ana.update(&served, to, from, 1).await).loss);
}

#[tokio::test]
async fn an_update_waits_for_its_turn() {
    let served = Served::new().await;
    let [(ana, from, _), (bo, there, _)] = two(&served).await;
    let early = bo.update(&served, there, there, 0);
    let first = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        ana.update(&served, from, from, 0).await
    };
    let (early, first) = tokio::join!(early, first);
    assert!(!updated(&early).loss && !updated(&first).loss);
    // A player that takes longer than three seconds loses. The held request of its opponent is answered with the win.
    let held = updated(&bo.update(&served, there, there, 0).await);
    assert_eq!((held.win, held.loss), (true, false));
}

#[tokio::test]
async fn water_and_the_end_of_the_map_lose_at_zero() {
    let served = Served::new().await;
    let [(ana, from, _), (bo, there, _)] = two(&served).await;
    // A step up from row 1 leaves the map. A step up from row 5 leads to the other half, so the player that starts in row 1
    // takes it.
    let (top, top_at, other, other_at) = if from.1 == 1 { (ana, from, bo, there) } else { (bo, there, ana, from) };
    if top.0 != ana.0 {
        updated(&ana.update(&served, from, from, 0).await);
    }
    let up = (top_at.0, 0);
    for turns in [2, 1] {
        assert!(!updated(&top.update(&served, top_at, up, turns).await).loss, "not before zero");
        updated(&other.update(&served, other_at, other_at, 0).await);
    }
    let lost = updated(&top.update(&served, top_at, up, 0).await);
    assert_eq!((lost.win, lost.loss), (false, true));
    assert!(updated(&other.update(&served, other_at, other_at, 0).await).win);
}

#[tokio::test]
async fn the_answer_is_spelt_like_the_request() {
    let served = Served::new().await;
    let body = "<newPlayerRequest><firstname>Ana</firstname><secondname>B</secondname><matrikelnummer>1</matrikelnummer></newPlayerRequest>";
    let reply = served.ask("POST", "/NewPlayer", body).await;
    assert!(reply.body.contains("<newPlayerResponse><id>"), "{}", reply.body);
    let reply = served.ask("POST", "/Update", "<UpdateRequest><ID>5</ID></UpdateRequest>").await;
    assert!(
        reply.body.ends_with("<ConnectionProblemResponse><Loss>false</Loss></ConnectionProblemResponse>"),
        "{}",
        reply.body
    );
    assert!(reply.head.contains("application/xml"), "{}", reply.head);
}

/// The example messages in the document of 2017.
#[tokio::test]
async fn the_examples_are_understood() {
    let served = Served::new().await;
    let head = r#"<?xml version="1.0" encoding="UTF-8"?>"#;
    let player = format!(
        "{head}\n<NewPlayerRequest>\n  <FirstName>Razvan</FirstName>\n  <SurName>Nancu</SurName>\n  <MatriculationNumber>01502339</MatriculationNumber>\n</NewPlayerRequest>\n"
    );
    let (first, second) = (ask(&served, "/NewPlayer", &player).await, ask(&served, "/NewPlayer", &player).await);
    let (Answer::NewPlayer { id }, Answer::NewPlayer { id: other }) = (first, second) else { panic!("two players") };
    // The example breaks the text of the half in two lines.
    let (upper, lower) = HALF_2017.split_at(62);
    let map = |id: i32| {
        format!(
            "{head}\n<CreateNewMapRequest>\n  <ID>{id}</ID>\n  <MapHalf>{upper}\n{lower}</MapHalf>\n</CreateNewMapRequest>\n"
        )
    };
    let (map, other_map) = (map(id), map(other));
    let (map, other_map) = tokio::join!(ask(&served, "/MapCreation", &map), ask(&served, "/MapCreation", &other_map));
    assert!(matches!((map, other_map), (Answer::NewMap { .. }, Answer::NewMap { .. })));
    // The example counts 4 for a step from grass to grass, which takes 2.
    let update = format!(
        "{head}<UpdateRequest><ID>{id}</ID><PlayerPositionX>6</PlayerPositionX><PlayerPositionY>1</PlayerPositionY>\
         <WantedPositionX>6</WantedPositionX><WantedPositionY>2</WantedPositionY><TurnsUntilMovement>4</TurnsUntilMovement></UpdateRequest>"
    );
    assert_eq!(ask(&served, "/Updates", &update).await, Answer::Trouble { loss: true });
}

#[tokio::test]
async fn a_half_that_cannot_be_read_loses() {
    let served = Served::new().await;
    let odd = HALF_2017[1..].to_owned();
    let (longer, long) = (format!("{HALF_2017}0"), HALF_2017.repeat(2) + "01");
    for bad in [odd, longer, long, HALF_2017.replace("03", "05"), String::new()] {
        let (ana, bo) = (Old::new(&served, "Ana").await, Old::new(&served, "Bo").await);
        assert_eq!(ana.half(&served, &bad).await, Answer::Trouble { loss: true }, "{bad}");
        assert_eq!(bo.half(&served, HALF_2017).await, Answer::Trouble { loss: false }, "{bad}");
    }
    let told = served.host.list();
    assert!(told.is_empty(), "all are over: {told:?}");
}

#[tokio::test]
async fn positions_out_of_this_world() {
    for far in [(i32::MIN, i32::MIN), (i32::MAX, i32::MAX), (0, i32::MIN)] {
        let scratch = Scratch::new();
        let served = Served::on(scratch.log(), false).await;
        let [(ana, from, _), _] = two(&served).await;
        served.stop().await;
        // After a restart, it could be a retry.
        let served = Served::on(scratch.log(), false).await;
        assert_eq!(ana.update(&served, far, from, 0).await, Answer::Trouble { loss: true });
        assert_eq!(ask(&served, "/Problem", &Trouble { id: ana.0 }.write()).await, Answer::Trouble { loss: true });
    }
}
