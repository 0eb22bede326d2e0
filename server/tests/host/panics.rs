//! Rules that break a promise stop their own game only.

use commlib::Form;

use crate::{
    counter::Command,
    support::{Served, watch},
};

#[tokio::test]
async fn a_panic_stops_one_game() {
    for command in [Command::Panic {}, Command::PanicLater {}] {
        let served = Served::new().await;
        let mut ana = served.creator("10").await;
        let mut other = served.creator("10").await;
        let mut eve = served.enter(Form::Json, watch(ana.game(), 1)).await.expect("a place to watch");
        ana.send(command.clone()).await;
        assert_eq!(ana.rest().await, "closing Internal", "{command:?}");
        assert_eq!(eve.rest().await, "closing Internal", "{command:?}");
        other.add(1).await;
        assert_eq!(other.hears().await, "3 Counted 1");
        let refused = served.enter(Form::Json, watch(ana.game(), 0)).await.err();
        assert_eq!(refused.as_deref(), Some("refused UnknownGame"), "{command:?}");
        assert_eq!(served.host.list().len(), 1, "{command:?}");
        served.stop().await;
        assert_eq!(other.rest().await, "closing ShuttingDown");
    }
}
