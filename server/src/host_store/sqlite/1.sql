CREATE TABLE chat (
    game    TEXT    NOT NULL,
    number  INTEGER NOT NULL,
    channel TEXT    NOT NULL,
    client  INTEGER,
    writer  TEXT    NOT NULL,
    line    TEXT    NOT NULL,
    written INTEGER NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
