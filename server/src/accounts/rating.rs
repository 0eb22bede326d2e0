//! Ratings: Elo, in whole numbers, so that every machine computes the same.

use engine::{SeatResult, Verdict};

/// The rating of a player who has played no rated game, in thousandths of a point.
pub(super) const FIRST: i64 = 1_500_000;

/// How far a game moves a rating at most, in points: first fast, then slowly.
const FAST: i64 = 32;
const SLOW: i64 = 16;

/// From this number of rated games on, a rating moves slowly.
const SLOW_FROM: u32 = 30;

/// The expected score of a player who is 0, 25, 50, .. 800 points better, in 1/10,000. Larger differences count as 800.
const EXPECTED: [i64; 33] = [
    5000, 5359, 5715, 6063, 6401, 6725, 7034, 7325, 7597, 7850, 8083, 8296, 8490, 8666, 8823, 8965, 9091, 9203, 9302,
    9390, 9468, 9536, 9595, 9648, 9693, 9733, 9768, 9799, 9825, 9848, 9868, 9886, 9901,
];

/// The step of the table, in thousandths of a point.
const STEP: i64 = 25_000;

/// A rated player of a game.
#[derive(Clone, Debug)]
pub(super) struct Rated<'r> {
    pub(super) result: &'r SeatResult,
    /// In thousandths of a point.
    pub(super) rating: i64,
    /// Rated games so far.
    pub(super) games: u32,
}

/// How the rating of each player changes, in thousandths of a point; `None` for a player who met no rated opponent.
///
/// Each pair of opponents counts as a game of two, and all pairs of a player together as one game. Players of the same side are no
/// opponents. The better verdict wins; the same verdict is a draw.
pub(super) fn changes(players: &[Rated<'_>]) -> Vec<Option<i64>> {
    let change = |(at, own): (usize, &Rated<'_>)| {
        let others = players.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other);
        let opponents: Vec<&Rated<'_>> = others.filter(|other| are_opponents(own.result, other.result)).collect();
        let pairs = i64::try_from(opponents.len()).ok().filter(|pairs| *pairs > 0)?;
        let surplus: i64 = opponents
            .iter()
            .map(|other| score(own.result.verdict, other.result.verdict) - expected(own.rating - other.rating))
            .sum();
        let most = if own.games < SLOW_FROM { FAST } else { SLOW };
        // Points times 1/10,000 are tenths of thousandths.
        Some(most * surplus / 10 / pairs)
    };
    players.iter().enumerate().map(change).collect()
}

fn are_opponents(one: &SeatResult, other: &SeatResult) -> bool {
    one.side.is_none() || one.side != other.side
}

/// The score against another verdict, in 1/10,000.
fn score(own: Verdict, other: Verdict) -> i64 {
    match rank(own).cmp(&rank(other)) {
        std::cmp::Ordering::Greater => 10_000,
        std::cmp::Ordering::Equal => 5_000,
        std::cmp::Ordering::Less => 0,
    }
}

fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Lost => 0,
        Verdict::Drawn => 1,
        Verdict::Won => 2,
    }
}

/// The expected score for a difference of ratings, in 1/10,000: between two rows of the table in proportion.
fn expected(difference: i64) -> i64 {
    let most = STEP * (EXPECTED.len() as i64 - 1);
    let size = difference.abs().min(most);
    let (row, rest) = ((size / STEP) as usize, size % STEP);
    let next = EXPECTED.get(row + 1).copied().unwrap_or(EXPECTED[row]);
    let better = EXPECTED[row] + (next - EXPECTED[row]) * rest / STEP;
    if difference < 0 { 10_000 - better } else { better }
}

#[cfg(test)]
mod tests {
    use engine::CommId;

    use super::*;

    fn seat(side: Option<&str>, verdict: Verdict) -> SeatResult {
        SeatResult { client: CommId(1), name: "x".into(), side: side.map(Into::into), verdict, points: 0 }
    }

    fn check(players: &[(Option<&str>, Verdict, i64, u32)], expected: &[Option<i64>]) {
        let seats: Vec<SeatResult> = players.iter().map(|(side, verdict, ..)| seat(*side, *verdict)).collect();
        let rated: Vec<Rated<'_>> = players
            .iter()
            .zip(&seats)
            .map(|((_, _, rating, games), result)| Rated { result, rating: *rating, games: *games })
            .collect();
        assert_eq!(changes(&rated), expected, "{players:?}");
    }

    #[test]
    fn ratings_move() {
        use Verdict::{Drawn, Lost, Won};
        check(&[(None, Won, FIRST, 0)], &[None]);
        check(&[(None, Won, FIRST, 0), (None, Lost, FIRST, 0)], &[Some(16_000), Some(-16_000)]);
        check(&[(None, Drawn, FIRST, 0), (None, Drawn, FIRST, 0)], &[Some(0), Some(0)]);
        check(&[(None, Won, FIRST, 30), (None, Lost, FIRST, 29)], &[Some(8_000), Some(-16_000)]);
        // 100 points better: 0.6401 is expected.
        check(&[(None, Won, FIRST + 100_000, 0), (None, Lost, FIRST, 0)], &[Some(11_516), Some(-11_516)]);
        check(&[(None, Drawn, FIRST + 100_000, 0), (None, Drawn, FIRST, 0)], &[Some(-4_483), Some(4_483)]);
        // Two against one: all pairs of a player are one game.
        let (us, them) = (Some("us"), Some("them"));
        check(
            &[(us, Won, FIRST, 0), (us, Won, FIRST, 0), (them, Lost, FIRST, 0)],
            &[Some(16_000), Some(16_000), Some(-16_000)],
        );
        check(&[(us, Won, FIRST, 0), (us, Won, FIRST, 0)], &[None, None]);
        check(&[(None, Won, FIRST, 0), (None, Lost, FIRST + 2_000_000, 0)], &[Some(31_683), Some(-31_683)]);
    }

    #[test]
    fn the_table_is_elo() {
        for (row, expected) in EXPECTED.iter().enumerate() {
            let elo = 10_000.0 / (1.0 + 10_f64.powf(-(row as f64) * 25.0 / 400.0));
            assert!((elo - *expected as f64).abs() < 0.51, "{row}: {elo}");
        }
        assert_eq!([expected(0), expected(12_500), expected(-12_500)], [5000, 5179, 4821]);
    }
}
