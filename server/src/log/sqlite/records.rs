//! Tables of rulebooks in SQLite: the statements that create, fill and query them.

use std::fmt::Write;

use rusqlite::{Connection, Statement, ToSql, ffi, types::ValueRef};

use crate::log::{
    Cell, Column, ColumnKind, GameKey, RecordError, StoreError, Table,
    sql::{check, is_own, list, quoted},
    tables::{Change, check_tables},
};

/// Creates the missing tables: all of them, or none. Returns the tables that are new to the store.
pub(super) fn add_tables(
    connection: &Connection,
    known: &[&'static Table],
    added: &[&'static Table],
) -> Result<Vec<&'static Table>, StoreError> {
    let new = check_tables(known, added)?;
    let doing = "making the tables of games";
    let transaction = connection.unchecked_transaction().map_err(StoreError::sqlite(doing))?;
    for table in &new {
        if is_own(table.name) {
            return Err(RecordError::TableTaken { table: table.name }.into());
        }
        transaction.execute_batch(&create(table)).map_err(StoreError::sqlite(doing))?;
        // A table that already existed may be older.
        let there = columns(&transaction, table.name).map_err(StoreError::sqlite(doing))?;
        if let Some(column) = table.columns.iter().find(|column| !there.iter().any(|name| name == column.name)) {
            return Err(RecordError::NoSuchColumn { table: table.name, column: column.name.into() }.into());
        }
    }
    transaction.commit().map_err(StoreError::sqlite(doing))?;
    Ok(new)
}

/// Rows of a table in the order of its key: all rows, or those with the given value in a column.
pub(super) fn read(
    connection: &Connection,
    table: &'static Table,
    filter: Option<&(&'static str, Cell)>,
) -> Result<Vec<Vec<Cell>>, StoreError> {
    let doing = "asking a table of a rulebook";
    let filter = match filter {
        Some((column, cell)) => Some((table.check_filter(column, cell)?, cell)),
        None => None,
    };
    let is_there = connection.prepare_cached("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1");
    let is_there = is_there.and_then(|mut statement| statement.exists([table.name]));
    if !is_there.map_err(StoreError::sqlite(doing))? {
        return Err(RecordError::NoSuchTable { table: table.name }.into());
    }
    let mut sql = format!("SELECT {} FROM \"{}\"", list(table.columns.iter().map(selected)), table.name);
    if let Some((place, _)) = filter {
        let column = &table.columns[place];
        write!(sql, " WHERE \"{}\" = {}", column.name, parameter(column, 1)).expect("a string takes everything");
    }
    write!(sql, " ORDER BY {}", quoted(table.key)).expect("a string takes everything");
    let rows = || {
        let mut statement = connection.prepare_cached(&sql)?;
        if let Some((_, cell)) = filter {
            bind(&mut statement, 1, cell)?;
        }
        let mut found = Vec::new();
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next()? {
            let cells = table.columns.iter().enumerate().map(|(at, column)| cell(column.kind, row.get_ref(at)?));
            found.push(cells.collect::<rusqlite::Result<Vec<Cell>>>()?);
        }
        Ok(found)
    };
    rows().map_err(StoreError::sqlite(doing))
}

/// Writes a change that fits the table.
pub(super) fn write(connection: &Connection, table: &'static Table, change: &Change) -> rusqlite::Result<()> {
    let (sql, cells): (String, Vec<&Cell>) = match change {
        Change::Insert { row } => {
            let values = table.columns.iter().zip(1..).map(|(column, at)| parameter(column, at));
            let names = table.columns.iter().map(|column| format!("\"{}\"", column.name));
            let sql = format!("INSERT INTO \"{}\" ({}) VALUES ({})", table.name, list(names), list(values));
            (sql, row.iter().collect())
        }
        Change::Update { key, cells } => {
            let equal = |column: &Column, at| format!("\"{}\" = {}", column.name, parameter(column, at));
            let set = cells.iter().zip(1..).map(|((place, _), at)| equal(&table.columns[*place], at));
            let keys = table.key_places().zip(cells.len() + 1..).map(|(place, at)| equal(&table.columns[place], at));
            let keys: Vec<String> = keys.collect();
            let sql = format!("UPDATE \"{}\" SET {} WHERE {}", table.name, list(set), keys.join(" AND "));
            (sql, cells.iter().map(|(_, cell)| cell).chain(key).collect())
        }
    };
    let mut statement = connection.prepare_cached(&sql)?;
    for (at, cell) in cells.into_iter().enumerate() {
        bind(&mut statement, at + 1, cell)?;
    }
    statement.raw_execute().map(drop)
}

/// The constraint of the table that the row violates, if that is the cause of the error.
pub(super) fn refusal(table: &'static Table, error: &rusqlite::Error) -> Option<RecordError> {
    let rusqlite::Error::SqliteFailure(failure, _) = error else { return None };
    let table = table.name;
    match failure.extended_code {
        ffi::SQLITE_CONSTRAINT_PRIMARYKEY | ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_ROWID => {
            Some(RecordError::KeyTaken { table })
        }
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => Some(RecordError::NoSuchRow { table }),
        ffi::SQLITE_CONSTRAINT_CHECK | ffi::SQLITE_CONSTRAINT_NOTNULL => {
            Some(RecordError::NotAllowed { table, column: None })
        }
        _ => None,
    }
}

/// The statement that creates a table if it does not exist.
fn create(table: &Table) -> String {
    let is_rowid =
        |column: &Column| table.key == [column.name] && matches!(column.kind, ColumnKind::Game | ColumnKind::Integer);
    let mut lines: Vec<String> = Vec::new();
    for column in table.columns {
        let kind = match column.kind {
            ColumnKind::Game | ColumnKind::Integer => "INTEGER",
            ColumnKind::Text | ColumnKind::Time => "TEXT",
        };
        let mut line = format!("\"{}\" {kind}", column.name);
        if is_rowid(column) {
            line.push_str(" PRIMARY KEY");
        } else if !column.is_optional {
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
    let has_rowid = table.columns.iter().any(is_rowid);
    if !has_rowid {
        lines.push(format!("PRIMARY KEY ({})", quoted(table.key)));
    }
    let options = if has_rowid { "STRICT" } else { "STRICT, WITHOUT ROWID" };
    format!("CREATE TABLE IF NOT EXISTS \"{}\" (\n    {}\n) {options};", table.name, lines.join(",\n    "))
}

fn columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
    statement.query_map([table], |row| row.get(0))?.collect()
}

/// The SQL expression that reads a column.
fn selected(column: &Column) -> String {
    let name = column.name;
    match column.kind {
        ColumnKind::Game | ColumnKind::Integer | ColumnKind::Text => format!("\"{name}\""),
        ColumnKind::Time => format!("CAST(round((julianday(\"{name}\") - 2440587.5) * 86400000.0) AS INTEGER)"),
    }
}

/// The SQL expression that writes a value of a column.
fn parameter(column: &Column, at: usize) -> String {
    match column.kind {
        ColumnKind::Game | ColumnKind::Integer | ColumnKind::Text => format!("?{at}"),
        ColumnKind::Time => format!("strftime('%Y-%m-%d %H:%M:%f', ?{at} / 1000.0, 'unixepoch')"),
    }
}

fn bind(statement: &mut Statement<'_>, at: usize, cell: &Cell) -> rusqlite::Result<()> {
    let value: &dyn ToSql = match cell {
        Cell::Null | Cell::ThisGame => &rusqlite::types::Null,
        Cell::Game(GameKey(number)) | Cell::Integer(number) | Cell::Time(number) => number,
        Cell::Text(text) => text,
    };
    statement.raw_bind_parameter(at, value)
}

fn cell(kind: ColumnKind, value: ValueRef<'_>) -> rusqlite::Result<Cell> {
    if value == ValueRef::Null {
        return Ok(Cell::Null);
    }
    Ok(match kind {
        ColumnKind::Game => Cell::Game(GameKey(value.as_i64()?)),
        ColumnKind::Integer => Cell::Integer(value.as_i64()?),
        ColumnKind::Text => Cell::Text(value.as_str()?.into()),
        ColumnKind::Time => Cell::Time(value.as_i64()?),
    })
}
