//! The built-in scenarios.

/// The name of each scenario, and its JSON.
pub const SCENARIOS: &[(&str, &str)] = &[("small", SMALL), ("duel", DUEL), ("team", TEAM), ("classic", CLASSIC)];

/// One against one, takes about a minute.
const SMALL: &str = r#"{"width": 4, "height": 8, "players_per_team": 1, "pieces": 5, "shams_percentage": 20,
    "goals": [{"x": 0, "y": 1}, {"x": 3, "y": 0}], "no_progress": 600000}"#;

/// Two against two.
const DUEL: &str = r#"{"width": 8, "height": 16, "players_per_team": 2, "pieces": 10, "shams_percentage": 30,
    "goals": [{"x": 1, "y": 2}, {"x": 6, "y": 2}, {"x": 3, "y": 0}],
    "costs": {"move": 100, "discover": 450, "test": 500, "pick_up": 100, "place": 100}, "no_progress": 600000}"#;

/// Four against four; new pieces keep appearing.
const TEAM: &str = r#"{"width": 12, "height": 24, "players_per_team": 4, "pieces": 12, "shams_percentage": 25,
    "goals": [{"x": 1, "y": 4}, {"x": 4, "y": 1}, {"x": 6, "y": 5}, {"x": 8, "y": 0}, {"x": 10, "y": 3}],
    "costs": {"move": 100, "discover": 450, "test": 500, "pick_up": 100, "place": 100},
    "respawn_interval": 5000, "no_progress": 600000}"#;

/// Ten against ten on a large board.
const CLASSIC: &str = r#"{"width": 20, "height": 40, "players_per_team": 10, "pieces": 40, "shams_percentage": 25,
    "goals": [{"x": 2, "y": 7}, {"x": 5, "y": 3}, {"x": 9, "y": 8}, {"x": 11, "y": 1}, {"x": 14, "y": 6}, {"x": 18, "y": 2}],
    "costs": {"move": 100, "discover": 450, "test": 500, "pick_up": 100, "place": 100}, "no_progress": 1200000}"#;
