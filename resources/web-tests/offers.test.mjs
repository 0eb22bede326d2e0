import assert from "node:assert/strict";
import test from "node:test";
import { leaves } from "/web/offers.js";

test("commands are found behind every question", () => {
  const offers = [
    { label: "Move", title: "Who?", offers: [{ label: "Ana", title: "Where?", offers: [{ label: "here", command: { Move: { to: 1 } } }] }, { label: "Bo", title: "Where?", offers: [] }] },
    { label: "End", command: { End: {} }, impossible: "Not now." },
  ];
  assert.deepEqual([...leaves({ offers })].map(({ label, impossible }) => [label, impossible]), [["here", undefined], ["End", "Not now."]]);
});
