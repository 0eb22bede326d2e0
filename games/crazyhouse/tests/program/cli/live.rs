//! A game that the last landed program began goes on.

use serde_json::json;

use crate::{
    host::HostProcess,
    live::{Live, resume},
};

#[test]
fn a_game_of_the_landed_program() {
    let live = Live::new("crazyhouse");
    let places = live.places("crazyhouse");
    let game = places[0]["game"].as_str().expect("a name");
    let (end, entries) = live.end(game);
    assert_eq!(end, None, "it runs");
    let host = HostProcess::start(&["--log", &live.log()]);
    let [mut ana, mut bo] = [0, 1].map(|seat: usize| resume(&host, &places[seat]));
    ana.say(&json!({"command": {"Move": {"text": "f3-g1"}}}));
    for line in [&mut ana, &mut bo] {
        let moved = line.hear();
        assert_eq!(moved["event"]["event"]["Moved"]["text"], "f3-g1", "{moved}");
    }
    bo.say(&json!({"command": {"Resign": {"because": null}}}));
    assert!(ana.hear()["event"]["event"]["Finished"].is_object());
    let outcome = live.check_end(host, game, entries + 1);
    assert!(outcome.contains("resign"), "{outcome}");
}
