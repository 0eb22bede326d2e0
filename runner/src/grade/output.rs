//! The table for people and programs: terminal, CSV, JSON and JUnit.

use std::{fmt::Write as _, fs, io, path::Path};

use serde_json::{Value, json};

use super::{
    html,
    journal::Row,
    table::{Table, TeamMark, points, signed},
};
use crate::{report::xml, target::Outcome};

/// The name of the JSON report. The next run compares its results with it.
pub const JSON: &str = "table.json";
/// The folder with a page for each team.
pub const TEAMS: &str = "teams";

/// Writes all reports into a folder.
///
/// # Errors
/// If a file cannot be written.
pub fn write(table: &Table<'_>, folder: &Path) -> io::Result<()> {
    let teams = folder.join(TEAMS);
    fs::create_dir_all(&teams)?;
    for team in &table.teams {
        replace(&teams.join(format!("{}.html", team.name)), &html::team_page(table, team))?;
    }
    replace(&folder.join("table.html"), &html::page(table))?;
    replace(&folder.join("table.csv"), &csv(table))?;
    replace(&folder.join("table.xml"), &junit(table))?;
    replace(&folder.join("table.txt"), &text(table))?;
    // The last one: only a complete run is compared with the next.
    replace(&folder.join(JSON), &format!("{:#}\n", json(table)))
}

/// Writes a file as a whole or not at all.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    let mut next = file.as_os_str().to_owned();
    next.push(".new");
    fs::write(&next, text)?;
    fs::rename(&next, file)
}

/// The table for a terminal.
pub fn text(table: &Table<'_>) -> String {
    let plan = table.plan;
    let compares = table.teams.iter().any(|team| team.change.is_some());
    let mut head: Vec<String> = vec!["team".into(), "passed".into(), "points".into()];
    if compares {
        head.push("change".into());
    }
    for group in &plan.groups {
        let marks = [(group.mandatory, "*"), (group.hidden, "?")];
        let marks: String = marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
        head.push(format!("{}{marks}", group.name));
    }
    head.extend(["MiB".into(), "seconds".into()]);
    let mut rows = vec![head];
    for team in &table.teams {
        let mut row = vec![team.name.clone(), if team.passed { "yes" } else { "NO" }.into(), points(team.points)];
        if compares {
            row.push(team.change.as_ref().map_or_else(|| "new".into(), |change| signed(change.points)));
        }
        for mark in &team.groups {
            let missed = if mark.reached { "" } else { "!" };
            row.push(format!("{} ({}/{}){missed}", points(mark.points), mark.passed, mark.all));
        }
        row.extend([(team.memory >> 20).to_string(), format!("{:.1}", team.seconds)]);
        rows.push(row);
    }
    let mut text = format!("{}\n\n", plan.title);
    align(&rows, &mut text);
    let passed = table.teams.iter().filter(|team| team.passed).count();
    let of = points(table.all_points());
    write!(text, "\n{passed} of {} teams passed", table.teams.len()).expect("a string takes everything");
    writeln!(text, "; {} of {of} points are needed", points(plan.pass_points)).expect("a string takes everything");
    let legends = [
        (plan.groups.iter().any(|group| group.mandatory), "* mandatory"),
        (plan.groups.iter().any(|group| group.hidden), "? hidden from the teams"),
        (table.teams.iter().any(|team| team.groups.iter().any(|mark| !mark.reached)), "! below the pass mark"),
    ];
    let legends: Vec<&str> = legends.iter().filter(|(is, _)| *is).map(|(_, legend)| *legend).collect();
    if !legends.is_empty() {
        writeln!(text, "{}", legends.join("; ")).expect("a string takes everything");
    }
    text
}

/// The first column is aligned to the left, all others to the right.
fn align(rows: &[Vec<String>], text: &mut String) {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(at, (cell, &width))| match at {
            0 => format!("{cell:<width$}"),
            _ => format!("  {cell:>width$}"),
        });
        let line: String = cells.collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

/// A row for each team, with columns for each group.
pub fn csv(table: &Table<'_>) -> String {
    let mut head: Vec<String> = ["team", "passed", "points", "change"].map(Into::into).to_vec();
    for group in &table.plan.groups {
        head.extend(["points", "tests passed", "tests", "pass mark"].map(|what| format!("{}: {what}", group.name)));
    }
    head.extend(["memory_mib".into(), "seconds".into()]);
    let mut text = line(&head);
    for team in &table.teams {
        let change = team.change.as_ref().map(|change| points(change.points)).unwrap_or_default();
        let mut row = vec![team.name.clone(), word(team.passed).into(), points(team.points), change];
        for mark in &team.groups {
            row.extend([points(mark.points), mark.passed.to_string(), mark.all.to_string(), word(mark.reached).into()]);
        }
        row.extend([(team.memory >> 20).to_string(), format!("{:.1}", team.seconds)]);
        text.push_str(&line(&row));
    }
    text
}

fn word(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

fn line(cells: &[String]) -> String {
    let quoted = |cell: &String| match cell.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    format!("{}\r\n", cells.iter().map(quoted).collect::<Vec<_>>().join(","))
}

/// Everything, for programs and for the comparison of the next run.
pub fn json(table: &Table<'_>) -> Value {
    let plan = table.plan;
    let groups = plan.groups.iter().zip(&table.groups).map(|(group, tests)| {
        json!({
            "name": group.name, "points": group.points, "pass_percent": group.pass_percent, "mandatory": group.mandatory,
            "hidden": group.hidden, "tests": tests.iter().map(|test| &test.place).collect::<Vec<_>>(),
        })
    });
    let groups: Vec<Value> = groups.collect();
    let teams: Vec<Value> = table.teams.iter().map(|team| team_json(table, team)).collect();
    json!({
        "title": plan.title, "points": table.all_points(), "pass_points": plan.pass_points, "groups": groups, "teams": teams,
    })
}

fn team_json(table: &Table<'_>, team: &TeamMark) -> Value {
    let groups = table.plan.groups.iter().zip(&team.groups).map(|(group, mark)| {
        json!({
            "name": group.name, "points": mark.points, "passed": mark.passed, "tests": mark.all, "reached": mark.reached,
        })
    });
    let groups: Vec<Value> = groups.collect();
    let mut tests: Vec<Value> = Vec::new();
    let mut seen = Vec::new();
    for (test, row) in results(table, team).filter(|(.., row)| row.team == team.name) {
        if !seen.contains(&test.place.as_str()) {
            seen.push(test.place.as_str());
            tests.push(json!({
                "name": test.name, "place": test.place, "verdict": row.verdict.name(), "message": row.message,
                "seconds": row.seconds, "memory": row.memory,
            }));
        }
    }
    let change = team
        .change
        .as_ref()
        .map(|change| json!({ "points": change.points, "mended": change.mended, "broken": change.broken }));
    json!({
        "name": team.name, "passed": team.passed, "points": team.points, "groups": groups, "tests": tests, "change": change,
        "memory": team.memory, "seconds": team.seconds,
    })
}

/// The tests of a team, with their results.
pub(super) fn results<'t>(
    table: &'t Table<'_>,
    team: &'t TeamMark,
) -> impl Iterator<Item = (&'t super::table::Test, &'t Row)> {
    let groups = table.groups.iter().zip(&team.results);
    groups.flat_map(|(tests, rows)| {
        rows.iter().filter_map(|row| Some((tests.iter().find(|test| test.place == row.test)?, row)))
    })
}

/// JUnit XML with a suite for each team. The class of a test is its group.
pub fn junit(table: &Table<'_>) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for team in &table.teams {
        let rows = || team.results.iter().flatten();
        let count = |is: fn(Outcome) -> bool| rows().filter(|row| is(row.verdict)).count();
        let failures = count(|outcome| outcome == Outcome::Fail);
        let errors = count(|outcome| !matches!(outcome, Outcome::Ok | Outcome::Fail));
        let (name, all) = (xml(&team.name), rows().count());
        writeln!(
            text,
            "<testsuite name=\"{name}\" tests=\"{all}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{:.3}\">",
            team.seconds
        )
        .expect("a string takes everything");
        for ((group, tests), rows) in table.plan.groups.iter().zip(&table.groups).zip(&team.results) {
            for row in rows {
                let name = tests.iter().find(|test| test.place == row.test).map_or("", |test| test.name.as_str());
                case(&mut text, &group.name, name, row);
            }
        }
        text.push_str("</testsuite>\n");
    }
    text + "</testsuites>\n"
}

fn case(text: &mut String, group: &str, name: &str, row: &Row) {
    let (group, name, seconds) = (xml(group), xml(name), row.seconds);
    write!(text, "  <testcase classname=\"{group}\" name=\"{name}\" time=\"{seconds:.3}\"")
        .expect("a string takes everything");
    let element = match row.verdict {
        Outcome::Ok => return text.push_str("/>\n"),
        Outcome::Fail => "failure",
        Outcome::ServerFail | Outcome::TimeOut | Outcome::ProtocolError => "error",
    };
    let (first, message) = (xml(row.message.lines().next().unwrap_or_default()), xml(&row.message));
    let verdict = row.verdict;
    writeln!(text, "><{element} type=\"{verdict}\" message=\"{first}\">{message}</{element}></testcase>")
        .expect("a string takes everything");
}
