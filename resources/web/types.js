// The shapes of what the host sends, for the type checker; no page loads this file. docs/chronicle.md, docs/http-api.md and
// docs/protocol.md describe the same shapes in words.

/**
 * A game: the line `game` of a chronicle, and a row of the list of games.
 * @typedef {object} Game
 * @property {string} name
 * @property {string} rulebook
 * @property {string | null} edition
 * @property {string | null} scenario
 * @property {"running" | "finished" | "broken"} status
 * @property {string | null} outcome in words, after the end
 * @property {string[]} players names in the order of their seats
 * @property {Missing} [missing] until the game begins; not in the list of games
 * @property {number} created milliseconds since 1970
 * @property {number | null} ended milliseconds since 1970
 * @property {number | null} entries the number of commands; only in the list of games
 * @property {{ game: string, entry: number } | null} parent the game that this one was forked from
 * @property {string | null} [seed] 64 bits as text; only where everything is shown
 * @property {string | null} [note] why hidden facts cannot be shown
 * @property {any} [stage] what never changes during the game; its shape is the rulebook's
 */

/**
 * How a picture changes: `[pointer, before, after]` for each changed value, with JSON pointers.
 * @typedef {[pointer: string, was: any, is: any][]} Patch
 */

/**
 * The board after a step, for drawing. Each rulebook adds its own keys; they never change during a game.
 * @typedef {{ figures?: number[], hidden?: any, [key: string]: any }} Picture
 */

/**
 * The whole picture after a step.
 * @typedef {{ step: number, picture: Picture }} Checkpoint
 */

/**
 * An event of an entry. Only public events have a step and a patch.
 * @typedef {object} ChronicleEvent
 * @property {number | null} step
 * @property {string} to `all`, `board`, or the client that received it
 * @property {boolean} refused
 * @property {any[]} event
 * @property {string} text
 * @property {Patch} patch
 */

/**
 * One input and its events. A timer has neither sender nor command; a running game gives `at` and `events` only.
 * @typedef {object} Entry
 * @property {number} at milliseconds since 1970
 * @property {number | null} number
 * @property {string | null} by
 * @property {any[] | null} command
 * @property {string | null} text
 * @property {ChronicleEvent[]} events
 */

/**
 * The table of contents of a chronicle.
 * @typedef {object} IndexLine
 * @property {number} steps the number of the last step
 * @property {number[]} entries the number of steps of each entry
 * @property {[round: number, step: number][]} rounds
 * @property {[player: string, step: number][]} turns
 * @property {string[]} figures
 * @property {[round: number, step: number, figures: number[]][]} points
 */

/**
 * What can be played on a host. `people` is whether people can play it, `poster` a picture.
 * @typedef {object} Choices
 * @property {{ rulebook: string, name: string, about: string }[]} scenarios the easiest first
 * @property {{ name: string, about: string, poster: string | null, people: boolean }[]} rulebooks
 * @property {Record<string, string>} pages
 * @property {Record<string, string>} ports
 * @property {string | null} clients
 * @property {string} [program] the name of the program that runs, for commands at the terminal
 */

/** @typedef {{ found: { step: number, entry: number | null, text: string }[], more: boolean }} SearchResult */

/**
 * Where a chronicle comes from: the host (remote.js) or a file (file.js).
 * @typedef {object} Source
 * @property {boolean} remote
 * @property {() => Promise<{ game: Game, index: IndexLine }>} open
 * @property {(i: number) => import("./chronicle.js").Chunk | undefined} peek the chunk, if it is loaded
 * @property {(slot: string, i: number) => void} want loads a chunk; each slot has one request at a time
 * @property {(i: number) => void} drop forgets a chunk that is too short
 * @property {(text: string) => Promise<SearchResult>} search
 * @property {(entry: Entry, last: number) => void} append adds an entry of a running game
 */

/**
 * A drawing of a rulebook's pictures, made by the `create` of its module.
 * @typedef {object} Drawing
 * @property {(picture: any) => void} draw is called again for every change
 * @property {(command: Record<string, any>) => string[] | null} [targets] the places of the drawing that a command is about, in the
 *   order in which a player clicks them: values of `data-target` of elements in the drawing
 */

/**
 * The module `draw.js` of a rulebook. Only `create` must be there.
 * @typedef {object} DrawingModule
 * @property {(root: HTMLElement, stage: any) => Drawing} create draws into an empty element; `stage` is what never changes in a game
 * @property {((game: string) => string) | null} [page] the address where a game is played, instead of the page for every game; null
 *   if games of this rulebook are not played in a browser
 * @property {boolean} [isTree] whether it is the tree of values, for rulebooks without a drawing
 * @property {boolean} [scripts] whether finished games can be exported as scripts
 * @property {(index: import("./chronicle.js").Index, game: Game) => { step: number, words: string } | null} [turningPoint] the moment of a
 *   finished game from which it went as it did
 * @property {(picture: any, stage: any) => string} [headline] where the game stands in a few words, as "round 8, morale 3"
 * @property {(picture: any, stage: any, seat: number) => string | null} [hint] what a new player should know now
 * @property {(root: HTMLElement, stage: any, hands: Hands) => Promise<OwnTable>} [table] the player's own table at the lower edge of the page.
 *   With it, the page is a place: the board fills the window, and its root has the attribute \`data-fills\`
 * @property {(root: HTMLElement) => void} [rules] writes how the game is played, and what its signs mean
 * @property {(event: any, now: { picture: any, stage: any, before: any[][] }) => Moment | null} [moment] a moment for an event that
 *   deserves one; `before` has the earlier events of the same command
 * @property {(label: string, stage: any) => Element | null} [sign] a picture for an answer that the player can choose
 * @property {(event: any) => Sound | null} [sound] what an event sounds like
 * @property {(seat: number, player: string) => Element} [seatSign] the sign of a seat in the waiting room, instead of two letters of its
 *   player's name
 * @property {(root: HTMLElement, stage: any) => void} [beside] fills the place beside the seats of the waiting room
 */

/**
 * What a player's table can do on the page.
 * @typedef {object} Hands
 * @property {(offer: Offer, sure?: string) => void} take takes an offer: sends its command, after the question \`sure\` if there is one
 * @property {(chosen: string[], only?: string | null) => void} choose chooses places of the drawing, as clicks would; \`only\` is the
 *   kind of command that the player looks for
 */

/**
 * A player's table, drawn by its rulebook.
 * @typedef {object} OwnTable
 * @property {(now: { picture: any, offers: Offers, seat: number, chosen: string[], only: string | null, isBusy: boolean }) => boolean} show
 *   is called for every change; whether it shows all offers of the first question, so that the page need not list them
 */

/** @typedef {"walk" | "roll" | "hurt" | "kill" | "build" | "card" | "alarm" | "turn" | "won" | "lost"} Sound */

/**
 * An event that deserves a moment of its own on the page where it is played.
 * @typedef {object} Moment
 * @property {"good" | "bad" | "cold" | "plain"} mood
 * @property {string} title
 * @property {string} words
 * @property {(root: HTMLElement, words: HTMLElement) => void} [draw] its picture, and more than its words
 */

/**
 * A part of the game page. The viewer calls its functions.
 * @typedef {object} Part
 * @property {(viewer: import("./viewer.js").Viewer) => void} [opened] another game is shown, or the same one was loaded again
 * @property {(viewer: import("./viewer.js").Viewer) => void} [grown] the running game has new entries
 * @property {() => void} [loaded] a chunk was loaded
 * @property {(viewer: import("./viewer.js").Viewer) => void} [show] another step is shown
 */

/** @typedef {"event" | "command" | "turn" | "round"} Unit */

/** @typedef {{ game: string, client: number | null, token: string | null }} Welcome */

/** @typedef {{ reason: string, message: string }} Refusal why the host refused a message, or closes the connection */

/**
 * The first message of a session: create a game, join one, watch one, or return to a seat.
 * @typedef {{ create: { rulebook: string, scenario: string } } | { join: { seat?: number } } | { watch: { seen?: number } }
 *   | { resume: { token: string, seen: number } }} Want
 */

/**
 * A message of the host over the WebSocket: exactly one of these keys is there.
 * @typedef {object} HostMessage
 * @property {Welcome} [welcome]
 * @property {{ number: number, event: any, text: string }} [event]
 * @property {Refusal} [refused]
 * @property {Refusal} [closing]
 * @property {{ number: number, after: number, offers: string }} [offers] the text is JSON of `Offers`
 * @property {Notice} [notice] for a session that asks for notices
 */

/** @typedef {{ client: number, player: string, away_ms: number | null }} PlayerPresence null while the player is connected */

/**
 * A line of chat.
 * @typedef {object} ChatLine
 * @property {number} number
 * @property {"players" | "spectators"} channel
 * @property {number | null} client
 * @property {string} by
 * @property {string} text
 * @property {number} at milliseconds since 1970
 */

/**
 * Presence or chat: exactly one of these keys is there.
 * @typedef {object} Notice
 * @property {{ players: PlayerPresence[], spectators: number, thinks: string | null, writes: "players" | "spectators", chat: ChatLine[] | null }} [snapshot]
 * @property {PlayerPresence} [presence]
 * @property {number} [spectators]
 * @property {string | null} [thinks]
 * @property {ChatLine} [chat]
 * @property {Refusal} [refused]
 * @property {number} [reported] the number of a line that this client has reported
 */

/**
 * A field of a command that the client fills in. It has one of the three forms.
 * @typedef {object} OfferArgument
 * @property {string} field
 * @property {string} label
 * @property {{ least: number, most: number }} [range]
 * @property {{ least: number, most: number, name?: boolean }} [text] with `name`, the name of the player
 * @property {{ about: string }} [free]
 */

/**
 * Something that a client can do: a command, or another question.
 * @typedef {object} Offer
 * @property {string} label
 * @property {boolean} [aside] whether it stands beside the play, as resigning does
 * @property {Record<string, any>} [command]
 * @property {OfferArgument[]} [arguments]
 * @property {string} [title]
 * @property {Offer[]} [offers]
 * @property {string} [impossible] why the rules refuse it now
 * @property {boolean} [uncertain] whether hidden facts decide
 */

/**
 * What a client can do now.
 * @typedef {object} Offers
 * @property {string} title
 * @property {Offer[]} offers
 * @property {Table} [table] only at the top
 */

/** @typedef {{ least: number, most: number }} Missing the players whom a game needs to begin, and whom it can take */

/**
 * The game around the offers, as this client may know it.
 * @typedef {object} Table
 * @property {string | null} you the client's player, once it has one
 * @property {number} [seat] of that player, an index into \`players\`; two players may have the same name
 * @property {string[]} players in the order of their seats
 * @property {string | null} turn the player whose turn it is
 * @property {number} round
 * @property {Missing} [missing] until the game begins
 * @property {number} [left_ms] until the game goes on by itself
 * @property {Picture} picture
 */

export {};
