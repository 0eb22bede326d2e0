//! Reading a table of mutants.
//!
//! ```text
//! section 7 Fate cards
//!
//! tie-is-no (fate)
//!   mistake: a tied vote is a no
//!   file: rules/src/rules/vote.rs
//!   rule: if «vote.ayes >= vote.noes» {
//!   wrong: vote.ayes > vote.noes
//! ```
//!
//! A line that is indented further goes on with the field before it. `equivalent` is a field that only some have.

use std::collections::BTreeSet;

/// One mistake.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) name: String,
    /// The section of the rules that it breaks.
    pub(super) section: String,
    /// The editions in which it can be seen.
    pub(super) editions: String,
    /// What the faulty server does.
    pub(super) mistake: String,
    /// The file, from the game's folder.
    pub(super) file: String,
    /// A piece of the file; the right expression is between the marks.
    pub(super) rule: String,
    /// What replaces the right expression, or is inserted where there is none.
    pub(super) wrong: String,
    /// Why no client can see the mistake, where that is so.
    pub(super) equivalent: Option<String>,
}

/// Why a table cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) line: usize,
    pub(super) what: String,
}

/// Reads a whole table.
pub(super) fn read(text: &str) -> Result<Vec<Row>, Problem> {
    let mut reader = Reader::default();
    for (number, line) in (1..).zip(text.lines()) {
        reader.line = number;
        reader.take(line).map_err(|what| Problem { line: number, what })?;
    }
    let line = reader.line;
    reader.end_row().map_err(|what| Problem { line, what })?;
    Ok(reader.rows)
}

#[derive(Default)]
struct Reader {
    rows: Vec<Row>,
    names: BTreeSet<String>,
    section: Option<String>,
    row: Option<Row>,
    /// The fields of the row so far, the last one still growing.
    fields: Vec<(String, String)>,
    line: usize,
}

impl Reader {
    fn take(&mut self, line: &str) -> Result<(), String> {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim();
        match indent {
            _ if line.is_empty() || line.starts_with('#') && indent == 0 => Ok(()),
            0 => self.begin(line),
            2 => {
                let (key, value) = line.split_once(": ").ok_or("a field is `name: value`")?;
                if self.row.is_none() {
                    return Err("a field belongs to a mutant".into());
                }
                self.fields.push((key.into(), value.into()));
                Ok(())
            }
            _ => {
                let (_, value) = self.fields.last_mut().ok_or("this goes on with nothing")?;
                *value = format!("{value} {line}");
                Ok(())
            }
        }
    }

    fn begin(&mut self, line: &str) -> Result<(), String> {
        self.end_row()?;
        if let Some(section) = line.strip_prefix("section ") {
            self.section = Some(section.into());
            return Ok(());
        }
        let section = self.section.clone().ok_or("a mutant belongs to a section")?;
        let (name, editions) = line
            .strip_suffix(')')
            .and_then(|line| line.split_once(" ("))
            .ok_or("a mutant begins with `name (editions)`")?;
        let is_kebab = name.split('-').all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase()));
        if !is_kebab {
            return Err(format!("`{name}` is not in kebab-case"));
        }
        if !self.names.insert(name.into()) {
            return Err(format!("`{name}` is there twice"));
        }
        self.row = Some(Row { name: name.into(), section, editions: editions.into(), ..Row::default() });
        Ok(())
    }

    fn end_row(&mut self) -> Result<(), String> {
        let Some(mut row) = self.row.take() else { return Ok(()) };
        for (key, value) in self.fields.drain(..) {
            let field = match key.as_str() {
                "mistake" => &mut row.mistake,
                "file" => &mut row.file,
                "rule" => &mut row.rule,
                "wrong" => &mut row.wrong,
                "equivalent" => row.equivalent.insert(String::new()),
                _ => return Err(format!("`{}` has a field `{key}`, which is unknown", row.name)),
            };
            if !field.is_empty() {
                return Err(format!("`{}` has `{key}` twice", row.name));
            }
            *field = value;
        }
        let fields = [("mistake", &row.mistake), ("file", &row.file), ("rule", &row.rule), ("wrong", &row.wrong)];
        if let Some((missing, _)) = fields.iter().find(|(_, value)| value.is_empty()) {
            return Err(format!("`{}` has no `{missing}`", row.name));
        }
        self.rows.push(row);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Problem, read};

    const SOUND: &str = "\
# A comment.
section 1 Dice

no-die (all)
  mistake: a die
      is not spent
  file: rules/src/a.rs
  rule: «spend(die)»;
  wrong: ()

again (group, fate)
  mistake: a turn comes twice
  file: rules/src/b.rs
  rule: next(«1»)
  wrong: 0
  equivalent: there are no turns
";

    #[test]
    fn a_sound_table() {
        let rows = read(SOUND).expect("it is sound");
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].name.as_str(), rows[0].section.as_str()), ("no-die", "1 Dice"));
        assert_eq!((rows[0].mistake.as_str(), rows[0].equivalent.as_deref()), ("a die is not spent", None));
        assert_eq!(
            (rows[1].editions.as_str(), rows[1].equivalent.as_deref()),
            ("group, fate", Some("there are no turns"))
        );
    }

    #[test]
    fn tables_that_cannot_be_read() {
        /// The sound table with one change.
        fn check(from: &str, to: &str, line: usize, what: &str) {
            let text = SOUND.replacen(from, to, 1);
            assert_ne!(text, SOUND, "the change is one");
            assert_eq!(read(&text), Err(Problem { line, what: what.into() }), "{to}");
        }
        check("section 1 Dice", "# none", 4, "a mutant belongs to a section");
        check("no-die (all)", "no-die", 4, "a mutant begins with `name (editions)`");
        check("no-die (all)", "No-die (all)", 4, "`No-die` is not in kebab-case");
        check("again (", "no-die (", 11, "`no-die` is there twice");
        check("  wrong: ()\n", "", 10, "`no-die` has no `wrong`");
        check("  wrong: ()\n", "  wrong: ()\n  wrong: 1\n", 12, "`no-die` has `wrong` twice");
        check("  wrong: ()\n", "  bad: ()\n", 11, "`no-die` has a field `bad`, which is unknown");
        check("  wrong: ()\n", "  wrong\n", 9, "a field is `name: value`");
        check("no-die (all)\n", "  file: a\n", 4, "a field belongs to a mutant");
        check("no-die (all)\n", "    more\n", 4, "this goes on with nothing");
    }
}
