// Lines of JSON over TCP, in Node.

import * as net from "node:net";

import { ConnectionLost } from "./errors.js";
import { CONNECT_MS, type Lines, Queue } from "./lines.js";

/** The longest line in bytes, with its end. */
const LONGEST_LINE = 1024 * 1024 + 2;

/** With so many unread lines, the socket is read no further: then the server notices that this client is slow. */
const MOST_UNREAD = 1000;

export function connectTcp(host: string, port: number): Promise<Lines> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port });
    const queue = new Queue();
    const reader = new LineReader((line) => queue.push(line));
    const failed = (why: string) => {
      socket.destroy();
      queue.end();
      reject(new ConnectionLost(`no connection to ${host}:${port}: ${why}`));
    };
    socket.setNoDelay(true).setTimeout(CONNECT_MS);
    // Without a listener, an error would end the program. Once the connection is open, "close" follows each error.
    socket.on("error", (error) => failed(error.message));
    socket.on("timeout", () => failed(`no answer in ${CONNECT_MS / 1000} s`));
    socket.on("close", () => queue.end());
    socket.on("data", (bytes) => {
      if (!reader.read(bytes)) failed("the server sends a line that is too long");
      if (queue.length > MOST_UNREAD) socket.pause();
    });
    socket.on("connect", () => {
      // The client itself watches for silence.
      socket.setTimeout(0);
      resolve({
        send: (text) => void socket.write(`${text}\n`),
        next: (timeoutMs) => {
          if (queue.length <= MOST_UNREAD / 2) socket.resume();
          return queue.next(timeoutMs);
        },
        close: () => void socket.destroy(),
      });
    });
  });
}

/** Cuts bytes into lines. */
class LineReader {
  #decoder = new TextDecoder();
  #unfinished = "";

  constructor(readonly take: (line: string) => void) {}

  /** Whether the lines are short enough. */
  read(bytes: Uint8Array): boolean {
    const pieces = this.#decoder.decode(bytes, { stream: true }).split("\n");
    for (const piece of pieces.slice(0, -1)) {
      const line = this.#unfinished + piece;
      this.#unfinished = "";
      if (line.trim()) this.take(line);
    }
    this.#unfinished += pieces.at(-1) ?? "";
    return this.#unfinished.length <= LONGEST_LINE;
  }
}
