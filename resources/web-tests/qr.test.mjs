import assert from "node:assert/strict";
import test from "node:test";
import { qr } from "/web/qr.js";

/** The rows of `http://127.0.0.1:7780/games/tea/play` in hexadecimal, as the package `qrcode` 1.5.4 of npm makes them (level L, mask 0). */
const TEA =
  "1fc9d67f 10477741 175dd25d 174ed45d 1744675d 1048ba41 1fd5557f 1dee00 1df658c4 12b650e9 1589197 3b23eea ff13a6b 1f2b986d 1a4b5043 1e09ed9a 1f64843 7365ce5 14dc8cab f9e1dca 164d3df0 1b8117 1fd34b5b 105def1a 175a59fb 174e5f9b 1754809d 105e39ba 1fd119db";

test("a link as another program writes it", () => {
  const rows = qr("http://127.0.0.1:7780/games/tea/play") ?? [];
  assert.equal(rows.map((row) => parseInt(row.map(Number).join(""), 2).toString(16)).join(" "), TEA);
});

test("the smallest code that has room", () => {
  // The bytes that fit into each size, as the standard has them, and the width of the size.
  const most = [[17, 21], [32, 25], [53, 29], [78, 33], [106, 37]];
  for (const [bytes, wide] of most) {
    const rows = qr("a".repeat(bytes)) ?? [];
    assert.equal(rows.length, wide, `${bytes} bytes`);
    assert.ok(rows.every((row) => row.length === wide && !row.includes(/** @type {any} */ (undefined))), `${bytes} bytes fill it`);
    assert.notEqual(qr("a".repeat(bytes + 1))?.length, wide, `${bytes + 1} bytes`);
  }
  assert.equal(qr("a".repeat(107)), null);
  assert.equal(qr("ä".repeat(53))?.length, 37, "bytes count, not letters");
  assert.equal(qr("ä".repeat(54)), null);
});
