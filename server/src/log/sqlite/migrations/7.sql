-- The rulebook, the edition and the version of the rules are stored once for all games that have them, in columns and as the
-- bytes of a header. Code fills in these bytes and takes them out of the headers.
DROP VIEW whole_games;
CREATE TABLE games_6 AS SELECT * FROM games;
DROP TABLE games;
CREATE TABLE editions (
    id            INTEGER PRIMARY KEY,
    rulebook      TEXT    NOT NULL,
    edition       TEXT    NOT NULL,
    rules_version INTEGER NOT NULL,
    bytes         BLOB    NOT NULL,
    UNIQUE (rulebook, edition, rules_version)
) STRICT;
INSERT INTO editions (rulebook, edition, rules_version, bytes)
SELECT rulebook, edition, rules_version, x'' FROM games_6 GROUP BY 1, 2, 3 ORDER BY min(id);
CREATE TABLE games (
    id              INTEGER PRIMARY KEY,
    name            TEXT    NOT NULL UNIQUE,
    rules           INTEGER NOT NULL REFERENCES editions (id),
    seed            INTEGER NOT NULL,
    created         INTEGER NOT NULL,
    ended           INTEGER,
    outcome         TEXT,
    players         TEXT,
    parent          TEXT,
    results         TEXT,
    header_start    BLOB    NOT NULL,
    header_end      BLOB,
    setup           INTEGER REFERENCES setups (id),
    other_scenario  TEXT,
    scenario_start  INTEGER,
    scenario_length INTEGER
) STRICT;
INSERT INTO games
SELECT games_6.id, name, editions.id, seed, created, ended, outcome, players, parent, results,
    header_start, NULL, setup, other_scenario, scenario_start, scenario_length
FROM games_6 JOIN editions USING (rulebook, edition, rules_version) ORDER BY games_6.id;
DROP TABLE games_6;
CREATE INDEX games_of_setup ON games (setup);
CREATE INDEX games_unfinished ON games (id) WHERE ended IS NULL;
CREATE INDEX games_ended ON games (rules, ended) WHERE ended IS NOT NULL;
CREATE TRIGGER setup_without_games AFTER DELETE ON games
WHEN OLD.setup IS NOT NULL AND NOT EXISTS (SELECT 1 FROM games WHERE setup = OLD.setup)
BEGIN
    DELETE FROM setups WHERE id = OLD.setup;
END;
CREATE VIEW whole_games AS
SELECT games.id, name, rulebook, edition, rules_version, seed, created, ended, outcome, players, parent, results,
    CAST(
        header_start
        || CASE WHEN header_end IS NULL THEN x'' ELSE COALESCE(editions.bytes, x'') || header_end END
        || COALESCE(setups.bytes, x'') AS BLOB
    ) AS header,
    COALESCE(other_scenario, CAST(substr(setups.bytes, scenario_start + 1, scenario_length) AS TEXT)) AS scenario
FROM games LEFT JOIN editions ON editions.id = games.rules LEFT JOIN setups ON setups.id = games.setup;
