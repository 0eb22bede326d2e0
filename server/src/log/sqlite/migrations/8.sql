-- A removed game leaves a row. Its entries are deleted in pieces; `cleared` says that all of them are gone. `first_row` and
-- `last_row` are the numbers of its first and its last entry among those of all games.
CREATE TABLE tombstones (
    game      INTEGER PRIMARY KEY,
    name      TEXT    NOT NULL UNIQUE,
    entries   INTEGER NOT NULL,
    digest    BLOB    NOT NULL,
    first_row INTEGER,
    last_row  INTEGER,
    removed   INTEGER NOT NULL,
    why       TEXT    NOT NULL,
    cleared   INTEGER NOT NULL
) STRICT;
CREATE INDEX tombstones_by_row ON tombstones (last_row);
CREATE INDEX tombstones_left ON tombstones (game) WHERE cleared = 0;
-- The name of a removed game is never used again.
CREATE TRIGGER name_of_tombstone BEFORE INSERT ON games
WHEN EXISTS (SELECT 1 FROM tombstones WHERE name = NEW.name)
BEGIN
    SELECT RAISE(ABORT, 'a removed game has this name');
END;
-- The entries of a game in which a name was replaced, as `3,7-9`. Their digests are those of the bytes before.
CREATE TABLE redactions (
    game      INTEGER PRIMARY KEY,
    redacted  INTEGER NOT NULL,
    sequences TEXT    NOT NULL
) STRICT;
