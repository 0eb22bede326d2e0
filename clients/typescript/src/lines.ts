// Messages to a server and back, each a text. A WebSocket in the browser and in Node 22 or later; TCP in Node.

import { BadArgument, ConnectionLost } from "./errors.js";

/** The milliseconds for a server to accept a connection and to answer a hello. */
export const CONNECT_MS = 10_000;

/** An open connection. */
export interface Lines {
  /** Sends a message. A lost connection shows in `next`. */
  send(text: string): void;
  /** The next message; "closed" at the end of the connection, "quiet" if none comes in the given time. */
  next(timeoutMs: number): Promise<{ text: string } | "closed" | "quiet">;
  close(): void;
}

/**
 * Connects. An address is `HOST:PORT` for TCP (not in a browser), or the address of the host's page, such as
 * `http://127.0.0.1:7780`, for its WebSocket.
 */
export async function connect(address: string): Promise<Lines> {
  const page = /^(http|ws)(s?):\/\//.exec(address);
  if (page) return connectWebSocket(address);
  const [, host, port] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(address) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw new BadArgument(`an address is HOST:PORT or http://HOST:PORT, not ${JSON.stringify(address)}`);
  }
  // A browser never loads this module.
  const { connectTcp } = await import("./tcp.js");
  return connectTcp(host, Number(port));
}

async function connectWebSocket(address: string): Promise<Lines> {
  if (typeof WebSocket === "undefined") {
    throw new BadArgument("this version of Node has no WebSocket: use HOST:PORT of the games' port");
  }
  let url: URL;
  try {
    url = new URL("/api/v1/play", address);
  } catch {
    throw new BadArgument(`${JSON.stringify(address)} is no address of a page`);
  }
  url.protocol = /^(https|wss):/.test(address) ? "wss:" : "ws:";
  const socket = new WebSocket(url);
  const queue = new Queue();
  socket.onmessage = ({ data }) => queue.push(String(data));
  return new Promise((resolve, reject) => {
    const failed = () => {
      socket.close();
      reject(new ConnectionLost(`no connection to ${url.href}`));
    };
    const timer = setTimeout(failed, CONNECT_MS);
    socket.onclose = failed;
    socket.onopen = () => {
      clearTimeout(timer);
      socket.onclose = () => queue.end();
      resolve({
        send: (text) => {
          if (socket.readyState === WebSocket.OPEN) socket.send(text);
        },
        next: (timeoutMs) => queue.next(timeoutMs),
        close: () => {
          socket.close();
          queue.end();
        },
      });
    };
  });
}

/** Messages that have arrived and wait to be read. One reader at a time. */
export class Queue {
  #waiting: string[] = [];
  #ended = false;
  #wake: (() => void) | null = null;

  get length(): number {
    return this.#waiting.length;
  }

  push(text: string): void {
    this.#waiting.push(text);
    this.#wake?.();
  }

  /** Nothing more will come; what has arrived can still be read. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async next(timeoutMs: number): Promise<{ text: string } | "closed" | "quiet"> {
    if (!this.#waiting.length && !this.#ended) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = null;
    }
    const text = this.#waiting.shift();
    if (text !== undefined) return { text };
    return this.#ended ? "closed" : "quiet";
  }
}
