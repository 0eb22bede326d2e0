// Writes the message types of the client from docs/protocol.json: `node generate.mjs`.
//
// The protocol's own messages go to `src/messages.ts`, those of a rulebook to the folder of its game. JSON needs no classes, so
// all of it is types: a message is an object with one key, its kind.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const PROJECT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const DESCRIPTION = join(PROJECT, "docs", "protocol.json");

const HEAD = "// Written by clients/typescript/generate.mjs from docs/protocol.json.\n";

/** The types of the table in docs/protocol.md. A rulebook is not known where a message of the protocol is read or written. */
const PLAIN = { string: "string", token: "string", bool: "boolean", command: "C", event: "E" };
for (const number of ["u8", "u16", "u32", "u64", "i32", "i64"]) PLAIN[number] = "number";

/** Every file that is written: its text by its path in the project. */
export function render(protocol) {
  const files = new Map();
  files.set("clients/typescript/src/messages.ts", renderProtocol(protocol));
  for (const [name, rulebook] of Object.entries(protocol.rulebooks)) {
    files.set(`games/${name}/typescript/src/messages.ts`, renderRulebook(name, rulebook));
  }
  return files;
}

function renderProtocol({ protocol, types }) {
  const writer = new Writer(types);
  const parts = [`/** The version of the protocol that this client speaks. */\nexport const PROTOCOL = ${protocol};\n`];
  return [HEAD, ...parts, ...writer.all()].join("\n");
}

function renderRulebook(name, { types }) {
  return [`${HEAD}// The messages of the game ${name}.\n`, ...new Writer(types).all()].join("\n");
}

class Writer {
  constructor(types) {
    this.types = types;
  }

  all() {
    return Object.entries(this.types).map(([name, described]) => this.declare(name, described));
  }

  declare(name, described) {
    const title = `${name}${this.parameters(name)}`;
    if (described.same) return `export type ${name} = ${this.type(described.same)};\n`;
    if (described.struct) return `export interface ${title} {\n${this.fields(described.struct, "  ")}}\n`;
    const variants = described.enum.map((variant) => `  | ${this.variant(variant)}\n`);
    return `export type ${title} =\n${variants.join("")}`.trimEnd() + ";\n";
  }

  variant({ name, value, fields, audience }) {
    const comment = audience ? `/** for ${audience.join(", ")} */ ` : "";
    if (value !== undefined) return `${comment}{ ${name}: ${this.type(value)} }`;
    if (fields === undefined) return `${comment}${JSON.stringify(name)}`;
    const inner = fields.map((field) => this.field(field)).join("; ");
    return `${comment}{ ${name}: ${inner ? `{ ${inner} }` : "Record<string, never>"} }`;
  }

  fields(fields, indent) {
    return fields.map((field) => `${indent}${this.field(field)};\n`).join("");
  }

  field({ name, type, optional }) {
    return `${name}${optional ? "?" : ""}: ${this.type(type)}`;
  }

  type(kind) {
    if (typeof kind !== "string") {
      if (kind.option !== undefined) return `${this.type(kind.option)} | null`;
      const inner = this.type(kind.list ?? kind.array);
      return inner.includes(" ") ? `(${inner})[]` : `${inner}[]`;
    }
    return PLAIN[kind] ?? `${kind}${this.arguments(kind)}`;
  }

  /** The parameters of a type with the rulebook's commands or events in it. */
  parameters(name) {
    const used = this.used(name);
    return used.length ? `<${used.map((parameter) => `${parameter} = unknown`).join(", ")}>` : "";
  }

  arguments(name) {
    const used = this.used(name);
    return used.length ? `<${used.join(", ")}>` : "";
  }

  used(name, seen = new Set()) {
    if (seen.has(name)) return [];
    seen.add(name);
    const found = new Set();
    const text = JSON.stringify(this.types[name]);
    for (const [, word] of text.matchAll(/"(?:type|value|same|list|option|array)":"(\w+)"/g)) {
      if (word === "command") found.add("C");
      else if (word === "event") found.add("E");
      else if (this.types[word]) for (const inner of this.used(word, seen)) found.add(inner);
    }
    return [...found].sort();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of render(JSON.parse(readFileSync(DESCRIPTION, "utf8")))) {
    const file = join(PROJECT, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
