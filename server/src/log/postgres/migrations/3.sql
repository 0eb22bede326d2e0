-- A removed game leaves a row. Its entries are deleted in pieces; `cleared` says that all of them are gone.
CREATE TABLE tombstones (
    game    bigint  NOT NULL PRIMARY KEY,
    name    text COLLATE "C" NOT NULL UNIQUE,
    entries bigint  NOT NULL,
    digest  bytea   NOT NULL,
    removed bigint  NOT NULL,
    why     text    NOT NULL,
    cleared boolean NOT NULL
);
CREATE INDEX tombstones_left ON tombstones (game) WHERE NOT cleared;
-- The entries of a game in which a name was replaced, as `3,7-9`. Their digests are those of the bytes before.
CREATE TABLE redactions (
    game      bigint NOT NULL PRIMARY KEY,
    redacted  bigint NOT NULL,
    sequences text   NOT NULL
);
