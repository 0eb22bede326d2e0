import assert from "node:assert/strict";
import test from "node:test";
import { ageOf, readTiles, tileWords } from "/web/project/tiles.js";

const nothing = " ".repeat(10);

test("tiles that a player knows", () => {
  const tiles = readTiles([`${nothing}p-02000a--`, "", "Nb--00100z"]);
  assert.deepEqual([...tiles.keys()], ["1 0", "0 2"]);
  assert.deepEqual(tiles.get("1 0"), { x: 1, y: 0, object: "p", player: "-", distance: 2, at: 1000, from: null });
  assert.deepEqual(tiles.get("0 2"), { x: 0, y: 2, object: "N", player: "b", distance: null, at: 3600, from: 35 });
  assert.equal(readTiles([]).size, 0);
});

test("the age of knowledge, on both sides of each limit", () => {
  assert.deepEqual([0, 3000, 3001, 15000, 15001, 60000, 60001].map(ageOf), [0, 0, 1, 1, 2, 2, 3]);
});

test("a tile in words", () => {
  const words = (cell, clock) => tileWords(readTiles([cell]).get("0 0"), clock);
  assert.equal(words("gr--0000--", 1500), "a completed goal, a player of Red; seen 1.5 s ago");
  assert.equal(words("p-0a000a03", 500), "a piece, 10 from a piece; seen 0.0 s ago and told by player 3");
});
