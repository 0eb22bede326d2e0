//! Missed events are sent once; finished games; unknown tokens and event numbers.

use commlib::{Form, Reason, Token};
use server::log::open_reader;

use crate::support::{Rejection, Served, greet, join, resume, watch, with_board};

#[tokio::test]
async fn exactly_what_was_missed_comes() {
    let served = Served::new().await;
    let mut ana = served.creator("10").await;
    ana.add(1).await;
    ana.add(2).await;
    assert_eq!(ana.hears().await, "3 Counted 1; 4 Counted 3");
    let all = ["1 Greeted", "2 Joined Ana", "3 Counted 1", "4 Counted 3"];
    for form in [Form::Binary, Form::Json] {
        for seen in 0..=4 {
            let mut again = served.enter(form, resume(ana.game(), ana.token(), seen)).await.expect("a place");
            assert_eq!(again.welcome.next, seen + 1);
            assert_eq!(again.hears().await, all[seen as usize..].join("; "), "after {seen}");
        }
        for seen in [5, u64::MAX] {
            let refused = served.enter(form, resume(ana.game(), ana.token(), seen)).await.err();
            assert_eq!(refused, Some(Rejection::Refused(Reason::BadMessage)), "after {seen}");
        }
    }
    let refused = served.enter(Form::Json, watch(ana.game(), 6)).await.err();
    assert_eq!(refused, Some(Rejection::Refused(Reason::BadMessage)), "five events are for watchers");
    let mut eve = served.enter(Form::Json, watch(ana.game(), 3)).await.expect("a place to watch");
    assert_eq!(eve.hears().await, "4 Moved 1; 5 Counted 3");
}

#[tokio::test]
async fn a_second_connection_replaces_the_first() {
    let served = Served::new().await;
    let mut ana = served.creator("10").await;
    let mut again = served.enter(Form::Json, resume(ana.game(), ana.token(), 2)).await.expect("the place");
    assert_eq!(ana.rest().await, "closing Replaced");
    let board = with_board(resume(ana.game(), ana.token(), 2));
    let mut third = served.enter(Form::Binary, board).await.expect("the place, with the board");
    assert_eq!(again.rest().await, "closing Replaced");
    third.add(1).await;
    assert_eq!(third.hears().await, "3 Moved 1; 4 Counted 1");
}

#[tokio::test]
async fn a_refused_resume_replaces_nobody() {
    let served = Served::new().await;
    let mut ana = served.creator("10").await;
    let other = served.creator("10").await;
    for (hello, answer) in [
        (resume(ana.game(), Token::new([7; 16]), 0), "refused UnknownToken"),
        (resume(ana.game(), other.token(), 0), "refused UnknownToken"),
        (resume(ana.game(), ana.token(), 3), "refused BadMessage"),
        (resume("nowhere", ana.token(), 0), "refused UnknownGame"),
    ] {
        assert_eq!(
            served.enter(Form::Json, hello).await.err().map(|rejection| rejection.to_string()).as_deref(),
            Some(answer)
        );
    }
    ana.add(1).await;
    assert_eq!(ana.hears().await, "3 Counted 1");
}

#[tokio::test]
async fn a_finished_game_tells_the_rest_from_the_log() {
    let scratch = crate::support::Scratch::new();
    let served = Served::on(scratch.log()).await;
    let mut ana = served.creator("3").await;
    let mut bo = served.enter(Form::Json, join(ana.game())).await.expect("a place");
    let (game, token) = (ana.game().to_owned(), ana.token());
    ana.add(3).await;
    assert_eq!(ana.rest().await, "3 Counted 3; 4 Done; closing GameOver");
    assert_eq!(bo.rest().await, "closing GameOver", "without a seat");
    let mut visitor = served.connect(Form::Binary).await;
    for (hello, answer) in [
        (join(&game), "refused GameOver"),
        (resume(&game, Token::new([7; 16]), 0), "refused UnknownToken"),
        (resume(&game, token, 5), "refused BadMessage"),
        (resume(&game, token, u64::MAX), "refused BadMessage"),
        (watch(&game, 5), "refused BadMessage"),
    ] {
        assert_eq!(greet(&mut visitor, hello.clone()).await.expect_err("a refusal").to_string(), answer, "{hello:?}");
    }
    for (hello, expected) in [
        (resume(&game, token, 2), "3 Counted 3; 4 Done; closing GameOver"),
        (resume(&game, token, 4), "closing GameOver"),
        (with_board(resume(&game, token, 2)), "3 Moved 1; 4 Counted 3; 5 Done; closing GameOver"),
        (watch(&game, 0), "1 Joined Ana; 2 Moved 1; 3 Counted 3; 4 Done; closing GameOver"),
    ] {
        for form in [Form::Binary, Form::Json] {
            let mut again = served.enter(form, hello.clone()).await.expect("the game again");
            assert_eq!(again.rest().await, expected, "{hello:?}");
        }
    }
    assert_eq!(served.host.list(), [], "a finished game is not open");
    let reader = open_reader(&scratch.path("games.db")).await.expect("the log");
    let stored = reader.list().await.expect("the games");
    assert_eq!(stored[0].players.as_deref(), Some(&["Ana".to_owned()][..]), "for lists of games");
    let results = stored[0].results.as_deref().expect("for programs");
    let [seat] = results else { panic!("one seat: {results:?}") };
    assert_eq!((seat.name.as_str(), seat.verdict), ("Ana", engine::Verdict::Won));
}
