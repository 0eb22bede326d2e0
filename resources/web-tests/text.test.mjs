import assert from "node:assert/strict";
import test from "node:test";
import { Refused, explain, parseLines, path, statusOf } from "/web/api.js";
import { capital, cut, date, plural } from "/web/dom.js";
import { lasted, merge } from "/web/listing.js";

test("cutting a text", () => {
  assert.equal(cut("abc", 3), "abc");
  assert.equal(cut("abcd", 3), "ab…");
  assert.equal(cut("ab😀d", 4), "ab…", "no half of a character");
  assert.equal(cut("ab😀de", 5), "ab😀…");
});

test("words", () => {
  assert.deepEqual([capital(""), capital("draw"), capital("Élan"), capital("élan")], ["", "Draw", "Élan", "Élan"]);
  assert.deepEqual([plural(0, "card"), plural(1, "card"), plural(2, "card"), plural(2, "match", "matches")], ["0 cards", "1 card", "2 cards", "2 matches"]);
  assert.match(date(0), /^1 Jan 1970,? \d\d:\d\d$/);
});

test("how long a game lasted", () => {
  for (const [ms, words] of [[0, "under a minute"], [29_999, "under a minute"], [30_000, "1 min"], [119 * 60_000, "119 min"], [120 * 60_000, "2 h"], [24 * 3_600_000, "24 h"]]) {
    assert.equal(lasted(ms), words);
  }
});

const game = (name, created) => ({ name, created });

test("new games come in front, and loaded older pages stay", () => {
  const known = { games: [game("c", 3), game("b", 2), game("a", 1)], next: "1-a" };
  const newest = { games: [game("d", 4), game("c", 3)], next: "3-c" };
  const merged = merge(known, newest);
  assert.deepEqual(merged.games.map(({ name }) => name), ["d", "c", "b", "a"]);
  assert.equal(merged.next, "1-a", "older pages go on where the list ends");
  assert.deepEqual(merge({ games: [], next: null }, newest), newest);
  const whole = { games: [game("d", 4)], next: null };
  assert.deepEqual(merge(known, whole), whole, "a page without a next one is the whole list");
  const removed = merge(known, { games: [game("d", 4), game("b", 2)], next: "2-b" });
  assert.deepEqual(removed.games.map(({ name }) => name), ["d", "b", "a"], "c is newer than the page, but not on it");
});

test("addresses and lines of the API", () => {
  assert.equal(path("games", "a/b ?", "fork"), "/api/v1/games/a%2Fb%20%3F/fork");
  assert.deepEqual(parseLines('{"a":1}\n\n{"b":2}\n'), [{ a: 1 }, { b: 2 }]);
});

test("errors for people", () => {
  assert.equal(explain(new Refused(404, "x", "There is no game a")), "There is no game a. It may have been removed, or the address has a typing mistake. Look for it in the list of games.");
  assert.equal(explain(new Refused(418, "x", "Really?")), "Really?");
  assert.equal(explain(new TypeError("x is null")), "Something in this page went wrong: x is null");
  assert.deepEqual([statusOf(new Refused(0, "x", "")), statusOf(new Error("x")), statusOf(null)], [0, null, null]);
});
