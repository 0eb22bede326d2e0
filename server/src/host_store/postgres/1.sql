CREATE TABLE host_chat (
    game    text   NOT NULL,
    number  bigint NOT NULL,
    channel text   NOT NULL,
    client  bigint,
    writer  text   NOT NULL,
    line    text   NOT NULL,
    written bigint NOT NULL,
    PRIMARY KEY (game, number)
);
