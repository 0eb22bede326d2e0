//! Elo ratings from results: the maximum likelihood in the Bradley-Terry model, with intervals from its curvature.
//!
//! A draw is half a win. Every player also has one drawn game against an average opponent: without it, a player who wins all
//! games would have an infinite rating. The average rating is 0.

/// The weight of the game against the average opponent.
const PRIOR: f64 = 1.0;

/// The number of Elo points per unit of the logistic curve.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// A rating, and half the length of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo points above the average.
    pub elo: f64,
    /// Half the length of the interval, in Elo points.
    pub within: f64,
}

/// The rating of every player. `points[a][b]` are the points of a against b, half a point for a draw.
pub fn ratings(points: &[Vec<f64>]) -> Vec<Rating> {
    let count = points.len();
    let mut strength = vec![0.0; count];
    for _ in 0..100 {
        let (slope, curve) = derivatives(points, &strength);
        let Some(step) = solve(&curve, &slope) else { break };
        strength.iter_mut().zip(&step).for_each(|(strength, step)| *strength += step.clamp(-2.0, 2.0));
        if step.iter().all(|step| step.abs() < 1e-9) {
            break;
        }
    }
    let (_, curve) = derivatives(points, &strength);
    let average = strength.iter().sum::<f64>() / count.max(1) as f64;
    let rating = |at: usize| {
        let mut unit = vec![0.0; count];
        unit[at] = 1.0;
        let variance = solve(&curve, &unit).map_or(f64::INFINITY, |column| column[at]);
        Rating { elo: (strength[at] - average) * SCALE, within: 1.96 * variance.sqrt() * SCALE }
    };
    (0..count).map(rating).collect()
}

/// The first derivatives of the log-likelihood, and its negated second derivatives.
fn derivatives(points: &[Vec<f64>], strength: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let count = points.len();
    let (mut slope, mut curve) = (vec![0.0; count], vec![vec![0.0; count]; count]);
    let expected = |difference: f64| 1.0 / (1.0 + (-difference).exp());
    for one in 0..count {
        let average = expected(strength[one]);
        slope[one] += PRIOR * (0.5 - average);
        curve[one][one] += PRIOR * average * (1.0 - average);
        for other in (0..count).filter(|other| *other != one) {
            let games = points[one][other] + points[other][one];
            let wins = expected(strength[one] - strength[other]);
            slope[one] += points[one][other] - games * wins;
            curve[one][one] += games * wins * (1.0 - wins);
            curve[one][other] -= games * wins * (1.0 - wins);
        }
    }
    (slope, curve)
}

/// Solves a system of linear equations by elimination; `None` if the matrix is singular.
fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let count = right.len();
    let mut rows: Vec<Vec<f64>> =
        matrix.iter().zip(right).map(|(row, right)| row.iter().copied().chain([*right]).collect()).collect();
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
    Some((0..count).map(|row| rows[row][count] / rows[row][row]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elo(points: &[Vec<f64>]) -> Vec<f64> {
        ratings(points).iter().map(|rating| rating.elo).collect()
    }

    #[test]
    fn known_scores() {
        // 3 of 4 points is a difference of 191 Elo. With many games, the game against the average opponent hardly changes it.
        let many = elo(&[vec![0.0, 3000.0], vec![1000.0, 0.0]]);
        assert!((many[0] - many[1] - 190.8).abs() < 1.0, "{many:?}");
        assert!((many[0] + many[1]).abs() < 1e-6, "the average is 0: {many:?}");
        let even = elo(&[vec![0.0, 7.0], vec![7.0, 0.0]]);
        assert!(even.iter().all(|elo| elo.abs() < 1e-6), "{even:?}");
    }

    #[test]
    fn ratings_of_undefeated_players_are_finite() {
        let all = ratings(&[vec![0.0, 10.0], vec![0.0, 0.0]]);
        assert!(all[0].elo > 100.0 && all[0].elo < 1000.0 && all[0].within.is_finite(), "{all:?}");
    }

    #[test]
    fn intervals_shrink_with_games() {
        let within = |games: f64| ratings(&[vec![0.0, games], vec![games, 0.0]])[0].within;
        assert!(within(10.0) > within(100.0) && within(100.0) > within(1000.0));
    }

    #[test]
    fn players_who_never_met_are_compared_through_others() {
        let through = elo(&[vec![0.0, 30.0, 0.0], vec![10.0, 0.0, 30.0], vec![0.0, 10.0, 0.0]]);
        assert!(through[0] > through[1] && through[1] > through[2], "{through:?}");
    }
}
