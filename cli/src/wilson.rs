//! Confidence intervals of win rates.

/// The 95 % Wilson interval of a win rate.
pub fn interval(won: u64, games: u64) -> (f64, f64) {
    const Z: f64 = 1.96;
    if games == 0 {
        return (0.0, 1.0);
    }
    let games = games as f64;
    let share = won as f64 / games;
    let middle = share + Z * Z / (2.0 * games);
    let spread = Z * (share * (1.0 - share) / games + Z * Z / (4.0 * games * games)).sqrt();
    let scale = 1.0 + Z * Z / games;
    (((middle - spread) / scale).max(0.0), ((middle + spread) / scale).min(1.0))
}

/// The difference of two win rates over the same games, and its 95 % interval by Agresti and Min, who add half a pair of each
/// kind. `more` is the number of games that only the first won, `fewer` the number that only the second won.
pub fn difference(more: u64, fewer: u64, games: u64) -> (f64, (f64, f64)) {
    const Z: f64 = 1.96;
    let plain = (more as f64 - fewer as f64) / games.max(1) as f64;
    let (more, fewer, games) = (more as f64 + 0.5, fewer as f64 + 0.5, games as f64 + 2.0);
    let middle = (more - fewer) / games;
    let spread = Z * (((more + fewer) / games - middle * middle) / games).sqrt();
    (plain, ((middle - spread).max(-1.0), (middle + spread).min(1.0)))
}

#[cfg(test)]
mod tests {
    use super::{difference, interval};

    #[test]
    fn intervals() {
        let check = |won, games, expected: &str| {
            let (low, high) = interval(won, games);
            assert_eq!(format!("{low:.3} {high:.3}"), expected, "{won} of {games}");
        };
        check(0, 0, "0.000 1.000");
        check(0, 10, "0.000 0.278");
        check(10, 10, "0.722 1.000");
        check(500, 1000, "0.469 0.531");
    }

    #[test]
    fn differences() {
        let check = |more, fewer, games, expected: &str| {
            let (plain, (low, high)) = difference(more, fewer, games);
            assert_eq!(format!("{plain:.3} {low:.3} {high:.3}"), expected, "{more} and {fewer} of {games}");
        };
        check(0, 0, 0, "0.000 -0.980 0.980");
        check(0, 0, 100, "0.000 -0.019 0.019");
        check(30, 10, 100, "0.200 0.079 0.313");
        check(10, 30, 100, "-0.200 -0.313 -0.079");
        check(10, 0, 10, "1.000 0.567 1.000");
    }
}
