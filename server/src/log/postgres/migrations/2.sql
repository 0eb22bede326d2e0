-- Small texts that all hosts share, by their names. A text is replaced only if its version is the one that was read.
CREATE TABLE texts (
    name    text   NOT NULL PRIMARY KEY,
    version bigint NOT NULL,
    text    text   NOT NULL
);
