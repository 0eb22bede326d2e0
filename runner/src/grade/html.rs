//! The table as an HTML page that loads no other files, and a page for each team without hidden tests.

use std::fmt::{Arguments, Write as _};

use super::{
    output::TEAMS,
    table::{Change, Table, TeamMark, points, signed},
};
use crate::{report::xml, target::Outcome};

const STYLE: &str = "\
:root { color-scheme: light dark; --line: #8884; --dim: #777; --bad: #c62828; --good: #2e7d32; }
@media (prefers-color-scheme: dark) { :root { --dim: #999; --bad: #ff8a80; --good: #81c784; } }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; } h3 { font-size: 1rem; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .2rem .6rem; text-align: right; }
th:first-child, td:first-child { text-align: left; } th { vertical-align: bottom; }
pre { font: 13px/1.4 ui-monospace, monospace; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
details { border-bottom: 1px solid var(--line); padding: .3rem 0; } summary { cursor: pointer; }
.dim { color: var(--dim); } .bad { color: var(--bad); font-weight: 600; } .good { color: var(--good); }
.wide { overflow-x: auto; }
";

/// The page for instructors: the table, and everything about each team.
pub fn page(table: &Table<'_>) -> String {
    let mut page = head(&table.plan.title);
    let passed = table.teams.iter().filter(|team| team.passed).count();
    let tests: usize = table.groups.iter().map(Vec::len).sum();
    add(
        &mut page,
        format_args!(
            "<p>{passed} of {} teams passed. {tests} tests in {} groups; {} of {} points are needed.</p>\n",
            table.teams.len(),
            table.groups.len(),
            points(table.plan.pass_points),
            points(table.all_points())
        ),
    );
    let all: Vec<&TeamMark> = table.teams.iter().collect();
    grid(&mut page, table, &all, true);
    for team in &table.teams {
        let name = xml(&team.name);
        let file = name.replace(' ', "%20");
        add(&mut page, format_args!("<h2 id=\"{name}\">{name}</h2>\n"));
        add(&mut page, format_args!("<p><a href=\"{TEAMS}/{file}.html\">the team's own page</a></p>\n"));
        details(&mut page, table, team, true);
    }
    page + "</body></html>\n"
}

/// The page of a team. It has no names and no differences of hidden tests.
pub fn team_page(table: &Table<'_>, team: &TeamMark) -> String {
    let mut page = head(&format!("{}: {}", table.plan.title, team.name));
    let (class, word) = if team.passed { ("good", "passed") } else { ("bad", "not passed") };
    add(
        &mut page,
        format_args!(
            "<p><span class=\"{class}\">{word}</span>: {} of {} points, and {} are needed.</p>\n",
            points(team.points),
            points(table.all_points()),
            points(table.plan.pass_points)
        ),
    );
    grid(&mut page, table, &[team], false);
    details(&mut page, table, team, false);
    page + "</body></html>\n"
}

fn head(title: &str) -> String {
    let title = xml(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><style>\n{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    )
}

fn grid(page: &mut String, table: &Table<'_>, teams: &[&TeamMark], links: bool) {
    page.push_str("<div class=\"wide\"><table>\n<tr><th>team</th><th>passed</th><th>points</th><th>change</th>");
    for group in &table.plan.groups {
        let mut notes = format!("{} points", points(group.points));
        if group.pass_percent > 0 {
            notes.push_str(&format!(", pass mark {} %", group.pass_percent));
        }
        if group.mandatory {
            notes.push_str(", mandatory");
        }
        if group.hidden {
            notes.push_str(", hidden");
        }
        add(page, format_args!("<th>{}<br><span class=\"dim\">{}</span></th>", xml(&group.name), xml(&notes)));
    }
    page.push_str("<th>MiB</th><th>seconds</th></tr>\n");
    for team in teams {
        let name = xml(&team.name);
        if links {
            add(page, format_args!("<tr><td><a href=\"#{}\">{name}</a></td>", name.replace(' ', "%20")));
        } else {
            add(page, format_args!("<tr><td>{name}</td>"));
        }
        let (class, word) = if team.passed { ("good", "yes") } else { ("bad", "no") };
        let change = team.change.as_ref().map_or_else(|| "new".into(), |change| signed(change.points));
        add(page, format_args!("<td class=\"{class}\">{word}</td><td>{}</td><td>{change}</td>", points(team.points)));
        for mark in &team.groups {
            let class = if mark.reached { "" } else { " class=\"bad\"" };
            let (got, passed, all) = (points(mark.points), mark.passed, mark.all);
            add(page, format_args!("<td{class}>{got} <span class=\"dim\">{passed}/{all}</span></td>"));
        }
        add(page, format_args!("<td>{}</td><td>{:.1}</td></tr>\n", team.memory >> 20, team.seconds));
    }
    page.push_str("</table></div>\n");
}

/// The failed tests of each group, with the first difference of each. With `hidden`, those of hidden groups, too.
fn details(page: &mut String, table: &Table<'_>, team: &TeamMark, hidden: bool) {
    // A test may be in a hidden group and in another one. Then it is hidden.
    let is_hidden = |place: &str| {
        !hidden
            && table
                .plan
                .groups
                .iter()
                .zip(&table.groups)
                .any(|(group, tests)| group.hidden && tests.iter().any(|test| test.place == place))
    };
    if let Some(change) = &team.change {
        changes(page, table, change, &is_hidden);
    }
    for ((group, tests), rows) in table.plan.groups.iter().zip(&table.groups).zip(&team.results) {
        let failed: Vec<_> = rows.iter().filter(|row| row.verdict != Outcome::Ok).collect();
        if failed.is_empty() {
            continue;
        }
        let (name, count, all) = (xml(&group.name), failed.len(), tests.len());
        add(page, format_args!("<h3>{name}: {count} of {all} tests failed</h3>\n"));
        let mut unseen = 0;
        for row in failed {
            if is_hidden(&row.test) {
                unseen += 1;
                continue;
            }
            let test = tests.iter().find(|test| test.place == row.test).map_or("", |test| test.name.as_str());
            let (test, verdict, message) = (xml(test), row.verdict, xml(&row.message));
            add(
                page,
                format_args!(
                    "<details><summary><span class=\"bad\">{verdict}</span> {test}</summary><pre>{message}</pre></details>\n"
                ),
            );
        }
        if unseen > 0 {
            add(page, format_args!("<p class=\"dim\">{unseen} of them are hidden.</p>\n"));
        }
    }
}

fn changes(page: &mut String, table: &Table<'_>, change: &Change, is_hidden: &dyn Fn(&str) -> bool) {
    let name = |place: &String| {
        let test = table.groups.iter().flatten().find(|test| test.place == *place);
        xml(test.map_or("", |test| test.name.as_str()))
    };
    for (places, title) in [(&change.broken, "passed in the last run, and fail now"), (&change.mended, "pass now")] {
        let shown: Vec<String> = places.iter().filter(|place| !is_hidden(place)).map(name).collect();
        let unseen = places.len() - shown.len();
        if places.is_empty() {
            continue;
        }
        let more = if unseen > 0 { format!(" ({unseen} of them hidden)") } else { String::new() };
        let list: String = shown.iter().map(|name| format!("<li>{name}</li>")).collect();
        add(
            page,
            format_args!("<details><summary>{} tests {title}{more}</summary><ul>{list}</ul></details>\n", places.len()),
        );
    }
}

fn add(page: &mut String, text: Arguments<'_>) {
    page.write_fmt(text).expect("a string takes everything");
}
