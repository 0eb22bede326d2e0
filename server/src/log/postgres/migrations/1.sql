-- A row for each registration of a host. `session` changes with each writing connection, so that a statement of an earlier one
-- does nothing.
CREATE TABLE hosts (
    incarnation     bigint  NOT NULL PRIMARY KEY,
    name            text    NOT NULL,
    alive           boolean NOT NULL,
    session         bigint  NOT NULL,
    beat            bigint  NOT NULL,
    client_address  text,
    http_address    text,
    cluster_address text,
    version         text    NOT NULL,
    rules           text    NOT NULL,
    draining        boolean NOT NULL,
    games           bigint  NOT NULL
);
-- No two living hosts have the same name.
CREATE UNIQUE INDEX living_hosts ON hosts (name) WHERE alive;
CREATE SEQUENCE incarnations;

-- Each number is a block of 1,024 keys of games.
CREATE SEQUENCE key_blocks;

CREATE TABLE setups (
    digest bytea NOT NULL PRIMARY KEY,
    bytes  bytea NOT NULL
);

-- `entries` and `digest` are the end of the log when the game was created, handed over or ended. The end of a running game is
-- its last entry.
CREATE TABLE games (
    id              bigint NOT NULL PRIMARY KEY,
    name            text COLLATE "C" NOT NULL UNIQUE,
    rulebook        text   NOT NULL,
    edition         text   NOT NULL,
    rules_version   bigint NOT NULL,
    seed            bigint NOT NULL,
    created         bigint NOT NULL,
    parent          text,
    header_start    bytea  NOT NULL,
    setup           bytea  REFERENCES setups (digest),
    other_scenario  text,
    scenario_start  bigint,
    scenario_length bigint,
    owner           bigint,
    elapsed_ms      bigint,
    ended           bigint,
    outcome         text,
    players         text,
    results         text,
    entries         bigint NOT NULL,
    digest          bytea  NOT NULL
);
CREATE INDEX games_of_setup ON games (setup);
CREATE INDEX games_unfinished ON games (id) WHERE ended IS NULL;
CREATE INDEX games_by_name ON games (name) WHERE ended IS NULL;
CREATE INDEX games_by_owner ON games (owner) WHERE ended IS NULL;
CREATE INDEX games_ended ON games (rulebook, ended) WHERE ended IS NOT NULL;

-- A host makes the partition of a key before it uses the key.
CREATE TABLE entries (
    game     bigint NOT NULL,
    sequence bigint NOT NULL,
    digest   bytea  NOT NULL,
    bytes    bytea  NOT NULL,
    PRIMARY KEY (game, sequence)
) PARTITION BY RANGE (game);

CREATE TABLE clients (
    game       bigint NOT NULL,
    client     bigint NOT NULL,
    token_hash bytea  NOT NULL,
    name       text   NOT NULL,
    joined     bigint NOT NULL,
    PRIMARY KEY (game, client)
);

CREATE VIEW whole_games AS
SELECT id, name, rulebook, edition, rules_version, seed, created, ended, outcome, players, parent, results,
    header_start || COALESCE(setups.bytes, ''::bytea) AS header,
    COALESCE(other_scenario,
        convert_from(substring(setups.bytes FROM scenario_start::integer + 1 FOR scenario_length::integer), 'UTF8'))
        AS scenario
FROM games LEFT JOIN setups ON setups.digest = games.setup;
