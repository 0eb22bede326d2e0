CREATE TABLE games (
    id            INTEGER PRIMARY KEY,
    name          TEXT    NOT NULL UNIQUE,
    rulebook      TEXT    NOT NULL,
    edition       TEXT    NOT NULL,
    rules_version INTEGER NOT NULL,
    seed          INTEGER NOT NULL,
    created       INTEGER NOT NULL,
    ended         INTEGER,
    outcome       TEXT,
    header        BLOB    NOT NULL,
    scenario      TEXT
) STRICT;
CREATE TABLE clients (
    game       INTEGER NOT NULL,
    client     INTEGER NOT NULL,
    token_hash BLOB    NOT NULL CHECK (length(token_hash) = 32),
    name       TEXT    NOT NULL,
    joined     INTEGER NOT NULL,
    PRIMARY KEY (game, client)
) STRICT, WITHOUT ROWID;
CREATE TABLE entries (
    id       INTEGER PRIMARY KEY,
    game     INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    digest   BLOB    NOT NULL,
    bytes    BLOB    NOT NULL
) STRICT;
CREATE UNIQUE INDEX entries_of_game ON entries (game, sequence);
CREATE TABLE tails (
    game    INTEGER PRIMARY KEY,
    entries INTEGER NOT NULL,
    digest  BLOB    NOT NULL
) STRICT;
