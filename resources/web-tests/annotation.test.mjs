import assert from "node:assert/strict";
import test from "node:test";
import { readNote, withNote } from "/web/annotation.js";

test("a note survives its way through an address", () => {
  for (const text of ["Here it was lost.", "a & b = 100% <b>?", "two\nlines", "7:8"]) {
    assert.deepEqual(readNote(withNote("http://host/games/x?step=1", 42, text)), { step: 42, text });
  }
  assert.equal(new URL(withNote("http://host/games/x", 42, "a")).searchParams.get("step"), "42");
  assert.equal(readNote(withNote("http://host/", 1, "x".repeat(1000)))?.text.length, 280);
});

test("what is no note is none", () => {
  for (const note of ["", "text", "7:", "7: ", ":a", "-1:a", "1234567890:a"]) {
    assert.equal(readNote(`http://host/?note=${encodeURIComponent(note)}`), null, note);
  }
  assert.equal(readNote("http://host/"), null);
});
