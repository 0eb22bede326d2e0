// The message types are those of docs/protocol.json.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { DESCRIPTION, PROJECT, render } from "../generate.mjs";

const description = readFileSync(DESCRIPTION, "utf8");

test("the types are those of the server", () => {
  for (const [path, text] of render(JSON.parse(description))) {
    const file = join(PROJECT, path);
    assert.ok(existsSync(file) && readFileSync(file, "utf8") === text, `${path} is old: node generate.mjs`);
  }
});

test("a change of the description changes them", () => {
  const now = render(JSON.parse(description)).get("clients/typescript/src/messages.ts");
  for (const [before, after] of [['"too_slow"', '"too_lazy"'], ['"protocol": 3', '"protocol": 4'], ['"name":"after"', '"name":"behind"']]) {
    assert.ok(description.includes(before), before);
    const then = render(JSON.parse(description.replace(before, after))).get("clients/typescript/src/messages.ts");
    assert.notEqual(now, then, after);
  }
});
