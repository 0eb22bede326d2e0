// The messages of the game crazyhouse.

export type * from "./messages.js";
