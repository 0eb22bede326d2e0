-- A game names its setup by a number, which takes less space than a digest. A column that refers to another table cannot be
-- changed, so the games and the setups are written again. Foreign keys are off meanwhile.
CREATE TABLE setups_5 AS SELECT digest, bytes FROM setups;
INSERT INTO setups_5 SELECT DISTINCT setup, x'' FROM games
WHERE setup IS NOT NULL AND setup NOT IN (SELECT digest FROM setups);
CREATE TABLE games_5 AS SELECT * FROM games;
DROP VIEW whole_games;
DROP TABLE games;
DROP TABLE setups;
CREATE TABLE setups (
    id     INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    bytes  BLOB NOT NULL
) STRICT;
INSERT INTO setups (digest, bytes) SELECT digest, bytes FROM setups_5 ORDER BY rowid;
DROP TABLE setups_5;
CREATE TABLE games (
    id              INTEGER PRIMARY KEY,
    name            TEXT    NOT NULL UNIQUE,
    rulebook        TEXT    NOT NULL,
    edition         TEXT    NOT NULL,
    rules_version   INTEGER NOT NULL,
    seed            INTEGER NOT NULL,
    created         INTEGER NOT NULL,
    ended           INTEGER,
    outcome         TEXT,
    players         TEXT,
    parent          TEXT,
    results         TEXT,
    header_start    BLOB    NOT NULL,
    setup           INTEGER REFERENCES setups (id),
    other_scenario  TEXT,
    scenario_start  INTEGER,
    scenario_length INTEGER
) STRICT;
INSERT INTO games
SELECT games_5.id, name, rulebook, edition, rules_version, seed, created, ended, outcome, players, parent, results,
    header_start, setups.id, other_scenario, scenario_start, scenario_length
FROM games_5 LEFT JOIN setups ON setups.digest = games_5.setup ORDER BY games_5.id;
DROP TABLE games_5;
CREATE INDEX games_of_setup ON games (setup);
CREATE INDEX games_unfinished ON games (id) WHERE ended IS NULL;
CREATE INDEX games_ended ON games (rulebook, ended) WHERE ended IS NOT NULL;
CREATE TRIGGER setup_without_games AFTER DELETE ON games
WHEN OLD.setup IS NOT NULL AND NOT EXISTS (SELECT 1 FROM games WHERE setup = OLD.setup)
BEGIN
    DELETE FROM setups WHERE id = OLD.setup;
END;
CREATE VIEW whole_games AS
SELECT games.id, name, rulebook, edition, rules_version, seed, created, ended, outcome, players, parent, results,
    CAST(header_start || COALESCE(bytes, x'') AS BLOB) AS header,
    COALESCE(other_scenario, CAST(substr(bytes, scenario_start + 1, scenario_length) AS TEXT)) AS scenario
FROM games LEFT JOIN setups ON setups.id = games.setup;
