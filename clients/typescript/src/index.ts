// Plays games on a Holdfast server. `create`, `join`, `watch` and `resume` say which game; `Client.open` enters it.

export { Client, type Fold, type Options } from "./client.js";
export * from "./errors.js";
export type { GameInfo, Reason, Told, Welcome } from "./messages.js";
export { choices, fill, randomCommand, seededRandom, type Argument, type Choice, type Offer, type Offers } from "./offers.js";
export { create, join, resume, watch, type Entry } from "./place.js";
