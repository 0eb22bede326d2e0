//! Tables of rulebooks in PostgreSQL: the statements that create, fill and query them.

use std::fmt::Write;

use tokio_postgres::{
    Row,
    types::{ToSql, Type},
};

use super::{
    connection::{Connection, Parameter, column},
    schema::{LOCK, NO_TABLE},
};
use crate::log::{
    Cell, Column, ColumnKind, GameKey, PostgresError, RecordError, StoreError, Table,
    sql::{check, is_own, list, quoted},
    tables::{Change, check_tables},
};

/// Creates the missing tables: all of them, or none. Returns the tables that are new to the store.
pub(super) async fn add_tables(
    connection: &Connection,
    known: &[&'static Table],
    added: &[&'static Table],
) -> Result<Vec<&'static Table>, StoreError> {
    let new = check_tables(known, added)?;
    if let Some(own) = new.iter().find(|table| is_own(table.name)) {
        return Err(RecordError::TableTaken { table: own.name }.into());
    }
    let doing = "making the tables of games";
    connection.run_patiently(doing, LOCK).await?;
    let made = create_all(connection, &new).await;
    let end = if made.is_ok() { "COMMIT" } else { "ROLLBACK" };
    connection.run(doing, end).await?;
    made.map(|()| new)
}

async fn create_all(connection: &Connection, tables: &[&'static Table]) -> Result<(), StoreError> {
    let doing = "making the tables of games";
    for table in ordered(tables) {
        connection.run_patiently(doing, &create(table)).await?;
        // A table that already existed may be older.
        let sql = "SELECT column_name::text FROM information_schema.columns
                   WHERE table_schema = current_schema() AND table_name = $1";
        let rows = connection.query(doing, sql, &[(&table.name, Type::TEXT)]).await?;
        let there: Vec<&str> = rows.iter().map(|row| column(row, 0)).collect::<Result<_, _>>()?;
        if let Some(missing) = table.columns.iter().find(|column| !there.contains(&column.name)) {
            return Err(RecordError::NoSuchColumn { table: table.name, column: missing.name.into() }.into());
        }
    }
    Ok(())
}

/// Rows of a table in the order of its key: all rows, or those with the given value in a column.
pub(super) async fn read(
    connection: &Connection,
    table: &'static Table,
    filter: Option<&(&'static str, Cell)>,
) -> Result<Vec<Vec<Cell>>, StoreError> {
    let filter = match filter {
        Some((column, cell)) => Some((table.check_filter(column, cell)?, cell)),
        None => None,
    };
    let mut sql = format!("SELECT {} FROM \"{}\"", list(table.columns.iter().map(selected)), table.name);
    if let Some((place, _)) = filter {
        let column = &table.columns[place];
        write!(sql, " WHERE \"{}\" = {}", column.name, parameter(column, 1)).expect("a string takes everything");
    }
    write!(sql, " ORDER BY {}", quoted(table.key)).expect("a string takes everything");
    let parameters: Vec<Parameter<'_>> =
        filter.iter().map(|(place, cell)| bind(&table.columns[*place], cell)).collect();
    let found = connection.query("asking a table of a rulebook", &sql, &parameters).await;
    let rows = found.map_err(|error| {
        let is_missing = matches!(&error,
            StoreError::Postgres { source: PostgresError::Refused { code, .. }, .. } if code == NO_TABLE);
        if is_missing { RecordError::NoSuchTable { table: table.name }.into() } else { error }
    })?;
    let cells = |row: &Row| table.columns.iter().enumerate().map(|(at, column)| cell(column, row, at)).collect();
    rows.iter().map(cells).collect()
}

/// A change that fits its table, as a statement with its parameters.
pub(super) struct Statement {
    pub(super) sql: String,
    cells: Vec<(Column, Cell)>,
}

impl Statement {
    pub(super) fn new(table: &'static Table, change: Change) -> Self {
        match change {
            Change::Insert { row } => {
                let values = table.columns.iter().zip(1..).map(|(column, at)| parameter(column, at));
                let names = table.columns.iter().map(|column| format!("\"{}\"", column.name));
                let sql = format!("INSERT INTO \"{}\" ({}) VALUES ({})", table.name, list(names), list(values));
                Self { sql, cells: table.columns.iter().copied().zip(row).collect() }
            }
            Change::Update { key, cells } => {
                let equal = |column: &Column, at| format!("\"{}\" = {}", column.name, parameter(column, at));
                let set = cells.iter().zip(1..).map(|((place, _), at)| equal(&table.columns[*place], at));
                let keys =
                    table.key_places().zip(cells.len() + 1..).map(|(place, at)| equal(&table.columns[place], at));
                let keys: Vec<String> = keys.collect();
                let sql = format!("UPDATE \"{}\" SET {} WHERE {}", table.name, list(set), keys.join(" AND "));
                let key = table.key_places().map(|place| table.columns[place]).zip(key);
                let cells = cells.into_iter().map(|(place, cell)| (table.columns[place], cell));
                Self { sql, cells: cells.chain(key).collect() }
            }
        }
    }

    pub(super) fn parameters(&self) -> Vec<Parameter<'_>> {
        self.cells.iter().map(|(column, cell)| bind(column, cell)).collect()
    }
}

/// The rule of the table that the row violates, if that is the cause of the error.
pub(super) fn refusal(table: &'static Table, error: StoreError) -> StoreError {
    let StoreError::Postgres { source: PostgresError::Refused { code, .. }, .. } = &error else { return error };
    let table = table.name;
    match code.as_str() {
        "23505" => RecordError::KeyTaken { table }.into(),
        "23503" => RecordError::NoSuchRow { table }.into(),
        "23502" | "23514" => RecordError::NotAllowed { table, column: None }.into(),
        _ => error,
    }
}

/// The statement that creates a table if it does not exist.
fn create(table: &Table) -> String {
    let mut lines: Vec<String> = Vec::new();
    for column in table.columns {
        let kind = match column.kind {
            ColumnKind::Game | ColumnKind::Integer => "bigint",
            ColumnKind::Text => "text",
            ColumnKind::Time => "timestamp(3)",
        };
        let mut line = format!("\"{}\" {kind}", column.name);
        if !column.is_optional {
            line.push_str(" NOT NULL");
        }
        if column.kind == ColumnKind::Game && column.references.is_none() {
            line.push_str(" REFERENCES games (id)");
        }
        if let Some(other) = column.references {
            write!(line, " REFERENCES \"{other}\"").expect("a string takes everything");
        }
        if let Some(rule) = column.rule {
            write!(line, " CHECK ({})", check(column.name, rule)).expect("a string takes everything");
        }
        lines.push(line);
    }
    lines.push(format!("PRIMARY KEY ({})", quoted(table.key)));
    format!("CREATE TABLE IF NOT EXISTS \"{}\" (\n    {}\n)", table.name, lines.join(",\n    "))
}

/// The tables in an order in which each one comes after those that it refers to, as far as there is one.
fn ordered(tables: &[&'static Table]) -> Vec<&'static Table> {
    let (mut ordered, mut rest) = (Vec::new(), tables.to_vec());
    while !rest.is_empty() {
        let waits = |table: &Table| {
            let mut others = table.columns.iter().filter_map(|column| column.references);
            others.any(|other| other != table.name && rest.iter().any(|table| table.name == other))
        };
        let place = rest.iter().position(|table| !waits(table)).unwrap_or_default();
        ordered.push(rest.remove(place));
    }
    ordered
}

/// The SQL expression that reads a column.
fn selected(column: &Column) -> String {
    let name = column.name;
    match column.kind {
        ColumnKind::Game | ColumnKind::Integer | ColumnKind::Text => format!("\"{name}\""),
        ColumnKind::Time => format!("(EXTRACT(EPOCH FROM \"{name}\") * 1000)::bigint"),
    }
}

/// The SQL expression that writes a value of a column.
fn parameter(column: &Column, at: usize) -> String {
    match column.kind {
        ColumnKind::Game | ColumnKind::Integer | ColumnKind::Text => format!("${at}"),
        ColumnKind::Time => format!("(TIMESTAMP '1970-01-01 00:00:00' + ${at} * INTERVAL '1 millisecond')"),
    }
}

fn bind<'c>(column: &Column, cell: &'c Cell) -> Parameter<'c> {
    const NO_NUMBER: &Option<i64> = &None;
    const NO_TEXT: &Option<String> = &None;
    let kind = match column.kind {
        ColumnKind::Game | ColumnKind::Integer | ColumnKind::Time => Type::INT8,
        ColumnKind::Text => Type::TEXT,
    };
    let value: &'c (dyn ToSql + Sync) = match cell {
        Cell::Null | Cell::ThisGame if column.kind == ColumnKind::Text => NO_TEXT,
        Cell::Null | Cell::ThisGame => NO_NUMBER,
        Cell::Game(GameKey(number)) | Cell::Integer(number) | Cell::Time(number) => number,
        Cell::Text(text) => text,
    };
    (value, kind)
}

fn cell(kind: &Column, row: &Row, at: usize) -> Result<Cell, StoreError> {
    let number = |make: fn(i64) -> Cell| Ok(column::<Option<i64>>(row, at)?.map_or(Cell::Null, make));
    match kind.kind {
        ColumnKind::Game => number(|key| Cell::Game(GameKey(key))),
        ColumnKind::Integer => number(Cell::Integer),
        ColumnKind::Time => number(Cell::Time),
        ColumnKind::Text => Ok(column::<Option<String>>(row, at)?.map_or(Cell::Null, Cell::Text)),
    }
}
