//! The matrix as an HTML page that loads no other files.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use super::{
    matrix::{Fate, Matrix, Row},
    report::{summary, title, word},
};

/// The maximum number of columns of the matrix. If there are more files, a column is a folder.
const COLUMNS: usize = 24;
/// The maximum number of differences that are shown for a mutant.
const SHOWN: usize = 20;

const STYLE: &str = "\
:root { color-scheme: light dark; --line: #8884; --dim: #777; --bad: #c62828; --good: 46 125 50; }
@media (prefers-color-scheme: dark) { :root { --dim: #999; --bad: #ff8a80; --good: 102 187 106; } }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .15rem .5rem; text-align: left; }
td.n { text-align: right; } td.zero { color: var(--dim); }
code, pre { font: 13px/1.4 ui-monospace, monospace; }
details { border-bottom: 1px solid var(--line); padding: .3rem 0; } summary { cursor: pointer; }
ul { margin: .3rem 0; padding-left: 1.5rem; } li { margin: .1rem 0; overflow-wrap: anywhere; }
.dim { color: var(--dim); } .survived, .not-equivalent { color: var(--bad); font-weight: 600; }
.wide { overflow-x: auto; }
";

/// The whole page.
pub fn page(matrix: &Matrix) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Mutants</title><style>\n{STYLE}</style></head><body>\n<h1>Mutants</h1>\n<p>{}</p>\n",
        escape(&summary(matrix))
    );
    for fate in [Fate::Survived, Fate::NotEquivalent, Fate::Equivalent, Fate::Killed] {
        let rows: Vec<&Row> = matrix.rows.iter().filter(|row| row.fate() == fate).collect();
        if !rows.is_empty() {
            add(&mut page, format_args!("<h2>{} {}</h2>\n", rows.len(), escape(title(fate))));
            rows.into_iter().for_each(|row| mutant(&mut page, matrix, row));
        }
    }
    grid(&mut page, matrix);
    scripts(&mut page, matrix);
    page + "</body></html>\n"
}

fn mutant(page: &mut String, matrix: &Matrix, row: &Row) {
    let (mutant, class) = (row.mutant, word(row.fate()));
    add(
        page,
        format_args!(
            "<details id=\"{name}\"><summary><code class=\"{class}\">{name}</code> {mistake} \
             <span class=\"dim\">RULES.md#{section}; {editions}; {kills} of {reached}</span></summary><ul>\n",
            name = escape(mutant.name),
            mistake = escape(mutant.mistake),
            section = escape(mutant.section),
            editions = escape(mutant.editions),
            kills = row.kills.len(),
            reached = row.reached,
        ),
    );
    if let Some(reason) = mutant.equivalent {
        add(page, format_args!("<li>equivalent: {}</li>\n", escape(reason)));
    }
    for kill in row.kills.iter().take(SHOWN) {
        let script = &matrix.scripts[kill.script];
        let (name, place) = (escape(&script.name), escape(&script.place));
        let difference = escape(&kill.difference);
        add(page, format_args!("<li>{name} <span class=\"dim\">{place}</span><br><code>{difference}</code></li>\n"));
    }
    match row.kills.len() {
        0 => add(page, format_args!("<li>{} scripts reach it, none catches it</li>\n", row.reached)),
        kills if kills > SHOWN => add(page, format_args!("<li>and {} more</li>\n", kills - SHOWN)),
        _ => (),
    }
    page.push_str("</ul></details>\n");
}

/// The grid of mutants and files: how many scripts of a file kill the mutant.
fn grid(page: &mut String, matrix: &Matrix) {
    let columns = columns(matrix);
    let names: BTreeMap<&str, usize> = columns.iter().map(|column| (column.as_str(), 0)).collect();
    page.push_str("<h2>How many scripts of each file kill each mutant</h2>\n<div class=\"wide\"><table><tr><th></th>");
    names.keys().for_each(|name| add(page, format_args!("<th>{}</th>", escape(name))));
    page.push_str("</tr>\n");
    for row in &matrix.rows {
        let mut counts = names.clone();
        for kill in &row.kills {
            *counts.entry(&columns[kill.script]).or_default() += 1;
        }
        let name = escape(row.mutant.name);
        let class = word(row.fate());
        add(page, format_args!("<tr><td><a href=\"#{name}\"><code class=\"{class}\">{name}</code></a></td>"));
        for count in counts.into_values() {
            if count == 0 {
                page.push_str("<td class=\"n zero\">0</td>");
            } else {
                // The shade is logarithmic: the difference between 1 and 2 matters more than between 100 and 200.
                let shade = 15 + 12 * count.ilog2().min(5);
                add(
                    page,
                    format_args!("<td class=\"n\" style=\"background: rgb(var(--good) / {shade}%)\">{count}</td>"),
                );
            }
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></div>\n");
}

/// The column of each script: its file, or its folder if there are too many files.
fn columns(matrix: &Matrix) -> Vec<String> {
    let file = |place: &str| {
        // Remove the line number after the last colon.
        let cut = place.rsplit_once(':').filter(|(_, line)| line.bytes().all(|byte| byte.is_ascii_digit()));
        cut.map_or(place, |(file, _)| file).to_owned()
    };
    let part = |path: &str, of: fn(&Path) -> Option<&Path>| {
        of(Path::new(path)).map_or(String::new(), |part| part.display().to_string())
    };
    let files: Vec<String> = matrix.scripts.iter().map(|script| file(&script.place)).collect();
    let mut distinct = files.clone();
    distinct.sort();
    distinct.dedup();
    if distinct.len() > COLUMNS {
        return files.iter().map(|file| part(file, Path::parent)).collect();
    }
    files.iter().map(|file| part(file, |path| path.file_name().map(Path::new))).collect()
}

fn scripts(page: &mut String, matrix: &Matrix) {
    page.push_str("<h2>What each script kills</h2>\n<details><summary>");
    add(page, format_args!("{} scripts</summary><table>\n", matrix.scripts.len()));
    page.push_str("<tr><th>script</th><th>place</th><th>kills</th><th>that no other kills</th></tr>\n");
    for (script, (kills, alone)) in matrix.scripts.iter().zip(matrix.by_script()) {
        let (name, place) = (escape(&script.name), escape(&script.place));
        let cells = format!("<td class=\"n\">{kills}</td><td class=\"n\">{alone}</td>");
        add(page, format_args!("<tr><td>{name}</td><td class=\"dim\">{place}</td>{cells}</tr>\n"));
    }
    page.push_str("</table></details>\n");
}

fn add(page: &mut String, text: std::fmt::Arguments<'_>) {
    page.write_fmt(text).expect("a string takes everything");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn texts_of_scripts_are_escaped() {
        assert_eq!(escape("< 1 Config \"a & b\" >"), "&lt; 1 Config &quot;a &amp; b&quot; &gt;");
    }
}
