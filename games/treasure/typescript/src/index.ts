// The messages of the game treasure.

export type * from "./messages.js";
