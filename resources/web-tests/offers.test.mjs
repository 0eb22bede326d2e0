import assert from "node:assert/strict";
import test from "node:test";
import { fill, follow, joining, leaves, nextTargets, readValue, targeted } from "/web/offers.js";

test("commands are found behind every question", () => {
  const offers = [
    { label: "Move", title: "Who?", offers: [{ label: "Ana", title: "Where?", offers: [{ label: "here", command: { Move: { to: 1 } } }] }, { label: "Bo", title: "Where?", offers: [] }] },
    { label: "End", command: { End: {} }, impossible: "Not now." },
  ];
  assert.deepEqual([...leaves({ offers })].map(({ label, impossible }) => [label, impossible]), [["here", undefined], ["End", "Not now."]]);
});

test("what is inside of an aside is an aside", () => {
  const offers = [{ label: "Leave", aside: true, title: "Sure?", offers: [{ label: "Yes", command: { Leave: {} } }] }];
  assert.deepEqual([...leaves({ offers })].map(({ label, aside }) => [label, aside]), [["Yes", true]]);
});

test("arguments are checked and filled in", () => {
  const number = { field: "coins", label: "Coins", range: { least: 1, most: 5 } };
  const text = { field: "name", label: "Name", text: { least: 1, most: 3, name: true } };
  const free = { field: "plan", label: "Plan", free: { about: "a list" } };
  assert.deepEqual(fill({ Bet: { coins: 1, on: 2 } }, [number], [readValue(number, "5")]), { Bet: { coins: 5, on: 2 } });
  assert.equal(readValue(text, "äöü"), "äöü");
  assert.deepEqual(readValue(free, "[1]"), [1]);
  for (const [argument, wrong] of [[number, "6"], [number, "0"], [number, ""], [number, "1.5"], [number, "x"], [text, ""], [text, "four"], [free, "{"]]) {
    assert.throws(() => readValue(argument, wrong), undefined, `${argument.label} ${wrong}`);
  }
});

test("a seat is taken if there is one way to do so", () => {
  const name = { field: "name", label: "Name", text: { least: 1, most: 9, name: true } };
  const join = { label: "Join", command: { Join: { name: "x" } }, arguments: [name] };
  assert.deepEqual(joining({ title: "", offers: [join] }, "Ana"), { Join: { name: "Ana" } });
  assert.equal(joining({ title: "", offers: [join, { ...join, label: "as Black" }] }, "Ana"), null);
  assert.equal(joining({ title: "", offers: [{ ...join, impossible: "It is full." }] }, "Ana"), null);
  assert.equal(joining({ title: "", offers: [] }, "Ana"), null);
});

test("an open question stays open as long as it exists", () => {
  const inner = { label: "Ana", title: "Where?", offers: [{ label: "here", command: { Move: { to: 1 } } }] };
  const offers = { title: "What?", offers: [{ label: "Move", title: "Who?", offers: [inner] }], table: {} };
  assert.deepEqual(follow(offers, ["Move", "Ana"]), { open: { title: "Where?", offers: inner.offers }, path: ["Move", "Ana"] });
  assert.deepEqual(follow(offers, ["Move", "Bo"]).path, ["Move"]);
  assert.deepEqual(follow(offers, ["here"]), { open: { title: "What?", offers: offers.offers }, path: [] });
});

test("places lead to further places", () => {
  const move = (who, to, impossible) => ({ label: `${who} to ${to}`, command: { Move: { who, to } }, ...(impossible ? { impossible } : {}) });
  const offers = { title: "", offers: [{ label: "Move", title: "", offers: [move(1, 7), move(1, 8, "Full."), move(2, 7)] }, { label: "End", command: { End: {} } }] };
  const all = targeted(offers, (command) => (command.Move ? [`who-${command.Move.who}`, `to-${command.Move.to}`] : null));
  assert.deepEqual(all.map(({ words }) => words), [["Move", "1 to 7"], ["Move", "1 to 8"], ["Move", "2 to 7"]]);
  assert.deepEqual([...nextTargets(all, []).keys()], ["who-1", "who-2"]);
  assert.deepEqual([...nextTargets(all, ["who-1"]).keys()], ["to-7", "to-8"]);
  assert.deepEqual([...nextTargets(all, ["to-7"]).keys()], []);
});
