//! Tables that a rulebook has in the store beside its log, for people and programs that ask the database: declared as data,
//! so that each store writes them in its own way.

use std::{error::Error, fmt};

use crate::log::GameKey;

/// A table of a rulebook. Released columns are never changed; a store leaves a table that is there as it is.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    /// Unique in the store, whether in capitals or not.
    pub name: &'static str,
    /// The columns, in order.
    pub columns: &'static [Column],
    /// Columns that together are there once.
    pub key: &'static [&'static str],
}

/// A column of a [`Table`]: a value of its kind in every row, unless it is [optional](Self::optional).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name, unique in its table.
    pub name: &'static str,
    /// The type of the values.
    pub kind: ColumnKind,
    /// Whether a row may have no value here.
    pub is_optional: bool,
    /// A table, with a key of one column, that has a row with this value.
    pub references: Option<&'static str>,
    /// A further rule for the values.
    pub rule: Option<Rule>,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// A game of the store.
    Game,
    /// A whole number.
    Integer,
    /// A text.
    Text,
    /// A moment, which people read as `2026-11-16 10:09:06.000`, in UTC.
    Time,
}

/// What else holds for the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Both included.
    Between(i64, i64),
    /// How many characters a text has, both included.
    Length(usize, usize),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Another value than in this column of the same row.
    DiffersFrom(&'static str),
}

impl Column {
    const fn new(name: &'static str, kind: ColumnKind) -> Self {
        Self { name, kind, is_optional: false, references: None, rule: None }
    }

    /// A column of games of the store.
    pub const fn game(name: &'static str) -> Self {
        Self::new(name, ColumnKind::Game)
    }

    /// A column of whole numbers.
    pub const fn integer(name: &'static str) -> Self {
        Self::new(name, ColumnKind::Integer)
    }

    /// A column of texts.
    pub const fn text(name: &'static str) -> Self {
        Self::new(name, ColumnKind::Text)
    }

    /// A column of moments.
    pub const fn time(name: &'static str) -> Self {
        Self::new(name, ColumnKind::Time)
    }

    /// Rows may have no value here.
    pub const fn optional(mut self) -> Self {
        self.is_optional = true;
        self
    }

    /// Values are keys of rows of another table, which has a key of one column.
    pub const fn references(mut self, table: &'static str) -> Self {
        self.references = Some(table);
        self
    }

    /// Values are in a range, both ends included.
    pub const fn between(mut self, least: i64, most: i64) -> Self {
        self.rule = Some(Rule::Between(least, most));
        self
    }

    /// Texts have so many characters, both numbers included.
    pub const fn length(mut self, least: usize, most: usize) -> Self {
        self.rule = Some(Rule::Length(least, most));
        self
    }

    /// Texts are one of these.
    pub const fn one_of(mut self, words: &'static [&'static str]) -> Self {
        self.rule = Some(Rule::OneOf(words));
        self
    }

    /// Values are others than in another column of the same row.
    pub const fn differs_from(mut self, column: &'static str) -> Self {
        self.rule = Some(Rule::DiffersFrom(column));
        self
    }
}

/// A value in a table of a rulebook.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell {
    /// No value.
    Null,
    /// The game whose entry brings the record. Never read: a [`Game`](Self::Game) is.
    ThisGame,
    /// A game of the store.
    Game(GameKey),
    /// A whole number.
    Integer(i64),
    /// A text.
    Text(String),
    /// In milliseconds since 1970.
    Time(i64),
}

/// A change in a table of a rulebook, which an entry of the log brings with it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the line of a variant explains its fields")]
pub enum Record {
    /// A new row. A column that is not named has no value.
    Insert { table: &'static Table, values: Vec<(&'static str, Cell)> },
    /// Other values in the row with this key, where there is one.
    Update { table: &'static Table, key: Vec<Cell>, values: Vec<(&'static str, Cell)> },
}

impl Record {
    /// A new row.
    pub fn insert(table: &'static Table, values: impl Into<Vec<(&'static str, Cell)>>) -> Self {
        Self::Insert { table, values: values.into() }
    }

    /// Other values in the row with a key, where there is one.
    pub fn update(
        table: &'static Table,
        key: impl Into<Vec<Cell>>,
        values: impl Into<Vec<(&'static str, Cell)>>,
    ) -> Self {
        Self::Update { table, key: key.into(), values: values.into() }
    }

    pub(super) fn table(&self) -> &'static Table {
        match self {
            Self::Insert { table, .. } | Self::Update { table, .. } => table,
        }
    }

    /// What it changes, with every value checked as far as that needs no other row.
    pub(super) fn resolve(&self, game: GameKey) -> Result<Change, RecordError> {
        match self {
            Self::Insert { table, values } => {
                let mut row = vec![Cell::Null; table.columns.len()];
                for (column, cell) in values {
                    row[table.place(column)?] = cell.resolve(game);
                }
                table.check_row(&row)?;
                Ok(Change::Insert { row })
            }
            Self::Update { table, key, values } => {
                let key: Vec<Cell> = key.iter().map(|cell| cell.resolve(game)).collect();
                table.check_key(&key)?;
                let mut cells = Vec::with_capacity(values.len());
                for (column, cell) in values {
                    let (place, cell) = (table.place(column)?, cell.resolve(game));
                    if table.key.contains(column) {
                        return Err(RecordError::WrongKey { table: table.name });
                    }
                    table.check_cell(place, &cell)?;
                    cells.push((place, cell));
                }
                Ok(Change::Update { key, cells })
            }
        }
    }
}

/// A record whose values fit its table. Columns are named by their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// A value for each column.
    Insert {
        row: Vec<Cell>,
    },
    Update {
        key: Vec<Cell>,
        cells: Vec<(usize, Cell)>,
    },
}

impl Cell {
    fn resolve(&self, game: GameKey) -> Self {
        if *self == Self::ThisGame { Self::Game(game) } else { self.clone() }
    }

    fn is_of(&self, kind: ColumnKind) -> bool {
        match self {
            Self::Null | Self::ThisGame => false,
            Self::Game(_) => kind == ColumnKind::Game,
            Self::Integer(_) => kind == ColumnKind::Integer,
            Self::Text(_) => kind == ColumnKind::Text,
            Self::Time(_) => kind == ColumnKind::Time,
        }
    }
}

impl Table {
    /// The place of a column.
    pub(super) fn place(&self, column: &str) -> Result<usize, RecordError> {
        let place = self.columns.iter().position(|known| known.name == column);
        place.ok_or_else(|| RecordError::NoSuchColumn { table: self.name, column: column.into() })
    }

    /// The places of the key's columns.
    pub(super) fn key_places(&self) -> impl Iterator<Item = usize> {
        self.key.iter().filter_map(|column| self.place(column).ok())
    }

    /// A value that rows are looked for by.
    pub(super) fn check_filter(&self, column: &str, cell: &Cell) -> Result<usize, RecordError> {
        let place = self.place(column)?;
        self.check_kind(place, cell).map(|()| place)
    }

    pub(super) fn check_row(&self, row: &[Cell]) -> Result<(), RecordError> {
        for (place, (column, cell)) in self.columns.iter().zip(row).enumerate() {
            self.check_cell(place, cell)?;
            if let Some(Rule::DiffersFrom(other)) = column.rule
                && *cell == row[self.place(other)?]
            {
                return Err(RecordError::NotAllowed { table: self.name, column: Some(column.name) });
            }
        }
        Ok(())
    }

    fn check_key(&self, key: &[Cell]) -> Result<(), RecordError> {
        if key.len() != self.key.len() {
            return Err(RecordError::WrongKey { table: self.name });
        }
        self.key_places().zip(key).try_for_each(|(place, cell)| self.check_kind(place, cell))
    }

    fn check_kind(&self, place: usize, cell: &Cell) -> Result<(), RecordError> {
        let Column { name, kind, .. } = self.columns[place];
        if cell.is_of(kind) { Ok(()) } else { Err(RecordError::WrongType { table: self.name, column: name }) }
    }

    fn check_cell(&self, place: usize, cell: &Cell) -> Result<(), RecordError> {
        let Column { name, is_optional, rule, .. } = self.columns[place];
        if *cell == Cell::Null {
            let missing = RecordError::Missing { table: self.name, column: name };
            return if is_optional { Ok(()) } else { Err(missing) };
        }
        self.check_kind(place, cell)?;
        let is_allowed = match (rule, cell) {
            (Some(Rule::Between(least, most)), Cell::Integer(number)) => (least..=most).contains(number),
            (Some(Rule::Length(least, most)), Cell::Text(text)) => (least..=most).contains(&text.chars().count()),
            (Some(Rule::OneOf(words)), Cell::Text(text)) => words.contains(&text.as_str()),
            (_, _) => true,
        };
        let not_allowed = RecordError::NotAllowed { table: self.name, column: Some(name) };
        if is_allowed { Ok(()) } else { Err(not_allowed) }
    }
}

/// What a store has to know before it makes tables: that the declarations are sound, together with those that it has. Gives the
/// ones that are new.
pub(super) fn check_tables(
    known: &[&'static Table],
    added: &[&'static Table],
) -> Result<Vec<&'static Table>, RecordError> {
    let mut all = known.to_vec();
    for &table in added {
        match all.iter().find(|other| other.name.eq_ignore_ascii_case(table.name)) {
            Some(&other) if other == table => continue,
            Some(_) => return Err(RecordError::TableTaken { table: table.name }),
            None => {}
        }
        if table.key.is_empty() {
            return Err(RecordError::WrongKey { table: table.name });
        }
        table.key.iter().try_for_each(|column| table.place(column).map(drop))?;
        for column in table.columns {
            if let Some(Rule::DiffersFrom(other)) = column.rule {
                table.place(other)?;
            }
        }
        all.push(table);
    }
    for table in &all {
        for other in table.columns.iter().filter_map(|column| column.references) {
            let referred = all.iter().find(|known| known.name == other);
            let referred = referred.ok_or(RecordError::NoSuchTable { table: other })?;
            if referred.key.len() != 1 {
                return Err(RecordError::WrongKey { table: other });
            }
        }
    }
    Ok(all.split_off(known.len()))
}

/// How a record, or what is asked of a table, does not fit the tables of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// Nothing of the kind was added to the store.
    NoSuchTable {
        /// The name of the table.
        table: &'static str,
    },
    /// The store has another table of this name.
    TableTaken {
        /// The name of the table.
        table: &'static str,
    },
    /// The table has no such column.
    NoSuchColumn {
        /// The name of the table.
        table: &'static str,
        /// The name of the column.
        column: String,
    },
    /// A value is not of the column's type.
    WrongType {
        /// The name of the table.
        table: &'static str,
        /// The name of the column.
        column: &'static str,
    },
    /// A row needs a value here.
    Missing {
        /// The name of the table.
        table: &'static str,
        /// The name of the column.
        column: &'static str,
    },
    /// A rule of the table forbids a value; a store may not know of which column.
    NotAllowed {
        /// The name of the table.
        table: &'static str,
        /// The name of the column.
        column: Option<&'static str>,
    },
    /// There is a row with this key.
    KeyTaken {
        /// The name of the table.
        table: &'static str,
    },
    /// A value refers to a row that is not there.
    NoSuchRow {
        /// The name of the table.
        table: &'static str,
    },
    /// A key has other columns than were given, or would be changed.
    WrongKey {
        /// The name of the table.
        table: &'static str,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchTable { table } => write!(f, "the store has no table {table}"),
            Self::TableTaken { table } => write!(f, "the store has another table {table}"),
            Self::NoSuchColumn { table, column } => write!(f, "the table {table} has no column {column}"),
            Self::WrongType { table, column } => write!(f, "a value of {table}.{column} has another type"),
            Self::Missing { table, column } => write!(f, "a row of {table} needs a value of {column}"),
            Self::NotAllowed { table, column: Some(column) } => write!(f, "{table}.{column} cannot have this value"),
            Self::NotAllowed { table, column: None } => write!(f, "a row of {table} has a value that it cannot have"),
            Self::KeyTaken { table } => write!(f, "the table {table} has a row with this key already"),
            Self::NoSuchRow { table } => write!(f, "a row of {table} refers to one that is not there"),
            Self::WrongKey { table } => write!(f, "the key of a row of {table} is not the one of the table"),
        }
    }
}

impl Error for RecordError {}
