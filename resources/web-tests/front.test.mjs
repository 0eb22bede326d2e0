import assert from "node:assert/strict";
import test from "node:test";
import { frontPicture, liveliest } from "/web/front.js";
import { titleOf } from "/web/titles.js";

const game = (name, status, ...players) => ({ name, status, players, rulebook: "colony", scenario: "winter" });

test("the liveliest game runs and has the most players; the shown one stays as long as it runs", () => {
  const games = [game("new", "running"), game("two", "running", "a", "b"), game("three", "running", "a", "b", "c"), game("other", "running", "d", "e", "f"), game("done", "finished", "a", "b", "c", "d")];
  assert.equal(liveliest(games, null)?.name, "three");
  assert.equal(liveliest(games, "two")?.name, "two");
  assert.equal(liveliest(games, "done")?.name, "three");
  assert.equal(liveliest([games[0], games[4]], "done"), null, "no players");
  assert.equal(liveliest([], null), null);
});

test("titles", () => {
  const title = (scenario) => titleOf({ scenario, rulebook: "treasure" });
  assert.deepEqual(["first-night", "", "standard", "2022-debug"].map(title), ["First night", "Treasure", "Treasure", "Treasure 2022 debug"]);
});

test("the front picture is of a game of this host", () => {
  const book = (name, poster = null) => ({ name, about: "", poster, people: true });
  assert.deepEqual(frontPicture([book("pebble"), book("dice", "/web/dice/poster.svg")]), { poster: "/web/dice/poster.svg#front" });
  assert.deepEqual(frontPicture([book("connect-four"), book("dice")]), { names: ["Connect four", "Dice"] });
  assert.deepEqual(frontPicture([]), { names: [] });
});
