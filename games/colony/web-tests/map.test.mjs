import assert from "node:assert/strict";
import test from "node:test";
import { gates, layout, standing } from "/web/colony/map-layout.js";

/** Widths from a small phone to a large screen. */
const WIDTHS = [300, 366, 500, 619, 620, 800, 1000, 1400, 2200];

test("every place has a spot inside of the map, and no two overlap", () => {
  for (const width of WIDTHS) {
    for (let count = 0; count <= 14; count += 1) {
      const { height, compact, spots, centre } = layout(count, width);
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
