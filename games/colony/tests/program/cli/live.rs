//! A game that the last landed program began goes on.

use serde_json::json;

use crate::{
    host::HostProcess,
    live::{Live, resume},
};

#[test]
fn a_game_of_the_landed_program() {
    let live = Live::new("colony");
    let places = live.places("colony");
    let game = places[0]["game"].as_str().expect("a name");
    let (end, entries) = live.end(game);
    assert_eq!(end, None, "it runs");
    let host = HostProcess::start(&["--log", &live.log()]);
    let [mut ana, mut bo] = [0, 1].map(|seat: usize| resume(&host, &places[seat]));
    ana.say(&json!({"command": {"Leave": {}}}));
    while bo.hear()["event"]["event"]["ActNow"].is_null() {}
    bo.say(&json!({"command": {"Leave": {}}}));
    let outcome = live.check_end(host, game, entries + 1);
    assert_eq!(outcome, "abandoned: nobody was left to play");
}
