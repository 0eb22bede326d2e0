//! How sure a share of games is.

/// Wilson's interval for the share of games that were won, at 95 %.
pub(crate) fn interval(won: u64, games: u64) -> (f64, f64) {
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

#[cfg(test)]
mod tests {
    use super::interval;

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
}
