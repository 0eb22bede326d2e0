// The messages of the game project.

export type * from "./messages.js";
