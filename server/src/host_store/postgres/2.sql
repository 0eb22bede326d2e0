CREATE TABLE host_access (
    game   text    NOT NULL PRIMARY KEY,
    hidden boolean NOT NULL,
    rules  text    NOT NULL
);
CREATE INDEX host_access_hidden ON host_access (game) WHERE hidden;
