import assert from "node:assert/strict";
import test from "node:test";
import { gates, layout, standing } from "/web/colony/map-layout.js";
import { targets } from "/web/colony/targets.js";

/** Widths from a small phone to a large screen. */
const WIDTHS = [300, 366, 500, 619, 620, 800, 1000, 1400, 2200];
/** Pages that the map fills: a phone, a tablet, screens. @type {[number, number][]} */
const FILLED = [[390, 372], [390, 600], [768, 640], [1280, 528], [1440, 708], [1920, 888]];
/** @type {[number, number | undefined][]} */
const PAGES = [...WIDTHS.map((width) => /** @type {[number, undefined]} */ ([width, undefined])), ...FILLED];

test("every place has a spot inside of the map, and no two overlap", () => {
  for (const [width, fill] of PAGES) {
    for (let count = 0; count <= 14; count += 1) {
      const { height, compact, spots, centre } = layout(count, width, fill);
      assert.equal(spots.length, count);
      const all = [...spots, centre];
      for (const { x, y } of all) assert.ok(x > 0 && x < width && y > 0 && y < height, `${count} places, ${width} wide: ${x}, ${y} of ${height}`);
      // What must not be covered: the house and the sign below it.
      const [needX, needY] = compact ? [90, 100] : [130, 120];
      all.forEach((one, at) => {
        for (const other of all.slice(at + 1)) {
          const isApart = Math.abs(one.x - other.x) >= needX * one.scale || Math.abs(one.y - other.y) >= needY * one.scale;
          assert.ok(isApart, `${count} places, ${width} wide: ${JSON.stringify([one, other])}`);
        }
      });
    }
  }
});

test("a map with six places needs no scrolling on usual screens", () => {
  for (const [width, fill] of FILLED.filter(([width]) => width !== 1280)) assert.equal(layout(6, width, fill).height <= fill, true, `${width} x ${fill}: ${layout(6, width, fill).height}`);
});

test("places go clockwise from the top left", () => {
  const { spots, centre } = layout(6, 1000);
  const sides = spots.map(({ x, y }) => (y < centre.y - 50 ? "above" : y > centre.y + 50 ? "below" : x < centre.x ? "left" : "right"));
  assert.deepEqual(sides, ["above", "above", "right", "below", "below", "left"]);
  assert.ok(spots[0].x < spots[1].x && spots[3].x > spots[4].x);
});

test("survivors do not stand on each other", () => {
  for (const isHome of [false, true]) {
    for (const compact of [false, true]) {
      for (let many = 0; many <= 24; many += 1) {
        const feet = standing(many, isHome, compact);
        assert.equal(feet.length, many);
        const places = new Set(feet.map(({ x, y }) => `${x} ${y}`));
        assert.equal(places.size, many);
      }
    }
  }
});

test("the gates of the colony are around it", () => {
  const all = gates(4, true, false);
  assert.deepEqual(all.map(({ x, y }) => [x < 0 ? "left" : "right", y < 0 ? "back" : "front"]), [["left", "back"], ["right", "back"], ["left", "front"], ["right", "front"]]);
  assert.equal(gates(1, true, true).length, 1);
  assert.deepEqual(gates(0, false, true), []);
});

test("a card is used at what its kind is for", () => {
  const stage = { colony: 0, places: [{ id: 10 }, { id: 20 }], characters: [{ id: 1 }, { id: 2 }], cards: ["fuel", "medicine", "lock", "scissors", "food", "hammer"].map((kind, at) => ({ id: 100 + at, kind })) };
  const picture = { characters: [{ place: 0 }, { place: 1 }] };
  const at = (card, character, target) => targets({ UseCard: { card, character, target } }, stage, picture);
  assert.deepEqual(at(100, 2, 10), ["card-100", "character-2", "place-10"]);
  assert.deepEqual(at(101, 2, 1), ["card-101", "character-1"]);
  assert.deepEqual(at(102, 2, 0), ["card-102", "door-20-0"]);
  assert.deepEqual(at(103, 1, 3), ["card-103", "door-10-3"]);
  assert.deepEqual(at(104, null, null), ["card-104"]);
  assert.deepEqual(at(105, 1, 1), ["card-105"]);
});
