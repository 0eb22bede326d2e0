//! The matrix as text for people, and as JSON for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::matrix::{Fate, Matrix, Row};

/// The maximum number of scripts that a line names.
const NAMED: usize = 3;

/// The survivors, then every kill with its first difference, and a last line with the counts.
pub fn text(matrix: &Matrix) -> String {
    let mut text = String::new();
    let mut last = None;
    for row in &matrix.rows {
        let fate = row.fate();
        if last != Some(fate) {
            let gap = if last.is_some() { "\n" } else { "" };
            write!(text, "{gap}{} {}\n\n", matrix.count(fate), title(fate)).expect("a string takes everything");
            last = Some(fate);
        }
        text += &lines(matrix, row);
    }
    text + &format!("\n{}\n", summary(matrix))
}

/// The title of a section, after the number of its mutants.
pub fn title(fate: Fate) -> &'static str {
    match fate {
        Fate::Survived => "SURVIVED: no script catches them",
        Fate::NotEquivalent => "KILLED, ALTHOUGH LISTED AS EQUIVALENT: their reason is wrong",
        Fate::Equivalent => "equivalent, as expected: no script can catch them",
        Fate::Killed => "killed",
    }
}

/// One line with all counts.
pub fn summary(matrix: &Matrix) -> String {
    let mutants = matrix.rows.len();
    let killed = matrix.count(Fate::Killed);
    let survived = matrix.count(Fate::Survived) + matrix.count(Fate::NotEquivalent);
    let equivalent = matrix.count(Fate::Equivalent);
    let (scripts, games, seconds) = (matrix.scripts.len(), matrix.games, matrix.time.as_secs_f64());
    format!(
        "{mutants} mutants: {killed} killed, {equivalent} equivalent, {survived} survived; \
         {scripts} scripts, {games} games in {seconds:.1} s"
    )
}

fn lines(matrix: &Matrix, row: &Row) -> String {
    let mutant = row.mutant;
    let mut text = format!("{} (RULES.md#{}): {}\n", mutant.name, mutant.section, mutant.mistake);
    if let Some(reason) = mutant.equivalent {
        writeln!(text, "    equivalent: {reason}").expect("a string takes everything");
    }
    let Some(first) = row.kills.first() else {
        let reached = match row.reached {
            0 => "no script reaches it".to_owned(),
            1 => "one script reaches it and does not catch it".to_owned(),
            reached => format!("{reached} scripts reach it and do not catch it"),
        };
        return text + &format!("    {reached}\n");
    };
    let mut names: Vec<String> = row.kills.iter().take(NAMED).map(|kill| place(matrix, kill.script)).collect();
    if row.kills.len() > NAMED {
        names.push(format!("{} more", row.kills.len() - NAMED));
    }
    text + &format!("    {} of {}: {}\n", row.kills.len(), row.reached, names.join(", "))
        + &format!("    {}\n", first.difference)
}

fn place(matrix: &Matrix, script: usize) -> String {
    let script = &matrix.scripts[script];
    format!("{} ({})", script.name, script.place)
}

/// The whole matrix as JSON, with the difference of every kill.
pub fn json(matrix: &Matrix) -> Value {
    let by_script = matrix.by_script();
    let scripts = matrix.scripts.iter().zip(&by_script).map(
        |(script, (kills, alone))| json!({"name": script.name, "place": script.place, "kills": kills, "alone": alone}),
    );
    let rows = matrix.rows.iter().map(|row| {
        let kills = row.kills.iter().map(|kill| json!({"script": kill.script, "difference": kill.difference}));
        json!({
            "name": row.mutant.name, "section": row.mutant.section, "editions": row.mutant.editions,
            "mistake": row.mutant.mistake, "equivalent": row.mutant.equivalent, "fate": word(row.fate()),
            "reached": row.reached, "kills": kills.collect::<Vec<_>>(),
        })
    });
    json!({
        "summary": summary(matrix), "complete": matrix.is_complete(), "games": matrix.games,
        "seconds": matrix.time.as_secs_f64(),
        "mutants": rows.collect::<Vec<_>>(), "scripts": scripts.collect::<Vec<_>>(),
    })
}

/// The state of a mutant, for programs.
pub fn word(fate: Fate) -> &'static str {
    match fate {
        Fate::Survived => "survived",
        Fate::NotEquivalent => "not-equivalent",
        Fate::Equivalent => "equivalent",
        Fate::Killed => "killed",
    }
}
