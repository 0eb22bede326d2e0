//! Prints the figures of a part.

/// A measured figure beside its limit.
pub(crate) struct Line {
    pub(crate) what: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) ours: f64,
    /// The same figure for a server without games, if it was measured.
    pub(crate) limit: Option<f64>,
    /// The value that is compared with the target: the ratio, or the figure itself.
    pub(crate) found: f64,
    pub(crate) target: Target,
}

pub(crate) enum Target {
    AtLeast(f64),
    AtMost(f64),
    /// A figure to know.
    None,
}

pub(crate) fn print(title: &str, lines: &[Line]) {
    println!("\n{title}");
    println!("  {:<34} {:>12} {:>12} {:>10} {:>12}", "", "ours", "limit", "found", "target");
    for Line { what, unit, ours, limit, found, target } in lines {
        let limit = limit.map_or_else(|| "-".into(), number);
        let (target, met) = match target {
            Target::AtLeast(least) => (format!(">= {}", number(*least)), Some(found >= least)),
            Target::AtMost(most) => (format!("<= {}", number(*most)), Some(found <= most)),
            Target::None => ("-".into(), None),
        };
        let met = met.map_or("", |met| if met { "met" } else { "MISSED" });
        let what = format!("{what}, {unit}");
        println!("  {what:<34} {:>12} {limit:>12} {:>10} {target:>12}  {met}", number(*ours), number(*found));
    }
}

/// Formats a value with enough digits to tell two figures apart.
fn number(value: f64) -> String {
    if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
