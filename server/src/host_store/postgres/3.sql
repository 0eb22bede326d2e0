CREATE TABLE host_documents (
    kind text NOT NULL,
    key  text COLLATE "C" NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (kind, key)
);
