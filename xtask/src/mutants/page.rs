//! The page that lists all mutants.

use super::Table;

/// The path of the page.
pub(super) const PATH: &str = "docs/mutants.md";

const BEGIN: &str = "<!-- the table: cargo xtask bless -->\n";
const END: &str = "<!-- the end of the table -->\n";

/// The page with these tables between its two marker lines; `None` if the page does not have them.
pub(super) fn with_tables(page: &str, tables: &[Table]) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    let tables: String = tables.iter().map(table).collect();
    Some([before, BEGIN, &tables, END, after].concat())
}

fn table(table: &Table) -> String {
    let mut text = format!("\n{} mutants of {}.\n", table.rows.len(), table.game);
    let mut section = "";
    for row in &table.rows {
        if row.section != section {
            section = &row.section;
            let rules = format!("../games/{}/RULES.md#{section}", table.game);
            text += &format!("\n### [{section}]({rules})\n\n| name | editions | mistake |\n|---|---|---|\n");
        }
        let equivalent = row.equivalent.as_ref().map_or(String::new(), |reason| format!(" (equivalent: {reason})"));
        text += &format!("| `{}` | {} | {}{equivalent} |\n", row.name, row.editions, row.mistake);
    }
    text + "\n"
}
