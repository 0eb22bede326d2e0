CREATE TABLE access (
    game   TEXT    NOT NULL PRIMARY KEY,
    hidden INTEGER NOT NULL,
    rules  TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX access_hidden ON access (game) WHERE hidden;
