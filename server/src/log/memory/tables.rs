//! Tables of rulebooks in memory.

use std::collections::BTreeMap;

use crate::log::{
    Cell, ColumnKind, GameKey, Record, RecordError, Table,
    tables::{Change, belongings, check_tables, orphans},
};

/// The tables of a store, by name.
#[derive(Debug, Default)]
pub(super) struct Tables(BTreeMap<&'static str, Filled>);

/// A table and its rows, by key.
#[derive(Debug)]
struct Filled {
    table: &'static Table,
    rows: BTreeMap<Vec<Cell>, Vec<Cell>>,
}

/// A row as it was before a change.
struct Before {
    table: &'static str,
    key: Vec<Cell>,
    row: Option<Vec<Cell>>,
}

impl Tables {
    pub(super) fn add(&mut self, added: &[&'static Table]) -> Result<(), RecordError> {
        let known: Vec<&'static Table> = self.0.values().map(|filled| filled.table).collect();
        for table in check_tables(&known, added)? {
            self.0.insert(table.name, Filled { table, rows: BTreeMap::new() });
        }
        Ok(())
    }

    pub(super) fn read(
        &self,
        table: &'static Table,
        filter: Option<&(&'static str, Cell)>,
    ) -> Result<Vec<Vec<Cell>>, RecordError> {
        let filter = match filter {
            Some((column, cell)) => Some((table.check_filter(column, cell)?, cell)),
            None => None,
        };
        let rows = self.find(table)?.rows.values();
        Ok(rows.filter(|row| filter.is_none_or(|(place, cell)| row[place] == *cell)).cloned().collect())
    }

    /// Writes all records of an entry, or none.
    pub(super) fn write(
        &mut self,
        game: GameKey,
        records: &[Record],
        is_game: impl Fn(GameKey) -> bool,
    ) -> Result<(), RecordError> {
        let mut before = Vec::new();
        let written = records.iter().try_for_each(|record| {
            before.extend(self.write_one(game, record, &is_game)?);
            Ok(())
        });
        if written.is_err() {
            before.into_iter().rev().for_each(|before| self.put_back(before));
        }
        written
    }

    fn write_one(
        &mut self,
        game: GameKey,
        record: &Record,
        is_game: impl Fn(GameKey) -> bool,
    ) -> Result<Option<Before>, RecordError> {
        let table = record.table();
        let filled = self.find(table)?;
        let (key, row) = match record.resolve(game)? {
            Change::Insert { row } => {
                let key: Vec<Cell> = table.key_places().map(|place| row[place].clone()).collect();
                if filled.rows.contains_key(&key) {
                    return Err(RecordError::KeyTaken { table: table.name });
                }
                (key, row)
            }
            Change::Update { key, cells } => {
                let Some(mut row) = filled.rows.get(&key).cloned() else { return Ok(None) };
                cells.into_iter().for_each(|(place, cell)| row[place] = cell);
                table.check_row(&row)?;
                (key, row)
            }
        };
        self.check_references(table, &row, is_game)?;
        let filled = self.0.get_mut(table.name).ok_or(RecordError::NoSuchTable { table: table.name })?;
        let before = filled.rows.insert(key.clone(), row);
        Ok(Some(Before { table: table.name, key, row: before }))
    }

    fn check_references(
        &self,
        table: &'static Table,
        row: &[Cell],
        is_game: impl Fn(GameKey) -> bool,
    ) -> Result<(), RecordError> {
        let is_there = |name: &str, cell: &Cell| {
            self.0.get(name).is_some_and(|filled| filled.rows.contains_key(std::slice::from_ref(cell)))
        };
        for (column, cell) in table.columns.iter().zip(row).filter(|(_, cell)| **cell != Cell::Null) {
            let found = match (column.references, column.kind, cell) {
                (Some(other), _, cell) => is_there(other, cell),
                (None, ColumnKind::Game, Cell::Game(game)) => is_game(*game),
                (None, _, _) => true,
            };
            if !found {
                return Err(RecordError::NoSuchRow { table: table.name });
            }
        }
        Ok(())
    }

    /// Deletes the rows of a game, and the rows that only these referred to.
    pub(super) fn remove(&mut self, game: GameKey) {
        let tables: Vec<&'static Table> = self.0.values().map(|filled| filled.table).collect();
        let mut referred = Vec::new();
        for (table, column) in belongings(&tables) {
            let Some(filled) = self.0.get_mut(table.name) else { continue };
            let Ok(place) = table.place(column) else { continue };
            let is_of_game = |row: &Vec<Cell>| row[place] == Cell::Game(game);
            for (column, other) in orphans(&tables, table) {
                let Ok(place) = table.place(column) else { continue };
                let rows = filled.rows.values().filter(|row| is_of_game(row));
                referred.extend(rows.map(|row| (other, row[place].clone())));
            }
            filled.rows.retain(|_, row| !is_of_game(row));
        }
        for (table, key) in referred {
            let refers = |user: &Filled| {
                let columns = user.table.columns.iter().enumerate();
                let mut places = columns.filter(|(_, column)| column.references == Some(table.name));
                places.any(|(place, _)| user.rows.values().any(|row| row[place] == key))
            };
            if !self.0.values().any(refers)
                && let Some(filled) = self.0.get_mut(table.name)
            {
                filled.rows.remove(std::slice::from_ref(&key));
            }
        }
    }

    fn put_back(&mut self, Before { table, key, row }: Before) {
        let Some(filled) = self.0.get_mut(table) else { return };
        match row {
            Some(row) => drop(filled.rows.insert(key, row)),
            None => drop(filled.rows.remove(&key)),
        }
    }

    fn find(&self, table: &'static Table) -> Result<&Filled, RecordError> {
        let filled = self.0.get(table.name).filter(|filled| filled.table == table);
        filled.ok_or(RecordError::NoSuchTable { table: table.name })
    }
}
