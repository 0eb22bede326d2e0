// What the tests of all packages share: the compiled packages, and the real server as a process that never outlives its test.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/** The folder that `node build.mjs FOLDER` has filled, and the program that is tested. */
export const BUILT = needed("HOLDFAST_TYPESCRIPT");
const PROGRAM = needed("HOLDFAST_BIN");

function needed(variable) {
  if (!process.env[variable]) throw new Error(`${variable} is not set: see README.md`);
  return process.env[variable];
}

/** A compiled package. */
export function installed(name) {
  return import(pathToFileURL(join(BUILT, "node_modules", name, "dist", "index.js")));
}

/** Runs the program to its end. Returns its output. */
export function holdfast(...args) {
  return finished(PROGRAM, args);
}

/** Runs a compiled starter to its end. Returns its output. */
export function starter(name, ...args) {
  return finished(process.execPath, [join(BUILT, name), ...args]);
}

function finished(program, args) {
  const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 30 });
  if (error || status !== 0) throw Object.assign(new Error(`${args.join(" ")}: ${error ?? stderr}`), { status, stderr });
  return stdout;
}

/** A host with a log in a folder of its own. */
export class Host {
  static async start({ http = false } = {}) {
    const host = new Host();
    host.folder = mkdtempSync(join(tmpdir(), "holdfast-typescript-"));
    host.log = join(host.folder, "games.log");
    host.ports = ["--listen", "127.0.0.1:0", "--http", http ? "127.0.0.1:0" : "off"];
    await host.run();
    return host;
  }

  /** Starts the process, after the first time on the same port again. */
  async run() {
    // The client is tested, not the disk, and no bot is too fast.
    const args = ["host", ...this.ports, "--log", this.log, "--durability", "normal", "--messages-per-second", "100000"];
    this.process = spawn(PROGRAM, args, { stdio: ["ignore", "pipe", "inherit"] });
    this.exit = new Promise((resolve) => this.process.once("exit", resolve));
    const lines = createInterface({ input: this.process.stdout });
    for await (const line of lines) {
      this.page = /http:\/\/\S+/.exec(line)?.[0] ?? this.page;
      this.address = /^listening on (\S+)/.exec(line)?.[1] ?? this.address;
      if (this.address && (this.page || this.ports.includes("off"))) break;
    }
    if (!this.address) throw new Error("the host does not listen");
    this.ports[1] = this.address;
  }

  async kill(signal = "SIGKILL") {
    this.process.kill(signal);
    await this.exit;
  }

  async close() {
    await this.kill();
    rmSync(this.folder, { recursive: true });
  }

  /** The finished games of the log. */
  finished() {
    const rows = holdfast("log", "list", this.log, "--status", "finished", "--json").split("\n").filter(Boolean);
    return rows.map((row) => JSON.parse(row).name);
  }

  /** A finished game, with a picture after every step. */
  chronicle(game) {
    const lines = holdfast("log", "export", this.log, game, "--format", "jsonl").split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line));
  }
}

/** Runs a test with a host. */
export async function withHost(test, options) {
  const host = await Host.start(options);
  try {
    await test(host);
  } finally {
    await host.close();
  }
}

/** A server that answers each connection with these lines, one after each line that comes. Returns its address. */
export async function fakeServer(t, ...connections) {
  const heard = [];
  const server = createServer((socket) => {
    const lines = connections.shift() ?? [];
    socket.on("error", () => {});
    createInterface({ input: socket }).on("line", (line) => {
      heard.push(JSON.parse(line));
      const answers = [lines.shift() ?? null].flat();
      for (const answer of answers) {
        if (answer === null) socket.destroy();
        else socket.write(`${typeof answer === "string" ? answer : JSON.stringify(answer)}\n`);
      }
    });
  });
  t.after(() => server.close());
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `127.0.0.1:${server.address().port}`, heard };
}
