// The HTTP API. Every failure is a `Refused` whose message a person can read.

const BASE = "/api/v1";

export class Refused extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const path = (...parts) => BASE + parts.map((part) => "/" + encodeURIComponent(part)).join("");

export async function json(address, options) {
  return (await ask(address, options)).json();
}

/** JSON lines, as objects. */
export async function lines(address, options) {
  const text = await (await ask(address, options)).text();
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** The body is text already where JSON of ours could not say it. */
export async function post(address, body, token) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  return json(address, { method: "POST", headers, body: typeof body === "string" ? body : JSON.stringify(body) });
}

/** What went wrong, and what to do about it. */
export function explain(error) {
  if (!(error instanceof Refused)) return `Something in this page went wrong: ${error.message}`;
  const advice = {
    0: "Is the host still running? The page tries again by itself.",
    401: "Give the admin token that the host was started with.",
    403: "This host does not allow it from here.",
    404: "It may have been removed, or the address has a typing mistake. Look for it in the list of games.",
    409: "The game may have changed meanwhile. Load the page again.",
    429: "The host is busy. Wait a moment and try again.",
  }[error.status];
  const sentence = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
  return advice ? `${sentence} ${advice}` : sentence;
}

async function ask(address, options) {
  let response;
  try {
    response = await fetch(address, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, "no_answer", "The host does not answer.");
  }
  if (response.ok) return response;
  const told = await response.json().then((body) => body.error, () => null);
  throw new Refused(response.status, told?.code ?? "unknown", told?.message || `The host answered with status ${response.status}.`);
}
