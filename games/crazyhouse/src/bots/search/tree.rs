//! Alpha-beta search with a null window for all moves but the first, and with the usual prunings.

use std::time::Instant;

use crazyhouse_rules::{Move, MoveList, Position};
use engine::JavaRandom;

use super::{
    evaluation::evaluate,
    order::{Order, Rated, bring},
    table::{Bound, Known, Table, key},
};
use crate::bots::{
    Budget,
    worth::{HELD, PLACED},
};

/// The score of an immediate mate. It decreases by one for each move until the mate.
pub(super) const MATE: i32 = 30_000;
/// The score against a side that has no move and is not in check. The side must resign or hope for a draw, so it is close to a
/// mate.
const STUCK: i32 = 25_000;
/// Scores beyond this limit mean a certain end of the game, and tell how soon it comes.
pub(super) const LIMIT: i32 = 20_000;
/// The largest distance from the root that is searched.
pub(super) const DEEPEST: i32 = 96;
/// The number of captures after which checks are not searched any more. Dropped pieces could otherwise prolong the search
/// without end.
const DEEPEST_ANSWER: i32 = 8;

pub(super) struct Tree {
    table: Table,
    order: Order,
    /// The positions after the bot's own moves in the game, and the positions on the current path of the search.
    path: Vec<u64>,
    /// Rated moves by the distance from the root.
    lists: Vec<Vec<Rated>>,
    lines: Vec<Vec<Move>>,
    moves: MoveList,
    nodes: u64,
    most: u64,
    until: Option<Instant>,
    is_over: bool,
}

/// Alpha and beta: the search needs exact scores only between them.
type Window = (i32, i32);

impl Tree {
    pub(super) fn new() -> Self {
        let plies = DEEPEST as usize + 2;
        Self {
            table: Table::new(),
            order: Order::new(),
            path: Vec::new(),
            lists: (0..plies).map(|_| Vec::new()).collect(),
            lines: (0..plies).map(|_| Vec::new()).collect(),
            moves: MoveList::new(),
            nodes: 0,
            most: 0,
            until: None,
            is_over: false,
        }
    }

    /// Starts the search for a move of the game. Returns all legal moves, the best rated first, and equally rated ones in
    /// random order.
    pub(super) fn begin(&mut self, position: &Position, budget: Budget, random: &mut JavaRandom) -> Vec<Move> {
        self.table.age();
        self.order.age();
        (self.nodes, self.is_over) = (0, false);
        self.most = budget.nodes.unwrap_or(u64::MAX);
        self.until = budget.time.and_then(|time| Instant::now().checked_add(time));

        position.legal_moves(&mut self.moves);
        let hashed = self.table.find(key(position)).map_or(0, |known| known.best);
        let mut rated = std::mem::take(&mut self.lists[0]);
        self.order.rate(position, &self.moves, hashed, 0, &mut rated);
        random.shuffle(&mut rated);
        rated.sort_by_key(|rated| -rated.rate);
        let moves = rated.iter().map(|rated| rated.legal).collect();
        self.lists[0] = rated;
        moves
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the budget is used up.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Copies the principal variation of the last search from the root.
    pub(super) fn copy_line(&self, line: &mut Vec<Move>) {
        line.clone_from(&self.lines[0]);
    }

    /// Remembers a position of the game. Returning to it counts as a draw, because it is no progress.
    pub(super) fn remember(&mut self, position: &Position) {
        const LONG_AGO: usize = 60;
        if self.path.len() == LONG_AGO {
            self.path.remove(0);
        }
        self.path.push(key(position));
    }

    /// Searches all moves to a depth, and puts the best move first. Returns the best score. If the budget ends before all moves
    /// are searched, this is the best score so far, or `None` if it ends during the first move.
    pub(super) fn root(&mut self, position: &Position, moves: &mut [Move], depth: i32, window: Window) -> Option<i32> {
        let (mut alpha, beta) = window;
        let mut best = None;
        self.path.push(key(position));
        for at in 0..moves.len() {
            let next = position.after(moves[at]);
            let mut score = 0;
            if at > 0 {
                score = -self.look(&next, depth - 1, (-alpha - 1, -alpha), 1, true);
            }
            if !self.is_over && (at == 0 || score > alpha && score < beta) {
                score = -self.look(&next, depth - 1, (-beta, -alpha), 1, true);
            }
            if self.is_over {
                break;
            }
            if best.is_none_or(|best| score > best) {
                best = Some(score);
            }
            if score > alpha || at == 0 {
                alpha = alpha.max(score);
                self.extend_line(moves[at], 0);
                moves[..=at].rotate_right(1);
            }
            if score >= beta {
                break;
            }
        }
        self.path.pop();
        best
    }

    /// The score of a position for its side to move. `may_pass` is false directly after a null move.
    fn look(&mut self, position: &Position, depth: i32, window: Window, ply: usize, may_pass: bool) -> i32 {
        let turn = position.turn();
        let is_check = position.in_check(turn);
        let depth = if is_check { depth + 1 } else { depth };
        if depth <= 0 {
            return self.calm(position, window, ply, 0);
        }
        self.lines[ply].clear();
        if self.is_out_of_budget() {
            return 0;
        }
        let key = key(position);
        if let Some(end) = self.end(position, key, ply) {
            return end;
        }
        let (mut alpha, beta) = (window.0.max(ply as i32 - MATE), window.1.min(MATE - ply as i32));
        if alpha >= beta {
            return alpha;
        }
        let is_narrow = beta - alpha == 1;
        let known = self.table.find(key);
        if let Some(known) = known.filter(|known| is_narrow && known.depth >= depth) {
            let score = score_from_table(known.score, ply);
            let is_enough = match known.bound {
                Bound::Exact => true,
                Bound::AtLeast => score >= beta,
                Bound::AtMost => score <= alpha,
            };
            if is_enough {
                return score;
            }
        }
        self.path.push(key);
        if is_narrow
            && !is_check
            && let Some(score) = self.hopeless(position, depth, beta, ply, may_pass)
        {
            self.path.pop();
            return score;
        }

        position.legal_moves(&mut self.moves);
        let mut rated = std::mem::take(&mut self.lists[ply]);
        self.order.rate(position, &self.moves, known.map_or(0, |known| known.best), ply, &mut rated);
        let first = alpha;
        let (mut best, mut best_move) = (-MATE, Move::default());
        for at in 0..rated.len() {
            bring(&mut rated, at);
            let Rated { legal, is_quiet, .. } = rated[at];
            let next = position.after(legal);
            let is_plain = is_quiet && !is_check && !next.in_check(next.turn());
            if is_plain && is_narrow && best > -LIMIT && depth <= 4 && at as i32 > 5 + 5 * depth * depth {
                continue;
            }
            let less = if is_plain { reduction(depth, at, is_narrow) } else { 0 };
            let score = self.look_after(&next, (depth, less), (alpha, beta), ply, at == 0);
            if self.is_over {
                break;
            }
            if score > best {
                (best, best_move) = (score, legal);
            }
            if score > alpha {
                alpha = score;
                self.extend_line(legal, ply);
            }
            if score >= beta {
                if is_quiet {
                    self.order.praise(turn, legal, depth, ply, &rated[..at]);
                }
                break;
            }
        }
        let is_end = rated.is_empty();
        self.lists[ply] = rated;
        self.path.pop();
        if self.is_over {
            return 0;
        }
        if is_end {
            return if is_check { ply as i32 - MATE } else { ply as i32 - STUCK };
        }
        let bound = match best {
            _ if best >= beta => Bound::AtLeast,
            _ if best > first => Bound::Exact,
            _ => Bound::AtMost,
        };
        self.table.keep(key, Known { best: best_move.code(), score: to_table(best, ply), depth, bound });
        best
    }

    /// The score of a move for the side that makes it. Late moves are first searched less deep, to see whether they can be the best.
    fn look_after(&mut self, next: &Position, depths: (i32, i32), window: Window, ply: usize, is_first: bool) -> i32 {
        let (alpha, beta) = window;
        let (depth, less) = depths;
        if is_first {
            return -self.look(next, depth - 1, (-beta, -alpha), ply + 1, true);
        }
        let mut score = -self.look(next, depth - 1 - less, (-alpha - 1, -alpha), ply + 1, true);
        if less > 0 && score > alpha && !self.is_over {
            score = -self.look(next, depth - 1, (-alpha - 1, -alpha), ply + 1, true);
        }
        if score > alpha && score < beta && !self.is_over {
            score = -self.look(next, depth - 1, (-beta, -alpha), ply + 1, true);
        }
        score
    }

    /// The score of a position that is not searched: it has no king, is too far from the root, or repeats an earlier position.
    fn end(&self, position: &Position, key: u64, ply: usize) -> Option<i32> {
        if position.king(position.turn()).is_none() {
            return Some(ply as i32 - MATE);
        }
        if self.path.contains(&key) {
            return Some(0);
        }
        (ply as i32 >= DEEPEST).then(|| evaluate(position))
    }

    /// Returns a score if the position is so good for the side to move that the opponent avoids it: by a margin, or even after
    /// a null move.
    fn hopeless(&mut self, position: &Position, depth: i32, beta: i32, ply: usize, may_pass: bool) -> Option<i32> {
        if beta.abs() >= LIMIT {
            return None;
        }
        let score = evaluate(position);
        if depth <= 3 && score - 110 * depth >= beta {
            return Some(score);
        }
        // A side with a piece in its pocket always has a useful move, so zugzwang is impossible.
        if !may_pass || depth < 3 || score < beta || !has_choice(position) {
            return None;
        }
        let mut passed = *position;
        passed.set_turn(position.turn().other());
        let score = -self.look(&passed, depth - 3 - depth / 5, (-beta, 1 - beta), ply + 1, false);
        (score >= beta && !self.is_over).then(|| score.min(LIMIT))
    }

    /// The score after all captures, so that no search stops in the middle of an exchange.
    fn calm(&mut self, position: &Position, window: Window, ply: usize, deep: i32) -> i32 {
        self.lines[ply].clear();
        if self.is_out_of_budget() {
            return 0;
        }
        let turn = position.turn();
        if position.king(turn).is_none() {
            return ply as i32 - MATE;
        }
        let is_check = position.in_check(turn) && deep < DEEPEST_ANSWER;
        let (mut alpha, beta) = window;
        let mut best = ply as i32 - MATE;
        if !is_check {
            best = evaluate(position);
            alpha = alpha.max(best);
            if best >= beta || ply as i32 >= DEEPEST {
                return best;
            }
        } else if ply as i32 >= DEEPEST {
            return evaluate(position);
        }
        let still = best;
        let mut rated = std::mem::take(&mut self.lists[ply]);
        position.legal_moves(&mut self.moves);
        if is_check {
            self.order.rate(position, &self.moves, 0, ply, &mut rated);
        } else {
            Order::rate_loud(position, &self.moves, &mut rated);
        }
        for at in 0..rated.len() {
            bring(&mut rated, at);
            let legal = rated[at].legal;
            if !is_check && still + most_gain(position, legal) < alpha {
                continue;
            }
            let score = -self.calm(&position.after(legal), (-beta, -alpha), ply + 1, deep + 1);
            if self.is_over {
                break;
            }
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.extend_line(legal, ply);
            }
            if score >= beta {
                break;
            }
        }
        self.lists[ply] = rated;
        best
    }

    fn extend_line(&mut self, legal: Move, ply: usize) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(legal);
        line.extend_from_slice(&below[0]);
    }

    /// Counts a position. Returns true if the budget is used up.
    fn is_out_of_budget(&mut self) -> bool {
        const OFTEN: u64 = 1 << 10;
        self.is_over = self.is_over
            || self.nodes >= self.most
            || self.nodes.is_multiple_of(OFTEN) && self.until.is_some_and(|until| Instant::now() >= until);
        if !self.is_over {
            self.nodes += 1;
        }
        self.is_over
    }
}

/// The reduction of the depth for a late quiet move.
fn reduction(depth: i32, at: usize, is_narrow: bool) -> i32 {
    if depth < 3 || at < 3 {
        return 0;
    }
    let late = 1 + i32::from(at >= 8) + i32::from(at >= 24) + i32::from(at >= 64);
    (late + depth / 8 - i32::from(!is_narrow)).clamp(0, depth - 2)
}

/// Whether the side to move has more than a king and pawns. With these alone, every move may be harmful (zugzwang).
fn has_choice(position: &Position) -> bool {
    use crazyhouse_rules::Kind::{Bishop, Knight, Queen, Rook};
    let side = position.turn();
    crazyhouse_rules::Kind::HELD.into_iter().any(|kind| position.held(side, kind) > 0)
        || [Knight, Bishop, Rook, Queen].into_iter().any(|kind| position.pieces(side, kind) != 0)
}

/// An upper bound for the immediate gain of a capture or promotion.
fn most_gain(position: &Position, legal: Move) -> i32 {
    const MARGIN: i32 = 250;
    let Some(taken) = position.piece_at(legal.to()) else { return PLACED[4] + MARGIN };
    let kind = taken.kind as usize;
    let promotes = matches!(legal.to().rank(), 0 | 7);
    PLACED[kind] + HELD.get(kind).unwrap_or(&MATE) + MARGIN + if promotes { PLACED[4] } else { 0 }
}

/// Converts a score for the table. The table counts the moves until the end of the game from the position, the tree from the
/// root.
fn to_table(score: i32, ply: usize) -> i32 {
    match score {
        _ if score > LIMIT => score + ply as i32,
        _ if score < -LIMIT => score - ply as i32,
        _ => score,
    }
}

fn score_from_table(score: i32, ply: usize) -> i32 {
    match score {
        _ if score > LIMIT => score - ply as i32,
        _ if score < -LIMIT => score + ply as i32,
        _ => score,
    }
}
