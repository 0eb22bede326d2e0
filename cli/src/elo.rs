//! Elo ratings from results: the maximum likelihood in the Bradley-Terry model, with intervals from its curvature.
//!
//! A draw is half a win. Every player also has one drawn game against an average opponent: without it, a player who wins all
//! games would have an infinite rating.
//!
//! Games only tell how far apart two players are. Adding the same number to all ratings changes nothing, so the curvature is
//! flat in that direction, and an inverse of it would be meaningless. The average rating is 0 by definition, so everything is
//! computed in the space of ratings with that average: the inverse is the pseudo-inverse of the projected curvature.

/// The weight of the game against the average opponent.
const PRIOR: f64 = 1.0;

/// The number of Elo points per unit of the logistic curve.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The games of one player against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// The number of games that the first of the two has won.
    pub won: u32,
    /// The number of drawn games.
    pub drawn: u32,
}

/// A rating, and half the length of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo points above the average.
    pub elo: f64,
    /// Half the length of the interval, in Elo points.
    pub within: f64,
}

type Matrix = Vec<Vec<f64>>;

/// The rating of every player. `scores[a][b]` are the games of a against b.
pub fn ratings(scores: &[Vec<Score>]) -> Vec<Rating> {
    let count = scores.len();
    let mut strength = vec![0.0; count];
    for _ in 0..100 {
        let Derivatives { slope, curve, .. } = Derivatives::new(scores, &strength);
        let Some(inverse) = pseudo_inverse(&curve) else { break };
        let step: Vec<f64> = inverse.iter().map(|row| dot(row, &slope)).collect();
        strength.iter_mut().zip(&step).for_each(|(strength, step)| *strength += step.clamp(-2.0, 2.0));
        if step.iter().all(|step| step.abs() < 1e-9) {
            break;
        }
    }
    // The steps are limited one by one, so their sum may differ from 0.
    let average = strength.iter().sum::<f64>() / count.max(1) as f64;
    let Derivatives { curve, spread, .. } = Derivatives::new(scores, &strength);
    let inverse = pseudo_inverse(&curve);
    let variance = |at: usize| {
        let row = &inverse.as_ref()?[at];
        Some(spread.iter().zip(row).map(|(spread, weight)| weight * dot(spread, row)).sum::<f64>())
    };
    let rating = |at: usize| Rating {
        elo: (strength[at] - average) * SCALE,
        within: 1.96 * variance(at).unwrap_or(f64::INFINITY).sqrt() * SCALE,
    };
    (0..count).map(rating).collect()
}

/// The likelihood around some strengths.
struct Derivatives {
    /// The first derivatives of the log-likelihood.
    slope: Vec<f64>,
    /// Its negated second derivatives.
    curve: Matrix,
    /// The variance of the slope. It equals the curvature in games without draws. A draw varies less than a win or a loss.
    spread: Matrix,
}

impl Derivatives {
    fn new(scores: &[Vec<Score>], strength: &[f64]) -> Self {
        let count = scores.len();
        let zeros = vec![vec![0.0; count]; count];
        let (mut slope, mut curve, mut spread) = (vec![0.0; count], zeros.clone(), zeros);
        let expected = |difference: f64| 1.0 / (1.0 + (-difference).exp());
        for one in 0..count {
            let average = expected(strength[one]);
            slope[one] += PRIOR * (0.5 - average);
            curve[one][one] += PRIOR * average * (1.0 - average);
            spread[one][one] += PRIOR * average * (1.0 - average);
            for other in (0..count).filter(|other| *other != one) {
                let (won, lost) = (f64::from(scores[one][other].won), f64::from(scores[other][one].won));
                let drawn = f64::from(scores[one][other].drawn);
                let wins = expected(strength[one] - strength[other]);
                let games = won + drawn + lost;
                slope[one] += won + drawn / 2.0 - games * wins;
                let steepness = games * wins * (1.0 - wins);
                curve[one][one] += steepness;
                curve[one][other] -= steepness;
                // The variance of a game with the expected score p that is drawn with the probability d is p (1 - p) - d / 4.
                let variance = (steepness - drawn / 4.0).max(0.0);
                spread[one][one] += variance;
                spread[one][other] -= variance;
            }
        }
        Self { slope, curve, spread }
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// The inverse of a symmetric matrix in the space of vectors with the sum 0; `None` if there is none.
fn pseudo_inverse(matrix: &[Vec<f64>]) -> Option<Matrix> {
    let count = matrix.len() as f64;
    let rows: Vec<f64> = matrix.iter().map(|row| row.iter().sum::<f64>() / count).collect();
    let all = rows.iter().sum::<f64>() / count;
    // The projection leaves the direction of equal numbers empty. There it gets the eigenvalue 1, which is taken away again.
    let projected = |row: usize, column: usize| matrix[row][column] - rows[row] - rows[column] + all + 1.0 / count;
    let size = matrix.len();
    let filled = (0..size).map(|row| (0..size).map(|column| projected(row, column)).collect()).collect();
    let mut inverse = inverse(filled)?;
    inverse.iter_mut().flatten().for_each(|value| *value -= 1.0 / count);
    Some(inverse)
}

/// The inverse of a matrix, by elimination; `None` if it is singular.
fn inverse(matrix: Matrix) -> Option<Matrix> {
    let count = matrix.len();
    let unit = |at: usize| (0..count).map(move |column| if column == at { 1.0 } else { 0.0 });
    let mut rows: Matrix =
        matrix.into_iter().enumerate().map(|(at, row)| row.into_iter().chain(unit(at)).collect()).collect();
    for column in 0..count {
        let largest =
            (column..count).max_by(|one, other| rows[*one][column].abs().total_cmp(&rows[*other][column].abs()))?;
        rows.swap(column, largest);
        if rows[column][column].abs() < 1e-12 {
            return None;
        }
        let pivot = rows[column].clone();
        for row in (0..count).filter(|row| *row != column) {
            let factor = rows[row][column] / pivot[column];
            rows[row].iter_mut().zip(&pivot).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    let scaled = |(at, row): (usize, Vec<f64>)| row[count..].iter().map(|value| value / row[at]).collect();
    Some(rows.into_iter().enumerate().map(scaled).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scores of a table of won games, without draws.
    fn won<const N: usize>(table: [[u32; N]; N]) -> Vec<Vec<Score>> {
        table.map(|row| row.map(|won| Score { won, drawn: 0 }).to_vec()).to_vec()
    }

    fn elo<const N: usize>(table: [[u32; N]; N]) -> Vec<f64> {
        ratings(&won(table)).iter().map(|rating| rating.elo).collect()
    }

    #[test]
    fn known_scores() {
        // 3 of 4 points is a difference of 191 Elo. With many games, the game against the average opponent hardly changes it.
        let many = elo([[0, 3000], [1000, 0]]);
        assert!((many[0] - many[1] - 190.8).abs() < 1.0, "{many:?}");
        assert!((many[0] + many[1]).abs() < 1e-6, "the average is 0: {many:?}");
        let even = elo([[0, 7], [7, 0]]);
        assert!(even.iter().all(|elo| elo.abs() < 1e-6), "{even:?}");
        assert_eq!(elo([]), [] as [f64; 0]);
    }

    #[test]
    fn ratings_of_undefeated_players_are_finite() {
        let all = ratings(&won([[0, 10], [0, 0]]));
        assert!(all[0].elo > 100.0 && all[0].elo < 1000.0 && all[0].within.is_finite(), "{all:?}");
    }

    /// Four times as many games with the same shares make an interval half as long.
    #[test]
    fn intervals_shrink_with_games() {
        let check = |scores: fn(u32) -> Vec<Vec<Score>>| {
            let within = |times: u32| ratings(&scores(times)).iter().map(|rating| rating.within).collect::<Vec<_>>();
            for (one, four) in within(250).into_iter().zip(within(1000)) {
                assert!((one / four - 2.0).abs() < 0.01, "{one} {four}");
            }
        };
        check(|times| won([[0, times], [times, 0]]));
        check(|times| won([[0, 9 * times], [times, 0]]));
        check(|times| won([[0, 3 * times, 20 * times], [times, 0, 4 * times], [times, times, 0]]));
    }

    #[test]
    fn draws_vary_less() {
        let within = |won, drawn| {
            let score = Score { won, drawn };
            ratings(&[vec![Score::default(), score], vec![score, Score::default()]])[0].within
        };
        // Half of the games are drawn, so the variance of a game is half as large.
        assert!((within(1000, 0) / within(500, 1000) - 2.0_f64.sqrt()).abs() < 0.01);
        assert!(within(0, 10) > 0.0, "there may be decided games, too");
    }

    #[test]
    fn players_who_never_met_are_compared_through_others() {
        let through = elo([[0, 30, 0], [10, 0, 30], [0, 10, 0]]);
        assert!(through[0] > through[1] && through[1] > through[2], "{through:?}");
    }

    /// A generator of numbers from 0 to 1 (SplitMix64), the same on every machine.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
        }

        /// Players with random strengths, and their games. `draws` is the share of the games of equal players that are drawn.
        fn tournament(&mut self, players: usize, games: u32, draws: f64) -> (Vec<f64>, Vec<Vec<Score>>) {
            let strength: Vec<f64> = (0..players).map(|_| 400.0 * self.next() - 200.0).collect();
            let mut scores = vec![vec![Score::default(); players]; players];
            for one in 0..players {
                for other in 0..one {
                    let wins = 1.0 / (1.0 + ((strength[other] - strength[one]) / SCALE).exp());
                    let drawn = 2.0 * draws * wins.min(1.0 - wins);
                    for _ in 0..games {
                        match self.next() {
                            at if at < drawn => {
                                scores[one][other].drawn += 1;
                                scores[other][one].drawn += 1;
                            }
                            // The expected score is `wins`, and a draw is half of it.
                            at if at < wins + drawn / 2.0 => scores[one][other].won += 1,
                            _ => scores[other][one].won += 1,
                        }
                    }
                }
            }
            (strength, scores)
        }
    }

    /// Of 1,000 tournaments, the share of players whose true rating is within the interval. With still fewer games of two
    /// players, few results are possible, and the intervals are a little too long.
    #[test]
    fn the_true_rating_is_in_95_of_100_intervals() {
        for (players, games) in [(2, 20), (2, 200), (3, 10), (3, 200), (6, 6), (6, 100)] {
            for draws in [0.0, 0.5] {
                let mut random = Random(2026);
                let mut inside = 0;
                for _ in 0..1000 {
                    let (strength, scores) = random.tournament(players, games, draws);
                    let average = strength.iter().sum::<f64>() / players as f64;
                    let is_inside =
                        |(rating, strength): &(Rating, f64)| (rating.elo - (strength - average)).abs() <= rating.within;
                    inside += ratings(&scores).into_iter().zip(strength).filter(is_inside).count();
                }
                let share = inside as f64 / (1000 * players) as f64;
                let case = format!("{players} players, {games} games of each pair, {draws} drawn");
                assert!((0.93..=0.97).contains(&share), "{case}: {share}");
            }
        }
    }
}
