//! Rules that panic stop only their own game.

use std::sync::Arc;

use commlib::Form;
use server::log::{LogReader, MemoryLog};

use crate::{
    counter::Command,
    support::{Served, watch},
};

#[tokio::test]
async fn a_panic_stops_one_game() {
    let cases = [
        (Command::Panic {}, "1 Joined Ana; closing GameOver"),
        // An event that cannot be encoded stays in the log, and cannot be sent later either.
        (Command::PanicLater {}, "refused Internal"),
    ];
    for (command, expected) in cases {
        let store = Arc::new(MemoryLog::new());
        let served = Served::on(store.clone()).await;
        let mut ana = served.creator("10").await;
        let mut other = served.creator("10").await;
        let mut eve = served.enter(Form::Json, watch(ana.game(), 1)).await.expect("a place to watch");
        ana.send(command.clone()).await;
        assert_eq!(ana.rest().await, "closing Internal", "{command:?}");
        assert_eq!(eve.rest().await, "closing Internal", "{command:?}");
        other.add(1).await;
        assert_eq!(other.hears().await, "3 Counted 1");
        assert_eq!(served.host.list().len(), 1, "{command:?}");
        let heard = match served.enter(Form::Json, watch(ana.game(), 0)).await {
            Ok(mut after) => after.rest().await,
            Err(rejection) => rejection.to_string(),
        };
        assert_eq!(heard, expected, "{command:?}");
        served.stop().await;
        assert_eq!(other.rest().await, "closing ShuttingDown");

        let games = store.list().await.expect("the games").into_iter();
        let (ends, players): (Vec<_>, Vec<_>) =
            games.map(|game| (game.end.map(|end| end.outcome), game.players)).unzip();
        assert_eq!(ends, [Some("broken".into()), None], "{command:?}");
        assert_eq!(players, [Some(vec!["Ana".into()]), None], "{command:?}");
        let next = Served::on(store).await;
        assert_eq!(next.host.list().len(), 1, "{command:?}: only the other goes on");
    }
}
