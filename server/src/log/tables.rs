//! Tables of a rulebook in the store, beside its log, for people and programs that query the database. They are declared as
//! data, so that each store can write them in its own way.

use std::{error::Error, fmt};

use crate::log::GameKey;

/// A table of a rulebook. Released columns never change; a store leaves an existing table unchanged.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    /// The name, unique in the store regardless of case.
    pub name: &'static str,
    /// The columns, in order.
    pub columns: &'static [Column],
    /// The columns of the primary key.
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
    /// A table that must have a row with this value as its key. Its key has one column.
    pub references: Option<&'static str>,
    /// An additional rule for the values.
    pub rule: Option<Rule>,
}

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// A game of the store.
    Game,
    /// A whole number.
    Integer,
    /// A text.
    Text,
    /// A time, stored for people as `2026-11-16 10:09:06.000`, in UTC.
    Time,
}

/// An additional rule for the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A range; both ends are included.
    Between(i64, i64),
    /// The minimum and maximum number of characters of a text; both are included.
    Length(usize, usize),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// The value must differ from the value of this column in the same row.
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

    /// A column of times.
    pub const fn time(name: &'static str) -> Self {
        Self::new(name, ColumnKind::Time)
    }

    /// Allows rows without a value in this column.
    pub const fn optional(mut self) -> Self {
        self.is_optional = true;
        self
    }

    /// Requires values that are keys of rows of another table. Its key has one column.
    pub const fn references(mut self, table: &'static str) -> Self {
        self.references = Some(table);
        self
    }

    /// Requires values in a range; both ends are included.
    pub const fn between(mut self, least: i64, most: i64) -> Self {
        self.rule = Some(Rule::Between(least, most));
        self
    }

    /// Requires texts with a number of characters in a range; both ends are included.
    pub const fn length(mut self, least: usize, most: usize) -> Self {
        self.rule = Some(Rule::Length(least, most));
        self
    }

    /// Requires texts that are one of these words.
    pub const fn one_of(mut self, words: &'static [&'static str]) -> Self {
        self.rule = Some(Rule::OneOf(words));
        self
    }

    /// Requires values that differ from another column of the same row.
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
    /// The game of the entry that has the record. Reading returns a [`Game`](Self::Game) instead.
    ThisGame,
    /// A game of the store.
    Game(GameKey),
    /// A whole number.
    Integer(i64),
    /// A text.
    Text(String),
    /// A time in milliseconds since 1970.
    Time(i64),
}

/// A change in a table of a rulebook, stored together with an entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the line of a variant explains its fields")]
pub enum Record {
    /// Inserts a row. Columns that are not named have no value.
    Insert { table: &'static Table, values: Vec<(&'static str, Cell)> },
    /// Changes values in the row with this key, if it exists.
    Update { table: &'static Table, key: Vec<Cell>, values: Vec<(&'static str, Cell)> },
}

impl Record {
    /// Inserts a row.
    pub fn insert(table: &'static Table, values: impl Into<Vec<(&'static str, Cell)>>) -> Self {
        Self::Insert { table, values: values.into() }
    }

    /// Changes values in the row with this key, if it exists.
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

    /// Checks every value, as far as this needs no other row, and returns the change.
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

/// A record whose values fit its table. Columns are given by their positions.
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
    /// The position of a column.
    pub(super) fn place(&self, column: &str) -> Result<usize, RecordError> {
        let place = self.columns.iter().position(|known| known.name == column);
        place.ok_or_else(|| RecordError::NoSuchColumn { table: self.name, column: column.into() })
    }

    /// The positions of the key's columns.
    pub(super) fn key_places(&self) -> impl Iterator<Item = usize> {
        self.key.iter().filter_map(|column| self.place(column).ok())
    }

    /// Checks a value that selects rows, and returns the position of its column.
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

/// The tables that have rows of games, with the column of the game. A table comes before those that its rows refer to.
pub(super) fn belongings(tables: &[&'static Table]) -> Vec<(&'static Table, &'static str)> {
    let mut rest: Vec<(&'static Table, &'static str)> = Vec::new();
    for table in tables {
        let column = table.columns.iter().find(|column| column.kind == ColumnKind::Game);
        rest.extend(column.map(|column| (*table, column.name)));
    }
    let mut ordered = Vec::new();
    while !rest.is_empty() {
        let is_referred = |name: &str| {
            let mut others = rest.iter().filter(|(table, _)| table.name != name).flat_map(|(table, _)| table.columns);
            others.any(|column| column.references == Some(name))
        };
        let place = rest.iter().position(|(table, _)| !is_referred(table.name)).unwrap_or_default();
        ordered.push(rest.remove(place));
    }
    ordered
}

/// The columns of a table that refer to rows which belong to no game, with the tables of these.
pub(super) fn orphans(tables: &[&'static Table], table: &Table) -> Vec<(&'static str, &'static Table)> {
    let other = |column: &Column| {
        let other = tables.iter().find(|other| Some(other.name) == column.references)?;
        let belongs = other.columns.iter().any(|column| column.kind == ColumnKind::Game);
        (!belongs).then_some((column.name, *other))
    };
    table.columns.iter().filter_map(other).collect()
}

/// Checks that the declarations are valid, together with the tables that the store has. Returns the new tables.
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

/// Why a record or a query does not fit the tables of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// The store has no such table.
    NoSuchTable {
        /// The name of the table.
        table: &'static str,
    },
    /// The store has another table with this name.
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
    /// A row has no value in a required column.
    Missing {
        /// The name of the table.
        table: &'static str,
        /// The name of the column.
        column: &'static str,
    },
    /// A rule of the table forbids a value. The store may not report the column.
    NotAllowed {
        /// The name of the table.
        table: &'static str,
        /// The name of the column.
        column: Option<&'static str>,
    },
    /// A row with this key already exists.
    KeyTaken {
        /// The name of the table.
        table: &'static str,
    },
    /// A value refers to a row that does not exist.
    NoSuchRow {
        /// The name of the table.
        table: &'static str,
    },
    /// The key does not match the table's key columns, or a record would change it.
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
