// The game colony: its messages, its scenario, the board that everybody may see, and the view of a client.

export { Board, Entrance, Survivor, type Outcome, type Phase, type Place } from "./board.js";
export type * from "./messages.js";
export { editionOf, parseScenario, type Ability, type Card, type CardKind, type Character, type Consequence, type Scenario } from "./scenario.js";
export { View, type Asked } from "./view.js";
