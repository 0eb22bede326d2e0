//! The strategy `planner`: simulates each choice in determinized games, and takes the choice with the best results.
//!
//! In these games all players continue as `sensible`. All choices get the same luck, turn by turn, so that only the choice
//! makes a difference. After each of several heats, the worse half of the choices is dropped.

use std::time::Duration;

use colony_rules::{Asked, Board, Command, Event, Game, Outcome, PlayerId, Timer, View};
use engine::{Cause, Input, JavaRandom, Outbox, Rulebook};

use super::{choices::choices, sensible};

/// The limit for a decision.
#[expect(missing_debug_implementations, reason = "a clock has nothing to show")]
pub enum Budget<'c> {
    /// About this many games, and at least one for each choice.
    Rollouts(usize),
    /// This much time. The clock returns the time since the start, and is read before each simulated game.
    Time(Duration, &'c mut dyn FnMut() -> Duration),
}

/// Decides on a command. With a budget of games this is a pure function. With a budget of time, the quality depends on the
/// clock, but the command is always legal.
pub fn planner(view: &View, random: &mut JavaRandom, budget: Budget<'_>) -> Command {
    let Some(player) = view.player else { return Command::EndTurn {} };
    let mut commands = match view.asked {
        Asked::Nothing => return Command::EndTurn {},
        Asked::Act => choices(&view.board, player),
        Asked::Vote => vec![Command::Vote { answer: true }, Command::Vote { answer: false }],
        Asked::Characters(offered) => {
            let pairs = (0..4).flat_map(|first| (0..first).map(move |second| (first, second)));
            pairs
                .map(|(first, second)| Command::SelectCharacters { first: offered[first], second: offered[second] })
                .collect()
        }
    };
    let usual = sensible::answer(&view.board, player, view.asked);
    let Some(imagined) = Game::imagine(view, &mut JavaRandom::new(0)) else { return usual };
    commands.retain(|command| *command != usual);
    commands.insert(0, usual.clone());
    commands.retain(|command| imagined.refusal(command).is_none());
    Planner { view, player, outbox: Outbox::new() }.choose(commands, random, budget).unwrap_or(usual)
}

struct Planner<'v> {
    view: &'v View,
    player: PlayerId,
    outbox: Outbox<Event, Timer>,
}

/// A possible command, and its results so far.
struct Choice {
    command: Command,
    worth: f64,
}

impl Planner<'_> {
    /// The best of several commands; the first one if there is no time.
    fn choose(&mut self, commands: Vec<Command>, random: &mut JavaRandom, budget: Budget<'_>) -> Option<Command> {
        let mut choices: Vec<Choice> = commands.into_iter().map(|command| Choice { command, worth: 0.0 }).collect();
        let heats = choices.len().next_power_of_two().ilog2();
        let mut thinking = Thinking { budget, heats, now: Duration::ZERO, over: false };
        for heat in 1..=heats {
            self.play_all(&mut choices, random, heat, &mut thinking);
            // The sort is stable, so the choice of `sensible`, which comes first, wins a tie.
            choices.sort_by(|one, other| other.worth.total_cmp(&one.worth));
            choices.truncate(choices.len().div_ceil(2));
            if thinking.over {
                break;
            }
        }
        choices.into_iter().next().map(|best| best.command)
    }

    /// Plays all choices of a heat, in one determinized game after the other.
    fn play_all(&mut self, choices: &mut [Choice], random: &mut JavaRandom, heat: u32, thinking: &mut Thinking<'_>) {
        let mut worths = vec![0.0; choices.len()];
        for games in 1.. {
            let world = Game::determinize(self.view, random);
            let luck = random.next_long();
            for (choice, worth) in choices.iter().zip(&mut worths) {
                if thinking.is_over() {
                    // A game counts only if all choices were played in it.
                    return;
                }
                *worth = self.play_on(world.clone(), luck, &choice.command);
            }
            choices.iter_mut().zip(&worths).for_each(|(choice, worth)| choice.worth += worth);
            if thinking.is_enough(heat, games, choices.len()) {
                return;
            }
        }
    }

    /// Sends the command and plays to the end. Returns how good the end is.
    fn play_on(&mut self, mut world: Game, luck: i64, command: &Command) -> f64 {
        let mut next = Some((self.player, command.clone()));
        let mut turn = None;
        while let Some((player, command)) = next {
            let now = (world.public().round, player, command == Command::EndTurn {});
            if turn != Some(now) {
                turn = Some(now);
                world.reseed(seed(luck, now));
            }
            self.fold(&mut world, player, command);
            next = world.asked().map(|(player, asked)| (player, sensible::answer(world.public(), player, asked)));
        }
        worth(world.public())
    }

    fn fold(&mut self, world: &mut Game, player: PlayerId, command: Command) {
        let client = Game::determinized_client(player);
        self.outbox.clear();
        world.fold(&Input { elapsed_ms: 0, cause: Cause::Command { client, command } }, &mut self.outbox);
    }
}

/// The progress of a decision.
struct Thinking<'c> {
    budget: Budget<'c>,
    heats: u32,
    /// The last clock reading.
    now: Duration,
    over: bool,
}

impl Thinking<'_> {
    /// Reads the clock. Returns whether the time is over.
    fn is_over(&mut self) -> bool {
        if let Budget::Time(all, clock) = &mut self.budget {
            self.now = clock();
            self.over = self.now >= *all;
        }
        self.over
    }

    /// Whether a heat (numbered from 1) has used its share of the budget after this many games with each choice.
    fn is_enough(&self, heat: u32, games: usize, choices: usize) -> bool {
        match self.budget {
            Budget::Rollouts(all) => games >= all / self.heats as usize / choices,
            Budget::Time(all, _) => self.now >= all * heat / self.heats,
        }
    }
}

/// The seed for a turn, or for the events at its end.
fn seed(luck: i64, (round, player, ends): (u32, PlayerId, bool)) -> i64 {
    /// Makes the seeds of similar numbers very different.
    const SPREAD: i64 = 0x9E37_79B9_7F4A_7C15_u64.cast_signed();
    luck ^ (i64::from(round) << 24 | i64::from(player.0) << 1 | i64::from(ends)).wrapping_mul(SPREAD)
}

/// How good the end of a game is: the remaining morale, or the number of rounds by which the end came too early.
fn worth(board: &Board) -> f64 {
    /// The value of a win, and the cost of a round, both in points of morale.
    const WIN: f64 = 6.0;
    const ROUND: f64 = 2.0;
    match board.outcome() {
        Some(Outcome::Won) => WIN + board.morale as f64,
        Some(Outcome::LostMorale | Outcome::LostGoal | Outcome::Abandoned | Outcome::Aborted) | None => {
            let left = board.setup().scenario.goal.rounds.saturating_sub(board.round);
            -ROUND * (f64::from(left) + 1.0)
        }
    }
}
