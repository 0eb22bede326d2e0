// The few functions of Node that this folder calls, so that it builds without any package.

declare module "node:net" {
  export interface Socket {
    setNoDelay(on: boolean): this;
    setTimeout(ms: number): this;
    write(text: string): boolean;
    pause(): this;
    resume(): this;
    destroy(): this;
    on(event: "connect" | "close" | "timeout", then: () => void): this;
    on(event: "data", then: (bytes: Uint8Array) => void): this;
    on(event: "error", then: (error: Error) => void): this;
  }
  export function connect(to: { host: string; port: number }): Socket;
}

declare module "node:util" {
  export function parseArgs(config: {
    options: Record<string, { type: "string" | "boolean"; default?: string }>;
    strict?: boolean;
  }): { values: Record<string, string | undefined> };
}

declare module "node:process" {
  const process: { exitCode?: number };
  export default process;
}
