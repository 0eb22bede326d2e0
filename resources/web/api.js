// The HTTP API. Every failure is a `Refused` with a message for people.

const BASE = "/api/v1";

export class Refused extends Error {
  /**
   * @param {number} status of HTTP; 0 where the host did not answer
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @param {string[]} parts */
export const path = (...parts) => BASE + parts.map((part) => "/" + encodeURIComponent(part)).join("");

/**
 * @param {string} address
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 */
export async function json(address, options) {
  return (await request(address, options)).json();
}

/**
 * An answer of JSON lines, as objects.
 * @param {string} address
 * @param {RequestInit} [options]
 * @returns {Promise<any[]>}
 */
export async function lines(address, options) {
  return parseLines(await (await request(address, options)).text());
}

/**
 * @param {string} text
 * @returns {any[]}
 */
export function parseLines(text) {
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/**
 * @param {string} address
 * @param {unknown} body an object, or JSON as text where a number needs more digits than JavaScript has
 * @param {string} [token]
 * @returns {Promise<any>}
 */
export async function post(address, body, token) {
  /** @type {Record<string, string>} */
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  return json(address, { method: "POST", headers, body: typeof body === "string" ? body : JSON.stringify(body) });
}

/** @type {Record<number, string>} */
const ADVICE = {
  0: "Is the host still running? The page tries again by itself.",
  401: "Enter the admin token that the host was started with.",
  403: "This host does not allow it from here.",
  404: "It may have been removed, or the address has a typing mistake. Look for it in the list of games.",
  409: "The game may have changed meanwhile. Reload the page.",
  429: "The host is busy. Wait a moment and try again.",
};

/**
 * What went wrong, and what to do about it.
 * @param {unknown} error
 */
export function explain(error) {
  if (!(error instanceof Refused)) return `Something in this page went wrong: ${messageOf(error)}`;
  const advice = ADVICE[error.status];
  const sentence = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
  return advice ? `${sentence} ${advice}` : sentence;
}

/**
 * The HTTP status of a refusal, 0 where the host did not answer, null for any other error.
 * @param {unknown} error
 */
export const statusOf = (error) => (error instanceof Refused ? error.status : null);

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** @param {unknown} error */
export const isAbort = (error) => error instanceof DOMException && error.name === "AbortError";

/**
 * @param {string} address
 * @param {RequestInit} [options]
 */
async function request(address, options) {
  let response;
  try {
    response = await fetch(address, options);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new Refused(0, "no_answer", "The host does not answer.");
  }
  if (response.ok) return response;
  const reason = await response.json().then((body) => body.error, () => null);
  throw new Refused(response.status, reason?.code ?? "unknown", reason?.message || `The host answered with status ${response.status}.`);
}
