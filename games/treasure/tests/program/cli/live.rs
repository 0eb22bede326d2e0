//! A game that the last landed program began goes on.

use testkit::Request;

use crate::{host::HostProcess, live::Live, port::Port};

#[test]
fn a_game_of_the_landed_program() {
    let live = Live::new("treasure");
    let places = live.places("treasure");
    let game = places["game"].as_str().expect("a name");
    let [ana, bo] = [0, 1].map(|player: usize| places["players"][player].as_str().expect("an id"));
    let (end, entries) = live.end(game);
    assert_eq!(end, None, "it runs");
    let port = Port::reserve();
    let address = port.address();
    let host = HostProcess::start(&["--log", &live.log(), "--treasure", &address.to_string()]);
    let state = |player: &str| Request::get(&format!("/games/{game}/states/{player}")).send_blocking(address).body;
    for player in [ana, bo] {
        let state = state(player);
        assert!(state.contains("<state>Okay</state>") && state.contains("<firstName>Ana</firstName>"), "{state}");
    }
    // A move before both halves of the map are there loses.
    let step = format!("<playerMove><uniquePlayerID>{ana}</uniquePlayerID><move>Up</move></playerMove>");
    let answer = Request::new("POST", &format!("/games/{game}/moves")).body(step).send_blocking(address).body;
    assert!(answer.contains("MoveBeforeHalves") || answer.contains("NotYourTurn"), "{answer}");
    assert!(state(bo).contains("<state>Won</state>"), "{}", state(bo));
    let outcome = live.check_end(host, game, entries);
    assert!(outcome.contains("wins"), "{outcome}");
}
