import assert from "node:assert/strict";
import test from "node:test";
import { ago } from "/web/listing.js";
import { scenarioTitle } from "/web/new-game.js";

test("how long ago", () => {
  const minute = 60_000;
  assert.deepEqual([0, 59_999, minute, 59 * minute, 60 * minute, 47.9 * 60 * minute, 48 * 60 * minute].map(ago), ["now", "now", "1 min ago", "59 min ago", "1 h ago", "47 h ago", "2 days ago"]);
});

test("scenarios for people", () => {
  assert.deepEqual([scenarioTitle("colony", "first-night"), scenarioTitle("crazyhouse", "standard"), scenarioTitle("crazyhouse", "blitz")], ["First night", "Crazyhouse", "Blitz"]);
});
