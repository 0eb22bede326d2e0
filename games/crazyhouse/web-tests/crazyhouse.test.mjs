import assert from "node:assert/strict";
import test from "node:test";
import { Match, clockText } from "/web/crazyhouse/match.js";
import { START, heldLetters, neighbour, pieceName, readBoard, sideOf, squaresOf, targetsOf, turnOf, wrongColumn } from "/web/crazyhouse/notation.js";
import { readMove, writePlan } from "/web/crazyhouse/typed.js";
import { judgement, numberOf, plotArea, plotPoints, scoreText, slips, turningPoints } from "/web/crazyhouse/judged.js";
import { awayWords, clockOf, joinChoices, statusWords } from "/web/crazyhouse/words.js";

test("a board", () => {
  const { squares, pockets } = readBoard(`${START.slice(0, -1)}/PPnq w`);
  assert.equal(squares.size, 32);
  assert.deepEqual(["a8", "e8", "a7", "a1", "d1", "h2", "e4"].map((square) => squares.get(square)), ["r", "k", "p", "R", "Q", "P", undefined]);
  assert.deepEqual([...pockets], [["P", 2], ["n", 1], ["q", 1]]);
  assert.deepEqual([heldLetters("white").join(""), heldLetters("black").join("")], ["PNBRQ", "pnbrq"]);
  const mixed = readBoard("4k3/8/8/3pP2p/8/8/8/4K3");
  assert.deepEqual([...mixed.squares].sort(), [["d5", "p"], ["e1", "K"], ["e5", "P"], ["e8", "k"], ["h5", "p"]]);
  assert.equal(mixed.pockets.size, 0, "a board without a pocket");
});

test("pieces, sides and moves", () => {
  assert.deepEqual([sideOf("N"), sideOf("n"), pieceName("q"), pieceName("P")], ["white", "black", "black queen", "white pawn"]);
  assert.deepEqual([turnOf(`${START} w`), turnOf(`${START} b`)], ["white", "black"]);
  assert.deepEqual([squaresOf("e2-e4"), squaresOf("P-e6")], [["e2", "e4"], ["e6"]]);
  const moves = ["e2-e3", "e2-e4", "P-e6", "p-e5", "b1-c3"];
  assert.deepEqual([...targetsOf(moves, "e2")], ["e3", "e4"]);
  assert.deepEqual([...targetsOf(moves, "P")], ["e6"], "letters have a side");
  assert.deepEqual([...targetsOf(moves, "e")], []);
});

test("typed moves", () => {
  const squares = new Map([["b1", "N"], ["g1", "N"], ["e2", "P"], ["d4", "P"], ["a7", "P"], ["e1", "K"], ["d1", "Q"]]);
  const moves = ["b1-c3", "b1-d2", "g1-f3", "g1-e2", "e2-e3", "e2-e4", "d4-e5", "a7-a8", "N-c4", "P-e6", "P-c3", "g1-d2"];
  const read = (text) => {
    const { move, problem } = readMove(text, moves, squares);
    return move ?? problem;
  };
  for (const [text, move] of [
    ["e2-e4", "e2-e4"], ["e2e4", "e2-e4"], ["E2E4", "e2-e4"], [" e4 ", "e2-e4"], ["Nf3", "g1-f3"], ["Nf3+", "g1-f3"], ["Nc3!?", "b1-c3"], ["dxe5", "d4-e5"], ["a8=Q", "a7-a8"],
    ["a7a8q", "a7-a8"], ["N@c4", "N-c4"], ["n@c4", "N-c4"], ["N-c4", "N-c4"], ["@e6", "P-e6"], ["P@c3#", "P-c3"], ["Nbd2", "b1-d2"], ["N1d2", "N1d2 can be b1-d2 or g1-d2."],
    ["Nd2", "Nd2 can be b1-d2 or g1-d2."], ["Ke2", "Ke2 is not a legal move."], ["Q@e4", "Q@e4 is not a legal move."], ["bc3", "bc3 is not a legal move."],
    ["", "Type a move like Nf3, e2-e4 or N@c4."], ["castle", "Type a move like Nf3, e2-e4 or N@c4."], ["O-O", "Type a move like Nf3, e2-e4 or N@c4."],
  ]) assert.equal(read(text), move, text);
  assert.deepEqual(["n-c4", "e2-e4"].map(writePlan), ["N@c4", "e2-e4"]);
});

test("arrows on the board stop at its edges, and follow a flipped board", () => {
  for (const [square, by, flipped, to] of [
    ["e2", [1, 0], false, "f2"], ["e2", [0, 1], false, "e3"], ["e2", [1, 0], true, "d2"], ["e2", [0, 1], true, "e1"],
    ["h8", [1, 0], false, null], ["h8", [0, 1], false, null], ["h8", [-1, 0], false, "g8"], ["a1", [-1, 0], false, null], ["a1", [0, -1], false, null],
    ["a1", [1, 0], true, null], ["a1", [-1, 0], true, "b1"],
  ]) assert.equal(neighbour(square, by, flipped), to, `${square} ${by} ${flipped}`);
});

test("the column of a wrong position", () => {
  assert.equal(wrongColumn("column 12: a rank has nine squares"), 12);
  assert.equal(wrongColumn("White has no king"), null);
});

test("clocks", () => {
  for (const [ms, text] of [[0, "0:00.0"], [99, "0:00.0"], [100, "0:00.1"], [9999, "0:09.9"], [10000, "0:10"], [59001, "1:00"], [60000, "1:00"], [3599000, "59:59"], [3600000, "1:00:00"], [3661000, "1:01:01"]]) {
    assert.equal(clockText(ms), text);
  }
});

const clock = { initial: 60000, increment: 1000 };
const moved = (side, text, more = {}) => ({ Moved: { side, text, position: `${START} ${side === "white" ? "b" : "w"}`, check: false, left: null, ...more } });

/** A game with a clock that the test drives, after these events. */
function play(events, { timed = false } = {}) {
  const time = { now: 0 };
  const match = new Match({ start: `${START} w`, clock: timed ? clock : null }, () => time.now);
  for (const event of [{ Joined: { side: "white", name: "Ana" } }, { Joined: { side: "black", name: "Bo" } }, { Began: { position: `${START} w`, clock: timed ? clock : null } }, ...events]) match.take(event, "words");
  return { match, time };
}

test("turns and positions", () => {
  const { match } = play([{ Seated: { side: "black" } }, moved("white", "e2-e4")]);
  assert.deepEqual([match.last, match.next, match.myTurn, match.turn, match.seats], [1, "black", true, 4, ["white", "black"]]);
  match.take(moved("black", "e7-e5"), "");
  assert.deepEqual([match.last, match.next, match.myTurn, match.turn], [2, "white", false, 5], "private events are not counted");
});

test("an offer lasts until it is declined, the other side moves, or the game ends", () => {
  const offered = { DrawOffered: { side: "white" } };
  for (const [event, offer, declined] of [
    [{ DrawDeclined: { side: "black" } }, null, "black"],
    [moved("black", "e7-e5"), null, null],
    [moved("white", "e2-e4"), "white", null],
    [{ Refused: {} }, "white", null],
    [{ Finished: { outcome: {}, because: null } }, null, null],
  ]) {
    const { match } = play([offered, event]);
    assert.deepEqual([match.offer, match.declined], [offer, declined], JSON.stringify(event));
  }
});

test("only the clock of the side to move runs", () => {
  const { match, time } = play([], { timed: true });
  time.now = 5000;
  assert.deepEqual([match.leftMs("white"), match.leftMs("black")], [55000, 60000]);
  match.take(moved("white", "e2-e4", { left: 56000 }), "");
  time.now = 7000;
  assert.deepEqual([match.leftMs("white"), match.leftMs("black")], [56000, 58000]);
  match.turnBeganAgo(10000);
  assert.equal(match.leftMs("black"), 50000);
  time.now = 1e6;
  assert.equal(match.leftMs("black"), 0, "never below zero");
  match.take({ Finished: { outcome: {}, because: null } }, "");
  time.now = 2e6;
  assert.equal(match.leftMs("black"), 0);
  assert.equal(play([]).match.leftMs("white"), null, "no clock");
});

test("a takeback undoes moves, and gives no time back", () => {
  const asked = { TakebackAsked: { side: "white" } };
  const taken = (moves, left = null) => ({ TakenBack: { side: "white", moves, position: "", white_left: left && left[0], black_left: left && left[1] } });
  const two = [moved("white", "e2-e4"), moved("black", "e7-e5")];
  assert.equal(play([...two, asked]).match.asked, "white");
  assert.equal(play([...two, asked, moved("white", "d2-d4")]).match.asked, null, "a move ends the question");
  assert.equal(play([...two, asked, { TakebackRefused: { side: "black" } }]).match.asked, null);
  const { match, time } = play([...two, { DrawOffered: { side: "black" } }, asked], { timed: true });
  time.now = 9000;
  match.take(taken(2, [47000, 59000]), "");
  time.now = 10000;
  assert.deepEqual([match.last, match.next, match.asked, match.offer, match.turn], [0, "white", null, null, 8]);
  assert.deepEqual([match.leftMs("white"), match.leftMs("black")], [46000, 59000]);
  assert.equal(play([...two, asked, taken(1)]).match.last, 1);
});

test("who can abort, and ask for a takeback", () => {
  const white = { Seated: { side: "white" } };
  const moves = [moved("white", "e2-e4"), moved("black", "e7-e5"), moved("white", "d2-d4")];
  const facts = (count, side = white) => {
    const { match } = play([side, ...moves.slice(0, count)]);
    return [match.isFresh, match.canAsk];
  };
  assert.deepEqual([0, 1, 2, 3].map((count) => facts(count)), [[true, false], [true, true], [true, true], [false, true]]);
  assert.deepEqual([0, 1, 2].map((count) => facts(count, { Seated: { side: "black" } })), [[true, false], [true, false], [true, true]]);
  assert.equal(play(moves).match.canAsk, false, "a spectator asks for nothing");
});

test("an opponent who is away", () => {
  assert.equal(awayWords(null), null);
  assert.deepEqual(awayWords(12.4), { words: "Your opponent left 12 s ago. You can claim the win in 48 s.", canClaim: false });
  assert.equal(awayWords(59.9).canClaim, false);
  assert.deepEqual(awayWords(60), { words: "Your opponent has left. You can claim the win, or wait.", canClaim: true });
});

test("the state in words", () => {
  const white = { Seated: { side: "white" } };
  for (const [events, sent, words] of [
    [[], null, "Ana (white) is to move."],
    [[white], null, "It is your move."],
    [[white], "e2-e4", "You play e2-e4…"],
    [[white, moved("white", "e2-e4", { check: true })], null, "Bo (black) is to move. Check."],
    [[white, moved("white", "e2-e4"), moved("black", "e7-e5", { check: true })], null, "It is your move. You are in check."],
    [[white, { DrawOffered: { side: "white" } }], null, "It is your move. You have offered a draw."],
    [[{ DrawOffered: { side: "black" } }], null, "Ana (white) is to move. Black offers a draw."],
    [[white, { DrawDeclined: { side: "black" } }], null, "It is your move. Black declined the draw."],
    [[white, moved("white", "e2-e4"), { TakebackAsked: { side: "white" } }], null, "Bo (black) is to move. You have asked to take your move back."],
    [[moved("white", "e2-e4"), { TakebackAsked: { side: "white" } }], null, "Bo (black) is to move. White asks to take a move back."],
    [[white, moved("white", "e2-e4"), { TakebackRefused: { side: "black" } }], null, "Bo (black) is to move. Black does not allow the takeback."],
    [[{ Finished: { outcome: {}, because: "bored" } }], null, "Words. (bored)"],
  ]) assert.equal(statusWords(play(events).match, sent), words);
  const alone = new Match({ start: `${START} w`, clock: null }, () => 0);
  assert.equal(statusWords(alone, null), "The game has not started.");
  alone.take(white, "");
  assert.equal(statusWords(alone, null), "Waiting for the other player.");
});

test("who may join", () => {
  const nobots = { white: null, black: null };
  const texts = (match, isFork = false, bots = nobots) => joinChoices(match, isFork, bots).choices.map(({ text }) => text);
  const waiting = new Match({ start: `${START} w`, clock: null }, () => 0);
  assert.deepEqual(texts(waiting), ["White", "Black", "Either"]);
  assert.deepEqual(texts(waiting, false, { white: null, black: "greedy" }), ["White"]);
  waiting.take({ Joined: { side: "white", name: "Ana" } }, "");
  assert.deepEqual(texts(waiting), ["Black"]);
  waiting.take({ Seated: { side: "white" } }, "");
  assert.deepEqual(texts(waiting), [], "a player has a side already");
  const { match } = play([]);
  assert.deepEqual(texts(match), [], "the game has begun");
  assert.deepEqual(texts(match, true), ["Continue as white", "Continue as black"]);
  match.take({ Finished: { outcome: {}, because: null } }, "");
  assert.deepEqual(texts(match, true), []);
});

test("the clock of a game in the list", () => {
  for (const [title, words] of [["standard", "no clock"], ["custom", "no clock"], ["blitz", "3 min + 2 s"], ["rapid", "10 min + 5 s"], ["5+3", "5 min + 3 s"], ["0.5+0", "0.5 min + 0 s"], ["other", "other"], [null, ""]]) {
    assert.equal(clockOf(title), words);
  }
});

test("results in the list of moves", () => {
  const result = (outcome) => play([{ Finished: { outcome, because: null } }]).match.outcome.result;
  assert.deepEqual([result({ winner: "white", reason: "left" }), result({ winner: "black" }), result({ winner: null, reason: "agreement" }), result({ winner: null, reason: "aborted" })], ["1-0", "0-1", "½-½", "*"]);
});

test("scores as chess players write them", () => {
  for (const [score, text] of [[{ cp: 0 }, "0.0"], [{ cp: 4 }, "0.0"], [{ cp: 43 }, "+0.4"], [{ cp: -460 }, "−4.6"], [{ cp: 1620 }, "+16"], [{ mate: 3, wins: "white" }, "#3"], [{ mate: 1, wins: "black" }, "−#1"], [undefined, ""]]) {
    assert.equal(scoreText(score), text);
  }
});

/** A game whose chances are given; each move is by the next side. */
const judgedGame = (chances, marks = {}) =>
  chances.map((chance, at) => ({ position: "", fen: "", score: { cp: 0, chance }, best: { move: `best${at}`, line: [] }, ...(at ? { san: `m${at}`, move: `m${at}`, side: at % 2 ? "white" : "black", mark: marks[at] ?? null } : {}) }));

test("where a game turned", () => {
  const positions = judgedGame([0, -0.8, 0.1, 0.2, 0.9, 0.8, 0, 0.9], { 1: "blunder", 2: "slip", 4: "mistake", 5: "mistake", 6: "mistake", 7: "blunder" });
  assert.deepEqual(turningPoints(positions), [1, 4, 6, 7], "the four that cost most, in the order of the game");
  assert.deepEqual(turningPoints(judgedGame([0, 0])), []);
  assert.deepEqual(slips(positions), { white: { slip: 0, mistake: 1, blunder: 2 }, black: { slip: 1, mistake: 2, blunder: 0 } });
  assert.deepEqual([1, 2, 3].map((at) => numberOf(positions, at)), ["1.", "1…", "2."]);
  assert.deepEqual(judgement(positions, 1), { words: "1. m1 is a blunder", bad: true });
  assert.deepEqual(judgement(positions, 3), { words: "2. m3, white", bad: false });
  positions[2].best.move = "m3";
  assert.deepEqual(judgement(positions, 3), { words: "2. m3 is the best move", bad: false });
  assert.deepEqual(judgement(positions, 0), { words: "The start", bad: false });
});

test("the line of White's chance", () => {
  const points = plotPoints([0, null, 1, -1], 300, 100);
  assert.deepEqual(points, [{ at: 0, x: 0, y: 50 }, { at: 2, x: 200, y: 0 }, { at: 3, x: 300, y: 100 }]);
  assert.equal(plotArea(points, 50, true), "M0 50L0 50L200 0L300 50L300 50z");
  assert.equal(plotArea(points, 50, false), "M0 50L0 50L200 50L300 100L300 50z");
  assert.equal(plotArea([], 50, true), "");
});
