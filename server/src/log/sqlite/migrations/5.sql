-- The setup at the end of a header is stored once for all games that have it. Code splits the headers of older games.
CREATE TABLE setups (
    digest BLOB NOT NULL PRIMARY KEY,
    bytes  BLOB NOT NULL
) STRICT;
ALTER TABLE games RENAME COLUMN header TO header_start;
ALTER TABLE games RENAME COLUMN scenario TO other_scenario;
ALTER TABLE games ADD COLUMN setup BLOB REFERENCES setups (digest) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE games ADD COLUMN scenario_start INTEGER;
ALTER TABLE games ADD COLUMN scenario_length INTEGER;
CREATE INDEX games_of_setup ON games (setup);
CREATE INDEX games_unfinished ON games (id) WHERE ended IS NULL;
CREATE INDEX games_ended ON games (rulebook, ended) WHERE ended IS NOT NULL;
CREATE TRIGGER setup_without_games AFTER DELETE ON games
WHEN OLD.setup IS NOT NULL AND NOT EXISTS (SELECT 1 FROM games WHERE setup = OLD.setup)
BEGIN
    DELETE FROM setups WHERE digest = OLD.setup;
END;
CREATE VIEW whole_games AS
SELECT games.id, name, rulebook, edition, rules_version, seed, created, ended, outcome, players, parent, results,
    CAST(header_start || COALESCE(bytes, x'') AS BLOB) AS header,
    COALESCE(other_scenario, CAST(substr(bytes, scenario_start + 1, scenario_length) AS TEXT)) AS scenario
FROM games LEFT JOIN setups ON setups.digest = games.setup;
