//! Scenarios and other setups: each is refused, or a game of it can be played.

use commlib::Create;
use engine::{CommId, Header, laws::Trial};
use server::{Adapter, SetupOf};

use super::{
    GAMES, choose,
    game::Fuzzed,
    inputs::{CLIENTS, Inputs},
};

/// The most inputs of a game, so that an input of the target is quick: a trial checks every law at every step.
const MOST_INPUTS: usize = 24;

/// The deadlines that an input can choose, in milliseconds.
const TIMEOUTS: [Option<u64>; 4] = [None, Some(1), Some(1000), Some(7 * 24 * 3600 * 1000)];

/// Bytes of an input: the game or another kind of setup, the edition, the deadline, the text up to a zero, inputs of the game.
pub fn run(input: &[u8]) {
    let [kind, edition, timeout, bytes @ ..] = input else { return };
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let (text, inputs) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
    let others = GAMES.iter().flat_map(|(_, game)| game.setups);
    if let Some((_, setup)) = others.into_iter().find(|(letter, _)| letter == kind) {
        return setup(text, inputs);
    }
    let (Some(game), Ok(text)) = (choose(GAMES, *kind), str::from_utf8(text)) else { return };
    (game.scenario)(text, [*edition, *timeout], inputs);
}

/// Makes the setup that a client asks for.
pub(super) fn scenario<F: Fuzzed>(text: &str, [edition, timeout]: [u8; 2], inputs: &[u8]) {
    let edition = edition.checked_sub(1).map(|edition| F::EDITIONS[usize::from(edition) % F::EDITIONS.len()]);
    let create = Create {
        rulebook: None,
        scenario: text.into(),
        edition: edition.map(Into::into),
        seed: None,
        timeout: TIMEOUTS[usize::from(timeout) % TIMEOUTS.len()],
    };
    if let Ok(setup) = F::Adapter::setup(&create) {
        play::<F::Adapter>(&setup, inputs);
    }
}

/// Plays a game of a setup and checks all laws. The setup can be stored, and read again.
pub(super) fn play<A: Adapter>(setup: &SetupOf<A>, inputs: &[u8]) {
    let _ = A::title(A::scenario(setup));
    let header = Header::new::<A::Rules>("fuzz", 0, setup.clone(), 1);
    assert_eq!(Header::decode(&header.encode()).as_ref(), Ok(&header), "a setup can be stored");
    let mut trial = Trial::<A::Rules>::new(setup, 1, (0..CLIENTS).map(CommId));
    let mut inputs = Inputs::new(inputs, trial.outbox());
    for _ in 0..MOST_INPUTS {
        let Some(input) = inputs.next() else { break };
        trial.step(input.elapsed_ms, input.cause);
        inputs.follow(trial.outbox());
    }
    trial.finish();
}
