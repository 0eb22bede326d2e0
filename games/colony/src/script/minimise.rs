//! Shortens a game that grants a wish.

use colony_rules::{Game, Opening, Setup};
use engine::{Cause, Input, Outbox, Rulebook};
use script::Progress;

use super::{Act, Recording, watch::Watch, wish::Wish};

/// Removes commands while the game still grants the wish. No single command of the result can be removed. `None`: the game does
/// not grant the wish.
///
/// Removing a command can change everything after it, above all the dice. The result has the events of the shortened game.
pub fn minimise(recording: &Recording, wish: &Wish, progress: &mut dyn FnMut(Progress)) -> Option<Recording> {
    let mut referee = Referee::new(recording, wish);
    let mut acts: Vec<&Act> = recording.causes().collect();
    acts.truncate(referee.granted_after(&acts)?);

    let mut games_played = 1;
    let mut parts = 2;
    while acts.len() > 1 {
        let size = acts.len().div_ceil(parts);
        let shorter = (0..acts.len()).step_by(size).find_map(|begin| {
            let end = (begin + size).min(acts.len());
            let mut rest = [&acts[..begin], &acts[end..]].concat();
            games_played += 1;
            progress(Progress { games_played, commands_left: acts.len() });
            rest.truncate(referee.granted_after(&rest)?);
            Some(rest)
        });
        match shorter {
            Some(rest) => {
                acts = rest;
                parts = (parts - 1).max(2);
            }
            None if size == 1 => break,
            None => parts = (parts * 2).min(acts.len()),
        }
    }
    Some(Recording::play(&recording.name, &recording.setup, recording.seed, acts))
}

/// Plays games of one seed.
struct Referee<'r> {
    setup: &'r Setup,
    seed: i64,
    watch: Watch,
    opening: Opening,
}

impl<'r> Referee<'r> {
    fn new(recording: &'r Recording, wish: &Wish) -> Self {
        let Recording { setup, seed, .. } = recording;
        let watch = Watch::new(wish, setup, None);
        let mut opening = Opening::new(setup, 1, watch.wanted());
        opening.deal(*seed);
        Self { setup, seed: *seed, watch, opening }
    }

    /// The number of commands after which the wish is granted, if it is.
    fn granted_after(&mut self, acts: &[&Act]) -> Option<usize> {
        let mut outbox = Outbox::new();
        let mut game = Game::start(self.setup, self.seed, &mut outbox);
        self.watch.restart();
        self.watch.look_at(&self.opening, self.setup);
        for (act, taken) in acts.iter().zip(1..) {
            outbox.clear();
            let cause: Cause<_, _> = (*act).clone();
            game.fold(&Input { elapsed_ms: 0, cause }, &mut outbox);
            self.watch.hear(outbox.events().map(|(_, event)| event));
            if let Some(granted) = self.watch.verdict() {
                return granted.then_some(taken);
            }
        }
        self.watch.end();
        (self.watch.verdict() == Some(true)).then_some(acts.len())
    }
}
