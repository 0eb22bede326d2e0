// A chronicle from an exported file, read in the page. The same interface as `Remote`.

import { Chunk, STEPS, place } from "./chronicle.js";

const MOST_FOUND = 200;

export class FileSource {
  remote = false;

  constructor(file) {
    this.file = file;
    this.chunks = new Map();
  }

  async open() {
    const known = { checkpoints: [], entries: [], befores: [], step: 0 };
    let number = 0;
    let rest = "";
    const take = (line) => {
      number += 1;
      if (line.trim() !== "") this.line(line, number, known);
    };
    for await (const text of pieces(this.file)) {
      const parts = (rest + text).split("\n");
      rest = parts.pop();
      parts.forEach(take);
    }
    if (rest !== "") take(rest);
    if (!known.game) throw new Error("The file is empty. Choose a file that was downloaded as JSONL from a game's page.");
    if (!known.index) throw new Error("The file ends before its index. It was probably not downloaded to its end; download it again.");
    if (known.checkpoints.length === 0) throw new Error("The file has no checkpoint, so there is nothing to begin with. Download it again.");
    if (known.step < known.index.steps) {
      throw new Error(`The file ends after step ${known.step} of ${known.index.steps} (line ${number}). Download it again.`);
    }
    Object.assign(this, known);
    return { game: known.game, index: known.index };
  }

  line(text, number, known) {
    const wrong = (what) => {
      throw new Error(`Line ${number} of the file ${what}. Choose a file that was downloaded as JSONL from a game's page.`);
    };
    let line;
    try {
      line = JSON.parse(text);
    } catch {
      wrong("is not JSON");
    }
    const [kind] = Object.keys(line ?? {});
    const value = line?.[kind];
    if (!known.game && kind !== "game") wrong("should say which game it is");
    if (kind === "game") {
      if (typeof value?.rulebook !== "string" || !Array.isArray(value.players)) wrong("does not describe a game");
      known.game = value;
    } else if (kind === "index") {
      if (!["entries", "rounds", "turns", "figures", "points"].every((key) => Array.isArray(value?.[key]))) wrong("is not a complete index");
      known.index = value;
    } else if (kind === "checkpoint") {
      if (value?.step !== known.step || typeof value.picture !== "object") wrong(`should be a checkpoint at step ${known.step}`);
      known.checkpoints.push({ ...value, entry: known.entries.length });
    } else if (kind === "entry") {
      this.entry(value, known, wrong);
    } else {
      wrong("is of no known kind");
    }
  }

  entry(entry, known, wrong) {
    if (!Array.isArray(entry?.events)) wrong("is not a complete entry");
    known.befores.push(known.step);
    known.entries.push(entry);
    for (const event of entry.events) {
      if (event.step === null) continue;
      known.step += 1;
      if (event.step !== known.step) wrong(`should go on with step ${known.step}, but it has step ${event.step}`);
      if (!Array.isArray(event.patch)) wrong("has an event without its changes");
    }
  }

  peek(i) {
    if (!this.chunks.has(i)) this.chunks.set(i, this.build(i));
    return this.chunks.get(i);
  }

  build(i) {
    const head = this.checkpoints[place(this.checkpoints.map((checkpoint) => checkpoint.step), i * STEPS)] ?? this.checkpoints[0];
    const chunk = new Chunk(head);
    // Beyond the last step: entries without steps follow it and belong to it.
    for (let at = head.entry; at < this.entries.length && this.befores[at] <= (i + 1) * STEPS; at += 1) chunk.add(this.entries[at]);
    return chunk;
  }

  want() {}

  drop() {}

  async search(text) {
    const wanted = text.toLowerCase();
    const found = [];
    let step = 0;
    for (const entry of this.entries) {
      const by = `${entry.by ?? ""} ${entry.text ?? ""}`;
      if (by.toLowerCase().includes(wanted)) {
        const next = entry.events.find((event) => event.step !== null)?.step ?? step;
        found.push({ step: next, entry: entry.number, text: by });
      }
      for (const event of entry.events) {
        step = event.step ?? step;
        if (event.text?.toLowerCase().includes(wanted)) found.push({ step, entry: entry.number, text: event.text });
      }
      if (found.length > MOST_FOUND) return { found: found.slice(0, MOST_FOUND), more: true };
    }
    return { found, more: false };
  }

  follow() {}

  close() {}
}

async function* pieces(file) {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
}
