// A place in a game over the WebSocket: says hello, comes back by itself after a lost connection, and keeps the token.

const PING = 20000;
const DEAF = 10000;
const PAUSE = 500;
const LONGEST_PAUSE = 10000;
const KEY = "seat:";

/** Reasons after which it is of no use to come again. */
const FINAL = new Set(["game_over", "replaced", "unknown_game", "unknown_token", "wrong_protocol", "bad_message", "bad_scenario", "full", "too_large"]);

/** The token of a seat that this browser has, or null. */
export function seat(game) {
  try {
    return localStorage.getItem(KEY + game);
  } catch {
    return null;
  }
}

export function keepSeat(game, token) {
  try {
    if (token) localStorage.setItem(KEY + game, token);
    else localStorage.removeItem(KEY + game);
  } catch {
    // Storage may be forbidden; the seat then lasts as long as the page.
  }
}

export class Session {
  seen = 0;
  game = null;
  token = null;
  ended = false;

  /** `told` has welcome(welcome), event(event, text), refused(refusal), closing(reason) and connected(yes). */
  constructor(told) {
    this.told = told;
    this.pause = PAUSE;
    const again = () => !this.ended && !document.hidden && this.timer && this.connect();
    addEventListener("online", again);
    document.addEventListener("visibilitychange", again);
  }

  /** Begins with a wish: { create: .. }, { join: .. } or { watch: .. }; whoever has a token resumes. */
  open(want, game = null) {
    this.want = want;
    this.game = game;
    this.connect();
  }

  hello() {
    const want = this.token ? { resume: { token: this.token, seen: this.seen } } : "watch" in this.want ? { watch: { seen: this.seen } } : this.want;
    return { hello: { protocol: 2, want, game: this.game, board: true } };
  }

  connect() {
    clearTimeout(this.timer);
    this.timer = null;
    this.drop();
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/v1/play`);
    this.socket = socket;
    socket.onopen = () => {
      this.say(this.hello());
      this.listen();
    };
    socket.onmessage = ({ data }) => {
      if (this.socket !== socket) return;
      this.heard = performance.now();
      this.hear(JSON.parse(data));
    };
    socket.onclose = () => this.socket === socket && this.lost();
  }

  hear(message) {
    const [[kind, value]] = Object.entries(message);
    if (kind === "welcome") {
      this.pause = PAUSE;
      this.game = value.game;
      if (value.token) this.token = value.token;
      this.told.connected(true);
      this.told.welcome(value);
    } else if (kind === "event") {
      this.seen = value.number;
      this.told.event(value.event, value.text);
    } else if (kind === "refused") {
      this.told.refused(value);
    } else if (kind === "closing") {
      this.reason = value;
      if (FINAL.has(value.reason)) this.ended = true;
      this.told.closing(value);
    }
  }

  command(command) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.say({ command });
    return true;
  }

  say(message) {
    this.socket.send(JSON.stringify(message));
  }

  /** Whoever hears nothing for long asks, and comes again if nobody answers. */
  listen() {
    clearInterval(this.watch);
    this.heard = performance.now();
    this.watch = setInterval(() => {
      const silent = performance.now() - this.heard;
      if (silent > PING + DEAF) this.lost();
      else if (silent > PING && this.socket.readyState === WebSocket.OPEN) this.say({ ping: 1 });
    }, DEAF / 2);
  }

  lost() {
    this.drop();
    if (this.ended) return;
    this.told.connected(false);
    this.timer = setTimeout(() => this.connect(), this.pause);
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
  }

  drop() {
    clearInterval(this.watch);
    const { socket } = this;
    this.socket = null;
    if (!socket) return;
    socket.onclose = socket.onmessage = null;
    // One that is not open yet is closed when it is.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  close() {
    this.ended = true;
    clearTimeout(this.timer);
    this.drop();
  }
}
