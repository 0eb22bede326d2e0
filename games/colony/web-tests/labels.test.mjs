import assert from "node:assert/strict";
import test from "node:test";
import { entranceLabel, moraleLabel, shortName, starvationLabel, wasteLabel } from "/web/colony/labels.js";

test("figures", () => {
  assert.deepEqual([-1, 0, 1, 2, 3].map(moraleLabel), ["lost", "lost", "low", "low", "lost at 0"]);
  assert.deepEqual([0, 9, 10, 19, 20].map(wasteLabel), ["harmful at 10", "harmful at 10", "−1 morale", "−1 morale", "−2 morale"]);
  assert.deepEqual([0, 1].map(starvationLabel), ["tokens", "−1 morale"]);
});

test("entrances", () => {
  assert.equal(entranceLabel(0, { zombies: 1, barricades: 2 }), "entrance 0: 1 zombie, 2 barricades, 0 free");
  assert.equal(entranceLabel(1, { zombies: 0, barricades: 0 }), "entrance 1: 0 zombies, 0 barricades, 3 free");
});

test("short names", () => {
  const names = ["Tove Lind, net mender", "Captain Osk", "Dr Ines Varga", "Pelle, ship's boy", "The Twins' Aunt", "Dr", "Old", "", "李 雷", ", x"];
  assert.deepEqual(names.map(shortName), ["Tove", "Osk", "Dr Ines", "Pelle", "Twins'", "Dr", "Old", "", "李", ""]);
});
