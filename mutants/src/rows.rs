//! Reads a table of mutants.
//!
//! ```text
//! section fate
//!
//! tie-is-no (fate)
//!   mistake: a tied vote is a no
//!   file: rules/src/rules/vote.rs
//!   rule: if «vote.ayes >= vote.noes» {
//!   wrong: vote.ayes > vote.noes
//! ```
//!
//! A line that is indented further continues the previous field. The field `equivalent` is optional.

use std::{collections::BTreeSet, fmt};

/// A mutant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The name on the command line.
    pub name: String,
    /// The section of the rules that the mutant breaks: an anchor of the game's `RULES.md`. The host's mutants have a title instead.
    pub section: String,
    /// The editions in which the mistake is visible.
    pub editions: String,
    /// A description of the mistake.
    pub mistake: String,
    /// The file, relative to the game's folder.
    pub file: String,
    /// A piece of the file, with the right expression between the marks.
    pub rule: String,
    /// The wrong expression. If the right one is empty, it is inserted there.
    pub wrong: String,
    /// If no client can see the mistake, the reason for that.
    pub equivalent: Option<String>,
}

/// Why a table cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub struct TableError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The mistake.
    pub cause: RowError,
}

/// The mistake in a line of a table.
#[derive(Debug, PartialEq, Eq)]
pub enum RowError {
    /// A field has no colon.
    NoField,
    /// A field comes before the first mutant.
    FieldWithoutMutant,
    /// A continuation line comes before the first field.
    ContinuesNothing,
    /// A mutant comes before the first section.
    NoSection,
    /// The first line of a mutant names no editions.
    NoEditions,
    /// A name has other characters than small letters, digits and hyphens.
    NotKebabCase(String),
    /// Two mutants have this name.
    RepeatedName(String),
    /// There is no such field.
    UnknownField {
        /// The mutant.
        mutant: String,
        /// The field.
        field: String,
    },
    /// A mutant has a field twice.
    RepeatedField {
        /// The mutant.
        mutant: String,
        /// The field.
        field: String,
    },
    /// A mutant lacks a field.
    MissingField {
        /// The mutant.
        mutant: String,
        /// The field.
        field: &'static str,
    },
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoField => f.write_str("a field is `name: value`"),
            Self::FieldWithoutMutant => f.write_str("a field belongs to a mutant"),
            Self::ContinuesNothing => f.write_str("there is no field to continue"),
            Self::NoSection => f.write_str("a mutant belongs to a section"),
            Self::NoEditions => f.write_str("a mutant begins with `name (editions)`"),
            Self::NotKebabCase(name) => write!(f, "`{name}` is not in kebab-case"),
            Self::RepeatedName(name) => write!(f, "`{name}` is there twice"),
            Self::UnknownField { mutant, field } => write!(f, "`{mutant}` has the unknown field `{field}`"),
            Self::RepeatedField { mutant, field } => write!(f, "`{mutant}` has `{field}` twice"),
            Self::MissingField { mutant, field } => write!(f, "`{mutant}` has no `{field}`"),
        }
    }
}

impl std::error::Error for RowError {}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.cause)
    }
}

impl std::error::Error for TableError {}

/// Reads a whole table.
///
/// # Errors
/// The first mistake.
pub fn read(text: &str) -> Result<Vec<Row>, TableError> {
    let mut reader = Reader::default();
    for (number, line) in (1..).zip(text.lines()) {
        reader.line = number;
        reader.take(line).map_err(|cause| TableError { line: number, cause })?;
    }
    let line = reader.line;
    reader.end_row().map_err(|cause| TableError { line, cause })?;
    Ok(reader.rows)
}

#[derive(Default)]
struct Reader {
    rows: Vec<Row>,
    names: BTreeSet<String>,
    section: Option<String>,
    row: Option<Row>,
    /// The fields of the row so far. The last one may still grow.
    fields: Vec<(String, String)>,
    line: usize,
}

impl Reader {
    fn take(&mut self, line: &str) -> Result<(), RowError> {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim();
        match indent {
            _ if line.is_empty() || line.starts_with('#') && indent == 0 => Ok(()),
            0 => self.begin(line),
            2 => {
                let (key, value) = line.split_once(": ").ok_or(RowError::NoField)?;
                if self.row.is_none() {
                    return Err(RowError::FieldWithoutMutant);
                }
                self.fields.push((key.into(), value.into()));
                Ok(())
            }
            _ => {
                let (_, value) = self.fields.last_mut().ok_or(RowError::ContinuesNothing)?;
                *value = format!("{value} {line}");
                Ok(())
            }
        }
    }

    fn begin(&mut self, line: &str) -> Result<(), RowError> {
        self.end_row()?;
        if let Some(section) = line.strip_prefix("section ") {
            self.section = Some(section.into());
            return Ok(());
        }
        let section = self.section.clone().ok_or(RowError::NoSection)?;
        let (name, editions) =
            line.strip_suffix(')').and_then(|line| line.split_once(" (")).ok_or(RowError::NoEditions)?;
        let is_kebab = name
            .split('-')
            .all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()));
        if !is_kebab {
            return Err(RowError::NotKebabCase(name.into()));
        }
        if !self.names.insert(name.into()) {
            return Err(RowError::RepeatedName(name.into()));
        }
        self.row = Some(Row { name: name.into(), section, editions: editions.into(), ..Row::default() });
        Ok(())
    }

    fn end_row(&mut self) -> Result<(), RowError> {
        let Some(mut row) = self.row.take() else { return Ok(()) };
        for (key, value) in self.fields.drain(..) {
            let field = match key.as_str() {
                "mistake" => &mut row.mistake,
                "file" => &mut row.file,
                "rule" => &mut row.rule,
                "wrong" => &mut row.wrong,
                "equivalent" => row.equivalent.insert(String::new()),
                _ => return Err(RowError::UnknownField { mutant: row.name, field: key }),
            };
            if !field.is_empty() {
                return Err(RowError::RepeatedField { mutant: row.name, field: key });
            }
            *field = value;
        }
        let fields = [("mistake", &row.mistake), ("file", &row.file), ("rule", &row.rule), ("wrong", &row.wrong)];
        if let Some(&(missing, _)) = fields.iter().find(|(_, value)| value.is_empty()) {
            return Err(RowError::MissingField { field: missing, mutant: row.name });
        }
        self.rows.push(row);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::read;

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
        /// Checks the valid table with one change.
        fn check(from: &str, to: &str, line: usize, what: &str) {
            let text = SOUND.replacen(from, to, 1);
            assert_ne!(text, SOUND, "the change is one");
            let refused = read(&text).expect_err("the change is a mistake");
            assert_eq!((refused.line, refused.cause.to_string().as_str()), (line, what), "{to}");
        }
        check("section 1 Dice", "# none", 4, "a mutant belongs to a section");
        check("no-die (all)", "no-die", 4, "a mutant begins with `name (editions)`");
        check("no-die (all)", "No-die (all)", 4, "`No-die` is not in kebab-case");
        check("again (", "no-die (", 11, "`no-die` is there twice");
        check("  wrong: ()\n", "", 10, "`no-die` has no `wrong`");
        check("  wrong: ()\n", "  wrong: ()\n  wrong: 1\n", 12, "`no-die` has `wrong` twice");
        check("  wrong: ()\n", "  bad: ()\n", 11, "`no-die` has the unknown field `bad`");
        check("  wrong: ()\n", "  wrong\n", 9, "a field is `name: value`");
        check("no-die (all)\n", "  file: a\n", 4, "a field belongs to a mutant");
        check("no-die (all)\n", "    more\n", 4, "there is no field to continue");
    }
}
